// The adjoint of structural operations on vectors: done to primal and shadow, recorded, and undone in the opposite order.
//
//     v.resize(n);    forward: resize(v, n, tape); follow(v_b, v, tape);    reverse: revert(v_b, tape); revert(v, tape);
//     a.swap(b);      forward: a.swap(b); a_b.swap(b_b);                    reverse: a_b.swap(b_b); a.swap(b);
#include <algorithm>

#include "ir/walk.hpp"
#include "ir/check.hpp"
#include "transform/adjoint_builder.hpp"

namespace contraflow::transform {

using namespace ir;

namespace {
void prepend(Block& to, const Block& what) { to.insert(to.begin(), what.begin(), what.end()); }
}  // namespace

// True if naming the vector needs nothing that changes.
bool AdjointBuilder::namesDirectly(ExprId vector) const {
  if (const auto* field = std::get_if<FieldRef>(&f_[vector].node)) return namesDirectly(field->base);
  return std::holds_alternative<VarRef>(f_[vector].node) || std::holds_alternative<GlobalRef>(f_[vector].node);
}

// A vector of a structural operation, and its shadow, in both sweeps: by name, or by an address that is kept.
AdjointBuilder::NamedVector AdjointBuilder::nameVector(ExprId vector, unsigned level, Parts& parts, const Context& ctx) {
  NamedVector out;
  const ExprId shadow = shadows_.place(vector);
  ExprId base;
  const bool maybe = shadow.valid() && shadows_.mayBeNull(vector, base);
  if (namesDirectly(vector) || facts_.stable(variant_.primal, current_)) {
    out.primal = out.primalRev = vector;
    out.shadow = out.shadowRev = shadow;
    if (maybe) out.base = out.baseRev = base;
    return out;
  }
  const bool inScope = ctx.joint && level == ctx.depth;
  const auto address = [&](ExprId place, ExprId value, ExprId& forward, ExprId& reverse, ExprId& pointerFwd, ExprId& pointerRev) {
    const TypeId type = f_[place].type;
    const VarId kept = newVar("vector", pointerTo(type));
    parts.fwd[level].push_back(declareVar(kept, Init::Value, {value}));
    pointerFwd = pointerRev = var(kept);
    forward = reverse = f_.addExpr(Deref{pointerFwd}, type);
    if (inScope) return;
    out.pushes.push_back(add(Push{ctx.tapes[level], var(kept)}));
    const VarId popped = newVar("vector", pointerTo(type));
    prepend(out.pops, {declareVar(popped, Init::None), add(Pop{ctx.tapes[level], var(popped), false})});
    pointerRev = var(popped);
    reverse = f_.addExpr(Deref{pointerRev}, type);
  };
  ExprId pointer, pointerRev;
  address(vector, f_.addExpr(AddressOf{vector}, pointerTo(f_[vector].type)), out.primal, out.primalRev, pointer, pointerRev);
  if (!shadow.valid()) return out;
  const ExprId value = shadows_.pointer(f_.addExpr(AddressOf{vector}, pointerTo(f_[vector].type)));
  address(shadow, value, out.shadow, out.shadowRev, pointer, pointerRev);
  if (maybe) {
    out.base = pointer;
    out.baseRev = pointerRev;
  }
  return out;
}

StmtId AdjointBuilder::ifPresent(ExprId base, StmtId s) {
  if (!base.valid()) return s;
  return add(If{binary(BinaryOp::Ne, base, literal("nullptr", f_[base].type), bool_), {s}, {}});
}

void AdjointBuilder::restructure(StmtId s, const Restructure& r, Parts& parts, const Context& ctx) {
  const unsigned level = std::min(levelOf(r.container), ctx.depth);
  const bool swap = r.op == Structure::Swap;
  if (swap && std::min(levelOf(r.operand), ctx.depth) != level)
    internalError("adjoint", m_[variant_.primal].name, "a vector of an iteration that is run again is swapped with one from outside");
  for (unsigned k = 0; k < level; ++k) parts.fwd[k].push_back(s);
  const VarId tape = ctx.tapes[level];
  const NamedVector a = nameVector(r.container, level, parts, ctx);
  if (swap) {
    const NamedVector b = nameVector(r.operand, level, parts, ctx);
    return swapVectors(a, b, visible(r.container) || visible(r.operand), level, parts, ctx);
  }
  const bool seen = visible(r.container);
  Block& section = parts.fwd[level];
  section.push_back(add(Restructure{r.op, a.primal, r.operand, tape, facts_.overwriteNeeded(variant_.primal, s), false}));
  // In the forward sweep a shadow holds zeros, but for its pointers.
  const bool keepShadow = holdsPointer(m_, f_[r.container].type);
  if (a.shadow.valid())
    section.push_back(ifPresent(a.base, add(Restructure{Structure::Follow, a.shadow, a.primal, tape, keepShadow, false})));
  section.insert(section.end(), a.pushes.begin(), a.pushes.end());
  parts.rev.insert(parts.rev.end(), a.pops.begin(), a.pops.end());
  if (a.shadowRev.valid()) parts.rev.push_back(ifPresent(a.baseRev, add(Revert{tape, a.shadowRev, false})));
  parts.rev.push_back(add(Revert{tape, a.primalRev, seen}));
  needsAfterImage_ = needsAfterImage_ || seen;
}

void AdjointBuilder::swapVectors(const NamedVector& a, const NamedVector& b, bool seen, unsigned level, Parts& parts, const Context& ctx) {
  const VarId tape = ctx.tapes[level];
  Block& section = parts.fwd[level];
  const auto shadows = [&](ExprId x, ExprId y, ExprId baseX, ExprId baseY, Block& out) {
    if (x.valid() && y.valid())
      out.push_back(ifPresent(baseX, ifPresent(baseY, add(Restructure{Structure::Swap, x, y, {}, true, false}))));
  };
  section.push_back(add(Restructure{Structure::Swap, a.primal, b.primal, {}, true, false}));
  shadows(a.shadow, b.shadow, a.base, b.base, section);
  section.insert(section.end(), a.pushes.begin(), a.pushes.end());
  section.insert(section.end(), b.pushes.begin(), b.pushes.end());
  Block& rev = parts.rev;
  rev.insert(rev.end(), b.pops.begin(), b.pops.end());
  rev.insert(rev.end(), a.pops.begin(), a.pops.end());
  shadows(a.shadowRev, b.shadowRev, a.baseRev, b.baseRev, rev);
  rev.push_back(add(Restructure{Structure::Swap, a.primalRev, b.primalRev, seen ? tape : VarId(), true, seen}));
  needsAfterImage_ = needsAfterImage_ || seen;
}

// p = new T[n];    forward: memory(n), memory_b(n) in frames; p_b = memory_b.data(); p = memory.data();
//                  reverse: both frames are released; p and p_b as before
void AdjointBuilder::allocate(StmtId s, const Allocate& a, Parts& parts, const Context& ctx) {
  const TypeId pointer = withoutConst(m_, f_[a.target].type);
  const TypeId element = withoutConst(m_, as<PointerType>(m_, pointer)->pointee);
  if (ctx.depth != 0) internalError("adjoint", m_[variant_.primal].name, "memory is allocated in a loop that is run again");
  const VarId tape = ctx.tapes[0];
  const ExprId shadow = facts_.shadowOf(variant_.primal, a.target) == analysis::Presence::None ? ExprId() : shadows_.place(a.target);
  ExprId base;
  if (shadow.valid() && shadows_.mayBeNull(a.target, base))
    return refuse("memory is allocated for a pointer in memory that may have no shadow", "allocate it for a local pointer first");
  if (!facts_.stable(variant_.primal, s) && namesItself(a.target))
    return refuse("an allocation that changes where its own target lies isn't supported", "allocate it for a local pointer first");
  if (facts_.overwriteNeeded(variant_.primal, s)) {
    recordInPlace(a.target, 0, visible(a.target), parts, ctx);
    if (shadow.valid()) recordInPlace(shadow, 0, visible(a.target), parts, ctx);
  }
  const TypeId vector = m_.type(ContainerType{ContainerKind::Vector, element, 0});
  const ExprId count = a.count.valid() ? a.count : algebra_.literal(1, long_);
  Block release, reopen;
  const auto memory = [&](ExprId target, const std::string& name) {
    const VarId v = newVar(name, vector);
    Block& section = parts.fwd[0];
    section.push_back(add(Declare{v, Init::Construct, {count}, Storage::FrameCreate, tape}));
    if (!beginsAtZero(m_, element) && target == shadow) section.push_back(add(SetZero{var(v)}));
    section.push_back(add(Assign{target, f_.addExpr(DataOf{var(v)}, f_[target].type)}));
    section.push_back(add(Push{tape, f_.addExpr(AddressOf{var(v)}, pointerTo(vector))}));
    const VarId again = newVar(name, vector);
    prepend(reopen, {add(Declare{again, Init::None, {}, Storage::FrameReopen, tape})});
    prepend(release, {add(TapeRelease{tape, again})});
  };
  Block pushes;
  // Both frames first, then both addresses: what is pushed last comes off first.
  const std::size_t before = parts.fwd[0].size();
  memory(a.target, "memory");
  if (shadow.valid()) memory(shadow, "memory_b");
  Block made(parts.fwd[0].begin() + static_cast<std::ptrdiff_t>(before), parts.fwd[0].end());
  parts.fwd[0].resize(before);
  for (StmtId one : made) (std::holds_alternative<Push>(f_[one].node) ? pushes : parts.fwd[0]).push_back(one);
  parts.fwd[0].insert(parts.fwd[0].end(), pushes.begin(), pushes.end());
  Block begin = reopen;
  begin.insert(begin.end(), release.begin(), release.end());
  prepend(parts.rev, begin);
}

// True if objects of the type own vectors.
// A call has given a variable vectors of some size: its shadow gets them too.
void AdjointBuilder::shapeResult(ExprId result, Block& out) {
  if (!result.valid() || !ownsVector(m_, f_[result].type)) return;
  const ExprId shadow = facts_.shadowOf(variant_.primal, result) == analysis::Presence::None ? ExprId() : shadows_.place(result);
  if (!shadow.valid()) return;
  if (as<RecordType>(m_, f_[result].type) && holdsPointer(m_, f_[result].type))
    return refuse("a function returns a record with pointers and vectors", "return its parts through parameters");
  out.push_back(add(Runtime{{"contraflow::shape(", ", ", ");"}, {shadow, result}}));
  if (!takeRoom(m_, f_, shadow, result, [&](Runtime r) { out.push_back(add(std::move(r))); }))
    refuse("a function returns an array or a vector of objects that own vectors", "return it through a parameter");
}

// --- vector parameters of a head that may change their size: see contraflow/structure.hpp

std::vector<std::pair<VarId, VarId>> AdjointBuilder::takeSeeds(Block& out) {
  std::vector<std::pair<VarId, VarId>> taken;
  for (VarId p : m_[variant_.primal].params) {
    const VarId shadow = shadows_.of(p);
    if (!shadow.valid() || !resizedParameters_.count(p)) continue;
    const TypeId type = withoutConst(m_, withoutReference(m_, f_[shadow].type));
    TypeId element = as<ContainerType>(m_, type)->element;
    while (const auto* c = as<ContainerType>(m_, element)) element = c->element;
    if (!isReal(m_, element)) {
      at_ = f_[p].loc;
      refuse("the vector '" + f_[p].name + "' of objects changes its size in a head", "name a function as head that owns the vector, and calls this one");
      continue;
    }
    const VarId seeds = newVar(f_[p].name + "_seeds", type);
    out.push_back(declareVar(seeds, Init::None));
    out.push_back(add(Runtime{{"contraflow::takeSeeds(", ", ", ", ", ");"}, {var(seeds), var(shadow), var(p)}}));
    taken.emplace_back(p, seeds);
  }
  return taken;
}

void AdjointBuilder::addSeeds(const std::vector<std::pair<VarId, VarId>>& taken, Block& out) {
  for (const auto& [p, seeds] : taken)
    out.push_back(add(Runtime{{"contraflow::addSeeds(", ", ", ", \"" + f_[p].name + "\");"}, {var(shadows_.of(p)), var(seeds)}}));
}

// Those of which some structural operation may change the size.
void AdjointBuilder::findResizedParameters() {
  bool any = false;
  for (std::uint32_t k = 0; k < m_.functions.size() && !any; ++k) {
    const Function& g = m_.functions[k];
    if (g.kind != FunctionKind::Primal) continue;
    walkStmts(g, g.body, [&](StmtId s) {
      const auto* r = std::get_if<Restructure>(&g[s].node);
      if (!r) return;
      any = any || facts_.callerVisible(FuncId(k), r->container) ||
            (r->op == Structure::Swap && facts_.callerVisible(FuncId(k), r->operand));
    });
  }
  if (!any) return;
  for (VarId p : m_[variant_.primal].params)
    if (facts_.resizes(variant_.primal, p)) resizedParameters_.insert(p);
}

}  // namespace contraflow::transform
