// Burgers' equation over time, reversed from snapshots: the same gradient as with everything recorded, to the last bit; exactly as
// many steps as the theory says; memory that doesn't grow with the number of steps; what the loop prints is printed once.
// RUN: %contraflow %s --adjoint 'burgers(u0 -> return)' --adjoint 'inPlace(u -> u)' --adjoint 'inBlocks(u -> u)' -o %t_ad.cpp -- -std=c++17
// RUN: FileCheck %s < %t_ad.cpp
// RUN: %contraflow %s --adjoint 'burgers(u0 -> return)' --adjoint 'inPlace(u -> u)' --adjoint 'inBlocks(u -> u)' -o %t_all.cpp -- -std=c++17 -DRECORD_ALL
// RUN: %cxx -std=c++17 -O2 %cflags -c %t_ad.cpp -o %t_ad.o
// RUN: %clangxx -std=c++17 %cflags -fsyntax-only %t_ad.cpp
// RUN: sed -e 's/\bburgers/recordedBurgers/g' -e 's/\binPlace/recordedInPlace/g' -e 's/\binBlocks/recordedInBlocks/g' %t_all.cpp > %t_recorded.cpp
// RUN: %cxx -std=c++17 -O2 %cflags -DRECORD_ALL -c %t_recorded.cpp -o %t_recorded.o
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

// Blocks, one in the other, that a `continue` leaves: each is run again once, as a whole.
void inBlocks(std::vector<double>& u, int steps) {
  const int n = static_cast<int>(u.size());
  double scale = 1.0;
  std::vector<double> old(u);
  for (int t = 0; t < steps; ++t) {
#ifndef RECORD_ALL
#pragma contraflow checkpoint
#endif
    {
      for (int i = 0; i < n; ++i) old[i] = u[i] * scale;
#ifndef RECORD_ALL
#pragma contraflow checkpoint
#endif
      {
        double sum = 0.0;
        for (int i = 0; i < n; ++i) sum += old[i] * old[i];
        scale = scale * 0.5 + 0.5 / (1.0 + 0.001 * sum);
      }
      step(old.data(), u.data(), n, 0.1 * scale);
      if (t % 3 == 1) continue;
      u[0] *= scale;
    }
    u[1] *= u[0] * scale;
  }
}

#else
#include <contraflow/runtime.hpp>
#include <sys/resource.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

double burgers(const double* u0, int n, int steps);
double burgers_b(const double* u0, double* u0_b, int n, int steps, double seed, contraflow::Tape& tape);
double recordedBurgers_b(const double* u0, double* u0_b, int n, int steps, double seed);
void inPlace(double* u, int n, int steps);
void inPlace_b(double* u, double* u_b, int n, int steps);
void recordedInPlace_b(double* u, double* u_b, int n, int steps);
void inBlocks_b(std::vector<double>& u, std::vector<double>& u_b, int steps);
void recordedInBlocks_b(std::vector<double>& u, std::vector<double>& u_b, int steps);

static int failures = 0;
static void expect(bool yes, const char* what) {
  if (!yes) std::printf("wrong: %s\n", what), ++failures;
}

// Alone, at the size that the arguments give: how much memory it takes.
static int large(int n, int steps) {
  std::vector<double> u0(n, 1.0), u0_b(n, 0.0);
  for (int i = 0; i < n; ++i) u0[i] = 1.0 + 0.5 * std::sin(0.1 * i);
  rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  contraflow::Tape tape;
  burgers_b(u0.data(), u0_b.data(), n, steps, 1.0, tape);
  getrusage(RUSAGE_SELF, &after);
  const auto& statistics = contraflow::checkpointStatistics();
  std::printf("steps %lld (theory: %lld), snapshots %.1f MiB, tape %.2f MiB, resident memory grew by %.1f MiB\n",
              static_cast<long long>(statistics.steps), static_cast<long long>(contraflow::fewestSteps(steps + 1, 20)),
              static_cast<double>(statistics.peakBytes) / 1048576.0, static_cast<double>(tape.peakBytes()) / 1048576.0,
              static_cast<double>(after.ru_maxrss - before.ru_maxrss) / 1024.0);
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 3) return large(std::atoi(argv[1]), std::atoi(argv[2]));
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
  a = b = u0;
  a_b.assign(n, 1.0);
  b_b.assign(n, 1.0);
  inBlocks_b(a, a_b, 7);
  recordedInBlocks_b(b, b_b, 7);
  expect(a == b, "what the primal leaves, with blocks");
  expect(a_b == b_b, "the gradient with blocks");
  if (failures == 0) std::printf("all is well\n");
  return failures;
}
#endif
