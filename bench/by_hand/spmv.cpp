// The product's adjoint is the product itself.
#include "by_hand.hpp"

double spmv(const int* size, const double* x, const double* constant, double* work);

double spmv_by_hand(const int* size, const double* x, double* x_b, const double* constant, double* work, double*,
                    Records&) {
  const int n = size[0], nonzeros = size[1];
  const int *start = size + 2, *column = size + 2 + n + 1;
  const double value = spmv(size, x, constant, work);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i)
    for (int j = start[i]; j < start[i + 1]; ++j) {
      x_b[j] += work[i] * x[nonzeros + column[j]];
#pragma omp atomic
      x_b[nonzeros + column[j]] += work[i] * x[j];
    }
  return value;
}
