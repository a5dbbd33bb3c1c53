// More everyday programs: grids, particles, rows of arrays, tables that a value looks up.
// group: hessian
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace {

class Grid {
 public:
  Grid(int nx, int ny) : nx_(nx), ny_(ny), u_(std::size_t(nx * ny)) {}
  double& operator()(int i, int j) { return u_[std::size_t(i * ny_ + j)]; }
  double operator()(int i, int j) const { return u_[std::size_t(i * ny_ + j)]; }
  int nx() const { return nx_; }
  int ny() const { return ny_; }
  void sweep(double w) {
    for (int i = 1; i + 1 < nx_; ++i)
      for (int j = 1; j + 1 < ny_; ++j)
        (*this)(i, j) += w * (0.25 * ((*this)(i - 1, j) + (*this)(i + 1, j) + (*this)(i, j - 1) + (*this)(i, j + 1)) - (*this)(i, j));
  }
  double norm() const { return std::inner_product(u_.begin(), u_.end(), u_.begin(), 0.0); }

 private:
  int nx_, ny_;
  std::vector<double> u_;
};

void rows(double a[][3], double (&b)[3], int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 3; ++j) b[j] += a[i][j] * a[(i + 1) % n][j];
}

struct Particle {
  double x[2], v[2];
  double mass = 1;
  bool alive = true;
};
Particle pushed(Particle p, double dt) {
  for (int k = 0; k < 2; ++k) p.x[k] += dt * p.v[k];
  p.mass *= 1 - dt;
  return p;
}
void collide(Particle& a, Particle& b) {
  if (&a == &b) return;
  std::swap(a.v, b.v);
  const double m = a.mass + b.mass;
  a.v[0] *= b.mass / m;
}

template <int N>
struct VecN {
  double c[N] = {};
  double& operator[](int k) { return c[k]; }
  const double& operator[](int k) const { return c[k]; }
  VecN& operator+=(const VecN& o) {
    for (int k = 0; k < N; ++k) c[k] += o.c[k];
    return *this;
  }
  friend VecN operator*(double s, VecN v) {
    for (double& x : v.c) x *= s;
    return v;
  }
  double norm2() const {
    double s = 0;
    for (double x : c) s += x * x;
    return s;
  }
};

struct Base {
  explicit Base(double k) : k(k) {}
  double k;
};
struct Child : Base {
  using Base::Base;
  static constexpr double kScale[3] = {0.5, 1.5, 2.5};
  double at(int i) const { return k * kScale[i]; }
};

}  // namespace

// case: at=0.7,1.3,0.4 out=2
void moreGrid(const double* in, double* out) {
  Grid g(4, 5);
  for (int i = 0, j = 4; i < 4; ++i, --j) g(i, j) = in[0] * i + in[1] * j;
  const Grid start = g;
  for (int k = 0; k < 3; ++k) g.sweep(in[2]);
  out[0] = g.norm() - start(2, 2);
  out[1] = g(2, 2) * start(1, 3);
}

// case: at=0.7,1.3,0.4,0.9,-0.5,0.3 out=3
void moreRows(const double* in, double* out) {
  double a[2][3], b[3] = {in[0], 0, 1};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) a[i][j] = in[3 * i + j];
  rows(a, b, 2);
  rows(a, a[1], 2);
  for (int j = 0; j < 3; ++j) out[j] = b[j] * a[1][j];
}

// case: at=0.7,1.3,0.4,0.9 out=3
void moreParticles(const double* in, double* out) {
  std::vector<Particle> all;
  for (int k = 0; k < 3; ++k) {
    Particle p{{in[0] * k, in[1]}, {in[2], in[3] * k}};
    p.mass += in[k];
    all.push_back(p);
  }
  for (int step = 0; step < 2; ++step) {
    for (auto& p : all) p = pushed(p, 0.1 + 0.1 * step);
    collide(all[0], all[std::size_t(step)]);
    std::sort(all.begin(), all.end(), [](const Particle& a, const Particle& b) { return a.v[1] > b.v[1]; });
    if (all.back().x[0] < 0.1) all.back().alive = false;
  }
  out[0] = out[1] = 0;
  for (const auto& [x, v, mass, alive] : all) {
    if (!alive) continue;
    out[0] += mass * (v[0] * v[0] + v[1] * v[1]);
    out[1] += x[0] * x[1];
  }
  out[2] = std::accumulate(all.begin(), all.end(), 0.0, [](double s, const Particle& p) { return s + p.mass * p.x[0]; });
}

// case: at=0.7,1.3,0.4
void moreTemplates(const double* in, double* out) {
  VecN<3> a;
  for (int k = 0; k < 3; ++k) a[k] = in[k];
  VecN<3> b = 2.0 * a;
  b += in[0] * b;
  (b += a) += a;
  out[0] = b.norm2() * a[2];
}

// case: at=0.7,1.3,0.4 out=2
void moreInherit(const double* in, double* out) {
  Child c(in[0]);
  double s = 0;
  for (int i = 0; i < 3; ++i) s += c.at(i) * in[i];
  if (double d = s - in[1]; d > 0) s += d * d;
  else if (d < -1) s -= d;
  const double clipped = [&] {
    if (s > 3) return 3.0 + std::log(s);
    return s;
  }();
  bool positive = false;
  double t = 0;
  if (s > 0 && (t = std::sqrt(s)) > 0.5 && (positive = t < 5)) t *= in[2];
  out[0] = clipped * t;
  out[1] = positive ? t : 0.0;
}

// case: at=0.7,1.3,2.4 out=2
void moreLookup(const double* in, double* out) {
  static const double table[] = {0.5, 1.5, 2.0, 4.0, 3.0};
  static const double offsets[2][2] = {{0.1, 0.2}, {0.3, 0.4}};
  double s = 0;
  for (int k = 0; k < 3; ++k) {
    const double x = in[k];
    const int i = std::min(static_cast<int>(x), 3);
    const double f = x - i;
    s += (1 - f) * table[i] + f * table[i + 1] + offsets[i & 1][k % 2] * x;
  }
  out[0] = s * s;
  double x = in[0];
  {
    const double x = in[1];
    s = s * x + std::fmod(in[2], 0.9);
  }
  for (unsigned k = 3; k--;) x = x * in[k] + 1.0 / (k + 1);
  out[1] = s + x;
}

// case: at=0.7,1.3,2.4 out=2
void moreDouble(const double* in, double* out) {
  double** a = new double*[2];
  for (int i = 0; i < 2; ++i) a[i] = new double[3]();
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) a[i][j] = in[j] * (i + 1) + in[i];
  std::swap(a[0], a[1]);
  double* row = in[0] > 1 ? a[0] : a[1];
  row[2] *= a[0][1];
  out[0] = a[1][2];
  out[1] = a[0][0] * row[0];
  for (int i = 0; i < 2; ++i) delete[] a[i];
  delete[] a;
}
