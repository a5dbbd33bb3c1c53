// Everyday programs: classes, references, buffers that swap, tables of functions, adaptive loops, and what goes with them.
// group: hessian
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "extended.hpp"

namespace {

// --- a diffusion solver that swaps its buffers

class Rod {
 public:
  explicit Rod(int n, double left, double right) : n_(n), now_(std::size_t(n), left), next_(std::size_t(n)), left_(left), right_(right) {}
  bool advance(double k, double tolerance) {
    double change = 0;
    for (int i = 0; i < n_; ++i) {
      const double l = i == 0 ? left_ : at(i - 1), r = i + 1 == n_ ? right_ : at(i + 1);
      double& u = next_[std::size_t(i)];
      u = at(i) + k * (l - 2 * at(i) + r);
      change = std::max(change, std::fabs(u - at(i)));
    }
    std::swap(now_, next_);
    ++steps_;
    return change < tolerance;
  }
  double at(int i) const { return now_[std::size_t(i)]; }
  int steps() const { return steps_; }
  double& operator[](int i) { return now_[std::size_t(i)]; }
  double energy() const {
    double e = 0;
    for (const double& u : now_) e += u * u * (1 + 0.1 * double(&u - now_.data()));
    return e;
  }

 private:
  int n_, steps_ = 0;
  std::vector<double> now_, next_;
  double left_, right_;
};

// --- tables of functions

double linear(double x, const double* p) { return p[0] * x; }
double power(double x, const double* p) { return std::pow(x, p[1]); }
double saturating(double x, const double* p) { return x / (p[0] + x); }
using Law = double (*)(double, const double*);
const Law kLaws[] = {linear, power, saturating};

// --- virtual laws behind references and arrays of pointers

struct Source {
  virtual ~Source() = default;
  virtual double value(double x) const = 0;
  virtual void scale(double s) { factor *= s; }
  double total(const double* x, int n) const {
    double s = 0;
    for (int i = 0; i < n; ++i) s += value(x[i]);
    return factor * s;
  }
  double factor = 1;
};
struct Bump final : Source {
  Bump(double c, double w) : centre(c), width(w) {}
  double value(double x) const override { return std::exp(-(x - centre) * (x - centre) / width); }
  double centre, width;
};
struct Ramp : Source {
  explicit Ramp(double s) : slope(s) {}
  double value(double x) const override { return slope * x * x; }
  void scale(double s) override {
    Source::scale(s);
    slope += s;
  }
  double slope;
};

// --- members by pointer

struct Gas {
  double p, v, t;
  double ideal(double n) const { return n * t / v; }
  double waals(double n) const { return n * t / (v - 0.05 * n) - 0.2 * n * n / (v * v); }
};
using State = double (Gas::*)(double) const;

// --- lists and trees of nodes

struct Node {
  double value;
  Node* next;
  int left, right;
};
double sumTree(const Node* nodes, int at, double depth) {
  if (at < 0) return 0;
  return nodes[at].value * depth + sumTree(nodes, nodes[at].left, depth * 0.5) + sumTree(nodes, nodes[at].right, depth + 1);
}

// --- small algebra with overloaded operators

struct Mat2 {
  double a[2][2] = {{1, 0}, {0, 1}};
  double* operator[](int i) { return a[i]; }
  const double* operator[](int i) const { return a[i]; }
  Mat2& operator*=(const Mat2& b) { return *this = *this * b; }
  friend Mat2 operator*(const Mat2& x, const Mat2& y) {
    Mat2 r;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        r[i][j] = 0;
        for (int k = 0; k < 2; ++k) r[i][j] += x[i][k] * y[k][j];
      }
    return r;
  }
  Mat2 operator-() const {
    Mat2 r = *this;
    for (auto& row : r.a)
      for (double& x : row) x = -x;
    return r;
  }
  explicit operator double() const { return a[0][0] * a[1][1] - a[0][1] * a[1][0]; }
};

// --- in/out parameters

void axpy(double a, const double* x, double* y, int n) {
  for (int i = 0; i < n; ++i) y[i] += a * x[i];
}
void rotate2(double& x, double& y, double angle) {
  const double c = std::cos(angle), s = std::sin(angle), old = x;
  x = c * x - s * y;
  y = s * old + c * y;
}
bool trial(double h, const double* y, double* out, double& error) {
  const double k1 = -y[0] * y[0], half = y[0] + h * k1;
  const double k2 = -half * half;
  out[0] = y[0] + 0.5 * h * (k1 + k2);
  error = std::fabs(0.5 * h * (k2 - k1));
  return error < 1e-2;
}

// --- statics

struct Counter {
  static double sum;
  static int calls;
  static void add(double x) {
    sum += x * x;
    ++calls;
  }
};
double Counter::sum = 0;
int Counter::calls = 0;

double smoothed(double x, bool reset) {
  static double last = 0;
  static int count = 0;
  if (reset) last = 0, count = 0;
  ++count;
  last = last + (x - last) / count;
  return last * x;
}

enum class Scheme { Upwind, Central, Blend, None };
double flux(Scheme scheme, double a, double b, double blend) {
  double f = 0;
  switch (scheme) {
    case Scheme::Blend:
      f += blend * a;
      [[fallthrough]];
    case Scheme::Central:
      f += 0.5 * (a + b);
      if (f > 2.5) break;
      [[fallthrough]];
    default:
      f *= 1.1;
      break;
    case Scheme::Upwind: return a > b ? a * a : b;
  }
  return f + b;
}

// --- a recursion by a function that is handed over

double simpson(double (*f)(double, double), double p, double a, double fa, double b, double fb, double m, double fm, double whole, int depth) {
  const double l = 0.5 * (a + m), r = 0.5 * (m + b), fl = f(l, p), fr = f(r, p);
  const double left = (m - a) / 6 * (fa + 4 * fl + fm), right = (b - m) / 6 * (fm + 4 * fr + fb);
  if (depth == 0 || std::fabs(left + right - whole) < 1e-3) return left + right;
  return simpson(f, p, a, fa, m, fm, l, fl, left, depth - 1) + simpson(f, p, m, fm, b, fb, r, fr, right, depth - 1);
}
double peak(double x, double p) { return 1 / (p + x * x); }

// --- a class with a cache and a delegating constructor

class Spline {
 public:
  Spline() : Spline(1.0, 0.5) {}
  Spline(double a, double b) : a_(a), b_(b) { refresh(); }
  void set(double a) {
    a_ = a;
    dirty_ = true;
  }
  double operator()(double x) const {
    if (dirty_) refresh();
    return c_ * x + b_ * x * x;
  }

 private:
  void refresh() const {
    c_ = std::sin(a_) * b_;
    dirty_ = false;
  }
  double a_, b_;
  mutable double c_ = 0;
  mutable bool dirty_ = true;
};

struct Vec3 {
  union {
    struct {
      double x, y, z;
    };
    double v[3];
  };
  double dot(const Vec3& o) const { return x * o.x + y * o.y + z * o.z; }
  Vec3& normalise() {
    const double n = std::sqrt(dot(*this));
    for (double& c : v) c /= n;
    return *this;
  }
};

void fft(std::complex<double>* a, int n) {
  for (int i = 1, j = 0; i < n; ++i) {
    int bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(a[i], a[j]);
  }
  for (int len = 2; len <= n; len <<= 1) {
    const double ang = 2 * 3.14159265358979323846 / len;
    const std::complex<double> wl(std::cos(ang), std::sin(ang));
    for (int i = 0; i < n; i += len) {
      std::complex<double> w(1);
      for (int j = 0; j < len / 2; ++j) {
        const std::complex<double> u = a[i + j], v = a[i + j + len / 2] * w;
        a[i + j] = u + v;
        a[i + j + len / 2] = u - v;
        w *= wl;
      }
    }
  }
}

}  // namespace

// case: at=0.4,1.5,0.2 out=2
void everydayRod(const double* in, double* out) {
  Rod rod(5, in[0], in[1]);
  rod[2] += in[0] * in[1];
  while (!rod.advance(in[2], 0.05) && rod.steps() < 12) {
    if (rod.at(2) > 3) break;
  }
  out[0] = rod.energy();
  out[1] = rod.at(3) * rod.steps();
}

// case: at=0.7,1.6,0.9 out=3
void everydayTable(const double* in, double* out) {
  double total = 0;
  for (std::size_t k = 0; k < sizeof(kLaws) / sizeof(kLaws[0]); ++k) {
    const Law law = kLaws[(k + 1) % 3];
    out[k] = law(in[2] + total, in);
    total += out[k];
  }
}

// case: at=0.3,0.8,1.4 out=2
void everydayVirtual(const double* in, double* out) {
  Bump bump(in[0], in[1]);
  Ramp ramp(in[2]);
  Source* const all[] = {&bump, &ramp, &bump};
  double sum = 0;
  for (Source* s : all) {
    s->scale(in[1]);
    sum += s->total(in, 3);
  }
  const Source& last = sum > 4 ? static_cast<const Source&>(bump) : ramp;
  out[0] = sum;
  out[1] = last.value(in[0] * sum) * ramp.factor;
}

// case: at=1.2,0.9,0.4 out=2
void everydayMemberPointers(const double* in, double* out) {
  const State table[2] = {&Gas::ideal, &Gas::waals};
  double Gas::*const which[] = {&Gas::v, &Gas::t};
  Gas g{0, in[0], in[1]};
  double sum = 0;
  for (int k = 0; k < 4; ++k) {
    g.p = (g.*table[k % 2])(in[2]);
    g.*which[k / 2] *= 1 + 0.1 * g.p;
    sum += g.p * g.p;
  }
  out[0] = sum;
  out[1] = g.v / g.t;
}

// case: at=0.5,1.5,2.5,0.7 out=2
void everydayNodes(const double* in, double* out) {
  Node nodes[4];
  Node* head = nullptr;
  for (int k = 0; k < 4; ++k) {
    nodes[k] = {in[k], head, 2 * k + 1 < 4 ? 2 * k + 1 : -1, 2 * k + 2 < 4 ? 2 * k + 2 : -1};
    head = &nodes[k];
  }
  Node* before = nullptr;  // reversed in place
  while (head) {
    Node* const next = head->next;
    head->next = before;
    before = head;
    head = next;
  }
  double s = 1;
  for (const Node* p = before; p; p = p->next) {
    if (p->value > 2) continue;
    s = s * p->value + std::sin(s);
  }
  out[0] = s;
  out[1] = sumTree(nodes, 0, in[3]);
}

// case: at=0.5,1.5,-0.4,0.7 out=2
void everydayMatrices(const double* in, double* out) {
  Mat2 m, p;
  m[0][0] = in[0];
  m[0][1] = in[1];
  m[1][0] = in[2];
  m[1][1] = in[3];
  for (int k = 5; k > 0; k >>= 1) {
    if (k & 1) p *= m;
    m *= m;
  }
  out[0] = static_cast<double>(p) + p[0][1];
  out[1] = (-p)[1][0];
}

// case: at=0.5,1.5,-0.4 out=3
void everydaySameTwice(const double* in, double* out) {
  double y[3] = {in[0], in[1], in[2]};
  axpy(y[0], y, y, 3);
  axpy(0.5, y, y + 1, 2);
  double a = in[0], b = in[1];
  rotate2(a, b, in[2]);
  rotate2(a, a, b);
  rotate2(y[1], y[2], y[0]);
  for (int k = 0; k < 3; ++k) out[k] = y[k] * a + b;
}

// case: at=1.3,0.9 out=2
void everydayAdaptive(const double* in, double* out) {
  double y[1] = {in[0]}, next[1], t = 0, h = in[1], error = 0;
  int rejected = 0;
  for (;;) {
    if (t + h > 1) h = 1 - t;
    if (!trial(h, y, next, error)) {
      if (++rejected > 20) goto failed;
      h *= 0.5;
      continue;
    }
    t += h;
    y[0] = next[0];
    if (t >= 1 - 1e-12) break;
    h *= 1.2;
  }
  out[0] = y[0] * y[0];
  out[1] = error;
  return;
failed:
  out[0] = y[0];
  out[1] = 0;
}

// case: at=1.3,0.9,0.2 out=2
void everydayStatics(const double* in, double* out) {
  Counter::sum = 0;
  Counter::calls = 0;
  double s = smoothed(in[0], true);
  for (int k = 0; k < 3; ++k) {
    s += smoothed(in[k] * s, false);
    Counter::add(s);
  }
  out[0] = Counter::sum / Counter::calls;
  out[1] = s;
}

// case: at=1.3,0.9,0.2 out=4
void everydaySwitch(const double* in, double* out) {
  const Scheme schemes[] = {Scheme::Upwind, Scheme::Central, Scheme::Blend, Scheme::None};
  double a = in[0];
  for (int k = 0; k < 4; ++k) {
    out[k] = flux(schemes[k], a, in[1], in[2]);
    a = out[k] * in[2] + a;
  }
}

// case: at=0.23
void everydaySimpson(const double* in, double* out) {
  const double a = -1, b = 2, m = 0.5;
  const double fa = peak(a, in[0]), fb = peak(b, in[0]), fm = peak(m, in[0]);
  out[0] = simpson(peak, in[0], a, fa, b, fb, m, fm, (b - a) / 6 * (fa + 4 * fm + fb), 8);
}

// case: at=1.3,0.9,0.2 out=2
void everydayCache(const double* in, double* out) {
  Spline s(in[0], in[1]), plain;
  double x = s(in[2]);
  s.set(x * in[1]);
  x += s(x) + plain(in[0]);
  Spline copy = s;
  copy.set(x);
  out[0] = copy(in[0]) * s(in[2]);
  out[1] = x;
}

// case: at=1.3,0.9,0.2,0.5 out=3
void everydayUnion(const double* in, double* out) {
  Vec3 a, b;
  for (int k = 0; k < 3; ++k) {
    a.v[k] = in[k];
    b.v[k] = in[3] * (k + 1);
  }
  b.z -= a.x;
  std::swap(a.y, b.v[0]);
  a.normalise();
  out[0] = a.dot(b.normalise());
  out[1] = a.v[1];
  out[2] = b.z;
}

// case: at=1.3,0.9,0.2,0.5,-0.7,0.3,1.1,0.6 out=3
void everydayFourier(const double* in, double* out) {
  std::complex<double> a[4];
  for (int k = 0; k < 4; ++k) a[k] = {in[2 * k], in[2 * k + 1]};
  fft(a, 4);
  out[0] = std::norm(a[1]);
  a[2].imag(a[2].imag() + 1);
  a[3].real(a[3].real() * a[2].imag());
  out[1] = std::abs(a[2] * a[3]);
  out[2] = std::arg(a[0]);
}

// case: at=1.3,0.9,0.2,0.5
void everydayLongDouble(const double* in, double* out) {
  Extended sum = 0, carry = 0;
  float scale = 0.5f;
  for (int k = 0; k < 4; ++k) {
    const Extended y = static_cast<Extended>(in[k]) * in[k] * scale - carry, t = sum + y;
    carry = (t - sum) - y;
    sum = t;
    scale *= 2;
  }
  out[0] = static_cast<double>(std::sqrt(sum)) + double(carry);
}

// case: at=1.3,0.9,0.2,0.5 out=2
void everydayPlaces(const double* in, double* out) {
  double a[2][2] = {{in[0], in[1]}, {in[2], in[3]}};
  double(*row)[2] = a;
  double* rows[2] = {a[1], a[0]};
  (in[0] > in[1] ? a[0][0] : a[1][1]) *= in[2];
  double &pivot = rows[0][0], *p = &row[1][1];
  pivot += *p-- * 2;
  *p = pivot * pivot + *(p - 1);
  std::swap(rows[0], rows[1]);
  double s = 0;
  for (double *q = rows[0], *end = q + 2; q != end; ++q) s += *q * rows[1][q - rows[0]];
  for (std::size_t i = 2; i-- > 0;) s = s * a[i][i] + (i ? a[0][1] : 0.5), s += 0.25 * s * s;
  int k = 3;
  do {
    if (--k == 1) continue;
    s += in[k] * k;
  } while (k > 0);
  out[0] = s;
  out[1] = pivot - row[0][1];
}

// case: at=1.3,0.9,0.2 out=2
void everydayLambdas(const double* in, double* out) {
  double total = 0;
  auto add = [&total, w = in[2]](double x, double scale = 2) mutable {
    w += x;
    total += scale * w * x;
  };
  add(in[0]);
  add(in[1], 0.5);
  const std::function<double(double)> f = [&](double x) { return x * total; };
  std::array<double, 3> v{in[0], in[1], in[2]};
  std::transform(v.begin(), v.end(), v.begin(), [&](double x) { return f(x) + x * x; });
  std::sort(v.begin(), v.end(), std::greater<>());
  const auto [lo, hi] = std::pair(v[2], v[0]);
  if (!(hi >= lo)) throw std::runtime_error("not sorted: " + std::to_string(hi));
  out[0] = lo * hi;
  out[1] = total;
}

// case: at=1.3,0.9,0.2 out=2
void everydayOwner(const double* in, double* out) {
  const auto weights = std::make_unique<double[]>(3);
  double* raw = static_cast<double*>(std::malloc(3 * sizeof(double)));
  if (!raw) std::abort();
  for (int k = 0; k < 3; ++k) weights[std::size_t(k)] = raw[k] = in[k] * (k + 1);
  std::vector<std::vector<double>> table(2, std::vector<double>(3, in[1]));
  for (auto& r : table) {
    for (std::size_t j = 0; j < r.size(); ++j) r[j] *= raw[j] + weights[2 - j];
    raw[0] += r.back();
  }
  table.push_back(table.front());
  out[0] = table[2][0] * raw[0];
  out[1] = table.back().at(1) + table.front()[2];
  std::free(raw);
}

// A variable in front of a loop whose address is kept: it lives on behind the loop that gives it its values.
// case: at=0.3,1.1,-0.7
void lastOfALoop(const double* in, double* out) {
  double square, other;
  const double* last = in;
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    square = in[i] * in[i];
    if (square > 0.1) last = &square;
    sum += square;
  }
  for (int i = 0; i < 2; ++i) {
    other = sum * in[i];
    sum += std::sin(other);
  }
  double noise[4] = {sum, 2.0, 3.0, 4.0};
  out[0] = noise[0] * *last;
}
