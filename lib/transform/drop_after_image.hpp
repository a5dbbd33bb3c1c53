// Adjoints that restore nothing which their caller sees keep no after-image: `keepAfterImage` and `putAfterImage` go, from derivatives of
// `module` that are complete.
#pragma once

#include <vector>

#include "ir/module.hpp"

namespace contraflow::transform {

void dropAfterImages(ir::Module& module, const std::vector<ir::FuncId>& derivatives);

}  // namespace contraflow::transform
