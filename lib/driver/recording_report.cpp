#include "driver/recording_report.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "analysis/analyses.hpp"
#include "analysis/call_graph.hpp"
#include "emit/expr_writer.hpp"
#include "emit/names.hpp"
#include "ir/match.hpp"
#include "ir/walk.hpp"
#include "transform/snapshot.hpp"

namespace contraflow::driver {
namespace {

using namespace ir;

// As compilers on 64-bit machines lay them out; none: not known here.
std::size_t bytesOf(const Module& m, TypeId id) {
  return match(
      m[id].node, [](const VoidType&) { return std::size_t(0); }, [](const BoolType&) { return std::size_t(1); },
      [](const IntType& i) { return std::size_t(i.bits / 8); },
      [](const RealType& r) { return std::size_t(r.kind == RealKind::Float ? 4 : r.kind == RealKind::Double ? 8 : 16); },
      [](const EnumType&) { return std::size_t(4); }, [](const PointerType&) { return std::size_t(8); },
      [](const ReferenceType&) { return std::size_t(8); }, [](const ArrayType&) { return std::size_t(0); },
      [](const RecordType&) { return std::size_t(0); }, [](const ContainerType&) { return std::size_t(0); },
      [](const SelectorType&) { return std::size_t(0); }, [](const MpiHandleType&) { return std::size_t(8); },
      [](const TapeType&) { return std::size_t(0); }, [](const OpaqueType&) { return std::size_t(0); });
}

bool isLoop(const Stmt& s) { return std::holds_alternative<For>(s.node) || std::holds_alternative<While>(s.node); }

// The loops around each statement of a primal function.
class Nest {
 public:
  explicit Nest(const Function& f) : f_(f) { visit(f.body, {}, false); }
  StmtId loopOf(StmtId s) const {
    const auto found = loop_.find(s);
    return found == loop_.end() ? StmtId() : found->second;
  }
  // Not in another loop, nor in a construct whose iterations or code threads share.
  bool isOutermostSerial(StmtId loop) const { return outermost_.count(loop) != 0; }

 private:
  void visit(const Block& block, StmtId loop, bool shared) {
    for (StmtId s : block) {
      const Stmt& stmt = f_[s];
      loop_[s] = loop;
      const bool here = isLoop(stmt);
      if (here && !loop.valid() && !shared) outermost_.insert(s);
      const bool threads = shared || std::holds_alternative<OmpParallel>(stmt.node) || std::holds_alternative<OmpFor>(stmt.node) ||
                           std::holds_alternative<OmpSimd>(stmt.node);
      forEachBlockOfStmt(stmt, [&](const Block& inner) { visit(inner, here ? s : loop, threads); });
      if (const StmtId inner = ir::loopOf(stmt); inner.valid()) visit({inner}, loop, threads);
    }
  }

  const Function& f_;
  std::map<StmtId, StmtId> loop_;
  std::set<StmtId> outermost_;
};

class Reporter {
 public:
  explicit Reporter(const Run& run) : run_(run), work_(run.primal) {}

  std::vector<RecordedRegion> all() {
    for (FuncId f : run_.derivatives.functions) recordsOf(run_.module[f]);
    withoutAnalyses();
    outerLoops();
    for (auto& [place, region] : regions_) checkpoints(place, region);
    std::vector<RecordedRegion> out;
    for (auto& [place, region] : regions_) {
      if (region.values.empty() && !region.loopsInside) continue;
      region.bytesWithout = std::max(region.bytesWithout, region.bytes);
      std::sort(region.values.begin(), region.values.end(),
                [](const RecordedValue& a, const RecordedValue& b) { return std::tie(a.line, a.what) < std::tie(b.line, b.what); });
      out.push_back(std::move(region));
    }
    std::sort(out.begin(), out.end(), [](const RecordedRegion& a, const RecordedRegion& b) {
      return std::tie(a.file, a.line, a.function) < std::tie(b.file, b.line, b.function);
    });
    return out;
  }

 private:
  struct Place {
    FuncId primal;
    StmtId loop;  // none: the function
    friend bool operator<(const Place& a, const Place& b) { return std::tie(a.primal, a.loop) < std::tie(b.primal, b.loop); }
  };

  const Nest& nest(FuncId primal) {
    auto& one = nests_[primal];
    if (!one) one = std::make_unique<Nest>(run_.primal[primal]);
    return *one;
  }
  RecordedRegion& region(FuncId primal, StmtId loop) {
    const auto [at, isNew] = regions_.insert({{primal, loop}, {}});
    if (isNew) {
      const Function& f = run_.primal[primal];
      const SourceLoc loc = loop.valid() ? f[loop].loc : f.loc;
      at->second.file = run_.primal.files[loc.file].path;
      at->second.line = loc.line;
      at->second.function = f.name;
      at->second.isLoop = loop.valid();
    }
    return at->second;
  }

  // A derivative's pushes, and assignments to its blocks.
  void recordsOf(const Function& f) {
    if (f.kind != FunctionKind::Adjoint && f.kind != FunctionKind::Forward) return;
    std::set<VarId> scratch, blocks;
    walkStmts(f, f.body, [&](StmtId s) {
      const auto* d = std::get_if<Declare>(&f[s].node);
      const auto* call = d && !d->args.empty() ? std::get_if<PureCall>(&f[d->args[0]].node) : nullptr;
      if (call && call->callee == "contraflow::scratch") scratch.insert(d->var);
    });
    walkStmts(f, f.body, [&](StmtId s) {
      if (const auto* b = std::get_if<TapeBlock>(&f[s].node); b && scratch.count(b->tape) == 0) blocks.insert(b->pointer);
    });
    const emit::Names names(run_.module, f);
    const emit::ExprWriter print(run_.module, f, names);
    const std::size_t primalVars = run_.primal[f.primal].vars.size();
    walkStmts(f, f.body, [&](StmtId s) {
      ExprId value;
      if (const auto* p = std::get_if<Push>(&f[s].node); p && scratch.count(p->tape) == 0) value = p->value;
      if (const auto* a = std::get_if<Assign>(&f[s].node)) {
        const auto* slot = std::get_if<Subscript>(&f[a->target].node);
        const auto* base = slot ? std::get_if<VarRef>(&f[slot->base].node) : nullptr;
        if (base && blocks.count(base->var) != 0) value = a->value;
      }
      const VarId root = value.valid() ? rootVar(f, value) : VarId();
      if (!value.valid() || (root.valid() && blocks.count(root) != 0)) return;  // where a block is: one address
      const std::size_t bytes = bytesOf(run_.module, f[value].type);
      if (bytes == 0) return;
      const StmtId origin = f[s].origin;
      const bool known = origin.valid() && origin.index() < run_.primal[f.primal].stmts.size();
      RecordedRegion& r = region(f.primal, known ? nest(f.primal).loopOf(origin) : StmtId());
      const bool own = root.valid() && root.index() >= primalVars;  // the derivative's own variable
      const RecordedValue one{f[s].loc.line != 0 ? f[s].loc.line : r.line, own ? f[root].name : print.value(value), bytes};
      // Two variants of one function record the same.
      for (const RecordedValue& v : r.values)
        if (v.line == one.line && v.what == one.what) return;
      r.values.push_back(one);
      r.bytes += bytes;
    });
  }

  // Every overwritten value, as the types alone would have it.
  void withoutAnalyses() {
    const auto heads = run_.module.heads;
    const auto types = analysis::conservativeFacts(run_.primal, heads);
    std::vector<FuncId> entries;
    for (const Head& h : heads)
      if (h.mode == HeadMode::Adjoint && h.ofDerivative.empty()) entries.push_back(h.function);
    const std::vector<bool> reached = analysis::computeCallGraph(run_.primal).reachable(entries);
    for (std::uint32_t k = 0; k < run_.primal.functions.size(); ++k) {
      if (!reached[k] || !run_.primal.functions[k].hasBody) continue;
      const Function& f = run_.primal.functions[k];
      walkStmts(f, f.body, [&](StmtId s) {
        ExprId target;
        if (const auto* a = std::get_if<Assign>(&f[s].node)) target = a->target;
        if (const auto* i = std::get_if<Increment>(&f[s].node)) target = i->target;
        if (const auto* a = std::get_if<OmpAtomic>(&f[s].node)) target = a->target;
        if (target.valid() && types->overwriteNeeded(FuncId(k), s))
          region(FuncId(k), nest(FuncId(k)).loopOf(s)).bytesWithout += bytesOf(run_.primal, f[target].type);
      });
    }
  }

  // The loops around those that record.
  void outerLoops() {
    std::vector<Place> recording;
    for (const auto& [place, r] : regions_)
      if (place.loop.valid() && !r.values.empty()) recording.push_back(place);
    for (const Place& place : recording)
      for (StmtId loop = nest(place.primal).loopOf(place.loop); loop.valid(); loop = nest(place.primal).loopOf(loop))
        region(place.primal, loop).loopsInside = true;
  }

  void checkpoints(const Place& place, RecordedRegion& r) {
    if (!place.loop.valid() || (r.values.empty() && !r.loopsInside)) return;
    const SourceLoc loc = run_.primal[place.primal][place.loop].loc;
    r.checkpointed = run_.annotations.checkpoint(loc) != nullptr;
    if (r.checkpointed || !nest(place.primal).isOutermostSerial(place.loop)) return;
    transform::Snapshot snapshot;
    transform::SnapshotRefusal refusal;
    r.mayHaveCheckpoint = transform::findSnapshot(work_, *run_.facts, run_.annotations, place.primal, work_[place.primal], place.loop, snapshot, refusal);
    if (!r.mayHaveCheckpoint) {
      r.whyNot = refusal.what;
      return;
    }
    const emit::Names names(work_, work_[place.primal]);
    const emit::ExprWriter print(work_, work_[place.primal], names);
    for (const auto* list : {&snapshot.objects, &snapshot.exchanged})
      for (const transform::Snapshot::Object& o : *list) r.snapshot.push_back(print.value(o.place));
    for (const transform::Snapshot::Range& range : snapshot.ranges) r.snapshot.push_back(print.value(range.pointer) + "[0.." + print.value(range.extent) + ")");
  }

  const Run& run_;
  Module work_;  // which the search for snapshots adds expressions to
  std::map<FuncId, std::unique_ptr<Nest>> nests_;
  std::map<Place, RecordedRegion> regions_;
};

}  // namespace

std::vector<RecordedRegion> recordedRegions(const Run& run) {
  return run.facts == nullptr ? std::vector<RecordedRegion>() : Reporter(run).all();
}

}  // namespace contraflow::driver
