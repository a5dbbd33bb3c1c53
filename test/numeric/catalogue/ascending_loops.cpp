// Reversed loops run upwards where the order of their iterations doesn't matter, and downwards where it does.
// group: hessian
#include <climits>
#include <cmath>
#include <cstddef>

namespace {

void scaleInto(double* a, const double* b, int n) {
  for (int i = 0; i < n; ++i) a[i] = b[i] * b[i] + a[i];
}

void linear(double* a, const double* b, int n) {
  for (int i = 1; i < n; ++i) a[i] = 0.5 * b[i - 1] + b[i];
}

void swept(double* __restrict__ a, double* __restrict__ b, int n) {
  for (int i = 0; i < n; ++i) {
    b[i] += 0.1 * a[i] * a[i];
    a[i] = std::sin(b[i]) * 0.5;
  }
}

void pick(double* a, double* b, int which, int n) {
  double* p = which % 2 ? a : b;
  double* q = which > 1 ? a : b;
  double* r = p + which;
  for (int i = 0; i < n; ++i) p[i] = q[i] * 0.5;
  for (int i = 0; i < n; ++i) q[i] = r[i + 1] * 0.5;
  for (int i = n; i > 0; --i) p[i] = r[i - 1] * 0.5 + q[i] * 0.1;
}

void onlyRead(double* __restrict__ a, const double* __restrict__ b, const double* __restrict__ c, int n) {
  double* x = a + 1;
  const double* y = b;
  for (int i = 0; i < n; ++i) x[i] = y[i] * 0.5 + c[i];
  if (n > 5) y = a + 2;
  for (int i = 1; i < n; ++i) x[i] = y[i - 1] * 0.7 + c[i];
}

}  // namespace

// Each iteration reads what the one before left: linear, so that nothing is recorded and nothing but the order tells.
// case: out=1 at=0.9,-0.7,1.1,0.3,1.3,0.4
void recurrence(const double* in, double* out) {
  double a[6];
  for (int i = 0; i < 6; ++i) a[i] = in[i];
  for (int i = 1; i < 6; ++i) a[i] = 2.0 * a[i - 1] + 3.0 * in[i];
  out[0] = a[5] * a[2];
}

// case: out=1 at=0.9,-0.7,1.1,0.3,1.3,0.4
void recurrenceDownwards(const double* in, double* out) {
  double a[6];
  for (int i = 0; i < 6; ++i) a[i] = in[i];
  for (int i = 4; i >= 0; --i) a[i] = 2.0 * a[i + 1] - in[i];
  out[0] = a[0] * a[3];
}

// case: out=1 at=0.9,-0.7,1.1,0.3,1.3,0.4
void byTwo(const double* in, double* out) {
  double a[8] = {};
  for (int i = 0; i < 6; ++i) a[i] = in[i];
  for (int i = 2; i < 6; i += 2) {
    a[i] = a[i - 2] * 1.5;
    a[i + 1] += a[i];
  }
  out[0] = a[4] * a[5] + a[3];
}

// case: out=1 at=0.9,-0.7,1.1,0.3,1.3,0.4
void sizes(const double* in, double* out) {
  const std::size_t n = 6;
  double a[6], b[6];
  for (std::size_t i = 0; i < n; ++i) a[i] = in[i] * in[i];
  for (std::size_t i = 1; i < n; i += 2) b[i] = a[i] * a[i - 1];
  for (std::size_t i = 1; i != n - 1; ++i) a[i] = a[i - 1] * 0.5;
  for (unsigned i = 5; i > 0; --i) a[i] += b[i | 1u] * in[i];
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * std::cos(in[i]);
  out[0] = sum;
}

// The last iteration's value stays, at one element.
// case: out=1 at=0.9,-0.7,1.1,0.3
void oneElement(const double* in, double* out) {
  double a[4] = {};
  for (int i = 0; i < 4; ++i) a[1] = in[i] * (i + 1);
  for (int i = 0; i < 4; ++i) a[i / 2] = in[i] * 3.0;
  const int last[4] = {0, 2, 2, 0};
  for (int i = 0; i < 4; ++i) a[last[i]] = in[i] * 5.0;
  out[0] = a[0] * 2.0 + a[1] * 7.0 + a[2] * a[1];
}

// The same array under two names, a step apart or the same.
// case: out=1 at=0.9,-0.7,1.1,0.3,1.3,0.4
void sameArray(const double* in, double* out) {
  double a[12];
  for (int i = 0; i < 12; ++i) a[i] = in[i % 6];
  scaleInto(a + 1, a, 5);
  scaleInto(a, a + 2, 6);
  linear(a, a, 8);
  linear(a + 1, a, 8);
  linear(a, a + 1, 8);
  double sum = 0;
  for (int i = 0; i < 12; ++i) sum += a[i] * (i + 1);
  out[0] = sum;
}

// case: out=1 at=0.9,-0.7,1.1,0.3,1.3,0.4
void promised(const double* in, double* out) {
  double work[12];
  double* __restrict__ a = work;
  double* __restrict__ b = work + 6;
  for (int i = 0; i < 6; ++i) {
    a[i] = in[i];
    b[i] = 0.1 * in[5 - i];
  }
  for (int t = 0; t < 3; ++t) {
    swept(a, b, 6);
    for (int i = 1; i < 6; ++i) a[i] = a[i - 1] * 0.7 + 0.3 * b[i] * a[i];
    for (int i = 0; i < 6; ++i) b[i] = 0.2 * a[i] + 0.9 * b[i];
  }
  double sum = 0;
  for (int i = 0; i < 6; ++i) sum += a[i] * b[i];
  out[0] = sum;
}

// Pointers that move, and are exchanged.
// case: out=1 at=0.9,-0.7,1.1,0.3,1.3,0.4
void movedPointers(const double* in, double* out) {
  double u[6], v[6];
  double* now = u;
  double* next = v;
  for (int i = 0; i < 6; ++i) u[i] = in[i];
  for (int t = 0; t < 3; ++t) {
    for (int i = 0; i < 6; ++i) next[i] = now[(i + 1) % 6] * 0.9 + in[i];
    for (int i = 1; i < 6; ++i) next[i] = next[i - 1] + now[i];
    double* const old = now;
    now = next;
    next = old;
  }
  double sum = 0;
  for (int i = 0; i < 6; ++i) sum += now[i] * next[i];
  out[0] = sum;
}

// Two elements of one iteration are elements of others.
// case: out=1 at=0.9,-0.7,1.1,0.3,1.3,0.4
void pairs(const double* in, double* out) {
  double a[12] = {};
  for (int i = 0; i < 6; ++i) a[2 * i] = in[i];
  for (int i = 0; i < 5; ++i) {
    a[2 * i + 1] = a[2 * i] * 0.5;
    a[2 * i + 2] = a[2 * i + 1] + a[2 * i + 2];
  }
  for (int i = 0; i < 3; ++i) {
    a[i] = a[11 - i] * 2.0;
    a[11 - i] = a[i] + in[i];
  }
  for (int i = 0; i < 11; ++i) a[11 - i] = 0.3 * a[i];
  double sum = 0;
  for (int i = 0; i < 12; ++i) sum += a[i] * (1 + i % 3);
  out[0] = sum;
}

// Numbers that an iteration leaves to the next one, and sums.
// case: out=2 at=0.9,-0.7,1.1,0.3
void carried(const double* in, double* out) {
  double last = 1.0, sum = 0, a[4];
  for (int i = 0; i < 4; ++i) {
    a[i] = last * 0.5;
    last = in[i];
  }
  for (int i = 0; i < 4; ++i) {
    sum += a[i];
    a[i] = sum * in[i];
  }
  for (int i = 0; i < 4; ++i) sum = 0.5 * sum + a[i];
  out[0] = sum;
  out[1] = a[3];
}

namespace {
void columns(int n, const double* l, double* s) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < i; ++k) s[i] -= l[i * n + k] * l[k * n + i];
}
void intoColumns(int n, double* l, const double* s) {
  for (int i = 1; i < n; ++i) l[i * n] = l[(i - 1) * n] * 0.5 + s[i];
  for (int i = 0; i < n; ++i) l[n + i % 2] += s[i] * s[i];
}
}  // namespace

// Distances that are variables.
// case: out=1 at=0.9,-0.7,1.1,0.3
void byColumns(const double* in, double* out) {
  double l[16], s[4];
  for (int i = 0; i < 16; ++i) l[i] = in[i % 4] * (1 + 0.1 * i);
  for (int i = 0; i < 4; ++i) s[i] = in[i];
  columns(4, l, s);
  intoColumns(4, l, s);
  columns(3, l, s);
  intoColumns(0, l, s);
  intoColumns(2, s, l);
  double sum = 0;
  for (int i = 0; i < 16; ++i) sum += l[i] * s[i % 4];
  out[0] = sum;
}

// Counters of unsigned types that go down by more than one: a step of -4 is a large number in their types.
// case: out=1 at=0.9,-0.7,1.1,0.3
void unsignedSteps(const double* in, double* out) {
  double a[20], b[20];
  for (int i = 0; i < 20; ++i) a[i] = b[i] = in[i % 4];
  for (unsigned i = 19; i > 5; i -= 4) a[i] = b[i] * 2.0;
  for (unsigned i = 19; i >= 10; i -= 4) b[i] *= b[i - 1] * a[i];
  for (unsigned i = 18; i > 2; i += -2) a[i] = b[i] * a[i - 1];
  for (unsigned s = 1; s < 4; ++s)
    for (unsigned i = 19; i > 8 + s; i -= s) b[i - s] = b[i] * a[i - 1] * 0.5;
  for (unsigned i = 1; i < 3000000000u; i += 3000000000u) a[i] = b[i] * a[i];
  double sum = 0;
  for (int i = 0; i < 20; ++i) sum += a[i] * b[i] * (1 + i % 3);
  out[0] = sum;
}

// First values beyond which their types have none: the reversed loop can't end there by a comparison.
// case: out=1 at=0.9,-0.7,1.1,0.3
void endsOfTypes(const double* in, double* out) {
  double a[256], b[256];
  for (int i = 0; i < 256; ++i) a[i] = b[i] = in[i % 4];
  for (signed char i = 127; i >= 0; --i) a[i] = 2.0 * b[i] + a[i] * b[i];
  for (signed char i = -128; i < 0; ++i) a[i + 128] += 2.0 * b[i + 130];
  for (short i = 32767; i > 32700; --i) b[32767 - i] = 2.0 * a[i - 32600];
  for (int i = INT_MAX; i > INT_MAX - 20; --i) a[INT_MAX - i] = 2.0 * b[INT_MAX - i];
  for (int i = INT_MIN; i < INT_MIN + 20; ++i) a[i + INT_MAX + 1] *= 0.5;
  double sum = 0;
  for (int i = 0; i < 256; ++i) sum += a[i] * b[i] * (1 + i % 3);
  out[0] = sum;
}
// Pointers of which either may lead to either array, some elements further; promises of parameters that are only read.
// case: out=1 at=0.9,-0.7,1.1,0.3
void pickedPointers(const double* in, double* out) {
  double a[20], b[20];
  for (int i = 0; i < 20; ++i) a[i] = b[19 - i] = in[i % 4] + 0.1 * i;
  for (int which = 0; which < 4; ++which) {
    pick(a, b, which, 9);
    pick(a + 1, a, which, 8);
    pick(b, b, which, 6);
    onlyRead(a, b + 1, b, 9);
    for (int i = 0; i < 20; ++i) b[i] += in[which] * a[19 - i] + 0.1;
  }
  double sum = 0;
  for (int i = 0; i < 20; ++i) sum += a[i] * b[i] * (1 + i % 3);
  out[0] = sum;
}
