// Gradients that are killed, again and again, and go on by the same call: the same to the last bit as those of a run that nobody kills.
// Vectors and pointers that are exchanged, members, globals, a checkpoint in a checkpoint, two loops in a row, a loop in a function that is
// called, one that finds out itself how often it runs. What is of another program is refused.
// RUN: rm -rf %t && mkdir %t
// RUN: %contraflow %s --adjoint 'heat(u0, k -> return)' --adjoint 'open(x -> x)' -o %t/ad.cpp -- -std=c++17
// RUN: FileCheck %s < %t/ad.cpp
// RUN: %contraflow %s --adjoint 'heat(u0, k -> return)' --adjoint 'open(x -> x)' -o %t/other.cpp -- -std=c++17 -DFACTOR=0.2
// RUN: %contraflow %s --adjoint 'heat(u0, k -> return)' --adjoint 'open(x -> x)' -o %t/all.cpp -- -std=c++17 -DRECORD_ALL
// RUN: %clangxx -std=c++17 %cflags -fsyntax-only %t/ad.cpp
// RUN: %cxx -std=c++17 -O2 %cflags -c %t/ad.cpp -o %t/ad.o
// RUN: %cxx -std=c++17 -O2 %cflags -DFACTOR=0.2 -c %t/other.cpp -o %t/other.o
// RUN: %cxx -std=c++17 -O2 %cflags -DRECORD_ALL -c %t/all.cpp -o %t/all.o
// RUN: %cxx -std=c++17 -O1 %cflags -DCHECK -c %s -o %t/check.o
// RUN: %cxx %t/check.o %t/ad.o %libs -o %t/run
// RUN: %cxx %t/check.o %t/other.o %libs -o %t/run_other
// RUN: %cxx %t/check.o %t/all.o %libs -o %t/run_all
// RUN: %t/run_all all > %t/expected.txt
// RUN: env CONTRAFLOW_SNAPSHOTS=%t/folder %t/run all > %t/whole.txt
// RUN: diff %t/expected.txt %t/whole.txt
// RUN: env CONTRAFLOW_SNAPSHOTS=%t/folder %t/run kill > %t/killed.txt
// RUN: diff %t/expected.txt %t/killed.txt
// RUN: ls %t/folder | count 0
// RUN: env CONTRAFLOW_SNAPSHOTS=%t/folder not --crash %t/run leave
// RUN: env CONTRAFLOW_SNAPSHOTS=%t/folder not --crash %t/run_other all 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: env CONTRAFLOW_SNAPSHOTS=%t/folder not --crash %t/run data 2>&1 | FileCheck %s --check-prefix=DATA
// RUN: env CONTRAFLOW_SNAPSHOTS=%t/folder %t/run all > %t/left.txt
// RUN: diff %t/expected.txt %t/left.txt

// CHECK: #include "contraflow/restart.hpp"
// CHECK: contraflow::goOnFrom(checkpoint, "snapshots", "advance, line {{[0-9]+}}", 2, false, {{[0-9]+}}u, 3);
// CHECK: contraflow::restartInput
// CHECK: contraflow::resume(checkpoint);
// CHECK: contraflow::sweepDone(checkpoint);
// CHECK: contraflow::restartAdjoint

// OTHER: contraflow: the files '{{.*}}advance_line_{{[0-9]+}}-restart0.*' are of a run with another program
// DATA: contraflow: the files '{{.*}}' are of a run with other data

#ifndef CHECK
#include <utility>
#include <vector>

#ifndef FACTOR
#define FACTOR 0.1
#endif

struct Field {
  std::vector<double> now, next;
  double time = 0.0;
};

static double decay = 0.999;

static void step(const double* u, double* unew, const double* k, int n, double& time) {
  for (int i = 0; i < n; ++i) {
    const double left = i > 0 ? u[i - 1] : u[n - 1], right = i + 1 < n ? u[i + 1] : u[0];
    unew[i] = decay * u[i] + FACTOR * k[i] * u[i] * (left - 2.0 * u[i] + right) + 1e-4 * time;
  }
  time += 0.5 * unew[0];
}

#ifndef RECORD_ALL
#pragma contraflow extent(k: n)
#endif
static void advance(Field& f, const double* k, int n, int steps) {
#ifndef RECORD_ALL
#pragma contraflow checkpoint(binomial, snapshots: 6, disk: "snapshots", beyond: 2, restart: 3)
#endif
  for (int t = 0; t < steps; ++t) {
    step(f.now.data(), f.next.data(), k, n, f.time);
    f.now.swap(f.next);
  }
}

#ifndef RECORD_ALL
#pragma contraflow extent(k: n, u0: n)
#endif
double heat(const double* u0, const double* k, int n, int steps) {
  Field f;
  f.now = std::vector<double>(u0, u0 + n);
  f.next = std::vector<double>(n, 0.0);
  advance(f, k, n, steps);
  std::vector<double> a(n), b(n, 0.0);
  for (int i = 0; i < n; ++i) a[i] = f.now[i] * k[i];
  double *p = a.data(), *q = b.data();
  double scale = 1.0;
#ifndef RECORD_ALL
#pragma contraflow checkpoint(periodic, interval: 5, disk: "snapshots", restart: 1)
#endif
  for (int t = 0; t < steps; ++t) {
#ifndef RECORD_ALL
#pragma contraflow checkpoint(binomial, snapshots: 2, disk: "snapshots", restart: 1)
#endif
    for (int s = 0; s < 3; ++s)
      for (int i = 0; i < n; ++i) p[i] = p[i] * (1.0 - 1e-4 * scale * p[i]);
    for (int i = 0; i < n; ++i) q[i] = p[i] + 1e-3 * scale * k[(i + t) % n];
    scale *= 1.0 - 1e-6 * q[0] * q[0];
    double* other = p;
    p = q;
    q = other;
  }
  double sum = f.time;
  for (int i = 0; i < n; ++i) sum += p[i] * p[i] + a[i] * f.now[i];
  return sum;
}

void open(std::vector<double>& x) {
  const int n = static_cast<int>(x.size());
  double sum = 0.0;
#ifndef RECORD_ALL
#pragma contraflow checkpoint(binomial, snapshots: 5, disk: "snapshots", restart: 2)
#endif
  while (sum < 40.0) {
    sum += 0.01 * x[0] * x[0];
    if (sum > 39.0) break;
    for (int i = 0; i < n; ++i) x[i] += 1e-3 * x[i] * x[(i + 1) % n] / (1.0 + x[i]);
  }
  x[1] += sum;
}

#else
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

double heat_b(const double* u0, double* u0_b, const double* k, double* k_b, int n, int steps, double seed);
void open_b(std::vector<double>& x, std::vector<double>& x_b);

// All gradients, or that of heat alone, as text that has each bit.
static void print(double first, bool all = true) {
  const int n = 40;
  std::vector<double> u0(n), k(n), u0_b(n, 0.0), k_b(n, 0.0);
  for (int i = 0; i < n; ++i) u0[i] = 1.0 + 0.5 * std::sin(0.1 * i), k[i] = 0.2 + 0.1 * std::cos(0.3 * i);
  k[7] = first;
  std::printf("%a\n", heat_b(u0.data(), u0_b.data(), k.data(), k_b.data(), n, 60, 1.0));
  for (int i = 0; i < n; ++i) std::printf("%a %a\n", u0_b[i], k_b[i]);
  if (!all) return;
  std::vector<double> x = u0, x_b(n, 1.0);
  open_b(x, x_b);
  for (int i = 0; i < n; ++i) std::printf("%a %a\n", x[i], x_b[i]);
}

// Runs it in another process, which is killed after so many microseconds; true if it ended before.
static bool run(useconds_t microseconds, bool all = true) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(2);
    print(0.25, all);
    _exit(0);
  }
  usleep(microseconds);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status);
}

int main(int, char** argv) {
  const char* const what = argv[1];
  if (std::strcmp(what, "kill") == 0) {
    std::srand(3);
    int kills = 0;
    while (kills < 10 && !run(10000 + static_cast<useconds_t>(std::rand()) % 200000)) ++kills;
    std::fprintf(stderr, "killed %d times\n", kills);
    if (kills < 2) return 1;
  }
  if (std::strcmp(what, "leave") == 0) {
    for (useconds_t wait = 100000; run(wait, false); wait /= 2) {  // in the second half of what it takes
    }
    std::abort();
  }
  print(std::strcmp(what, "data") == 0 ? 0.26 : 0.25);
  return 0;
}
#endif
