// Shadows: the variable, place or pointer that carries derivatives beside a primal one. Shared by tangent and adjoint.
//
// A shadow place has the projections of its primal: indices and conditions come from the primal, pointers and containers from the
// shadow. So `dom.x[i]` has `dom_b.x[i]`, and `p->v[k]` has `p_b->v[k]`.
#pragma once

#include <functional>
#include <map>

#include "analysis/facts.hpp"
#include "ir/module.hpp"

namespace contraflow::transform {

class ShadowMap {
 public:
  // `suffix` is "_d" or "_b". `present` says whether a variable has a shadow. With `writable`, pointees of shadow pointers and
  // references lose their const (adjoints are written through them). Shadows of globals are made in the module on demand, and
  // listed in `globals()`.
  using PresenceOfVar = std::function<analysis::Presence(ir::VarId)>;
  using PresenceOfGlobal = std::function<analysis::Presence(ir::GlobalId)>;
  ShadowMap(ir::Module& module, ir::Function& function, std::string suffix, bool writable, PresenceOfVar ofVar,
            PresenceOfGlobal ofGlobal)
      : m_(module), f_(function), suffix_(std::move(suffix)), writable_(writable), ofVar_(std::move(ofVar)),
        ofGlobal_(std::move(ofGlobal)) {}

  analysis::Presence presence(ir::VarId v) const { return ofVar_(v); }
  // The shadow variable, made on first use; none if there is no shadow.
  ir::VarId of(ir::VarId v);
  // Makes `place` the shadow of v: a reduction's copy has that of its original.
  void alias(ir::VarId v, ir::ExprId place) { aliases_[v] = place; }
  ir::GlobalId of(ir::GlobalId g);

  // The shadow of a place; none if the memory has no shadow for certain.
  ir::ExprId place(ir::ExprId primal);
  // The shadow of a pointer value (or of a container's buffer): a null pointer where there is none.
  ir::ExprId pointer(ir::ExprId primal);
  // True if the shadow pointer of this place's base may be null, so that an access needs a guard; `base` receives the pointer.
  bool mayBeNull(ir::ExprId primal, ir::ExprId& base);

  // `shadow`, a place whose base pointer may be null, as a pointer that isn't: the run stops otherwise.
  ir::ExprId presentPointer(ir::ExprId base, ir::ExprId shadow);

  // True for a local reference to memory that may have no shadow: its shadow is a pointer, null where there is none.
  bool isNullableReference(ir::VarId v) const;

  // The type of a shadow: that of the primal; a value loses its const.
  ir::TypeId type(ir::TypeId primal);

 private:
  ir::TypeId withoutDeepConst(ir::TypeId t);
  ir::ExprId nullPointer(ir::TypeId type);
  // base != nullptr ? value : nullptr; the value alone without a base.
  ir::ExprId guarded(ir::ExprId base, ir::ExprId value, ir::TypeId type);
  bool pointerMayBeNull(ir::ExprId pointer);

  ir::Module& m_;
  ir::Function& f_;
  std::string suffix_;
  bool writable_;
  PresenceOfVar ofVar_;
  PresenceOfGlobal ofGlobal_;
  std::map<ir::VarId, ir::VarId> vars_;
  std::map<ir::VarId, ir::ExprId> aliases_;
};

// True if the object may be of a class derived from the place's: one with virtual functions, not reached by its own name.
bool isOpenObject(const ir::Module& module, const ir::Function& function, ir::ExprId place);

// The shadow of a global under a suffix, made in the module on demand beside its primal.
ir::GlobalId shadowGlobal(ir::Module& module, ir::GlobalId g, const std::string& suffix);

}  // namespace contraflow::transform
