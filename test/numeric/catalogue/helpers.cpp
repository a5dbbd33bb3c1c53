// Short functions of small objects, and objects taken apart (docs/decisions/0014-helpers-and-objects.md).
// group: hessian
#include <cmath>
#include <vector>

namespace helpers {

struct Vec {
  double x, y, z;
  Vec operator-(const Vec &o) const { return {x - o.x, y - o.y, z - o.z}; }
  Vec operator-() const { return {-x, -y, -z}; }
  Vec &operator+=(const Vec &o) {
    x += o.x;
    y += o.y;
    z += o.z;
    return *this;
  }
  Vec &operator*=(double s) {
    x *= s;
    y *= s;
    z *= s;
    return *this;
  }
  double norm2() const { return x * x + y * y + z * z; }
  double &operator[](int k) { return (&x)[k]; }
};
inline Vec operator*(double s, const Vec &v) { return {s * v.x, s * v.y, s * v.z}; }
inline Vec cross(const Vec &a, const Vec &b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double dot(const Vec &a, const Vec &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// Values go round: what is assigned is read, from the object itself.
inline void exchange(Vec &a, Vec &b) {
  const Vec old = a;
  a = b;
  b = old;
}
inline Vec turned(Vec v) {
  const double first = v.x;
  v.x = v.y;
  v.y = v.z * first;
  v.z = first;
  return v;
}
struct Pair {
  Vec a, b;
  double weight;
};
inline Pair paired(const Vec &a, const Vec &b, double w) { return {a, b, w}; }
inline double energy(const Pair &p) { return p.weight * dot(p.a, p.b); }
struct Started {
  double sum, product;
  Started() : sum(0), product(0) {}
  void add(double t) {
    sum += t;
    product = product * t + sum;
  }
};
inline void outputs(double x, double y, double *product, double &quotient) {
  *product = x * y;
  quotient = x / y;
}
inline void crossInto(const double *a, const double *b, double *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}
inline double counted(Vec &v) {
  static int calls = 0;
  ++calls;
  v.x *= 1.5;
  return v.x + 0 * calls;
}

}  // namespace helpers

using helpers::Vec;

// The usual loop over pairs: nothing of it is recorded.
// case: at=0.4,1.1,0.7,1.3,0.9,0.6,0.2,1.7,0.8 out=10
void pairForces(const double* in, double* out) {
  double energy = 0;
  for (int i = 1; i < 10; ++i) out[i] = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) {
      const Vec a{in[3 * i], in[3 * i + 1], in[3 * i + 2]};
      const Vec b{in[3 * j], in[3 * j + 1], in[3 * j + 2]};
      Vec d = a - b;
      const double r2 = d.norm2() + 0.01;
      if (r2 > 1.2) continue;
      const double s = 1 / (r2 * r2 * r2);
      energy += s * (s - 1);
      const Vec f = (s * (2 * s - 1) / r2) * d;
      out[1 + 3 * i] += f.x;
      out[2 + 3 * i] += f.y;
      out[3 + 3 * i] += f.z;
      const Vec opposite = -f;
      out[1 + 3 * j] += opposite.x;
      out[2 + 3 * j] += opposite.y;
      out[3 + 3 * j] += opposite.z;
    }
  out[0] = energy;
}

// Both sides name the same object.
// case: at=0.4,1.1,0.7,1.3,0.9,0.6
void sameObject(const double* in, double* out) {
  double u[6], s = 0;
  for (int k = 0; k < 6; ++k) u[k] = in[k];
  for (int k = 0; k + 2 < 6; ++k) {
    Vec v{u[k], u[k + 1], u[k + 2]};
    v += v;
    v = v - 0.3 * v;
    v = cross(v, turned(v));
    v += turned(v);
    helpers::exchange(v, v);
    s += v.norm2() * u[k];
    u[k + 1] = v.y;
  }
  out[0] = s;
}

// An object that is carried from one iteration to the next, and one that is exchanged with it.
// case: at=0.4,1.1,0.7,1.3
void carried(const double* in, double* out) {
  const double c = in[3];
  Vec v{1, c, 2}, w{c, c * c, 0.5};
  double s = 0;
  for (int k = 0; k < 5; ++k) {
    if (k % 2 == 0) helpers::exchange(v, w);
    v *= 0.9 * in[k % 3];
    w += 0.1 * cross(v, w);
    s += dot(v, w);
  }
  out[0] = s;
}

// By `(&x)[k]`, and by a reference and a pointer to a member: these objects stay whole.
// case: at=0.4,1.1,0.7,1.3
void byAddress(const double* in, double* out) {
  double s = 0;
  for (int k = 0; k < 4; ++k) {
    Vec v{in[k], 0.5, 2};
    for (int i = 0; i < 3; ++i) v[i] = v[i] * in[k] + i;
    double& y = v.y;
    Vec w = v;
    y *= in[k];
    double* z = &w.z;
    *z += v.y * w.y;
    s += v.norm2() + dot(v, w);
  }
  out[0] = s;
}

// Copies that references to the original outlive.
// case: at=0.4,1.1,0.7
void afterReference(const double* in, double* out) {
  double s = 0;
  for (int k = 0; k < 3; ++k) {
    Vec v{in[k], 2 * in[k], 1};
    double& x = v.x;
    double kept = v.x;
    x = kept * kept;
    kept += x * in[k];
    s += kept * x;
  }
  out[0] = s;
}

// case: at=0.4,1.1,0.7,1.3,0.9,0.6,1.2
void objectsOfObjects(const double* in, double* out) {
  double s = 0;
  for (int k = 0; k < 2; ++k) {
    helpers::Pair p = helpers::paired({in[k], in[k + 1], in[k + 2]}, {in[k + 3], in[k + 4], in[k + 5]}, in[6]);
    helpers::exchange(p.a, p.b);
    p.a += p.weight * p.b;
    const helpers::Pair q = p;
    p.b = q.a;
    s += energy(p) * energy(q);
  }
  out[0] = s;
}

// A constructor has set zeros; the object may go without being touched.
// case: at=0.4,1.1,0.7,1.3
void started(const double* in, double* out) {
  helpers::Started a, b;
  for (int k = 0; k < 4; ++k) {
    helpers::Started inner;
    if (k % 3 == 1) inner.add(in[k]);
    a.add(inner.sum + inner.product * in[k] + 0.1 * in[0]);
    if (in[k] > 1e6) b.add(in[k]);
  }
  out[0] = a.product + b.sum + b.product;
}

// case: at=0.4,1.1,0.7,1.3,0.9
void outputsByPointers(const double* in, double* out) {
  double s = 0, product = 1, quotient = 1;
  double c[3] = {in[0], in[1], in[2]};
  for (int k = 0; k + 2 < 5; ++k) {
    helpers::outputs(in[k] + quotient, 2 + in[k + 1] * in[k + 1], &product, quotient);
    double previous[3] = {c[0], c[1], c[2]};
    helpers::crossInto(in + k, previous, c);
    s += product * quotient + c[0] * c[1] + c[2];
  }
  Vec v{s, product, quotient};
  out[0] = helpers::counted(v) + helpers::counted(v) * in[0];
}

// What an argument is changed by another one; indices that go on between calls.
// case: at=0.4,1.1,0.7,1.3
void orderOfArguments(const double* in, double* out) {
  std::vector<Vec> all(4);
  for (std::size_t k = 0; k < 4; ++k) all[k] = {in[k], in[k] * in[k], 1};
  std::size_t at = 0;
  double s = 0;
  while (at + 2 < all.size()) {
    all[at] += in[at] * all[at + 1];
    Vec d = all[at] - all[at + 1];
    d *= d.x;
    ++at;
    all[at] = turned(d);
    s += dot(all[at], all[at - 1]);
  }
  out[0] = s;
}

namespace helpers {
inline bool shrinks(Vec &v) {
  v = 0.7 * v;
  return v.x > 0.3;
}
// An object that doesn't begin at zero again by itself.
inline bool flips(Vec &v, double &s) {
  Vec w{0, v.x, 0};
  w.x += v.y * s;
  w.z += w.x * v.z;
  v = w;
  s = w.x * 0.5 + w.z;
  return s < 3;
}
}  // namespace helpers

// The condition of a loop has objects of its own, which are declared once though it runs before the loop and at the end of each trip.
// case: at=3.1,0.4,0.3 out=3
void objectsOfConditions(const double* in, double* out) {
  Vec v{in[0], in[1], in[2]};
  double s = in[2], t = 0;
  while (helpers::shrinks(v)) t += v.x * v.x;
  v.x += in[0];
  for (int k = 0; helpers::flips(v, s) && k < 4; ++k) {
    if (k == 1) continue;
    t += v.x * v.x;
    while (helpers::shrinks(v) && t < 9) t *= 1 + v.y;
    if (t > 20) break;
  }
  out[0] = t;
  out[1] = v.y;
  out[2] = s;
}

// The same with a way out of the function, and with a loop that has no trip.
// case: at=3.1,0.4,0.3 out=2
void exitsOfConditions(const double* in, double* out) {
  Vec v{in[0], in[1], in[2]};
  double s = in[2];
  int k = 0;
  out[0] = out[1] = 1;
  while (in[0] < 1 && helpers::flips(v, s)) s += 100;
  while (helpers::flips(v, s) && ++k < 6) {
    s += v.x;
    if (s > 2.5) {
      out[0] = s * v.y;
      return;
    }
  }
  out[0] = s;
  out[1] = v.x;
}

// Elements counted from the first member, which its name changes too: what Clang takes for an access to that member alone is another
// place to it than the second.
// case: at=0.4,1.1,0.7 out=2
void countedMembers(const double* in, double* out) {
  Vec v{in[0], in[1], in[2]}, w = v;
  for (int i = 0; i < 3; ++i) {
    w[i] += v[(i + 1) % 3] * w[(i + 2) % 3];
    v[2 - i] = w.x;
    w[i % 2] *= w.z;
  }
  Vec u = w;
  u[1] *= u.x;
  out[0] = helpers::dot(u, v);
  out[1] = u.y * w[2];
}

namespace helpers {
// What is asked for may be left out.
inline double enthalpy(double t, double *slope) {
  if (slope) *slope = 2 * t + 1;
  return t * t + t;
}
inline double entropy(double t, bool wanted, double *slope) {
  if (wanted) *slope = 1 / t;
  return std::log(t);
}
}  // namespace helpers

// case: at=0.9,1.1,0.4 out=2
void nullOutputs(const double* in, double* out) {
  double slope = in[1], h = 0;
  for (int k = 0; k < 3; ++k) {
    h += helpers::enthalpy(in[k], k == 1 ? nullptr : &slope) * slope;
    h += helpers::enthalpy(slope, nullptr) * 0.1;
    helpers::enthalpy(slope, &slope);
    h += helpers::entropy(in[k], false, nullptr) + helpers::entropy(slope, true, &slope);
    slope *= 0.1 * h;
  }
  out[0] = h;
  out[1] = slope;
}
