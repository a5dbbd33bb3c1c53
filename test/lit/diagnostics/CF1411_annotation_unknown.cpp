// An annotation that is none.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'adjont' is no annotation of contraflow [CF1411]
#pragma contraflow adjont(x -> return)
double f(double x) { return x * x; }
// CHECK: note: this version reads adjoint, tangent, inactive, noalias, checkpoint and extent
