// std::pair and std::tuple: results, structured bindings, std::tie, std::get, elements of vectors, comparisons.
#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

std::pair<double, double> minmaxOf(const std::vector<double>& v) {
  double lo = v[0], hi = v[0];
  for (double x : v) { if (x < lo) lo = x; if (x > hi) hi = x; }
  return {lo, hi};
}
// case: at=0.3,1.1,-0.7,0.9
void pairResult(const double* in, double* out) {
  std::vector<double> v(in, in + 4);
  auto [lo, hi] = minmaxOf(v);
  std::pair<double, double> p = minmaxOf(v);
  p.first *= in[0];
  auto q = std::make_pair(p.second * lo, hi);
  out[0] = (hi - lo) * p.first + q.first * q.second;
}
std::tuple<double, double, int> eigen2(double a, double b, double c) {
  const double t = a + c, d = std::sqrt((a - c) * (a - c) + 4 * b * b);
  return std::make_tuple(0.5 * (t + d), 0.5 * (t - d), 2);
}
// case: at=0.3,1.1,-0.7
void tupleResult(const double* in, double* out) {
  double l1, l2;
  int n;
  std::tie(l1, l2, n) = eigen2(in[0], in[1], in[2]);
  auto t = eigen2(in[1], in[2], in[0]);
  std::get<0>(t) *= l1;
  auto [m1, m2, k] = t;
  out[0] = l1 * l2 * n + m1 * std::get<1>(t) + k * m2;
}
// case: at=0.3,1.1,-0.7,0.4
void pairsInVector(const double* in, double* out) {
  std::vector<std::pair<int, double>> entries;
  for (int i = 0; i < 4; ++i) entries.push_back({i, in[i] * in[i]});
  entries.emplace_back(2, in[0]);
  double s = 0;
  for (const auto& [i, a] : entries) s += a * in[i];
  for (auto& e : entries) e.second *= e.first;
  for (auto& [i, a] : entries) { a += in[i]; s += a * a; }
  out[0] = s;
}

// case: at=0.3,1.1,-0.7
void tupleAssigned(const double* in, double* out) {
  std::pair<double, double> p(in[0], in[1]);
  for (int i = 0; i < 4; ++i) p = {p.second, p.first * p.second + in[2]};
  std::tuple<double, float, int> t;
  std::get<0>(t) = p.first;
  std::get<1>(t) = 0.5f;
  std::get<int>(t) = 3;
  auto u = t;
  std::get<0>(u) *= std::get<0>(t) + std::get<2>(t);
  t = u;
  out[0] = std::get<0>(t) * std::get<1>(u) + p.second;
}

// case: at=0.3,1.1,-0.7
void tieSwaps(const double* in, double* out) {
  double a = in[0], b = in[1], c = in[2];
  for (int i = 0; i < 3; ++i) {
    std::tie(a, b) = std::make_tuple(b, a * b + c);
    std::tie(std::ignore, c) = std::make_pair(1, a * c);
  }
  double v[2] = {a, b};
  std::tie(v[0], v[1]) = std::pair<double, double>(v[1] * c, v[0]);
  out[0] = v[0] * v[0] + v[1] * c;
}

struct Point {
  double x, y;
};
using Located = std::pair<Point, std::vector<double>>;
Located locate(const double* in, int n) {
  Located l;
  l.first = Point{in[0], in[1] * in[0]};
  for (int i = 0; i < n; ++i) l.second.push_back(in[i % 3] * l.first.y);
  return l;
}
// case: at=0.3,1.1,-0.7
void pairOfObjects(const double* in, double* out) {
  Located l = locate(in, 4);
  const Located copy = l;
  l.second[1] *= l.first.x;
  auto& [p, v] = l;
  p.x += v[1];
  double s = p.x * p.y;
  for (const double x : v) s += x * x;
  for (std::size_t i = 0; i < copy.second.size(); ++i) s += copy.second[i] * copy.first.x;
  out[0] = s;
}

double ofPair(std::pair<double, double> p) {
  p.first *= p.second;
  return p.first + p.second;
}
void scale(std::tuple<double, double>& t, double f) {
  std::get<0>(t) *= f;
  auto& [a, b] = t;
  b += a;
}
// case: at=0.3,1.1
void tupleArguments(const double* in, double* out) {
  const auto p = std::make_pair(in[0], in[1]);
  std::tuple<double, double> t{in[1], in[0]};
  scale(t, in[0]);
  scale(t, 2.0);
  out[0] = ofPair(p) * p.first + std::get<1>(t) * std::get<0>(t);
}

// case: at=0.3,1.1,-0.7
void arrayBinding(const double* in, double* out) {
  std::array<double, 3> a{in[0], in[1], in[2]};
  const auto [x, y, z] = a;
  auto& [u, v, w] = a;
  u *= x;
  v += u;
  w *= std::get<1>(a);
  out[0] = x * y * z + u * v + w;
}

// case: at=0.3,1.1,-0.7
void tupleCompared(const double* in, double* out) {
  std::pair<int, double> a(1, in[0]), b(1, in[1]), c(0, in[2]);
  double s = in[0];
  if (a < b) s *= in[1];
  if (c < a && !(a == b)) s += in[2] * in[2];
  if (a >= b || a != std::make_pair(1, in[0])) s *= 100.0;
  std::swap(a, c);
  s += a.second * c.second;
  out[0] = s;
}

struct Stats {
  std::pair<double, int> best{0.0, -1};
  std::tuple<double, double> sums;
  void add(double x, int i) {
    if (i == 0 || x > best.first) best = std::make_pair(x, i);
    sums = std::make_tuple(std::get<0>(sums) + x, std::get<1>(sums) + x * x);
  }
};
// case: at=0.3,1.1,-0.7
void tupleMembers(const double* in, double* out) {
  Stats s;
  for (int i = 0; i < 3; ++i) s.add(in[i] * in[(i + 1) % 3], i);
  const auto [sum, squares] = s.sums;
  out[0] = s.best.first * s.best.second + sum * sum - squares;
}
