// Closures and function objects that a call changes: a copy of one goes its own way.
#pragma once

#include "clang/AST/Type.h"

namespace contraflow::frontend {

// A lambda that is `mutable` and has captures, or an object whose call operator isn't const.
bool changesItself(clang::QualType type);
inline constexpr const char* kCopyOfClosure = "a copy of a function object that changes itself when it is called";
inline constexpr const char* kShareClosure = "let it capture by reference what it changes, or hand it on by reference";

}  // namespace contraflow::frontend
