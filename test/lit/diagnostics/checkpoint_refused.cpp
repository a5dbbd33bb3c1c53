// Loops that can't be reversed from snapshots are refused by name, with a way out.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'unknownExtent(u -> u)' --out-dir %t 2>&1 | FileCheck %s --check-prefix=EXTENT
// RUN: not %contraflow %s --adjoint 'prints(x -> x)' --out-dir %t 2>&1 | FileCheck %s --check-prefix=PRINTS
// RUN: not %contraflow %s --adjoint 'grows(x -> x)' --out-dir %t 2>&1 | FileCheck %s --check-prefix=GROWS
// RUN: not %contraflow %s --adjoint 'shared(x -> x)' --out-dir %t -- -fopenmp 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not %contraflow %s --adjoint 'collapsed(x -> x)' --out-dir %t -- -fopenmp 2>&1 | FileCheck %s --check-prefix=COLLAPSED
// RUN: not %contraflow %s --adjoint 'moves(x -> x)' --out-dir %t 2>&1 | FileCheck %s --check-prefix=MOVES
// RUN: not %contraflow %s --adjoint 'second(x -> x)' --tangent 'second_b(x -> x_b)' --out-dir %t 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: not %contraflow %s --adjoint 'branch(x -> x)' --out-dir %t 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: ls %t | count 0
#include <cstdio>
#include <vector>

void unknownExtent(double* u, int n, int steps) {
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < steps; ++t)
// EXTENT: :[[#@LINE+1]]:{{[0-9]+}}: error: the loop of line [[#@LINE-1]] can't be checkpointed: how much memory the parameter 'u' reaches isn't known [CF1402]
    for (int i = 0; i < n; ++i) u[i] *= u[i];
// EXTENT: note: say so in front of the function, as in '#pragma contraflow extent(u: n)', or use a vector
}

static void report(double x) { std::printf("%g\n", x); }
void prints(double& x) {
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    x *= x;
    report(x);
  }
// PRINTS: error: the loop of line [[#@LINE-4]] can't be checkpointed: 'report', which it calls, prints: it would print again each time that steps are run again [CF1402]
// PRINTS: note: print in the loop itself, where it is printed once
}

void grows(double& x) {
  std::vector<double> all;
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) all.push_back(x * x);
// GROWS: error: the loop of line [[#@LINE-1]] can't be checkpointed: a vector changes its size, or is exchanged in a function that the loop calls [CF1402]
// GROWS: note: give it its size in front of the loop, and exchange vectors in the loop itself
  x = all[2] * all[4];
}

void shared(double* x) {
#pragma omp parallel num_threads(2)
  {
    double y = x[0];
#pragma contraflow checkpoint(binomial, snapshots: 3)
    for (int t = 0; t < 9; ++t) y *= y;
// SHARED: error: the loop of line [[#@LINE-1]] can't be checkpointed: it is run by the threads of a parallel region [CF1402]
// SHARED: note: put the parallel region into it
#pragma omp single
    x[0] = y;
  }
}

void collapsed(double* x) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 4; ++i)
#pragma contraflow checkpoint(binomial, snapshots: 3)
    for (int j = 0; j < 4; ++j) x[4 * i + j] *= x[4 * i + j];
// COLLAPSED: error: the loop of line [[#@LINE-1]] can't be checkpointed: its iterations, or those of a loop around it, {{.*}} [CF1402]
}

#pragma contraflow extent(x: 20)
void moves(double* x) {
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    x[0] *= x[1];
    ++x;
  }
// MOVES: error: the loop of line [[#@LINE-4]] can't be checkpointed: {{.*}} [CF1402]
}

void second(double& x) {
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) x *= x;
// SECOND: error: the second derivative of a checkpointed loop isn't supported [CF1402]
// SECOND: note: take the annotation out where second derivatives are wanted: '#ifndef SECOND' around it, or a copy of the function
}

void branch(double& x) {
  if (x > 1.0)
#pragma contraflow checkpoint
  {
// BRANCH: :[[#@LINE-1]]:{{[0-9]+}}: error: this can't be checkpointed: it is no loop or block of its own [CF1402]
// BRANCH: note: put it into braces, and the annotation before these
    x *= x;
  }
}
