#include "transform/shadow.hpp"

#include <cctype>

#include "ir/match.hpp"
#include "ir/walk.hpp"

namespace contraflow::transform {

using namespace ir;
using analysis::Presence;

namespace {

constexpr const char* kWritable = "contraflow::writable";  // a pointer to const as one to write through

// Nothing can be added to a class: the shadow of `Gas::gamma` is `Gas_gamma_b`, beside the class.
std::string plainName(const std::string& name) {
  if (name.find("::") == std::string::npos) return name;
  std::string plain;
  for (const char c : name) {
    const bool fits = std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    if (fits) plain += c;
    else if (!plain.empty() && plain.back() != '_') plain += '_';
  }
  return plain;
}

}  // namespace

GlobalId shadowGlobal(Module& module, GlobalId g, const std::string& suffix) {
  const Global primal = module[g];
  const std::string name = plainName(primal.isLocalStatic ? primal.hoistedName : primal.name) + suffix;
  const std::string key = primal.key + suffix;
  for (std::uint32_t k = 0; k < module.globals.size(); ++k)
    if (module.globals[k].key == key) return GlobalId(k);
  Global shadow = primal;
  shadow.name = name;
  shadow.key = key;
  shadow.type = withoutConst(module, primal.type);
  shadow.isConstant = false;
  shadow.isShadow = true;
  shadow.isLocalStatic = false;
  shadow.hoistedName.clear();
  return module.addGlobal(shadow);
}

bool isOpenObject(const Module& module, const Function& function, ExprId place) {
  const auto* record = as<RecordType>(module, function[place].type);
  if (!record || !module[record->record].isPolymorphic) return false;
  while (true) {
    const ExprNode& node = function[place].node;
    const auto* field = std::get_if<FieldRef>(&node);
    const auto* element = std::get_if<Subscript>(&node);
    if (field) place = field->base;
    else if (element && !as<PointerType>(module, function[element->base].type)) place = element->base;
    else if (const auto* v = std::get_if<VarRef>(&node)) return isReference(module, function[v->var].type);
    else return !std::holds_alternative<GlobalRef>(node);
  }
}

TypeId ShadowMap::withoutDeepConst(TypeId t) {
  const Type type = m_[t];
  return match(
      type.node,
      [&](const PointerType& p) {
        return m_.type(PointerType{withoutConst(m_, withoutDeepConst(p.pointee))}, type.isConst);
      },
      [&](const ReferenceType& r) {
        return m_.type(ReferenceType{withoutConst(m_, withoutDeepConst(r.pointee)), false}, type.isConst);
      },
      [&](const ArrayType& a) { return m_.type(ArrayType{withoutConst(m_, withoutDeepConst(a.element)), a.extent}); },
      [&](const VoidType&) { return t; }, [&](const BoolType&) { return t; }, [&](const IntType&) { return t; },
      [&](const RealType&) { return t; }, [&](const EnumType&) { return t; }, [&](const SelectorType&) { return t; }, [&](const RecordType&) { return t; },
      [&](const ContainerType&) { return t; }, [&](const MpiHandleType&) { return t; }, [&](const TapeType&) { return t; },
      [&](const OpaqueType&) { return t; });
}

TypeId ShadowMap::type(TypeId primal) {
  TypeId t = writable_ ? withoutDeepConst(primal) : primal;
  return withoutConst(m_, t);
}

VarId ShadowMap::of(VarId v) {
  if (ofVar_(v) == Presence::None) return {};
  const auto found = vars_.find(v);
  if (found != vars_.end()) return found->second;
  const Var primal = f_[v];
  Var shadow = primal;
  shadow.name = primal.name + suffix_;
  shadow.type = type(primal.type);
  // A reference can't be null: where the memory may have no shadow, a pointer stands for it.
  if (isNullableReference(v)) {
    const TypeId object = type(withoutReference(m_, primal.type));
    shadow.type = m_.type(PointerType{object});
  }
  const VarId made = f_.addVar(shadow);
  vars_[v] = made;
  return made;
}

bool ShadowMap::isNullableReference(VarId v) const {
  return writable_ && f_[v].kind == VarKind::Local && isReference(m_, f_[v].type) && ofVar_(v) == Presence::Maybe;
}

GlobalId ShadowMap::of(GlobalId g) {
  if (ofGlobal_(g) == Presence::None) return {};
  return shadowGlobal(m_, g, suffix_);
}

ExprId ShadowMap::nullPointer(TypeId type) { return f_.addExpr(Literal{"nullptr"}, type); }

ExprId ShadowMap::place(ExprId primal) {
  const Expr e = f_[primal];
  const TypeId type = withoutConst(m_, e.type);
  if (const auto* v = std::get_if<VarRef>(&e.node)) {
    const auto aliased = aliases_.find(v->var);
    if (aliased != aliases_.end()) return aliased->second;
    const VarId shadow = of(v->var);
    if (!shadow.valid()) return {};
    const TypeId t = this->type(withoutReference(m_, f_[v->var].type));
    if (isNullableReference(v->var)) {
      const ExprId pointer = f_.addExpr(VarRef{shadow}, f_[shadow].type, e.loc);
      return f_.addExpr(Deref{pointer}, t, e.loc);
    }
    return f_.addExpr(VarRef{shadow}, t, e.loc);
  }
  if (const auto* g = std::get_if<GlobalRef>(&e.node)) {
    const GlobalId shadow = of(g->global);
    return shadow.valid() ? f_.addExpr(GlobalRef{shadow}, type, e.loc) : ExprId();
  }
  if (const auto* r = std::get_if<FieldRef>(&e.node)) {
    const ExprId base = place(r->base);
    return base.valid() ? f_.addExpr(FieldRef{base, r->field}, type, e.loc) : ExprId();
  }
  if (const auto* s = std::get_if<Subscript>(&e.node)) {
    const bool onPointer = as<PointerType>(m_, f_[s->base].type) != nullptr;
    const ExprId base = onPointer ? pointer(s->base) : place(s->base);
    if (!base.valid() || std::holds_alternative<Literal>(f_[base].node)) return {};
    return f_.addExpr(Subscript{base, s->index, false}, type, e.loc);
  }
  if (const auto* d = std::get_if<Deref>(&e.node)) {
    const ExprId p = pointer(d->pointer);
    if (!p.valid() || std::holds_alternative<Literal>(f_[p].node)) return {};
    return f_.addExpr(Deref{p}, type, e.loc);
  }
  if (const auto* c = std::get_if<Conditional>(&e.node)) {  // an lvalue `c ? a : b`
    const ExprId a = place(c->whenTrue), b = place(c->whenFalse);
    if (!a.valid() || !b.valid()) return {};
    return f_.addExpr(Conditional{c->condition, a, b}, type, e.loc);
  }
  return {};
}

ExprId ShadowMap::pointer(ExprId primal) {
  const Expr e = f_[primal];
  const TypeId t = type(e.type);
  if (const auto* a = std::get_if<AddressOf>(&e.node)) {
    const ExprId p = place(a->place);
    if (!p.valid()) return nullPointer(t);
    ExprId base;
    return guarded(mayBeNull(a->place, base) ? base : ExprId(), f_.addExpr(AddressOf{p}, t, e.loc), t);
  }
  if (const auto* d = std::get_if<Decay>(&e.node)) {
    const ExprId p = place(d->array);
    return p.valid() ? f_.addExpr(Decay{p}, t, e.loc) : nullPointer(t);
  }
  if (const auto* d = std::get_if<DataOf>(&e.node)) {
    const ExprId p = place(d->container);
    return p.valid() ? f_.addExpr(DataOf{p}, t, e.loc) : nullPointer(t);
  }
  if (const auto* b = std::get_if<Binary>(&e.node)) {  // pointer ± integer, integer + pointer
    const bool left = as<PointerType>(m_, f_[b->lhs].type) != nullptr;
    const ExprId p = pointer(left ? b->lhs : b->rhs);
    if (std::holds_alternative<Literal>(f_[p].node)) return nullPointer(t);
    // A null pointer plus an offset is no null pointer any more.
    const ExprId base = pointerMayBeNull(left ? b->lhs : b->rhs) ? p : ExprId();
    return guarded(base, f_.addExpr(Binary{b->op, left ? p : b->lhs, left ? b->rhs : p}, t, e.loc), t);
  }
  if (const auto* c = std::get_if<Conditional>(&e.node)) {
    const ExprId a = pointer(c->whenTrue), b = pointer(c->whenFalse);
    const bool nullA = std::holds_alternative<Literal>(f_[a].node), nullB = std::holds_alternative<Literal>(f_[b].node);
    if (nullA && nullB) return nullPointer(t);
    return f_.addExpr(Conditional{c->condition, a, b}, t, e.loc);
  }
  if (const auto* c = std::get_if<Cast>(&e.node)) {
    const ExprId p = pointer(c->operand);
    if (std::holds_alternative<Literal>(f_[p].node)) return nullPointer(t);
    return f_.addExpr(Cast{p, c->isExplicit}, t, e.loc);
  }
  if (const auto* c = std::get_if<PureCall>(&e.node); c && c->callee == kWritable) {  // in an adjoint: the same pointer
    const ExprId p = pointer(c->args[0]);
    return std::holds_alternative<Literal>(f_[p].node) ? nullPointer(t) : f_.addExpr(PureCall{kWritable, {p}}, t, e.loc);
  }
  if (isPlace(e)) {
    const ExprId p = place(primal);
    if (p.valid()) {
      f_[p].type = t;
      // The shadow of a record has its members' types: adjoints are written through its pointers to const too.
      const auto* to = as<PointerType>(m_, e.type);
      if (writable_ && to && m_[to->pointee].isConst && !std::holds_alternative<VarRef>(e.node))
        return f_.addExpr(PureCall{kWritable, {p}}, t, e.loc);
      return p;
    }
  }
  return nullPointer(t);
}

ExprId ShadowMap::guarded(ExprId base, ExprId value, TypeId type) {
  if (!base.valid()) return value;
  const ExprId null = nullPointer(f_[base].type);
  const ExprId there = f_.addExpr(Binary{BinaryOp::Ne, base, null}, m_.type(BoolType{}));
  return f_.addExpr(Conditional{there, value, nullPointer(type)}, type);
}

ExprId ShadowMap::presentPointer(ExprId base, ExprId shadow) {
  const TypeId object = f_[shadow].type, type = m_.type(PointerType{object});
  const auto* deref = std::get_if<Deref>(&f_[shadow].node);
  const ExprId pointer = deref ? deref->pointer : guarded(base, f_.addExpr(AddressOf{shadow}, type), type);
  return f_.addExpr(PureCall{"contraflow::present", {pointer}}, type);
}

bool ShadowMap::pointerMayBeNull(ExprId pointer) {
  bool maybe = false;
  std::vector<ExprId> branches;
  walkExpr(f_, pointer, [&](ExprId id) {
    const ExprNode& node = f_[id].node;
    if (const auto* v = std::get_if<VarRef>(&node)) {
      const bool isPointer = as<PointerType>(m_, withoutReference(m_, f_[v->var].type)) != nullptr;
      if (isPointer && ofVar_(v->var) == Presence::Maybe) maybe = true;
    }
    // A pointer in memory: what it holds isn't followed here.
    const bool inMemory = std::holds_alternative<FieldRef>(node) || std::holds_alternative<Deref>(node) ||
                          std::holds_alternative<Subscript>(node);
    if (inMemory && as<PointerType>(m_, f_[id].type)) maybe = true;
    if (const auto* c = std::get_if<Conditional>(&node))
      if (as<PointerType>(m_, f_[id].type)) branches.insert(branches.end(), {c->whenTrue, c->whenFalse});
  });
  for (const ExprId branch : branches)
    if (std::holds_alternative<Literal>(f_[this->pointer(branch)].node)) maybe = true;
  return maybe;
}

bool ShadowMap::mayBeNull(ExprId primal, ExprId& base) {
  const Expr e = f_[primal];
  const auto ofPointer = [&](ExprId p) {
    if (!pointerMayBeNull(p)) return false;
    base = pointer(p);
    return true;
  };
  if (const auto* v = std::get_if<VarRef>(&e.node)) {
    if (!isNullableReference(v->var)) return false;
    const VarId shadow = of(v->var);
    base = f_.addExpr(VarRef{shadow}, f_[shadow].type);
    return true;
  }
  if (const auto* r = std::get_if<FieldRef>(&e.node)) return mayBeNull(r->base, base);
  if (const auto* s = std::get_if<Subscript>(&e.node))
    return as<PointerType>(m_, f_[s->base].type) ? ofPointer(s->base) : mayBeNull(s->base, base);
  if (const auto* d = std::get_if<Deref>(&e.node)) return ofPointer(d->pointer);
  return false;
}

}  // namespace contraflow::transform
