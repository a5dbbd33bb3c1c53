// Tests of derivatives: tangent against adjoint, and a gradient against finite differences.
//
// Vectors are std::vector-like: data of one rank, with size() and []. Across ranks, `reduce` sums a number over all
// of them (contraflow::mpi::SumOverRanks does); every rank gets the same result. An error is relative to the sum of
// the absolute values of the terms, since a sum that nearly cancels can't be computed better than that. A NaN
// anywhere makes the error NaN, so write `result.error <= tolerance`, which is then false.
#ifndef CONTRAFLOW_VERIFY_HPP
#define CONTRAFLOW_VERIFY_HPP

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <type_traits>
#include <utility>
#include <vector>

namespace contraflow::verify {

// Where there is one rank only.
struct NoReduction {
  double operator()(double share) const { return share; }
};

// <a, b> of this rank's shares, and the sum of |a_i b_i|.
struct Sum {
  long double value = 0;
  long double scale = 0;
};
template <class A, class B>
Sum dot(const A& a, const B& b) {
  Sum sum;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const long double term = static_cast<long double>(a[i]) * static_cast<long double>(b[i]);
    sum.value += term;
    sum.scale += std::fabs(term);
  }
  return sum;
}

inline double relativeError(double difference, double scale) {
  return difference == 0 ? 0 : std::fabs(difference) / scale;
}

struct DotProduct {
  double forward;  // <y_b, J x_d>
  double reverse;  // <J^T y_b, x_d>
  double scale;    // sum of the absolute values of the terms, the larger of both
  double error;    // |forward - reverse| / scale
};

inline void print(const DotProduct& test, std::FILE* out = stdout) {
  std::fprintf(out, "dot product: tangent %.17g, adjoint %.17g, relative error %.3g\n", test.forward, test.reverse,
               test.error);
}

// The dot-product test at a point that the callables know: for the Jacobian J (m by n) of the function there,
// <y_b, J x_d> = <J^T y_b, x_d>.
//
//     tangent(x_d) -> y_d    n numbers to m: J x_d
//     adjoint(y_b) -> x_b    m numbers to n: J^T y_b, starting from a zero x_b
template <class TangentOf, class AdjointOf, class X, class Y, class Reduce = NoReduction>
DotProduct dotProductTest(TangentOf tangent, AdjointOf adjoint, const X& x_d, const Y& y_b, Reduce reduce = {}) {
  const auto y_d = tangent(x_d);
  const auto x_b = adjoint(y_b);
  const bool shapes = y_d.size() == y_b.size() && x_b.size() == x_d.size();
  const Sum forward = shapes ? dot(y_b, y_d) : Sum{std::nanl(""), 0};
  const Sum reverse = shapes ? dot(x_b, x_d) : Sum{std::nanl(""), 0};
  DotProduct test{};
  test.forward = reduce(static_cast<double>(forward.value));
  test.reverse = reduce(static_cast<double>(reverse.value));
  const double forwardScale = reduce(static_cast<double>(forward.scale));
  const double reverseScale = reduce(static_cast<double>(reverse.scale));
  test.scale = forwardScale > reverseScale ? forwardScale : reverseScale;
  test.error = relativeError(test.forward - test.reverse, test.scale);
  return test;
}

struct Difference {
  double step;
  double value;  // (f(x + step v) - f(x - step v)) / (2 step)
  double error;  // |value - derivative| / scale
};

struct FiniteDifferences {
  double derivative;  // <gradient, v>
  double scale;       // sum of the absolute values of its terms
  std::vector<Difference> steps;

  // The step with the smallest error.
  Difference best() const {
    Difference best{0, 0, HUGE_VAL};
    for (const Difference& step : steps)
      if (step.error < best.error) best = step;
    return best;
  }
};

// Large steps err by the third derivative, small ones by rounding; a right gradient gives a V with its tip at 1e-8
// or below, a wrong one a plateau.
inline std::vector<double> defaultSteps() { return {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}; }

// A gradient against central differences along one direction.
//
//     f(x) -> number         this rank's share of the objective; the objective is their sum
//     x, direction           n numbers
//     gradient               n numbers: the derivative of the objective by this rank's x
template <class F, class X, class V, class G, class Reduce = NoReduction,
          std::enable_if_t<!std::is_arithmetic_v<G>, int> = 0>
FiniteDifferences finiteDifferences(F f, const X& x, const V& direction, const G& gradient,
                                    const std::vector<double>& steps = defaultSteps(), Reduce reduce = {}) {
  const Sum product = gradient.size() == direction.size() ? dot(gradient, direction) : Sum{std::nanl(""), 0};
  FiniteDifferences result{};
  result.derivative = reduce(static_cast<double>(product.value));
  result.scale = reduce(static_cast<double>(product.scale));
  const auto at = [&](double step) {
    X moved = x;
    for (std::size_t i = 0; i < moved.size(); ++i)
      moved[i] += static_cast<std::decay_t<decltype(moved[i])>>(step * static_cast<double>(direction[i]));
    return reduce(static_cast<double>(f(std::as_const(moved))));
  };
  for (const double step : steps) {
    const double value = (at(step) - at(-step)) / (2 * step);
    result.steps.push_back({step, value, relativeError(value - result.derivative, result.scale)});
  }
  return result;
}

// The same for a directional derivative that is known as one number (a tangent), the share of this rank.
template <class F, class X, class V, class Reduce = NoReduction>
FiniteDifferences finiteDifferences(F f, const X& x, const V& direction, double derivative,
                                    const std::vector<double>& steps = defaultSteps(), Reduce reduce = {}) {
  FiniteDifferences result = finiteDifferences(f, x, direction, std::vector<double>(x.size()), steps, reduce);
  result.derivative = reduce(derivative);
  result.scale = reduce(std::fabs(derivative));
  for (Difference& step : result.steps) step.error = relativeError(step.value - result.derivative, result.scale);
  return result;
}

// One line for each step, with a bar as long as the error is small: the tip of the V stands out.
inline void print(const FiniteDifferences& test, std::FILE* out = stdout) {
  std::fprintf(out, "derivative %.17g\n%10s  %24s  %10s\n", test.derivative, "step", "finite difference", "rel. error");
  for (const Difference& step : test.steps) {
    const double digits = step.error > 0 ? -std::log10(step.error) : 16;
    const int length = digits > 16 ? 16 : digits > 0 ? static_cast<int>(digits) : 0;
    std::fprintf(out, "%10.1e  %24.16g  %10.2e  %.*s\n", step.step, step.value, step.error, length, "****************");
  }
}

}  // namespace contraflow::verify

#endif
