#include "transform/loop_ends.hpp"

#include "analysis/index_forms.hpp"

namespace contraflow::transform {

using namespace ir;

std::optional<LoopEnds> loopEnds(Module& m, Function& f, rules::Algebra& algebra, const For& loop) {
  const TypeId type = withoutConst(m, f[loop.counter].type);
  const auto* integer = as<IntType>(m, type);
  const auto step = analysis::polynomialOf(m, f, loop.step, [](ExprId) { return std::nullopt; });
  if (!integer || !integer->isSigned || integer->bits < 32 || !step || !analysis::isNumber(*step)) return std::nullopt;
  const long long by = analysis::numberOf(*step);
  for (ExprId e : {loop.init, loop.bound}) {
    const auto* from = as<IntType>(m, f[e].type);
    if (!from || !from->isSigned || from->bits > integer->bits) return std::nullopt;
  }
  const ExprId init = algebra.cast(loop.init, type), bound = algebra.cast(loop.bound, type), one = algebra.literal(1, type);
  if (by == 1 && (loop.compare == BinaryOp::Lt || loop.compare == BinaryOp::Le)) return LoopEnds{init, loop.compare, bound, true};
  if (by == -1 && loop.compare == BinaryOp::Gt) return LoopEnds{algebra.add(bound, one), BinaryOp::Le, init, false};
  if (by == -1 && loop.compare == BinaryOp::Ge) return LoopEnds{bound, BinaryOp::Le, init, false};
  return std::nullopt;
}

}  // namespace contraflow::transform
