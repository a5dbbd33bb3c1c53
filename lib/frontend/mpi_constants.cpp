#include "frontend/mpi_constants.hpp"

#include <algorithm>
#include <array>

#include "clang/Lex/Lexer.h"

namespace contraflow::frontend {

std::string mpiConstant(FunctionLowering& f, const clang::Expr* e) {
  e = e->IgnoreParenImpCasts();
  const clang::SourceManager& sources = f.unit().sources();
  clang::SourceLocation begin = e->getBeginLoc();
  const bool isWhole = begin.isMacroID() && sources.getExpansionLoc(begin) == sources.getExpansionLoc(e->getEndLoc());
  if (isWhole) {
    // From the innermost macro, which is the library's own, outwards. An argument of a macro was written by the caller.
    while (begin.isMacroID()) {
      const llvm::StringRef name = clang::Lexer::getImmediateMacroName(begin, sources, f.ast().getLangOpts());
      if (!sources.isMacroArgExpansion(begin) && name.starts_with("MPI_")) return name.str();
      begin = sources.getImmediateMacroCallerLoc(begin);
    }
  }
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
  if (use && llvm::isa<clang::EnumConstantDecl>(use->getDecl()) && use->getDecl()->getName().starts_with("MPI_"))
    return use->getDecl()->getNameAsString();
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  if (variable && variable->getType().isConstQualified() && variable->hasInit() && !variable->getType()->isIntegerType())
    return mpiConstant(f, variable->getInit());
  return "";
}

std::string datatypeOf(clang::ASTContext& ast, clang::QualType real) {
  if (ast.hasSameUnqualifiedType(real, ast.DoubleTy)) return "MPI_DOUBLE";
  if (ast.hasSameUnqualifiedType(real, ast.FloatTy)) return "MPI_FLOAT";
  if (ast.hasSameUnqualifiedType(real, ast.LongDoubleTy)) return "MPI_LONG_DOUBLE";
  return "";
}

bool isIntegerDatatype(const std::string& name) {
  static constexpr std::array<const char*, 26> kNames = {
      "MPI_CHAR",           "MPI_SIGNED_CHAR",   "MPI_UNSIGNED_CHAR", "MPI_SHORT",     "MPI_UNSIGNED_SHORT",
      "MPI_INT",            "MPI_UNSIGNED",      "MPI_LONG",          "MPI_LONG_INT",  "MPI_UNSIGNED_LONG",
      "MPI_LONG_LONG",      "MPI_LONG_LONG_INT", "MPI_UNSIGNED_LONG_LONG", "MPI_INT8_T", "MPI_INT16_T",
      "MPI_INT32_T",        "MPI_INT64_T",       "MPI_UINT8_T",       "MPI_UINT16_T",  "MPI_UINT32_T",
      "MPI_UINT64_T",       "MPI_C_BOOL",        "MPI_CXX_BOOL",      "MPI_WCHAR",     "MPI_AINT",
      "MPI_OFFSET"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool isSumMaxMin(const std::string& name) { return name == "MPI_SUM" || name == "MPI_MAX" || name == "MPI_MIN"; }

}  // namespace contraflow::frontend
