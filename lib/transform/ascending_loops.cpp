#include "transform/ascending_loops.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "ir/walk.hpp"
#include "transform/loop_ends.hpp"
#include "transform/strip_body.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;

class Ascent {
 public:
  Ascent(Module& m, Function& f) : m_(m), f_(f), algebra_(m, f) {}

  void run() {
    if (f_.kind == FunctionKind::Adjoint || f_.kind == FunctionKind::Reverse) visit(f_.body);
  }

 private:
  void visit(Block& block) {
    for (StmtId& s : block) {
      if (!seen_.insert(s).second) continue;
      const auto* loop = std::get_if<For>(&f_[s].node);
      if (loop && isStraight(loop->body)) s = turned(s);
      else visitInside(s);
    }
  }
  // (Both sweeps may hold the same statements. The loops of a construct stay its loops.)
  void visitInside(StmtId s) {
    Stmt stmt = f_[s];  // copies, since the arena grows
    forEachBlockOfStmt(stmt, [&](Block& inner) { visit(inner); });
    const auto* w = std::get_if<OmpFor>(&stmt.node);
    const auto* simd = std::get_if<OmpSimd>(&stmt.node);
    StmtId loop = loopOf(stmt);
    for (unsigned collapse = w ? w->collapse : simd ? simd->collapse : 0; collapse > 0 && loop.valid(); --collapse) {
      seen_.insert(loop);
      if (collapse == 1) visitInside(loop);
      else loop = std::get<For>(f_[loop].node).body.front();
    }
    f_[s] = std::move(stmt);
  }
  bool isStraight(const Block& body) const {
    return std::all_of(body.begin(), body.end(), [&](StmtId s) {
      const StmtNode& node = f_[s].node;
      return std::holds_alternative<Declare>(node) || std::holds_alternative<Assign>(node) || std::holds_alternative<Increment>(node) ||
             std::holds_alternative<SetZero>(node) || std::holds_alternative<Comment>(node);
    });
  }

  StmtId turned(StmtId s) {
    const Stmt stmt = f_[s];
    const For& loop = std::get<For>(stmt.node);
    auto up = fromNumbers(loop);
    if (!up) up = fromEnds(loop);
    if (!up || !iterationsInAnyOrder(m_, f_, up->body, up->counter)) return s;
    return f_.addStmt(std::move(*up), stmt.loc, stmt.origin);
  }

  bool isLiteral(ExprId e, const char* text) const {
    while (const auto* cast = std::get_if<Cast>(&f_[e].node)) e = cast->operand;
    const auto* literal = std::get_if<Literal>(&f_[e].node);
    return literal && literal->text == text;
  }

  // for (int i = n - 1; i >= low; --i)
  std::optional<For> fromEnds(const For& loop) {
    const auto ends = loopEnds(m_, f_, algebra_, loop);
    if (!ends || ends->ascending) return std::nullopt;
    const TypeId type = withoutConst(m_, f_[loop.counter].type);
    For up{loop.counter, ends->low, ends->compare, ends->bound, algebra_.literal(1, type), loop.body};
    const auto* last = std::get_if<Binary>(&f_[ends->bound].node);
    const auto number = algebra_.constant(ends->bound);
    if (number && *number >= 2147483647.0L) return std::nullopt;  // none of the type's is beyond it
    if (last && last->op == BinaryOp::Sub && isLiteral(last->rhs, "1")) {
      up.compare = BinaryOp::Lt;
      up.bound = last->lhs;
    } else if (number && *number < 1e9L) {
      up.compare = BinaryOp::Lt;
      up.bound = algebra_.literal(*number + 1, type);
    }
    return up;
  }

  // for (long iteration = tripCount(low, Less, n, step) - 1; iteration >= 0; --iteration) { T i = low + T(iteration) * step; … }
  std::optional<For> fromNumbers(const For& loop) {
    const auto* counter = loop.body.empty() ? nullptr : std::get_if<Declare>(&f_[loop.body[0]].node);
    if (!counter || counter->init != Init::Value || !namesOnce(loop.body, loop.counter) || !names(counter->args[0], loop.counter)) return std::nullopt;
    if (loop.compare != BinaryOp::Ge || !isLiteral(loop.bound, "0") || !isLiteral(loop.step, "-1")) return std::nullopt;
    if (m_[f_[counter->var].type].isConst) return std::nullopt;
    const auto* minus = std::get_if<Binary>(&f_[loop.init].node);
    const auto* trips = minus && minus->op == BinaryOp::Sub && isLiteral(minus->rhs, "1") ? std::get_if<PureCall>(&f_[minus->lhs].node) : nullptr;
    if (!trips || trips->callee != "contraflow::tripCount") return std::nullopt;
    static const std::map<std::string, BinaryOp> kNames = {{"contraflow::Compare::Less", BinaryOp::Lt},
                                                           {"contraflow::Compare::LessEqual", BinaryOp::Le},
                                                           {"contraflow::Compare::Greater", BinaryOp::Gt},
                                                           {"contraflow::Compare::GreaterEqual", BinaryOp::Ge},
                                                           {"contraflow::Compare::NotEqual", BinaryOp::Ne}};
    const auto* compare = std::get_if<Literal>(&f_[trips->args[1]].node);
    const TypeId type = withoutConst(m_, f_[counter->var].type);
    const ExprId init = algebra_.cast(trips->args[0], type);
    return For{counter->var, init, kNames.at(compare->text), trips->args[2], trips->args[3], Block(loop.body.begin() + 1, loop.body.end())};
  }
  bool names(ExprId e, VarId v) const {
    bool found = false;
    walkExpr(f_, e, [&](ExprId x) {
      const auto* ref = std::get_if<VarRef>(&f_[x].node);
      found = found || (ref && ref->var == v);
    });
    return found;
  }
  bool namesOnce(const Block& body, VarId v) const {
    unsigned uses = 0;
    walkExprs(f_, body, [&](ExprId x) {
      const auto* ref = std::get_if<VarRef>(&f_[x].node);
      uses += ref && ref->var == v;
    });
    return uses == 1;
  }

  Module& m_;
  Function& f_;
  rules::Algebra algebra_;
  std::set<StmtId> seen_;
};

}  // namespace

void ascendLoops(Module& module, Function& function) { Ascent(module, function).run(); }

}  // namespace contraflow::transform
