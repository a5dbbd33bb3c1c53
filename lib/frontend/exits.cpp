// What ends the function, or the program, for good: `throw`, std::abort, std::exit and their like. The statement is kept as text, with
// its variables filled in: where the primal leaves, its derivative's forward sweep does, and there is nothing to reverse.
//
//     if (k < 0.0) throw std::domain_error("k");      →      opaque «throw std::domain_error("k")»
//
// What a macro expands to has no text of its own, and is printed from Clang's tree.
#include <algorithm>

#include "clang/AST/PrettyPrinter.h"
#include "frontend/ast_visitor.hpp"
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;

namespace {

// The variables and members that the text names, outermost expressions first; what can't stand in a text elsewhere.
class Operands : public AstVisitor {
 public:
  bool TraverseMemberExpr(MemberExpr* e) override {
    if (!isa<FieldDecl>(e->getMemberDecl())) return AstVisitor::TraverseMemberExpr(e);
    found.push_back(e);
    return true;
  }
  bool TraverseDeclRefExpr(DeclRefExpr* e) override {
    if (const auto* var = dyn_cast<VarDecl>(e->getDecl()); (var && !var->hasGlobalStorage()) || isa<BindingDecl>(e->getDecl())) found.push_back(e);
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr*) override { return fits = false; }
  bool VisitCXXThisExpr(CXXThisExpr*) override { return fits = false; }
  bool VisitBinaryOperator(BinaryOperator* e) override { return fits = fits && !e->isAssignmentOp(); }
  bool VisitUnaryOperator(UnaryOperator* e) override { return fits = fits && !e->isIncrementDecrementOp(); }
  std::vector<const Expr*> found;
  bool fits = true;
};

// Prints a mark for each of the operands, and remembers which.
class MarkOperands : public PrinterHelper {
 public:
  static constexpr char kMark = '\1';
  explicit MarkOperands(const std::vector<const Expr*>& operands) : operands_(operands) {}
  bool handledStmt(Stmt* s, llvm::raw_ostream& out) override {
    const auto it = std::find(operands_.begin(), operands_.end(), s);
    if (it == operands_.end()) return false;
    printed.push_back(*it);
    out << kMark;
    return true;
  }
  std::vector<const Expr*> printed;  // in order

 private:
  const std::vector<const Expr*>& operands_;
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
  operands.TraverseStmt(e);
  const auto isMacro = [](const Expr* x) { return x->getBeginLoc().isMacroID() || x->getEndLoc().isMacroID(); };
  if (!operands.fits) {
    unsupported(e, "this exit", "throw an object made of a text and of variables");
    return true;
  }
  std::vector<const Expr*> found = operands.found;
  ir::Opaque node;
  if (isMacro(e) || std::any_of(found.begin(), found.end(), isMacro)) {
    MarkOperands marks(operands.found);
    std::string text;
    llvm::raw_string_ostream out(text);
    e->printPretty(out, &marks, PrintingPolicy(ast().getLangOpts()));
    std::size_t from = 0;
    for (const Expr* x : marks.printed) {
      const std::size_t mark = text.find(MarkOperands::kMark, from);
      node.pieces.push_back(text.substr(from, mark - from));
      node.args.push_back(lowerPlace(x));
      from = mark + 1;
    }
    node.pieces.push_back(text.substr(from));
    emit(std::move(node), at);
    return true;
  }
  std::stable_sort(found.begin(), found.end(), [&](const Expr* a, const Expr* b) { return unit_.offset(a->getBeginLoc()) < unit_.offset(b->getBeginLoc()); });
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
