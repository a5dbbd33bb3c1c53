// OpenMP: parallel loops that read what others read too, at places that aren't known before. In the adjoint each thread adds to copies
// of its own; what it reads of shadows, or sets, must not miss what is in a copy.
//
// group: openmp threads=1,2,3,4 hessian
#include <omp.h>
#include <cmath>
#include <vector>

namespace {
constexpr int kSize = 40;
void fill(const double* in, double* u, int n) {
  for (int i = 0; i < n; ++i) u[i] = in[i % 3] * (1.0 + 0.01 * i) + 0.1 * in[(i + 1) % 3];
}
double weigh(const double* u, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += (0.3 + 0.1 * (i % 7)) * u[i] * u[i];
  return sum;
}
// A permutation of 0, ..., n - 1.
std::vector<int> shuffled(int n) {
  std::vector<int> order(n);
  for (int i = 0; i < n; ++i) order[i] = (7 * i + 3) % n;
  return order;
}
// The columns of the nonzeros in each row of a band; the number of nonzeros.
int band(int n, int* start, int* column) {
  int nonzeros = 0;
  for (int i = 0; i < n; ++i) {
    start[i] = nonzeros;
    for (int j = i - 2; j <= i + 5; j += 1 + i % 3)
      if (j >= 0 && j < n) column[nonzeros++] = j;
  }
  start[n] = nonzeros;
  return nonzeros;
}
}  // namespace

namespace {
void multiply(int n, const int* start, const int* column, const double* values, const double* x, double* y) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int j = start[i]; j < start[i + 1]; ++j) sum += values[j] * x[column[j]];
    y[i] = sum;
  }
}
}  // namespace

// case: at=0.3,1.1,-0.7
void sparseRows(const double* in, double* out) {
  int start[kSize + 1], column[8 * kSize];
  const int nonzeros = band(kSize, start, column);
  std::vector<double> values(nonzeros), x(kSize), y(kSize);
  fill(in, values.data(), nonzeros);
  fill(in, x.data(), kSize);
  for (int step = 0; step < 3; ++step) {
    multiply(kSize, start, column, values.data(), x.data(), y.data());
    for (int i = 0; i < kSize; ++i) x[i] += 0.1 * y[i] * y[i];
  }
  out[0] = weigh(x.data(), kSize);
}

// Product, matrix and vector in one array.
// case: at=0.3,1.1,-0.7
void sparseRowsInOneArray(const double* in, double* out) {
  int start[kSize + 1], column[8 * kSize];
  const int nonzeros = band(kSize, start, column);
  std::vector<double> all(nonzeros + 2 * kSize);
  fill(in, all.data(), nonzeros + kSize);
  multiply(kSize, start, column, all.data(), all.data() + nonzeros, all.data() + nonzeros + kSize);
  multiply(kSize, start, column, all.data(), all.data() + nonzeros + kSize, all.data() + nonzeros);
  out[0] = weigh(all.data() + nonzeros, kSize);
}

// case: at=0.3,1.1,-0.7
void allPairs(const double* in, double* out) {
  double x[3 * 12], energies[12];
  fill(in, x, 36);
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 12; ++i) {
    double energy = 0.0;
    for (int j = 0; j < 12; ++j) {
      const double dx = x[3 * i] - x[3 * j], dy = x[3 * i + 1] - x[3 * j + 1], dz = x[3 * i + 2] - x[3 * j + 2];
      energy -= 1.0 / std::sqrt(dx * dx + dy * dy + dz * dz + 0.3);
    }
    energies[i] = energy;
  }
  out[0] = weigh(energies, 12);
}

namespace {
void twice(int n, const int* p, const int* q, const double* x, double* y, double* z) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) {
    y[p[i]] = std::sin(x[q[i]]) * x[p[i]];
    z[p[i]] = y[p[i]] * y[p[i]] * x[q[i]];
  }
}
// What was written is read by another name.
void byTwoNames(int n, const int* p, const double* x, const double* y, double* z, double* w) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) {
    z[i] = 2.0 * x[p[i]] * x[p[i]];
    w[i] = y[p[i]] * y[p[i]];
  }
}
void linearByTwoNames(int n, const int* p, const double* x, const double* y, double* z, double* w) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) {
    z[i] = 2.0 * x[p[i]] - x[p[n - 1 - i]];
    w[i] = 3.0 * y[p[i]];
  }
}
void byTwoNamesAnywhere(int n, const int* p, const double* x, const double* y, double* z, double* w) {
#pragma omp parallel for schedule(dynamic, 3)
  for (int i = 0; i < n; ++i) {
    z[p[i]] = 2.0 * x[i] * x[n - 1 - i];
    w[p[i]] = y[p[i]] * y[p[i]] + x[p[i]];
  }
}
}  // namespace

// An adjoint is added to, read and set to zero in one iteration.
// case: at=0.3,1.1,-0.7
void readAfterWrite(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize), q = shuffled(kSize);
  std::vector<double> x(kSize), y(kSize), z(kSize);
  fill(in, x.data(), kSize);
  twice(kSize, p.data(), q.data() + 0, x.data(), y.data(), z.data());
  out[0] = weigh(z.data(), kSize) + weigh(y.data(), kSize);
}

// case: at=0.3,1.1,-0.7
void oneArrayByTwoNames(const double* in, double* out) {
  std::vector<int> same(kSize);
  for (int i = 0; i < kSize; ++i) same[i] = i;
  std::vector<double> x(kSize), y(kSize), w(kSize);
  fill(in, x.data(), kSize);
  byTwoNames(kSize, same.data(), x.data(), y.data(), y.data(), w.data());
  out[0] = weigh(y.data(), kSize) + weigh(w.data(), kSize);
}

// case: at=0.3,1.1,-0.7
void linearInOneArrayByTwoNames(const double* in, double* out) {
  std::vector<int> same(kSize);
  for (int i = 0; i < kSize; ++i) same[i] = i;
  std::vector<double> x(kSize), y(kSize), w(kSize);
  fill(in, x.data(), kSize);
  linearByTwoNames(kSize, same.data(), x.data(), y.data(), y.data(), w.data());
  out[0] = weigh(y.data(), kSize) + weigh(w.data(), kSize);
}

// case: at=0.3,1.1,-0.7
void oneArrayByTwoNamesAnywhere(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(kSize), y(kSize), w(kSize);
  fill(in, x.data(), kSize);
  byTwoNamesAnywhere(kSize, p.data(), x.data(), y.data(), y.data(), w.data());
  out[0] = weigh(y.data(), kSize) + weigh(w.data(), kSize);
}

// case: at=0.3,1.1,-0.7
void inPlaceAtIndex(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(kSize);
  fill(in, x.data(), kSize);
  double* const w = x.data();
  const int* const at = p.data();
#pragma omp parallel for schedule(guided)
  for (int i = 0; i < kSize; ++i) {
    w[at[i]] = std::sin(w[at[i]]) * w[at[i]];
    w[at[i]] += w[at[i]] * w[at[i]];
  }
  out[0] = weigh(w, kSize);
}

// Elements far apart, and near to each other in another place.
// case: at=0.3,1.1,-0.7
void farApart(const double* in, double* out) {
  std::vector<double> x(6000), y(kSize);
  fill(in, x.data(), 6000);
  const int n = kSize;
  int places[kSize];
  for (int i = 0; i < n; ++i) places[i] = i % 2 == 0 ? (i * 149) % 6000 : 5000 - i;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int k = 0; k < n; ++k) sum += x[places[k]] * x[places[(k + i) % n]];
    y[i] = sum;
  }
  out[0] = weigh(y.data(), n);
}

// Downwards and upwards from the middle of a large array.
// case: at=0.3,1.1,-0.7
void growingBothWays(const double* in, double* out) {
  std::vector<double> x(3000), y(kSize);
  fill(in, x.data(), 3000);
  const std::vector<int> p = shuffled(kSize);
#pragma omp parallel for
  for (int i = 0; i < kSize; ++i) {
    double sum = 0.0;
    for (int k = 0; k < 1400; k += 1 + p[i] % 3) sum += x[1500 - k] * x[1500 + k] * 0.01;
    y[p[i]] = sum;
  }
  out[0] = weigh(y.data(), kSize);
}

namespace {
struct Particle {
  int kind;
  double x, v;
  float weight;
};
}  // namespace

// case: at=0.3,1.1,-0.7 precision=1e-6 nohessian
void membersAndFloats(const double* in, double* out) {
  Particle particles[kSize];
  for (int i = 0; i < kSize; ++i) particles[i] = {i % 4, in[i % 3] + 0.01 * i, in[(i + 1) % 3], static_cast<float>(in[(i + 2) % 3])};
  const std::vector<int> p = shuffled(kSize);
  double sums[kSize];
#pragma omp parallel for schedule(static, 3)
  for (int i = 0; i < kSize; ++i) {
    double sum = 0.0;
    for (int j = 0; j < kSize; ++j) {
      const Particle& other = particles[p[j]];
      if (other.kind == i % 4) sum += (particles[i].x - other.x) * other.v * other.weight;
    }
    sums[i] = sum;
  }
  out[0] = weigh(sums, kSize);
  for (int i = 0; i < kSize; ++i) out[0] += particles[i].kind;
}

// case: at=0.3,1.1,-0.7
void rowsOfTheirOwn(const double* in, double* out) {
  std::vector<std::vector<double>> rows(8, std::vector<double>(9));
  for (int i = 0; i < 8; ++i) fill(in, rows[i].data(), 9);
  double sums[kSize];
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 5; ++j) {
      double sum = 0.0;
      for (int k = 0; k < 8; ++k) sum += rows[k][(i + j) % 9] * rows[(k + i) % 8][j];
      sums[5 * i + j] = sum;
    }
  out[0] = weigh(sums, kSize);
}

// case: at=0.3,1.1,-0.7
void rowPointers(const double* in, double* out) {
  std::vector<double> matrix(kSize * kSize), y(kSize);
  fill(in, matrix.data(), kSize * kSize);
  const std::vector<int> p = shuffled(kSize);
  const double* a = matrix.data();
#pragma omp parallel for schedule(static)
  for (int i = 0; i < kSize; ++i) {
    const double* row = a + p[i] * kSize;
    const double* other = a + p[kSize - 1 - i] * kSize;
    double sum = 0.0;
    for (int j = 0; j < kSize; ++j) sum += row[j] * other[p[j]] + *(row + p[j]);
    y[i] = sum;
  }
  out[0] = weigh(y.data(), kSize);
}

// One region with several loops, in a loop of its own.
// case: at=0.3,1.1,-0.7
void loopsOfARegion(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(kSize), y(kSize);
  fill(in, x.data(), kSize);
#pragma omp parallel
  for (int step = 0; step < 3; ++step) {
#pragma omp for schedule(static)
    for (int i = 0; i < kSize; ++i) y[p[i]] = 0.5 * x[p[(i + 3) % kSize]] * x[p[i]];
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < kSize; ++i) x[i] = y[p[i]] + std::sin(y[p[(i + 7) % kSize]]);
  }
  out[0] = weigh(x.data(), kSize);
}

// case: at=0.3,1.1,-0.7
void nowaitBetween(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(kSize), y(kSize), z(kSize);
  fill(in, x.data(), kSize);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < kSize; ++i) y[i] = x[p[i]] * x[p[(i + 1) % kSize]];
#pragma omp for schedule(static) nowait
    for (int i = 0; i < kSize; ++i) z[i] = x[p[i]] * x[i] + y[i];
#pragma omp master
    out[0] = x[3] * x[5];
  }
  out[0] += weigh(z.data(), kSize);
}

// No iterations, and one.
// case: at=0.3,1.1,-0.7
void hardlyAnyIterations(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(kSize), y(kSize);
  fill(in, x.data(), kSize);
  for (int trips = 0; trips < 2; ++trips) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < trips; ++i) y[i] = x[p[i]] * x[p[i + 1]];
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i > trips; --i) y[i] = x[p[i]] * x[p[i + 1]];
  }
  out[0] = weigh(y.data(), kSize);
}

// What a thread carries from one iteration to the next: reversed by the same threads.
// case: at=0.3,1.1,-0.7
void carriedByThreads(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(kSize), y(kSize);
  fill(in, x.data(), kSize);
#pragma omp parallel
  {
    double scratch[2] = {0.0, 0.0};
#pragma omp for schedule(static)
    for (int i = 0; i < kSize; ++i) {
      scratch[i % 2] = x[p[i]] * x[p[(i + 1) % kSize]];
      y[p[i]] = scratch[i % 2] * x[i];
      y[p[i]] *= y[p[i]];
    }
  }
  out[0] = weigh(y.data(), kSize);
}

// Overwritten values are needed, so that they are recorded by the threads.
// case: at=0.3,1.1,-0.7
void recordedByThreads(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(kSize), y(kSize, 0.5);
  fill(in, x.data(), kSize);
  double* const v = y.data();
  const double* const u = x.data();
  const int* const at = p.data();
  for (int step = 0; step < 2; ++step)
#pragma omp parallel for schedule(dynamic, 3)
    for (int i = 0; i < kSize; ++i) {
      double a = u[at[i]];
      while (a < 0.6) a += 0.3 + 0.1 * a * a;
      v[at[i]] *= v[at[i]] * u[at[(i + 5) % kSize]];
      v[at[i]] += a;
    }
  out[0] = weigh(y.data(), kSize);
}

// A shared number behind a pointer that may lead to an array.
// case: at=0.3,1.1,-0.7
void numberBehindAPointer(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(kSize), y(kSize);
  fill(in, x.data(), kSize);
  double shared = in[1];
  double* const both[2] = {&shared, x.data()};
  const int n = kSize;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) {
    const double* from = both[i % 2];
    y[i] = from[i % 2 == 0 ? 0 : p[i]] * shared * x[p[n - 1 - i]];
    if (i == n - 1) x[p[0]] = y[i] * shared;
  }
  out[0] = weigh(y.data(), n) + x[p[0]];
}

namespace {
double table[kSize];
double pair(double a, double b) { return std::sin(a * b) + a; }
void both(const double* u, const int* p, int i, double* v) { v[p[i]] = u[p[(i + 1) % kSize]] * u[p[i]]; }
}  // namespace

// case: at=0.3,1.1,-0.7
void globalsAndCalls(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  fill(in, table, kSize);
  std::vector<double> y(kSize), z(kSize);
  const int* const at = p.data();
  const double* const u = y.data();
  double* const v = z.data();
#pragma omp parallel for schedule(static)
  for (int i = 0; i < kSize; ++i) y[i] = pair(table[at[i]], table[at[(i + 3) % kSize]]) * table[i];
#pragma omp parallel for schedule(static)
  for (int i = 0; i < kSize; ++i) {
    both(u, at, i, v);
    v[at[i]] *= u[at[(i + 2) % kSize]];
  }
  out[0] = weigh(v, kSize);
}

// Read only under a condition that says whether it is there.
// case: at=0.3,1.1,-0.7
void underConditions(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(kSize), y(kSize), z(kSize);
  fill(in, x.data(), kSize);
  const double* const u = x.data();
  double* const v = y.data();
  double* const w = z.data();
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < kSize; ++i) {
    const int to = i % 3 == 0 ? -1 : p[i];
    if (to >= 0) {
      v[to] = u[p[i]] * u[p[(i + 1) % kSize]];
      if (v[to] > 0.1) v[to] *= v[to] * u[p[(i + 2) % kSize]];
      w[to] = to > 3 ? v[to] * u[to] : v[to];
    }
  }
  out[0] = weigh(v, kSize) + weigh(w, kSize);
}

// Atomic updates: their adjoints are read by all threads.
// case: at=0.3,1.1,-0.7
void edges(const double* in, double* out) {
  std::vector<double> u(12), residual(12, 0.0);
  fill(in, u.data(), 12);
  int left[kSize], right[kSize];
  for (int e = 0; e < kSize; ++e) {
    left[e] = 5 * e % 12;
    right[e] = (left[e] + 1 + e % 7) % 12;
  }
  double* const r = residual.data();
  const double* const state = u.data();
#pragma omp parallel for schedule(dynamic)
  for (int e = 0; e < kSize; ++e) {
    const double flux = state[left[e]] * state[right[e]] + std::sin(state[left[e]]);
#pragma omp atomic
    r[left[e]] += flux;
#pragma omp atomic
    r[right[e]] -= flux * state[right[e]];
  }
  out[0] = weigh(r, 12);
}

// case: at=0.3,1.1,-0.7
void teamsOfOtherSizes(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(kSize), y(kSize);
  fill(in, x.data(), kSize);
#pragma omp parallel for schedule(static) num_threads(5)
  for (int i = 0; i < kSize; ++i) y[i] = x[p[i]] * x[p[(i + 1) % kSize]];
#pragma omp parallel for schedule(static) if (y.size() < 3)
  for (int i = 0; i < kSize; ++i) x[i] = y[p[i]] * y[p[(i + 1) % kSize]];
  out[0] = weigh(x.data(), kSize);
}

// --- pointers and references in all places

// A thread's own array behind a pointer, which is all that leads there.
// case: at=0.3,1.1,-0.7
void ownArrayBehindAPointer(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(kSize), y(kSize);
  fill(in, x.data(), kSize);
#pragma omp parallel
  {
    double scratch[4] = {0.0, 0.0, 0.0, 0.0};
    double* t = scratch;
#pragma omp for schedule(static)
    for (int i = 0; i < kSize; ++i) {
      for (int k = 0; k < 4; ++k) t[(k + i) % 4] = x[p[i]] * (k + 1) + x[p[k]];
      y[p[i]] = t[p[i] % 4] * t[0] * scratch[1];
    }
  }
  out[0] = weigh(y.data(), kSize);
}

// case: at=0.3,1.1,-0.7
void arrayOfTheIteration(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(kSize), y(kSize);
  fill(in, x.data(), kSize);
  const double* const u = x.data();
  double* const v = y.data();
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < kSize; ++i) {
    double scratch[3];
    const double* from = i % 2 == 0 ? u : scratch;
    double* t = scratch;
    for (int k = 0; k < 3; ++k) t[k] = u[p[i]] * u[p[k]] + k;
    t[p[i] % 3] *= from[p[i] % 3];
    v[p[i]] = t[0] * t[1] + scratch[2] * from[1];
  }
  out[0] = weigh(v, kSize);
}

// case: at=0.3,1.1,-0.7
void referencesToElements(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(kSize), y(kSize);
  fill(in, x.data(), kSize);
  double* const u = x.data();
  double* const v = y.data();
  const double& third = u[3];
#pragma omp parallel for schedule(static)
  for (int i = 0; i < kSize; ++i) {
    const double& a = u[p[i]];
    double& b = v[p[i]];
    b = a * third;
    b = b * b + a * u[i];
  }
  out[0] = weigh(v, kSize);
}

namespace {
struct Field {
  std::vector<double> values, other;
  const int* order;
  double scale;
  double at(int i) const { return values[order[i]] * scale; }
  void update(double* v) const {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < kSize; ++i) v[order[i]] = at(i) * at((i + 1) % kSize) + other[order[i]];
  }
  void inPlace() {
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < kSize; ++i) {
      values[order[i]] *= other[order[kSize - 1 - i]];
      values[order[i]] += values[order[i]] * scale;
    }
  }
};
}  // namespace

// case: at=0.3,1.1,-0.7
void membersOfAnObject(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  Field field{std::vector<double>(kSize), std::vector<double>(kSize), p.data(), in[1]};
  fill(in, field.values.data(), kSize);
  fill(in, field.other.data(), kSize);
  field.inPlace();
  std::vector<double> v(kSize);
  field.update(v.data());
  out[0] = weigh(v.data(), kSize);
}

// case: at=0.3,1.1,-0.7
void pointersToRows(const double* in, double* out) {
  double storage[6][kSize], result[kSize];
  double* rows[6];
  for (int k = 0; k < 6; ++k) {
    fill(in, storage[k], kSize);
    rows[(5 * k) % 6] = storage[k];
  }
  const std::vector<int> p = shuffled(kSize);
  double* const* const table = rows;
#pragma omp parallel for collapse(2) schedule(static, 3)
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < kSize / 4; ++i) {
      table[k][p[i]] = table[5 - k][p[i]] * table[5 - k][p[(i + 1) % kSize]];
      table[k][p[i]] *= table[k][p[i]] * table[5][i];
    }
  for (int i = 0; i < kSize; ++i) result[i] = rows[0][i] * rows[1][i] + rows[2][i];
  out[0] = weigh(result, kSize);
}

// What every thread computes for itself, in the region.
// case: at=0.3,1.1,-0.7
void computedByEachThread(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(kSize), y(kSize);
  fill(in, x.data(), kSize);
#pragma omp parallel
  {
    double mean = 0.0;
    for (int k = 0; k < kSize; ++k) mean += x[p[k]] * x[k] / kSize;
    for (int step = 0; step < 2; ++step) {
#pragma omp for schedule(static)
      for (int i = 0; i < kSize; ++i) y[p[i]] = mean * x[p[(i + 1) % kSize]] + y[p[i]] * y[p[i]];
      for (int k = 0; k < 3; ++k) mean += 0.1 * x[p[k]];
    }
  }
  out[0] = weigh(y.data(), kSize);
}

// case: at=0.3,1.1,-0.7
void constructsUnderConditions(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(kSize), y(kSize, 0.2);
  fill(in, x.data(), kSize);
#pragma omp parallel
  for (int step = 0; step < 3; ++step) {
    if (step % 2 == 0) {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < kSize; ++i) y[p[i]] *= x[p[(i + step) % kSize]];
    } else {
#pragma omp single
      for (int i = 0; i < kSize; ++i) y[p[i]] += x[p[(i + 3) % kSize]] * y[p[i]];
    }
#pragma omp master
    for (int i = 0; i < 3; ++i) x[p[i]] = 0.5 * x[p[i]] * y[p[i]];
#pragma omp barrier
  }
  out[0] = weigh(y.data(), kSize);
}

// The size of a vector changes between loops, and where it lies.
// case: at=0.3,1.1,-0.7
void growingVectors(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(8), y(kSize);
  fill(in, x.data(), 8);
  for (int step = 0; step < 3; ++step) {
    const int n = static_cast<int>(x.size());
#pragma omp parallel for
    for (int i = 0; i < kSize; ++i) y[i] += x[p[i] % n] * x[i % n];
    for (int k = 0; k < 9; ++k) x.push_back(y[p[k]]);
    x.swap(y);
    y.resize(kSize);
    x.resize(n + 5);
  }
  out[0] = weigh(y.data(), kSize) + weigh(x.data(), 8);
}

// case: at=0.3,1.1,-0.7
void lastAndFirstprivate(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(kSize), y(kSize);
  fill(in, x.data(), kSize);
  double last = in[0], first = in[1], sum = in[2];
#pragma omp parallel for lastprivate(last) firstprivate(first) reduction(+ : sum) schedule(static, 2)
  for (int i = 0; i < kSize; ++i) {
    last = x[p[i]] * first;
    sum += last * x[p[(i + 2) % kSize]];
    y[p[i]] = last;
    y[p[i]] *= y[p[i]] * first;
  }
  out[0] = weigh(y.data(), kSize) + last * sum;
}

namespace {
void scatter(int n, const int* p, double* a, double* b, double& c) {
#pragma omp parallel for schedule(dynamic, 2)
  for (int i = 0; i < n; ++i) {
    b[p[i]] = a[p[i]] * a[p[i]] + c;
    if (b[p[i]] > 0.5) b[p[i]] = b[p[i]] * a[p[i]];
  }
}
}  // namespace

// Source and target are one array, and a number of it is passed by reference.
// case: at=0.3,1.1,-0.7
void oneArrayInAllParts(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(kSize + 1);
  fill(in, x.data(), kSize + 1);
  scatter(kSize, p.data(), x.data(), x.data(), x[kSize]);
  scatter(kSize, p.data(), x.data(), x.data(), x[kSize]);
  out[0] = weigh(x.data(), kSize + 1);
}

// case: at=0.3,1.1,-0.7 nohessian
void readInAnEndlessCondition(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<double> x(kSize), y(kSize);
  fill(in, x.data(), kSize);
  double* const u = x.data();
  double* const v = y.data();
#pragma omp parallel for schedule(static)
  for (int i = 0; i < kSize; ++i) {
    v[p[i]] = u[p[i]];
    int count = 0;
    while (v[p[i]] < 1.5 && count++ < 5) v[p[i]] += 0.3 + 0.2 * v[p[i]] * u[p[(i + count) % kSize]];
    v[p[i]] = (count > 2 ? v[p[i]] : u[p[i]]) * v[p[i]];
  }
  out[0] = weigh(v, kSize);
}

// case: at=0.3,1.1,-0.7 precision=1e-6 nohessian
void floatsAmongDoubles(const double* in, double* out) {
  const std::vector<int> p = shuffled(kSize);
  std::vector<float> x(kSize);
  std::vector<double> y(kSize), z(kSize);
  for (int i = 0; i < kSize; ++i) x[i] = static_cast<float>(in[i % 3] + 0.01 * i);
#pragma omp parallel for
  for (int i = 0; i < kSize; ++i) {
    y[p[i]] = x[p[i]] * x[p[(i + 1) % kSize]];
    z[p[i]] = y[p[i]] * y[p[i]] - x[p[i]];
  }
  out[0] = weigh(z.data(), kSize);
}
