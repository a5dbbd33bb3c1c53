// One value for each step is recorded; its adjoint stays in a register.
#include "by_hand.hpp"

double recurrence_by_hand(const int* size, const double* x, double* x_b, const double* constant, double*, double*,
                          Records& records) {
  const int steps = size[0];
  const double step = constant[0], rate = x[1], harvest = x[2];
  double* us = room(records, steps);
  double u = x[0];
  for (int t = 0; t < steps; ++t) {
    us[t] = u;
    u = u + step * (rate * u * (1.0 - u) - harvest);
  }
  double u_b = 1, rate_b = 0, harvest_b = 0;
  for (int t = steps; t-- > 0;) {
    const double before = us[t];
    harvest_b -= step * u_b;
    rate_b += step * u_b * before * (1.0 - before);
    u_b += step * u_b * rate * (1.0 - 2.0 * before);
  }
  x_b[0] += u_b;
  x_b[1] += rate_b;
  x_b[2] += harvest_b;
  return u;
}
