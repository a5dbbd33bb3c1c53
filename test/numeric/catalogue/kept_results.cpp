// Results of costly functions in branches and called functions: kept on the tape of an iteration instead of evaluated again.
// group: hessian
// group: openmp threads=1,3
#include <cmath>
#include <vector>

namespace {

// Too long to be written out where it is called.
double law(double t, double c, const double* k, int& uses) {
  ++uses;
  if (t > 0.5) {
    const double rate = std::exp(-k[0] / t);
    const double power = std::pow(c, k[1]);
    const double both = rate * power;
    if (both > 0.2) {
      const double root = std::sqrt(both);
      return root * c + k[0] * root * root;
    }
    return both * c + rate;
  }
  const double low = std::sin(t * k[1]);
  const double high = std::cos(t * k[1]);
  return low * high * c + low;
}

void turn(const double* r, const double* v, double* out) {
  const double square = r[0] * r[0] + r[1] * r[1];
  if (square > 0.3) {
    const double angle = std::sqrt(square);
    const double cosine = std::cos(angle), sine = std::sin(angle);
    out[0] = cosine * v[0] - sine * v[1];
    out[1] = sine * v[0] + cosine * v[1] + angle;
  } else {
    out[0] = v[0] - r[1] * v[1];
    out[1] = v[1] + r[0] * v[0];
  }
}

double recursive(double x, int depth) {
  const double e = std::exp(-x * x);
  if (depth == 0) return e;
  const double s = std::sin(x);
  return e * recursive(x * 0.9 + s, depth - 1) + s;
}

double e2(double x) { return std::exp(-x * x); }

double shared(double x, double y) {
  double sum = 0;
  if (x > 0) {
    const double t = std::tanh(x * y);
    const double l = std::log(1 + x);
    sum += t * l * y + t * t;
    sum += l * l;
  } else {
    sum += x * x * y;
  }
  sum += x * y * y;
  sum = sum * 0.5 + sum * sum * 0.25 + x;
  return sum;
}

}  // namespace

// case: out=2 at=0.9,-0.7,1.1,0.3,1.3,0.4
void lawInALoop(const double* in, double* out) {
  int uses = 0;
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += law(in[i], 1.0 + 0.1 * i, in + 4, uses);
  out[0] = sum;
  out[1] = uses * in[0];
}

// case: at=0.9,-0.7,1.1,0.3,0.2,0.1,1.3,-0.4
void rotations(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    double w[2];
    turn(in + 2 * i, in + 6, w);
    sum += w[0] * w[0] * w[1];
  }
  out[0] = sum;
}

// case: out=8 at=0.9,-0.7,1.1,0.3,0.2,0.1,1.3,-0.4
void rotationsInParallel(const double* in, double* out) {
  double w[8];
#pragma omp parallel for
  for (int i = 0; i < 4; ++i) turn(in + 2 * i, in + 2 * ((i + 1) % 4), w + 2 * i);
  for (int i = 0; i < 8; ++i) out[i] = w[i];
}

// Each step reads what the one before left: the steps are recorded, and what is kept in an iteration would be, too.
// case: out=2 at=0.9,-0.7,1.1,0.8
void stepsOfRotations(const double* in, double* out) {
  double v[2] = {in[0], in[1]}, w[2];
  for (int t = 0; t < 5; ++t) {
    turn(in + 2, v, w);
    if (w[0] > 0) {
      const double c = std::cos(w[0]), s = std::sin(w[0]);
      v[0] = c * w[1];
      v[1] = s * w[0] + c;
    } else {
      v[0] = std::exp(0.1 * w[0]);
      v[1] = w[1];
    }
  }
  out[0] = v[0];
  out[1] = v[1];
}

// The same names in blocks around and inside; the argument is another variable of the same name.
// case: at=0.9,0.7
void sameNames(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double x = in[0] * (i + 1);
    if (x > 0.1) {
      const double c = std::cos(x), s = std::sin(x);
      sum += c * s;
      if (x < 5.0) {
        const double y = x;
        {
          const double x = in[1] * y;
          const double c = std::cos(x);
          sum += c * c * s;
          if (x > 0) {
            const double s = std::sin(x);
            sum += s * c * y;
          }
        }
      }
      sum += s * s * s;
    }
  }
  out[0] = sum;
}

// What the function was called with changes behind the call.
// case: at=0.9,0.7
void argumentChanges(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    double x = in[0] * (i + 1);
    if (in[1] > 0) {
      const double c = std::cos(x);
      x = x * x + in[1];
      const double s = std::sin(x);
      x *= 0.5;
      sum += c * s * x + std::cos(x);
    }
  }
  out[0] = sum;
}

// case: at=0.9,0.7
void memoryChanges(const double* in, double* out) {
  double a[3] = {in[0], in[1], in[0] * in[1]};
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    if (a[i] > 0) {
      const double c = std::cos(a[i]);
      a[i] = c * in[1];
      const double s = std::sin(a[i]);
      a[(i + 1) % 3] += s * c;
    }
    sum += a[i];
  }
  out[0] = sum + a[0] * a[1];
}

// case: at=0.4,0.7
void recursively(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 2; ++i) sum += recursive(in[i], 2 + i);
  out[0] = sum;
}

// The function is called from an iteration, from a loop that records, and from neither.
// case: out=2 at=0.4,-0.7,1.2
void fromEverywhere(const double* in, double* out) {
  double sum = shared(in[0], in[2]);
  for (int i = 0; i < 3; ++i) sum += shared(in[i], in[2]);
  double v = in[1];
  for (int t = 0; t < 4; ++t) v = shared(v, in[0]) * 0.8;
  out[0] = sum;
  out[1] = v;
}

// case: out=4 at=0.4,-0.7,1.2,0.9
void chainsOfBranches(const double* in, double* out) {
#pragma omp parallel for
  for (int i = 0; i < 4; ++i) {
    const double x = in[i];
    double y = x;
    if (x > 0) {
      const double e = std::exp(-x);
      if (e < 0.5) {
        const double l = std::log(e + x);
        y = e * l;
      } else if (e < 0.9) {
        const double p = std::pow(x, 1.5);
        y = e * p + std::sqrt(p + e);
      } else {
        y = e;
      }
      y += e * e;
    } else {
      const double t = std::atan2(x, 1.0 + e2(x));
      y = t * t * x;
    }
    out[i] = y;
  }
}

namespace {
void scaleBy(const double* p, double* q, int how) {
  if (how > 0) {
    const double e = std::exp(-p[0]);
    q[0] = e * q[0] + e;
    if (how > 1) q[1] += e * q[0];
  }
}
}  // namespace

// The reverse part needs the result, and the argument for nothing else: it isn't there any more.
// case: out=2 at=0.4,0.7,1.2,0.9
void argumentIsGone(const double* in, double* out) {
  double p[2] = {in[0], in[1]}, q[2] = {in[2], in[3]};
  scaleBy(p, q, 2);
  p[0] = 0.5 * in[2];
  scaleBy(p, q, 1);
  p[0] = in[3];
  scaleBy(p, q, 3);
  p[0] = 3.0;
  out[0] = q[0];
  out[1] = q[1] + p[0] * in[0];
}
