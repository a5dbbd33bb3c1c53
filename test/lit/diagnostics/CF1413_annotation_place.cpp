// Annotations with no function behind them.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: the annotation 'adjoint' has no function to apply to: what follows is no definition of a function [CF1413]
#pragma contraflow adjoint(x -> return)
int count = 0;
// CHECK: note: put it right before the function's definition

double f(double x) {
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: the annotation 'inactive' has no function to apply to: it stands inside of 'f' [CF1413]
#pragma contraflow inactive
  return x * x;
}
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: the annotation 'inactive' has no function to apply to: what follows is no function [CF1413]
#pragma contraflow inactive
int total = 0;
