// Where loops end, and how they step: conversions between the types of counter, bound and step.
// group: hessian
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {
void turn(double& sum, double x) { sum = std::sin(0.9 * sum + x * x); }
int pick(const double* in, int a, int b) { return in[0] > 5 ? a : b; }
}  // namespace

// An unsigned counter that begins behind the end: no iteration for 0.
// case: at=0.4,-0.7,1.1,0.9
void unsignedStart(const double* in, double* out) {
  double sum = 0.3;
  for (int i = 0; i < 3; ++i)
    for (unsigned k = i - 1; k < 3; ++k) turn(sum, in[k]);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = i - 1; k + 1 < 4; k++) turn(sum, in[k + 1]);
  out[0] = sum;
}

// case: at=0.4,-0.7,1.1,0.9
void unsignedDown(const double* in, double* out) {
  const unsigned n = pick(in, 2, 4);
  double sum = 0.3;
  for (unsigned k = n; k-- > 0;) turn(sum, in[k]);
  for (unsigned k = n - 1; k > 0; --k) turn(sum, in[k] * in[0]);
  for (std::size_t k = n; k > 1; k -= 2) turn(sum, in[k - 1] * in[1]);
  for (unsigned k = n - 1; k < n; --k) turn(sum, in[k] * in[2]);
  out[0] = sum;
}

// case: at=0.4,-0.7,1.1,0.9
void narrowCounters(const double* in, double* out) {
  const int n = pick(in, 2, 4);
  const long wide = n;
  double sum = 0.3;
  for (signed char k = 0; k < n; ++k) turn(sum, in[k]);
  for (short k = n - 1; k >= 0; k--) turn(sum, in[k] * in[0]);
  for (unsigned char k = 1; k < wide; k += 2) turn(sum, in[k] * in[1]);
  for (std::uint16_t k = n; k != 0; --k) turn(sum, in[k - 1] * in[2]);
  out[0] = sum;
}

// case: at=0.4,-0.7,1.1,0.9
void steps(const double* in, double* out) {
  const int two = pick(in, 1, 2);
  const long minus = -pick(in, 2, 1);
  const unsigned one = pick(in, 2, 1);
  double sum = 0.3;
  for (int k = 0; k < 4; k += two) turn(sum, in[k]);
  for (int k = 3; k >= 0; k -= two) turn(sum, in[k] * in[0]);
  for (int k = 3; k >= 0; k += minus) turn(sum, in[k] * in[1]);
  for (long k = 3; k >= 0; k -= one) turn(sum, in[k] * in[2]);
  for (int k = 0; k < 4; k += one) turn(sum, in[k] * in[3]);
  for (std::size_t k = 0; k < 4; k += two) turn(sum, in[k] * in[0]);
  for (int k = 0; k < 4; k -= minus) turn(sum, in[k] * in[1]);
  out[0] = sum;
}

// A step that changes, a bound that changes, a bound that isn't an integer.
// case: at=0.4,-0.7,1.1,0.9
void changing(const double* in, double* out) {
  int step = 1, end = 2;
  double sum = 0.3;
  for (int k = 0; k < 4; k += step) {
    turn(sum, in[k]);
    ++step;
  }
  for (int k = 0; k < end; ++k) {
    turn(sum, in[k] * in[0]);
    if (end < 4) ++end;
  }
  for (int k = 0; k < 2.5 * std::fabs(in[2]); ++k) turn(sum, in[k] * in[1]);
  for (int k = step; k < step + 2; ++k) turn(sum, in[k % 4] * in[2]);
  out[0] = sum * end;
}

// case: at=0.4,-0.7,1.1,0.9
void reversedBounds(const double* in, double* out) {
  const std::vector<double> v(in, in + 4);
  const int n = pick(in, 2, 4);
  double sum = 0.3;
  for (int k = 0; n > k; ++k) turn(sum, v[k]);
  for (int k = 1; k <= n - 1; ++k) turn(sum, v[k] * v[k - 1]);
  for (std::size_t k = 0; k < v.size() - 1; ++k) turn(sum, v[k] * v[k + 1]);
  for (std::size_t k = v.size(); k != 0; k--) turn(sum, v[k - 1]);
  for (int k = -n; k < 0; ++k) turn(sum, v[k + n] * in[0]);
  for (long long k = n + 0LL; 0 < k; --k) turn(sum, v[k - 1] * in[1]);
  out[0] = sum;
}

// Nests whose inner ends are conversions of outer counters.
// case: at=0.4,-0.7,1.1,0.9
void nests(const double* in, double* out) {
  double sum = 0.3;
  for (std::size_t i = 0; i < 3; ++i)
    for (int k = 2; k > static_cast<int>(i) - 1; --k) turn(sum, in[k] * in[i]);
  for (unsigned i = 3; i-- > 1;)
    for (int k = i; k < 4; k += 1 + i % 2) turn(sum, in[k] * in[i]);
  for (short i = 0; i < 2; ++i)
    for (long k = i; k < 2L * i + 2; ++k) turn(sum, in[k]);
  out[0] = sum;
}
