// Calls what is generated for heads.cpp through the signatures that DESIGN promises (section 1.3): that this compiles
// is half of the test. Derivatives are written by hand here, or compared between tangent and adjoint.
#include "heads_ad.hpp"

#include "heads.hpp"

#include <contraflow/runtime.hpp>

#include <cmath>
#include <cstdio>

namespace {

int failures = 0, checks = 0;

void check(const char* what, long double have, long double right, long double tolerance = 1e-13L) {
  ++checks;
  if (!(std::fabs(have - right) <= tolerance * (1 + std::fabs(right)))) {
    ++failures;
    std::printf("FAIL %s: %.17Lg, right is %.17Lg\n", what, have, right);
  }
}

void testWeightedSum() {
  const double x[2] = {0.5, -1.5}, w[2] = {2.0, 3.0}, x_d[2] = {1.0, 0.5};
  const double slope[2] = {3 * w[0] * x[0] * x[0], 3 * w[1] * x[1] * x[1]};
  const contraflow::Tangent<double> t = weightedSum_d(x, x_d, w, 2);
  check("weightedSum_d value", t.value, weightedSum(x, w, 2));
  check("weightedSum_d derivative", t.derivative, slope[0] * x_d[0] + slope[1] * x_d[1]);
  double x_b[2] = {10.0, 20.0};
  check("weightedSum_b value", weightedSum_b(x, x_b, w, 2, 2.0), weightedSum(x, w, 2));
  check("weightedSum_b adds", x_b[0], 10.0 + 2 * slope[0]);
  check("weightedSum_b adds", x_b[1], 20.0 + 2 * slope[1]);

  contraflow::Tape tape;
  double again[2] = {};
  weightedSum_b(x, again, w, 2, 1.0, tape);
  check("weightedSum_b with a tape", again[1], slope[1]);
  check("the tape is empty", tape.empty() ? 1 : 0, 1);

  // Hessian times x_d. The adjoint's value stays its value.
  double gradient[2] = {}, gradient_d[2] = {};
  weightedSum_b_d(x, x_d, gradient, gradient_d, w, 2, 1.0);
  check("weightedSum_b_d gradient", gradient[0], slope[0]);
  check("weightedSum_b_d", gradient_d[0], 6 * w[0] * x[0] * x_d[0]);
  check("weightedSum_b_d", gradient_d[1], 6 * w[1] * x[1] * x_d[1]);
}

void testByValue() {
  const auto [value, derivative] = byValue_d(1.5, 0.5, 2.0f, 0.25f, 3);
  check("byValue_d value", value, byValue(1.5, 2.0f, 3));
  check("byValue_d", derivative, (2 * 1.5 * 3 + 2 * 2.0 * 1.5) * 0.5 + 1.5 * 1.5 * 0.25);
  double a_b = 1.0;
  float b_b = 2.0f;
  byValue_b(1.5, a_b, 2.0f, b_b, 3, 1.0);
  check("byValue_b a", a_b, 1.0 + 2 * 1.5 * 3 + 2 * 2.0 * 1.5);
  check("byValue_b b", b_b, 2.0 + 1.5 * 1.5);
}

void testEverything() {
  const double x[2] = {0.5, -1.5}, x_d[2] = {1.0, 0.0};
  check("everything_d", everything_d(x, x_d, 2.0, 0.5, 2).derivative, 2.0 * -1.5 + 0.5 * 0.5 * -1.5);
  double x_b[2] = {}, scale_b = 0.0;
  everything_b(x, x_b, 2.0, scale_b, 2, 1.0);
  check("everything_b", x_b[0], -3.0);
  check("everything_b", scale_b, -0.75);
}

void testAdvance() {
  const double start[3] = {0.5, 0.7, -0.2}, start_d[3] = {1.0, -0.5, 0.3}, seed[3] = {0.3, -1.0, 2.0};
  double u[3] = {0.5, 0.7, -0.2}, u_d[3] = {1.0, -0.5, 0.3};
  advance_d(u, u_d, 0.3, 3);
  double after[3] = {0.5, 0.7, -0.2};
  advance(after, 0.3, 3);
  double v[3] = {0.5, 0.7, -0.2}, u_b[3] = {0.3, -1.0, 2.0};
  advance_b(v, u_b, 0.3, 3);
  double forward = 0.0, reverse = 0.0;
  for (int i = 0; i < 3; ++i) {
    check("advance_d value", u[i], after[i], 0);
    check("advance_b value after", v[i], after[i], 0);
    forward += seed[i] * u_d[i];
    reverse += start_d[i] * u_b[i];
  }
  check("advance: dot product", reverse, forward);
  double moved[2][3];
  for (int side = 0; side < 2; ++side) {
    for (int i = 0; i < 3; ++i) moved[side][i] = start[i] + (side == 0 ? 1e-5 : -1e-5) * start_d[i];
    advance(moved[side], 0.3, 3);
  }
  check("advance_d", u_d[2], (moved[0][2] - moved[1][2]) / 2e-5, 1e-8L);
}

void testNorm() {
  const std::vector<double> v = {3.0, 4.0}, v_d = {1.0, 2.0};
  std::vector<double> v_b(2, 0.0);
  check("norm_d", norm_d(v, v_d).derivative, 0.6 + 1.6);
  check("norm_b value", norm_b(v, v_b, 10.0), 5.0);
  check("norm_b", v_b[1], 8.0);
}

void testEnergy() {
  const State s = {{1.0, 2.0, 3.0}, 2.0, 0.5, 2};
  State s_d = {{1.0, 0.0, 5.0}, 0.5, 0.0, 2};
  check("energy_d", energy_d(s, s_d).derivative, 2.0 * 1.0 + 0.5 * (0.5 * 5.0 + 0.5));
  State s_b = {{0.0, 0.0, 0.0}, 0.0, 0.0, 2};
  energy_b(s, s_b, 1.0);
  check("energy_b u", s_b.u[1], 4.0);
  check("energy_b u, not read", s_b.u[2], 0.0);
  check("energy_b mass", s_b.mass, 3.0);
}

void testMethod() {
  const Spring spring = {2.0, 0.5};
  Spring spring_d = {1.0, 0.0}, spring_b = {0.0, 0.0};
  double x_b = 0.0;
  check("Spring::work_d", work_d(spring, spring_d, 1.5, 0.25).derivative, 0.5 + 2.0 * 0.25);
  check("Spring::work_b value", work_b(spring, spring_b, 1.5, x_b, 1.0), 1.0);
  check("Spring::work_b this", spring_b.stiffness, 0.5);
  check("Spring::work_b x", x_b, 2.0);
}

void testGlobal() {
  gScale = 1.5;
  gScale_d = 1.0;
  check("withGlobal_d", withGlobal_d(2.0, 0.0).derivative, 2 * 1.5 * 4.0);
  check("withGlobal_d, global after", gScale, 3.0);
  gScale = 1.5;
  gScale_b = 0.0;
  double x_b = 0.0;
  withGlobal_b(2.0, x_b, 1.0);
  check("withGlobal_b, global after", gScale, 3.0);
  check("withGlobal_b, global", gScale_b, 2 * 1.5 * 4.0);
  check("withGlobal_b, x", x_b, 2 * 1.5 * 1.5 * 2.0);
}

void testOverload() {
  check("overloaded::f_d", overloaded::f_d(1.5, 1.0, 4).derivative, 12.0);
  double x_b = 0.0;
  overloaded::f_b(1.5, x_b, 4, 1.0);
  check("overloaded::f_b", x_b, 12.0);
}

void testPrecisions() {
  const float x[2] = {0.5f, -1.5f}, x_d[2] = {1.0f, 1.0f};
  float x_b[2] = {};
  check("single_d", single_d(x, x_d, 2).derivative, -2.0, 1e-6L);
  check("single_b value", single_b(x, x_b, 2, 1.0f), 2.5, 1e-6L);
  check("single_b", x_b[1], -3.0, 1e-6L);
  long double y_b = 0.0L;
  check("longDouble_d", longDouble_d(0.5L, 1.0L).derivative, 1.5L * std::exp(0.5L), 1e-18L);
  longDouble_b(0.5L, y_b, 1.0L);
  check("longDouble_b", y_b, 1.5L * std::exp(0.5L), 1e-18L);
}

void testWorkspace() {
  const double x[2] = {0.5, 1.5}, x_d[2] = {1.0, 0.0};
  double work[2] = {}, work_d[2] = {}, work_b[2] = {}, x_b[2] = {};
  check("withWorkspace_d", withWorkspace_d(x, x_d, work, work_d, 2).derivative, std::cos(0.5) * std::sin(1.5));
  withWorkspace_b(x, x_b, work, work_b, 2, 1.0);
  check("withWorkspace_b", x_b[0], std::cos(0.5) * std::sin(1.5));
  check("withWorkspace_b, shadow of what is overwritten", work_b[0], 0.0, 0);
  check("withWorkspace_b, workspace after", work[1], std::sin(1.5), 0);
}

void testReferences() {
  double a = 1.5, b = 2.0, a_d = 1.0, b_d = 0.5;
  byReference_d(a, a_d, b, b_d);
  check("byReference_d a", a_d, 2.0 + 1.5 * 0.5);
  check("byReference_d b", b_d, 0.5 + 2 * 3.0 * 2.75);
  double c = 1.5, d = 2.0, c_b = 0.3, d_b = -0.7;
  byReference_b(c, c_b, d, d_b);
  check("byReference_b value after", d, b, 0);
  check("byReference: dot product", c_b * 1.0 + d_b * 0.5, 0.3 * a_d - 0.7 * b_d);
}

void testSeveralOutputs() {
  const std::vector<double> x = {0.5, 1.5, -0.7}, x_d = {1.0, -2.0, 0.5};
  std::vector<double> y(3), y_d(3), z(3), y_b = {0.2, -0.4, 0.6}, x_b(3);
  const double sum_d = severalOutputs_d(x, x_d, y, y_d).derivative;
  const std::vector<double> seed = y_b;
  severalOutputs_b(x, x_b, z, y_b, 0.9);
  double forward = 0.9 * sum_d, reverse = 0.0;
  for (int i = 0; i < 3; ++i) {
    forward += seed[i] * y_d[i];
    reverse += x_b[i] * x_d[i];
    check("severalOutputs_b, shadow of what is overwritten", y_b[i], 0.0, 0);
    check("severalOutputs_b, value after", z[i], y[i], 0);
  }
  check("severalOutputs: dot product", reverse, forward);
}

}  // namespace

int main() {
  testWeightedSum();
  testByValue();
  testEverything();
  testAdvance();
  testNorm();
  testEnergy();
  testMethod();
  testGlobal();
  testOverload();
  testPrecisions();
  testWorkspace();
  testReferences();
  testSeveralOutputs();
  std::printf("%d passed, %d failed\n", checks - failures, failures);
  return failures == 0 ? 0 : 1;
}
