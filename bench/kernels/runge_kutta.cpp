// Steps of the classical Runge-Kutta method for the Lorenz 96 equations; half the squared norm of the last state.
//
//     size      n, steps
//     x         the first state[n], forcing
//     constant  the step
//     work      6 n
#include "real.hpp"

namespace {

void slope(int n, Real forcing, const Real* u, Real* k) {
  k[0] = (u[1] - u[n - 2]) * u[n - 1] - u[0] + forcing;
  k[1] = (u[2] - u[n - 1]) * u[0] - u[1] + forcing;
  for (int i = 2; i < n - 1; ++i) k[i] = (u[i + 1] - u[i - 2]) * u[i - 1] - u[i] + forcing;
  k[n - 1] = (u[0] - u[n - 3]) * u[n - 2] - u[n - 1] + forcing;
}

}  // namespace

Real runge_kutta(const int* size, const Real* __restrict__ x, const double* __restrict__ constant,
                 Real* __restrict__ work) {
  const int n = size[0], steps = size[1];
  const double step = constant[0];
  const Real forcing = x[n];
  Real* __restrict__ u = work;
  Real* __restrict__ stage = work + n;
  Real* __restrict__ k1 = work + 2 * n;
  Real* __restrict__ k2 = work + 3 * n;
  Real* __restrict__ k3 = work + 4 * n;
  Real* __restrict__ k4 = work + 5 * n;
  for (int i = 0; i < n; ++i) u[i] = x[i];
  for (int t = 0; t < steps; ++t) {
    slope(n, forcing, u, k1);
    for (int i = 0; i < n; ++i) stage[i] = u[i] + 0.5 * step * k1[i];
    slope(n, forcing, stage, k2);
    for (int i = 0; i < n; ++i) stage[i] = u[i] + 0.5 * step * k2[i];
    slope(n, forcing, stage, k3);
    for (int i = 0; i < n; ++i) stage[i] = u[i] + step * k3[i];
    slope(n, forcing, stage, k4);
    for (int i = 0; i < n; ++i) u[i] += step / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
  }
  Real sum = 0;
  for (int i = 0; i < n; ++i) sum += u[i] * u[i];
  return 0.5 * sum;
}
