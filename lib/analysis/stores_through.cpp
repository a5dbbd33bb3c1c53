#include "analysis/stores_through.hpp"

#include <set>
#include <utility>

#include "analysis/disjoint_pointers.hpp"
#include "ir/walk.hpp"

namespace contraflow::analysis {

using namespace ir;

namespace {

bool isOffsetOf(const Module& m, const Function& fn, ExprId e, VarId pointer) {
  if (!e.valid()) return false;
  if (const auto* v = std::get_if<VarRef>(&fn[e].node)) return v->var == pointer;
  if (const auto* c = std::get_if<Cast>(&fn[e].node)) return isOffsetOf(m, fn, c->operand, pointer);
  if (const auto* b = std::get_if<Binary>(&fn[e].node))
    return as<PointerType>(m, fn[e].type) && (isOffsetOf(m, fn, b->lhs, pointer) || isOffsetOf(m, fn, b->rhs, pointer));
  const auto* a = std::get_if<AddressOf>(&fn[e].node);
  return a && basePointer(m, fn, a->place) == pointer;
}

bool stores(const Module& m, FuncId f, VarId pointer, std::set<std::pair<FuncId, VarId>>& seen) {
  if (!seen.insert({f, pointer}).second) return false;
  const Function& fn = m[f];
  bool found = false;
  walkStmts(fn, fn.body, [&](StmtId s) {
    const auto to = [&](ExprId place) { found = found || basePointer(m, fn, place) == pointer; };
    const StmtNode& node = fn[s].node;
    if (const auto* a = std::get_if<Assign>(&node)) to(a->target);
    if (const auto* i = std::get_if<Increment>(&node)) to(i->target);
    const auto* c = std::get_if<Call>(&node);
    for (std::size_t k = 0; c && k < c->args.size(); ++k)
      if (isOffsetOf(m, fn, c->args[k], pointer)) found = found || stores(m, c->callee, m[c->callee].params[k], seen);
  });
  return found;
}

}  // namespace

bool storesThrough(const Module& m, FuncId f, VarId pointer) {
  std::set<std::pair<FuncId, VarId>> seen;
  return stores(m, f, pointer, seen);
}

}  // namespace contraflow::analysis
