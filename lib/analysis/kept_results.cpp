#include "analysis/kept_results.hpp"

#include <map>

#include "ir/walk.hpp"
#include "rules/rules.hpp"

namespace contraflow::analysis {

using namespace ir;

class KeptResultFinder {
 public:
  KeptResultFinder(const Module& m, const PointsTo& p, const CallGraph& graph, const Annotations* annotations, Recompute& recompute)
      : m_(m), p_(p), graph_(graph), annotations_(annotations), recompute_(recompute), recorded_(m.functions.size()),
        costly_(m.functions.size()), loops_(m.functions.size()) {}

  void run() {
    for (FuncId f : graph_.bottomUp()) summarise(f);
    for (std::uint32_t i = 0; i < m_.functions.size(); ++i) {
      recorded_[i] = graph_.recursive(FuncId(i));
      if (p_.knows(FuncId(i))) visit(FuncId(i), m_[FuncId(i)].body, Around::Function);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const Site& call : calls_) {
        const FuncId callee = std::get<Call>(m_[call.function][call.stmt].node).callee;
        if (recorded_[callee.index()] || !inRecordedLoop(call) || recompute_.call(call.function, call.stmt)) continue;
        recorded_[callee.index()] = changed = true;
      }
    }
    for (const Site& d : declarations_)
      if (!inRecordedLoop(d)) {
        recompute_.kept_.insert({d.function, d.stmt});
        recompute_.keptVariables_.insert({d.function, std::get<Declare>(m_[d.function][d.stmt].node).var});
      }
    for (const Site& call : calls_) {
      const FuncId callee = std::get<Call>(m_[call.function][call.stmt].node).callee;
      if (!inRecordedLoop(call) && costly_[callee.index()] && !loops_[callee.index()]) recompute_.calls_.erase({call.function, call.stmt});
    }
  }

 private:
  // The innermost loop around a statement: one that is run again, one that records, or none in the function.
  enum class Around { Again, Records, Function };
  struct Site {
    FuncId function;
    StmtId stmt;
    Around around;
  };

  bool inRecordedLoop(const Site& s) const {
    return s.around == Around::Records || (s.around == Around::Function && recorded_[s.function.index()]);
  }

  bool isCostly(const Function& fn, ExprId e) const {
    bool costly = false;
    walkExpr(fn, e, [&](ExprId x) {
      const auto* call = std::get_if<MathCall>(&fn[x].node);
      costly = costly || (call && rules::isCostly(call->function));
    });
    return costly;
  }

  // Whether a call of it evaluates costly functions, and whether there are loops in it: with what it calls.
  void summarise(FuncId f) {
    bool costly = false, loops = !m_[f].hasBody || graph_.recursive(f);
    walkStmts(m_[f], m_[f].body, [&](StmtId s) {
      const StmtNode& node = m_[f][s].node;
      loops = loops || std::holds_alternative<For>(node) || std::holds_alternative<While>(node);
      forEachExprOfStmt(m_[f][s], [&](ExprId e) { costly = costly || isCostly(m_[f], e); });
      if (const auto* call = std::get_if<Call>(&node)) {
        costly = costly || costly_[call->callee.index()];
        loops = loops || loops_[call->callee.index()];
      }
    });
    costly_[f.index()] = costly;
    loops_[f.index()] = loops;
  }

  void visit(FuncId f, const Block& block, Around around) {
    const Function& fn = m_[f];
    for (StmtId s : block) {
      const Stmt& stmt = fn[s];
      if (std::holds_alternative<Call>(stmt.node)) calls_.push_back({f, s, around});
      const auto* d = std::get_if<Declare>(&stmt.node);
      if (d && d->init == Init::Value && d->storage == Storage::Automatic && isReal(m_, fn[d->var].type) && isCostly(fn, d->args[0]))
        declarations_.push_back({f, s, around});
      const StmtId inner = loopOf(stmt);
      const bool isLoop = std::holds_alternative<For>(stmt.node) || std::holds_alternative<While>(stmt.node) || inner.valid();
      const bool again = recompute_.loop(f, s) && !isCheckpointed(annotations_, stmt);
      const Around within = !isLoop ? around : again ? Around::Again : Around::Records;
      if (inner.valid()) visit(f, std::get<For>(fn[inner].node).body, within);
      else forEachBlockOfStmt(stmt, [&](const Block& b) { visit(f, b, within); });
    }
  }

  const Module& m_;
  const PointsTo& p_;
  const CallGraph& graph_;
  const Annotations* annotations_;
  Recompute& recompute_;
  std::vector<bool> recorded_;  // called from a loop that records its iterations
  std::vector<bool> costly_, loops_;
  std::vector<Site> calls_, declarations_;
};

void findKeptResults(const Module& m, const PointsTo& p, const CallGraph& graph, const Annotations* annotations, Recompute& recompute) {
  KeptResultFinder(m, p, graph, annotations, recompute).run();
}

}  // namespace contraflow::analysis
