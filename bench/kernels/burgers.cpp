// Explicit upwind steps of Burgers' equation, two buffers in turn; half the squared norm of the last state.
//
//     size      n, steps (even)
//     x         the first state
//     constant  dt / dx, nu
//     work      2 n
#include "real.hpp"

namespace {

void step(int n, double ratio, double nu, const Real* a, Real* b) {
#pragma omp parallel for schedule(static)
  for (int i = 1; i < n - 1; ++i)
    b[i] = a[i] - ratio * a[i] * (a[i] - a[i - 1]) + nu * (a[i + 1] - 2.0 * a[i] + a[i - 1]);
}

}  // namespace

Real burgers(const int* size, const Real* __restrict__ x, const double* __restrict__ constant, Real* __restrict__ work) {
  const int n = size[0], steps = size[1];
  const double ratio = constant[0], nu = constant[1];
  Real* a = work;
  Real* b = work + n;
  for (int i = 0; i < n; ++i) {
    a[i] = x[i];
    b[i] = x[i];
  }
  for (int t = 0; t < steps; t += 2) {
    step(n, ratio, nu, a, b);
    step(n, ratio, nu, b, a);
  }
  Real sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * a[i];
  return 0.5 * sum;
}
