#include "rules/algebra.hpp"

#include <cstdio>
#include <cstdlib>
#include <limits>

#include "ir/match.hpp"

namespace contraflow::rules {
namespace {

using ir::BinaryOp;
using ir::ExprId;
using ir::TypeId;

// The value rounded to what the type can hold.
long double rounded(long double value, ir::RealKind kind) {
  if (kind == ir::RealKind::Float) return static_cast<float>(value);
  if (kind == ir::RealKind::Double) return static_cast<double>(value);
  return value;
}

// The shortest digits that read back as the same number of the type.
std::string shortest(long double value, ir::RealKind kind) {
  const long double wanted = rounded(value, kind);
  char digits[64];
  for (int precision = 1; precision <= std::numeric_limits<long double>::max_digits10; ++precision) {
    std::snprintf(digits, sizeof digits, "%.*Lg", precision, wanted);
    if (rounded(std::strtold(digits, nullptr), kind) == wanted) break;
  }
  std::string text = digits;
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  if (kind == ir::RealKind::Float) text += "f";
  if (kind == ir::RealKind::LongDouble) text += "L";
  return text;
}

bool isTrue(const ir::Expr& e) {
  const auto* l = std::get_if<ir::Literal>(&e.node);
  return l && l->text == "true";
}
bool isFalse(const ir::Expr& e) {
  const auto* l = std::get_if<ir::Literal>(&e.node);
  return l && l->text == "false";
}

bool holds(BinaryOp op, long double a, long double b) {
  switch (op) {
    case BinaryOp::Lt: return a < b;
    case BinaryOp::Le: return a <= b;
    case BinaryOp::Gt: return a > b;
    case BinaryOp::Ge: return a >= b;
    case BinaryOp::Eq: return a == b;
    case BinaryOp::Ne: return a != b;
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Rem:
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::And:
    case BinaryOp::Or: break;
  }
  return false;
}

}  // namespace

ExprId Algebra::literal(long double value, TypeId type) {
  const auto plain = withoutConst(m_, type);
  const auto* real = ir::as<ir::RealType>(m_, plain);
  if (value < 0) {  // as C++ writes it: a sign in front of a number
    const ExprId positive = literal(-value, plain);
    return f_.addExpr(ir::Unary{ir::UnaryOp::Minus, positive}, plain, loc_);
  }
  const std::string text = real ? shortest(value, real->kind) : std::to_string(static_cast<long long>(value));
  return f_.addExpr(ir::Literal{text}, plain, loc_);
}

std::optional<long double> Algebra::constant(ExprId e) const {
  if (!e.valid()) return 0.0L;
  const ir::Expr& x = f_[e];
  if (!ir::as<ir::RealType>(m_, x.type) && !ir::as<ir::IntType>(m_, x.type)) return std::nullopt;
  if (const auto* l = std::get_if<ir::Literal>(&x.node)) {
    const char first = l->text.empty() ? 'x' : l->text[0];
    if ((first < '0' || first > '9') && first != '.') return std::nullopt;
    if (first == '0' && l->text.size() > 1 && l->text.find_first_of("xXbB.eE") != 1)
      if (l->text[1] >= '0' && l->text[1] <= '9' && !ir::isReal(m_, x.type)) return std::nullopt;  // octal
    if (l->text.find_first_of("'bB") != std::string::npos && l->text.find_first_of("xX") == std::string::npos)
      return std::nullopt;
    char* end = nullptr;
    const long double value = std::strtold(l->text.c_str(), &end);
    for (; *end; ++end)
      if (std::string("fFlLuU").find(*end) == std::string::npos) return std::nullopt;
    return value;
  }
  if (const auto* u = std::get_if<ir::Unary>(&x.node); u && u->op == ir::UnaryOp::Minus)
    if (const auto value = constant(u->operand)) return -*value;
  if (const auto* c = std::get_if<ir::Cast>(&x.node); c && ir::isReal(m_, x.type)) return constant(c->operand);
  return std::nullopt;
}

bool Algebra::isNegative(ExprId e) const {
  if (const auto value = constant(e)) return *value < 0;
  if (const auto* u = std::get_if<ir::Unary>(&f_[e].node)) return u->op == ir::UnaryOp::Minus;
  if (const auto* b = std::get_if<ir::Binary>(&f_[e].node))
    return (b->op == BinaryOp::Mul || b->op == BinaryOp::Div) && isNegative(b->lhs);
  return false;
}

ExprId Algebra::binary(BinaryOp op, ExprId a, ExprId b, TypeId type) {
  return f_.addExpr(ir::Binary{op, a, b}, withoutConst(m_, type), loc_);
}

ExprId Algebra::negate(ExprId a) {
  if (!a.valid()) return a;
  if (const auto value = constant(a)) return literal(-*value, typeOf(a));
  const ir::ExprNode node = f_[a].node;
  if (const auto* u = std::get_if<ir::Unary>(&node); u && u->op == ir::UnaryOp::Minus) return u->operand;
  if (const auto* b = std::get_if<ir::Binary>(&node)) {
    if (b->op == BinaryOp::Sub) return binary(BinaryOp::Sub, b->rhs, b->lhs, typeOf(a));
    if (b->op == BinaryOp::Mul || b->op == BinaryOp::Div) {
      const auto left = constant(b->lhs);
      if (b->op == BinaryOp::Mul && left && *left == -1) return b->rhs;
      const ExprId lhs = negate(b->lhs);
      return binary(b->op, lhs, b->rhs, typeOf(a));
    }
  }
  return f_.addExpr(ir::Unary{ir::UnaryOp::Minus, a}, withoutConst(m_, typeOf(a)), loc_);
}

ExprId Algebra::add(ExprId a, ExprId b) {
  const auto ca = constant(a), cb = constant(b);
  if (ca && *ca == 0) return b;
  if (cb && *cb == 0) return a;
  if (ca && cb) return literal(*ca + *cb, typeOf(a));
  if (isNegative(b)) {
    const ExprId minus = negate(b);
    return binary(BinaryOp::Sub, a, minus, typeOf(a));
  }
  if (isNegative(a)) {
    const ExprId minus = negate(a);
    return binary(BinaryOp::Sub, b, minus, typeOf(b));
  }
  return binary(BinaryOp::Add, a, b, typeOf(a));
}

ExprId Algebra::subtract(ExprId a, ExprId b) {
  const auto ca = constant(a), cb = constant(b);
  if (cb && *cb == 0) return a;
  if (ca && *ca == 0) return negate(b);
  if (ca && cb) return literal(*ca - *cb, typeOf(a));
  if (isNegative(b)) {
    const ExprId plus = negate(b);
    return binary(BinaryOp::Add, a, plus, typeOf(a));
  }
  return binary(BinaryOp::Sub, a, b, typeOf(a));
}

ExprId Algebra::multiply(ExprId a, ExprId b) {
  if (!a.valid() || !b.valid()) return {};
  const auto ca = constant(a), cb = constant(b);
  if ((ca && *ca == 0) || (cb && *cb == 0)) return {};
  if (ca && *ca == 1) return b;
  if (cb && *cb == 1) return a;
  if (ca && *ca == -1) return negate(b);
  if (cb && *cb == -1) return negate(a);
  if (ca && cb) return literal(*ca * *cb, typeOf(a));
  if (isNegative(b)) {  // the sign in front
    const ExprId minusA = negate(a), minusB = negate(b);
    return multiply(minusA, minusB);
  }
  if (const auto* product = std::get_if<ir::Binary>(&f_[b].node); product && product->op == BinaryOp::Mul) {
    const ExprId first = product->lhs, second = product->rhs;  // a * (x * y) reads better as a * x * y
    return multiply(multiply(a, first), second);
  }
  return binary(BinaryOp::Mul, a, b, typeOf(a));
}

ExprId Algebra::divide(ExprId a, ExprId b) {
  if (!a.valid()) return {};
  const auto ca = constant(a), cb = constant(b);
  if (ca && *ca == 0) return {};
  if (cb && *cb == 1) return a;
  return binary(BinaryOp::Div, a, b, typeOf(a));
}

TypeId Algebra::boolType() { return m_.type(ir::BoolType{}); }

ExprId Algebra::compare(BinaryOp op, ExprId a, ExprId b) {
  const auto ca = constant(a), cb = constant(b);
  if (ca && cb) return f_.addExpr(ir::Literal{holds(op, *ca, *cb) ? "true" : "false"}, boolType(), loc_);
  if (!a.valid()) a = literal(0, typeOf(b));
  if (!b.valid()) b = literal(0, typeOf(a));
  return binary(op, a, b, boolType());
}

ExprId Algebra::logical(BinaryOp op, ExprId a, ExprId b) {
  const bool isAnd = op == BinaryOp::And;
  if (isTrue(f_[a])) return isAnd ? b : a;
  if (isFalse(f_[a])) return isAnd ? a : b;
  // A known right operand decides alone: the left one is pure.
  if (isTrue(f_[b])) return isAnd ? a : b;
  if (isFalse(f_[b])) return isAnd ? b : a;
  return binary(op, a, b, boolType());
}

ExprId Algebra::logicalNot(ExprId a) {
  if (isTrue(f_[a])) return f_.addExpr(ir::Literal{"false"}, boolType(), loc_);
  if (isFalse(f_[a])) return f_.addExpr(ir::Literal{"true"}, boolType(), loc_);
  if (const auto* u = std::get_if<ir::Unary>(&f_[a].node); u && u->op == ir::UnaryOp::Not) return u->operand;
  return f_.addExpr(ir::Unary{ir::UnaryOp::Not, a}, boolType(), loc_);
}

ExprId Algebra::conditional(ExprId condition, ExprId a, ExprId b) {
  if (isTrue(f_[condition])) return a;
  if (isFalse(f_[condition])) return b;
  const auto ca = constant(a), cb = constant(b);
  if (a == b || (ca && cb && *ca == *cb)) return a;
  const TypeId type = withoutConst(m_, typeOf(a.valid() ? a : b));
  const ExprId whenTrue = orZero(a, type), whenFalse = orZero(b, type);
  return f_.addExpr(ir::Conditional{condition, whenTrue, whenFalse}, type, loc_);
}

ExprId Algebra::call(const std::string& function, std::vector<ExprId> args, TypeId type) {
  if (function == "pow" && args.size() == 2) {
    const auto exponent = constant(args[1]);
    if (exponent && *exponent == 1) return args[0];
    if (exponent && *exponent == 0) return literal(1, type);
  }
  return f_.addExpr(ir::MathCall{function, std::move(args)}, withoutConst(m_, type), loc_);
}

ExprId Algebra::chain(ExprId seed, ExprId partial, bool singular) {
  if (!seed.valid() || !partial.valid()) return {};
  if (!singular || constant(partial)) return multiply(partial, seed);
  return call("scaled", {seed, partial}, typeOf(seed));
}

ExprId Algebra::cast(ExprId e, TypeId type) {
  if (!e.valid()) return e;
  const TypeId to = withoutConst(m_, type);
  if (withoutConst(m_, typeOf(e)) == to) return e;
  return f_.addExpr(ir::Cast{e, true}, to, loc_);
}

}  // namespace contraflow::rules
