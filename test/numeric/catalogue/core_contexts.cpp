// The core language: callbacks that get their data by `void*`, as C libraries hand it on.
#include <cmath>

struct Decay {
  double k, c;
  int calls;
};
typedef double (*Rhs)(double t, double y, void* data);

double decayRate(double, double y, void* p) {
  Decay* d = static_cast<Decay*>(p);
  ++d->calls;
  return -d->k * y + d->c;
}
double rk2(Rhs f, double y, int n, double h, void* data) {
  for (int i = 0; i < n; ++i) {
    const double k1 = f(i * h, y, data), k2 = f((i + 0.5) * h, y + 0.5 * h * k1, data);
    y += h * k2;
  }
  return y;
}

// case: at=0.8,1.1,0.7
void callbackWithContext(const double* in, double* out) {
  Decay d{in[0], in[1], 0};
  const double y = rk2(decayRate, in[2], 4, 0.1, &d);
  d.k *= y;
  out[0] = rk2(&decayRate, y, 2, 0.2, &d) * d.k + d.calls * in[0];
}

double weighted(const double* x, const void* weights) {
  const double* w = (const double*)weights;
  return w[0] * x[0] + w[1] * x[1] * x[1];
}
double minusWeighted(const double* x, const void* weights) { return -weighted(x, weights); }
using Cost = double (*)(const double*, const void*);

// case: at=0.8,1.1,0.7,0.4
void callbackOfSeveral(const double* in, double* out) {
  Cost costs[2] = {weighted, minusWeighted};
  double s = 0;
  for (int i = 0; i < 3; ++i) s = s * 0.5 + costs[i % 2](in, in + 2) * (i + 1);
  out[0] = s;
}

// The rates come back through a pointer, the state goes in by another: as in GSL and CVODE.
int lorenz(double, const double* y, double* dydt, void* params) {
  const double* p = static_cast<const double*>(params);
  dydt[0] = p[0] * (y[1] - y[0]);
  dydt[1] = y[0] * (p[1] - y[2]) - y[1];
  dydt[2] = y[0] * y[1] - p[2] * y[2];
  return 0;
}
struct System {
  int (*function)(double, const double*, double*, void*);
  int dimension;
};
int euler(const System& sys, double* y, double h, int steps, void* params) {
  double rate[3];
  for (int s = 0; s < steps; ++s) {
    if (sys.function(s * h, y, rate, params) != 0) return -1;
    for (int i = 0; i < sys.dimension; ++i) y[i] += h * rate[i];
  }
  return 0;
}

// case: at=1.0,0.8,1.1,1.2,0.9,0.4
void systemWithParameters(const double* in, double* out) {
  double y[3] = {in[0], in[1], in[2]}, p[3] = {in[3], in[4], in[5]};
  System sys{lorenz, 3};
  const int status = euler(sys, y, 0.05, 4, p);
  out[0] = status == 0 ? y[0] * y[1] + y[2] : 0;
}
