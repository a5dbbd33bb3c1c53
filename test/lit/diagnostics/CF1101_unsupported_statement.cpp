// Statements that the tool can't differentiate: all of a run are reported together, each where it is.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
double behind(double x, int n);
double f(double x, int n) {
  double y = x;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: a 'goto' into a block isn't supported in code to be differentiated [CF1101]
  if (n > 3) goto again;
  // CHECK: note: use a loop with break or continue
  {
    y += x;
  again:
    y *= x;
  }
  try {
    // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}} isn't supported in code to be differentiated [CF1101]
    y += x;
  } catch (...) {
  }
  return behind(y, n);
}
double behind(double x, int n) {
  double y = x;
  if (n > 2) goto past;
  double z;
  z = x * y;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: a 'goto' past the declaration of a variable that is used behind its label isn't supported in code to be differentiated [CF1101]
past:
  // CHECK: note: declare the variable before the first 'goto'
  z = y;
  y += z;
  return y;
}
