#include "weight.hpp"

double bound(const double* stretch, int n) {
  double sum = 0.0;
  for (int k = 0; k < n; ++k) sum += weight(k) * stretch[k] * stretch[k];
  return sum;
}
