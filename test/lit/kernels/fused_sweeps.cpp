// The loop over pairs runs once: it computes the energy and the gradient. The energy is the primal's to the last bit.
// RUN: %contraflow %s --adjoint 'energy(x -> return)' --adjoint 'stored(x -> out, return)' --adjoint 'twice(x -> out)' -o %t_ad.cpp -- -std=c++17
// RUN: FileCheck %s < %t_ad.cpp
// RUN: %contraflow %s --without=fused-sweeps --adjoint 'energy(x -> return)' -o %t_two.cpp -- -std=c++17
// RUN: FileCheck %s --check-prefix=TWO < %t_two.cpp
// RUN: %cxx -std=c++17 -O1 %cflags -DCHECK %t_ad.cpp %libs -o %t
// RUN: %t
// RUN: %clangxx -std=c++17 %cflags -fsyntax-only %t_ad.cpp

// CHECK-LABEL: {{^}}double energy_b(const double* x, double* x_b, int n, double energy_b_seed, contraflow::Tape& {{.*}}) {
// CHECK:         const double sum_b = -energy_b_seed;
// CHECK-NEXT:    for (int i = 0; i < n; ++i) {
// CHECK-NEXT:      double [[SUM:.*]] = 0.0;
// CHECK-NEXT:      for (int j = 0; j < i; ++j) {
// CHECK-NEXT:        const double d = x[i] - x[j];
// CHECK-NEXT:        const double sqrt_value = std::sqrt(d * d + 0.01);
// CHECK-NEXT:        const double inverse = 1.0 / sqrt_value;
// CHECK-NEXT:        sum += inverse;
// CHECK-NOT:     for (
// CHECK:         const double energy_value = -sum;
// CHECK:         return energy_value;

// TWO-LABEL: {{^}}double energy_b(const double* x, double* x_b, int n, double energy_b_seed, contraflow::Tape& {{.*}}) {
// TWO:         for (int i = 0; i < n; ++i) {
// TWO:         for (int i = n - 1; i >= 0; --i) {

#include <cmath>

double energy(const double* x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      const double d = x[i] - x[j];
      sum += 1.0 / std::sqrt(d * d + 0.01);
    }
  return -sum;
}

// What is read behind a store is what it stored: nothing is fused.
double stored(const double* __restrict__ x, double* __restrict__ out, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  out[0] = sum;
  const double t = out[0] * 2.0;
  return t * t;
}
// CHECK-LABEL: {{^}}double stored_b({{.*[[:space:]].*}}contraflow::Tape& {{.*}}) {
// CHECK:         out[0] = sum;
// CHECK-NEXT:    const double t = out[0] * 2.0;

// Stores of results alone are put behind the loop.
void twice(const double* __restrict__ x, double* __restrict__ out, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  out[0] = sum;
}
// CHECK-LABEL: {{^}}void twice_b({{.*[[:space:]].*}}contraflow::Tape& {{.*}}) {
// CHECK:         for (int i = 0; i < n; ++i) {
// CHECK-NOT:     for (
// CHECK:         out[0] = sum;

#ifdef CHECK
#include <cstdio>
double stored_b(const double* x, double* x_b, double* out, double* out_b, int n, double seed);
double energy_b(const double* x, double* x_b, int n, double seed);
int main() {
  const int n = 40;
  double x[n], x_b[n] = {};
  for (int i = 0; i < n; ++i) x[i] = std::sin(1.7 * i);
  if (energy_b(x, x_b, n, 1.0) != energy(x, n)) return std::printf("another energy\n");
  for (int k = 0; k < n; ++k) {
    double exact = 0.0;
    for (int j = 0; j < n; ++j) {
      const double d = x[k] - x[j], square = d * d + 0.01;
      exact += d / (square * std::sqrt(square));
    }
    if (std::fabs(x_b[k] - exact) > 1e-12 * (1.0 + std::fabs(exact))) return std::printf("%d: %g, not %g\n", k, x_b[k], exact);
  }
  double sum = 0.0, y_b[n] = {}, out[1] = {7.0}, out_b[1] = {};
  for (int k = 0; k < n; ++k) sum += x[k] * x[k];
  if (stored_b(x, y_b, out, out_b, n, 1.0) != 4.0 * sum * sum || out[0] != sum) return std::printf("stored: another value\n");
  for (int k = 0; k < n; ++k)
    if (std::fabs(y_b[k] - 16.0 * sum * x[k]) > 1e-12 * (1.0 + std::fabs(y_b[k]))) return std::printf("stored, %d: %g\n", k, y_b[k]);
}
#endif
