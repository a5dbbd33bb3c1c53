// Checks the derivatives of every case of a table (case.hpp), written and compiled by run.py:
//
//     driver [FIRST [THREADS...]]     cases from number FIRST on, with each number of threads (default 1)
//
// For each case and number of threads: the tangent against central differences in long double of the same source; the
// adjoint against the tangent, by unit seeds and by the dot product; values after the call; what becomes of the
// shadows; with a Hessian, its symmetry and second differences. Under MPI all ranks' inputs and outputs together are
// the function's, and all that is said of "inputs" means those of all ranks.
//
// Prints, for run.py:  BEGIN number name threads / DETAIL name text / RESULT name PASS|FAIL. Exit status 0 if it got to
// the end.
#include "case.hpp"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef NUMERIC_MPI
#include <mpi.h>
#endif

namespace {

using Vector = std::vector<double>;
using LongVector = std::vector<long double>;

int rank = 0, ranks = 1;
bool failed = false;
const Case* current = nullptr;
int threads = 1;

// The first failure of a case is printed; what follows from it isn't.
__attribute__((format(printf, 1, 2))) void fail(const char* format, ...) {
  if (!failed) {
    std::printf("DETAIL %s threads=%d ranks=%d rank=%d: ", current->name, threads, ranks, rank);
    va_list arguments;
    va_start(arguments, format);
    std::vprintf(format, arguments);
    va_end(arguments);
    std::printf("\n");
    std::fflush(stdout);
  }
  failed = true;
}

// --- vectors over all ranks: rank 0's part, rank 1's, …
// -----------------------------------------------------------------

#ifdef NUMERIC_MPI
MPI_Datatype typeOf(const Vector&) { return MPI_DOUBLE; }
MPI_Datatype typeOf(const LongVector&) { return MPI_LONG_DOUBLE; }
#endif

template <class V>
V onAllRanks(const V& mine) {
#ifdef NUMERIC_MPI
  V all(mine.size() * ranks);
  const int n = static_cast<int>(mine.size());
  MPI_Allgather(mine.data(), n, typeOf(mine), all.data(), n, typeOf(mine), MPI_COMM_WORLD);
  return all;
#else
  return mine;
#endif
}

template <class V>
V part(const V& all) {
  const std::size_t n = all.size() / ranks;
  return V(all.begin() + n * rank, all.begin() + n * (rank + 1));
}

double sumOverRanks(double mine) {
#ifdef NUMERIC_MPI
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#endif
  return mine;
}

bool anywhere(bool mine) { return sumOverRanks(mine ? 1.0 : 0.0) > 0.0; }

// --- one case
// -----------------------------------------------------------------------------------------------------------

struct Point {
  Vector in, out;  // this rank's inputs, and what its outputs hold before the call
};

Point pointOf(const Case& c) {
  Point p;
  for (int k = 0; k < c.inputs; ++k) p.in.push_back(c.at[k] * (1.0 + 0.03 * rank));
  for (int j = 0; j < c.outputs; ++j) p.out.push_back(c.start[j] * (1.0 - 0.02 * rank));
  return p;
}

Vector randomVector(std::size_t n, unsigned seed) {
  std::mt19937 generator(seed + 7919u * static_cast<unsigned>(rank));
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Vector v(n);
  for (double& x : v) x = uniform(generator);
  return v;
}

// Independents are numbered rank by rank; on a rank, inputs come first, then the old values of outputs (if `inout`).
int independentsPerRank(const Case& c) { return c.inputs + (c.inout ? c.outputs : 0); }

double& independent(const Case& c, Vector& in, Vector& out, int index) {
  return index < c.inputs ? in[index] : out[index - c.inputs];
}

LongVector evaluateReference(const Case& c, const LongVector& in, const LongVector& start) {
  LongVector out = start;
  c.reference(in.data(), out.data());
  return onAllRanks(out);
}

// Column k of the Jacobian. Central differences, h halved four times, and Richardson's extrapolation: order 10.
LongVector referenceColumn(const Case& c, const Point& p, int k) {
  constexpr int kLevels = 5;
  LongVector table[kLevels];
  const int perRank = independentsPerRank(c);
  for (int level = 0; level < kLevels; ++level) {
    const long double h = std::ldexp(1.0L, -10 - level);
    LongVector values[2];
    for (int side = 0; side < 2; ++side) {
      LongVector in(p.in.begin(), p.in.end()), out(p.out.begin(), p.out.end());
      if (k / perRank == rank) {
        const int index = k % perRank;
        (index < c.inputs ? in[index] : out[index - c.inputs]) += side == 0 ? h : -h;
      }
      values[side] = evaluateReference(c, in, out);
    }
    table[level].resize(values[0].size());
    for (std::size_t j = 0; j < values[0].size(); ++j) table[level][j] = (values[0][j] - values[1][j]) / (2 * h);
  }
  for (int order = 1; order < kLevels; ++order) {
    const long double factor = std::pow(4.0L, order);
    for (int level = kLevels - 1; level >= order; --level) {
      for (std::size_t j = 0; j < table[0].size(); ++j)
        table[level][j] = (factor * table[level][j] - table[level - 1][j]) / (factor - 1);
    }
  }
  return table[kLevels - 1];
}

// The value must be the primal's: bitwise, but for a team, whose sums have no fixed order.
void checkValue(const char* what, const Vector& have, const Vector& primal) {
  for (std::size_t j = 0; j < have.size(); ++j) {
    const double slack = threads > 1 ? 1e-12 * (1.0 + std::fabs(primal[j])) : 0.0;
    if (!(std::fabs(have[j] - primal[j]) <= slack))
      fail("%s out[%zu] = %.17g, the primal's is %.17g", what, j, have[j], primal[j]);
  }
}

void checkUnchanged(const char* what, const Vector& have, const Vector& before) {
  if (!before.empty() && std::memcmp(have.data(), before.data(), before.size() * sizeof(double)) != 0)
    fail("%s was changed", what);
}

Vector primalOf(const Case& c, const Point& p) {
  Vector out = p.out;
  c.primal(p.in.data(), out.data());
  return out;
}

// All ranks' out_d for this rank's in_d and out_d.
Vector tangentOf(const Case& c, const Point& p, const Vector& in_d, const Vector& start_d, const Vector& primal) {
  Vector in = p.in, out = p.out, direction = in_d, out_d = start_d;
  c.tangent(in.data(), direction.data(), out.data(), out_d.data());
  checkValue("tangent:", out, primal);
  checkUnchanged("tangent: in", in, p.in);
  checkUnchanged("tangent: in_d", direction, in_d);
  return onAllRanks(out_d);
}

// This rank's increments of in_b, and out_b at exit, for this rank's seed.
void adjointOf(const Case& c, const Point& p, const Vector& seed, const Vector& primal, Vector& in_b, Vector& out_b) {
  Vector in = p.in, out = p.out;
  out_b = seed;
  c.adjoint(in.data(), in_b.data(), out.data(), out_b.data());
  checkValue("adjoint:", out, primal);
  checkUnchanged("adjoint: in", in, p.in);
  if (!c.inout) {
    for (int j = 0; j < c.outputs; ++j) {
      if (out_b[j] != 0.0) fail("adjoint: out_b[%d] = %g at exit of a function that overwrites out", j, out_b[j]);
    }
  }
}

void checkHessian(const Case& c, const Point& p, const Vector& primal) {
  const int n = c.inputs * ranks;
  const Vector w = randomVector(c.outputs, 77);
  Vector gradient(c.inputs, 0.0), unused;
  adjointOf(c, p, w, primal, gradient, unused);
  std::vector<Vector> rows;  // rows[k]: the derivative of the gradient along independent k, on all ranks
  for (int k = 0; k < n; ++k) {
    Vector in = p.in, in_d(c.inputs, 0.0), in_b(c.inputs, 0.0), in_b_d(c.inputs, 0.0);
    Vector out = p.out, out_d(c.outputs, 0.0), out_b = w, out_b_d(c.outputs, 0.0);
    if (k / c.inputs == rank) in_d[k % c.inputs] = 1.0;
    c.hessian(in.data(), in_d.data(), in_b.data(), in_b_d.data(), out.data(), out_d.data(), out_b.data(),
              out_b_d.data());
    checkValue("tangent of adjoint:", out, primal);
    for (int i = 0; i < c.inputs; ++i) {
      if (!(std::fabs(in_b[i] - gradient[i]) <= c.precision * (1.0 + std::fabs(gradient[i]))))
        fail("tangent of adjoint: in_b[%d] = %.17g, the adjoint's is %.17g", i, in_b[i], gradient[i]);
    }
    rows.push_back(onAllRanks(in_b_d));
  }
  double largest = 1.0;
  for (const Vector& row : rows) {
    for (double value : row) largest = std::fmax(largest, std::fabs(value));
  }
  // w . f at the point with two independents moved.
  const auto along = [&](int k, long double hk, int l, long double hl) {
    LongVector in(p.in.begin(), p.in.end());
    if (k / c.inputs == rank) in[k % c.inputs] += hk;
    if (l / c.inputs == rank) in[l % c.inputs] += hl;
    const LongVector out = evaluateReference(c, in, LongVector(p.out.begin(), p.out.end()));
    const Vector weights = onAllRanks(w);
    long double sum = 0;
    for (std::size_t j = 0; j < out.size(); ++j) sum += weights[j] * out[j];
    return sum;
  };
  for (int k = 0; k < n; ++k) {
    for (int l = 0; l <= k; ++l) {
      long double table[5];
      for (int level = 0; level < 5; ++level) {
        const long double h = std::ldexp(1.0L, -9 - level);
        table[level] =
            (along(k, h, l, h) - along(k, h, l, -h) - along(k, -h, l, h) + along(k, -h, l, -h)) / (4 * h * h);
      }
      for (int order = 1; order < 5; ++order) {
        const long double factor = std::pow(4.0L, order);
        for (int level = 4; level >= order; --level)
          table[level] = (factor * table[level] - table[level - 1]) / (factor - 1);
      }
      const double right = static_cast<double>(table[4]);
      if (!(std::fabs(rows[k][l] - right) <= std::fmax(1e-8, 10 * c.precision) * largest))
        fail("second derivative by in[%d], in[%d] = %.12g, differences give %.12g", k, l, rows[k][l], right);
      if (!(std::fabs(rows[k][l] - rows[l][k]) <= 10 * c.precision * largest))
        fail("the Hessian isn't symmetric at %d, %d: %.17g and %.17g", k, l, rows[k][l], rows[l][k]);
    }
  }
}

// The same source with long double must be the same function, or the comparison means nothing.
void checkReference(const Case& c, const Point& p, const Vector& primal) {
  LongVector out(p.out.begin(), p.out.end());
  c.reference(LongVector(p.in.begin(), p.in.end()).data(), out.data());
  for (int j = 0; j < c.outputs; ++j) {
    const double expected = static_cast<double>(out[j]);
    if (!(std::fabs(primal[j] - expected) <= std::fmax(1e-10, 10 * c.precision) * (1.0 + std::fabs(expected))))
      fail("the catalogue is at fault: out[%d] = %.15g, in long double %.15g", j, primal[j], expected);
  }
}

void checkCase(const Case& c) {
  const Point p = pointOf(c);
  const Vector primal = primalOf(c, p);
  checkReference(c, p, primal);
  const int perRank = independentsPerRank(c);
  const int columns = perRank * ranks, rows = c.outputs * ranks;

  std::vector<Vector> jacobian;  // jacobian[k][j]
  std::vector<double> rowScale(rows, 1.0);
  const double fit = std::fmax(1e-10, 10 * c.precision);
  for (int k = 0; k < columns; ++k) {
    Vector in_d(c.inputs, 0.0), start_d(c.outputs, 0.0);
    if (k / perRank == rank) independent(c, in_d, start_d, k % perRank) = 1.0;
    jacobian.push_back(tangentOf(c, p, in_d, start_d, primal));
    const LongVector right = referenceColumn(c, p, k);
    for (int j = 0; j < rows; ++j) {
      const double expected = static_cast<double>(right[j]);
      if (!(std::fabs(jacobian[k][j] - expected) <= fit * (1.0 + std::fabs(expected))))
        fail("tangent: d out[%d]/d in[%d] = %.15g, differences give %.15g", j, k, jacobian[k][j], expected);
      rowScale[j] = std::fmax(rowScale[j], std::fabs(expected));
    }
  }

  for (int j = 0; j < rows; ++j) {
    Vector in_b(c.inputs, 0.0), seed(c.outputs, 0.0), out_b;
    if (j / c.outputs == rank) seed[j % c.outputs] = 1.0;
    adjointOf(c, p, seed, primal, in_b, out_b);
    for (int index = 0; index < perRank; ++index) {
      const double have = independent(c, in_b, out_b, index);
      const double expected = jacobian[rank * perRank + index][j];
      if (!(std::fabs(have - expected) <= 10 * c.precision * rowScale[j]))
        fail("adjoint: d out[%d]/d in[%d] = %.17g, the tangent's is %.17g", j, rank * perRank + index, have, expected);
    }
  }

  // The dot product, with shadows that hold something on entry.
  const Vector in_d = randomVector(c.inputs, 1), seed = randomVector(c.outputs, 2), before = randomVector(c.inputs, 3);
  const Vector start_d = c.inout ? randomVector(c.outputs, 4) : Vector(c.outputs, 0.0);
  const Vector out_d = part(tangentOf(c, p, in_d, start_d, primal));
  Vector in_b = before, out_b;
  adjointOf(c, p, seed, primal, in_b, out_b);
  double difference = 0.0, terms = 0.0;
  const auto add = [&](double a, double b, double sign) {
    difference += sign * a * b;
    terms += std::fabs(a * b);
  };
  for (int j = 0; j < c.outputs; ++j) add(seed[j], out_d[j], 1.0);
  for (int k = 0; k < c.inputs; ++k) add(in_b[k], in_d[k], -1.0), add(before[k], in_d[k], 1.0);
  for (int j = 0; c.inout && j < c.outputs; ++j) add(out_b[j], start_d[j], -1.0);
  difference = sumOverRanks(difference);
  terms = sumOverRanks(terms);
  if (!(std::fabs(difference) <= c.precision * terms))
    fail("dot product: tangent and adjoint differ by %.3g of the terms", std::fabs(difference) / terms);

  // A zero seed gives zero, whatever the values.
  Vector none(c.inputs, 0.0);
  adjointOf(c, p, Vector(c.outputs, 0.0), primal, none, out_b);
  for (double value : none) {
    if (value != 0.0) fail("adjoint: a zero seed gives %g", value);
  }

  if (c.hessian != nullptr) checkHessian(c, p, primal);
}

}  // namespace

int main(int argc, char** argv) {
#ifdef NUMERIC_MPI
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#endif
  const int first = argc > 1 ? std::atoi(argv[1]) : 0;
  for (int number = first; number < kCaseCount; ++number) {
    current = &kCases[number];
    failed = false;
    for (int t = 2; t < argc || t == 2; ++t) {
      threads = t < argc ? std::atoi(argv[t]) : 1;
#ifdef _OPENMP
      omp_set_num_threads(threads);
#endif
      if (rank == 0) {
        std::printf("BEGIN %d %s %d\n", number, current->name, threads);
        std::fflush(stdout);
      }
      checkCase(*current);
    }
    const bool bad = anywhere(failed);
    if (rank == 0) {
      std::printf("RESULT %s %s\n", current->name, bad ? "FAIL" : "PASS");
      std::fflush(stdout);
    }
  }
#ifdef NUMERIC_MPI
  MPI_Finalize();
#endif
  return 0;
}
