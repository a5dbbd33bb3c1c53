// Copies of objects that adjoints can't have.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'constCopy(f, x -> return)' --adjoint 'vectorsInAList(a, x -> return)' \
// RUN:     --out-dir %t -- -std=c++20 2>&1 | FileCheck %s
// RUN: ls %t | count 0
#include <vector>
struct Fixed {
  const double c;
  double d;
};
double constCopy(const Fixed& f, double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: copying a 'Fixed', which has a const or reference member, isn't supported in code to be differentiated [CF1402]
  // CHECK: note: copy the members that are needed one by one
  const Fixed g = f;
  return g.c * x * g.d;
}
struct Row {
  std::vector<double> v;
};
struct Outer {
  Row in[2];
  double s;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: assigning a whole std::vector isn't supported in code to be differentiated [CF1402]
  // CHECK: note: copy the members that are needed one by one
  Outer(const Row& a, const Row& b, double x) : in{a, b}, s(x) {}
  Outer() : s(0) {}
};
double vectorsInAList(const Row& a, double x) {
  Outer o(a, a, x);
  return o.in[0].v[0] * o.s;
}
