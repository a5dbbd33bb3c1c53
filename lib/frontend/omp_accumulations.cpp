// `x += e` in all its spellings: what an atomic update does, and all that a construct may do with its reduction variables.
#include <set>

#include "clang/AST/OpenMPClause.h"
#include "frontend/omp_clauses.hpp"

namespace contraflow::frontend {
namespace {

// The same expression, token by token.
bool same(const clang::Expr* a, const clang::Expr* b, const clang::ASTContext& ast) {
  llvm::FoldingSetNodeID left, right;
  a->IgnoreParenImpCasts()->Profile(left, ast, /*Canonical=*/true);
  b->IgnoreParenImpCasts()->Profile(right, ast, /*Canonical=*/true);
  return left == right;
}

class UseChecker {
 public:
  UseChecker(FunctionLowering& f, const std::vector<const clang::DeclRefExpr*>& reductions) : f_(f) {
    for (const clang::DeclRefExpr* name : reductions) reductions_.insert(name->getDecl()->getCanonicalDecl());
  }

  // `discarded`: the value of the expression isn't used.
  void visit(const clang::Stmt* s, bool discarded) {
    if (!s) return;
    if (const auto* e = llvm::dyn_cast<clang::Expr>(s)) return visitExpr(e, discarded);
    if (const auto* d = llvm::dyn_cast<clang::OMPExecutableDirective>(s)) {
      if (d->hasAssociatedStmt()) visit(d->getRawStmt(), true);
      return;
    }
    if (const auto* i = llvm::dyn_cast<clang::IfStmt>(s)) {
      visit(i->getInit(), true);
      visit(i->getConditionVariableDeclStmt(), true);
      visit(i->getCond(), false);
      visit(i->getThen(), true);
      return visit(i->getElse(), true);
    }
    if (const auto* l = llvm::dyn_cast<clang::ForStmt>(s)) {
      visit(l->getInit(), true);
      visit(l->getCond(), false);
      visit(l->getInc(), true);
      return visit(l->getBody(), true);
    }
    if (const auto* w = llvm::dyn_cast<clang::WhileStmt>(s)) {
      visit(w->getCond(), false);
      return visit(w->getBody(), true);
    }
    if (const auto* w = llvm::dyn_cast<clang::DoStmt>(s)) {
      visit(w->getBody(), true);
      return visit(w->getCond(), false);
    }
    // The expressions in a block are statements of their own; of any other statement they are values.
    const bool isBlock = llvm::isa<clang::CompoundStmt, clang::AttributedStmt, clang::LabelStmt, clang::SwitchCase>(s);
    for (const clang::Stmt* child : s->children())
      if (child) visit(child, isBlock || !llvm::isa<clang::Expr>(child) || isBodyOf(s, child));
  }

  bool ok() const { return ok_; }

 private:
  static bool isBodyOf(const clang::Stmt* s, const clang::Stmt* child) {
    const auto* range = llvm::dyn_cast<clang::CXXForRangeStmt>(s);
    return range && range->getBody() == child;
  }

  bool isReduction(const clang::Expr* e) const {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
    return name && reductions_.count(name->getDecl()->getCanonicalDecl()) != 0;
  }

  void visitExpr(const clang::Expr* e, bool discarded) {
    if (const auto* paren = llvm::dyn_cast<clang::ParenExpr>(e)) return visit(paren->getSubExpr(), discarded);
    if (const auto* full = llvm::dyn_cast<clang::FullExpr>(e)) return visit(full->getSubExpr(), discarded);
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (binary && binary->getOpcode() == clang::BO_Comma) {
      visit(binary->getLHS(), true);
      return visit(binary->getRHS(), discarded);
    }
    if (isReduction(e) && !llvm::isa<clang::ImplicitCastExpr>(e)) {
      ok_ = false;
      const std::string name = llvm::cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts())->getDecl()->getNameAsString();
      return f_.reject(DiagId::UnsupportedOmp, e->getBeginLoc(),
                       {"a use of the reduction variable '" + name + "' other than '" + name + " += …'",
                        "what it holds here depends on the number of threads; sum into '" + name +
                            "' by statements of their own, and read it behind the construct"});
    }
    const std::optional<Accumulation> update = discarded ? accumulation(e, f_.ast()) : std::nullopt;
    if (update && isReduction(update->target)) {
      if (update->value) visit(update->value, false);
      return;
    }
    // s = s + a - b
    if (discarded && binary && binary->getOpcode() == clang::BO_Assign && isReduction(binary->getLHS()) &&
        startsWith(binary->getRHS(), binary->getLHS()))
      return visitTerms(binary->getRHS());
    for (const clang::Stmt* child : e->children())
      if (child) visit(child, false);
  }

  // True if the expression is a sum whose first term is `first`.
  bool startsWith(const clang::Expr* sum, const clang::Expr* first) const {
    sum = sum->IgnoreParenImpCasts();
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(sum);
    if (binary && binary->isAdditiveOp()) return startsWith(binary->getLHS(), first);
    return same(sum, first, f_.ast());
  }
  // All terms of the sum but the first.
  void visitTerms(const clang::Expr* sum) {
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(sum->IgnoreParenImpCasts());
    if (!binary) return;
    visitTerms(binary->getLHS());
    visit(binary->getRHS(), false);
  }

  FunctionLowering& f_;
  std::set<const clang::Decl*> reductions_;
  bool ok_ = true;
};

}  // namespace

std::optional<Accumulation> accumulation(const clang::Expr* e, const clang::ASTContext& ast) {
  e = e->IgnoreParens();
  if (const auto* full = llvm::dyn_cast<clang::FullExpr>(e)) e = full->getSubExpr()->IgnoreParens();
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e)) {
    if (!unary->isIncrementDecrementOp()) return std::nullopt;
    return Accumulation{unary->getSubExpr(), nullptr, unary->isDecrementOp()};
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!binary) return std::nullopt;
  if (binary->getOpcode() == clang::BO_AddAssign || binary->getOpcode() == clang::BO_SubAssign)
    return Accumulation{binary->getLHS(), binary->getRHS(), binary->getOpcode() == clang::BO_SubAssign};
  if (binary->getOpcode() != clang::BO_Assign) return std::nullopt;
  // x = x + e, x = e + x, x = x - e; `x = x + a + b` is (x + a) + b, which is an accumulation only as a whole.
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(binary->getRHS()->IgnoreParenImpCasts());
  if (!sum || (sum->getOpcode() != clang::BO_Add && sum->getOpcode() != clang::BO_Sub)) return std::nullopt;
  const bool subtract = sum->getOpcode() == clang::BO_Sub;
  if (same(binary->getLHS(), sum->getLHS(), ast)) return Accumulation{binary->getLHS(), sum->getRHS(), subtract};
  if (!subtract && same(binary->getLHS(), sum->getRHS(), ast)) return Accumulation{binary->getLHS(), sum->getLHS(), false};
  return std::nullopt;
}

bool checkReductionUses(FunctionLowering& f, const clang::OMPExecutableDirective* directive,
                        const std::vector<const clang::DeclRefExpr*>& reductions) {
  if (reductions.empty() || !directive->hasAssociatedStmt()) return true;
  UseChecker checker(f, reductions);
  checker.visit(directive->getRawStmt(), true);
  return checker.ok();
}

}  // namespace contraflow::frontend
