// The stencil is its own transpose inside; the rim's cells never change. A gather, and nothing recorded.
#include "by_hand.hpp"

#include <algorithm>

double heat2d(const int* size, const double* x, const double* constant, double* work);

double heat2d_by_hand(const int* size, const double* x, double* x_b, const double* constant, double* work,
                      double* work_b, Records&) {
  const int nx = size[0], ny = size[1], steps = size[2], cells = nx * ny;
  const double r = constant[0];
  const double value = heat2d(size, x, constant, work);
  double *now = work_b, *before = work_b + cells;
  std::fill(work_b, work_b + 2 * cells, 0.0);
  for (int i = 0; i < cells; ++i) x_b[i] += work[i];
  for (int i = 1; i < nx - 1; ++i)
    for (int j = 1; j < ny - 1; ++j) {
      now[i * ny + j] = work[i * ny + j];
      x_b[i * ny + j] -= work[i * ny + j];
    }
  for (int t = 0; t < steps; ++t) {
    for (int j = 1; j < ny - 1; ++j) {
      x_b[j] += r * now[ny + j];
      x_b[(nx - 1) * ny + j] += r * now[(nx - 2) * ny + j];
    }
#pragma omp parallel for schedule(static)
    for (int i = 1; i < nx - 1; ++i) {
      x_b[i * ny] += r * now[i * ny + 1];
      x_b[i * ny + ny - 1] += r * now[i * ny + ny - 2];
      for (int j = 1; j < ny - 1; ++j)
        before[i * ny + j] = now[i * ny + j] + r * (now[(i - 1) * ny + j] + now[(i + 1) * ny + j] +
                                                    now[i * ny + j - 1] + now[i * ny + j + 1] - 4.0 * now[i * ny + j]);
    }
    std::swap(now, before);
  }
  for (int i = 1; i < nx - 1; ++i)
    for (int j = 1; j < ny - 1; ++j) x_b[i * ny + j] += now[i * ny + j];
  return value;
}
