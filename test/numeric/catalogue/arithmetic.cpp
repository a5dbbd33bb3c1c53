// Arithmetic, compound assignment and conversions between arithmetic types.
// group: hessian
#include "extended.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

// case: at=1.3,-0.7
void sumOfProducts(const double* in, double* out) { out[0] = in[0] * in[1] + in[0] * in[0] - 3.0 * in[1] + 2.0; }

// case: at=1.3,-0.7
void quotient(const double* in, double* out) { out[0] = (in[0] + 2.0) / (in[1] * in[1] + in[0]) - 1.0 / in[1]; }

// case: at=1.3,-0.7
void unaryOperators(const double* in, double* out) { out[0] = -in[0] * +in[1] - -in[1]; }

// case: at=1.3,-0.7 out=3
void compoundAssignment(const double* in, double* out) {
  double a = in[0];
  a += in[1] * a;
  a -= 0.5 * in[1];
  a *= a;
  a /= in[0] + a;
  out[0] = a;
  out[1] = in[1];
  out[1] *= out[0];
  out[2] = out[1] /= 3.0 + in[0];
}

// case: at=1.3,-0.7
void selfReference(const double* in, double* out) {
  double a = in[0];
  a = a * a + in[1] * a;
  a = std::sin(a) - a;
  a -= a * 0.25;
  a += a;
  out[0] = a;
}

// case: at=1.3,-0.7
void deadValues(const double* in, double* out) {
  double a = in[0] * in[1];
  a = std::exp(in[0]);
  double unused = a * in[1];
  unused = 2.0;
  out[0] = a + unused;
  out[0] = a * in[1];
}

// case: at=1.3,-0.7
void incrementedReal(const double* in, double* out) {
  double a = in[0];
  ++a;
  a++;
  --a;
  double b = a++ * in[1];
  b += --a;
  out[0] = a * b;
}

// case: at=1.34,2.6
void integersBetween(const double* in, double* out) {
  const int whole = static_cast<int>(in[1]);
  const long scaled = static_cast<long>(in[0] * 10.0);
  const unsigned bits = static_cast<unsigned>(whole) << 3 | 1u;
  out[0] = in[0] * whole + in[1] * static_cast<double>(scaled) + in[0] * in[1] * bits;
}

// case: at=1.3,2.6
void integerDivision(const double* in, double* out) {
  const int n = 7;
  out[0] = in[0] * (n / 2) + in[1] * (n % 4) + in[0] * (n / 2.0) * in[1];
}

// case: at=1.3,2.6
void booleansAsNumbers(const double* in, double* out) {
  const bool large = in[0] > 1.0;
  const bool equal = in[0] == in[1];
  out[0] = in[0] * large + in[1] * !large + (in[0] < in[1]) * in[0] * in[1] + equal;
}

// case: at=1.3,2.6
void smallIntegers(const double* in, double* out) {
  const char letter = 'b';
  const short step = 3;
  const std::uint8_t byte = 250;
  const std::int64_t large = 1LL << 33;
  out[0] = in[0] * (letter - 'a' + step) + in[1] * byte + in[0] * in[1] * static_cast<double>(large >> 31);
}

// case: at=1.3,2.6
void enumerators(const double* in, double* out) {
  enum Direction { kEast = 2, kWest = 5 };
  const Direction direction = in[0] > 1.0 ? kWest : kEast;
  out[0] = in[0] * direction + in[1] * (direction == kWest ? 2 : 3);
}

// case: at=1.3,2.6 precision=1e-6
void throughFloat(const double* in, double* out) {
  const float narrow = static_cast<float>(in[0] * in[1]);
  float sum = narrow * 2.0f;
  sum += static_cast<float>(in[1]);
  out[0] = sum * in[0];
}

// case: at=1.3,2.6
void throughLongDouble(const double* in, double* out) {
  Extended wide = in[0];
  wide = wide * in[1] + 1.0L;
  wide /= 3;
  out[0] = static_cast<double>(wide * wide) - in[1];
}

// case: at=1.3,2.6
void constants(const double* in, double* out) {
  constexpr double kPi = 3.14159265358979323846;
  const double factor = 2.0 * kPi;
  static const double kOffset = 0.125;
  out[0] = factor * in[0] + kOffset * in[1] * in[0] + 1e-3 * in[1] + 0x1p-2;
}

// case: at=1.3,2.6
void associativity(const double* in, double* out) {
  const double a = in[0], b = in[1];
  out[0] = a - (b - (a - b * (a - b))) / (a / (b / (a + 1.0))) - a / b / a - (-(-(-a)));
}

// case: at=1.3,2.6,-0.4
void chainedAssignment(const double* in, double* out) {
  double a = 0.0, b = 0.0;
  a = b = in[0] * in[1];
  b += a *= in[2];
  out[0] = a + 2.0 * b;
}

// case: at=1.3,2.6
void longChain(const double* in, double* out) {
  const double a = in[0] * in[1];
  const double b = std::sqrt(a + 1.0);
  const double c = b * in[0] - a;
  const double d = c / (b + 2.0);
  const double e = std::exp(-d * d);
  const double f = e * c + b;
  out[0] = f * f / (1.0 + e);
}
