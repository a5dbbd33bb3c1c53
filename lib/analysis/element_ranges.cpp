#include "analysis/element_ranges.hpp"

#include <algorithm>

#include "ir/walk.hpp"

namespace contraflow::analysis {

using namespace ir;

namespace {

constexpr std::size_t kMostOffsets = 64;
// Of 32-bit variables: what the program counts with itself fits the type that it counts in, and is little less than the products of
// these numbers; only the ends of loops that don't run may be beyond.
constexpr std::size_t kMostFactors = 3;

// The variable of which the place is a part; none for what lies behind a pointer.
VarId variableOf(const Module& m, const Function& fn, ExprId place) {
  if (!place.valid()) return {};
  const ExprNode& node = fn[place].node;
  if (const auto* v = std::get_if<VarRef>(&node)) return v->var;
  if (const auto* r = std::get_if<FieldRef>(&node)) return variableOf(m, fn, r->base);
  if (const auto* s = std::get_if<Subscript>(&node); s && !as<PointerType>(m, fn[s->base].type)) return variableOf(m, fn, s->base);
  return {};
}

}  // namespace

ElementRanges::ElementRanges(const Module& m, const Function& fn, StmtId stmt) : m_(m), fn_(fn), stmt_(stmt) {
  findVariables();
  std::map<VarId, std::size_t> mentions, bases;
  std::set<VarId> unknown;
  walkStmt(fn_, stmt_, [&](StmtId s) {
    forEachExprOfStmt(fn_[s], [&](ExprId e) {
      walkExpr(fn_, e, [&](ExprId x) {
        const ExprNode& node = fn_[x].node;
        if (const auto* v = std::get_if<VarRef>(&node)) ++mentions[v->var];
        if (const auto* size = std::get_if<SizeOf>(&node))
          if (const auto* v = std::get_if<VarRef>(&fn_[size->container].node)) --mentions[v->var];
        if (!std::holds_alternative<Subscript>(node) || !isReal(m_, fn_[x].type)) return;
        const auto element = realElement(m_, fn_, x, [&](ExprId index) { return polynomial(index); });
        if (!element) return;  // a mention that is no base
        ++bases[element->base];
        if (!fixedBase(element->base) || !atEnds(element->index, offsets_[element->base])) unknown.insert(element->base);
      });
    });
  });
  for (const auto& [pointer, count] : bases)
    if (count != mentions[pointer]) unknown.insert(pointer);
  for (VarId v : unknown) offsets_.erase(v);
}

void ElementRanges::findVariables() {
  const auto root = [&](ExprId e) { return variableOf(m_, fn_, e); };
  const auto add = [](std::set<VarId>& to, VarId v) {
    if (v.valid()) to.insert(v);
  };
  VarId before;  // declared without a value by the statement before: what is popped right behind its declaration has one
  walkStmts(fn_, fn_.body, [&](StmtId s) {
    const StmtNode& node = fn_[s].node;
    if (const auto* pop = std::get_if<Pop>(&node); pop && before.valid())
      if (const auto* v = std::get_if<VarRef>(&fn_[pop->place].node); v && v->var == before) unset_.erase(before);
    before = VarId();
    if (const auto* d = std::get_if<Declare>(&node)) {
      if (d->init == Init::None) unset_.insert(before = d->var);
      if (d->init == Init::Bind) add(addressTaken_, root(d->args[0]));
    }
    if (const auto* c = std::get_if<Call>(&node))
      for (std::size_t k = 0; k < c->args.size(); ++k)
        if (isReference(m_, m_[c->callee][m_[c->callee].params[k]].type)) add(addressTaken_, root(c->args[k]));
    forEachExprOfStmt(fn_[s], [&](ExprId e) {
      walkExpr(fn_, e, [&](ExprId x) {
        if (const auto* a = std::get_if<AddressOf>(&fn_[x].node)) add(addressTaken_, root(a->place));
      });
    });
  });
  walkStmt(fn_, stmt_, [&](StmtId s) {
    const StmtNode& node = fn_[s].node;
    if (const auto* d = std::get_if<Declare>(&node))
      if (d->init == Init::Value && d->args.size() == 1 && !values_.emplace(d->var, d->args[0]).second) written_.insert(d->var);
    if (const auto* x = std::get_if<Assign>(&node)) add(written_, root(x->target));
    if (const auto* x = std::get_if<Increment>(&node)) add(written_, root(x->target));
    if (const auto* x = std::get_if<OmpAtomic>(&node)) add(written_, root(x->target));
    if (const auto* x = std::get_if<SharedIncrement>(&node)) add(written_, root(x->target));
    if (const auto* x = std::get_if<SetZero>(&node)) add(written_, root(x->place));
    if (const auto* x = std::get_if<Pop>(&node)) add(written_, root(x->place));
    if (const auto* x = std::get_if<Call>(&node)) add(written_, root(x->result));
    if (const auto* x = std::get_if<Mpi>(&node)) add(written_, root(x->result));
    if (const auto* x = std::get_if<Allocate>(&node)) add(written_, root(x->target));
    if (const auto* x = std::get_if<Opaque>(&node))
      for (ExprId w : x->writes) add(written_, root(w));
    if (const auto* l = std::get_if<For>(&node))
      if (!loops_.emplace(l->counter, l).second) written_.insert(l->counter);
    forEachDeclaredVar(fn_[s], [&](VarId v) { declared_.insert(v); });
  });
}

// Where its elements are doesn't change. (Nothing changes the size of a vector in a statement whose mentions of it are subscripts.)
bool ElementRanges::fixedBase(VarId v) const {
  const TypeId type = withoutReference(m_, fn_[v].type);
  if (as<ArrayType>(m_, type) || as<ContainerType>(m_, type)) return declared_.count(v) == 0;
  return unchanging(v);
}

bool ElementRanges::unchanging(VarId v) const {
  return declared_.count(v) == 0 && written_.count(v) == 0 && addressTaken_.count(v) == 0 && unset_.count(v) == 0 &&
         !isReference(m_, fn_[v].type);
}

// Of counters, and of variables that don't change.
std::optional<Polynomial> ElementRanges::polynomial(ExprId e) const {
  const IndexLeaf leaf = [&](ExprId x) -> std::optional<Polynomial> {
    if (auto number = derivativeIndex(m_, fn_, x, [&](ExprId inner) { return polynomial(inner); })) return number;
    const auto* v = std::get_if<VarRef>(&fn_[x].node);
    const auto* type = v ? as<IntType>(m_, fn_[v->var].type) : nullptr;
    const auto value = type && (type->isSigned || type->bits == 64) ? values_.find(v->var) : values_.end();
    if (value == values_.end() || written_.count(v->var) != 0 || addressTaken_.count(v->var) != 0) return std::nullopt;
    return polynomial(value->second);
  };
  auto p = polynomialOf(m_, fn_, e, leaf, Wrapping::InRanges);
  if (!p) return p;
  for (const auto& [monomial, c] : *p) {
    if (monomial.size() > kMostFactors) return std::nullopt;
    for (VarId v : monomial)
      if (!unchanging(v) && (loops_.count(v) == 0 || written_.count(v) != 0 || addressTaken_.count(v) != 0)) return std::nullopt;
  }
  return p;
}

// The first and the last value of the counter, if there are any.
bool ElementRanges::ends(const For& loop, std::vector<Polynomial>& out) const {
  const auto init = polynomial(loop.init), bound = polynomial(loop.bound), step = polynomial(loop.step);
  if (!init || !bound || !step) return false;
  long long beyond = 0;  // what the bound is beyond the last value
  if (loop.compare == BinaryOp::Lt) beyond = 1;
  if (loop.compare == BinaryOp::Gt) beyond = -1;
  if (loop.compare == BinaryOp::Ne) {
    if (!isNumber(*step) || (numberOf(*step) != 1 && numberOf(*step) != -1)) return false;
    beyond = numberOf(*step);
  }
  const auto last = sum(*bound, Polynomial{{{}, 1}}, -beyond);
  if (!last) return false;
  out = {*init, *last};
  return true;
}

bool ElementRanges::atEnds(const Polynomial& index, std::vector<Polynomial>& out) const {
  std::vector<Polynomial> offsets{index};
  for (;;) {
    VarId counter;
    for (const Polynomial& o : offsets)
      for (VarId v : variablesOf(o))
        if (loops_.count(v) != 0) counter = v;
    if (!counter.valid()) break;
    std::vector<Polynomial> values, next;
    if (!ends(*loops_.at(counter), values)) return false;
    for (const Polynomial& o : offsets) {
      if (variablesOf(o).count(counter) == 0) {
        next.push_back(o);
        continue;
      }
      for (const Polynomial& value : values) {
        const auto at = substitute(o, counter, value);
        if (!at || variablesOf(*at).count(counter) != 0) return false;
        next.push_back(*at);
      }
    }
    offsets = std::move(next);
    if (offsets.size() > kMostOffsets) return false;
  }
  for (const Polynomial& o : offsets)
    for (const auto& [monomial, c] : o)
      if (monomial.size() > kMostFactors) return false;
  for (const Polynomial& o : offsets)
    if (std::find(out.begin(), out.end(), o) == out.end()) out.push_back(o);
  return out.size() <= kMostOffsets;
}

}  // namespace contraflow::analysis
