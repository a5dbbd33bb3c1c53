// What the mains of the kernel tests have in common: the dot-product test and finite differences of a function of n
// inputs with one result (over all ranks: the sum of the ranks' results).
#pragma once

#include <contraflow/runtime.hpp>
#include <contraflow/verify.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

inline std::vector<double> wave(int n, double from, double amplitude, double frequency) {
  std::vector<double> v(n);
  for (int i = 0; i < n; ++i) v[i] = from + amplitude * std::sin(frequency * (i + 1));
  return v;
}

// value(x) -> number; tangent(x, x_d) -> {value, derivative}; adjoint(x, x_b) adds to x_b for this rank's `seed`.
// Returns the exit status: 0 if all three agree and the value is the same each time.
template <class Value, class TangentOf, class AdjointOf, class Reduce = contraflow::verify::NoReduction>
int checkGradient(const std::vector<double>& x, Value value, TangentOf tangent, AdjointOf adjoint, double seed = 1.0,
                  Reduce reduce = {}) {
  const std::vector<double> direction = wave(static_cast<int>(x.size()), 0.3, 1.0, 1.7);
  std::vector<double> gradient(x.size());
  const double fromAdjoint = adjoint(x, gradient);
  const double fromTangent = tangent(x, direction).value;
  const double right = value(x);
  const auto dot = contraflow::verify::dotProductTest(
      [&](const std::vector<double>& x_d) { return std::vector<double>{tangent(x, x_d).derivative}; },
      [&](const std::vector<double>&) { return gradient; }, direction, std::vector<double>{seed}, reduce);
  const auto differences =
      contraflow::verify::finiteDifferences([&](const std::vector<double>& at) { return seed * value(at); }, x,
                                            direction, gradient, contraflow::verify::defaultSteps(), reduce);
  const bool values = std::fabs(fromAdjoint - right) <= 1e-12 * (1.0 + std::fabs(right)) &&
                      std::fabs(fromTangent - right) <= 1e-12 * (1.0 + std::fabs(right));
  const bool good = values && dot.error <= 1e-12 && differences.best().error <= 1e-7;
  if (!good) {
    std::printf("values: primal %.17g, tangent %.17g, adjoint %.17g\n", right, fromTangent, fromAdjoint);
    contraflow::verify::print(dot);
    contraflow::verify::print(differences);
  }
  return good ? 0 : 1;
}
