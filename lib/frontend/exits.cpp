// What ends the function, or the program, for good: `throw`, std::abort, std::exit and their like. The statement is kept as text, with
// its variables filled in: where the primal leaves, its derivative's forward sweep does, and there is nothing to reverse.
//
//     if (k < 0.0) throw std::domain_error("k");      →      opaque «throw std::domain_error("k")»
#include <algorithm>

#include "clang/AST/RecursiveASTVisitor.h"
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;

namespace {

// The variables and members that the text names, outermost expressions first; what can't stand in a text elsewhere.
class Operands : public RecursiveASTVisitor<Operands> {
 public:
  bool TraverseMemberExpr(MemberExpr* e) {
    if (!isa<FieldDecl>(e->getMemberDecl())) return RecursiveASTVisitor::TraverseMemberExpr(e);
    found.push_back(e);
    return true;
  }
  bool TraverseDeclRefExpr(DeclRefExpr* e) {
    if (const auto* var = dyn_cast<VarDecl>(e->getDecl()); var && !var->hasGlobalStorage()) found.push_back(e);
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr*) { return fits = false; }
  bool VisitCXXThisExpr(CXXThisExpr*) { return fits = false; }
  bool VisitBinaryOperator(BinaryOperator* e) { return fits = fits && !e->isAssignmentOp(); }
  bool VisitUnaryOperator(UnaryOperator* e) { return fits = fits && !e->isIncrementDecrementOp(); }
  std::vector<const Expr*> found;
  bool fits = true;
};

}  // namespace

bool FunctionLowering::lowerExit(const Expr* e) {
  const auto* thrown = dyn_cast<CXXThrowExpr>(e);
  const auto* call = dyn_cast<CallExpr>(e);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!thrown && !(callee && callee->isNoReturn() && inSystemHeader(callee) && !isa<CXXMethodDecl>(callee))) return false;
  const SourceLocation at = e->getExprLoc();
  if (thrown && !thrown->getSubExpr()) {
    unsupported(e, "'throw' without an object", "handle errors outside of the differentiated code");
    return true;
  }
  Operands operands;
  operands.TraverseStmt(const_cast<Expr*>(e));
  const auto isMacro = [](const Expr* x) { return x->getBeginLoc().isMacroID() || x->getEndLoc().isMacroID(); };
  if (!operands.fits || isMacro(e) || std::any_of(operands.found.begin(), operands.found.end(), isMacro)) {
    unsupported(e, "this exit", "throw an object made of a text and of variables");
    return true;
  }
  std::vector<const Expr*> found = operands.found;
  std::stable_sort(found.begin(), found.end(), [&](const Expr* a, const Expr* b) { return unit_.offset(a->getBeginLoc()) < unit_.offset(b->getBeginLoc()); });
  ir::Opaque node;
  const std::string text = unit_.text(e);
  const unsigned begin = unit_.offset(e->getBeginLoc());
  unsigned from = 0;
  for (const Expr* x : found) {
    const unsigned start = unit_.offset(x->getBeginLoc()) - begin;
    node.pieces.push_back(text.substr(from, start - from));
    node.args.push_back(lowerPlace(x));
    from = start + static_cast<unsigned>(unit_.text(x).size());
  }
  node.pieces.push_back(text.substr(from));
  emit(std::move(node), at);
  return true;
}

}  // namespace contraflow::frontend
