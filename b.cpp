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

#include "contraflow/runtime.hpp"

// Generated by contraflow: the derivatives that b.hpp declares.

namespace {

static void weigh_b(const double* u, double* u_b, int n, double weigh_seed, contraflow::Tape& tape);
static void fivePoints_fwd(int rows, int columns, const double* k, double* k_b, const double* u, double* u_b,
                           double* next, double* next_b, contraflow::Tape& tape);
static void fivePoints_rev(int rows, int columns, const double* k, double* k_b, const double* u, double* u_b,
                           double* next, double* next_b, contraflow::Tape& tape);
static void fill_fwd(const double* in, double* in_b, double* u, double* u_b, int n, contraflow::Tape& tape);
static void fill_rev(const double* in, double* in_b, double* u, double* u_b, int n, contraflow::Tape& tape);
static void fill_b(const double* in, double* in_b, double* u, double* u_b, int n, contraflow::Tape& tape);

}  // namespace

void buffersInOneObject_b(const double* in, double* in_b, double* out, double* out_b, contraflow::Tape& tape);
void buffersInOneObject_b(const double* in, double* in_b, double* out, double* out_b);
void gridWithMembers_b(const double* in, double* in_b, double* out, double* out_b, contraflow::Tape& tape);
void gridWithMembers_b(const double* in, double* in_b, double* out, double* out_b);

namespace {

static void weigh_b(const double* u, double* u_b, int n, double weigh_seed, contraflow::Tape& /*tape*/) {
  double sum_b = 0.0;
  sum_b += weigh_seed;
  for (int i = n - 1; i >= 0; --i) {
    const double seed_b = sum_b;
    u_b[i] += (0.3 + 0.1 * (i % 7)) * u[i] * seed_b + (0.3 + 0.1 * (i % 7)) * u[i] * seed_b;
  }
}

static void fivePoints_fwd(int rows, int columns, const double* k, double* /*k_b*/, const double* u, double* /*u_b*/,
                           double* next, double* /*next_b*/, contraflow::Tape& tape) {
  int team = 1;
#pragma omp parallel
  {
    contraflow::Tape& own_tape = contraflow::threadTape(tape);
#pragma omp master
    {
      team = contraflow::omp::teamSize();
    }
    long iterations = 0;
#pragma omp for schedule(static)
    for (int j = 1; j < rows - 1; ++j) {
      for (int i = 1; i < columns - 1; ++i) {
        const int c = j * columns + i;
        own_tape.push(next[c]);
        next[c] = u[c] + 0.1 * ((k[c] + k[c - 1]) * (u[c - 1] - u[c]) + (k[c] + k[c + 1]) * (u[c + 1] - u[c]) +
                                (k[c] + k[c - columns]) * (u[c - columns] - u[c]) +
                                (k[c] + k[c + columns]) * (u[c + columns] - u[c] * u[c]));
      }
      own_tape.push(j);
      iterations += 1;
    }
    own_tape.push(iterations);
  }
  tape.push(team);
}

static void fivePoints_rev(int /*rows*/, int columns, const double* k, double* k_b, const double* u, double* u_b,
                           double* next, double* next_b, contraflow::Tape& tape) {
  int team;
  tape.pop(team);
#pragma omp parallel num_threads(team)
  {
    contraflow::omp::checkTeam(team);
    contraflow::Tape& own_tape = contraflow::threadTape(tape);
    const bool alone = contraflow::omp::teamSize() == 1;
    long iterations;
    own_tape.pop(iterations);
    for (long left = iterations; left > 0; --left) {
      int j;
      own_tape.pop(j);
      for (int i = columns - 1 - 1; i >= 1; --i) {
        const int c = j * columns + i;
        own_tape.pop(next[c]);
        const double next_seed = next_b[c];
        next_b[c] = 0.0;
        const double part_b = 0.1 * next_seed;
        const double part_b_2 = (u[c - 1] - u[c]) * part_b;
        contraflow::omp::add(k_b[c - 1], part_b_2, alone);
        const double part_b_3 = (k[c] + k[c - 1]) * part_b;
        contraflow::omp::add(u_b[c - 1], part_b_3, alone);
        const double part_b_4 = (u[c + 1] - u[c]) * part_b;
        contraflow::omp::add(k_b[c + 1], part_b_4, alone);
        const double part_b_5 = (k[c] + k[c + 1]) * part_b;
        contraflow::omp::add(u_b[c + 1], part_b_5, alone);
        const double part_b_6 = (u[c - columns] - u[c]) * part_b;
        contraflow::omp::add(k_b[c - columns], part_b_6, alone);
        const double part_b_7 = (k[c] + k[c - columns]) * part_b;
        contraflow::omp::add(u_b[c - columns], part_b_7, alone);
        const double part_b_8 = (u[c + columns] - u[c] * u[c]) * part_b;
        contraflow::omp::add(k_b[c], part_b_2 + part_b_4 + part_b_6 + part_b_8, alone);
        contraflow::omp::add(k_b[c + columns], part_b_8, alone);
        const double part_b_9 = (k[c] + k[c + columns]) * part_b;
        contraflow::omp::add(u_b[c + columns], part_b_9, alone);
        const double seed_b = -part_b_9;
        contraflow::omp::add(u_b[c], next_seed - part_b_3 - part_b_5 - part_b_7 + u[c] * seed_b + u[c] * seed_b, alone);
      }
    }
  }
  tape.joinThreads();
}

static void fill_fwd(const double* in, double* /*in_b*/, double* u, double* /*u_b*/, int n,
                     contraflow::Tape& /*tape*/) {
  for (int i = 0; i < n; ++i) {
    u[i] = in[i % 3] * (1.0 + 0.01 * i) + 0.1 * in[(i + 1) % 3];
  }
}

static void fill_rev(const double* /*in*/, double* in_b, double* /*u*/, double* u_b, int n,
                     contraflow::Tape& /*tape*/) {
  for (int i = n - 1; i >= 0; --i) {
    const double u_seed = u_b[i];
    u_b[i] = 0.0;
    in_b[i % 3] += (1.0 + 0.01 * i) * u_seed;
    in_b[(i + 1) % 3] += 0.1 * u_seed;
  }
}

static void fill_b(const double* in, double* in_b, double* u, double* u_b, int n, contraflow::Tape& /*tape*/) {
  for (int i = 0; i < n; ++i) {
    u[i] = in[i % 3] * (1.0 + 0.01 * i) + 0.1 * in[(i + 1) % 3];
  }
  for (int i = n - 1; i >= 0; --i) {
    const double u_seed = u_b[i];
    u_b[i] = 0.0;
    in_b[i % 3] += (1.0 + 0.01 * i) * u_seed;
    in_b[(i + 1) % 3] += 0.1 * u_seed;
  }
}

}  // namespace

void buffersInOneObject_b(const double* in, double* in_b, double* out, double* out_b, contraflow::Tape& tape) {
  tape.keepAfterImage();
  const int n = kRows * kColumns;
  std::vector<double> all(3 * n);
  std::vector<double> all_b(all);
  contraflow::setZero(all_b);
  double* k = all.data();
  double* k_b = all_b.data();
  double* u = k + n;
  double* u_b = k_b + n;
  double* next = u + n;
  double* next_b = u_b + n;
  fill(in, k, n);
  fill_fwd(in, in_b, u, u_b, n, tape);
  fivePoints_fwd(kRows, kColumns, k, k_b, u, u_b, next, next_b, tape);
  fivePoints_fwd(kRows, kColumns, k, k_b, next, next_b, u, u_b, tape);
  double weigh_value = weigh(u, n);
  tape.push(out[0]);
  out[0] = weigh_value;
  double weigh_value_b = 0.0;
  tape.restore(out[0]);
  const double out_seed = out_b[0];
  out_b[0] = 0.0;
  weigh_value_b += out_seed;
  const double weigh_value_seed = weigh_value_b;
  weigh_value_b = 0.0;
  weigh_b(u, u_b, n, weigh_value_seed, tape);
  fivePoints_rev(kRows, kColumns, k, k_b, next, next_b, u, u_b, tape);
  fivePoints_rev(kRows, kColumns, k, k_b, u, u_b, next, next_b, tape);
  fill_rev(in, in_b, u, u_b, n, tape);
  fill_b(in, in_b, k, k_b, n, tape);
  tape.putAfterImage();
}

void buffersInOneObject_b(const double* in, double* in_b, double* out, double* out_b) {
  contraflow::Tape tape;
  buffersInOneObject_b(in, in_b, out, out_b, tape);
}

void gridWithMembers_b(const double* in, double* in_b, double* out, double* out_b, contraflow::Tape& tape) {
  tape.keepAfterImage();
  std::vector<double> from(kRows * kColumns);
  std::vector<double> from_b(from);
  contraflow::setZero(from_b);
  std::vector<double> to(kRows * kColumns);
  std::vector<double> to_b(to);
  contraflow::setZero(to_b);
  fill(in, from.data(), kRows * kColumns);
  Grid a{};
  Grid a_b{};
  a.rows = kRows;
  a.columns = kColumns;
  a_b.values = from_b.data();
  a.values = from.data();
  Grid b{};
  Grid b_b{};
  b.rows = kRows;
  b.columns = kColumns;
  b_b.values = to_b.data();
  b.values = to.data();
#pragma omp parallel for
  for (int j = 1; j < a.rows - 1; ++j) {
    for (int i = 0; i < a.columns; ++i) {
      int at_value = a.at(j - 1, i);
      int at_value_2 = a.at(j + 1, i);
      int at_value_3 = a.at(j, i);
      int at_value_4 = b.at(j, i);
      b.values[at_value_4] = a.values[at_value] * a.values[at_value_2] + a.values[at_value_3];
    }
  }
  double weigh_value = weigh(to.data(), kRows * kColumns);
  tape.push(out[0]);
  out[0] = weigh_value;
  double weigh_value_b = 0.0;
  tape.restore(out[0]);
  const double out_seed = out_b[0];
  out_b[0] = 0.0;
  weigh_value_b += out_seed;
  const double weigh_value_seed = weigh_value_b;
  weigh_value_b = 0.0;
  weigh_b(to.data(), to_b.data(), kRows * kColumns, weigh_value_seed, tape);
#pragma omp parallel
  {
    const bool alone = contraflow::omp::teamSize() == 1;
    if (alone) {
#pragma omp for
      for (int j = 1; j < a.rows - 1; ++j) {
        for (int i = a.columns - 1; i >= 0; --i) {
          int at_value = a.at(j - 1, i);
          int at_value_2 = a.at(j + 1, i);
          int at_value_3 = a.at(j, i);
          int at_value_4 = b.at(j, i);
          const double b_seed = b_b.values[at_value_4];
          b_b.values[at_value_4] = 0.0;
          a_b.values[at_value] += a.values[at_value_2] * b_seed;
          a_b.values[at_value_2] += a.values[at_value] * b_seed;
          a_b.values[at_value_3] += b_seed;
        }
      }
    } else {
#pragma omp for
      for (int j = 1; j < a.rows - 1; ++j) {
        for (int i = a.columns - 1; i >= 0; --i) {
          int at_value = a.at(j - 1, i);
          int at_value_2 = a.at(j + 1, i);
          int at_value_3 = a.at(j, i);
          int at_value_4 = b.at(j, i);
          const double b_seed = b_b.values[at_value_4];
          b_b.values[at_value_4] = 0.0;
          contraflow::omp::add(a_b.values[at_value], a.values[at_value_2] * b_seed, alone);
          contraflow::omp::add(a_b.values[at_value_2], a.values[at_value] * b_seed, alone);
          contraflow::omp::add(a_b.values[at_value_3], b_seed, alone);
        }
      }
    }
  }
  tape.joinThreads();
  fill_b(in, in_b, from.data(), from_b.data(), kRows * kColumns, tape);
  tape.putAfterImage();
}

void gridWithMembers_b(const double* in, double* in_b, double* out, double* out_b) {
  contraflow::Tape tape;
  gridWithMembers_b(in, in_b, out, out_b, tape);
}
