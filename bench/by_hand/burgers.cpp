// Each state is computed right into the records; the transposed step is a gather.
#include "by_hand.hpp"

#include <algorithm>

double burgers_by_hand(const int* size, const double* x, double* x_b, const double* constant, double*, double* work_b,
                       Records& records) {
  const int n = size[0], steps = size[1];
  const double ratio = constant[0], nu = constant[1];
  double* states = room(records, static_cast<std::size_t>(n) * (steps + 1));
  std::copy(x, x + n, states);
  for (int t = 0; t < steps; ++t) {
    const double* a = states + static_cast<std::size_t>(t) * n;
    double* b = states + static_cast<std::size_t>(t + 1) * n;
    b[0] = a[0];
    b[n - 1] = a[n - 1];
#pragma omp parallel for schedule(static)
    for (int i = 1; i < n - 1; ++i)
      b[i] = a[i] - ratio * a[i] * (a[i] - a[i - 1]) + nu * (a[i + 1] - 2.0 * a[i] + a[i - 1]);
  }
  const double* last = states + static_cast<std::size_t>(steps) * n;
  double *now = work_b, *before = work_b + n, sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += last[i] * last[i];
    now[i] = last[i];
  }
  for (int t = steps; t-- > 0;) {
    const double* a = states + static_cast<std::size_t>(t) * n;
    const auto own = [&](int i) { return 1.0 - ratio * (2.0 * a[i] - a[i - 1]) - 2.0 * nu; };
    const auto fromRight = [&](int i) { return ratio * a[i + 1] + nu; };
    before[0] = now[0] + now[1] * fromRight(0);
    before[1] = now[1] * own(1) + now[2] * fromRight(1);
    before[n - 2] = now[n - 2] * own(n - 2) + now[n - 3] * nu;
    before[n - 1] = now[n - 1] + now[n - 2] * nu;
#pragma omp parallel for schedule(static)
    for (int i = 2; i < n - 2; ++i) before[i] = now[i] * own(i) + now[i + 1] * fromRight(i) + now[i - 1] * nu;
    std::swap(now, before);
  }
  for (int i = 0; i < n; ++i) x_b[i] += now[i];
  return 0.5 * sum;
}
