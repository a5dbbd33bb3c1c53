#include "emit/conversions.hpp"

#include <algorithm>

#include "ir/match.hpp"

namespace contraflow::emit {

using namespace ir;

Printed printedAs(const Module& m, TypeId id) {
  Printed p;
  p.type = id;
  match(
      m[id].node, [](const VoidType&) {},
      [&](const BoolType&) {
        p.kind = Printed::Int;
        p.bits = 1;
        p.isSigned = false;
      },
      [&](const IntType& t) {
        p.kind = Printed::Int;
        p.bits = t.bits;
        p.isSigned = t.isSigned;
      },
      [&](const RealType& t) {
        p.kind = Printed::Real;
        p.real = t.kind;
      },
      [](const EnumType&) {}, [](const SelectorType&) {}, [](const PointerType&) {}, [](const ReferenceType&) {}, [](const ArrayType&) {},
      [](const RecordType&) {}, [](const ContainerType&) {}, [](const MpiHandleType&) {}, [](const TapeType&) {},
      [](const OpaqueType&) {});
  return p;
}

bool same(const Module& m, const Printed& a, const Printed& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Printed::Int: return a.bits == b.bits && a.isSigned == b.isSigned;
    case Printed::Real: return a.real == b.real;
    case Printed::Other: break;
  }
  if (a.type == b.type) return true;
  if (!a.type.valid() || !b.type.valid()) return false;
  const auto plain = [&](TypeId t) {
    const std::string s = spell(m, t);
    return s.compare(0, 6, "const ") == 0 ? s.substr(6) : s;
  };
  return plain(a.type) == plain(b.type);
}

Printed promoted(Printed p) {
  if (p.kind == Printed::Int && p.bits < 32) {
    p.bits = 32;
    p.isSigned = true;
  }
  return p;
}

Printed common(const Printed& a, const Printed& b) {
  if (a.kind == Printed::Other) return a;
  if (b.kind == Printed::Other) return b;
  if (a.kind == Printed::Real && b.kind == Printed::Real) return a.real >= b.real ? a : b;
  if (a.kind == Printed::Real) return a;
  if (b.kind == Printed::Real) return b;
  const Printed x = promoted(a), y = promoted(b);
  Printed r = x.bits >= y.bits ? x : y;
  if (x.bits == y.bits) r.isSigned = x.isSigned && y.isSigned;
  r.isLiteral = false;
  return r;
}

bool lossless(const Printed& from, const Printed& to) {
  if (from.kind == Printed::Real && to.kind == Printed::Real) return from.real <= to.real;
  if (from.kind != Printed::Int) return false;
  if (to.kind == Printed::Real) return from.bits <= (to.real == RealKind::Float ? 24u : 53u);
  if (to.kind != Printed::Int) return false;
  if (from.isSigned == to.isSigned) return from.bits <= to.bits;
  return from.isSigned ? from.isLiteral && from.bits <= to.bits : from.bits < to.bits;
}

bool signsDiffer(const Printed& a, const Printed& b) {
  if (a.kind != Printed::Int || b.kind != Printed::Int) return false;
  const Printed x = promoted(a), y = promoted(b);
  if (x.isSigned == y.isSigned) return false;
  const Printed& withSign = x.isSigned ? x : y;
  const Printed& without = x.isSigned ? y : x;
  return !withSign.isLiteral && without.bits >= withSign.bits;  // a wider signed type takes all
}

}  // namespace contraflow::emit
