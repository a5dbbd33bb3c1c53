// The sharp facts: all analyses of a program, in their order, behind the one interface.
#include <algorithm>

#include "analysis/activity.hpp"
#include "analysis/analyses.hpp"
#include "analysis/exclusive.hpp"
#include "analysis/head_shadows.hpp"
#include "analysis/kept_results.hpp"
#include "analysis/recording.hpp"
#include "analysis/stability.hpp"
#include "ir/walk.hpp"

namespace contraflow::analysis {
namespace {

using namespace ir;

class Sharp final : public Facts {
 public:
  Sharp(const Module& m, const std::vector<Head>& heads, const Options& options)
      : m_(m), heads_(heads), tbr_(options.without.count("tbr") == 0), fallback_(conservativeFacts(m, heads)),
        graph_(computeCallGraph(m)), p_(computePointsTo(m, heads_, graph_, options.noalias)),
        accesses_(computeEffects(m, p_, graph_)),
        activity_(computeActivity(m, p_, heads_, options.without.count("activity") != 0)),
        stability_(computeStability(m, p_, accesses_)), disjoint_(computeDisjointPointers(m, p_, heads_, options.noalias)) {
    if (options.without.count("recompute") == 0) recompute_ = computeRecompute(m, p_, accesses_, activity_, graph_, disjoint_, options.annotations);
    if (options.without.count("kept-results") == 0) findKeptResults(m, p_, graph_, options.annotations, recompute_);
    const bool countBack = options.without.count("count-back") == 0;
    Swept swept;
    if (options.without.count("swept") == 0) swept = computeSwept(m, p_, accesses_);
    const bool reuseResults = options.without.count("result-reuse") == 0;
    if (tbr_)
      recording_ = computeRecording(m, p_, accesses_, activity_, recompute_, swept, graph_, countBack, reuseResults, options.annotations);
    if (options.without.count("exclusive") == 0)
      exclusive_ = computeExclusive(m, p_, accesses_, activity_, recompute_, disjoint_);
    for (const MissingShadow& w : activity_.missing())
      unshadowed_.push_back({w.function, w.stmt, p_.locations.sourceName(w.written)});
    findPointerStores();
    for (std::uint32_t k = 0; k < m.functions.size(); ++k)
      if (p_.knows(FuncId(k))) findResized(FuncId(k));
    findLifetimes();
  }

  Presence shadow(FuncId f, VarId v) const override {
    if (!p_.knows(f) || v.index() >= m_[f].vars.size()) return fallback_->shadow(f, v);
    const Function& fn = m_[f];
    const TypeId type = fn[v].type;
    if (!mayReachReal(m_, type)) return Presence::None;
    const Loc l = p_.localOf(f, v);
    if (l == kUnknown) return fallback_->shadow(f, v);
    const bool isParameter = fn[v].kind == VarKind::Parameter;
    if (isParameter && isHead(heads_, f))
      for (unsigned i = 0; i < fn.params.size(); ++i)
        if (fn.params[i] == v) return headParameter(m_, heads_, f, i, !graph_.callers(f).empty());
    if (isReference(m_, type)) {
      // Where one caller's argument has a shadow, the others pass a dummy.
      const Presence joined = activity_.shadowOfTargets(p_.contents(l));
      return isParameter && joined == Presence::Maybe ? Presence::Present : joined;
    }
    if (as<PointerType>(m_, type)) return activity_.shadowOfTargets(p_.contents(l));
    return activity_.shadow(l);
  }

  Presence shadow(GlobalId g) const override {
    if (m_[g].isConstant || !mayReachReal(m_, m_[g].type)) return Presence::None;
    const Loc l = p_.globalOf(g);
    if (l == kUnknown) return fallback_->shadow(g);
    if (as<PointerType>(m_, m_[g].type) || isReference(m_, m_[g].type)) return activity_.shadowOfTargets(p_.contents(l));
    return activity_.shadow(l);
  }

  Presence shadowOf(FuncId f, ExprId place) const override {
    if (!knows(f, place)) return fallback_->shadowOf(f, place);
    const Locs& all = as<PointerType>(m_, m_[f][place].type) && !isPlace(m_[f][place]) ? p_.targets(f, place)
                                                                                       : p_.objects(f, place);
    return activity_.shadowOfTargets(all);
  }

  bool active(FuncId f, ExprId place) const override {
    return knows(f, place) ? activity_.active(f, place) : fallback_->active(f, place);
  }
  bool active(FuncId f) const override {
    if (!p_.knows(f) || !tbr_) return true;
    return recording_.reversed(f) || storesPointers_[f.index()];
  }
  bool activeResult(FuncId f) const override {
    if (!p_.knows(f)) return fallback_->activeResult(f);
    const Loc result = p_.resultOf(f);
    if (result == kUnknown || activity_.active(result)) return fallback_->activeResult(f);
    return returnsShadow(f);
  }
  bool activeMpi(FuncId f, StmtId s) const override {
    return p_.knows(f) ? activity_.activeMpi(f, s) : fallback_->activeMpi(f, s);
  }
  const std::vector<UnshadowedWrite>& unshadowedWrites() const override { return unshadowed_; }

  bool resizes(FuncId head, VarId param) const override { return resized_.count({head, param}) != 0; }
  const std::vector<UnshadowedWrite>& resizedMemory() const override { return resizedMemory_; }
  const std::vector<Lifetime>& lifetimes() const override { return lifetimes_; }

  bool overwriteNeeded(FuncId f, StmtId s) const override { return !records(f) || recording_.overwriteNeeded(f, s); }
  bool countedBack(FuncId f, StmtId s) const override { return records(f) && recording_.countedBack(f, s); }
  bool reusesResult(FuncId f, StmtId s) const override { return records(f) && recording_.reusesResult(f, s); }
  bool finalValueNeeded(FuncId f, VarId v) const override { return !records(f) || recording_.finalValueNeeded(f, v); }
  bool reversed(FuncId f, StmtId s) const override {
    if (!records(f) || recording_.reversed(f, s)) return true;
    const auto* call = std::get_if<Call>(&m_[f][s].node);
    return call && active(call->callee);
  }
  bool stable(FuncId f, StmtId s) const override { return p_.knows(f) && stability_.stable(f, s); }
  bool callerVisible(FuncId f, ExprId place) const override {
    return knows(f, place) ? p_.callerVisible(f, place) : fallback_->callerVisible(f, place);
  }
  bool disjoint(FuncId f, ExprId a, ExprId b) const override {
    return knows(f, a) && knows(f, b) ? !p_.mayOverlap(f, a, b) : fallback_->disjoint(f, a, b);
  }

  // Without the recording analysis everything that is overwritten is restored, so that it can't be run again.
  bool recomputeLoop(FuncId f, StmtId s) const override { return records(f) && recompute_.loop(f, s); }
  bool recomputeCall(FuncId f, StmtId s) const override {
    if (!records(f) || !recompute_.call(f, s)) return false;
    const auto& call = std::get<Call>(m_[f][s].node);
    return !recording_.overwritesNeeded(f, s, accesses_.of(call.callee).writes);
  }

  bool keepsResult(FuncId f, StmtId s) const override { return records(f) && recompute_.keeps(f, s); }

  bool freeReversal(FuncId f, StmtId s) const override { return recomputeLoop(f, s) && exclusive_.freeReversal(f, s); }
  bool exclusive(FuncId f, ExprId place) const override { return exclusive_.exclusive(f, place); }
  const Bands* bands(FuncId f, StmtId s) const override { return recomputeLoop(f, s) ? exclusive_.bands(f, s) : nullptr; }

 private:
  bool knows(FuncId f, ExprId e) const { return p_.knows(f) && e.index() < m_[f].exprs.size(); }
  bool records(FuncId f) const { return tbr_ && p_.knows(f); }

  bool returnsShadow(FuncId f) const {
    const Loc result = p_.resultOf(f);
    bool found = false;
    for (Loc l = 0; l < p_.locations.size() && result != kUnknown; ++l)
      if (p_.locations.inside(l, result)) found = found || activity_.shadowOfTargets(p_.contents(l)) != Presence::None;
    return found;
  }

  // What the callers may see holds no address of memory that is gone with the reverse sweep; and what is freed was allocated.
  void findLifetimes() {
    std::set<Loc> escaped;
    for (Loc l = 0; l < p_.locations.size(); ++l) {
      const LocKind root = p_.locations[p_.locations[l].root].kind;
      const bool result = root == LocKind::Result && isHead(heads_, p_.locations[p_.locations[l].root].function);
      if (!p_.locations.isExternal(l) && !result) continue;
      for (Loc to : p_.contents(l)) escaped.insert(p_.locations[to].root);
    }
    for (std::uint32_t k = 0; k < m_.functions.size(); ++k) {
      const FuncId f(k);
      if (!p_.knows(f)) continue;
      walkStmts(m_[f], m_[f].body, [&](StmtId s) {
        if (std::holds_alternative<Allocate>(m_[f][s].node) && escaped.count(p_.locations.findHeap(f, s))) lifetimes_.push_back({f, s});
        if (const auto* freed = std::get_if<Free>(&m_[f][s].node)) {
          const Locs& all = p_.targets(f, freed->pointer);
          if (std::any_of(all.begin(), all.end(), [&](Loc l) { return p_.locations[p_.locations[l].root].kind != LocKind::Heap; }))
            lifetimes_.push_back({f, s});
        }
      });
    }
  }

  // Structural operations on the callers' vectors.
  void findResized(FuncId f) {
    walkStmts(m_[f], m_[f].body, [&](StmtId s) {
      const auto* r = std::get_if<Restructure>(&m_[f][s].node);
      if (!r) return;
      for (ExprId v : {r->container, r->op == Structure::Swap ? r->operand : r->container})
        for (Loc l : p_.objects(f, v)) {
          const Location& root = p_.locations[p_.locations[l].root];
          if (root.kind == LocKind::Local || root.kind == LocKind::Result || activity_.shadow(l) == Presence::None) continue;
          bool whole = root.kind == LocKind::External;  // the parameter, or a vector in a vector
          for (Loc x = l; p_.locations[x].parent != kNoLoc; x = p_.locations[x].parent)
            whole = whole && p_.locations[x].kind == LocKind::Buffer;
          const Location* holder = whole ? &p_.locations[root.holder] : nullptr;
          if (holder && holder->kind == LocKind::Local && isHead(heads_, holder->function) && isReference(m_, holder->type))
            resized_.insert({holder->function, holder->var});
          else
            resizedMemory_.push_back({f, s, p_.locations.sourceName(l)});
        }
    });
  }

  // Functions that store or return addresses of memory with a shadow: their derivative does so with the shadows' addresses.
  void findPointerStores() {
    storesPointers_.assign(m_.functions.size(), false);
    for (FuncId f : graph_.bottomUp()) {
      if (!p_.knows(f)) continue;
      bool stores = returnsShadow(f);
      walkStmts(m_[f], m_[f].body, [&](StmtId s) {
        // What is taken from the tape in one function isn't freed as memory in another.
        const StmtNode& node = m_[f][s].node;
        if (std::holds_alternative<Allocate>(node) || std::holds_alternative<Free>(node)) stores = true;
        const auto* a = std::get_if<Assign>(&node);
        if (!a || !as<PointerType>(m_, m_[f][a->target].type)) return;
        const VarId own = ownVariable(m_, m_[f], a->target);
        if (!own.valid() && activity_.shadowOfTargets(p_.targets(f, a->value)) != Presence::None) stores = true;
      });
      storesPointers_[f.index()] = stores;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (FuncId f : graph_.bottomUp())
        for (FuncId callee : graph_.callees(f))
          if (storesPointers_[callee.index()] && !storesPointers_[f.index()]) storesPointers_[f.index()] = changed = true;
    }
  }

  const Module& m_;
  const std::vector<Head> heads_;
  const bool tbr_;
  const std::unique_ptr<Facts> fallback_;
  const CallGraph graph_;
  const PointsTo p_;
  const Accesses accesses_;
  const Activity activity_;
  const Stability stability_;
  const DisjointPointers disjoint_;
  Recompute recompute_;
  Recording recording_;
  Exclusive exclusive_;
  std::vector<UnshadowedWrite> unshadowed_;
  std::vector<bool> storesPointers_;
  std::set<std::pair<FuncId, VarId>> resized_;
  std::vector<UnshadowedWrite> resizedMemory_;
  std::vector<Lifetime> lifetimes_;
};

}  // namespace

std::unique_ptr<Facts> computeFacts(const Module& m, const std::vector<Head>& heads, const Options& options) {
  if (options.without.count("points-to") != 0) return conservativeFacts(m, heads);  // the others stand on it
  return std::make_unique<Sharp>(m, heads, options);
}

}  // namespace contraflow::analysis
