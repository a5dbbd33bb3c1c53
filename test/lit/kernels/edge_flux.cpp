// Finite volumes on an unstructured mesh: a loop over edges that adds to both cells by atomics, then one over cells.
// RUN: %contraflow %s --adjoint 'edgeFlux(state -> return)' --tangent 'edgeFlux(state -> return)' -o %t_ad.cpp -- -std=c++17 -fopenmp
// RUN: FileCheck %s < %t_ad.cpp
// RUN: %cxx -std=c++17 -O1 -fopenmp %cflags -iquote%S -c %t_ad.cpp -o %t_ad.o
// RUN: %clangxx -std=c++17 -fopenmp %cflags -iquote%S -fsyntax-only %t_ad.cpp
// RUN: %cxx -std=c++17 -O1 -fopenmp %cflags -DCHECK -include %t_ad.hpp -iquote%S -I%S/Inputs %s %t_ad.o %libs -o %t
// RUN: env OMP_NUM_THREADS=1 %t
// RUN: env OMP_NUM_THREADS=2 %t
// RUN: env OMP_NUM_THREADS=4 %t

// CHECK-LABEL: {{^}}double edgeFlux_b(
// CHECK: {{^ *}}#pragma omp {{.*}}for

#include "Inputs/mesh.hpp"

#ifndef CHECK
#include <cmath>
#include <vector>

double edgeFlux(const double* state, const Mesh& mesh, int steps) {
  std::vector<double> current(mesh.cells), change(mesh.cells);
  double *u = current.data(), *residual = change.data();
  for (int c = 0; c < mesh.cells; ++c)
    u[c] = state[c];
  for (int step = 0; step < steps; ++step) {
#pragma omp parallel
    {
#pragma omp for
      for (int c = 0; c < mesh.cells; ++c)
        residual[c] = 0.0;
#pragma omp for schedule(static)
      for (int e = 0; e < mesh.edges; ++e) {
        const int l = mesh.left[e], r = mesh.right[e];
        const double mean = 0.5 * (u[l] + u[r]);
        const double speed = std::sqrt(0.1 + mean * mean);
        const double flux = mesh.length[e] * (0.5 * mean * mean - 0.5 * speed * (u[r] - u[l]));
#pragma omp atomic
        residual[l] -= flux;
#pragma omp atomic
        residual[r] += flux;
      }
#pragma omp for
      for (int c = 0; c < mesh.cells; ++c)
        u[c] += 0.1 * residual[c];
    }
  }
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int c = 0; c < mesh.cells; ++c)
    sum += u[c] * u[c] * u[c];
  return sum;
}
#else
#include "check.hpp"

double edgeFlux(const double* state, const Mesh& mesh, int steps);

int main() {
  const int cells = 12, edges = 30;
  std::vector<int> left(edges), right(edges);
  for (int e = 0; e < edges; ++e) {
    left[e] = 5 * e % cells;
    right[e] = (left[e] + 1 + e % 7) % cells;
  }
  const std::vector<double> length = wave(edges, 1.0, 0.2, 3.1);
  const Mesh mesh = {cells, edges, left.data(), right.data(), length.data()};
  return checkGradient(
      wave(cells, 0.3, 0.9, 1.1), [&](const auto& u) { return edgeFlux(u.data(), mesh, 4); },
      [&](const auto& u, const auto& u_d) { return edgeFlux_d(u.data(), u_d.data(), mesh, 4); },
      [&](const auto& u, auto& u_b) { return edgeFlux_b(u.data(), u_b.data(), mesh, 4, 1.0); });
}
#endif
