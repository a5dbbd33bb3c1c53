#include "transform/parameter_sums.hpp"

#include <map>
#include <set>

#include "ir/walk.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;

class ParameterSums {
 public:
  ParameterSums(Module& m, Function& f) : m_(m), f_(f) {}

  void run() {
    if (f_.kind != FunctionKind::Adjoint && f_.kind != FunctionKind::Reverse) return;
    const std::size_t primalVars = m_[f_.primal].vars.size();
    for (std::size_t k = 1; k < f_.params.size(); ++k) {
      const VarId value = f_.params[k - 1], shadow = f_.params[k];
      if (value.index() < primalVars && shadow.index() >= primalVars && isReal(m_, f_[value].type) && isReference(m_, f_[shadow].type) &&
          isReal(m_, withoutReference(m_, f_[shadow].type)))
        candidates_.insert(shadow);
    }
    leaveReferred();
    if (!candidates_.empty()) f_.body = block(f_.body);
  }

 private:
  // What the runtime or a pointer refers to is looked at in between: a checkpoint that can be restarted saves adjoints in each step.
  void leaveReferred() {
    const auto leave = [&](ExprId e) {
      walkExpr(f_, e, [&](ExprId x) {
        if (const VarId v = candidate(x); v.valid()) candidates_.erase(v);
      });
    };
    walkStmts(f_, f_.body, [&](StmtId s) {
      const StmtNode& node = f_[s].node;
      const auto* d = std::get_if<Declare>(&node);
      const bool refers = std::holds_alternative<Runtime>(node) || (d && (d->init == Init::Bind || d->storage != Storage::Automatic));
      forEachExprOfStmt(f_[s], [&](ExprId e) {
        if (refers) return leave(e);
        walkExpr(f_, e, [&](ExprId x) {
          if (const auto* a = std::get_if<AddressOf>(&f_[x].node)) leave(a->place);
        });
      });
    });
  }

  Block block(const Block& in) {
    Block out;
    for (StmtId s : in) {
      const StmtNode& node = f_[s].node;
      // What the threads of a team add is another matter.
      if (std::holds_alternative<OmpParallel>(node)) {
        out.push_back(s);
        continue;
      }
      Block now{s};
      if (std::holds_alternative<For>(node) || std::holds_alternative<While>(node)) now = loop(s);
      if (now.size() == 1) now = {inside(s)};
      out.insert(out.end(), now.begin(), now.end());
    }
    return out;
  }
  // (Both sweeps may hold the same statements: what changes is a copy.)
  StmtId inside(StmtId s) {
    Stmt stmt = f_[s];
    bool changed = false;
    forEachBlockOfStmt(stmt, [&](Block& b) {
      Block now = block(b);
      changed = changed || now != b;
      b = std::move(now);
    });
    return changed ? f_.addStmt(std::move(stmt.node), stmt.loc, stmt.origin) : s;
  }

  // The loop between declarations and additions; itself alone if there is nothing to sum up.
  Block loop(StmtId s) {
    const std::set<VarId> added = onlyAddedTo(s);
    if (added.empty()) return {s};
    const SourceLoc at = f_[s].loc;
    const StmtId origin = f_[s].origin;
    Block out, behind;
    sums_.clear();
    for (VarId shadow : added) {
      Var var;
      var.name = f_[shadow].name + "_sum";
      var.type = withoutConst(m_, withoutReference(m_, f_[shadow].type));
      var.isTemporary = true;
      const TypeId type = var.type;
      const VarId sum = sums_[shadow] = f_.addVar(std::move(var));
      out.push_back(f_.addStmt(Declare{sum, Init::Zero, {}, Storage::Automatic, {}}, at, origin));
      behind.push_back(f_.addStmt(
          Increment{f_.addExpr(VarRef{shadow}, type, at), f_.addExpr(VarRef{sum}, type, at), false}, at, origin));
    }
    out.push_back(summed(s));
    out.insert(out.end(), behind.begin(), behind.end());
    return out;
  }

  // The candidates that stand in the loop as targets of plain increments, and nowhere else in it.
  std::set<VarId> onlyAddedTo(StmtId s) const {
    std::set<VarId> added, otherwise;
    bool threads = false;
    walkStmt(f_, s, [&](StmtId inner) {
      const StmtNode& node = f_[inner].node;
      threads = threads || std::holds_alternative<OmpParallel>(node) || std::holds_alternative<OmpFor>(node) ||
                std::holds_alternative<OmpSimd>(node);
      const auto* i = std::get_if<Increment>(&node);
      const VarId target = i ? candidate(i->target) : VarId();
      if (target.valid()) added.insert(target);
      forEachExprOfStmt(f_[inner], [&](ExprId e) {
        if (target.valid() && e == i->target) return;
        walkExpr(f_, e, [&](ExprId x) {
          if (const VarId v = candidate(x); v.valid()) otherwise.insert(v);
        });
      });
    });
    if (threads) return {};
    for (VarId v : otherwise) added.erase(v);
    return added;
  }
  VarId candidate(ExprId e) const {
    const auto* v = std::get_if<VarRef>(&f_[e].node);
    return v && candidates_.count(v->var) != 0 ? v->var : VarId();
  }

  // A copy of the statement that adds to the sums.
  StmtId summed(StmtId s) {
    Stmt stmt = f_[s];
    bool changed = false;
    if (auto* i = std::get_if<Increment>(&stmt.node))
      if (const auto found = sums_.find(candidate(i->target)); found != sums_.end()) {
        i->target = f_.addExpr(VarRef{found->second}, f_[found->second].type, stmt.loc);
        changed = true;
      }
    forEachBlockOfStmt(stmt, [&](Block& b) {
      for (StmtId& inner : b) {
        const StmtId now = summed(inner);
        changed = changed || now != inner;
        inner = now;
      }
    });
    return changed ? f_.addStmt(std::move(stmt.node), stmt.loc, stmt.origin) : s;
  }

  Module& m_;
  Function& f_;
  std::set<VarId> candidates_;  // adjoints of reals passed by value
  std::map<VarId, VarId> sums_;  // of the loop that is being rewritten
};

}  // namespace

void sumParameters(Module& module, Function& function) { ParameterSums(module, function).run(); }

}  // namespace contraflow::transform
