// All that a generated serial or OpenMP derivative includes.
#ifndef CONTRAFLOW_RUNTIME_HPP
#define CONTRAFLOW_RUNTIME_HPP

#include <contraflow/contraflow.h>
#include <contraflow/adjoint.hpp>
#include <contraflow/bands.hpp>
#include <contraflow/checkpoint.hpp>
#include <contraflow/math.hpp>
#include <contraflow/omp.hpp>
#include <contraflow/ranges.hpp>
#include <contraflow/structure.hpp>
#include <contraflow/sums.hpp>
#include <contraflow/tangent.hpp>
#include <contraflow/tape.hpp>
#include <contraflow/zero.hpp>

#endif
