// Loops at the end of a head whose forward and reverse sweep are one.
//
//     double sum = 0.0;                               double sum_b = 0.0;
//     for (int i = 0; i < n; ++i)                     sum_b += seed;
//       sum += f(x[i]);                       →       for (int i = 0; i < n; ++i) {
//     return sum;                                       sum += f(x[i]);  x_b[i] += f'(x[i]) * sum_b;
//                                                     }
//                                                     return sum;
//
// The reverse sweep would run the iterations again, and the seed of the sum is known beforehand, since what follows the loop is linear
// in it. So the forward sweep leaves the loop out. Iterations are reversed in the order of the primal: all that they do to adjoints of
// memory outside is to read those of the sums and to add to those of what they read, and neither depends on the order.
#include <functional>

#include "ir/check.hpp"
#include "ir/walk.hpp"
#include "transform/adjoint_builder.hpp"

namespace contraflow::transform {

using namespace ir;

namespace {

bool mentions(const Function& f, ExprId e, const std::set<VarId>& vars) {
  bool found = false;
  walkExpr(f, e, [&](ExprId x) {
    const auto* v = std::get_if<VarRef>(&f[x].node);
    found = found || (v && vars.count(v->var) != 0);
  });
  return found;
}

bool mentions(const Function& f, StmtId s, const std::set<VarId>& vars) {
  bool found = false;
  walkStmt(f, s, [&](StmtId inner) {
    forEachExprOfStmt(f[inner], [&](ExprId e) { found = found || mentions(f, e, vars); });
  });
  return found;
}

// The variable, if the place is one as a whole.
VarId wholeVariable(const Function& f, ExprId place) {
  const auto* v = std::get_if<VarRef>(&f[place].node);
  return v ? v->var : VarId();
}

// What a statement that may stand in such a loop writes; false if it is another one.
bool writesOf(const Stmt& stmt, std::vector<ExprId>& targets) {
  const StmtNode& node = stmt.node;
  if (const auto* a = std::get_if<Assign>(&node)) targets.push_back(a->target);
  if (const auto* i = std::get_if<Increment>(&node)) targets.push_back(i->target);
  const auto* c = std::get_if<Call>(&node);
  if (c && c->result.valid()) targets.push_back(c->result);
  return !targets.empty() || c || std::holds_alternative<Declare>(node) || std::holds_alternative<If>(node) ||
         std::holds_alternative<For>(node) || std::holds_alternative<While>(node) || std::holds_alternative<Comment>(node);
}

}  // namespace

// Memory of a variable that is declared in the loop, and not what a pointer or reference in it reaches.
bool AdjointBuilder::isOwnMemory(ExprId place, const std::set<VarId>& own) const {
  const ExprNode& node = f_[place].node;
  if (const auto* v = std::get_if<VarRef>(&node)) return own.count(v->var) != 0 && !isReference(m_, f_[v->var].type);
  if (const auto* r = std::get_if<FieldRef>(&node)) {
    const auto* record = as<RecordType>(m_, f_[r->base].type);
    return record && !isReference(m_, m_[record->record].fields[r->field].type) && isOwnMemory(r->base, own);
  }
  if (const auto* s = std::get_if<Subscript>(&node)) {
    if (const auto* d = std::get_if<Decay>(&f_[s->base].node)) return isOwnMemory(d->array, own);
    return as<ArrayType>(m_, f_[s->base].type) && isOwnMemory(s->base, own);
  }
  return false;
}

// The variables that the loop only adds to, if it writes nothing else outside of itself; they aren't read in it.
std::optional<std::set<VarId>> AdjointBuilder::sumsOf(StmtId loop) const {
  std::set<VarId> own, sums;
  walkStmt(f_, loop, [&](StmtId s) { forEachDeclaredVar(f_[s], [&](VarId v) { own.insert(v); }); });
  own.insert(std::get<For>(f_[loop].node).counter);
  bool good = true;
  walkStmt(f_, loop, [&](StmtId s) {
    std::vector<ExprId> targets;
    good = good && writesOf(f_[s], targets);
    for (ExprId target : targets) {
      if (isOwnMemory(target, own)) continue;
      const VarId v = wholeVariable(f_, target);
      good = good && v.valid() && std::holds_alternative<Increment>(f_[s].node) && isPlainLocal(v) &&
             !facts_.overwriteNeeded(variant_.primal, s);
      sums.insert(v);
    }
  });
  if (!good) return std::nullopt;
  walkStmt(f_, loop, [&](StmtId s) {
    const auto* i = std::get_if<Increment>(&f_[s].node);
    if (i && sums.count(wholeVariable(f_, i->target)) != 0) good = good && !mentions(f_, i->value, sums);
    else forEachExprOfStmt(f_[s], [&](ExprId e) { good = good && !mentions(f_, e, sums); });
  });
  return good ? std::optional(sums) : std::nullopt;
}

// A number of the function's own that nothing else can reach.
bool AdjointBuilder::isPlainLocal(VarId v) const {
  const Var& x = f_[v];
  return x.kind == VarKind::Local && (isReal(m_, x.type) || isIntegral(m_, x.type)) && addressTaken_.count(v) == 0 &&
         escaping_.count(v) == 0;
}

// True if the value is linear in these variables, and its adjoint needs none of them.
bool AdjointBuilder::linearIn(ExprId e, const std::set<VarId>& vars) const {
  if (!mentions(f_, e, vars)) return true;
  const ExprNode& node = f_[e].node;
  if (std::holds_alternative<VarRef>(node)) return true;
  if (const auto* u = std::get_if<Unary>(&node)) return u->op == UnaryOp::Minus && linearIn(u->operand, vars);
  if (const auto* c = std::get_if<Cast>(&node)) return isReal(m_, f_[e].type) && isReal(m_, f_[c->operand].type) && linearIn(c->operand, vars);
  const auto* b = std::get_if<Binary>(&node);
  if (!b) return false;
  const auto constant = [&](ExprId x) { return !mentions(f_, x, vars) && !flows(x); };
  if (b->op == BinaryOp::Add || b->op == BinaryOp::Sub) return linearIn(b->lhs, vars) && linearIn(b->rhs, vars);
  if (b->op == BinaryOp::Mul) return (constant(b->lhs) && linearIn(b->rhs, vars)) || (constant(b->rhs) && linearIn(b->lhs, vars));
  return b->op == BinaryOp::Div && constant(b->rhs) && linearIn(b->lhs, vars);
}

// True if the numbers are added to the sums in the order of the primal: loops within that are run again themselves come behind everything
// else of an iteration, and from the last to the first.
bool AdjointBuilder::keepsOrder(StmtId loop, const std::set<VarId>& sums) const {
  int direct = 0, later = 0;
  bool good = true;
  const std::function<void(const Block&, bool)> count = [&](const Block& block, bool inLoop) {
    for (StmtId s : block) {
      const StmtNode& node = f_[s].node;
      if (!mentions(f_, s, sums)) continue;
      const auto* l = std::get_if<For>(&node);
      const auto* w = std::get_if<While>(&node);
      if (isCheckpointed(s)) {
        good = false;
      } else if (l && facts_.recomputeLoop(variant_.primal, s)) {
        ++later;
        good = good && !inLoop && sumsOf(s) && keepsOrder(s, sums);
      } else if (l || w) {
        count(l ? l->body : w->body, true);
      } else if (const auto* i = std::get_if<If>(&node)) {
        count(i->then, inLoop);
        count(i->otherwise, inLoop);
      } else {
        ++direct;
      }
    }
  };
  count(std::get<For>(f_[loop].node).body, false);
  return good && (later == 0 || (later == 1 && direct == 0));
}

// A statement that stores a number outside of the function, where nothing is overwritten that the reverse sweep needs.
bool AdjointBuilder::storesResult(StmtId s) const {
  const auto* a = std::get_if<Assign>(&f_[s].node);
  const auto* i = std::get_if<Increment>(&f_[s].node);
  if (!a && !i) return false;
  const ExprId target = a ? a->target : i->target;
  return isReal(m_, f_[target].type) && !wholeVariable(f_, target).valid() && !facts_.overwriteNeeded(variant_.primal, s);
}

// True if the value is computed from numbers of the function's own, and reads no other memory.
bool AdjointBuilder::isOfNumbers(ExprId e) const {
  bool yes = true;
  walkExpr(f_, e, [&](ExprId x) {
    const ExprNode& node = f_[x].node;
    const auto* v = std::get_if<VarRef>(&node);
    const bool own = v && (isPlainLocal(v->var) || (f_[v->var].kind == VarKind::Parameter && !isReference(m_, f_[v->var].type) &&
                                                    addressTaken_.count(v->var) == 0));
    yes = yes && (own || std::holds_alternative<Literal>(node) || std::holds_alternative<Unary>(node) ||
                  std::holds_alternative<Binary>(node) || std::holds_alternative<Cast>(node) || std::holds_alternative<MathCall>(node));
  });
  return yes;
}

// The same of what a place's address is computed from: `out[k]`, `*out`, `p->x`.
bool AdjointBuilder::isNamedByNumbers(ExprId place) const {
  const ExprNode& node = f_[place].node;
  if (std::holds_alternative<VarRef>(node)) return true;
  if (const auto* r = std::get_if<FieldRef>(&node)) return isNamedByNumbers(r->base);
  if (const auto* d = std::get_if<Deref>(&node)) return isOfNumbers(d->pointer);
  const auto* s = std::get_if<Subscript>(&node);
  return s && isOfNumbers(s->base) && isOfNumbers(s->index);
}

// Which loops at the end of the function are fused.
void AdjointBuilder::findFusedLoops() {
  if (options_.audit) return;  // what is checked stands in the forward sweep
  const Block& body = f_.body;
  std::vector<StmtId> loops;
  std::set<VarId> sums;  // of all of them
  // From the end: what follows a loop must be linear in its sums, which is settled once all of them are known.
  std::size_t begin = body.size();
  while (begin > 0) {
    const StmtId s = body[begin - 1];
    const Stmt& stmt = f_[s];
    const auto* d = std::get_if<Declare>(&stmt.node);
    const bool declares = d && (d->init == Init::Value || d->init == Init::None || d->init == Init::Zero) && d->storage == Storage::Automatic &&
                          isPlainLocal(d->var);
    if (std::holds_alternative<For>(stmt.node)) {
      if (!facts_.recomputeLoop(variant_.primal, s) || !facts_.reversed(variant_.primal, s) || isCheckpointed(s)) break;
      const auto own = sumsOf(s);
      if (!own || own->empty()) break;
      // Two loops that add to one sum would do it in another order.
      if (mentions(f_, s, sums) || !keepsOrder(s, *own)) break;
      sums.insert(own->begin(), own->end());
      loops.push_back(s);
    } else if (!declares && !std::holds_alternative<Return>(stmt.node) && !(loops.empty() && storesResult(s))) {
      break;
    }
    --begin;
  }
  std::set<VarId> late = sums;
  std::set<StmtId> behind;
  bool first = false, stored = false;
  for (std::size_t k = begin; k < body.size() && !loops.empty(); ++k) {
    const StmtId s = body[k];
    if (!first && s != loops.back()) continue;
    first = true;
    if (std::holds_alternative<For>(f_[s].node)) {
      std::set<VarId> others;
      for (VarId v : late)
        if (sums.count(v) == 0) others.insert(v);
      if (mentions(f_, s, others)) return;
      continue;
    }
    const auto* d = std::get_if<Declare>(&f_[s].node);
    const auto* r = std::get_if<Return>(&f_[s].node);
    const auto* a = std::get_if<Assign>(&f_[s].node);
    const auto* i = std::get_if<Increment>(&f_[s].node);
    const ExprId value = r ? r->value : a ? a->value : i ? i->value : d->args.empty() ? ExprId() : d->args[0];
    const bool stores = a || i;  // stores keep their order
    // What is read behind a store may be what it stores, and would be read before it.
    if (stored && ((value.valid() && !isOfNumbers(value)) || (stores && !isNamedByNumbers(a ? a->target : i->target)))) return;
    stored = stored || stores;
    if (!value.valid() || (!stores && !mentions(f_, value, late))) continue;
    if (!linearIn(value, late) || (stores && mentions(f_, a ? a->target : i->target, late))) return;
    if (d) late.insert(d->var);
    behind.insert(s);
  }
  fused_.loops.insert(loops.begin(), loops.end());
  fused_.sums = std::move(sums);
  fused_.behind = std::move(behind);
}

bool AdjointBuilder::addsToSums(StmtId loop) const { return mentions(f_, loop, fused_.sums); }

// The forward sections outside of the iterations are dropped: they only compute what an iteration computes again.
void AdjointBuilder::leaveFused(const Parts& body, unsigned depth) {
  --fused_.inside;
  for (unsigned k = 0; k <= depth; ++k)
    walkStmts(f_, body.fwd[k], [&](StmtId s) {
      if (std::holds_alternative<Push>(f_[s].node) || std::holds_alternative<TapeBlock>(f_[s].node))
        internalError("adjoint", m_[variant_.primal].name, "the fused loop of line " + std::to_string(at_.line) + " records something (--without=fused-sweeps is a way round)");
    });
}

// The section that has a statement which adds to a sum.
bool AdjointBuilder::isFusedSum(ExprId target) const {
  return fused_.inside != 0 && fused_.sums.count(wholeVariable(f_, target)) != 0;
}

// A statement of the primal's that the forward sweep has behind the fused loops.
bool AdjointBuilder::isBehindFused(StmtId s) const { return fused_.behind.count(s) != 0 || fused_.behind.count(f_[s].origin) != 0; }

// Puts what needs the sums behind the loops that compute them.
void AdjointBuilder::orderFused(Block& forward, Block& reverse) const {
  if (fused_.loops.empty()) return;
  Block before, behind;
  for (StmtId s : forward) (isBehindFused(s) ? behind : before).push_back(s);
  forward = std::move(before);
  // The loop that the reverse sweep comes to last.
  auto last = reverse.begin();
  for (auto s = reverse.begin(); s != reverse.end(); ++s)
    if (fused_.loops.count(f_[*s].origin) != 0 && std::holds_alternative<For>(f_[*s].node)) last = s + 1;
  reverse.insert(last, behind.begin(), behind.end());
}

}  // namespace contraflow::transform
