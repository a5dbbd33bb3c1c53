// Programs of a hostile tester, each aimed at a kind of fault: buffers rotated in time loops, aliased and overlapping
// arguments, values overwritten after use, exits from nested loops, loops that count in odd ways, records by value,
// pointers to locals, state in globals and statics, indices computed from reals; and OpenMP constructs mixed in one
// region.
//
// group: openmp threads=1,2,3 hessian
#include <omp.h>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

static void stepSwap(double* a, double* b, int n) {
  for (int i = 0; i < n; ++i) b[i] = a[i] * a[(i + 1) % n] + std::sin(a[i]);
}
// case: at=0.3,0.8,0.5 out=3
void swapTime(const double* in, double* out) {
  double p[3], q[3];
  for (int i = 0; i < 3; ++i) {
    p[i] = in[i];
    q[i] = 0.1 * i;
  }
  double *a = p, *b = q;
  for (int t = 0; t < 5; ++t) {
    stepSwap(a, b, 3);
    double* c = a;
    a = b;
    b = c;
    if (t == 2) a[1] *= b[2];
  }
  for (int i = 0; i < 3; ++i) out[i] = a[i] + p[i] * q[2 - i];
}

// case: at=0.3,0.8,0.5 out=2
void threeRotate(const double* in, double* out) {
  double p[4] = {in[0], in[1], in[2], 0.4}, q[4] = {0.2, 0.3, in[0], in[1]}, r[4];
  double* x[3] = {p, q, r};
  for (int t = 0; t < 7; ++t) {
    for (int i = 0; i < 4; ++i) x[2][i] = 2 * x[1][i] - x[0][i] + 0.1 * x[1][i] * x[1][(i + t) % 4];
    double* o = x[0];
    x[0] = x[1];
    x[1] = x[2];
    x[2] = o;
  }
  out[0] = x[1][0] * x[0][1];
  out[1] = x[2][3] + p[0] * q[1] * r[2];
}

static void addMul(double* y, const double* x, double& s, double* z) {
  y[0] += x[0] * s;
  s = y[0] * x[0];
  z[0] = s * y[0];
  y[1] = x[1] * z[0] + s;
}
// case: at=0.7,0.4,1.3 out=3
void aliasArgs(const double* in, double* out) {
  double a[4] = {in[0], in[1], in[2], 0.5};
  addMul(a, a, a[1], a + 2);
  addMul(a + 1, a, a[0], a);
  addMul(a, a + 1, a[3], a + 3);
  out[0] = a[0];
  out[1] = a[1] * a[2];
  out[2] = a[3];
}

static void smear(double* d, const double* s, int n) {
  for (int i = 0; i < n; ++i) d[i] = s[i] * d[i] + std::cos(s[i]);
}
// case: at=0.7,0.4,1.3 out=2
void overlap(const double* in, double* out) {
  double a[8];
  for (int i = 0; i < 8; ++i) a[i] = in[i % 3] * (1 + 0.1 * i);
  smear(a + 1, a, 6);
  smear(a, a + 2, 6);
  smear(a, a, 8);
  out[0] = a[0] + a[3] * a[4];
  out[1] = a[7] * a[6];
}

static double classify(const double* a, int n, double lim) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      if (a[j] < 0.2) continue;
      s += a[i] * a[j];
      if (s > lim) return s * a[j];
      if (a[i] * a[j] > 1.5) break;
      s *= 1.0 + 0.1 * a[j];
    }
    if (s < 0) break;
  }
  return s * s;
}
// case: at=0.7,0.1,1.3,0.9,1.7 out=3
void nestedExits(const double* in, double* out) {
  out[0] = classify(in, 5, 100.0);
  out[1] = classify(in, 5, 4.0);
  out[2] = classify(in, 0, 1.0) + classify(in, 1, 9.0);
}

// case: at=0.7,0.3,1.3
void zeroTrip(const double* in, double* out) {
  double s = in[0];
  int n = 0;
  for (int i = 0; i < n; ++i) s *= in[1];
  for (int i = 5; i < 3; ++i) s = in[2];
  for (unsigned i = 3; i-- > 0;) {
    s = s * in[i] + std::sin(s);
    for (unsigned j = 0; j < i; ++j) s += 0.1 * in[j] * s;
  }
  for (int k = 10; k > 0; k -= 4)
    for (int j = k; j < 8; j += 3) s += in[j % 3] * s;
  while (n > 0) {
    s = 0;
    --n;
  }
  out[0] = s;
}

// case: at=0.7,0.3,1.3 out=2
void unsignedDown(const double* in, double* out) {
  double a[6];
  unsigned n = 6;
  for (unsigned i = 0; i != n; ++i) a[i] = in[i % 3] + i;
  for (unsigned i = n - 1; i > 0; --i) a[i - 1] = a[i - 1] * a[i] * 0.2;
  for (std::size_t i = n; i != 0; i -= 2) a[i - 1] += a[i - 2] * a[i - 1];
  for (unsigned char c = 4; c >= 1; --c) a[c] = std::sin(a[c - 1]) * a[c];
  out[0] = a[0] * a[1];
  out[1] = a[5] + a[4] * a[2];
}

static void quick(double* a, int n, double w) {
  if (n <= 1) {
    a[0] = a[0] * w;
    return;
  }
  double loc[8];
  for (int i = 0; i < n; ++i) loc[i] = a[i] * a[n - 1 - i] * w;
  quick(loc, n / 2, w * a[0]);
  quick(loc + n / 2, n - n / 2, w + a[1]);
  for (int i = 0; i < n; ++i) a[i] += loc[i] * a[(i + 1) % n];
}
// case: at=0.7,0.3,1.3,0.4,0.9 out=3
void recursionArrays(const double* in, double* out) {
  double a[5];
  for (int i = 0; i < 5; ++i) a[i] = in[i];
  quick(a, 5, in[2]);
  quick(a + 1, 3, a[0]);
  out[0] = a[0];
  out[1] = a[1] + a[4];
  out[2] = a[2] * a[3];
}

static void fill(double* t, int n, double x) {
  for (int i = 0; i < n; ++i) t[i] = x * t[i] + i * x * x;
}
static double dot(const std::vector<double>& a, const double* b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
}
// case: at=0.7,0.3,1.3 out=2
void localsInLoop(const double* in, double* out) {
  double s = in[0], u = 1;
  for (int k = 0; k < 4; ++k) {
    double t[3] = {s, u, in[k % 3]};
    std::vector<double> v(3, s * u);
    fill(t, 3, in[1] + 0.1 * k);
    fill(v.data(), k % 3 + 1, t[2]);
    if (k == 2) {
      s += t[0];
      continue;
    }
    s = 0.1 * dot(v, t) + s * t[1];
    u = v[0] * u * 0.2;
  }
  out[0] = s;
  out[1] = u;
}

static double gAcc = 0, gArr[3];
static double carry(double x, bool reset) {
  static double last = 0.5;
  static int calls = 0;
  if (reset) {
    last = 0.5;
    calls = 0;
  }
  ++calls;
  double r = last * x + calls;
  last = std::sin(x) * last + gAcc;
  gAcc = gAcc * 0.5 + r;
  gArr[calls % 3] *= r;
  return r;
}
// case: at=0.7,0.3,1.3 out=3
void staticsGlobals(const double* in, double* out) {
  gAcc = in[1];
  gArr[0] = 1;
  gArr[1] = in[0];
  gArr[2] = in[2];
  double s = carry(in[0], true);
  for (int k = 0; k < 4; ++k) {
    s += carry(in[k % 3] * s * 0.2, false);
    if (k == 2) gAcc = s;
  }
  out[0] = s;
  out[1] = gAcc;
  out[2] = gArr[0] * gArr[1] + gArr[2];
}

// case: at=0.7,2.3,1.6 out=2
void realIndices(const double* in, double* out) {
  double tab[8];
  for (int i = 0; i < 8; ++i) tab[i] = in[0] * i * i + in[1];
  int idx[3];
  double x = in[2], s = 0;
  for (int k = 0; k < 3; ++k) {
    idx[k] = static_cast<int>(x * 2 + k) % 7;
    double f = x * 2 + k - std::floor(x * 2 + k);
    s += tab[idx[k]] * (1 - f) + tab[idx[k] + 1] * f;
    tab[idx[k]] *= s * 0.01;
    x = std::fabs(std::sin(tab[idx[k]] + x)) + 1.0;
    idx[0] = idx[k];
  }
  out[0] = s;
  out[1] = tab[idx[0]] * x;
}

// case: at=0.7,0.3,1.3,0.2,0.4 out=2
void recurrences(const double* in, double* out) {
  double a[10];
  for (int i = 0; i < 10; ++i) a[i] = in[i % 5];
  for (int i = 1; i < 10; ++i) a[i] = a[i] * a[i - 1] + std::exp(-a[i]);
  for (int i = 8; i >= 0; --i) a[i] = a[i] * 0.5 + a[i + 1] * a[i + 1] * 0.1;
  for (int i = 0; i < 10; ++i)
    for (int j = i; j < 10; ++j) a[j] += 0.01 * a[i] * a[j];
  for (int i = 2; i < 10; i += 2) {
    a[i] += a[i - 1];
    a[i - 1] = a[i] * a[i - 2];
  }
  out[0] = a[9];
  out[1] = a[3] * a[8];
}

// case: at=3.0,0.4 out=2
void convergence(const double* in, double* out) {
  double x = 1, err = 1;
  int n = 0;
  while (err > 1e-5 && n < 100) {
    double y = 0.5 * (x + in[0] / x) + in[1] * 0.1 * std::sin(x);
    err = std::fabs(y - x);
    x = y;
    ++n;
  }
  double z = in[1];
  do {
    z = z * z * 0.5 + x * 0.1;
    if (z > 10) break;
  } while (std::fabs(z - 0.2) > 0.03 && ++n < 30);
  out[0] = x * n;
  out[1] = z;
}

// case: at=0.7,0.3,1.3,0.9 out=2
void condActive(const double* in, double* out) {
  double a = in[0], b = in[1], c = in[2];
  int flips = 0;
  for (int k = 0; k < 8; ++k) {
    bool big = a > b;
    double t = big ? a * in[3] : b + 0.1;
    (big ? a : b) = t * c;
    if ((a < 1 && b < c) || (k == 3 && (c *= 1.1) > 1)) {
      c -= 0.1 * a * b;
      ++flips;
    } else if (c > 1.2)
      c = c / (1 + a * a);
    else
      a += 0.05 * c;
  }
  out[0] = a + flips * b;
  out[1] = c * b;
}

// case: at=0.7,0.3,1.3 out=2
void arrayAfterLoop(const double* in, double* out) {
  double a[5] = {1, 1, 1, 1, 1}, b[5];
  int i;
  for (i = 0; i < 5; ++i) {
    if (in[i % 3] * a[i] > 1.2) break;
    a[i] = in[i % 3] * (i + 1);
    b[i] = a[i] * a[i > 0 ? i - 1 : 0];
    a[(i + 2) % 5] += b[i];
  }
  out[0] = a[i % 5] * b[i - 1];
  for (int j = i; j-- > 0;) out[0] += std::sin(b[j]) * a[j];
  out[1] = a[i] * i;
}

static void inoutChain(double* x, double* y, int depth) {
  double keep = *x;
  *x = *y * std::sin(keep);
  if (depth > 0) inoutChain(y, x, depth - 1);
  *y += keep * *x;
}
// case: at=0.7,0.3 out=2
void swappedRecursion(const double* in, double* out) {
  double a = in[0], b = in[1];
  inoutChain(&a, &b, 3);
  inoutChain(&a, &b, 2);
  out[0] = a;
  out[1] = b;
  inoutChain(&out[0], &out[1], 1);
}

// case: at=0.7,0.3,1.3 out=3
void outputReused(const double* in, double* out) {
  out[0] = in[0];
  for (int k = 1; k < 3; ++k) out[k] = out[k - 1] * in[k] + std::cos(out[k - 1]);
  double* p = out + 2;
  while (p > out) {
    *(p - 1) *= *p;
    --p;
  }
  out[2] = out[0] > 0 ? out[0] * out[1] : out[2];
}

struct View {
  double* p;
  int n;
  double w;
};
static void scaleView(View v) {
  for (int i = 0; i < v.n; ++i) v.p[i] *= v.w + v.p[i];
  v.w = 0;
}
static void sub(const View& v, int o, View& r) {
  r = v;
  r.p += o;
  r.n -= o;
  r.w *= v.p[0];
}
// case: at=0.7,0.3,1.3 out=2
void structViews(const double* in, double* out) {
  double a[4] = {in[0], in[1], in[2], 0.3}, x = in[0] * in[1];
  View v{a, 4, in[2]};
  View one{&x, 1, 0.5};
  for (int k = 0; k < 3; ++k) {
    double t = a[k] * x;
    View w{&t, 1, a[0]};
    View r0;
    sub(v, k, r0);
    scaleView(r0);
    scaleView(w);
    scaleView(one);
    one.w += t;
    v.w = v.w * 0.5 + x;
    View& r = k == 1 ? one : v;
    r.w *= 1.1 + a[1];
  }
  out[0] = a[0] * a[3] + x;
  out[1] = v.w * one.w;
}

// case: at=0.7,0.3,1.3 out=2
void postDecrements(const double* in, double* out) {
  double a[6] = {in[0], in[1], in[2], 1, 2, 3};
  int n = 6;
  double s = 0;
  const double* p = a + 6;
  while (n-- > 2) {
    s = s * 0.5 + 0.1 * a[n] * *--p;
    a[n - 1] = a[n - 1] * 0.5 + std::sin(s);
  }
  for (int i = 0; i++ < 4;) s += a[i] * s * 0.1;
  for (int i = 5; --i;) a[i] *= a[i - 1] + s;
  out[0] = s;
  out[1] = a[4] * a[1];
}

// case: at=0.7,0.3,1.3 out=2
void twoCounters(const double* in, double* out) {
  double a[7];
  for (int i = 0; i < 7; ++i) a[i] = in[i % 3] + i;
  for (int i = 0, j = 6; i < j; ++i, --j) {
    double t = a[i] * 0.5;
    a[i] = a[j] * t;
    a[j] = t + std::sin(a[j]);
  }
  int k = 0;
  for (;;) {
    if (++k == 3) continue;
    if (k > 5) break;
    a[k] += a[k - 1] * a[k + 1] * 0.01;
  }
  out[0] = a[0] * a[3];
  out[1] = a[5] + a[6] * k;
}

static int findRoot(const double* c, double& x, int maxit) {
  for (int i = 0; i < maxit; ++i) {
    double f = c[0] + x * (c[1] + x * c[2]);
    if (std::fabs(f) < 1e-3) return i;
    x -= f / (c[1] + 2 * x * c[2]);
  }
  return -1;
}
// case: at=-2.0,0.3,1.3 out=2
void statusReturned(const double* in, double* out) {
  double x = 1.0, y = 9;
  int k = findRoot(in, x, 20), l = findRoot(in, y, 1);
  if (l < 0) y *= x;
  double c[3] = {in[0] * x, x, 1};
  while (k >= 0) {
    x += 0.1 * k * y;
    --k;
  }
  findRoot(c, x, 2);
  out[0] = x;
  out[1] = y;
}

// case: at=0.7,0.3,1.3 out=2
void interleavedAliases(const double* in, double* out) {
  double a[4] = {in[0], in[1], in[2], 1};
  double *p = a, *q = a + 1, **pp = &p;
  double& r = a[2];
  for (int t = 0; t < 5; ++t) {
    **pp = *q * r + 0.1;
    r += *p * *q * 0.2;
    pp = t % 2 ? &p : &q;
    *pp = &a[(t * 2 + 1) % 4];
    if (p == q) *p *= 1.1;
  }
  out[0] = a[0] + r;
  out[1] = *p * *q * a[3];
}

static void fft(double* re, double* im, int n, int s) {
  if (n == 1) return;
  fft(re, im, n / 2, 2 * s);
  fft(re + s, im + s, n / 2, 2 * s);
  std::vector<double> tr(n), ti(n);
  for (int k = 0; k < n / 2; ++k) {
    double c = std::cos(6.283185307179586 * k / n), d = -std::sin(6.283185307179586 * k / n);
    double xr = re[(2 * k + 1) * s] * c - im[(2 * k + 1) * s] * d,
           xi = re[(2 * k + 1) * s] * d + im[(2 * k + 1) * s] * c;
    tr[k] = re[2 * k * s] + xr;
    ti[k] = im[2 * k * s] + xi;
    tr[k + n / 2] = re[2 * k * s] - xr;
    ti[k + n / 2] = im[2 * k * s] - xi;
  }
  for (int k = 0; k < n; ++k) {
    re[k * s] = tr[k];
    im[k * s] = ti[k];
  }
}
// case: at=0.7,0.3,1.3 out=2
void fourier(const double* in, double* out) {
  double re[8], im[8];
  for (int i = 0; i < 8; ++i) {
    re[i] = in[i % 3] * (i + 1);
    im[i] = in[i % 2] * in[2];
  }
  fft(re, im, 8, 1);
  for (int i = 0; i < 8; ++i) {
    double p = re[i] * re[i] + im[i] * im[i];
    re[i] *= p * 0.01;
  }
  fft(re, im, 4, 2);
  out[0] = re[0] * im[2];
  out[1] = re[4] + im[6];
}

// case: at=0.7,0.3,1.3,0.4,1.9,0.8 out=3
void selectionSort(const double* in, double* out) {
  double a[6];
  int id[6];
  for (int i = 0; i < 6; ++i) {
    a[i] = in[i];
    id[i] = i;
  }
  for (int i = 0; i < 5; ++i) {
    int m = i;
    for (int j = i + 1; j < 6; ++j)
      if (a[j] < a[m]) m = j;
    double t = a[m];
    a[m] = a[i];
    a[i] = t;
    int k = id[m];
    id[m] = id[i];
    id[i] = k;
  }
  double s = 0;
  for (int i = 0; i < 6; ++i) {
    s += a[i] * a[id[i]];
    a[id[i]] *= s;
  }
  out[0] = s;
  out[1] = a[5];
  out[2] = a[id[2]];
}

// case: at=2.7,0.3,1.3 out=2
void choleskySolve(const double* in, double* out) {
  const int n = 4;
  double a[n][n], b[n];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) a[i][j] = (i == j ? in[0] + i : in[1] / (1 + std::abs(i - j)));
    b[i] = in[2] * i + in[0];
  }
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k) a[j][j] -= a[j][k] * a[j][k];
    a[j][j] = std::sqrt(a[j][j]);
    for (int i = j + 1; i < n; ++i) {
      for (int k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (int i = n; i-- > 0;) {
    for (int k = i + 1; k < n; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  out[0] = b[0] * b[3];
  out[1] = a[3][3] + b[1];
}

struct Stack {
  double data[8];
  int top = 0;
  void push(double x) { data[top++] = x; }
  double pop() { return data[--top]; }
  bool empty() const { return top == 0; }
};
// case: at=0.7,0.3,1.3 out=2
void stackMachine(const double* in, double* out) {
  Stack s;
  double acc = 1;
  for (int k = 0; k < 12; ++k) {
    if (k % 3 != 2 && s.top < 6)
      s.push(in[k % 3] + acc * 0.1);
    else if (!s.empty()) {
      double a = s.pop();
      if (!s.empty())
        s.push(s.pop() * a + 0.2);
      else
        acc *= a;
    }
  }
  while (!s.empty()) acc = acc * 0.5 + s.pop() * s.data[0];
  out[0] = acc;
  out[1] = s.data[0] * s.data[1];
}

static double memo[10];
static bool have[10];
static double fib(int n, double a, double b) {
  if (n < 2) return n ? a : b;
  if (have[n]) return memo[n];
  double r = fib(n - 1, a, b) * a + std::sin(fib(n - 2, a, b)) * b;
  memo[n] = r;
  have[n] = true;
  return r;
}
// case: at=0.7,0.3 out=2
void memoised(const double* in, double* out) {
  for (bool& h : have) h = false;
  out[0] = fib(8, in[0], in[1]);
  memo[5] *= in[0];
  have[6] = false;
  have[7] = false;
  out[1] = fib(7, in[1], in[0]) * memo[4];
}

static double tape(double seed, double x_b) {
  double old = seed * x_b, left = old + seed;
  return left * old;
}
// case: at=0.7,0.3,1.3 out=2
void namesCollide(const double* in, double* out) {
  double x = in[0], x_b = in[1], x_d = in[2], in_b = x * x_b, out_b[2] = {x_d, in_b}, contraflow_ = 1, seed = 0,
         trips = 2;
  for (int left = 0; left < 3; ++left) {
    double old = x, branch = x_b;
    x = x * x_b + out_b[left % 2];
    x_b = std::sin(old) * x_d;
    x_d += tape(branch, x);
    out_b[1] *= old;
    seed += trips * x;
    trips = trips * contraflow_ * 0.5 + x_b;
  }
  out[0] = x + seed;
  out[1] = x_d * out_b[1] + in_b;
}

static double pending = 0;
static double adv(double& x) {
  x = x * 0.7 + 0.1 * std::sin(x) + pending * 0.01;
  pending += x;
  return x;
}
// case: at=1.7,0.3,0.97 out=3
void effectsInConditions(const double* in, double* out) {
  pending = in[1];
  double x = in[0], s = 0;
  int k = 0;
  while (adv(x) > 0.6 && (s += x * x) < 50 && k < 9) {
    if (++k % 2) continue;
    s *= 1.1;
  }
  do {
    if (k > 14) break;
    ++k;
    if (k % 3 == 0) continue;
    s += x * pending * 0.1;
  } while (adv(x) + adv(s) > 1.0 || k < 6);
  for (double y = 0.9 * in[2]; (y = y * y) > 1e-3; x += y, adv(x)) s += y;
  out[0] = s;
  out[1] = x;
  out[2] = pending;
}

static void build(double* y, int n, double x) {
  for (int i = 0; i < n; ++i) {
    std::vector<double> v(i + 1, x);
    for (int j = 0; j <= i; ++j) {
      v[j] *= x + j;
      if (v[j] > 6) {
        y[i] = v[j] * v[0];
        return;
      }
      if (j == 2 && x < 0) break;
    }
    double loc[2] = {v[i], v[0]};
    y[i] += loc[0] * loc[1];
    if (y[i] > 1e3) return;
  }
}
// case: at=0.7,1.6 out=3
void returnsWithLocals(const double* in, double* out) {
  double y[4] = {0.1, 0.2, 0.3, 0.4};
  build(y, 4, in[0]);
  build(y, 4, in[1]);
  build(y, 0, y[0]);
  build(y + 1, 3, y[1] * 0.4);
  out[0] = y[0];
  out[1] = y[1] * y[2];
  out[2] = y[3];
}

struct Node {
  double val;
  int left, right;
};
static double eval(const Node* t, int i, double* grad) {
  if (i < 0) return 1;
  double l = eval(t, t[i].left, grad), r = eval(t, t[i].right, grad);
  grad[i] = l * t[i].val;
  return l * t[i].val + std::sin(r) * grad[i];
}
// case: at=0.7,0.3,1.3 out=2
void treeOfRecords(const double* in, double* out) {
  Node t[5] = {{in[0], 1, 2}, {in[1], 3, -1}, {in[2], -1, 4}, {in[0] * in[1], -1, -1}, {0.5, -1, -1}};
  double g[5] = {};
  out[0] = eval(t, 0, g);
  t[3].val = g[2];
  out[1] = eval(t, 1, g + 1) * g[0];
}

// case: at=0.7,0.3,1.3 out=2
void nestedArraysOfArrays(const double* in, double* out) {
  double a[2][2][3];
  for (auto& m : a)
    for (auto& r : m)
      for (auto& x : r) x = in[&x - r] * (&r - m + 1);
  for (int t = 0; t < 3; ++t) {
    double(&m)[2][3] = a[t % 2];
    double* r = m[t & 1];
    for (int k = 2; k >= 0; --k) {
      r[k] = r[(k + 1) % 3] * a[1 - t % 2][1][k] + 0.1;
      if (r[k] < 0.2) break;
    }
  }
  out[0] = a[0][0][0] * a[1][1][2];
  out[1] = a[0][0][2] + a[1][1][0];
}

struct Pair {
  double a, b;
};
static Pair eig(double m, double d) {
  double s = std::sqrt(m * m - d);
  return {m + s, m - s};
}
static std::array<double, 3> cross(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
// case: at=1.3,0.8,0.5 out=3 nohessian
void bracesReturned(const double* in, double* out) {
  Pair p = eig(in[0], in[1]);
  std::array<double, 3> u = {in[0], in[1], in[2]}, v = {p.a, p.b, 1};
  for (int t = 0; t < 3; ++t) {
    u = cross(u, v);
    v[t] += u[t];
    p = eig(p.a + 1, p.b * 0.3);
    v = cross(v, u);
    u[0] += p.a;
  }
  out[0] = u[0] * v[1];
  out[1] = p.a * p.b;
  out[2] = cross(u, v)[2] + eig(p.a, 0.1).b;
}

struct Cell {
  double v;
  Cell* next;
};
// case: at=0.3,0.8,0.5 out=2
void arrayOfStructPointers(const double* in, double* out) {
  Cell c[4];
  for (int i = 0; i < 4; ++i) {
    c[i].v = in[i % 3] + i;
    c[i].next = &c[(i + 1) % 4];
  }
  Cell* p = c;
  for (int t = 0; t < 9; ++t) {
    p->v = p->v * 0.3 + p->next->v * 0.1 * p->next->next->v;
    if (t == 4) {
      Cell* q = p->next;
      p->next = q->next;
      q->next = p;
    }
    p = p->next;
  }
  out[0] = c[0].v * c[1].v;
  out[1] = p->v + p->next->v;
}

static void lagged(double* h, int n, double x) {
  for (int k = n - 1; k > 0; --k) h[k] = h[k - 1];
  h[0] = x;
}
// case: at=0.3,0.8,0.5 out=2
void historyShift(const double* in, double* out) {
  double h[4] = {in[0], in[1], in[2], 0.1};
  for (int t = 0; t < 7; ++t) {
    double f = h[0] * h[3] + 0.3 * std::cos(h[1]) - h[2] * 0.2;
    lagged(h, t % 3 + 2, f);
  }
  out[0] = h[0];
  out[1] = h[3] * h[2];
}

// case: at=0.3,0.8,0.5 out=2
void dpTable(const double* in, double* out) {
  double d[6][6];
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) d[i][j] = 0;
  for (int len = 1; len < 6; ++len)
    for (int i = 0; i + len < 6; ++i) {
      int j = i + len;
      double best = 1e30;
      int arg = -1;
      for (int k = i; k < j; ++k) {
        double c = d[i][k] + d[k + 1][j] + in[i % 3] * in[k % 3] * (1 + in[j % 3]) + 0.01 * k;
        if (c < best) {
          best = c;
          arg = k;
        }
      }
      d[i][j] = best * (1 + 0.01 * arg);
    }
  out[0] = d[0][5];
  out[1] = d[1][4] * d[2][5];
}

// case: at=0.3,0.8,0.5 out=2 nohessian
void atomicsBetween(const double* in, double* out) {
  double h[4] = {in[0], in[1], in[2], 0.7}, s = 0, tot = 1;
  for (int t = 0; t < 3; ++t) {
#pragma omp parallel
    {
#pragma omp for reduction(+ : s)
      for (int i = 0; i < 4; ++i) s += h[i] * h[i] * h[i];
#pragma omp for
      for (int i = 0; i < 11; ++i) {
        double w = in[i % 3] * (0.1 * i - 0.2);
#pragma omp atomic
        h[(i * 3 + t) % 4] += w * w;
#pragma omp atomic update
        tot -= 0.1 * w;
      }
#pragma omp for
      for (int i = 0; i < 4; ++i) h[i] = std::sin(h[i]) * tot;
#pragma omp single
      tot = tot * h[0] + 0.5;
    }
  }
  out[0] = s * tot;
  out[1] = h[1] * h[3];
}

// case: at=0.3,0.8,0.5 out=2
void firstLastPrivate(const double* in, double* out) {
  double w[3] = {in[0], in[1], in[2]}, x = in[0] * 2, last = 0.3, lastArr[2] = {1, 2}, r[8];
#pragma omp parallel for firstprivate(w, x) lastprivate(last, lastArr)
  for (int i = 0; i < 8; ++i) {
    double y = w[0] * x + i;
    lastArr[0] = y * w[1];
    lastArr[1] = std::cos(y);
    last = lastArr[0] * lastArr[1];
    r[i] = last + w[2];
  }
  double acc = x * last;
#pragma omp parallel for schedule(static, 2) lastprivate(x)
  for (int i = 0; i < 8; ++i) {
    x = r[i] * acc;
    r[i] = x * x;
  }
  out[0] = x + lastArr[0] * r[3];
  out[1] = lastArr[1] * last + w[0];
}

// case: at=0.3,0.8,0.5 out=3
void manyReductions(const double* in, double* out) {
  double s = in[0], q = in[1], m = 0.2, a[10];
  for (int t = 0; t < 2; ++t) {
#pragma omp parallel reduction(+ : s, m)
    {
      double mine = 0;
#pragma omp for reduction(+ : q) schedule(static, 3)
      for (int i = 0; i < 10; ++i) {
        a[i] = in[i % 3] * (i + t);
        q += a[i] * a[i];
        mine += a[i] * 0.1;
      }
      s += mine * q * 0.01;
#pragma omp for
      for (int i = 0; i < 10; ++i) m += a[9 - i] * q;
    }
    q = q * 0.1 + s;
  }
  out[0] = s;
  out[1] = q;
  out[2] = m * s;
}

// case: at=0.3,0.8,0.5 out=2
void slots(const double* in, double* out) {
  double part[8] = {}, prod[8];
  int nt = 1;
  double a[12];
  for (int i = 0; i < 8; ++i) prod[i] = 0;
  for (int t = 0; t < 2; ++t) {
#pragma omp parallel
    {
      int me = omp_get_thread_num();
#pragma omp single
      nt = omp_get_num_threads();
      part[me] *= 0.0;
#pragma omp for
      for (int i = 0; i < 12; ++i) {
        a[i] = in[i % 3] * (1 + i) * (t + 1);
        part[me] += a[i];
      }
      double tot = 0;
      for (int k = 0; k < nt; ++k) tot += part[k];
#pragma omp for nowait
      for (int i = 0; i < 12; ++i) prod[me] += a[i] * a[i] * tot;
#pragma omp barrier
    }
  }
  double s = 0, p = 0;
  for (int k = 0; k < nt; ++k) {
    s += part[k];
    p += prod[k];
  }
  out[0] = s * p;
  out[1] = p;
}

// case: at=0.3,0.8,0.5 out=2 nohessian
void gatherScatter(const double* in, double* out) {
  const int ne = 10, nn = 7;
  int e0[ne], e1[ne], perm[nn] = {3, 5, 0, 6, 1, 2, 4};
  double x[nn], f[nn], y[nn];
  for (int e = 0; e < ne; ++e) {
    e0[e] = (e * 3) % nn;
    e1[e] = (e * 5 + 1) % nn;
  }
  for (int i = 0; i < nn; ++i) {
    x[i] = in[i % 3] + 0.1 * i;
    f[i] = 0;
  }
  for (int t = 0; t < 2; ++t) {
#pragma omp parallel for
    for (int e = 0; e < ne; ++e) {
      double d = x[e0[e]] - x[e1[e]], q = d * d * d + x[e0[e]] * x[e1[e]];
#pragma omp atomic
      f[e0[e]] += q;
#pragma omp atomic
      f[e1[e]] -= q * 0.5;
    }
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < nn; ++i) {
      y[perm[i]] = x[i] + 0.1 * f[perm[i]];
      f[perm[i]] *= y[perm[i]];
    }
#pragma omp parallel for
    for (int i = 0; i < nn; ++i) x[i] = y[perm[i]] * 0.8 + x[i] * x[i] * 0.1;
  }
  out[0] = x[0] * f[3];
  out[1] = x[6] + y[2] * f[1];
}

static double local3(const double* u, int i, int n, double* s) {
  double l[3] = {u[(i + n - 1) % n], u[i], u[(i + 1) % n]};
  for (int k = 1; k < 3; ++k) l[k] = l[k] * l[k - 1] + std::sin(l[k]);
  s[0] = l[2];
  s[1] = l[1] * u[i];
  return l[0] * l[2];
}
static void sweep(const double* u, double* v, double* w, int n) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) {
    double s[2];
    double r = local3(u, i, n, s);
    v[i] = s[0] * 0.3 + r * 0.1;
    w[i] += s[1] * v[i];
  }
}
// case: at=0.3,0.8,0.5 out=2
void timeLoopHelpers(const double* in, double* out) {
  std::vector<double> u(9), v(9), w(9, 0.1);
  for (int i = 0; i < 9; ++i) u[i] = in[i % 3] * (1 + 0.2 * i);
  double *a = u.data(), *b = v.data();
  for (int t = 0; t < 4; ++t) {
    sweep(a, b, w.data(), 9);
    double* c = a;
    a = b;
    b = c;
    if (t == 1) sweep(b, w.data(), b, 0);
  }
  out[0] = a[3] * w[2];
  out[1] = b[0] + w[8];
}

// case: at=0.3,0.8,0.5 out=2
void regionSerialMix(const double* in, double* out) {
  double a[6], k = in[0];
  int cnt = 0;
#pragma omp parallel
  {
    for (int t = 0; t < 3; ++t) {
      double mine = k * 0.5;
#pragma omp for
      for (int i = 0; i < 6; ++i) a[i] = (t ? a[i] : in[i % 3]) * k + mine;
#pragma omp master
      {
        k = k * a[t] + 0.1;
        ++cnt;
      }
#pragma omp barrier
#pragma omp for schedule(dynamic, 1)
      for (int i = 0; i < 6; ++i)
        if (i % 2 == t % 2) a[i] = std::sin(a[i] * k);
#pragma omp single nowait
      cnt += 10;
#pragma omp barrier
    }
  }
  out[0] = a[1] * k;
  out[1] = a[4] + cnt * k;
}

// case: at=0.3,0.8,0.5 out=2
void sharedPointerSwapRegion(const double* in, double* out) {
  double p[8], q[8], *a = p, *b = q;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 8; ++i) {
      a[i] = in[i % 3] + 0.05 * i;
      b[i] = 0;
    }
    for (int t = 0; t < 4; ++t) {
#pragma omp for
      for (int i = 0; i < 8; ++i) b[i] = a[i] * a[(i + 1) % 8] + 0.2;
#pragma omp single
      {
        double* c = a;
        a = b;
        b = c;
      }
    }
  }
  out[0] = a[0] * b[7];
  out[1] = p[3] + q[4];
}

// case: at=0.3,0.8,0.5 out=2
void privCarriedStatic(const double* in, double* out) {
  double a[12];
  for (int i = 0; i < 12; ++i) a[i] = in[i % 3] * (i % 5 + 1);
  double best[4] = {1e9, 1e9, 1e9, 1e9}, sum[4] = {};
#pragma omp parallel num_threads(2)
  {
    double mn = 1e9, sm = 0.1;
    const int me = omp_get_thread_num();
#pragma omp for schedule(static, 3)
    for (int i = 0; i < 12; ++i) {
      if (a[i] * a[i] < mn) mn = a[i] * a[i];
      sm = sm * 0.9 + a[i] * mn;
    }
    best[me] = mn;
    sum[me] = sm;
  }
  out[0] = best[0] < best[1] ? best[0] : best[1];
  out[1] = sum[0] * sum[1];
}

// case: at=0.3,0.8,0.5 out=2
void nowaitIndependent(const double* in, double* out) {
  double a[9], b[9], c[9], s = 0;
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < 9; ++i) a[i] = in[0] * i + in[1];
#pragma omp for nowait schedule(dynamic)
    for (int i = 0; i < 9; ++i) b[i] = in[1] * in[2] * i;
#pragma omp for schedule(guided)
    for (int i = 0; i < 9; ++i) c[i] = in[2] + i;
#pragma omp for nowait reduction(+ : s)
    for (int i = 0; i < 9; ++i) s += a[i] * b[8 - i] * c[(i * 2) % 9];
#pragma omp for nowait
    for (int i = 0; i < 9; ++i) {
      double t = a[i];
      a[i] = t * t * 0.5;
    }
#pragma omp barrier
#pragma omp single
    {
      s *= a[3];
      a[0] = s;
    }
#pragma omp for
    for (int i = 0; i < 9; ++i) c[i] *= s + (i ? a[0] : 1.0);
  }
  out[0] = s;
  out[1] = c[2] * c[8] + a[5];
}

// case: at=0.3,0.8,0.5 out=2
void collapseSched(const double* in, double* out) {
  double g[4][6], h[4][6];
#pragma omp parallel for collapse(2) schedule(dynamic, 3)
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j) {
      g[i][j] = in[(i + j) % 3] * (i + 1) + j;
      h[i][j] = 0.1;
    }
  for (int t = 0; t < 2; ++t) {
#pragma omp parallel for collapse(2) schedule(static, 1)
    for (int i = 1; i < 3; ++i)
      for (int j = 5; j >= 1; j -= 2) {
        double s = 0;
        for (int k = -1; k <= 1; ++k) s += g[i + k][j - 1] * g[i][j];
        h[i][j] = s * 0.01 * h[i][j] + 0.2;
      }
#pragma omp parallel for collapse(2)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 6; ++j) g[i][j] *= h[i][j] + 0.5;
  }
  double s = 0;
#pragma omp parallel for collapse(2) reduction(+ : s) schedule(dynamic)
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j) s += g[i][j] * std::sin(h[i][j]);
  out[0] = s;
  out[1] = g[2][3];
}

// case: at=0.3,0.8,0.5 out=2
void chunkRunCrossed(const double* in, double* out) {
  double a[14], b[14] = {};
#pragma omp parallel for schedule(static, 3)
  for (int i = 0; i < 14; ++i) a[i] = in[i % 3] * (i + 1) * 0.2;
#pragma omp parallel for schedule(static, 4)
  for (int i = 0; i < 12; ++i) b[i / 4 * 4] += a[i] * a[i + 1] * a[i + 2];
#pragma omp parallel for schedule(static, 2)
  for (int i = 13; i >= 0; --i) a[13 - i] *= b[(13 - i) / 4 * 4] + b[i];
  out[0] = a[3] * a[8];
  out[1] = b[4] + a[12] * b[0];
}

// case: at=0.3,0.8,0.5 out=2
void regionNestedIfs(const double* in, double* out) {
  double a[6] = {in[0], in[1], in[2], 1, 2, 3}, x = in[0];
  for (int t = 0; t < 4; ++t) {
    bool even = t % 2 == 0;
#pragma omp parallel
    {
      if (even) {
#pragma omp for
        for (int i = 0; i < 6; ++i) a[i] = a[i] * x + 0.1 * a[i] * a[i];
      } else {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 5; ++i) a[i] *= 0.5 + 0.1 * i * x;
#pragma omp single
        {
          x = std::sin(a[t] * x);
          a[5] = x * a[0];
        }
      }
#pragma omp master
      x = x * 0.9 + 0.1 * a[t];
    }
  }
  out[0] = x;
  out[1] = a[0] * a[5];
}

// case: at=0.3,0.8,0.5 out=2
void firstprivateChangedInRegion(const double* in, double* out) {
  double w[2] = {in[0], in[1]}, s = 0, c = in[2], part[4] = {};
#pragma omp parallel firstprivate(w, c) reduction(+ : s) num_threads(3)
  {
    const int me = omp_get_thread_num();
    w[0] *= me + 1;
    c = std::sin(c * w[0]);
    w[1] = w[1] * w[0] + c;
#pragma omp for schedule(static)
    for (int i = 0; i < 9; ++i) s += w[0] * w[1] * i + c;
    part[me] = w[1] * c;
#pragma omp barrier
    w[0] = part[2] * part[me];
    s += w[0];
  }
  out[0] = s * c;
  out[1] = part[1] * w[1];
}

// case: at=0.3,0.8,0.5 out=2 nohessian
void atomicNonlinearSameScalar(const double* in, double* out) {
  double e = in[0], h = e * e, x[8];
  for (int t = 0; t < 3; ++t) {
#pragma omp parallel for
    for (int i = 0; i < 8; ++i) x[i] = std::sin(e * i + in[1]) * h;
#pragma omp parallel for schedule(dynamic, 3)
    for (int i = 0; i < 8; ++i) {
#pragma omp atomic
      e += x[i] * in[2] * 0.1;
    }
    h = h * e + 1 / e;
  }
  out[0] = h;
  out[1] = e;
}

// case: at=0.3,0.8,0.5 out=2
void wavefront(const double* in, double* out) {
  double g[6][6] = {};
  for (int i = 0; i < 6; ++i) {
    g[i][0] = in[i % 3];
    g[0][i] = in[(i + 1) % 3];
  }
#pragma omp parallel
  for (int d = 2; d <= 10; ++d) {
#pragma omp for schedule(dynamic)
    for (int i = 1; i < 6; ++i) {
      int j = d - i;
      if (j < 1 || j > 5) continue;
      g[i][j] = g[i - 1][j] * 0.6 + std::sin(g[i][j - 1]) * g[i - 1][j - 1];
    }
  }
  out[0] = g[5][5];
  out[1] = g[3][4] * g[4][2];
}

// case: at=0.3,0.8,0.5 out=2
void lastprivateIndexed(const double* in, double* out) {
  double a[9], t = in[2], u = 0;
  int k = 0;
#pragma omp parallel for lastprivate(t, k) schedule(static, 2)
  for (int i = 0; i < 9; ++i) {
    t = in[i % 3] * i;
    k = (i * 5) % 9;
    a[i] = t * t;
  }
  double b[9];
#pragma omp parallel
  {
#pragma omp for lastprivate(u) nowait
    for (int i = 0; i < 9; ++i) {
      u = a[i] * t;
      b[i] = u * a[k];
    }
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < 9; ++i) a[i] = b[8 - i] * u;
  }
  out[0] = a[k] * t;
  out[1] = u * b[2] * a[0];
}

struct Mesh {
  int n;
  const int* nb;
  double* rho;
  double* flux;
  double gamma;
  double face(int i, int k) const { return 0.5 * (rho[i] + rho[nb[2 * i + k]]); }
};
static double residual(Mesh& m, double dt) {
  double r = 0;
#pragma omp parallel for reduction(+ : r)
  for (int i = 0; i < m.n; ++i) {
    double f[2];
    for (int k = 0; k < 2; ++k) f[k] = std::pow(m.face(i, k), m.gamma);
    m.flux[i] = f[0] - f[1] * f[0];
    r += m.flux[i] * m.flux[i];
  }
#pragma omp parallel for
  for (int i = 0; i < m.n; ++i) m.rho[i] -= dt * m.flux[i] * m.rho[i];
  m.gamma += 0.01 * r / (1 + r);
  return r;
}
// case: at=0.3,0.8,0.5 out=2
void meshStruct(const double* in, double* out) {
  int nb[16];
  for (int i = 0; i < 8; ++i) {
    nb[2 * i] = (i + 3) % 8;
    nb[2 * i + 1] = (i * 5 + 1) % 8;
  }
  std::vector<double> rho(8), fl(8);
  for (int i = 0; i < 8; ++i) rho[i] = 1 + in[i % 3];
  Mesh m{8, nb, rho.data(), fl.data(), 1.4};
  double s = 0;
  for (int t = 0; t < 4; ++t) s += residual(m, 0.01) * m.gamma;
  out[0] = s;
  out[1] = rho[3] * fl[2];
}

// case: at=0.3,0.8,0.5 out=2
void redBlack(const double* in, double* out) {
  const int n = 6;
  double u[n + 2][n + 2];
  for (int i = 0; i < n + 2; ++i)
    for (int j = 0; j < n + 2; ++j) u[i][j] = in[(i + 2 * j) % 3] * (i == 0 ? 2 : 1);
  for (int t = 0; t < 3; ++t)
    for (int color = 0; color < 2; ++color) {
#pragma omp parallel for
      for (int i = 1; i <= n; ++i)
        for (int j = 1 + (i + color) % 2; j <= n; j += 2)
          u[i][j] += 0.25 * (u[i - 1][j] * u[i + 1][j] + u[i][j - 1] - u[i][j + 1] * u[i][j]);
    }
  out[0] = u[3][3] * u[1][2];
  out[1] = u[6][6] + u[2][5];
}
