// Results of costly functions in branches and called functions: kept on the tape of an iteration instead of evaluated again.
// group: hessian
// group: openmp threads=1,3
#include <cmath>
#include <memory>
#include <tuple>
#include <utility>
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

// Names after lambdas are written out where they are called, which have the names of the variables around.
// case: out=2 at=0.9,-0.7,1.1,0.3
void namesOfLambdas(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    const double x = in[i];
    if (x > -10) {
      const double c = std::cos(x);
      auto f = [&](double x) {
        const double s = std::sin(x);
        const double c2 = std::cos(x);
        return s * c + c2;
      };
      auto g = [c](double y) {
        if (y > 0) {
          const double s = std::sin(y);
          const double c2 = std::cos(y) * c;
          return s * c + c2;
        }
        const double e = std::exp(y);
        return e * e * c;
      };
      sum += f(c) + g(x * c) + f(x) * g(x);
      const double s = std::sin(x);
      sum += s * c;
    }
  }
  out[0] = sum;
  out[1] = sum * in[0];
}

namespace {
double viaPointer(const double* p, const double& r) { return *p * r + *p; }
void addTo(double* acc, const double& r) {
  if (r > 0) *acc += std::sqrt(r) * r;
  else *acc += std::exp(r);
}
}  // namespace

// case: out=2 at=0.9,-0.7,1.1,0.3
void pointersToKept(const double* in, double* out) {
  double sum = 0, acc = 0;
  for (int i = 0; i < 4; ++i) {
    if (in[i] > -5) {
      const double c = std::cos(in[i]);
      const double& r = c;
      const double* p = &c;
      const double s = std::sin(*p);
      const double t = std::sin(r) + std::cos(*p);
      sum += s * *p + r * t;
      addTo(&acc, c);
      addTo(&acc, *p);
      sum += viaPointer(p, r) + viaPointer(&s, t);
    }
  }
  out[0] = sum;
  out[1] = acc;
}

namespace {
double early(double x, double y, int mode) {
  const double e = std::exp(-x * x);
  if (e < 0.4) return e * y;
  const double l = std::log(1.0 + e * y * y);
  switch (mode) {
    case 0: {
      const double s = std::sin(l);
      if (s > 0.2) return s * e;
      break;
    }
    case 1: {
      const double s = std::sin(y), c = std::cos(y);
      if (c < 0) break;
      return s * c * l;
    }
    case 2: {
      const double t = std::tanh(x * l);
      y = t * y;
    }
    // falls through
    default: {
      const double s = std::sqrt(1.0 + y * y);
      x = s * x;
    }
  }
  const double q = std::sqrt(1.0 + x * x + y * y);
  return q * l + e;
}

double jumps(double x, double y) {
  double v = x;
  int n = 0;
  double e = 0;
again:
  e = std::exp(-v * y);
  v = v * 0.7 + e * 0.2;
  if (++n < 3) goto again;
  if (e > 0.5) {
    const double s = std::sin(v);
    if (s > 0.6) goto end;
    v += s * e;
  }
  v *= e;
end:
  return v * v + e;
}
}  // namespace

// case: out=3 at=0.9,-0.7,1.1,0.3
void endsBefore(const double* in, double* out) {
  double sum = 0;
  for (int m = 0; m < 5; ++m)
    for (int i = 0; i < 4; ++i) sum += early(in[i], in[(i + m) % 4], m) + (m < 2 ? jumps(in[i] + 2.0, in[(i + 1) % 4] + 2.0) : 0.0);
  out[0] = sum;
  double v = in[0];
  for (int m = 0; m < 8; ++m) v = early(v, in[m % 4], m % 4);
  out[1] = v;
  double w = 0;
  for (int i = 0; i < 4; ++i) w += early(in[i], in[1], i) * w + in[2];
  out[2] = w;
}

// case: out=2 at=0.9,0.7,1.1,0.3
void whileLoopsAround(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    double r = in[i];
    const double e = std::exp(-r);
    int n = 0;
    while (r > 0.2 && n < 6) {
      const double s = std::sin(r), c = std::cos(r);
      if (c > 0.9) {
        const double l = std::log(1 + s);
        r = r * 0.6 + 0.01 * l;
      } else {
        r = r * 0.5 + s * c * 0.05;
      }
      ++n;
      if (n == 5) break;
      if (s > 0.7) continue;
      sum += s * e;
    }
    do {
      const double t = std::tanh(r + e);
      if (t > 0.5) {
        const double p = std::pow(t, 1.3);
        r += p * 0.1;
      }
      r += t * 0.2;
    } while (r < 0.6);
    sum += r * e;
  }
  out[0] = sum;
  out[1] = sum * sum;
}

namespace {
double iterates(double x, double y) {
  double v = x;
  for (int i = 0; i < 3; ++i) {
    const double e = std::exp(-v * v);
    if (e > 0.3) {
      const double s = std::sin(e * y);
      v = v * 0.5 + s;
    } else {
      v = v * 0.5 + e;
    }
  }
  const double r = std::sqrt(1 + v * v);
  return r * v;
}

double callsIterating(double x, double y) {
  if (x > y) {
    const double c = std::cos(x);
    const double i = iterates(c, y);
    return i * c + i * i;
  }
  const double l = std::log(1 + x * x);
  return l * iterates(l, x) + iterates(y, l);
}

double leaf(double x, double y) {
  if (x < 2.0 && y > -3) {
    const double c = std::cos(x * y);
    const double s = std::sin(x * y);
    const double e = std::exp(c);
    return c * s + e * x;
  }
  const double e = std::exp(-x);
  return e * y;
}

double middle(double x, double y) {
  const double a = leaf(x, y);
  const double e = std::exp(-a);
  const double b = leaf(e, a);
  if (b > a) {
    const double s = std::sin(b);
    return s * leaf(s, e) + a;
  }
  return a * b * e + b;
}
}  // namespace

// Loops that record and loops that don't around functions with loops and without.
// case: out=3 at=0.9,0.7,1.1,0.3
void nestsOfFunctions(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    double inner = 0;
    for (int j = 0; j < 4; ++j) {
      if (i != j) {
        const double d = std::sqrt(0.1 + (in[i] - in[j]) * (in[i] - in[j]));
        const double e = std::exp(-d);
        inner += e * d + callsIterating(e, d);
        for (int k = 0; k < 2; ++k) {
          const double s = std::sin(d * (k + 1));
          if (s > 0) {
            const double r = std::sqrt(s);
            inner += r * e;
          }
        }
      }
    }
    sum += inner * std::cos(inner) + middle(inner, in[i]);
  }
  out[0] = sum;
  double v = in[0];
  for (int t = 0; t < 3; ++t) {
    for (int i = 0; i < 4; ++i) {
      const double c = std::cos(v + i);
      if (c > 0) v += 0.1 * callsIterating(c, in[i]);
      else v -= 0.1 * middle(c, in[i]);
    }
    v = middle(v, in[t]) * 0.3;
  }
  out[1] = v;
  out[2] = middle(v, sum * 0.1);
}

// case: out=2 at=0.9,0.7,1.1,0.3 nohessian
void keptBetweenCheckpoints(const double* in, double* out) {
  double u[4], w[4];
  for (int i = 0; i < 4; ++i) u[i] = in[i];
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int t = 0; t < 7; ++t) {
    for (int i = 0; i < 4; ++i) {
      const double x = u[i];
      if (x > 0.2) {
        const double c = std::cos(x), s = std::sin(x);
        w[i] = c * s + leaf(c, u[(i + 1) % 4]);
      } else {
        w[i] = callsIterating(x, in[i]);
      }
    }
    for (int i = 0; i < 4; ++i) u[i] = 0.7 * w[i] + 0.1 * u[i];
    if (u[0] > 0.5) {
      const double e = std::exp(-u[0]);
      u[1] += 0.1 * e * e;
    }
    const double m = middle(u[2], u[3]);
    u[2] = 0.3 * m;
  }
  out[0] = u[0] * u[1] + u[2];
  out[1] = u[3];
}

// case: out=5 at=0.9,0.7,1.1,0.3
void regionsWithoutLoops(const double* in, double* out) {
  double w[4] = {0, 0, 0, 0}, total = 0, one = 0, base = in[0];
#pragma omp parallel firstprivate(base) reduction(+ : total)
  {
    const double e = std::exp(-base);
    base = base * e + in[1];
    const double s = std::sin(base);
#pragma omp single
    {
      const double c = std::cos(base);
      if (c < 2) {
        const double l = std::log(2 + c);
        one = l * c + s;
      }
    }
#pragma omp for
    for (int i = 0; i < 4; ++i) {
      const double c = std::cos(in[i] * e);
      if (c > 0) {
        const double r = std::sqrt(c);
        w[i] = r * c + s * leaf(in[i], e) + one;
        total += r;
      } else {
        w[i] = c * e;
      }
    }
#pragma omp master
    {
      const double t = std::tanh(w[0] * 0 + base);
      total += t * t * e;
    }
#pragma omp barrier
#pragma omp for nowait
    for (int i = 0; i < 4; ++i) {
      const double t = std::tanh(w[i]);
      w[i] = t * e + t * t;
    }
  }
  for (int i = 0; i < 4; ++i) out[i] = w[i];
  out[4] = total * one;
}

// The region doesn't name what its derivative could.
// case: out=5 at=0.9,0.7,1.1,0.3
void regionInABranch(const double* in, double* out) {
  double w[4] = {0, 0, 0, 0}, total = 0;
  const double x = in[0];
  if (x > 0) {
    const double c = std::cos(x);
    const double e = std::exp(-x);
#pragma omp parallel for default(none) shared(w, in, x) reduction(+ : total)
    for (int i = 0; i < 4; ++i) {
      w[i] = std::sin(x) * in[i] + std::exp(-x) * in[i] * in[i];
      if (in[i] > 0.5) {
        const double s = std::sin(x * in[i]);
        total += s * std::sin(x);
      }
    }
    total *= c * e;
  }
  for (int i = 0; i < 4; ++i) out[i] = w[i];
  out[4] = total;
}

// The argument is written through a lambda, a tuple, a pointer.
// case: out=3 at=0.9,0.7,1.1,0.3
void writtenElsewhere(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    if (in[i] > 0) {
      double x = in[i], y = in[i + 1];
      auto bump = [&] { x *= 1.1; };
      auto read = [&x](double k) { return std::sin(x) * k; };
      const double c = std::cos(x);
      sum += read(c);
      bump();
      sum += std::sin(x) + read(c);
      const double d = std::cos(x);
      std::swap(x, y);
      sum += std::sin(x) * std::sin(y) * d;
      const double e = std::cos(x);
      std::tie(x, y) = std::make_tuple(y * e, x);
      sum += std::sin(x) * std::sin(y);
      double* p = i % 2 ? &x : &y;
      const double f = std::cos(x), g = std::cos(y);
      *p = f * g;
      sum += std::sin(x) * std::sin(y);
    }
  }
  out[0] = sum;
  out[1] = sum * sum;
  out[2] = 0;
}

namespace {
struct Pair {
  double a, b;
};
Pair both(Pair p, const double* k) {
  Pair r{0, 0};
  if (p.a > p.b) {
    const double s = std::sin(p.a), c = std::cos(p.a);
    r.a = s * k[0];
    r.b = c * p.b;
    p.a = s * c;
    r.b += std::cos(p.a);
  } else {
    const double l = std::log(1 + p.b * p.b);
    r.a = l * p.a;
    r.b = l * k[1];
  }
  return r;
}
void local(const double* u, double* o) {
  std::vector<double> t(2, 0.0);
  auto box = std::make_unique<double>(0.3);
  const double e = std::exp(-u[0]);
  t[0] = e * u[1];
  if (e > 0.2) {
    const double r = std::sqrt(e + u[1] * u[1]);
    t[1] = r * e;
    *box = r;
  }
  t.push_back(std::log(2 + e));
  o[0] += t[0] * t[1] + *box * t.back();
  o[1] = t[2] * *box;
}
}  // namespace

// case: out=4 at=0.9,0.7,1.1,0.3
void recordsAndVectors(const double* in, double* out) {
  double sum = 0, o[2] = {0.1, 0.2};
  for (int i = 0; i < 3; ++i) {
    const Pair p = both({in[i], in[i + 1]}, in + 1);
    const Pair q = both(p, in);
    sum += p.a * q.b + q.a;
    double mine[2] = {p.b, q.a};
    local(in + i, mine);
    local(mine, o);
    sum += mine[0] * mine[1];
  }
  out[0] = sum;
  out[1] = o[0];
  out[2] = o[1];
  out[3] = both({o[0], sum * 0.1}, o).b;
}

// case: out=3 at=0.9,0.7,1.1,0.3 precision=1e-4
void keptInTwoPrecisions(const double* in, double* out) {
  double sum = 0;
  float fs = 0;
  for (int i = 0; i < 4; ++i) {
    const float x = static_cast<float>(in[i]);
    if (x > 0.1f) {
      const float c = std::cos(x);
      const double d = std::cos(static_cast<double>(x));
      const double cx = std::cos(x);
      const float s = std::sin(in[i]);
      const double sd = std::sin(in[i]);
      const float q = std::sqrt(x);
      const double qd = std::sqrt(in[i]);
      sum += c * s + d * sd + cx * q * qd;
      fs += c * q + std::exp(x - s);
    }
  }
  out[0] = sum;
  out[1] = fs;
  out[2] = fs * sum;
}

namespace {
double changing(double* a, double y, int mode) {
  if (y > 0) {
    double c = std::cos(a[0] * y);
    double sum = c * c * y;
    a[0] = sum * 0.3;
    c *= y;
    sum += c * c;
    if (mode > 0) {
      c += a[1];
      double e = std::exp(-c);
      a[1] = e;
      sum += e * c;
      e = std::sin(e);
      sum += e * e * c;
    }
    double& r = c;
    r = std::sqrt(1 + c * c);
    sum += r * r * r + std::sin(c);
    while (c > 0.7) {
      double t = std::tanh(c);
      c *= 0.6 + 0.1 * t;
      t = t * c;
      sum += t * t;
    }
    a[0] = c;
    return sum;
  }
  double l = std::log(2 + a[1] * a[1]);
  a[1] = l;
  l = l * y;
  return l * l;
}
}  // namespace

// What is kept first changes later.
// case: out=3 at=0.9,0.7,1.1,0.3
void keptAndChanged(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    double a[2] = {in[i], in[i + 1]};
    sum += changing(a, in[3] + 0.2 * i, i % 2) * changing(a, in[0], 1) + changing(a, -in[1], 0) + a[0] * a[1];
  }
  out[0] = sum;
  double b[2] = {in[0], in[1]};
  for (int i = 0; i < 4; ++i) {
    if (b[1] > 0) {
      double c = std::cos(b[0]);
      b[0] = c * b[1];
      c = c * c + b[0];
      b[1] = std::exp(-c) + c * c;
    }
    b[0] += 0.1 * changing(b, in[i], i % 2);
  }
  out[1] = b[0];
  out[2] = b[1] * changing(b, in[2], 1);
}
