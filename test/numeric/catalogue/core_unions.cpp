// Unions: members that are views of the same reals, unions used by one member, locals that hold one kind of value after the other.
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

struct Vec3 {
  union {
    struct { double x, y, z; };
    double v[3];
  };
  Vec3() : x(0), y(0), z(0) {}
  Vec3(double a, double b, double c) : x(a), y(b), z(c) {}
  double& operator[](int i) { return v[i]; }
  double operator[](int i) const { return v[i]; }
  double dot(const Vec3& o) const { return x * o.x + y * o.y + z * o.z; }
  Vec3& operator*=(double s) { for (int i = 0; i < 3; ++i) v[i] *= s; return *this; }
};
inline Vec3 operator+(const Vec3& a, const Vec3& b) { return Vec3(a.x + b.x, a.y + b.y, a.z + b.z); }

double normSquared(const Vec3& a) {
  double s = 0;
  for (int i = 0; i < 3; ++i) s += a.v[i] * a.v[i];
  return s;
}
void rotate(Vec3& a, double angle) {
  const double x = a.x * std::cos(angle) - a.y * std::sin(angle);
  a.v[1] = a.x * std::sin(angle) + a.y * std::cos(angle);
  a.x = x;
}
// case: at=0.3,1.1,-0.7
void viewsOfReals(const double* in, double* out) {
  Vec3 a(in[0], in[1], in[2]), b;
  for (int i = 0; i < 3; ++i) b.v[i] = a[2 - i] * a.x;
  rotate(a, b.y);
  b = a + b;
  b *= a.z;
  a.v[0] *= a.x;
  out[0] = a.dot(b) + normSquared(a) * b[1];
}
// case: at=0.3,1.1,-0.7
void viewsInVector(const double* in, double* out) {
  std::vector<Vec3> p(4);
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 3; ++i) p[static_cast<std::size_t>(k)].v[i] = in[i] * (k + 1);
  for (int step = 0; step < 3; ++step)
    for (std::size_t k = 1; k < p.size(); ++k) {
      p[k].x += std::sin(p[k - 1].y);
      p[k].z *= 0.5 * p[k - 1].v[(step + static_cast<int>(k)) % 3];
    }
  double s = 0;
  for (const Vec3& q : p) s += q.x * q.y + q.z;
  out[0] = s;
}

union Color {
  struct { double x, y, z; } pos;
  struct { double r, g, b; } color;
};
// case: at=0.3,1.1,-0.7
void viewsOfRecords(const double* in, double* out) {
  Color c;
  c.pos.x = in[0] * in[1];
  c.pos.y = std::exp(in[2]);
  c.pos.z = in[1];
  c.color.g *= c.color.r;
  c.color.b = c.pos.z * c.pos.z + c.color.r;
  out[0] = c.color.r * c.pos.y * c.color.b;
}

struct Matrix {
  union {
    double m[3][3];
    double a[9];
  };
};
double trace(const Matrix& t) { return t.m[0][0] + t.m[1][1] + t.m[2][2]; }
// case: at=0.3,1.1,-0.7
void viewsOfMatrix(const double* in, double* out) {
  Matrix t;
  for (int k = 0; k < 9; ++k) t.a[k] = in[k % 3] * (k + 1);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) {
      t.m[i][j] *= t.m[j][i];
      t.m[j][i] = std::sin(t.a[3 * i + j]);
    }
  double s = trace(t);
  for (double x : t.a) s += x * x;
  out[0] = s;
}

Vec3 gMean;
// case: at=0.3,1.1,-0.7
void viewOfGlobal(const double* in, double* out) {
  gMean.x = in[0];
  gMean.v[1] = in[1] * gMean.x;
  gMean.z = gMean.y * in[2];
  gMean.y *= gMean.v[2];
  out[0] = gMean.dot(gMean);
}

struct Point {
  union { struct { double x, y; }; double c[2]; };
  int id;
};
Point pointAt(double x, double y, int id) {
  Point p = {{{x, y}}, id};
  return p;
}
// case: at=0.3,1.1,-0.7
void viewsInLists(const double* in, double* out) {
  Point p[2] = {{{{in[0], in[1] * in[0]}}, 1}, {{{in[2], 2.0}}, 2}};
  Point q = pointAt(p[0].c[1], p[1].x * in[1], 3);
  const Point r{};
  p[0] = q;
  double s = r.x;
  for (const Point& e : p) s += e.c[0] * e.y * e.id;
  out[0] = s + q.x;
}

// case: at=0.3,1.1,-0.7
void viewsInArrays(const double* in, double* out) {
  std::array<Point, 2> a = {{{{{in[0], in[1]}}, 2}, {{{in[2], in[0] * in[0]}}, 3}}};
  std::vector<Point> v{{{{in[1], 1.0}}, 4}, a[1]};
  v.push_back({{{in[2], in[0]}}, 5});
  double s = 0;
  for (const Point& p : a) s += p.x * p.c[1] * p.id;
  for (const Point& p : v) s += p.c[0] * p.y * p.id;
  out[0] = s;
}

union OneUsed {
  double value;
  std::size_t count;
};
struct Cell {
  OneUsed u;
  int kind;
};
double weight(const Cell& c) { return c.kind == 1 ? c.u.value * c.u.value : c.u.value; }
// case: at=0.3,1.1,-0.7
void oneMemberUsed(const double* in, double* out) {
  Cell c[3];
  for (int i = 0; i < 3; ++i) {
    c[i].kind = i % 2;
    c[i].u.value = in[i] * in[0];
  }
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    c[i].u.value *= weight(c[(i + 1) % 3]);
    s += weight(c[i]);
  }
  out[0] = s;
}

union Slot {
  double d;
  long n;
  float f[2];
};
// case: at=0.3,1.1,-0.7
void oneKindAfterAnother(const double* in, double* out) {
  Slot s;
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    s.d = in[i] * in[i];
    s.d *= std::sin(s.d);
    sum += s.d * s.d;
    s.n = i + 2;
    sum *= static_cast<double>(s.n);
    if (s.n > 3) {
      s.d = sum * in[0];
    } else {
      s.d = in[1];
      s.d += sum;
    }
    sum += std::exp(0.1 * s.d);
  }
  out[0] = sum;
}
struct Tagged {
  int kind;
  union {
    double real;
    int whole;
  };
};
// case: at=0.3,1.1,-0.7
void taggedLocal(const double* in, double* out) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    Tagged t;
    t.kind = i;
    t.real = in[i] * 2.0;
    sum += t.real * t.real * t.kind;
    t.whole = i + 1;
    t.kind = 5;
    sum += t.whole * in[0];
    while (t.whole > 0) {
      --t.whole;
      sum *= 1.0 + 0.1 * in[1];
    }
  }
  out[0] = sum;
}
// case: at=0.3,1.1,-0.7
void startedUnion(const double* in, double* out) {
  Slot s = {in[0] * in[1]};
  double sum = s.d * s.d;
  s.n = 3;
  for (long k = 0; k < s.n; ++k) sum += in[2] * sum;
  union { double x; int i; };
  x = sum;
  sum += x * x;
  i = 4;
  out[0] = sum * i;
}
