// Classes that the tool can't make another object of, and unions.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
struct Node {
  double m = 1;
};
struct Left : virtual Node {};
struct Right : virtual Node {};
// CHECK-DAG: error: the type 'Both' isn't supported in code to be differentiated: it has a virtual base class; make that a member, or derive from it once [CF1103]
struct Both : Left, Right {
  double n = 2;
};
// CHECK-DAG: error: the type 'Slot' isn't supported in code to be differentiated: it is a union; give each kind of value a member of its own [CF1103]
union Slot {
  double real;
  long bits;
};
double f(double x) {
  Both b;
  b.n = x;
  Slot s;
  s.real = x;
  return b.n * s.real;
}
