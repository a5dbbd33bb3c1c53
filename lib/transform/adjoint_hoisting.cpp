// Increments of one place of a shadow by all iterations of a loop, summed in a variable.
//
//                                                       double x_sum = 0.0;
//     for (j…) { …; x_b[i] += dx_b; y_b[j] += …; }  →   for (j…) { …; x_sum += dx_b; y_b[j] += …; }
//                                                       if (0 < n) x_b[i] += x_sum;
//
// Increments commute, so this is right whatever else the loop adds to, as long as it does nothing but add to memory of shadows.
#include "ir/expr_printer.hpp"
#include "ir/walk.hpp"
#include "transform/adjoint_builder.hpp"

namespace contraflow::transform {

using namespace ir;

// True if the variable is memory of shadows that pointers or other names may reach as well.
bool AdjointBuilder::isReachable(VarId v) const {
  if (v.index() < m_[variant_.primal].vars.size()) return false;  // a primal variable: shadows are somewhere else
  return isReference(m_, f_[v].type) ? !as<TapeType>(m_, withoutReference(m_, f_[v].type)) : reachable_.count(v) != 0;
}

void AdjointBuilder::findReachable() {
  for (const std::set<VarId>* taken : {&addressTaken_, &escaping_})
    for (VarId v : *taken)
      if (shadows_.presence(v) != analysis::Presence::None)
        if (const VarId shadow = shadows_.of(v); shadow.valid()) reachable_.insert(shadow);
}

// True if the expression may read memory of shadows that others name as well.
bool AdjointBuilder::readsSharedShadows(ExprId e) const {
  bool found = false;
  walkExpr(f_, e, [&](ExprId x) {
    const ExprNode& node = f_[x].node;
    if (const auto* v = std::get_if<VarRef>(&node)) found = found || isReachable(v->var);
    if (const auto* call = std::get_if<PureCall>(&node)) {
      static const std::set<std::string> kOfNumbers{"contraflow::tripCount", "contraflow::iterationNumber", "contraflow::scratch"};
      found = found || kOfNumbers.count(call->callee) == 0;
      return;
    }
    const bool behind = std::holds_alternative<Deref>(node) || std::holds_alternative<DataOf>(node) ||
                        std::holds_alternative<GlobalRef>(node) ||
                        (std::holds_alternative<Subscript>(node) && !as<ArrayType>(m_, f_[std::get<Subscript>(node).base].type) &&
                         !std::holds_alternative<Decay>(f_[std::get<Subscript>(node).base].node));
    if (!behind) return;
    const VarId root = rootVar(f_, x);
    found = found || !root.valid() || (root.index() >= m_[variant_.primal].vars.size() && recordArrays_.count(root) == 0);
  });
  return found;
}

// The same of what a place's address is computed from.
bool AdjointBuilder::namedBySharedShadows(ExprId place) const {
  const ExprNode& node = f_[place].node;
  if (std::holds_alternative<VarRef>(node)) return false;
  if (const auto* r = std::get_if<FieldRef>(&node)) return namedBySharedShadows(r->base);
  if (const auto* d = std::get_if<Deref>(&node)) return readsSharedShadows(d->pointer);
  const auto* s = std::get_if<Subscript>(&node);
  if (!s) return true;
  if (readsSharedShadows(s->index)) return true;
  if (const auto* d = std::get_if<Decay>(&f_[s->base].node)) return namedBySharedShadows(d->array);
  return isPointer(f_[s->base].type) ? readsSharedShadows(s->base) : namedBySharedShadows(s->base);
}

// True if the code does nothing to memory of shadows but add to it.
bool AdjointBuilder::onlyAddsToShadows(const Block& code) const {
  bool good = true;
  const auto primalOnly = [&](const std::vector<ExprId>& args) {
    for (ExprId e : args)
      walkExpr(f_, e, [&](ExprId x) {
        const auto* v = std::get_if<VarRef>(&f_[x].node);
        if (v && v->var.index() >= m_[variant_.primal].vars.size()) good = false;
      });
  };
  walkStmts(f_, code, [&](StmtId s) {
    const StmtNode& node = f_[s].node;
    ExprId target;
    if (const auto* i = std::get_if<Increment>(&node)) target = i->target;
    if (const auto* i = std::get_if<SharedIncrement>(&node)) target = i->target;
    forEachExprOfStmt(f_[s], [&](ExprId e) { good = good && !(e == target ? namedBySharedShadows(e) : readsSharedShadows(e)); });
    if (const auto* c = std::get_if<Call>(&node)) {
      primalOnly(c->args);
      if (m_[c->callee].kind != FunctionKind::Primal) good = false;
    } else if (const auto* r = std::get_if<Runtime>(&node)) {
      // Notes what is about to be restored; anything else may do anything.
      if (r->pieces.size() != 3 || r->pieces[1] != ".note(") good = false;
    } else {
      good = good && (target.valid() || std::holds_alternative<Declare>(node) || std::holds_alternative<Assign>(node) ||
                      std::holds_alternative<SetZero>(node) || std::holds_alternative<Push>(node) || std::holds_alternative<Pop>(node) ||
                      std::holds_alternative<If>(node) || std::holds_alternative<For>(node) || std::holds_alternative<While>(node) ||
                      std::holds_alternative<TapeBlock>(node) || std::holds_alternative<TapeRelease>(node) ||
                      std::holds_alternative<Comment>(node));
    }
  });
  return good;
}

// True if the place is an element or field behind a pointer variable, and its address is computed from variables that aren't among these.
bool AdjointBuilder::isFixedPlace(ExprId place, const std::set<VarId>& changing) const {
  const auto fixed = [&](ExprId e) {
    bool good = true;
    walkExpr(f_, e, [&](ExprId x) {
      const ExprNode& node = f_[x].node;
      if (const auto* v = std::get_if<VarRef>(&node))
        good = good && !isReference(m_, f_[v->var].type) && changing.count(v->var) == 0 && addressTaken_.count(v->var) == 0 &&
               reachable_.count(v->var) == 0;
      else
        good = good && (std::holds_alternative<Literal>(node) || std::holds_alternative<Binary>(node) ||
                        std::holds_alternative<Unary>(node) || std::holds_alternative<Cast>(node));
    });
    return good;
  };
  const ExprNode& node = f_[place].node;
  if (const auto* r = std::get_if<FieldRef>(&node)) {
    const auto* record = as<RecordType>(m_, f_[r->base].type);
    return record && !isReference(m_, m_[record->record].fields[r->field].type) && isFixedPlace(r->base, changing);
  }
  if (const auto* s = std::get_if<Subscript>(&node))
    return isPointer(f_[s->base].type) && std::holds_alternative<VarRef>(f_[s->base].node) && fixed(s->base) && fixed(s->index);
  if (const auto* d = std::get_if<Deref>(&node)) return std::holds_alternative<VarRef>(f_[d->pointer].node) && fixed(d->pointer);
  return false;
}

// Sums what the body, of the reversed loop l, adds to one place; `before` and `behind` go around the loop.
void AdjointBuilder::hoistIncrements(const For& l, Block& body, Block& before, Block& behind) {
  if (!options_.hoistIncrements) return;
  std::set<VarId> changing{l.counter};
  walkStmts(f_, body, [&](StmtId s) {
    const StmtNode& node = f_[s].node;
    forEachDeclaredVar(f_[s], [&](VarId v) { changing.insert(v); });
    const auto write = [&](ExprId target) {
      const VarId root = target.valid() ? rootVar(f_, target) : VarId();
      if (root.valid() && !isPointer(f_[root].type)) changing.insert(root);
      if (target.valid() && std::holds_alternative<VarRef>(f_[target].node)) changing.insert(root);
    };
    if (const auto* a = std::get_if<Assign>(&node)) write(a->target);
    if (const auto* i = std::get_if<Increment>(&node)) write(i->target);
    if (const auto* p = std::get_if<Pop>(&node)) write(p->place);
    if (const auto* c = std::get_if<Call>(&node)) write(c->result);
    if (const auto* z = std::get_if<SetZero>(&node)) write(z->place);
  });
  findReachable();
  bool checked = false;
  std::map<std::string, VarId> sums;
  Block out;
  for (StmtId s : body) {
    const Stmt stmt = f_[s];
    const auto* plain = std::get_if<Increment>(&stmt.node);
    const auto* shared = std::get_if<SharedIncrement>(&stmt.node);
    const ExprId target = plain ? plain->target : shared ? shared->target : ExprId();
    const VarId root = target.valid() ? rootVar(f_, target) : VarId();
    const bool candidate = root.valid() && root.index() >= m_[variant_.primal].vars.size() && isReal(m_, f_[target].type) &&
                           isFixedPlace(target, changing);
    if (candidate && !checked) {
      if (!onlyAddsToShadows(body)) return;
      checked = true;
    }
    if (!candidate) {
      out.push_back(s);
      continue;
    }
    const std::string text = ExprPrinter(m_, f_)(target);
    VarId& sum = sums[text];
    if (!sum.valid()) {
      sum = newVar(f_[root].name + "_sum", withoutConst(m_, f_[target].type));
      before.push_back(declareVar(sum, Init::Zero));
      if (plain)
        behind.push_back(add(Increment{target, var(sum), false}));
      else
        behind.push_back(add(SharedIncrement{target, var(sum), false, shared->strategy, shared->alone}));
    }
    const ExprId value = plain ? plain->value : shared->value;
    out.push_back(f_.addStmt(Increment{var(sum), value, plain ? plain->subtract : shared->subtract}, stmt.loc, stmt.origin));
  }
  if (sums.empty()) return;
  body = std::move(out);
  // Where no iteration runs there may be no such place.
  const auto* from = std::get_if<Literal>(&f_[l.init].node);
  const auto* to = std::get_if<Literal>(&f_[l.bound].node);
  if (from && to && from->text == "0" && to->text != "0" && to->text[0] != '-' && l.compare == BinaryOp::Lt) return;
  const TypeId type = withoutConst(m_, f_[l.counter].type);
  const ExprId runs = binary(l.compare, algebra_.cast(l.init, type), l.bound, bool_);
  behind = {add(If{runs, std::move(behind), {}})};
}

}  // namespace contraflow::transform
