// Members of a caller's object that are declared const: constants, whatever pointers may lead to; named by a head, they are refused.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'run(d, e0 -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
// RUN: %contraflow %s --adjoint 'run(e0 -> return)' -o %t/ad.cpp
// RUN: %cxx %cflags -c %t/ad.cpp -o %t/ad.o
#include <vector>

class Domain {
 public:
  Domain(int n) : v(n), w(new double[n]), cut(0.5) {}
  double& e(int i) { return v[i]; }
  double& f(int i) { return w[i]; }
  double limit() const { return cut; }

 private:
  std::vector<double> v;
  double* w;
  const double cut;
};

static void step(Domain& d, int n) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the adjoint of 'Domain::cut' can't be stored: the member is declared const [CF1402]
  // CHECK: note: leave out 'const' there, or name the other members in the head
  const double c = d.limit();
  for (int i = 0; i < n; ++i) d.f(i) = c * d.e(i) * d.e(i);
}

double run(Domain& d, double e0, int n) {
  d.e(0) = e0;
  step(d, n);
  return d.f(0);
}
