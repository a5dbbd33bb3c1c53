// Which destructors matter.
#pragma once

#include "clang/AST/DeclCXX.h"

namespace contraflow::frontend {

// True if an object of this type does something at its end, itself or by its members. Library types don't count.
bool destroysSomething(clang::QualType type);

// True if all that its destructors do is to free memory, so that it doesn't matter when.
bool onlyFreesMemory(clang::QualType type);

}  // namespace contraflow::frontend
