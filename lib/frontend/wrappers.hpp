// Nodes of Clang's AST that mean nothing here.
#pragma once

#include "clang/AST/Expr.h"

namespace contraflow::frontend {

// Without parentheses, cleanups, default arguments and the like.
const clang::Expr* withoutWrappers(const clang::Expr* e);
// Of an initialiser: also without conversions that change no value and, if asked, without the temporary that it makes.
const clang::Expr* initialiserOf(const clang::Expr* e, bool throughTemporaries = false);

}  // namespace contraflow::frontend
