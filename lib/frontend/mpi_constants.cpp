#include "frontend/mpi_constants.hpp"

#include <algorithm>

#include "clang/Lex/Lexer.h"
#include "rules/mpi.hpp"

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
  if (ast.hasSameUnqualifiedType(real, ast.DoubleTy)) return rules::datatypeThatHolds(rules::Holds::Double);
  if (ast.hasSameUnqualifiedType(real, ast.FloatTy)) return rules::datatypeThatHolds(rules::Holds::Float);
  if (ast.hasSameUnqualifiedType(real, ast.LongDoubleTy)) return rules::datatypeThatHolds(rules::Holds::LongDouble);
  return "";
}

bool isIntegerDatatype(const std::string& name) { return rules::findDatatype(name) == rules::Holds::Integer; }

bool isReversibleOperation(const std::string& name) {
  const std::vector<std::string>& known = rules::reversibleOperations();
  return std::find(known.begin(), known.end(), name) != known.end();
}

}  // namespace contraflow::frontend
