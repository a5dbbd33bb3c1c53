// Types that are refused where an object of them is made, held or passed.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint arrayOfThem --adjoint vectorOfThem --adjoint pairOfThem --adjoint asParameter \
// RUN:     --adjoint copyAsArgument --adjoint captured --adjoint inABranch --adjoint destroyedRecursively \
// RUN:     --adjoint inACondition --adjoint owner --adjoint globalReference --adjoint extent --adjoint half \
// RUN:     --adjoint ofC --adjoint imaginary --adjoint constElement --adjoint iteratorMember --adjoint privateBase \
// RUN:     --adjoint counted --adjoint heavyUnion --adjoint memberCopies --adjoint elementCopies \
// RUN:     --adjoint headerStatic \
// RUN:     --out-dir %t -- -std=c++20 2>&1 | FileCheck %s
// RUN: ls %t | count 0
#include <array>
#include <complex>
#include <memory>
#include <utility>
#include <vector>
int ended;
struct Noisy {
  double v;
  ~Noisy() { ++ended; }
};
double see(const Noisy& n) { return n.v * n.v; }
double taken(Noisy n) { return n.v; }
double arrayOfThem(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'Noisy[2]' isn't supported in code to be differentiated: its elements have a destructor that does something; make them local variables [CF1103]
  // CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
  Noisy n[2];
  n[0].v = x;
  return n[0].v * x;
}
double vectorOfThem(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'std::vector<Noisy>' isn't supported in code to be differentiated: what it holds has a destructor that does something; make that a local variable [CF1103]
  // CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
  std::vector<Noisy> n(2);
  // CHECK: :[[#@LINE+4]]:{{[0-9]+}}: error: the type 'std::vector<Noisy>' isn't supported in code to be differentiated: what it holds has a destructor that does something; make that a local variable [CF1103]
  // CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the member 'v' of 'Noisy' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: read it in a function marked '#pragma contraflow inactive'
  n[0].v = x;
  // CHECK: :[[#@LINE+4]]:{{[0-9]+}}: error: the type 'std::vector<Noisy>' isn't supported in code to be differentiated: what it holds has a destructor that does something; make that a local variable [CF1103]
  // CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the member 'v' of 'Noisy' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: read it in a function marked '#pragma contraflow inactive'
  return n[0].v * x;
}
double pairOfThem(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'std::pair<Noisy, double>' isn't supported in code to be differentiated: what it holds has a destructor that does something; make that a local variable [CF1103]
  // CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
  std::pair<Noisy, double> n({x}, x);
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the member 'second' of 'std::pair<Noisy, double>' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: read it in a function marked '#pragma contraflow inactive'
  return n.second * x;
}
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'Noisy' isn't supported in code to be differentiated: it has a destructor that does something; pass a reference to it [CF1103]
// CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
double asParameter(Noisy g, double x) { return g.v * x; }
double copyAsArgument(double x) {
  Noisy n{x};
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a temporary object of 'Noisy', whose destructor does something, isn't supported in code to be differentiated [CF1102]
  // CHECK: note: give it a name; where it is the copy for a parameter, pass it by reference
  return taken(n);
}
double captured(double x) {
  Noisy n{x};
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a copy of 'n', whose destructor does something, in a lambda isn't supported in code to be differentiated [CF1102]
  // CHECK: note: capture it by reference
  const auto f = [n](double y) { return n.v * y; };
  return f(x);
}
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: error: a temporary object with a destructor in a branch of an expression isn't supported in code to be differentiated [CF1102]
// CHECK: note: give it a name
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a temporary object of 'const Noisy', whose destructor does something, isn't supported in code to be differentiated [CF1102]
// CHECK: note: give it a name; where it is the copy for a parameter, pass it by reference
double inABranch(double x, bool c) { return c ? see(Noisy{x}) : x; }
struct Recursive {
  double v;
  ~Recursive() {
    if (v > 1) {
      Recursive s{v - 1};
      v = s.v;
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a destructor that runs itself isn't supported in code to be differentiated [CF1102]
    // CHECK: note: let a function do what it does
    }
  }
};
double destroyedRecursively(double x) {
  Recursive s{x};
  return s.v * x;
}
struct Tested {
  double v;
  ~Tested() { v = 0; }
  explicit operator bool() const { return v > 0; }
};
double inACondition(double x) {
  double s = 0;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: an object with a destructor in the condition of a loop isn't supported in code to be differentiated [CF1101]
  // CHECK: note: declare it in the body
  while (Tested g{x - s}) s += g.v * 0.5;
  return s;
}
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'std::unique_ptr<double>' isn't supported in code to be differentiated: as a parameter; pass what it points to [CF1103]
// CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
double owner(std::unique_ptr<double> p, double x) { return *p * x; }
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a global reference isn't supported in code to be differentiated [CF1101]
// CHECK: note: use the variable it names
double& gRef = *new double(1);
double globalReference(double x) { return x * gRef; }
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'double[]' isn't supported in code to be differentiated: its extent isn't known; use a pointer [CF1103]
// CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
extern double unknownExtent[];
double extent(double x) { return x * unknownExtent[0]; }
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type '_Float16' isn't supported in code to be differentiated: it is no type of standard C++ that holds reals or integers [CF1103]
// CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
double half(_Float16 h, double x) { return x * h; }
double ofC(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type '_Complex double' isn't supported in code to be differentiated: use two reals [CF1103]
  // CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
  _Complex double z = x;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a complex number isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use two reals
  z *= z;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a complex number isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use two reals
  z = z * z;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: this operator on a complex number isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use two reals
  return __real__ z;
}
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: '__imag' isn't supported in code to be differentiated [CF1102]
// CHECK: note: use std::complex, or two reals
double imaginary(double x) { return __imag__ x; }
struct Pairs {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'std::pair<const double, double>' isn't supported in code to be differentiated: an element is a reference or const; use std::tie, or elements that are values [CF1103]
  // CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
  std::pair<const double, double> p;
};
double constElement(const Pairs& p, double x) { return p.p.second * x; }
struct At {
  std::vector<double>::iterator it;
};
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'At' isn't supported in code to be differentiated: its member 'it' is an iterator; keep an index or a pointer [CF1103]
// CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
double iteratorMember(At& w, double x) { return *w.it * x; }
struct Base {
  double a;
};
struct Private : private Base {
  double b;
};
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'Private' isn't supported in code to be differentiated: it has a private base class with members; make that a member [CF1103]
// CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
double privateBase(const Private& p, double x) { return p.b * x; }
struct Counted {
  static int made;
  double v;
  Counted() : v(0) { ++made; }
};
int Counted::made = 0;
double counted(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'Counted' isn't supported in code to be differentiated: its default constructor changes what is outside of the object, and derivatives make more objects than the source; do that in a function [CF1103]
  // CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
  Counted c;
  c.v = x;
  return c.v * x;
}
union Heavy {
  double d;
  std::vector<double> v;
  Heavy() : d(0) {}
  ~Heavy() {}
};
double heavyUnion(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'Heavy' isn't supported in code to be differentiated: it is a union of what isn't trivially copyable; give each kind of value a member of its own [CF1103]
  // CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
  Heavy h;
  h.d = x;
  return h.d * x;
}
struct Copying {
  double v = 0;
  int n = 0;
  Copying() = default;
  Copying(const Copying& o) : v(2 * o.v), n(o.n + 1) {}
};
struct HasCopying {
  Copying c;
};
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'HasCopying' isn't supported in code to be differentiated: of its member 'c' a copy is more than a copy of its members; pass it by reference, or let the copy constructor and the assignment copy each member [CF1103]
// CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
double memberCopies(const HasCopying& h, double x) { return h.c.v * x; }
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'const std::pair<double, Copying>' isn't supported in code to be differentiated: a copy is more than a copy of its members; pass it by reference, or let the copy constructor and the assignment copy each member [CF1103]
// CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
double elementCopies(const std::pair<double, Copying>& h, double x) { return h.first * x; }
// CHECK: static_in_header.hpp:{{[0-9:]+}} error: a static in a function of a header isn't supported in code to be differentiated [CF1101]
// CHECK: note: move the function to a source file
#include "Inputs/static_in_header.hpp"
double headerStatic(double x) { return inHeader(x); }
