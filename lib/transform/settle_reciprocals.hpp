// Reciprocals that derivatives were built with, as divisions: what is needed more than once was given a name before
// (share_values.hpp).
//
//     reciprocal(b)         →   1.0 / b
//     0.5 * reciprocal(b)   →   0.5 / b, and so for all powers of two, where both are rounded the same
#pragma once

#include "ir/module.hpp"

namespace contraflow::transform {

void settleReciprocals(ir::Module& module, ir::Function& function);

}  // namespace contraflow::transform
