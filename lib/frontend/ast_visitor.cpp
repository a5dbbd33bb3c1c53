#include "frontend/ast_visitor.hpp"

#include <clang/AST/RecursiveASTVisitor.h>

namespace contraflow::frontend {

using namespace clang;

// Has no state but the visitor: each walk makes its own.
class AstVisitor::Bridge : public RecursiveASTVisitor<Bridge> {
 public:
  using Base = RecursiveASTVisitor<Bridge>;
  explicit Bridge(AstVisitor& visitor) : visitor_(visitor) {}
  bool shouldVisitTemplateInstantiations() const { return visitor_.shouldVisitTemplateInstantiations(); }
  bool shouldVisitImplicitCode() const { return visitor_.shouldVisitImplicitCode(); }

  bool TraverseDecl(Decl* d) { return visitor_.TraverseDecl(d); }
  bool TraverseConstructorInitializer(CXXCtorInitializer* init) { return visitor_.TraverseConstructorInitializer(init); }
#define CONTRAFLOW_TRAVERSE(Node) \
  bool Traverse##Node(Node* node) { return visitor_.Traverse##Node(node); }
  CONTRAFLOW_TRAVERSED_NODES(CONTRAFLOW_TRAVERSE)
#undef CONTRAFLOW_TRAVERSE
#define CONTRAFLOW_VISIT(Node) \
  bool Visit##Node(Node* node) { return visitor_.Visit##Node(node); }
  CONTRAFLOW_VISITED_NODES(CONTRAFLOW_VISIT)
#undef CONTRAFLOW_VISIT
  bool VisitTypedefTypeLoc(TypedefTypeLoc loc) { return visitor_.VisitTypedefTypeLoc(loc); }
  bool VisitTagTypeLoc(TagTypeLoc loc) { return visitor_.VisitTagTypeLoc(loc); }

 private:
  AstVisitor& visitor_;
};

AstVisitor::~AstVisitor() = default;
bool AstVisitor::TraverseStmt(const Stmt* s) { return Bridge(*this).TraverseStmt(const_cast<Stmt*>(s)); }
bool AstVisitor::TraverseDecl(Decl* d) { return Bridge(*this).Base::TraverseDecl(d); }
bool AstVisitor::TraverseConstructorInitializer(CXXCtorInitializer* init) {
  return Bridge(*this).Base::TraverseConstructorInitializer(init);
}
#define CONTRAFLOW_TRAVERSE(Node) \
  bool AstVisitor::Traverse##Node(Node* node) { return Bridge(*this).Base::Traverse##Node(node); }
CONTRAFLOW_TRAVERSED_NODES(CONTRAFLOW_TRAVERSE)
#undef CONTRAFLOW_TRAVERSE

}  // namespace contraflow::frontend
