// Allocations, and members of the library's containers, tuples, iterators and owners that are refused.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint allocatesFlags --adjoint oddBytes --adjoint listedNew --adjoint untypedFree \
// RUN:     --adjoint otherMembers --adjoint withAllocator --adjoint emplaced --adjoint makesUnique --adjoint givesUp \
// RUN:     --adjoint takesOver --adjoint flags --adjoint piecewise --adjoint tieHasValue --adjoint tieAlone \
// RUN:     --adjoint comparesPairs --adjoint iteratorMember --adjoint atomic \
// RUN:     --out-dir %t -- -std=c++20 2>&1 | FileCheck %s
// RUN: ls %t | count 0
#include <array>
#include <atomic>
#include <complex>
#include <cstdlib>
#include <memory>
#include <tuple>
#include <vector>
double allocatesFlags(double x, int n) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: an allocation of 'bool' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use std::vector
  bool* on = new bool[n];
  on[0] = x > 0;
  return on[0] ? x : 0;
}
double oddBytes(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: an allocation of so many bytes isn't supported in code to be differentiated [CF1102]
  // CHECK: note: write the size as n * sizeof(T)
  double* p = static_cast<double*>(std::malloc(17));
  *p = x;
  return *p;
}
double listedNew(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: an array with initialisers in 'new' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: assign its elements, or use std::vector
  double* p = new double[2]{x, x};
  return p[0] * p[1];
}
double untypedFree(double* p, double x) {
  void* q = p;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'free' of memory of unknown type isn't supported in code to be differentiated [CF1102]
  // CHECK: note: pass a pointer to the type that was allocated
  std::free(q);
  return x;
}
double otherMembers(double x) {
  std::vector<double> v(3, x);
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'vector::capacity' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use its elements, or push_back, resize, assign, clear, erase and swap
  return v.capacity() > 3 ? v[0] * x : x;
}
double withAllocator(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: this constructor of a container isn't supported in code to be differentiated [CF1102]
  // CHECK: note: construct it with (n) or (n, value), and fill it by a loop
  std::vector<double> v(std::allocator<double>{});
  return x * x;
}
struct Made {
  double v;
  Made(double a, double b) : v(a * b) {}
  Made() : v(0) {}
};
double emplaced(double x) {
  std::vector<Made> v;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: emplace_back with a constructor's arguments isn't supported in code to be differentiated [CF1102]
  // CHECK: note: write push_back(T(…)), or emplace_back(T(…))
  v.emplace_back(x, x);
  return v[0].v;
}
double makesUnique(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: make_unique with a constructor's arguments isn't supported in code to be differentiated [CF1102]
  // CHECK: note: write make_unique<T>(T(…))
  auto p = std::make_unique<Made>(x, x);
  return p->v;
}
double givesUp(double x) {
  std::unique_ptr<Made> p = std::make_unique<Made>(Made{});
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'std::unique_ptr::release' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: let the pointer keep what it owns, or move it
  return p.release()->v * x;
}
double takesOver(double x, double* q) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: this value of a std::unique_ptr isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use new, std::make_unique or std::move of another one
  std::unique_ptr<double> p(q);
  return *p * x;
}
double flags(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a variable of type 'std::vector<bool>' isn't supported in code to be differentiated [CF1101]
  // CHECK: note: move what uses it into a function marked '#pragma contraflow inactive'
  std::vector<bool> v;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a call of 'std::vector<bool>' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use a std::vector<char> for flags
  v.push_back(true);
  return x * x;
}
double piecewise(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: this constructor of a 'std::pair<std::array<double, 2>, double>' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: give it its elements one by one
  std::pair<std::array<double, 2>, double> p(std::piecewise_construct, std::forward_as_tuple(), std::forward_as_tuple(x));
  return p.second * x;
}
double tieHasValue(double x) {
  double a, b;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the value of an assignment to std::tie isn't supported in code to be differentiated [CF1102]
  // CHECK: note: make it a statement
  return std::get<0>(std::tie(a, b) = std::make_pair(x, x)) * b;
}
double both(std::tuple<double&, double&> t);
double tieAlone(double x) {
  double a = x, b = x;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'std::forward_as_tuple' here isn't supported in code to be differentiated [CF1102]
  // CHECK: note: assign to it, or name the parts one by one
  std::forward_as_tuple(a, b);
  return a * b;
}
double comparesPairs(double x, const std::pair<std::complex<double>, double>& p, const std::pair<std::complex<double>, double>& q) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a comparison of 'const std::complex<double>' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: compare what it holds, one by one
  return p == q ? x : x * x;
}
double iteratorMember(double x) {
  std::vector<double> v(2, x);
  auto it = v.begin();
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: this member of an iterator isn't supported in code to be differentiated [CF1102]
  // CHECK: note: use an index
  it.operator++();
  return *it * x;
}
double atomic(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a variable of type 'std::atomic<int>' isn't supported in code to be differentiated [CF1101]
  // CHECK: note: move what uses it into a function marked '#pragma contraflow inactive'
  std::atomic<int> n(2);
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a conversion from 'std::atomic<int>' isn't supported in code to be differentiated [CF1102]
  // CHECK: note: keep a plain number, pointer or reference instead
  return x * n;
}
