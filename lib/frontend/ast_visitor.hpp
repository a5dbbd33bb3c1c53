// Walks over Clang's trees. clang::RecursiveASTVisitor is a template that compiles to all of a tree's kinds for each class that
// is derived from it; this one is compiled once, and has what ours look at.
#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/TypeLoc.h>

namespace contraflow::frontend {

// The kinds of nodes whose Visit and Traverse can be overridden; a new one is named here and nowhere else.
#define CONTRAFLOW_VISITED_NODES(X)                                                                                        \
  X(FunctionDecl) X(VarDecl) X(CXXRecordDecl) X(Stmt) X(GotoStmt) X(BreakStmt) X(SwitchCase) X(ReturnStmt) X(ForStmt)      \
  X(WhileStmt) X(DoStmt) X(CXXForRangeStmt) X(BinaryOperator) X(UnaryOperator) X(ConditionalOperator) X(CastExpr)          \
  X(ImplicitCastExpr) X(ArraySubscriptExpr) X(CallExpr) X(CXXConstructExpr) X(CXXBindTemporaryExpr) X(CXXNewExpr)          \
  X(CXXThrowExpr) X(CXXThisExpr) X(LambdaExpr) X(InitListExpr) X(DeclRefExpr) X(MemberExpr)
#define CONTRAFLOW_TRAVERSED_NODES(X)                                                                                      \
  X(CXXRecordDecl) X(DeclStmt) X(ForStmt) X(WhileStmt) X(DoStmt) X(CXXForRangeStmt) X(SwitchStmt) X(ArraySubscriptExpr)    \
  X(CallExpr) X(LambdaExpr) X(DeclRefExpr) X(MemberExpr)

// Methods have the names and the meaning of clang::RecursiveASTVisitor's: Visit… sees a node before its children, Traverse…
// stands for the whole walk over a node and may call the base's; false ends the walk.
class AstVisitor {
 public:
  virtual ~AstVisitor();
  virtual bool shouldVisitTemplateInstantiations() const { return false; }
  virtual bool shouldVisitImplicitCode() const { return false; }

  bool TraverseStmt(const clang::Stmt* s);
  virtual bool TraverseDecl(clang::Decl* d);
  virtual bool TraverseConstructorInitializer(clang::CXXCtorInitializer* init);
#define CONTRAFLOW_TRAVERSE(Node) virtual bool Traverse##Node(clang::Node* node);
  CONTRAFLOW_TRAVERSED_NODES(CONTRAFLOW_TRAVERSE)
#undef CONTRAFLOW_TRAVERSE

#define CONTRAFLOW_VISIT(Node) \
  virtual bool Visit##Node(clang::Node*) { return true; }
  CONTRAFLOW_VISITED_NODES(CONTRAFLOW_VISIT)
#undef CONTRAFLOW_VISIT
  virtual bool VisitTypedefTypeLoc(clang::TypedefTypeLoc) { return true; }
  virtual bool VisitTagTypeLoc(clang::TagTypeLoc) { return true; }

 private:
  class Bridge;
};

}  // namespace contraflow::frontend
