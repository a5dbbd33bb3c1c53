// Calls: by value, reference and pointer, chains, recursion, overloads, namespaces, defaults, order of effects.
// group: hessian
#include <cmath>

namespace {

double square(double x) { return x * x; }
double cubePlus(double x, double y) { return square(x) * x + y; }
void accumulate(double x, double& sum) { sum += x * sum; }
double modifiesItsCopy(double x) {
  x *= x;
  x += 1.0;
  return x;
}

}  // namespace

// case: at=0.6,1.2
void callInExpression(const double* in, double* out) {
  out[0] = square(in[0]) * square(in[1] + square(in[0])) + cubePlus(in[1], in[0]);
}

// case: at=0.6,1.2
void nestedCalls(const double* in, double* out) {
  out[0] = cubePlus(square(cubePlus(in[0], in[1])), cubePlus(in[1], square(in[0])));
}

// case: at=0.6,1.2
void byValueByReference(const double* in, double* out) {
  double sum = in[1];
  accumulate(in[0], sum);
  accumulate(sum, sum);
  accumulate(modifiesItsCopy(sum), sum);
  out[0] = sum;
}

// case: at=0.6,1.2
void resultDropped(const double* in, double* out) {
  double sum = in[0];
  square(sum);
  static_cast<void>(modifiesItsCopy(sum));
  accumulate(in[1], sum);
  out[0] = sum;
}

void first(double* a) { a[0] = std::sin(a[0]) * a[1]; }
void second(double* a, int times) {
  for (int i = 0; i < times; ++i) {
    first(a);
    a[1] += a[0] * 0.5;
  }
}
double third(double* a) {
  second(a, 2);
  const double middle = a[0];
  second(a, 3);
  return middle * a[1];
}

// case: at=0.6,1.2
void chainOfCalls(const double* in, double* out) {
  double a[2] = {in[0], in[1]};
  const double result = third(a);
  out[0] = result + third(a) * a[0];
}

double power(double x, int n) {
  if (n == 0) return 1.0;
  return x * power(x, n - 1);
}

// case: at=0.6,1.2
void recursion(const double* in, double* out) { out[0] = power(in[0], 5) + power(in[1] * in[0], 3); }

void halve(double* a, int n) {
  if (n == 1) return;
  const int half = n / 2;
  halve(a, half);
  halve(a + half, n - half);
  for (int i = 0; i < half; ++i) a[i] = a[i] * a[half + i] + 0.5;
}

// case: at=0.6,1.2,-0.4,0.9
void treeRecursion(const double* in, double* out) {
  double a[4] = {in[0], in[1], in[2], in[3]};
  halve(a, 4);
  out[0] = a[0];
}

double odd(double x, int n);
double even(double x, int n) { return n == 0 ? x : std::sin(odd(x, n - 1)) + x; }
double odd(double x, int n) {
  if (n == 0) return 0.5 * x;
  return x * even(x, n - 1);
}

// case: at=0.6,1.2
void mutualRecursion(const double* in, double* out) { out[0] = even(in[0], 5) * odd(in[1], 2); }

double collatz(double x, double limit) {
  if (x > limit) return x;
  return collatz(x * 1.7 + 0.1, limit * 0.9);
}

// case: at=0.6,6.2
void recursionByValue(const double* in, double* out) { out[0] = collatz(in[0], in[1]) * in[1]; }

double mix(double a, double b) { return a * b + a; }
double mix(double a, int n) { return a * a * n; }
double mix(const double* a, int n) { return n > 1 ? a[0] * a[1] : a[0]; }

// case: at=0.6,1.2
void overloads(const double* in, double* out) { out[0] = mix(in[0], in[1]) + mix(in[1], 3) + mix(in, 2) + mix(in, 1); }

namespace outer {
namespace inner {
double value(double x) { return x * x * x; }
}  // namespace inner
double value(double x) { return inner::value(x) + x; }
}  // namespace outer

// case: at=0.6,1.2
void namespaces(const double* in, double* out) {
  using outer::inner::value;
  out[0] = value(in[0]) * outer::value(in[1]);
}

double withDefaults(double x, double factor = 2.0, int n = 3) {
  for (int i = 0; i < n; ++i) x = x * factor - 0.3;
  return x;
}

// case: at=0.6,1.2
void defaultArguments(const double* in, double* out) {
  out[0] = withDefaults(in[0]) + withDefaults(in[1], in[0]) * withDefaults(in[0], in[1], 1);
}

double takeAndAdvance(double& x) {
  const double old = x;
  x = x * 1.5 + 0.1;
  return old;
}

// Comma and logical operators order their operands; so does the braced list.
// case: at=0.6,1.2
void orderOfEffects(const double* in, double* out) {
  double a = in[0];
  const double list[3] = {takeAndAdvance(a), takeAndAdvance(a) * in[1], a};
  double b = (takeAndAdvance(a), takeAndAdvance(a));
  b *= list[0] + list[1] * list[2];
  a = takeAndAdvance(a) * b;
  out[0] = a + b;
}

double clampTo(double x, double low, double high) {
  if (x < low) return low;
  if (x > high) return high;
  return x;
}

// case: at=0.6,1.2,-3.0
void branchesOfCallee(const double* in, double* out) {
  out[0] = clampTo(in[0], 0.0, in[1]) * clampTo(in[1], 0.0, 1.0) + clampTo(in[2], in[0] * in[1], 9.0);
}

// The same function on an independent, on a constant, and on what is of no use.
// case: at=0.6,1.2
void differentActivity(const double* in, double* out) {
  double constant[2] = {0.4, 0.8};
  double active[2] = {in[0], in[1]};
  double useless[2] = {in[1], in[0]};
  second(constant, 2);
  second(active, 2);
  second(useless, 1);
  out[0] = active[0] * constant[1] + active[1] * constant[0];
}

double integrate(double from, double to, double p, int n) {
  const double h = (to - from) / n;
  double sum = 0.5 * (square(from) * p + square(to) * p);
  for (int i = 1; i < n; ++i) sum += std::exp(-p * square(from + i * h));
  return sum * h;
}

// case: at=0.6,1.2,0.8
void quadrature(const double* in, double* out) { out[0] = integrate(in[0], in[1], in[2], 9); }

void rungeKutta(double* state, double dt, double damping) {
  double k1[2], k2[2], middle[2];
  k1[0] = state[1];
  k1[1] = -std::sin(state[0]) - damping * state[1];
  for (int i = 0; i < 2; ++i) middle[i] = state[i] + 0.5 * dt * k1[i];
  k2[0] = middle[1];
  k2[1] = -std::sin(middle[0]) - damping * middle[1];
  for (int i = 0; i < 2; ++i) state[i] += dt * k2[i];
}

// case: at=0.6,1.2,0.3 out=2
void pendulum(const double* in, double* out) {
  double state[2] = {in[0], in[1]};
  for (int step = 0; step < 20; ++step) rungeKutta(state, 0.1, in[2]);
  out[0] = state[0];
  out[1] = state[1];
}

// case: at=2.6,1.2,-0.3,3.1 out=2
void gaussianElimination(const double* in, double* out) {
  double a[2][2] = {{in[0], in[1]}, {in[2], in[3]}}, b[2] = {1.0, in[0]};
  for (int k = 0; k < 2; ++k) {
    for (int i = k + 1; i < 2; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (int j = k; j < 2; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (int i = 1; i >= 0; --i) {
    for (int j = i + 1; j < 2; ++j) b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
    out[i] = b[i];
  }
}

namespace {
double withoutDerivative(double) { return 0.5; }
double countsAndDoubles(double& x, int& calls) {
  x *= 2.0 * x;
  ++calls;
  return calls;
}
struct Reading {
  double value, weight;
};
Reading fixedReading(double) { return {1.5, 0.25}; }
}  // namespace

// A call whose result has no derivative ends the life of the value that its target held.
// case: at=0.7,1.3 out=2
void constantResultOverwrites(const double* in, double* out) {
  double t = in[0] * in[1];
  t = withoutDerivative(in[0]);
  out[1] = in[0] + t;
  double x = in[1], u = in[0] * in[0];
  int calls = 0;
  out[0] = u;
  u = countsAndDoubles(x, calls);
  out[0] += x * u;
  double values[2] = {in[0], in[1]};
  for (int k = 0; k < 2; ++k) {
    out[1] += values[k] * values[k];
    values[k] = in[k] > 1.0 ? withoutDerivative(values[k]) : values[k] * in[1];
    out[0] += values[k];
  }
  Reading r{in[0], in[1]};
  out[1] += r.value * r.weight;
  r = fixedReading(in[0]);
  out[1] += r.value * r.weight;
}
