// The core language: std::function with a known target, function objects of every kind, tags, aggregates that own vectors.
#include <cmath>
#include <functional>
#include <type_traits>
#include <vector>

double cube(double x) { return x * x * x; }
double applied(const std::function<double(double)>& f, double x) { return f(x) * x; }
double appliedTwice(std::function<double(double)> f, double x) { return applied(f, f(x)); }

// case: at=0.3,1.1,0.7
void functionOfLambda(const double* in, double* out) {
  double k = in[1];
  std::function<double(double)> f = [&](double x) { return x * k; };
  const double before = f(in[0]);
  k *= in[2];
  out[0] = before * f(in[2]) + appliedTwice(f, in[0]);
}

// case: at=0.3,1.1,0.7
void functionPassedOn(const double* in, double* out) {
  out[0] = applied([&](double x) { return x * in[1]; }, in[0]) + applied([](double x) { return std::sin(x); }, in[2]) + applied(cube, in[1]);
}

// case: at=0.3,1.1,0.7
void functionThatChangesState(const double* in, double* out) {
  double total = 0, last = in[0];
  int calls = 0;
  const std::function<double(double)> step = [&](double x) {
    ++calls;
    total += x * last;
    last = 0.5 * x + 0.25 * last;
    return last;
  };
  double y = in[1];
  for (int i = 0; i < 4; ++i) y = step(y) * in[2] + total;
  out[0] = y + total * calls + last;
}

double integrate(const std::function<double(double, double)>& rhs, double y, int n, const std::function<void(int, double)>& monitor = nullptr) {
  const double h = 0.1;
  for (int i = 0; i < n; ++i) {
    const double k1 = rhs(i * h, y), k2 = rhs((i + 0.5) * h, y + 0.5 * h * k1);
    y += h * k2;
    if (monitor) monitor(i, y);
  }
  return y;
}

// case: at=0.3,1.1,0.7
void functionAsCallback(const double* in, double* out) {
  double peak = 0;
  const double a = integrate([&](double t, double y) { return in[0] * y - in[1] * t * y * y; }, in[2], 5,
                             [&](int, double y) { peak = std::fmax(peak, y * in[0]); });
  const double b = integrate([](double, double y) { return -y; }, in[1], 3);
  out[0] = a * b + peak;
}

std::function<double(double)> scaled(double k) {
  return [k](double x) { return k * x * x; };
}

struct Problem {
  std::function<double(double)> source;
  std::function<double(double)> flux;
  double k;
};

// case: at=0.3,1.1,0.7
void functionsReturnedAndKept(const double* in, double* out) {
  const auto f = scaled(in[0] * in[1]);
  Problem p;
  p.k = in[2];
  p.source = [&](double x) { return x * in[0]; };
  p.flux = f;
  double y = in[1];
  for (int i = 0; i < 3; ++i) y += 0.1 * (p.source(y) - p.k * p.flux(y));
  std::function<double(double)> later;
  later = cube;
  out[0] = later(y) + f(in[2]);
}

struct Spring {
  double k;
  double operator()(double x) const { return -k * x; }
};

// case: at=0.3,1.1,0.7
void functionOfFunctor(const double* in, double* out) {
  Spring s{in[0]};
  std::function<double(double)> f = s;
  s.k = 7 * in[1];
  out[0] = f(in[1]) * s(in[2]) + applied(Spring{in[2]}, in[0]);
}

struct Params {
  double k;
  std::vector<double> w;
  int n = 2;
};

Params made(double a, const std::vector<double>& v) { return {a, v, static_cast<int>(v.size())}; }

// case: at=0.3,1.1,0.7
void aggregatesThatOwnVectors(const double* in, double* out) {
  Params p{in[0], std::vector<double>(in, in + 3), 3};
  Params q = {in[1], {in[0], in[1] * in[2]}};
  Params r{in[2], {}, 0};
  r.w.push_back(in[0] * r.k);
  double s = 0;
  for (int i = 0; i < p.n; ++i) s += p.k * p.w[i];
  for (int i = 0; i < q.n; ++i) s *= q.k + q.w[i];
  const Params m = made(s, p.w);
  for (double x : m.w) s += x * x * m.k;
  out[0] = s + r.w[0] * r.k + made(in[0], r.w).w[0] * m.n;
}

template <class T>
T power(T, std::integral_constant<int, 0>) {
  return T(1);
}
template <class T, int N>
T power(T x, std::integral_constant<int, N>) {
  return x * power(x, std::integral_constant<int, N - 1>());
}
double chosen(double x, std::true_type) { return x * x; }
double chosen(double x, std::false_type) { return x; }

// case: at=0.3,1.1,0.7
void tagDispatch(const double* in, double* out) {
  out[0] = power(in[1], std::integral_constant<int, 3>()) + chosen(in[0], std::is_floating_point<double>()) * chosen(in[2], std::false_type{});
}
