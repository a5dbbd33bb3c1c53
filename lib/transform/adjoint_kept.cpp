// Results of costly functions that the tape keeps (analysis/kept_results.hpp), named where a partial derivative is the same call:
//
//     const double c = std::cos(a), s = std::sin(a);    →    a_b += c * s_b - s * c_b;
//
// where the reverse part has both back from the tape, and `a` in no other value.
#include "ir/expr_printer.hpp"
#include "ir/walk.hpp"
#include "transform/adjoint_builder.hpp"

namespace contraflow::transform {

using namespace ir;

// Text that only equal values share; empty if the call reads anything but numbers that keep the value which they are declared with.
std::string AdjointBuilder::keyOfCall(ExprId call) const {
  if (!std::holds_alternative<MathCall>(f_[call].node)) return {};
  std::string key = ExprPrinter(m_, f_)(call);
  bool good = true;
  walkExpr(f_, call, [&](ExprId x) {
    const ExprNode& node = f_[x].node;
    if (const auto* v = std::get_if<VarRef>(&node)) {
      good = good && !isReference(m_, f_[v->var].type) && written_.count(v->var) == 0 && addressTaken_.count(v->var) == 0;
      return;
    }
    good = good && (std::holds_alternative<Literal>(node) || std::holds_alternative<Unary>(node) || std::holds_alternative<Binary>(node) ||
                    std::holds_alternative<Cast>(node) || std::holds_alternative<MathCall>(node));
    key += " :" + std::to_string(withoutConst(m_, f_[x].type).index());
  });
  return good ? key : std::string();
}

// The declarations of a block, whose reverse part begins with taking them from the tape.
void AdjointBuilder::noteKept(const Block& statements, const Context& ctx) {
  if (ctx.joint) return;
  for (StmtId s : statements) {
    const auto* d = std::get_if<Declare>(&f_[s].node);
    if (!d || !facts_.keepsResult(variant_.primal, s) || !facts_.finalValueNeeded(variant_.primal, d->var) || written_.count(d->var) != 0 ||
        addressTaken_.count(d->var) != 0 || withoutConst(m_, f_[d->var].type) != withoutConst(m_, f_[d->args[0]].type))
      continue;
    if (std::string key = keyOfCall(d->args[0]); !key.empty()) kept_.emplace_back(std::move(key), d->var);
  }
}

// The expression, with calls whose value a variable has.
ExprId AdjointBuilder::withKept(ExprId e) {
  if (kept_.empty()) return e;
  return rewriteExpr(f_, e, [&](ExprId x) {
    if (!std::holds_alternative<MathCall>(f_[x].node)) return x;
    const std::string key = keyOfCall(x);
    for (auto k = kept_.rbegin(); k != kept_.rend() && !key.empty(); ++k)
      if (k->first == key) return var(k->second);
    return x;
  });
}

}  // namespace contraflow::transform
