#include "transform/settle_reciprocals.hpp"

#include <cmath>

#include "ir/walk.hpp"
#include "rules/algebra.hpp"

namespace contraflow::transform {

using namespace ir;

void settleReciprocals(Module& module, Function& function) {
  rules::Algebra algebra(module, function);
  const auto divisor = [&](ExprId e) {
    const auto* call = std::get_if<MathCall>(&function[e].node);
    return call && call->function == "reciprocal" ? call->args[0] : ExprId();
  };
  const auto isPowerOfTwo = [&](ExprId e) {
    const auto value = algebra.constant(e);
    int exponent = 0;
    return value && std::frexp(*value, &exponent) == 0.5L;
  };
  // Products before their factors.
  const auto settle = [&](auto&& self, ExprId id) -> ExprId {
    Expr e = function[id];
    const auto* product = std::get_if<Binary>(&e.node);
    const bool scaled = product && product->op == BinaryOp::Mul && isPowerOfTwo(product->lhs);
    if (const ExprId b = divisor(scaled ? product->rhs : id); b.valid()) {
      const TypeId type = withoutConst(module, e.type);
      const ExprId above = scaled ? product->lhs : algebra.literal(1, type);
      return function.addExpr(Binary{BinaryOp::Div, above, self(self, b)}, type, e.loc);
    }
    bool changed = false;
    forEachChildExpr(e, [&](ExprId& child) {
      const ExprId now = self(self, child);
      changed = changed || now != child;
      child = now;
    });
    return changed ? function.addExpr(std::move(e.node), e.type, e.loc) : id;
  };
  walkStmts(function, function.body, [&](StmtId s) {
    Stmt stmt = function[s];  // a copy: the arenas grow
    forEachExprOfStmt(stmt, [&](ExprId& e) { e = settle(settle, e); });
    function[s] = std::move(stmt);
  });
}

}  // namespace contraflow::transform
