#include "transform/force_checkpoints.hpp"

#include <map>
#include <tuple>

#include "analysis/call_graph.hpp"
#include "ir/walk.hpp"
#include "transform/snapshot.hpp"

namespace contraflow::transform {

using namespace ir;

namespace {

// Few, so that steps are run again in short loops too.
constexpr std::uint64_t kSnapshots = 2;

using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

class Chooser {
 public:
  Chooser(const Module& m, const analysis::Facts& facts, const Annotations& annotations)
      : m_(m), work_(m), facts_(facts), annotations_(annotations) {}

  std::map<Place, bool> choose(const std::vector<Head>& heads) {
    const analysis::CallGraph graph = analysis::computeCallGraph(m_);
    std::vector<FuncId> entries, threads;
    for (const Head& head : heads) entries.push_back(head.function);
    const std::vector<bool> reached = graph.reachable(entries);
    for (std::uint32_t k = 0; k < m_.functions.size(); ++k)
      if (reached[k]) calledByThreads(m_.functions[k], threads);
    const std::vector<bool> byThreads = graph.reachable(threads);
    for (std::uint32_t k = 0; k < m_.functions.size(); ++k)
      if (reached[k]) visit(FuncId(k), m_.functions[k].body, !byThreads[k]);
    return std::move(possible_);
  }

 private:
  void calledByThreads(const Function& f, std::vector<FuncId>& out) {
    walkStmts(f, f.body, [&](StmtId s) {
      if (!std::holds_alternative<OmpParallel>(f[s].node)) return;
      walkStmt(f, s, [&](StmtId inner) {
        if (const auto* c = std::get_if<Call>(&f[inner].node)) out.push_back(c->callee);
      });
    });
  }

  // `here`: loops may be reversed from snapshots.
  void visit(FuncId id, const Block& block, bool here) {
    for (StmtId s : block) {
      const Stmt& stmt = m_[id][s];
      const bool isLoop = std::holds_alternative<For>(stmt.node);
      const bool shared = std::holds_alternative<OmpParallel>(stmt.node) || std::holds_alternative<OmpFor>(stmt.node) ||
                          std::holds_alternative<OmpSimd>(stmt.node);
      const bool inside = here && !shared && !(isLoop && facts_.recomputeLoop(id, s));
      if (isLoop) note(stmt.loc, inside && canBeRunAgain(id, s));
      forEachBlockOfStmt(stmt, [&](const Block& inner) { visit(id, inner, inside); });
      if (const StmtId loop = loopOf(stmt); loop.valid()) visit(id, {loop}, inside);
    }
  }

  bool canBeRunAgain(FuncId id, StmtId loop) {
    Snapshot snapshot;
    SnapshotRefusal refusal;
    // Steps that communicate need all ranks on one schedule: the user knows whether they are.
    return findSnapshot(work_, facts_, annotations_, id, work_[id], loop, snapshot, refusal) && !snapshot.communicates;
  }

  // All copies of a loop share one annotation.
  void note(SourceLoc at, bool possible) {
    const auto [known, isNew] = possible_.insert({{at.file, at.line, at.column}, possible});
    if (!isNew) known->second = known->second && possible;
  }

  const Module& m_;
  Module work_;  // which the search adds expressions to
  const analysis::Facts& facts_;
  const Annotations& annotations_;
  std::map<Place, bool> possible_;
};

}  // namespace

void forceCheckpoints(const Module& m, const std::vector<Head>& heads, const analysis::Facts& facts, Annotations& annotations) {
  for (const auto& [place, possible] : Chooser(m, facts, annotations).choose(heads))
    if (possible) annotations.checkpoints.insert({place, {Schedule::Binomial, kSnapshots}});
}

}  // namespace contraflow::transform
