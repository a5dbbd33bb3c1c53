// The core language: small programs as scientists write them, several features at once.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

// the same vector as input and output of a method, and a reference to its own element
struct Smoother {
  std::vector<double> u, tmp;
  double w;
  int sweeps = 0;
  explicit Smoother(int n, double a) : u(n), tmp(n), w(a) {}
  void relax(const std::vector<double>& src, std::vector<double>& dst) {
    for (std::size_t i = 1; i + 1 < src.size(); ++i)
      dst[i] = (1 - w) * src[i] + 0.5 * w * (src[i - 1] + src[i + 1]) * src[i];
    ++sweeps;
  }
  void scale(const double& by) {
    for (double& x : u) x *= by;
  }
  Smoother& operator+=(const Smoother& o) {
    for (std::size_t i = 0; i < u.size(); ++i) u[i] += o.u[i] * w;
    return *this;
  }
};
// case: at=0.3,1.1,0.7,0.9,0.4
void smootherInPlace(const double* in, double* out) {
  Smoother s(5, 0.6);
  for (int i = 0; i < 5; ++i) s.u[i] = in[i] + 0.1;
  s.tmp = s.u;
  for (int k = 0; k < 3; ++k) {
    s.relax(s.u, s.tmp);
    std::swap(s.u, s.tmp);
  }
  s.relax(s.u, s.u);
  s.scale(s.u[2]);
  s += s;
  double e = 0;
  for (double x : s.u) e += x * x;
  out[0] = e * s.sweeps;
}
// early exit from nested loops with state
static int newton(double& x, double a, double tol, int maxit) {
  int it = 0;
  for (; it < maxit; ++it) {
    const double f = x * x * x - a;
    if (std::fabs(f) < tol) return it;
    const double d = 3 * x * x;
    if (d == 0) return -1;
    x -= f / d;
  }
  return it;
}
// case: at=0.8,1.1,0.7
void newtonRoots(const double* in, double* out) {
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    double x = 1.0;
    const int its = newton(x, in[i], 1e-13, 50);
    if (its < 0) break;
    s += x * in[i] + 0.01 * its * x;
  }
  out[0] = s;
}
// case: at=0.8,1.1,0.7
void inOutAlias(const double* in, double* out) {
  double a[4] = {in[0], in[1], in[2], 1};
  auto axpy = [](int n, double al, const double* x, double* y) {
    for (int i = 0; i < n; ++i) y[i] += al * x[i];
  };
  axpy(3, a[3], a, a + 1);
  axpy(2, a[1], a + 2, a);
  double *p = a, *q = a + 3;
  while (p < q) {
    const double t = *p;
    *p++ = *q * t;
    *q-- = t;
  }
  out[0] = a[0] + a[1] * a[2] + a[3] * a[3];
}
void addTo(double& x, const double& y, double& z) {
  x += y * z;
  z *= x;
  x -= y;
}
// case: at=0.8,1.1,0.7
void sameObjectTwice(const double* in, double* out) {
  double a = in[0], b = in[1];
  addTo(a, a, b);
  addTo(a, b, a);
  addTo(b, b, b);
  out[0] = a * b + in[2] * a;
}
// matrix class with operators returning by value and proxies
template <int N>
struct Mat {
  double a[N][N];
  double* operator[](int i) { return a[i]; }
  const double* operator[](int i) const { return a[i]; }
  friend Mat operator*(const Mat& x, const Mat& y) {
    Mat r{};
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        for (int k = 0; k < N; ++k) r[i][j] += x[i][k] * y[k][j];
    return r;
  }
  Mat operator-() const {
    Mat r = *this;
    for (auto& row : r.a)
      for (double& v : row) v = -v;
    return r;
  }
  Mat& operator*=(const Mat& o) { return *this = *this * o; }
  double trace() const {
    double t = 0;
    for (int i = 0; i < N; ++i) t += a[i][i];
    return t;
  }
};
// case: at=0.8,1.1,0.7,0.2
void matrixOperators(const double* in, double* out) {
  Mat<2> m{{{in[0], in[1]}, {in[2], in[3]}}};
  Mat<2> p = m * m * -m;
  p *= p;
  m *= m;
  out[0] = p.trace() + m[0][1] * m[1][0];
}
// linked structure through indices and pointers
struct Particle {
  double x[2], v[2], m;
  Particle* next;
};
// case: at=0.8,1.1,0.7,0.2
void linkedParticles(const double* in, double* out) {
  Particle ps[3];
  Particle* head = nullptr;
  for (int i = 0; i < 3; ++i) {
    ps[i] = Particle{{in[i], in[i + 1]}, {0.1 * in[i], 0}, 1.0 + in[i], head};
    head = &ps[i];
  }
  for (int t = 0; t < 3; ++t)
    for (Particle* p = head; p; p = p->next)
      for (Particle* q = p->next; q; q = q->next) {
        const double dx = p->x[0] - q->x[0], dy = p->x[1] - q->x[1];
        const double r2 = dx * dx + dy * dy + 0.1;
        const double f = 0.01 * p->m * q->m / (r2 * std::sqrt(r2));
        p->v[0] -= f * dx;
        q->v[0] += f * dx;
        p->x[0] += p->v[0];
        q->x[1] += f * dy;
      }
  double e = 0;
  for (const Particle& p : ps) e += p.x[0] * p.x[0] + p.x[1] * p.v[0];
  out[0] = e;
}
// ring buffer with modulo, history window
class History {
  std::array<double, 3> h_{};
  int head_ = 0, n_ = 0;

public:
  void push(double v) {
    h_[head_] = v;
    head_ = (head_ + 1) % 3;
    if (n_ < 3) ++n_;
  }
  double mean() const {
    double s = 0;
    for (int i = 0; i < n_; ++i) s += h_[i];
    return n_ ? s / n_ : 0.0;
  }
  double operator()(int back) const { return h_[(head_ + 2 - back + 3) % 3]; }
};
// case: at=0.8,1.1,0.7,0.2
void ringBuffer(const double* in, double* out) {
  History h;
  double x = in[0];
  for (int i = 0; i < 8; ++i) {
    h.push(x);
    x = 0.5 * h.mean() * in[1] + (i > 2 ? h(2) * in[2] : h(0)) * x + in[3];
    if (x > 3) {
      h.push(1.0);
      x *= 0.25;
      continue;
    }
    if (i == 6 && x < 0.1) break;
  }
  out[0] = x + h.mean();
}
typedef double (*RightSide)(double t, double y, void* ctx);
struct Ctx {
  double k, c;
  int calls;
};
static double decay(double, double y, void* p) {
  Ctx* c = static_cast<Ctx*>(p);
  ++c->calls;
  return -c->k * y + c->c;
}
static double rk2(RightSide f, double y, int n, double h, void* ctx) {
  for (int i = 0; i < n; ++i) {
    const double k1 = f(i * h, y, ctx), k2 = f((i + 0.5) * h, y + 0.5 * h * k1, ctx);
    y += h * k2;
  }
  return y;
}
// case: at=0.8,1.1,0.7
void cCallbackWithContext(const double* in, double* out) {
  Ctx c{in[0], in[1], 0};
  out[0] = rk2(decay, in[2], 4, 0.1, &c) * c.k + c.calls * in[0];
}
// polymorphic container of unique_ptr
struct Law {
  virtual ~Law() = default;
  virtual double stress(double e) = 0;
};
struct Linear : Law {
  double E;
  explicit Linear(double x) : E(x) {}
  double stress(double e) override { return E * e; }
};
struct Plastic : Law {
  double E, y, ep = 0;
  Plastic(double a, double b) : E(a), y(b) {}
  double stress(double e) override {
    double s = E * (e - ep);
    if (s > y) {
      ep += (s - y) / E;
      s = y + 0.1 * (s - y);
    }
    return s;
  }
};
// case: at=0.8,0.2,0.7
void materialLaws(const double* in, double* out) {
  Linear a(in[0]);
  Plastic b(in[0] * 2, in[1]);
  Law* laws[2] = {&a, &b};
  double s = 0;
  for (int t = 0; t < 4; ++t)
    for (Law* l : laws) s += l->stress(0.1 * t * in[2]) * (t + 1);
  out[0] = s + b.ep;
}
// std::function whose captured variable is a loop-carried scalar read between calls, in conditions
// case: at=0.3,1.1,0.7
void functionStateInCondition(const double* in, double* out) {
  double x = in[0], s = 0;
  std::function<void()> advance = [&] {
    x = x * in[1] + 0.2;
    s += x * x;
  };
  while (x < 1.5) {
    const double before = x;
    advance();
    s += before * x;
  }
  std::function<bool(double)> big = [&](double t) { return t > s; };
  if (!big(in[2])) s *= in[2];
  out[0] = s * x;
}
// captured index and size of a vector that grows in the call
// case: at=0.3,1.1,0.7
void functionGrowsVector(const double* in, double* out) {
  std::vector<double> v;
  std::function<double&(double)> add = [&](double t) -> double& {
    v.push_back(t * t);
    return v.back();
  };
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    add(in[i]) *= in[0];
    s += v[v.size() - 1] * v[0];
  }
  for (std::size_t i = 0; i < v.size(); ++i) s += v[i];
  out[0] = s;
}
struct Solver {
  std::vector<double> u;
  std::function<double(double, int)> source;
  double dt = 0.1;
  int steps = 0;
  explicit Solver(std::vector<double> init, std::function<double(double, int)> s)
      : u(std::move(init)), source(std::move(s)) {}
  void step() {
    for (std::size_t i = 0; i < u.size(); ++i) u[i] += dt * source(u[i], static_cast<int>(i));
    ++steps;
  }
};
// case: at=0.3,1.1,0.7
void solverWithSource(const double* in, double* out) {
  const double k = in[2];
  Solver s({in[0], in[1]}, [k](double u, int i) { return -k * u * u + 0.1 * i; });
  while (s.steps < 4) s.step();
  out[0] = s.u[0] * s.u[1] + s.steps * k;
}
// sort inside a time loop with limiter, sorted values reused by rank
// case: at=0.9,0.4,0.7,0.2
void sortedInLoop(const double* in, double* out) {
  std::vector<double> v(in, in + 4);
  double s = 0;
  for (int t = 0; t < 3; ++t) {
    std::vector<double> w = v;
    std::sort(w.begin(), w.end());
    const double med = 0.5 * (w[1] + w[2]);
    for (double& x : v) x = x > med ? x - 0.3 * (x - med) * x : x + 0.2 * (med - x);
    std::rotate(v.begin(), v.begin() + 1, v.end());
    s += med * v[t];
  }
  out[0] = s;
}
// reverse sweep of a tridiagonal solve with reverse iterators
// case: at=2.1,2.4,2.7,0.3,0.5,0.7
void thomasReverse(const double* in, double* out) {
  std::vector<double> d(in, in + 3), b(in + 3, in + 6);
  for (int i = 1; i < 3; ++i) {
    const double m = -0.5 / d[i - 1];
    d[i] += 0.5 * m;
    b[i] -= m * b[i - 1];
  }
  double next = 0;
  auto di = d.rbegin();
  for (auto bi = b.rbegin(); bi != b.rend(); ++bi, ++di) {
    *bi = (*bi + 0.5 * next) / *di;
    next = *bi;
  }
  out[0] = std::accumulate(b.begin(), b.end(), 0.0, [](double s, double x) { return s + x * x; }) * b[0];
}
// erase-remove with active predicate, then use of the rest
// case: at=0.9,0.4,0.7,0.2
void filterActive(const double* in, double* out) {
  std::vector<double> v;
  for (int i = 0; i < 8; ++i) v.push_back(std::sin(in[i % 4] * (i + 1)));
  v.erase(std::remove_if(v.begin(), v.end(), [](double x) { return x < 0.3; }), v.end());
  double s = 0;
  while (!v.empty()) {
    s = s * 0.7 + v.back() * v.front();
    v.pop_back();
  }
  out[0] = s * in[1];
}
// lower_bound table lookup inside iteration with updated x
// case: at=0.3,0.5
void tableIteration(const double* in, double* out) {
  std::vector<double> xs{0, 0.25, 0.5, 1.0, 2.0}, ys{in[0], 0.4, in[1], 0.9, 0.2};
  const auto interp = [&](double x) {
    auto it = std::upper_bound(xs.begin(), xs.end(), x);
    if (it == xs.begin()) return ys.front();
    if (it == xs.end()) return ys.back();
    const auto k = it - xs.begin();
    const double w = (x - xs[k - 1]) / (*it - *(it - 1));
    return (1 - w) * ys[k - 1] + w * ys[k];
  };
  double x = in[0];
  for (int i = 0; i < 5; ++i) x = 0.5 * x + 0.6 * interp(x) * in[1];
  out[0] = x;
}
// partial_sum in place, reading earlier values after
// case: at=0.9,0.4,0.7,0.2
void cdfInPlace(const double* in, double* out) {
  std::vector<double> p(in, in + 4);
  std::transform(p.begin(), p.end(), p.begin(), [](double x) { return x * x; });
  std::partial_sum(p.begin(), p.end(), p.begin());
  const double total = p.back();
  for (double& x : p) x /= total;
  std::adjacent_difference(p.begin(), p.end(), p.begin());
  out[0] = p[0] * p[1] + p[2] * total;
}
// aggregate with vector returned and swapped
struct State {
  std::vector<double> u;
  double t;
  int k;
};
State next(const State& s, double a) {
  State r{s.u, s.t + a, s.k + 1};
  for (double& x : r.u) x += a * x * r.t;
  return r;
}
// case: at=0.9,0.4,0.7
void statesByValue(const double* in, double* out) {
  State s{{in[0], in[1]}, 0.0, 0};
  for (int i = 0; i < 3; ++i) {
    State n = next(s, in[2]);
    std::swap(s, n);
    s.u.push_back(n.u[0] * 0.1);
  }
  double r = s.t * s.k;
  for (double x : s.u) r += x * x;
  out[0] = r;
}
// compare states for convergence
// case: at=0.9,0.4,0.7
void untilEqual(const double* in, double* out) {
  std::vector<int> count{0, 0, 0}, last{1, 1, 1};
  double x = in[0];
  int it = 0;
  while (count != last && it < 10) {
    last = count;
    x = 0.5 * (x + in[1] / x);
    for (int i = 0; i < 3; ++i) count[i] = static_cast<int>(x * 10 * (i + 1) * in[2]);
    ++it;
  }
  out[0] = x * it + count[0] * in[2];
}
