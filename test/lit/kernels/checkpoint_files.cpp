// Snapshots in files: the same gradient as with everything recorded, to the last bit, with one snapshot in memory and the others in the
// folder; checkpoints in checkpoints and loops that find out themselves how often they run; files of each rank; nothing is left.
// RUN: rm -rf %t && mkdir %t
// RUN: %contraflow %s --adjoint 'burgers(u0 -> return)' --adjoint 'nested(x -> x)' --adjoint 'open(x -> x)' -o %t/ad.cpp -- -std=c++17
// RUN: FileCheck %s < %t/ad.cpp
// RUN: %contraflow %s --adjoint 'burgers(u0 -> return)' --adjoint 'nested(x -> x)' --adjoint 'open(x -> x)' -o %t/all.cpp -- -std=c++17 -DRECORD_ALL
// RUN: sed -e 's/\bburgers/recordedBurgers/g' -e 's/\bnested/recordedNested/g' -e 's/\bopen/recordedOpen/g' %t/all.cpp > %t/recorded.cpp
// RUN: %cxx -std=c++17 -O2 %cflags -c %t/ad.cpp -o %t/ad.o
// RUN: %clangxx -std=c++17 %cflags -fsyntax-only %t/ad.cpp
// RUN: %cxx -std=c++17 -O2 %cflags -DRECORD_ALL -c %t/recorded.cpp -o %t/recorded.o
// RUN: %cxx -std=c++17 -O1 %cflags -DCHECK %s %t/ad.o %t/recorded.o %libs -o %t/run
// RUN: cd %t && %t/run | FileCheck %s --check-prefix=WELL
// RUN: not ls %t/snapshots
// RUN: env CONTRAFLOW_SNAPSHOTS=%t/elsewhere %t/run | FileCheck %s --check-prefix=WELL
// RUN: not ls %t/elsewhere
// RUN: not env CONTRAFLOW_SNAPSHOTS=%t/run/no %t/run 2>&1 | FileCheck %s --check-prefix=FOLDER

// CHECK: #include "contraflow/snapshot_files.hpp"
// CHECK-LABEL: {{^}}double burgers_b({{.*}}tape) {
// CHECK: contraflow::keepInFiles(checkpoint, "snapshots", "burgers, line {{[0-9]+}}", 1, false);
// CHECK-LABEL: {{^}}void nested_b({{.*}}tape) {
// CHECK: contraflow::keepInFiles(checkpoint, "snapshots", "nested, line {{[0-9]+}}", 2, false);
// CHECK: contraflow::keepInFiles(checkpoint{{.*}}, "snapshots", "nested, line {{[0-9]+}}", 100, true);

// WELL: all is well
// FOLDER: contraflow: can't make the folder '{{.*}}run/no', for snapshots of burgers, line {{[0-9]+}}: Not a directory

#ifndef CHECK
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
#pragma contraflow checkpoint(binomial, snapshots: 20, disk: "snapshots")
#endif
  for (int t = 0; t < steps; ++t) {
    step(u.data(), unew.data(), n, 0.2);
    u.swap(unew);
  }
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += u[i] * u[i];
  return sum;
}

void nested(std::vector<double>& x, int steps) {
  const int n = static_cast<int>(x.size());
  std::vector<double> y(n, 0.5);
#ifndef RECORD_ALL
#pragma contraflow checkpoint(binomial, snapshots: 4, disk: "snapshots", beyond: 2)
#endif
  for (int t = 0; t < steps; ++t) {
    for (int i = 0; i < n; ++i) y[i] += 0.1 * x[i] * y[i];
#ifndef RECORD_ALL
#pragma contraflow checkpoint(periodic, interval: 2, disk: "snapshots", beyond: 100 bytes)
#endif
    for (int k = 0; k < 5; ++k)
      for (int i = 0; i < n; ++i) x[i] += 0.01 * y[i] * x[(i + 1) % n];
  }
}

void open(std::vector<double>& x) {
  const int n = static_cast<int>(x.size());
#ifndef RECORD_ALL
#pragma contraflow checkpoint(binomial, snapshots: 5, disk: "snapshots")
#endif
  while (x[0] < 40.0)
    for (int i = 0; i < n; ++i) x[i] += 0.01 * x[i] * x[(i + 1) % n];
}

#else
#include <contraflow/checkpoint.hpp>
#include <contraflow/runtime.hpp>
#include <sys/resource.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

double burgers_b(const double* u0, double* u0_b, int n, int steps, double seed);
double recordedBurgers_b(const double* u0, double* u0_b, int n, int steps, double seed);
void nested_b(std::vector<double>& x, std::vector<double>& x_b, int steps);
void recordedNested_b(std::vector<double>& x, std::vector<double>& x_b, int steps);
void open_b(std::vector<double>& x, std::vector<double>& x_b);
void recordedOpen_b(std::vector<double>& x, std::vector<double>& x_b);

static int failures = 0;
static void expect(bool yes, const char* what) {
  if (!yes) std::printf("wrong: %s\n", what), ++failures;
}

static int large(int n, int steps) {
  std::vector<double> u0(n, 1.0), u0_b(n, 0.0);
  for (int i = 0; i < n; ++i) u0[i] = 1.0 + 0.5 * std::sin(0.1 * i);
  rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  burgers_b(u0.data(), u0_b.data(), n, steps, 1.0);
  getrusage(RUSAGE_SELF, &after);
  const auto& statistics = contraflow::checkpointStatistics();
  std::printf("steps %lld, snapshots in memory %.1f MiB, written %lld, read %lld, resident memory grew by %.1f MiB\n",
              static_cast<long long>(statistics.steps), static_cast<double>(statistics.peakBytes) / 1048576.0,
              static_cast<long long>(statistics.written), static_cast<long long>(statistics.read),
              static_cast<double>(after.ru_maxrss - before.ru_maxrss) / 1024.0);
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 3) return large(std::atoi(argv[1]), std::atoi(argv[2]));
  const int n = 300, steps = 500;
  std::vector<double> u0(n), first(n, 0.0), second(n, 0.0);
  for (int i = 0; i < n; ++i) u0[i] = 1.0 + 0.5 * std::sin(0.1 * i);
  const double value = burgers_b(u0.data(), first.data(), n, steps, 1.0);
  const auto& statistics = contraflow::checkpointStatistics();
  expect(statistics.steps == contraflow::fewestSteps(steps + 1, 20), "the number of steps");
  expect(statistics.peakBytes <= 2 * (2 * n * sizeof(double) + 64), "the memory of snapshots");
  expect(statistics.bytes == 0, "snapshots are left");
  expect(statistics.written > 20 && statistics.read > 20, "files");
  expect(value == recordedBurgers_b(u0.data(), second.data(), n, steps, 1.0), "the value");
  expect(first == second, "the gradient");

  std::vector<double> a = u0, b = u0, a_b(n, 1.0), b_b(n, 1.0);
  nested_b(a, a_b, 9);
  recordedNested_b(b, b_b, 9);
  expect(a == b, "what the primal leaves, with checkpoints in checkpoints");
  expect(a_b == b_b, "the gradient of checkpoints in checkpoints");
  a = b = u0;
  a_b.assign(n, 1.0);
  b_b.assign(n, 1.0);
  open_b(a, a_b);
  recordedOpen_b(b, b_b);
  expect(a == b, "what the primal leaves, without knowing how many steps there are");
  expect(a_b == b_b, "the gradient without knowing how many steps there are");
  if (failures == 0) std::printf("all is well\n");
  return failures;
}
#endif
