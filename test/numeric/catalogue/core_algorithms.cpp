// The core language: algorithms of the standard library on reals, reverse iterators, containers compared.
// (Clang finds something deprecated in GCC's std::stable_sort.)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

// case: at=0.3,1.1,0.7
void reverseLoops(const double* in, double* out) {
  std::vector<double> v(in, in + 3);
  double s = 0;
  for (auto it = v.rbegin(); it != v.rend(); ++it) {
    s = s * 0.5 + *it * *it;
    *it = s;
  }
  for (std::vector<double>::const_reverse_iterator it = v.crbegin(); it < v.crend(); it += 2) s *= 1.0 + *it;
  auto last = v.rbegin();
  s += last[1] * *(last + 2) + *last++ * *std::next(last) + static_cast<double>(v.rend() - last) * *std::prev(v.rend());
  s += *last.base();
  out[0] = s + v[0] * v[2];
}

// case: at=0.3,1.1,0.7
void reversedRanges(const double* in, double* out) {
  std::vector<double> v(in, in + 3), w(3), r(v.rbegin(), v.rend());
  std::copy(v.rbegin(), v.rend(), w.begin());
  std::partial_sum(w.begin(), w.end(), v.rbegin());
  std::transform(std::rbegin(v), std::rend(v), w.begin(), [](double x) { return x * x; });
  const double horner = std::accumulate(r.rbegin(), r.rend(), 0.0, [&](double s, double c) { return s * in[0] + c; });
  const auto largest = std::max_element(v.rbegin(), v.rend());
  out[0] = v[0] * w[1] + v[2] + horner + *largest * r[0];
}

// case: at=0.3,1.1,0.7 out=2
void scans(const double* in, double* out) {
  std::vector<double> v(in, in + 3), w(3), x(4);
  const auto end = std::partial_sum(v.begin(), v.end(), w.begin());
  std::partial_sum(v.begin(), v.end(), v.begin(), std::multiplies<double>());
  std::adjacent_difference(w.begin(), w.end(), x.begin());
  std::adjacent_difference(x.begin(), x.begin() + 3, x.begin(), [](double a, double b) { return a * b; });
  out[0] = w[0] * w[1] * w[2] + v[2] * v[1] * x[1] + static_cast<double>(end - w.begin()) * x[2];
  std::inclusive_scan(in, in + 3, w.begin());
  std::exclusive_scan(in, in + 3, x.begin(), 0.5, [](double a, double b) { return a * b + b; });
  std::inclusive_scan(w.begin(), w.end(), w.begin(), std::plus<>(), in[1]);
  out[1] = w[0] * w[2] + x[0] * x[1] + x[2];
}

// case: at=0.9,1.1,0.3,0.7,0.5,1.3,0.2 out=3
void sorts(const double* in, double* out) {
  std::vector<double> v(in, in + 7);
  std::sort(v.begin(), v.end());
  out[0] = 0;
  for (std::size_t i = 0; i < v.size(); ++i) out[0] += (i + 1) * v[i] * v[i];
  std::sort(v.begin(), v.end(), std::greater<>());
  out[1] = v[0] * v[1] + v[6];
  double a[4] = {in[0] * in[1], in[2], -in[3], in[4]};
  std::sort(a, a + 4, [](double x, double y) { return std::fabs(x) < std::fabs(y); });
  std::sort(v.rbegin(), v.rend() - 3);
  out[2] = a[0] * a[1] + a[3] + v[3] * v[6] + 2 * v[0];
}

struct Station {
  double distance, value;
  int id;
};

// case: at=0.9,1.1,0.3,0.7,0.5
void sortedRecordsAndIndices(const double* in, double* out) {
  Station s[5];
  for (int i = 0; i < 5; ++i) s[i] = {in[i], in[i] * in[(i + 1) % 5], i};
  std::stable_sort(s, s + 5, [](const Station& a, const Station& b) { return a.distance < b.distance; });
  std::vector<int> order(5);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return s[a].value > s[b].value; });
  double sum = 0;
  for (int i = 0; i < 5; ++i) sum += s[order[i]].value * (i + 1) + s[i].id * s[i].distance;
  out[0] = sum;
}

// case: at=0.9,1.1,0.3,0.7,0.5
void medianAndQuantile(const double* in, double* out) {
  std::vector<double> v(in, in + 5);
  std::nth_element(v.begin(), v.begin() + 2, v.end());
  const double median = v[2];
  std::partial_sort(v.begin(), v.begin() + 2, v.end(), std::greater<double>());
  out[0] = median * median + v[0] * v[1];
}

// case: at=0.3,1.1,0.7 out=2
void searches(const double* in, double* out) {
  const double knots[4] = {0.0, 0.5, 1.0, 2.0};
  const double values[4] = {in[0], in[1], in[2], in[0] * in[1]};
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    const auto k = std::upper_bound(knots, knots + 4, in[i]) - knots - 1;
    const double t = (in[i] - knots[k]) / (knots[k + 1] - knots[k]);
    s += values[k] * (1 - t) + values[k + 1] * t;
  }
  out[0] = s;
  std::vector<double> v(in, in + 3);
  const auto large = std::count_if(v.begin(), v.end(), [](double x) { return x > 0.5; });
  s = static_cast<double>(large) * v[0] * v[1];
  if (std::any_of(v.begin(), v.end(), [](double x) { return x > 1; })) s *= v[2];
  if (std::all_of(v.begin(), v.end(), [](double x) { return x > 1; })) s *= 5;
  if (std::none_of(v.begin(), v.end(), [](double x) { return x > 2; })) s += v[2];
  const auto it = std::find_if(v.begin(), v.end(), [](double x) { return x > 0.6; });
  if (it != v.end()) s += *it * *it;
  if (std::find(v.begin(), v.end(), 5.0) == v.end()) s *= v[1];
  const auto low = std::lower_bound(knots, knots + 4, 0.5);
  out[1] = s + static_cast<double>(low - knots) * in[0] + (std::binary_search(knots, knots + 4, 1.0) ? in[1] : in[2] * 7);
}

double triple(double x) { return 3 * x * x; }

// case: at=0.3,1.1,0.7
void filtersAndFills(const double* in, double* out) {
  std::vector<double> v(4), kept(4, 0.0);
  double x = in[0];
  std::generate(v.begin(), v.end(), [&] {
    x *= in[1] + 0.2;
    return x;
  });
  std::replace_if(v.begin(), v.end(), [](double t) { return t < 0.35; }, in[2]);
  std::rotate(v.begin(), v.begin() + 1, v.end());
  double few[3] = {in[2], v[0], v[1]};  // the parts' lengths are an int and a long
  std::rotate(&few[0], &few[0] + 1, &few[0] + 3);
  v[3] *= few[0] - few[2];
  const auto end = std::copy_if(v.begin(), v.end(), kept.begin(), [](double t) { return t > 0.5; });
  v.erase(std::remove_if(v.begin(), v.end(), [](double t) { return t > 0.65; }), v.end());
  double s = static_cast<double>(end - kept.begin()) * in[1];
  for (double k : kept) s = s * 0.5 + k * k;
  std::transform(kept.begin(), kept.end(), kept.begin(), triple);
  std::transform(kept.begin(), kept.end(), kept.begin(), static_cast<double (*)(double)>(std::exp));
  std::transform(kept.begin(), kept.end(), kept.begin(), [](auto t) { return t * t; });
  for (double k : v) s += k;
  out[0] = s + kept[0] * kept[1];
}

// case: at=0.3,1.1,0.7
void reductions(const double* in, double* out) {
  std::vector<double> a(in, in + 3), b{in[1], in[2], in[0]};
  double s = std::reduce(a.begin(), a.end()) * std::reduce(b.begin(), b.end(), in[0]);
  s += std::transform_reduce(a.begin(), a.end(), b.begin(), 0.5);
  s *= std::transform_reduce(a.begin(), a.end(), 0.5, std::plus<double>(), [](double x) { return std::sin(x); });
  s += std::transform_reduce(b.begin(), b.end(), in[0], [](double x, double y) { return x * y; }, [&](double x) { return x * in[1]; });
  s += std::inner_product(a.begin(), a.end(), b.begin(), 1.0, std::multiplies<>(), std::plus<>());
  s += std::inner_product(a.begin(), a.end(), b.begin(), 0.0, [](double x, double y) { return std::fmax(x, y); }, std::multiplies<double>());
  out[0] = s;
}

// case: at=0.3,1.1,0.7
void comparedContainers(const double* in, double* out) {
  std::vector<double> v(in, in + 3), w(v);
  w[1] *= 2;
  std::array<double, 2> a{in[0], in[1]}, b{in[0], in[2]};
  const std::vector<std::vector<int>> x{{1, 2}, {3}}, y{{1, 2}, {3, 0}};
  double s = v == w ? in[0] : in[1] * in[2];
  if (v < w) s *= in[0];
  if (v != w) s += v[0];
  if (a == b) s *= 7;
  if (a > b) s *= in[2];
  w.pop_back();
  if (w >= v) s += in[2];
  if (x < y && !(x == y)) s *= s;
  out[0] = s;
}

// --- range-for over classes with begin() and end() ---------------------------------------------------------------------------------

// Pointers, and the iterators of a member.
struct Block {
  double values[4] = {0, 0, 0, 0};
  int used = 0;
  double* begin() { return values; }
  double* end() { return values + used; }
  const double* begin() const { return values; }
  const double* end() const { return values + used; }
};
struct Wrapper {
  std::vector<double> values;
  auto begin() { return values.begin(); }
  auto end() { return values.end(); }
  auto begin() const { return values.begin(); }
  auto end() const { return values.end(); }
};
double sumOf(const Wrapper& w) {
  double s = 0;
  for (const double v : w) s += v * v;
  return s;
}
// case: at=0.3,1.1,-0.7
void rangesOfPointers(const double* in, double* out) {
  Block b;
  double s = 0;
  for (double v : b) s += v;  // none
  b.used = 3;
  int k = 0;
  for (double& v : b) v = in[k++] * in[0];
  for (const double v : static_cast<const Block&>(b)) {
    if (v < 0) continue;
    s += v * v;
    if (s > 100) break;
  }
  Wrapper w{{in[0], in[1], in[2]}};
  for (auto& v : w) v *= s + v;
  double weights = 0;
  for (const double c : {in[1], 2.0 * in[0], in[2]}) weights += c * c;
  for (const int d : {-1, 1}) weights *= in[1] + d * in[0];
  out[0] = sumOf(w) * weights + b.values[1];
}

// Lists of values, and arrays of arrays.
// case: at=0.3,1.1,-0.7
void listsOfValues(const double* in, double* out) {
  double s = std::max({in[0], in[1] * in[2], in[2], in[0] * in[1]}) * std::min({in[1], in[0] + in[2]});
  const int n = std::max({2, static_cast<int>(in[1] * 3), 1}), m = std::min({n, 7});
  std::array<std::array<double, 2>, 2> a{{{in[0], 1.0}, {2.0, in[1]}}};
  auto b = a;
  b[0][1] *= in[2];
  for (int k = 0; k < n; ++k)
    for (auto& row : a) row[1] += b[k % 2][1] * row[0] / m;
  b = a;
  out[0] = s * a[0][1] + b[1][1];
}
