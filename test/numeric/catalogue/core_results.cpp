// Functions whose result must not be dropped by accident: where a derivative has no use for it, it says so.
// group: hessian
#include <cmath>

namespace {

[[nodiscard]] int fill(double* x, const double* in, int n) {
  int count = 0;
  for (int i = 0; i < n; ++i) {
    x[i] = std::sin(in[i]) * in[0];
    if (x[i] > 0) ++count;
  }
  return count;
}

[[nodiscard]] double relax(double* x, int n) {
  double change = 0;
  for (int i = 0; i + 1 < n; ++i) {
    const double before = x[i];
    x[i] = 0.5 * (x[i] + x[i + 1]) * x[i];
    change += std::fabs(x[i] - before);
  }
  return change;
}

struct [[nodiscard]] Report {
  int steps;
  double residual;
};
Report solve(double* x, int n) {
  Report r{0, 0};
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < n; ++i) x[i] -= 0.1 * x[i] * x[i];
    r.residual = x[0] * x[n - 1];
    ++r.steps;
  }
  return r;
}

enum class [[nodiscard]] Verdict { Good, Bad };
Verdict judge(double* x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    x[i] *= 1.1;
    s += x[i];
  }
  return s > 1 ? Verdict::Good : Verdict::Bad;
}

struct Chain {
  double a[3];
  [[nodiscard]] Chain& times(double f) {
    for (double& x : a) x *= f;
    return *this;
  }
  [[nodiscard]] double size() const {
    double s = 0;
    for (double x : a) s += x * x;
    return s;
  }
};

}  // namespace

// case: at=0.5,1.5,-0.4
void resultsInLoop(const double* in, double* out) {
  double s = 0;
  for (int k = 0; k < 3; ++k) {
    double x[3];
    const int count = fill(x, in, 3);
    if (count == 0) break;
    for (int i = 0; i < 3; ++i) s += x[i] * x[i] * in[k];
  }
  out[0] = s;
}

// case: at=0.5,1.5,-0.4
void resultsThatStop(const double* in, double* out) {
  double x[3];
  (void)fill(x, in, 3);
  int k = 0;
  while (relax(x, 3) > 0.01 && k < 4) ++k;
  (void)relax(x, 2);
  out[0] = x[0] * x[1] + x[2];
}

// case: at=0.5,1.5,-0.4 out=2
void resultsOfTypes(const double* in, double* out) {
  double x[3] = {in[0], in[1], in[2]};
  const Report first = solve(x, 3);
  (void)solve(x, 2);
  if (judge(x, 3) == Verdict::Bad) (void)judge(x, 2);
  Chain c{{x[0], x[1], x[2]}};
  (void)c.times(in[0]).times(x[2]);
  (void)c.size();
  for (int k = 0; k < 2; ++k) {
    double y[3] = {x[0], x[1] * k, in[k]};
    const Report r = solve(y, 3);
    if (r.steps < 3) break;
    x[0] += y[0] * y[2];
  }
  out[0] = x[0] * x[2] + c.a[1];
  out[1] = first.residual;
}
