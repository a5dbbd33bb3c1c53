// What derivatives of the math library need beyond <cmath>: polygamma functions, the parts of a floating-point number
// as pure functions, and products that a zero seed keeps at zero. Float, double and long double.
#ifndef CONTRAFLOW_MATH_HPP
#define CONTRAFLOW_MATH_HPP

#include <contraflow/zero.hpp>

#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

namespace contraflow {

// seed * partial, but exactly zero where the seed is: a partial derivative that is infinite or NaN says nothing
// about a value that nobody uses.
template <class T>
constexpr T scaled(T seed, T partial) noexcept {
  static_assert(std::is_floating_point_v<T>);
  const T product = seed * partial;  // outside of the choice, so that a loop over this vectorises
  return seed == T(0) ? T(0) : product;
}

template <class T>
constexpr T reciprocal(T x) noexcept {
  return T(1) / x;
}

// 1 for a positive number, -1 for a negative one, zero for zero and NaN. Without a branch, since signs of data can't be predicted.
template <class T>
T sign(T x) noexcept {
  static_assert(std::is_floating_point_v<T>);
  return std::copysign(std::fabs(x) > T(0) ? T(1) : T(0), x);
}

// The parts of complex functions, from the library's own.
template <class T>
T quotientReal(T a, T b, T c, T d) {  // (a + ib) / (c + id)
  return (std::complex<T>(a, b) / std::complex<T>(c, d)).real();
}
template <class T>
T quotientImag(T a, T b, T c, T d) {
  return (std::complex<T>(a, b) / std::complex<T>(c, d)).imag();
}
template <class T>
T logAbs(T x, T y) {
  return std::log(std::complex<T>(x, y)).real();
}
template <class T>
T sqrtReal(T x, T y) {
  return std::sqrt(std::complex<T>(x, y)).real();
}
template <class T>
T sqrtImag(T x, T y) {
  return std::sqrt(std::complex<T>(x, y)).imag();
}
template <class T>
T tanReal(T x, T y) {
  return std::tan(std::complex<T>(x, y)).real();
}
template <class T>
T tanImag(T x, T y) {
  return std::tan(std::complex<T>(x, y)).imag();
}
template <class T>
T tanhReal(T x, T y) {
  return std::tanh(std::complex<T>(x, y)).real();
}
template <class T>
T tanhImag(T x, T y) {
  return std::tanh(std::complex<T>(x, y)).imag();
}

// x = frexp_mantissa(x) * 2^frexp_exponent(x), with a mantissa in [0.5, 1); frexp_scale(x) = 2^-frexp_exponent(x).
template <class T>
T frexp_mantissa(T x) noexcept {
  static_assert(std::is_floating_point_v<T>);
  int exponent = 0;
  return std::frexp(x, &exponent);
}
template <class T>
int frexp_exponent(T x) noexcept {
  static_assert(std::is_floating_point_v<T>);
  int exponent = 0;
  (void)std::frexp(x, &exponent);
  return exponent;
}
template <class T>
T frexp_scale(T x) noexcept {
  return std::ldexp(T(1), -frexp_exponent(x));
}

// What modf returns: x without its whole part, with its sign.
template <class T>
T modf_fraction(T x) noexcept {
  static_assert(std::is_floating_point_v<T>);
  T whole = T(0);
  return std::modf(x, &whole);
}

// The other result of remquo: the low bits of the quotient that remainder(x, y) rounds, with its sign.
template <class T>
int remquo_quotient(T x, T y) noexcept {
  static_assert(std::is_floating_point_v<T>);
  int quotient = 0;
  (void)std::remquo(x, y, &quotient);
  return quotient;
}

namespace detail {

constexpr long double kPi = 3.141592653589793238462643383279502884L;

// n-th derivative of digamma for large x: the asymptotic series of Abramowitz and Stegun, 6.3.18 and 6.4.11.
inline long double polygammaAsymptotic(int n, long double x) {
  constexpr long double kBernoulli[] = {1.0L / 6,       -1.0L / 30,       1.0L / 42,       -1.0L / 30,
                                        5.0L / 66,      -691.0L / 2730,   7.0L / 6,        -3617.0L / 510,
                                        43867.0L / 798, -174611.0L / 330, 854513.0L / 138, -236364091.0L / 2730};
  const long double inverseSquare = 1 / (x * x);
  long double power = std::pow(x, -n);                              // x^-n
  long double factorial = std::tgamma(n + 1.0L) / (n > 0 ? n : 1);  // (n - 1)!, for n = 0 unused
  long double sum = n == 0 ? -std::log(x) : factorial * power;
  if (n > 0) factorial *= n;  // n!
  sum += factorial * power / (2 * x);
  // The factor (2k + n - 1)! / (2k)! for k = 1.
  long double factor = n == 0 ? 0.5L : factorial * (n + 1) / 2;
  for (int k = 1; k <= 12; ++k) {
    power *= inverseSquare;
    sum += kBernoulli[k - 1] * factor * power;
    factor *= static_cast<long double>(2 * k + n) * (2 * k + n + 1) / ((2 * k + 1) * (2 * k + 2));
  }
  return n % 2 == 0 ? -sum : sum;
}

// n-th derivative of digamma for x > 0: the recurrence up to where the series is exact (A. & S. 6.4.6).
inline long double polygammaPositive(int n, long double x) {
  const long double large = 20.0L + n;
  long double sum = 0;
  for (; x < large; x += 1) sum += n == 0 ? 1 / x : std::pow(x, -(n + 1));
  if (n > 0) sum *= std::tgamma(n + 1.0L);
  return polygammaAsymptotic(n, x) + (n % 2 == 0 ? -sum : sum);
}

// d^n cot(t) / dt^n as a polynomial in c = cot(t): P_0 = c, P_{k+1} = -(1 + c^2) P_k'.
inline long double cotDerivative(int n, long double c) {
  constexpr int kMost = 64;
  if (n + 2 > kMost) return std::numeric_limits<long double>::quiet_NaN();
  long double p[kMost] = {0, 1};  // coefficients by power
  for (int k = 0; k < n; ++k) {
    long double next[kMost] = {};
    for (int i = 1; i <= k + 1; ++i) {
      next[i - 1] -= i * p[i];
      next[i + 1] -= i * p[i];
    }
    for (int i = 0; i < kMost; ++i) p[i] = next[i];
  }
  long double value = 0;
  for (int i = n + 1; i >= 0; --i) value = value * c + p[i];
  return value;
}

// By reflection for x <= 0 (A. & S. 6.4.7).
inline long double polygamma(int n, long double x) {
  if (std::isnan(x) || n < 0) return std::numeric_limits<long double>::quiet_NaN();
  if (x > 0) return std::isinf(x) ? (n == 0 ? x : 0) : polygammaPositive(n, x);
  const long double t = kPi * (x - std::nearbyint(x));  // exact near a pole
  const long double cot = std::cos(t) / std::sin(t);
  const long double reflected = polygammaPositive(n, 1 - x);
  return (n % 2 == 0 ? reflected : -reflected) - std::pow(kPi, n + 1.0L) * cotDerivative(n, cot);
}

// Near its positive zero digamma is a difference of nearly equal numbers; its Taylor series isn't.
inline long double digamma(long double x) {
  constexpr long double kZero = 1.4616321449683622;                // exact in double,
  constexpr long double kZeroRest = 9.549995429965697715184e-17L;  // the zero is the sum
  constexpr long double kTaylor[] = {0.967672245447621170427444761709650740L, -0.442763168983592106092865281852509250L,
                                     0.258499760955651010624401385700954228L, -0.163942705442406527504251292746656393L,
                                     0.107824050691262365757182948866756971L, -0.072199561256454710926121783605112076L};
  const long double d = (x - kZero) - kZeroRest;
  if (!(d > -1e-3L && d < 1e-3L)) return polygamma(0, x);
  long double sum = 0;
  for (int k = 5; k >= 0; --k) sum = (sum + kTaylor[k]) * d;
  return sum;
}

}  // namespace detail

// The logarithmic derivative of the gamma function, its derivative, and its n-th derivative. Relative error about 1e-15
// in double. Infinite or NaN at 0, -1, -2, ...
template <class T>
T polygamma(int n, T x) {
  static_assert(std::is_floating_point_v<T>);
  return static_cast<T>(n == 0 ? detail::digamma(x) : detail::polygamma(n, x));
}
template <class T>
T digamma(T x) {
  return polygamma(0, x);
}
template <class T>
T trigamma(T x) {
  return polygamma(1, x);
}

}  // namespace contraflow

#endif
