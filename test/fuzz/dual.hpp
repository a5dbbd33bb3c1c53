// Forward-mode numbers for the fuzzer: the exact tangent of a program, without the compiler under test.
//
//     Dual<T, K>   a value, its derivatives along K directions, and for each direction the sum of the absolute values
//                  of all terms that were added up to it (`terms`): rounding is a small multiple of that sum.
//
// T is double, or a Dual again for second derivatives. At kinks the choices are those of docs/nonsmooth.md. Comparisons
// note how near a program came to a kink (kinkDistance): there, rounding alone can decide for another branch.
#pragma once

#include <array>
#include <cmath>
#include <type_traits>

namespace fuzz {

inline double kinkDistance = 1e300;  // the least distance of active operands of a comparison so far
inline double largestValue = 0.0;    // the largest magnitude of a value so far

template <class T, int K>
struct Dual {
  T v{};
  std::array<T, K> d{};
  std::array<double, K> terms{};

  Dual() = default;
  Dual(T value) : v(value) {}
  template <class U, class = std::enable_if_t<std::is_arithmetic_v<U>>>
  Dual(U value) : v(static_cast<double>(value)) {}
  explicit operator int() const;

  Dual& operator+=(const Dual& o) { return *this = *this + o; }
  Dual& operator-=(const Dual& o) { return *this = *this - o; }
  Dual& operator*=(const Dual& o) { return *this = *this * o; }
  Dual& operator/=(const Dual& o) { return *this = *this / o; }
  friend Dual operator+(const Dual& a, const Dual& b) { return chain(a.v + b.v, a, T(1.0), b, T(1.0)); }
  friend Dual operator-(const Dual& a, const Dual& b) { return chain(a.v - b.v, a, T(1.0), b, T(-1.0)); }
  friend Dual operator*(const Dual& a, const Dual& b) { return chain(a.v * b.v, a, b.v, b, a.v); }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const T q = a.v / b.v;
    return chain(q, a, T(1.0) / b.v, b, -(q / b.v));
  }
  friend Dual operator-(const Dual& a) { return chain(-a.v, a, T(-1.0)); }
  friend Dual operator+(const Dual& a) { return a; }
  friend bool operator<(const Dual& a, const Dual& b) { return near(a, b), value(a) < value(b); }
  friend bool operator>(const Dual& a, const Dual& b) { return b < a; }
  friend bool operator<=(const Dual& a, const Dual& b) { return !(b < a); }
  friend bool operator>=(const Dual& a, const Dual& b) { return !(a < b); }
  friend bool operator==(const Dual& a, const Dual& b) { return near(a, b), value(a) == value(b); }
  friend bool operator!=(const Dual& a, const Dual& b) { return !(a == b); }
};

inline double value(double x) { return x; }
template <class T, int K>
double value(const Dual<T, K>& x) {
  return value(x.v);
}

inline double magnitude(double x) { return std::fabs(x); }
template <class T, int K>
double magnitude(const Dual<T, K>& x) {
  double m = magnitude(x.v);
  for (const T& d : x.d) m = std::fmax(m, magnitude(d));
  return m;
}

template <class T, int K>
bool active(const Dual<T, K>& x) {
  for (double t : x.terms) {
    if (t != 0.0) return true;
  }
  return false;
}

template <class T, int K>
void near(const Dual<T, K>& a, const Dual<T, K>& b) {
  const bool same = value(a) == value(b) && a.terms == b.terms;  // the same variable twice, as a rule
  if (!same && (active(a) || active(b))) kinkDistance = std::fmin(kinkDistance, std::fabs(value(a) - value(b)));
}

inline void noteValue(double x) {
  if (!(std::fabs(x) <= largestValue)) largestValue = std::fabs(x);  // also if it isn't a number
}

// A result `v` with partial derivatives p (and q) by a (and b).
template <class T, int K>
Dual<T, K> chain(T v, const Dual<T, K>& a, T p) {
  Dual<T, K> r(v);
  noteValue(value(v));
  for (int k = 0; k < K; ++k) {
    r.d[k] = p * a.d[k];
    r.terms[k] = magnitude(p) * a.terms[k];
  }
  return r;
}
template <class T, int K>
Dual<T, K> chain(T v, const Dual<T, K>& a, T p, const Dual<T, K>& b, T q) {
  Dual<T, K> r(v);
  noteValue(value(v));
  for (int k = 0; k < K; ++k) {
    r.d[k] = p * a.d[k] + q * b.d[k];
    r.terms[k] = magnitude(p) * a.terms[k] + magnitude(q) * b.terms[k];
  }
  return r;
}

template <class T, int K>
Dual<T, K>::operator int() const {
  const double x = value(v);
  if (active(*this)) kinkDistance = std::fmin(kinkDistance, std::fabs(x - std::round(x)));
  return std::fabs(x) < 1e9 ? static_cast<int>(x) : 0;
}

// The math library, as functions of one class template: m::sin(x) for a double or a Dual.
namespace m {
using std::abs, std::asinh, std::atan, std::atan2, std::cbrt, std::cos, std::cosh, std::erf, std::exp, std::expm1,
    std::fabs, std::floor, std::fma, std::fmax, std::fmin, std::hypot, std::log, std::log1p, std::max, std::min, std::pow, std::sin, std::sinh,
    std::sqrt, std::tan, std::tanh;

#define FUZZ_UNARY(name, partial)                  \
  template <class T, int K>                        \
  Dual<T, K> name(const Dual<T, K>& a) {           \
    const T x = a.v, f = name(x);                  \
    return chain(f, a, T(partial));                \
  }
FUZZ_UNARY(exp, f)
FUZZ_UNARY(cosh, (exp(x) - exp(-x)) * T(0.5))
FUZZ_UNARY(sinh, (exp(x) + exp(-x)) * T(0.5))
FUZZ_UNARY(expm1, f + T(1.0))
FUZZ_UNARY(log, T(1.0) / x)
FUZZ_UNARY(log1p, T(1.0) / (T(1.0) + x))
FUZZ_UNARY(sqrt, T(0.5) / f)
FUZZ_UNARY(cbrt, T(1.0) / (T(3.0) * f * f))
FUZZ_UNARY(tan, T(1.0) + f * f)
FUZZ_UNARY(tanh, T(1.0) - f * f)
FUZZ_UNARY(atan, T(1.0) / (T(1.0) + x * x))
FUZZ_UNARY(asinh, T(1.0) / sqrt(T(1.0) + x * x))
FUZZ_UNARY(erf, T(1.1283791670955126) * exp(-(x * x)))
#undef FUZZ_UNARY
template <class T, int K>
Dual<T, K> cos(const Dual<T, K>& a);
template <class T, int K>
Dual<T, K> sin(const Dual<T, K>& a) {
  return chain(sin(a.v), a, T(cos(a.v)));
}
template <class T, int K>
Dual<T, K> cos(const Dual<T, K>& a) {
  return chain(cos(a.v), a, T(-sin(a.v)));
}
template <class T, int K>
Dual<T, K> fabs(const Dual<T, K>& a) {
  near(a, Dual<T, K>(0.0));
  const double s = value(a) > 0.0 ? 1.0 : value(a) < 0.0 ? -1.0 : 0.0;
  return chain(T(a.v * T(s)), a, T(s));
}
template <class T, int K>
Dual<T, K> floor(const Dual<T, K>& a) {
  if (active(a)) kinkDistance = std::fmin(kinkDistance, std::fabs(value(a) - std::round(value(a))));
  return Dual<T, K>(std::floor(value(a)));
}
template <class T, int K>
Dual<T, K> atan2(const Dual<T, K>& y, const Dual<T, K>& x) {
  const T r2 = x.v * x.v + y.v * y.v;
  return chain(T(atan2(y.v, x.v)), y, T(x.v / r2), x, T(-(y.v / r2)));
}
template <class T, int K>
Dual<T, K> hypot(const Dual<T, K>& x, const Dual<T, K>& y) {
  const T r = hypot(x.v, y.v);
  return chain(r, x, T(x.v / r), y, T(y.v / r));
}
template <class T, int K>
Dual<T, K> pow(const Dual<T, K>& x, const Dual<T, K>& y) {
  const T f = pow(x.v, y.v);
  return chain(f, x, T(y.v * pow(x.v, y.v - T(1.0))), y, T(f * log(x.v)));
}
template <class T, int K>
Dual<T, K> fma(const Dual<T, K>& x, const Dual<T, K>& y, const Dual<T, K>& z) {
  return x * y + z;
}
template <class T, int K>
Dual<T, K> fmax(const Dual<T, K>& a, const Dual<T, K>& b) {
  return a < b ? b : a;
}
template <class T, int K>
Dual<T, K> fmin(const Dual<T, K>& a, const Dual<T, K>& b) {
  return b < a ? b : a;
}
template <class T, int K>
Dual<T, K> max(const Dual<T, K>& a, const Dual<T, K>& b) {
  return a < b ? b : a;
}
template <class T, int K>
Dual<T, K> min(const Dual<T, K>& a, const Dual<T, K>& b) {
  return b < a ? b : a;
}
// Where one argument is a number.
#define FUZZ_MIXED(name)                                                                                        \
  template <class T, int K, class U, class = std::enable_if_t<std::is_arithmetic_v<U>>>                         \
  Dual<T, K> name(const Dual<T, K>& a, U b) {                                                                   \
    return name(a, Dual<T, K>(b));                                                                              \
  }                                                                                                             \
  template <class T, int K, class U, class = std::enable_if_t<std::is_arithmetic_v<U>>>                         \
  Dual<T, K> name(U a, const Dual<T, K>& b) {                                                                   \
    return name(Dual<T, K>(a), b);                                                                              \
  }
FUZZ_MIXED(atan2)
FUZZ_MIXED(hypot)
FUZZ_MIXED(pow)
FUZZ_MIXED(fmax)
FUZZ_MIXED(fmin)
FUZZ_MIXED(max)
FUZZ_MIXED(min)
#undef FUZZ_MIXED
}  // namespace m

// std::complex by the formulas of its definition.
template <class T>
struct Complex {
  T re{}, im{};

  Complex() = default;
  Complex(T real, T imaginary = T(0.0)) : re(real), im(imaginary) {}
  Complex(double real) : re(real) {}
  T real() const { return re; }
  T imag() const { return im; }
  friend Complex operator+(const Complex& a, const Complex& b) { return {a.re + b.re, a.im + b.im}; }
  friend Complex operator-(const Complex& a, const Complex& b) { return {a.re - b.re, a.im - b.im}; }
  friend Complex operator*(const Complex& a, const Complex& b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
  friend Complex operator/(const Complex& a, const Complex& b) {
    const T n = b.re * b.re + b.im * b.im;
    return {(a.re * b.re + a.im * b.im) / n, (a.im * b.re - a.re * b.im) / n};
  }
  Complex& operator+=(const Complex& o) { return *this = *this + o; }
  Complex& operator-=(const Complex& o) { return *this = *this - o; }
  Complex& operator*=(const Complex& o) { return *this = *this * o; }
  Complex& operator/=(const Complex& o) { return *this = *this / o; }
};

namespace m {
template <class T>
T real(const Complex<T>& z) {
  return z.re;
}
template <class T>
T imag(const Complex<T>& z) {
  return z.im;
}
template <class T>
T norm(const Complex<T>& z) {
  return z.re * z.re + z.im * z.im;
}
template <class T>
T abs(const Complex<T>& z) {
  return sqrt(norm(z));
}
template <class T>
T arg(const Complex<T>& z) {
  return atan2(z.im, z.re);
}
template <class T>
Complex<T> conj(const Complex<T>& z) {
  return {z.re, -z.im};
}
template <class T>
Complex<T> polar(const T& r, const T& angle) {
  return {r * cos(angle), r * sin(angle)};
}
template <class T>
Complex<T> exp(const Complex<T>& z) {
  return polar(exp(z.re), z.im);
}
template <class T>
Complex<T> sqrt(const Complex<T>& z) {
  return polar(sqrt(abs(z)), arg(z) * T(0.5));
}
}  // namespace m

}  // namespace fuzz
