// Classes that functions declare in their bodies.
#pragma once

#include "frontend/unit.hpp"

namespace contraflow::frontend {

// Moves those of the function in front of it, where derivatives can name them.
void hoistLocalClasses(TranslationUnit& unit, const clang::FunctionDecl* definition);
// Where a declaration at namespace scope may be put in front of the function: before its attributes and `extern "C"`.
unsigned frontOf(TranslationUnit& unit, const clang::FunctionDecl* f);

}  // namespace contraflow::frontend
