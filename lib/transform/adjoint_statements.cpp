// The adjoint of blocks, assignments and branches.
#include <algorithm>

#include "ir/check.hpp"
#include "ir/match.hpp"
#include "ir/walk.hpp"
#include "transform/adjoint_builder.hpp"

namespace contraflow::transform {

using namespace ir;
using analysis::Presence;

namespace {

void append(Block& to, const Block& what) { to.insert(to.end(), what.begin(), what.end()); }
void prepend(Block& to, const Block& what) { to.insert(to.begin(), what.begin(), what.end()); }

}  // namespace

VarId AdjointBuilder::newVar(const std::string& name, TypeId type) {
  Var v;
  v.name = name;
  v.type = type;
  v.isTemporary = true;
  v.loc = at_;
  return f_.addVar(v);
}

ExprId AdjointBuilder::var(VarId v) { return f_.addExpr(VarRef{v}, withoutReference(m_, f_[v].type)); }

void AdjointBuilder::refuse(const std::string& what, const std::string& wayOut) {
  diags_.report(DiagId::NotDifferentiable, at_, {what, wayOut});
  ok_ = false;
}

// Constness of an object's own storage, element by element, taken away.
TypeId AdjointBuilder::mutableType(TypeId type) {
  if (const auto* a = as<ArrayType>(m_, type)) {
    const std::uint64_t extent = a->extent;
    return m_.type(ArrayType{mutableType(a->element), extent});
  }
  return withoutConst(m_, type);
}

void AdjointBuilder::declareZero(VarId shadow, Block& out, Storage storage, VarId tape) {
  out.push_back(add(Declare{shadow, Init::Zero, {}, storage, tape}));
  if (!beginsAtZero(m_, f_[shadow].type)) out.push_back(add(SetZero{var(shadow)}));
}

// How the reverse part declares a variable whose last value it doesn't need: it may be read all the same, for nothing, by what is
// run again, or bound by a call to a reference.
Init AdjointBuilder::unneeded(VarId v) const {
  const TypeId type = f_[v].type;
  const bool scalar = isReal(m_, type) || isIntegral(m_, type) || isPointer(type);
  return scalar && (addressTaken_.count(v) != 0 || readAgain_.count(v) != 0) ? Init::Zero : Init::None;
}

// True if a reverse part only declares variables.
bool AdjointBuilder::idle(const Block& rev) const {
  return std::all_of(rev.begin(), rev.end(), [&](StmtId s) {
    const auto* d = std::get_if<Declare>(&f_[s].node);
    return d && d->storage == Storage::Automatic;
  });
}

// --- blocks

AdjointBuilder::Parts AdjointBuilder::block(const Block& statements, const Context& ctx) {
  Locals locals;
  Locals* const outer = locals_;
  locals_ = &locals;
  const std::size_t keptAround = kept_.size();
  noteKept(statements, ctx);
  Parts all(ctx.depth);
  for (StmtId s : statements) {
    Parts one = statement(s, ctx);
    for (unsigned k = 0; k <= ctx.depth; ++k) append(all.fwd[k], one.fwd[k]);
    prepend(all.rev, one.rev);
  }
  append(all.fwd[ctx.depth], locals.finals);
  combineIncrements(all.rev);
  Block begin = locals.shadows;
  append(begin, locals.restores);
  append(begin, locals.remade);
  prepend(all.rev, begin);
  kept_.resize(keptAround);
  locals_ = outer;
  return all;
}

AdjointBuilder::Parts AdjointBuilder::statement(StmtId s, const Context& context) {
  const Stmt stmt = f_[s];  // a copy: the arena grows
  const Block audits = auditsOf(stmt);
  Parts parts = partsOf(s, stmt, context);
  prepend(parts.fwd[0], audits);
  if (options_.trace) trace(stmt, parts.rev);
  return parts;
}

AdjointBuilder::Parts AdjointBuilder::partsOf(StmtId s, const Stmt& stmt, const Context& context) {
  const SourceLoc outerLoc = at_;
  const StmtId outer = current_;
  at_ = stmt.loc;
  current_ = s;
  Parts parts(context.depth);
  Context ctx = context;
  ctx.silent = ctx.silent || !facts_.reversed(variant_.primal, s);
  if (ctx.silent && silentStatement(s, stmt, parts, ctx, context.silent)) {
    at_ = outerLoc;
    current_ = outer;
    return parts;
  }
  const auto impossible = [&](const auto&) {
    internalError("adjoint", m_[variant_.primal].name, "a statement of derivative code in line " + std::to_string(at_.line));
  };
  match(
      stmt.node, [&](const Declare& x) { declare(s, x, parts, ctx); }, [&](const Assign& x) { assign(s, x, parts, ctx); },
      [&](const Increment& x) { increment(s, x, parts, ctx); }, [&](const Call& x) { call(s, x, parts, ctx); },
      [&](const Opaque& x) { opaque(s, x, parts, ctx); },
      [&](const Restructure& x) { restructure(s, x, parts, ctx); }, [&](const Allocate& x) { allocate(s, x, parts, ctx); },
      [&](const Free&) {},  // the tape has the memory, until the reverse sweep comes by
 [&](const If& x) { branch(s, x, parts, ctx); },
      [&](const For& x) { forLoop(s, x, parts, ctx); }, [&](const While& x) { whileLoop(s, x, parts, ctx); },
      [&](const Return& x) { returnParts(x, parts, ctx); },
      [&](const OmpParallel& x) { parallel(s, x, parts, ctx); }, [&](const OmpFor& x) { worksharing(s, x, parts, ctx); },
      [&](const OmpSimd& x) { simd(s, x, parts, ctx); }, [&](const OmpSingle& x) { single(s, x, parts, ctx); },
      [&](const OmpMaster& x) { master(s, x, parts, ctx); },
      [&](const OmpBarrier&) {
        for (auto& section : parts.fwd) section.push_back(s);
        if (!ctx.silent) parts.rev.push_back(add(OmpBarrier{}));
      },
      [&](const OmpAtomic& x) { atomic(s, x, parts, ctx); }, [&](const Mpi& x) { mpi(s, x, parts, ctx); },
      [&](const Comment&) {}, [&](const Scope& x) { impossible(x); }, [&](const Break& x) { impossible(x); },
      [&](const Continue& x) { impossible(x); }, [&](const Push& x) { impossible(x); }, [&](const Pop& x) { impossible(x); },
      [&](const TapeBlock& x) { impossible(x); }, [&](const TapeRelease& x) { impossible(x); },
      [&](const Revert& x) { impossible(x); },
      [&](const SharedIncrement& x) { impossible(x); }, [&](const SetZero& x) { impossible(x); },
      [&](const Runtime& x) { impossible(x); });
  at_ = outerLoc;
  current_ = outer;
  return parts;
}

bool AdjointBuilder::silentStatement(StmtId s, const Stmt& stmt, Parts& parts, const Context& ctx, bool inSilentBlock) {
  const auto sections = [&](unsigned level) {
    for (unsigned k = 0; k <= std::min(level, ctx.depth); ++k) parts.fwd[k].push_back(s);
    return true;
  };
  const auto nested = [](const auto&) { return false; };
  return match(
      stmt.node,
      [&](const Declare& x) {
        level_[x.var] = ctx.depth;
        if (x.init == Init::Bind) boundTo_[x.var] = x.args[0];
        if (ctx.parallel) inRegion_.insert(x.var);
        const TypeId type = f_[x.var].type;
        // Shadow pointers are set in the forward sections even where nothing is reversed.
        if ((isPointer(type) || holdsPointer(m_, type)) && shadows_.presence(x.var) != Presence::None) return false;
        // What an operation keeps the address of is there when that is reversed: a message's buffer, whose old contents come back.
        // (In a block in which nothing is reversed there is no such operation, and what steers the block isn't restored.)
        if (!ctx.joint && !inSilentBlock && escaping_.count(x.var) != 0) return false;
        sections(ctx.depth);
        // Statements that restore it may name the variable in the reverse part.
        if (!ctx.joint && !isReference(m_, type) && isTriviallyCopyable(m_, type) && locals_) {
          f_[x.var].type = mutableType(type);
          locals_->remade.push_back(declareVar(x.var, unneeded(x.var)));
        }
        // So may iterations that are run again, whose own variables are computed from it for nothing.
        if (!ctx.joint && as<RecordType>(m_, type) && !isTriviallyCopyable(m_, type) && !ownsVector(m_, type) && readAgain_.count(x.var) != 0 &&
            locals_)
          locals_->remade.push_back(declareVar(x.var, Init::None));
        return true;
      },
      [&](const Assign& x) {
        if (isPointer(f_[x.target].type) && facts_.shadowOf(variant_.primal, x.target) != Presence::None) return false;
        return sections(levelOf(x.target));
      },
      [&](const Increment& x) {
        if (!isFusedSum(x.target)) return sections(levelOf(x.target));
        parts.fwd[ctx.depth].push_back(s);
        return true;
      },
      [&](const OmpAtomic& x) { return sections(levelOf(x.target)); },
      [&](const Call& x) {
        sections(x.result.valid() ? levelOf(x.result) : ctx.depth);
        shapeResult(x.result, parts.fwd[ctx.depth]);
        return true;
      },
      [&](const Restructure& x) { return sections(levelOf(x.container)); }, [&](const Allocate& x) { return nested(x); },
      [&](const Free& x) { return nested(x); },
      [&](const Opaque& x) {
        unsigned level = 0;
        for (ExprId w : x.writes) level = std::max(level, levelOf(w));
        return sections(level);
      },
      [&](const If& x) { return nested(x); }, [&](const For& x) { return nested(x); },
      [&](const While& x) { return nested(x); }, [&](const Scope& x) { return nested(x); },
      [&](const Break& x) { return nested(x); }, [&](const Continue& x) { return nested(x); },
      [&](const Return& x) { return nested(x); }, [&](const OmpParallel& x) { return nested(x); },
      [&](const OmpFor& x) { return nested(x); }, [&](const OmpSimd& x) { return nested(x); },
      [&](const OmpSingle& x) { return nested(x); }, [&](const OmpMaster& x) { return nested(x); },
      [&](const OmpBarrier& x) { return nested(x); }, [&](const Mpi& x) { return nested(x); },
      [&](const Push& x) { return nested(x); }, [&](const Pop& x) { return nested(x); },
      [&](const TapeBlock& x) { return nested(x); }, [&](const TapeRelease& x) { return nested(x); },
      [&](const Revert& x) { return nested(x); },
      [&](const SharedIncrement& x) { return nested(x); }, [&](const SetZero& x) { return nested(x); },
      [&](const Runtime& x) { return nested(x); }, [&](const Comment& x) { return nested(x); });
}

// --- assignments

// True if the address of a place depends on memory of the type that is written to it: `a[int(a[0])]`, `p->next->next`.
bool AdjointBuilder::namesItself(ExprId target) const {
  const TypeId written = f_[target].type;
  bool reads = false;
  std::set<ExprId> addressed;  // not read: only where they are counts
  walkExpr(f_, target, [&](ExprId x) {
    if (const auto* a = std::get_if<AddressOf>(&f_[x].node)) addressed.insert(a->place);
  });
  walkExpr(f_, target, [&](ExprId x) {
    if (x == target || !isPlace(f_[x]) || addressed.count(x)) return;
    const auto* v = std::get_if<VarRef>(&f_[x].node);
    if (v && !isReference(m_, f_[v->var].type) && addressTaken_.count(v->var) == 0) {
      const auto* own = std::get_if<VarRef>(&f_[target].node);
      reads = reads || (own && own->var == v->var);
      return;
    }
    if (m_[f_[x].type].node.index() == m_[written].node.index() && !as<ArrayType>(m_, f_[x].type) &&
        !as<RecordType>(m_, f_[x].type) && !as<ContainerType>(m_, f_[x].type))
      reads = true;
  });
  return reads;
}

// The statements, if the condition holds; none: always.
Block AdjointBuilder::where(ExprId condition, Block statements) {
  return condition.valid() ? Block{add(If{condition, std::move(statements), {}})} : statements;
}

// recordInPlace() of a shadow pointer that is there only if the condition holds.
void AdjointBuilder::recordWhere(ExprId there, ExprId shadow, unsigned level, bool seen, Parts& parts, const Context& ctx) {
  const TypeId type = withoutConst(m_, f_[shadow].type);
  const ExprId value = f_.addExpr(Conditional{there, shadow, literal("nullptr", type)}, type, at_);
  const ExprId old = keep(value, "shadow_old", level, parts, ctx);
  Block back{add(Assign{shadow, old})};
  if (seen) {
    needsAfterImage_ = true;
    back.insert(back.begin(), add(Runtime{{"", ".note(", ");"}, {var(ctx.tapes[level]), shadow}}));
  }
  // Behind what takes the record off.
  const auto at = std::find_if(parts.rev.begin(), parts.rev.end(), [&](StmtId s) {
    const auto* d = std::get_if<Declare>(&f_[s].node);
    const auto* p = std::get_if<Pop>(&f_[s].node);
    const auto* a = std::get_if<Assign>(&f_[s].node);
    const ExprId named = p ? p->place : a ? a->target : ExprId();
    return !(d && d->var == rootVar(f_, old)) && !(named.valid() && rootVar(f_, named) == rootVar(f_, old));
  });
  const Block guarded = where(there, std::move(back));
  parts.rev.insert(at, guarded.begin(), guarded.end());
}

void AdjointBuilder::assign(StmtId s, const Assign& a, Parts& parts, const Context& ctx) {
  const TypeId type = f_[a.target].type;
  const unsigned level = std::min(levelOf(a.target), ctx.depth);
  const bool needed = facts_.overwriteNeeded(variant_.primal, s);
  if (!facts_.stable(variant_.primal, s) && namesItself(a.target) && (needed || (isReal(m_, type) && active(a.target))))
    return refuse("an assignment that changes where its own target lies isn't supported",
                  "keep the index or pointer in a variable of its own first");
  if (isPointer(type)) {
    const Presence presence = facts_.shadowOf(variant_.primal, a.target);
    const ExprId shadow = presence == Presence::None ? ExprId() : shadows_.place(a.target);
    ExprId base, there;  // the condition that there is a shadow; none: there is
    if (shadow.valid() && presence == Presence::Maybe && shadows_.mayBeNull(a.target, base))
      there = binary(BinaryOp::Ne, base, literal("nullptr", f_[base].type), bool_);
    if (needed && facts_.countedBack(variant_.primal, s)) {
      Binary back = std::get<Binary>(f_[a.value].node);
      back.op = back.op == BinaryOp::Add ? BinaryOp::Sub : BinaryOp::Add;
      const ExprId before = f_.addExpr(back, f_[a.value].type, at_);
      parts.rev.push_back(add(Assign{a.target, before}));
      if (shadow.valid()) append(parts.rev, where(there, {add(Assign{shadow, shadows_.pointer(before)})}));
    } else if (needed) {
      recordInPlace(a.target, level, parts, ctx);
      if (shadow.valid() && there.valid()) recordWhere(there, shadow, level, visible(a.target), parts, ctx);
      else if (shadow.valid()) recordInPlace(shadow, level, visible(a.target), parts, ctx);
    }
    if (shadow.valid()) {
      f_[shadow].type = shadows_.type(type);
      const Block set = where(there, {add(Assign{shadow, shadows_.pointer(a.value)})});
      for (unsigned k = 0; k <= level; ++k) append(parts.fwd[k], set);
    }
    for (unsigned k = 0; k <= level; ++k) parts.fwd[k].push_back(s);
    return;
  }
  if (needed) recordInPlace(a.target, level, parts, ctx);
  for (unsigned k = 0; k <= level; ++k) parts.fwd[k].push_back(s);
  if (!isReal(m_, type) || !active(a.target)) return;
  if (flows(a.value)) {
    ExprId result;
    if (facts_.reusesResult(variant_.primal, s)) {
      result = a.target;
      if (needed) {  // read before it is restored
        const VarId root = rootVar(f_, a.target);
        const VarId value = newVar((root.valid() ? f_[root].name : "place") + "_value", withoutConst(m_, type));
        prepend(parts.rev, {declareVar(value, Init::Value, {a.target})});
        result = var(value);
      }
    }
    const ExprId seed = takeAdjoint(a.target, parts.rev);
    if (seed.valid()) propagateFrom(a.value, seed, result, parts.rev, ctx);
  } else {
    setZero(a.target, parts.rev);
  }
}

void AdjointBuilder::increment(StmtId s, const Increment& i, Parts& parts, const Context& ctx) {
  const TypeId type = f_[i.target].type;
  const unsigned level = std::min(levelOf(i.target), ctx.depth);
  const VarId root = rootVar(f_, i.target);
  const bool reduction = root.valid() && reductionCopies_.count(root) != 0;
  if (!reduction && facts_.overwriteNeeded(variant_.primal, s)) {
    if (facts_.countedBack(variant_.primal, s)) parts.rev.push_back(add(Increment{i.target, i.value, !i.subtract}));
    else recordInPlace(i.target, level, parts, ctx);
  }
  if (isFusedSum(i.target)) parts.fwd[ctx.depth].push_back(s);
  else for (unsigned k = 0; k <= level; ++k) parts.fwd[k].push_back(s);
  if (!isReal(m_, type) || !active(i.target) || !flows(i.value)) return;
  // The target's adjoint is read only; a name for it where the value may be the target's own memory.
  ExprId seed = readAdjoint(i.target);
  if (!seed.valid()) return;
  if (countLeaves(i.value) > 1) seed = named(seed, "seed_b", parts.rev);
  if (i.subtract) seed = algebra_.negate(seed);
  propagate(i.value, seed, parts.rev, ctx);
}

void AdjointBuilder::opaque(StmtId s, const Opaque& o, Parts& parts, const Context& ctx) {
  unsigned level = 0;
  for (ExprId w : o.writes) level = std::max(level, std::min(levelOf(w), ctx.depth));
  if (!o.writes.empty() && facts_.overwriteNeeded(variant_.primal, s))
    for (ExprId w : o.writes)
      if (isPlace(f_[w]) && (isIntegral(m_, f_[w].type) || isReal(m_, f_[w].type)))
        recordInPlace(w, std::min(levelOf(w), ctx.depth), parts, ctx);
  for (unsigned k = 0; k <= level; ++k) parts.fwd[k].push_back(s);
  for (ExprId w : o.writes)
    if (isPlace(f_[w]) && isReal(m_, f_[w].type) && active(w)) setZero(w, parts.rev);
}

// --- branches

bool AdjointBuilder::stableCondition(ExprId condition, const std::vector<const Block*>& written) const {
  bool stable = true;
  std::set<VarId> reads;
  walkExpr(f_, condition, [&](ExprId id) {
    const ExprNode& node = f_[id].node;
    if (const auto* v = std::get_if<VarRef>(&node)) {
      if (isReference(m_, f_[v->var].type) || addressTaken_.count(v->var)) stable = false;
      reads.insert(v->var);
    }
    if (std::holds_alternative<GlobalRef>(node) || std::holds_alternative<Subscript>(node) ||
        std::holds_alternative<Deref>(node) || std::holds_alternative<FieldRef>(node) ||
        std::holds_alternative<PureCall>(node))
      stable = false;
  });
  for (const Block* b : written)
    walkStmts(f_, *b, [&](StmtId id) {
      const auto hit = [&](ExprId target) {
        const VarId root = target.valid() ? rootVar(f_, target) : VarId();
        if (root.valid() && reads.count(root)) stable = false;
      };
      if (const auto* a = std::get_if<Assign>(&f_[id].node)) hit(a->target);
      if (const auto* i = std::get_if<Increment>(&f_[id].node)) hit(i->target);
      if (const auto* c = std::get_if<Call>(&f_[id].node)) hit(c->result);
      if (const auto* a = std::get_if<Allocate>(&f_[id].node)) hit(a->target);
      if (const auto* r = std::get_if<Restructure>(&f_[id].node)) {
        hit(r->container);
        if (r->op == Structure::Swap) hit(r->operand);
      }
      if (const auto* o = std::get_if<Opaque>(&f_[id].node))
        for (ExprId w : o->writes) hit(w);
    });
  return stable;
}

void AdjointBuilder::branch(StmtId s, const If& i, Parts& parts, const Context& ctx) {
  Context inner = ctx;
  inner.joint = false;
  const auto conditional = [&](const Block& b) {
    const Fence fence(serial_);
    return block(b, inner);
  };
  Parts then = conditional(i.then);
  Parts otherwise = conditional(i.otherwise);
  if (idle(then.rev)) then.rev.clear();
  if (idle(otherwise.rev)) otherwise.rev.clear();
  const bool reverses = !then.rev.empty() || !otherwise.rev.empty();
  const bool stable =
      facts_.stable(variant_.primal, s) || stableCondition(i.condition, {&i.then, &i.otherwise});
  ExprId forwardCondition = i.condition, reverseCondition = i.condition;
  VarId kept;
  if (reverses && !stable) {
    kept = newVar("branch", bool_);
    const ExprId asBool = algebra_.cast(i.condition, bool_);
    parts.fwd[ctx.depth].push_back(declareVar(kept, Init::Value, {asBool}));
    forwardCondition = reverseCondition = var(kept);
  }
  for (unsigned k = 0; k <= ctx.depth; ++k) {
    if (then.fwd[k].empty() && otherwise.fwd[k].empty()) continue;
    parts.fwd[k].push_back(
        add(If{k == ctx.depth ? forwardCondition : i.condition, then.fwd[k], otherwise.fwd[k]}));
  }
  if (!reverses) return;
  if (kept.valid() && !ctx.joint) {
    const VarId popped = newVar("branch", bool_);
    parts.rev.push_back(declareVar(popped, Init::None));
    if (const ExprId record = slot(var(kept), "branch", ctx.depth); record.valid()) {
      parts.fwd[ctx.depth].push_back(add(Assign{record, var(kept)}));
      parts.rev.push_back(add(Assign{var(popped), record}));
    } else {
      parts.fwd[ctx.depth].push_back(add(Push{ctx.tapes[ctx.depth], var(kept)}));
      parts.rev.push_back(add(Pop{ctx.tapes[ctx.depth], var(popped), false}));
    }
    reverseCondition = var(popped);
  }
  if (then.rev.empty()) {
    parts.rev.push_back(add(If{algebra_.logicalNot(reverseCondition), otherwise.rev, {}}));
  } else {
    parts.rev.push_back(add(If{reverseCondition, then.rev, otherwise.rev}));
  }
}

}  // namespace contraflow::transform
