// Expressions that the tool can't differentiate.
#include <cstdlib>
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
double f(double x, int n) {
  // CHECK: :[[#@LINE+1]]:15: error: 'realloc' isn't supported in code to be differentiated [CF1102]
  double* p = (double*)std::realloc(nullptr, n * sizeof(double));
  // CHECK: note: use a std::vector, or allocate the new memory, copy, and free the old
  p[0] = x;
  return p[0] * x;
}
