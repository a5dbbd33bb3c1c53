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

}  // namespace contraflow::frontend
