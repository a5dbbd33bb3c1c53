// All pairs of bodies: an inner loop over all others, an energy by reduction, and a few steps of time.
// RUN: %contraflow %s --adjoint 'nbody(start -> return)' --tangent 'nbody(start -> return)' -o %t_ad.cpp -- -std=c++17 -fopenmp
// RUN: FileCheck %s < %t_ad.cpp
// RUN: %cxx -std=c++17 -O1 -fopenmp %cflags -iquote%S -c %t_ad.cpp -o %t_ad.o
// RUN: %clangxx -std=c++17 -fopenmp %cflags -iquote%S -fsyntax-only %t_ad.cpp
// RUN: %cxx -std=c++17 -O1 -fopenmp %cflags -DCHECK -include %t_ad.hpp -iquote%S -I%S/Inputs %s %t_ad.o %libs -o %t
// RUN: env OMP_NUM_THREADS=1 %t
// RUN: env OMP_NUM_THREADS=2 %t
// RUN: env OMP_NUM_THREADS=4 %t

// CHECK-LABEL: {{^}}double nbody_b(
// CHECK: {{^ *}}#pragma omp {{.*}}for

#include "Inputs/bodies.hpp"

#ifndef CHECK
#include <cmath>
#include <vector>

static void accelerations(const Bodies& b, const double* x, double* a) {
#pragma omp parallel for schedule(dynamic, 2)
  for (int i = 0; i < b.count; ++i) {
    double ax = 0.0, ay = 0.0;
    for (int j = 0; j < b.count; ++j) {
      if (j == i)
        continue;
      const double dx = x[2 * j] - x[2 * i];
      const double dy = x[2 * j + 1] - x[2 * i + 1];
      const double distance = std::sqrt(dx * dx + dy * dy + b.softening);
      const double pull = b.mass[j] / (distance * distance * distance);
      ax += pull * dx;
      ay += pull * dy;
    }
    a[2 * i] = ax;
    a[2 * i + 1] = ay;
  }
}

double nbody(const double* start, const Bodies& b, int steps) {
  const int n = 2 * b.count;
  std::vector<double> x(n), v(n), a(n);
  for (int k = 0; k < n; ++k) {
    x[k] = start[k];
    v[k] = start[n + k];
  }
  const double dt = 0.05;
  for (int step = 0; step < steps; ++step) {
    accelerations(b, x.data(), a.data());
    for (int k = 0; k < n; ++k) {
      v[k] += dt * a[k];
      x[k] += dt * v[k];
    }
  }
  double energy = 0.0;
  const double* velocity = v.data();
#pragma omp parallel for reduction(+ : energy)
  for (int i = 0; i < b.count; ++i)
    energy += 0.5 * b.mass[i] * (velocity[2 * i] * velocity[2 * i] + velocity[2 * i + 1] * velocity[2 * i + 1]);
  return energy;
}
#else
#include "check.hpp"

double nbody(const double* start, const Bodies& b, int steps);

int main() {
  const int count = 7, steps = 4;
  const std::vector<double> mass = wave(count, 1.0, 0.3, 2.1);
  const Bodies b = {count, 0.1, mass.data()};
  return checkGradient(
      wave(4 * count, 0.0, 1.0, 1.3), [&](const auto& x) { return nbody(x.data(), b, steps); },
      [&](const auto& x, const auto& x_d) { return nbody_d(x.data(), x_d.data(), b, steps); },
      [&](const auto& x, auto& x_b) { return nbody_b(x.data(), x_b.data(), b, steps, 1.0); });
}
#endif
