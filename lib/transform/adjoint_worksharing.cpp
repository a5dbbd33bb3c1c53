// The adjoint of worksharing loops (DESIGN 2.4).
//
// By default such a loop is reversed *pinned*: each thread records which iterations it ran, and the reverse loop gives each thread its
// own, last first. It is reversed *free*, as a worksharing loop again, where Facts say so; its records then lie in arrays indexed by
// iteration. A free loop whose increments meet only where iterations lie close together is cut into *bands*: adjoint_bands.cpp.
#include "ir/match.hpp"
#include "ir/walk.hpp"
#include "transform/adjoint_builder.hpp"

namespace contraflow::transform {

using namespace ir;

namespace {

void append(Block& to, const Block& what) { to.insert(to.end(), what.begin(), what.end()); }
void prepend(Block& to, const Block& what) { to.insert(to.begin(), what.begin(), what.end()); }

}  // namespace

std::vector<StmtId> AdjointBuilder::nestOf(StmtId loop, unsigned collapse) const {
  std::vector<StmtId> nest{loop};
  while (nest.size() < collapse) nest.push_back(std::get<For>(f_[nest.back()].node).body.front());
  return nest;
}

// The loops again, around another innermost body.
StmtId AdjointBuilder::wrapNest(const std::vector<StmtId>& nest, Block body) {
  for (auto n = nest.rbegin(); n != nest.rend(); ++n) {
    For loop = std::get<For>(f_[*n].node);
    loop.body = std::move(body);
    body = {add(std::move(loop))};
  }
  return body.front();
}

// True if everything that the loop's iterations record can lie in arrays indexed by iteration: it stands in counted loops whose
// bounds don't change while the region runs, and in no call or while.
bool AdjointBuilder::canIndex(const OmpFor& w) const {
  bool ok = true;
  std::set<VarId> changing;
  walkStmt(f_, w.loop, [&](StmtId s) { forEachDeclaredVar(f_[s], [&](VarId v) { changing.insert(v); }); });
  const std::function<void(StmtId, bool)> visit = [&](StmtId s, bool counted) {
    const StmtNode& node = f_[s].node;
    const bool overwrites = std::holds_alternative<Assign>(node) || std::holds_alternative<Increment>(node);
    ExprId target;
    if (const auto* a = std::get_if<Assign>(&node)) target = a->target;
    if (const auto* i = std::get_if<Increment>(&node)) target = i->target;
    if (overwrites) {
      const VarId root = rootVar(f_, target);
      const bool own = root.valid() && changing.count(root) && !isReference(m_, f_[root].type) && !isPointer(f_[root].type);
      const bool copy = root.valid() && reductionCopies_.count(root) != 0;
      if (!own && !copy && facts_.overwriteNeeded(variant_.primal, s) && !counted) ok = false;
    }
    if (std::holds_alternative<OmpAtomic>(node) && facts_.overwriteNeeded(variant_.primal, s)) ok = false;
    if (std::holds_alternative<Call>(node) && !facts_.recomputeCall(variant_.primal, s) &&
        facts_.reversed(variant_.primal, s))
      ok = false;
    bool inner = counted;
    if (const auto* l = std::get_if<For>(&node)) {
      for (ExprId e : {l->init, l->bound, l->step})
        walkExpr(f_, e, [&](ExprId x) {
          const ExprNode& n = f_[x].node;
          if (const auto* v = std::get_if<VarRef>(&n)) {
            if (changing.count(v->var)) inner = false;
          } else if (std::holds_alternative<Subscript>(n) || std::holds_alternative<Deref>(n) ||
                     std::holds_alternative<GlobalRef>(n)) {
            inner = false;
          }
        });
    }
    if (std::holds_alternative<While>(node)) inner = false;
    forEachBlockOfStmt(f_[s], [&](const Block& b) {
      for (StmtId c : b) visit(c, inner);
    });
  };
  visit(w.loop, true);
  return ok;
}

void AdjointBuilder::worksharing(StmtId s, const OmpFor& w, Parts& parts, const Context& ctx) {
  if (refuseCheckpointsIn(w.loop)) return;
  for (const CopyOf& c : w.data.reductions) reductionCopies_.insert(c.copy);
  // (What is traced runs in the exact opposite order.)
  if (regionIndexed_ && !options_.trace && facts_.freeReversal(variant_.primal, s) && canIndex(w))
    freeWorksharing(s, w, parts, ctx);
  else
    pinnedWorksharing(s, w, parts, ctx);
}

void AdjointBuilder::freeWorksharing(StmtId s, const OmpFor& w, Parts& parts, const Context& ctx) {
  const std::vector<StmtId> nest = nestOf(w.loop, w.collapse);
  Block scratch;
  const Context inner = bodyContext(ctx, true, scratch);
  for (StmtId n : nest) {
    const VarId counter = std::get<For>(f_[n].node).counter;
    level_[counter] = inner.depth;
    isCounter_[counter] = true;
    inRegion_.insert(counter);
  }
  indexed_ = regionIndexed_;
  nestNow_ = nest;
  const analysis::Bands* const bands = facts_.bands(variant_.primal, s);
  bandsNow_ = bands;
  touched_.clear();
  bandsSpoiled_ = false;
  Parts body = [&] {
    const Fence fence(serial_);
    return block(std::get<For>(f_[nest.back()].node).body, inner);
  }();
  bandsNow_ = nullptr;
  nestNow_.clear();
  indexed_ = nullptr;
  for (unsigned k = 0; k <= ctx.depth; ++k) {
    if (body.fwd[k].empty()) continue;
    OmpFor again = w;
    again.loop = wrapNest(nest, body.fwd[k]);
    parts.fwd[k].push_back(add(std::move(again)));
  }
  if (idle(body.rev)) return;
  OmpFor reverse;
  reverse.schedule = w.schedule;
  reverse.chunk = w.chunk;
  reverse.collapse = w.collapse;
  Block iteration = jointBody(body, inner.depth, scratch);
  const auto loopOver = [&](const Block& innermost) {
    OmpFor loop = reverse;
    loop.loop = wrapNest(nest, innermost);
    return add(std::move(loop));
  };
  if (bands && settleBands(iteration, *bands)) {
    Block rev = bandedLoop(nest, *bands, std::move(iteration));
    rev.insert(rev.begin(), add(OmpBarrier{}));
    prepend(parts.rev, rev);
    return;
  }
  // A team of one has a loop of its own: without atomics, which would cost it most of its time.
  StmtId loop = loopOver(iteration);
  if (hasSharing(iteration)) loop = add(If{var(alone_), {loopOver(withoutSharing(iteration))}, {loop}});
  prepend(parts.rev, {add(OmpBarrier{}), loop});
}

void AdjointBuilder::recordIndexed(ExprId place, unsigned level, bool seen, Parts& parts, const Context& ctx) {
  Indexed& ix = *indexed_;
  // The number of the iteration of the whole nest, and of all of them.
  ExprId index, total;
  for (StmtId n : nestNow_) {
    const For l = std::get<For>(f_[n].node);
    VarId trips;
    const auto known = tripsOf_.find(n);
    if (known != tripsOf_.end()) {
      trips = known->second;
    } else {
      trips = newVar("trips", long_);
      tripsOf_[n] = trips;
      const StmtId declared = declareVar(trips, Init::Value, {tripCount(l)});
      for (auto& prologue : ix.prologue) prologue.push_back(declared);
      ix.revTrips.push_back(declared);
    }
    const ExprId number = pureCall("contraflow::iterationNumber",
                                   {var(l.counter), l.init, l.step}, long_);
    index = index.valid() ? algebra_.add(algebra_.multiply(index, var(trips)), number) : number;
    total = total.valid() ? algebra_.multiply(total, var(trips)) : var(trips);
  }
  const TypeId type = withoutConst(m_, f_[place].type);
  const VarId root = rootVar(f_, place);
  const VarId records = newVar((root.valid() ? f_[root].name : std::string("place")) + "_old", pointerTo(type));
  const VarId tape = regionTapes_[level];
  recordArrays_.insert(records);
  ix.prologue[level].push_back(add(TapeBlock{tape, records, total}));
  const ExprId slot = f_.addExpr(Subscript{var(records), index, false}, type);
  parts.fwd[level].push_back(add(Assign{slot, place}));
  Block back;
  if (seen) {
    needsAfterImage_ = true;
    back.push_back(add(Runtime{{"", ".note(", ");"}, {var(ctx.tapes[0]), place}}));
  }
  back.push_back(add(Assign{place, slot}));
  prepend(parts.rev, back);
  ix.records.push_back({records, tape, level});
}

void AdjointBuilder::pinnedWorksharing(StmtId s, const OmpFor& w, Parts& parts, const Context& ctx) {
  if (!regionIndexed_) reductions(s, w.data, parts, ctx, true);
  const bool recompute = facts_.recomputeLoop(variant_.primal, s);
  const std::vector<StmtId> nest = nestOf(w.loop, w.collapse);
  Block scratch;
  const Context inner = bodyContext(ctx, recompute, scratch);
  std::vector<VarId> counters;
  for (StmtId n : nest) {
    const VarId counter = std::get<For>(f_[n].node).counter;
    counters.push_back(counter);
    level_[counter] = inner.depth;
    isCounter_[counter] = true;
    inRegion_.insert(counter);
  }
  Indexed* const outer = indexed_;
  indexed_ = nullptr;
  Parts body = [&] {
    const Fence fence(serial_);
    return block(std::get<For>(f_[nest.back()].node).body, inner);
  }();
  indexed_ = outer;
  const unsigned d = ctx.depth;
  for (unsigned k = 0; k < d; ++k) {
    if (body.fwd[k].empty()) continue;
    OmpFor again = w;
    again.loop = wrapNest(nest, body.fwd[k]);
    parts.fwd[k].push_back(add(std::move(again)));
  }
  if (idle(body.rev)) {
    OmpFor again = w;
    again.loop = wrapNest(nest, body.fwd[d]);
    if (!body.fwd[d].empty() || !w.data.reductions.empty()) parts.fwd[d].push_back(add(std::move(again)));
    return;
  }
  // Each thread records its iterations and their number.
  const VarId ran = newVar("iterations", long_);
  parts.fwd[d].push_back(declareVar(ran, Init::Value, {literal("0", long_)}));
  Block recorded = body.fwd[d];
  for (VarId c : counters) recorded.push_back(add(Push{ctx.tapes[d], var(c)}));
  recorded.push_back(add(Increment{var(ran), literal("1", long_), false}));
  OmpFor again = w;
  again.loop = wrapNest(nest, std::move(recorded));
  parts.fwd[d].push_back(add(std::move(again)));
  parts.fwd[d].push_back(add(Push{ctx.tapes[d], var(ran)}));

  const VarId left = newVar("left", long_), popped = newVar("iterations", long_);
  Block iteration;
  for (auto c = counters.rbegin(); c != counters.rend(); ++c) {
    f_[*c].type = withoutConst(m_, f_[*c].type);
    iteration.push_back(declareVar(*c, Init::None));
    iteration.push_back(add(Pop{ctx.tapes[d], var(*c), false}));
  }
  if (recompute)
    append(iteration, jointBody(body, inner.depth, scratch));
  else
    append(iteration, body.rev);
  Block rev{add(OmpBarrier{}), declareVar(popped, Init::None), add(Pop{ctx.tapes[d], var(popped), false}),
            add(For{left, var(popped), BinaryOp::Gt, literal("0", long_), literal("-1", long_), std::move(iteration)}),
            add(OmpBarrier{})};
  prepend(parts.rev, rev);
}

}  // namespace contraflow::transform
