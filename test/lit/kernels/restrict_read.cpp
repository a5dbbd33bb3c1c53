// Two `__restrict__` parameters that are only read may lead to the same memory: their shadows then are the same, too, and written.
// RUN: rm -rf %t && mkdir %t
// RUN: %contraflow %s --adjoint 'twice(in -> out)' -o %t/ad.cpp -- -std=c++17
// RUN: FileCheck %s --input-file %t/ad.cpp

// CHECK: void mix_b(int n, const double* __restrict__ a, double* a_b, const double* __restrict__ k, double* k_b,
// CHECK-NEXT: double* __restrict__ b, double* __restrict__ b_b,
void mix(int n, const double* __restrict__ a, const double* __restrict__ k, double* __restrict__ b) {
  for (int i = 0; i < n; ++i) b[i] = 0.5 * a[i] + 0.25 * k[i];
}

void twice(const double* in, double* out) {
  double u[400], v[400];
  for (int i = 0; i < 400; ++i) {
    u[i] = in[0];
    v[i] = u[i];
  }
  mix(400, u, u, v);
  out[0] = 0.0;
  for (int i = 0; i < 400; ++i) out[0] += v[i];
}
