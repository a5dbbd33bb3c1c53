// What C++ evaluates only under a condition: &&, ||, ?:. Where the second part does nothing but compute it stays an expression;
// otherwise it becomes an If around a temporary.
#include "ir/walk.hpp"
#include "frontend/lowering.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

ExprId FunctionLowering::lowerCondition(const Expr* e) {
  const ExprId v = lowerExpr(e);
  return convert(v, boolType(), e->getExprLoc());
}

ExprId FunctionLowering::lowerLogical(const BinaryOperator* e) {
  const SourceLocation at = e->getExprLoc();
  const bool isAnd = e->getOpcode() == BO_LAnd;
  const ExprId lhs = lowerCondition(e->getLHS());
  ir::Block second;
  ExprId rhs;
  {
    InBlock in(*this, second);
    rhs = lowerCondition(e->getRHS());
  }
  if (second.empty()) return binary(isAnd ? ir::BinaryOp::And : ir::BinaryOp::Or, lhs, rhs, boolType(), at);
  // The right side does something: run it only where C++ does.
  const ExprId both = spill(lhs, "condition", at);
  {
    InBlock in(*this, second);
    emit(ir::Assign{clone(both), rhs}, at);
  }
  ExprId test = clone(both);
  if (!isAnd) test = expr(ir::Unary{ir::UnaryOp::Not, test}, boolType(), at);
  emit(ir::If{test, second, {}}, at);
  return both;
}

// The argument of an inlined function, where that is a constant.
std::optional<bool> FunctionLowering::knownCondition(ExprId condition) {
  const auto* known = std::get_if<ir::Literal>(&function()[condition].node);
  if (!known || (known->text != "true" && known->text != "false")) return std::nullopt;
  return known->text == "true";
}

ExprId FunctionLowering::lowerConditional(const AbstractConditionalOperator* e) {
  const SourceLocation at = e->getExprLoc();
  if (isa<BinaryConditionalOperator>(e)) return unsupported(e, "'?:' without a middle", "write it out");
  const ExprId condition = lowerCondition(e->getCond());
  const TypeId type = valueType(e->getType(), at);
  if (const auto known = knownCondition(condition))
    return convert(lowerExpr(*known ? e->getTrueExpr() : e->getFalseExpr()), type, at);
  ir::Block first, second;
  ExprId a, b;
  {
    InBlock in(*this, first);
    a = convert(lowerExpr(e->getTrueExpr()), type, at);
  }
  {
    InBlock in(*this, second);
    b = convert(lowerExpr(e->getFalseExpr()), type, at);
  }
  if (first.empty() && second.empty()) return expr(ir::Conditional{condition, a, b}, type, at);
  const ExprId test = stableValue(condition, "condition");
  const ir::VarId chosen = temporary("chosen", type, at);
  {
    InBlock in(*this, first);
    const ExprId target = varRef(chosen, at);
    emit(ir::Assign{target, a}, at);
  }
  {
    InBlock in(*this, second);
    const ExprId target = varRef(chosen, at);
    emit(ir::Assign{target, b}, at);
  }
  emit(ir::If{test, first, second}, at);
  return varRef(chosen, at);
}

// True if what is a reference to C++ is a value to us: `std::max(a, b)`, maybe behind another `?:`.
static bool givesValue(const Expr* e) {
  e = e->IgnoreParenImpCasts();
  if (const auto* n = dyn_cast<AbstractConditionalOperator>(e)) return givesValue(n->getTrueExpr()) || givesValue(n->getFalseExpr());
  const auto* call = dyn_cast<CallExpr>(e);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->isInStdNamespace() && callee->getReturnType()->getPointeeType().isConstQualified() &&
         call->getType()->isArithmeticType() && !isa<CXXMethodDecl>(callee);
}

// `(c ? a : b) = …` is `*(c ? &a : &b) = …`.
ExprId FunctionLowering::lowerConditionalPlace(const AbstractConditionalOperator* e) {
  const SourceLocation at = e->getExprLoc();
  if (givesValue(e)) return spill(lowerConditional(e), "chosen", at);
  if (isa<BinaryConditionalOperator>(e)) return unsupported(e, "'?:' without a middle", "write it out");
  const ExprId condition = lowerCondition(e->getCond());
  if (const auto known = knownCondition(condition)) return lowerPlace(*known ? e->getTrueExpr() : e->getFalseExpr());
  ir::Block first, second;
  ExprId a, b;
  const auto address = [&](const Expr* branch, ir::Block& block) {
    InBlock in(*this, block);
    const ExprId place = lowerPlace(branch);
    if (ir::isPlace(function()[place])) return addressOf(place, at);
    return unsupported(branch, "a reference to a value that '?:' chooses", "store the value in a variable");
  };
  a = address(e->getTrueExpr(), first);
  b = address(e->getFalseExpr(), second);
  const TypeId type = pointerTo(lowerType(e->getType(), at));
  if (first.empty() && second.empty()) {
    const ExprId pointer = expr(ir::Conditional{condition, convert(a, type, at), convert(b, type, at)}, type, at);
    return deref(spill(pointer, "chosen", at), at);
  }
  const ir::VarId chosen = temporary("chosen", type, at);
  {
    InBlock in(*this, first);
    const ExprId target = varRef(chosen, at);
    emit(ir::Assign{target, convert(a, type, at)}, at);
  }
  {
    InBlock in(*this, second);
    const ExprId target = varRef(chosen, at);
    emit(ir::Assign{target, convert(b, type, at)}, at);
  }
  emit(ir::If{condition, first, second}, at);
  return deref(varRef(chosen, at), at);
}

}  // namespace contraflow::frontend
