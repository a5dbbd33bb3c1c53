#include "evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <stdexcept>

#include <contraflow/math.hpp>

#include "ir/match.hpp"

namespace contraflow::test {
namespace {

using Args = std::vector<long double>;
using Real = long double;

const std::map<std::string, Real (*)(const Args&)> kFunctions = {
    {"sin", [](const Args& x) -> Real { return std::sin(x[0]); }},
    {"cos", [](const Args& x) -> Real { return std::cos(x[0]); }},
    {"tan", [](const Args& x) -> Real { return std::tan(x[0]); }},
    {"asin", [](const Args& x) -> Real { return std::asin(x[0]); }},
    {"acos", [](const Args& x) -> Real { return std::acos(x[0]); }},
    {"atan", [](const Args& x) -> Real { return std::atan(x[0]); }},
    {"atan2", [](const Args& x) -> Real { return std::atan2(x[0], x[1]); }},
    {"sinh", [](const Args& x) -> Real { return std::sinh(x[0]); }},
    {"cosh", [](const Args& x) -> Real { return std::cosh(x[0]); }},
    {"tanh", [](const Args& x) -> Real { return std::tanh(x[0]); }},
    {"asinh", [](const Args& x) -> Real { return std::asinh(x[0]); }},
    {"acosh", [](const Args& x) -> Real { return std::acosh(x[0]); }},
    {"atanh", [](const Args& x) -> Real { return std::atanh(x[0]); }},
    {"exp", [](const Args& x) -> Real { return std::exp(x[0]); }},
    {"exp2", [](const Args& x) -> Real { return std::exp2(x[0]); }},
    {"expm1", [](const Args& x) -> Real { return std::expm1(x[0]); }},
    {"log", [](const Args& x) -> Real { return std::log(x[0]); }},
    {"log2", [](const Args& x) -> Real { return std::log2(x[0]); }},
    {"log10", [](const Args& x) -> Real { return std::log10(x[0]); }},
    {"log1p", [](const Args& x) -> Real { return std::log1p(x[0]); }},
    {"logb", [](const Args& x) -> Real { return std::logb(x[0]); }},
    {"pow", [](const Args& x) -> Real { return std::pow(x[0], x[1]); }},
    {"sqrt", [](const Args& x) -> Real { return std::sqrt(x[0]); }},
    {"cbrt", [](const Args& x) -> Real { return std::cbrt(x[0]); }},
    {"hypot", [](const Args& x) -> Real { return std::hypot(x[0], x[1]); }},
    {"quotient_real", [](const Args& x) -> Real { return (std::complex(x[0], x[1]) / std::complex(x[2], x[3])).real(); }},
    {"quotient_imag", [](const Args& x) -> Real { return (std::complex(x[0], x[1]) / std::complex(x[2], x[3])).imag(); }},
    {"log_abs", [](const Args& x) -> Real { return std::log(std::complex(x[0], x[1])).real(); }},
    {"sqrt_real", [](const Args& x) -> Real { return std::sqrt(std::complex(x[0], x[1])).real(); }},
    {"sqrt_imag", [](const Args& x) -> Real { return std::sqrt(std::complex(x[0], x[1])).imag(); }},
    {"tan_real", [](const Args& x) -> Real { return std::tan(std::complex(x[0], x[1])).real(); }},
    {"tan_imag", [](const Args& x) -> Real { return std::tan(std::complex(x[0], x[1])).imag(); }},
    {"tanh_real", [](const Args& x) -> Real { return std::tanh(std::complex(x[0], x[1])).real(); }},
    {"tanh_imag", [](const Args& x) -> Real { return std::tanh(std::complex(x[0], x[1])).imag(); }},
    {"hypot3", [](const Args& x) -> Real { return std::hypot(x[0], x[1], x[2]); }},
    {"fma", [](const Args& x) -> Real { return std::fma(x[0], x[1], x[2]); }},
    {"fabs", [](const Args& x) -> Real { return std::fabs(x[0]); }},
    {"abs", [](const Args& x) -> Real { return std::abs(x[0]); }},
    {"copysign", [](const Args& x) -> Real { return std::copysign(x[0], x[1]); }},
    {"fmin", [](const Args& x) -> Real { return std::fmin(x[0], x[1]); }},
    {"fmax", [](const Args& x) -> Real { return std::fmax(x[0], x[1]); }},
    {"min", [](const Args& x) -> Real { return std::min(x[0], x[1]); }},
    {"max", [](const Args& x) -> Real { return std::max(x[0], x[1]); }},
    {"clamp", [](const Args& x) -> Real { return std::clamp(x[0], x[1], x[2]); }},
    {"fdim", [](const Args& x) -> Real { return std::fdim(x[0], x[1]); }},
    {"floor", [](const Args& x) -> Real { return std::floor(x[0]); }},
    {"ceil", [](const Args& x) -> Real { return std::ceil(x[0]); }},
    {"trunc", [](const Args& x) -> Real { return std::trunc(x[0]); }},
    {"round", [](const Args& x) -> Real { return std::round(x[0]); }},
    {"rint", [](const Args& x) -> Real { return std::rint(x[0]); }},
    {"nearbyint", [](const Args& x) -> Real { return std::nearbyint(x[0]); }},
    {"fmod", [](const Args& x) -> Real { return std::fmod(x[0], x[1]); }},
    {"remainder", [](const Args& x) -> Real { return std::remainder(x[0], x[1]); }},
    {"nextafter", [](const Args& x) -> Real { return std::nextafter(x[0], x[1]); }},
    {"ldexp", [](const Args& x) -> Real { return std::ldexp(x[0], static_cast<int>(x[1])); }},
    {"scalbn", [](const Args& x) -> Real { return std::scalbn(x[0], static_cast<int>(x[1])); }},
    {"scalbln", [](const Args& x) -> Real { return std::scalbln(x[0], static_cast<long>(x[1])); }},
    {"frexp_mantissa", [](const Args& x) -> Real { return frexp_mantissa(x[0]); }},
    {"frexp_scale", [](const Args& x) -> Real { return frexp_scale(x[0]); }},
    {"modf_fraction", [](const Args& x) -> Real { return modf_fraction(x[0]); }},
    {"erf", [](const Args& x) -> Real { return std::erf(x[0]); }},
    {"erfc", [](const Args& x) -> Real { return std::erfc(x[0]); }},
    {"tgamma", [](const Args& x) -> Real { return std::tgamma(x[0]); }},
    {"lgamma", [](const Args& x) -> Real { return std::lgamma(x[0]); }},
    {"digamma", [](const Args& x) -> Real { return digamma(x[0]); }},
    {"trigamma", [](const Args& x) -> Real { return trigamma(x[0]); }},
    {"polygamma", [](const Args& x) -> Real { return polygamma(static_cast<int>(x[0]), x[1]); }},
    {"reciprocal", [](const Args& x) -> Real { return reciprocal(x[0]); }},
    {"sign", [](const Args& x) -> Real { return sign(x[0]); }},
    {"scaled", [](const Args& x) -> Real { return scaled(x[0], x[1]); }},
};

Real binary(ir::BinaryOp op, Real a, Real b) {
  switch (op) {
    case ir::BinaryOp::Add: return a + b;
    case ir::BinaryOp::Sub: return a - b;
    case ir::BinaryOp::Mul: return a * b;
    case ir::BinaryOp::Div: return a / b;
    case ir::BinaryOp::Lt: return a < b;
    case ir::BinaryOp::Le: return a <= b;
    case ir::BinaryOp::Gt: return a > b;
    case ir::BinaryOp::Ge: return a >= b;
    case ir::BinaryOp::Eq: return a == b;
    case ir::BinaryOp::Ne: return a != b;
    case ir::BinaryOp::And: return a != 0 && b != 0;
    case ir::BinaryOp::Or: return a != 0 || b != 0;
    case ir::BinaryOp::Rem:
    case ir::BinaryOp::Shl:
    case ir::BinaryOp::Shr:
    case ir::BinaryOp::BitAnd:
    case ir::BinaryOp::BitOr:
    case ir::BinaryOp::BitXor: break;
  }
  throw std::logic_error("an integer operator in a partial");
}

Real literal(const std::string& text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  return std::strtold(text.c_str(), nullptr);
}

}  // namespace

Real callMath(const std::string& name, const Args& x) { return kFunctions.at(name)(x); }

Real evaluate(const ir::Function& f, ir::ExprId id, const std::map<ir::VarId, Real>& values) {
  const auto value = [&](ir::ExprId e) { return evaluate(f, e, values); };
  const auto all = [&](const std::vector<ir::ExprId>& ids) {
    Args out;
    for (const ir::ExprId e : ids) out.push_back(value(e));
    return out;
  };
  const auto no = [](const auto&) -> Real { throw std::logic_error("not an expression of reals"); };
  return ir::match(
      f[id].node, [](const ir::Literal& e) { return literal(e.text); }, [&](const ir::VarRef& e) { return values.at(e.var); },
      [&](const ir::Unary& e) { return e.op == ir::UnaryOp::Minus ? -value(e.operand) : Real(value(e.operand) == 0); },
      [&](const ir::Binary& e) { return binary(e.op, value(e.lhs), value(e.rhs)); },
      [&](const ir::Cast& e) { return value(e.operand); },
      [&](const ir::Conditional& e) { return value(e.condition) != 0 ? value(e.whenTrue) : value(e.whenFalse); },
      [&](const ir::MathCall& e) { return callMath(e.function, all(e.args)); },
      [&](const ir::PureCall& e) { return Real(std::isnan(all(e.args)[0])); },  // isnan is the only one
      [&](const ir::GlobalRef& e) { return no(e); }, [&](const ir::FieldRef& e) { return no(e); },
      [&](const ir::Subscript& e) { return no(e); }, [&](const ir::Deref& e) { return no(e); },
      [&](const ir::AddressOf& e) { return no(e); }, [&](const ir::Decay& e) { return no(e); },
      [&](const ir::DataOf& e) { return no(e); }, [&](const ir::SizeOf& e) { return no(e); },
      [&](const ir::InitList& e) { return no(e); });
}

}  // namespace contraflow::test
