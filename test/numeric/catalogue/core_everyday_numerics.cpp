// Everyday numerics: solvers that swap rows and buffers, views, interpreters, owners of raw memory, state in globals.
// group: hessian
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

namespace {

struct View {
  double* p;
  int n, stride;
  double& operator[](int i) const { return p[i * stride]; }
  View part(int from, int count) const { return {p + from * stride, count, stride}; }
  double dot(View o) const {
    double s = 0;
    for (int i = 0; i < n; ++i) s += (*this)[i] * o[i];
    return s;
  }
};

class Matrix {
 public:
  Matrix(int n, int m) : n_(n), m_(m), a_(new double[static_cast<std::size_t>(n * m)]()) {}
  Matrix(const Matrix& o) : Matrix(o.n_, o.m_) { std::copy(o.a_, o.a_ + n_ * m_, a_); }
  Matrix& operator=(const Matrix& o) {
    if (this != &o)
      for (int k = 0; k < n_ * m_; ++k) a_[k] = o.a_[k];
    return *this;
  }
  ~Matrix() { delete[] a_; }
  class Row {
   public:
    Row(double* p) : p_(p) {}
    double& operator[](int j) { return p_[j]; }

   private:
    double* p_;
  };
  Row operator[](int i) { return Row(a_ + i * m_); }
  View column(int j) { return {a_ + j, n_, m_}; }
  View row(int i) { return {a_ + i * m_, m_, 1}; }
  double trace() const {
    double s = 0;
    for (int i = 0; i < std::min(n_, m_); ++i) s += a_[i * m_ + i];
    return s;
  }

 private:
  int n_, m_;
  double* a_;
};

// LU with rows that are swapped by pointer; false where it is singular.
bool solveLu(double** a, double* b, int n) {
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (std::fabs(a[i][k]) > std::fabs(a[best][k])) best = i;
    if (a[best][k] == 0) return false;
    if (best != k) {
      std::swap(a[best], a[k]);
      std::swap(b[best], b[k]);
    }
    for (int i = k + 1; i < n; ++i) {
      const double l = a[i][k] /= a[k][k];
      for (int j = k + 1; j < n; ++j) a[i][j] -= l * a[k][j];
      b[i] -= l * b[k];
    }
  }
  for (int i = n; i--;) {
    for (int j = i + 1; j < n; ++j) b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
  return true;
}

void thomas(const double* a, double* b, const double* c, double* d, int n) {
  for (int i = 1; i < n; ++i) {
    const double w = a[i] / b[i - 1];
    b[i] -= w * c[i - 1];
    d[i] -= w * d[i - 1];
  }
  d[n - 1] /= b[n - 1];
  for (int i = n - 2; i >= 0; --i) d[i] = (d[i] - c[i] * d[i + 1]) / b[i];
}

enum Op { kPush, kAdd, kMul, kSin, kDup, kSwap, kJumpIfPositive, kEnd };
struct Machine {
  double stack[8];
  int top = 0;
  void push(double x) { stack[top++] = x; }
  double pop() { return stack[--top]; }
  double run(const int* code, const double* constants) {
    int at = 0;
    for (;;) {
      switch (static_cast<Op>(code[at++])) {
        case kPush: push(constants[code[at++]]); break;
        case kAdd: {
          const double b = pop();
          stack[top - 1] += b;
          break;
        }
        case kMul: {
          const double b = pop(), a = pop();
          push(a * b);
        } break;
        case kSin: stack[top - 1] = std::sin(stack[top - 1]); break;
        case kDup: push(stack[top - 1]); break;
        case kSwap: std::swap(stack[top - 1], stack[top - 2]); break;
        case kJumpIfPositive:
          if (pop() > 0) at = code[at];
          else ++at;
          break;
        case kEnd: return pop();
      }
    }
  }
};

class Random {
 public:
  explicit Random(unsigned seed) : state_(seed) {}
  double operator()() {
    state_ = state_ * 1664525u + 1013904223u;
    return (state_ >> 8) / 16777216.0;
  }

 private:
  unsigned state_;
};

double g_field[4];
int g_calls = 0;
struct Settings {
  double gain = 1, offset = 0;
} g_settings;
double field(int i) {
  ++g_calls;
  return g_field[i & 3] * g_settings.gain + g_settings.offset;
}

double march(const std::function<double(double, double)>& f, double y, double dt, double end) {
  for (double t = 0; t < end; t += dt) y += dt * f(t, y);
  return y;
}
double marchTwice(const std::function<double(double, double)>& f, double y, double dt) { return march(f, march(f, y, dt, 0.5), dt * 0.5, 0.3); }

double byName(const char* name, double x) {
  if (std::strcmp(name, "square") == 0) return x * x;
  if (!std::strcmp(name, "exp")) return std::exp(x);
  switch (name[0]) {
    case 's': return std::sin(x);
    case 'c': return std::cos(x);
  }
  return x;
}

void blockSum(const double a[2][2][2], double (*out)[2], double scale) {
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      double& o = out[i][j];
      o = 0;
      for (const double& x : a[i][j]) o += scale * x * a[j][i][1];
    }
}

}  // namespace

// case: at=0.4,1.5,0.2,-0.7,0.9,1.1 out=2
void numericsMatrix(const double* in, double* out) {
  Matrix m(3, 2);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j) m[i][j] = in[2 * i + j] * (i + 1);
  Matrix copy(m);
  copy[0][1] *= m[1][0];
  copy.column(1)[2] += copy.row(0).dot(m.row(2));
  m = copy;
  m[2][1] = m.column(0).part(1, 2).dot(m.column(1).part(0, 2));
  out[0] = m.trace() * copy.trace();
  out[1] = m.column(1).dot(copy.column(1));
}

// case: at=0.4,1.5,0.2,-0.7,0.9,1.1 out=3
void numericsLu(const double* in, double* out) {
  double store[3][3] = {{in[0], in[1], in[2]}, {in[3], in[4], in[5]}, {in[1] + 2, in[0], in[3] * in[4]}};
  double* rows[3] = {store[0], store[1], store[2]};
  double b[3] = {1, in[5], in[2]};
  if (!solveLu(rows, b, 3)) std::fill(b, b + 3, 0.0);
  for (int k = 0; k < 3; ++k) out[k] = b[k] * rows[k][0];
}

// case: at=0.4,1.5,0.2,-0.7 out=4
void numericsThomas(const double* in, double* out) {
  double a[4], b[4], c[4];
  for (int k = 0; k < 4; ++k) {
    a[k] = in[k] * 0.3;
    b[k] = 2 + in[(k + 1) % 4];
    c[k] = -in[k] * in[0];
    out[k] = in[k];
  }
  thomas(a, b, c, out, 4);
}

// case: at=0.4,1.5,0.2,-0.7 out=2
void numericsInterpreter(const double* in, double* out) {
  const int code[] = {kPush, 0, kDup, kMul, kPush, 1, kAdd, kDup, kPush, 3, kAdd, kJumpIfPositive, 15, kPush, 2, kSin, kPush, 1, kSwap, kMul, kEnd};
  Machine m;
  out[0] = m.run(code, in);
  const double again[] = {out[0], in[1], in[3], in[2]};
  m.push(in[2]);
  out[1] = m.run(code, again) * m.pop();
}

// case: at=0.4,1.5 out=2
void numericsRandom(const double* in, double* out) {
  Random random(7);
  double sum = 0, best = -1;
  for (int k = 0; k < 10; ++k) {
    const double u = random(), x = in[0] + in[1] * u;
    if (random() < 0.3) continue;
    sum += x * x / 10;
    if (best < x) best = x;
  }
  out[0] = sum;
  out[1] = best * sum;
}

// case: at=0.4,1.5,0.2,-0.7 out=2
void numericsGlobals(const double* in, double* out) {
  g_calls = 0;
  g_settings = {in[0], in[1]};
  for (int k = 0; k < 4; ++k) g_field[k] = in[k] * in[k];
  double s = 0;
  for (int k = 0; k < 6; ++k) {
    s += field(k) * field(g_calls);
    g_field[k % 4] += 0.1 * s;
    Settings* const settings = &g_settings;
    settings->gain *= 1 + 0.01 * s;
  }
  out[0] = s;
  out[1] = g_field[2] * g_settings.gain;
}

// case: at=0.4,0.11,0.2
void numericsMarch(const double* in, double* out) {
  const double k = in[2];
  out[0] = marchTwice([&](double t, double y) { return k * y - t * y * y; }, in[0], in[1]);
}

// case: at=0.4,1.5,0.2 out=4
void numericsNames(const double* in, double* out) {
  const char* const names[] = {"square", "exp", "cos", "other"};
  double x = in[1];
  for (int k = 0; k < 4; ++k) {
    x = byName(names[k], x) * in[k % 3];
    out[k] = x;
  }
  if (x > 1e6) std::printf("large: %g\n", x);
}

// case: at=0.4,1.5,0.2,-0.7 out=4
void numericsBlocks(const double* in, double* out) {
  double a[2][2][2], b[2][2];
  double* p = &a[0][0][0];
  int n = 8;
  while (n--) *p++ = in[n % 4] * (n + 1);
  blockSum(a, b, in[0]);
  blockSum(a, b + 0, b[1][0]);
  std::memcpy(out, b, sizeof b);
}

// case: at=0.4,1.5,0.2,-0.7 out=2
void numericsBuffers(const double* in, double* out) {
  double first[4], second[4], *now = first, *next = second;
  std::memcpy(now, in, sizeof first);
  int step = 0;
again:
  for (int i = 0; i < 4; ++i) {
    const double l = now[i ? i - 1 : 3], r = now[(i + 1) & 3];
    next[i] = now[i] + 0.2 * (l * r - now[i] * now[i]);
    if (next[i] > 1.4 && step > 0) goto done;
  }
  std::swap(now, next);
  if (++step < 5) goto again;
done:
  out[0] = now[0] * now[1] + next[2];
  out[1] = first[3] * second[3];
}

// case: at=0.4,1.5,0.2,-0.7,0.9,1.1 out=6
void numericsWholeArrays(const double* in, double* out) {
  double a[2][3], b[2][3], c[2][3];
  std::memcpy(a, in, sizeof(a));
  std::memset(b, 0, sizeof b);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) b[i][j] += a[i][j] * a[1 - i][2 - j];
  std::memcpy(c, b, sizeof c);
  std::memset(a, 0, sizeof(a));
  for (int j = 0; j < 3; ++j) c[1][j] *= b[0][j] + a[1][j];
  std::memcpy(out, c, 6 * sizeof(double));
}
