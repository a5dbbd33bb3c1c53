// Functions, function objects, casts and exits that are refused.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint coroutine --adjoint atCompileTime --adjoint mapped --adjoint lastSize \
// RUN:     --adjoint sizeCaptured --adjoint behindAPointer --adjoint otherMembers --adjoint unknownBody \
// RUN:     --adjoint variadic --adjoint unknownVariable --adjoint unknownMember --adjoint virtualPointer \
// RUN:     --adjoint thrown --adjoint alignment --adjoint bitsAsReal --adjoint castDynamically \
// RUN:     --adjoint objectAsArgument --adjoint libraryVariable --adjoint toward --adjoint operatorByName \
// RUN:     --adjoint fromInactive --adjoint throughInactive --adjoint chosenReference --adjoint compared \
// RUN:     --adjoint referenceInUnion \
// RUN:     --out-dir %t -- -std=c++23 2>&1 | FileCheck %s
// RUN: ls %t | count 0
#include <algorithm>
#include <cmath>
#include <compare>
#include <complex>
#include <coroutine>
#include <functional>
#include <map>
#include <stdexcept>
#include <vector>
struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a coroutine isn't supported in code to be differentiated [CF1101]
// CHECK: note: write a plain function
Task run(double& x) {
  x *= x;
  co_return;
}
double coroutine(double x) {
  run(x);
  return x;
}
constexpr double twice(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'if consteval' isn't supported in code to be differentiated [CF1101]
  // CHECK: note: leave it out
  if consteval {
    return x;
  } else {
    return x * x;
  }
}
double atCompileTime(double x) { return twice(x); }
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'const std::map<int, double>' isn't supported in code to be differentiated: use arrays, std::vector or std::array [CF1103]
// CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
double mapped(const std::map<int, double>& m, double x) {
  double s = 0;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a loop over a 'const std::map<int, double>' isn't supported in code to be differentiated [CF1101]
  // CHECK: note: loop over an array, std::vector or std::array
  for (const auto& [k, v] : m) s += x;
  return s;
}
double lastSize(double x, int n) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'double[n]' isn't supported in code to be differentiated: its extent isn't a constant; use std::vector [CF1103]
  // CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
  double a[n];
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: sizeof of an array of variable length isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use std::vector
  return sizeof(a) > 8 ? x * x : x;
}
double sizeCaptured(double x, int n) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'double[n]' isn't supported in code to be differentiated: its extent isn't a constant; use std::vector [CF1103]
  // CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
  double a[n];
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a capture of the size of an array isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use std::vector
  const auto f = [&] { return a[0]; };
  return f() * x;
}
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: error: a call of a std::function of which it isn't known here what it calls isn't supported in code to be differentiated [CF1102]
// CHECK: note: make it in the function that is differentiated, of a lambda or of a function of its own type; or use a pointer to a function
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a call through a pointer to a std::function isn't supported in code to be differentiated [CF1102]
// CHECK: note: use a reference
double behindAPointer(const std::function<double(double)>* p, double x) { return (*p)(x) + p->operator()(x); }
double otherMembers(double x) {
  std::function<double(double)> f = [](double y) { return y * y; }, g = [](double y) { return y; };
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: this member of std::function isn't supported in code to be differentiated [CF1102]
  // CHECK: note: call it, or use a pointer to a function
  f.swap(g);
  return f(x);
}
double unknownBody(double x) {
  std::function<double(double, double)> g = std::multiplies<>{};
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a call of this std::function isn't supported in code to be differentiated [CF1102]
  // CHECK: note: make it of a lambda or of a function
  return g(x, 2);
}
typedef double (*Variadic)(const char*, ...);
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a call through this object isn't supported in code to be differentiated [CF1102]
// CHECK: note: call the function by its name
double variadic(Variadic f, double x) { return f("x", x); }
double (*gFunction)(float);
struct HasFunction {
  double (*g)(float, float);
};
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: error: it isn't known what 'gFunction' calls or names: the sources have nothing of the type 'double (*)(float)' to choose from [CF1105]
// CHECK: note: give the command the source that takes the address of a function or member of this type, or that defines a class with this function
// CHECK: note: 'gFunction' is a variable: whatever it is set to may be called
double unknownVariable(double x) { return gFunction(static_cast<float>(x)); }
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: error: it isn't known what 'h.g' calls or names: the sources have nothing of the type 'double (*)(float, float)' to choose from [CF1105]
// CHECK: note: give the command the source that takes the address of a function or member of this type, or that defines a class with this function
// CHECK: note: 'g' is a member: whatever it is set to may be called
double unknownMember(const HasFunction& h, double x) { return h.g(static_cast<float>(x), 1); }
struct Virtual {
  virtual double f(double x) { return x; }
};
double virtualPointer(Virtual& v, double x) {
  double (Virtual::*p)(double) = &Virtual::f;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a pointer to the virtual function 'f' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: call it through the object
  return (v.*p)(x);
}
double thrown(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: this exit isn't supported in code to be differentiated [CF1102]
  // CHECK: note: throw an object made of a text and of variables
  if (x < 0) throw std::runtime_error([] { return "negative"; }());
  return x * x;
}
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: this operator isn't supported in code to be differentiated [CF1102]
// CHECK: note: use a constant
double alignment(double x) { return x * __alignof(x); }
double bitsAsReal(long n, double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a cast between references to different types isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use the object's own type
  double& r = reinterpret_cast<double&>(n);
  return r * x;
}
struct Shape {
  virtual ~Shape() = default;
  double a = 1;
};
struct Circle : Shape {
  double b = 2;
};
double castDynamically(Shape& v, double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'dynamic_cast' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: let a virtual function do what depends on the class
  Circle* w = dynamic_cast<Circle*>(&v);
  // CHECK: :[[#@LINE+4]]:{{[0-9]+}}: error: 'dynamic_cast' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: let a virtual function do what depends on the class
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the member 'a' of 'Shape' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: read it in a function marked '#pragma contraflow inactive'
  return w ? x * x : dynamic_cast<Circle&>(v).a * x;
}
struct Number {
  double v;
};
template <Number n>
double scaled(double x) {
  // CHECK: :[[#@LINE+4]]:{{[0-9]+}}: error: an object as a template's argument isn't supported in code to be differentiated [CF1102]
  // CHECK: note: give the template numbers, or the function the object
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the member 'v' of 'Number' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: read it in a function marked '#pragma contraflow inactive'
  return n.v * x;
}
double objectAsArgument(double x) { return scaled<Number{2.0}>(x); }
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the variable 'signgam' isn't supported in code to be differentiated [CF1102]
// CHECK: note: mark the function '#pragma contraflow inactive'
double libraryVariable(double x) { return std::lgamma(x) * signgam; }
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: error: 'nexttoward' isn't supported in code to be differentiated [CF1102]
// CHECK: note: use std::nextafter
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'nan' isn't supported in code to be differentiated [CF1102]
// CHECK: note: use std::numeric_limits<double>::quiet_NaN()
double toward(double x) { return std::nexttoward(x, 2.0L) * std::nan(""); }
double operatorByName(std::complex<double> z, double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: this use of a complex number isn't supported in code to be differentiated [CF1102]
  // CHECK: note: write it with arithmetic and the functions of <complex>
  z.operator+=(x);
  return z.real();
}
#pragma contraflow inactive
double& element(std::vector<double>& v) { return v[0]; }
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a reference from an inactive function isn't supported in code to be differentiated [CF1102]
// CHECK: note: return a value
double fromInactive(std::vector<double>& v, double x) { return element(v) * x; }
#pragma contraflow inactive
void fill(double* p) { *p = 1; }
double throughInactive(double x) {
  double y = 0;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a pointer that the inactive function 'fill' may write through isn't supported in code to be differentiated [CF1102]
  // CHECK: note: make its parameter a pointer to const, or a reference
  fill(&y);
  return x * y;
}
double chosenReference(double x, double y, bool c) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a reference to a value that '?:' chooses isn't supported in code to be differentiated [CF1102]
  // CHECK: note: store the value in a variable
  double& q = c ? const_cast<double&>(std::min(x, y)) : y;
  return q * q;
}
double compared(double x, double y) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: '<=>' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use < and ==
  (void)(x <=> y);
  return x * y;
}
struct RefHolder { double& r; };
union Strange { double d; RefHolder h; Strange(double x) : d(x) {} };
double referenceInUnion(double x) {
  // CHECK: :[[#@LINE+4]]:{{[0-9]+}}: error: the member 'h' of a union isn't supported in code to be differentiated [CF1102]
  // CHECK: note: give each kind of value a member of its own, in a struct
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 's_h' as a whole, whose type has a reference member or no default constructor, isn't supported in code to be differentiated [CF1102]
  // CHECK: note: give the type a default constructor and pointers for its references, or use its members
  Strange s(x);
  const double y = s.d;
  return y * (x > 100 ? s.h.r : x);
}
