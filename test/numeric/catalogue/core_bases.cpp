// Several base classes with members; a base class that casts to its derived class.
#include <cmath>
#include <vector>

struct Position { double x = 0, y = 0; double r2() const { return x * x + y * y; } };
struct Charge { double q = 1; double self() const { return q * q; } };
struct Ion : Position, Charge { int id = 0; double energy() const { return q * r2() + self(); } };
// case: at=0.3,1.1,-0.7
void twoBases(const double* in, double* out) {
  Ion i;
  i.x = in[0]; i.y = in[1]; i.q = in[2];
  Charge& c = i;
  c.q *= in[0];
  const Position& p = i;
  out[0] = i.energy() + p.r2() * c.self();
}
template <class D>
struct Shape { double twice() const { return 2 * static_cast<const D*>(this)->area(); } double scale = 1; };
struct Disc : Shape<Disc> { double r; explicit Disc(double x) : r(x) {} double area() const { return scale * 3.1 * r * r; } };
struct Box : Shape<Box> { double a, b; Box(double x, double y) : a(x), b(y) { scale = x; } double area() const { return scale * a * b; } };
// case: at=0.3,1.1
void crtp(const double* in, double* out) {
  Disc d(in[0]);
  Box b(in[0], in[1]);
  d.scale *= in[1];
  out[0] = d.twice() * b.twice();
}

class Grid {
 public:
  Grid() = default;
  Grid(int n, double h) : n_(n), h_(h) {}
  double width() const { return n_ * h_; }

 protected:
  int n_ = 0;
  double h_ = 0.0;
};
class Field {
 public:
  Field() = default;
  explicit Field(double start) : u_(3, start), h_(2.0) {}
  double& u(int i) { return u_[static_cast<std::size_t>(i)]; }
  double norm() const {
    double s = 0.0;
    for (const double x : u_) s += x * x;
    return s * h_;
  }

 protected:
  std::vector<double> u_;
  double h_ = 0.0;
};
class Solver : public Grid, public Field {
 public:
  Solver() = default;
  Solver(double h, double start) : Grid(3, h), Field(start), factor_(h * start) {}
  void step() {
    for (int i = 0; i < n_; ++i) u(i) = u(i) * factor_ + Grid::h_ * Field::h_ * u((i + 1) % 3);
    Field::h_ *= 1.5;
  }
  double value() const { return norm() * width() + factor_; }

 private:
  double factor_ = 0.0;
};
double ofField(const Field& f, const Grid& g) { return f.norm() * g.width(); }
void grow(Field* f, double by) { f->u(1) *= by; }
// case: at=0.3,1.1
void fieldAndGrid(const double* in, double* out) {
  Solver s(in[0], in[1]);
  s.step();
  grow(&s, in[0]);
  s.step();
  Solver copy = s;
  copy.step();
  out[0] = s.value() + ofField(copy, s);
}

template <class D>
class Expression {
 public:
  double at(int i) const { return static_cast<const D&>(*this).value(i); }
  double offset = 0.5;
};
struct Linear : Expression<Linear> {
  double a;
  explicit Linear(double x) : a(x) {}
  double value(int i) const { return a * i + offset; }
};
struct Square : Expression<Square> {
  double a;
  explicit Square(double x) : a(x) {}
  double value(int i) const { return a * a * i * offset; }
};
template <class D>
double total(const Expression<D>& e) {
  double s = 0.0;
  for (int i = 0; i < 3; ++i) s += e.at(i) * e.at(i);
  return s;
}
// case: at=0.3,1.1
void curiousTemplates(const double* in, double* out) {
  Linear l(in[0]);
  Square q(in[1] * in[0]);
  l.offset = in[1];
  out[0] = total(l) * total(q);
}
