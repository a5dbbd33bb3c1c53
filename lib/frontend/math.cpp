// The C library's functions of reals: each becomes a MathCall with the name of its row in rules/math.def, whatever its spelling
// (`std::sin`, `sinf`, `sinl`, `__builtin_sin`). Those whose value carries no derivative become a PureCall.
#include "frontend/lowering.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

namespace {

const std::set<std::string> kMath = {
    "acos",  "acosh", "asin",  "asinh",  "atan",     "atan2",     "atanh", "cbrt",   "ceil",  "copysign", "cos",    "cosh",
    "erf",   "erfc",  "exp",   "exp2",   "expm1",    "fabs",      "fdim",  "floor",  "fma",   "fmax",     "fmin",   "fmod",
    "hypot", "ldexp", "lgamma", "log",   "log10",    "log1p",     "log2",  "logb",   "nearbyint", "pow",  "remainder", "rint",
    "nextafter", "round", "scalbln", "scalbn", "sin", "sinh",     "sqrt",      "tan",   "tanh",   "tgamma", "trunc"};
// Integers and tests.
const std::set<std::string> kInactive = {"lround", "llround", "lrint", "llrint", "ilogb", "isnan", "isinf", "isfinite", "isnormal",
                                         "signbit", "fpclassify", "isgreater", "isgreaterequal", "isless", "islessequal",
                                         "islessgreater", "isunordered"};
const std::set<std::string> kSplit = {"frexp", "modf", "remquo"};
const std::map<std::string, std::string> kRefused = {{"nan", "use std::numeric_limits<double>::quiet_NaN()"}, {"nexttoward", "use std::nextafter"}};  // and the way out

bool known(const std::string& name) {
  return kMath.count(name) || kInactive.count(name) || kSplit.count(name) || kRefused.count(name);
}

// "sinf" → "sin"; empty where it is none of the library's.
std::string canonical(std::string name) {
  const std::string builtin = "__builtin_";
  if (name.compare(0, builtin.size(), builtin) == 0) name.erase(0, builtin.size());
  if (known(name)) return name;
  if (!name.empty() && (name.back() == 'f' || name.back() == 'l')) name.pop_back();
  return known(name) ? name : "";
}

}  // namespace

// The row's name; empty where the function is none of the library's.
static std::string rowName(const FunctionDecl* callee) {
  if (!callee->getDeclName().isIdentifier() || isa<CXXMethodDecl>(callee)) return "";
  const QualType result = callee->getReturnType();
  if (result->isAnyComplexType() || result->isRecordType()) return "";
  const std::string name = callee->getNameAsString();
  return name == "abs" && result->isRealFloatingType() ? "fabs" : canonical(name);
}

bool FunctionLowering::isMathFunction(const FunctionDecl* callee) {
  const std::string name = rowName(callee);
  return !name.empty() && !kRefused.count(name) && !kSplit.count(name);
}

std::optional<ExprId> FunctionLowering::lowerMathCall(const FunctionDecl* callee, const CallExpr* e) {
  const std::string name = rowName(callee);
  if (name.empty()) return std::nullopt;
  if (const auto refused = kRefused.find(name); refused != kRefused.end()) return unsupported(e, "'" + callee->getNameAsString() + "'", refused->second);
  return mathCall(callee, inOrder({e->arg_begin(), e->arg_end()}), e->getType(), e->getExprLoc());
}

std::optional<ExprId> FunctionLowering::mathCall(const FunctionDecl* callee, std::vector<ExprId> values, QualType resultType, SourceLocation at) {
  std::string name = rowName(callee);
  if (name.empty()) return std::nullopt;
  const TypeId type = valueType(resultType, at);
  if (kSplit.count(name)) {
    // frexp(w, &e), modf(w, &i), remquo(x, y, &q): the second result becomes an assignment of its own.
    if (name == "remquo") {
      const ExprId x = stableValue(convert(values[0], type, at), "value"), y = stableValue(convert(values[1], type, at), "divisor");
      const ExprId target = deref(values[2], at);
      const ExprId quotient = expr(ir::PureCall{"contraflow::remquo_quotient", {clone(x), clone(y)}}, intType(), at);
      emit(ir::Assign{target, convert(quotient, typeOf(target), at)}, at);
      return expr(ir::MathCall{"remainder", {x, y}}, type, at);
    }
    const ExprId value = stableValue(convert(values[0], type, at), "value");
    const ExprId target = deref(values[1], at);
    if (name == "frexp") {
      const ExprId exponent = expr(ir::PureCall{"contraflow::frexp_exponent", {clone(value)}}, intType(), at);
      emit(ir::Assign{target, convert(exponent, typeOf(target), at)}, at);
      return expr(ir::MathCall{"frexp_mantissa", {value}}, type, at);
    }
    const ExprId whole = expr(ir::MathCall{"trunc", {clone(value)}}, type, at);
    emit(ir::Assign{target, convert(whole, typeOf(target), at)}, at);
    return expr(ir::MathCall{"modf_fraction", {value}}, type, at);
  }

  if (kInactive.count(name)) {
    // Called by the name in std; the __builtin_ forms are what macros of <math.h> expand to.
    return expr(ir::PureCall{"std::" + name, std::move(values)}, type, at);
  }
  const bool intSecond = name == "ldexp" || name == "scalbn" || name == "scalbln";
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(intSecond && i == 1)) values[i] = convert(values[i], type, at);
  if (name == "hypot" && values.size() == 3) name = "hypot3";
  return expr(ir::MathCall{name, std::move(values)}, type, at);
}

}  // namespace contraflow::frontend
