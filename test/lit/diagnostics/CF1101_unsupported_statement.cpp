// Statements that the tool can't differentiate: all of a run are reported together, each where it is.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
double f(double x, int n) {
  double y = x;
again:
  y *= x;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}} isn't supported in code to be differentiated [CF1101]
  if (--n > 0) goto again;
  // CHECK: note: {{.+}}
  try {
    // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}} isn't supported in code to be differentiated [CF1101]
    y += x;
  } catch (...) {
  }
  return y;
}
