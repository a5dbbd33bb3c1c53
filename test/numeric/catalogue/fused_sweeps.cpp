// Loops at the end of a head whose forward and reverse sweep are one, and those that look alike but mustn't be.
//
// group: hessian
#include <cmath>
#include <vector>

// case: at=0.6,1.2,0.3 out=1
void fuOne(const double* __restrict__ in, double* __restrict__ out) {
  double sum = in[0] * in[1];
  for (int i = 0; i < 3; ++i) sum += std::sin(in[i]) * std::exp(in[i] * in[(i + 1) % 3]);
  out[0] = 0.5 * sum + in[2];
}

// Pairs: only the inner loop adds to the sum, in a branch as well.
// case: at=0.6,1.2,0.3 out=1
void fuPairs(const double* __restrict__ in, double* __restrict__ out) {
  double energy = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double x = in[i] * in[i];
    for (int j = 0; j < i; ++j) {
      const double d = x - in[j];
      energy -= 1.0 / std::sqrt(d * d + 0.1);
      if (d > 0.0) energy += d * d * d;
    }
  }
  out[0] = energy;
}

// A loop that is recorded within.
// case: at=0.6,1.2,0.3 out=1
void fuRecorded(const double* __restrict__ in, double* __restrict__ out) {
  double energy = 0.0;
  for (int i = 0; i < 3; ++i) {
    double x = in[i];
    for (int k = 0; k < 3; ++k) {
      x = std::sin(x) + in[0] * 0.2;
      energy += x * x * 0.1;
    }
    energy += std::sqrt(x * x + 1.0);
  }
  out[0] = energy;
}

// Sums in loops on several levels: fused, they would be added up in another order.
// case: at=0.6,1.2,0.3 out=1
void fuNested(const double* __restrict__ in, double* __restrict__ out) {
  double energy = 0.0;
  for (int i = 0; i < 3; ++i) {
    double row = 0.0;
    for (int j = 0; j < i; ++j) {
      const double d = in[i] - in[j];
      energy -= 1.0 / std::sqrt(d * d + 0.1);
      if (d > 0.0) energy += d * d * d;
      row += d * in[j];
    }
    double x = in[i];
    for (int k = 0; k < 3; ++k) {
      x = std::sin(x) + row * 0.2;
      energy += x * x * 0.1;
    }
    energy += std::sqrt(row * row + 1.0);
  }
  out[0] = energy;
}

static double fuPart(const double* x, int n) {
  double product = 1.0;
  for (int i = 0; i < n; ++i) product *= x[i] + 1.0;
  return product;
}
// Two loops and two sums, results through other variables and into memory, a call in the loop.
// case: at=0.6,1.2,0.3,0.8 out=2
void fuTwo(const double* __restrict__ in, double* __restrict__ out) {
  double first = 0.0;
  for (int i = 0; i < 3; ++i) first += fuPart(in + i, 2);
  double second = in[0];
  for (int i = 3; i >= 0; --i) {
    second += in[i] * in[i];
    second -= std::cos(in[i]);
  }
  const double both = first - 2.0 * second;
  out[0] = both / 4.0;
  out[1] = both + second;
}

// --- what follows isn't linear in the sum
// case: at=0.6,1.2,0.3 out=1
void fuSquared(const double* __restrict__ in, double* __restrict__ out) {
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) sum += std::exp(in[i]);
  out[0] = sum * sum;
}
// case: at=0.6,1.2,0.3 out=1
void fuTimesActive(const double* __restrict__ in, double* __restrict__ out) {
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) sum += std::exp(in[i]);
  out[0] = sum * in[1];
}
// The mean: the number of terms is a sum as well.
// case: at=0.6,1.2,0.3 out=1
void fuMean(const double* __restrict__ in, double* __restrict__ out) {
  double sum = 0.0;
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    if (in[i] < 0.5) continue;
    sum += std::exp(in[i]);
    ++count;
  }
  out[0] = sum / count;
}
// --- the sum is read in its loop, or in the next
// case: at=0.6,1.2,0.3 out=2
void fuReads(const double* __restrict__ in, double* __restrict__ out) {
  double sum = 0.0, weighted = 0.0;
  for (int i = 0; i < 3; ++i) {
    sum += in[i] * in[i];
    weighted += sum;
  }
  double third = 0.0;
  for (int i = 0; i < 3; ++i) third += weighted * in[i];
  out[0] = third;
  out[1] = sum;
}
// Two loops that add to the same sum; the second overwrites what the first reads.
// case: at=0.6,1.2,0.3 out=1
void fuSame(const double* __restrict__ in, double* __restrict__ out) {
  std::vector<double> x(in, in + 3);
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) sum += x[i] * x[i];
  for (int i = 0; i < 3; ++i) {
    x[i] *= 2.0;
    sum += x[i] * x[i] * x[i];
  }
  out[0] = sum + x[1];
}
// What the loop reads was recorded before, and is restored behind it.
// case: at=0.6,1.2,0.3 out=1
void fuRestored(const double* __restrict__ in, double* __restrict__ out) {
  double x[3], w = in[1];
  for (int i = 0; i < 3; ++i) {
    x[i] = in[i] * in[i];
    w = std::sin(w * x[i]);
    x[i] = std::exp(x[i]) * w;
  }
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) sum += x[i] * x[i] * w;
  out[0] = 3.0 * sum + w * w;
}
// The result lies where the loop reads, and where another result lies.
// case: at=0.6,1.2,0.3 out=3
void fuInPlace(const double* __restrict__ in, double* __restrict__ out) {
  for (int i = 0; i < 3; ++i) out[i] = in[i] * 2.0;
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) sum += out[i] * out[i] * out[(i + 1) % 3];
  out[1] = sum;
  out[2] += 2.0 * sum;
  out[0] -= sum;
}
// Nothing is run, and a sum that doesn't matter.
// case: at=0.6,1.2,0.3 out=1
void fuEmpty(const double* __restrict__ in, double* __restrict__ out) {
  double sum = in[0] * in[1], idle = 0.0;
  for (int i = 3; i < 3; ++i) sum += in[i] * in[i];
  for (int i = 0; i < 2; ++i) idle += in[i] * in[i];
  out[0] = idle > 1e9 ? 0.0 : sum;
}
