// Copies of closures that go their own way: each of them was one with the original once.
#include <algorithm>
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'given(x -> return)' --adjoint 'named(x -> return)' --adjoint 'filled(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
template <class F>
double twice(F f, double x) {
  return f(x) + f(x);
}
double given(double x) {
  auto sum = [n = 0.0](double t) mutable { return n += t; };
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: a copy of a function object that changes itself when it is called isn't supported in code to be differentiated [CF1102]
  return twice(sum, x) * sum(x);
  // CHECK: note: let it capture by reference what it changes, or hand it on by reference
}
double named(double x) {
  auto sum = [n = 0.0](double t) mutable { return n += t; };
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: a copy of a function object that changes itself
  auto other = sum;
  return other(x) * sum(x);
}
double filled(double x) {
  double v[3];
  auto grow = [y = x]() mutable { return y *= 1.5; };
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: a copy of a function object that changes itself
  std::generate(v, v + 3, grow);
  return v[2] * grow();
}
