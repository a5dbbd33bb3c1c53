// Explicit steps of the linear heat equation on a plate, two buffers in turn; half the squared norm of the last state.
//
//     size      nx, ny, steps (even)
//     x         the first state
//     constant  r
//     work      2 nx ny
#include "real.hpp"

namespace {

void step(int nx, int ny, double r, const Real* a, Real* b) {
#pragma omp parallel for schedule(static)
  for (int i = 1; i < nx - 1; ++i)
    for (int j = 1; j < ny - 1; ++j)
      b[i * ny + j] = a[i * ny + j] + r * (a[(i - 1) * ny + j] + a[(i + 1) * ny + j] + a[i * ny + j - 1] +
                                           a[i * ny + j + 1] - 4.0 * a[i * ny + j]);
}

}  // namespace

Real heat2d(const int* size, const Real* __restrict__ x, const double* __restrict__ constant, Real* __restrict__ work) {
  const int nx = size[0], ny = size[1], steps = size[2];
  const double r = constant[0];
  Real* a = work;
  Real* b = work + nx * ny;
  for (int i = 0; i < nx * ny; ++i) {
    a[i] = x[i];
    b[i] = x[i];
  }
  for (int t = 0; t < steps; t += 2) {
    step(nx, ny, r, a, b);
    step(nx, ny, r, b, a);
  }
  Real sum = 0;
  for (int i = 0; i < nx * ny; ++i) sum += a[i] * a[i];
  return 0.5 * sum;
}
