// OpenMP constructs and clauses that the tool doesn't support.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t -- -fopenmp 2>&1 | FileCheck %s
// RUN: ls %t | count 0
double f(const double* x, int n) {
  double y = 1.0;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}} isn't supported [CF1201]
#pragma omp parallel for reduction(* : y)
  // CHECK: note: {{.+}}
  for (int i = 0; i < n; ++i) y *= x[i];
#pragma omp parallel
  {
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}} isn't supported [CF1201]
#pragma omp task
    y += x[0];
  }
  return y;
}
