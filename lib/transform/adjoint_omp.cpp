// The adjoint of OpenMP constructs (DESIGN 2.4) but for worksharing loops, see adjoint_worksharing.cpp. Reversed constructs of a region
// have barriers between them.
#include <algorithm>

#include "ir/match.hpp"
#include "ir/walk.hpp"
#include "transform/adjoint_builder.hpp"

namespace contraflow::transform {

using namespace ir;

namespace {

void append(Block& to, const Block& what) { to.insert(to.end(), what.begin(), what.end()); }
void prepend(Block& to, const Block& what) { to.insert(to.begin(), what.begin(), what.end()); }

// True if the block names the variable: as a tape or in an expression.
bool mentions(const Function& f, const Block& block, VarId v) {
  bool found = false;
  walkStmts(f, block, [&](StmtId s) {
    match(
        f[s].node, [&](const Push& x) { found = found || x.tape == v; }, [&](const Pop& x) { found = found || x.tape == v; },
        [&](const TapeBlock& x) { found = found || x.tape == v; },
        [&](const TapeRelease& x) { found = found || x.tape == v; }, [&](const Revert& x) { found = found || x.tape == v; },
        [&](const Restructure& x) { found = found || x.tape == v; },
        [&](const Mpi& x) { found = found || x.tape == v; }, [&](const Declare& x) { found = found || x.tape == v; },
        [](const auto&) {});
  });
  walkExprs(f, block, [&](ExprId e) {
    if (const auto* r = std::get_if<VarRef>(&f[e].node)) found = found || r->var == v;
  });
  return found;
}

}  // namespace

// Leading, trailing and doubled barriers of a region say nothing, nor does one behind a construct that has its own.
Block AdjointBuilder::tidyBarriers(const Block& in) const {
  Block out;
  bool synchronised = true;  // since the last barrier nothing ran
  for (StmtId s : in) {
    const StmtNode& node = f_[s].node;
    if (std::holds_alternative<OmpBarrier>(node)) {
      if (!synchronised) out.push_back(s);
      synchronised = true;
      continue;
    }
    out.push_back(s);
    if (const auto* w = std::get_if<OmpFor>(&node)) {
      synchronised = !w->nowait;
    } else if (!std::holds_alternative<Declare>(node)) {
      synchronised = false;
    }
  }
  while (!out.empty() && std::holds_alternative<OmpBarrier>(f_[out.back()].node)) out.pop_back();
  return out;
}

// True if the code, or what it calls, records atomic updates with the number of their turn.
bool AdjointBuilder::takesTurns(FuncId f, const Block& code, std::set<FuncId>& seen) const {
  bool found = false;
  walkStmts(m_[f], code, [&](StmtId s) {
    const StmtNode& node = m_[f][s].node;
    if (std::holds_alternative<OmpAtomic>(node)) found = found || facts_.overwriteNeeded(f, s);
    if (const auto* c = std::get_if<Call>(&node); c && seen.insert(c->callee).second)
      found = found || takesTurns(c->callee, m_[c->callee].body, seen);
  });
  return found;
}

// The forward sweep of a region that takes turns, with barriers wherever the reverse sweep has them. Otherwise a thread that runs ahead
// takes turns in a construct while others still take them before it, and in the reverse sweep each waits for the other: one at the
// barrier, one for its turn.
Block AdjointBuilder::inStep(const Block& block) {
  Block out;
  for (StmtId s : block) {
    Stmt copy = f_[s];
    auto* loop = std::get_if<OmpFor>(&copy.node);
    auto* single = std::get_if<OmpSingle>(&copy.node);
    if (loop || single) {
      (loop ? loop->nowait : single->nowait) = false;
      out.push_back(add(OmpBarrier{}));
      out.push_back(f_.addStmt(std::move(copy.node), copy.loc, copy.origin));
      continue;
    }
    bool compound = false;
    forEachBlockOfStmt(copy, [&](Block& inner) {
      compound = true;
      inner = inStep(inner);
    });
    out.push_back(compound ? f_.addStmt(std::move(copy.node), copy.loc, copy.origin) : s);
  }
  return out;
}

void AdjointBuilder::parallel(StmtId s, const OmpParallel& p, Parts& parts, const Context& ctx) {
  if (ctx.parallel) return refuse("a parallel region inside another one isn't supported", "take the inner region out");
  Context inner = ctx;
  inner.joint = false;
  inner.parallel = true;
  std::vector<StmtId> declareTapes;
  for (unsigned k = 0; k <= ctx.depth; ++k) {
    const VarId own = newVar("own_tape", tapeReference());
    declareTapes.push_back(declareVar(
        own, Init::Bind, {pureCall("contraflow::threadTape", {var(ctx.tapes[k])}, m_.type(TapeType{}))}));
    inner.tapes[k] = own;
  }
  const auto outerRegion = inRegion_;
  const auto outerAccumulators = accumulators_;
  findAccumulators(p);
  const auto own = accumulators_;
  const VarId outerAlone = alone_;
  alone_ = newVar("alone", bool_);
  const VarId alone = alone_;
  regionTapes_ = ctx.tapes;
  Indexed indexed;
  indexed.depth = ctx.depth;
  indexed.prologue.resize(ctx.depth + 1);
  // Records by iteration are only kept for a region that is one free loop, so that the arrays can be made in front of it.
  unsigned loops = 0, others = 0;
  for (StmtId c : p.body) {
    if (std::holds_alternative<OmpFor>(f_[c].node))
      ++loops;
    else if (!std::holds_alternative<Declare>(f_[c].node))
      ++others;
  }
  Indexed* const outerIndexed = indexed_;
  regionIndexed_ = loops == 1 && others == 0 ? &indexed : nullptr;
  reductions(s, p.data, parts, ctx, false);
  if (regionIndexed_)
    for (StmtId c : p.body)
      if (const OmpFor* w = std::get_if<OmpFor>(&f_[c].node)) {
        const DataSharing data = w->data;
        reductions(c, data, parts, ctx, false);
      }
  Parts body = [&] {
    const Fence fence(serial_);
    return block(p.body, inner);
  }();
  std::set<FuncId> seen;
  if (takesTurns(variant_.primal, p.body, seen))
    for (Block& section : body.fwd) section = inStep(section);
  regionIndexed_ = nullptr;
  indexed_ = outerIndexed;
  accumulators_ = outerAccumulators;
  inRegion_ = outerRegion;

  // The arrays of records: the reverse part finds them in scope, or by their recorded addresses.
  Block blocksBack;
  for (auto r = indexed.records.rbegin(); r != indexed.records.rend(); ++r) {
    if (!ctx.joint || r->level != ctx.depth) {
      blocksBack.push_back(declareVar(r->pointer, Init::None));
      blocksBack.push_back(add(Pop{r->tape, var(r->pointer), false}));
    }
    indexed.revEpilogue.push_back(add(TapeRelease{r->tape, {}}));
  }
  if (!ctx.joint) append(blocksBack, indexed.revTrips);

  // The sums of this thread, added at the end.
  Block sums, finish;
  for (const auto& [v, sum] : own) {
    if (!mentions(f_, body.rev, sum)) continue;
    sums.push_back(declareVar(sum, Init::Zero));
    addShared(shadows_.place(var(v)), var(sum), finish);
  }
  const unsigned d = ctx.depth;
  bool pinned = false;
  for (unsigned k = 0; k <= d; ++k) pinned = pinned || mentions(f_, body.fwd[k], inner.tapes[k]);

  for (unsigned k = 0; k <= d; ++k) append(parts.fwd[k], indexed.prologue[k]);
  VarId team;
  if (pinned) {
    team = newVar("team", int_);
    parts.fwd[d].push_back(declareVar(team, Init::Value, {intLiteral(1)}));
  }
  for (unsigned k = 0; k <= d; ++k) {
    Block section;
    if (mentions(f_, body.fwd[k], inner.tapes[k])) section.push_back(declareTapes[k]);
    if (pinned && k == d) {
      const Block note{add(Assign{var(team), pureCall("contraflow::omp::teamSize", {}, int_)})};
      section.push_back(add(OmpMaster{note}));
    }
    append(section, body.fwd[k]);
    if (body.fwd[k].empty()) continue;
    OmpParallel region = p;
    region.body = std::move(section);
    parts.fwd[k].push_back(add(std::move(region)));
  }
  for (const Indexed::Record& r : indexed.records)
    if (!ctx.joint || r.level != d) parts.fwd[r.level].push_back(add(Push{r.tape, var(r.pointer)}));
  if (idle(body.rev)) {
    alone_ = outerAlone;
    return;
  }
  Block reverse, barriers;
  Block tidy = tidyBarriers(body.rev);
  const bool ownTapes = mentions(f_, body.rev, inner.tapes[0]);
  // With an after-image, a barrier is also a mark in each thread's log: what is restored behind it comes later.
  if (ownTapes)
    walkStmts(f_, tidy, [&](StmtId b) {
      if (std::holds_alternative<OmpBarrier>(f_[b].node))
        barriers.push_back(b);
    });
  for (StmtId b : barriers) f_[b].node = Runtime{{"contraflow::omp::barrier(", ");"}, {var(inner.tapes[0])}};
  for (unsigned k = 0; k <= d; ++k)
    if (mentions(f_, body.rev, inner.tapes[k])) reverse.push_back(declareTapes[k]);
  if (mentions(f_, tidy, alone)) reverse.push_back(declareAlone(alone));
  append(reverse, sums);
  append(reverse, tidy);
  append(reverse, finish);
  OmpParallel region;
  Block rev;
  if (pinned) {
    ExprId size = var(team);
    if (!ctx.joint) {
      parts.fwd[d].push_back(add(Push{ctx.tapes[d], var(team)}));
      const VarId popped = newVar("team", int_);
      rev.push_back(declareVar(popped, Init::None));
      rev.push_back(add(Pop{ctx.tapes[d], var(popped), false}));
      size = var(popped);
    }
    region.numThreads = size;
    prepend(reverse, {add(Runtime{{"contraflow::omp::checkTeam(", ");"}, {size}})});
  } else {
    region.numThreads = p.numThreads;
    region.ifCondition = p.ifCondition;
  }
  if (options_.audit) {
    reverse = auditedRegion(reverse);
    rev.push_back(add(Runtime{{"contraflow::audit::region();"}, {}}));
  }
  alone_ = outerAlone;
  region.body = std::move(reverse);
  append(rev, blocksBack);
  rev.push_back(add(std::move(region)));
  if (ownTapes) rev.push_back(add(Runtime{{"", ".joinThreads();"}, {var(ctx.tapes[0])}}));
  append(rev, indexed.revEpilogue);
  prepend(parts.rev, rev);
}

// const bool alone = contraflow::omp::teamSize() == 1;
StmtId AdjointBuilder::declareAlone(VarId alone) {
  const ExprId size = pureCall("contraflow::omp::teamSize", {}, int_);
  return declareVar(alone, Init::Value, {binary(BinaryOp::Eq, size, intLiteral(1), bool_)});
}

// A sum's adjoint is a read of the original's. What the sum overwrites in the original is recorded: in front of the region, or by
// one thread where the construct stands inside one. What is recorded last is restored first, and all behind the construct's own reverse.
void AdjointBuilder::reductions(StmtId s, const DataSharing& data, Parts& parts, const Context& ctx, bool inRegion) {
  for (const CopyOf& c : data.reductions) {
    reductionCopies_.insert(c.copy);
    level_[c.copy] = std::min(levelOf(c.original), ctx.depth);
    inRegion_.erase(c.copy);
    const ExprId shadow = shadows_.place(c.original);
    if (shadow.valid() && active(c.original)) shadows_.alias(c.copy, shadow);
    if (ctx.silent || !facts_.overwriteNeeded(variant_.primal, s)) continue;
    const unsigned level = std::min(levelOf(c.original), ctx.depth);
    if (!inRegion) {
      Parts record(ctx.depth);
      recordInPlace(c.original, level, record, ctx);
      for (unsigned k = 0; k <= ctx.depth; ++k) append(parts.fwd[k], record.fwd[k]);
      prepend(parts.rev, record.rev);
    } else {
      Parts record(ctx.depth);
      Context flat = ctx;
      flat.joint = false;
      recordInPlace(c.original, level, record, flat);
      parts.fwd[level].push_back(add(OmpMaster{record.fwd[level]}));
      parts.fwd[level].push_back(add(OmpBarrier{}));
      prepend(parts.rev, {add(OmpBarrier{}), add(OmpMaster{record.rev}), add(OmpBarrier{})});
    }
  }
}

void AdjointBuilder::simd(StmtId s, const OmpSimd& w, Parts& parts, const Context& ctx) {
  if (refuseCheckpointsIn(w.loop)) return;
  for (const CopyOf& c : w.data.reductions) reductionCopies_.insert(c.copy);
  reductions(s, w.data, parts, ctx, false);
  // The loop's parts, with the pragma around each forward loop.
  Parts loop(ctx.depth);
  const StmtId outer = current_;
  current_ = w.loop;
  const For l = std::get<For>(f_[w.loop].node);  // a copy: the arena grows
  forLoop(w.loop, l, loop, ctx);
  current_ = outer;
  for (unsigned k = 0; k <= ctx.depth; ++k)
    for (StmtId one : loop.fwd[k]) {
      if (std::holds_alternative<For>(f_[one].node)) {
        OmpSimd again = w;
        again.loop = one;
        again.collapse = 1;
        parts.fwd[k].push_back(add(std::move(again)));
      } else {
        parts.fwd[k].push_back(one);
      }
    }
  prepend(parts.rev, loop.rev);
}

void AdjointBuilder::single(StmtId, const OmpSingle& w, Parts& parts, const Context& ctx) {
  Context inner = ctx;
  inner.joint = false;
  const Fence fence(serial_);
  Parts body = block(w.body, inner);
  const unsigned d = ctx.depth;
  for (unsigned k = 0; k < d; ++k)
    if (!body.fwd[k].empty()) parts.fwd[k].push_back(add(OmpSingle{{}, body.fwd[k], w.nowait}));
  if (idle(body.rev)) {
    parts.fwd[d].push_back(add(OmpSingle{{}, body.fwd[d], w.nowait}));
    return;
  }
  // The thread that ran it runs its reverse.
  const VarId chosen = newVar("chosen", bool_), popped = newVar("chosen", bool_);
  parts.fwd[d].push_back(declareVar(chosen, Init::Value, {literal("false", bool_)}));
  Block once{add(Assign{var(chosen), literal("true", bool_)})};
  append(once, body.fwd[d]);
  parts.fwd[d].push_back(add(OmpSingle{{}, once, w.nowait}));
  parts.fwd[d].push_back(add(Push{ctx.tapes[d], var(chosen)}));
  parts.rev = {add(OmpBarrier{}), declareVar(popped, Init::None), add(Pop{ctx.tapes[d], var(popped), false}),
               add(If{var(popped), body.rev, {}}), add(OmpBarrier{})};
}

void AdjointBuilder::master(StmtId, const OmpMaster& w, Parts& parts, const Context& ctx) {
  Context inner = ctx;
  inner.joint = false;
  const Fence fence(serial_);
  Parts body = block(w.body, inner);
  for (unsigned k = 0; k <= ctx.depth; ++k)
    if (!body.fwd[k].empty()) parts.fwd[k].push_back(add(OmpMaster{body.fwd[k]}));
  if (!idle(body.rev)) parts.rev.push_back(add(OmpMaster{body.rev}));
}

// An update that is needed later keeps what it found, and the number of its turn: only in the opposite order do the old values
// come back right.
void AdjointBuilder::atomic(StmtId s, const OmpAtomic& a, Parts& parts, const Context& ctx) {
  const unsigned level = std::min(levelOf(a.target), ctx.depth);
  const TypeId type = f_[a.target].type;
  for (unsigned k = 0; k < level; ++k) parts.fwd[k].push_back(s);
  if (facts_.overwriteNeeded(variant_.primal, s)) {
    needsAfterImage_ = needsAfterImage_ || visible(a.target);
    const ExprId value = a.subtract ? algebra_.negate(a.value) : a.value;
    parts.fwd[level].push_back(
        add(Runtime{{"contraflow::omp::recordedAdd(", ", ", ", ", ");"}, {var(ctx.tapes[level]), a.target, value}}));
    parts.rev.push_back(add(Runtime{{"contraflow::omp::restoreAdd(", ", ", ");"}, {var(ctx.tapes[level]), a.target}}));
  } else {
    parts.fwd[level].push_back(s);
  }
  if (!isReal(m_, type) || !active(a.target) || !flows(a.value)) return;
  ExprId seed = readAdjoint(a.target);
  if (!seed.valid()) return;
  if (countLeaves(a.value) > 1) seed = named(seed, "seed_b", parts.rev);
  if (a.subtract) seed = algebra_.negate(seed);
  propagate(a.value, seed, parts.rev, ctx);
}

}  // namespace contraflow::transform
