// Annotations that can't be read.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: can't read this annotation: the '(' isn't closed [CF1410]
#pragma contraflow adjoint(x -> return
double f(double x) { return x * x; }
// CHECK: note: write for instance '#pragma contraflow adjoint(x -> return)'

// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: can't read this annotation: 'inactive' takes no argument [CF1410]
#pragma contraflow inactive(x)
double g(double x) { return x * x; }

// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: can't read this annotation: 'u' is no parameter of 'h' [CF1410]
#pragma contraflow noalias(u)
double h(double x) { return x * x; }

// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: can't read this annotation: 'x' is neither a pointer nor a reference [CF1410]
#pragma contraflow noalias(x)
double k(double x) { return x * x; }

// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: can't read this annotation: 'extent' names no parameter [CF1410]
#pragma contraflow extent()
double l(double* x) { return *x; }
