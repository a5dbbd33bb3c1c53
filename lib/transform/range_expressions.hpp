// Where the elements lie that a statement names, as an expression: contraflow::rangeOf(pointer, offsets…).
#pragma once

#include "analysis/element_ranges.hpp"
#include "rules/algebra.hpp"

namespace contraflow::transform {

class RangeExpressions {
 public:
  RangeExpressions(ir::Module& module, ir::Function& function);

  // Of the elements of `base` (a pointer, array or container), from the least offset to the greatest. `ranges` knows it.
  ir::ExprId rangeOf(ir::VarId base, const analysis::ElementRanges& ranges);
  // contraflow::apart(first, others…): true if the first lies apart from each of the others.
  ir::ExprId apart(const std::vector<ir::ExprId>& all);
  // The polynomial's value, in long.
  ir::ExprId valueOf(const analysis::Polynomial& p);

 private:
  ir::ExprId valueOf(const analysis::Polynomial& p, long long number);
  ir::ExprId pointer(ir::VarId base);

  ir::Module& m_;
  ir::Function& f_;
  rules::Algebra algebra_;
  ir::TypeId long_;
};

}  // namespace contraflow::transform
