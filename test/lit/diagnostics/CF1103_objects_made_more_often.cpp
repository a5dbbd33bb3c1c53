// Generated code makes and copies objects more often than the source: classes whose constructors would show that are refused.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'made(x -> return)' --out-dir %t 2>&1 | FileCheck %s --check-prefix=MADE
// RUN: not %contraflow %s --adjoint 'madeOtherwise(x -> return)' --out-dir %t 2>&1 | FileCheck %s --check-prefix=OTHERWISE
// RUN: not %contraflow %s --adjoint 'byValue(x -> return)' --out-dir %t 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not %contraflow %s --adjoint 'returned(x -> return)' --out-dir %t 2>&1 | FileCheck %s --check-prefix=RETURNED
// RUN: not %contraflow %s --tangent 'element(x -> return)' --out-dir %t 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: ls %t | count 0
#include <vector>

static double g_next = 1;
static double next() { return g_next *= 2; }

struct Numbered {
  double v;
  Numbered() : v(next()) {}
};
double made(double x) {
  Numbered n;
  // MADE: error: the type 'Numbered' isn't supported in code to be differentiated: its default constructor changes what is outside of the object
  return x * n.v * g_next;
}

struct Default {
  double v = g_next++, w;
  Default() : w(1) {}
  explicit Default(double x) : v(x), w(x) {}
};
double madeOtherwise(double x) {
  Default d(x);
  // OTHERWISE: error: the type 'Default' isn't supported in code to be differentiated: its default constructor changes
  return d.v * d.w * g_next;
}

struct Scaled {
  double v;
  explicit Scaled(double x = 0) : v(x) {}
  Scaled(const Scaled& o) : v(o.v * 1.01) {}
  Scaled& operator=(const Scaled& o) {
    v = 0.5 * (v + o.v);
    return *this;
  }
};
static double half(Scaled s) {
  s.v *= 0.5;
  return s.v;
}
double byValue(double x) {
  Scaled s(x);
  // VALUE: error: the type 'Scaled' isn't supported in code to be differentiated: a copy is more than a copy of its members
  return half(s);
}
static Scaled make(double x) {
  Scaled s(x);
  s.v *= x;
  return s;
}
double returned(double x) {
  Scaled s(x);
  // RETURNED: error: the type 'Scaled' isn't supported in code to be differentiated: a copy is more
  s = make(x);
  return s.v;
}
double element(double x) {
  // ELEMENT: error: the type 'std::vector<Scaled>' isn't supported in code to be differentiated: a copy is more
  std::vector<Scaled> all(2);
  all[0].v = x;
  return all[0].v;
}
