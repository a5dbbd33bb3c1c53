// Unions that may be read as another member than was written last, and what can't be proved not to be.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint punned --adjoint inLoop --adjoint onOnePath --adjoint neverWritten \
// RUN:     --adjoint pointedTo --adjoint copied --adjoint ofTheCaller --adjoint tagged --adjoint elements \
// RUN:     --adjoint wholeView --adjoint partOfAnother \
// RUN:     --out-dir %t -- -std=c++20 2>&1 | FileCheck %s
// RUN: ls %t | count 0
#include <cstdint>
union Bits {
  double real;
  std::uint64_t bits;
};
double punned(double x) {
  // CHECK: :[[#@LINE+4]]:{{[0-9]+}}: error: 'bits' of the union 'b' where another member may have been written last isn't supported in code to be differentiated [CF1102]
  // CHECK: note: read the member that was written; what looks at the bits of a value belongs in a function marked '#pragma contraflow inactive', or give each kind of value a variable of its own
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'real' of the union 'b' where another member may have been written last isn't supported in code to be differentiated [CF1102]
  // CHECK: note: read the member that was written; what looks at the bits of a value belongs in a function marked '#pragma contraflow inactive', or give each kind of value a variable of its own
  Bits b;
  b.real = x * x;
  b.bits &= ~std::uint64_t{1};
  return b.real;
}
double inLoop(double x, int n) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'real' of the union 'b' where another member may have been written last isn't supported in code to be differentiated [CF1102]
  // CHECK: note: read the member that was written; what looks at the bits of a value belongs in a function marked '#pragma contraflow inactive', or give each kind of value a variable of its own
  Bits b;
  b.bits = 1;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if (i > 2) s += b.real;
    b.real = x * x;
  }
  return s;
}
double onOnePath(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'real' of the union 'b' where another member may have been written last isn't supported in code to be differentiated [CF1102]
  // CHECK: note: read the member that was written; what looks at the bits of a value belongs in a function marked '#pragma contraflow inactive', or give each kind of value a variable of its own
  Bits b;
  if (x > 0) b.real = x;
  else b.bits = 2;
  return b.real * x;
}
double neverWritten(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'real' of the union 'b' where another member may have been written last isn't supported in code to be differentiated [CF1102]
  // CHECK: note: read the member that was written; what looks at the bits of a value belongs in a function marked '#pragma contraflow inactive', or give each kind of value a variable of its own
  Bits b;
  return b.real * x;
}
double pointedTo(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a pointer or reference to 'real' of the union 'b', which holds different kinds of values, isn't supported in code to be differentiated [CF1102]
  // CHECK: note: copy the member, or give each kind of value a variable of its own
  Bits b;
  b.real = x;
  double* p = &b.real;
  *p *= x;
  b.bits = 1;
  return x;
}
double copied(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'real' of the union 'b' where another member may have been written last isn't supported in code to be differentiated [CF1102]
  // CHECK: note: read the member that was written; what looks at the bits of a value belongs in a function marked '#pragma contraflow inactive', or give each kind of value a variable of its own
  Bits a, b;
  a.real = x;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a copy of a union that holds different kinds of values isn't supported in code to be differentiated [CF1102]
  // CHECK: note: copy the member that was written last
  b = a;
  return b.real * x;
}
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'Bits' isn't supported in code to be differentiated: it is a union that holds different kinds of values, and not a local variable; give each kind a member of its own, in a struct [CF1103]
// CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
double ofTheCaller(Bits& b, double x) {
  b.real *= x;
  return b.real * x;
}
struct Value {
  int kind;
  union {
    double real;
    long whole;
  };
};
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the type 'Value' isn't supported in code to be differentiated: it has an anonymous union that holds different kinds of values, and isn't a local variable; give each kind a member of its own [CF1103]
// CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
double tagged(const Value& v, double x) { return v.kind == 0 ? v.real * x : static_cast<double>(v.whole) * x; }
double elements(double x) {
  Bits b[2];
  b[0].real = x;
  b[1].bits = 3;
  return b[0].real * x;
}
union Views {
  struct {
    double x, y;
  } point;
  double v[2];
};
double wholeView(Views& u, double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'point' as a whole, a member of a union, isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use its reals one by one, or the union's other member
  auto& p = u.point;
  return p.x * x;
}
// A part of another member: the rest of it isn't written.
union Records {
  struct {
    double v;
    int k;
  } a;
  struct {
    double v;
    long n;
  } b;
};
double partOfAnother(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'b' of the union 'u' where another member may have been written last isn't supported in code to be differentiated [CF1102]
  // CHECK: note: read the member that was written
  Records u;
  u.a.v = x;
  u.b.n = 3;
  return u.b.v * x;
}
