// `#pragma omp atomic update` to an OmpAtomic: an increment of a number.
#include "clang/AST/OpenMPClause.h"
#include "frontend/omp_clauses.hpp"

namespace contraflow::frontend {
namespace {

// True if converting the summand first and adding in the target's type gives what C++ gives.
bool computedInTypeOf(clang::ASTContext& ast, const clang::Expr* target, const clang::Expr* value) {
  const clang::QualType to = target->getType().getNonReferenceType();
  const clang::QualType from = value->IgnoreParenImpCasts()->getType();
  if (to->isIntegerType()) return from->isIntegerType();
  if (!from->isRealFloatingType()) return true;
  return ast.getFloatingTypeOrder(to, from) >= 0;
}

}  // namespace

void lowerOmpAtomic(FunctionLowering& f, const clang::OMPExecutableDirective* directive) {
  const clang::SourceLocation at = directive->getBeginLoc();
  const auto refuse = [&](const std::string& what, const std::string& wayOut) {
    f.reject(DiagId::UnsupportedOmp, at, {what, wayOut});
  };
  for (const clang::OMPClause* clause : directive->clauses())
    if (!llvm::isa<clang::OMPUpdateClause>(clause))
      return refuse("'#pragma omp atomic " + llvm::omp::getOpenMPClauseName(clause->getClauseKind()).str() + "'",
                    "'#pragma omp atomic update' is");
  const clang::Stmt* body = directive->getRawStmt();
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body); block && block->size() == 1) body = block->body_front();
  const auto* written = llvm::dyn_cast<clang::Expr>(body);
  const std::optional<Accumulation> update = written ? accumulation(written, f.ast()) : std::nullopt;
  if (!update) return refuse("an atomic update other than x += e, x -= e, x = x + e, x++ and x--", "use one of these");
  const ir::TypeId type = f.valueType(update->target->getType(), at);
  if (!ir::isReal(f.module(), type) && !ir::isIntegral(f.module(), type))
    return refuse("an atomic update of something that is no number", "update numbers");
  ir::OmpAtomic result;
  result.subtract = update->subtract;
  if (update->value) {
    if (!computedInTypeOf(f.ast(), update->target, update->value))
      return refuse("an atomic update that is computed in a wider type than its target",
                    "convert the summand to the target's type first");
    result.value = f.convert(f.lowerExpr(update->value), type, at);
  } else {
    result.value = f.convert(f.literal("1", f.intType(), at), type, at);
  }
  result.target = f.lowerPlace(update->target);
  f.emit(std::move(result), at);
}

}  // namespace contraflow::frontend
