// Loops, clauses and atomic updates of OpenMP that are refused.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint oddLoop --adjoint collapsed --adjoint changedBound --adjoint outerCounter \
// RUN:     --adjoint otherUse --adjoint atomicRead --adjoint atomicPointer --adjoint wideUpdate --adjoint allPrivate \
// RUN:     --adjoint simdIf --adjoint complexSum \
// RUN:     --out-dir %t -- -std=c++20 -fopenmp 2>&1 | FileCheck %s
// RUN: not %contraflow %s --adjoint 'atomicTwice(x, s -> return)' --tangent 'atomicTwice_b(x, s -> x_b)' --out-dir %t -- -fopenmp 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: ls %t | count 0
#include <complex>
int bound(int i) { return i; }
double oddLoop(const double* x, int n) {
  double s = 0;
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: this loop under '#pragma omp parallel for' isn't supported [CF1201]
// CHECK: note: write it as 'for (int i = first; i < last; ++i)', with a step that doesn't change, and don't write the counter
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i += 1) {
    s += x[i];
    i += 0;
  }
  return s;
}
double collapsed(const double* x, int n) {
  double s = 0;
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'collapse(2)' over these loops isn't supported [CF1201]
// CHECK: note: give the inner loops bounds that are variables or constants, and nothing between the loops
#pragma omp parallel for collapse(2) reduction(+ : s)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < bound(n); ++j) s += x[i] * x[j];
  return s;
}
double changedBound(const double* x, int n) {
  double s = 0;
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a loop whose bounds call functions or write variables, with 'n' in a clause isn't supported [CF1201]
// CHECK: note: put the bounds into variables before the construct
#pragma omp parallel for firstprivate(n) reduction(+ : s)
  for (int i = (n += 1, 0); i < 9; ++i) s += x[i] * n;
  return s;
}
double outerCounter(const double* x, int n) {
  double s = 0;
  int i;
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a loop under '#pragma omp simd' whose counter is declared before it isn't supported [CF1201]
// CHECK: note: declare the counter in the loop
#pragma omp simd reduction(+ : s)
  for (i = 0; i < n; ++i) s += x[i];
  return s;
}
double otherUse(const double* x, int n) {
  double s = 0, t = 0;
#pragma omp parallel for reduction(+ : s, t)
  for (int i = 0; i < n; ++i) {
    s += x[i];
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a use of the reduction variable 's' other than 's += …' isn't supported [CF1201]
    // CHECK: note: what it holds here depends on the number of threads; sum into 's' by statements of their own, and read it behind the construct
    t += s;
  }
  return s + t;
}
double atomicRead(double x) {
  double s = x;
#pragma omp parallel
  {
    double t;
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: '#pragma omp atomic read' isn't supported [CF1201]
// CHECK: note: '#pragma omp atomic update' is
#pragma omp atomic read
    t = s;
  }
  return s;
}
double atomicPointer(double* x, int n) {
  double* p = x;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: an atomic update of something that is no number isn't supported [CF1201]
// CHECK: note: update numbers
#pragma omp atomic
    p++;
  }
  return *p;
}
double wideUpdate(const double* x, int n) {
  float s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: an atomic update that is computed in a wider type than its target isn't supported [CF1201]
// CHECK: note: convert the summand to the target's type first
#pragma omp atomic
    s += x[i];
  }
  return s;
}
double allPrivate(const double* x, int n) {
  double s = 0;
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'default(private)' or 'default(firstprivate)' of '#pragma omp parallel for' isn't supported [CF1201]
// CHECK: note: name each variable in its own clause
#pragma omp parallel for default(firstprivate) reduction(+ : s)
  for (int i = 0; i < n; ++i) s += x[i];
  return s;
}
double simdIf(const double* x, int n) {
  double s = 0;
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'if' for simd of '#pragma omp simd' isn't supported [CF1201]
// CHECK: note: leave the clause out, or write 'if(parallel: …)'
#pragma omp simd if (simd : n > 3) reduction(+ : s)
  for (int i = 0; i < n; ++i) s += x[i];
  return s;
}
#pragma omp declare reduction(+ : std::complex<double> : omp_out += omp_in) initializer(omp_priv = {})
double complexSum(const double* x, int n) {
  std::complex<double> z;
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a reduction of 'z', which is no number, of '#pragma omp parallel for' isn't supported [CF1201]
// CHECK: note: reduce numbers one by one
#pragma omp parallel for reduction(+ : z)
  for (int i = 0; i < n; ++i) z += x[i];
  return z.real();
}
double atomicTwice(const double* x, double* s, int n) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
// SECOND: :[[#@LINE+2]]:{{[0-9]+}}: error: the second derivative of an atomic update whose old value is needed isn't supported [CF1402]
// SECOND: note: update through a reduction, or mark the loop's function inactive
#pragma omp atomic
    s[i % 2] += x[i] * x[i];
  }
  for (int i = 0; i < 2; ++i) sum += s[i] * s[i] * s[i];
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp atomic
    s[i % 2] += x[i] * sum;
  }
  return sum * s[0];
}
