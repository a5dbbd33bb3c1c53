// A type that the tool can't give a derivative.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
double f(double x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: the type 'volatile double' isn't supported in code to be differentiated: volatile memory changes by itself [CF1103]
  volatile double y = x;
  // CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
  return y * x;
}
