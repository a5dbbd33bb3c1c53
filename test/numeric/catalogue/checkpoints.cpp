// Loops that are reversed from snapshots: what a snapshot must hold (scalars, arrays, vectors, records, globals, exchanged pointers
// and vectors), what code before and behind the loop needs, loops in branches, in functions that are called and in each other.
//
// group: openmp threads=1,2
#include <array>
#include <cmath>
#include <utility>
#include <vector>

// case: at=0.7 out=1
void ckScalar(const double* in, double* out) {
  double x = in[0];
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 17; ++t) x = 3.1 * x * (1.0 - 0.3 * x) + 0.01 * t;
  out[0] = x * x;
}

// case: at=0.7,0.2 out=2
void ckPeriodic(const double* in, double* out) {
  double x = in[0], y = in[1];
#pragma contraflow checkpoint(periodic, interval: 4)
  for (int t = 12; t >= 1; t -= 2) {
    const double z = x * y;
    x = std::sin(z) + 0.5 * x;
    y = y * y * 0.1 * t + z;
  }
#pragma contraflow checkpoint(memory: 40)
  for (int t = 0; t <= 9; t += 3) x = x * y + std::cos(x);
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int t = 5; t < 5; ++t) y = x * y;
  out[0] = x * y;
  out[1] = y * y;
}

static void ckAdvance(const double* u, double* unew, int n, double dt) {
  for (int i = 0; i < n; ++i) unew[i] = u[i] - dt * u[i] * (u[i] - u[(i + n - 1) % n]);
}
// case: at=0.3,0.8,0.5 out=3
void ckVectorSwap(const double* in, double* out) {
  std::vector<double> u(6), v(6, 0.5);
  for (int i = 0; i < 6; ++i) u[i] = in[i % 3] + 0.1 * i;
  double dt = 0.1;
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int t = 0; t < 11; ++t) {
    ckAdvance(u.data(), v.data(), 6, dt);
    u.swap(v);
    if (t % 4 == 2) std::swap(u, v);
    dt *= 0.9 + 0.1 * u[0];
  }
  for (int i = 0; i < 3; ++i) out[i] = u[i] * v[i + 1] + dt;
}

// case: at=0.3,0.8,0.5 out=3
void ckPointerSwap(const double* in, double* out) {
  double p[3], q[3];
  for (int i = 0; i < 3; ++i) {
    p[i] = in[i];
    q[i] = 0.1 * i;
  }
  double *a = p, *b = q, *spare;
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    ckAdvance(a, b, 3, 0.2);
    if (t != 4) {
      spare = a;
      a = b;
      b = spare;
    }
    if (t == 2) a[1] *= b[2];
  }
  for (int i = 0; i < 3; ++i) out[i] = a[i] + p[i] * q[2 - i];
}

// case: at=0.3,0.8,0.5 out=2
void ckAllocated(const double* in, double* out) {
  const int n = 5;
  double* u = new double[n];
  double* v = new double[n];
  for (int i = 0; i < n; ++i) u[i] = v[i] = in[i % 3] * (1 + 0.1 * i);
#pragma contraflow checkpoint(periodic, interval: 3)
  for (int t = 0; t < 8; ++t) {
    ckAdvance(u, v, n, 0.1);
    std::swap(u, v);
  }
  out[0] = u[0] * u[1];
  out[1] = v[4] + u[4] * u[4];
  delete[] u;
  delete[] v;
}

#pragma contraflow extent(u: n + 1, w: n)
static void ckRun(double* u, double* w, int n, int steps) {
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n; ++i) w[i] = u[i - 1] * u[i] - 0.3 * w[i];
    for (int i = 1; i < n; ++i) u[i] += 0.1 * w[i] * u[i + 1];
  }
}
// In a loop and a branch of the caller, so that each call is recorded.
// case: at=0.7,0.4,1.3 out=3
void ckCalled(const double* in, double* out) {
  double u[6], w[5];
  for (int i = 0; i < 6; ++i) u[i] = in[i % 3];
  for (int i = 0; i < 5; ++i) w[i] = 0.2 * i;
  for (int k = 0; k < 3; ++k) {
    if (k != 1) ckRun(u, w, 5, 4 + k);
    u[0] *= u[2];
  }
  for (int i = 0; i < 3; ++i) out[i] = u[i] * u[i + 2] + w[i];
}

struct CkState {
  double e[3];
  std::vector<double> v;
  int count = 0;
};
static int ckCalls = 0;
static void ckUpdate(CkState& s, double f) {
  for (double& x : s.v) x = x * f + s.e[s.count % 3];
  s.e[s.count % 3] *= s.v[0];
  ++s.count;
  ++ckCalls;
}
// case: at=0.7,0.4,1.3 out=2
void ckRecord(const double* in, double* out) {
  CkState s;
  s.v.resize(2);
  for (int i = 0; i < 3; ++i) s.e[i] = in[i];
  s.v[0] = in[1];
  s.v[1] = in[2] * in[0];
  ckCalls = 1;
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 7; ++t) ckUpdate(s, 0.3 * ckCalls);
  out[0] = s.v[0] * s.e[1];
  out[1] = s.v[1] + s.e[0] * s.e[2] * ckCalls;
}

// Code before the loop needs what the loop overwrites; code behind it overwrites what the loop reads.
// case: at=0.7,0.4,1.3 out=3
void ckNeeded(const double* in, double* out) {
  double a[3] = {in[0], in[1], in[2]}, b = in[0] * in[1], c = in[2];
  double before = std::sin(a[0] * a[1]) * b * c;
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int t = 0; t < 6; ++t) {
    a[t % 3] = a[(t + 1) % 3] * b + c * a[t % 3];
    b = b * 0.9 + 0.1 * a[0];
  }
  out[0] = a[0] * a[1] * b;
  c = a[2] * b;
  b = c * c;
  a[1] = b;
  out[1] = c * b;
  out[2] = before * a[1];
}

// What is overwritten without any derivative, but needed before.
// case: at=0.7,0.4,1.3 out=1
void ckInactive(const double* in, double* out) {
  int index = 1;
  double scale = 2.0, sum = 0.0;
  sum += in[index] * scale * in[0];
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int t = 0; t < 4; ++t) {
    index = (index + 1) % 3;
    scale *= 0.5;
  }
  sum += in[index] * in[index] * scale;
  out[0] = sum * sum;
}

// case: at=0.7,0.4 out=2
void ckNested(const double* in, double* out) {
  double x = in[0], y = in[1];
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int t = 0; t < 5; ++t) {
    double z = x * y;
#pragma contraflow checkpoint(periodic, interval: 2)
    for (int s = 0; s < 4 + t; ++s) {
      z = z * z * 0.5 + std::sin(x * s);
      if (s % 3 == 1) y += 0.05 * z;
    }
    x = 0.5 * std::sin(x * z) + 0.3 * y;
    double w[2] = {x, y};
    int n = 0;
    while (w[0] < 2.1 && n < 5) {
      w[0] *= 1.0 + w[1] * w[1];
      ++n;
    }
    y = 0.7 * y + 0.01 * w[0] * n;
  }
  out[0] = x * y;
  out[1] = y * y;
}

// case: at=0.7,0.4 out=2
void ckBranch(const double* in, double* out) {
  double x = in[0], y = in[1];
  for (int k = 0; k < 2; ++k) {
    if (x > 0.1) {
      double local = x * y;
#pragma contraflow checkpoint(binomial, snapshots: 2)
      for (int t = 0; t < 5; ++t) {
        local = local * local + 0.3 * x;
        x *= local;
      }
      y += local * x;
    }
    x = x * y + 0.2;
  }
  out[0] = x;
  out[1] = y * x;
}

// case: at=0.7,0.4,0.1 out=3
void ckEarly(const double* in, double* out) {
  double x = in[0];
  int used = 0;
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 20; ++t) {
    if (t % 3 == 1) continue;
    x = x * x * in[1] + 0.5 * x + in[2];
    ++used;
  }
  out[0] = x;
  out[1] = x * used;
  out[2] = in[0];
}

// case: at=0.3,0.8,0.5 start=0.1,0.7,0.4,0.2 inout
void ckInout(const double* in, double* out) {
  double* u = out;
  std::vector<double> w(4);
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int t = 0; t < 6; ++t) {
    for (int i = 0; i < 4; ++i) w[i] = in[i % 3] * w[i] + t;
    w[t % 4] *= w[(t + 1) % 4] * 0.01;
  }
  for (int i = 0; i < 4; ++i) u[i] = u[i] * w[i] * u[(i + 1) % 4];
}

// case: at=0.3,0.8,0.5 out=3
void ckParallel(const double* in, double* out) {
  const int n = 12;
  std::vector<double> u(n), v(n);
  for (int i = 0; i < n; ++i) u[i] = in[i % 3] + 0.05 * i;
  double total = 0.0;
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 10; ++t) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i) v[i] = u[i] + 0.1 * u[i] * (u[(i + 1) % n] - 2.0 * u[i] + u[(i + n - 1) % n]);
    u.swap(v);
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; ++i) sum += u[i] * u[i];
    total += sum * 0.01 * t;
  }
  for (int i = 0; i < 3; ++i) out[i] = u[i] * u[i + 4] + total;
}

// The body changes what the counter began with.
// case: at=0.7,0.4 out=1
void ckStart(const double* in, double* out) {
  double x = in[0];
  int start = 2;
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int t = start; t < 9; ++t) {
    x = x * in[1] + 0.1 * t * x * x;
    start += 3;
  }
  out[0] = x * start;
}

struct CkPair {
  double a[2];
  int k;
};
static void ckBump(CkPair* p, double f) {
  p->a[p->k % 2] *= f + p->a[(p->k + 1) % 2];
  ++p->k;
}
static void ckBumpOne(double* p, double f) { *p = *p * f + 0.1; }
static void ckMix(double& x, std::array<double, 3>& w) {
  x = w[0] * x + 0.2;
  w[1] = w[2] * x;
  std::swap(w[0], w[1]);
}
// case: at=0.3,0.8,0.5 out=3
void ckPointersToOne(const double* in, double* out) {
  CkPair s{{in[0], in[1]}, 0};
  double arr[4] = {in[2], in[1], in[0], 0.3};
  std::array<double, 3> w{in[0], in[1], in[2]};
  double x = in[2];
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int t = 0; t < 7; ++t) {
    ckBump(&s, 0.5);
    ckBumpOne(arr + t % 4, s.a[0]);
    ckBumpOne(&arr[1], s.a[1]);
    double* q = t % 2 ? &arr[2] : arr;
    ckBumpOne(q, 0.9);
    q[1] += 0.1 * q[0] * x;
    ckMix(x, w);
  }
  out[0] = s.a[0] * s.a[1] * s.k;
  out[1] = arr[0] * arr[1] + arr[2] * arr[3];
  out[2] = x * w[0] + w[1] * w[2];
}
// Vectors of the caller's are exchanged, to which it has pointers.
static void ckRunVectors(std::vector<double>& u, std::vector<double>& v, int steps) {
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int t = 0; t < steps; ++t) {
    for (std::size_t i = 0; i < u.size(); ++i) v[i] = u[i] * u[(i + 1) % u.size()] + 0.1;
    u.swap(v);
  }
}
// case: at=0.3,0.8,0.5 out=3
void ckVectorsByReference(const double* in, double* out) {
  std::vector<double> u(3), v(3, 0.1);
  for (int i = 0; i < 3; ++i) u[i] = in[i];
  double* p = u.data();
  for (int k = 0; k < 3; ++k) {
    if (k != 1) ckRunVectors(u, v, 3 + k);
    else ckRunVectors(v, u, 2);
    p[1] *= 0.5 + u[2];
  }
  for (int i = 0; i < 3; ++i) out[i] = u[i] * v[i] + p[0];
}
// case: at=0.3,0.8,0.5 out=2
void ckMixedPointers(const double* in, double* out) {
  double store[3] = {in[0], in[1], in[2]};
  std::vector<double> extra(3, 0.2);
  double* cur = store;
  double* next = extra.data();
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int t = 0; t < 5; ++t) {
    for (int i = 0; i < 3; ++i) next[i] = cur[i] * cur[(i + 1) % 3] + 0.3;
    std::swap(cur, next);
  }
  out[0] = cur[0] * next[1];
  out[1] = store[2] + extra[1] * extra[1];
}
static double ckFactor = 1.0;
static double ckField[3];
static void ckUseGlobals(double f, bool first) {
  static double memory;
  if (first) memory = 0.3;
  memory = memory * 0.5 + f;
  ckFactor *= memory;
  ckField[1] = ckField[0] * ckFactor;
}
// case: at=0.3,0.8 out=2
void ckGlobals(const double* in, double* out) {
  static double keep;
  ckFactor = in[0];
  ckField[0] = in[1];
  ckField[1] = 0.0;
  keep = in[1];
#pragma contraflow checkpoint(periodic, interval: 2)
  for (int t = 0; t < 6; ++t) {
    ckUseGlobals(in[0], t == 0);
    keep = keep * ckFactor + 0.1 * ckField[1];
  }
  out[0] = ckFactor * ckField[1];
  out[1] = keep * keep;
}

// case: at=0.3,0.8 out=1
void ckLocalVectors(const double* in, double* out) {
  double x = in[0];
  std::vector<std::array<double, 2>> pairs(2);
  pairs[0][0] = in[1]; pairs[1][1] = in[0];
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int t = 0; t < 6; ++t) {
    std::vector<double> w(t + 1, x);
    w.push_back(x * x);
    double s = 0;
    for (double y : w) s += y * y;
    pairs[t % 2][1 - t % 2] += 0.1 * s * pairs[0][1];
    x = std::sqrt(s) * 0.4 + pairs[1][0];
  }
  out[0] = x * pairs[0][0] + pairs[0][1] * pairs[1][1];
}
// case: at=0.3,0.8,0.5 start=0.1,0.7,0.4 inout
void ckInoutSwap(const double* in, double* out) {
  std::vector<double> a(out, out + 3);
  double n[3];
  double *p = a.data(), *q = n;
  for (int i = 0; i < 3; ++i) n[i] = in[i];
  for (int k = 0; k < 2; ++k) {
#pragma contraflow checkpoint(binomial, snapshots: 2)
    for (int t = 0; t < 3; ++t) {
      for (int i = 0; i < 3; ++i) q[i] = p[i] * p[(i + 1) % 3] + q[i] * 0.1;
      double* r = p;
      p = q;
      q = r;
    }
    p[0] *= q[1];
  }
  for (int i = 0; i < 3; ++i) out[i] = p[i] * q[2 - i];
}

static double ckPredict(std::vector<double>& u, const double* w) {
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = u[i] * w[i % 2] + 0.2 * u[i] * u[i];
  return u[0] * u[1];
}
// Blocks: each is run again once, as a whole.
// case: at=0.7,0.4,1.3 out=3
void ckBlocks(const double* in, double* out) {
  std::vector<double> u(4);
  double w[2] = {in[1], in[2]}, energy = 0.0;
  for (int i = 0; i < 4; ++i) u[i] = in[i % 3] * 0.3;
  for (int t = 0; t < 3; ++t) {
#pragma contraflow checkpoint
    {
      const double e = ckPredict(u, w);
      std::vector<double> correction(u);
      for (int i = 0; i < 4; ++i) u[i] -= 0.1 * correction[(i + 1) % 4] * correction[i];
      energy += e * u[2];
#pragma contraflow checkpoint
      { w[0] = w[0] * u[0] + 0.1; }
      if (t == 1) continue;
    }
    w[1] *= energy;
  }
#pragma contraflow checkpoint
  { energy = energy * w[1]; }
  out[0] = u[0] * u[3];
  out[1] = energy;
  out[2] = w[0] * w[1];
}

// --- loops that find out themselves how often they run

// case: at=0.7,0.4
void ckUntil(const double* in, double* out) {
  double x = in[0] + 2.0, y = in[1];
  int steps = 0;
#pragma contraflow checkpoint(binomial, snapshots: 4)
  while (x * x > 0.05) {
    x -= 0.1 * std::sin(x) * (1.0 + y);
    y = 0.9 * y + 0.1 * x * y;
    ++steps;
  }
  out[0] = x * y * steps;
}

// An adaptive step; `continue` and `break`.
// case: at=0.7,0.4 out=2
void ckAdaptive(const double* in, double* out) {
  double u = in[0], dt = 0.3, last = 0.0;
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (double t = 0.0; t < 2.0; t += dt) {
    const double slope = in[1] * u * (1.0 - u);
    if (std::fabs(slope) < 0.09) {
      dt *= 0.9;
      continue;
    }
    u += dt * slope;
    if (u > 0.78) break;
    last = t * u;
  }
  out[0] = u * u;
  out[1] = last * dt;
}

static double ckNewton(double a, double x) {
#pragma contraflow checkpoint(periodic, interval: 2)
  do {
    const double f = x * x * x - a;
    if (std::fabs(f) < 1e-3) return x * 1.5;
    x -= f / (3.0 * x * x);
  } while (x > 0.0);
  return x;
}
// case: at=0.7,0.4
void ckDoReturn(const double* in, double* out) {
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) sum += ckNewton(in[k % 2] + k, 2.0 + 0.5 * k) * in[0];
  out[0] = sum;
}

// Not once, once, and with one snapshot.
// case: at=0.7,0.4
void ckFewSteps(const double* in, double* out) {
  double x = in[0], y = in[1];
  int k = 0;
#pragma contraflow checkpoint(binomial, snapshots: 5)
  while (x > 100.0) x *= x;
#pragma contraflow checkpoint(binomial, snapshots: 1)
  while (k < 1) {
    x *= y;
    ++k;
  }
#pragma contraflow checkpoint(binomial, snapshots: 1)
  while (k < 9) {
    y = y * 0.9 + x * y * 0.1;
    k += 2;
  }
  out[0] = x * y;
}

// The pointer points to what isn't there yet, as far as anybody can tell who doesn't follow the order of statements.
// case: at=0.4,1.1
void pointerToLaterVector(const double* in, double* out) {
  double a[6] = {in[0], in[1], in[0] * in[1], 1, 2, 3};
  double* p = a;
  const double t = in[0];
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int i = 4; i >= 0; --i) p[i] /= 1.5 + std::sin(t * p[i + 1]);
  std::vector<double> v(6, 2.0);
  p = v.data();
  for (int k = 0; k < 5; ++k) p[k] *= std::sin(t * v[5]) * a[k];
  out[0] = t + v[0] * a[0] + v[1] * v[2] + a[4];
}
