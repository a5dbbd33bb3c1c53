// The loops of an adjoint vectorise where those of the primal do: products, quotients and choices, records in blocks, buffers that are
// updated in turn, values of an iteration.
// REQUIRES: optimised
// RUN: rm -rf %t && mkdir %t
// RUN: %contraflow %s --no-after-image --adjoint 'scale(a, b -> v)' --adjoint 'local(a, b -> v)' --adjoint 'twice(a -> v)' --adjoint 'steps(u, w -> u, w)' --adjoint 'branch(a -> v)' -o %t/ad.cpp -- -std=c++17
// RUN: %clangxx -std=c++17 -O3 -mavx2 %cflags -Rpass=loop-vectorize -Wno-error -c %t/ad.cpp -o %t/ad.o > %t/remarks.txt 2>&1
// RUN: %python %S/Inputs/vectorised.py %t/ad.cpp < %t/remarks.txt | FileCheck %s

// CHECK-NOT: isn't
// CHECK: generated: [[LOOPS:[0-9]+]] of [[LOOPS]] loops
// CHECK: program: [[ALL:[0-9]+]] of [[ALL]] loops

void scale(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ v, int n) {
  for (int i = 0; i < n; ++i) v[i] = a[i] * b[i] + 2.0 * a[i];
}

void local(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ v, int n) {
  for (int i = 0; i < n; ++i) {
    const double t = a[i] * b[i];
    v[i] = t * t / (1.0 + a[i] * a[i]);
  }
}

void twice(const double* __restrict__ a, double* __restrict__ v, int n) {
  for (int i = 0; i < n; ++i) v[i] = a[i] * a[i];
  for (int i = 0; i < n; ++i) v[i] = v[i] * a[i];
}

void steps(double* __restrict__ u, double* __restrict__ w, int n, int m) {
  for (int t = 0; t < m; ++t) {
    for (int i = 0; i < n; ++i) w[i] = u[i] * u[i] - 0.5 * w[i];
    for (int i = 0; i < n; ++i) u[i] = u[i] + 0.1 * w[i] * u[i];
  }
}

void branch(const double* __restrict__ a, double* __restrict__ v, int n) {
  for (int i = 0; i < n; ++i) v[i] = a[i] > 0.0 ? a[i] * a[i] : 2.0 * a[i];
}
