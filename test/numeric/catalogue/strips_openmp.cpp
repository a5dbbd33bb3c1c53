// OpenMP: parallel loops over rows that are long enough for strips.
//
// group: openmp threads=1,2,3,4 hessian
#include <vector>

namespace {
constexpr int kRows = 9, kColumns = 75, kCells = kRows * kColumns;
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
void oneDimension(const double* in, double* out) {
  double a[300], b[300] = {};
  fill(in, a, 300);
#pragma omp parallel for schedule(static)
  for (int i = 2; i < 298; ++i) b[i] = a[i - 2] * a[i + 2] - a[i] * a[i] + 0.3 * a[i + 1];
  out[0] = weigh(b, 300);
}

// case: at=0.3,1.1,-0.7
void schedules(const double* in, double* out) {
  std::vector<double> k(kCells), a(kCells), b(kCells), c(kCells);
  fill(in, k.data(), kCells);
  fill(in, a.data(), kCells);
#pragma omp parallel for schedule(dynamic)
  for (int j = 1; j < kRows - 1; ++j)
    for (int i = 1; i < kColumns - 1; ++i) {
      const int at = j * kColumns + i;
      b[at] = a[at] + k[at] * (a[at - 1] * a[at + 1] - a[at]) + k[at - kColumns] * a[at + kColumns];
    }
#pragma omp parallel for schedule(guided)
  for (int j = 1; j < kRows - 1; ++j)
    for (int i = kColumns - 2; i > 0; --i) {
      const int at = j * kColumns + i;
      c[at] = b[at - 1] * b[at + kColumns] - b[at + 1] * b[at - kColumns];
    }
  out[0] = weigh(c.data(), kCells);
}

// case: at=0.3,1.1,-0.7
void collapsed(const double* in, double* out) {
  const int layers = 40;
  std::vector<double> a(4 * 5 * layers), b(a.size());
  fill(in, a.data(), 4 * 5 * layers);
#pragma omp parallel for collapse(2)
  for (int i = 1; i < 3; ++i)
    for (int j = 1; j < 4; ++j)
      for (int k = 1; k < layers - 1; ++k) {
        const int at = (i * 5 + j) * layers + k;
        b[at] = a[at - 1] * a[at + 1] + a[at - layers] * a[at + layers] - a[at - 5 * layers] + a[at + 5 * layers];
      }
  out[0] = weigh(b.data(), 4 * 5 * layers);
}

// case: at=0.3,1.1,-0.7
void vectorised(const double* in, double* out) {
  double a[100], b[100] = {};
  fill(in, a, 100);
#pragma omp simd
  for (int i = 1; i < 99; ++i) b[i] = a[i - 1] * a[i + 1] - a[i];
#pragma omp parallel for simd
  for (int i = 1; i < 99; ++i) a[i] = b[i - 1] * b[i + 1] - b[i];
  out[0] = weigh(a, 100);
}

namespace {
void step(int rows, int columns, const double* a, double* b) {
#pragma omp parallel for schedule(static)
  for (int j = 1; j < rows - 1; ++j)
    for (int i = 1; i < columns - 1; ++i)
      b[j * columns + i] = a[j * columns + i] + 0.1 * (a[(j - 1) * columns + i] * a[(j + 1) * columns + i] +
                                                       a[j * columns + i - 1] - a[j * columns + i + 1] * a[j * columns + i]);
}
}  // namespace

namespace {
struct Plate {
  int rows, columns;
  double rate;
};
void diffuse(const Plate& p, const double* k, const double* a, double* b) {
  const double rate = p.rate;
#pragma omp parallel for schedule(static)
  for (int j = 1; j <= p.rows; ++j)
    for (int i = 1; i <= p.columns; ++i) {
      const int c = j * (p.columns + 2) + i;
      b[c] = a[c] + rate * k[c] * (a[c - 1] * a[c + 1] - a[c - p.columns - 2] + a[c + p.columns + 2] * k[c + 1]);
    }
}
}  // namespace

// Bounds and strides that are members.
// case: at=0.3,1.1,-0.7
void membersAsBounds(const double* in, double* out) {
  const Plate p{5, 70, 0.1 * in[2]};
  const int n = 7 * 72;
  std::vector<double> k(n), a(n), b(n);
  fill(in, k.data(), n);
  fill(in, a.data(), n);
  fill(in, b.data(), n);
  diffuse(p, k.data(), a.data(), b.data());
  diffuse(p, k.data(), b.data(), a.data());
  out[0] = weigh(a.data(), n);
}

// Apart, overlapping by some rows, and the same.
// case: at=0.3,1.1,-0.7
void buffersOfOneObject(const double* in, double* out) {
  std::vector<double> work(3 * kCells);
  fill(in, work.data(), 3 * kCells);
  double* const a = work.data();
  step(kRows, kColumns, a, a + kCells);
  step(kRows, kColumns, a + kCells, a);
  step(kRows, kColumns, a, a + 2 * kCells);
  out[0] = weigh(a, 3 * kCells);
}
