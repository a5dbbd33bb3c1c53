// Expressions compared by their structure.
#pragma once

#include "ir/module.hpp"

namespace contraflow::ir {

// True if both are the same tree of nodes over the same variables and globals: evaluated at one point, they give the same value or
// place. Names and types play no part, but for those that a conversion is to.
bool equal(const Function& function, ExprId a, ExprId b);

}  // namespace contraflow::ir
