// The functions of <cmath> in long double, between values in double precision.
// group: precision=1e-12 hessian
#include "extended.hpp"

#include <cmath>

// case: at=0.37,0.83 out=7
void extendedTrigonometric(const double* in, double* out) {
  const Extended x = in[0], y = in[1];
  out[0] = static_cast<double>(std::sin(x));
  out[1] = static_cast<double>(std::cos(x));
  out[2] = static_cast<double>(std::tan(x));
  out[3] = static_cast<double>(std::asin(x));
  out[4] = static_cast<double>(std::acos(x));
  out[5] = static_cast<double>(std::atan(x));
  out[6] = static_cast<double>(std::atan2(x, y));
}

// case: at=0.37,0.83 out=6
void extendedHyperbolic(const double* in, double* out) {
  const Extended x = in[0];
  out[0] = static_cast<double>(std::sinh(x));
  out[1] = static_cast<double>(std::cosh(x));
  out[2] = static_cast<double>(std::tanh(x));
  out[3] = static_cast<double>(std::asinh(x));
  out[4] = static_cast<double>(std::acosh(1 + x));
  out[5] = static_cast<double>(std::atanh(x));
}

// case: at=0.37,0.83 out=7
void extendedExponential(const double* in, double* out) {
  const Extended x = in[0];
  out[0] = static_cast<double>(std::exp(x));
  out[1] = static_cast<double>(std::exp2(x));
  out[2] = static_cast<double>(std::expm1(x));
  out[3] = static_cast<double>(std::log(x));
  out[4] = static_cast<double>(std::log2(x));
  out[5] = static_cast<double>(std::log10(x));
  out[6] = static_cast<double>(std::log1p(x));
}

// case: at=0.37,0.83 out=5
void extendedPower(const double* in, double* out) {
  const Extended x = in[0], y = in[1];
  out[0] = static_cast<double>(std::sqrt(x));
  out[1] = static_cast<double>(std::cbrt(x));
  out[2] = static_cast<double>(std::hypot(x, y));
  out[3] = static_cast<double>(std::pow(x, y));
  out[4] = static_cast<double>(std::hypot(x, y, x * y));
}

// case: at=0.37,0.83 out=4
void extendedSpecial(const double* in, double* out) {
  const Extended x = in[0];
  out[0] = static_cast<double>(std::erf(x));
  out[1] = static_cast<double>(std::erfc(x));
  out[2] = static_cast<double>(std::tgamma(x + 2));
  out[3] = static_cast<double>(std::lgamma(x + 2));
}

// case: at=0.37,0.83 out=9
void extendedPiecewise(const double* in, double* out) {
  const Extended x = in[0], y = in[1];
  out[0] = static_cast<double>(std::fabs(x));
  out[1] = static_cast<double>(std::fmax(x, y));
  out[2] = static_cast<double>(std::fmin(x, y));
  out[3] = static_cast<double>(std::fdim(y, x));
  out[4] = static_cast<double>(std::fmod(3 * y, x));
  out[5] = static_cast<double>(std::remainder(3 * y, x));
  out[6] = static_cast<double>(std::copysign(x, -y));
  out[7] = static_cast<double>(std::floor(8 * y) * x);
  out[8] = static_cast<double>(std::fma(x, y, x));
}

// case: at=0.37,0.83 out=7
void extendedSuffixed(const double* in, double* out) {
  const Extended x = in[0], y = in[1];
  out[0] = static_cast<double>(::sinl(x));
  out[1] = static_cast<double>(::expl(y));
  out[2] = static_cast<double>(::powl(x, y));
  out[3] = static_cast<double>(::sqrtl(x + y));
  out[4] = static_cast<double>(::fmaxl(x, y));
  out[5] = static_cast<double>(::logl(y));
  out[6] = static_cast<double>(::atan2l(x, y));
}
