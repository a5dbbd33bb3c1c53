// Range-for over classes whose begin() and end() return iterators of their own.
// group: hessian
#include <cmath>
#include <cstddef>
#include <vector>

namespace {

// Every `step`-th element, by pointers.
struct Strided {
  struct Iterator {
    double* p;
    int step;
    double& operator*() const { return *p; }
    Iterator& operator++() {
      p += step;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return p != other.p; }
  };
  double* data;
  int count, step;
  Iterator begin() const { return {data, step}; }
  Iterator end() const { return {data + count * step, step}; }
};

// Numbers that are computed, by index; the end is another type.
class Knots {
 public:
  Knots(double lo, double hi, int n) : lo_(lo), hi_(hi), n_(n) {}
  struct End {};
  class Iterator {
   public:
    Iterator(const Knots* of, int k) : of_(of), k_(k) {}
    double operator*() const { return of_->at(k_); }
    void operator++() { ++k_; }
    bool operator!=(End) const { return k_ < of_->n_; }

   private:
    const Knots* of_;
    int k_;
  };
  Iterator begin() const { return Iterator(this, 0); }
  End end() const { return {}; }
  double at(int k) const { return lo_ + (hi_ - lo_) * k * k / (n_ - 1.0); }

 private:
  double lo_, hi_;
  int n_;
};

// A list of nodes.
struct Node {
  double value, weight;
  Node* next;
};
struct Link {
  Node* at;
  Node& operator*() const { return *at; }
  Link& operator++() { return at = at->next, *this; }
};
bool operator!=(const Link& a, const Link& b) { return a.at != b.at; }
struct List {
  Node* head = nullptr;
  Link begin() const { return {head}; }
  Link end() const { return {nullptr}; }
};

// Cells of a grid, as pairs of indices.
struct Cells {
  struct Cell {
    int i, j;
  };
  struct Iterator {
    Cell c;
    int nj;
    const Cell& operator*() const { return c; }
    Iterator& operator++() {
      if (++c.j == nj) {
        c.j = 0;
        ++c.i;
      }
      return *this;
    }
    bool operator!=(const Iterator& o) const { return c.i != o.c.i || c.j != o.c.j; }
  };
  int ni, nj;
  Iterator begin() const { return {{0, 0}, nj}; }
  Iterator end() const { return {{ni, 0}, nj}; }
};

}  // namespace

// case: at=0.5,1.5,-0.4,0.8 out=2
void iteratorsStrided(const double* in, double* out) {
  double v[6] = {in[0], in[1], in[2], in[3], in[0] * in[1], 2};
  for (double& x : Strided{v, 3, 2}) x *= in[3] + x;
  const Strided odd{v + 1, 2, 2};
  double s = 0;
  for (const double x : odd) {
    if (x < 1) continue;
    s += x * x;
    if (s > 9) break;
  }
  for (double& x : odd)
    for (double y : Strided{v, 2, 3}) x += 0.1 * x * y;
  out[0] = s;
  out[1] = v[0] * v[1] + v[2] * v[3];
}

// case: at=0.5,1.5,-0.4
void iteratorsComputed(const double* in, double* out) {
  double s = 0;
  for (const double t : Knots(in[0], in[1], 4)) s += std::sin(t) * in[2] * (1 + s);
  const Knots knots(in[2], s, 3);
  for (auto t : knots) {
    if (t > 5) return;
    s = s * t + 1;
  }
  out[0] = s;
}

// case: at=0.5,1.5,-0.4,0.8 out=2
void iteratorsOfNodes(const double* in, double* out) {
  Node nodes[3];
  List list;
  for (int k = 0; k < 3; ++k) {
    nodes[k] = {in[k], in[3] * k, list.head};
    list.head = &nodes[k];
  }
  double s = 0;
  for (Node& n : list) {
    n.value *= n.weight + in[3];
    s += n.value * n.value;
  }
  for (const auto& [value, weight, next] : list) {
    if (!next) break;
    s += value * weight;
  }
  out[0] = s;
  out[1] = nodes[1].value;
}

// case: at=0.5,1.5,-0.4,0.8,0.3,1.1 out=2
void iteratorsOfCells(const double* in, double* out) {
  std::vector<double> a(6);
  const Cells cells{2, 3};
  for (const auto [i, j] : cells) a[static_cast<std::size_t>(3 * i + j)] = in[3 * i + j] * in[(i + j) % 3];
  double s = 0;
  for (const Cells::Cell& c : cells) {
    if (c.i == 1 && c.j == 1) continue;
    s += a[static_cast<std::size_t>(3 * c.i + c.j)] * (c.i + 2 * c.j) + s * in[c.j];
  }
  out[0] = s;
  out[1] = a[4];
}
