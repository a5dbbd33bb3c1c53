// Values and expressions: precisions, truncation, side effects, closures with state, operators, complex numbers.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

// Precisions.
// case: at=0.3,1.1,-0.7 precision=2e-6
void mixedPrecision(const double* in, double* out) {
  float f[3];
  auto total = 0.0L;
  for (int i = 0; i < 3; ++i) {
    f[i] = static_cast<float>(in[i]) * 1.5f;
    total += 0.5L * f[i] * in[(i + 1) % 3];
  }
  float g = 0.5f;
  g *= static_cast<float>(total);
  g += f[1];
  double d = g;
  d /= 1.0L + total * total;
  out[0] = static_cast<double>(total) + d * static_cast<double>(f[2]);
}
// case: at=0.3,1.1,-0.7
void truncated(const double* in, double* out) {
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    const int cell = static_cast<int>(10 * in[i] * in[i]);
    const double rest = 10 * in[i] * in[i] - cell;
    s += rest * rest * (cell & 1 ? in[0] : 1.0);
    const bool positive = in[i] > 0;
    s += positive * in[i];
    s -= !positive;
  }
  out[0] = s;
}

// Chained, comma and conditional assignments, with side effects in indices.
// case: at=0.3,1.1,-0.7
void chainedAssignments(const double* in, double* out) {
  double a[4] = {in[0], in[1], in[2], 1.0}, b, c;
  int i = 0;
  b = c = a[i++] * in[1];
  (a[i] > 0 ? b : c) *= a[i++ - 1];
  a[i--] += (c -= b, c * b);
  a[i] = a[i + 1] = a[i - 1] *= b;
  b /= c = 2 + c * c, ++i;
  double* p = a;
  *p++ *= b;
  ++p;
  *p += *(p - 1) * i;
  out[0] = std::accumulate(a, a + 4, b) + c;
}
double counted(double x, int& n) { return ++n * x; }
// case: at=0.3,1.1,-0.7
void effectsInConditions(const double* in, double* out) {
  int n = 0;
  double s = 0;
  if (counted(in[0], n) > 0 && (counted(in[2], n) > 0 || counted(in[1], n) > 0)) s += n * in[1];
  while (n < 8 && (s += counted(in[1], n)) < 20) s *= 0.9;
  for (double t = in[0]; (t *= 1.5) < 3; s += t, t += 0.1 * in[1]) s -= 0.5 * t;
  do s += in[2]; while (counted(s, n) < -1 && n < 30);
  s *= n > 3 ? n-- : ++n;
  out[0] = s + n;
}

// Closures that carry state, and what is given to algorithms.
// case: at=0.3,1.1,-0.7
void statefulClosures(const double* in, double* out) {
  double total = 0;
  int visits = 0;
  auto add = [&total, &visits, scale = in[0] * 2](double x) mutable {
    total += scale * x;
    scale *= 0.9 + 0.1 * x;
    ++visits;
    return total;
  };
  double s = 0;
  for (int i = 0; i < 3; ++i) s += add(in[i]) * add(s);
  std::function<double(double)> half = [&](double x) { return 0.5 * x * total; };
  std::array<double, 3> v{in[0], in[1], in[2]};
  std::transform(v.begin(), v.end(), v.begin(), [&](double x) { return half(x) + x; });
  s += std::inner_product(v.begin(), v.end(), in, 0.0) + std::invoke([&](double x) { return half(x) * x; }, s);
  out[0] = s * visits;
}
template <class Rhs>
double rungeKutta(double u, double t, double dt, int n, Rhs&& rhs) {
  for (int i = 0; i < n; ++i, t += dt) {
    const double k1 = rhs(t, u), k2 = rhs(t + dt / 2, u + dt / 2 * k1), k3 = rhs(t + dt / 2, u + dt / 2 * k2), k4 = rhs(t + dt, u + dt * k3);
    u += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return u;
}
struct Decay {
  double rate;
  mutable int evaluations = 0;
  double operator()(double t, double u) const {
    ++evaluations;
    return -rate * u + std::cos(t);
  }
};
// case: at=0.3,1.1,-0.7
void integrators(const double* in, double* out) {
  Decay d{in[1]};
  const double a = rungeKutta(in[0], 0.0, 0.1, 5, d);
  const double b = rungeKutta(a, 0.5, 0.1, 5, [&](double t, double u) { return in[2] * u * u + t * a; });
  out[0] = a * b + d.evaluations;
}

// Matrices: operators, expression by expression, moves, conversion operators.
template <int N>
struct Square {
  double a[N][N];
  double* operator[](int i) { return a[i]; }
  const double* operator[](int i) const { return a[i]; }
  Square operator*(const Square& o) const {
    Square r = {};
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        for (int k = 0; k < N; ++k) r[i][j] += a[i][k] * o[k][j];
    return r;
  }
  Square& operator+=(const Square& o) {
    for (int i = 0; i < N * N; ++i) a[i / N][i % N] += o.a[i / N][i % N];
    return *this;
  }
  explicit operator double() const {
    double t = 1;
    for (int i = 0; i < N; ++i) t *= a[i][i];
    return t;
  }
};
template <int N>
Square<N> power(const Square<N>& m, int n) {
  if (n == 1) return m;
  const Square<N> half = power(m, n / 2);
  return n % 2 ? half * half * m : half * half;
}
// case: at=0.3,1.1,-0.7,0.5
void matrixPower(const double* in, double* out) {
  Square<2> m = {{{in[0], in[1]}, {in[2], in[3]}}};
  Square<2> p = power(m, 5);
  p += m;
  p[0][1] *= m[1][0];
  (p += p) += m;
  out[0] = static_cast<double>(p) + p[0][1];
}
// Gauss with pivoting: rows are exchanged through pointers.
// case: at=0.3,1.1,-0.7,0.5,1.3,0.2
void pivoting(const double* in, double* out) {
  double data[3][4] = {{in[0], in[1], in[2], 1}, {in[3], in[4], in[5], 2}, {in[1], in[0], in[4], 3}};
  double* row[3] = {data[0], data[1], data[2]};
  for (int k = 0; k < 3; ++k) {
    int best = k;
    for (int i = k + 1; i < 3; ++i)
      if (std::fabs(row[i][k]) > std::fabs(row[best][k])) best = i;
    if (best != k) std::swap(row[best], row[k]);
    for (int i = k + 1; i < 3; ++i) {
      const double f = row[i][k] / row[k][k];
      for (int j = k; j < 4; ++j) row[i][j] -= f * row[k][j];
    }
  }
  double x[3];
  for (int i = 2; i >= 0; --i) {
    x[i] = row[i][3];
    for (int j = i + 1; j < 3; ++j) x[i] -= row[i][j] * x[j];
    x[i] /= row[i][i];
  }
  out[0] = x[0] + 2 * x[1] - x[2] * x[0];
}

// Complex numbers.
// case: at=0.3,1.1,-0.7 precision=1e-10
void complexChain(const double* in, double* out) {
  using C = std::complex<double>;
  C z(in[0], in[1]);
  C w = std::tan(z) * std::tanh(C(in[2], in[0]));
  for (int k = 0; k < 2; ++k) z = z * z * C(0.5) + w / (C(1.0) + z);
  w *= std::pow(z, in[1]) + std::pow(C(in[1], 0.2), z);
  out[0] = std::norm(w) + std::real(z * std::conj(w)) + std::imag(std::tanh(w));
}
// case: at=0.3,1.1,1.7
void complexPowerOfZero(const double* in, double* out) {
  const std::complex<double> z(in[0] * 0.0, in[1] * 0.0);
  const int n = static_cast<int>(in[2] + 1.5);
  out[0] = std::pow(z, in[2]).real() + std::pow(z, n).imag() + std::pow(z, 1.0).real() * in[2] + std::norm(z);
}
// case: at=0.3,2000.0,-500.0
void complexTangentFarOut(const double* in, double* out) {
  using C = std::complex<double>;
  out[0] = std::tan(C(in[0], in[1])).real() + std::tan(C(in[0], in[1])).imag() * in[0] + std::tanh(C(in[2], in[0])).real() * in[0];
}

// A type of the user's with the name of one of the library's.
namespace mine {
struct tuple {
  double first, second;
};
template <class T>
struct pair {
  T a, b;
};
struct vector {
  double x, y, z;
  double size() const { return x * x + y * y + z * z; }
};
struct complex {
  double re, im;
  complex operator*(const complex& o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
};
}  // namespace mine
mine::tuple twist(const mine::tuple& t) { return {t.second * t.first, t.first}; }
// case: at=0.3,1.1,-0.7
void namesOfTheUser(const double* in, double* out) {
  mine::tuple t = twist({in[0], in[1]});
  mine::pair<double> p{t.first, in[2]};
  mine::vector v{p.a, p.b, t.second};
  mine::complex c = mine::complex{v.x, v.y} * mine::complex{in[0], v.z};
  out[0] = v.size() * c.re + c.im * t.first;
}


// More of what meets in practice.
enum class Phase { Gas, Liquid, Mixed };
Phase phaseOf(double t) { return t < 0 ? Phase::Liquid : t > 1 ? Phase::Gas : Phase::Mixed; }
// case: at=0.3,1.1,-0.7
void stateMachine(const double* in, double* out) {
  double h = 0;
  Phase last = Phase::Mixed;
  int changes = 0;
  for (int i = 0; i < 9; ++i) {
    const double t = in[i % 3] + 0.1 * h;
    const Phase p = phaseOf(t);
    if (p != last) ++changes;
    switch (last = p) {
      case Phase::Gas: h += t * t; break;
      case Phase::Liquid: h -= 0.5 * t; [[fallthrough]];
      case Phase::Mixed: h *= 0.9; break;
    }
  }
  out[0] = h * changes;
}
class Poly {
 public:
  explicit Poly(int n) : Poly(n, 0.0) {}
  Poly(int n, double fill) : c_(static_cast<std::size_t>(n), fill) {}
  Poly(const Poly&) = default;
  Poly(Poly&&) = default;
  Poly& operator=(const Poly&) = default;
  Poly& operator=(Poly&&) = default;
  template <class Self>
  static auto& coefficient(Self& p, int i) { return p.c_[static_cast<std::size_t>(i)]; }
  double& operator[](int i) { return coefficient(*this, i); }
  const double& operator[](int i) const { return coefficient(*this, i); }
  double operator()(double x) const {
    double s = 0;
    for (auto c = c_.rbegin(); c != c_.rend(); ++c) s = s * x + *c;
    return s;
  }
  Poly derivative() const {
    Poly d(static_cast<int>(c_.size()) - 1);
    for (int i = 1; i < static_cast<int>(c_.size()); ++i) d[i - 1] = i * (*this)[i];
    return d;
  }
  friend Poly operator*(double a, Poly p) {
    for (double& c : p.c_) c *= a;
    return p;
  }

 private:
  std::vector<double> c_;
};
// case: at=0.3,1.1,-0.7
void newton(const double* in, double* out) {
  Poly p(4, in[1]);
  p[0] = in[2];
  p[3] *= in[0];
  Poly d = p.derivative();
  const Poly q = in[0] * p;
  double x = 0.5;
  for (int i = 0; i < 20; ++i) {
    const double step = p(x) / d(x);
    x -= step;
    if (std::fabs(step) < 1e-10) break;
  }
  out[0] = x * x + q(0.2) + p(in[0]);
}
struct Reactor {
  static double ambient;
  double t;
  void heat(double q) { t += q * (ambient - t); }
};
double Reactor::ambient = 1.5;
// case: at=0.3,1.1,-0.7
void staticMember(const double* in, double* out) {
  Reactor::ambient = in[0];
  Reactor r{in[1]}, other = r;
  for (int i = 0; i < 3; ++i) {
    r.heat(in[2] * 0.1);
    Reactor::ambient += 0.1 * r.t;
    other.heat(0.3);
  }
  out[0] = r.t * other.t + Reactor::ambient;
}
struct Window {
  double& left;
  double weight;
  Window(double& l, double w) : left(l), weight(w) {}
  double value() const { return left * weight; }
};
double shrink(Window w) {
  w.weight *= 2;
  w.left *= w.weight;
  return w.value();
}
// case: at=0.3,1.1,-0.7
void windowsByValue(const double* in, double* out) {
  double x = in[0], s;
  {
    Window v(x, in[1]);
    s = shrink(v) + v.weight;
    Window w = v;
    w.weight += s;
    s += shrink(w) * w.left * v.weight;
  }
  out[0] = s * x;
}
void choose(double** which, double* a, double* b, bool first) { *which = first ? a : b; }
// case: at=0.3,1.1,-0.7
void pointersToPointers(const double* in, double* out) {
  double a = in[0], b = in[1];
  double* p = nullptr;
  double*& ref = p;
  double* table[2] = {&b, &a};
  double** row = table;
  for (int i = 0; i < 5; ++i) {
    choose(&p, &a, &b, i % 2 == 0);
    *ref += 0.5 * **row * in[2];
    row = row == table ? table + 1 : table;
    ref = *row;
    *p *= 1.1;
    for (int j = 0, k = 3; j < k; ++j, --k) *table[j % 2] += 0.1 * k * *table[(j + 1) % 2];
  }
  out[0] = a * b;
}
// case: at=0.3,1.1,-0.7
void retried(const double* in, double* out) {
  double w = 2.0, u = 0;
  int attempts = 0;
again:
  ++attempts;
  u = in[0];
  for (int i = 0; i < 10; ++i) {
    u += w * (in[1] - u * u * u) * (i % 2 ? 0.3 : in[2] * in[2]);
    if (std::fabs(u) > 3) {
      w *= 0.5;
      if (attempts < 10) goto again;
      break;
    }
  }
  out[0] = u * w + attempts * u;
}
