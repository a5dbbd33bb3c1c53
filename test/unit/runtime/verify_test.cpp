// The tests of gradients pass right derivatives, and fail wrong ones.
#include <contraflow/verify.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

using namespace contraflow::verify;
using Vector = std::vector<double>;

namespace {

// y = (x0 x1, 2 x1 + x2) at (3, 5, 7).
Vector tangentOf(const Vector& d) { return {5 * d[0] + 3 * d[1], 2 * d[1] + d[2]}; }
Vector adjointOf(const Vector& b) { return {5 * b[0], 3 * b[0] + 2 * b[1], b[1]}; }

double f(const Vector& x) { return std::sin(x[0]) * x[1]; }

}  // namespace

TEST_CASE("the dot-product test") {
  const Vector x_d{1, -2, 0.5};
  const Vector y_b{0.25, 3};
  const DotProduct right = dotProductTest(tangentOf, adjointOf, x_d, y_b);
  CHECK(right.forward == -10.75);
  CHECK(right.error <= 1e-15);
  CHECK(right.scale == 1.25 + 13.5 + 1.5);

  const auto wrongAdjoint = [](const Vector& b) {
    Vector x_b = adjointOf(b);
    x_b[1] += 1e-6;
    return x_b;
  };
  CHECK(dotProductTest(tangentOf, wrongAdjoint, x_d, y_b).error > 1e-8);
}

TEST_CASE("the error is relative to the terms, where the sum cancels") {
  const auto tangent = [](const Vector& d) { return Vector{d[0], -d[0] + 1e-17}; };
  const auto adjoint = [](const Vector& b) { return Vector{b[0] - b[1]}; };
  const DotProduct test = dotProductTest(tangent, adjoint, Vector{1}, Vector{1, 1});
  CHECK(test.scale == 2);
  CHECK(test.error <= 1e-15);
}

TEST_CASE("nothing passes by accident") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto broken = [&](const Vector&) { return Vector{nan, nan, nan}; };
  CHECK(!(dotProductTest(tangentOf, broken, Vector{1, 1, 1}, Vector{1, 1}).error <= 1));
  const auto shorter = [](const Vector&) { return Vector{}; };
  CHECK(!(dotProductTest(tangentOf, shorter, Vector{1, 1, 1}, Vector{1, 1}).error <= 1));
  const auto zeroTangent = [](const Vector&) { return Vector{0, 0}; };
  CHECK(dotProductTest(zeroTangent, adjointOf, Vector{1, 1, 1}, Vector{1, 1}).error == 1);
  CHECK(dotProductTest(zeroTangent, shorter, Vector{}, Vector{0, 0}).error == 0);
}

TEST_CASE("a reduction sums over ranks") {
  const auto threeRanks = [](double share) { return 3 * share; };
  const DotProduct test = dotProductTest(tangentOf, adjointOf, Vector{1, -2, 0.5}, Vector{0.25, 3}, threeRanks);
  CHECK(test.forward == 3 * -10.75);
  CHECK(test.error <= 1e-15);
}

TEST_CASE("finite differences") {
  const Vector x{0.5, 2};
  const Vector v{1, -1};
  const Vector gradient{std::cos(0.5) * 2, std::sin(0.5)};
  const FiniteDifferences right = finiteDifferences(f, x, v, gradient);
  CHECK(right.steps.size() == defaultSteps().size());
  CHECK(right.best().error < 1e-9);
  CHECK(right.derivative == Approx(gradient[0] - gradient[1]));
  // A V: it falls by two digits for each step at first, and rises at the end.
  CHECK(right.steps[1].error < right.steps[0].error / 50);
  CHECK(right.steps.back().error > right.best().error);

  const FiniteDifferences wrong = finiteDifferences(f, x, v, Vector{gradient[0], gradient[1] * 1.001});
  CHECK(wrong.best().error > 1e-5);

  const FiniteDifferences byTangent = finiteDifferences(f, x, v, gradient[0] - gradient[1], {1e-4, 1e-5});
  CHECK(byTangent.steps.size() == 2);
  CHECK(byTangent.best().error < 1e-8);
}

TEST_CASE("tables are printed, with a line for each step") {
  std::FILE* file = std::tmpfile();
  REQUIRE(file != nullptr);
  print(finiteDifferences(f, Vector{0.5, 2}, Vector{1, 0}, Vector{std::cos(0.5) * 2, 0}, {1e-3, 1e-5}), file);
  print(dotProductTest(tangentOf, adjointOf, Vector{1, 1, 1}, Vector{1, 1}), file);
  std::rewind(file);
  int lines = 0;
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) {
    lines += c == '\n' ? 1 : 0;
    text += static_cast<char>(c);
  }
  std::fclose(file);
  CHECK(lines == 5);
  CHECK(text.find("1.0e-05") != std::string::npos);
  CHECK(text.find("**") != std::string::npos);
}
