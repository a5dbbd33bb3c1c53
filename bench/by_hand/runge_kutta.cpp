// The state of each step is recorded; the stages are computed again.
#include "by_hand.hpp"

#include <algorithm>

namespace {

void slope(int n, double forcing, const double* u, double* k) {
  k[0] = (u[1] - u[n - 2]) * u[n - 1] - u[0] + forcing;
  k[1] = (u[2] - u[n - 1]) * u[0] - u[1] + forcing;
  for (int i = 2; i < n - 1; ++i) k[i] = (u[i + 1] - u[i - 2]) * u[i - 1] - u[i] + forcing;
  k[n - 1] = (u[0] - u[n - 3]) * u[n - 2] - u[n - 1] + forcing;
}

// u_b += (d slope / d u)' k_b; gives the adjoint of the forcing.
double slopeAdjoint(int n, const double* u, double* u_b, const double* k_b) {
  for (int i = 2; i < n - 2; ++i)
    u_b[i] += k_b[i + 1] * (u[i + 2] - u[i - 1]) + k_b[i - 1] * u[i - 2] - k_b[i + 2] * u[i + 1] - k_b[i];
  for (const int i : {0, 1, n - 2, n - 1}) {
    const int left = (i + n - 1) % n, left2 = (i + n - 2) % n, right = (i + 1) % n, right2 = (i + 2) % n;
    u_b[i] += k_b[right] * (u[right2] - u[left]) + k_b[left] * u[left2] - k_b[right2] * u[right] - k_b[i];
  }
  double forcing_b = 0;
  for (int i = 0; i < n; ++i) forcing_b += k_b[i];
  return forcing_b;
}

}  // namespace

double runge_kutta_by_hand(const int* size, const double* x, double* x_b, const double* constant, double* work,
                           double* work_b, Records& records) {
  const int n = size[0], steps = size[1];
  const double step = constant[0], forcing = x[n];
  double* states = room(records, static_cast<std::size_t>(n) * (steps + 1));
  double *s2 = work, *s3 = work + n, *s4 = work + 2 * n, *k1 = work + 3 * n, *k2 = work + 4 * n, *k3 = work + 5 * n;
  const auto stages = [&](const double* u) {
    slope(n, forcing, u, k1);
    for (int i = 0; i < n; ++i) s2[i] = u[i] + 0.5 * step * k1[i];
    slope(n, forcing, s2, k2);
    for (int i = 0; i < n; ++i) s3[i] = u[i] + 0.5 * step * k2[i];
    slope(n, forcing, s3, k3);
    for (int i = 0; i < n; ++i) s4[i] = u[i] + step * k3[i];
  };
  std::copy(x, x + n, states);
  for (int t = 0; t < steps; ++t) {
    const double* u = states + static_cast<std::size_t>(t) * n;
    double *next = states + static_cast<std::size_t>(t + 1) * n, *k4 = next;
    stages(u);
    slope(n, forcing, s4, k4);
    for (int i = 0; i < n; ++i) next[i] = u[i] + step / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
  }
  const double* last = states + static_cast<std::size_t>(steps) * n;
  double *u_b = work_b, *s_b = work_b + n, *k_b = work_b + 2 * n, sum = 0, forcing_b = 0;
  for (int i = 0; i < n; ++i) {
    sum += last[i] * last[i];
    u_b[i] = last[i];
  }
  double* uNext_b = work_b + 3 * n;
  for (int t = steps; t-- > 0;) {
    const double* u = states + static_cast<std::size_t>(t) * n;
    stages(u);
    std::copy(u_b, u_b + n, uNext_b);
    const auto back = [&](const double* stage, double weight, double nextWeight) {
      // k_b: from the step's sum, and from the next stage (s_b, weight nextWeight).
      for (int i = 0; i < n; ++i) {
        k_b[i] = weight * step * uNext_b[i] + nextWeight * step * s_b[i];
        s_b[i] = 0;
      }
      forcing_b += slopeAdjoint(n, stage, s_b, k_b);
      for (int i = 0; i < n; ++i) u_b[i] += s_b[i];
    };
    std::fill(s_b, s_b + n, 0.0);
    back(s4, 1.0 / 6.0, 0.0);
    back(s3, 1.0 / 3.0, 1.0);
    back(s2, 1.0 / 3.0, 0.5);
    back(u, 1.0 / 6.0, 0.5);
  }
  for (int i = 0; i < n; ++i) x_b[i] += u_b[i];
  x_b[n] += forcing_b;
  return 0.5 * sum;
}
