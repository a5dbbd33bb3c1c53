// Expressions that are refused: each by its name, with its way out.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint middle --adjoint placement --adjoint thrown --adjoint bits --adjoint bitReference \
// RUN:     --adjoint down --adjoint spaceship --adjoint userLiteral --adjoint endedTwice --adjoint lambdaPointer \
// RUN:     --adjoint wholeLambda --adjoint captured --adjoint fromText --adjoint variable --adjoint descend \
// RUN:     --adjoint recursiveCallback \
// RUN:     --out-dir %t -- -std=c++20 2>&1 | FileCheck %s
// RUN: ls %t | count 0
#include <cmath>
#include <compare>
#include <cstring>
#include <new>
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: '?:' without a middle isn't supported in code to be differentiated [CF1102]
// CHECK: note: write it out
double middle(double x) { return x ?: 1.0; }
double placement(double x) {
  double room[1];
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: placement 'new' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use std::vector
  double* p = new (room) double(x);
  return *p;
}
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'throw' in an expression isn't supported in code to be differentiated [CF1102]
// CHECK: note: make it a statement
double thrown(double x) { return x > 0 ? x : throw 1; }
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a cast between pointers to different types isn't supported in code to be differentiated [CF1102]
// CHECK: note: use a pointer of the object's own type
double bits(double x) { return x * static_cast<double>(*reinterpret_cast<long*>(&x)); }
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a cast between references to different types isn't supported in code to be differentiated [CF1102]
// CHECK: note: use the object's own type
double bitReference(double x) { return x * static_cast<double>(reinterpret_cast<long&>(x)); }
struct Base {
  double a = 0;
};
struct Second {
  double c = 0;
};
struct Both : Base, Second {
  double d = 0;
};
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: error: a cast from a base class that isn't the first with members isn't supported in code to be differentiated [CF1102]
// CHECK: note: make it the first
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the member 'd' of 'Both' isn't supported in code to be differentiated [CF1102]
// CHECK: note: read it in a function marked '#pragma contraflow inactive'
double down(Second& s, double x) { return x * static_cast<Both&>(s).d; }
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'std::operator<' isn't supported in code to be differentiated [CF1102]
// CHECK: note: write it out as a loop or with supported functions
double spaceship(double x, double y) { return (x <=> y) < 0 ? x : y; }
constexpr double operator""_km(long double v) { return static_cast<double>(v) * 1000; }
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a user-defined literal isn't supported in code to be differentiated [CF1102]
// CHECK: note: write a number
double userLiteral(double x) { return x * 2.0_km; }
double endedTwice(double x) {
  struct Local {
    double v;
    ~Local() {}
  };
  Local l{x};
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a call of a destructor isn't supported in code to be differentiated [CF1102]
  // CHECK: note: let the object go out of scope
  l.~Local();
  return x;
}
double lambdaPointer(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a pointer to a lambda isn't supported in code to be differentiated [CF1102]
  // CHECK: note: write the lambda as a function
  double (*f)(double) = [](double t) { return t * t; };
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: it isn't known what 'f' calls or names: the sources have nothing of the type 'double (*)(double)' to choose from [CF1105]
  // CHECK: note: give the command the source that takes the address of a function or member of this type, or that defines a class with this function
  return f(x);
}
double wholeLambda(double x) {
  // CHECK: :[[#@LINE+12]]:{{[0-9]+}}: error: the type '(lambda at {{.*}})' isn't supported in code to be differentiated: it is a lambda; write a function [CF1103]
  // CHECK: note: mark the function that uses it '#pragma contraflow inactive' if it has no derivative
  // CHECK: :[[#@LINE+10]]:{{[0-9]+}}: error: a lambda that is kept or passed on isn't supported in code to be differentiated [CF1102]
  // CHECK: note: call it where it is made, or pass it to a template that calls it
  // CHECK: :[[#@LINE+8]]:{{[0-9]+}}: error: the variable 'x' here isn't supported in code to be differentiated [CF1102]
  // CHECK: note: declare it in the function
  // CHECK: :[[#@LINE+6]]:{{[0-9]+}}: error: the variable 'x' here isn't supported in code to be differentiated [CF1102]
  // CHECK: note: declare it in the function
  // CHECK: :[[#@LINE+4]]:{{[0-9]+}}: error: a recursive lambda, or recursion with one isn't supported in code to be differentiated [CF1102]
  // CHECK: note: write it as a function
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a call of a lambda that isn't known here isn't supported in code to be differentiated [CF1102]
  // CHECK: note: call it by its name, in the function that makes it
  auto f = [&x](auto self, int n) -> double { return n == 0 ? x : x * self(self, n - 1); };
  return f(f, 3);
}
struct Reader {
  double v;
  double read() {
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a capture of '*this' isn't supported in code to be differentiated [CF1102]
    // CHECK: note: capture this
    auto f = [*this] { return v; };
    return f();
  }
};
double captured(double x) {
  Reader r{x};
  return r.read();
}
double fromText(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: an array initialised by a string isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use a pointer to const char
  char name[] = "abc";
  return x * name[0];
}
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a function with variable arguments isn't supported in code to be differentiated [CF1101]
// CHECK: note: give it a fixed list of parameters
double variadic(int n, ...) { return n; }
double variable(double x) { return x * variadic(2, x); }
struct Data {
  double k;
  int n;
};
double descend(double x, void* data);
double descend(double x, void* data) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a cast between pointers to different types isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use a pointer of the object's own type
  auto* d = static_cast<Data*>(data);
  if (--d->n < 0) return x;
  double (*next)(double, void*) = descend;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a recursive callback with a 'void*' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: give it a pointer of its own type
  return d->k * next(x, d);
}
double callBack(double (*f)(double, void*), void* data, double x) { return f(x, data); }
double recursiveCallback(double x) {
  Data d{x, 3};
  return callBack(descend, &d, x);
}
