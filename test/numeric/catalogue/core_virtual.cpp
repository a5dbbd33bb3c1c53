// The core language: base classes and virtual calls.
#include <cmath>
#include <vector>

namespace {

struct Stage {
  explicit Stage(double k) : gain(k) {}
  virtual ~Stage() = default;
  virtual double run(double t) = 0;
  void tune(double d) { gain += d * d; }
  double gain;
};
struct Amplify : Stage {
  using Stage::Stage;
  double run(double t) override { return gain * t + 0.1; }
};
struct Saturate final : Stage {
  Saturate(double k, double l) : Stage(k), limit(l) {}
  double run(double t) override {
    tune(t);
    return limit * std::tanh(gain * t / limit);
  }
  double limit;
};

struct Body {
  virtual ~Body() {}
  virtual double volume() const { return size * size * size; }
  virtual void grow(double d) { size += d; }
  double mass(double density) const { return volume() * density; }
  double size = 1.0;
};
struct Ball : Body {
  double volume() const override { return 4.0 / 3.0 * 3.14 * radius() * radius() * radius(); }
  double radius() const { return 0.5 * size * squash; }
  double squash = 0.9;
};
struct HollowBall : Ball {
  void grow(double d) override {
    Ball::grow(2.0 * d);
    wall *= d;
  }
  double volume() const override { return Ball::volume() - wall; }
  double wall = 0.2;
};

struct Interface {
  virtual double value(double t) const = 0;
  virtual ~Interface() = default;
};
class Poly : public Interface {
 public:
  Poly() : c_{1.0, 0.5} {}
  void set(double a, double b) {
    c_[0] = a;
    c_[1] = b;
  }
  double value(double t) const override { return c_[0] + c_[1] * t * t; }

 private:
  double c_[2];
};
struct Wave : Interface {
  double value(double t) const override { return amplitude * std::sin(t); }
  double amplitude = 1.0;
};
double evaluate(const Interface& f, double t) { return f.value(t) * f.value(0.5 * t); }

// Without virtual functions.
struct Point {
  double x = 0.0, y = 0.0;
  double norm2() const { return x * x + y * y; }
  void move(double d) { x += d; }
};
struct Particle : Point {
  double mass = 1.0;
  double x = 0.5;  // hides Point::x
  double energy() const { return mass * norm2() + x * Point::x; }
};
struct Charged : Particle {
  Charged() = default;
  Charged(double q, double m) : charge(q) { mass = m * q; }
  double charge = 0.0;
};
void push(Point& p, double f) { p.x += f * p.y; }
double length(const Point* p) { return std::sqrt(p->norm2()); }

// CRTP
template <class T>
struct Curve {
  double twice(double t) const { return self().once(self().once(t)); }
  const T& self() const { return static_cast<const T&>(*this); }
};
struct Cubic : Curve<Cubic> {
  double once(double t) const { return a * t * t * t + t; }
  double a = 0.3;
};

}  // namespace

// case: at=0.65,1.2
void virtualPipeline(const double* in, double* out) {
  Amplify first(in[1]);
  Saturate second(in[0], in[1] * 2.0);
  Amplify third(in[0] * in[1]);
  Stage* order[4] = {&first, &second, &third, &second};
  double t = in[0];
  for (Stage* s : order) t = s->run(t);
  out[0] = t * second.gain;
}

// case: at=0.65,1.2,0.8
void virtualThreeLevels(const double* in, double* out) {
  Body a;
  Ball b;
  HollowBall c;
  a.size = in[0];
  b.size = in[1];
  c.size = in[2] * in[0];
  Body* all[3] = {&a, &b, &c};
  double m = 0.0;
  for (int k = 0; k < 3; ++k) {
    all[k]->grow(in[k] * 0.1 + m * 0.01);
    m += all[k]->mass(in[(k + 1) % 3]);
  }
  Body* heaviest = &a;
  for (Body* p : all)
    if (p->volume() > heaviest->volume()) heaviest = p;
  heaviest->grow(m * 0.1);
  out[0] = m * heaviest->volume() + c.wall * b.squash;
}

// case: at=0.65,1.2,0.8
void virtualThroughInterface(const double* in, double* out) {
  Poly p;
  Wave w;
  p.set(in[0], in[1]);
  w.amplitude = in[2];
  const Interface* f = in[0] > 0.5 ? static_cast<const Interface*>(&w) : &p;
  double r = evaluate(p, in[0]) * evaluate(w, in[1]);
  w.amplitude *= r;
  r += f->value(in[2]) + w.value(in[0]);
  out[0] = r;
}

// case: at=0.65,1.2,0.8
void baseClassMembers(const double* in, double* out) {
  Particle p;
  p.x = in[0];
  p.Point::x = in[1];
  p.y = in[2];
  p.mass *= in[0];
  push(p, in[1]);
  p.move(in[2]);
  Particle q = p;
  push(q, length(&p));
  Charged c(in[0], in[2]);
  c.move(in[1]);
  push(c, q.energy());
  out[0] = p.energy() * q.energy() + c.charge * c.energy() + length(&c);
}

// case: at=0.65,1.2
void curiouslyRecurring(const double* in, double* out) {
  Cubic c;
  c.a = in[1];
  out[0] = c.twice(in[0]) * c.once(in[1]);
}

// case: at=0.65,1.2,0.8
void virtualInLoop(const double* in, double* out) {
  HollowBall h;
  Ball b;
  double t = in[0];
  for (int k = 0; k < 4; ++k) {
    Body& current = k % 2 ? static_cast<Body&>(h) : b;
    current.grow(t * 0.1);
    t += current.volume() * in[1];
    if (t > 5.0) break;
  }
  out[0] = t * h.wall + b.size * in[2];
}

// Two objects in a list, of which only one holds something active: both have shadows.
namespace {
struct Scale {
  double c = 0.3;
  virtual ~Scale() = default;
  virtual double get(double p) const { return 0.5 * p; }
};
struct Growing : Scale {
  double get(double p) const override { return c * p; }
};
}  // namespace

// case: at=0.4,0.7 out=1
void objectsInAList(const double* in, double* out) {
  Scale first;
  Growing second;
  first.c = in[0];
  Scale* list[] = {&first, &second};
  out[0] = first.c * first.c;
  for (Scale* one : list) out[0] += 0.3 * one->get(in[1]);
}
