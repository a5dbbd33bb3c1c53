// --report names the heads, and the places that have no derivative everywhere, each once and in order.
// RUN: rm -rf %t && mkdir %t
// RUN: %contraflow %s --report --adjoint 'f(x, y -> return)' --tangent 'f(x, y -> return)' --out-dir %t | FileCheck %s
#include <algorithm>
#include <cmath>
double soft(double x) {
  return std::exp(x);
}
double f(double x, double y) {
  const double a = std::max(x, y) * std::abs(x);
  return a + std::sqrt(y) + soft(x) + std::sin(y);
}
// CHECK-DAG: adjoint of f(x, y -> return)
// CHECK-DAG: tangent of f(x, y -> return)
// CHECK: report.cpp:10:{{[0-9]+}}: std::max has no derivative at a tie: the first argument gets all
// CHECK-NEXT: report.cpp:10:{{[0-9]+}}: std::fabs has no derivative at 0: 0 is taken
// CHECK-NEXT: report.cpp:11:{{[0-9]+}}: std::sqrt has no derivative at 0: 0 is taken where it is infinite
// CHECK-NOT: has no derivative
