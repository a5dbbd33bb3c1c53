// Expressions that the tool can't differentiate.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
double f(double x, int n) {
  // CHECK: :[[#@LINE+1]]:23: error: 'realloc' of memory without a type isn't supported in code to be differentiated [CF1102]
  double* p = (double*)std::realloc(nullptr, n * sizeof(double));
  // CHECK: note: convert its result
  p[0] = x;
  return p[0] * x;
}
