// An assignment whose target's address depends on memory that the assignment itself may write:
//
//     a[int(a[0])] = x;     const int index = int(a[0]);  a[index] = x;
//
// The reverse sweep names a target before its old value is back. An index in a variable of its own is recorded as any other
// variable, if it has to be.
#pragma once

#include "ir/module.hpp"

namespace contraflow::transform {

// The place, with such indices declared in `out`. The same id where there are none.
ir::ExprId settleTarget(ir::Module& module, ir::Function& function, ir::ExprId target, ir::SourceLoc at, ir::Block& out);

}  // namespace contraflow::transform
