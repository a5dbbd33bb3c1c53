// The core language: lambdas and function objects, called where they are known.
#include <cmath>

template <class F>
double applyTwice(F f, double x) {
  return f(f(x));
}
template <class F>
void forEach(double* x, int n, F&& body) {
  for (int i = 0; i < n; ++i) body(x[i], i);
}

// case: at=0.3,1.1,-0.7,0.9
void lambdaByReference(const double* in, double* out) {
  double sum = in[0];
  const auto add = [&](double x) { sum += x * in[1]; };
  add(in[2]);
  add(sum * in[3]);
  for (int i = 0; i < 3; ++i) add(0.5 * i);
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7,0.9
void lambdaByValue(const double* in, double* out) {
  double a = in[0] * in[1];
  const auto scaled = [a](double x) { return a * x; };
  a *= in[2];
  auto count = [n = 1.0](double x) mutable {
    n += 1.0;
    return n * x;
  };
  out[0] = scaled(in[3]) + a + count(in[0]) * count(in[1]);
}

// case: at=0.3,1.1,-0.7,0.9
void lambdaReturnsEarly(const double* in, double* out) {
  const auto limited = [&](double x) {
    if (x < 0.0) return -x * in[0];
    for (int k = 1; k < 4; ++k) {
      x *= in[1];
      if (x * k > 1.0) return x + k;
      switch (k) {
        case 2:
          if (x > 0.4) return x * x;
          break;
        default: x += 0.01;
      }
    }
    return std::sin(x);
  };
  out[0] = limited(in[0]) + limited(in[1]) * limited(in[2]) + limited(in[3]);
}

// case: at=0.3,1.1,-0.7,0.9
void lambdaToTemplate(const double* in, double* out) {
  const double shift = in[1];
  double u[3] = {in[0], in[2], in[3]};
  double total = 0.0;
  forEach(u, 3, [&](double& x, int i) {
    x = x * x + i * shift;
    total += x;
  });
  out[0] = applyTwice([shift](double x) { return x * x * shift + 0.1; }, in[0]) + total * u[1];
}

// case: at=0.3,1.1,-0.7,0.9
void lambdaGeneric(const double* in, double* out) {
  const auto square = [](auto x) { return x * x; };
  const auto twice = [square](const auto& x) { return square(x) + square(2.0 * x); };
  const auto make = [](double f) { return [f](double x) { return f * x; }; };
  const auto triple = make(in[2]);
  out[0] = twice(in[0]) * square(in[1]) * square(3) + triple(in[3]);
}

struct Solver {
  double rate = 0.5;
  double run(double x) {
    const auto step = [this](double u) { return u - rate * u * u; };
    for (int i = 0; i < 3; ++i) {
      x = step(x);
      rate *= 0.9 + x;
    }
    return x;
  }
};

struct Polynomial {
  double a, b;
  double operator()(double x) const { return a * x * x + b * x; }
};

// case: at=0.3,1.1,-0.7,0.9
void functionObjects(const double* in, double* out) {
  Solver s;
  s.rate = in[1];
  const Polynomial p{in[2], in[3]};
  const double r = s.run(in[0]);
  out[0] = r * s.rate + applyTwice(p, in[0]) + p(in[1]);
}
