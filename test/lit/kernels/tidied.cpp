// Generated code as a person would write it: squares with a factor have one partial; what is set to zero and added to at once is set; the
// last zero of a local adjoint goes, in branches too; what gets its value behind its declaration is declared with it.
// RUN: rm -rf %t && mkdir %t
// RUN: %contraflow %s --adjoint 'cost(x -> return)' --tangent 'cost(x -> return)' --adjoint branch --adjoint 'steps(u -> u)' --adjoint 'status(x -> return)' --out-dir %t --
// RUN: FileCheck %s < %t/tidied_ad.cpp
// RUN: %cxx %cflags -c %t/tidied_ad.cpp -o %t/out.o

// CHECK-LABEL: > cost_d(
// CHECK: s_d += r * r_d;
// CHECK-LABEL: double cost_b(
// CHECK: const double r_b = r * s_b;
// CHECK-NEXT: x_b[i] += r_b;
double cost(const double* x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    const double r = x[i] - 1;
    s += 0.5 * r * r;
  }
  return s;
}

// CHECK-LABEL: double branch_b(
// CHECK: if (w > 1) {
// CHECK: if (w > 1) {
// CHECK-NEXT: x_b[1] += 2.0 * x[1] * v_b;
// CHECK-NEXT: }
// CHECK-NEXT: return
double branch(double* x, double w) {
  double v = 0;
  if (w > 1) v = x[1] * x[1];
  return v + x[0] * w;
}

// CHECK-LABEL: void steps_b(
// CHECK: for (int k = 2; k >= 0; --k) {
// CHECK-NEXT: double s = s_old[i * trips + k];
void steps(double* u, int n) {
  for (int i = 0; i < n; ++i) {
    double s = u[i];
    for (int k = 0; k < 3; ++k) s = s * s + 1;
    u[i] = s;
  }
}

// CHECK-LABEL: void fill_rev(
// CHECK: const double x_seed = x_b[i];
// CHECK-NEXT: x_b[i] = 2.0 * x[i] * x_seed;
[[nodiscard]] static int fill(double* x, int n) {
  int count = 0;
  for (int i = 0; i < n; ++i) {
    x[i] *= x[i];
    if (x[i] > 1) ++count;
  }
  return count;
}
double status(const double* x) {
  double y[2] = {x[0], x[1]};
  (void)fill(y, 2);
  return y[0] * y[1];
}
