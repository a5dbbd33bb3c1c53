// OpenMP: loops under every schedule, data sharing, reductions, and the constructs between loops. No result depends on
// the number of threads.
//
// group: openmp threads=1,2,3,4 hessian
#include <omp.h>
#include <array>
#include <cmath>
#include <vector>

namespace {
constexpr int kSize = 24;
// An input for each of many iterations.
double spread(const double* in, int i) { return in[i % 3] * (1.0 + 0.1 * i); }
}  // namespace

// case: at=0.3,1.1,-0.7
void parallelFor(const double* in, double* out) {
  double a[kSize];
#pragma omp parallel for
  for (int i = 0; i < kSize; ++i) a[i] = std::sin(in[i % 3] * i) * in[0];
  out[0] = 0.0;
  for (int i = 0; i < kSize; ++i) out[0] += a[i] * a[(i + 5) % kSize];
}

// case: at=0.3,1.1,-0.7
void reductionSum(const double* in, double* out) {
  double sum = in[1];
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) sum += std::exp(-in[0] * i) * in[2];
  out[0] = sum * sum;
}

// case: at=0.3,1.1,-0.7
void scheduleStatic(const double* in, double* out) {
  double sum = 0.0, other = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : sum, other)
  for (int i = 0; i < kSize; ++i) {
    sum += in[i % 3] * in[i % 3];
    other += in[(i + 1) % 3] * in[i % 3];
  }
  out[0] = sum * other;
}

// case: at=0.3,1.1,-0.7
void scheduleStaticChunk(const double* in, double* out) {
  double sum = 0.0;
#pragma omp parallel for schedule(static, 3) reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) sum += std::sin(spread(in, i));
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7
void scheduleDynamic(const double* in, double* out) {
  double sum = 0.0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) sum += std::sin(spread(in, i));
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7
void scheduleDynamicChunk(const double* in, double* out) {
  double sum = 0.0;
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) {
    double a = in[0];
    while (a < 1.0 + 0.2 * (i % 5)) a += in[1] * 0.3 + a * a;
    sum += a;
  }
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7
void scheduleGuided(const double* in, double* out) {
  double sum = 0.0;
#pragma omp parallel for schedule(guided) reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) sum += std::sin(spread(in, i));
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7
void scheduleAuto(const double* in, double* out) {
  double sum = 0.0;
#pragma omp parallel for schedule(auto) reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) sum += std::sin(spread(in, i));
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7
void scheduleRuntime(const double* in, double* out) {
  double sum = 0.0;
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) sum += std::sin(spread(in, i));
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7
void neighboursRead(const double* in, double* out) {
  double a[kSize + 2], b[kSize + 2];
#pragma omp parallel for
  for (int i = 0; i < kSize + 2; ++i) a[i] = spread(in, i);
#pragma omp parallel for
  for (int i = 1; i <= kSize; ++i) b[i] = a[i - 1] * a[i] - 2.0 * a[i] + a[i + 1] * a[i + 1];
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 1; i <= kSize; ++i) sum += b[i] * b[i];
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7
void downwardsAndStrided(const double* in, double* out) {
  double a[kSize] = {};
#pragma omp parallel for
  for (int i = kSize - 1; i >= 0; i -= 3) a[i] = spread(in, i);
#pragma omp parallel for schedule(static)
  for (long i = 1; i < kSize; i += 4) a[i] += in[0] * a[i] + in[1];
  out[0] = 0.0;
  for (int i = 0; i < kSize; ++i) out[0] += a[i] * a[i];
}

// case: at=0.3,1.1,-0.7
void overwrittenInPlace(const double* in, double* out) {
  double a[kSize];
  for (int i = 0; i < kSize; ++i) a[i] = spread(in, i);
  for (int step = 0; step < 3; ++step) {
#pragma omp parallel for schedule(dynamic, 2)
    for (int i = 0; i < kSize; ++i) a[i] = std::sin(a[i]) * in[step] + 0.1 * a[i] * a[i];
  }
  out[0] = 0.0;
  for (int i = 0; i < kSize; ++i) out[0] += a[i];
}

// case: at=0.3,1.1,-0.7
void privateVariables(const double* in, double* out) {
  double scratch[2], sum = 0.0, t = 5.0;
#pragma omp parallel for private(scratch, t) reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) {
    t = in[0] * i;
    scratch[0] = std::sin(t);
    scratch[1] = scratch[0] * in[1];
    sum += scratch[1] * scratch[0] + t;
  }
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7
void firstprivateVariables(const double* in, double* out) {
  double factor = in[0] * in[1], sum = 0.0;
  double table[2] = {in[2], factor};
#pragma omp parallel for firstprivate(factor, table) reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) {
    const double here = factor * i;
    sum += here * table[1] + table[0] * in[2];
  }
  out[0] = sum + factor;
}

// A firstprivate variable that each thread changes, and that doesn't survive the iteration.
// case: at=0.3,1.1,-0.7
void firstprivateChanged(const double* in, double* out) {
  double scratch = in[0], sum = 0.0;
#pragma omp parallel firstprivate(scratch) reduction(+ : sum)
  {
    scratch *= in[1];
    const double own = scratch * scratch;
#pragma omp for
    for (int i = 0; i < kSize; ++i) {
      scratch = own * i + in[2];
      sum += scratch * scratch;
    }
  }
  out[0] = sum + scratch;
}

// case: at=0.3,1.1,-0.7
void lastprivateVariable(const double* in, double* out) {
  double last = 0.0, sum = 0.0;
  int where = 0;
#pragma omp parallel for lastprivate(last, where) reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) {
    last = std::sin(spread(in, i));
    where = i;
    sum += last * 0.1;
  }
  out[0] = last * last * where + sum;
}

// case: at=0.3,1.1,-0.7
void collapsed(const double* in, double* out) {
  double a[4][6], sum = 0.0;
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 6; ++j) a[i][j] = in[0] * i + in[1] * j * in[2];
  }
#pragma omp parallel for collapse(2) schedule(dynamic) reduction(+ : sum)
  for (int i = 0; i < 4; ++i) {
    for (int j = 1; j < 6; j += 2) sum += a[i][j] * a[i][j - 1];
  }
  out[0] = sum;
}

struct Plane {
  int rows, columns;
  std::vector<double> u;
  double& at(int i, int j) { return u[static_cast<std::size_t>(i * columns + j)]; }
};
// case: at=0.3,1.1,-0.7
void collapsedMembers(const double* in, double* out) {
  Plane p{6, 4, std::vector<double>(24)};
#pragma omp parallel for collapse(2)
  for (int i = 0; i < p.rows; ++i)
    for (int j = 0; j < p.columns; ++j) p.at(i, j) = std::sin(in[j % 3] * i) * in[0];
  double sum = 0;
#pragma omp parallel for collapse(2) reduction(+ : sum)
  for (int i = 1; i < p.rows - 1; ++i)
    for (int j = 0; j < p.columns; ++j) sum += p.at(i, j) * p.at(i - 1, j);
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7
void regionWithLoops(const double* in, double* out) {
  double a[kSize], b[kSize], sum = 0.0;
#pragma omp parallel default(none) shared(a, b, sum, in)
  {
    const double factor = in[0] * in[1];
#pragma omp for
    for (int i = 0; i < kSize; ++i) a[i] = factor * i + in[2];
#pragma omp for schedule(static, 1)
    for (int i = 0; i < kSize; ++i) b[i] = a[i] * a[kSize - 1 - i];
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < kSize; ++i) sum += b[i] * factor;
  }
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7
void nowaitThenBarrier(const double* in, double* out) {
  double a[kSize], b[kSize], c[kSize];
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < kSize; ++i) a[i] = spread(in, i);
#pragma omp for nowait
    for (int i = 0; i < kSize; ++i) b[i] = spread(in, i + 1) * in[0];
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < kSize; ++i) c[i] = a[kSize - 1 - i] * b[(i + 7) % kSize];
  }
  out[0] = 0.0;
  for (int i = 0; i < kSize; ++i) out[0] += c[i] * c[i];
}

// case: at=0.3,1.1,-0.7
void nowaitSameSchedule(const double* in, double* out) {
  double a[kSize], b[kSize];
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < kSize; ++i) a[i] = std::sin(spread(in, i));
#pragma omp for schedule(static) nowait
    for (int i = 0; i < kSize; ++i) b[i] = a[i] * a[i] + in[1];
  }
  out[0] = 0.0;
  for (int i = 0; i < kSize; ++i) out[0] += b[i];
}

// case: at=0.3,1.1,-0.7
void singleBetweenLoops(const double* in, double* out) {
  double a[kSize], scale = 0.0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < kSize; ++i) a[i] = spread(in, i);
#pragma omp single
    {
      scale = 0.0;
      for (int i = 0; i < kSize; ++i) scale += a[i] * a[i];
    }
#pragma omp for
    for (int i = 0; i < kSize; ++i) a[i] *= scale;
  }
  out[0] = a[3] * a[4] + a[20];
}

// case: at=0.3,1.1,-0.7
void masterAndBarrier(const double* in, double* out) {
  double a[kSize], shift = in[0];
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < kSize; ++i) a[i] = spread(in, i) * shift;
#pragma omp master
    {
      shift = shift * in[1] + a[7];
      a[0] = shift;
    }
#pragma omp barrier
#pragma omp for
    for (int i = 1; i < kSize; ++i) a[i] += shift * a[0];
  }
  out[0] = shift;
  for (int i = 0; i < kSize; ++i) out[0] += a[i] * a[i];
}

// case: at=0.3,1.1,-0.7
void atomicUpdates(const double* in, double* out) {
  double bins[4] = {}, total = in[0];
#pragma omp parallel for
  for (int i = 0; i < kSize; ++i) {
    const double value = std::sin(spread(in, i));
#pragma omp atomic
    bins[i * 7 % 4] += value * in[1];
#pragma omp atomic update
    total -= value;
  }
  out[0] = bins[0] * bins[1] + bins[2] * bins[3] + total * total;
}

// case: at=0.3,1.1,-0.7
void edgesWithAtomics(const double* in, double* out) {
  const int from[8] = {0, 1, 2, 3, 0, 2, 1, 3}, to[8] = {1, 2, 3, 0, 2, 0, 3, 1};
  double u[4] = {in[0], in[1], in[2], in[0] * in[1]}, residual[4] = {};
#pragma omp parallel for schedule(static)
  for (int e = 0; e < 8; ++e) {
    const double flux = u[from[e]] * u[from[e]] - u[to[e]] * in[0];
#pragma omp atomic
    residual[from[e]] += flux;
#pragma omp atomic
    residual[to[e]] -= flux;
  }
  out[0] = 0.0;
  for (int i = 0; i < 4; ++i) out[0] += residual[i] * residual[i];
}

// case: at=0.3,1.1,-0.7
void threadSlots(const double* in, double* out) {
  std::vector<double> part(omp_get_max_threads(), 0.0);
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
#pragma omp for
    for (int i = 0; i < kSize; ++i) part[me] += std::sin(spread(in, i)) * in[1];
  }
  double sum = 0.0;
  for (double p : part) sum += p;
  out[0] = sum * sum;
}

// Minimum of each thread, carried over its iterations, merged after the loop by thread number.
// case: at=0.3,1.1,-0.7
void threadMinimumStatic(const double* in, double* out) {
  std::vector<double> slot(omp_get_max_threads(), 1e30);
#pragma omp parallel
  {
    double smallest = 1e30;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < kSize; ++i) {
      const double value = std::cos(spread(in, i)) + in[1] * in[1];
      if (value < smallest) smallest = value;
    }
    slot[omp_get_thread_num()] = smallest;
  }
  double minimum = slot[0];
  for (std::size_t t = 1; t < slot.size(); ++t) {
    if (slot[t] < minimum) minimum = slot[t];
  }
  out[0] = minimum * in[0];
}

// case: at=0.3,1.1,-0.7
void threadMinimumDynamic(const double* in, double* out) {
  std::vector<double> slot(omp_get_max_threads(), 1e30);
#pragma omp parallel
  {
    double smallest = 1e30;
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < kSize; ++i) {
      const double value = std::cos(spread(in, i)) + in[1] * in[1];
      if (value < smallest) smallest = value;
    }
    slot[omp_get_thread_num()] = smallest;
  }
  double minimum = slot[0];
  for (std::size_t t = 1; t < slot.size(); ++t) {
    if (slot[t] < minimum) minimum = slot[t];
  }
  out[0] = minimum * in[0];
}

// A plain write to shared memory, free of races in a team since each iteration has a place of its own. In the other
// branch the places aren't distinct, and need not be.
//
// case: at=0.3,1.1,-0.7
void guardedByTeamSize(const double* in, double* out) {
  double parts[kSize] = {};
  int place[kSize];
  for (int i = 0; i < kSize; ++i) place[i] = i % 5;
  double total = 0.0;
#pragma omp parallel
  {
    const int team = omp_get_num_threads();
#pragma omp for schedule(static)
    for (int i = 0; i < kSize; ++i) {
      const double value = std::sin(spread(in, i));
      if (team > 1)
        parts[i] = value * value;
      else
        parts[place[i]] += value * value;
    }
  }
  for (int i = 0; i < kSize; ++i) total += parts[i];
  out[0] = total * in[0];
}

double accumulateInTeam(const double* a, int n) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += a[i] * a[i];
  return sum;
}

void scaleInTeam(double* a, double factor, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] = a[i] * factor + 0.1;
}

// case: at=0.3,1.1,-0.7
void calledFunctionsWithLoops(const double* in, double* out) {
  std::vector<double> a(kSize);
  for (int i = 0; i < kSize; ++i) a[i] = spread(in, i);
  const double norm = accumulateInTeam(a.data(), kSize);
  double* p = a.data();
  scaleInTeam(p, in[0], kSize);
  scaleInTeam(p, norm, kSize);
  out[0] = accumulateInTeam(p, kSize);
}

// case: at=0.3,1.1,-0.7
void simdLoops(const double* in, double* out) {
  double a[kSize], sum = 0.0;
#pragma omp simd
  for (int i = 0; i < kSize; ++i) a[i] = in[0] * i + in[1] * in[2];
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) sum += a[i] * a[i];
#pragma omp parallel for simd reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) sum += a[i] * in[0];
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7
void numThreadsAndIf(const double* in, double* out) {
  double a[kSize], sum = 0.0;
  const bool large = kSize > 100;
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < kSize; ++i) a[i] = spread(in, i) * in[0];
#pragma omp parallel for if (large) reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) sum += a[i] * a[i];
  out[0] = sum;
}

// The shared scalar is read by all threads and overwritten between the regions.
// case: at=0.3,1.1,-0.7
void sharedScalar(const double* in, double* out) {
  double c = in[0], sum = 0.0;
  for (int step = 0; step < 3; ++step) {
    double partial = 0.0;
#pragma omp parallel for reduction(+ : partial)
    for (int i = 0; i < kSize; ++i) partial += c * spread(in, i) + c * c;
    c = partial * 0.05;
    sum += partial;
  }
  out[0] = sum + c;
}

// case: at=0.3,1.1,-0.7
void branchesAndLoopsInside(const double* in, double* out) {
  double a[kSize];
#pragma omp parallel for schedule(guided, 2)
  for (int i = 0; i < kSize; ++i) {
    double x = spread(in, i);
    if (x > 0.5) {
      for (int k = 0; k < i % 4; ++k) x = x * in[0] + std::sin(x);
    } else if (i % 3 == 0) {
      a[i] = x * x;
      continue;
    }
    a[i] = x;
  }
  out[0] = 0.0;
  for (int i = 0; i < kSize; ++i) out[0] += a[i] * a[i];
}

// case: at=0.3,1.1,-0.7
void vectorPerIteration(const double* in, double* out) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) {
    std::vector<double> work(1 + i % 3, in[0]);
    for (std::size_t k = 1; k < work.size(); ++k) work[k] = work[k - 1] * in[1] + in[2];
    sum += work[i % 3] * work[0];
  }
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7
void conditionOnReduction(const double* in, double* out) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) sum += spread(in, i) * in[1];
  if (sum < -1e9) out[0] = 0.0;
  out[0] = sum * sum;
}

// case: at=0.3,1.1 out=3 start=0.4,-0.6,1.2 inout
void inOutParallel(const double* in, double* out) {
#pragma omp parallel for
  for (int j = 0; j < 3; ++j) out[j] = out[j] * in[0] + std::sin(out[j]) * in[1];
#pragma omp parallel for schedule(dynamic)
  for (int j = 0; j < 2; ++j) out[j] += in[0] * in[1];
}

// case: at=0.3,1.1,-0.7
void wideLoopTypes(const double* in, double* out) {
  double sum = 0.0;
  const unsigned n = 10;
  const std::size_t m = 7;
#pragma omp parallel for reduction(+ : sum)
  for (unsigned i = 0; i < n; ++i) sum += spread(in, static_cast<int>(i));
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 1; i <= m; i += 2) sum += in[0] * in[1] * static_cast<double>(i);
#pragma omp parallel for reduction(+ : sum)
  for (long long i = 5; i > -5; --i) sum += in[2] * in[2] * static_cast<double>(i);
  out[0] = sum * sum;
}

// Small arrays that all iterations read: each thread sums their adjoints by itself.
// case: at=0.3,1.1,-0.7
void coefficientsReadByAll(const double* in, double* out) {
  double weights[3], table[2][2] = {{in[0], in[1]}, {in[2], in[0] * in[1]}};
  std::array<double, 4> shape{in[0], in[1], in[2], 1.0};
  for (int k = 0; k < 3; ++k) weights[k] = in[k] * in[(k + 1) % 3];
  double a[kSize + 2], sum = 0.0;
  for (int i = 0; i < kSize + 2; ++i) a[i] = spread(in, i);
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) {
    double one = shape[i % 4];
    for (int k = 0; k < 3; ++k) one += weights[k] * a[i + k];
    sum += one * one * table[i % 2][(i / 2) % 2];
  }
  out[0] = sum;
}

namespace {
// `scale` may be an element of what the second loop writes.
void scaledTwice(const double& scale, const double* from, double* to, int n) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 1; i < n; ++i) to[i] = scale * from[i] * from[i];
#pragma omp for
    for (int i = 0; i < 1; ++i) to[i] = 0.3 * to[i] * to[i];
#pragma omp for
    for (int i = 1; i < n; ++i) to[i] *= scale;
  }
}
}  // namespace

// case: at=0.3,1.1,-0.7
void referenceToWhatIsWritten(const double* in, double* out) {
  double from[kSize], to[kSize];
  for (int i = 0; i < kSize; ++i) from[i] = spread(in, i);
  to[0] = in[1];
  scaledTwice(to[0], from, to, kSize);
  out[0] = 0.0;
  for (int i = 0; i < kSize; ++i) out[0] += to[i] * to[i];
}

namespace {
void squareInPlace(double& c) { c = c * c + 0.3; }
void shiftInPlace(double* p) { p[0] = p[0] * p[1]; }
}  // namespace

// A call writes what the other loops of the region only read: its adjoint must be whole by then.
// case: at=0.3,1.1,-0.7
void scalarByReferenceInSingle(const double* in, double* out) {
  double c = in[0], x[24], y[24], z[24];
  for (int i = 0; i < 24; ++i) x[i] = in[i % 3] * (1 + 0.1 * i);
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 24; ++i) y[i] = c * x[i];
#pragma omp single
    squareInPlace(c);
#pragma omp for
    for (int i = 0; i < 24; ++i) z[i] = c * y[i] * y[i];
  }
  out[0] = 0;
  for (int i = 0; i < 24; ++i) out[0] += z[i];
}

// case: at=0.3,1.1,-0.7
void arrayByPointerInMaster(const double* in, double* out) {
  double w[2] = {in[0], in[1]}, x[24], y[24], z[24];
  double* p = w;
  for (int i = 0; i < 24; ++i) x[i] = in[i % 3] * (1 + 0.1 * i);
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 24; ++i) y[i] = w[i % 2] * x[i];
#pragma omp master
    shiftInPlace(p);
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < 24; ++i) z[i] = w[0] * y[i] * y[i] + w[1];
  }
  out[0] = 0;
  for (int i = 0; i < 24; ++i) out[0] += z[i];
}

namespace {
double half(double) { return 0.5; }
}  // namespace

// case: at=0.3,1.1,-0.7
void constantResultInSingle(const double* in, double* out) {
  double t = in[1] * in[2];
  out[0] = t;
#pragma omp parallel
  {
#pragma omp single
    {
      t = in[0] * in[1];
      t = half(in[0]);
    }
  }
  out[0] += t * in[0];
}

// Atomics whose old values are needed, in loops that don't wait for each other: threads take turns in both at the same time.
// case: at=0.3,1.1,-0.7 nohessian
void turnsAcrossNowait(const double* in, double* out) {
  double a[3] = {in[0], in[1], in[2]}, b = in[0], sum = 0.0;
  for (int repeat = 0; repeat < 4; ++repeat) {
#pragma omp parallel
    {
#pragma omp atomic
      b += 0.0;
#pragma omp for schedule(dynamic) nowait
      for (int i = 0; i < kSize; ++i) {
        const double x = std::sin(spread(in, i));
#pragma omp atomic
        a[i % 3] += 0.01 * x;
      }
#pragma omp for schedule(dynamic) nowait
      for (int i = 0; i < kSize; ++i) {
        const double x = std::cos(spread(in, i));
#pragma omp atomic
        a[(i + 1) % 3] -= 0.02 * x;
      }
#pragma omp barrier
#pragma omp for reduction(+ : sum)
      for (int i = 0; i < kSize; ++i) sum += a[i % 3] * a[i % 3] * b * b;
    }
  }
  out[0] = sum;
}

// case: at=0.4,1.1,0.7,1.3,0.2,0.8,1.6,0.3 out=4
void countedInIterations(const double* in, double* out) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 4; ++i) {
    double a = 1;
    int k = i;
    for (int j = 0; j <= i; ++j) {
      a = 0.5 * a * in[k] + std::sin(a);
      k += 2;
      if (k > 7) k -= 7;
      a *= 1.0 + 0.2 * in[k];
      k -= 1;
    }
    out[i] = a;
  }
}

// case: at=0.4,1.1,0.7,1.3,0.2,0.8,1.6,0.3
void countedByThreads(const double* in, double* out) {
  double total = 0;
#pragma omp parallel reduction(+ : total)
  {
    int runs = 0;
    double a = 1;
    for (int i = 0; i < 8; ++i) {
      a += a * in[runs];
      runs += 1;
    }
    runs -= 4;
#pragma omp single
    total += a * in[runs];
  }
  out[0] = total;
}

// What a reference may lead to, and nobody reads: under --audit its adjoint counted as read while others added to it.
namespace {
double halfOf(double p, double q) {
  double h[3] = {p, q, p};
  p = std::sin(h[1] - q);
  return std::cos(p * h[0]);
}
double unread(double c, const double* a, double* out) {
  double sum = 0.0;
#pragma omp parallel for schedule(static, 1) reduction(+ : sum)
  for (int i = 0; i < 4; ++i) {
    int k = i;
    double t = 0.4 * std::atan(std::max(((k != 2) ? c : a[i]), 0.4 * std::sin(c)) * (0.6 + 0.5 * halfOf(c, c)));
    static_cast<void>(t);
    sum += std::cos(0.3 + c / (1.5 + a[i] * a[i]));
#pragma omp atomic
    out[(i * 2 + 1) % 4] += a[i];
  }
  return sum;
}
}  // namespace

// case: at=0.3,1.1,-0.4,0.8 out=4 nohessian
void choiceUnread(const double* in, double* out) {
  for (int i = 0; i < 4; ++i) out[i] = in[i];
  const double sum = unread(in[0] * in[1], in, out);
  for (int i = 0; i < 4; ++i) out[i] *= std::sin(sum + out[i]);
}

// A sum to which nothing is added that varies: its shadow has no sum.
namespace {
void scaleAndCount(int n, double r, const double* q, double* p, double& s) {
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i) {
    p[i] = r * q[i];
    s += 0.1 * (i % 3);
  }
}
}  // namespace

// case: at=0.3,1.1,-0.7
void passiveSum(const double* in, double* out) {
  double sum = in[0] * in[2];
  double a[10], b[10];
  for (int i = 0; i < 10; ++i) a[i] = in[1] * i;
  scaleAndCount(10, 0.2 + in[0], a, b, sum);
  out[0] = sum * b[3];
}
