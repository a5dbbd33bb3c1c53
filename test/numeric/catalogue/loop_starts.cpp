// Where loops start: values that are converted to the counter's type, and such that change in the body.
// group: hessian
#include <cmath>
#include <cstddef>
#include <vector>

namespace {

void turn(double& sum, double x) { sum = std::sin(0.9 * sum + x * x); }

struct Range {
  int first;
};

}  // namespace

// case: at=0.4,-0.7,1.1,0.9
void startConverted(const double* in, double* out) {
  double sum = 0.3;
  for (std::size_t i = 0; i < 2; ++i)
    for (int k = i - 1; k < 3; ++k) turn(sum, in[k + 1]);
  out[0] = sum;
}

// case: at=0.4,-0.7,1.1,0.9
void startFromTheEnd(const double* in, double* out) {
  const std::vector<double> v(in, in + 4);
  double sum = 0.3;
  for (int k = v.size() - 1; k >= 0; --k) turn(sum, v[k]);
  for (int k = v.size() / 2; k < static_cast<int>(v.size()); k += 1) turn(sum, v[k] * v[k - 1]);
  out[0] = sum;
}

// case: at=0.4,-0.7,1.1,0.9
void startNarrowed(const double* in, double* out) {
  const long wide = in[0] > 5 ? 2 : 4294967296L;
  double sum = 0.3;
  for (int k = wide; k < 4; ++k) turn(sum, in[k]);
  for (short k = 65536 + wide; k < 4; k += 2) turn(sum, in[k] * in[3]);
  out[0] = sum;
}

// case: at=0.4,-0.7,1.1,0.9
void startFromAReal(const double* in, double* out) {
  double sum = 0.3;
  for (int k = 4 * in[0]; k < 4; ++k) turn(sum, in[k]);
  out[0] = sum;
}

// A bound of another sign than the counter: comparisons are of the wider type.
// case: at=0.4,-0.7,1.1,0.9
void otherBounds(const double* in, double* out) {
  const unsigned end = in[0] > 5 ? 2 : 4;
  const int first = in[0] > 5 ? 2 : -1;
  double sum = 0.3;
  for (long k = first; k < end; ++k) turn(sum, in[k < 0 ? 0 : k]);
  for (unsigned char k = end; k > 0; --k) turn(sum, in[k - 1]);
  out[0] = sum;
}

// case: at=0.4,-0.7,1.1,0.9
void startChanges(const double* in, double* out) {
  int n = 900;
  double sum = 0.3;
  for (int i = n; i < 904; ++i) {
    turn(sum, in[i - 900]);
    n = 0;
  }
  out[0] = sum + n;
}

// case: at=0.4,-0.7,1.1,0.9
void startMemberChanges(const double* in, double* out) {
  Range r{1};
  int starts[2] = {1, 2};
  double sum = 0.3;
  for (int i = r.first; i < 4; ++i) {
    turn(sum, in[i]);
    r.first = 7 * i;
  }
  for (int i = starts[0]; i < 4; ++i) {
    turn(sum, in[i] * in[0]);
    starts[0] += 3;
  }
  out[0] = sum * r.first + starts[0];
}

// case: at=0.4,-0.7,1.1,0.9
void startPointedTo(const double* in, double* out) {
  int n = 1;
  int* p = &n;
  double sum = 0.3;
  for (int i = *p; i < 4; ++i) {
    turn(sum, in[i]);
    n += 5;
  }
  for (int i = 3; i >= n - 15; --i) {
    turn(sum, in[i] * in[1]);
  }
  out[0] = sum;
}
