// Each row's adjoint is the same as its column's, so one pass over rows is enough, without conflicts.
#include "by_hand.hpp"

double nbody_all_by_hand(const int* size, const double* x, double* x_b, const double* constant, double*, double*,
                         Records&) {
  const int n = size[0];
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    const double xi = x[3 * i], yi = x[3 * i + 1], zi = x[3 * i + 2];
    double energy = 0, gx = 0, gy = 0, gz = 0;
    for (int j = 0; j < n; ++j) {
      const double dx = xi - x[3 * j], dy = yi - x[3 * j + 1], dz = zi - x[3 * j + 2];
      const double square = dx * dx + dy * dy + dz * dz + constant[n];
      const double pair = constant[i] * constant[j] / std::sqrt(square), factor = pair / square;
      energy -= pair;
      gx += factor * dx;
      gy += factor * dy;
      gz += factor * dz;
    }
    x_b[3 * i] += gx;
    x_b[3 * i + 1] += gy;
    x_b[3 * i + 2] += gz;
    sum += 0.5 * energy;
  }
  return sum;
}
