// A nonlinear five-point stencil: each cell is read by its neighbours' iterations, so that its adjoint is incremented by several.
// RUN: %contraflow %s --adjoint 'stencil(u0 -> return)' --tangent 'stencil(u0 -> return)' -o %t_ad.cpp -- -std=c++17 -fopenmp
// RUN: FileCheck %s < %t_ad.cpp
// RUN: %cxx -std=c++17 -O1 -fopenmp %cflags -c %t_ad.cpp -o %t_ad.o
// RUN: %clangxx -std=c++17 -fopenmp %cflags -fsyntax-only %t_ad.cpp
// RUN: %cxx -std=c++17 -O1 -fopenmp %cflags -DCHECK -include %t_ad.hpp -I%S/Inputs %s %t_ad.o %libs -o %t
// RUN: env OMP_NUM_THREADS=1 %t
// RUN: env OMP_NUM_THREADS=2 %t
// RUN: env OMP_NUM_THREADS=4 %t

// The reverse loop is cut into bands, and adds without atomics.
// CHECK: = contraflow::omp::{{conflictDistance}}(
// CHECK-NOT: {{omp::add[(]}}
// CHECK: {{^}}double stencil_b(
// CHECK: {{^ *}}#pragma omp {{.*}}for

#ifndef CHECK
#include <vector>

static void smooth(const double* u, double* next, int n, double rate) {
#pragma omp parallel for schedule(static)
  for (int j = 1; j < n - 1; ++j) {
    for (int i = 1; i < n - 1; ++i) {
      const int c = j * n + i;
      const double laplacian = u[c - 1] + u[c + 1] + u[c - n] + u[c + n] - 4.0 * u[c];
      next[c] = u[c] + rate * (1.0 + u[c] * u[c]) * laplacian;
    }
  }
}

double stencil(const double* u0, int n, int steps) {
  std::vector<double> first(n * n), second(n * n);
  for (int c = 0; c < n * n; ++c)
    first[c] = second[c] = u0[c];
  double* u = first.data();
  double* next = second.data();
  for (int step = 0; step < steps; ++step) {
    smooth(u, next, n, 0.1);
    double* old = u;
    u = next;
    next = old;
  }
  double energy = 0.0;
#pragma omp parallel for reduction(+ : energy)
  for (int c = 0; c < n * n; ++c)
    energy += u[c] * u[c];
  return energy;
}
#else
#include "check.hpp"

double stencil(const double* u0, int n, int steps);

namespace {
constexpr int n = 9, steps = 5;
}

int main() {
  return checkGradient(
      wave(n * n, 0.2, 0.8, 0.9), [](const auto& u) { return stencil(u.data(), n, steps); },
      [](const auto& u, const auto& u_d) { return stencil_d(u.data(), u_d.data(), n, steps); },
      [](const auto& u, auto& u_b) { return stencil_b(u.data(), u_b.data(), n, steps, 1.0); });
}
#endif
