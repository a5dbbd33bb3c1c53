// Burgers' equation over time, reversed from snapshots: the same gradient as with everything recorded, to the last bit; exactly as
// many steps as the theory says; memory that doesn't grow with the number of steps; what the loop prints is printed once.
// RUN: %contraflow %s --adjoint 'burgers(u0 -> return)' --adjoint 'inPlace(u -> u)' -o %t_ad.cpp -- -std=c++17
// RUN: FileCheck %s < %t_ad.cpp
// RUN: %contraflow %s --adjoint 'burgers(u0 -> return)' --adjoint 'inPlace(u -> u)' -o %t_all.cpp -- -std=c++17 -DRECORD_ALL
// RUN: %cxx -std=c++17 -O1 %cflags -c %t_ad.cpp -o %t_ad.o
// RUN: %clangxx -std=c++17 %cflags -fsyntax-only %t_ad.cpp
// RUN: sed -e 's/\bburgers/recordedBurgers/g' -e 's/\binPlace/recordedInPlace/g' %t_all.cpp > %t_recorded.cpp
// RUN: %cxx -std=c++17 -O1 %cflags -DRECORD_ALL -c %t_recorded.cpp -o %t_recorded.o
// RUN: %cxx -std=c++17 -O1 %cflags -DCHECK %s %t_ad.o %t_recorded.o %libs -o %t
// RUN: %t | FileCheck %s --check-prefix=PRINTED

// CHECK-LABEL: {{^}}double burgers_b(
// CHECK: tape.create<contraflow::Checkpoint>(contraflow::Schedule::Binomial, 20,
// CHECK: checkpoint.step();
// CHECK: checkpoint.goBackTo(step);

// PRINTED: halfway
// PRINTED-NOT: halfway
// PRINTED: all is well

#ifndef CHECK
#include <cstdio>
#include <vector>

static void step(const double* u, double* unew, int n, double dt) {
  for (int i = 0; i < n; ++i) {
    const double left = i > 0 ? u[i - 1] : u[n - 1], right = i + 1 < n ? u[i + 1] : u[0];
    unew[i] = u[i] - dt * (u[i] * (u[i] - left) - 0.01 * (left - 2.0 * u[i] + right));
  }
}

double burgers(const double* u0, int n, int steps) {
  std::vector<double> u(u0, u0 + n), unew(n);
#ifndef RECORD_ALL
#pragma contraflow checkpoint(binomial, snapshots: 20)
#endif
  for (int t = 0; t < steps; ++t) {
    step(u.data(), unew.data(), n, 0.2);
    u.swap(unew);
#ifndef RECORD_ALL
    if (t == steps / 2) std::printf("halfway\n");
#endif
  }
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += u[i] * u[i];
  return sum;
}

// The caller's memory: it has what the primal leaves when the gradient is done.
#ifndef RECORD_ALL
#pragma contraflow extent(u: n)
#endif
void inPlace(double* u, int n, int steps) {
#ifndef RECORD_ALL
#pragma contraflow checkpoint(periodic, interval: 7)
#endif
  for (int t = 0; t < steps; ++t)
    for (int i = 1; i + 1 < n; ++i) u[i] += 0.1 * u[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
}

#else
#include <contraflow/runtime.hpp>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

double burgers(const double* u0, int n, int steps);
double burgers_b(const double* u0, double* u0_b, int n, int steps, double seed, contraflow::Tape& tape);
double recordedBurgers_b(const double* u0, double* u0_b, int n, int steps, double seed);
void inPlace(double* u, int n, int steps);
void inPlace_b(double* u, double* u_b, int n, int steps);
void recordedInPlace_b(double* u, double* u_b, int n, int steps);

static int failures = 0;
static void expect(bool yes, const char* what) {
  if (!yes) std::printf("wrong: %s\n", what), ++failures;
}

int main() {
  const int n = 300, steps = 500;
  std::vector<double> u0(n), first(n, 0.0), second(n, 0.0);
  for (int i = 0; i < n; ++i) u0[i] = 1.0 + 0.5 * std::sin(0.1 * i);
  contraflow::Tape tape;
  const double value = burgers_b(u0.data(), first.data(), n, steps, 1.0, tape);
  const auto& statistics = contraflow::checkpointStatistics();
  expect(statistics.steps == contraflow::fewestSteps(steps + 1, 20), "the number of steps");
  expect(statistics.peakBytes <= 20 * (2 * n * sizeof(double) + 64), "the memory of snapshots");
  expect(statistics.bytes == 0, "snapshots are left");
  expect(tape.empty(), "the tape isn't empty");
  expect(tape.peakBytes() <= 256 * 1024, "the memory of the tape");
  const double again = recordedBurgers_b(u0.data(), second.data(), n, steps, 1.0);
  expect(value == again, "the value");
  expect(std::memcmp(first.data(), second.data(), n * sizeof(double)) == 0, "the gradient");

  std::vector<double> a = u0, b = u0, c = u0, a_b(n, 1.0), b_b(n, 1.0);
  inPlace(c.data(), n, 50);
  inPlace_b(a.data(), a_b.data(), n, 50);
  recordedInPlace_b(b.data(), b_b.data(), n, 50);
  expect(std::memcmp(a.data(), c.data(), n * sizeof(double)) == 0, "what the primal leaves");
  expect(std::memcmp(a.data(), b.data(), n * sizeof(double)) == 0, "what the primal leaves, recorded");
  expect(std::memcmp(a_b.data(), b_b.data(), n * sizeof(double)) == 0, "the gradient in place");
  if (failures == 0) std::printf("all is well\n");
  return failures;
}
#endif
