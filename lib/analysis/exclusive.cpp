#include "analysis/exclusive.hpp"

#include <functional>

#include "analysis/loop_proof.hpp"
#include "ir/walk.hpp"

namespace contraflow::analysis {
namespace {

using namespace ir;

// Nothing private or tied to a thread is live into an iteration: the body reads variables of the iteration, variables from outside of
// the region, and variables of the region that hold the same in every thread.
class FreeCheck {
 public:
  FreeCheck(const Module& m, const Accesses& accesses, FuncId f) : m_(m), a_(accesses), fn_(m[f]), f_(f) {}

  bool operator()(StmtId region, StmtId construct) {
    std::set<VarId> ofRegion = declaredIn(fn_, region);
    const std::set<VarId> own = declaredIn(fn_, construct);
    for (VarId v : own) ofRegion.erase(v);
    bool ok = true;
    walkStmt(fn_, construct, [&](StmtId s) {
      if (const auto* c = std::get_if<Call>(&fn_[s].node)) ok = ok && noThreadNumber(c->callee);
      forEachExprOfStmt(fn_[s], [&](ExprId e) {
        walkExpr(fn_, e, [&](ExprId x) {
          if (std::holds_alternative<PureCall>(fn_[x].node)) ok = false;
          if (const auto* v = std::get_if<VarRef>(&fn_[x].node))
            ok = ok && (ofRegion.count(v->var) == 0 || replicated(v->var, region, ofRegion));
        });
      });
    });
    return ok;
  }

 private:
  // Declared with a value that is the same in each thread, and never written.
  bool replicated(VarId v, StmtId region, const std::set<VarId>& ofRegion) {
    const Declare* found = nullptr;
    bool written = false;
    const Effects inside = a_.of(f_, region);
    walkStmt(fn_, region, [&](StmtId s) {
      const StmtNode& node = fn_[s].node;
      const auto hit = [&](ExprId target) { written = written || (target.valid() && rootVar(fn_, target) == v); };
      if (const auto* d = std::get_if<Declare>(&node); d && d->var == v) found = d;
      if (const auto* x = std::get_if<Assign>(&node)) hit(x->target);
      if (const auto* x = std::get_if<Increment>(&node)) hit(x->target);
      if (const auto* x = std::get_if<OmpAtomic>(&node)) hit(x->target);
      if (const auto* x = std::get_if<Call>(&node)) {
        hit(x->result);
        for (ExprId arg : x->args) hit(arg);  // perhaps by reference
      }
      forEachExprOfStmt(fn_[s], [&](ExprId e) {
        walkExpr(fn_, e, [&](ExprId x) {
          if (const auto* a = std::get_if<AddressOf>(&fn_[x].node)) hit(a->place);
        });
      });
    });
    if (!found || written || found->args.size() != 1 || found->init != Init::Value) return false;
    LocSet reads;
    a_.value(f_, found->args[0], reads);
    bool same = !a_.closed(reads).meets(inside.writes);
    walkExpr(fn_, found->args[0], [&](ExprId x) {
      if (std::holds_alternative<PureCall>(fn_[x].node)) same = false;
      if (const auto* w = std::get_if<VarRef>(&fn_[x].node)) same = same && ofRegion.count(w->var) == 0;
    });
    return same;
  }

  bool noThreadNumber(FuncId callee) {
    if (!seen_.insert(callee).second) return true;
    const Function& g = m_[callee];
    bool ok = g.hasBody;
    walkStmts(g, g.body, [&](StmtId s) {
      if (const auto* c = std::get_if<Call>(&g[s].node)) ok = ok && noThreadNumber(c->callee);
    });
    walkExprs(g, g.body, [&](ExprId e) { ok = ok && !std::holds_alternative<PureCall>(g[e].node); });
    return ok;
  }

  const Module& m_;
  const Accesses& a_;
  const Function& fn_;
  const FuncId f_;
  std::set<FuncId> seen_;
};

}  // namespace

Exclusive computeExclusive(const Module& m, const PointsTo& p, const Accesses& accesses, const Activity& activity,
                           const Recompute& recompute, const DisjointPointers& disjoint) {
  Exclusive out;
  for (std::uint32_t i = 0; i < m.functions.size(); ++i) {
    const FuncId f(i);
    if (!p.knows(f)) continue;
    const Function& fn = m[f];
    std::map<ExprId, std::pair<int, int>> places;  // in how many loops, and proved in how many
    std::set<ExprId> outside;                      // named in a region, but in no worksharing loop
    const std::function<void(StmtId, StmtId)> visit = [&](StmtId s, StmtId region) {
      if (const auto* loop = std::get_if<OmpFor>(&fn[s].node)) {
        LoopAccesses found = proveLoop(m, p, accesses, activity, disjoint, f, loop->loop);
        if (loop->collapse > 1) found.exclusive.clear();  // one value of the outer counter belongs to several iterations
        for (ExprId e : found.active) ++places[e].first;
        for (ExprId e : found.exclusive) ++places[e].second;
        if (region.valid() && recompute.loop(f, s) && FreeCheck(m, accesses, f)(region, s)) {
          out.free_.insert({f, s});
          if (!found.bands.places.empty()) out.bands_[{f, s}] = std::move(found.bands);
        }
        return;
      }
      const StmtId inner = std::holds_alternative<OmpParallel>(fn[s].node) ? s : region;
      forEachExprOfStmt(fn[s], [&](ExprId e) { walkExpr(fn, e, [&](ExprId x) { outside.insert(x); }); });
      forEachBlockOfStmt(fn[s], [&](const Block& b) {
        for (StmtId c : b) visit(c, inner);
      });
      if (const StmtId c = loopOf(fn[s])) visit(c, inner);
    };
    for (StmtId s : fn.body) visit(s, StmtId());
    for (const auto& [place, count] : places)
      if (count.first == count.second && outside.count(place) == 0) out.places_.insert({f, place});
  }
  return out;
}

}  // namespace contraflow::analysis
