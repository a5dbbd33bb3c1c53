// Many small dense matrices: for each, its Cholesky factor L, the solution of L y = b, and half of y'y plus log det L.
//
//     size      n (at most 12), matrices
//     x         lower triangles[matrices][n][n] (what lies above isn't read)
//     constant  b[n]
//     work      1
#include "real.hpp"

namespace {

constexpr int kLargest = 12;

Real negativeLogDensity(int n, const Real* a, const double* b) {
  Real l[kLargest][kLargest], y[kLargest];
  Real sum = 0;
  for (int j = 0; j < n; ++j) {
    Real pivot = a[j * n + j];
    for (int k = 0; k < j; ++k) pivot -= l[j][k] * l[j][k];
    l[j][j] = sqrt(pivot);
    sum += log(l[j][j]);
    for (int i = j + 1; i < n; ++i) {
      Real s = a[i * n + j];
      for (int k = 0; k < j; ++k) s -= l[i][k] * l[j][k];
      l[i][j] = s / l[j][j];
    }
  }
  for (int i = 0; i < n; ++i) {
    Real s = b[i];
    for (int k = 0; k < i; ++k) s -= l[i][k] * y[k];
    y[i] = s / l[i][i];
    sum += 0.5 * y[i] * y[i];
  }
  return sum;
}

}  // namespace

Real cholesky(const int* size, const Real* __restrict__ x, const double* __restrict__ constant, Real* __restrict__) {
  const int n = size[0], matrices = size[1];
  Real sum = 0;
  for (int m = 0; m < matrices; ++m) sum += negativeLogDensity(n, x + m * n * n, constant);
  return sum;
}
