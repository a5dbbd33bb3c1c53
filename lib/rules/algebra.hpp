// Builds arithmetic that reads as if a person had written it: no terms of zero, no factors of one, no `+ -x`, constants folded.
// An invalid id stands for zero throughout.
#pragma once

#include <optional>

#include "ir/module.hpp"

namespace contraflow::rules {

class Algebra {
 public:
  Algebra(ir::Module& module, ir::Function& function, ir::SourceLoc loc = {})
      : m_(module), f_(function), loc_(loc) {}

  // A number of the type: `0.5`, `0.5f`, `2`; as many digits as the type needs.
  ir::ExprId literal(long double value, ir::TypeId type);
  // The value of a numeric literal, also behind a sign or a conversion.
  std::optional<long double> constant(ir::ExprId e) const;

  // Operands of one type. The result's type is theirs.
  ir::ExprId add(ir::ExprId a, ir::ExprId b);
  ir::ExprId subtract(ir::ExprId a, ir::ExprId b);
  ir::ExprId multiply(ir::ExprId a, ir::ExprId b);
  ir::ExprId divide(ir::ExprId a, ir::ExprId b);  // b isn't zero
  ir::ExprId negate(ir::ExprId a);
  // Comparisons and logic, folded where the operands are known.
  ir::ExprId compare(ir::BinaryOp op, ir::ExprId a, ir::ExprId b);
  ir::ExprId logical(ir::BinaryOp op, ir::ExprId a, ir::ExprId b);
  ir::ExprId logicalNot(ir::ExprId a);
  // condition ? a : b; a missing branch is zero.
  ir::ExprId conditional(ir::ExprId condition, ir::ExprId a, ir::ExprId b);
  // A MathCall; pow(x, 1) is x, pow(x, 0) is 1.
  ir::ExprId call(const std::string& function, std::vector<ir::ExprId> args, ir::TypeId type);
  // partial * seed. `singular`: zero where the seed is, whatever the partial (contraflow::scaled).
  ir::ExprId chain(ir::ExprId seed, ir::ExprId partial, bool singular);
  // A conversion; none if the type is the same. Invalid stays invalid.
  ir::ExprId cast(ir::ExprId e, ir::TypeId type);

  ir::TypeId boolType();
  // The expression, or a literal zero of the type for the invalid id.
  ir::ExprId orZero(ir::ExprId e, ir::TypeId type) { return e.valid() ? e : literal(0, type); }

 private:
  // True if the expression reads as a negative term: -x, -x * y, a negative number.
  bool isNegative(ir::ExprId e) const;
  ir::TypeId typeOf(ir::ExprId e) const { return f_[e].type; }
  ir::ExprId binary(ir::BinaryOp op, ir::ExprId a, ir::ExprId b, ir::TypeId type);

  ir::Module& m_;
  ir::Function& f_;
  ir::SourceLoc loc_;
};

}  // namespace contraflow::rules
