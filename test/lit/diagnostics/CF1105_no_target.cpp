// Calls through pointers, of functions that no source names.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
struct Cell {
  double mass;
};
struct Law {
  virtual double flux(double t) const = 0;
};
double f(double x, double (*g)(double), double Cell::*member, const Cell& cell, const Law& law) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: it isn't known what 'g' calls or names: {{.*}}'double (*)(double)'{{.*}} [CF1105]
  x += g(x);
  // CHECK: note: 'g' is a parameter of 'f': whatever its callers pass may be called
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: it isn't known what 'member' calls or names{{.*}} [CF1105]
  x *= cell.*member;
  // CHECK: note: 'member' is a parameter of 'f': whatever its callers pass may be called
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: it isn't known what 'Law::flux' calls or names{{.*}} [CF1105]
  return x * law.flux(x);
  // CHECK: note: 'Law::flux' is virtual: whatever classes override it may be called
}
