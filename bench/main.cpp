// Measures the kernels of kernels.def with Google Benchmark: primal, tangent, adjoint, the adjoint by hand, ADOL-C, Sacado.
//
//     bench_kernels [--only=NAME,…] [Google Benchmark's options]    checks the gradients, then measures
//     bench_kernels --check                                         checks them on tiny problems
//     bench_kernels --memory=NAME/VARIANT                           prints what one gradient allocates: bytes of peak, of tape
//
// Nothing is measured unless all gradients of all kernels agree to 1e-10.
#include "kernels.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>

namespace {

constexpr double kTolerance = 1e-10;

// One kernel with its data and the memory of all its derivatives.
struct Run {
  const Kernel& kernel;
  Problem problem;
  std::vector<double> work, work_b, x_b, direction;
  contraflow::Tape tape;
  Records records;

  Run(const Kernel& kernel, bool tiny)
      : kernel(kernel), problem(kernel.problem(tiny)), work(problem.work), work_b(problem.work), x_b(problem.x.size()) {
    for (std::size_t i = 0; i < problem.x.size(); ++i) direction.push_back(std::sin(1.0 + static_cast<double>(i)));
  }
  const int* size() const { return problem.size.data(); }
  const double* x() const { return problem.x.data(); }
  const double* constant() const { return problem.constant.data(); }

  double primal() { return kernel.primal(size(), x(), constant(), work.data()); }
  contraflow::Tangent<double> tangent() {
    return kernel.tangent(size(), x(), direction.data(), constant(), work.data(), work_b.data());
  }
  double adjoint() {
    std::fill(x_b.begin(), x_b.end(), 0.0);
    std::fill(work_b.begin(), work_b.end(), 0.0);
    return kernel.adjoint(size(), x(), x_b.data(), constant(), work.data(), work_b.data(), 1.0, tape);
  }
  double byHand() {
    std::fill(x_b.begin(), x_b.end(), 0.0);
    std::fill(work_b.begin(), work_b.end(), 0.0);
    return kernel.byHand(size(), x(), x_b.data(), constant(), work.data(), work_b.data(), records);
  }
  double adolc() {
    std::fill(x_b.begin(), x_b.end(), 0.0);
    return kernel.adolc(problem, x_b.data());
  }
  double sacado() {
    std::fill(x_b.begin(), x_b.end(), 0.0);
    return kernel.sacado(problem, x_b.data());
  }
};

struct Variant {
  const char* name;
  std::function<double(Run&)> call;
  bool gradient;
};

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = {
      {"primal", [](Run& run) { return run.primal(); }, false},
      {"tangent", [](Run& run) { return run.tangent().derivative; }, false},
      {"adjoint", [](Run& run) { return run.adjoint(); }, true},
      {"by_hand", [](Run& run) { return run.byHand(); }, true},
      {"adolc", [](Run& run) { return run.adolc(); }, true},
      {"sacado", [](Run& run) { return run.sacado(); }, true},
  };
  return all;
}

bool has(const Kernel& kernel, const Variant& variant) {
  if (std::strcmp(variant.name, "adolc") == 0) return kernel.adolc != nullptr;
  return std::strcmp(variant.name, "sacado") != 0 || kernel.sacado != nullptr;
}

double norm(const std::vector<double>& v) {
  double sum = 0;
  for (const double e : v) sum += e * e;
  return std::sqrt(sum);
}

bool near(double error, const std::string& kernel, const char* what) {
  if (error <= kTolerance) return true;  // false for NaN
  std::fprintf(stderr, "%s: %s differs from the adjoint by hand, relatively by %g\n", kernel.c_str(), what, error);
  return false;
}

// Values, gradients and the tangent's derivative against those of the adjoint by hand.
bool agrees(const Kernel& kernel, bool tiny) {
  Run run(kernel, tiny);
  const double value = run.byHand();
  const std::vector<double> reference = run.x_b;
  bool good = true;
  for (const Variant& variant : variants()) {
    if (!has(kernel, variant) || std::strcmp(variant.name, "tangent") == 0) continue;
    const double other = variant.call(run);
    good = near(std::fabs(other - value) / std::fabs(value), kernel.name, (variant.name + std::string("'s value")).c_str()) && good;
    if (!variant.gradient) continue;
    std::vector<double> difference = run.x_b;
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= reference[i];
    good = near(norm(difference) / norm(reference), kernel.name, variant.name) && good;
  }
  double product = 0, scale = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    product += reference[i] * run.direction[i];
    scale += std::fabs(reference[i] * run.direction[i]);
  }
  return near(std::fabs(run.tangent().derivative - product) / scale, kernel.name, "tangent") && good;
}

// In bytes, from /proc/self/status: VmRSS, VmHWM.
long residentBytes(const char* field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.compare(0, std::strlen(field), field) == 0) return std::atol(line.c_str() + std::strlen(field) + 1) * 1024;
  return 0;
}

int printMemory(const std::string& which) {
  for (const Kernel& kernel : kernels())
    for (const Variant& variant : variants()) {
      if (which != kernel.name + "/" + variant.name || !has(kernel, variant)) continue;
      Run run(kernel, false);
      run.primal();
      std::fill(run.work_b.begin(), run.work_b.end(), 0.0);
      std::fill(run.x_b.begin(), run.x_b.end(), 0.0);
      const long before = residentBytes("VmRSS");
      std::ofstream("/proc/self/clear_refs") << "5\n";  // the peak begins anew
      variant.call(run);
      const bool tape = std::strcmp(variant.name, "adjoint") == 0;
      std::printf("{\"peak\": %ld, \"more\": %ld, \"records\": %zu}\n", residentBytes("VmHWM"),
                  std::max(0L, residentBytes("VmHWM") - before),
                  tape ? run.tape.peakBytes() : run.records.size() * sizeof(double));
      return 0;
    }
  std::fprintf(stderr, "there is no %s\n", which.c_str());
  return 1;
}

void measure(benchmark::State& state, const Kernel& kernel, const Variant& variant, std::unique_ptr<Run>& run) {
  if (run == nullptr) run = std::make_unique<Run>(kernel, false);
  for (auto _ : state) benchmark::DoNotOptimize(variant.call(*run));
}

}  // namespace

int main(int argc, char** argv) {
  bool check = false;
  std::string only, memory;
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--check") check = true;
    else if (argument.rfind("--only=", 0) == 0) only = "," + argument.substr(7) + ",";
    else if (argument.rfind("--memory=", 0) == 0) memory = argument.substr(9);
    else rest.push_back(argv[i]);
  }
  if (!memory.empty()) return printMemory(memory);

  bool good = true;
  static std::vector<std::unique_ptr<Run>> runs(kernels().size());
  for (std::size_t k = 0; k < kernels().size(); ++k) {
    const Kernel& kernel = kernels()[k];
    if (!only.empty() && only.find("," + kernel.name + ",") == std::string::npos) continue;
    good = agrees(kernel, check) && good;
    for (const Variant& variant : variants())
      if (has(kernel, variant))
        benchmark::RegisterBenchmark((kernel.name + "/" + variant.name).c_str(),
                                     [&kernel, &variant, k](benchmark::State& state) { measure(state, kernel, variant, runs[k]); })
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
  }
  if (!good) return 1;
  if (check) {
    std::printf("%zu kernels: all gradients agree\n", kernels().size());
    return 0;
  }
  int count = static_cast<int>(rest.size());
  benchmark::Initialize(&count, rest.data());
  if (benchmark::ReportUnrecognizedArguments(count, rest.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
