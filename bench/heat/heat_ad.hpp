// The derivatives of misfit that Contraflow generates for examples/heat, written by hand with care: the yardstick for
// time and memory, and an independent check of the example. Same signatures, so that examples/heat/main.cpp runs with
// either.
#pragma once

#include "heat.hpp"

#include <contraflow/runtime.hpp>

contraflow::Tangent<double> misfit_d(const Grid& g, const double* conductivity, const double* conductivity_d,
                                     const double* observed);
double misfit_b(const Grid& g, const double* conductivity, double* conductivity_b, const double* observed,
                double misfit_b_seed);
double misfit_b(const Grid& g, const double* conductivity, double* conductivity_b, const double* observed,
                double misfit_b_seed, contraflow::Tape& tape);
