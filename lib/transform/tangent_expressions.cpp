// Tangents of expressions: the chain rule.
#include "ir/match.hpp"
#include "rules/rules.hpp"
#include "transform/squares.hpp"
#include "transform/tangent_builder.hpp"

namespace contraflow::transform {

using namespace ir;

ExprId TangentBuilder::readShadow(ExprId place) {
  const ExprId shadow = shadows_.place(place);
  if (!shadow.valid()) return {};
  ExprId base;
  if (!shadows_.mayBeNull(place, base)) return shadow;
  return algebra_.conditional(notNull(base), shadow, {});
}

ExprId TangentBuilder::tangent(ExprId e) {
  const Expr x = f_[e];  // a copy: the arena grows
  if (!isReal(m_, x.type)) return {};
  const auto none = [](const auto&) { return ExprId(); };
  const auto place = [&](const auto&) { return readShadow(e); };
  return match(
      x.node, [&](const VarRef& v) { return place(v); }, [&](const GlobalRef& g) { return place(g); },
      [&](const FieldRef& r) { return place(r); }, [&](const Subscript& s) { return place(s); },
      [&](const Deref& d) { return place(d); },
      [&](const Unary& u) { return u.op == UnaryOp::Minus ? algebra_.negate(tangent(u.operand)) : ExprId(); },
      [&](const Binary& b) { return tangentOfBinary(b); },
      [&](const Cast& c) { return algebra_.cast(tangent(c.operand), x.type); },
      [&](const Conditional& c) {
        const ExprId a = tangent(c.whenTrue), b = tangent(c.whenFalse);
        return a.valid() || b.valid() ? algebra_.conditional(c.condition, a, b) : ExprId();
      },
      [&](const MathCall& c) { return tangentOfCall(e, c); },
      [&](const PureCall& c) { return tangentOfPureCall(e, c); },
      // Constants, and what isn't real.
      [&](const Literal& l) { return none(l); },
      [&](const SizeOf& s) { return none(s); }, [&](const AddressOf& a) { return none(a); },
      [&](const Decay& d) { return none(d); }, [&](const DataOf& d) { return none(d); },
      [&](const InitList& l) { return none(l); });
}

ExprId TangentBuilder::tangentOfBinary(const Binary& b) {
  const ExprId a_d = tangent(b.lhs), b_d = tangent(b.rhs);
  if (!a_d.valid() && !b_d.valid()) return {};
  switch (b.op) {
    case BinaryOp::Add: return algebra_.add(a_d, b_d);
    case BinaryOp::Sub: return algebra_.subtract(a_d, b_d);
    case BinaryOp::Mul: {
      if (const auto square = squareIn(f_, b, [&](ExprId factor) { return !tangent(factor).valid(); })) {
        const ExprId partial = partialOf(*square, algebra_, f_[b.lhs].type);
        return algebra_.multiply(partial, tangent(square->root));
      }
      const ExprId left = algebra_.multiply(b.rhs, a_d), right = algebra_.multiply(b.lhs, b_d);
      return algebra_.add(left, right);
    }
    case BinaryOp::Div: {
      if (algebra_.constant(b.rhs)) return algebra_.divide(a_d, b.rhs);
      const ExprId inverse = algebra_.call("reciprocal", {b.rhs}, f_[b.rhs].type);
      ExprId left, right;
      if (a_d.valid()) left = algebra_.chain(a_d, inverse, true);
      if (b_d.valid()) right = algebra_.chain(b_d, algebra_.multiply(algebra_.divide(b.lhs, b.rhs), inverse), true);
      return algebra_.subtract(left, right);
    }
    case BinaryOp::Rem:
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge:
    case BinaryOp::Eq:
    case BinaryOp::Ne:
    case BinaryOp::And:
    case BinaryOp::Or: break;  // no result of these is real
  }
  return {};
}

ExprId TangentBuilder::tangentOfCall(ExprId e, const MathCall& call) {
  const TypeId type = f_[e].type;
  if (call.function == "scaled") {  // s * p but zero where s is: so are both terms
    const ExprId left = algebra_.chain(tangent(call.args[0]), call.args[1], true);
    const ExprId right = algebra_.chain(call.args[0], tangent(call.args[1]), true);
    return algebra_.add(left, right);
  }
  const rules::MathRow* row = rules::findMath(call.function);
  if (!row) {
    refuse(f_[e].loc, "'" + call.function + "' has no rule", "add a row to lib/rules/math.def");
    return {};
  }
  ExprId sum;
  for (unsigned k = 0; k < call.args.size(); ++k) {
    if (row->parameters[k].isInteger) continue;
    const ExprId seed = tangent(call.args[k]);
    if (!seed.valid()) continue;
    const ExprId partial = rules::buildPartial(m_, f_, *row, k, call.args, e, type);
    sum = algebra_.add(sum, algebra_.chain(algebra_.cast(seed, type), partial, row->singular));
  }
  return sum;
}

// Functions without derivative, but for the sum of a container's elements in adjoint code.
ExprId TangentBuilder::tangentOfPureCall(ExprId e, const PureCall& call) {
  const Expr x = f_[e];
  for (const ExprId arg : call.args) {
    const TypeId type = f_[arg].type;
    if (!reachesReal(m_, type)) continue;
    if (call.callee == "contraflow::sum") {
      const ExprId shadow = shadows_.place(arg);
      return shadow.valid() ? f_.addExpr(PureCall{call.callee, {shadow}}, x.type, x.loc) : ExprId();
    }
    const bool active = isReal(m_, type) ? tangent(arg).valid() : shadows_.place(arg).valid();
    if (active) {  // never a zero that nobody has decided on
      refuse(x.loc, "'" + call.callee + "' of an active value has no rule", "add a row to lib/rules/math.def");
      return {};
    }
  }
  return {};
}

}  // namespace contraflow::transform
