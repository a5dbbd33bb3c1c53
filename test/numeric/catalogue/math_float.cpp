// The functions of <cmath> in single precision, between values in double precision.
// group: precision=3e-6
#include "extended.hpp"

#include <cmath>

// case: at=0.37,0.83 out=7
void singleTrigonometric(const double* in, double* out) {
  const float x = static_cast<float>(in[0]), y = static_cast<float>(in[1]);
  out[0] = std::sin(x);
  out[1] = std::cos(x);
  out[2] = std::tan(x);
  out[3] = std::asin(x);
  out[4] = std::acos(x);
  out[5] = std::atan(x);
  out[6] = std::atan2(x, y);
}

// case: at=0.37,0.83 out=6
void singleHyperbolic(const double* in, double* out) {
  const float x = static_cast<float>(in[0]);
  out[0] = std::sinh(x);
  out[1] = std::cosh(x);
  out[2] = std::tanh(x);
  out[3] = std::asinh(x);
  out[4] = std::acosh(1 + x);
  out[5] = std::atanh(x);
}

// case: at=0.37,0.83 out=7
void singleExponential(const double* in, double* out) {
  const float x = static_cast<float>(in[0]);
  out[0] = std::exp(x);
  out[1] = std::exp2(x);
  out[2] = std::expm1(x);
  out[3] = std::log(x);
  out[4] = std::log2(x);
  out[5] = std::log10(x);
  out[6] = std::log1p(x);
}

// case: at=0.37,0.83 out=5
void singlePower(const double* in, double* out) {
  const float x = static_cast<float>(in[0]), y = static_cast<float>(in[1]);
  out[0] = std::sqrt(x);
  out[1] = std::cbrt(x);
  out[2] = std::hypot(x, y);
  out[3] = std::pow(x, y);
  out[4] = std::hypot(x, y, x * y);
}

// case: at=0.37,0.83 out=4
void singleSpecial(const double* in, double* out) {
  const float x = static_cast<float>(in[0]);
  out[0] = std::erf(x);
  out[1] = std::erfc(x);
  out[2] = std::tgamma(x + 2);
  out[3] = std::lgamma(x + 2);
}

// case: at=0.37,0.83 out=9
void singlePiecewise(const double* in, double* out) {
  const float x = static_cast<float>(in[0]), y = static_cast<float>(in[1]);
  out[0] = std::fabs(x);
  out[1] = std::fmax(x, y);
  out[2] = std::fmin(x, y);
  out[3] = std::fdim(y, x);
  out[4] = std::fmod(3 * y, x);
  out[5] = std::remainder(3 * y, x);
  out[6] = std::copysign(x, -y);
  out[7] = std::floor(8 * y) * x;
  out[8] = std::fma(x, y, x);
}

#ifndef NUMERIC_REFERENCE
inline float sine(float x) { return ::sinf(x); }
inline float exponential(float x) { return ::expf(x); }
inline float power(float x, float y) { return ::powf(x, y); }
inline float root(float x) { return ::sqrtf(x); }
inline float larger(float x, float y) { return ::fmaxf(x, y); }
inline float logarithm(float x) { return ::logf(x); }
inline float angle(float x, float y) { return ::atan2f(x, y); }
#else
inline float sine(float x) { return std::sin(x); }
inline float exponential(float x) { return std::exp(x); }
inline float power(float x, float y) { return std::pow(x, y); }
inline float root(float x) { return std::sqrt(x); }
inline float larger(float x, float y) { return std::fmax(x, y); }
inline float logarithm(float x) { return std::log(x); }
inline float angle(float x, float y) { return std::atan2(x, y); }
#endif

// case: at=0.37,0.83 out=7
void singleSuffixed(const double* in, double* out) {
  const float x = static_cast<float>(in[0]), y = static_cast<float>(in[1]);
  out[0] = sine(x);
  out[1] = exponential(y);
  out[2] = power(x, y);
  out[3] = root(x + y);
  out[4] = larger(x, y);
  out[5] = logarithm(y);
  out[6] = angle(x, y);
}
