// Expressions that the tool can't differentiate.
#include <cstdlib>
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
double f(double x, int n) {
  // CHECK: :[[#@LINE+1]]:15: error: a cast between pointers to different types isn't supported in code to be differentiated [CF1102]
  double* p = (double*)std::realloc(nullptr, n * sizeof(double));
  // CHECK: note: use a pointer of the object's own type
  p[0] = x;
  return p[0] * x;
}
