// Classes that the tool can't make another object of.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
struct Node {
  double m = 1;
};
struct Left : virtual Node {};
struct Right : virtual Node {};
// CHECK: error: the type 'Both' isn't supported in code to be differentiated: it has a virtual base class; make that a member, or derive from it once [CF1103]
struct Both : Left, Right {
  double n = 2;
};
double f(double x) {
  Both b;
  b.n = x;
  return b.n * x;
}
