#include "transform/drop_zeros.hpp"

#include <algorithm>
#include <set>

#include "ir/walk.hpp"
#include "transform/inner_blocks.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;

class ZeroDropper {
 public:
  ZeroDropper(Module& m, Function& f) : m_(m), f_(f) {}

  void run() {
    if (f_.kind != FunctionKind::Adjoint && f_.kind != FunctionKind::Reverse) return;
    walkStmts(f_, f_.body, [&](StmtId s) { findAliased(s); });
    visit(f_.body);
  }

 private:
  // --- which objects are reached by their names alone

  void alias(ExprId e) {
    walkExpr(f_, e, [&](ExprId x) {
      if (const auto* v = std::get_if<VarRef>(&f_[x].node)) aliased_.insert(v->var);
    });
  }

  // Names in an expression that computes: an address that is taken for more than one access may be kept.
  void findAliased(ExprId e) {
    const Expr& x = f_[e];
    if (const auto* a = std::get_if<AddressOf>(&x.node)) return alias(a->place);
    if (const auto* d = std::get_if<Decay>(&x.node)) return alias(d->array);
    if (const auto* s = std::get_if<Subscript>(&x.node)) {
      const auto* decay = std::get_if<Decay>(&f_[s->base].node);
      findAliased(decay ? decay->array : s->base);
      return findAliased(s->index);
    }
    forEachChildExpr(x, [&](ExprId child) { findAliased(child); });
  }

  void findAliased(StmtId s) {
    const StmtNode& node = f_[s].node;
    const auto* d = std::get_if<Declare>(&node);
    const auto* call = std::get_if<Call>(&node);
    const bool computes = (d && d->storage == Storage::Automatic && d->init != Init::Bind) || std::holds_alternative<Assign>(node) ||
                          std::holds_alternative<Increment>(node) || std::holds_alternative<If>(node) || std::holds_alternative<For>(node) ||
                          std::holds_alternative<While>(node) || std::holds_alternative<SetZero>(node);
    const bool passes = call && !keepsPointers(call->callee);
    forEachExprOfStmt(f_[s], [&](ExprId e) {
      if (computes) findAliased(e);
      else if (!passes) alias(e);
    });
  }

  // True unless all that the function does with addresses is to use them.
  bool keepsPointers(FuncId id) const {
    const Function& g = m_[id];
    bool yes = !g.hasBody && g.body.empty();
    walkStmts(g, g.body, [&](StmtId s) {
      const StmtNode& node = g[s].node;
      const auto* a = std::get_if<Assign>(&node);
      const bool isNumber = a && (isReal(m_, g[a->target].type) || isIntegral(m_, g[a->target].type));
      const auto* d = std::get_if<Declare>(&node);
      const bool plain = isNumber || d || std::holds_alternative<Increment>(node) || std::holds_alternative<If>(node) ||
                         std::holds_alternative<For>(node) || std::holds_alternative<While>(node) || std::holds_alternative<SetZero>(node);
      yes = yes || !plain;
    });
    return yes;
  }

  bool isOwn(VarId v) const {
    const TypeId type = f_[v].type;
    const bool isObject = as<ArrayType>(m_, type) || as<RecordType>(m_, type);
    const bool isMade = f_.primal.valid() && v.index() >= m_[f_.primal].vars.size();
    return isObject && isMade && f_[v].kind == VarKind::Local && aliased_.count(v) == 0;
  }

  // --- places of such objects: by members and literal indices alone

  struct Place {
    VarId root;
    std::vector<std::string> path;
  };
  bool placeOf(ExprId e, Place& place) const {
    const ExprNode& node = f_[e].node;
    if (const auto* v = std::get_if<VarRef>(&node)) {
      place.root = v->var;
      return true;
    }
    if (const auto* m = std::get_if<FieldRef>(&node)) {
      if (!placeOf(m->base, place)) return false;
      place.path.push_back("." + std::to_string(m->field));
      return true;
    }
    const auto* s = std::get_if<Subscript>(&node);
    if (!s) return false;
    const auto* decay = std::get_if<Decay>(&f_[s->base].node);
    const auto* index = std::get_if<Literal>(&f_[s->index].node);
    if (!index || !placeOf(decay ? decay->array : s->base, place)) return false;
    place.path.push_back(index->text);
    return true;
  }

  // True if the expression may read or name any part of the place.
  bool touches(ExprId e, const Place& place) const {
    Place other;
    const ExprNode& node = f_[e].node;
    const bool isPart = std::holds_alternative<FieldRef>(node) || std::holds_alternative<Subscript>(node);
    if (isPart && placeOf(e, other) && other.root == place.root) {
      const std::size_t n = std::min(other.path.size(), place.path.size());
      return std::equal(other.path.begin(), other.path.begin() + static_cast<std::ptrdiff_t>(n), place.path.begin());
    }
    if (const auto* v = std::get_if<VarRef>(&node)) return v->var == place.root;
    bool yes = false;
    forEachChildExpr(f_[e], [&](ExprId child) { yes = yes || touches(child, place); });
    return yes;
  }
  bool touches(StmtId s, const Place& place) const {
    bool yes = false;
    walkStmt(f_, s, [&](StmtId inner) {
      forEachExprOfStmt(f_[inner], [&](ExprId e) { yes = yes || touches(e, place); });
    });
    return yes;
  }

  // --- the rule

  void visit(Block& block) {
    forEachInnerBlock(f_, block, [&](Block& inner) { visit(inner); });
    std::set<VarId> declared;
    for (std::size_t k = 0; k < block.size(); ++k) {
      if (const auto* d = std::get_if<Declare>(&f_[block[k]].node); d && d->storage == Storage::Automatic) declared.insert(d->var);
      Place place;
      if (!setsZero(block[k], place) || declared.count(place.root) == 0 || !isOwn(place.root)) continue;
      bool dies = true;
      for (std::size_t j = k + 1; j < block.size(); ++j) dies = dies && !touches(block[j], place);
      if (!dies) continue;
      block.erase(block.begin() + static_cast<std::ptrdiff_t>(k));
      if (k > 0 && dropName(block, k - 1, place)) --k;
      --k;
    }
  }

  bool setsZero(StmtId s, Place& place) const {
    const auto* a = std::get_if<Assign>(&f_[s].node);
    const auto* zero = a ? std::get_if<Literal>(&f_[a->value].node) : nullptr;
    if (a) return zero && zero->text == "0.0" && placeOf(a->target, place);
    const auto* z = std::get_if<SetZero>(&f_[s].node);
    return z && placeOf(z->place, place);
  }

  // `const double seed = x_b[1];`, and nothing else names x_b[1] any more: they are one.
  bool dropName(Block& block, std::size_t k, const Place& place) {
    const auto* d = std::get_if<Declare>(&f_[block[k]].node);
    if (!d || d->init != Init::Value || d->storage != Storage::Automatic) return false;
    Place of;
    const ExprId value = d->args[0];
    if (!placeOf(value, of) || of.root != place.root || of.path != place.path) return false;
    if (withoutConst(m_, f_[value].type) != withoutConst(m_, f_[d->var].type)) return false;
    const VarId name = d->var;
    // Not where threads or iterations meet: there the name is a variable of each, or read once for all.
    for (std::size_t j = k + 1; j < block.size(); ++j)
      if (!isSimple(block[j])) return false;
    for (std::size_t j = k + 1; j < block.size(); ++j) block[j] = replaced(block[j], name, value);
    block.erase(block.begin() + static_cast<std::ptrdiff_t>(k));
    return true;
  }
  bool isSimple(StmtId s) const {
    const StmtNode& node = f_[s].node;
    return std::holds_alternative<Declare>(node) || std::holds_alternative<Assign>(node) || std::holds_alternative<Increment>(node) ||
           std::holds_alternative<Call>(node) || std::holds_alternative<Pop>(node) || std::holds_alternative<SetZero>(node) ||
           std::holds_alternative<SharedIncrement>(node) || std::holds_alternative<TapeRelease>(node);
  }
  // A new statement: both sweeps may hold the same one.
  StmtId replaced(StmtId s, VarId name, ExprId value) {
    Stmt stmt = f_[s];
    bool any = false;
    forEachExprOfStmt(stmt, [&](ExprId& e) {
      e = rewriteExpr(f_, e, [&](ExprId x) {
        const auto* v = std::get_if<VarRef>(&f_[x].node);
        any = any || (v && v->var == name);
        return v && v->var == name ? value : ExprId();
      });
    });
    return any ? f_.addStmt(std::move(stmt.node), stmt.loc, stmt.origin) : s;
  }

  Module& m_;
  Function& f_;
  std::set<VarId> aliased_;
};

}  // namespace

void dropZeros(Module& module, Function& function) { ZeroDropper(module, function).run(); }

}  // namespace contraflow::transform
