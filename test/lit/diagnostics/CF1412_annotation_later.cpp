// Annotations that this version doesn't read yet: refused, not ignored.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: the annotation 'rule' comes later: this version doesn't read it yet [CF1412]
#pragma contraflow rule(adjoint of f: f_b)
double f(const double* x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return sum;
}
