// Loops that read around themselves: their adjoints add to what neighbours add to, in strips of iterations. Long enough for several
// strips and a rest; too short for one; buffers apart, the same, and overlapping.
// group: hessian
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace {

void fill(const double* in, double* u, int n) {
  for (int i = 0; i < n; ++i) u[i] = in[i % 3] * (1.0 + 0.01 * i) + 0.1 * in[(i + 1) % 3];
}
double weigh(const double* u, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += (0.3 + 0.1 * (i % 7)) * u[i] * u[i];
  return sum;
}

void radiusOne(int n, const double* a, double* b) {
  for (int i = 1; i < n - 1; ++i) b[i] = a[i] + 0.2 * (a[i - 1] - 2.0 * a[i] + a[i + 1]);
}
void products(int n, const double* a, double* b) {
  for (int i = 1; i < n - 1; ++i) b[i] = a[i - 1] * a[i + 1] - a[i] * a[i] / (1.0 + a[i + 1] * a[i + 1]);
}
void upwind(int n, double r, const double* a, double* b) {
  for (int i = 1; i < n - 1; ++i) b[i] = a[i] - r * a[i] * (a[i] - a[i - 1]) + 0.1 * (a[i + 1] - 2.0 * a[i] + a[i - 1]);
}

}  // namespace

// case: at=0.3,1.1,-0.7
void constantCoefficients(const double* in, double* out) {
  double a[75], b[75] = {};
  fill(in, a, 75);
  radiusOne(75, a, b);
  out[0] = weigh(b, 75);
}

// Every number of iterations around one and two strips, and none.
// case: at=0.3,1.1,-0.7
void lengths(const double* in, double* out) {
  double a[80], b[80];
  fill(in, a, 80);
  out[0] = 0.0;
  const int all[13] = {0, 1, 2, 3, 5, 33, 34, 35, 36, 65, 66, 67, 80};
  for (int k = 0; k < 13; ++k) {
    const int n = all[k];
    for (int i = 0; i < 80; ++i) b[i] = 0.0;
    products(n, a, b);
    out[0] += weigh(b, 80) / (1.0 + n);
  }
}

// case: at=0.3,1.1,-0.7
void radiusThree(const double* in, double* out) {
  double a[90], b[90] = {};
  fill(in, a, 90);
  for (int i = 3; i < 87; ++i)
    b[i] = a[i - 3] * a[i + 3] - 0.5 * a[i - 2] * a[i] + std::sin(a[i + 2]) * a[i + 1] - a[i - 1];
  out[0] = weigh(b, 90);
}

// case: at=0.3,1.1,-0.7
void downwards(const double* in, double* out) {
  double a[90], b[90] = {};
  fill(in, a, 90);
  for (int i = 86; i > 2; --i) b[i] = a[i - 3] * a[i + 3] - a[i];
  for (int i = 85; i >= 3; --i) b[i] += 0.1 * a[i - 1] * a[i + 2];
  out[0] = weigh(b, 90);
}

// case: at=0.3,1.1,-0.7
void strides(const double* in, double* out) {
  double a[160], b[160] = {};
  fill(in, a, 160);
  for (int i = 1; i < 79; i += 2) b[i] = a[i - 1] * a[i + 1];
  for (int i = 0; i < 78; ++i) b[2 * i + 1] += a[2 * i] * a[2 * i + 2] - a[2 * i + 3];
  for (int i = 0; i < 50; ++i) b[99 - i] = a[100 - i] * a[98 - i];
  out[0] = weigh(b, 160);
}

// Every third element, elements that count down, and neighbours too far apart to be gathered beside near ones.
// case: at=0.3,1.1,-0.7
void gathered(const double* in, double* out) {
  double a[330], b[330] = {};
  fill(in, a, 330);
  for (int i = 1; i < 108; ++i) b[3 * i] = a[3 * i] * a[3 * i - 3] + std::sin(a[3 * i + 1]) * a[3 * i + 4] - a[3 * i + 3];
  out[0] = weigh(b, 330);
  for (int i = 1; i < 101; ++i) b[i] = a[101 - i] * a[100 - i] + 0.5 * a[102 - i] * in[0];
  out[0] += weigh(b, 330);
  for (int i = 0; i < 150; ++i) b[i] = a[i] * a[i + 21] - a[i + 20] * a[i + 1] + a[2 * i] * a[2 * i + 2] * a[2 * i + 1];
  out[0] -= weigh(b, 330);
}

namespace {
void fivePoints(int rows, int columns, double r, const double* k, const double* u, double* next) {
  for (int j = 1; j < rows - 1; ++j)
    for (int i = 1; i < columns - 1; ++i) {
      const int c = j * columns + i;
      const double here = k[c] * (1.0 + 0.1 * u[c]);
      const double west = k[c - 1] * (1.0 + 0.1 * u[c - 1]);
      const double east = k[c + 1] * (1.0 + 0.1 * u[c + 1]);
      next[c] = u[c] + r * ((here + west) * (u[c - 1] - u[c]) + (here + east) * (u[c + 1] - u[c]) +
                            k[c - columns] * (u[c - columns] - u[c]) + k[c + columns] * (u[c + columns] - u[c]));
    }
}
}  // namespace

// Swapped buffers; a coefficient of all cells, and one of each.
// case: at=0.3,1.1,-0.7
void timeLoop(const double* in, double* out) {
  const int rows = 6, columns = 71, n = rows * columns;
  std::vector<double> k(n), first(n), second(n);
  fill(in, k.data(), n);
  fill(in, first.data(), n);
  fill(in, second.data(), n);
  double *u = first.data(), *next = second.data();
  for (int step = 0; step < 3; ++step) {
    fivePoints(rows, columns, 0.01 * in[0], k.data(), u, next);
    double* old = u;
    u = next;
    next = old;
  }
  out[0] = weigh(u, n);
}

// The primal's own sums: terms so large that their order decides what is left of 1, and which branch is taken.
// case: at=0.3,1.1,-0.7
void primalSums(const double* in, double* out) {
  double t[100], u[100];
  fill(in, u, 100);
  for (int i = 0; i < 100; ++i) t[i] = 1.0;
  for (int i = 0; i < 99; ++i) {
    t[i] += 1e300;
    t[i + 1] -= 1e300;
  }
  out[0] = 0.0;
  for (int i = 1; i < 99; ++i) out[0] += t[i] > 0.5 ? 3.0 * u[i] : u[i] * u[i];
}

// Rows shorter than their loop: cells are written again and again.
// case: at=0.3,1.1,-0.7
void overlappingRows(const double* in, double* out) {
  double a[200], b[200] = {};
  fill(in, a, 200);
  for (int j = 1; j < 4; ++j)
    for (int i = 1; i < 50; ++i) b[j * 7 + i] = a[j * 9 + i - 1] * a[j * 9 + i + 1] + a[(j - 1) * 9 + i];
  out[0] = weigh(b, 200);
}

// case: at=0.3,1.1,-0.7
void sevenPoints(const double* in, double* out) {
  const int rows = 4, columns = 5, layers = 44;
  std::vector<double> a(rows * columns * layers), b(a.size());
  fill(in, a.data(), rows * columns * layers);
  for (int i = 1; i < rows - 1; ++i)
    for (int j = 1; j < columns - 1; ++j)
      for (int k = 1; k < layers - 1; ++k) {
        const int c = (i * columns + j) * layers + k;
        b[c] = a[c] * a[c] - 0.1 * (a[c - 1] + a[c + 1] + a[c - layers] + a[c + layers] + a[c - layers * columns] * a[c + layers * columns]);
      }
  out[0] = weigh(b.data(), rows * columns * layers);
}

// --- who lies where

namespace {
void twoSteps(int n, double* work) {
  double *a = work, *b = work + n;
  products(n, a, b);
  products(n, b, a);
}
}  // namespace

// case: at=0.3,1.1,-0.7
void oneWorkspace(const double* in, double* out) {
  std::vector<double> work(2 * 77);
  fill(in, work.data(), 2 * 77);
  twoSteps(77, work.data());
  out[0] = weigh(work.data(), 2 * 77);
}

// The same function with buffers apart, overlapping by part, and the same.
// case: at=0.3,1.1,-0.7
void overlaps(const double* in, double* out) {
  double work[300];
  fill(in, work, 300);
  upwind(80, 0.2, work, work + 100);
  upwind(80, 0.2, work + 100, work + 140);
  upwind(80, 0.1, work + 5, work);
  upwind(80, 0.1, work + 1, work);
  upwind(80, 0.1, work, work + 1);
  upwind(80, 0.1, work, work);
  upwind(80, 0.1, work + 200, work + 120);
  out[0] = weigh(work, 300);
}

// case: at=0.3,1.1,-0.7
void inPlace(const double* in, double* out) {
  double a[70];
  fill(in, a, 70);
  for (int i = 1; i < 69; ++i) a[i] = 0.4 * a[i - 1] + 0.5 * a[i + 1] * a[i];
  for (int i = 1; i < 69; ++i) a[i] += 0.1 * a[i - 1] * a[i + 1];
  out[0] = weigh(a, 70);
}

// Each iteration writes the same place.
// case: at=0.3,1.1,-0.7
void samePlace(const double* in, double* out) {
  double a[70], b[3] = {};
  fill(in, a, 70);
  for (int i = 1; i < 69; ++i) b[1] = a[i - 1] * a[i + 1] + 0.5 * b[0];
  out[0] = weigh(b, 3);
}

// The place is read again behind its overwrite.
// case: at=0.3,1.1,-0.7
void readBehind(const double* in, double* out) {
  double a[70], b[70] = {};
  fill(in, a, 70);
  for (int i = 1; i < 69; ++i) {
    b[i] = a[i - 1] * a[i + 1];
    b[i] = b[i] * b[i] + a[i] * b[i - 1];
  }
  out[0] = weigh(b, 70);
}

namespace {
struct Material {
  double rate, *values;
};
void byMember(int n, const Material& m, const double* a, double* b) {
  for (int i = 1; i < n - 1; ++i) b[i] = m.rate * (a[i - 1] + a[i + 1]) * a[i];
}
}  // namespace

// A coefficient in the memory that the loop writes, too.
// case: at=0.3,1.1,-0.7
void coefficientInMemory(const double* in, double* out) {
  double a[70], b[70] = {};
  fill(in, a, 70);
  Material m{in[1], nullptr};
  byMember(70, m, a, b);
  byMember(70, m, b, a);
  out[0] = weigh(a, 70);
}

// --- how arrays are named

// case: at=0.3,1.1,-0.7
void vectorsAndSizes(const double* in, double* out) {
  std::vector<double> a(81), b(81);
  std::array<double, 81> c{};
  fill(in, a.data(), 81);
  for (std::size_t i = 2; i + 2 < a.size(); ++i) b[i] = a[i - 2] * a[i + 2] + a[i + 1];
  for (std::size_t i = 1; i < 80; ++i) c[i] = b[i - 1] * b[i + 1] - b[i];
  for (long i = 1; i <= 79; ++i) b[i] = c[i - 1] - c[i + 1] * c[i];
  out[0] = weigh(b.data(), 81) + weigh(c.data(), 81);
}

namespace {
void smooth(const std::vector<double>& a, std::vector<double>& b) {
  const int n = static_cast<int>(a.size());
  for (int i = 1; i < n - 1; ++i) b[i] = a[i - 1] * a[i] + a[i + 1];
}
}  // namespace

// case: at=0.3,1.1,-0.7
void vectorsByReference(const double* in, double* out) {
  std::vector<double> a(70), b(70);
  fill(in, a.data(), 70);
  smooth(a, b);
  smooth(b, a);
  smooth(a, a);
  out[0] = weigh(a.data(), 70) + weigh(b.data(), 70);
}

// case: at=0.3,1.1,-0.7
void pointersToRows(const double* in, double* out) {
  const int rows = 5, columns = 68;
  std::vector<double> a(rows * columns), b(rows * columns);
  fill(in, a.data(), rows * columns);
  for (int j = 1; j < rows - 1; ++j) {
    const double *below = a.data() + (j - 1) * columns, *here = below + columns, *above = here + columns;
    double* target = b.data() + j * columns;
    for (int i = 1; i < columns - 1; ++i)
      target[i] = below[i] * above[i] + 0.3 * (here[i - 1] - here[i] * here[i + 1]) + below[i + 1];
  }
  out[0] = weigh(b.data(), rows * columns);
}

// case: at=0.3,1.1,-0.7
void severalResults(const double* in, double* out) {
  double a[70], b[70] = {}, c[70] = {};
  fill(in, a, 70);
  double sum = 0.0, rate = in[2];
  for (int i = 1; i < 69; ++i) {
    double flux = rate * (a[i + 1] - a[i]);
    flux += a[i] * a[i - 1];
    b[i] = flux * flux;
    c[i] -= flux * a[i + 1];
    sum += flux;
  }
  out[0] = weigh(b, 70) + weigh(c, 70) + sum;
}

namespace {
// d = -1u: an offset that wraps in 32 bits, and not in the 64 that addresses are compared in.
void shifted(int n, const double* a, double* b, unsigned d) {
  for (int i = 1; i < n - 1; ++i) b[i + d] = 0.3 * std::sin(a[i]) * a[i + 1];
}
}  // namespace

// case: at=0.3,1.1,-0.7
void wrappingOffset(const double* in, double* out) {
  double work[160];
  fill(in, work, 160);
  shifted(100, work, work + 3, 0u - 1u);
  shifted(100, work + 3, work, 0u - 1u);
  shifted(100, work + 3, work, 2u);
  out[0] = weigh(work, 160);
}
