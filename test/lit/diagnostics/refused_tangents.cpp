// Code each part of which is supported, but not together: in tangents.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --tangent 'twoLaws(a, x -> return)' --tangent 'returnsRowsToo(x -> return)' \
// RUN:     --tangent 'partOf(x -> return)' --tangent 'copiesView(x -> return)' \
// RUN:     --tangent 'copiesViewFirst(x -> return)' \
// RUN:     --out-dir %t -- -std=c++20 2>&1 | FileCheck %s
// RUN: ls %t | count 0
#include <vector>
struct Law {
  virtual double value(double x) const { return x; }
  virtual ~Law() = default;
};
struct Spring : Law {
  double k = 1;
  double value(double x) const override { return k * x; }
};
double both(const Law& a, const Law& b, double x) {
  double s = 0;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'b', an object with pointers or virtual functions, has no derivative, and is used beside one with derivatives [CF1402]
  // CHECK: note: add it to the head's independents or dependents
  for (int i = 0; i < 3; ++i) s += a.value(x) * b.value(x);
  return s;
}
double twoLaws(const Law& a, const Law& b, double x) { return both(a, b, x); }
struct Row {
  std::vector<double> v;
};
std::vector<Row> rows(const double* x, int n) {
  std::vector<Row> r(2);
  for (int i = 0; i < n; ++i) r[0].v.push_back(x[i] * x[i]);
  return r;
}
double returnsRowsToo(const double* x, int n) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a function returns an array or a vector of objects that own vectors [CF1402]
  // CHECK: note: return it through a parameter
  std::vector<Row> r = rows(x, n);
  return r[0].v[0] * r[1].v[1];
}
struct Pair {
  double a, b;
};
struct Part {
  Pair p;
  double c;
};
double partOf(double x, const Pair& p) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'p' has no derivative, and initialises a part of an object with derivatives [CF1402]
  // CHECK: note: initialise its members one by one
  const Part q{p, x};
  return q.p.a * q.c;
}
struct View {
  const double* p;
  int n;
};
double copiesView(const double* x, const View& w, bool c) {
  View v{x, 2};
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'w', an object with pointers, has no derivative, and is copied to one with derivatives [CF1402]
  // CHECK: note: add it to the head's independents or dependents
  if (c) v = w;
  return v.p[0] * x[0];
}
double copiesViewFirst(const double* x, const View& w, bool c) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'w', an object with pointers, has no derivative, and is copied to one with derivatives [CF1402]
  // CHECK: note: add it to the head's independents or dependents
  View v = w;
  if (c) v.p = x;
  return v.p[0] * x[0];
}
