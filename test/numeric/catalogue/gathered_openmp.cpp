// OpenMP: parallel loops over rows, whose adjoints gather within each thread's band.
//
// group: openmp threads=1,2,3,4 hessian
#include <vector>

namespace {
void fill(const double* in, double* u, int n) {
  for (int i = 0; i < n; ++i) u[i] = in[i % 3] * (1.0 + 0.001 * i) + 0.1 * in[(i + 1) % 3];
}
double weigh(const double* u, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += (0.3 + 0.1 * (i % 7)) * u[i] * u[i];
  return sum;
}
}  // namespace

// case: at=0.3,1.1,-0.7
void bandsOfRows(const double* in, double* out) {
  std::vector<double> a(800), b(800);
  fill(in, a.data(), 800);
  out[0] = 0.0;
  for (int nx = 2; nx < 20; nx += 3) {
    const int ny = 36;
#pragma omp parallel for schedule(static)
    for (int i = 1; i < nx - 1; ++i)
      for (int j = 1; j < ny - 1; ++j)
        b[i * ny + j] = 0.2 * (a[(i - 1) * ny + j] + a[(i + 1) * ny + j] - a[i * ny + j - 1] + a[i * ny + j + 1]) + 0.1 * a[i * ny + j];
#pragma omp parallel for schedule(dynamic, 2)
    for (int i = nx - 2; i > 0; --i)
      for (int j = ny - 2; j > 0; --j) a[i * ny + j] = b[i * ny + j] + 0.3 * b[(i - 1) * ny + j + 1];
    out[0] += weigh(a.data(), 800);
  }
}

// case: at=0.3,1.1,-0.7
void layers(const double* in, double* out) {
  const int nx = 9, ny = 6, nz = 12;
  std::vector<double> a(nx * ny * nz), b(a.size());
  fill(in, a.data(), nx * ny * nz);
#pragma omp parallel for
  for (int i = 1; i < nx - 1; ++i)
    for (int j = 1; j < ny - 1; ++j)
      for (int k = 1; k < nz - 1; ++k) {
        const int at = (i * ny + j) * nz + k;
        b[at] = a[at - 1] + 0.5 * a[at + 1] - 0.25 * a[at - nz] + a[at + nz] * a[at] + 0.1 * a[at - ny * nz] + a[at + ny * nz];
      }
  out[0] = weigh(b.data(), nx * ny * nz);
}

// case: at=0.3,1.1,-0.7
void collapsedRows(const double* in, double* out) {
  const int nx = 5, ny = 4, nz = 40;
  std::vector<double> a(nx * ny * nz), b(a.size());
  fill(in, a.data(), nx * ny * nz);
#pragma omp parallel for collapse(2)
  for (int i = 1; i < nx - 1; ++i)
    for (int j = 1; j < ny - 1; ++j)
      for (int k = 1; k < nz - 1; ++k) {
        const int at = (i * ny + j) * nz + k;
        b[at] = a[at - 1] + 0.5 * a[at + 1] - 0.25 * a[at - nz] + a[at + nz];
      }
  out[0] = weigh(b.data(), nx * ny * nz);
}

// Coefficients that are differentiated too: each thread sums up what its iterations add.
// case: at=0.3,1.1,-0.7
void coefficientsOfRows(const double* in, double* out) {
  std::vector<double> a(800), b(800);
  fill(in, a.data(), 800);
  out[0] = 0.0;
  for (int nx = 2; nx < 20; nx += 5) {
    const int ny = 36;
    const double r = in[1] * 0.2;
#pragma omp parallel for schedule(static)
    for (int i = 1; i < nx - 1; ++i)
      for (int j = 1; j < ny - 1; ++j)
        b[i * ny + j] = r * (a[(i - 1) * ny + j] + a[(i + 1) * ny + j]) - in[2] * a[i * ny + j - 1] * a[i * ny + j + 1] + r;
#pragma omp parallel for
    for (int i = 1; i < nx * ny - 1; ++i) a[i] = b[i - 1] * in[0] + 0.5 * b[i + 1] + r;
    out[0] += weigh(a.data(), 800);
  }
}
