// What the adjoint records: which section has a place, and how a value gets from there to the reverse part.
#include "ir/match.hpp"
#include "ir/walk.hpp"
#include "transform/adjoint_builder.hpp"

namespace contraflow::transform {

using namespace ir;

namespace {

void prepend(Block& to, const Block& what) { to.insert(to.begin(), what.begin(), what.end()); }

}  // namespace

unsigned AdjointBuilder::levelOf(ExprId place) const {
  const Expr& e = f_[place];
  if (const auto* v = std::get_if<VarRef>(&e.node)) {
    const auto bound = boundTo_.find(v->var);
    if (bound != boundTo_.end()) return levelOf(bound->second);
    if (isReference(m_, f_[v->var].type)) return 0;
    const auto level = level_.find(v->var);
    return level == level_.end() ? 0 : level->second;
  }
  if (const auto* r = std::get_if<FieldRef>(&e.node)) {
    const auto* record = as<RecordType>(m_, f_[r->base].type);
    if (record && isReference(m_, m_[record->record].fields[r->field].type)) return 0;
    return levelOf(r->base);
  }
  if (const auto* s = std::get_if<Subscript>(&e.node)) {
    if (const auto* d = std::get_if<Decay>(&f_[s->base].node)) return levelOf(d->array);
    if (const auto* d = std::get_if<DataOf>(&f_[s->base].node)) return levelOf(d->container);
    return isPointer(f_[s->base].type) ? 0 : levelOf(s->base);
  }
  if (const auto* d = std::get_if<Deref>(&e.node))
    if (const auto* a = std::get_if<AddressOf>(&f_[d->pointer].node)) return levelOf(a->place);
  return 0;
}

bool AdjointBuilder::visible(ExprId place) const {
  return options_.afterImage && facts_.callerVisible(variant_.primal, place);
}

namespace {

// As its variable is declared: the shadow of an array of `const Law*` holds `Law*`.
TypeId declaredType(const Module& m, const Function& f, ExprId place) {
  const Expr& e = f[place];
  if (const auto* v = std::get_if<VarRef>(&e.node)) return withoutReference(m, f[v->var].type);
  const auto* s = std::get_if<Subscript>(&e.node);
  const TypeId base = s ? declaredType(m, f, s->base) : TypeId();
  const auto* array = s ? as<ArrayType>(m, base) : nullptr;
  return array ? array->element : e.type;
}

}  // namespace

ExprId AdjointBuilder::keep(ExprId value, const std::string& name, unsigned level, Parts& parts, const Context& ctx) {
  const TypeId type = withoutConst(m_, isPointer(f_[value].type) ? declaredType(m_, f_, value) : f_[value].type);
  const VarId kept = newVar(name, type);
  if (ctx.joint && level == ctx.depth) {
    parts.fwd[level].push_back(declareVar(kept, Init::Value, {value}));
  } else if (const ExprId place = slot(value, name, level); place.valid()) {
    parts.fwd[level].push_back(add(Assign{place, value}));
    prepend(parts.rev, {declareVar(kept, Init::None), add(Assign{var(kept), place})});
  } else {
    parts.fwd[level].push_back(add(Push{ctx.tapes[level], value}));
    prepend(parts.rev, {declareVar(kept, Init::None), add(Pop{ctx.tapes[level], var(kept), false})});
  }
  return var(kept);
}

void AdjointBuilder::recordInPlace(ExprId place, unsigned level, bool seen, Parts& parts, const Context& ctx) {
  if (indexed_ && level <= indexed_->depth) return recordIndexed(place, level, seen, parts, ctx);
  if (ctx.joint && level == ctx.depth && !seen) {
    const ExprId old = keep(place, "old", level, parts, ctx);
    prepend(parts.rev, {add(Assign{place, old})});
    return;
  }
  needsAfterImage_ = needsAfterImage_ || seen;
  const VarId root = rootVar(f_, place);
  if (const ExprId record = slot(place, root.valid() ? f_[root].name : "place", level); record.valid()) {
    parts.fwd[level].push_back(add(Assign{record, place}));
    prepend(parts.rev, {add(Assign{place, record})});
    if (seen) prepend(parts.rev, {add(Runtime{{"", ".note(", ");"}, {var(ctx.tapes[level]), place}})});
    return;
  }
  parts.fwd[level].push_back(add(Push{ctx.tapes[level], place}));
  prepend(parts.rev, {add(Pop{ctx.tapes[level], place, seen})});
}

void AdjointBuilder::recordVariable(VarId v, unsigned level, Block& recorded, Block& back, const Context& ctx) {
  if (const ExprId record = slot(var(v), f_[v].name, level); record.valid()) {
    recorded.push_back(add(Assign{record, var(v)}));
    back.push_back(add(Assign{var(v), record}));
    return;
  }
  recorded.push_back(add(Push{ctx.tapes[level], var(v)}));
  back.push_back(add(Pop{ctx.tapes[level], var(v), false}));
}

bool AdjointBuilder::isImmutable(ExprId e) const {
  bool yes = true;
  walkExpr(f_, e, [&](ExprId id) {
    const Expr& x = f_[id];
    if (const auto* v = std::get_if<VarRef>(&x.node)) {
      const bool isParam = f_[v->var].kind == VarKind::Parameter && !isReference(m_, f_[v->var].type);
      const bool counter = isCounter_.count(v->var) != 0;
      if (!isParam && !counter && remade_.count(v->var) == 0) yes = false;
      return;
    }
    match(
        x.node, [&](const GlobalRef&) { yes = false; }, [&](const FieldRef&) { yes = false; },
        [&](const Subscript&) { yes = false; }, [&](const Deref&) { yes = false; }, [&](const SizeOf&) { yes = false; },
        [&](const DataOf&) { yes = false; }, [&](const PureCall&) { yes = false; }, [](const Literal&) {},
        [](const VarRef&) {}, [](const AddressOf&) { }, [](const Decay&) {}, [](const Unary&) {}, [](const Binary&) {},
        [](const Cast&) {}, [](const Conditional&) {}, [](const MathCall&) {}, [](const InitList&) {});
  });
  return yes;
}

// A declaration can be made again at the start of the reverse part if its variable is never written after it, and its initialiser
// has the same value there.
bool AdjointBuilder::rematerialisable(const Declare& d) const {
  // (What is written through a reference isn't the reference.)
  if (d.args.empty() || (written_.count(d.var) != 0 && !isReference(m_, f_[d.var].type))) return false;
  if (addressTaken_.count(d.var) != 0 && !isReference(m_, f_[d.var].type)) return false;
  if (facts_.keepsResult(variant_.primal, current_)) return false;
  if (facts_.stable(variant_.primal, current_)) return true;
  if (d.init == Init::Value) return isImmutable(d.args[0]);
  return false;
}

}  // namespace contraflow::transform
