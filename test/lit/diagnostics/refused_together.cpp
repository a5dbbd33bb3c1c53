// Code each part of which is supported, but not together: in adjoints.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'twoLaws(a, x -> return)' --adjoint 'largestOf(x -> return)' \
// RUN:     --adjoint 'returnsRows(x -> return)' --adjoint 'grows(v, x -> v)' --adjoint 'ownTarget(p, x -> return)' \
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
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'b', an object of a class with virtual functions, has no derivative, and is used beside one with derivatives [CF1402]
  // CHECK: note: add it to the head's independents or dependents
  for (int i = 0; i < 3; ++i) s += a.value(x) * b.value(x);
  return s;
}
double twoLaws(const Law& a, const Law& b, double x) { return both(a, b, x); }
double* largest(double* x, int n) {
  double* best = x;
  for (int i = 1; i < n; ++i)
    if (x[i] > *best) best = x + i;
  x[0] *= x[1];
  return best;
}
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'largest' returns a pointer or reference to data to be differentiated [CF1402]
// CHECK: note: return it through a parameter, or name the memory directly
double largestOf(double* x, int n) { return *largest(x, n); }
struct Row {
  std::vector<double> v;
};
std::vector<Row> rows(const double* x, int n) {
  std::vector<Row> r(2);
  for (int i = 0; i < n; ++i) r[0].v.push_back(x[i] * x[i]);
  return r;
}
double returnsRows(const double* x, int n) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a function returns an array or a vector of objects that own vectors [CF1402]
  // CHECK: note: return it through a parameter
  std::vector<Row> r = rows(x, n);
  return r[0].v[0] * r[1].v[1];
}
struct Pair {
  double a, b;
};
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the vector 'v' of objects changes its size in a head [CF1402]
// CHECK: note: name a function as head that owns the vector, and calls this one
void grows(std::vector<Pair>& v, double x) {
  v.push_back({x, x * x});
  v[0].a *= v.back().b;
}
struct Node {
  double v;
  Node* next;
};
double ownTarget(Node* p, double x) {
  p->next->v = x * x;
  p->next = p->next->next;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: an assignment that changes where its own target lies isn't supported [CF1402]
  // CHECK: note: keep the index or pointer in a variable of its own first
  p->next->next = p->next->next->next;
  return p->next->v * x;
}
