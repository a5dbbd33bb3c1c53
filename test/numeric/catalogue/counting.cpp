// Variables that are counted up and down by numbers: the reverse sweep counts them back. What else happens to them is recorded.
// group: hessian
#include <cmath>

// case: at=0.4,1.1,0.7,1.3,0.9,0.6
void packedTriangle(const double* in, double* out) {
  double sum = 0;
  int l = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) {
      sum += in[l] * in[i] * std::sin(in[j]);
      l += 1;
    }
  out[0] = sum * sum;
}

// case: at=0.4,1.1,0.7,1.3
void walkingPointers(const double* in, double* out) {
  double work[4];
  double* to = work;
  const double* from = in + 4;
  while (from != in) {
    --from;
    *to = *from * *from;
    ++to;
  }
  double product = 1;
  for (int i = 0; i < 4; ++i) {
    --to;
    product *= *to + 0.1 * i;
    *to = product;
  }
  out[0] = product + work[1] * work[2];
}

// case: at=0.4,1.1,0.7,1.3
void setAgainInBetween(const double* in, double* out) {
  double a = in[0];
  int k = 0;
  for (int i = 0; i < 5; ++i) {
    a *= in[k];
    if (a > 0.3) {
      k += 3;
      a += std::sin(a);
    }
    a -= a * in[k] * 0.1;
    k -= 1;
    if (k < 0 || k > 2) k = i % 3;
    a *= in[k] + 0.5;
  }
  out[0] = a;
}

// case: at=0.4,1.1,0.7,1.3
void narrowAndWrapping(const double* in, double* out) {
  unsigned char small = 250;
  short step = 3;
  unsigned below = 1;
  double a = 1;
  for (int i = 0; i < 6; ++i) {
    a *= 0.5 + in[small % 4];
    small += 300;
    below -= 2;
    step -= 1;
    a += in[(below + 7) % 4] * a * step;
  }
  out[0] = a;
}

namespace {

double countsDown(const double* x, int n) {
  double a = 1;
  const double* last = x + n;
  while (n > 0) {
    a += a * x[n - 1];
    n -= 1;
    a *= *--last;
  }
  n += 2;
  return a * x[n];
}

double leavesEarly(const double* x, int n) {
  double a = 0.3;
  int k = 0;
  for (;;) {
    a += a * x[k];
    k += 1;
    if (k >= n) return a * x[0];
    a *= std::cos(x[k]);
    if (a > 1.5) break;
    k += 1;
    if (k >= n) {
      k -= 2;
      break;
    }
  }
  return a * x[k];
}

struct Cursor {
  const double* at;
  int seen;
  double next() {
    seen += 1;
    return *at++ * seen;
  }
};

int taken(int& counter) {
  counter += 1;
  return counter;
}

}  // namespace

// case: at=0.4,1.1,0.7,1.3
void parametersCounted(const double* in, double* out) { out[0] = countsDown(in, 3) * countsDown(in + 1, 1) + countsDown(in, 2); }

// case: at=0.4,1.1,0.7,1.3
void returnsBetweenCounts(const double* in, double* out) { out[0] = leavesEarly(in, 4) * leavesEarly(in, 2) + leavesEarly(in + 1, 3); }

// case: at=0.4,1.1,0.7,1.3
void cursors(const double* in, double* out) {
  Cursor c{in, 0};
  double a = 1;
  for (int i = 0; i < 4; ++i) a *= 1 + c.next() * a;
  out[0] = a * c.seen;
}

// case: at=0.4,1.1,0.7,1.3
void countedByReference(const double* in, double* out) {
  int k = 0;
  int& same = k;
  double a = in[0];
  for (int i = 0; i < 3; ++i) {
    a += a * in[k];
    same += 1;
    a *= in[k];
    k += 2;
    a *= 1 + in[k % 4];
    k -= 2;
  }
  a += in[taken(k) - 1] * a;
  out[0] = a * in[k - 2];
}

// case: at=0.4,1.1,0.7,1.3
void countedInLambda(const double* in, double* out) {
  int k = 0;
  double a = 1;
  const auto use = [&](double weight) {
    a += a * weight * in[k];
    ++k;
  };
  use(0.5);
  use(2.0);
  for (int i = 0; i < 2; ++i) use(a);
  out[0] = a * k;
}

// case: at=0.4,1.1,0.7,1.3,0.2,0.8 out=2
void strides(const double* in, double* out) {
  double a = 0, b = 1;
  unsigned long even = 0;
  long odd = 5;
  for (int i = 0; i < 3; ++i, even += 2, odd -= 2) {
    a += in[even] * b;
    b *= in[odd] + a;
  }
  out[0] = a * b;
  out[1] = a + static_cast<double>(even) * b;
}

namespace {
const double kTable[4] = {0.6, 0.8, 1.2, 0.4};

double fromOneOfTwo(const double* x, int which) {
  const double* p = which > 0 ? x : kTable;  // no shadow there
  double a = x[1];
  for (int i = 0; i < 3; ++i) {
    a += a * *p;
    ++p;
    a *= *p + x[i];
  }
  p -= 3;
  return a * *p;
}
}  // namespace

// case: at=0.4,1.1,0.7,1.3
void pointersWithoutShadow(const double* in, double* out) { out[0] = fromOneOfTwo(in, 0) + fromOneOfTwo(in, 1) * fromOneOfTwo(in, -1); }
