#include <algorithm>
#include <functional>
#include <set>

#include "ir/match.hpp"
#include "ir/module.hpp"

namespace contraflow::ir {
namespace {

bool sameNode(const TypeNode& a, const TypeNode& b) {
  if (a.index() != b.index()) return false;
  return match(
      a, [](const VoidType&) { return true; }, [](const BoolType&) { return true; },
      [&](const IntType& t) {
        const auto& u = std::get<IntType>(b);
        return t.bits == u.bits && t.isSigned == u.isSigned && t.spelling == u.spelling;
      },
      [&](const RealType& t) { return t.kind == std::get<RealType>(b).kind; },
      [&](const EnumType& t) { return t.spelling == std::get<EnumType>(b).spelling; },
      [&](const SelectorType& t) {
        const auto& other = std::get<SelectorType>(b);
        return t.before == other.before && t.after == other.after;
      },
      [&](const PointerType& t) { return t.pointee == std::get<PointerType>(b).pointee; },
      [&](const ReferenceType& t) {
        const auto& u = std::get<ReferenceType>(b);
        return t.pointee == u.pointee && t.isRvalue == u.isRvalue;
      },
      [&](const ArrayType& t) {
        const auto& u = std::get<ArrayType>(b);
        return t.element == u.element && t.extent == u.extent;
      },
      [&](const RecordType& t) { return t.record == std::get<RecordType>(b).record; },
      [&](const ContainerType& t) {
        const auto& u = std::get<ContainerType>(b);
        return t.kind == u.kind && t.element == u.element && t.extent == u.extent;
      },
      [&](const MpiHandleType& t) { return t.kind == std::get<MpiHandleType>(b).kind; },
      [](const TapeType&) { return true; },
      [&](const OpaqueType& t) { return t.spelling == std::get<OpaqueType>(b).spelling; });
}

// What an object of a type holds: walks the object's own storage, and what it points to if asked. `found` is asked of
// each type on the way; the walk ends at the first yes.
class Walk {
 public:
  Walk(const Module& m, bool throughPointers, std::function<bool(const Type&)> found)
      : m_(m), throughPointers_(throughPointers), found_(std::move(found)) {}

  bool operator()(TypeId id) {
    if (!id.valid()) return false;
    const Type& t = m_[id];
    if (found_(t)) return true;
    return match(
        t.node, [](const VoidType&) { return false; }, [](const BoolType&) { return false; },
        [](const IntType&) { return false; }, [](const RealType&) { return false; }, [](const EnumType&) { return false; },
        [](const SelectorType&) { return false; },
        [&](const PointerType& p) { return throughPointers_ && (*this)(p.pointee); },
        [&](const ReferenceType& r) { return throughPointers_ && (*this)(r.pointee); },
        [&](const ArrayType& a) { return (*this)(a.element); },
        [&](const RecordType& r) {
          if (!seen_.insert(r.record).second) return false;
          for (const Field& f : m_[r.record].fields)
            if ((*this)(f.type)) return true;
          return false;
        },
        [&](const ContainerType& c) { return (*this)(c.element); }, [](const MpiHandleType&) { return false; },
        [](const TapeType&) { return false; }, [](const OpaqueType&) { return false; });
  }

 private:
  const Module& m_;
  bool throughPointers_;
  std::function<bool(const Type&)> found_;
  std::set<RecordId> seen_;
};

// A real, or an object that may be of a derived class with reals.
bool isRealNode(const Module& m, const Type& t) {
  const auto* record = std::get_if<RecordType>(&t.node);
  return std::holds_alternative<RealType>(t.node) || (record && m[record->record].isPolymorphic);
}

// True if elements of the array, at any rank, are const.
bool isArrayOfConst(const Module& m, TypeId id) {
  const auto* a = as<ArrayType>(m, id);
  return a && (m[a->element].isConst || isArrayOfConst(m, a->element));
}

// True if a real that isn't const is reached from an object of the type through a pointer or reference to non-const.
bool writesThrough(const Module& m, TypeId id, std::set<RecordId>& seen) {
  if (!id.valid()) return false;
  const auto target = [&](TypeId pointee) {
    if (!m[pointee].isConst && !isArrayOfConst(m, pointee) && holdsReal(m, pointee)) return true;
    return writesThrough(m, pointee, seen);
  };
  if (const auto* p = as<PointerType>(m, id)) return target(p->pointee);
  if (const auto* r = as<ReferenceType>(m, id)) return target(r->pointee);
  if (const auto* a = as<ArrayType>(m, id)) return writesThrough(m, a->element, seen);
  if (const auto* c = as<ContainerType>(m, id)) return writesThrough(m, c->element, seen);
  if (const auto* r = as<RecordType>(m, id)) {
    if (!seen.insert(r->record).second) return false;
    for (const Field& f : m[r->record].fields)
      if (writesThrough(m, f.type, seen)) return true;
  }
  return false;
}

}  // namespace

TypeId Module::type(TypeNode node, bool isConst) {
  for (std::uint32_t i = 0; i < types.size(); ++i)
    if (types[i].isConst == isConst && sameNode(types[i].node, node)) return TypeId(i);
  types.push_back({std::move(node), isConst});
  return TypeId(static_cast<std::uint32_t>(types.size() - 1));
}

TypeId withoutConst(Module& m, TypeId id) {
  if (!m[id].isConst) return id;
  TypeNode node = m[id].node;
  return m.type(std::move(node), false);
}

TypeId withoutReference(const Module& m, TypeId id) {
  const auto* r = as<ReferenceType>(m, id);
  return r ? r->pointee : id;
}

bool isReal(const Module& m, TypeId id) { return as<RealType>(m, id) != nullptr; }

bool isIntegral(const Module& m, TypeId id) {
  return as<IntType>(m, id) || as<BoolType>(m, id) || as<EnumType>(m, id);
}

bool isReference(const Module& m, TypeId id) { return as<ReferenceType>(m, id) != nullptr; }

bool reachesReal(const Module& m, TypeId id) { return Walk(m, true, [&](const Type& t) { return isRealNode(m, t); })(id); }

bool holdsReal(const Module& m, TypeId id) { return Walk(m, false, [&](const Type& t) { return isRealNode(m, t); })(id); }

bool holdsPointer(const Module& m, TypeId id) {
  return Walk(m, false, [&](const Type& t) {
    if (const auto* p = std::get_if<PointerType>(&t.node)) return reachesReal(m, p->pointee);
    if (const auto* r = std::get_if<ReferenceType>(&t.node)) return reachesReal(m, r->pointee);
    return false;
  })(id);
}

bool writableReal(const Module& m, TypeId id) {
  std::set<RecordId> seen;
  return writesThrough(m, id, seen);
}

bool beginsAtZero(const Module& m, TypeId id) {
  if (!holdsReal(m, id)) return true;  // nothing of it could be another number
  if (const auto* a = as<ArrayType>(m, id)) return beginsAtZero(m, a->element);
  if (const auto* c = as<ContainerType>(m, id)) return beginsAtZero(m, c->element);
  const auto* r = as<RecordType>(m, id);
  if (!r) return true;
  const Record& record = m[r->record];
  // A base class gives the fields that come first their values.
  for (RecordId base = record.base; base.valid(); base = m[base].base)
    if (!m[base].beginsAtZero) return false;
  return record.beginsAtZero && std::all_of(record.fields.begin(), record.fields.end(),
                                            [&](const Field& f) { return beginsAtZero(m, f.type); });
}

bool isTriviallyCopyable(const Module& m, TypeId id) {
  return match(
      m[id].node, [](const VoidType&) { return false; }, [](const BoolType&) { return true; },
      [](const IntType&) { return true; }, [](const RealType&) { return true; }, [](const EnumType&) { return true; },
      [](const SelectorType&) { return true; },
      [](const PointerType&) { return true; }, [](const ReferenceType&) { return false; },
      [&](const ArrayType& a) { return isTriviallyCopyable(m, a.element); },
      [&](const RecordType& r) { return m[r.record].isTriviallyCopyable; },
      [&](const ContainerType& c) {
        return c.kind == ContainerKind::StdArray && isTriviallyCopyable(m, c.element);
      },
      [](const MpiHandleType&) { return true; }, [](const TapeType&) { return false; },
      [](const OpaqueType&) { return false; });
}

std::string spell(const Module& m, TypeId id, const std::string& name) {
  const Type& t = m[id];
  const std::string cv = t.isConst ? "const " : "";
  const auto plain = [&](const std::string& base) { return cv + base + (name.empty() ? "" : " " + name); };
  // A declarator in front of an array needs parentheses.
  const auto wrap = [&](TypeId inner, const std::string& declarator) {
    const bool paren = as<ArrayType>(m, inner) != nullptr;
    return spell(m, inner, paren ? "(" + declarator + ")" : declarator);
  };
  return match(
      t.node, [&](const VoidType&) { return plain("void"); }, [&](const BoolType&) { return plain("bool"); },
      [&](const IntType& i) { return plain(i.spelling); },
      [&](const RealType& r) {
        return plain(r.kind == RealKind::Float ? "float" : r.kind == RealKind::Double ? "double" : "long double");
      },
      [&](const EnumType& e) { return plain(e.spelling); },
      [&](const SelectorType& s) { return s.before + (t.isConst ? (name.empty() ? "const" : "const ") : "") + name + s.after; },
      [&](const PointerType& p) {
        return wrap(p.pointee, "*" + std::string(t.isConst ? (name.empty() ? "const" : "const ") : "") + name);
      },
      [&](const ReferenceType& r) { return wrap(r.pointee, (r.isRvalue ? "&&" : "&") + name); },
      [&](const ArrayType& a) { return spell(m, a.element, name + "[" + std::to_string(a.extent) + "]"); },
      [&](const RecordType& r) { return plain(m[r.record].name); },
      [&](const ContainerType& c) {
        return c.kind == ContainerKind::Vector
                   ? plain("std::vector<" + spell(m, c.element) + ">")
                   : plain("std::array<" + spell(m, c.element) + ", " + std::to_string(c.extent) + ">");
      },
      [&](const MpiHandleType& h) {
        static const char* const kNames[] = {
#define MPI_HANDLE(ID, NAME) NAME,
#include "rules/mpi_names.def"
        };
        return plain(kNames[static_cast<int>(h.kind)]);
      },
      [&](const TapeType&) { return plain("contraflow::Tape"); }, [&](const OpaqueType& o) { return plain(o.spelling); });
}

}  // namespace contraflow::ir
