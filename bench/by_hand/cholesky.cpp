// Each matrix forwards and at once backwards (the reverse of the factorisation after S. P. Smith, "Differentiation of the
// Cholesky algorithm", 1995).
#include "by_hand.hpp"

namespace {

constexpr int kLargest = 12;

double one(int n, const double* a, double* a_b, const double* b) {
  double l[kLargest][kLargest], inverse[kLargest], y[kLargest], sum = 0;
  double l_b[kLargest][kLargest], y_b[kLargest];
  for (int j = 0; j < n; ++j) {
    double pivot = a[j * n + j];
    for (int k = 0; k < j; ++k) pivot -= l[j][k] * l[j][k];
    l[j][j] = std::sqrt(pivot);
    inverse[j] = 1.0 / l[j][j];
    sum += std::log(l[j][j]);
    for (int i = j + 1; i < n; ++i) {
      double s = a[i * n + j];
      for (int k = 0; k < j; ++k) s -= l[i][k] * l[j][k];
      l[i][j] = s * inverse[j];
    }
  }
  for (int i = 0; i < n; ++i) {
    double s = b[i];
    for (int k = 0; k < i; ++k) s -= l[i][k] * y[k];
    y[i] = s * inverse[i];
    sum += 0.5 * y[i] * y[i];
    y_b[i] = y[i];
  }
  for (int i = n; i-- > 0;) {
    const double s_b = y_b[i] * inverse[i];
    l_b[i][i] = inverse[i] - s_b * y[i];
    for (int k = 0; k < i; ++k) {
      l_b[i][k] = -s_b * y[k];
      y_b[k] -= s_b * l[i][k];
    }
  }
  for (int j = n; j-- > 0;) {
    for (int i = j + 1; i < n; ++i) {
      const double s_b = l_b[i][j] * inverse[j];
      a_b[i * n + j] += s_b;
      l_b[j][j] -= s_b * l[i][j];
      for (int k = 0; k < j; ++k) {
        l_b[i][k] -= s_b * l[j][k];
        l_b[j][k] -= s_b * l[i][k];
      }
    }
    const double pivot_b = 0.5 * l_b[j][j] * inverse[j];
    a_b[j * n + j] += pivot_b;
    for (int k = 0; k < j; ++k) l_b[j][k] -= 2.0 * pivot_b * l[j][k];
  }
  return sum;
}

}  // namespace

double cholesky_by_hand(const int* size, const double* x, double* x_b, const double* constant, double*, double*,
                        Records&) {
  const int n = size[0], matrices = size[1];
  double sum = 0;
  for (int m = 0; m < matrices; ++m) sum += one(n, x + m * n * n, x_b + m * n * n, constant);
  return sum;
}
