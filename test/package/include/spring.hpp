#pragma once

#include "stiffness.hpp"

double energy(const double* stretch, int n);
