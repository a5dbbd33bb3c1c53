// Classes that are declared in a function.
// group: hessian
#include <algorithm>
#include <cmath>
#include <vector>

namespace {

double inner(double x, double y) {
  struct Pair {
    double a, b;
    double product() const { return a * b; }
  };
  Pair p{x, y};
  for (int k = 0; k < 2; ++k) p.a += p.product();
  return p.product();
}

// An overload, with a class of the same name.
double inner(double x, int n) {
  struct Pair {
    double sum = 0;
    void add(double v) { sum += v * v; }
  } p;
  for (int k = 0; k < n; ++k) p.add(x + k);
  return p.sum;
}

struct Law {
  virtual ~Law() = default;
  virtual double at(double x) const = 0;
};
double twice(const Law& law, double x) { return law.at(law.at(x)); }

struct Machine {
  double rate;
  double run(const double* in, int n) const;
};
double Machine::run(const double* in, int n) const {
  struct Level {
    double value, weight;
    explicit Level(double v) : value(v), weight(1) {}
    Level& operator+=(const Level& o) {
      value += o.value * o.weight;
      weight *= 0.5;
      return *this;
    }
  };
  Level total(rate);
  for (int k = 0; k < n; ++k) total += Level(in[k] * rate);
  return total.value * total.weight;
}

}  // namespace

// case: at=0.5,1.5,-0.4 out=2
void localsPlain(const double* in, double* out) {
  struct State {
    double x, v;
    int steps = 0;
  };
  struct Path {
    State states[4];
    State& last() { return states[3]; }
  };
  Path path;
  State s{in[0], in[1]};
  for (State& at : path.states) {
    s.v -= 0.1 * s.x * in[2];
    s.x += 0.1 * s.v * s.x;
    ++s.steps;
    at = s;
  }
  out[0] = path.last().x * path.states[1].v;
  out[1] = path.last().steps * s.v;
}

// case: at=0.5,1.5,-0.4 out=3
void localsInHelpers(const double* in, double* out) {
  out[0] = inner(in[0], in[1]) * inner(in[2], in[2]);
  out[1] = inner(in[2], 3);
  out[2] = Machine{in[1]}.run(in, 3);
}

// case: at=0.5,1.5,-0.4 out=2
void localsUnnamed(const double* in, double* out) {
  struct {
    double x, y;
  } p = {in[0], in[1]}, q;
  q.x = p.y * in[2];
  q.y = p.x;
  p = q;
  typedef struct {
    double lo, hi;
  } Range;
  Range r = {p.x * q.y, p.y}, *at = &r;
  at->hi *= at->lo;
  out[0] = p.x * q.x + r.hi;
  out[1] = p.y + q.y;
}

// case: at=0.5,1.5,-0.4 out=2
void localsWithCalls(const double* in, double* out) {
  struct Cubic : Law {
    explicit Cubic(double k) : k(k) {}
    double at(double x) const override { return k * x * x * x; }
    double k;
  };
  struct Item {
    double key, value;
    bool operator<(const Item& o) const { return key < o.key; }
  };
  const Cubic cubic(in[0]);
  std::vector<Item> items;
  for (int k = 0; k < 3; ++k) items.push_back({in[k], twice(cubic, in[k])});
  std::sort(items.begin(), items.end());
  const auto sum = [&](double f) {
    struct Sum {
      double total = 0;
    };
    Sum s;
    for (const Item& i : items) s.total += f * i.value * i.key;
    return s.total;
  };
  out[0] = sum(in[1]);
  out[1] = items[1].value + items[2].key * sum(0.5);
}
