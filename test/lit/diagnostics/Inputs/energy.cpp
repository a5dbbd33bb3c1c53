double scale = 2.0;

struct State {
  double u[4];
  int n;
};

double energy(const double* u, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += scale * u[i] * u[i];
  return sum;
}

double total(State& s) { return energy(s.u, s.n); }

double twice(double x) { return 2.0 * x; }
double twice(double x, int) { return 2.0 * x; }

int parity(int n) { return n % 2; }

void silent(double) {}

double fixed() { return scale; }
