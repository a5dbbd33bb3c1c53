#include "analysis/results.hpp"

#include <optional>

#include "ir/walk.hpp"
#include "rules/rules.hpp"

namespace contraflow::analysis {

using namespace ir;

ExprId withoutSign(const Function& fn, ExprId value) {
  const auto* u = std::get_if<Unary>(&fn[value].node);
  return u && u->op == UnaryOp::Minus ? withoutSign(fn, u->operand) : value;
}

bool isReciprocal(const Function& fn, const Binary& quotient) {
  ExprId above = quotient.lhs;
  while (const auto* c = std::get_if<Cast>(&fn[above].node)) above = c->operand;
  const auto* literal = std::get_if<Literal>(&fn[above].node);
  if (!literal) return false;
  const std::string& text = literal->text;
  return text == "1" || text == "1.0" || text == "1." || text == "1.0f" || text == "1.f" || text == "1.0L";
}

namespace {

class ResultFinder {
 public:
  ResultFinder(const Module& m, const PointsTo& p, FuncId f, const Accesses& accesses, const Activity& activity, const Recompute& recompute,
               const Swept& swept, std::set<Statement>& out)
      : m_(m), p_(p), f_(f), fn_(m[f]), accesses_(accesses), activity_(activity), recompute_(recompute), swept_(swept), out_(out) {}

  void run() {
    walkStmts(fn_, fn_.body, [&](StmtId s) {
      const StmtNode& node = fn_[s].node;
      if (std::holds_alternative<OmpParallel>(node) || std::holds_alternative<OmpFor>(node) || std::holds_alternative<OmpSimd>(node) ||
          std::holds_alternative<OmpSingle>(node))
        forEachDeclaredVar(fn_[s], [&](VarId v) { copies_.insert(v); });
    });
    visit(fn_.body, nullptr);
    // Behind the last loop of a function: a head whose loop is fused may store results there only after their reverse (adjoint_fused.cpp).
    for (auto s = fn_.body.rbegin(); s != fn_.body.rend() && !std::holds_alternative<For>(fn_[*s].node); ++s) {
      const auto* a = std::get_if<Assign>(&fn_[*s].node);
      if (a && !std::holds_alternative<VarRef>(fn_[a->target].node)) out_.erase({f_, *s});
    }
  }

 private:
  // `own`: the variables of the innermost iteration around that is run again.
  void visit(const Block& block, const std::set<VarId>* own) {
    for (StmtId s : block) {
      if (canReuse(s, own)) out_.insert({f_, s});
      const Stmt& stmt = fn_[s];
      const StmtId inner = loopOf(stmt);
      const bool again = recompute_.loop(f_, s);
      const std::set<VarId> ours = again ? declaredIn(fn_, inner.valid() ? inner : s) : std::set<VarId>();
      const std::set<VarId>* const now = again ? &ours : own;
      forEachBlockOfStmt(stmt, [&](const Block& b) { visit(b, now); });
      if (inner.valid()) visit(Block{inner}, now);
    }
  }

  bool canReuse(StmtId s, const std::set<VarId>* own) const {
    const StmtNode& node = fn_[s].node;
    if (const auto* d = std::get_if<Declare>(&node)) {
      if (d->init != Init::Value || d->storage != Storage::Automatic) return false;
      const TypeId type = fn_[d->var].type;
      return isReal(m_, type) && copies_.count(d->var) == 0 && activity_.active(p_.localOf(f_, d->var)) && hasForm(d->args[0], type);
    }
    const auto* a = std::get_if<Assign>(&node);
    if (!a || !isReal(m_, fn_[a->target].type) || !activity_.active(f_, a->target) || !hasForm(a->value, fn_[a->target].type)) return false;
    if (swept_.losesResult(f_, s) || !keepsName(a->target)) return false;
    const VarId root = rootVar(fn_, a->target);
    if (root.valid() && copies_.count(root) != 0) return false;
    // An iteration that is run again leaves out what it writes elsewhere.
    return !own || isPartOf(a->target, *own);
  }

  // ±f(x) or ±(a / b), of the type of what it is stored in, and with a partial that reads the result.
  bool hasForm(ExprId value, TypeId stored) const {
    const ExprId id = withoutSign(fn_, value);
    const auto kind = [&](TypeId t) { return as<RealType>(m_, t) ? std::optional(as<RealType>(m_, t)->kind) : std::nullopt; };
    if (!kind(stored) || kind(fn_[value].type) != kind(stored) || kind(fn_[id].type) != kind(stored)) return false;
    if (const auto* b = std::get_if<Binary>(&fn_[id].node)) return b->op == BinaryOp::Div && activity_.activeValue(f_, b->rhs);
    const auto* call = std::get_if<MathCall>(&fn_[id].node);
    const rules::MathRow* row = call ? rules::findMath(call->function) : nullptr;
    for (unsigned k = 0; row && k < call->args.size(); ++k)
      if (activity_.activeValue(f_, call->args[k]) && rules::partialNamesResult(*row, k)) return true;
    return false;
  }

  // The place is the same behind the statement as before it.
  bool keepsName(ExprId target) const {
    bool same = true;
    walkExpr(fn_, target, [&](ExprId x) { same = same && !std::holds_alternative<PureCall>(fn_[x].node); });
    LocSet naming, written;
    accesses_.naming(f_, target, naming);
    accesses_.objects(f_, target, written);
    return same && !accesses_.closed(naming).meets(written);
  }

  // Part of a variable of the set, with no pointer, reference or container in between.
  bool isPartOf(ExprId place, const std::set<VarId>& vars) const {
    const ExprNode& node = fn_[place].node;
    if (const auto* v = std::get_if<VarRef>(&node)) return vars.count(v->var) != 0 && !isReference(m_, fn_[v->var].type);
    if (const auto* r = std::get_if<FieldRef>(&node)) {
      const auto* record = as<RecordType>(m_, fn_[r->base].type);
      return record && !isReference(m_, m_[record->record].fields[r->field].type) && isPartOf(r->base, vars);
    }
    const auto* s = std::get_if<Subscript>(&node);
    if (!s) return false;
    const auto* d = std::get_if<Decay>(&fn_[s->base].node);
    return d ? isPartOf(d->array, vars) : as<ArrayType>(m_, fn_[s->base].type) && isPartOf(s->base, vars);
  }

  const Module& m_;
  const PointsTo& p_;
  const FuncId f_;
  const Function& fn_;
  const Accesses& accesses_;
  const Activity& activity_;
  const Recompute& recompute_;
  const Swept& swept_;
  std::set<Statement>& out_;
  std::set<VarId> copies_;  // of data-sharing clauses
};

}  // namespace

std::set<Statement> statementsWithResults(const Module& m, const PointsTo& p, const Accesses& accesses, const Activity& activity,
                                          const Recompute& recompute, const Swept& swept) {
  std::set<Statement> out;
  for (std::uint32_t k = 0; k < m.functions.size(); ++k)
    if (p.knows(FuncId(k))) ResultFinder(m, p, FuncId(k), accesses, activity, recompute, swept, out).run();
  return out;
}

}  // namespace contraflow::analysis
