#include "analysis/head_shadows.hpp"

#include <algorithm>
#include <set>

#include "ir/match.hpp"

namespace contraflow::analysis {
namespace {

using namespace ir;

bool reaches(const Module& m, TypeId id, std::set<RecordId>& seen) {
  if (!id.valid()) return false;
  return match(
      m[id].node, [](const VoidType&) { return true; },  // behind a pointer: memory of any type
      [](const BoolType&) { return false; }, [](const IntType&) { return false; }, [](const RealType&) { return true; },
      [](const EnumType&) { return false; }, [](const SelectorType&) { return false; }, [&](const PointerType& p) { return reaches(m, p.pointee, seen); },
      [&](const ReferenceType& r) { return reaches(m, r.pointee, seen); },
      [&](const ArrayType& a) { return reaches(m, a.element, seen); },
      [&](const RecordType& r) {
        if (m[r.record].isPolymorphic) return true;  // a class derived from it may hold reals
        if (!seen.insert(r.record).second) return false;
        const auto& fields = m[r.record].fields;
        return std::any_of(fields.begin(), fields.end(), [&](const Field& f) { return reaches(m, f.type, seen); });
      },
      [&](const ContainerType& c) { return reaches(m, c.element, seen); }, [](const MpiHandleType&) { return false; },
      [](const TapeType&) { return false; }, [](const OpaqueType&) { return false; });
}

bool names(const std::vector<HeadName>& list, unsigned param) {
  return std::any_of(list.begin(), list.end(), [&](const HeadName& n) { return n.param == static_cast<int>(param); });
}

}  // namespace

bool mayReachReal(const Module& m, TypeId type) {
  if (type.valid() && as<VoidType>(m, type)) return false;  // no value
  std::set<RecordId> seen;
  return reaches(m, type, seen);
}

bool headGivesShadow(const Module& m, const Head& head, unsigned param) {
  const Function& f = m[head.function];
  const TypeId type = f[f.params[param]].type;
  if (!mayReachReal(m, type)) return false;
  return head.all || writableReal(m, type) || names(head.independents, param) || names(head.dependents, param);
}

bool headNames(const Head& head, GlobalId global) {
  const auto in = [&](const std::vector<HeadName>& list) {
    return std::any_of(list.begin(), list.end(), [&](const HeadName& n) { return n.global == global; });
  };
  return global.valid() && (in(head.independents) || in(head.dependents));
}

Presence headParameter(const Module& m, const std::vector<Head>& heads, FuncId f, unsigned param, bool called) {
  const TypeId type = m[f][m[f].params[param]].type;
  if (!mayReachReal(m, type)) return Presence::None;
  bool with = false, without = false;
  for (const Head& h : heads)
    if (h.function == f) (headGivesShadow(m, h, param) ? with : without) = true;
  if (called) with = without = true;
  if (!with) return Presence::None;
  const bool mayBeNull = as<PointerType>(m, type) || as<ReferenceType>(m, type);
  return without && mayBeNull ? Presence::Maybe : Presence::Present;
}

bool isHead(const std::vector<Head>& heads, FuncId f) {
  return std::any_of(heads.begin(), heads.end(), [&](const Head& h) { return h.function == f; });
}

}  // namespace contraflow::analysis
