// Expressions that the tool can't differentiate.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
double f(double x, int n) {
  // CHECK: :[[#@LINE+1]]:15: error: 'new' isn't supported in code to be differentiated [CF1102]
  double* p = new double[n];
  // CHECK: note: use std::vector
  p[0] = x;
  return p[0] * x;
}
