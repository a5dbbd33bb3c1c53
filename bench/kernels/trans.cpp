// A sum of transcendental functions.
//
//     size      n
//     x         n
//     constant  n
//     work      1
#include "real.hpp"

Real trans(const int* size, const Real* __restrict__ x, const double* __restrict__ constant, Real* __restrict__) {
  const int n = size[0];
  Real sum = 0;
  for (int i = 0; i < n; ++i)
    sum += sin(x[i]) * exp(constant[i] * x[i]) + cos(constant[i] * x[i]) * exp(-x[i] * x[i]);
  return sum;
}
