#include "analysis/index_bounds.hpp"

#include <algorithm>

#include "ir/walk.hpp"

namespace contraflow::analysis {

using namespace ir;

namespace {
bool sameElement(const Module& m, TypeId a, TypeId b) {
  const auto *x = as<RealType>(m, a), *y = as<RealType>(m, b);
  return x && y && x->kind == y->kind;
}
// True if all variables are known to be at least zero, and no term is subtracted: then `least` is the least value.
bool leastOf(const Polynomial& p, const std::map<VarId, long long>& least, long long& value) {
  constexpr long long kLarge = 1LL << 20;
  value = 0;
  for (const auto& [monomial, c] : p) {
    if (!monomial.empty() && c < 0) return false;
    long long term = c;
    for (VarId v : monomial) {
      const auto found = least.find(v);
      if (found == least.end() || found->second < 0) return false;
      term = std::min(term, kLarge) * std::min(found->second, kLarge);  // less is safe
    }
    value += monomial.empty() ? term : std::min(term, kLarge);
  }
  return true;
}
}  // namespace

IndexBounds::IndexBounds(const Module& m, const PointsTo& p, FuncId f) : m_(m), fn_(m[f]) {
  std::set<VarId> taken;
  std::map<VarId, int> declarations;
  const auto root = [&](ExprId e, std::set<VarId>& to) {
    if (const VarId v = e.valid() ? rootVar(fn_, e) : VarId(); v.valid()) to.insert(v);
  };
  const auto candidate = [&](VarId v) {
    const TypeId type = fn_[v].type;
    if ((as<IntType>(m_, type) || as<PointerType>(m_, type)) && !p.addressStored(p.localOf(f, v))) fixed_.insert(v);
  };
  for (VarId v : fn_.params) candidate(v);
  walkStmts(fn_, fn_.body, [&](StmtId s) {
    const StmtNode& node = fn_[s].node;
    forEachDeclaredVar(fn_[s], [&](VarId v) { ++declarations[v]; });
    if (const auto* d = std::get_if<Declare>(&node)) {
      if (d->init == Init::Value && d->args.size() == 1 && d->storage == Storage::Automatic) {
        candidate(d->var);
        if (as<PointerType>(m_, fn_[d->var].type)) pointers_[d->var] = d->args[0];
      }
      if (d->init == Init::Bind) root(d->args[0], taken);
    }
    if (const auto* x = std::get_if<Assign>(&node)) root(x->target, written_);
    if (const auto* x = std::get_if<Increment>(&node)) root(x->target, written_);
    if (const auto* x = std::get_if<OmpAtomic>(&node)) root(x->target, written_);
    if (const auto* x = std::get_if<Allocate>(&node)) root(x->target, written_);
    if (const auto* x = std::get_if<Opaque>(&node))
      for (ExprId w : x->writes) root(w, written_);
    if (const auto* x = std::get_if<Mpi>(&node)) root(x->result, written_);
    if (const auto* x = std::get_if<Call>(&node)) {
      root(x->result, written_);
      for (std::size_t k = 0; k < x->args.size(); ++k)
        if (k >= m_[x->callee].params.size() || isReference(m_, m_[x->callee][m_[x->callee].params[k]].type)) root(x->args[k], taken);
    }
    forEachExprOfStmt(fn_[s], [&](ExprId e) {
      walkExpr(fn_, e, [&](ExprId x) {
        if (const auto* a = std::get_if<AddressOf>(&fn_[x].node)) root(a->place, taken);
      });
    });
  });
  // (A pointer is the root of what is written through it: then it counts as written itself, unless nothing is assigned to it.)
  std::set<VarId> assigned;
  const auto direct = [&](ExprId e) {
    if (const auto* v = e.valid() ? std::get_if<VarRef>(&fn_[e].node) : nullptr) assigned.insert(v->var);
  };
  walkStmts(fn_, fn_.body, [&](StmtId s) {
    const StmtNode& node = fn_[s].node;
    if (const auto* x = std::get_if<Assign>(&node)) direct(x->target);
    if (const auto* x = std::get_if<Increment>(&node)) direct(x->target);
    if (const auto* x = std::get_if<OmpAtomic>(&node)) direct(x->target);
    if (const auto* x = std::get_if<Allocate>(&node)) direct(x->target);
    if (const auto* x = std::get_if<Call>(&node)) direct(x->result);
    if (const auto* x = std::get_if<Mpi>(&node)) direct(x->result);
    if (const auto* x = std::get_if<Opaque>(&node))
      for (ExprId w : x->writes) direct(w);
    if (const auto* x = std::get_if<Restructure>(&node)) {
      direct(x->container);
      direct(x->operand);
    }
    const auto sharing = [&](const DataSharing& d) {
      detail::copyLists(d, [&](const auto& list) {
        for (const CopyOf& c : list) root(c.original, taken);
      });
    };
    if (const auto* x = std::get_if<OmpParallel>(&node)) sharing(x->data);
    if (const auto* x = std::get_if<OmpFor>(&node)) sharing(x->data);
    if (const auto* x = std::get_if<OmpSimd>(&node)) sharing(x->data);
    if (const auto* x = std::get_if<OmpSingle>(&node)) sharing(x->data);
  });
  for (auto v = fixed_.begin(); v != fixed_.end();) {
    const bool isPointer = as<PointerType>(m_, fn_[*v].type);
    const bool once = declarations[*v] == (fn_[*v].kind == VarKind::Parameter ? 0 : 1);
    const bool kept = once && taken.count(*v) == 0 && assigned.count(*v) == 0 && (isPointer || written_.count(*v) == 0);
    v = kept ? std::next(v) : fixed_.erase(v);
  }
  written_.insert(taken.begin(), taken.end());
}

// Nothing in it wraps. As an address a negative number may be cast to the unsigned type of the same addresses.
bool IndexBounds::isPlain(ExprId e, bool asAddress) const {
  bool good = true;
  walkExpr(fn_, e, [&](ExprId x) {
    const auto* type = as<IntType>(m_, fn_[x].type);
    const ExprNode& node = fn_[x].node;
    if (!type) good = false;
    if (!good) return;
    if (std::holds_alternative<Binary>(node) || std::holds_alternative<Unary>(node)) good = type->isSigned;
    if (const auto* c = std::get_if<Cast>(&node)) {
      const auto* from = as<IntType>(m_, fn_[c->operand].type);
      const bool literal = std::holds_alternative<Literal>(fn_[c->operand].node);
      good = from && (from->isSigned == type->isSigned || !from->isSigned || literal || (asAddress && type->bits == 64));
      if (from && !from->isSigned && type->isSigned) good = good && from->bits < type->bits;
    }
  });
  return good;
}

std::optional<Polynomial> IndexBounds::polynomial(ExprId e, const Loops& loops) const {
  const auto p = polynomialOf(m_, fn_, e, [](ExprId) { return std::nullopt; }, Wrapping::InRanges);
  if (!p) return std::nullopt;
  for (VarId v : variablesOf(*p)) {
    const bool counts = std::any_of(loops.begin(), loops.end(), [&](const For* l) { return l->counter == v; });
    if (!keepsValue(v) && (!counts || written_.count(v) != 0)) return std::nullopt;
  }
  return p;
}

std::optional<Polynomial> IndexBounds::indexOf(ExprId index, const Loops& loops) const {
  return isPlain(index, true) ? polynomial(index, loops) : std::nullopt;
}

VarId IndexBounds::baseOf(ExprId subscript) const {
  const auto* s = std::get_if<Subscript>(&fn_[subscript].node);
  if (!s) return {};
  ExprId base = s->base;
  if (const auto* d = std::get_if<Decay>(&fn_[base].node)) base = d->array;
  const auto* v = std::get_if<VarRef>(&fn_[base].node);
  return v ? v->var : VarId();
}

std::optional<IndexBounds::Element> IndexBounds::elementOf(ExprId subscript, const Loops& loops) const {
  const auto* s = std::get_if<Subscript>(&fn_[subscript].node);
  const VarId base = baseOf(subscript);
  if (!s || s->checked || !base.valid() || !isReal(m_, fn_[subscript].type)) return std::nullopt;
  const auto index = indexOf(s->index, loops);
  if (!index) return std::nullopt;
  const TypeId type = withoutReference(m_, fn_[base].type);
  const auto* array = as<ArrayType>(m_, type);
  const auto* vector = as<ContainerType>(m_, type);
  if (array || vector)
    return sameElement(m_, array ? array->element : vector->element, fn_[subscript].type) ? std::optional(Element{base, *index}) : std::nullopt;
  const auto start = as<PointerType>(m_, fn_[base].type) && keepsValue(base) ? pointer(s->base, loops) : std::nullopt;
  const auto all = start ? sum(start->index, *index) : std::nullopt;
  return all ? std::optional(Element{start->root, *all}) : std::nullopt;
}

// Where the pointer points to.
std::optional<IndexBounds::Element> IndexBounds::pointer(ExprId e, const Loops& loops) const {
  const auto* type = as<PointerType>(m_, fn_[e].type);
  if (!type || !isReal(m_, type->pointee)) return std::nullopt;
  const ExprNode& node = fn_[e].node;
  if (const auto* v = std::get_if<VarRef>(&node)) {
    if (!keepsValue(v->var)) return std::nullopt;
    const auto value = pointers_.find(v->var);
    const auto from = value == pointers_.end() ? std::nullopt : pointer(value->second, loops);
    const bool same = from && sameElement(m_, type->pointee, as<PointerType>(m_, fn_[value->second].type)->pointee);
    return same ? from : Element{v->var, {}};
  }
  if (const auto* c = std::get_if<Cast>(&node)) {
    const auto* from = as<PointerType>(m_, fn_[c->operand].type);
    return from && sameElement(m_, from->pointee, type->pointee) ? pointer(c->operand, loops) : std::nullopt;
  }
  const auto* b = std::get_if<Binary>(&node);
  if (!b || (b->op != BinaryOp::Add && b->op != BinaryOp::Sub)) return std::nullopt;
  const bool left = as<PointerType>(m_, fn_[b->lhs].type);
  const auto from = pointer(left ? b->lhs : b->rhs, loops);
  const ExprId by = left ? b->rhs : b->lhs;
  const auto offset = from && isPlain(by, true) ? polynomial(by, loops) : std::nullopt;
  const auto all = offset ? sum(from->index, *offset, b->op == BinaryOp::Add ? 1 : -1) : std::nullopt;
  return all ? std::optional(Element{from->root, *all}) : std::nullopt;
}

std::optional<IndexBounds::Ends> IndexBounds::ends(const For& loop, const Loops& loops) const {
  const auto *counter = as<IntType>(m_, fn_[loop.counter].type), *init = as<IntType>(m_, fn_[loop.init].type),
             *bound = as<IntType>(m_, fn_[loop.bound].type);
  if (!counter || !init || !bound || written_.count(loop.counter) != 0) return std::nullopt;
  for (ExprId e : {loop.init, loop.bound, loop.step})
    if (!isPlain(e, false)) return std::nullopt;
  const auto first = polynomial(loop.init, loops), limit = polynomial(loop.bound, loops), step = polynomial(loop.step, loops);
  if (!first || !limit || !step || !isNumber(*step) || init->bits > counter->bits) return std::nullopt;
  // Where a comparison is of unsigned numbers, none of its sides may be negative.
  const bool natural = isNumber(*first) && numberOf(*first) >= 0;
  const bool asNumbers = (counter->isSigned && init->isSigned && bound->isSigned) || (natural && !counter->isSigned && !bound->isSigned);
  const long long by = numberOf(*step);
  if (!asNumbers || by == 0) return std::nullopt;
  const Polynomial one{{{}, 1}};
  if (by > 0 && (loop.compare == BinaryOp::Lt || loop.compare == BinaryOp::Le)) {
    const auto high = loop.compare == BinaryOp::Le ? limit : sum(*limit, one, -1);
    return high ? std::optional(Ends{*first, *high, by}) : std::nullopt;
  }
  if (by < 0 && counter->isSigned && (loop.compare == BinaryOp::Gt || loop.compare == BinaryOp::Ge)) {
    const auto low = loop.compare == BinaryOp::Ge ? limit : sum(*limit, one);
    return low ? std::optional(Ends{*low, *first, by}) : std::nullopt;
  }
  return std::nullopt;
}

// Of variables that bound the loops: each of these runs, so that its high end isn't below its low end.
std::map<VarId, long long> IndexBounds::leastValues(const Loops& loops) const {
  std::map<VarId, long long> least;
  Loops around;
  for (const For* l : loops) {
    const auto e = ends(*l, around);
    around.push_back(l);
    const auto width = e ? sum(e->high, e->low, -1) : std::nullopt;
    if (!width) continue;
    for (const auto& [monomial, c] : *width) {
      if (monomial.size() != 1 || c != 1 || width->size() > 2 || (width->size() == 2 && width->begin()->first.size() != 0)) continue;
      const long long from = -numberOf(*width);
      const auto [known, first] = least.emplace(monomial[0], from);
      if (!first) known->second = std::max(known->second, from);
    }
  }
  return least;
}

bool IndexBounds::atLeast(const std::optional<Polynomial>& p, long long number, const Loops& loops) const {
  if (!p) return false;
  const auto least = leastValues(loops);
  Polynomial rest = *p;
  // From the innermost loop outwards, since bounds are in terms of the counters around.
  for (std::size_t k = loops.size(); k-- > 0;) {
    const VarId counter = loops[k]->counter;
    if (variablesOf(rest).count(counter) == 0) continue;
    const auto range = ends(*loops[k], Loops(loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(k)));
    Polynomial coefficient, others;
    if (!range || !split(rest, counter, coefficient, others)) return false;
    long long sign = 0;
    const auto negated = sum({}, coefficient, -1);
    std::optional<Polynomial> now;
    if (leastOf(coefficient, least, sign) && sign >= 0)
      now = substitute(rest, counter, range->low);
    else if (negated && leastOf(*negated, least, sign) && sign >= 0)
      now = substitute(rest, counter, range->high);
    if (!now) return false;
    rest = *now;
  }
  long long value = 0;
  return leastOf(rest, least, value) && value >= number;
}

}  // namespace contraflow::analysis
