// As loop_starts.cpp and loop_ends.cpp, of loops that are shared among threads, and of checkpointed ones.
// group: openmp threads=1,2,3
#include <cmath>
#include <cstddef>
#include <vector>

namespace {
void turn(double& sum, double x) { sum = std::sin(0.9 * sum + x * x); }
int pick(const double* in, int a, int b) { return in[0] > 5 ? a : b; }
}  // namespace

// case: at=0.4,-0.7,1.1,0.9 out=4
void sharedStarts(const double* in, double* out) {
  const std::vector<double> v(in, in + 4);
  const long wide = 4294967296L + pick(in, 2, 0);
  std::vector<double> w(4);
#pragma omp parallel for
  for (int k = v.size() - 1; k >= 0; --k) {
    double sum = 0.1 * k;
    for (int j = k - static_cast<std::size_t>(1); j < 3; ++j) turn(sum, v[j + 1]);
    w[k] = sum;
  }
#pragma omp parallel for schedule(dynamic)
  for (int k = wide; k < 4; k += 1) out[k] = w[k] * w[k] * v[3 - k];
}

// case: at=0.4,-0.7,1.1,0.9
void sharedSums(const double* in, double* out) {
  const std::size_t n = 4;
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static, 1)
  for (int k = n - 2; k >= 0; k--) sum += std::sin(in[k] * in[k + 1]);
#pragma omp parallel for collapse(2) reduction(+ : sum)
  for (int i = n - 1; i > 0; --i)
    for (int k = n / 2; k < 4; ++k) sum += in[i] * in[k] * in[k];
#pragma omp simd reduction(+ : sum)
  for (int k = n - 3; k < 4; ++k) sum += in[k] * in[k] * in[k];
  out[0] = sum;
}

// case: at=0.4,-0.7,1.1,0.9
void startChangesInThreads(const double* in, double* out) {
  std::vector<double> w(4);
#pragma omp parallel for
  for (int i = 0; i < 4; ++i) {
    int n = i;
    double sum = 0.2;
    for (int k = n; k < 4; ++k) {
      turn(sum, in[k]);
      n = 0;
    }
    w[i] = sum * (n + 1);
  }
  out[0] = w[0] * w[1] + w[2] * w[3];
}

// case: at=0.4,-0.7,1.1,0.9
void checkpointedStarts(const double* in, double* out) {
  const std::vector<double> v(in, in + 4);
  int n = 1;
  double sum = 0.3;
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int k = v.size() - 1; k >= 0; --k) turn(sum, v[k]);
#pragma contraflow checkpoint(periodic, interval: 2)
  for (int k = n; k < 4; ++k) {
    turn(sum, v[k] * v[0]);
    n = 0;
  }
  out[0] = sum + n;
}
