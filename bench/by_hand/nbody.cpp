// Value and gradient in one loop; the adjoint of body i stays in registers.
#include "by_hand.hpp"

double nbody_by_hand(const int* size, const double* x, double* x_b, const double* constant, double*, double*,
                     Records&) {
  const int n = size[0];
  double energy = 0;
  for (int i = 0; i < n; ++i) {
    const double xi = x[3 * i], yi = x[3 * i + 1], zi = x[3 * i + 2];
    double gx = 0, gy = 0, gz = 0;
    for (int j = 0; j < i; ++j) {
      const double dx = xi - x[3 * j], dy = yi - x[3 * j + 1], dz = zi - x[3 * j + 2];
      const double square = dx * dx + dy * dy + dz * dz + constant[n];
      const double pair = constant[i] * constant[j] / std::sqrt(square), factor = pair / square;
      energy -= pair;
      gx += factor * dx;
      gy += factor * dy;
      gz += factor * dz;
      x_b[3 * j] -= factor * dx;
      x_b[3 * j + 1] -= factor * dy;
      x_b[3 * j + 2] -= factor * dz;
    }
    x_b[3 * i] += gx;
    x_b[3 * i + 1] += gy;
    x_b[3 * i + 2] += gz;
  }
  return energy;
}
