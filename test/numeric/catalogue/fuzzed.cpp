// What random programs (test/fuzz) found to be wrong, cut down. Each was a wrong gradient, a crash of the tool or a refusal.
//
// group: openmp threads=1,2,4 hessian
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

namespace {

// Two names for one local, chosen at run time, in a function that is split into a forward and a reverse part.
double chosenCopy(double p) {
  const double copy = p;
  return p * p < 0.3 ? copy : copy * copy;
}
double chosenLocal(double p, double q) {
  double a = p * q;
  double& r = p > 0.5 ? a : q;
  r *= std::sin(p);
  return a + q;
}

double state = 0.5;

void setState(std::vector<double>& values, double& x) {
  static_cast<void>(values);
  static_cast<void>(x);
  state = 0.5;
}

// The first parameter may be the second one's variable.
double squareFirst(const double& a, double& b) {
  b *= a;
  return a * b;
}
double onlyFirst(const double& a, const double& b) {
  static_cast<void>(b);
  return a * a;
}

}  // namespace

// The shadow of a local was declared behind the pointer to it.
// case: at=0.4,0.7 out=2
void shadowBehindItsPointer(const double* in, double* out) {
  out[0] = chosenCopy(in[0]);
  out[0] += chosenCopy(in[1]) * out[0];
  out[1] = chosenLocal(in[0], in[1]) * chosenLocal(out[0], in[0]);
}

// The reverse sweep counts with another variable than the one whose address was recorded.
// case: at=0.3,1.1
void addressOfCounter(const double* in, double* out) {
  double a[6];
  for (int i = 0; i < 6; ++i) a[i] = in[0] * (i + 1);
  double limit = in[0];
#pragma omp parallel
  {
#pragma omp for private(limit)
    for (int i = 5; i >= 0; --i) {
      const int other = 2;
      limit = in[0];
      const int& k = limit < 0.5 ? i : other;
      a[i] /= 1.5 + std::sin(k % 2 == 0 ? in[1] : 0.5);
      limit = 0.5;
    }
  }
  out[0] = limit * 0.1;
  for (int i = 0; i < 6; ++i) out[0] += a[i] * a[i];
  for (int i = 0; i < 6; ++i) {
    const int* p = in[1] > 1.0 ? &i : nullptr;
    out[0] *= 1.0 + 0.1 * std::sin(in[0] * (p != nullptr ? *p : 3));
  }
}

// An assignment whose index depends on what it overwrites.
// case: at=0.9,0.4,1.7 out=2
void indexIntoItself(const double* in, double* out) {
  double a[3] = {in[0], in[1], in[2]};
  for (int step = 0; step < 4; ++step) {
    a[static_cast<int>(std::fabs(5.0 * std::sin(a[step % 3]))) % 3] = std::sin(a[0] + 0.5 * a[1]) * in[2];
    a[static_cast<int>(std::fabs(3.0 * a[1])) % 3] += a[2] * a[0];
  }
  int order[3] = {1, 2, 0};
  order[order[0]] = 0;
  order[order[order[1]]] = 1;
  out[0] = a[order[0]] * a[1];
  out[1] = a[order[2]] + a[2] * in[0];
}

// std::max is a value, where C++ has a reference.
// case: at=0.9,0.4
void maximumInAConditional(const double* in, double* out) {
  const double x = in[0] < in[1] ? in[0] : std::max(0.6 * in[0], 0.4 * in[1]);
  out[0] = (x > 0.3 ? std::min(x * x, in[1]) : in[0]) * in[0];
}

// A factor that is a constant zero.
// case: at=0.9,0.4
void constantZeroFactor(const double* in, double* out) {
  const double x = std::sin((in[0] * in[1] + std::cos(in[1])) * (0.2 * 0));
  out[0] = (x + in[0]) * std::exp(0.2 * 0 * (in[0] - in[1] * in[1])) * in[1];
}

// The tangent of a nest of loops in which nothing is left to do.
// case: at=0.9,0.4
void emptyCollapsedNest(const double* in, double* out) {
  double a[8];
  for (int i = 0; i < 8; ++i) a[i] = in[i % 2];
#pragma omp parallel
  {
#pragma omp for collapse(2)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 2; ++j) {
        const int k = i * 2 + j;
        const double unused = a[k] * in[0];
        static_cast<void>(unused);
      }
#pragma omp for collapse(2)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 2; ++j) a[i * 2 + j] *= std::sin(in[1] * i + j);
  }
  out[0] = a[3] * a[5];
}

// Pointers that an iteration exchanges by one of its own, and that nothing in the reverse sweep needs.
// case: at=0.9,0.4
void pointersThatNothingNeeds(const double* in, double* out) {
  out[0] = in[1];
  double a[2] = {in[0], in[1]}, b[2] = {in[1], in[1]};
  double *p = a, *q = b;
  for (int i = 0; i < 5; ++i) {
    double* old = q;
    q = p;
    p = old;
  }
  double* last = nullptr;
  for (int i = 0; i < 2; ++i) {
    double local = in[i];
    double& r = local;
    last = &r;
    out[0] += *last * *last;
  }
  static_cast<void>(p);
  static_cast<void>(q);
  out[0] += a[0] * a[1] * b[0];
}

// A vector without derivative, for a call whose adjoint has something to do.
// case: at=0.9,0.4 out=2
void vectorThatACallNames(const double* in, double* out) {
  state = in[0];
  out[0] = in[0];
  out[1] = state * in[1];
  for (int i = 0; i < 3; ++i) {
    std::vector<double> values(5, 0.5);
    std::vector<double>& sameValues = values;
    setState(values, out[0]);
    setState(sameValues, out[1]);
  }
  out[0] += state * in[1] * in[1];
}

// A maximum as the argument for a reference: one of the variables, or a temporary.
// case: at=0.9,0.4
void maximumForAReference(const double* in, double* out) {
  double x = in[0], y = in[1];
  out[0] = onlyFirst(std::max(in[0] * y, 0.3 * x), std::min(x, y));
  out[0] += squareFirst(std::max(x, 0.4 * y), x);
  out[0] += squareFirst(std::min(std::max(y, 0.1 * x), x), y) * x;
}

// What an iteration that is run again does for nothing, with a value that is no longer there, has to stay inside its arrays.
// case: at=0.9,0.4
void indexForNothing(const double* in, double* out) {
  out[0] = in[1];
  double x = in[0];
  for (int k = 0; k < 2; ++k) {
    int step = 1;
    for (int i = 0; i < 3; ++i) step = (step * 7 + static_cast<int>(std::fabs(1e3 * x)) + k) % 5;
    double a[4];
    for (int i = 0; i < 4; ++i) {
      int marks[5] = {1, 2, 0, 1, 2};
      int* m = marks;
      marks[m[step] + step / 2] = 1000 / (step + 5 - i);
      const double t = std::sin(x * i) * in[1];
      a[i] = t * t;
    }
    for (int i = 0; i < 4; ++i) out[0] += a[i] * a[3];
    x = std::sin(x) * in[1];
  }
}

// What an iteration does for nothing when it is run again names a vector that nothing else needs.
// case: at=0.7,1.3
void vectorForNothing(const double* in, double* out) {
  double q = in[0];
  for (int k = 0; k < 3; ++k) {
    if (q * q < in[0]) q *= in[1];
    std::vector<double> all(3, in[0]);
    for (int i = 0; i < 3; ++i) {
      const double* first = all.data();
      static_cast<void>(first);
      q *= 0.9;
    }
  }
  out[0] = q;
}

// A variable whose address is taken, in a block where nothing is reversed and whose condition nothing else needs.
static double frameForNothingIn(double p, double q) {
  if (std::asinh(p) < p) {
    q = 0.4 * std::atan(q);
    double a = std::tanh(p);
    if (0.6 * a + 0.05 >= 0.3) {
      double b = std::sqrt(1.0 + a * a);
      b = 0.4 * std::atan(std::cos(a));
      if (static_cast<int>(3.0 * b) == 1) {
        double* c = &b;
        *c = 0.5;
        c = &b;
        *c *= 2.0;
      }
    }
  }
  return std::cos(0.3 + 0.6 * p + 0.5 * q);
}
// case: at=0.3,0.9,1.4 out=1
void frameForNothing(const double* in, double* out) {
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) sum = sum * frameForNothingIn(in[i], in[0]) + in[1];
  out[0] = sum;
}

// A parameter by value that a call in the forward part gets by reference, in a function that several threads call.
static void valueByReferenceInto(const double& p, double& q, const double& r) {
  q += 0.4 * std::atan(std::tan(0.5 * std::sin(q)));
  q += p * r * 0.1;
}
static double valueByReferenceIn(double& p, double q, double* x) {
  valueByReferenceInto(q, x[2], std::tanh(p));
  x[0] = std::tanh((0.6 * q + 0.5 * q) / (1.5 + x[1] * x[1]));
  return 0.5 * std::cos(x[2] > 0.3 ? p : x[0]);
}
// case: at=0.3,0.9,1.4 out=3
void valueByReference(const double* in, double* out) {
#pragma omp parallel for
  for (int i = 0; i < 3; ++i) {
    double x[3] = {in[i], in[0], in[1] * in[i]}, a = in[2] * in[i];
    a = valueByReferenceIn(a, std::cos(in[i]), x) * a;
    a = valueByReferenceIn(a, a * in[1], x) + x[0];
    out[i] = a * x[2];
  }
}

// An object of a class with virtual functions, in a block where nothing is reversed but a call for nothing: iterations that are run again
// compute from it, for nothing.
namespace {
struct Base {
  double c = 0.3;
  virtual ~Base() = default;
  virtual double get(double p) const = 0;
};
struct Derived : Base {
  double get(double p) const override { return c * p; }
};
double same(double p) { return p; }
}  // namespace

// case: at=0.4,0.7 out=1
void objectForNothing(const double* in, double* out) {
  out[0] = std::sin(same(in[0])) * in[1];
  if (out[0] > 100.0) {
    Derived object;
    for (int i = 0; i < 2; ++i) {
      const double a[2] = {object.c, 0.5};
      const double t = same(0.5);
      static_cast<void>(a);
      static_cast<void>(t);
    }
  }
}

// A class without members of its own, whose base class gives its members values: the shadow begins at zero all the same.
namespace {
struct WithValue {
  double c = 0.3;
};
struct OfWithValue : WithValue {
  double times(double p) const { return c * p; }
};
}  // namespace

// case: at=0.4,0.7 out=1
void valuesOfTheBase(const double* in, double* out) {
  OfWithValue object;
  if (in[0] > 10.0) object.c = in[1];
  out[0] = object.times(in[1]);
}

// Pairs and tuples get the counter as `T&&`, and don't write it: the loop was refused (openmpHeads 7900014).
// case: at=0.4,0.7,-0.3,0.9 out=4
void countersInTuples(const double* in, double* out) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 4; ++i) {
    const std::tuple<double, int> t(in[i] * in[3 - i], i);
    const auto p = std::make_pair(std::get<1>(t) + 1, i);
    std::pair<double, int> q(0.5, i);
    q.first *= in[p.second] * p.first;
    out[i] = std::sin(std::get<0>(t)) * q.first;
    for (int j = 0; j < 3; ++j) {
      const std::pair<int, double> r(j, out[i]);
      out[i] = 0.5 * out[i] * r.second + in[r.first];
    }
  }
}

// Two sums of one construct, whose old values are recorded: each got the other's back (particles 7920232).
// case: at=0.4,0.7,-0.3 out=2
void twoSumsInALoop(const double* in, double* out) {
  out[0] = out[1] = 0.0;
  double s = in[0], t = in[1], u = in[2];
  for (int step = 0; step < 3; ++step) {
    const double before = std::sin(s) * t;
#pragma omp parallel for reduction(+ : s, t) reduction(- : u)
    for (int i = 0; i < 5; ++i) {
      s += 0.1 * before * i;
      t += std::cos(before + i);
      u -= before * before;
    }
    out[step % 2] += s * t * u;
  }
  out[0] += s * u;
}

// case: at=0.4,0.7,-0.3 out=2
void twoSumsInARegion(const double* in, double* out) {
  out[0] = out[1] = 0.0;
  double s = in[0], t = in[1];
  for (int step = 0; step < 3; ++step) {
    const double before = std::sin(s) * t;
#pragma omp parallel
    {
#pragma omp for reduction(+ : s, t) schedule(static)
      for (int i = 0; i < 5; ++i) {
        double x = before;
        for (int k = 0; k < i; ++k) x = std::sin(x + in[2]);
        s += 0.1 * x;
        t += std::cos(x + i);
      }
#pragma omp for reduction(+ : s, t)
      for (int i = 0; i < 5; ++i) {
        s += 0.1 * before * i;
        t += 0.2 * before;
      }
    }
    out[step % 2] += s * t * std::sin(s - t);
  }
}

// case: at=0.4,0.7,-0.3 out=2
void twoSumsOfSimd(const double* in, double* out) {
  out[0] = out[1] = 0.0;
  double s = in[0], t = in[1];
  for (int step = 0; step < 3; ++step) {
    const double before = std::sin(s) * t;
#pragma omp simd reduction(+ : s, t)
    for (int i = 0; i < 5; ++i) {
      s += 0.1 * before * i;
      t += std::cos(before + in[2] * i);
    }
    out[step % 2] += s * t;
  }
}

// A value that reads what it is to fill is computed once (mpiHeads 7920626: it was computed again for each element).
// case: at=0.4,0.7,-0.3 out=3
void filledWithItsOwn(const double* in, double* out) {
  std::array<double, 3> a{in[0], in[1], in[2]}, b = a;
  const std::size_t k = in[0] > 0.0 ? 0 : 1;
  a.fill(1.0 / (1.5 + a[k] * a[k]));
  b.fill(b[k]);
  std::vector<double> v{in[1], in[0], in[2]}, w = v;
  v.assign(4, v[k] * v[2]);
  v.resize(6, v[1] * in[1]);
  w.insert(w.begin(), w[1]);
  w.push_back(w[k]);
  std::fill(w.begin() + 1, w.end(), w[2] * w[1]);
  out[0] = a[0] * a[1] + a[2];
  out[1] = b[0] * b[1] - v[0] * v[5];
  out[2] = w[0] + w[1] * w[4];
}

// Of a loop that runs again in the reverse sweep, where a pointer to a function leads is known: Clang saw a value that may be unset.
namespace {
double halfSine(double p) { return 0.5 * std::sin(p); }
}  // namespace

// case: at=0.4,0.7,-0.3 out=1
void pointerToFunctionAgain(const double* in, double* out) {
  double m[3];
  double (*function)(double) = in[0] > 0.2 ? halfSine : same;
  for (int i = 0; i < 3; ++i) m[i] = std::tanh(function(in[i]));
  out[0] = m[0] * m[1] * m[2];
}
