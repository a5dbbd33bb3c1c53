// What happens to the variables of a function, as far as a compiler's warnings and `const` are concerned.
#pragma once

#include <vector>

#include "ir/module.hpp"

namespace contraflow::emit {

struct VarUsage {
  bool mentioned = false;  // its name is printed somewhere else than in its declaration
  bool read = false;       // … as a value, or its address gets around
  bool written = false;    // after its declaration, or its address gets around
};

// By variable. A copy of an OpenMP construct counts as its original.
std::vector<VarUsage> usage(const ir::Module& module, const ir::Function& function);

}  // namespace contraflow::emit
