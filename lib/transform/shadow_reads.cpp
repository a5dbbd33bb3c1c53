#include "transform/shadow_reads.hpp"

#include <functional>

#include "analysis/element_ranges.hpp"
#include "ir/walk.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;

class Reads {
 public:
  Reads(const Module& m, const Function& f, StmtId loop)
      : m_(m), f_(f), loop_(loop), ranges_(m, f, loop), primalVars_(m[f.primal].vars.size()) {}

  std::optional<ShadowReads> run() {
    findVariables();
    for (VarId v : declared_)
      if (isMade(v) && exposed_.count(v) != 0 && !isNumber(f_[v].type)) return std::nullopt;
    walkStmt(f_, loop_, [&](StmtId s) {
      now_ = s;
      good_ = good_ && statement(f_[s]);
    });
    if (!good_) return std::nullopt;
    return std::move(out_);
  }

 private:
  bool isMade(VarId v) const { return v.index() >= primalVars_; }
  bool isNumber(TypeId t) const { return isIntegral(m_, t) || as<BoolType>(m_, t) || as<PointerType>(m_, t) || as<TapeType>(m_, withoutReference(m_, t)); }

  void findVariables() {
    walkStmt(f_, loop_, [&](StmtId s) {
      forEachDeclaredVar(f_[s], [&](VarId v) { declared_.insert(v); });
      if (const auto* i = std::get_if<SharedIncrement>(&f_[s].node))
        if (const VarId v = rootVar(f_, i->target); v.valid()) added_.insert(v);
    });
    walkStmts(f_, f_.body, [&](StmtId s) {
      const StmtNode& node = f_[s].node;
      if (const auto* t = std::get_if<TapeBlock>(&node)) tapeBlocks_.insert(t->pointer);
      if (const auto* d = std::get_if<Declare>(&node); d && d->init == Init::Bind) expose(d->args[0]);
      if (const auto* r = std::get_if<Restructure>(&node)) {  // pointers to elements follow a swap
        expose(r->container);
        if (r->operand.valid()) expose(r->operand);
      }
      if (const auto* c = std::get_if<Call>(&node))
        for (std::size_t k = 0; k < c->args.size(); ++k)
          if (isReference(m_, m_[c->callee][m_[c->callee].params[k]].type)) expose(c->args[k]);
      if (std::holds_alternative<Mpi>(node) || std::holds_alternative<Runtime>(node) || std::holds_alternative<Opaque>(node))
        forEachExprOfStmt(f_[s], [&](ExprId e) { expose(e); });
      forEachExprOfStmt(f_[s], [&](ExprId e) {
        walkExpr(f_, e, [&](ExprId x) {
          if (const auto* a = std::get_if<AddressOf>(&f_[x].node)) expose(a->place);
          if (const auto* a = std::get_if<Decay>(&f_[x].node)) expose(a->array);
          if (const auto* a = std::get_if<DataOf>(&f_[x].node)) expose(a->container);
        });
      });
    });
  }
  // A pointer may lead to the variable that the place is a part of.
  void expose(ExprId place) {
    if (!isPlace(f_[place])) return;
    bool owned = false;
    if (const VarId v = base(place, owned); v.valid() && owned) exposed_.insert(v);
  }

  // The variable that the address of a place, or a pointer's value, is computed from; none: it isn't known. `owned`: the place is a part
  // of the variable, or of a vector in it.
  VarId base(ExprId e, bool& owned) const {
    owned = true;
    for (;;) {
      const ExprNode& node = f_[e].node;
      if (const auto* v = std::get_if<VarRef>(&node)) return v->var;
      if (const auto* x = std::get_if<FieldRef>(&node)) {
        e = x->base;
      } else if (const auto* x = std::get_if<Subscript>(&node)) {
        owned = owned && !as<PointerType>(m_, f_[x->base].type);
        e = x->base;
      } else if (const auto* x = std::get_if<Deref>(&node)) {
        owned = false;
        e = x->pointer;
      } else if (const auto* x = std::get_if<AddressOf>(&node)) {
        e = x->place;
      } else if (const auto* x = std::get_if<Decay>(&node)) {
        e = x->array;
      } else if (const auto* x = std::get_if<DataOf>(&node)) {
        e = x->container;
      } else if (const auto* x = std::get_if<Cast>(&node)) {
        e = x->operand;
      } else if (const auto* x = std::get_if<Binary>(&node); x && as<PointerType>(m_, f_[e].type)) {
        e = as<PointerType>(m_, f_[x->lhs].type) ? x->lhs : x->rhs;
      } else {
        return {};
      }
    }
  }
  // Of a global that is no shadow.
  bool isPrimalGlobal(ExprId place) const {
    bool primal = false, made = false;
    walkExpr(f_, place, [&](ExprId x) {
      if (const auto* g = std::get_if<GlobalRef>(&f_[x].node)) (m_.globals[g->global.index()].isShadow ? made : primal) = true;
      if (const auto* v = std::get_if<VarRef>(&f_[x].node); v && isMade(v->var) && !isIntegral(m_, f_[v->var].type)) made = true;
    });
    return primal && !made;
  }

  // --- statements

  bool statement(const Stmt& stmt) {
    const StmtNode& node = stmt.node;
    simple_ = true;
    if (const auto* i = std::get_if<Increment>(&node)) return operands(i->target) && reads(i->value);
    if (const auto* i = std::get_if<SharedIncrement>(&node)) return operands(i->target) && reads(i->value);
    if (const auto* d = std::get_if<Declare>(&node)) {
      if (d->storage != Storage::Automatic) return false;
      if (d->init == Init::Bind) return operands(d->args[0]);
    }
    const auto* call = std::get_if<Call>(&node);
    if (call && m_[call->callee].kind != FunctionKind::Primal) return false;
    const bool known = call || std::holds_alternative<Declare>(node) || std::holds_alternative<Assign>(node) ||
                       std::holds_alternative<SetZero>(node) || std::holds_alternative<If>(node) || std::holds_alternative<For>(node) ||
                       std::holds_alternative<While>(node) || std::holds_alternative<Scope>(node) || std::holds_alternative<Comment>(node) ||
                       std::holds_alternative<Push>(node) || std::holds_alternative<Pop>(node) || std::holds_alternative<TapeBlock>(node) ||
                       std::holds_alternative<TapeRelease>(node) || std::holds_alternative<Runtime>(node) ||
                       (std::holds_alternative<OmpFor>(node) && now_ == loop_);
    const auto* runtime = std::get_if<Runtime>(&node);
    if (!known || (runtime && runtime->pieces.front() == "contraflow::omp::barrier(")) return false;
    simple_ = !std::holds_alternative<While>(node) && !std::holds_alternative<For>(node) && !std::holds_alternative<OmpFor>(node);
    bool good = true;
    // What gets an address of a shadow may read there.
    if (call || std::holds_alternative<Runtime>(node))
      forEachExprOfStmt(stmt, [&](ExprId e) { good = good && (!leadsToShadow(e) || as<TapeType>(m_, withoutReference(m_, f_[e].type))); });
    forEachExprOfStmt(stmt, [&](ExprId e) { good = good && reads(e); });
    return good;
  }
  bool leadsToShadow(ExprId e) const {
    const TypeId type = withoutReference(m_, f_[e].type);
    if (isReal(m_, type) || isIntegral(m_, type) || as<BoolType>(m_, type)) return false;  // (the address of a number: see `reads`)
    bool owned;
    const VarId v = base(e, owned);
    return v.valid() ? isMade(v) : !isPrimalGlobal(e);
  }
  bool operands(ExprId place) {
    bool good = true;
    forEachChildExpr(f_[place], [&](ExprId child) { good = good && (isPlace(f_[child]) && !as<PointerType>(m_, f_[child].type) ? operands(child) : reads(child)); });
    return good;
  }
  bool reads(ExprId e) {
    const Expr& expr = f_[e];
    if (isPlace(expr) && !isIntegral(m_, expr.type) && !as<BoolType>(m_, expr.type) && !as<PointerType>(m_, expr.type) &&
        !as<TapeType>(m_, expr.type) && !as<OpaqueType>(m_, expr.type) && !memory(e))
      return false;
    if (isPlace(expr)) return operands(e);
    bool good = true;
    // What isn't always read may not be there.
    const auto* binary = std::get_if<Binary>(&expr.node);
    const bool simple = simple_;
    if (std::holds_alternative<Conditional>(expr.node) || (binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or))) simple_ = false;
    forEachChildExpr(expr, [&](ExprId child) {
      // (The size of a vector, and where it lies, are no numbers of its.)
      const bool whole = std::holds_alternative<SizeOf>(expr.node) || std::holds_alternative<DataOf>(expr.node) ||
                         std::holds_alternative<Decay>(expr.node) || std::holds_alternative<AddressOf>(expr.node);
      good = good && (whole ? operands(child) : reads(child));
    });
    simple_ = simple;
    return good;
  }

  // Notes what is read or set at a place.
  bool memory(ExprId place) {
    bool owned;
    const VarId v = base(place, owned);
    if (v.valid() && (!isMade(v) || tapeBlocks_.count(v) != 0)) return true;
    if (!v.valid() && isPrimalGlobal(place)) return true;
    if (v.valid()) {
      const bool own = owned && !isReference(m_, f_[v].type) && exposed_.count(v) == 0;
      if (own && (added_.count(v) == 0 || std::holds_alternative<VarRef>(f_[place].node))) return true;
      if (added_.count(v) == 0 && ranges_.known(v)) {
        out_.bases.insert(v);
        return true;
      }
      if (std::holds_alternative<VarRef>(f_[place].node) && isReal(m_, f_[place].type) && declared_.count(v) == 0) {
        out_.variables.push_back(place);
        return true;
      }
    }
    if (!simple_ || !isReal(m_, f_[place].type)) return false;
    out_.places.emplace_back(now_, place);
    return true;
  }

  const Module& m_;
  const Function& f_;
  const StmtId loop_;
  const analysis::ElementRanges ranges_;
  const std::size_t primalVars_;
  std::set<VarId> declared_;     // in the loop
  std::set<VarId> exposed_;      // pointers may lead there
  std::set<VarId> tapeBlocks_;
  std::set<VarId> added_;        // at the root of what is added to
  ShadowReads out_;
  StmtId now_;
  bool simple_ = true;  // what is read can be named in front of the statement
  bool good_ = true;
};

}  // namespace

std::optional<ShadowReads> shadowReads(const Module& m, const Function& f, StmtId loop) { return Reads(m, f, loop).run(); }

}  // namespace contraflow::transform
