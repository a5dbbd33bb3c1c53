// Objects whose destructors do something, where derivative code would have them as a whole; base classes that aren't the first.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --adjoint 'g(x -> return)' --adjoint 'h(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
struct Buffer {
  explicit Buffer(int n) : p(new double[n]) {}
  ~Buffer() { delete[] p; }
  double* p;
};
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: the type 'Buffer' isn't supported in code to be differentiated: it has a destructor that does something, and outlives the function; make it a local variable [CF1103]
static Buffer shared(3);
double f(double x) {
  shared.p[0] = x;
  return shared.p[0] * x;
}

struct Count {
  double& s;
  explicit Count(double& a) : s(a) {}
  ~Count() { s += 1.0; }
  double value() const { return s; }
};
double g(double x) {
  double s = x;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: a temporary object of 'Count', whose destructor does something, isn't supported in code to be differentiated [CF1102]
  const double y = Count(s).value();
  // CHECK: note: give it a name
  return y * s;
}

struct Shape {
  double a = 1.0;
};
struct Tag {
  double b = 2.0;
  virtual double weight() const { return b; }
  virtual ~Tag() {}
};
struct Disc : Shape, Tag {
  double r = 0.0;
  double weight() const override { return r * b; }
};
double through(const Tag& t) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: a virtual call through a base class that isn't the first with members isn't supported in code to be differentiated [CF1102]
  return t.weight();
}
double h(double x) {
  Disc d;
  d.r = x;
  return through(d);
}
