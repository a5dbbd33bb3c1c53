// A sparse matrix in compressed rows times a vector; half the squared norm of the product.
//
//     size      n, nonzeros, row starts[n + 1], columns[nonzeros]
//     x         values[nonzeros], v[n]
//     constant  none
//     work      n
#include "real.hpp"

Real spmv(const int* size, const Real* __restrict__ x, const double* __restrict__, Real* __restrict__ work) {
  const int n = size[0], nonzeros = size[1];
  const int* start = size + 2;
  const int* column = size + 2 + n + 1;
  const Real* v = x + nonzeros;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) {
    Real sum = 0;
    for (int j = start[i]; j < start[i + 1]; ++j) sum += x[j] * v[column[j]];
    work[i] = sum;
  }
  Real sum = 0;
  for (int i = 0; i < n; ++i) sum += work[i] * work[i];
  return 0.5 * sum;
}
