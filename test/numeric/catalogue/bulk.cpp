// Operations of the standard library on ranges.
// group: hessian
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <vector>

// case: at=0.9,0.5
void copies(const double* in, double* out) {
  double a[5] = {in[0], in[1], in[0] * in[1], 0.3, 0.7};
  std::vector<double> v(5, 1.0);
  std::copy(a, a + 5, v.begin());
  v[1] *= v[0];
  std::copy_n(v.begin(), 3, a + 1);
  double* end = std::copy(v.begin() + 1, v.end(), a);
  a[4] *= *(end - 1);
  out[0] = 0.0;
  for (int k = 0; k < 5; ++k) out[0] += a[k] * a[k] * (k + 1);
}

// Source and target overlap.
// case: at=0.9,0.5
void overlappingCopies(const double* in, double* out) {
  std::vector<double> v{in[0], in[1], in[0] * in[1], 0.3, 0.7, 0.2};
  std::copy(v.begin() + 1, v.end(), v.begin());
  v[5] = v[0] * v[1];
  std::copy_backward(v.begin(), v.begin() + 4, v.begin() + 5);
  std::memmove(v.data() + 1, v.data(), 3 * sizeof(double));
  std::memmove(&v[2], &v[3], sizeof(double) * 3);
  out[0] = 0.0;
  for (std::size_t k = 0; k < v.size(); ++k) out[0] += v[k] * v[k] * (k + 1.0);
}

// case: at=0.9,0.5
void fills(const double* in, double* out) {
  double a[6] = {in[0], in[1], 1.0, 1.0, 1.0, 1.0};
  std::fill(a + 2, a + 4, a[0] * a[1]);
  std::fill_n(a + 4, 2, a[2]);
  a[5] *= a[3];
  std::array<double, 3> b;
  b.fill(a[5]);
  std::fill(b.begin() + 1, b.end(), b[0] * in[0]);
  out[0] = b[0] * b[1] + b[2] + a[4] * a[2];
}

// case: at=0.9,0.5
void memory(const double* in, double* out) {
  double a[4] = {in[0], in[1], 0.3, in[0] * in[1]}, b[4], c[4];
  std::memcpy(b, a, sizeof(a));
  b[0] *= a[3];
  const int n = 3;
  std::memcpy(c + 1, b, n * sizeof(double));
  c[0] = 0.25;
  std::memset(a, 0, 2 * sizeof(*a));
  a[1] += c[1] * b[2];
  out[0] = 0.0;
  for (int k = 0; k < 4; ++k) out[0] += a[k] * c[k] + c[k] * c[k];
}

// What is copied is overwritten in a loop.
// case: at=0.9,0.5
void copiesInTimeLoop(const double* in, double* out) {
  std::vector<double> u(6, in[0]), old(6);
  u[3] = in[1];
  for (int step = 0; step < 4; ++step) {
    std::copy(u.begin(), u.end(), old.begin());
    for (int i = 1; i < 5; ++i) u[i] = old[i] + 0.2 * (old[i - 1] - 2.0 * old[i] + old[i + 1]) * old[i];
  }
  out[0] = std::inner_product(u.begin(), u.end(), old.begin(), 0.0);
}

// case: at=0.9,0.5
void sums(const double* in, double* out) {
  std::vector<double> v{in[0], in[1], in[0] * in[1], 0.3};
  const double s = std::accumulate(v.begin(), v.end(), 0.1);
  const double p = std::accumulate(v.begin(), v.end(), 1.0, std::multiplies<double>());
  const double q = std::accumulate(v.begin(), v.end(), in[1], [](double sum, double x) { return sum + x * x * sum; });
  const float f = std::accumulate(v.begin(), v.end(), 0.0f);
  const int none = std::accumulate(v.begin(), v.end(), 0);
  const double ip = std::inner_product(v.begin(), v.end() - 1, v.begin() + 1, s);
  out[0] = s * p + q * ip + 0.0 * f + none;
}

// case: at=0.9,0.5
void bestElements(const double* in, double* out) {
  std::vector<double> v{in[0], in[1], in[0] * in[1], 0.3};
  const auto top = std::max_element(v.begin(), v.end());
  const auto low = std::min_element(v.begin(), v.end(), [](double a, double b) { return a * a < b * b; });
  *top *= *low;
  double a[3] = {in[1], in[0], 0.2};
  const double m = *std::max_element(a, a + 3);
  const std::size_t where = std::max_element(a, a + 3) - a;
  std::vector<double> empty;
  const bool none = std::min_element(empty.begin(), empty.end()) == empty.end();
  out[0] = v[0] * v[1] + v[3] * m * m + static_cast<double>(where) + (none ? in[0] : 0.0);
}

// case: at=0.9,0.5
void exchanges(const double* in, double* out) {
  double a[4] = {in[0], in[1], 0.3, in[0] * in[1]}, b[4] = {0.1, 0.2, in[1], 0.4};
  std::swap_ranges(a, a + 3, b + 1);
  a[0] *= b[1];
  std::reverse(a, a + 4);
  std::swap(a[0], b[3]);
  std::array<double, 2> c{a[1], b[2]}, d{b[0], 0.5};
  std::swap(c, d);
  c.swap(d);
  d = c;
  d[0] *= c[1];
  out[0] = a[0] * a[3] + b[3] * b[1] + c[0] * d[0] + d[1];
}

// case: at=0.9,0.5
void transforms(const double* in, double* out) {
  std::vector<double> v{in[0], in[1], in[0] * in[1]}, w(3), z(3);
  const double scale = in[1];
  std::transform(v.begin(), v.end(), w.begin(), [scale](double x) { return std::sin(x) * scale; });
  std::transform(v.begin(), v.end(), w.begin(), z.begin(), [](double x, double y) { return x * y + x; });
  std::transform(z.begin(), z.end(), v.begin(), z.begin(), std::plus<double>());
  std::transform(z.begin(), z.end(), z.begin(), [&](double x) {
    if (x > 1.5) return x * w[0];
    return x + v[1];
  });
  double total = 0.0;
  std::for_each(z.begin(), z.end(), [&total](double& x) {
    x *= x;
    total += x;
  });
  out[0] = total + z[0] * z[2];
}

struct Scale {
  double by;
  double operator()(double x) const { return by * x * x; }
};

// case: at=0.9,0.5
void functionObjects(const double* in, double* out) {
  std::vector<double> v{in[0], in[1], 0.4};
  const Scale scale{in[1]};
  std::transform(v.begin(), v.end(), v.begin(), scale);
  std::transform(std::begin(v), std::end(v), std::begin(v), Scale{v[1]});
  out[0] = v[0] * v[1] + v[2];
}

// case: at=0.9,0.5
void positions(const double* in, double* out) {
  std::vector<double> v{in[0], in[1], in[0] * in[1], 0.3};
  auto it = std::next(v.begin());
  std::advance(it, 1);
  *it *= *std::prev(v.end());
  std::vector<int> order(4);
  std::iota(order.begin(), order.end(), 0);
  std::reverse(order.begin(), order.end());
  out[0] = static_cast<double>(std::distance(v.begin(), it));
  for (int k : order) out[0] = out[0] * 0.5 + v[k] * v[0];
}

struct Cell {
  double x, y;
  int kind;
};

// case: at=0.9,0.5
void rangesOfRecords(const double* in, double* out) {
  std::vector<Cell> a(3, Cell{in[0], in[1], 1}), b(3);
  a[1].x *= a[1].y;
  std::copy(a.begin(), a.end(), b.begin());
  Cell c[2];
  std::memcpy(c, &a[1], 2 * sizeof(Cell));
  std::fill(a.begin(), a.begin() + 2, c[0]);
  const double s = std::accumulate(a.begin(), a.end(), 0.0, [](double sum, const Cell& cell) { return sum + cell.x * cell.y; });
  out[0] = s * b[1].x + c[1].y * c[0].x + b[2].kind;
}

// case: at=0.9,0.5
void emptyRanges(const double* in, double* out) {
  std::vector<double> v, w{in[0]};
  std::copy(v.begin(), v.end(), w.begin());
  std::fill(w.end(), w.end(), in[1]);
  std::reverse(v.begin(), v.end());
  std::copy_backward(v.begin(), v.end(), w.end());
  std::memcpy(w.data(), w.data() + 1, 0 * sizeof(double));  // (it takes no null pointer, even for nothing)
  out[0] = std::accumulate(v.begin(), v.end(), in[1]) * w[0];
}
