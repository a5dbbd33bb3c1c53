// A scalar recurrence: explicit Euler steps of logistic growth with harvesting.
//
//     size      steps
//     x         the first value, rate, harvest
//     constant  the step
//     work      1
#include "real.hpp"

Real recurrence(const int* size, const Real* __restrict__ x, const double* __restrict__ constant, Real* __restrict__) {
  const int steps = size[0];
  const double step = constant[0];
  const Real rate = x[1], harvest = x[2];
  Real u = x[0];
  for (int t = 0; t < steps; ++t) u = u + step * (rate * u * (1.0 - u) - harvest);
  return u;
}
