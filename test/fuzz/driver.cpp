// Checks the derivatives of random programs (case.hpp) against forward-mode numbers (dual.hpp):
//
//     driver [FIRST [THREADS...]]     programs from number FIRST on, with each number of threads (default 1)
//
// For each program: values, tangent for each independent, adjoint for each dependent, adjoint of a random seed with
// shadows that hold something, what becomes of arguments and shadows, a zero seed, and the tangent of the adjoint if
// there is one. Under MPI all ranks' inputs and outputs together are the program's. Differences are measured against the
// sum of the absolute values of all terms of a derivative.
//
// Prints, for harness.py:  BEGIN number name / DETAIL name kind text / RESULT name PASS|FAIL|SKIP reason.
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
#ifdef FUZZ_MPI
#include <mpi.h>
#endif

namespace fuzz {
namespace {

using Vector = std::vector<double>;

int rank = 0, ranks = 1, threads = 1;
bool failed = false;
const Case* current = nullptr;

// The first failure of a program is printed; what follows from it isn't.
__attribute__((format(printf, 2, 3))) void fail(const char* kind, const char* format, ...) {
  if (!failed) {
    std::printf("DETAIL %s %s threads=%d ranks=%d rank=%d: ", current->name, kind, threads, ranks, rank);
    va_list arguments;
    va_start(arguments, format);
    std::vprintf(format, arguments);
    va_end(arguments);
    std::printf("\n");
    std::fflush(stdout);
  }
  failed = true;
}

Vector onAllRanks(const Vector& mine) {
#ifdef FUZZ_MPI
  Vector all(mine.size() * ranks);
  const int n = static_cast<int>(mine.size());
  MPI_Allgather(mine.data(), n, MPI_DOUBLE, all.data(), n, MPI_DOUBLE, MPI_COMM_WORLD);
  return all;
#else
  return mine;
#endif
}

double largestOf(double mine) {
#ifdef FUZZ_MPI
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
#endif
  return mine;
}

Vector randomVector(std::size_t n, unsigned seed) {
  std::mt19937 generator(seed + 7919u * static_cast<unsigned>(rank));
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Vector v(n);
  for (double& x : v) x = uniform(generator);
  return v;
}

// A program at its point, and what the reference says about it. Independents are numbered rank by rank; on a rank, inputs
// come first, then the old values of outputs (if `inout`). Dependents: rank by rank.
struct Expected {
  Vector in, out;           // this rank's inputs, and what its outputs hold before the call
  int perRank = 0;          // independents of a rank
  Vector values;            // of this rank's dependents
  Vector jacobian, terms;   // [dependent of any rank][direction of First]
  double distance = 1e300;  // to the nearest kink
  double largest = 0.0;     // magnitude of a value

  double derivative(int j, int k) const { return jacobian[j * FUZZ_DIRECTIONS + k]; }
  double scale(int j, int k) const { return terms[j * FUZZ_DIRECTIONS + k]; }
};

Expected evaluate(const Case& c) {
  Expected e;
  for (int k = 0; k < c.inputs; ++k) e.in.push_back(c.at[k] * (1.0 + 0.03 * rank) + 0.01 * rank);
  for (int j = 0; j < c.outputs; ++j) e.out.push_back(c.start[j] * (1.0 - 0.02 * rank));
  e.perRank = c.inputs + (c.inout ? c.outputs : 0);
  std::vector<First> in(e.in.begin(), e.in.end()), out(e.out.begin(), e.out.end());
  for (int k = 0; k < e.perRank; ++k) {
    First& x = k < c.inputs ? in[k] : out[k - c.inputs];
    x.d[e.perRank * rank + k] = x.terms[e.perRank * rank + k] = 1.0;
  }
  kinkDistance = 1e300;
  largestValue = 0.0;
  c.reference(in.data(), out.data());
  Vector rows, terms;
  for (const First& y : out) {
    e.values.push_back(y.v);
    rows.insert(rows.end(), y.d.begin(), y.d.end());
    terms.insert(terms.end(), y.terms.begin(), y.terms.end());
  }
  e.jacobian = onAllRanks(rows);
  e.terms = onAllRanks(terms);
  e.distance = -largestOf(-kinkDistance);
  e.largest = std::isfinite(largestValue) ? largestValue : 1e300;
  for (double t : e.terms) e.largest = std::fmax(e.largest, std::isfinite(t) ? t * 1e-3 : 1e300);
  e.largest = largestOf(e.largest);
  return e;
}

double& independent(const Case& c, Vector& in, Vector& out, int index) {
  return index < c.inputs ? in[index] : out[index - c.inputs];
}

double tolerance(const Case& c, double scale) { return c.precision * scale + 1e-13; }

void checkValues(const Case& c, const char* what, const Vector& have, const Expected& e, const char* kind = "value") {
  for (std::size_t j = 0; j < have.size(); ++j) {
    if (!(std::fabs(have[j] - e.values[j]) <= c.precision * (1.0 + std::fabs(e.values[j]))))
      fail(kind, "%s: out[%zu] = %.17g, the reference has %.17g", what, j, have[j], e.values[j]);
  }
}

void checkUnchanged(const char* what, const Vector& have, const Vector& before) {
  if (!before.empty() && std::memcmp(have.data(), before.data(), before.size() * sizeof(double)) != 0)
    fail("argument", "%s was changed", what);
}

void checkTangent(const Case& c, const Expected& e, int k) {
  Vector in = e.in, out = e.out, in_d(c.inputs, 0.0), out_d(c.outputs, 0.0);
  if (k / e.perRank == rank) independent(c, in_d, out_d, k % e.perRank) = 1.0;
  const Vector direction = in_d;
  c.tangent(in.data(), in_d.data(), out.data(), out_d.data());
  checkValues(c, "tangent", out, e);
  checkUnchanged("tangent: in", in, e.in);
  checkUnchanged("tangent: in_d", in_d, direction);
  for (int j = 0; j < c.outputs; ++j) {
    const int row = c.outputs * rank + j;
    const double expected = e.derivative(row, k);
    if (!(std::fabs(out_d[j] - expected) <= tolerance(c, e.scale(row, k))))
      fail("tangent", "d out[%d]/d independent %d = %.15g, the reference has %.15g (terms %.3g)", j, k, out_d[j], expected,
           e.scale(row, k));
  }
}

// in_b and out_b hold the shadows on entry, and on exit.
void runAdjoint(const Case& c, const Expected& e, Vector& in_b, Vector& out_b) {
  Vector in = e.in, out = e.out;
  c.adjoint(in.data(), in_b.data(), out.data(), out_b.data());
  checkValues(c, "adjoint", out, e);
  checkUnchanged("adjoint: in", in, e.in);
  for (int j = 0; !c.inout && j < c.outputs; ++j) {
    if (out_b[j] != 0.0) fail("shadow", "out_b[%d] = %g at exit of a program that overwrites out", j, out_b[j]);
  }
}

// The adjoint of `seed` (of all ranks), with `before` in the inputs' shadows.
void checkAdjoint(const Case& c, const Expected& e, const Vector& seed, const Vector& before, const char* what) {
  Vector in_b = before, out_b(seed.begin() + c.outputs * rank, seed.begin() + c.outputs * (rank + 1));
  runAdjoint(c, e, in_b, out_b);
  for (int index = 0; index < e.perRank; ++index) {
    const int k = e.perRank * rank + index;
    double expected = index < c.inputs ? before[index] : 0.0, scale = std::fabs(expected);
    for (std::size_t j = 0; j < seed.size(); ++j) {
      expected += seed[j] * e.derivative(static_cast<int>(j), k);
      scale += std::fabs(seed[j]) * e.scale(static_cast<int>(j), k);
    }
    const double have = independent(c, in_b, out_b, index);
    if (!(std::fabs(have - expected) <= tolerance(c, scale)))
      fail("adjoint", "%s, independent %d: %.15g, the reference has %.15g (terms %.3g)", what, k, have, expected, scale);
  }
}

void checkZeroSeed(const Case& c, const Expected& e) {
  Vector in_b(c.inputs, 0.0), out_b(c.outputs, 0.0);
  runAdjoint(c, e, in_b, out_b);
  for (double b : in_b) {
    if (b != 0.0) fail("zero-seed", "a zero seed gives %g", b);
  }
}

void checkHessian(const Case& c, const Expected& e) {
  const Vector w = randomVector(c.outputs, 5), direction = randomVector(c.inputs, 6);
  std::vector<Second> in(e.in.begin(), e.in.end()), out(e.out.begin(), e.out.end());
  for (int k = 0; k < c.inputs; ++k) {
    in[k].v.d[0] = direction[k];
    in[k].d[e.perRank * rank + k] = Dual<double, 1>(1.0);
    in[k].terms[e.perRank * rank + k] = 1.0;
  }
  c.second(in.data(), out.data());
  Vector row(FUZZ_DIRECTIONS, 0.0);
  double scale = 1.0;
  for (int k = 0; k < FUZZ_DIRECTIONS; ++k) {
    for (int j = 0; j < c.outputs; ++j) {
      row[k] += w[j] * out[j].d[k].d[0];
      scale = std::fmax(scale, std::fmax(out[j].terms[k], magnitude(out[j].d[k])));
    }
  }
  const Vector rows = onAllRanks(row);
  scale = largestOf(scale);
  if (!(scale < 1e9)) return;
  Vector x = e.in, x_d = direction, x_b(c.inputs, 0.0), x_bd(c.inputs, 0.0);
  Vector y = e.out, y_d(c.outputs, 0.0), y_b = w, y_bd(c.outputs, 0.0);
  c.hessian(x.data(), x_d.data(), x_b.data(), x_bd.data(), y.data(), y_d.data(), y_b.data(), y_bd.data());
  checkValues(c, "tangent of adjoint", y, e);
  for (int index = 0; index < c.inputs; ++index) {
    double expected = 0.0;
    for (int r = 0; r < ranks; ++r) expected += rows[r * FUZZ_DIRECTIONS + e.perRank * rank + index];
    if (!(std::fabs(x_bd[index] - expected) <= tolerance(c, 10 * scale)))
      fail("hessian", "independent %d: %.15g, the reference has %.15g (terms %.3g)", index, x_bd[index], expected, scale);
  }
}

void checkCase(const Case& c, const Expected& e) {
  const int columns = e.perRank * ranks, rows = c.outputs * ranks;
  Vector out = e.out;
  c.primal(e.in.data(), out.data());
  checkValues(c, "primal", out, e, "generator");
  for (int k = 0; k < columns; ++k) checkTangent(c, e, k);
  for (int j = 0; j < rows; ++j) {
    Vector seed(rows, 0.0);
    seed[j] = 1.0;
    checkAdjoint(c, e, seed, Vector(c.inputs, 0.0), "unit seed");
  }
  checkAdjoint(c, e, onAllRanks(randomVector(c.outputs, 2)), randomVector(c.inputs, 3), "random seed");
  checkZeroSeed(c, e);
  if (c.hessian != nullptr) checkHessian(c, e);
}

// Loops with schedule(runtime) get another one for each number of threads.
void setThreads(int count) {
  threads = count;
#ifdef _OPENMP
  omp_set_num_threads(count);
  const omp_sched_t kinds[] = {omp_sched_guided, omp_sched_static, omp_sched_dynamic};
  omp_set_schedule(kinds[count % 3], 1 + count % 2);
#endif
}

const char* skipped(const Case& c, const Expected& e) {
  if (!(e.largest < 1e6)) return "SKIP large";
  return e.distance < 100 * c.precision ? "SKIP kink" : nullptr;
}

int run(int argc, char** argv) {
  for (int number = argc > 1 ? std::atoi(argv[1]) : 0; number < kCaseCount; ++number) {
    const Case& c = *(current = &kCases[number]);
    failed = false;
    if (rank == 0) {
      std::printf("BEGIN %d %s\n", number, c.name);
      std::fflush(stdout);
    }
    setThreads(1);
    const Expected e = evaluate(c);
    const char* result = skipped(c, e);
    if (result == nullptr) {
      for (int t = 2; t < argc || t == 2; ++t) {
        setThreads(t < argc ? std::atoi(argv[t]) : 1);
        checkCase(c, e);
      }
      result = largestOf(failed ? 1.0 : 0.0) > 0.0 ? "FAIL" : "PASS";
    }
    if (rank == 0) {
      std::printf("RESULT %s %s\n", c.name, result);
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace
}  // namespace fuzz

int main(int argc, char** argv) {
#ifdef FUZZ_MPI
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &fuzz::rank);
  MPI_Comm_size(MPI_COMM_WORLD, &fuzz::ranks);
#endif
  const int status = fuzz::run(argc, argv);
#ifdef FUZZ_MPI
  MPI_Finalize();
#endif
  return status;
}
