// The functions of <cmath> in double precision, each at points where it is smooth.
// group: hessian
#include <cmath>

// case: at=0.7
void sine(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::sin(x);
}

// case: at=0.7
void cosine(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::cos(x);
}

// case: at=0.7
void tangentOf(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::tan(x);
}

// case: at=0.3
void arcSine(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::asin(x);
}

// case: at=0.3
void arcCosine(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::acos(x);
}

// case: at=1.7
void arcTangent(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::atan(x);
}

// case: at=0.6
void sineHyperbolic(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::sinh(x);
}

// case: at=0.6
void cosineHyperbolic(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::cosh(x);
}

// case: at=0.6
void tangentHyperbolic(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::tanh(x);
}

// case: at=-0.6
void areaSine(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::asinh(x);
}

// case: at=1.6
void areaCosine(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::acosh(x);
}

// case: at=-0.4
void areaTangent(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::atanh(x);
}

// case: at=0.8
void exponential(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::exp(x);
}

// case: at=0.8
void exponential2(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::exp2(x);
}

// case: at=0.1
void exponentialMinus1(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::expm1(x);
}

// case: at=1.9
void logarithm(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::log(x);
}

// case: at=1.9
void logarithm2(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::log2(x);
}

// case: at=1.9
void logarithm10(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::log10(x);
}

// case: at=0.2
void logarithm1Plus(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::log1p(x);
}

// case: at=2.3
void squareRoot(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::sqrt(x);
}

// case: at=-2.3
void cubeRoot(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::cbrt(x);
}

// case: at=0.5
void errorFunction(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::erf(x);
}

// case: at=0.5
void errorComplement(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::erfc(x);
}

// case: at=2.4
void gammaFunction(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::tgamma(x);
}

// case: at=2.4
void logGamma(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::lgamma(x);
}

// case: at=-1.3
void logGammaNegative(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::lgamma(x);
}

// case: at=-0.8
void absolute(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::fabs(x);
}

// case: at=-0.8
void absoluteOverload(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::abs(x);
}

// case: at=0.06
void logGammaSmall(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::lgamma(x);
}

// case: at=31.5
void logGammaLarge(const double* in, double* out) {
  const double x = in[0];
  out[0] = std::lgamma(x);
}

// case: at=0.7,-1.2
void arcTangent2(const double* in, double* out) {
  const double x = in[0], y = in[1];
  out[0] = std::atan2(x, y);
}

// case: at=1.4,2.7
void power(const double* in, double* out) {
  const double x = in[0], y = in[1];
  out[0] = std::pow(x, y);
}

// case: at=1.4,-2.7
void hypotenuse(const double* in, double* out) {
  const double x = in[0], y = in[1];
  out[0] = std::hypot(x, y);
}

// case: at=1.4,2.7
void maximum(const double* in, double* out) {
  const double x = in[0], y = in[1];
  out[0] = std::fmax(x, y);
}

// case: at=1.4,2.7
void minimum(const double* in, double* out) {
  const double x = in[0], y = in[1];
  out[0] = std::fmin(x, y);
}

// case: at=2.7,1.4
void positiveDifference(const double* in, double* out) {
  const double x = in[0], y = in[1];
  out[0] = std::fdim(x, y);
}

// case: at=1.4,2.7
void positiveDifferenceZero(const double* in, double* out) {
  const double x = in[0], y = in[1];
  out[0] = std::fdim(x, y);
}

// case: at=7.1,1.3
void modulo(const double* in, double* out) {
  const double x = in[0], y = in[1];
  out[0] = std::fmod(x, y);
}

// case: at=-7.1,1.3
void moduloNegative(const double* in, double* out) {
  const double x = in[0], y = in[1];
  out[0] = std::fmod(x, y);
}

// case: at=7.1,1.3
void remainderIeee(const double* in, double* out) {
  const double x = in[0], y = in[1];
  out[0] = std::remainder(x, y);
}

// case: at=1.2,-0.7
void copySign(const double* in, double* out) {
  const double x = in[0], y = in[1];
  out[0] = std::copysign(x, y);
}

// case: at=1.1,-0.4,0.9
void hypotenuse3(const double* in, double* out) { out[0] = std::hypot(in[0], in[1], in[2]); }

// case: at=1.1,-0.4,0.9
void fusedMultiplyAdd(const double* in, double* out) { out[0] = std::fma(in[0], in[1], in[2] * in[0]); }

// case: at=1.1,-0.4 out=4
void powersOfTwo(const double* in, double* out) {
  out[0] = std::ldexp(in[0], 3);
  out[1] = std::scalbn(in[1], -2);
  out[2] = std::scalbln(in[0] * in[1], 2L);
  int exponent = 0;
  const double mantissa = std::frexp(in[0] * 6.0, &exponent);
  out[3] = mantissa * exponent;
}

// case: at=3.7,-2.6 out=6
void roundings(const double* in, double* out) {
  out[0] = std::floor(in[0]) * in[1];
  out[1] = std::ceil(in[0]) * in[1];
  out[2] = std::trunc(in[1]) * in[0];
  out[3] = std::round(in[1]) * in[0] * in[0];
  out[4] = std::nearbyint(in[0]) * in[1] + std::rint(in[1]) * in[0];
  out[5] = static_cast<double>(std::lround(in[0])) * in[0];
}

// case: at=3.7,-2.6 out=2
void splitWholeAndFraction(const double* in, double* out) {
  double whole = 0.0;
  const double fraction = std::modf(in[0], &whole);
  out[0] = fraction * whole * in[1];
  double whole2 = 0.0;
  out[1] = std::modf(in[1], &whole2) * whole2;
}

// case: at=7.1,1.3
void remainderWithQuotient(const double* in, double* out) {
  int quotient = 0;
  const double rest = std::remquo(in[0], in[1], &quotient);
  out[0] = rest * (quotient & 3);
}

// Powers where the base or its logarithm has no real value: an integer exponent that is no variable.
// case: at=-1.7,0.6 out=4
void powersOfNegativeBase(const double* in, double* out) {
  out[0] = std::pow(in[0], 3);
  out[1] = std::pow(in[0], 2.0);
  out[2] = std::pow(2.5, in[1]);
  out[3] = std::pow(in[0], -2) * in[1];
}

// case: at=0.0,0.7 out=2 nohessian
void powersOfZero(const double* in, double* out) {
  out[0] = std::pow(in[0], 2.0) + in[1];
  out[1] = std::pow(in[0], 1.0) * in[1];
}

// At 0 the root has no derivative, but this branch isn't taken.
// case: at=0.0,0.7
void rootOfZeroNotTaken(const double* in, double* out) { out[0] = in[1] > 0.5 ? in[1] * in[1] : std::sqrt(in[0]); }

// Both operands of a selection are computed; one of them has no finite derivative here.
// case: at=0.0,0.7 nohessian
void rootOfZeroNotSelected(const double* in, double* out) {
  const double root = std::sqrt(std::fabs(in[0] * in[1]) + 1.0e-300 * in[1]);
  out[0] = in[1] > 0.5 ? std::exp(in[1]) : root;
}

// case: at=0.4,1.3
void composition(const double* in, double* out) {
  out[0] =
      std::exp(std::sin(in[0] * std::log(in[1]))) / std::sqrt(1.0 + std::pow(in[0], in[1]) * std::atan2(in[1], in[0]));
}

// case: at=0.4,1.3 out=2
void unqualifiedAndC(const double* in, double* out) {
  out[0] = sin(in[0]) * exp(in[1]) + pow(in[0], 2.0);
  out[1] = ::sqrt(in[0] + in[1]) * ::fabs(in[1]);
}
