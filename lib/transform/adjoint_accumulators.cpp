// Reductions of adjoints: what a parallel region only reads, a scalar or a small array, is read by all threads. Each sums its adjoint in a
// variable of its own, and adds that at the end of the region.
#include <algorithm>
#include <functional>

#include "analysis/recompute.hpp"
#include "ir/walk.hpp"
#include "transform/adjoint_builder.hpp"

namespace contraflow::transform {

using namespace ir;

namespace {

constexpr std::uint64_t kMostElements = 32;

// The reals of a scalar or of an array of scalars of constant size; 0 for any other type.
std::uint64_t realsOf(const Module& m, TypeId type) {
  if (isReal(m, type)) return 1;
  if (const auto* a = as<ArrayType>(m, type)) return a->extent * realsOf(m, a->element);
  if (const auto* c = as<ContainerType>(m, type); c && c->kind == ContainerKind::StdArray) return c->extent * realsOf(m, c->element);
  return 0;
}

}  // namespace

// The variable that the place is a scalar element of, by subscripts alone; itself for a scalar.
VarId AdjointBuilder::elementOf(ExprId place) const {
  const ExprNode& node = f_[place].node;
  if (const auto* v = std::get_if<VarRef>(&node)) return v->var;
  const auto* s = std::get_if<Subscript>(&node);
  if (!s) return {};
  if (const auto* d = std::get_if<Decay>(&f_[s->base].node)) return elementOf(d->array);
  return isPointer(f_[s->base].type) ? VarId() : elementOf(s->base);
}

// The element of the thread's own sum that belongs to the place; none if there is no such sum.
ExprId AdjointBuilder::accumulatorFor(ExprId place) {
  const VarId root = elementOf(place);
  const auto own = root.valid() ? accumulators_.find(root) : accumulators_.end();
  if (own == accumulators_.end()) return {};
  const std::function<ExprId(ExprId)> rebuilt = [&](ExprId e) -> ExprId {
    const Expr from = f_[e];
    const TypeId type = withoutConst(m_, from.type);
    if (const auto* s = std::get_if<Subscript>(&from.node)) return f_.addExpr(Subscript{rebuilt(s->base), s->index, false}, type);
    if (const auto* d = std::get_if<Decay>(&from.node)) return f_.addExpr(Decay{rebuilt(d->array)}, shadows_.type(from.type));
    return var(own->second);
  };
  return rebuilt(place);
}

// Every real of the sum is added to its counterpart, safe against other threads.
void AdjointBuilder::addShared(ExprId target, ExprId sum, Block& out) {
  const TypeId type = f_[target].type;
  if (isReal(m_, type)) {
    out.push_back(add(SharedIncrement{target, sum, false, Strategy::Atomic, {}}));
    return;
  }
  const auto* array = as<ArrayType>(m_, type);
  const auto* container = as<ContainerType>(m_, type);
  const TypeId element = array ? array->element : container->element;
  const std::uint64_t extent = array ? array->extent : container->extent;
  const VarId k = newVar("k", int_);
  const auto at = [&](ExprId whole) {
    return f_.addExpr(Subscript{whole, var(k), false}, withoutConst(m_, element));
  };
  Block body;
  addShared(at(target), at(sum), body);
  out.push_back(add(For{k, literal("0", int_), BinaryOp::Lt, intLiteral(static_cast<long>(extent)), literal("1", int_), std::move(body)}));
}

// What the region reads, and what it may write.
struct AdjointBuilder::RegionUse {
  std::map<VarId, ExprId> read;       // by one of the places that are read
  std::set<VarId> declared, whole;    // whole: named other than by an element
  std::vector<ExprId> written;
  bool calls = false;
};

AdjointBuilder::RegionUse AdjointBuilder::useOf(const Block& region) const {
  RegionUse use;
  const std::function<void(ExprId)> visit = [&](ExprId e) {
    const VarId v = isReal(m_, f_[e].type) ? elementOf(e) : VarId();
    if (v.valid()) {
      if (active(e)) use.read.emplace(v, e);
      for (ExprId at = e; const auto* s = std::get_if<Subscript>(&f_[at].node);) {
        visit(s->index);
        const auto* d = std::get_if<Decay>(&f_[s->base].node);
        at = d ? d->array : s->base;
      }
      return;
    }
    if (const auto* whole = std::get_if<VarRef>(&f_[e].node)) use.whole.insert(whole->var);
    forEachChildExpr(f_[e], visit);
  };
  walkStmts(f_, region, [&](StmtId s) {
    const auto target = [&](ExprId e) {
      if (e.valid()) use.written.push_back(e);
    };
    forEachDeclaredVar(f_[s], [&](VarId v) { use.declared.insert(v); });
    const StmtNode& node = f_[s].node;
    if (const auto* a = std::get_if<Assign>(&node)) target(a->target);
    if (const auto* i = std::get_if<Increment>(&node)) target(i->target);
    if (const auto* a = std::get_if<OmpAtomic>(&node)) target(a->target);
    if (const auto* o = std::get_if<Opaque>(&node)) use.written.insert(use.written.end(), o->writes.begin(), o->writes.end());
    if (const auto* c = std::get_if<Call>(&node)) {
      target(c->result);
      use.calls = true;
    }
    use.calls = use.calls || std::holds_alternative<Mpi>(node);
    if (const auto* w = std::get_if<OmpFor>(&node))
      for (const CopyOf& c : w->data.reductions) target(c.original);
    if (const auto* w = std::get_if<OmpSimd>(&node))
      for (const CopyOf& c : w->data.reductions) target(c.original);
    forEachExprOfStmt(f_[s], visit);
  });
  return use;
}

void AdjointBuilder::findAccumulators(const OmpParallel& p) {
  if (options_.trace) return;
  const RegionUse use = useOf(p.body);
  for (const auto& [v, place] : use.read) {
    const TypeId type = withoutReference(m_, f_[v].type);
    const std::uint64_t reals = realsOf(m_, type);
    if (reals == 0 || reals > kMostElements || use.declared.count(v) || reductionCopies_.count(v)) continue;
    const bool reference = isReference(m_, f_[v].type);
    if (reference && f_[v].kind != VarKind::Parameter) continue;
    if (reals > 1 && use.whole.count(v)) continue;
    // Other names for it: a call may write through them.
    const bool named = reference || addressTaken_.count(v) != 0;
    if (named && use.calls) continue;
    const auto hits = [&, variable = v, element = place](ExprId w) {
      // A local of this function is neither another one nor what a parameter refers to.
      if (const VarId own = analysis::ownVariable(m_, f_, w); own.valid()) return own == variable;
      return named && !facts_.disjoint(variant_.primal, element, w);
    };
    if (std::any_of(use.written.begin(), use.written.end(), hits)) continue;
    if (!shadows_.of(v).valid()) continue;
    accumulators_[v] = newVar(f_[v].name + "_b_own", shadows_.type(type));
    inRegion_.insert(accumulators_[v]);
  }
}

}  // namespace contraflow::transform
