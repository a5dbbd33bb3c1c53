// Every row of math.def: its partials against central differences in long double, and the points where a derivative doesn't exist.
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "evaluate.hpp"
#include "ir/printer.hpp"
#include "rules/algebra.hpp"
#include "rules/rules.hpp"

namespace contraflow::test {
namespace {

using Point = std::vector<long double>;

// A function with one variable for each parameter of the row.
struct Setting {
  explicit Setting(const rules::MathRow& row) {
    const ir::TypeId real = module.type(ir::RealType{ir::RealKind::Double});
    const ir::TypeId integer = module.type(ir::IntType{32, true, "int"});
    for (const rules::MathParameter& p : row.parameters) {
      const ir::TypeId type = p.isInteger ? integer : real;
      vars.push_back(function.addVar({p.name, type, ir::VarKind::Parameter, false, false, {}}));
      args.push_back(function.addExpr(ir::VarRef{vars.back()}, type));
    }
    type = real;
  }
  ir::Module module;
  ir::Function function;
  std::vector<ir::VarId> vars;
  std::vector<ir::ExprId> args;
  ir::TypeId type;
};

long double partialAt(const std::string& name, unsigned parameter, const Point& x) {
  const rules::MathRow& row = *rules::findMath(name);
  Setting s(row);
  const ir::ExprId e = rules::buildPartial(s.module, s.function, row, parameter, s.args, {}, s.type);
  if (!e.valid()) return 0;
  std::map<ir::VarId, long double> values;
  for (std::size_t i = 0; i < x.size(); ++i) values[s.vars[i]] = x[i];
  return evaluate(s.function, e, values);
}

// Richardson extrapolation of central differences.
long double differenceAt(const std::string& name, unsigned parameter, const Point& x) {
  const auto central = [&](long double h) {
    Point up = x, down = x;
    up[parameter] += h;
    down[parameter] -= h;
    return (callMath(name, up) - callMath(name, down)) / (up[parameter] - down[parameter]);
  };
  const long double h = 1e-4L;
  return (4 * central(h / 2) - central(h)) / 3;
}

// Smooth points, for each row: the first coordinates of a point are the arguments.
std::vector<Point> pointsOf(const std::string& name) {
  if (name == "asin" || name == "acos" || name == "atanh") return {{0.3L}, {-0.85L}, {0.01L}};
  if (name == "acosh") return {{1.3L}, {5.5L}, {40}};
  if (name == "log" || name == "log2" || name == "log10" || name == "sqrt") return {{0.2L}, {1.3L}, {17.5L}};
  if (name == "log1p") return {{-0.45L}, {0.001L}, {3}};
  if (name == "pow") return {{1.3L, -0.45L}, {0.3L, 2.5L}, {7.1L, 1.2L}};
  if (name == "ldexp" || name == "scalbn" || name == "scalbln") return {{1.3L, 3}, {-0.45L, -2}, {7.1L, 0}};
  if (name == "polygamma") return {{0, 1.3L}, {1, 0.45L}, {2, 7.1L}, {3, -0.45L}};
  if (name == "clamp") return {{0.5L, 0.2L, 0.9L}, {-1, 0.2L, 0.9L}, {2, 0.2L, 0.9L}};
  if (name == "fmod" || name == "remainder") return {{7.1L, 1.3L}, {-7.1L, 1.3L}, {7.1L, -0.45L}};
  return {{1.3L, -0.45L, 7.1L, 0.6L}, {-0.45L, 7.1L, 1.3L, -2.1L}, {7.1L, 1.3L, -0.45L, 0.2L}, {-2.6L, -0.7L, -1.1L, 1.7L}};
}

}  // namespace

TEST_CASE("partials agree with central differences") {
  for (const rules::MathRow& row : rules::mathRows()) {
    if (row.name == "nextafter") continue;  // its difference quotient is that of rounding; see below
    for (Point x : pointsOf(row.name)) {
      x.resize(row.parameters.size());
      for (unsigned p = 0; p < row.parameters.size(); ++p) {
        if (row.parameters[p].isInteger) continue;
        CAPTURE(row.name, p, static_cast<double>(x[0]));
        const long double wanted = differenceAt(row.name, p, x), got = partialAt(row.name, p, x);
        CHECK(static_cast<double>(got) == Approx(static_cast<double>(wanted)).epsilon(1e-10).margin(1e-11));
      }
    }
  }
  CHECK(partialAt("nextafter", 0, {1, 2}) == 1);
  CHECK(partialAt("nextafter", 1, {1, 2}) == 0);
}

TEST_CASE("every row has a point of each kind") {
  for (const rules::MathRow& row : rules::mathRows()) {
    CAPTURE(row.name);
    CHECK(rules::findMath(row.name) == &row);
    CHECK(row.partials.size() == row.parameters.size());
    CHECK(row.cppName.find("::") != std::string::npos);
  }
  CHECK(rules::findMath("sinus") == nullptr);
}

TEST_CASE("pow at its special points") {
  for (const long double y : {0.0L, 0.5L, 1.5L, 2.0L, 1.875L}) CHECK(partialAt("pow", 0, {0, y}) == 0);
  CHECK(partialAt("pow", 0, {0, 1}) == 1);
  CHECK(partialAt("pow", 0, {-1.5L, 2}) == -3);
  CHECK(partialAt("pow", 0, {-1.5L, 3}) == 6.75L);
  CHECK(partialAt("pow", 0, {-1.5L, 0}) == 0);
  CHECK(std::isinf(partialAt("pow", 0, {0, -1})));
  CHECK(partialAt("pow", 1, {0, 1.5L}) == 0);
  CHECK(partialAt("pow", 1, {0, 0}) == 0);
  CHECK(partialAt("pow", 1, {-1.5L, 2}) == 0);
}

TEST_CASE("where no derivative exists") {
  CHECK(partialAt("sqrt", 0, {0}) == 0);
  CHECK(partialAt("cbrt", 0, {0}) == 0);
  CHECK(partialAt("fabs", 0, {0}) == 0);
  CHECK(partialAt("abs", 0, {-0.0L}) == 0);
  CHECK(partialAt("copysign", 0, {0, -1}) == 0);
  CHECK(partialAt("copysign", 0, {2, -0.0L}) == -1);
  for (const long double x : {1.0L, -1.0L}) {
    CHECK(partialAt("asin", 0, {x}) == 0);
    CHECK(partialAt("acos", 0, {x}) == 0);
  }
  CHECK(partialAt("acosh", 0, {1}) == 0);
  for (unsigned p = 0; p < 2; ++p) {
    CHECK(partialAt("hypot", p, {0, 0}) == 0);
    CHECK(partialAt("atan2", p, {0, 0}) == 0);
  }
  for (unsigned p = 0; p < 3; ++p) CHECK(partialAt("hypot3", p, {0, 0, 0}) == 0);
  for (const char* name : {"fmin", "fmax", "min", "max"}) {
    CAPTURE(name);
    CHECK(partialAt(name, 0, {2, 2}) == 1);
    CHECK(partialAt(name, 1, {2, 2}) == 0);
  }
  CHECK(partialAt("clamp", 0, {1, 1, 2}) == 1);
}

TEST_CASE("on the axes") {
  CHECK(static_cast<double>(partialAt("atan2", 0, {0, 1.25L})) == Approx(0.8));
  CHECK(partialAt("atan2", 1, {0, 1.25L}) == 0);
  CHECK(partialAt("atan2", 0, {1.25L, 0}) == 0);
  CHECK(static_cast<double>(partialAt("atan2", 1, {1.25L, 0})) == Approx(-0.8));
  CHECK(static_cast<double>(partialAt("atan2", 0, {0, -2})) == Approx(-0.5));  // on the branch cut
  CHECK(partialAt("hypot", 0, {0, -2}) == 0);
  CHECK(partialAt("hypot", 1, {0, -2}) == -1);
}

TEST_CASE("what fmin and fmax do with NaN") {
  const long double nan = std::numeric_limits<long double>::quiet_NaN();
  for (const char* name : {"fmin", "fmax"}) {
    CHECK(partialAt(name, 0, {1, nan}) == 1);
    CHECK(partialAt(name, 1, {1, nan}) == 0);
    CHECK(partialAt(name, 0, {nan, 1}) == 0);
    CHECK(partialAt(name, 1, {nan, 1}) == 1);
  }
}

TEST_CASE("a zero seed stays zero") {
  const long double inf = std::numeric_limits<long double>::infinity();
  CHECK(callMath("scaled", {0, inf}) == 0);
  CHECK(callMath("scaled", {0, std::numeric_limits<long double>::quiet_NaN()}) == 0);
  CHECK(callMath("scaled", {2, 3}) == 6);
  CHECK(callMath("sign", {-3}) == -1);
  CHECK(callMath("sign", {inf}) == 1);
  CHECK(callMath("sign", {0}) == 0);
  CHECK(callMath("sign", {-0.0L}) == 0);
  CHECK(callMath("sign", {std::numeric_limits<long double>::quiet_NaN()}) == 0);
  CHECK(callMath("sign", {std::numeric_limits<long double>::denorm_min()}) == 1);
}

TEST_CASE("partials of constants are folded") {
  const auto pow = [](const char* exponent) {
    const rules::MathRow& row = *rules::findMath("pow");
    Setting s(row);
    s.args[1] = s.function.addExpr(ir::Literal{exponent}, s.type);
    const ir::ExprId e = rules::buildPartial(s.module, s.function, row, 0, s.args, {}, s.type);
    return e.valid() ? ir::print(s.module, s.function, e) : std::string("0");
  };
  CHECK(pow("2.0").find("pow") == std::string::npos);
  CHECK(pow("1.0") == "1.0");
  CHECK(pow("0.0") == "0");
}

TEST_CASE("numbers have the type of the function") {
  const rules::MathRow& row = *rules::findMath("exp2");
  const auto factor = [&](ir::RealKind kind) {
    Setting s(row);
    const ir::TypeId type = s.module.type(ir::RealType{kind});
    rules::Algebra algebra(s.module, s.function);
    return std::get<ir::Literal>(s.function[algebra.literal(0.693147180559945309417232121458176568L, type)].node).text;
  };
  CHECK(factor(ir::RealKind::Float) == "0.6931472f");
  CHECK(factor(ir::RealKind::Double) == "0.6931471805599453");
  CHECK(factor(ir::RealKind::LongDouble).back() == 'L');
}

}  // namespace contraflow::test
