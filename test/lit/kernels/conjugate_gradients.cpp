// Conjugate gradients on a five-point operator with variable coefficients: dot products by reduction, scalars that all threads read, and
// a loop that ends when the residual is small.
// RUN: %contraflow %s --adjoint 'solve(coefficient, rhs -> return)' --tangent 'solve(coefficient, rhs -> return)' -o %t_ad.cpp -- -std=c++17 -fopenmp
// RUN: FileCheck %s < %t_ad.cpp
// RUN: %cxx -std=c++17 -O1 -fopenmp %cflags -c %t_ad.cpp -o %t_ad.o
// RUN: %clangxx -std=c++17 -fopenmp %cflags -fsyntax-only %t_ad.cpp
// RUN: %cxx -std=c++17 -O1 -fopenmp %cflags -DCHECK -include %t_ad.hpp -I%S/Inputs %s %t_ad.o %libs -o %t
// RUN: env OMP_NUM_THREADS=1 %t
// RUN: env OMP_NUM_THREADS=2 %t
// RUN: env OMP_NUM_THREADS=4 %t

// CHECK-LABEL: {{^}}double solve_b(
// CHECK: {{^ *}}#pragma omp {{.*}}for

#ifndef CHECK
#include <vector>

static void applyOperator(const double* k, const double* x, double* y, int n) {
#pragma omp parallel for collapse(2)
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const int c = j * n + i;
      double sum = (4.0 + k[c]) * x[c];
      if (i > 0)
        sum -= 0.5 * (k[c] + k[c - 1]) * x[c - 1];
      if (i + 1 < n)
        sum -= 0.5 * (k[c] + k[c + 1]) * x[c + 1];
      if (j > 0)
        sum -= 0.5 * (k[c] + k[c - n]) * x[c - n];
      if (j + 1 < n)
        sum -= 0.5 * (k[c] + k[c + n]) * x[c + n];
      y[c] = sum;
    }
  }
}

static double dot(const double* a, const double* b, int n) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int c = 0; c < n; ++c)
    sum += a[c] * b[c];
  return sum;
}

double solve(const double* coefficient, const double* rhs, int n, double tolerance) {
  const int cells = n * n;
  std::vector<double> solution(cells, 0.0), residual(cells), direction(cells), image(cells);
  double *x = solution.data(), *r = residual.data(), *p = direction.data(), *q = image.data();
  for (int c = 0; c < cells; ++c)
    p[c] = r[c] = rhs[c];
  double norm = dot(r, r, cells);
  int iterations = 0;
  while (norm > tolerance && iterations < 50) {
    applyOperator(coefficient, p, q, n);
    const double alpha = norm / dot(p, q, cells);
#pragma omp parallel for
    for (int c = 0; c < cells; ++c) {
      x[c] += alpha * p[c];
      r[c] -= alpha * q[c];
    }
    const double newNorm = dot(r, r, cells);
    const double beta = newNorm / norm;
#pragma omp parallel for
    for (int c = 0; c < cells; ++c)
      p[c] = r[c] + beta * p[c];
    norm = newNorm;
    ++iterations;
  }
  return dot(x, x, cells);
}
#else
#include "check.hpp"

double solve(const double* coefficient, const double* rhs, int n, double tolerance);

int main() {
  const int n = 6, cells = n * n;
  return checkGradient(
      wave(2 * cells, 1.0, 0.5, 0.7), [](const auto& x) { return solve(x.data(), x.data() + cells, n, 1e-9); },
      [](const auto& x, const auto& d) {
        return solve_d(x.data(), d.data(), x.data() + cells, d.data() + cells, n, 1e-9);
      },
      [](const auto& x, auto& b) { return solve_b(x.data(), b.data(), x.data() + cells, b.data() + cells, n, 1e-9, 1.0); });
}
#endif
