// The gradient check that `contraflow --emit-check` writes a driver for: tangent against adjoint, and both against differences of
// the primal. docs/gradient_check.md says what it prints.
//
// A Problem is one head:
//
//     struct Problem {
//       static constexpr const char* head = "misfit(k, source -> return)";
//       static constexpr const char* inputs[] = {"k", "source"};   // the independents
//       static constexpr const char* outputs[] = {"return"};       // the dependents
//       struct Arguments { … };                                    // with their values, and the result
//       static void fill(Arguments& a);                            // values of what has none yet
//       static void primal(Arguments& a);
//       static void tangent(Arguments& a, Arguments& d);
//       static void adjoint(Arguments& a, Arguments& b);
//       static void forEachInput(A& a, visit);                     // visit(k, object): an object of the k-th independent
//       static void forEachOutput(A& a, visit);
//       static void forEachShadow(A& a, visit);                    // visit(object): all that has a shadow
//       static void takeShapes(Arguments& b, const Arguments& after);  // the sizes that outputs have after the call
//     };
//
// `Ranks` says how many processes there are, and sums a number over them: OneProcess, or contraflow::mpi::CheckRanks.
#ifndef CONTRAFLOW_CHECK_HPP
#define CONTRAFLOW_CHECK_HPP

#include <contraflow/check_values.hpp>
#include <contraflow/trace.hpp>
#include <contraflow/verify.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace contraflow::check {

struct OneProcess {
  OneProcess(int*, char***) {}
  int rank() const { return 0; }
  int ranks() const { return 1; }
  double operator()(double share) const { return share; }
};

struct Tolerances {
  double dotProduct = 0;  // 0: by the type of the reals
  double difference = 0;
};

// Exit statuses of a driver.
enum Status { kPassed = 0, kMismatch = 1, kUsage = 2, kNothing = 3 };

// The reals of some named objects, one behind the other.
struct Flat {
  std::vector<double> values;
  std::vector<std::size_t> ends;  // of each name's reals
  std::size_t begin(std::size_t name) const { return name == 0 ? 0 : ends[name - 1]; }
};

template <class Problem, class Ranks>
class HeadCheck {
 public:
  using Arguments = typename Problem::Arguments;
  HeadCheck(const Ranks& sum, Tolerances tolerances) : sum_(sum), tolerances_(tolerances) {}

  Status run() {
    Problem::fill(at_);
    after_ = at_;
    Problem::primal(after_);
    x_ = inputsOf(at_);
    y_ = outputsOf(after_);
    setTolerances();
    direction_ = direction("x_d", x_.values.size());
    weights_ = direction("y_b", y_.values.size());
    y_d_ = tangent(direction_);
    announce();
    const bool values = checkValues(), dots = checkDotProducts(), differences = checkDifferences();
    const bool right = values && dots && differences;
    if (right && derivative_ == 0 && scale_ == 0) return nothing();
    say("%s: %s\n", Problem::head, right ? "passed" : "FAILED");
    return right ? kPassed : kMismatch;
  }

 private:
  static constexpr std::size_t kInputs = std::size(Problem::inputs);
  static constexpr std::size_t kOutputs = std::size(Problem::outputs);

  template <class... Values>
  void say(const char* format, Values... values) const {
    if (sum_.rank() != 0) return;
    if constexpr (sizeof...(values) == 0)
      std::fputs(format, stdout);
    else
      std::printf(format, values...);
  }
  static const char* verdict(bool good) { return good ? "good" : "BAD"; }

  // --- arguments and vectors of reals ---

  template <class ForEach>
  static Flat flatten(std::size_t names, ForEach forEach) {
    Flat flat;
    for (std::size_t name = 0; name < names; ++name) {
      forEach([&](std::size_t k, auto& object) {
        if (k == name) forEachReal(object, [&](auto& real) { flat.values.push_back(static_cast<double>(real)); });
      });
      flat.ends.push_back(flat.values.size());
    }
    return flat;
  }
  static Flat inputsOf(Arguments& a) {
    return flatten(kInputs, [&](auto visit) { Problem::forEachInput(a, visit); });
  }
  static Flat outputsOf(Arguments& a) {
    return flatten(kOutputs, [&](auto visit) { Problem::forEachOutput(a, visit); });
  }
  static auto assign(std::vector<std::size_t>& next, const std::vector<double>& from) {
    return [&](std::size_t k, auto& object) {
      forEachReal(object, [&](auto& real) { real = static_cast<std::decay_t<decltype(real)>>(from[next[k]++]); });
    };
  }
  void setInputs(Arguments& a, const std::vector<double>& from) const {
    std::vector<std::size_t> next = begins(x_);
    Problem::forEachInput(a, assign(next, from));
  }
  void setOutputs(Arguments& a, const std::vector<double>& from) const {
    std::vector<std::size_t> next = begins(y_);
    Problem::forEachOutput(a, assign(next, from));
  }
  static std::vector<std::size_t> begins(const Flat& flat) {
    std::vector<std::size_t> result;
    for (std::size_t k = 0; k < flat.ends.size(); ++k) result.push_back(flat.begin(k));
    return result;
  }
  static void clear(Arguments& shadow) {
    Problem::forEachShadow(shadow, [](auto& object) { forEachReal(object, [](auto& real) { real = 0; }); });
  }

  // --- the three functions ---

  std::vector<double> primal(const std::vector<double>& x) const {
    Arguments a = at_;
    setInputs(a, x);
    Problem::primal(a);
    return outputsOf(a).values;
  }
  std::vector<double> tangent(const std::vector<double>& x_d, Arguments* left = nullptr) const {
    Arguments a = at_, d = at_;
    clear(d);
    setInputs(d, x_d);
    Problem::tangent(a, d);
    if (left) *left = a;
    return outputsOf(d).values;
  }
  // On entry a shadow has the shape that its object has after the call: a vector may have changed its size.
  std::vector<double> adjoint(const std::vector<double>& y_b, Arguments* left = nullptr) const {
    Arguments a = at_, b = at_;
    Problem::takeShapes(b, after_);
    clear(b);
    setOutputs(b, y_b);
    Problem::adjoint(a, b);
    if (left) *left = a;
    return inputsOf(b).values;
  }

  // --- what is checked ---

  void setTolerances() {
    double epsilon = 0;
    Problem::forEachShadow(at_, [&](auto& object) { noteEpsilon(object, epsilon); });
    const bool isFloat = epsilon > 1e-10;
    if (tolerances_.dotProduct == 0) tolerances_.dotProduct = isFloat ? 1e-4 : 1e-12;
    if (tolerances_.difference == 0) tolerances_.difference = isFloat ? 5e-2 : 1e-6;
  }
  void announce() const {
    int threads = 1;
#ifdef _OPENMP
    threads = omp_get_max_threads();
#endif
    const double inputs = sum_(static_cast<double>(x_.values.size())), outputs = sum_(static_cast<double>(y_.values.size()));
    say("%s: %d rank(s) x %d thread(s), %.0f reals in, %.0f out\n", Problem::head, sum_.ranks(), threads, inputs, outputs);
  }

  // The tangent and the adjoint leave what the primal leaves.
  bool checkValues() const {
    Arguments fromTangent = at_, fromAdjoint = at_;
    tangent(direction_, &fromTangent);
    adjoint(weights_, &fromAdjoint);
    const double t = difference(outputsOf(fromTangent).values), a = difference(outputsOf(fromAdjoint).values);
    const bool good = t <= tolerances_.dotProduct && a <= tolerances_.dotProduct;
    say("  values against the primal's: tangent %.1e, adjoint %.1e, relative: %s\n", t, a, verdict(good));
    return good;
  }
  double difference(const std::vector<double>& values) const {
    double difference = values.size() == y_.values.size() ? 0 : HUGE_VAL, scale = 0;
    for (std::size_t k = 0; k < y_.values.size() && k < values.size(); ++k) {
      // Infinities and NaNs of the primal's are none of the derivatives' business here.
      if (values[k] == y_.values[k] || (std::isnan(values[k]) && std::isnan(y_.values[k]))) continue;
      difference += std::fabs(values[k] - y_.values[k]);
      scale += std::fabs(y_.values[k]);
    }
    return verify::relativeError(sum_(difference), sum_(scale));
  }

  // The numbers of `from` that belong to one name; zeros elsewhere.
  static std::vector<double> only(const Flat& shape, std::size_t name, const std::vector<double>& from) {
    std::vector<double> result(from.size());
    for (std::size_t k = shape.begin(name); k < shape.ends[name]; ++k) result[k] = from[k];
    return result;
  }
  verify::DotProduct dotProduct(const std::vector<double>& x_d, const std::vector<double>& y_d, const std::vector<double>& x_b,
                                const std::vector<double>& y_b) const {
    return verify::dotProductTest([&](const auto&) { return y_d; }, [&](const auto&) { return x_b; }, x_d, y_b,
                                  [&](double share) { return sum_(share); });
  }

  bool checkDotProducts() {
    const std::vector<double> x_b = adjoint(weights_);
    const verify::DotProduct whole = dotProduct(direction_, y_d_, x_b, weights_);
    derivative_ = whole.forward;
    scale_ = whole.scale;
    bool good = whole.error <= tolerances_.dotProduct;
    say("  dot product: tangent %.17g, adjoint %.17g, relative error %.1e: %s\n", whole.forward, whole.reverse, whole.error,
        verdict(good));
    return checkPairs() && good;
  }

  // Each output of each rank by itself, against each input.
  bool checkPairs() {
    std::vector<std::vector<double>> x_d, y_d;
    for (std::size_t input = 0; input < kInputs; ++input) {
      x_d.push_back(only(x_, input, direction_));
      y_d.push_back(tangent(x_d.back()));
    }
    say("  by output and rank, relative error for each input:\n  %16s %5s", "output", "rank");
    for (const char* input : Problem::inputs) say("  %12s", input);
    say("\n");
    bool good = true;
    for (std::size_t output = 0; output < kOutputs; ++output)
      for (int owner = 0; owner < sum_.ranks(); ++owner) {
        std::vector<double> y_b = only(y_, output, weights_);
        if (sum_.rank() != owner) y_b.assign(y_b.size(), 0);
        const std::vector<double> x_b = adjoint(y_b);
        say("  %16s %5d", Problem::outputs[output], owner);
        for (std::size_t input = 0; input < kInputs; ++input) {
          const verify::DotProduct pair = dotProduct(x_d[input], y_d[input], x_b, y_b);
          const bool pairGood = pair.error <= tolerances_.dotProduct;
          say("  %12.1e%s", pair.error, pairGood ? "" : " BAD");
          good = good && pairGood;
          if (!pairGood && !worst_.found) worst_ = {x_d[input], y_b, x_b, input, output, owner, true};
        }
        say("\n");
      }
    if (worst_.found) {
      locate();
      findLine();
    }
    return good;
  }

  // The tangent against central differences, for all outputs together, and for each one of each rank.
  bool checkDifferences() const {
    std::vector<verify::FiniteDifferences> tests = startDifferences();
    for (const double step : verify::defaultSteps()) {
      const std::vector<double> up = primal(moved(step)), down = primal(moved(-step));
      std::size_t test = 0;
      addDifference(tests[test++], step, up, down, weights_);
      for (std::size_t output = 0; output < kOutputs; ++output)
        for (int owner = 0; owner < sum_.ranks(); ++owner) addDifference(tests[test++], step, up, down, weightsOf(output, owner));
    }
    say("  central differences along a random direction, against the tangent:\n");
    if (sum_.rank() == 0) verify::print(tests[0]);
    bool good = judge(tests[0], "all", -1);
    std::size_t test = 1;
    for (std::size_t output = 0; output < kOutputs; ++output)
      for (int owner = 0; owner < sum_.ranks(); ++owner) good = judge(tests[test++], Problem::outputs[output], owner) && good;
    return good;
  }
  std::vector<double> weightsOf(std::size_t output, int owner) const {
    return sum_.rank() == owner ? only(y_, output, weights_) : std::vector<double>(weights_.size());
  }
  std::vector<double> moved(double step) const {
    std::vector<double> x = x_.values;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += step * direction_[k];
    return x;
  }
  std::vector<verify::FiniteDifferences> startDifferences() const {
    std::vector<verify::FiniteDifferences> tests(1 + kOutputs * static_cast<std::size_t>(sum_.ranks()));
    for (std::size_t test = 0; test < tests.size(); ++test) {
      const std::size_t ranks = static_cast<std::size_t>(sum_.ranks());
      const std::vector<double> y_b =
          test == 0 ? weights_ : weightsOf((test - 1) / ranks, static_cast<int>((test - 1) % ranks));
      const verify::Sum product = verify::dot(y_b, y_d_);
      tests[test].derivative = sum_(static_cast<double>(product.value));
      tests[test].scale = sum_(static_cast<double>(product.scale));
    }
    return tests;
  }
  void addDifference(verify::FiniteDifferences& test, double step, const std::vector<double>& up, const std::vector<double>& down,
                     const std::vector<double>& y_b) const {
    long double share = 0;
    bool sameSize = up.size() == y_b.size() && down.size() == y_b.size();
    for (std::size_t k = 0; sameSize && k < y_b.size(); ++k)
      if (y_b[k] != 0) share += static_cast<long double>(y_b[k]) * (static_cast<long double>(up[k]) - static_cast<long double>(down[k]));
    const double value = sum_(sameSize ? static_cast<double>(share) : std::nan("")) / (2 * step);
    // What rounding leaves of a derivative of zero is no fault.
    const double scale = test.scale > 0 ? test.scale : 1;
    test.steps.push_back({step, value, verify::relativeError(value - test.derivative, scale)});
  }
  bool judge(const verify::FiniteDifferences& test, const char* output, int owner) const {
    const verify::Difference best = test.best();
    const bool good = best.error <= tolerances_.difference;
    if (owner < 0)
      say("  %s outputs: ", output);
    else
      say("  %s of rank %d: ", output, owner);
    if (best.step > 0)
      say("smallest relative error %.1e, at step %.0e: %s\n", best.error, best.step, verdict(good));
    else
      say("no step gives a number: %s\n", verdict(good));
    return good;
  }

  Status nothing() const {
    say("%s: NOTHING CHECKED: the derivative is zero here; give other values with --check-arg\n", Problem::head);
    return kNothing;
  }

  // --- where a mismatch comes from ---

  struct Worst {
    std::vector<double> x_d, y_b, x_b;
    std::size_t input = 0, output = 0;
    int owner = 0;
    bool found = false;
  };

  // The tangent and the adjoint for the direction that is `worst_.x_d` on one rank between two indices.
  verify::DotProduct part(int owner, std::size_t begin, std::size_t end) const {
    std::vector<double> x_d(worst_.x_d.size());
    if (sum_.rank() == owner)
      for (std::size_t k = begin; k < end; ++k) x_d[k] = worst_.x_d[k];
    return dotProduct(x_d, tangent(x_d), worst_.x_b, worst_.y_b);
  }
  static double gap(const verify::DotProduct& test) {
    const double gap = std::fabs(test.forward - test.reverse);
    return std::isnan(gap) ? HUGE_VAL : gap;
  }

  // Halves the input of the first bad pair down to one element whose derivatives differ, and asks the primal which one is wrong.
  void locate() const {
    int owner = 0;
    double largest = -1;
    for (int r = 0; r < sum_.ranks(); ++r) {
      const double g = gap(part(r, x_.begin(worst_.input), x_.ends[worst_.input]));
      if (g > largest) owner = r, largest = g;
    }
    const double share = sum_.rank() == owner ? 1 : 0;
    std::size_t begin = static_cast<std::size_t>(sum_(share * static_cast<double>(x_.begin(worst_.input))));
    std::size_t end = static_cast<std::size_t>(sum_(share * static_cast<double>(x_.ends[worst_.input])));
    const std::size_t first = begin;
    while (end - begin > 1) {
      const std::size_t middle = begin + (end - begin) / 2;
      (gap(part(owner, begin, middle)) >= gap(part(owner, middle, end)) ? end : begin) = middle;
    }
    report(owner, begin, begin - first);
  }
  void report(int owner, std::size_t place, std::size_t element) const {
    const verify::DotProduct one = part(owner, place, place + 1);
    const double component = sum_(sum_.rank() == owner ? worst_.x_d[place] : 0);
    say("  the derivative of '%s' of rank %d by real %zu of '%s' on rank %d:\n", Problem::outputs[worst_.output], worst_.owner,
        element, Problem::inputs[worst_.input], owner);
    verify::FiniteDifferences truth{};
    truth.derivative = one.forward / component;
    truth.scale = std::fabs(truth.derivative) + std::fabs(one.reverse / component);
    for (const double step : verify::defaultSteps()) {
      std::vector<double> up = x_.values, down = x_.values;
      if (sum_.rank() == owner) up[place] += step, down[place] -= step;
      addDifference(truth, step, primal(up), primal(down), worst_.y_b);
    }
    const verify::FiniteDifferences byAdjoint = against(truth, one.reverse / component);
    const bool tangentFits = truth.best().error <= tolerances_.difference;
    const bool adjointFits = byAdjoint.best().error <= tolerances_.difference;
    say("    weighted by y_b: tangent %.10g, adjoint %.10g, difference %.10g: %s\n", truth.derivative, byAdjoint.derivative,
        (tangentFits ? truth : byAdjoint).best().value,
        tangentFits && adjointFits ? "both within the tolerance of differences"
        : tangentFits              ? "the adjoint is wrong"
        : adjointFits              ? "the tangent is wrong"
                                   : "neither agrees with differences");
  }
  // The first line in the order of the reverse sweep whose tangent and adjoint disagree. One thread, whose sweeps have an order.
  void findLine() const {
#ifdef _OPENMP
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
#endif
    trace::Log& log = trace::log();
    log = {};
    log.on = true;
    const std::vector<double> y_d = tangent(worst_.x_d);
    const std::vector<trace::Run> forward = std::move(log.runs);
    log.runs.clear();
    const std::vector<double> x_b = adjoint(worst_.y_b);
    log.on = false;
    const trace::Finding found = trace::compare(forward, log.runs, 1000 * tolerances_.dotProduct);
    const bool wrong = !(dotProduct(worst_.x_d, y_d, x_b, worst_.y_b).error <= tolerances_.dotProduct);
#ifdef _OPENMP
    omp_set_num_threads(threads);
#endif
    const double runs = sum_(static_cast<double>(forward.size()));
    if (runs == 0) return say("    (written with --check-lines, this says which line's tangent and adjoint disagree)\n");
    if (!wrong) return say("    with one thread they agree: the fault lies in what threads share\n");
    if (sum_(found.site.empty() && found.uneven.empty() ? 0 : 1) == 0)
      return say("    each line's tangent and adjoint agree by themselves: the fault lies in what stands between them: calls and their "
                 "arguments, messages, pointers and their shadows\n");
    if (found.site.empty() && found.uneven.empty()) return;
    const std::string rank = sum_.ranks() > 1 ? "on rank " + std::to_string(sum_.rank()) + ": " : "";
    if (!found.uneven.empty())
      std::printf("    %s%s is run %zu times by the tangent, and reversed %zu times\n", rank.c_str(), found.uneven.c_str(), found.forward,
                  found.reverse);
    if (!found.site.empty())
      std::printf("    %sthe first line whose tangent and adjoint disagree, seen from the end: %s, run %zu of %zu: tangent %.10g, adjoint "
                  "%.10g\n", rank.c_str(), found.site.c_str(), found.run, found.runs, found.tangent, found.adjoint);
    std::fflush(stdout);
  }
  static verify::FiniteDifferences against(verify::FiniteDifferences test, double derivative) {
    for (verify::Difference& step : test.steps) step.error = verify::relativeError(step.value - derivative, test.scale);
    test.derivative = derivative;
    return test;
  }

  const Ranks& sum_;
  Tolerances tolerances_;
  Arguments at_{}, after_{};
  Flat x_, y_;
  std::vector<double> direction_, weights_, y_d_;
  double derivative_ = 0, scale_ = 0;
  Worst worst_;
};

// The program: reads the command line, checks heads, and knows the exit status.
template <class Ranks = OneProcess>
class Session {
 public:
  Session(int argc, char** argv) : ranks_(&argc, &argv) {
    check::rank = ranks_.rank();
    check::ranks = ranks_.ranks();
    for (int k = 1; k < argc; ++k)
      if (!read(argv[k])) status_ = kUsage;
    if (status_ == kUsage && ranks_.rank() == 0)
      std::fprintf(stderr, "usage: [--seed=N] [--tolerance=T] [--difference-tolerance=T]\n");
  }

  template <class Problem>
  void check() {
    if (status_ == kUsage) return;
    const Status status = HeadCheck<Problem, Ranks>(ranks_, tolerances_).run();
    if (status_ == kPassed || status == kMismatch) status_ = status;
  }
  int finish() const { return status_; }

 private:
  bool read(const char* word) {
    double seedGiven = 0;
    if (number(word, "--seed=", seedGiven)) {
      seed = static_cast<std::uint64_t>(seedGiven);
      return true;
    }
    return number(word, "--tolerance=", tolerances_.dotProduct) || number(word, "--difference-tolerance=", tolerances_.difference);
  }
  static bool number(const char* word, const char* name, double& value) {
    const std::size_t length = std::strlen(name);
    if (std::strncmp(word, name, length) != 0) return false;
    char* end = nullptr;
    value = std::strtod(word + length, &end);
    return end != word + length && *end == 0 && value > 0;
  }

  Ranks ranks_;
  Tolerances tolerances_;
  Status status_ = kPassed;
};

}  // namespace contraflow::check

#endif
