// OpenMP's constructs and clauses that are refused: each by its name, with its way out.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint nested --adjoint orphaned --adjoint lastOfCounter --adjoint firstAndLast \
// RUN:     --adjoint triangle --adjoint product --adjoint conditional --adjoint section --adjoint captured \
// RUN:     --adjoint scaled --adjoint cut --adjoint criticalSum --adjoint inSections --adjoint ordered \
// RUN:     --adjoint grouped --adjoint firstChunk --adjoint offloaded \
// RUN:     --out-dir %t -- -fopenmp 2>&1 | FileCheck %s
// RUN: ls %t | count 0
#include <vector>
double* gData;
double nested(const double* x, int n) {
  double s = 0;
#pragma omp parallel
  {
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: '#pragma omp parallel for' inside of another parallel region isn't supported [CF1201]
// CHECK: note: use one region
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; ++i) s += x[i];
  }
  return s;
}
void orphan(double* x, int n) {
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: '#pragma omp for' outside of a parallel region of the same function isn't supported [CF1201]
// CHECK: note: put '#pragma omp parallel' around it in this function
#pragma omp for
  for (int i = 0; i < n; ++i) x[i] *= x[i];
}
double orphaned(double* x, int n) {
#pragma omp parallel
  orphan(x, n);
  return x[0];
}
double lastOfCounter(const double* x, int n) {
  double s = 0;
  int i;
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: lastprivate of the loop's counter 'i' isn't supported [CF1201]
// CHECK: note: compute its last value behind the loop
#pragma omp parallel for lastprivate(i) reduction(+ : s)
  for (i = 0; i < n; ++i) s += x[i];
  return s * i;
}
double firstAndLast(const double* x, int n) {
  double t = x[0];
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 't' both firstprivate and lastprivate isn't supported [CF1201]
// CHECK: note: use two variables, one for what goes in and one for what comes out
#pragma omp parallel for firstprivate(t) lastprivate(t)
  for (int i = 0; i < n; ++i) t = x[i] * 2;
  return t;
}
double triangle(const double* x, int n) {
  double s = 0;
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'collapse' over loops whose bounds depend on each other isn't supported [CF1201]
// CHECK: note: collapse only loops with independent bounds
#pragma omp parallel for collapse(2) reduction(+ : s)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) s += x[i] * x[j];
  return s;
}
double product(const double* x, int n) {
  double s = 1;
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'reduction(*: …)' of '#pragma omp parallel for' isn't supported [CF1201]
// CHECK: note: only reduction(+: …) is: compute the others in a loop of their own
#pragma omp parallel for reduction(* : s)
  for (int i = 0; i < n; ++i) s *= x[i];
  return s;
}
double conditional(const double* x, int n) {
  double t = 0;
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'lastprivate(conditional: …)' of '#pragma omp parallel for' isn't supported [CF1201]
// CHECK: note: the clauses schedule, collapse, nowait, private, firstprivate, lastprivate, shared, default(shared|none), reduction(+), num_threads and if are
#pragma omp parallel for lastprivate(conditional : t)
  for (int i = 0; i < n; ++i)
    if (x[i] > 0) t = x[i];
  return t;
}
double section(const double* x, int n) {
  double s[2] = {0, 0};
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a member or a part of an array in the clause 'reduction' of '#pragma omp parallel for' isn't supported [CF1201]
// CHECK: note: use a local variable of its own
#pragma omp parallel for reduction(+ : s[0 : 2])
  for (int i = 0; i < n; ++i) s[i % 2] += x[i];
  return s[0] * s[1];
}
double captured(const double* x, int n) {
  double s = 0, t = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double old;
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: '#pragma omp atomic capture' isn't supported [CF1201]
#pragma omp atomic capture
    {
      old = s;
      s += x[i];
    }
    if (i == 0) t = old;
  }
  return s * t;
}
double scaled(const double* x, int n) {
  double s = 1;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: an atomic update other than x += e, x -= e, x = x + e, x++ and x-- isn't supported [CF1201]
// CHECK: note: use one of these
#pragma omp atomic
    s *= x[i];
  }
  return s;
}
double cut(const double* x, int n) {
  double s = 0;
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a modifier in 'reduction' of '#pragma omp parallel for' isn't supported [CF1201]
// CHECK: note: leave the modifier out
#pragma omp parallel for reduction(inscan, + : s)
  for (int i = 0; i < n; ++i) {
    s += x[i];
#pragma omp scan inclusive(s)
    gData[i] = s;
  }
  return s;
}
double criticalSum(const double* x, int n) {
  double s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: '#pragma omp critical' isn't supported [CF1201]
// CHECK: note: parallel, for, simd, their combinations, single, master, barrier and atomic update are
#pragma omp critical
    s += x[i];
  }
  return s;
}
double inSections(const double* x) {
  double s = 0, t = 0;
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: '#pragma omp parallel sections' isn't supported [CF1201]
// CHECK: note: parallel, for, simd, their combinations, single, master, barrier and atomic update are
#pragma omp parallel sections
  {
#pragma omp section
    s = x[0] * x[0];
#pragma omp section
    t = x[1];
  }
  return s * t;
}
double ordered(const double* x, int n) {
  double s = 0;
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the clause 'ordered' of '#pragma omp parallel for' isn't supported [CF1201]
// CHECK: note: the clauses schedule, collapse, nowait, private, firstprivate, lastprivate, shared, default(shared|none), reduction(+), num_threads and if are
#pragma omp parallel for ordered
  for (int i = 0; i < n; ++i) {
#pragma omp ordered
    s = s * 0.5 + x[i];
  }
  return s;
}
double grouped(const double* x, int n) {
  double s = 0;
#pragma omp parallel
#pragma omp single
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: '#pragma omp taskloop' isn't supported [CF1201]
// CHECK: note: parallel, for, simd, their combinations, single, master, barrier and atomic update are
#pragma omp taskloop
  for (int i = 0; i < n; ++i) s += x[i];
  return s;
}
double firstChunk(const double* x, int n) {
  double s = 0;
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a modifier in 'schedule' of '#pragma omp parallel for' isn't supported [CF1201]
// CHECK: note: leave the modifier out
#pragma omp parallel for schedule(nonmonotonic : dynamic, 2) reduction(+ : s)
  for (int i = 0; i < n; ++i) s += x[i];
  return s;
}
double offloaded(double* x, int n) {
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: '#pragma omp target teams distribute parallel for' isn't supported [CF1201]
// CHECK: note: parallel, for, simd, their combinations, single, master, barrier and atomic update are
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) x[i] *= 2;
  return x[0];
}
