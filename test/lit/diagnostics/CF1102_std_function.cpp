// A std::function whose target isn't known.
#include <algorithm>
#include <functional>
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'given(x -> return)' --adjoint 'changed(x -> return)' --adjoint 'shared(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: a call of a std::function of which it isn't known here what it calls isn't supported in code to be differentiated [CF1102]
double given(const std::function<double(double)>& f, double x) { return f(x) * x; }
// CHECK: note: make it in the function that is differentiated, of a lambda or of a function of its own type; or use a pointer to a function
double changed(double x) {
  std::function<double(double)> f = [](double t) { return t * t; };
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: another function for a std::function isn't supported in code to be differentiated [CF1102]
  if (x > 0) f = [](double t) { return t; };
  // CHECK: note: give it its function where it is declared, or use a pointer to a function
  return f(x);
}
double shared(double x) {
  auto count = [n = 0.0](double t) mutable { return n += t; };
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: a copy of a function object that changes itself when it is called isn't supported in code to be differentiated [CF1102]
  std::function<double(double)> f = count;
  // CHECK: note: let it capture by reference what it changes, or hand it on by reference
  return f(x) + count(x);
}
