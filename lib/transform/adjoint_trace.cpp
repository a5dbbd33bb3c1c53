// --check-lines: each statement's reverse part notes the adjoints of what it names, in front of it and behind it
// (runtime/include/contraflow/trace.hpp).
#include "ir/walk.hpp"
#include "transform/adjoint_builder.hpp"
#include "transform/traced_places.hpp"

namespace contraflow::transform {

using namespace ir;

// The address of the shadow, a null pointer where there is none.
ExprId AdjointBuilder::tracedPlace(ExprId place) {
  const TypeId type = pointerTo(withoutConst(m_, f_[place].type));
  const ExprId shadow = shadows_.place(place);
  if (!shadow.valid()) return literal("nullptr", type);
  ExprId base;
  const ExprId address = f_.addExpr(AddressOf{shadow}, type);
  if (!shadows_.mayBeNull(place, base)) return address;
  return f_.addExpr(Conditional{binary(BinaryOp::Ne, base, literal("nullptr", f_[base].type), bool_), address, literal("nullptr", type)}, type);
}

void AdjointBuilder::trace(const Stmt& stmt, Block& rev) {
  if (idle(rev)) return;
  TracedStatement traced = tracedStatement(m_, f_, stmt, m_[variant_.primal].name);
  if (!traced.valid()) return;
  if (traced.declared.valid()) traced.places.push_back(var(traced.declared));
  std::vector<ExprId> places;
  for (ExprId place : traced.places) places.push_back(tracedPlace(place));
  if (traced.returned.valid()) {
    if (!seed_.valid() || !isReal(m_, f_[seed_].type)) return;
    places.push_back(f_.addExpr(AddressOf{var(seed_)}, pointerTo(f_[seed_].type)));
  }
  rev.insert(rev.begin(), add(traceEntry(traced.site, places)));
  rev.push_back(add(Runtime{{traced.declared.valid() || traced.returned.valid() ? "contraflow::trace::leaveDeclared();" : "contraflow::trace::leave();"}, {}}));
}

}  // namespace contraflow::transform
