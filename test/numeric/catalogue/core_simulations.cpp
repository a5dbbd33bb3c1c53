// The core language as simulations use it: several features in each function, in the ways in which they meet in practice.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace sim {

// Private state, accessor pairs, a counter that is no real.
class Field {
 public:
  explicit Field(std::size_t n) : u_(n, 0.0), previous_(n, 0.0) {}
  double& at(std::size_t i) { return u_[i]; }
  double at(std::size_t i) const { return u_[i]; }
  double old(std::size_t i) const { return previous_[i]; }
  std::size_t size() const { return u_.size(); }
  void advance(double dt) {
    std::swap(u_, previous_);
    for (std::size_t i = 0; i < u_.size(); ++i) {
      const std::size_t left = i == 0 ? u_.size() - 1 : i - 1;
      u_[i] = previous_[i] - dt * previous_[i] * (previous_[i] - previous_[left]);
    }
    ++steps_;
    energy_ += dt * norm();
  }
  double energy() const { return energy_ / steps_; }

 private:
  double norm() const {
    double s = 0;
    for (double v : u_) s += v * v;
    return s;
  }
  std::vector<double> u_, previous_;
  double energy_ = 0;
  int steps_ = 0;
};

}  // namespace sim

// case: at=0.3,1.1,-0.7,0.4
void privateState(const double* in, double* out) {
  sim::Field f(4);
  for (std::size_t i = 0; i < f.size(); ++i) f.at(i) = in[i];
  for (int step = 0; step < 5; ++step) {
    f.advance(0.1);
    if (step == 2) f.at(1) *= f.old(0);
  }
  const sim::Field& c = f;
  out[0] = f.energy() + c.at(3) * c.old(2);
}

double gDamping = 0.5;
static double sHistory[3];
namespace {
int calls = 0;
double relax(double x) {
  static double memory = 0.25;
  const double before = memory;
  memory = 0.5 * (memory + x * x);
  sHistory[calls % 3] += (1.0 + before) * gDamping;
  ++calls;
  gDamping *= 1.0 + 0.01 * x;
  return before + std::sin(memory);
}
}  // namespace
// case: at=0.3,1.1,-0.7 nohessian
void globalsAndStatics(const double* in, double* out) {
  calls = 0;
  gDamping = 0.5;
  for (double& h : sHistory) h = 0;
  for (int k = 0; k < 90; ++k) relax(0.0);  // the static fades away
  for (double& h : sHistory) h = 0;
  gDamping = 0.5;
  calls = 0;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    const double r = relax(in[i]);
    s += r * sHistory[i % 3];
  }
  out[0] = s * gDamping;
}

// Laws chosen at run time: virtual calls, a pointer to a function, a pointer to a member.
struct Law {
  virtual ~Law() = default;
  virtual double flux(double u) const = 0;
  virtual double speed(double u) const { return flux(u) / (1.0 + u * u); }
};
struct Burgers : Law {
  double scale = 1;
  double flux(double u) const override { return 0.5 * scale * u * u; }
  double speed(double u) const override { return u; }
};
struct Linear : Law {
  double a = 1;
  double flux(double u) const override { return a * u; }
};
double upwind(const Law& law, double l, double r) { return law.speed(0.5 * (l + r)) > 0 ? law.flux(l) : law.flux(r); }
double central(const Law& law, double l, double r) { return 0.5 * (law.flux(l) + law.flux(r)) - 0.1 * law.speed(l) * (r - l); }
// case: at=0.3,1.1,-0.7,0.4
void chosenLaws(const double* in, double* out) {
  Burgers b;
  Linear lin;
  lin.a = in[3];
  b.scale = in[0];
  const Law* laws[2] = {&b, &lin};
  double (*scheme[2])(const Law&, double, double) = {upwind, central};
  double u[4] = {in[0], in[1], in[2], in[3]};
  for (int step = 0; step < 4; ++step) {
    double f[4];
    for (int i = 0; i < 4; ++i) f[i] = scheme[(step + i) % 2](*laws[step % 2], u[i], u[(i + 1) % 4]);
    for (int i = 0; i < 4; ++i) u[i] -= 0.1 * (f[i] - f[(i + 3) % 4]);
  }
  out[0] = u[0] * u[1] + u[2] - u[3];
}
struct Particle {
  double x, v, m;
};
// case: at=0.3,1.1,-0.7
void chosenMembers(const double* in, double* out) {
  Particle p[2] = {{in[0], in[1], 1.0}, {in[2], 0.5, 2.0}};
  double Particle::*part[3] = {&Particle::x, &Particle::v, &Particle::m};
  for (int k = 0; k < 6; ++k) {
    double Particle::*a = part[k % 3];
    double Particle::*b = part[(k + 1) % 3];
    p[k % 2].*a += 0.1 * p[(k + 1) % 2].*b * p[k % 2].*b;
  }
  out[0] = p[0].x * p[1].v + p[0].m * p[1].m;
}

// Lists that grow while they are read, and shrink again.
// case: at=0.3,1.1,-0.7
void growingQueue(const double* in, double* out) {
  std::vector<double> queue(in, in + 3);
  double s = 0;
  std::size_t head = 0;
  while (head < queue.size() && queue.size() < 14) {
    const double x = queue[head++];
    s += x * x;
    if (x > 0.21) {
      queue.push_back(x * 0.5 - 0.05);
      queue.push_back(queue[head - 1] * x);
    }
    while (queue.size() - head > 6) {
      s *= 1.0 + 0.1 * queue.back();
      queue.pop_back();
    }
  }
  out[0] = s + queue.front() * static_cast<double>(queue.size());
}
struct Tree {
  std::vector<int> child;
  std::vector<double> mass;
  int add(double m) {
    mass.push_back(m);
    child.push_back(-1);
    child.push_back(-1);
    return static_cast<int>(mass.size()) - 1;
  }
  void insert(int node, double m) {
    for (;;) {
      const std::size_t slot = static_cast<std::size_t>(2 * node + (m < mass[static_cast<std::size_t>(node)] ? 0 : 1));
      if (child[slot] < 0) {
        const int fresh = add(m);
        child[slot] = fresh;
        return;
      }
      node = child[slot];
    }
  }
  double sum(int node, double weight) const {
    if (node < 0) return 0;
    const std::size_t n = static_cast<std::size_t>(node);
    return weight * mass[n] * mass[n] + sum(child[2 * n], weight * 0.5) + sum(child[2 * n + 1], weight * mass[n]);
  }
};
// case: at=0.3,1.1,-0.7,0.6,0.1
void treeOfMasses(const double* in, double* out) {
  Tree t;
  t.add(in[0]);
  for (int i = 1; i < 5; ++i) t.insert(0, in[i] * in[0]);
  out[0] = t.sum(0, 1.0);
}

// Leaving loops in every way, from within a switch.
double walk(const double* in, int n, double limit, int& taken) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = i;; ++j) {
      if (j >= n) break;
      switch ((i + 2 * j) % 5) {
        case 0: s += in[i] * in[j]; continue;
        case 1: s -= in[j];  // falls through
        case 2:
          if (s > limit) return s * in[i];
          s *= 0.5;
          break;
        case 3:
          if (in[j] < 0) goto next;
          s += std::exp(in[j]);
          break;
        default:
          for (int k = 0; k < 3; ++k) {
            if (k == i) continue;
            if (k == j) break;
            s += 0.1 * in[k];
          }
      }
      ++taken;
    }
  next:;
  }
  return s;
}
// case: at=0.3,1.1,-0.7,0.6
void exitsFromSwitch(const double* in, double* out) {
  int taken = 0;
  const double a = walk(in, 4, 100.0, taken), b = walk(in, 4, 0.2, taken);
  out[0] = a * b + taken * a;
}
// case: at=0.3,1.1,-0.7,0.6
void downwardUnsigned(const double* in, double* out) {
  double y[4], s = 0;
  for (std::size_t i = 4; i-- > 0;) y[i] = i == 3 ? in[i] : in[i] - 0.5 * y[i + 1];
  for (unsigned i = 3; i != static_cast<unsigned>(-1); --i) {
    if (i == 2u) continue;
    s += y[i] * y[3 - i];
  }
  for (std::uint64_t big = (std::uint64_t{1} << 33) + 3; big > (std::uint64_t{1} << 33); --big) s += std::sin(y[big & 3]);
  for (short k = 3; k >= 0; k = static_cast<short>(k - 2)) s *= 1.0 + 0.1 * y[k];
  out[0] = s;
}
// case: at=0.3,1.1,-0.7
void changingStep(const double* in, double* out) {
  double t = 0, dt = 0.05, u = in[0];
  int rejected = 0;
  while (t < 1.0) {
    const double k1 = in[1] * u, k2 = in[1] * (u + dt * k1) + in[2] * t;
    const double error = 0.5 * dt * std::fabs(k2 - k1);
    if (error > 0.0131) {
      dt *= 0.5;
      if (++rejected > 50) break;
      continue;
    }
    u += 0.5 * dt * (k1 + k2);
    t += dt;
    dt = std::min(1.3 * dt, double(0.2));
    if (t + dt > 1.0 && t < 1.0) dt = 1.0 - t + 1e-9;
  }
  out[0] = u * u + dt;
}

// In and out by every door; the same object twice.
void mix(double& a, const double& b, double* c) {
  a = a * b + *c;
  *c += a;
}
void axpyInto(std::vector<double>& y, const std::vector<double>& x, double a) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += a * x[x.size() - 1 - i];
}
// case: at=0.3,1.1,-0.7
void sameObjectTwice(const double* in, double* out) {
  double x = in[0], y = in[1];
  mix(x, x, &y);
  mix(y, x, &y);
  mix(x, x, &x);
  std::vector<double> v(in, in + 3);
  axpyInto(v, v, x);
  axpyInto(v, v, v[1]);
  out[0] = x * y + v[0] * v[2];
}
// case: at=0.3,1.1,-0.7 start=0.4,0.9 out=2 inout
void inAndOut(const double* in, double* out) {
  double* p = out;
  for (int i = 0; i < 3; ++i) {
    *p = *p * in[i] + out[1];
    p = p == out ? out + 1 : out;
    std::swap(out[0], out[1]);
  }
}

// Buffers that change places, references into what moves.
// case: at=0.3,1.1,-0.7,0.5
void rotatedBuffers(const double* in, double* out) {
  std::vector<double> store[3] = {std::vector<double>(in, in + 4), std::vector<double>(4), std::vector<double>(4, 1.0)};
  double* now = store[0].data();
  double* next = store[1].data();
  double* before = store[2].data();
  for (int step = 0; step < 5; ++step) {
    for (int i = 0; i < 4; ++i) next[i] = 2 * now[i] - before[i] + 0.1 * (now[(i + 1) & 3] - now[i]) * now[i];
    double* t = before;
    before = now;
    now = next;
    next = t;
    if (step == 3) std::swap(now, before);
  }
  out[0] = now[0] * before[1] + next[2];
}
// case: at=0.3,1.1,-0.7,0.5
void listsOfVectors(const double* in, double* out) {
  std::vector<double> a(in, in + 2);
  a.push_back(in[2] * in[3]);
  std::vector<double> b[2] = {a, {in[3], a[1]}};
  std::array<std::vector<double>, 2> c = {{b[0], std::vector<double>(2, in[1])}};
  std::vector<std::vector<double>> d{c[0], c[1], {in[0]}};
  std::vector<double> grid[2][2] = {{a}, {b[1], {1.0, in[0]}}};
  a[0] *= 2;
  b[1].push_back(b[1][0] * a[0]);
  double s = grid[1][1][1] * grid[0][0][2] + static_cast<double>(grid[0][1].size());
  for (const auto& v : b) for (double x : v) s += x * x;
  for (const auto& v : c) for (double x : v) s += x * in[0];
  for (const auto& v : d) for (double x : v) s *= 1 + 0.1 * x;
  out[0] = s;
}
struct Cells {
  double* rho = nullptr;
  double* e = nullptr;
  int n = 0;
  double& r(int i) { return rho[i]; }
  const double& energy(int i) const { return e[i]; }
};
// case: at=0.3,1.1,-0.7,0.5
void structOfArrays(const double* in, double* out) {
  Cells c;
  c.n = 4;
  c.rho = new double[4];
  c.e = new double[4]();
  for (int i = 0; i < c.n; ++i) c.r(i) = in[i] * in[i] + 0.1;
  const Cells alias = c;
  for (int i = 0; i < alias.n; ++i) {
    double& here = alias.e[i];
    here += c.r(i) * (i > 0 ? alias.energy(i - 1) + 1 : 2.0);
    c.rho[(i + 1) % 4] *= here;
  }
  out[0] = std::accumulate(c.e, c.e + 4, 0.0) + alias.rho[0];
  delete[] c.rho;
  delete[] alias.e;
}
struct Node {
  double value;
  Node* next;
};
// case: at=0.3,1.1,-0.7
void linkedList(const double* in, double* out) {
  Node* head = nullptr;
  for (int i = 0; i < 6; ++i) head = new Node{in[i % 3] * (i + 1), head};
  for (Node* n = head; n && n->next; n = n->next->next) n->next->value += n->value * n->value;
  Node* reversed = nullptr;
  while (head) {
    Node* next = head->next;
    head->next = reversed;
    reversed = head;
    head = next;
  }
  double s = 0, weight = 1;
  for (Node* n = reversed; n; weight *= n->value, n = n->next) s += weight * n->value;
  while (reversed) {
    Node* next = reversed->next;
    delete reversed;
    reversed = next;
  }
  out[0] = s;
}

// Recursion: a quadrature that refines itself, two functions that call each other.
double simpson(double a, double b, double k) { return (b - a) / 6 * (std::sin(k * a * a) + 4 * std::sin(k * 0.25 * (a + b) * (a + b)) + std::sin(k * b * b)); }
double adaptive(double a, double b, double k, double tolerance, int depth) {
  const double m = 0.5 * (a + b), whole = simpson(a, b, k), parts = simpson(a, m, k) + simpson(m, b, k);
  if (depth > 6 || std::fabs(whole - parts) < tolerance) return parts + (parts - whole) / 15;
  return adaptive(a, m, k, tolerance / 2, depth + 1) + adaptive(m, b, k, tolerance / 2, depth + 1);
}
// case: at=0.3,1.1,0.7
void adaptiveQuadrature(const double* in, double* out) { out[0] = adaptive(in[0], in[1] + 2, in[2] * 3, 1e-5, 0) * in[0]; }
double evenTerm(double x, int n);
double oddTerm(double x, int n) { return n <= 0 ? x : x * evenTerm(x * 0.5, n - 1) - 0.1 * evenTerm(x, n - 2); }
double evenTerm(double x, int n) { return n <= 0 ? 1.0 : oddTerm(x + 0.1, n - 1) + x; }
// case: at=0.3,1.1
void mutualRecursion(const double* in, double* out) { out[0] = oddTerm(in[0], 6) * evenTerm(in[1], 5); }

// Searching, sorting and compacting.
// case: at=0.3,1.1,-0.7,0.5,0.9
void sortedAndCompacted(const double* in, double* out) {
  std::vector<std::pair<double, int>> keyed;
  for (int i = 0; i < 5; ++i) keyed.emplace_back(in[i] * in[i], i);
  std::sort(keyed.begin(), keyed.end());
  std::vector<double> kept;
  for (const auto& [key, index] : keyed)
    if (index != 2) kept.push_back(key * in[index]);
  const auto best = std::max_element(kept.begin(), kept.end());
  const std::size_t at = static_cast<std::size_t>(best - kept.begin());
  kept.erase(kept.begin());
  out[0] = std::accumulate(kept.begin(), kept.end(), 0.0) * static_cast<double>(at) + kept.back();
}
// case: at=0.3,1.1,-0.7
void tableLookup(const double* in, double* out) {
  static const double xs[5] = {-1, -0.25, 0.25, 0.75, 1.5};
  double ys[5];
  for (int i = 0; i < 5; ++i) ys[i] = xs[i] * in[0] + in[1] * i;
  double s = 0;
  for (int k = 0; k < 3; ++k) {
    int lo = 0, hi = 4;
    while (hi - lo > 1) {
      const int mid = lo + (hi - lo) / 2;
      (in[k] < xs[mid] ? hi : lo) = mid;
    }
    const double w = (in[k] - xs[lo]) / (xs[hi] - xs[lo]);
    s += (1 - w) * ys[lo] + w * ys[hi];
  }
  out[0] = s;
}
// case: at=0.3,1.1,-0.7
void deadAndConstant(const double* in, double* out) {
  constexpr bool kDebug = false;
  double unused = 1.0 / (in[0] - 0.3);
  if (kDebug) unused *= in[1];
  double s = 0;
  for (int i = 0; i < 0; ++i) s += in[i];
  for (int i = 5; i < 3; ++i) s *= unused;
  const double safe = in[2] < 0 ? 0.0 : std::sqrt(in[2]);
  s += safe + (in[2] > 0 ? std::log(in[2]) : in[1] * in[1]);
  if (std::numeric_limits<double>::max() < in[0]) s = std::numeric_limits<double>::quiet_NaN();
  out[0] = s * in[0];
}
