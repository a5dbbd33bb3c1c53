// Heads of every form that --help names. Which derivatives are asked for stands in the lines that run_heads.py reads.
#include "heads.hpp"

#include <cmath>

// head: adjoint weightedSum(x -> return)
// head: tangent weightedSum(x -> return)
// head: tangent weightedSum_b(x -> x_b)
double weightedSum(const double* x, const double* weights, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += weights[i] * x[i] * x[i] * x[i];
  return sum;
}

// head: adjoint byValue(a, b -> return)
// head: tangent byValue(a, b -> return)
double byValue(double a, float b, int n) {
  a *= a;
  return a * n + b * a;
}

// head: adjoint everything
// head: tangent everything
double everything(const double* x, double scale, int n) { return scale * x[0] * x[n - 1]; }

// head: adjoint advance(u -> u)
// head: tangent advance(u -> u)
void advance(double* u, double rate, int n) {
  for (int step = 0; step < 3; ++step) {
    for (int i = 1; i < n; ++i) u[i] += rate * u[i - 1] * u[i];
  }
}

// head: adjoint norm(v -> return)
// head: tangent norm(v -> return)
double norm(const std::vector<double>& v) {
  double sum = 0.0;
  for (double x : v) sum += x * x;
  return std::sqrt(sum);
}

// head: adjoint energy(s.u, s.mass -> return)
// head: tangent energy(s.u, s.mass -> return)
double energy(const State& s) {
  double sum = 0.0;
  for (int i = 0; i < s.count; ++i) sum += s.u[i] * s.u[i];
  return 0.5 * s.mass * sum + s.offset * s.mass;
}

// head: adjoint Spring::work(this.stiffness, x -> return)
// head: tangent Spring::work(this.stiffness, x -> return)
double Spring::work(double x) const { return 0.5 * stiffness * (x - rest) * (x - rest); }

double gScale = 1.5;

// head: adjoint withGlobal(gScale, x -> return)
// head: tangent withGlobal(gScale, x -> return)
double withGlobal(double x) {
  gScale *= x;
  return gScale * gScale;
}

namespace overloaded {
double f(double x) { return x * x; }

// head: adjoint overloaded::f(double, int)(x -> return)
// head: tangent overloaded::f(double, int)(x -> return)
double f(double x, int n) { return n * f(x); }
}  // namespace overloaded

// head: adjoint single(x -> return)
// head: tangent single(x -> return)
float single(const float* x, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return sum;
}

// head: adjoint longDouble(x -> return)
// head: tangent longDouble(x -> return)
long double longDouble(long double x) { return std::exp(x) * x; }

// head: adjoint withWorkspace(x -> return)
// head: tangent withWorkspace(x -> return)
double withWorkspace(const double* x, double* work, int n) {
  for (int i = 0; i < n; ++i) work[i] = std::sin(x[i]);
  double product = 1.0;
  for (int i = 0; i < n; ++i) product *= work[i];
  return product;
}

// head: adjoint byReference(a, b -> a, b)
// head: tangent byReference(a, b -> a, b)
void byReference(double& a, double& b) {
  a = a * b;
  b += a * a;
}

// head: adjoint severalOutputs(x -> y, return)
// head: tangent severalOutputs(x -> y, return)
double severalOutputs(const std::vector<double>& x, std::vector<double>& y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = x[i] * x[(i + 1) % x.size()];
    sum += y[i] * x[i];
  }
  return sum;
}

// Vectors of the caller's that have another size or buffer after the call.
// head: adjoint collect(x, v -> v)
// head: tangent collect(x, v -> v)
// head: tangent collect_b(x, v -> x_b, v_b)
void collect(double x, std::vector<double>& v) {
  for (int k = 0; k < 4; ++k) v.push_back(x * v.back());
}

// head: adjoint relax(u -> u)
// head: tangent relax(u -> u)
void relax(std::vector<double>& u, int steps) {
  std::vector<double> next(u.size());
  for (int step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < u.size(); ++i) next[i] = u[i] * u[(i + 1) % u.size()] + 0.1;
    if (step == 1) next.push_back(next[0] * next[1]);
    u.swap(next);
    next.resize(u.size());
  }
  u.push_back(u[0] * next[1]);
}

// head: adjoint drain(v -> return)
// head: tangent drain(v -> return)
double drain(std::vector<double>& v) {
  double sum = 0.0;
  while (!v.empty()) {
    sum += v.back() * v.back() * (1.0 + sum);
    v.pop_back();
  }
  return sum;
}

// head: adjoint rotate(rows, x -> rows)
// head: tangent rotate(rows, x -> rows)
void rotate(std::vector<std::vector<double>>& rows, double x) {
  std::vector<double> first{x, x * x};
  for (auto& row : rows) {
    row.swap(first);
    row.push_back(row[0] * x);
    first[0] *= row.back();
  }
  rows.push_back(first);
}

// Through a reference to an array of const elements nothing is written: it has no shadow unless the head names it.
// head: adjoint withTable(x -> return)
// head: tangent withTable(x -> return)
double withTable(double x, const double (&table)[3], const double (&rows)[2][2]) { return x * x * table[1] + rows[1][0] * x; }
