// --audit: generated code stops where what was assumed or proved doesn't hold in the run, and says where.
// RUN: rm -rf %t && mkdir %t
// RUN: %contraflow %s --audit --noalias --adjoint 'shifted(x -> y)' --adjoint 'weighted(x -> y)' -o %t/audit_ad.cpp -- -fopenmp
// RUN: %cxx %cflags -O1 -fopenmp -I%t %t/audit_ad.cpp -o %t/audit
// RUN: env OMP_NUM_THREADS=2 %t/audit fine | FileCheck %s --check-prefix=FINE
// RUN: env OMP_NUM_THREADS=1 not --crash %t/audit elements 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// RUN: env OMP_NUM_THREADS=2 not --crash %t/audit noalias 2>&1 | FileCheck %s --check-prefix=NOALIAS
// RUN: not --crash %t/audit constant 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not --crash %t/audit twice 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not --crash %t/audit one 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not --crash %t/audit itself 2>&1 | FileCheck %s --check-prefix=ITSELF
// RUN: not --crash %t/audit iterations 2>&1 | FileCheck %s --check-prefix=ITERATIONS
// RUN: not --crash %t/audit atomic 2>&1 | FileCheck %s --check-prefix=ATOMIC
// RUN: not %contraflow %s --audit --no-analysis --adjoint 'shifted(x -> y)' -o %t/a.cpp 2>&1 | FileCheck %s --check-prefix=ORACLE
// ORACLE: --audit checks what is proved, and --no-analysis proves nothing [CF1008]
#include <cmath>
#include <cstdio>
#include <cstring>

void shifted(const double* x, double* y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) y[i] = std::sin(x[i]);
}

// The reals that `w` points to have no shadow.
void weighted(const double* x, double* y, const double* w, int n) {
  for (int i = 0; i < n; ++i) y[i] = w[i] * x[i];
}

#ifndef __CONTRAFLOW__
#include <contraflow/audit.hpp>

void shifted_b(const double* x, double* x_b, double* y, double* y_b, int n);
void weighted_b(const double* x, double* x_b, double* y, double* y_b, const double* w, int n);

int main(int, char** argv) {
  const auto is = [&](const char* name) { return std::strcmp(argv[1], name) == 0; };
  double a[12] = {1, 2, 3, 4, 5, 6}, b[12] = {}, w[6] = {1, 2, 3, 4, 5, 6}, a_b[12] = {}, b_b[12] = {};
  for (double& x : b_b) x = 1.0;
  if (is("fine")) {
    shifted_b(a, a_b, b, b_b, 6);
    weighted_b(a, a_b + 6, b, b_b + 6, w, 6);
    // FINE: 0.540 5.000
    std::printf("%.3f %.3f\n", a_b[0], a_b[10]);
  }
  // ELEMENTS: contraflow: audit: audit.cpp:22: {{.*}}; the other access: audit.cpp:22
  if (is("elements")) shifted_b(a, b_b + 1, b, b_b, 6);
  // NOALIAS: contraflow: audit: audit.cpp:22: two parameters that were said not to overlap lead to the same memory; the other access: audit.cpp:22
  if (is("noalias")) shifted_b(a, a_b, a + 1, a_b + 1, 6);
  // CONSTANT: contraflow: audit: audit.cpp:27: {{.*}}
  if (is("constant")) weighted_b(a, a_b, b, b_b, a, 6);
  // TWICE: contraflow: audit: audit.cpp:27: {{.*}}
  if (is("twice")) weighted_b(a, a_b, a, b_b, w, 6);
  // ONE: contraflow: audit: audit.cpp:27: two variables share one shadow: {{.*}}
  if (is("one")) weighted_b(a, b_b, b, b_b, w, 6);
  // ITSELF: contraflow: audit: audit.cpp:27: {{.*}} overlaps {{.*}}
  if (is("itself")) weighted_b(a, a, b, b_b, w, 6);
  const contraflow::audit::Head head;
  contraflow::audit::region();
  contraflow::audit::enter();
  contraflow::audit::iteration();
  contraflow::audit::own(a_b[2], "first");
  contraflow::audit::own(a_b[2], "first");
  contraflow::audit::phase();
  contraflow::audit::iteration();
  contraflow::audit::shared(a_b[2], "second");
  contraflow::audit::iteration();
  contraflow::audit::shared(a_b[2], "third");
  // ATOMIC: contraflow: audit: fourth: an adjoint is read while others add to it; the other access: second
  if (is("atomic")) contraflow::audit::read(a_b[2], "fourth");
  // ITERATIONS: contraflow: audit: fifth: an adjoint was called exclusive, but two threads or iterations touch it; the other access: second
  if (is("iterations")) contraflow::audit::own(a_b[2], "fifth");
}
#endif
