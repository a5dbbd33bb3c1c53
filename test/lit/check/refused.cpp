// What the check has to know, and what it can't do: all is said at once, and nothing is written.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(k, own.x -> return)' --adjoint 'hidden(x -> return)' --adjoint 'far(m -> return)'  --out-dir %t --emit-check %t/check.cpp --check-arg 'typo = 3' 2>&1 | FileCheck %s
// RUN: ls %t | count 0
// RUN: not %contraflow %s --tangent 'hidden(x -> return)' --out-dir %t --emit-check %t/check.cpp 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: '--emit-check': no adjoint is asked for, so there is nothing to check [CF1008]
// RUN: not %contraflow %s --adjoint 'hidden(x -> return)' --tangent 'hidden(y -> return)' --out-dir %t --emit-check %t/check.cpp 2>&1 | FileCheck %s --check-prefix=NAMES
// NAMES: '--emit-check': the tangent of the same function is asked for with other names [CF1008]
// NAMES: note: which are here
// RUN: not %contraflow %s --adjoint 'hidden(x -> return)' --out-dir %t --emit-check %t/refused_ad.hpp 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: it is a source, or another output [CF1501]
// RUN: not %contraflow %s --adjoint hidden --out-dir %t --check-arg 'n' --check-arg 'k[' --check-arg 'k[]' --check-arg '= 3' --check-arg 'n =' --check-arg 'n = 1' --check-arg 'n = 2' 2>&1 | FileCheck %s --check-prefix=SYNTAX
// SYNTAX-DAG: 'n' says neither a size nor a value: write 'n = 16', 'k[n]' or 'k[n] = 1 + 0.1 * i' [CF1008]
// SYNTAX-DAG: 'k[': the '[' isn't closed [CF1008]
// SYNTAX-DAG: 'k[]': there is no size between the brackets [CF1008]
// SYNTAX-DAG: '= 3' doesn't begin with the name of a parameter [CF1008]
// SYNTAX-DAG: 'n =' says neither a size nor a value
// SYNTAX-DAG: 'n' is given twice [CF1008]
// SYNTAX-DAG: --check-arg, --check-include and --check-lines say how --emit-check is done, which isn't asked for [CF1008]
// RUN: not %contraflow %s --adjoint 'inlined(x -> return)' --adjoint 'sized(y -> return)' --adjoint 'rows(r -> return)' --adjoint 'owns(p -> return)' --adjoint 'behind(o.own.x -> return)' --adjoint 'pointed(x -> return)' --out-dir %t --emit-check %t/check.cpp --check-arg 'y[3]' --check-arg 'p[3]' 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: ls %t | count 0

struct Own {
  double x;
};
struct Mesh {
  double *u;
  int n;
};

// CHECK-DAG: error: '--check-arg': no function that is checked has a parameter 'typo' [CF1008]
// CHECK-DAG: :[[#@LINE+3]]:{{[0-9]+}}: error: '--emit-check': it isn't known how many elements 'k' has: say it with --check-arg 'k[…]' [CF1008]
// CHECK-DAG: :[[#@LINE+2]]:{{[0-9]+}}: error: '--emit-check': the type 'Own' of 'own' is defined in the source, where the check doesn't see it: define it in a header that the source includes [CF1008]
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: '--emit-check': 'n' has no value: say it with --check-arg 'n = …' [CF1008]
double f(const double *k, const Own &own, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) s += k[i] * own.x;
  return s;
}

// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: '--emit-check': the function has internal linkage: let a function with external linkage call it, and name that in the head [CF1008]
static double hidden(double x, double y) { return x * y; }

// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: '--emit-check': the check doesn't see the reals behind the pointer or reference 'm.u': call the function {{.*}} [CF1008]
double far(const Mesh &m) { return m.u[0] * m.u[1]; }

double use() { return hidden(1, 2); }

// MORE-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: '--emit-check': the function is inline or a template, and defined in the source: let a function {{.*}} [CF1008]
inline double inlined(double x) { return x * x; }
// MORE-DAG: note: in the check of this head

double useInlined() { return inlined(1); }

// MORE-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: '--emit-check': 'y' is neither a pointer nor a std::vector, and has no size: say it with --check-arg 'y = …' [CF1008]
double sized(double y) { return y * y; }

// MORE-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: '--emit-check': no array of 'double *' can be made for 'r': call the function from one with plain parameters, and name that in the head [CF1008]
double rows(double** r) { return r[0][0] * r[0][1]; }

struct Counted {
  double x;
  int n;
};
// MORE-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: '--emit-check': the elements of 'p' aren't all reals, and have no values: say it with --check-arg 'p[3] = …' [CF1008]
double owns(const Counted* p) { return p[0].x * p[1].x; }

struct Owner {
  Own* own;
};
// MORE-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: '--emit-check': 'o.own.x' lies behind a pointer: {{.*}} [CF1008]
double behind(const Owner& o) { return o.own->x * o.own->x; }

// MORE-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: '--emit-check': the result is a pointer or a reference: {{.*}} [CF1008]
double* pointed(double* x) { return x + 1; }
