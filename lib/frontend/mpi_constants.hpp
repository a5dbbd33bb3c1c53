// Internal to lib/frontend: MPI's constants. In C they are macros that become casts of numbers or of a library's own objects, so
// they are known by the macro's name where they are used.
#pragma once

#include <string>

#include "frontend/lowering.hpp"

namespace contraflow::frontend {

// "MPI_DOUBLE" where the expression is that macro, or a macro of the user's that stands for it, or a const variable initialised
// with it; empty otherwise.
std::string mpiConstant(FunctionLowering& f, const clang::Expr* e);

// "MPI_DOUBLE" for double; empty for what has no such type.
std::string datatypeOf(clang::ASTContext& ast, clang::QualType real);
// True for the name of a datatype that holds no real: "MPI_INT".
bool isIntegerDatatype(const std::string& name);
// True for the operations whose adjoint the runtime has.
bool isReversibleOperation(const std::string& name);

}  // namespace contraflow::frontend
