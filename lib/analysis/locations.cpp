#include "analysis/locations.hpp"

#include <algorithm>
#include <set>

#include "ir/match.hpp"

namespace contraflow::analysis {

using namespace ir;

bool LocSet::add(const LocSet& other) {
  if (other.words_.size() > words_.size()) words_.resize(other.words_.size());
  bool changed = false;
  for (std::size_t i = 0; i < other.words_.size(); ++i) {
    const std::uint64_t joined = words_[i] | other.words_[i];
    changed = changed || joined != words_[i];
    words_[i] = joined;
  }
  return changed;
}

bool LocSet::meets(const LocSet& other) const {
  for (std::size_t i = 0; i < std::min(words_.size(), other.words_.size()); ++i)
    if (words_[i] & other.words_[i]) return true;
  return false;
}

bool LocSet::empty() const {
  return std::all_of(words_.begin(), words_.end(), [](std::uint64_t w) { return w == 0; });
}

Loc Locations::add(Location l) {
  const Loc id = static_cast<Loc>(all_.size());
  l.root = l.parent == kNoLoc ? id : all_[l.parent].root;
  all_.push_back(l);
  return id;
}

Loc Locations::local(FuncId f, VarId v) {
  const auto [at, isNew] = locals_.try_emplace({f, v}, kNoLoc);
  if (isNew) {
    Location l;
    l.kind = LocKind::Local, l.function = f, l.var = v, l.type = m_[f][v].type;
    at->second = add(l);
  }
  return at->second;
}

Loc Locations::heap(FuncId f, StmtId allocation, TypeId element) {
  const auto [at, isNew] = heaps_.try_emplace({f, allocation}, kNoLoc);
  if (isNew) {
    Location l;
    l.kind = LocKind::Heap, l.function = f, l.allocation = allocation, l.type = element;
    at->second = add(l);
  }
  return at->second;
}

Loc Locations::result(FuncId f) {
  const auto [at, isNew] = results_.try_emplace(f, kNoLoc);
  if (isNew) {
    Location l;
    l.kind = LocKind::Result, l.function = f, l.type = m_[f].result;
    at->second = add(l);
  }
  return at->second;
}

Loc Locations::global(GlobalId g) {
  const auto [at, isNew] = globals_.try_emplace(g, kNoLoc);
  if (isNew) {
    Location l;
    l.kind = LocKind::Global, l.global = g, l.type = m_[g].type;
    at->second = add(l);
  }
  return at->second;
}

Loc Locations::external(Loc holder) {
  if (const auto found = externals_.find(holder); found != externals_.end()) return found->second;
  const TypeId type = all_[holder].type;
  TypeId pointee;
  if (const auto* p = as<PointerType>(m_, type)) pointee = p->pointee;
  if (const auto* r = as<ReferenceType>(m_, type)) pointee = r->pointee;
  if (!pointee.valid()) return kUnknown;
  // A chain through objects of one type (a list) is summarised by its first object of that type.
  Loc found = kNoLoc;
  for (Loc at = all_[holder].root; all_[at].kind == LocKind::External; at = all_[all_[at].holder].root)
    if (sameType(all_[at].type, pointee)) found = at;
  if (found == kNoLoc) {
    Location l;
    l.kind = LocKind::External, l.holder = holder, l.type = pointee;
    found = add(l);
  }
  externals_[holder] = found;
  return found;
}

Loc Locations::child(Loc parent, LocKind kind, unsigned field, TypeId type) {
  const auto key = std::make_tuple(parent, kind, field);
  if (const auto found = children_.find(key); found != children_.end()) return found->second;
  // A record inside a buffer of its own kind (a tree of vectors) is summarised by the outermost one.
  Loc found = kNoLoc;
  if (kind == LocKind::Buffer && as<RecordType>(m_, type))
    for (Loc at = parent; at != kNoLoc; at = all_[at].parent)
      if (sameType(all_[at].type, type)) found = at;
  if (found == kNoLoc) {
    Location l;
    l.kind = kind, l.parent = parent, l.field = field, l.type = type;
    found = add(l);
  }
  children_[key] = found;
  return found;
}

Loc Locations::field(Loc l, TypeId seenAs, unsigned index) {
  const auto* record = as<RecordType>(m_, seenAs);
  if (l == kUnknown || !record || !this->seenAs(all_[l].type, seenAs) || !hasField(all_[l].type, index)) return l;
  return child(l, LocKind::Field, index, m_[record->record].fields[index].type);
}

Loc Locations::element(Loc l, TypeId seenAs) {
  if (l == kUnknown || !sameType(all_[l].type, seenAs)) return l;
  if (const auto* array = as<ArrayType>(m_, seenAs)) return child(l, LocKind::Element, 0, array->element);
  if (const auto* c = as<ContainerType>(m_, seenAs))
    return child(l, c->kind == ContainerKind::Vector ? LocKind::Buffer : LocKind::Element, 0, c->element);
  return l;
}

Loc Locations::header(Loc l, TypeId seenAs) {
  const auto* c = as<ContainerType>(m_, seenAs);
  if (l == kUnknown || !c || c->kind != ContainerKind::Vector || !sameType(all_[l].type, seenAs)) return l;
  return child(l, LocKind::Header, 0, TypeId());
}

Loc Locations::piece(Loc l, FuncId f, VarId pointer) {
  if (l == kUnknown || all_[l].kind == LocKind::Piece) return l;
  const unsigned number = pieces_.try_emplace({f, pointer}, static_cast<unsigned>(pieces_.size())).first->second;
  const Loc made = child(l, LocKind::Piece, number, all_[l].type);
  all_[made].function = f;
  all_[made].var = pointer;
  return made;
}

Loc Locations::representative(Loc l) const {
  for (auto up = joins_.find(l); up != joins_.end() && up->second != l; up = joins_.find(l)) l = up->second;
  return l;
}

bool Locations::join(Loc a, Loc b) {
  for (Loc l : {a, b}) joins_.try_emplace(l, l);
  const Loc x = representative(a), y = representative(b);
  const bool external = isExternal(a) || isExternal(b);
  if (x == y) return external && joinedExternals_.insert(x).second;
  joins_[y] = x;
  if (external || joinedExternals_.count(y)) joinedExternals_.insert(x);
  return true;
}

// Whether something around a is joined with something around b.
bool Locations::joined(Loc a, Loc b) const {
  if (joins_.empty()) return false;
  for (Loc x = a; x != kNoLoc; x = all_[x].parent) {
    if (joins_.count(x) == 0) continue;
    for (Loc y = b; y != kNoLoc; y = all_[y].parent)
      if (joins_.count(y) != 0 && representative(x) == representative(y)) return true;
  }
  return false;
}

Loc Locations::object(Loc l) const {
  while (all_[l].parent != kNoLoc && all_[l].kind != LocKind::Buffer) l = all_[l].parent;
  return l;
}

Loc Locations::afterArithmetic(Loc l) const { return all_[l].kind == LocKind::Field ? all_[l].parent : l; }

Loc Locations::afterCast(Loc l, TypeId pointee) const {
  if (as<VoidType>(m_, pointee) || seenAs(all_[l].type, pointee)) return l;
  return object(l);
}

bool Locations::seenAs(TypeId type, TypeId seenAs) const {
  if (sameType(type, seenAs)) return true;
  const auto isFrom = [&](TypeId derived, TypeId base) {
    const auto *d = as<RecordType>(m_, derived), *b = as<RecordType>(m_, base);
    if (!d || !b) return false;
    for (RecordId r = d->record; r.valid(); r = m_[r].base)
      if (r == b->record) return true;
    return false;
  };
  return isFrom(type, seenAs) || isFrom(seenAs, type);
}

bool Locations::hasField(TypeId type, unsigned index) const {
  const auto* record = as<RecordType>(m_, type);
  return record && index < m_[record->record].fields.size();
}

bool Locations::sameType(TypeId a, TypeId b) const {
  if (a == b) return true;
  if (!a.valid() || !b.valid()) return false;
  const Type &s = m_[a], &t = m_[b];
  if (s.node.index() != t.node.index()) return false;
  // Const inside counts for nothing either: it doesn't change what memory is.
  return match(
      s.node, [](const VoidType&) { return true; }, [](const BoolType&) { return true; },
      [&](const IntType& x) { return x.bits == std::get<IntType>(t.node).bits; },
      [&](const RealType& x) { return x.kind == std::get<RealType>(t.node).kind; },
      [&](const EnumType& x) { return x.spelling == std::get<EnumType>(t.node).spelling; },
      [&](const SelectorType& x) {
        const auto& y = std::get<SelectorType>(t.node);
        return x.before == y.before && x.after == y.after;
      },
      [&](const PointerType& x) { return sameType(x.pointee, std::get<PointerType>(t.node).pointee); },
      [&](const ReferenceType& x) { return sameType(x.pointee, std::get<ReferenceType>(t.node).pointee); },
      [&](const ArrayType& x) {
        const auto& y = std::get<ArrayType>(t.node);
        return x.extent == y.extent && sameType(x.element, y.element);
      },
      [&](const RecordType& x) { return x.record == std::get<RecordType>(t.node).record; },
      [&](const ContainerType& x) {
        const auto& y = std::get<ContainerType>(t.node);
        return x.kind == y.kind && x.extent == y.extent && sameType(x.element, y.element);
      },
      [&](const MpiHandleType& x) { return x.kind == std::get<MpiHandleType>(t.node).kind; },
      [](const TapeType&) { return true; },
      [&](const OpaqueType& x) { return x.spelling == std::get<OpaqueType>(t.node).spelling; });
}

unsigned Locations::kinds(TypeId type) const {
  if (const auto found = kinds_.find(type); found != kinds_.end()) return found->second;
  std::set<RecordId> seen;
  return kinds_[type] = kindsOf(type, seen);
}

unsigned Locations::kindsOf(TypeId type, std::set<RecordId>& seen) const {
  constexpr unsigned kInts = 1u << 3, kAddress = 1u << 8, kHandle = 1u << 9, kOpaque = 1u << 10, kHeader = 1u << 11,
                     kSelector = 1u << 12;
  if (!type.valid()) return kHeader;
  return match(
      m_[type].node, [](const VoidType&) { return kAll; }, [](const BoolType&) { return kInts; },
      [](const IntType& t) { return t.bits == 8 ? kAll : t.bits == 16 ? kInts << 1 : t.bits == 32 ? kInts << 2 : kInts << 3; },
      [](const RealType& t) { return 1u << static_cast<unsigned>(t.kind); },
      [&](const EnumType& t) { return t.underlying.valid() ? kindsOf(t.underlying, seen) : kInts << 2; },
      [](const PointerType&) { return kAddress; }, [](const SelectorType&) { return kSelector; }, [](const ReferenceType&) { return kAddress; },
      [&](const ArrayType& t) { return kindsOf(t.element, seen); },
      [&](const RecordType& t) {
        unsigned all = 0;
        if (m_[t.record].isPolymorphic) return kAll;  // it may be of a class derived from this one
        if (!seen.insert(t.record).second) return all;  // a record inside itself (through a vector) adds nothing
        for (const Field& f : m_[t.record].fields) all |= kindsOf(f.type, seen);
        return all;
      },
      [&](const ContainerType& t) {
        return kindsOf(t.element, seen) | (t.kind == ContainerKind::Vector ? kHeader : 0u);
      },
      [](const MpiHandleType&) { return kHandle; }, [](const TapeType&) { return kOpaque; },
      [](const OpaqueType&) { return kOpaque; });
}

bool Locations::inside(Loc inner, Loc outer) const {
  for (; inner != kNoLoc; inner = all_[inner].parent)
    if (inner == outer) return true;
  return false;
}

bool Locations::isExternal(Loc l) const {
  if (!joinedExternals_.empty())
    for (Loc x = l; x != kNoLoc; x = all_[x].parent)
      if (joins_.count(x) != 0 && joinedExternals_.count(representative(x)) != 0) return true;
  const LocKind kind = all_[all_[l].root].kind;
  return kind == LocKind::External || kind == LocKind::Global || kind == LocKind::Unknown;
}

std::vector<std::pair<LocKind, unsigned>> Locations::path(Loc l) const {
  std::vector<std::pair<LocKind, unsigned>> steps;
  for (; all_[l].parent != kNoLoc; l = all_[l].parent) steps.emplace_back(all_[l].kind, all_[l].field);
  std::reverse(steps.begin(), steps.end());
  return steps;
}

// Two roots that may be the same memory of the caller.
bool Locations::callersOverlap(Loc a, Loc b) const {
  const Location &x = all_[all_[a].root], &y = all_[all_[b].root];
  if (x.kind != LocKind::External && y.kind != LocKind::External) return false;  // two globals
  if (x.unaliased || y.unaliased || (x.distinctParameter && y.distinctParameter)) return false;
  unsigned common = kinds(all_[a].type) & kinds(all_[b].type);
  // "Memory without a shadow must not overlap memory that has one" (DESIGN.md, 1.3).
  if (x.kind == LocKind::External && y.kind == LocKind::External && x.shadow != y.shadow && x.shadow != Presence::Maybe &&
      y.shadow != Presence::Maybe)
    common &= ~kReals;
  if (common == 0) return false;
  // Two objects of one record or container type are one, or have nothing in common.
  if (sameType(x.type, y.type) && (as<RecordType>(m_, x.type) || as<ContainerType>(m_, x.type))) {
    const auto p = path(a), q = path(b);
    const std::size_t n = std::min(p.size(), q.size());
    return std::equal(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(n), q.begin());
  }
  return true;
}

bool Locations::overlap(Loc a, Loc b) const {
  if (a == b || a == kUnknown || b == kUnknown) return true;
  if (joined(a, b)) return true;
  if (all_[a].root == all_[b].root) return inside(a, b) || inside(b, a);
  return isExternal(a) && isExternal(b) && callersOverlap(a, b);
}

std::string Locations::name(Loc l) const {
  const Location& x = all_[l];
  const auto up = [&] { return name(x.parent); };
  switch (x.kind) {
    case LocKind::Unknown: return "?";
    case LocKind::Local: return m_[x.function].name + "::" + m_[x.function][x.var].name;
    case LocKind::Heap: return m_[x.function].name + "::new";
    case LocKind::Result: return m_[x.function].name + "()";
    case LocKind::Global: return m_[x.global].name;
    case LocKind::External: return "*" + name(x.holder);
    case LocKind::Field: return up() + "." + std::to_string(x.field);
    case LocKind::Element: return up() + "[]";
    case LocKind::Header: return up() + ".size";
    case LocKind::Buffer: return up() + "[]";
    case LocKind::Piece: return up() + "~" + m_[x.function][x.var].name;
  }
  return {};
}

std::string Locations::sourceName(Loc l) const {
  const Location& x = all_[l];
  switch (x.kind) {
    case LocKind::Unknown: return "memory that a pointer reaches";
    case LocKind::Local: {
      const ir::Function& f = m_[x.function];
      return f.isMethod && f.params[0] == x.var ? "this" : f[x.var].name;
    }
    case LocKind::Heap: return "memory that '" + m_[x.function].name + "' allocates";
    case LocKind::Result: return "return";
    case LocKind::Global: return m_[x.global].name;
    case LocKind::External: return sourceName(x.holder);
    case LocKind::Field: {
      const auto* record = ir::as<ir::RecordType>(m_, all_[x.parent].type);
      return sourceName(x.parent) + (record ? "." + m_[record->record].fields[x.field].name : "");
    }
    case LocKind::Element:
    case LocKind::Header:
    case LocKind::Buffer: return sourceName(x.parent);
    case LocKind::Piece: return m_[x.function][x.var].name;
  }
  return {};
}

}  // namespace contraflow::analysis
