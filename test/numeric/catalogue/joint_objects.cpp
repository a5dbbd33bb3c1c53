// Calls as in joint_calls.cpp of functions with memory of their own, of other kinds and in other places.
// group: hessian
#include <array>
#include <cmath>
#include <vector>

namespace {

double total = 0;
int calls = 0;

double remembering(const double* a, int n) {
  static double last = 0.5;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * a[i] * last;
  last = std::sin(sum);
  return sum;
}
double adding(const double* a, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += std::sin(a[i]) * (1 + calls);
  total += sum * sum;
  ++calls;
  return sum;
}
double split(const double* a, int n, double& rest) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += a[i] * rest;
    rest = std::cos(rest * a[i]);
  }
  return sum;
}
struct Material {
  double stiffness, damping;
  std::array<double, 3> history{};
  double work(const double* a, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      sum += stiffness * a[i] * a[i] + history[i] * damping;
      history[i] = std::tanh(a[i] * stiffness);
    }
    return sum;
  }
  double energy(const std::vector<double>& a) const {
    double sum = 0;
    for (double x : a) sum += std::sqrt(1 + stiffness * x * x);
    return sum;
  }
};
double power(double x, int n) { return n <= 0 ? 1.0 : x * power(x, n - 1) + 0.1 * x; }
double early(const double* a, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    if (a[i] < 0) return sum * sum;
    sum += std::exp(a[i]);
  }
  return sum;
}
double nested(const double* a, int n) {
  double sum = 0;
  for (int i = 0; i + 1 < n; ++i) sum += early(a + i, 2) * a[i];
  return sum;
}
double checkpointed(double x, int n) {
  double y = x;
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int i = 0; i < n; ++i) y = std::sin(y) + x * y;
  return y;
}

}  // namespace

// case: at=0.4,-0.7,1.1,0.9
void withAStatic(const double* in, double* out) {
  double sum = remembering(in, 1) * 0;
  for (int i = 0; i < 3; ++i) sum += remembering(in + i, 2) * 0.0 + in[i] * in[i];
  out[0] = sum;
}
// case: at=0.4,-0.7,1.1,0.9
void withGlobals(const double* in, double* out) {
  total = 0;
  calls = 0;
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += adding(in + i, 2);
  out[0] = sum + total;
}
// case: at=0.4,-0.7,1.1,0.9
void withANumberByReference(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    double rest = in[3] + i;
    sum += split(in + i, 2, rest);
  }
  out[0] = sum;
}
// case: at=0.4,-0.7,1.1,0.9
void withANumberThatIsUsed(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    double rest = in[3] + i;
    const double s = split(in + i, 2, rest);
    sum += s + rest;
  }
  out[0] = sum;
}
// case: at=0.4,-0.7,1.1,0.9
void withObjects(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    Material m{in[3], in[0]};
    m.history[0] = in[i];
    sum += m.work(in + i, 2);
  }
  out[0] = sum;
}
// case: at=0.4,-0.7,1.1,0.9
void withAnObjectThatGoesOn(const double* in, double* out) {
  Material m{in[3], in[0]};
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += m.work(in + i, 2);
  out[0] = sum + m.history[1];
}
// case: at=0.4,-0.7,1.1,0.9
void withVectors(const double* in, double* out) {
  const Material m{in[3], in[0]};
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    std::vector<double> a(in + i, in + 4);
    sum += m.energy(a);
  }
  out[0] = sum;
}
// case: at=0.4,-0.7,1.1,0.9
void recursive(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += power(in[i], i);
  out[0] = sum;
}
// case: at=0.4,-0.7,1.1,0.9
void nestedCalls(const double* in, double* out) {
  double sum = 0;
  for (int k = 1; k <= 2; ++k) sum += k * nested(in + 2 - k, k + 1);
  out[0] = sum;
}
// case: at=0.4,-0.7,1.1,0.9 nohessian
void withCheckpoints(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += checkpointed(0.5 * in[i], 6);
  out[0] = sum;
}
// case: at=0.4,-0.7,1.1,0.9
void ofALambda(const double* in, double* out) {
  const auto f = [&](int i) {
    double t[3], sum = 0;
    for (int k = 0; k < 3; ++k) t[k] = in[i] * std::cos(in[k]);
    for (int k = 0; k < 3; ++k) sum += t[k] * t[(k + i) % 3];
    return sum;
  };
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += f(i);
  out[0] = sum;
}
