// Fewer and cheaper increments of shadows in memory.
//
//     u_b[c] += a;                       u_b[c - 1] += b;
//     u_b[c - 1] += b;           →       u_b[c] += a - d;
//     u_b[c] -= d;
//
// Increments commute, so the earlier of two that name one place moves down to the later, as long as nothing in between reads memory
// of shadows or changes what either is computed from.
#include "ir/equal.hpp"
#include "ir/walk.hpp"
#include "transform/adjoint_builder.hpp"

namespace contraflow::transform {

using namespace ir;

namespace {

struct Pending {
  ExprId place;
  std::string kind;       // of a shared increment: those of one kind combine
  std::size_t at;         // in the new block
  std::set<VarId> reads;  // the variables of its value
};

}  // namespace

// True if the expression reads memory of a shadow; a shadow that is a scalar variable is none.
bool AdjointBuilder::readsShadowMemory(ExprId e) const {
  bool found = false;
  walkExpr(f_, e, [&](ExprId x) {
    if (!isPlace(f_[x]) || std::holds_alternative<VarRef>(f_[x].node)) return;
    if (!isReal(m_, f_[x].type)) return;
    const VarId root = rootVar(f_, x);
    // Places of the primal have a variable of the primal at their root.
    if (!root.valid() || root.index() >= m_[variant_.primal].vars.size()) found = true;
  });
  walkExpr(f_, e, [&](ExprId x) {
    if (const auto* v = std::get_if<VarRef>(&f_[x].node))
      // A shadow variable may be reached through a shadow pointer as well; a temporary of ours is never.
      if (v->var.index() >= m_[variant_.primal].vars.size() && (!f_[v->var].isTemporary || isReference(m_, f_[v->var].type))) found = true;
  });
  return found;
}

void AdjointBuilder::combineIncrements(Block& block) {
  Block out;
  std::vector<Pending> pending;
  std::set<std::size_t> gone;
  for (StmtId s : block) {
    const Stmt stmt = f_[s];
    const auto* plain = std::get_if<Increment>(&stmt.node);
    const auto* shared = std::get_if<SharedIncrement>(&stmt.node);
    const auto* declare = std::get_if<Declare>(&stmt.node);
    if (plain || shared) {
      const ExprId target = plain ? plain->target : shared->target;
      ExprId value = plain ? plain->value : shared->value;
      bool subtract = plain ? plain->subtract : shared->subtract;
      if (readsShadowMemory(value)) pending.clear();
      if (const auto* v = std::get_if<VarRef>(&f_[target].node); v && !isReference(m_, f_[v->var].type)) {
        // A scalar: only those computed from it have to stay above.
        for (auto p = pending.begin(); p != pending.end();) p = p->reads.count(v->var) ? pending.erase(p) : std::next(p);
        out.push_back(s);
        continue;
      }
      const std::string kind = !shared ? "" : shared->strategy == Strategy::Banded ? "banded " : "shared ";
      Pending now{target, kind, out.size(), {}};
      for (auto p = pending.begin(); p != pending.end(); ++p) {
        if (p->kind != kind || !equal(f_, p->place, target)) continue;
        const Stmt earlier = f_[out[p->at]];
        const auto* a = std::get_if<Increment>(&earlier.node);
        const auto* b = std::get_if<SharedIncrement>(&earlier.node);
        const ExprId first = a ? a->value : b->value;
        const bool negative = a ? a->subtract : b->subtract;
        const ExprId signedFirst = negative ? algebra_.negate(first) : first;
        value = subtract ? algebra_.subtract(signedFirst, value) : algebra_.add(signedFirst, value);
        subtract = false;
        gone.insert(p->at);
        now.reads = p->reads;
        pending.erase(p);
        s = plain ? f_.addStmt(Increment{target, value, false}, stmt.loc, stmt.origin)
                  : f_.addStmt(SharedIncrement{target, value, false, shared->strategy, shared->alone}, stmt.loc, stmt.origin);
        break;
      }
      walkExpr(f_, value, [&](ExprId x) {
        if (const auto* v = std::get_if<VarRef>(&f_[x].node)) now.reads.insert(v->var);
      });
      out.push_back(s);
      pending.push_back(std::move(now));
      continue;
    }
    const bool harmless = declare && declare->storage == Storage::Automatic &&
                          (declare->init == Init::Value || declare->init == Init::Zero || declare->init == Init::None) &&
                          (declare->args.empty() || !readsShadowMemory(declare->args[0]));
    if (!harmless) pending.clear();
    out.push_back(s);
  }
  Block kept;
  for (std::size_t k = 0; k < out.size(); ++k)
    if (gone.count(k) == 0) kept.push_back(out[k]);
  block = std::move(kept);
}

// The block with each shared increment replaced.
Block AdjointBuilder::replaceSharing(const Block& block, const std::function<StmtNode(const SharedIncrement&)>& by) {
  Block out;
  for (StmtId s : block) {
    Stmt copy = f_[s];
    if (const auto* i = std::get_if<SharedIncrement>(&copy.node)) {
      out.push_back(f_.addStmt(by(*i), copy.loc, copy.origin));
      continue;
    }
    bool compound = false;
    forEachBlockOfStmt(copy, [&](Block& inner) {
      compound = true;
      inner = replaceSharing(inner, by);
    });
    out.push_back(compound ? f_.addStmt(std::move(copy.node), copy.loc, copy.origin) : s);
  }
  return out;
}

// The block with plain increments instead of shared ones: what a team of one runs.
Block AdjointBuilder::withoutSharing(const Block& block) {
  return replaceSharing(block, [](const SharedIncrement& i) { return Increment{i.target, i.value, i.subtract}; });
}

bool AdjointBuilder::hasSharing(const Block& block) const {
  bool found = false;
  walkStmts(f_, block, [&](StmtId s) {
    const auto* i = std::get_if<SharedIncrement>(&f_[s].node);
    found = found || (i && i->alone.valid());
  });
  return found;
}

}  // namespace contraflow::transform
