#include "transform/settle_counters.hpp"

#include "ir/walk.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;

// True if a statement of the body passes on the variable's address.
bool addressTaken(const Module& m, const Function& f, const Block& body, VarId v) {
  bool taken = false;
  const auto isIt = [&](ExprId place) { return isPlace(f[place]) && rootVar(f, place) == v; };
  walkStmts(f, body, [&](StmtId s) {
    forEachExprOfStmt(f[s], [&](ExprId e) {
      walkExpr(f, e, [&](ExprId x) {
        const auto* a = std::get_if<AddressOf>(&f[x].node);
        taken = taken || (a && isIt(a->place));
      });
    });
    if (const auto* d = std::get_if<Declare>(&f[s].node)) taken = taken || (d->init == Init::Bind && isIt(d->args[0]));
    if (const auto* c = std::get_if<Call>(&f[s].node)) {
      const Function& callee = m[c->callee];
      for (std::size_t k = 0; k < c->args.size() && k < callee.params.size(); ++k)
        taken = taken || (isReference(m, callee[callee.params[k]].type) && isIt(c->args[k]));
    }
  });
  return taken;
}

void replace(Function& f, const Block& body, VarId from, VarId to) {
  std::vector<ExprId> uses;
  walkStmts(f, body, [&](StmtId s) {
    forEachExprOfStmt(f[s], [&](ExprId e) {
      walkExpr(f, e, [&](ExprId x) {
        const auto* v = std::get_if<VarRef>(&f[x].node);
        if (v && v->var == from) uses.push_back(x);
      });
    });
  });
  for (ExprId x : uses) f[x].node = VarRef{to};
}

}  // namespace

void settleCounters(Module& m, Function& f, StmtId loop, unsigned collapse) {
  std::vector<VarId> counters;
  for (unsigned k = 0; k < collapse; ++k) {
    if (k > 0) loop = std::get<For>(f[loop].node).body.front();
    counters.push_back(std::get<For>(f[loop].node).counter);
  }
  const Block body = std::get<For>(f[loop].node).body;
  Block copies;
  for (VarId counter : counters) {
    if (!addressTaken(m, f, body, counter)) continue;
    Var copy = f[counter];
    copy.name += "_copy";
    copy.isTemporary = true;
    copy.kind = VarKind::Local;
    const VarId v = f.addVar(copy);
    replace(f, body, counter, v);
    const ExprId value = f.addExpr(VarRef{counter}, withoutConst(m, copy.type));
    copies.push_back(f.addStmt(Declare{v, Init::Value, {value}, Storage::Automatic, {}}, f[loop].loc));
  }
  auto& inner = std::get<For>(f[loop].node).body;
  inner.insert(inner.begin(), copies.begin(), copies.end());
}

}  // namespace contraflow::transform
