// Stencils in single precision.
// group: precision=3e-6
#include "extended.hpp"

namespace {
void step(int n, const float* a, float* b) {
  for (int i = 1; i < n - 1; ++i) b[i] = a[i] + 0.2f * (a[i - 1] - 2.0f * a[i] * a[i] + a[i + 1]);
}
}  // namespace

// case: at=0.37,0.83
void singleStencil(const double* in, double* out) {
  float a[70], b[70] = {};
  for (int i = 0; i < 70; ++i) a[i] = static_cast<float>(in[i % 2] + 0.01 * i);
  step(70, a, b);
  step(70, b, a);
  double sum = 0.0;
  for (int i = 0; i < 70; ++i) sum += a[i] * b[i];
  out[0] = sum;
}

// case: at=0.37,0.83
void singleIntoDouble(const double* in, double* out) {
  float a[70];
  double b[70] = {};
  for (int i = 0; i < 70; ++i) a[i] = static_cast<float>(in[i % 2] * (1.0 + 0.01 * i));
  for (int i = 1; i < 69; ++i) b[i] = static_cast<double>(a[i - 1]) * a[i + 1] - a[i];
  double sum = 0.0;
  for (int i = 0; i < 70; ++i) sum += b[i] * b[i];
  out[0] = sum;
}
