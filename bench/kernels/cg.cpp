// A fixed number of conjugate-gradient iterations for A u = b, A in compressed rows; the weighted sum of u.
//
//     size      n, nonzeros, iterations, row starts[n + 1], columns[nonzeros]
//     x         values[nonzeros], b[n]
//     constant  weights[n]
//     work      4 n
#include "real.hpp"

namespace {

void multiply(int n, const int* start, const int* column, const Real* value, const Real* p, Real* q) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) {
    Real sum = 0;
    for (int j = start[i]; j < start[i + 1]; ++j) sum += value[j] * p[column[j]];
    q[i] = sum;
  }
}

Real dot(int n, const Real* a, const Real* b) {
  Real sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

Real cg(const int* size, const Real* __restrict__ x, const double* __restrict__ constant, Real* __restrict__ work) {
  const int n = size[0], nonzeros = size[1], iterations = size[2];
  const int* start = size + 3;
  const int* column = size + 3 + n + 1;
  const Real* value = x;
  const Real* b = x + nonzeros;
  Real* __restrict__ u = work;
  Real* __restrict__ r = work + n;
  Real* __restrict__ p = work + 2 * n;
  Real* __restrict__ q = work + 3 * n;
  for (int i = 0; i < n; ++i) {
    u[i] = 0;
    r[i] = b[i];
    p[i] = b[i];
  }
  Real rr = dot(n, r, r);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    multiply(n, start, column, value, p, q);
    Real pq = dot(n, p, q);
    Real alpha = rr / pq;
    for (int i = 0; i < n; ++i) {
      u[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    Real rrNext = dot(n, r, r);
    Real beta = rrNext / rr;
    for (int i = 0; i < n; ++i) p[i] = r[i] + beta * p[i];
    rr = rrNext;
  }
  Real sum = 0;
  for (int i = 0; i < n; ++i) sum += constant[i] * u[i];
  return sum;
}
