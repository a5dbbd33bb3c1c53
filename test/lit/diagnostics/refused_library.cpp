// Functions and classes of the standard library that are refused: each by its name, with its way out.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint bound --adjoint memberFunction --adjoint invoked --adjoint heldMember \
// RUN:     --adjoint pointedTo --adjoint bothExtremes --adjoint bothElements --adjoint sortedOwners --adjoint typeless \
// RUN:     --adjoint byteCopy --adjoint filled --adjoint maybe --adjoint either --adjoint clampedIndex \
// RUN:     --adjoint complexInverse --adjoint random \
// RUN:     --out-dir %t -- -std=c++20 2>&1 | FileCheck %s
// RUN: ls %t | count 0
#include <algorithm>
#include <any>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>
struct Body {
  double mass;
  double energy(double v) const { return 0.5 * mass * v * v; }
};
double bound(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'std::bind' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use a lambda
  auto f = std::bind([](double a, double b) { return a * b; }, std::placeholders::_1, 2.0);
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'std::bind' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use a lambda
  return f(x);
}
double memberFunction(double x) {
  Body b{x};
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'std::mem_fn' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use a lambda that calls the member
  return std::mem_fn(&Body::energy)(b, x);
}
double invoked(double x) {
  Body b{x};
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'std::invoke' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: call the function or the member by its name
  return std::invoke(&Body::energy, b, x);
}
double heldMember(double x) {
  Body b{x};
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a std::function of a pointer to a member isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use a lambda
  std::function<double(const Body&, double)> f = &Body::energy;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a call of a std::function of which it isn't known here what it calls isn't supported in code to be differentiated [CF1102]
  // CHECK: note: make it in the function that is differentiated, of a lambda or of a function of its own type; or use a pointer to a function
  return f(b, x);
}
double pointedTo(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a lambda that is kept or passed on isn't supported in code to be differentiated [CF1102]
  // CHECK: note: call it where it is made, or pass it to a template that calls it
  std::function<double(double)> f = [](double t) { return t * t; };
  auto* p = &f;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a call of a std::function of which it isn't known here what it calls isn't supported in code to be differentiated [CF1102]
  // CHECK: note: make it in the function that is differentiated, of a lambda or of a function of its own type; or use a pointer to a function
  return (*p)(x);
}
double bothExtremes(double x, double y) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'std::minmax' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use std::min and std::max
  auto p = std::minmax({x, y});
  return p.second - p.first;
}
double bothElements(std::vector<double>& v) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'std::minmax_element' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use std::min_element and std::max_element
  auto p = std::minmax_element(v.begin(), v.end());
  return *p.second - *p.first;
}
struct Named {
  double key;
  std::vector<double> values;
};
double sortedOwners(std::vector<Named>& v, double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: sorting objects that own memory isn't supported in code to be differentiated [CF1102]
  // CHECK: note: sort an array of their indices
  std::sort(v.begin(), v.end(), [](const Named& a, const Named& b) { return a.key < b.key; });
  return x * v[0].key;
}
double typeless(double x, int n) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'malloc' of memory without a type isn't supported in code to be differentiated [CF1102]
  // CHECK: note: convert its result to a pointer at once, or use std::vector
  void* p = std::malloc(sizeof(double) * static_cast<unsigned>(n));
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a cast between pointers to different types isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use a pointer of the object's own type
  auto* v = static_cast<double*>(p);
  v[0] = x;
  return v[0];
}
double byteCopy(double x) {
  unsigned char raw[sizeof(double)];
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'memcpy' of these objects isn't supported in code to be differentiated [CF1102]
  // CHECK: note: write a loop, or std::copy and std::fill
  std::memcpy(raw, &x, sizeof(double));
  return x * raw[0];
}
double filled(double* v, int n) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'memset' of these objects isn't supported in code to be differentiated [CF1102]
  // CHECK: note: write a loop, or std::copy and std::fill
  std::memset(v, 1, static_cast<unsigned>(n) * sizeof(double));
  return v[0];
}
double maybe(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'std::optional<double>' isn't supported in code to be differentiated: use arrays, std::vector or std::array [CF1103]
  // CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
  std::optional<double> o = x;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'std::optional<double>::operator*' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: write it out as a loop or with supported functions
  return *o;
}
double either(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a variable of type 'std::variant<double, int>' isn't supported in code to be differentiated [CF1101]
  // CHECK: note: move what uses it into a function marked '#pragma contraflow inactive'
  std::variant<double, int> v = x;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'std::get' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: write it out as a loop or with supported functions
  return std::get<0>(v);
}
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: std::clamp of integers isn't supported in code to be differentiated [CF1102]
// CHECK: note: use std::min and std::max
double clampedIndex(double x, int n) { return x * std::clamp(n, 0, 3); }
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'std::asin' of complex numbers isn't supported in code to be differentiated [CF1102]
// CHECK: note: write it as a loop, or with exp, log, sqrt, pow, sin, cos, tan, sinh, cosh or tanh
double complexInverse(double x) { return std::asin(std::complex<double>(x, 1.0)).real(); }
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'rand' has no body and no rule [CF1104]
// CHECK: note: add the source file that defines it to the command, or mark its declaration '#pragma contraflow inactive' if it has no derivative; in a later version, you can give its derivative: 'void rand_b()' with '#pragma contraflow rule(adjoint of rand: rand_b)'
double random(double x) { return x * std::rand(); }
