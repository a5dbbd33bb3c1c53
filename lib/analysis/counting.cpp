#include "analysis/counting.hpp"

namespace contraflow::analysis {

using namespace ir;

bool countsByNumber(const Module& m, const Function& fn, StmtId s) {
  const auto isVariable = [&](ExprId e) {
    const auto* v = std::get_if<VarRef>(&fn[e].node);
    return v && !isReference(m, fn[v->var].type);
  };
  const auto isNumber = [&](ExprId e) { return std::holds_alternative<Literal>(fn[e].node) && as<IntType>(m, fn[e].type); };
  if (const auto* i = std::get_if<Increment>(&fn[s].node))
    return isVariable(i->target) && as<IntType>(m, fn[i->target].type) && isNumber(i->value);
  const auto* a = std::get_if<Assign>(&fn[s].node);
  if (!a || !isVariable(a->target) || !as<PointerType>(m, fn[a->target].type)) return false;
  const auto* b = std::get_if<Binary>(&fn[a->value].node);
  if (!b || (b->op != BinaryOp::Add && b->op != BinaryOp::Sub) || !isVariable(b->lhs) || !isNumber(b->rhs)) return false;
  return std::get<VarRef>(fn[b->lhs].node).var == std::get<VarRef>(fn[a->target].node).var;
}

}  // namespace contraflow::analysis
