// Reals passed by value, whose adjoints loops sum in a variable.
// group: hessian
#include <cmath>

namespace {

void diffuse(int n, double nu, const double* u, double* v) {
  v[0] = u[0] * nu;
  for (int i = 1; i < n - 1; ++i) v[i] = u[i] + nu * (u[i + 1] - 2.0 * u[i] + u[i - 1]);
  v[n - 1] = nu * nu;
}

// Loops in a loop, a condition, and what neither loop does to the second number.
void mixed(int n, double a, double b, double* v) {
  b *= a;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) v[i] = std::sin(v[i]) * a + v[j];
    if (v[i] > 0.4) v[i] *= a;
    v[i] += b;
  }
}

// Overwritten by the loop that reads it: its adjoint isn't a sum.
void decays(int n, double rate, double* v) {
  for (int i = 0; i < n; ++i) {
    v[i] = v[i] * rate * rate;
    rate *= 0.75;
  }
}

// Added to here, handed on there.
double power(double base, int n) {
  double p = 1.0;
  for (int k = 0; k < n; ++k) p = p * base + 0.25;
  return p;
}
void handsOn(int n, double a, double b, double* v) {
  for (int i = 0; i < n; ++i) {
    v[i] = v[i] * power(a, i) * b;
    v[i] += a;
  }
}

void halves(double limit, double scale, double* v) {
  while (v[0] > limit) v[0] = 0.5 * v[0] * scale;
  v[0] *= scale;
}

float singles(int n, float a, float* v) {
  for (int i = 0; i + 1 < n; ++i) v[i] = v[i + 1] * a + a;
  return v[0] * a;
}

}  // namespace

// case: at=0.3,0.9,-0.4,1.2,0.7,0.2 out=5
void stencil(const double* in, double* out) {
  double v[5];
  diffuse(5, in[5], in, v);
  diffuse(5, v[2] * in[5], v, out);
}

// The same array twice, and a number that is one of its elements.
// case: at=0.3,0.9,-0.4,1.2,0.7 out=5 inout
void onItself(const double* in, double* out) {
  for (int i = 0; i < 5; ++i) out[i] += in[i];
  diffuse(5, out[2], out, out);
  diffuse(5, out[1], out, out);
}

// case: at=0.3,0.9 out=2
void noIteration(const double* in, double* out) {
  out[0] = in[0];
  out[1] = in[1];
  diffuse(2, in[1], in, out);
  mixed(0, in[0], in[1], out);
  mixed(1, in[0], in[1], out);
}

// case: at=0.3,0.9,0.8,0.5,0.6 out=4
void nested(const double* in, double* out) {
  for (int i = 0; i < 4; ++i) out[i] = in[i] * in[4];
  mixed(4, in[4], in[0], out);
  mixed(3, out[2], out[3], out);
}

// case: at=0.3,0.9,0.8,0.5 out=3
void overwritten(const double* in, double* out) {
  for (int i = 0; i < 3; ++i) out[i] = in[i];
  decays(3, in[3], out);
}

// case: at=0.3,0.9,0.8,0.5,1.1 out=3
void handedOn(const double* in, double* out) {
  for (int i = 0; i < 3; ++i) out[i] = in[i] * in[i];
  for (int step = 0; step < 2; ++step) handsOn(3, in[3] + step, in[4] * out[0], out);
}

// case: at=2.6,0.9
void untilSmall(const double* in, double* out) {
  out[0] = in[0];
  halves(0.3, in[1], out);
}

// case: at=0.5,0.9,0.8 precision=1e-5 nohessian
void ofSingles(const double* in, double* out) {
  float v[4] = {0.5f, static_cast<float>(in[0]), 0.25f, static_cast<float>(in[1])};
  out[0] = singles(4, static_cast<float>(in[2]), v);
}
