// The core language: accessors, private members, constructors, objects without default constructor, reference members, operators.
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

class Domain {
 public:
  explicit Domain(int n) : n_(n) {
    for (int i = 0; i < n; ++i) x_[i] = v_[i] = 0.0;
  }
  Domain() : Domain(4) {}
  double& x(int i) { return x_[i]; }
  const double& x(int i) const { return x_[i]; }
  double& v(int i) { return at(i, true); }
  double v(int i) const { return v_[i]; }
  double* data() { return x_; }
  const double* data() const { return x_; }
  int size() const { return n_; }
  double& wrapped(int i) {
    if (i < 0) i += n_;
    const int k = i % n_;
    return x_[k];
  }
  double& bigger(int i, int j) {
    if (x_[i] > x_[j]) return x_[i];
    return x_[j];
  }
  double& counted(int i) {
    ++reads_;
    return x_[i];
  }
  int reads() const { return reads_; }
  void drift(double dt) {
    for (int i = 0; i < n_; ++i) x_[i] += dt * v_[i] * scale_;
  }
  double energy() const {
    double e = 0.0;
    for (int i = 0; i < n_; ++i) e += 0.5 * v_[i] * v_[i] + x_[i] * x_[i];
    return e * scale_;
  }

 private:
  double& at(int i, bool velocity) { return velocity ? v_[i] : x_[i]; }
  double x_[4], v_[4];
  double scale_ = 1.25;
  int n_;
  int reads_ = 0;
};

// case: at=0.3,1.1,-0.7,0.9
void accessors(const double* in, double* out) {
  Domain d;
  for (int i = 0; i < d.size(); ++i) {
    d.x(i) = in[i];
    d.v(i) = in[3 - i] * d.x(i);
  }
  for (int i = 0; i + 1 < d.size(); ++i) d.x(i) += d.x(i + 1) * d.v(i);
  d.wrapped(-1) *= d.wrapped(5) + in[0];
  d.data()[2] *= d.data()[1];
  int k = 0;
  d.x(k++) *= 2.0;
  d.x(k) = d.x(k - 1) * d.x(k + 1);
  const Domain& view = d;
  out[0] = view.x(0) * view.v(1) + view.data()[2] + d.x(3);
}

// case: at=0.3,1.1,-0.7,0.9
void accessorsThatChoose(const double* in, double* out) {
  Domain d(3);
  for (int i = 0; i < 3; ++i) d.x(i) = in[i];
  d.bigger(0, 1) *= in[3];
  d.bigger(1, 2) += d.bigger(0, 2) * in[3];
  d.counted(2) += in[0];
  d.counted(1) *= d.counted(0);
  out[0] = d.x(0) + d.x(1) * d.x(2) + 0.1 * d.reads() * in[0];
}

// case: at=0.3,1.1,-0.7,0.9
void privateMembers(const double* in, double* out) {
  Domain d;
  for (int i = 0; i < 4; ++i) {
    d.x(i) = in[i];
    d.v(i) = in[i] * in[0];
  }
  for (int s = 0; s < 3; ++s) d.drift(in[1] * d.x(s));
  out[0] = d.energy();
}

class Matrix {
 public:
  Matrix(std::size_t rows, std::size_t columns, double value) : rows_(rows), columns_(columns), a_(rows * columns, value) {}
  double& operator()(std::size_t i, std::size_t j) { return a_[index(i, j)]; }
  double operator()(std::size_t i, std::size_t j) const { return a_[index(i, j)]; }
  std::size_t rows() const { return rows_; }
  std::vector<double>& values() { return a_; }

 private:
  std::size_t index(std::size_t i, std::size_t j) const { return i * columns_ + j; }
  std::size_t rows_, columns_;
  std::vector<double> a_;
};

double trace(const Matrix& m) {
  double sum = 0.0;
  for (std::size_t i = 0; i < m.rows(); ++i) sum += m(i, i) * m(i, 0);
  return sum;
}

// case: at=0.3,1.1,-0.7,0.9
void matrixWithoutDefault(const double* in, double* out) {
  Matrix m(2, 2, in[3]);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) m(i, j) += in[i] * in[j + 1];
  m(1, 1) *= m(0, 1);
  for (double& v : m.values()) v *= 1.5;
  out[0] = trace(m) + m(1, 0);
}

struct View {
  double& left;
  const double& right;
  View(double& l, const double& r) : left(l), right(r) {}
  void add(double f) { left += f * right; }
};
struct Handle {
  double* target;
  double& extra;
};
struct Pair {
  View view;
  double weight;
  Pair(double& a, double& b, double w) : view(a, b), weight(w * 2.0) {}
  double value() const { return view.left * view.right * weight; }
};
void scaleView(View v, double f) {
  if (f < 0.0) return;
  v.left *= f;
}

// case: at=0.3,1.1,-0.7,0.9
void referenceMembers(const double* in, double* out) {
  double x = in[0], y[2] = {in[1], in[2]};
  View w(x, y[1]);
  w.add(in[3]);
  Handle h{&y[0], x};
  *h.target = w.left * h.extra;
  h.extra *= 2.0;
  scaleView(w, in[3]);
  scaleView(w, -in[3]);
  Pair p(x, y[0], in[3]);
  Pair q = p;
  p.weight *= x;
  q.view.add(p.value());
  for (int i = 0; i < 2; ++i) {
    View each(y[i], x);
    each.left += each.right * in[0];
  }
  out[0] = w.left * w.right + p.value() * q.value() + y[0];
}

struct Gas {
  double gamma = 1.4, density, pressure{1.0};
  int cells = 3;
  Gas() : density(0.5) {}
  Gas(double d, double p) : density(d), pressure(p * gamma) { clamp(); }
  explicit Gas(double d) : Gas(d, 2.0 * d) { density += 0.1; }
  void clamp() {
    if (pressure < 0.0) pressure = -pressure;
  }
  double sound() const { return gamma * pressure / density; }
};

// case: at=0.3,1.1,-0.7,0.9
void constructorsOfAllKinds(const double* in, double* out) {
  Gas a, b(in[0], in[1]), c(in[3]);
  Gas d = b;
  d.density *= c.pressure;
  a = d;
  a.gamma += in[2];
  const Gas e{in[1], in[2] * in[2]};
  Gas parts[2];
  parts[1] = e;
  parts[0].pressure = in[0];
  out[0] = a.sound() + b.sound() * c.sound() + parts[0].sound() * parts[1].sound();
}

template <class T, int N>
struct Small {
  T e[N];
  T& operator[](int k) { return e[k]; }
  const T& operator[](int k) const { return e[k]; }
  Small& operator+=(const Small& o) {
    for (int k = 0; k < N; ++k) e[k] += o.e[k];
    return *this;
  }
  Small& operator*=(T s) {
    for (int k = 0; k < N; ++k) e[k] *= s;
    return *this;
  }
  friend Small operator+(Small a, const Small& b) {
    a += b;
    return a;
  }
  friend Small operator*(T s, const Small& v) {
    Small r = v;
    r *= s;
    return r;
  }
  friend T dot(const Small& a, const Small& b) {
    T s = T(0);
    for (int k = 0; k < N; ++k) s += a[k] * b[k];
    return s;
  }
  Small operator-() const { return T(-1) * *this; }
  explicit operator bool() const { return e[0] > T(0); }
  explicit operator T() const { return dot(*this, *this); }
};
using Vec3 = Small<double, 3>;

double& accumulate(double& sum, double by, double weight = 0.5) {
  sum += by * weight;
  return sum;
}

// case: at=0.3,1.1,-0.7,0.9 nohessian
void operators(const double* in, double* out) {
  Vec3 v{{in[0], in[1], in[2]}}, w{{in[3], 1.0, in[0] * in[1]}};
  (v += w) *= in[3];
  v[1] *= in[2];
  const Vec3 u = 0.5 * v + -w;
  double sum = dot(u, v);
  if (v) sum += u[2];
  accumulate(accumulate(sum, u[0]), u[1], in[0]) *= 1.5;
  const double length = static_cast<double>(w);
  out[0] = sum * length;
}

class Counter {
 public:
  explicit Counter(double start) : value(start) {}
  Counter& add(double x) {
    value += x;
    return *this;
  }
  Counter& scale(double x) {
    value *= x;
    return *this;
  }
  double get() const { return value; }

 private:
  double value;
};

// case: at=0.3,1.1,-0.7,0.9
void chainedCalls(const double* in, double* out) {
  Counter c(in[0]);
  c.add(in[1]).scale(in[2]).add(in[3] * c.get());
  const double last = c.scale(c.get()).get();
  out[0] = last + Counter(in[3]).scale(in[0]).get();
}

// The shadow of a static member can't be a member.
struct StaticGas {
  static double gamma;
  static double history[3];
  int calls = 0;
  double pressure(double energy) {
    history[calls++ % 3] = energy;
    return (gamma - 1.0) * energy;
  }
};
double StaticGas::gamma = 1.4;
double StaticGas::history[3] = {0.0, 0.0, 0.0};

// case: at=0.3,1.1,-0.7,0.9
void staticMembers(const double* in, double* out) {
  StaticGas gas;
  StaticGas::gamma = in[0] * in[1];
  for (double& h : StaticGas::history) h = 0.0;
  double sum = 0.0;
  for (int k = 0; k < 4; ++k) {
    sum += gas.pressure(in[k]) * in[k];
    StaticGas::gamma += 0.1 * StaticGas::history[k % 2] * sum;
  }
  out[0] = sum + StaticGas::gamma * StaticGas::history[1];
}

// A copy constructor and an assignment that copy each member are as good as the implicit ones.
struct Range {
  double low, high, weight[2];
  Range(double a, double b) : low(a), high(b), weight{a * b, 1.0} {}
  Range(const Range& o) : low(o.low), high(o.high) {
    for (int k = 0; k < 2; ++k) weight[k] = o.weight[k];
  }
  Range& operator=(const Range& o) {
    if (this != &o) {
      low = o.low;
      high = o.high;
      weight[0] = o.weight[0];
      weight[1] = o.weight[1];
    }
    return *this;
  }
};
double spread(Range r) {
  r.low *= r.weight[0];
  return r.high - r.low;
}

// case: at=0.3,1.1,-0.7,0.9
void memberwiseCopies(const double* in, double* out) {
  Range a(in[0], in[1]), b(in[2], in[3]);
  a = b;
  b.low *= a.high;
  out[0] = spread(a) * spread(b) + a.weight[0];
}

// --- members that a constructor sets to zero, copies of objects with vectors, exits in macros --------------------------------------

struct Stencil {
  double weights[3];
  int offsets[2][2];
  Stencil() : weights(), offsets() {}
  explicit Stencil(double w) : weights(), offsets() {
    weights[1] += w;
    weights[2] = w * weights[1];
    offsets[1][0] += 1;
  }
};
struct Line {
  std::vector<double> v;
  double scale = 1;
};
#define REQUIRE(condition, what) \
  if (!(condition)) throw std::domain_error(std::string(what) + ": " + #condition)
#define FAIL(what) throw std::runtime_error(what)
// case: at=0.3,1.1,-0.7
void zeroedAndCopied(const double* in, double* out) {
  REQUIRE(in[0] < in[1], "order");
  Stencil s(in[0]);
  s.weights[0] += in[1] * s.offsets[1][0];
  Line line{{in[0], in[1], in[2]}, in[1]};
  const auto stretched = [](Line l, double by) {
    if (by > 1e6) FAIL("too far");
    for (double& v : l.v) v *= by * l.scale;
    return l.v[0] * l.v[2];
  };
  const double a = stretched(line, in[1]);
  out[0] = a * line.v[0] + s.weights[0] * s.weights[2] + stretched(line, s.weights[1]);
}
