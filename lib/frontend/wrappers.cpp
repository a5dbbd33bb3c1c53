#include "frontend/wrappers.hpp"

#include "clang/AST/ExprCXX.h"

namespace contraflow::frontend {

using namespace clang;

const Expr* withoutWrappers(const Expr* e) {
  while (true) {
    const Expr* in = e->IgnoreParens();
    if (const auto* n = dyn_cast<FullExpr>(in)) in = n->getSubExpr();
    else if (const auto* n = dyn_cast<CXXBindTemporaryExpr>(in)) in = n->getSubExpr();
    else if (const auto* n = dyn_cast<CXXDefaultArgExpr>(in)) in = n->getExpr();
    else if (const auto* n = dyn_cast<CXXDefaultInitExpr>(in)) in = n->getExpr();
    else if (const auto* n = dyn_cast<SubstNonTypeTemplateParmExpr>(in)) in = n->getReplacement();
    else if (const auto* n = dyn_cast<OpaqueValueExpr>(in); n && n->getSourceExpr()) in = n->getSourceExpr();
    if (in == e) return e;
    e = in;
  }
}

const Expr* initialiserOf(const Expr* e, bool throughTemporaries) {
  const auto keepsValue = [](const CastExpr* cast) {
    return cast->getCastKind() == CK_NoOp || cast->getCastKind() == CK_ConstructorConversion;
  };
  while (true) {
    const Expr* in = withoutWrappers(e);
    if (const auto* n = dyn_cast<CXXFunctionalCastExpr>(in); n && keepsValue(n)) in = n->getSubExpr();
    else if (const auto* n = dyn_cast<ImplicitCastExpr>(in); n && keepsValue(n) && (throughTemporaries || !n->isGLValue())) in = n->getSubExpr();
    else if (const auto* n = dyn_cast<MaterializeTemporaryExpr>(in); n && throughTemporaries) in = n->getSubExpr();
    if (in == e) return e;
    e = in;
  }
}

const Expr* copiedFrom(const Expr* e) {
  const auto* construct = dyn_cast<CXXConstructExpr>(withoutWrappers(e));
  if (!construct || !construct->getConstructor()->isCopyOrMoveConstructor() || construct->getNumArgs() != 1) return e;
  if (!construct->getConstructor()->isDefaulted() && !construct->getConstructor()->getParent()->isInStdNamespace()) return e;
  const Expr* from = construct->getArg(0)->IgnoreParenImpCasts();
  return from->isGLValue() && !isa<MaterializeTemporaryExpr>(from) ? from : e;
}

const Expr* withoutVoidCast(const Expr* e) {
  const auto* cast = dyn_cast<CastExpr>(withoutWrappers(e));
  return cast && cast->getCastKind() == CK_BitCast && cast->getType()->isVoidPointerType() ? cast->getSubExpr() : e;
}

bool bindsPlace(QualType type) { return type->isReferenceType() && !type->getPointeeType()->isFunctionType(); }

}  // namespace contraflow::frontend
