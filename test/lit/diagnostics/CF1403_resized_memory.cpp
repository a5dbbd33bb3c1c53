// A vector of the caller's, with derivatives, that changes its size and isn't a parameter itself.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'grow(x -> s)' --out-dir %t 2>&1 | FileCheck %s
// RUN: not %contraflow %s --adjoint 'grow(x -> s)' --no-analysis --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
#include <vector>

struct State {
  std::vector<double> u;
};

void grow(State& s, double x) {
  // CHECK: :[[#@LINE+1]]:7: error: the vector 's.u' of the caller's changes its size or buffer here [CF1403]
  s.u.push_back(x);
  // CHECK: note: pass it by reference as a parameter of its own
}
