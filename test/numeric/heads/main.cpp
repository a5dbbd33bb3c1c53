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

void testWithTable() {
  const double table[3] = {1.0, 2.0, 3.0}, rows[2][2] = {{0.1, 0.2}, {0.3, 0.4}};
  const auto [value, derivative] = withTable_d(1.5, 0.5, table, rows);
  check("withTable_d value", value, withTable(1.5, table, rows));
  check("withTable_d", derivative, (2 * 1.5 * 2.0 + 0.3) * 0.5);
  double x_b = 1.0;
  withTable_b(1.5, x_b, table, rows, 2.0);
  check("withTable_b", x_b, 1.0 + 2.0 * (2 * 1.5 * 2.0 + 0.3));
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

void testCollect() {
  const double x = 0.5, first = 2.0;
  std::vector<double> v{first}, v_b{1.0, 2.0, 3.0, 4.0, 5.0};
  double x_b = 0.0;
  collect_b(x, x_b, v, v_b);
  double byX = 0.0, byFirst = 0.0;
  for (int k = 0; k < 5; ++k) {
    byFirst += (k + 1) * std::pow(x, k);
    if (k > 0) byX += (k + 1) * first * k * std::pow(x, k - 1);
  }
  check("collect_b x", x_b, byX);
  check("collect_b size of the shadow", v_b.size(), 1);
  check("collect_b v", v_b[0], byFirst);
  check("collect_b size", v.size(), 5);
  for (int k = 0; k < 5; ++k) check("collect_b value", v[k], first * std::pow(x, k));
  std::vector<double> w{first}, w_d{0.0};
  collect_d(x, 1.0, w, w_d);
  check("collect_d", w_d[4], first * 4 * std::pow(x, 3));
  // The derivative of v_b[0] and x_b by x.
  std::vector<double> u{first}, u_d{0.0}, u_b{0.0, 0.0, 1.0}, u_b_d(3);
  double xb = 0.0, xb_d = 0.0;
  collect_b_d(x, 1.0, xb, xb_d, u, u_d, u_b, u_b_d);
  check("collect_b_d x_b", xb, first * 2 * x);
  check("collect_b_d x_b_d", xb_d, first * 2);
  check("collect_b_d v_b_d", u_b_d[0], 2 * x);
  check("collect_b_d v", u[2], first * x * x);
}

// The adjoint against the tangent, and what the vector holds afterwards.
void testRelax() {
  for (int steps = 0; steps < 4; ++steps) {
    const std::vector<double> start{0.5, 1.25, -0.75, 1.5}, direction{1.0, -2.0, 0.5, 0.25}, seed{0.5, 1.0, -1.0, 2.0, 3.0, -0.5};
    std::vector<double> u = start, u_d = direction, right = start;
    relax_d(u, u_d, steps);
    relax(right, steps);
    std::vector<double> w = start, w_b(seed.begin(), seed.begin() + static_cast<std::ptrdiff_t>(right.size()));
    relax_b(w, w_b, steps);
    check("relax_b size", w.size(), right.size());
    for (std::size_t k = 0; k < right.size(); ++k) {
      check("relax_d value", u[k], right[k]);
      check("relax_b value", w[k], right[k]);
    }
    double forward = 0.0, backward = 0.0;
    for (std::size_t k = 0; k < u_d.size(); ++k) forward += seed[k] * u_d[k];
    check("relax_b size of the shadow", w_b.size(), start.size());
    for (std::size_t k = 0; k < w_b.size(); ++k) backward += w_b[k] * direction[k];
    check("relax_b", backward, forward);
  }
}

void testDrain() {
  std::vector<double> v{1.5, -2.0, 0.5}, v_b(3), w = v, w_d{1.0, 0.0, 0.0};
  const contraflow::Tangent<double> t = drain_d(w, w_d);
  check("drain_b value", drain_b(v, v_b, 1.0), t.value);
  check("drain_b empties", v.size(), 0);
  check("drain_b", v_b[0], t.derivative);
  std::vector<double> again{1.5, -2.0, 0.5}, none;
  drain_b(again, none, 1.0);
  check("drain_b without seeds", none[2], v_b[2]);
}

void testRotate() {
  const std::vector<std::vector<double>> start{{0.5, 1.0}, {2.0}, {1.5, 0.25}};
  std::vector<std::vector<double>> rows = start, right = start, rows_b{{1.0, 2.0, 3.0}, {0.5, 1.0, 1.5}, {1.0, 1.0}, {2.0, 1.0}};
  std::vector<std::vector<double>> moved = start, moved_d{{1.0, 0.0}, {0.5}, {0.0, 2.0}};
  const std::vector<std::vector<double>> direction = moved_d, seed = rows_b;
  rotate(right, 0.75);
  rotate_d(moved, moved_d, 0.75, 0.25);
  double x_b = 0.0, forward = 0.0;
  rotate_b(rows, rows_b, 0.75, x_b);
  check("rotate_b size", rows.size(), 4);
  for (std::size_t r = 0; r < right.size(); ++r) {
    check("rotate_b row", rows[r].size(), right[r].size());
    for (std::size_t k = 0; k < right[r].size(); ++k) check("rotate_b value", rows[r][k], right[r][k]);
    for (std::size_t k = 0; k < seed[r].size(); ++k) forward += seed[r][k] * moved_d[r][k];
  }
  double backward = 0.25 * x_b;
  check("rotate_b rows of the shadow", rows_b.size(), start.size());
  for (std::size_t r = 0; r < start.size(); ++r)
    for (std::size_t k = 0; k < start[r].size(); ++k) backward += rows_b[r][k] * direction[r][k];
  check("rotate_b", backward, forward);
}

}  // namespace

int main() {
  testCollect();
  testRelax();
  testDrain();
  testRotate();
  testWeightedSum();
  testByValue();
  testWithTable();
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
