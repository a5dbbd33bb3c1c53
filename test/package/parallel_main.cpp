#include <cstdio>
#include <vector>

#include "parallel_ad.hpp"

int main() {
  const int n = 1000;
  std::vector<double> x(n), x_b(n);
  for (int i = 0; i < n; ++i) x[i] = 0.5 * i;
  total_b(x.data(), x_b.data(), n, 1.0);
  for (int i = 0; i < n; ++i)
    if (x_b[i] != 2.0 * x[i]) return std::printf("x_b[%d] = %.17g\n", i, x_b[i]), 1;
  return 0;
}
