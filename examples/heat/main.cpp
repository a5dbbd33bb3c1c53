// Finds the conductivity of a plate from temperatures measured on it: L-BFGS with the gradient that Contraflow
// generates.
//
//     heat [--cells N | NXxNY] [--steps N] [--iterations N] [--pictures DIR] [--record FILE] [--compare FILE]
//
// --record writes the first gradient and the misfits to FILE; --compare checks them against such a file of another run
// (with another number of ranks or threads), and fails if they differ. Exit status 0 only if the dot-product test
// passes, the search gets there, and the comparison holds.
#include "heat.hpp"
#include "heat_ad.hpp"
#include "lbfgs.hpp"
#include "picture.hpp"
#include "plate.hpp"

#include <contraflow/verify.hpp>

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <string>
#include <vector>

namespace {

int rank = 0;

struct Options {
  int nx = 256, ny = 256, steps = 200, iterations = 40;
  std::string pictures, record, compare;
};

Options parse(int argc, char** argv) {
  Options options;
  bool good = true;
  for (int k = 1; k + 1 < argc; k += 2) {
    const std::string name = argv[k], value = argv[k + 1];
    if (name == "--cells") {
      const int read = std::sscanf(value.c_str(), "%dx%d", &options.nx, &options.ny);
      good = good && read >= 1;
      if (read == 1) options.ny = options.nx;
    } else if (name == "--steps") {
      options.steps = std::atoi(value.c_str());
    } else if (name == "--iterations") {
      options.iterations = std::atoi(value.c_str());
    } else if (name == "--pictures") {
      options.pictures = value;
    } else if (name == "--record") {
      options.record = value;
    } else if (name == "--compare") {
      options.compare = value;
    } else {
      good = false;
    }
  }
  if (!good || argc % 2 == 0 || options.nx < 4 || options.ny < 4 || options.steps < 1 || options.iterations < 1) {
    if (rank == 0)
      std::fprintf(stderr,
                   "usage: heat [--cells N | NXxNY] [--steps N] [--iterations N] [--pictures DIR] "
                   "[--record FILE] [--compare FILE]\n");
    MPI_Finalize();
    std::exit(2);
  }
  return options;
}

double sumOverRanks(double mine) {
  double all = 0.0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sumOverRanks(sum);
}

// Every rank gets the misfit; its derivative is that of the sum over ranks, so one rank alone has a seed.
double misfitAndGradient(const Grid& g, const std::vector<double>& conductivity, const std::vector<double>& observed,
                         std::vector<double>& gradient, contraflow::Tape& tape) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  return misfit_b(g, conductivity.data(), gradient.data(), observed.data(), rank == 0 ? 1.0 : 0.0, tape);
}

// The same directions for any number of ranks.
std::vector<double> someDirection(const Grid& g) {
  std::vector<double> direction(g.cells());
  for (int j = 0; j < g.ny; ++j) {
    for (int i = 0; i < g.nx; ++i) direction[j * g.nx + i] = std::sin(12.9898 * (g.x0 + i) + 78.233 * (g.y0 + j));
  }
  return direction;
}

// Tangent against adjoint: relative to the sum of the absolute values of the terms.
double dotProductTest(const Grid& g, const std::vector<double>& conductivity, const std::vector<double>& observed,
                      const std::vector<double>& gradient) {
  const double seed = rank == 0 ? 1.0 : 0.0;
  const auto tangent = [&](const std::vector<double>& direction) {
    return std::vector<double>{misfit_d(g, conductivity.data(), direction.data(), observed.data()).derivative};
  };
  const auto adjoint = [&](const std::vector<double>&) { return gradient; };
  return contraflow::verify::dotProductTest(tangent, adjoint, someDirection(g), std::vector<double>{seed}, sumOverRanks)
      .error;
}

// The fastest of five calls, in seconds, on the slowest rank.
template <class F>
double fastest(F call) {
  double best = 1.0e300;
  for (int repetition = 0; repetition < 5; ++repetition) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto start = std::chrono::steady_clock::now();
    call();
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    best = std::min(best, seconds);
  }
  return best;
}

// On rank 0: what another run must get as well.
struct Record {
  std::vector<double> misfits, gradient;
};

bool write(const Record& record, const std::string& path) {
  std::ofstream out(path);
  out << std::setprecision(17) << record.misfits.size() << ' ' << record.gradient.size() << '\n';
  for (double value : record.misfits) out << value << '\n';
  for (double value : record.gradient) out << value << '\n';
  out.flush();
  if (!out) std::fprintf(stderr, "heat: can't write '%s'\n", path.c_str());
  return static_cast<bool>(out);
}

// Checks the run against a recorded one: the first misfit and gradient to 1e-12, the first ten misfits to 1e-6.
bool agrees(const Record& record, const std::string& path) {
  std::ifstream in(path);
  std::size_t misfits = 0, cells = 0;
  in >> misfits >> cells;
  if (!in || misfits == 0 || cells != record.gradient.size()) {
    std::fprintf(stderr, "heat: '%s' is no record of this problem\n", path.c_str());
    return false;
  }
  Record other;
  other.misfits.resize(misfits);
  other.gradient.resize(cells);
  for (double& value : other.misfits) in >> value;
  for (double& value : other.gradient) in >> value;
  const double first = std::fabs(record.misfits[0] / other.misfits[0] - 1.0);
  double largest = 0.0, difference = 0.0, later = 0.0;
  for (std::size_t k = 0; k < cells; ++k) {
    largest = std::max(largest, std::fabs(other.gradient[k]));
    difference = std::max(difference, std::fabs(record.gradient[k] - other.gradient[k]));
  }
  const std::size_t common = std::min({record.misfits.size(), misfits, std::size_t{10}});
  for (std::size_t k = 0; k < common; ++k)
    later = std::max(later, std::fabs(record.misfits[k] / other.misfits[k] - 1.0));
  const bool good = in && first <= 1.0e-12 && difference <= 1.0e-12 * largest && later <= 1.0e-6;
  std::printf("  against the recorded run: first misfit %.1e, first gradient %.1e, first %zu misfits %.1e: %s\n", first,
              difference / largest, common, later, good ? "the same" : "DIFFERENT");
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0, ranks = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Options options = parse(argc, argv);
  const Grid g = makeGrid(options.nx, options.ny, options.steps);
  MPI_Comm_rank(g.comm, &rank);
  const double cells = static_cast<double>(g.globalNx) * g.globalNy;
  if (rank == 0)
    std::printf("heat: %d x %d cells, %d steps, %d rank(s) x %d thread(s)\n", g.globalNx, g.globalNy, g.steps, ranks,
                omp_get_max_threads());

  const std::vector<double> truth = trueConductivity(g);
  std::vector<double> observed(static_cast<std::size_t>(g.cells()) * g.readings());
  observe(g, truth.data(), observed.data());

  // Trust first: the gradient at the start of the search.
  contraflow::Tape tape;
  std::vector<double> start(g.cells(), 1.0), gradient(g.cells());
  const double firstMisfit = misfitAndGradient(g, start, observed, gradient, tape);
  const double peakBytes = sumOverRanks(static_cast<double>(tape.peakBytes()));
  const double mismatch = dotProductTest(g, start, observed, gradient);
  bool good = mismatch <= 1.0e-12;
  if (rank == 0)
    std::printf("  dot-product test: %.1e, relative to the sum of absolute terms: %s\n", mismatch,
                good ? "good" : "BAD");

  double sink = 0.0;
  std::vector<double> scratch(g.cells());
  const double primalTime = fastest([&] { sink += misfit(g, start.data(), observed.data()); });
  const double adjointTime = fastest([&] { sink += misfitAndGradient(g, start, observed, scratch, tape); });
  if (rank == 0) {
    std::printf("  misfit %.0f ms, misfit and gradient %.0f ms: ratio %.2f\n", 1e3 * primalTime, 1e3 * adjointTime,
                adjointTime / primalTime);
    std::printf("  tape: %.1f MB at its peak, %.1f bytes per cell and step\n", peakBytes / 1e6,
                peakBytes / (cells * g.steps));
  }
  if (!std::isfinite(sink)) good = false;

  // The search, on x = log k, so that the conductivity stays positive: dJ/dx = k dJ/dk.
  std::vector<double> x(g.cells(), 0.0), found = start;
  const auto evaluate = [&](const std::vector<double>& point, std::vector<double>& slope) {
    for (std::size_t c = 0; c < found.size(); ++c) found[c] = std::exp(point[c]);
    const double value = misfitAndGradient(g, found, observed, slope, tape);
    for (std::size_t c = 0; c < found.size(); ++c) slope[c] *= found[c];
    return value;
  };
  // How far the conductivity is from the truth, root mean square of the logarithms.
  const auto distance = [&](const std::vector<double>& point) {
    double sum = 0.0;
    for (std::size_t c = 0; c < point.size(); ++c)
      sum += (point[c] - std::log(truth[c])) * (point[c] - std::log(truth[c]));
    return std::sqrt(sumOverRanks(sum) / cells);
  };
  Record record;
  const double firstDistance = distance(x);
  LbfgsOptions search;
  search.iterations = options.iterations;
  minimise(x, search, evaluate, dot, [&](int iteration, double value, double slope) {
    record.misfits.push_back(value);
    const double away = distance(x);
    if (rank == 0 && (iteration <= 10 || iteration % 5 == 0))
      std::printf("  iteration %3d   misfit %.9e   |gradient| %.3e   distance to the true field %.4f\n", iteration,
                  value, slope, away);
  });
  for (std::size_t c = 0; c < found.size(); ++c) found[c] = std::exp(x[c]);
  const bool closer = record.misfits.back() < 0.01 * firstMisfit && distance(x) < 0.5 * firstDistance;
  if (rank == 0 && options.iterations >= 30 && !closer) std::printf("  the search did NOT get there\n");
  good = good && (closer || options.iterations < 30);

  record.gradient = gatherPlate(g, gradient);
  const std::vector<double> truePlate = gatherPlate(g, truth), foundPlate = gatherPlate(g, found);
  if (rank == 0) {
    if (!options.record.empty()) good = write(record, options.record) && good;
    if (!options.compare.empty()) good = agrees(record, options.compare) && good;
    if (!options.pictures.empty()) {
      const auto [low, high] = std::minmax_element(truePlate.begin(), truePlate.end());
      double steepest = 0.0;
      for (double value : record.gradient) steepest = std::max(steepest, std::fabs(value));
      const std::string folder = options.pictures + "/";
      good = writePicture(folder + "true.png", truePlate, g.globalNx, g.globalNy, *low, *high, Palette::Sequential) &&
             writePicture(folder + "found.png", foundPlate, g.globalNx, g.globalNy, *low, *high, Palette::Sequential) &&
             writePicture(folder + "gradient.png", record.gradient, g.globalNx, g.globalNy, -0.5 * steepest,
                          0.5 * steepest, Palette::Diverging) &&
             good;
    }
  }
  MPI_Bcast(&good, 1, MPI_CXX_BOOL, 0, MPI_COMM_WORLD);
  MPI_Comm comm = g.comm;
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return good ? 0 : 1;
}
