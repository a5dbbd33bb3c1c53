// Products with the same factor twice: y * y, and 0.5 * y * y, which is (0.5 * y) * y. Both have one partial.
#pragma once

#include <optional>

#include "ir/equal.hpp"
#include "rules/algebra.hpp"

namespace contraflow::transform {

struct Square {
  ir::ExprId factor;  // of the square; none: 1
  ir::ExprId root;
};

// `isConstant(e)`: no derivative goes through e.
template <class IsConstant>
std::optional<Square> squareIn(const ir::Function& f, const ir::Binary& product, IsConstant isConstant) {
  if (product.op != ir::BinaryOp::Mul) return std::nullopt;
  if (ir::equal(f, product.lhs, product.rhs)) return Square{{}, product.lhs};
  for (const auto& [inner, other] : {std::pair(product.lhs, product.rhs), std::pair(product.rhs, product.lhs)}) {
    const auto* b = std::get_if<ir::Binary>(&f[inner].node);
    if (!b || b->op != ir::BinaryOp::Mul) continue;
    if (ir::equal(f, b->rhs, other) && isConstant(b->lhs)) return Square{b->lhs, other};
    if (ir::equal(f, b->lhs, other) && isConstant(b->rhs)) return Square{b->rhs, other};
  }
  return std::nullopt;
}

// 2 * factor * root
inline ir::ExprId partialOf(const Square& square, rules::Algebra& algebra, ir::TypeId type) {
  const ir::ExprId two = algebra.literal(2, type);
  return algebra.multiply(square.factor.valid() ? algebra.multiply(two, square.factor) : two, square.root);
}

}  // namespace contraflow::transform
