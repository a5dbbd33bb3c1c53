// Workspaces in pieces: `__restrict__` pointers into one array, which don't overlap as long as the function runs.
// group: hessian
#include <cmath>
#include <vector>

namespace {

void slope(int n, const double* u, double* k) {
  for (int i = 0; i < n; ++i) k[i] = (u[(i + 1) % n] - u[(i + n - 2) % n]) * u[(i + n - 1) % n] - u[i] + 0.5;
}
double dot(int n, const double* a, const double* b) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}
// Called twice with pieces exchanged: here they are one memory or the other.
void mix(double* work, int n, int first, double x) {
  double* __restrict__ p = work + first;
  double* __restrict__ q = work + n - first;
  for (int i = 0; i < n; ++i) p[i] = p[i] * x + q[i] * q[i];
}

}  // namespace

// case: at=0.3,1.1,-0.7
void stages(const double* in, double* out) {
  const int n = 7;
  double work[6 * n];
  double* __restrict__ u = work;
  double* __restrict__ stage = work + n;
  double* __restrict__ k1 = work + 2 * n;
  double* __restrict__ k2 = work + 3 * n;
  for (int i = 0; i < n; ++i) u[i] = in[i % 3] + 0.1 * i;
  for (int t = 0; t < 4; ++t) {
    slope(n, u, k1);
    for (int i = 0; i < n; ++i) stage[i] = u[i] + 0.05 * k1[i];
    slope(n, stage, k2);
    for (int i = 0; i < n; ++i) u[i] += 0.1 * k2[i];
  }
  out[0] = dot(n, u, u);
}

// case: at=0.3,1.1,-0.7
void conjugateDirections(const double* in, double* out) {
  const int n = 5;
  std::vector<double> work(4 * n);
  double* __restrict__ u = work.data();
  double* __restrict__ r = work.data() + n;
  double* __restrict__ p = &work[2 * n];
  double* __restrict__ q = p + n;  // of another piece: counted as one with it
  for (int i = 0; i < n; ++i) {
    u[i] = 0.0;
    r[i] = p[i] = 1.0 + in[i % 3] * i;
  }
  double rr = dot(n, r, r);
  for (int iteration = 0; iteration < 3; ++iteration) {
    for (int i = 0; i < n; ++i) q[i] = (3.0 + in[0] * in[0]) * p[i] - 0.5 * p[(i + 1) % n] - 0.5 * p[(i + n - 1) % n];
    const double alpha = rr / dot(n, p, q);
    for (int i = 0; i < n; ++i) {
      u[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const double next = dot(n, r, r), beta = next / rr;
    for (int i = 0; i < n; ++i) p[i] = r[i] + beta * p[i];
    rr = next;
  }
  for (int i = 0; i < n; ++i) out[0] = out[0] * (i > 0) + (1.0 + i) * u[i];
}

// Pieces of a caller's array, which the head reads and leaves results in; and one that is set anew.
// case: at=0.3,1.1,-0.7 out=2
void ofTheCaller(const double* in, double* out) {
  double* __restrict__ first = out;
  double* __restrict__ second = out + 1;
  const double* __restrict__ x = in;
  const double* __restrict__ y = in + 1;
  first[0] = x[0] * y[0];
  second[0] = std::sin(first[0]) * y[1];
  first[0] *= second[0];
  second[0] += first[0] * x[0];
  const double* __restrict__ any = in;
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    sum += *any * *any * first[0];
    ++any;
  }
  second[0] += sum;
}

// case: at=0.3,1.1,-0.7
void exchanged(const double* in, double* out) {
  double work[12];
  for (int i = 0; i < 12; ++i) work[i] = 0.1 * i + in[i % 3];
  mix(work, 4, 0, in[0]);
  mix(work, 4, 4, in[1]);
  for (int pass = 0; pass < 2; ++pass) {
    double* __restrict__ p = work + 4 * pass;  // another piece in each pass
    double* __restrict__ q = work + 4 - 4 * pass;
    for (int i = 0; i < 4; ++i) p[i] = std::sin(p[i]) * q[i];
  }
  out[0] = 0.0;
  for (int i = 0; i < 8; ++i) out[0] += work[i] * work[i];
}

// Blocks, and functions in place of their calls: each promise has ended when the next one begins, for the same memory.
// case: at=0.3,0.7,-0.4
void oneBehindTheOther(const double* in, double* out) {
  double work[6] = {};
  double* w = work;
  const auto fill = [&](double s) {
    double* __restrict__ p = w;
    for (int i = 0; i < 3; ++i) p[i] = s * in[i] * in[i];
  };
  const auto add = [&](double s) {
    double* __restrict__ q = w;
    for (int i = 0; i < 3; ++i) q[i] += s * q[i] * q[i];
  };
  fill(2.0);
  add(3.0);
  double* __restrict__ whole = work;
  out[0] = std::exp(whole[1]);
  {
    double* __restrict__ part = whole + 1;
    part[0] *= part[0] * part[1];
  }
  out[0] += std::exp(whole[1]) * whole[2];
}

// case: at=0.3,1.1,-0.7
void readThroughTheWorkspaceBehind(const double* in, double* out) {
  double work[8];
  {
    double* __restrict__ a = work;
    double* __restrict__ b = work + 4;
    for (int i = 0; i < 4; ++i) a[i] = in[0] * i + in[1];
    for (int i = 0; i < 4; ++i) b[i] = a[i] * a[3 - i];
    for (int i = 0; i < 4; ++i) a[i] = b[i] * in[2];
  }
  out[0] = 0.0;
  for (int i = 0; i < 8; ++i) out[0] += work[i] * work[i] * work[7 - i];
}
