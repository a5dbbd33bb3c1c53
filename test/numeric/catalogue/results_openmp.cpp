// Statements that are reversed with the value they gave, in parallel regions.
// group: openmp threads=1,2,3 hessian
#include <cmath>
#include <vector>

namespace {

constexpr int kSize = 20;

double spread(const double* in, int i) { return in[i % 3] * (1.0 + 0.05 * i); }

void step(const double* a, const double* b, double* q, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) q[i] = a[i] / (b[i] + 0.5);
}

}  // namespace

// case: at=0.7,1.3,0.4 out=2
void shared(const double* in, double* out) {
  double a[kSize], b[kSize];
#pragma omp parallel for
  for (int i = 0; i < kSize; ++i) {
    a[i] = std::exp(-spread(in, i));
    b[i] = a[i] / spread(in, i + 1);
    a[i] = std::sqrt(b[i] + a[i]);
    b[i] = b[i] / a[i];
    a[i] += b[i] * in[0];
  }
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) {
    b[i] = 1.0 / (b[i] + a[(i + 3) % kSize]);
    sum += b[i] * b[i];
  }
  out[0] = sum;
  out[1] = a[0] * b[kSize - 1];
}

// case: at=0.7,1.3,0.4 out=2
void region(const double* in, double* out) {
  std::vector<double> u(kSize), v(kSize);
  double scale = in[0];
#pragma omp parallel
  {
    double own = in[1];
#pragma omp for schedule(dynamic)
    for (int i = 0; i < kSize; ++i) {
      double q = spread(in, i) / in[1];
      q = std::tanh(q);
      u[i] = q / (1.0 + q);
    }
#pragma omp single
    {
      scale = scale / u[3];
      scale = std::sqrt(scale);
    }
    own = own / scale;
#pragma omp for schedule(static, 3)
    for (int i = 0; i < kSize; ++i) {
      v[i] = u[(i + 5) % kSize] / scale;
      v[i] = v[i] / own;
    }
#pragma omp for
    for (int i = 0; i < kSize; ++i) {
      u[i] = std::exp(-v[kSize - 1 - i]);
      u[i] = 1.0 / u[i];
    }
  }
  out[0] = out[1] = scale;
  for (int i = 0; i < kSize; ++i) out[0] += u[i] * v[i];
}

// case: at=0.7,1.3,0.4 out=2
void steps(const double* in, double* out) {
  double a[kSize], b[kSize], c[kSize];
  for (int i = 0; i < kSize; ++i) {
    a[i] = spread(in, i);
    b[i] = in[1] / a[i];
    c[i] = 0.0;
  }
  out[0] = 0;
  for (int t = 0; t < 3; ++t) {
    step(a, b, c, kSize);
    step(c, a, b, kSize);
    step(b, c, t == 1 ? b : a, kSize);
    double last = 0;
#pragma omp parallel for lastprivate(last) firstprivate(t)
    for (int i = 0; i < kSize; ++i) {
      last = a[i] / (1.0 + b[i]);
      c[i] = std::sqrt(last * last + in[2] * t);
    }
    out[0] += last * c[2];
  }
  out[1] = a[1] * b[2] * c[3];
}

// case: at=0.7,1.3,0.4 out=1
void simd(const double* in, double* out) {
  double x[kSize], sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) {
    double q = spread(in, i) / in[2];
    x[i] = std::sqrt(q);
    q = q / x[i];
    sum += q * x[i];
  }
#pragma omp simd
  for (int i = 0; i < kSize; ++i) x[i] = x[i] / in[0];
  out[0] = sum + x[2] * x[7];
}
