// Vectors that change in parallel regions: of an iteration, of a thread, and between loops.
// group: openmp threads=1,2,4 hessian
#include <cmath>
#include <vector>

namespace {
constexpr int kSize = 16;
}

// case: at=0.3,1.1
void grownPerIteration(const double* in, double* out) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) {
    std::vector<double> work;
    for (int k = 0; k <= i % 4; ++k) work.push_back(in[0] * (i + 1) + k * in[1]);
    for (std::size_t k = 1; k < work.size(); ++k) work[k] *= work[k - 1] * 0.1;
    work.push_back(std::sin(work.back()));
    sum += work.back() * work.front();
  }
  out[0] = sum;
}

// case: at=0.3,1.1 out=2
void grownPerIterationShared(const double* in, double* out) {
  std::vector<double> u(kSize), v(kSize);
  for (int i = 0; i < kSize; ++i) u[i] = in[i % 2] * (0.2 + 0.05 * i);
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < kSize; ++i) {
    std::vector<double> near;
    for (int k = -2; k <= 2; ++k)
      if (i + k >= 0 && i + k < kSize) near.push_back(u[i + k]);
    double s = 0.0;
    while (!near.empty()) {
      s += near.back() * near.back() * (1.0 + s);
      near.pop_back();
    }
    v[i] = s;
  }
  out[0] = out[1] = 0.0;
  for (int i = 0; i < kSize; ++i) {
    out[0] += v[i];
    out[1] += v[i] * u[kSize - 1 - i];
  }
}

static double scanned(const std::vector<double>& u, int n) {
  std::vector<double> sums;
  double s = 0.0;
  for (int k = 0; k < n; ++k) {
    s += u[k] * u[k];
    sums.push_back(s);
  }
  return sums.back() * sums[n / 2];
}

// case: at=0.3,1.1
void grownInCalleePerIteration(const double* in, double* out) {
  std::vector<double> u(kSize, in[0]), v(kSize);
  u[3] = in[1];
#pragma omp parallel for
  for (int i = 0; i < kSize; ++i) v[i] = scanned(u, i + 1);
  out[0] = 0.0;
  for (double e : v) out[0] += std::sqrt(1.0 + e);
}

// A vector of each thread, through all of its iterations.
// case: at=0.3,1.1
void vectorOfEachThread(const double* in, double* out) {
  double sum = 0.0;
#pragma omp parallel reduction(+ : sum)
  {
    std::vector<double> own;
#pragma omp for
    for (int i = 0; i < kSize; ++i) {
      own.clear();
      for (int k = 0; k < 1 + i % 3; ++k) own.push_back(in[0] + in[1] * i * (k + 1));
      sum += own.back() * own[0];
    }
  }
  out[0] = sum;
}

// case: at=0.3,1.1
void swappedBetweenLoops(const double* in, double* out) {
  std::vector<double> u(kSize, in[0]), w(kSize);
  u[kSize / 2] = in[1];
  for (int step = 0; step < 3; ++step) {
#pragma omp parallel for
    for (int i = 1; i < kSize - 1; ++i) w[i] = u[i] + 0.2 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i];
    u.swap(w);
    u.push_back(u[2] * u[1]);
    w.push_back(0.0);
  }
  out[0] = 0.0;
  for (double e : u) out[0] += e * e;
}
