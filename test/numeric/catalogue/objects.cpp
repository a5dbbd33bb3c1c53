// std::vector and std::array, structs with members and methods, globals and statics.
// group: hessian
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

// case: at=0.3,1.1,-0.7,0.9
void vectorOfSize(const double* in, double* out) {
  std::vector<double> a(4);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = in[i] * in[0];
  for (std::size_t i = 1; i < a.size(); ++i) a[i] += a[i - 1] * a[i];
  out[0] = a[3] + a.at(1) * a[2];
}

// case: at=0.3,1.1,-0.7,0.9
void vectorWithValue(const double* in, double* out) {
  std::vector<double> a(3, in[0]);
  a[1] *= in[1];
  std::vector<double> b(a.size(), 2.0);
  b.at(2) = a[1] * in[2];
  out[0] = a[0] * b[0] + a[1] * b[2] + a[2] * in[3];
}

// case: at=0.3,1.1,-0.7,0.9
void vectorData(const double* in, double* out) {
  std::vector<double> a(4, 0.0);
  double* p = a.data();
  for (int i = 0; i < 4; ++i) p[i] = std::exp(in[i]);
  a[2] *= p[1];
  p[3] *= a[2];
  out[0] = a[3] + p[0];
}

// case: at=0.3,1.1,-0.7,0.9
void vectorRangeFor(const double* in, double* out) {
  std::vector<double> a(4);
  int i = 0;
  for (double& x : a) x = in[i++];
  double sum = 0.0;
  for (double x : a) sum += x * x;
  for (double& x : a) x *= sum;
  for (const double& x : a) sum += std::sin(x);
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7,0.9
void vectorCopied(const double* in, double* out) {
  std::vector<double> a(2, in[0]);
  std::vector<double> b(a);
  b[1] = in[1] * a[0];
  a[0] *= b[1];
  const std::vector<double> c = b;
  a = c;
  a[1] += a[0] * in[2];
  out[0] = a[0] * a[1] + b[0] * c[1] * in[3];
}

// A vector in a loop is made and gone in each iteration.
// case: at=0.3,1.1,-0.7,0.9
void vectorInLoop(const double* in, double* out) {
  double a = in[0];
  for (int step = 1; step < 4; ++step) {
    std::vector<double> scratch(step + 1, a);
    for (int i = 0; i < step; ++i) scratch[i + 1] = scratch[i] * in[i] + 0.2;
    a = scratch[step] * scratch[0];
  }
  out[0] = a;
}

double sumOfSquares(const std::vector<double>& a) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * a[i];
  return sum;
}

void scaleBy(std::vector<double>& a, double factor) {
  for (double& x : a) x = x * factor + 0.1 * factor * factor;
}

// case: at=0.3,1.1,-0.7,0.9
void vectorByReference(const double* in, double* out) {
  std::vector<double> a(3);
  for (int i = 0; i < 3; ++i) a[i] = in[i];
  scaleBy(a, in[3]);
  const double before = sumOfSquares(a);
  scaleBy(a, before);
  out[0] = before + sumOfSquares(a);
}

// case: at=0.3,1.1,-0.7,0.9
void vectorOfVectors(const double* in, double* out) {
  std::vector<std::vector<double>> a(2, std::vector<double>(2, 0.5));
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) a[i][j] += in[i] * in[2 + j];
  }
  out[0] = a[0][0] * a[1][1] - a[0][1] * a[1][0] + a[1][0];
}

// case: at=0.3,1.1,-0.7,0.9
void vectorOfIndices(const double* in, double* out) {
  std::vector<int> order(4);
  for (int i = 0; i < 4; ++i) order[i] = (3 * i + 1) % 4;
  double product = 1.0;
  for (int k : order) product *= 1.0 + in[k] * k;
  out[0] = product;
}

// case: at=0.3,1.1,-0.7,0.9
void standardArray(const double* in, double* out) {
  std::array<double, 4> a{};
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = in[i] * in[i];
  std::array<double, 4> b = a;
  b[0] = a[3] * a.at(1);
  for (double& x : a) x *= b[0];
  const double* p = b.data();
  out[0] = a[0] + a[1] * p[2] + p[0];
}

struct Point {
  double x, y;
  int label;
};

// case: at=0.3,1.1,-0.7,0.9
void plainStruct(const double* in, double* out) {
  Point p;
  p.x = in[0];
  p.y = in[1] * p.x;
  p.label = 3;
  Point q = p;
  q.x *= p.y;
  p = q;
  p.y += in[2];
  out[0] = p.x * p.y + q.y * in[3] * q.label;
}

// case: at=0.3,1.1,-0.7,0.9
void structInitialised(const double* in, double* out) {
  const Point p = {in[0], in[1] * in[1], 2};
  Point q{in[2], 0.0, 1};
  q.y = p.x * p.label;
  out[0] = p.x * q.x + p.y * q.y + in[3] * q.label;
}

struct Cell {
  Point centre{};
  double value[2] = {};
};

// case: at=0.3,1.1,-0.7,0.9
void nestedStruct(const double* in, double* out) {
  Cell cells[2];
  for (int i = 0; i < 2; ++i) {
    cells[i].centre.x = in[i];
    cells[i].value[1] = in[2 + i] * cells[i].centre.x;
  }
  Point* centre = &cells[1].centre;
  centre->x *= cells[0].value[1];
  cells[0] = cells[1];
  cells[0].value[0] += centre->x;
  out[0] = cells[0].value[0] * cells[1].value[1] + cells[0].centre.x;
}

Point midpoint(const Point& a, const Point& b) {
  Point m;
  m.x = 0.5 * (a.x + b.x) * a.y;
  m.y = 0.5 * (a.y + b.y);
  m.label = a.label + b.label;
  return m;
}

void shift(Point& p, double by) {
  p.x += by * p.y;
  p.y *= by;
}

// case: at=0.3,1.1,-0.7,0.9
void structsThroughCalls(const double* in, double* out) {
  Point a = {in[0], in[1], 1}, b = {in[2], in[3], 2};
  shift(a, in[2]);
  Point m = midpoint(a, b);
  shift(m, m.x);
  out[0] = m.x * m.label + m.y * a.x;
}

struct Field {
  int n;
  double* values;
  double scale;
};

void relax(const Field& f, double rate) {
  for (int i = 1; i + 1 < f.n; ++i) f.values[i] += rate * f.scale * (f.values[i - 1] - f.values[i] * f.values[i + 1]);
}

// case: at=0.3,1.1,-0.7,0.9
void structWithPointer(const double* in, double* out) {
  double memory[4] = {in[0], in[1], in[2], in[3]};
  Field f = {4, memory, in[0]};
  relax(f, 0.3);
  f.scale *= memory[1];
  relax(f, in[1]);
  out[0] = memory[1] + f.values[2] * f.scale;
}

struct Oscillator {
  double position = 0.0, velocity = 0.0;
  double stiffness = 1.0;
  int steps = 0;

  void step(double dt) {
    velocity -= dt * force();
    position += dt * velocity;
    ++steps;
  }
  double force() const { return stiffness * position + 0.3 * position * position * position; }
  double energy() const { return 0.5 * velocity * velocity + 0.5 * stiffness * position * position; }
  double& place(int which) { return which == 0 ? position : velocity; }
};

// case: at=0.3,1.1,2.7,0.09
void methods(const double* in, double* out) {
  Oscillator o;
  o.position = in[0];
  o.velocity = in[1];
  o.stiffness = in[2];
  for (int i = 0; i < 6; ++i) o.step(in[3]);
  out[0] = o.energy() + 0.1 * o.steps * o.position;
}

// case: at=0.3,1.1,2.7,0.09 nohessian
void methodsOfElements(const double* in, double* out) {
  std::vector<Oscillator> chain(3);
  for (std::size_t i = 0; i < chain.size(); ++i) {
    chain[i].position = in[i];
    chain[i].velocity = in[3] * in[i];
  }
  for (int k = 0; k < 2; ++k) {
    for (Oscillator& o : chain) o.step(0.1 + in[3]);
  }
  double sum = 0.0;
  for (const Oscillator& o : chain) sum += o.energy();
  out[0] = sum;
}

// case: at=0.3,1.1,2.7,0.09
void methodReturnsReference(const double* in, double* out) {
  Oscillator o;
  o.place(0) = in[0];
  o.place(1) = in[1] * o.position;
  o.place(0) *= o.velocity + in[2];
  double& v = o.place(1);
  v += in[3] * o.position;
  out[0] = o.energy();
}

double gState = 0.0;
double gTable[3] = {1.0, 2.0, 3.0};
static double sCounter = 0.0;
const double kGlobalScale = 1.75;

void advanceGlobals(double by) {
  gState = gState * by + kGlobalScale;
  gTable[1] += gState * gTable[0];
}

// case: at=0.3,1.1,-0.7,0.9
void globals(const double* in, double* out) {
  gState = in[0];
  gTable[0] = in[1];
  gTable[1] = 0.5;
  gTable[2] = gState * in[2];
  advanceGlobals(in[3]);
  advanceGlobals(gTable[2]);
  out[0] = gState + gTable[1] * gTable[2];
}

double remember(double x) {
  static double last = 0.0;
  const double result = last * x + x * x;
  last = x;
  return result;
}

// case: at=0.3,1.1,-0.7,0.9
void functionStatic(const double* in, double* out) {
  remember(in[0]);
  double sum = remember(in[1]) + remember(in[0] * in[2]);
  sCounter = sum;
  sCounter *= in[3];
  out[0] = sCounter + sum;
  remember(0.0);
}

struct Constants {
  static constexpr double kGravity = 9.81;
  static double weight(double mass) { return mass * kGravity; }
};

// case: at=0.3,1.1
void staticMembers(const double* in, double* out) { out[0] = Constants::weight(in[0]) * in[1] / Constants::kGravity; }
