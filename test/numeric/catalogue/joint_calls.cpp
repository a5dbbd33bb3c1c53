// Calls in iterations that are reversed at once: forward and reverse part as one call, where nothing but numbers stands in between.
// group: hessian
// group: openmp threads=1,3
#include <cmath>
#include <vector>

namespace {

// Too long to be written out where they are called.
double energy(const double* a, int n, double scale) {
  double t[4], sum = 0;
  for (int i = 0; i < n; ++i) t[i] = std::sin(scale * a[i]);
  for (int i = 0; i < n; ++i) sum += t[i] * t[(i + 1) % n];
  return sum;
}

double counted(const double* a, int n, int& calls) {
  ++calls;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * a[i] * calls;
  return sum;
}

double halved(double* a, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += a[i] * a[i];
    a[i] = 0.5 * std::sin(a[i]);
  }
  return sum;
}

double power(double x, int n) {
  double p = 1;
  for (int i = 0; i < n; ++i) p = p * x + 0.1;
  return p;
}

}  // namespace

// case: at=0.4,-0.7,1.1,0.9
void sumOfEnergies(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += energy(in + i, 2, 1.0 + i);
  out[0] = sum;
}

// The adjoint of the result depends on the result.
// case: at=0.4,-0.7,1.1,0.9
void sumOfSquares(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double e = energy(in + i, 2, in[3]);
    sum += e * e * in[0];
  }
  out[0] = sum;
}

// Numbers in between that depend on it, and such that don't.
// case: at=0.4,-0.7,1.1,0.9
void weighted(const double* in, double* out) {
  double sum = 0, weights = 0;
  for (int i = 0; i < 3; ++i) {
    const double e = energy(in + i, 2, 0.5 * in[0]);
    const double weight = in[1] + i;
    const double half = 0.5 * e;
    sum += half * weight;
    weights += weight * weight;
  }
  out[0] = sum * weights;
}

// Its own argument is overwritten, by what it returns.
// case: at=0.4,-0.7,1.1,0.9
void again(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    double x = in[i] * in[3];
    x = power(x, 3);
    sum += x;
  }
  out[0] = sum;
}

// Two calls: of these the second one.
// case: at=0.4,-0.7,1.1,0.9
void twoCalls(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double p = power(in[i], 2);
    const double e = energy(in + i, 2, p);
    sum += e;
  }
  out[0] = sum;
}

// The second one may be called at once, but what it is called with isn't known before the first one's result.
// case: at=0.4,-0.7,1.1,0.9
void oneOfAnother(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double p = power(in[i], 2);
    const double q = power(p, 3);
    sum += q - p;
  }
  out[0] = sum;
}

// Callees that change what they are given.
// case: at=0.4,-0.7,1.1,0.9
void overOwnCopies(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    double own[2] = {in[i] * in[3], in[i + 1]};
    const double e = halved(own, 2);
    sum += e * in[1];
  }
  out[0] = sum;
}
// case: at=0.4,-0.7,1.1,0.9
void overOwnCopiesUsedAgain(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    double own[2] = {in[i] * in[3], in[i + 1]};
    sum += halved(own, 2);
    sum += own[0] * own[1];
  }
  out[0] = sum;
}
// case: at=0.4,-0.7,1.1,0.9
void countedCalls(const double* in, double* out) {
  double sum = 0;
  int calls = 0;
  for (int i = 0; i < 3; ++i) sum += counted(in + i, 2, calls);
  out[0] = sum * calls;
}
// case: at=0.4,-0.7,1.1,0.9
void countedOwnCalls(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    int calls = i;
    sum += counted(in + i, 2, calls);
    sum += calls * in[i];
  }
  out[0] = sum;
}

// In parallel iterations; the same elements are read by several.
// case: at=0.4,-0.7,1.1,0.9
void inThreads(const double* in, double* out) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 3; ++i) sum += energy(in + i, 2, in[3]);
  out[0] = sum;
}
// case: at=0.4,-0.7,1.1,0.9 out=3
void resultsInThreads(const double* in, double* out) {
#pragma omp parallel for
  for (int i = 0; i < 3; ++i) {
    const double e = energy(in + i, 2, in[3]);
    out[i] = e * e;
  }
}
// case: at=0.4,-0.7,1.1,0.9
void sumsOfSums(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 2; ++i) {
    double inner = 0;
    for (int k = 0; k < 2; ++k) inner += energy(in + i + k, 2, in[3] + k);
    sum += inner * inner;
  }
  out[0] = sum;
}

// Run in a branch only, and in a part of the turns.
// case: at=0.4,-0.7,1.1,0.9
void sometimes(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    if (in[i] < 0) continue;
    if (in[i] > 0.5) sum += energy(in + i, 2, in[0]);
    else sum -= 2.0 * power(in[i], 2);
  }
  out[0] = sum;
}
