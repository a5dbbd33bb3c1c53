// Constructors, initialisers and copies of objects that are refused.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint recursiveConstructor --adjoint baseInitialiser --adjoint aggregateWithBase \
// RUN:     --adjoint partsWithBase --adjoint constMember --adjoint emptiedMember --adjoint textInArray \
// RUN:     --adjoint holdsNoDefault --adjoint copiedConst --adjoint copiedText --adjoint swappedTexts \
// RUN:     --adjoint vectorOfTexts --adjoint copiedInParts --adjoint assignedInParts --adjoint copiedArray \
// RUN:     --adjoint listWithUnion --adjoint textBesideUnion --adjoint listOfView --adjoint pointerToView \
// RUN:     --adjoint elementOfView --adjoint anonymousIn \
// RUN:     --out-dir %t -- -std=c++20 2>&1 | FileCheck %s
// RUN: ls %t | count 0
#include <functional>
#include <string>
#include <vector>
struct Chain {
  double v;
  Chain(double a, int n) : v(a) {
    if (n > 0) {
      // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a recursive constructor isn't supported in code to be differentiated [CF1102]
      // CHECK: note: use a function
      Chain c(a * a, n - 1);
      // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'c' as a whole, whose type has a reference member or no default constructor, isn't supported in code to be differentiated [CF1102]
      // CHECK: note: give the type a default constructor and pointers for its references, or use its members
      v = c.v;
    }
  }
};
double recursiveConstructor(double x, int n) {
  Chain c(x, n);
  return c.v;
}
struct Plain {
  double a;
};
struct OnPlain : Plain {
  double b;
  OnPlain(double x, double y) : Plain{x}, b(y) {}
};
double baseInitialiser(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: this initialiser of a base class isn't supported in code to be differentiated [CF1102]
  // CHECK: note: give the base class a constructor
  OnPlain o(x, x);
  return o.a * o.b;
}
struct Aggregate : Plain {
  double b;
};
double aggregateWithBase(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: an object of 'Aggregate' made of its base class and members isn't supported in code to be differentiated [CF1102]
  // CHECK: note: give the type a constructor
  Aggregate a{{x}, x};
  return a.a * a.b;
}
struct AggregateInParts : Plain {
  double& r;
};
double partsWithBase(double x) {
  double y = x;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: an object of 'AggregateInParts' made of its base class and members isn't supported in code to be differentiated [CF1102]
  // CHECK: note: give the type a constructor
  AggregateInParts n{{x}, y};
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'n' as a whole, whose type has a reference member or no default constructor, isn't supported in code to be differentiated [CF1102]
  // CHECK: note: give the type a default constructor and pointers for its references, or use its members
  return n.a;
}
struct WithConst {
  const double c;
  double d;
  WithConst() : c(1), d(2) {}
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the initialisation of a const or reference member by a constructor isn't supported in code to be differentiated [CF1102]
  // CHECK: note: make the type an aggregate
  WithConst(double x) : c(x), d(x) {}
};
double constMember(double x) {
  WithConst w(x);
  return w.c * w.d;
}
struct Table {
  std::vector<double> v[2];
  Table() { v[0].push_back(1); }
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the initialisation of the member 'v' by a constructor isn't supported in code to be differentiated [CF1102]
  // CHECK: note: make the type an aggregate
  Table(double x) : v() { v[0].push_back(x); }
};
double emptiedMember(double x) {
  Table t(x);
  return t.v[0][0] * x;
}
double textInArray(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: an array initialised by a string isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use a pointer to const char
  char name[] = "text";
  return name[0] == 't' ? x * x : x;
}
struct NoDefault {
  double v;
  NoDefault(double a, int) : v(a) {}
};
struct HoldsNoDefault {
  NoDefault n;
  std::vector<double> w;
};
double holdsNoDefault(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: an object of 'HoldsNoDefault', which has no default constructor, isn't supported in code to be differentiated [CF1102]
  // CHECK: note: give the type one
  HoldsNoDefault h{NoDefault(x, 1), {x}};
  return h.n.v * h.w[0];
}
struct ConstAndVector {
  const double c;
  std::vector<double> v;
};
double copiedConst(const ConstAndVector& b, double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a copy of a 'ConstAndVector', which has no default constructor, isn't supported in code to be differentiated [CF1102]
  // CHECK: note: give the type one
  ConstAndVector d = b;
  return d.v[0] * x;
}
struct ConstOnly {
  const double c;
  double d;
};
struct Named {
  std::string name;
  std::vector<double> v;
  double a = 1;
};
double copiedText(const Named& b, double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: copying a 'Named', whose member 'name' isn't copied element by element, isn't supported in code to be differentiated [CF1101]
  // CHECK: note: copy the members that are needed
  Named d = b;
  return d.v[0] * x;
}
double swappedTexts(Named& b, Named& d, double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a swap of 'std::basic_string<char>' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: swap pointers to them
  std::swap(b, d);
  return d.v[0] * x;
}
double vectorOfTexts(const std::vector<std::string>& a, double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: assigning a whole 'std::basic_string<char>' isn't supported in code to be differentiated [CF1101]
  // CHECK: note: copy its parts
  std::vector<std::string> b = a;
  return x * static_cast<double>(b.size());
}
struct Ending : Plain {
  double w;
  Ending(double x) : w(x) { a = x; }
  ~Ending() { w = 0; }
};
double copiedInParts(double x) {
  Ending a(x);
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a copy of 'Ending', which has a base class with members, isn't supported in code to be differentiated [CF1102]
  // CHECK: note: give the type a default constructor
  Ending b = a;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'b' as a whole, whose type has a reference member or no default constructor, isn't supported in code to be differentiated [CF1102]
  // CHECK: note: give the type a default constructor and pointers for its references, or use its members
  return b.w;
}
struct EndingArray {
  double v[3];
  std::function<double(double)> f;
  ~EndingArray() { v[0] = 0; }
};
double assignedInParts(double x) {
  EndingArray a{{x, x, x}, [](double t) { return t; }}, b{{x, x, x}, [](double t) { return 2 * t; }};
  // CHECK: :[[#@LINE+4]]:{{[0-9]+}}: error: assigning a whole object with the member 'v' isn't supported in code to be differentiated [CF1101]
  // CHECK: note: copy it element by element
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: assigning a whole object with the std::function 'f' isn't supported in code to be differentiated [CF1101]
  // CHECK: note: assign its other members
  a = b;
  return a.v[0];
}
struct EndingVectors {
  std::vector<double> v[2];
  ~EndingVectors() { v[0].clear(); }
};
double copiedArray(double x) {
  EndingVectors a;
  a.v[0].push_back(x);
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: copying the array 'v' isn't supported in code to be differentiated [CF1101]
  // CHECK: note: copy it element by element
  EndingVectors b = a;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'b' as a whole, whose type has a reference member or no default constructor, isn't supported in code to be differentiated [CF1102]
  // CHECK: note: give the type a default constructor and pointers for its references, or use its members
  return b.v[1].size() + x;
}
struct UnionAndVector {
  union {
    double a;
    double b;
  };
  std::vector<double> v;
};
double listWithUnion(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a list for an object that has a union and owns memory isn't supported in code to be differentiated [CF1102]
  // CHECK: note: assign its members
  UnionAndVector u = {{x}, {x}};
  return u.v[0] * u.a;
}
struct UnionAndText {
  union {
    double a;
    double b;
  };
  char name[4];
};
double textBesideUnion(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: this initialiser of an array in a type with a union isn't supported in code to be differentiated [CF1102]
  // CHECK: note: assign the elements
  UnionAndText t = {{x}, "abc"};
  return t.a * t.b;
}
union Views {
  double v[2];
  struct Parts {
    Plain p;
    double w;
  } s;
};
double listOfView(double x, const Plain& p) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: this initialiser of 's', a member of a union, isn't supported in code to be differentiated [CF1102]
  // CHECK: note: assign its members
  Views n = {.s = {p, x}};
  return n.v[0] * n.s.w;
}
double pointerToView(Views w, double x) {
  Views::Parts Views::*m = &Views::s;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: this use of a member of a union for which another one stands isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use it by its name
  return (w.*m).w * x;
}
union Pairs {
  struct Pair {
    double x, y;
  } p[2];
  struct Columns {
    double a[2];
    double b[2];
  } r;
};
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: an element of 'r', a member of a union, isn't supported in code to be differentiated [CF1102]
// CHECK: note: use 'p', which lies at the same place
double elementOfView(Pairs w, int i, double x) { return w.r.b[i] * x; }
union AnonymousIn {
  double d;
  struct {
    int i;
    float f;
  };
};
double anonymousIn(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: an anonymous member of a union isn't supported in code to be differentiated [CF1102]
  // CHECK: note: give each kind of value a member of its own, in a struct
  AnonymousIn a;
  a.d = x;
  const double y = a.d;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the union 'a' as a whole, which holds different kinds of values, isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use its members, or give each kind of value a member of its own in a struct
  a.i = 3;
  return y * x * a.i;
}
