// The core language: calls whose callee is chosen at run time, by pointers and references to functions and members, and exits.
// group: hessian
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace {

double soft(double t) { return t / (1.0 + t * t); }
double hard(double t) { return t * t * t; }
double linear(double t) { return 2.0 * t; }
using Shape = double (*)(double);

double twice(Shape f, double t) { return f(f(t) + t); }
double through(double (&f)(double), double t) { return f(t) * t; }

void stretch(double* x, int n) {
  for (int i = 0; i < n; ++i) x[i] *= x[i];
}
void shift(double* x, int n) {
  for (int i = 1; i < n; ++i) x[i] += x[i - 1];
}
using Step = void (*)(double*, int);

template <int N>
double power(double t) {
  double p = 1.0;
  for (int i = 0; i < N; ++i) p *= t;
  return p;
}
double blend(double a, double b) { return a * std::sin(b); }
int blend(int a, int b) { return a - b; }
double half(double t) noexcept { return 0.5 * t; }
template <double F(double)>
double applied(double t) {
  return F(t) + t;
}

struct Law {
  Shape flux;
  double scale;
};
double apply(const Law& law, double t) { return law.scale * law.flux(t); }

struct Rule {
  static double quadratic(double t) { return t * t + t; }
  double bump(double t) const { return gain * t * t; }
  double drop(double t) { return gain -= t * gain; }
  double gain = 1.5, offset = 0.25;
};

double descend(double t, int depth, Shape f) { return depth == 0 ? f(t) : descend(t * 0.8, depth - 1, f) * t; }

double& larger(double& a, double& b) { return a > b ? a : b; }
double& smaller(double& a, double& b) { return a > b ? b : a; }

double checked(double t) {
  if (t < -100.0) throw std::domain_error("checked: " + std::to_string(t));
  if (t > 1000.0) std::abort();
  return std::sqrt(t + 101.0);
}

}  // namespace

// case: at=1.25,0.4
void callThroughParameter(const double* in, double* out) { out[0] = twice(soft, in[0]) + twice(&hard, in[1]); }

// case: at=1.25,0.4
void callThroughTable(const double* in, double* out) {
  static const Shape table[3] = {soft, hard, linear};
  double r = 0.0;
  for (int k = 0; k < 6; ++k) r += twice(table[k % 3], in[0] * in[1]) * in[k % 2];
  out[0] = r;
}

// case: at=1.25,0.4
void callThroughLocalThatChanges(const double* in, double* out) {
  Shape f = soft;
  double r = in[0];
  for (int k = 0; k < 5; ++k) {
    r = 0.5 * f(r) + in[1];
    if (r > 0.9) f = hard;
    else f = k % 2 ? linear : soft;
  }
  out[0] = r * f(in[0]);
}

// case: at=1.25,0.4
void callThroughMember(const double* in, double* out) {
  Law laws[2] = {{soft, in[1]}, {&power<3>, 2.0}};
  double r = apply(laws[0], in[0]) * apply(laws[1], in[1]);
  laws[0].flux = laws[1].flux;
  laws[0].scale *= r;
  out[0] = r + apply(laws[0], in[0]);
}

// case: at=1.25,0.4
void callThroughReference(const double* in, double* out) {
  double (&f)(double) = in[0] > 1.0 ? soft : hard;
  out[0] = through(f, in[0]) + through(linear, in[1]) * f(in[1]);
}

// case: at=1.25,0.4,0.7
void callThroughPointerThatWrites(const double* in, double* out) {
  Step steps[3] = {stretch, shift, stretch};
  double x[3] = {in[0], in[1], in[2]};
  for (Step s : steps) {
    s(x, 3);
    (*s)(x, 2);
  }
  out[0] = x[0] * x[1] + x[2];
}

// case: at=1.25,0.4
void callThroughPointerToLibrary(const double* in, double* out) {
  Shape f[3] = {std::sin, std::exp, std::sqrt};
  double r = in[0];
  for (int k = 0; k < 3; ++k) r = f[k](r * r + in[1]);
  out[0] = r;
}

// case: at=1.25,0.4
void callThroughOverload(const double* in, double* out) {
  double (*f)(double, double) = blend;
  int (*g)(int, int) = blend;
  out[0] = f(in[0], in[1]) * f(in[1], in[0]) * g(3, 1);
}

// case: at=1.25,0.4
void callThroughNoexceptAndStatic(const double* in, double* out) {
  Shape f = half, g = Rule::quadratic;
  out[0] = f(in[0]) * g(in[1]) + applied<half>(in[0]) + applied<soft>(in[1]) * in[0];
}

// case: at=1.25,0.4
void callRecursiveWithPointer(const double* in, double* out) { out[0] = descend(in[0], 3, soft) * descend(in[1], 2, hard); }

// case: at=1.25,0.4
void callIfThere(const double* in, double* out) {
  Shape f = nullptr, g = soft;
  double r = in[0];
  if (f) r = f(r);
  if (f != g && g != nullptr) r += g(r * in[1]);
  f = g;
  if (f == soft) r *= f(r);
  out[0] = r;
}

// case: at=1.25,0.4
void pointersToMembers(const double* in, double* out) {
  Rule rules[2];
  rules[0].gain = in[0];
  rules[1].offset = in[1];
  double Rule::* which = &Rule::gain;
  double r = 0.0;
  for (int k = 0; k < 4; ++k) {
    Rule* p = &rules[k % 2];
    p->*which *= in[1] + r;
    r += rules[0].*which * p->*which;
    which = k % 2 ? &Rule::gain : &Rule::offset;
  }
  out[0] = r + rules[0].gain * rules[1].offset;
}

// case: at=1.25,0.4
void pointersToMemberFunctions(const double* in, double* out) {
  Rule a, b;
  a.gain = in[0];
  b.gain = in[1];
  double (Rule::*read)(double) const = &Rule::bump;
  double (Rule::*write)(double) = &Rule::drop;
  double r = (a.*read)(in[1]) + (b.*write)(in[0]);
  Rule* p = &b;
  r *= (p->*read)(r) + (p->*write)(in[1]);
  out[0] = r * a.gain + b.gain;
}

// case: at=1.25,0.4
void callThroughPointerToReference(const double* in, double* out) {
  double& (*pick)(double&, double&) = larger;
  double a = in[0], b = in[1];
  pick(a, b) *= in[1];
  pick = smaller;
  const double least = pick(a, b);
  out[0] = a * b + least;
}

// case: at=1.25,0.4
void exits(const double* in, double* out) { out[0] = checked(in[0]) * checked(in[1] * in[0]); }

// case: at=1.25,0.4
void callInConditionAndIndex(const double* in, double* out) {
  Shape f = in[0] > 0.0 ? hard : soft;
  double x[3] = {in[0], in[1], 2.0};
  int i = 0;
  x[i] = f(x[i + 1]) + x[2];
  ++i;
  if (f(in[1]) < 0.5 && twice(f, in[0]) > 0.1) x[1] *= f(x[0]);
  while (f(x[1]) < 3.0) x[1] += f(in[0]);
  out[0] = x[0] * x[1] + static_cast<double>(i) * x[2] * in[1];
}

// Names of namespaces around that the function's own namespace, or one between, has too.
namespace around {
enum Kind { kFew = 2, kMany = 5 };
double rate = 0.2;
#pragma contraflow inactive
double pick(int i) { return 0.5 + i; }
double steep(double x) {
  const double y = x * x;
  rate = rate * 0.9 + 0.3 * y;
  return std::sin(x) * rate + y;
}
namespace inside {
enum Kind { kFew = 20, kMany = 50 };
double rate = 0.4;
[[maybe_unused]] double pick(int i) { return 100.0 * i; }
double steep(double x) {
  rate = rate * 0.7 + x;
  return std::exp(-x) * rate * x;
}
double abs(double x) { return std::sqrt(x * x + 1.0); }
namespace deep {
namespace around {
double steep(double x) { return 3.0 * x * x; }
}  // namespace around
double steep(double x) { return x * x * x; }
}  // namespace deep
}  // namespace inside
}  // namespace around
namespace all = around;
namespace around::inside::deep {
double sum(const double* x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) s += x[i] * x[i] * std::abs(i - 1);
  inside::rate = x[1];
  all::rate = 0.3 * x[0];
  for (int i = 0; i < 2; ++i)
    s += all::steep(x[i]) + inside::steep(x[i]) * steep(x[i]) + around::steep(x[i]) + abs(x[i]) + std::abs(x[2] - x[i]);
  const auto kind = n > 2 ? all::kMany : all::kFew;
  return s + all::rate * inside::rate + all::pick(2) * x[0] + static_cast<int>(kind) * x[1] * x[1];
}
}  // namespace around::inside::deep
// case: at=0.9,0.7,1.1
void namesOfNamespacesAround(const double* in, double* out) { out[0] = around::inside::deep::sum(in, 3); }

namespace choices {
double chosen(double x) { return x * x; }
namespace around {
namespace choices {
double chosen(double x) { return 3.0 * x * x * x; }
}  // namespace choices
double chosen(double x) { return 0.5 * x; }
double through(double x, int which) {
  double (*const all[3])(double) = {chosen, choices::chosen, chosen};
  double (*one)(double) = which > 0 ? &choices::chosen : &chosen;
  return all[which](x) + 0.1 * one(x);
}
}  // namespace around
double through(double x, int which) {
  double (*one)(double) = which > 0 ? &chosen : &around::choices::chosen;
  return one(x);
}
}  // namespace choices

// case: at=0.7
void addressesOfHiddenNames(const double* in, double* out) {
  out[0] = choices::around::through(in[0], 0) + 2.0 * choices::around::through(in[0], 1) + choices::through(in[0], 1) * choices::through(in[0], 0);
}
