// The adjoint of declarations: where a variable and its shadow live in each sweep.
#include <algorithm>

#include "transform/adjoint_builder.hpp"
#include "transform/owned_vectors.hpp"

namespace contraflow::transform {

using namespace ir;
using analysis::Presence;

namespace {

void prepend(Block& to, const Block& what) { to.insert(to.begin(), what.begin(), what.end()); }

}  // namespace

void AdjointBuilder::declare(StmtId s, const Declare& primal, Parts& parts, const Context& ctx) {
  Declare d = primal;
  level_[d.var] = ctx.depth;
  if (ctx.parallel) inRegion_.insert(d.var);
  const TypeId type = f_[d.var].type;
  // What it holds may be recorded before anything was assigned to it.
  const bool finalNeeded = !ctx.joint && facts_.finalValueNeeded(variant_.primal, d.var);
  if (d.init == Init::None && isTriviallyCopyable(m_, type) && (finalNeeded || recorded_.count(d.var) != 0)) {
    d.init = Init::Zero;
    s = add(d);
  }
  if (isReference(m_, type)) return declareReference(s, d, parts, ctx);
  for (auto& section : parts.fwd) section.push_back(s);
  // What holds pointers has shadow pointers, which the forward sections set.
  const bool stableStorage = !isTriviallyCopyable(m_, type) || escaping_.count(d.var) != 0 ||
                             (!isPointer(type) && holdsPointer(m_, type));
  const bool data = reachesReal(m_, type) || isIntegral(m_, type) || isPointer(type) || isTriviallyCopyable(m_, type);
  if (as<MpiHandleType>(m_, type) || as<OpaqueType>(m_, type) || (!data && !as<ContainerType>(m_, type) && !ownsVector(m_, type))) return;
  if (stableStorage) return declareStable(d, parts, ctx);
  if (isPointer(type)) return declarePointer(s, d, parts, ctx);
  declareObject(s, d, parts, ctx);
}

void AdjointBuilder::declareReference(StmtId s, const Declare& d, Parts& parts, const Context& ctx) {
  boundTo_[d.var] = d.args[0];
  for (auto& section : parts.fwd) section.push_back(s);
  VarId shadow;
  StmtId shadowDeclare;
  if (shadows_.presence(d.var) != Presence::None) {
    const ExprId place = shadows_.place(d.args[0]);
    if (shadows_.isNullableReference(d.var)) {
      shadow = shadows_.of(d.var);
      const TypeId pointer = f_[shadow].type;
      ExprId address = literal("nullptr", pointer), base;
      if (place.valid()) {
        address = f_.addExpr(AddressOf{place}, pointer);
        if (shadows_.mayBeNull(d.args[0], base))
          address = f_.addExpr(Conditional{binary(BinaryOp::Ne, base, literal("nullptr", f_[base].type), bool_), address,
                                           literal("nullptr", pointer)},
                               pointer);
      }
      shadowDeclare = declareVar(shadow, Init::Value, {address});
    } else if (place.valid()) {
      shadow = shadows_.of(d.var);
      shadowDeclare = declareVar(shadow, Init::Bind, {place});
    }
    if (shadow.valid()) {
      level_[shadow] = ctx.depth;
      for (auto& section : parts.fwd) section.push_back(shadowDeclare);
    }
  }
  if (ctx.joint) return;
  if (rematerialisable(d)) {
    locals_->remade.push_back(s);
    if (shadow.valid()) locals_->remade.push_back(shadowDeclare);
    return;
  }
  const VarId tape = ctx.tapes[ctx.depth];
  for (VarId v : {d.var, shadow}) {
    if (!v.valid()) continue;
    if (isPointer(f_[v].type) && v == shadow && shadows_.isNullableReference(d.var)) {
      locals_->finals.push_back(add(Push{tape, var(v)}));
      prepend(locals_->restores, {declareVar(v, Init::None), add(Pop{tape, var(v), false})});
      continue;
    }
    const TypeId object = withoutReference(m_, f_[v].type);
    const ExprId address = f_.addExpr(AddressOf{var(v)}, pointerTo(object));
    locals_->finals.push_back(add(Push{tape, address}));
    prepend(locals_->restores, {add(Declare{v, Init::None, {}, Storage::FrameReopen, tape})});
  }
}

void AdjointBuilder::declarePointer(StmtId s, const Declare& d, Parts& parts, const Context& ctx) {
  const VarId shadow = shadows_.of(d.var);
  StmtId shadowDeclare;
  if (shadow.valid()) {
    level_[shadow] = ctx.depth;
    std::vector<ExprId> init;
    if (!d.args.empty()) init.push_back(shadows_.pointer(d.args[0]));
    shadowDeclare = declareVar(shadow, init.empty() ? Init::Zero : Init::Value, init);
    // As the pointer itself: in an outer section its value may go to a pointer that lives longer.
    for (auto& section : parts.fwd) section.push_back(shadowDeclare);
  }
  // What it holds may be recorded before anything was assigned to it.
  if (d.init == Init::None && recorded_.count(d.var) != 0)
    std::replace(parts.fwd[ctx.depth].begin(), parts.fwd[ctx.depth].end(), s, declareVar(d.var, Init::Zero));
  if (ctx.joint) return;
  if (rematerialisable(d)) {
    remade_.insert(d.var);
    locals_->remade.push_back(s);
    if (shadow.valid()) locals_->remade.push_back(shadowDeclare);
    return;
  }
  const bool needed = facts_.finalValueNeeded(variant_.primal, d.var);
  for (VarId v : {d.var, shadow}) {
    if (!v.valid()) continue;
    f_[v].type = mutableType(f_[v].type);
    Block begin{declareVar(v, Init::None)};
    if (needed) recordVariable(v, ctx.depth, locals_->finals, begin, ctx);
    prepend(locals_->restores, begin);
  }
}

// Objects that need one address in both sweeps: in a joint scope simply variables, otherwise frames on the tape.
void AdjointBuilder::declareStable(const Declare& d, Parts& parts, const Context& ctx) {
  TypeId type = f_[d.var].type;
  const VarId shadow = shadows_.of(d.var);
  if (shadow.valid()) level_[shadow] = ctx.depth;
  // The shadow: constructed as the primal was, then zero.
  const auto shadowInit = [&](Block& where, Storage storage, VarId tape) {
    const bool plain = isTriviallyCopyable(m_, type) || as<RecordType>(m_, type);
    if (isPointer(type)) {
      std::vector<ExprId> init;
      if (!d.args.empty() && d.init == Init::Value) init.push_back(shadows_.pointer(d.args[0]));
      where.push_back(add(Declare{shadow, init.empty() ? Init::Zero : Init::Value, init, storage, tape}));
    } else if (plain || (as<ArrayType>(m_, type) && (d.init == Init::None || d.init == Init::Zero))) {
      declareZero(shadow, where, storage, tape);
    } else if (const auto* c = as<ContainerType>(m_, type); c && c->kind == ContainerKind::Vector && isReal(m_, c->element) && d.init == Init::None) {
      where.push_back(add(Declare{shadow, Init::None, {}, storage, tape}));
    } else if (c && c->kind == ContainerKind::Vector && isReal(m_, c->element) && d.init == Init::Construct && !d.args.empty() && isIntegral(m_, f_[d.args[0]].type)) {
      where.push_back(add(Declare{shadow, Init::Construct, {d.args[0]}, storage, tape}));  // v(n), v(n, value)
    } else {
      where.push_back(add(Declare{shadow, Init::Construct, {var(d.var)}, storage, tape}));
      where.push_back(add(SetZero{var(shadow)}));
    }
  };
  for (unsigned k = 0; shadow.valid() && k < ctx.depth; ++k) shadowInit(parts.fwd[k], Storage::Automatic, {});
  if (ctx.joint) {
    if (shadow.valid()) shadowInit(parts.fwd[ctx.depth], Storage::Automatic, {});
    reverseInit(d, parts.rev, ctx);
    return;
  }
  const VarId tape = ctx.tapes[ctx.depth];
  Block& section = parts.fwd[ctx.depth];
  section.pop_back();  // the automatic variable
  f_[d.var].type = mutableType(type);
  type = f_[d.var].type;
  if (d.init == Init::List) {
    const VarId list = newVar(f_[d.var].name + "_init", type);
    section.push_back(declareVar(list, Init::List, d.args));
    section.push_back(add(Declare{d.var, Init::Zero, {}, Storage::FrameCreate, tape}));
    section.push_back(add(Runtime{{"contraflow::copy(", ", ", ");"}, {var(d.var), var(list)}}));
  } else {
    section.push_back(add(Declare{d.var, d.init, d.args, Storage::FrameCreate, tape}));
  }
  if (shadow.valid()) shadowInit(section, Storage::FrameCreate, tape);
  for (VarId v : {d.var, shadow}) {
    if (!v.valid()) continue;
    const ExprId address = f_.addExpr(AddressOf{var(v)}, pointerTo(f_[v].type));
    locals_->finals.push_back(add(Push{tape, address}));
    prepend(locals_->restores, {add(Declare{v, Init::None, {}, Storage::FrameReopen, tape})});
  }
  reverseInit(d, parts.rev, ctx);
  if (shadow.valid()) parts.rev.push_back(add(TapeRelease{tape, shadow}));
  parts.rev.push_back(add(TapeRelease{tape, d.var}));
}

void AdjointBuilder::declareObject(StmtId s, const Declare& d, Parts& parts, const Context& ctx) {
  const VarId shadow = shadows_.of(d.var);
  if (shadow.valid()) {
    level_[shadow] = ctx.depth;
    if (ctx.parallel) inRegion_.insert(shadow);
    // Where its address is passed on, the forward section needs it as well.
    const bool early = addressTaken_.count(d.var) != 0;
    for (unsigned k = 0; early && k <= ctx.depth; ++k) declareZero(shadow, parts.fwd[k]);
    if (!early || !ctx.joint) declareZero(shadow, locals_->shadows);
  }
  if (!ctx.joint) {
    if (rematerialisable(d)) {
      remade_.insert(d.var);
      locals_->remade.push_back(s);
    } else {
      f_[d.var].type = mutableType(f_[d.var].type);
      const bool needed = facts_.finalValueNeeded(variant_.primal, d.var);
      Block begin{declareVar(d.var, needed ? Init::None : unneeded(d.var))};
      if (needed) recordVariable(d.var, ctx.depth, locals_->finals, begin, ctx);
      prepend(locals_->restores, begin);
    }
  }
  reverseInit(d, parts.rev, ctx);
}

// The adjoint of an initialiser; the variable's shadow ends here.
void AdjointBuilder::reverseInit(const Declare& d, Block& rev, const Context& ctx) {
  const VarId shadow = shadows_.of(d.var);
  if (!shadow.valid() || d.args.empty()) return;
  if (d.init == Init::Value && isReal(m_, f_[d.var].type)) {
    const ExprId result = facts_.reusesResult(variant_.primal, current_) ? var(d.var) : ExprId();
    if (flows(d.args[0])) propagateFrom(d.args[0], var(shadow), result, rev, ctx);
  } else if (d.init == Init::Construct) {
    const auto* c = as<ContainerType>(m_, f_[d.var].type);
    if (!c) return;
    if (d.args.size() == 2 && isReal(m_, f_[d.args[1]].type) && flows(d.args[1])) {  // v(n, value)
      const TypeId element = withoutConst(m_, c->element);
      propagate(d.args[1], pureCall("contraflow::sum", {var(shadow)}, element), rev, ctx);
    } else if (d.args.size() == 2 && holdsReal(m_, f_[d.args[1]].type) && !isReal(m_, f_[d.args[1]].type)) {  // v(n, row)
      const ExprId row = shadows_.place(d.args[1]);
      if (row.valid()) rev.push_back(add(Runtime{{"contraflow::addEachTo(", ", ", ");"}, {row, var(shadow)}}));
    } else if (d.args.size() == 1 && as<ContainerType>(m_, f_[d.args[0]].type)) {  // v(other)
      const ExprId other = shadows_.place(d.args[0]);
      if (other.valid()) rev.push_back(add(Runtime{{"contraflow::addTo(", ", ", ");"}, {other, var(shadow)}}));
    }
  }
}

}  // namespace contraflow::transform
