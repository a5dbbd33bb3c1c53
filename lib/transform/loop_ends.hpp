// The ends of a counted loop as they stand in front of it, whichever way it runs.
#pragma once

#include <optional>

#include "rules/algebra.hpp"

namespace contraflow::transform {

struct LoopEnds {
  ir::ExprId low;        // the least value of the counter, if the loop runs
  ir::BinaryOp compare;  // Lt or Le:
  ir::ExprId bound;      // the others are < or <= this
  bool ascending;
};

// For steps of 1 and -1 of a signed counter of 32 bits or more; both ends have the counter's type.
std::optional<LoopEnds> loopEnds(ir::Module& module, ir::Function& function, rules::Algebra& algebra, const ir::For& loop);

}  // namespace contraflow::transform
