#include "transform/tidy_locals.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ir/equal.hpp"
#include "ir/walk.hpp"
#include "transform/inner_blocks.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;

constexpr unsigned kMostTerms = 4;  // of a sum

class Tidier {
 public:
  Tidier(Module& m, Function& f) : m_(m), f_(f) {}

  void run() {
    if (f_.kind != FunctionKind::Adjoint && f_.kind != FunctionKind::Reverse) return;
    findExposed();
    walkStmts(f_, f_.body, [&](StmtId s) { ++uses_[s]; });
    visit(f_.body);
  }

 private:
  using Set = std::set<VarId>;

  // --- what mentions what

  void variablesIn(ExprId e, Set& out) const {
    walkExpr(f_, e, [&](ExprId x) {
      if (const auto* v = std::get_if<VarRef>(&f_[x].node)) out.insert(v->var);
    });
  }
  // Everything that the statement and those in it name.
  Set variablesIn(StmtId s) const {
    Set out;
    walkStmt(f_, s, [&](StmtId inner) {
      forEachExprOfStmt(f_[inner], [&](ExprId e) { variablesIn(e, out); });
      forEachDeclaredVar(f_[inner], [&](VarId v) { out.insert(v); });
    });
    return out;
  }
  bool mentions(ExprId e, VarId v) const {
    Set all;
    variablesIn(e, all);
    return all.count(v) != 0;
  }

  // A statement that writes nothing but the target it names, and reads the rest.
  static bool isPlain(const Stmt& s) {
    const auto* d = std::get_if<Declare>(&s.node);
    if (d) return d->storage == Storage::Automatic && (d->init == Init::Value || d->init == Init::Zero || d->init == Init::None);
    return std::holds_alternative<Assign>(s.node) || std::holds_alternative<Increment>(s.node) || std::holds_alternative<If>(s.node) ||
           std::holds_alternative<For>(s.node) || std::holds_alternative<While>(s.node) || std::holds_alternative<Scope>(s.node) ||
           std::holds_alternative<SetZero>(s.node) || std::holds_alternative<Push>(s.node) || std::holds_alternative<Return>(s.node) ||
           std::holds_alternative<Comment>(s.node);
  }

  // Variables that pointers, references, calls, constructs or the runtime may get at.
  void findExposed() {
    walkStmts(f_, f_.body, [&](StmtId s) {
      const Stmt& stmt = f_[s];
      const auto reads = [&](ExprId e) {
        walkExpr(f_, e, [&](ExprId x) {
          if (const auto* a = std::get_if<AddressOf>(&f_[x].node)) variablesIn(a->place, exposed_);
        });
      };
      const bool plain = isPlain(stmt);
      if (const auto* call = std::get_if<Call>(&stmt.node)) {
        const Function& callee = m_[call->callee];
        for (std::size_t k = 0; k < call->args.size(); ++k)
          isReference(m_, callee[callee.params[k]].type) ? variablesIn(call->args[k], exposed_) : reads(call->args[k]);
        if (call->result.valid()) variablesIn(call->result, exposed_);
        return;
      }
      forEachExprOfStmt(stmt, [&](ExprId e) { plain ? reads(e) : variablesIn(e, exposed_); });
      if (!plain && !std::holds_alternative<Declare>(stmt.node)) forEachDeclaredVar(stmt, [&](VarId v) { exposed_.insert(v); });
    });
    for (VarId p : f_.params) exposed_.insert(p);
  }

  bool isOwnNumber(VarId v) const { return isReal(m_, f_[v].type) && exposed_.count(v) == 0 && f_[v].kind == VarKind::Local; }

  // Shadows and other variables that aren't the primal's: how these are rounded is our own affair.
  bool isMade(VarId v) const { return f_.primal.valid() && v.index() >= m_[f_.primal].vars.size(); }

  VarId target(StmtId s) const {
    const auto* i = std::get_if<Increment>(&f_[s].node);
    const auto* a = std::get_if<Assign>(&f_[s].node);
    if (!i && !a) return {};
    const auto* v = std::get_if<VarRef>(&f_[i ? i->target : a->target].node);
    return v ? v->var : VarId();
  }

  bool writes(StmtId s, VarId v) const {
    bool yes = false;
    walkStmt(f_, s, [&](StmtId inner) {
      const StmtNode& node = f_[inner].node;
      const auto hit = [&](ExprId place) { yes = yes || rootVar(f_, place) == v; };
      if (const auto* a = std::get_if<Assign>(&node)) hit(a->target);
      if (const auto* i = std::get_if<Increment>(&node)) hit(i->target);
      if (const auto* z = std::get_if<SetZero>(&node)) hit(z->place);
      forEachDeclaredVar(f_[inner], [&](VarId declared) { yes = yes || declared == v; });
    });
    return yes;
  }

  // --- the rules

  void visit(Block& block) {
    forEachInnerBlock(f_, block, [&](Block& inner) { visit(inner); });
    Set declared;
    for (StmtId s : block)
      if (const auto* d = std::get_if<Declare>(&f_[s].node); d && d->storage == Storage::Automatic) declared.insert(d->var);
    dropLastZeros(block, declared, {});
    dropNames(block);
    startWithValue(block);
    addUp(block);
    dropUnused(block);
  }

  // `d_b = 0.0;` where nothing in the rest of the block that declares d_b names it: in this block, or in a branch in it. `later`: what is
  // named behind the block.
  void dropLastZeros(Block& block, const Set& declared, Set later) {
    for (std::size_t k = block.size(); k-- > 0;) {
      const StmtId s = block[k];
      const ExprId zero = zeroed(s);
      const auto* place = zero.valid() ? std::get_if<VarRef>(&f_[zero].node) : nullptr;
      bool drops = place && isMade(place->var) && isOwnNumber(place->var) && declared.count(place->var) != 0 && later.count(place->var) == 0;
      if (std::holds_alternative<If>(f_[s].node) && uses_[s] == 1) {
        Stmt stmt = f_[s];
        auto& branch = std::get<If>(stmt.node);
        for (Block* inner : {&branch.then, &branch.otherwise}) {
          const std::size_t before = inner->size();
          dropLastZeros(*inner, declared, later);
          if (inner->size() != before) dropNames(*inner);
        }
        drops = branch.then.empty() && branch.otherwise.empty();
        f_[s] = std::move(stmt);
      }
      if (drops) {
        block.erase(block.begin() + static_cast<std::ptrdiff_t>(k));
        continue;
      }
      const Set named = variablesIn(s);
      later.insert(named.begin(), named.end());
    }
  }
  // The place that the statement sets to zero, and does no more.
  ExprId zeroed(StmtId s) const {
    if (const auto* zero = std::get_if<SetZero>(&f_[s].node)) return zero->place;
    const auto* a = std::get_if<Assign>(&f_[s].node);
    const auto* number = a ? std::get_if<Literal>(&f_[a->value].node) : nullptr;
    return number && number->text == "0.0" ? a->target : ExprId();
  }
  // A name that the other rules have left without a use.
  void dropUnused(Block& block) {
    Set later;
    for (std::size_t k = block.size(); k-- > 0;) {
      const auto* d = std::get_if<Declare>(&f_[block[k]].node);
      if (d && d->storage == Storage::Automatic && d->init != Init::Bind && isMade(d->var) && isOwnNumber(d->var) && later.count(d->var) == 0) {
        block.erase(block.begin() + static_cast<std::ptrdiff_t>(k));
        continue;
      }
      const Set named = variablesIn(block[k]);
      later.insert(named.begin(), named.end());
    }
  }
  // `const double seed_b = d_b;` where d_b is written no more: its own name does.
  void dropNames(Block& block) {
    for (std::size_t k = 0; k < block.size(); ++k) {
      const auto* d = std::get_if<Declare>(&f_[block[k]].node);
      if (!d || d->init != Init::Value || d->storage != Storage::Automatic || !isMade(d->var) || !isOwnNumber(d->var)) continue;
      const auto* of = std::get_if<VarRef>(&f_[d->args[0]].node);
      if (!of || !isOwnNumber(of->var) || withoutConst(m_, f_[of->var].type) != withoutConst(m_, f_[d->var].type)) continue;
      const VarId name = d->var, original = of->var;
      bool fixed = true;
      for (std::size_t j = k + 1; j < block.size(); ++j) fixed = fixed && !writes(block[j], original) && !writes(block[j], name);
      if (!fixed) continue;
      for (std::size_t j = k + 1; j < block.size(); ++j) block[j] = renamed(block[j], name, original);
      block.erase(block.begin() + static_cast<std::ptrdiff_t>(k));
      --k;
    }
  }
  // New statements: both sweeps may hold the same ones.
  StmtId renamed(StmtId s, VarId from, VarId to) {
    if (variablesIn(s).count(from) == 0) return s;
    Stmt stmt = f_[s];
    forEachExprOfStmt(stmt, [&](ExprId& e) {
      e = rewriteExpr(f_, e, [&](ExprId x) {
        const auto* v = std::get_if<VarRef>(&f_[x].node);
        return v && v->var == from ? f_.addExpr(VarRef{to}, withoutConst(m_, f_[to].type), f_[x].loc) : ExprId();
      });
    });
    forEachBlockOfStmt(stmt, [&](Block& inner) {
      for (StmtId& one : inner) one = renamed(one, from, to);
    });
    if (auto* w = std::get_if<OmpFor>(&stmt.node)) w->loop = renamed(w->loop, from, to);
    if (auto* w = std::get_if<OmpSimd>(&stmt.node)) w->loop = renamed(w->loop, from, to);
    return f_.addStmt(std::move(stmt.node), stmt.loc, stmt.origin);
  }

  // A local adjoint that begins at zero, and any number without a value, is declared where it gets its first one.
  void startWithValue(Block& block) {
    for (std::size_t k = 0; k < block.size(); ++k) {
      const auto* d = std::get_if<Declare>(&f_[block[k]].node);
      if (!d || d->storage != Storage::Automatic) continue;
      const VarId v = d->var;
      const bool begins = d->init == Init::Zero && isMade(v) && isReal(m_, f_[v].type);
      const bool waits = d->init == Init::None && (isReal(m_, f_[v].type) || isIntegral(m_, f_[v].type));
      if (!begins && !waits) continue;
      const auto first = std::find_if(block.begin() + static_cast<std::ptrdiff_t>(k) + 1, block.end(),
                                      [&](StmtId s) { return variablesIn(s).count(v) != 0; });
      if (first == block.end()) continue;
      if (waits && sinks(v, block, static_cast<std::size_t>(first - block.begin()))) {
        Stmt stmt = f_[*first];
        Block& body = std::get<For>(stmt.node).body;
        body.insert(body.begin(), block[k]);
        startWithValue(body);
        f_[*first] = std::move(stmt);
        block.erase(block.begin() + static_cast<std::ptrdiff_t>(k));
        --k;
        continue;
      }
      if (target(*first) != v) continue;
      const Stmt use = f_[*first];
      const auto* i = std::get_if<Increment>(&use.node);
      if (i && waits) continue;
      ExprId value = i ? i->value : std::get<Assign>(use.node).value;
      if (mentions(value, v)) continue;
      if (i && i->subtract) value = negated(value);
      *first = f_.addStmt(Declare{v, Init::Value, {value}, Storage::Automatic, {}}, use.loc, use.origin);
      block.erase(block.begin() + static_cast<std::ptrdiff_t>(k));
      --k;
    }
  }
  // True if each iteration of the loop at `at` gives v a value first, and nothing else of the block names it.
  bool sinks(VarId v, const Block& block, std::size_t at) const {
    const auto* loop = std::get_if<For>(&f_[block[at]].node);
    const auto uses = uses_.find(block[at]);
    if (!loop || uses == uses_.end() || uses->second != 1 || exposed_.count(v) != 0) return false;
    bool yes = true;
    for (ExprId e : {loop->init, loop->bound, loop->step}) yes = yes && !mentions(e, v);
    for (std::size_t j = at + 1; j < block.size(); ++j) yes = yes && variablesIn(block[j]).count(v) == 0;
    const auto first = std::find_if(loop->body.begin(), loop->body.end(), [&](StmtId s) { return variablesIn(s).count(v) != 0; });
    return yes && first != loop->body.end() && std::holds_alternative<Assign>(f_[*first].node) && target(*first) == v &&
           !mentions(std::get<Assign>(f_[*first].node).value, v);
  }
  ExprId negated(ExprId value) {
    const auto* u = std::get_if<Unary>(&f_[value].node);
    if (u && u->op == UnaryOp::Minus) return u->operand;
    return f_.addExpr(Unary{UnaryOp::Minus, value}, withoutConst(m_, f_[value].type), f_[value].loc);
  }

  // What is added to one variable in a row.
  void addUp(Block& block) {
    for (std::size_t k = 0; k + 1 < block.size();) {
      const std::optional<StmtId> both = together(block[k], block[k + 1]);
      if (!both) {
        ++k;
        continue;
      }
      block[k] = *both;
      block.erase(block.begin() + static_cast<std::ptrdiff_t>(k) + 1);
      if (k > 0) --k;
    }
  }
  // `v = 0.0; v += value;` is `v = value;`, for a part of a shadow too.
  std::optional<StmtId> afterZero(StmtId one, StmtId other) {
    const Stmt b = f_[other];
    const ExprId zero = zeroed(one);
    const auto* added = std::get_if<Increment>(&b.node);
    if (!zero.valid() || !added || !equal(f_, zero, added->target)) return std::nullopt;
    if (const VarId v = target(other); v.valid()) {
      if (!isMade(v) || !isOwnNumber(v) || mentions(added->value, v)) return std::nullopt;
    } else if (!std::holds_alternative<SetZero>(f_[one].node) || !isShadow(zero) || mayReadShadow(added->value)) {
      return std::nullopt;
    }
    return f_.addStmt(Assign{added->target, added->subtract ? negated(added->value) : added->value}, b.loc, b.origin);
  }
  bool isShadow(ExprId place) const {
    const VarId root = rootVar(f_, place);
    if (root.valid()) return isMade(root);
    bool yes = false;
    walkExpr(f_, place, [&](ExprId e) {
      const auto* g = std::get_if<GlobalRef>(&f_[e].node);
      yes = yes || (g && m_[g->global].isShadow);
    });
    return yes;
  }
  // The primal's objects, and numbers of our own, are no part of a shadow.
  bool mayReadShadow(ExprId value) const {
    bool yes = false;
    walkExpr(f_, value, [&](ExprId e) {
      const auto* v = std::get_if<VarRef>(&f_[e].node);
      const auto* g = std::get_if<GlobalRef>(&f_[e].node);
      yes = yes || (v && isMade(v->var) && !isOwnNumber(v->var)) || (g && m_[g->global].isShadow);
    });
    return yes;
  }
  // `const double seed = v; v = seed;`
  bool givesBack(StmtId one, StmtId other) const {
    const auto* d = std::get_if<Declare>(&f_[one].node);
    const auto* a = std::get_if<Assign>(&f_[other].node);
    if (!d || d->init != Init::Value || !a || !isMade(d->var) || !isOwnNumber(d->var)) return false;
    const auto* from = std::get_if<VarRef>(&f_[d->args[0]].node);
    const auto* back = std::get_if<VarRef>(&f_[a->value].node);
    return from && back && back->var == d->var && target(other) == from->var && isOwnNumber(from->var) &&
           withoutConst(m_, f_[from->var].type) == withoutConst(m_, f_[d->var].type);
  }
  std::optional<StmtId> together(StmtId one, StmtId other) {
    if (const auto assigned = afterZero(one, other)) return assigned;
    if (givesBack(one, other)) return one;
    const Stmt a = f_[one], b = f_[other];
    const auto* second = std::get_if<Increment>(&b.node);
    const auto* declared = std::get_if<Declare>(&a.node);
    const auto* added = std::get_if<Increment>(&a.node);
    const VarId v = second ? target(other) : VarId();
    if (!v.valid() || !isMade(v) || !isOwnNumber(v)) return std::nullopt;
    if (declared ? declared->var != v || declared->init != Init::Value || declared->storage != Storage::Automatic : !added || target(one) != v)
      return std::nullopt;
    ExprId x = declared ? declared->args[0] : added->value, y = second->value;
    const TypeId type = withoutConst(m_, f_[v].type);
    for (ExprId e : {x, y})
      if (mentions(e, v) || withoutConst(m_, f_[e].type) != type) return std::nullopt;
    if (terms(x) + terms(y) > kMostTerms) return std::nullopt;
    // v -= x; v += y: y - x. v -= x; v -= y: x + y is subtracted.
    const bool less = added && added->subtract;
    bool subtract = false;
    if (less && !second->subtract) std::swap(x, y);
    else if (less) subtract = true;
    const BinaryOp op = !subtract && (less || second->subtract) ? BinaryOp::Sub : BinaryOp::Add;
    const ExprId sum = f_.addExpr(Binary{op, x, y}, type, f_[x].loc);
    if (declared) return f_.addStmt(Declare{v, Init::Value, {sum}, Storage::Automatic, {}}, a.loc, a.origin);
    return f_.addStmt(Increment{added->target, sum, subtract}, a.loc, a.origin);
  }
  unsigned terms(ExprId e) const {
    const auto* b = std::get_if<Binary>(&f_[e].node);
    return b && (b->op == BinaryOp::Add || b->op == BinaryOp::Sub) ? terms(b->lhs) + terms(b->rhs) : 1;
  }

  Module& m_;
  Function& f_;
  Set exposed_;
  std::map<StmtId, unsigned> uses_;  // both sweeps may hold a statement
};

}  // namespace

void tidyLocals(Module& module, Function& function) { Tidier(module, function).run(); }

}  // namespace contraflow::transform
