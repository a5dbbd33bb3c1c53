// OpenMP: parallel loops whose iterations read around themselves. Their adjoints add to what neighbours add to.
//
// group: openmp threads=1,2,3,4 hessian
#include <cmath>
#include <cstddef>
#include <vector>

namespace {
constexpr int kRows = 14, kColumns = 9, kLayers = 5;
void fill(const double* in, double* u, int n) {
  for (int i = 0; i < n; ++i) u[i] = in[i % 3] * (1.0 + 0.01 * i) + 0.1 * in[(i + 1) % 3];
}
double weigh(const double* u, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += (0.3 + 0.1 * (i % 7)) * u[i] * u[i];
  return sum;
}
struct Cell {
  double u, v;
};
struct Grid {
  int rows, columns;
  double* values;
  int at(int j, int i) const { return j * columns + i; }
};
}  // namespace

// case: at=0.3,1.1,-0.7
void radiusTwo(const double* in, double* out) {
  double a[60], b[60] = {};
  fill(in, a, 60);
#pragma omp parallel for
  for (int i = 2; i < 58; ++i) b[i] = a[i - 2] * a[i + 2] - a[i] * a[i] + 0.3 * a[i + 1];
  out[0] = weigh(b, 60);
}

// case: at=0.3,1.1,-0.7
void downwardsInSteps(const double* in, double* out) {
  double a[70], b[70] = {};
  fill(in, a, 70);
#pragma omp parallel for schedule(static)
  for (int i = 60; i > 4; i -= 3) b[i] = std::sin(a[i - 4] * a[i + 5]) + a[i + 8] * a[i];
  out[0] = weigh(b, 70);
}

namespace {
void fivePoints(int rows, int columns, const double* k, const double* u, double* next) {
#pragma omp parallel for schedule(static)
  for (int j = 1; j < rows - 1; ++j)
    for (int i = 1; i < columns - 1; ++i) {
      const int c = j * columns + i;
      next[c] = u[c] + 0.1 * ((k[c] + k[c - 1]) * (u[c - 1] - u[c]) + (k[c] + k[c + 1]) * (u[c + 1] - u[c]) +
                              (k[c] + k[c - columns]) * (u[c - columns] - u[c]) +
                              (k[c] + k[c + columns]) * (u[c + columns] - u[c] * u[c]));
    }
}
}  // namespace

// case: at=0.3,1.1,-0.7
void timeLoopOfFivePoints(const double* in, double* out) {
  const int n = kRows * kColumns;
  std::vector<double> k(n), first(n), second(n);
  fill(in, k.data(), n);
  fill(in + 0, first.data(), n);
  double *u = first.data(), *next = second.data();
  for (int step = 0; step < 3; ++step) {
    fivePoints(kRows, kColumns, k.data(), u, next);
    double* old = u;
    u = next;
    next = old;
  }
  out[0] = weigh(u, n);
}

// Both buffers in one object: only the addresses tell them apart.
// case: at=0.3,1.1,-0.7
void buffersInOneObject(const double* in, double* out) {
  const int n = kRows * kColumns;
  std::vector<double> all(3 * n);
  double *k = all.data(), *u = k + n, *next = u + n;
  fill(in, k, n);
  fill(in, u, n);
  fivePoints(kRows, kColumns, k, u, next);
  fivePoints(kRows, kColumns, k, next, u);
  out[0] = weigh(u, n);
}

// What is written lies among what others read, and never meets it.
// case: at=0.3,1.1,-0.7
void interleavedInOneArray(const double* in, double* out) {
  double a[90];
  fill(in, a, 90);
  double *even = a, *odd = a + 1;
#pragma omp parallel for schedule(dynamic, 3)
  for (int i = 1; i < 40; ++i) odd[2 * i] = even[2 * i - 2] * even[2 * i] + even[2 * i + 2];
  out[0] = weigh(a, 90);
}

// case: at=0.3,1.1,-0.7
void collapsedLayers(const double* in, double* out) {
  double a[kLayers * kRows * kColumns], b[kLayers * kRows * kColumns] = {};
  fill(in, a, kLayers * kRows * kColumns);
#pragma omp parallel for collapse(2)
  for (int l = 1; l < kLayers - 1; ++l)
    for (int j = 1; j < kRows - 1; ++j)
      for (int i = 1; i < kColumns - 1; ++i) {
        const int c = (l * kRows + j) * kColumns + i;
        b[c] = a[c - 1] * a[c + 1] + a[c - kColumns] * a[c + kColumns] + a[c - kRows * kColumns] * a[c + kRows * kColumns];
      }
  out[0] = weigh(b, kLayers * kRows * kColumns);
}

// case: at=0.3,1.1,-0.7
void arrayOfRows(const double* in, double* out) {
  double a[kRows][kColumns], b[kRows][kColumns] = {};
  for (int j = 0; j < kRows; ++j) fill(in, a[j], kColumns);
#pragma omp parallel for
  for (int j = 1; j < kRows - 1; ++j)
    for (int i = 0; i < kColumns; ++i) b[j][i] = a[j - 1][i] * a[j + 1][kColumns - 1 - i] + a[j][i];
  out[0] = 0.0;
  for (int j = 0; j < kRows; ++j) out[0] += weigh(b[j], kColumns);
}

// case: at=0.3,1.1,-0.7
void vectorOfRows(const double* in, double* out) {
  std::vector<std::vector<double>> a(kRows, std::vector<double>(kColumns)), b(kRows, std::vector<double>(kColumns));
  for (int j = 0; j < kRows; ++j) fill(in, a[j].data(), kColumns);
#pragma omp parallel for
  for (int j = 2; j < kRows - 2; ++j)
    for (int i = 0; i < kColumns; ++i) b[j][i] = a[j - 2][i] * a[j + 2][kColumns - 1 - i] + a[j + 1][i];
  out[0] = 0.0;
  for (int j = 0; j < kRows; ++j) out[0] += weigh(b[j].data(), kColumns);
}

// case: at=0.3,1.1,-0.7
void cellsOfRecords(const double* in, double* out) {
  std::vector<Cell> a(50), b(50);
  for (int i = 0; i < 50; ++i) a[i] = {in[i % 3] + 0.02 * i, in[1] * 0.1 * i};
#pragma omp parallel for
  for (int i = 1; i < 49; ++i) {
    b[i].u = a[i - 1].u * a[i + 1].v;
    b[i].v = a[i + 1].u - a[i - 1].v * a[i].u;
  }
  out[0] = 0.0;
  for (int i = 0; i < 50; ++i) out[0] += b[i].u * b[i].u + 0.3 * b[i].v;
}

// case: at=0.3,1.1,-0.7
void gridWithMembers(const double* in, double* out) {
  std::vector<double> from(kRows * kColumns), to(kRows * kColumns);
  fill(in, from.data(), kRows * kColumns);
  const Grid a{kRows, kColumns, from.data()}, b{kRows, kColumns, to.data()};
#pragma omp parallel for
  for (int j = 1; j < a.rows - 1; ++j)
    for (int i = 0; i < a.columns; ++i)
      b.values[b.at(j, i)] = a.values[a.at(j - 1, i)] * a.values[a.at(j + 1, i)] + a.values[a.at(j, i)];
  out[0] = weigh(to.data(), kRows * kColumns);
}

// case: at=0.3,1.1,-0.7
void unsignedIndices(const double* in, double* out) {
  std::vector<double> a(60), b(60);
  fill(in, a.data(), 60);
  const std::size_t n = a.size(), width = 6;
#pragma omp parallel for
  for (std::size_t j = 1; j < n / width - 1; ++j)
    for (std::size_t i = 0; i < width; ++i) b[j * width + i] = a[(j - 1) * width + i] * a[(j + 1) * width + i];
  out[0] = weigh(b.data(), 60);
}

// A triangle of weights inside, and other strides of the same array: all iterations may meet.
// case: at=0.3,1.1,-0.7
void triangleInside(const double* in, double* out) {
  double a[80], b[20] = {};
  fill(in, a, 80);
#pragma omp parallel for
  for (int n = 0; n < 20; ++n)
    for (int k = 0; k < 4; ++k)
      for (int l = 0; l <= k; ++l) b[n] += 0.1 * a[n + k + l] * a[2 * n + l] + a[60 - n];
  out[0] = weigh(b, 20);
}

// case: at=0.3,1.1,-0.7
void noIterations(const double* in, double* out) {
  double a[20], b[20] = {};
  fill(in, a, 20);
  const int none = in[0] > 0.0 ? 0 : 20;
#pragma omp parallel for
  for (int i = 1; i < none; ++i) b[i] = a[i - 1] * a[i];
#pragma omp parallel for
  for (int i = 1; i < 19; ++i)
    for (int k = 3; k < none; ++k) b[i] += a[i] * a[k];
  out[0] = weigh(b, 20) + in[0] * in[1];
}

// In place: the reads are of what an earlier loop wrote, around what this one writes.
// case: at=0.3,1.1,-0.7
void redAndBlack(const double* in, double* out) {
  double u[62];
  fill(in, u, 62);
  for (int sweep = 0; sweep < 3; ++sweep) {
    for (int colour = 0; colour < 2; ++colour) {
#pragma omp parallel for
      for (int i = 1 + colour; i < 61; i += 2) u[i] += 0.2 * (u[i - 1] * u[i + 1] - u[i]);
    }
  }
  out[0] = weigh(u, 62);
}

// Guards, a private copy, an object that isn't there, a narrow unsigned counter: what the loop doesn't evaluate, nobody may.
// case: at=0.3,1.1,-0.7
void guardedAccesses(const double* in, double* out) {
  double a[50], b[50] = {}, few[3];
  fill(in, a, 50);
  fill(in, few, 3);
  const Grid* none = nullptr;
#pragma omp parallel for firstprivate(few)
  for (int i = 0; i < 50; ++i) {
    if (i < 3) b[i] += few[i] * a[i];
    if (i > 0) b[i] += a[i - 1] * a[i];
    if (none) b[i] += none->values[i + none->rows];
  }
  out[0] = weigh(b, 50);
}

// case: at=0.3,1.1,-0.7
void narrowUnsignedCounter(const double* in, double* out) {
  double a[50], b[50] = {};
  fill(in, a, 50);
#pragma omp parallel for
  for (unsigned i = 0; i < 50u; ++i) {
    if (i > 0) b[i] = a[i - 1] * a[i];
    if (i < 49u) b[i] += a[i + 1] * a[i];
  }
  out[0] = weigh(b, 50);
}

namespace {
void mix(int n, int shift, const double* a, const double* b, double* c) {
#pragma omp parallel for
  for (int i = 1; i < n - 1; ++i) c[i] = a[i - 1] * b[i + shift] + a[i + 1];
}
void rows(int n, int width, const double* u, double* v) {
  int w = width;
#pragma omp parallel for firstprivate(w)
  for (int j = 1; j < n - 1; ++j) {
    for (int i = w - 1; i >= 0; --i) v[j * w + i] = u[(j - 1) * w + i] * u[(j + 1) * w + (w - 1 - i)];
  }
}
struct Field {
  std::vector<double> u;
  int n;
};
void smooth(const Field& f, Field& g) {
#pragma omp parallel for
  for (int i = 1; i < f.n - 1; ++i) g.u[i] = f.u[i - 1] * f.u[i + 1];
}
void ragged(const std::vector<std::vector<double>>& r, const double* view, double* c, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) c[i] = r[i][0] * view[i + 1] + r[i + 1][1];
}
}  // namespace

// Views of one array whose distance is known at run time alone; a view of a row beside the rows; strides that change.
// case: at=0.3,1.1,-0.7
void twoViewsOfOne(const double* in, double* out) {
  std::vector<double> w(100), c(40);
  for (int i = 0; i < 100; ++i) w[i] = in[i % 3] + 0.01 * i;
  mix(40, 1, w.data(), w.data() + 3, c.data());
  mix(40, -1, w.data() + 20, w.data(), c.data());
  mix(40, 0, w.data(), c.data() , w.data() + 50);
  out[0] = 0;
  for (int i = 0; i < 40; ++i) out[0] += c[i] * c[i];
  for (int i = 0; i < 100; ++i) out[0] += 0.1 * w[i] * w[i];
}

// case: at=0.3,1.1,-0.7
void rowsBackwards(const double* in, double* out) {
  double u[120], v[120] = {};
  for (int i = 0; i < 120; ++i) u[i] = in[i % 3] + 0.01 * i;
  rows(20, 6, u, v);
  out[0] = 0;
  for (int i = 0; i < 120; ++i) out[0] += v[i] * v[i];
}

// case: at=0.3,1.1,-0.7
void recordsOfVectors(const double* in, double* out) {
  Field f, g;
  f.n = g.n = 50;
  f.u.resize(50);
  g.u.resize(50);
  for (int i = 0; i < 50; ++i) f.u[i] = in[i % 3] + 0.01 * i;
  smooth(f, g);
  smooth(g, f);
  out[0] = 0;
  for (int i = 0; i < 50; ++i) out[0] += f.u[i] * g.u[i];
}

// case: at=0.3,1.1,-0.7
void raggedAndView(const double* in, double* out) {
  std::vector<std::vector<double>> r(13, std::vector<double>(14));
  for (int i = 0; i < 13; ++i)
    for (int j = 0; j < 14; ++j) r[i][j] = in[(i + j) % 3] + 0.01 * i;
  double c[12];
  ragged(r, r[3].data(), c, 12);
  out[0] = 0;
  for (int i = 0; i < 12; ++i) out[0] += c[i] * c[i];
}

// case: at=0.3,1.1,-0.7
void changingStrideOutside(const double* in, double* out) {
  double u[200], v[200] = {};
  for (int i = 0; i < 200; ++i) u[i] = in[i % 3] + 0.01 * i;
  int stride = 1;
  for (int level = 0; level < 4; ++level) {
#pragma omp parallel for
    for (int i = 1; i < 20; ++i) v[i * stride] = u[i * stride - stride] * u[i * stride + stride] + u[i];
    stride *= 2;
#pragma omp parallel for
    for (int i = 0; i < 200; ++i) u[i] = u[i] * 0.9 + 0.1 * v[i] * v[i];
  }
  out[0] = 0;
  for (int i = 0; i < 200; ++i) out[0] += u[i];
}

// Two pointers into one workspace, of which only addresses tell whether they lie apart. Where they don't, no iteration of the primal
// meets another one all the same.
namespace {
void squared(int n, const double* a, double* b) {
#pragma omp parallel for schedule(static)
  for (int i = 1; i < n - 1; ++i) b[i] = a[i] - 0.2 * a[i] * (a[i] - a[i - 1]) + 0.1 * (a[i + 1] - 2.0 * a[i] + a[i - 1]);
}
void inPlaceOrNot(int n, const double* a, double* b) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) b[i] = std::sin(a[i]) * a[i];
}
void everySecond(int n, const double* a, double* b) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) b[2 * i] = a[2 * i] * a[2 * i + 2] + 0.3;
}
void upperHalf(int n, const double* a, double* b) {
#pragma omp parallel for schedule(dynamic, 3)
  for (int i = 0; i < n; ++i) {
    double s = 0.5;
    if (i < n / 2) s += a[i] * a[i];
    if (i >= n / 2) b[i] = 0.7 * s + 0.1 * i;
    if (i < n / 2) b[i + n] = s * s;
  }
}
void triangle(int rows, int row, double* from, double* to) {
#pragma omp parallel for
  for (int j = 0; j < rows; ++j)
    for (int i = j; i < rows; ++i) {
      const int at = j * row + i;
      to[at] = from[at] * from[at + row];
    }
}
}  // namespace

// case: at=0.3,1.1,-0.7
void buffersOfOneWorkspace(const double* in, double* out) {
  double work[80];
  double *a = work, *b = work + 40;
  fill(in, work, 80);
  for (int t = 0; t < 3; ++t) {
    squared(40, a, b);
    squared(40, b, a);
  }
  out[0] = weigh(work, 80);
}

// case: at=0.3,1.1,-0.7
void sameBufferOrNext(const double* in, double* out) {
  double work[80];
  fill(in, work, 80);
  inPlaceOrNot(40, work, work + 40);
  inPlaceOrNot(80, work, work);
  inPlaceOrNot(39, work + 41, work + 2);
  out[0] = weigh(work, 80);
}

// case: at=0.3,1.1,-0.7
void interleavedBuffers(const double* in, double* out) {
  double work[90];
  fill(in, work, 90);
  everySecond(40, work, work + 1);
  everySecond(20, work + 1, work + 46);
  everySecond(40, work + 1, work);
  out[0] = weigh(work, 90);
}

// case: at=0.3,1.1,-0.7
void partlyInCommon(const double* in, double* out) {
  double work[120];
  fill(in, work, 120);
  upperHalf(40, work, work + 10);  // reads up to 19 and stores from 30 on, but its ranges have 10 to 39 in common
  upperHalf(40, work, work + 40);
  out[0] = weigh(work, 120);
}

// case: at=0.3,1.1,-0.7
void rowsThatTouch(const double* in, double* out) {
  double work[200];
  fill(in, work, 200);
  triangle(8, 9, work, work + 81);
  triangle(8, 9, work + 81, work);
  triangle(0, 9, work, work);
  triangle(1, 9, work, work + 1);
  out[0] = weigh(work, 200);
}

// case: at=0.3,1.1,-0.7
void noIterationOfEither(const double* in, double* out) {
  double work[12];
  fill(in, work, 12);
  for (int n = 0; n < 5; ++n) {
    squared(n, work, work + 6);
    everySecond(n - 1, work, work + 1);
  }
  out[0] = weigh(work, 12);
}
