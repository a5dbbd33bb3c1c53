#include "transform/owned_vectors.hpp"

#include <algorithm>

namespace contraflow::transform {

using namespace ir;

bool ownsVector(const Module& m, TypeId type) {
  if (const auto* c = as<ContainerType>(m, type)) return c->kind == ContainerKind::Vector || ownsVector(m, c->element);
  if (const auto* a = as<ArrayType>(m, type)) return ownsVector(m, a->element);
  const auto* r = as<RecordType>(m, type);
  if (!r) return false;
  const auto& fields = m[r->record].fields;
  return std::any_of(fields.begin(), fields.end(), [&](const Field& f) { return ownsVector(m, f.type); });
}

bool takeRoom(const Module& m, Function& f, ExprId shadow, ExprId primal, const std::function<void(Runtime)>& emit) {
  const TypeId type = f[primal].type;
  if (!ownsVector(m, type)) return true;
  if (const auto* record = as<RecordType>(m, type)) {
    const auto fields = m[record->record].fields;
    bool ok = true;
    for (unsigned k = 0; k < fields.size(); ++k)
      if (ownsVector(m, fields[k].type))
        ok = takeRoom(m, f, f.addExpr(FieldRef{shadow, k}, fields[k].type), f.addExpr(FieldRef{primal, k}, fields[k].type), emit) && ok;
    return ok;
  }
  TypeId element = type;
  for (const auto* c = as<ContainerType>(m, element); c && c->kind == ContainerKind::Vector; c = as<ContainerType>(m, element))
    element = c->element;
  if (ownsVector(m, element)) return false;
  emit(Runtime{{"contraflow::takeRoom(", ", ", ");"}, {shadow, primal}});
  return true;
}

}  // namespace contraflow::transform
