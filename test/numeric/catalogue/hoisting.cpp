// Increments of one place by a whole loop, which are summed in a variable, with and without the loop being run once.
// group: hessian
#include <cmath>

// case: at=0.4,1.1,0.7
void pairs(const double* in, double* out) {
  double energy = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) {
      const double d = in[i] - in[j];
      energy -= 1.0 / std::sqrt(d * d + 0.1);
    }
  out[0] = energy;
}

namespace {

double sumOfSines(const double* x, int n, double weight) {
  double sum = 0.25;
  int count = 0;
  for (int i = 0; i < n; ++i) {
    const double s = std::sin(x[i] * x[0]);
    if (s > 0.3) {
      sum += s * s * weight;
      ++count;
    } else {
      sum -= s;
    }
  }
  return 2.0 * sum / weight + std::exp(x[0]) + count;
}

double readsItself(const double* x, int n) {
  double sum = 0.5, twice = 0;
  for (int i = 0; i < n; ++i) {
    twice += 2.0 * sum;
    sum += x[i] * x[i];
  }
  return twice;
}

double square(const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i] * x[i];
  return sum * sum;
}

double productWithSum(const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += std::exp(x[i]);
  return x[0] * sum;
}

double innerSums(const double* x, int n) {
  double total = 1.0, other = 0;
  for (int i = 0; i < n; ++i) {
    double square = 0;
    for (int j = 0; j < n; ++j) square += x[j] * x[j] * x[i];
    total += std::sqrt(square);
    for (int j = 0; j <= i; ++j) other += x[i] * std::sin(x[j]);
    for (int j = 0; j < i; ++j) total -= x[i] * x[j];
  }
  return total - 3.0 * other;
}

double term(const double* x, int i) { return std::sin(x[i]) * x[(i + 1) % 3]; }

double calls(const double* x, int n) {
  double sum = 0;
  for (int i = n - 1; i >= 0; --i) {
    double w[2] = {term(x, i), x[i]};
    int k = 0;
    while (k < 2) {
      w[k] *= w[1 - k];
      ++k;
    }
    sum += w[0] * w[1];
  }
  return -sum;
}

double noneRuns(const double* x, int n) {
  double sum = x[0];
  for (int i = 0; i < n - 3; ++i)
    for (int j = 0; j < n; ++j) sum += x[n - 4] * x[j];
  return sum;
}

// What the loop leaves is recorded, and its sums were added to before.
double recordedBefore(const double* x, int n) {
  double v[3] = {x[0], x[1], x[2]};
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += v[i] * v[i];
    v[i] = std::sin(v[i]) * sum;
  }
  for (int i = 0; i < n; ++i) sum += v[i] * x[i] * x[i];
  return sum;
}

float inFloat(const double* x, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<float>(x[i] * x[i]);
  return sum;
}

}  // namespace

// case: at=0.4,1.1,0.7
void returned(const double* in, double* out) { out[0] = sumOfSines(in, 3, in[1]); }

// case: at=0.4,1.1,0.7
void constantWeight(const double* in, double* out) { out[0] = sumOfSines(in, 3, 1.5); }

// case: at=0.4,1.1,0.7
void sumIsRead(const double* in, double* out) { out[0] = readsItself(in, 3); }

// case: at=0.4,1.1,0.7
void sumIsSquared(const double* in, double* out) { out[0] = square(in, 3); }

// case: at=0.4,1.1,0.7
void sumTimesIndependent(const double* in, double* out) { out[0] = productWithSum(in, 3); }

// case: at=0.4,1.1,0.7
void sumsInside(const double* in, double* out) { out[0] = innerSums(in, 3); }

// case: at=0.4,1.1,0.7
void callsInside(const double* in, double* out) { out[0] = calls(in, 3); }

// case: at=0.4,1.1,0.7
void noIterations(const double* in, double* out) { out[0] = noneRuns(in, 3); }

// case: at=0.4,1.1,0.7
void recordsInFront(const double* in, double* out) { out[0] = recordedBefore(in, 3); }

// case: at=0.4,1.1,0.7 precision=1e-5 nohessian
void floatSum(const double* in, double* out) { out[0] = static_cast<double>(inFloat(in, 3)); }

// Increments of one place, and reads of adjoints in the same loop.
// case: at=0.4,1.1,0.7 out=3
void readAndAdded(const double* in, double* out) {
  double v[3] = {in[0], in[1], in[2]};
  double* p = v;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      if (j != i) p[j] += p[i] * in[j];
    for (int j = 0; j < 2; ++j) p[j + 1] = p[0] * in[j] + p[j];
  }
  for (int i = 0; i < 3; ++i) out[i] = p[i];
}
