#include "frontend/special_members.hpp"

#include <algorithm>
#include <set>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "frontend/destructors.hpp"
#include "frontend/effects.hpp"
#include "frontend/wrappers.hpp"
#include "rules/mpi.hpp"

namespace contraflow::frontend {
namespace {

using namespace clang;

// --- what is changed outside of an object -----------------------------------------------------------------------------------

constexpr unsigned kDeepest = 8;

bool changesOutside(const Stmt* s, unsigned depth);

bool changesOutside(const CXXConstructorDecl* c, unsigned depth) {
  if (c->isTrivial() || c->getParent()->isInStdNamespace()) return false;
  const FunctionDecl* found = nullptr;
  if (depth > kDeepest || !c->hasBody(found)) {
    if (!c->isDefaulted()) return true;
    // Not used, so Clang hasn't written its initialisers: those of the members.
    const CXXRecordDecl* record = c->getParent();
    return std::any_of(record->field_begin(), record->field_end(), [&](const FieldDecl* f) {
      return f->hasInClassInitializer() && changesOutside(f->getInClassInitializer(), depth + 1);
    });
  }
  const auto* definition = cast<CXXConstructorDecl>(found);
  const auto changes = [&](const CXXCtorInitializer* init) { return changesOutside(init->getInit(), depth + 1); };
  return std::any_of(definition->init_begin(), definition->init_end(), changes) || changesOutside(definition->getBody(), depth + 1);
}

bool changesOutside(const FunctionDecl* callee, unsigned depth) {
  // Asking MPI who one is may be done twice; a message may not, and a random number is another one.
  const std::string name = callee->getNameAsString();
  if (const auto row = rules::findMpi(name)) return rules::mpiRow(*row).family != rules::Family::Query;
  if (inSystemHeader(callee)) return name.rfind("MPI_", 0) == 0 || name.find("rand") != std::string::npos;
  const FunctionDecl* definition = nullptr;
  return depth > kDeepest || !callee->hasBody(definition) || changesOutside(definition->getBody(), depth + 1);
}

// A global that isn't only read. What a global pointer leads to counts as changed.
bool isChangedGlobal(const DeclRefExpr* ref, bool read) {
  const auto* var = dyn_cast<VarDecl>(ref->getDecl());
  if (!var || !var->hasGlobalStorage() || var->getType().isConstQualified()) return false;
  if (var->getASTContext().getSourceManager().isInSystemHeader(var->getLocation())) return false;
  if (var->getType()->isIncompleteType()) return false;  // it can only be named: a handle of MPI
  return !read || var->getType()->isPointerType();
}

// The place that a conversion reads: its indices are code as any other.
bool placeChangesOutside(const Expr* place, unsigned depth) {
  place = place->IgnoreParens();
  if (const auto* ref = dyn_cast<DeclRefExpr>(place)) return isChangedGlobal(ref, true);
  if (const auto* member = dyn_cast<MemberExpr>(place); member && !member->isArrow()) return placeChangesOutside(member->getBase(), depth);
  if (const auto* element = dyn_cast<ArraySubscriptExpr>(place))
    return placeChangesOutside(element->getBase()->IgnoreImpCasts(), depth) || changesOutside(element->getIdx(), depth);
  return changesOutside(place, depth);
}

bool changesOutside(const Stmt* s, unsigned depth) {
  if (!s) return false;
  if (const auto* ref = dyn_cast<DeclRefExpr>(s)) return isChangedGlobal(ref, false);
  if (const auto* cast = dyn_cast<ImplicitCastExpr>(s); cast && cast->getCastKind() == CK_LValueToRValue)
    return placeChangesOutside(cast->getSubExpr(), depth);
  if (const auto* init = dyn_cast<CXXDefaultInitExpr>(s)) return changesOutside(init->getExpr(), depth);
  if (const auto* construct = dyn_cast<CXXConstructExpr>(s); construct && changesOutside(construct->getConstructor(), depth)) return true;
  if (const auto* call = dyn_cast<CallExpr>(s)) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (!callee || changesOutside(callee, depth)) return true;
  }
  return std::any_of(s->child_begin(), s->child_end(), [&](const Stmt* child) { return changesOutside(child, depth); });
}

// --- copies of members ------------------------------------------------------------------------------------------------------

// True if `to` names in this object what `from` names in the parameter `other`.
bool isSamePlace(const Expr* to, const Expr* from, const ParmVarDecl* other) {
  to = initialiserOf(to)->IgnoreParenImpCasts();
  from = initialiserOf(from)->IgnoreParenImpCasts();
  if (const auto* a = dyn_cast<MemberExpr>(to)) {
    const auto* b = dyn_cast<MemberExpr>(from);
    return b && a->getMemberDecl() == b->getMemberDecl() && isSamePlace(a->getBase(), b->getBase(), other);
  }
  if (const auto* a = dyn_cast<ArraySubscriptExpr>(to)) {
    const auto* b = dyn_cast<ArraySubscriptExpr>(from);
    return b && isSamePlace(a->getBase(), b->getBase(), other) && isSamePlace(a->getIdx(), b->getIdx(), other);
  }
  if (isa<CXXThisExpr>(to)) {
    const auto* b = dyn_cast<DeclRefExpr>(from);
    return b && b->getDecl() == other;
  }
  if (const auto* a = dyn_cast<DeclRefExpr>(to)) {
    const auto* b = dyn_cast<DeclRefExpr>(from);
    return b && a->getDecl() == b->getDecl() && a->getDecl() != other;
  }
  if (const auto* a = dyn_cast<IntegerLiteral>(to)) {
    const auto* b = dyn_cast<IntegerLiteral>(from);
    return b && a->getValue() == b->getValue();
  }
  return false;
}

const FieldDecl* memberOf(const Expr* place) {
  place = place->IgnoreParenImpCasts();
  while (const auto* element = dyn_cast<ArraySubscriptExpr>(place)) place = element->getBase()->IgnoreParenImpCasts();
  const auto* member = dyn_cast<MemberExpr>(place);
  return member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
}

// Statements that copy members of `other`, and nothing else; `copied` collects which.
bool copiesMembers(const Stmt* s, const ParmVarDecl* other, std::set<const FieldDecl*>& copied) {
  if (!s || isa<NullStmt>(s) || isa<ReturnStmt>(s)) return true;
  if (const auto* block = dyn_cast<CompoundStmt>(s))
    return std::all_of(block->body_begin(), block->body_end(), [&](const Stmt* c) { return copiesMembers(c, other, copied); });
  if (const auto* test = dyn_cast<IfStmt>(s)) {
    // if (this != &other) …
    const auto* compare = dyn_cast<BinaryOperator>(test->getCond()->IgnoreParenImpCasts());
    return compare && compare->isEqualityOp() && isa<CXXThisExpr>(compare->getLHS()->IgnoreParenImpCasts()) &&
           copiesMembers(test->getThen(), other, copied) && copiesMembers(test->getElse(), other, copied);
  }
  if (const auto* loop = dyn_cast<ForStmt>(s)) return copiesMembers(loop->getBody(), other, copied);
  const Expr *to = nullptr, *from = nullptr;
  if (const auto* e = dyn_cast<Expr>(s)) s = withoutWrappers(e);
  if (const auto* assign = dyn_cast<BinaryOperator>(s); assign && assign->getOpcode() == BO_Assign) {
    to = assign->getLHS();
    from = assign->getRHS();
  } else if (const auto* call = dyn_cast<CXXOperatorCallExpr>(s); call && call->getOperator() == OO_Equal) {
    to = call->getArg(0);
    from = call->getArg(1);
  }
  if (!to || !isSamePlace(to, from, other)) return false;
  if (const FieldDecl* field = memberOf(to)) copied.insert(field);
  return true;
}

// A copy constructor or assignment, or one that moves.
bool computes(const CXXMethodDecl* method) {
  if (method->isDeleted() || !method->isUserProvided()) return false;
  const FunctionDecl* found = nullptr;
  if (!method->hasBody(found)) return !method->getTemplateInstantiationPattern();  // of a template: never used
  const ParmVarDecl* other = found->getParamDecl(0);
  std::set<const FieldDecl*> copied;
  if (const auto* c = dyn_cast<CXXConstructorDecl>(found))
    for (const CXXCtorInitializer* init : c->inits()) {
      if (!init->getMember()) continue;
      const Expr* from = initialiserOf(init->getInit());
      if (const auto* construct = dyn_cast<CXXConstructExpr>(from)) {
        if (construct->getNumArgs() != 1) continue;  // by default: its body may copy it
        from = construct->getArg(0);
      }
      if (isa<ArrayInitLoopExpr>(from)) return true;
      const auto* member = dyn_cast<MemberExpr>(initialiserOf(from)->IgnoreParenImpCasts());
      const auto* base = member ? dyn_cast<DeclRefExpr>(member->getBase()->IgnoreParenImpCasts()) : nullptr;
      if (!base || base->getDecl() != other || member->getMemberDecl() != init->getMember()) return true;
      copied.insert(init->getMember());
    }
  if (!copiesMembers(found->getBody(), other, copied)) return true;
  const CXXRecordDecl* record = method->getParent();
  return std::any_of(record->field_begin(), record->field_end(), [&](const FieldDecl* f) { return !copied.count(f); });
}

bool copyComputes(QualType type, std::set<const clang::Type*>& seen) {
  if (type->isReferenceType() || type->isPointerType()) return false;
  type = type.getCanonicalType().getUnqualifiedType();
  if (const auto* array = type->getAsArrayTypeUnsafe()) return copyComputes(array->getElementType(), seen);
  if (!seen.insert(type.getTypePtr()).second) return false;
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition()) return false;
  record = record->getDefinition();
  if (record->isInStdNamespace() || record->isTriviallyCopyable()) return false;
  for (const CXXMethodDecl* m : record->methods()) {
    const auto* c = dyn_cast<CXXConstructorDecl>(m);
    const bool copies = c ? c->isCopyOrMoveConstructor() : m->isCopyAssignmentOperator() || m->isMoveAssignmentOperator();
    if (copies && computes(m)) return true;
  }
  for (const CXXBaseSpecifier& base : record->bases())
    if (copyComputes(base.getType(), seen)) return true;
  return std::any_of(record->field_begin(), record->field_end(), [&](const FieldDecl* f) { return copyComputes(f->getType(), seen); });
}

}  // namespace

bool defaultConstructionIsSeen(const CXXRecordDecl* record) {
  record = record->getDefinition();
  if (destroysSomething(record->getASTContext().getRecordType(record))) return false;
  for (const CXXConstructorDecl* c : record->ctors())
    if (c->isDefaultConstructor() && !c->isDeleted()) return changesOutside(c, 0);
  return std::any_of(record->field_begin(), record->field_end(), [](const FieldDecl* f) {
    return f->hasInClassInitializer() && changesOutside(f->getInClassInitializer(), 0);
  });
}

bool copyComputes(QualType type) {
  if (destroysSomething(type)) return false;
  std::set<const clang::Type*> seen;
  return copyComputes(type, seen);
}

}  // namespace contraflow::frontend
