// Whether a function, or what it calls, is seen to write to what one of its pointer variables leads to. `__restrict__` says something about
// memory that is written alone: two such pointers that are only read may lead to the same elements, whose shadows are then written
// through both.
#pragma once

#include "ir/module.hpp"

namespace contraflow::analysis {

bool storesThrough(const ir::Module& m, ir::FuncId f, ir::VarId pointer);

}  // namespace contraflow::analysis
