// Math functions that a derivative needs more than once: the value is kept from one use to the next, unless what it is computed
// from may have changed, or it was evaluated under a condition only.
// group: hessian
#include <cmath>

namespace {

void scale(double& x, double factor) { x *= factor; }

namespace left {
double rate = 0.3;
}
namespace right {
double rate = 0.8;
}

}  // namespace

// case: at=0.4,1.1
void usedTwice(const double* in, double* out) {
  out[0] = std::sin(in[0]) * std::exp(in[1] * in[0]) + std::cos(in[1] * in[0]) * std::exp(-in[0] * in[0]);
  out[0] += std::exp(in[1] * in[0]) / std::sqrt(1.0 + in[0] * in[0]);
}

// case: at=0.4,1.1
void argumentOverwritten(const double* in, double* out) {
  double a = in[0];
  double sum = std::sin(a) * in[1];
  a = a * in[1] + std::sin(a);
  sum += std::sin(a) * std::exp(a);
  a += std::exp(a);
  out[0] = sum + std::sin(a) * std::exp(a);
}

// case: at=0.4,1.1
void overwrittenThroughPointer(const double* in, double* out) {
  double a = in[0];
  double* p = &a;
  double sum = std::exp(a) * std::exp(in[1]);
  *p = a * in[1];
  sum += std::exp(a) * a;
  scale(a, in[1]);
  double& r = a;
  sum += std::exp(a);
  r = in[1] + std::exp(a);
  out[0] = sum + std::exp(a);
}

// case: at=0.4,1.1,0.7 out=2
void elementOverwritten(const double* in, double* out) {
  double v[3] = {in[0], in[1], in[2]};
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    sum += std::exp(v[i]) * std::sin(v[j]);
    v[j] = std::sin(v[j]) * 0.5 + v[i];
    sum += std::exp(v[i]) * std::sin(v[j]);
    v[i] = std::exp(v[i]) * 0.25;
    sum += std::exp(v[i]);
  }
  out[0] = sum;
  out[1] = v[0] * v[2];
}

// case: at=0.4,1.1 out=2 start=0.3,0.6 inout
void outputsOverwritten(const double* in, double* out) {
  for (int i = 0; i < 3; ++i) {
    out[i % 2] = std::exp(out[0]) * std::sin(out[1]) * in[0];
    out[1] += std::exp(out[0]) * std::sin(out[1]) - std::exp(in[1]);
  }
}

// case: at=0.4,-1.1
void underAConditionOnly(const double* in, double* out) {
  double sum = 0.0;
  for (int i = 0; i < 2; ++i) {
    sum += in[i] > 0.0 ? std::log(in[i]) * std::log(in[i]) : 0.5 * in[i];
    sum += in[i] > 0.0 && std::sqrt(in[i]) > 0.1 ? std::sqrt(in[i]) * std::log(in[i]) : in[i] * in[i];
  }
  out[0] = sum;
}

// case: at=0.4,1.1
void oneInTheOther(const double* in, double* out) {
  const double a = in[0] * in[1];
  out[0] = std::exp(std::sin(a)) * std::sin(a) + std::exp(std::sin(a)) * std::sqrt(1.0 + std::exp(std::sin(a)));
}

// case: at=0.4,1.1
void carriedByALoop(const double* in, double* out) {
  double u = in[0];
  for (int i = 0; i < 4; ++i) u = u + 0.1 * std::sin(u) * std::exp(-in[1] * u) * std::sin(u) + 0.01 * std::exp(-in[1] * u);
  out[0] = u;
}

// case: at=0.4,1.1
void sameNameInTwoNamespaces(const double* in, double* out) {
  left::rate = 0.2 * in[0];
  right::rate = in[0] * in[1];
  out[0] = std::exp(left::rate) * std::exp(right::rate) + std::sin(right::rate) / std::exp(right::rate) + std::exp(left::rate);
}
