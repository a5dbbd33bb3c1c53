// Nodes of Clang's AST that mean nothing here.
#pragma once

#include "clang/AST/Expr.h"
#include "clang/AST/Type.h"

namespace contraflow::frontend {

// Without parentheses, cleanups, default arguments and the like.
const clang::Expr* withoutWrappers(const clang::Expr* e);
// Of an initialiser: also without conversions that change no value and, if asked, without the temporary that it makes.
const clang::Expr* initialiserOf(const clang::Expr* e, bool throughTemporaries = false);

// Of an argument by value: what the object is copied from. The callee never writes its parameter, so the original serves.
const clang::Expr* copiedFrom(const clang::Expr* e);
// Of an argument for a `void*`: the pointer before it lost its type.
const clang::Expr* withoutVoidCast(const clang::Expr* e);
// A parameter or variable of this type denotes a place. A reference to a function is a value, as a pointer to it is.
bool bindsPlace(clang::QualType type);
// A vector's iterator, which is a pointer in the IR (iterators.cpp).
bool isIterator(clang::QualType type);
// A std::reverse_iterator of one: the pointer to the element behind the one that it denotes.
bool isReverseIterator(clang::QualType type);
// std::function (function_objects.cpp).
bool isFunctionObject(clang::QualType type);
// std::unique_ptr, which is a vector in the IR (smart_pointers.cpp).
bool isUniquePointer(clang::QualType type);

}  // namespace contraflow::frontend
