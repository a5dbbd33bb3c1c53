#include "frontend/hidden_names.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"

namespace contraflow::frontend {

using namespace clang;

namespace {

// Whether a namespace in `around` that has a name, or one in that, declares the name.
bool isInNamespace(const DeclContext* around, DeclarationName name) {
  const SourceManager& sources = around->getParentASTContext().getSourceManager();
  for (const Decl* d : around->decls()) {
    const auto* space = dyn_cast<NamespaceDecl>(d);
    if (!space || sources.isInSystemHeader(space->getLocation())) continue;
    if (!space->isAnonymousNamespace() && !space->lookup(name).empty()) return true;
    if (isInNamespace(space, name)) return true;
  }
  return false;
}

}  // namespace

std::string nameFromAnywhere(const NamedDecl* decl) {
  std::string name;
  llvm::raw_string_ostream out(name);
  PrintingPolicy policy(decl->getASTContext().getLangOpts());
  policy.SuppressUnwrittenScope = true;
  decl->printQualifiedName(out, policy);
  out.flush();
  // The outermost declaration with a name that contains it, or itself.
  const NamedDecl* first = decl;
  for (const DeclContext* c = decl->getDeclContext(); c && !c->isTranslationUnit(); c = c->getParent()) {
    const auto* space = dyn_cast<NamespaceDecl>(c);
    if (isa<FunctionDecl>(c)) return name;
    if (const auto* named = dyn_cast<NamedDecl>(c);
        named && !(space && (space->isAnonymousNamespace() || space->isInline())))
      first = named;
  }
  return isInNamespace(decl->getASTContext().getTranslationUnitDecl(), first->getDeclName()) ? "::" + name : name;
}

}  // namespace contraflow::frontend
