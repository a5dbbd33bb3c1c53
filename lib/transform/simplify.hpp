// Removes what a derivative function doesn't need: variables that nothing reads with all that is assigned to them, branches and
// loops that became empty. Statements with effects beyond such variables stay.
#pragma once

#include "ir/module.hpp"

namespace contraflow::transform {

void simplify(const ir::Module& module, ir::Function& function);

}  // namespace contraflow::transform
