// Types, constructors and copies that are refused.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint bitField --adjoint diamond --adjoint library --adjoint listed --adjoint mapped \
// RUN:     --adjoint deleted --adjoint held --adjoint shared --adjoint manyObjects --adjoint elsewhere \
// RUN:     --adjoint variableArray --adjoint threadLocal --adjoint initialisedStatic --adjoint templateStatic \
// RUN:     --adjoint twoStatics --adjoint anonymous \
// RUN:     --out-dir %t -- -std=c++20 2>&1 | FileCheck %s
// RUN: ls %t | count 0
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>
struct Bits {
  double v;
  unsigned flag : 3;
};
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'Bits' isn't supported in code to be differentiated: it has bit-fields [CF1103]
// CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
double bitField(Bits b, double x) { return b.v * x; }
struct Root {
  double a;
};
struct Left : Root {};
struct Right : Root {};
struct Twice : Left, Right {
  double b;
};
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'Twice' isn't supported in code to be differentiated: it has one base class twice [CF1103]
// CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
double diamond(const Twice& t, double x) { return t.b * x; }
struct Mine : std::vector<double> {
  double b;
};
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: error: the type 'Mine' isn't supported in code to be differentiated: it has a base class of a library [CF1103]
// CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the member 'b' of 'Mine' isn't supported in code to be differentiated [CF1102]
// CHECK: note: read it in a function marked '#pragma contraflow inactive'
double library(const Mine& m, double x) { return m.b * x; }
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: error: the type 'const std::list<double>' isn't supported in code to be differentiated: use arrays, std::vector or std::array [CF1103]
// CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'std::list<double>::front' isn't supported in code to be differentiated [CF1102]
// CHECK: note: write it out as a loop or with supported functions
double listed(const std::list<double>& l, double x) { return x * l.front(); }
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: error: the type 'std::map<int, double>' isn't supported in code to be differentiated: use arrays, std::vector or std::array [CF1103]
// CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'std::map<int, double>::operator[]' isn't supported in code to be differentiated [CF1102]
// CHECK: note: write it out as a loop or with supported functions
double mapped(std::map<int, double>& m, double x) { return x * m[1]; }
struct Deleter {
  void operator()(double* p) const { delete p; }
};
double deleted(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'std::unique_ptr<double, Deleter>' isn't supported in code to be differentiated: it has a deleter of its own [CF1103]
  // CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
  std::unique_ptr<double, Deleter> p(new double(x));
  return *p;
}
struct Holder {
  std::unique_ptr<double> p;
  double v;
};
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'Holder' isn't supported in code to be differentiated: its member 'p' is a std::unique_ptr; use std::vector [CF1103]
// CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
double held(const Holder& h, double x) { return h.v * x; }
double shared(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'std::shared_ptr<double>' isn't supported in code to be differentiated: use arrays, std::vector or std::array [CF1103]
  // CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
  auto p = std::make_shared<double>(x);
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'std::__shared_ptr_access<double, __gnu_cxx::_S_atomic>::operator*' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: write it out as a loop or with supported functions
  return *p;
}
struct Steps {
  double v[3];
  Steps() {
    for (int i = 0; i < 3; ++i) v[i] = i;
  }
};
double manyObjects(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a default constructor that computes isn't supported in code to be differentiated [CF1102]
  // CHECK: note: give the members constants, and set them in a function
  Steps s[2];
  return s[1].v[1] * x;
}
struct Declared {
  double v;
  explicit Declared(double x);
  Declared() : v(0) {}
};
double elsewhere(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a constructor whose body this source doesn't have isn't supported in code to be differentiated [CF1102]
  // CHECK: note: define it in the class
  Declared d(x);
  return d.v;
}
double variableArray(double x, int n) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'double[n]' isn't supported in code to be differentiated: its extent isn't a constant; use std::vector [CF1103]
  // CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
  double v[n];
  v[0] = x;
  return v[0];
}
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a thread-local variable isn't supported in code to be differentiated [CF1101]
// CHECK: note: pass it as a parameter
thread_local double tls = 0;
double threadLocal(double x) {
  tls = x;
  return tls;
}
double initialisedStatic(double x, int n) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a static with an initialiser that isn't constant isn't supported in code to be differentiated [CF1101]
  // CHECK: note: make it a global
  static double s = n * 2.0;
  return s * x;
}
template <class T>
T inTemplate(T x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a static in a template or a method isn't supported in code to be differentiated [CF1101]
  // CHECK: note: make it a global or a member
  static T s = 0;
  s += x;
  return s;
}
double templateStatic(double x) { return inTemplate(x); }
double twoStatics(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a declaration of several statics isn't supported in code to be differentiated [CF1101]
  // CHECK: note: declare each by a statement of its own
  static double a = 0, b = 0;
  a += x;
  b += a;
  return a * b;
}
double anonymous(double x) {
  enum { two = 2 };
  struct {
    double v[two];
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type '(unnamed struct at {{.*}})' isn't supported in code to be differentiated: other functions can't name it; declare it outside of the function, with a name [CF1103]
  // CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
  } s;
  s.v[0] = x;
  return s.v[0] * two;
}
