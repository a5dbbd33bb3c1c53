#include "frontend/effects.hpp"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "frontend/ast_visitor.hpp"
#include "frontend/wrappers.hpp"
#include "rules/mpi.hpp"

namespace contraflow::frontend {
namespace {

using namespace clang;

// The scalar types that writing an object of the type writes.
void addTypes(QualType type, Effects::Types& types, std::set<const clang::Type*>& seen) {
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (!seen.insert(type.getTypePtr()).second) return;
  if (const auto* array = type->getAsArrayTypeUnsafe()) return addTypes(array->getElementType(), types, seen);
  if (const auto* complex = type->getAs<ComplexType>()) return addTypes(complex->getElementType(), types, seen);
  if (const auto* record = type->getAsCXXRecordDecl()) {
    if (!record->hasDefinition()) return;
    if (const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(record); special && record->isInStdNamespace() && record->getName() == "vector")
      addTypes(special->getTemplateArgs()[0].getAsType(), types, seen);
    for (const FieldDecl* f : record->fields()) addTypes(f->getType(), types, seen);
    for (const CXXBaseSpecifier& b : record->bases()) addTypes(b.getType(), types, seen);
    return;
  }
  types.insert(type.getTypePtr());
}
void addTypes(QualType type, Effects::Types& types) {
  std::set<const clang::Type*> seen;
  addTypes(type, types, seen);
}

bool isStdComplex(const CXXRecordDecl* record) {
  return record && record->isInStdNamespace() && record->getDeclName().isIdentifier() && record->getName() == "complex";
}

bool ownsVector(QualType type) {
  type = type.getNonReferenceType();
  if (const auto* array = type->getAsArrayTypeUnsafe()) return ownsVector(array->getElementType());
  const auto* record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition()) return false;
  if (record->isInStdNamespace() && (record->getName() == "vector" || record->getName() == "unique_ptr")) return true;
  for (const FieldDecl* f : record->fields())
    if (ownsVector(f->getType())) return true;
  return false;
}

// Methods of a vector that change its size or buffer.
bool restructures(const FunctionDecl* f) {
  if (f->getOverloadedOperator() == OO_Equal) return true;
  static const std::set<std::string> kNames = {"push_back", "emplace_back", "pop_back", "resize", "reserve", "clear", "assign",
                                               "insert", "emplace", "erase", "swap", "shrink_to_fit", "reset"};
  return f->getDeclName().isIdentifier() && kNames.count(f->getNameAsString()) != 0;
}

bool isStdContainer(const CXXRecordDecl* record) {
  return record && record->isInStdNamespace() && (record->getName() == "vector" || record->getName() == "array" || record->getName() == "unique_ptr");
}

// std::get of a pair or tuple: a place in its argument.
bool isTupleGet(const CallExpr* e) {
  const FunctionDecl* f = e->getDirectCallee();
  return f && f->isInStdNamespace() && !isa<CXXMethodDecl>(f) && f->getDeclName().isIdentifier() && f->getName() == "get" && e->getNumArgs() == 1;
}

bool hasReferences(ArrayRef<TemplateArgument> args) {
  return llvm::any_of(args, [](const TemplateArgument& a) {
    return a.getKind() == TemplateArgument::Pack ? hasReferences(a.pack_elements())
                                                 : a.getKind() == TemplateArgument::Type && a.getAsType()->isReferenceType();
  });
}

// True if a pair or tuple makes an element of its own of the scalar, which it gets as `T&&`: it reads what this names, and no more.
bool isCopiedIntoTuple(const FunctionDecl* f, const Expr* argument) {
  if (!argument->getType()->isScalarType()) return false;
  if (f->isInStdNamespace() && f->getDeclName().isIdentifier()) return f->getName() == "make_pair" || f->getName() == "make_tuple";
  const auto* constructor = dyn_cast<CXXConstructorDecl>(f);
  const auto* record = constructor ? dyn_cast<ClassTemplateSpecializationDecl>(constructor->getParent()) : nullptr;
  return record && record->isInStdNamespace() && (record->getName() == "pair" || record->getName() == "tuple") &&
         !hasReferences(record->getTemplateArgs().asArray());
}

// True if the MPI routine is done with its arguments when it returns.
bool keepsNothing(const FunctionDecl* f) {
  if (!f || !f->getDeclName().isIdentifier()) return false;
  const auto row = rules::findMpi(f->getNameAsString());
  if (!row) return false;
  const rules::Family family = rules::mpiRow(*row).family;
  return family != rules::Family::Post && family != rules::Family::Completion;
}

class Scan : public AstVisitor {
 public:
  Scan(Effects& effects, ASTContext& ast, std::set<const FunctionDecl*>& callees)
      : effects_(effects), ast_(ast), callees_(callees) {}

  bool shouldVisitImplicitCode() const override { return true; }

  bool VisitBinaryOperator(BinaryOperator* e) override {
    if (e->isAssignmentOp()) write(e->getLHS());
    if (e->getOpcode() == BO_PtrMemD) takeAddress(e->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator* e) override {
    if (e->isIncrementDecrementOp()) write(e->getSubExpr());
    if (e->getOpcode() == UO_AddrOf) takeAddress(e->getSubExpr());
    return true;
  }
  bool VisitConditionalOperator(ConditionalOperator* e) override {
    if (e->isLValue()) {
      takeAddress(e->getTrueExpr());
      takeAddress(e->getFalseExpr());
    }
    return true;
  }
  bool TraverseArraySubscriptExpr(ArraySubscriptExpr* e) override {
    // The decay of the array in a[i] takes no address.
    if (const auto* decay = dyn_cast<ImplicitCastExpr>(e->getBase()->IgnoreParens()))
      if (decay->getCastKind() == CK_ArrayToPointerDecay)
        return TraverseStmt(decay->getSubExpr()) && TraverseStmt(e->getIdx());
    return TraverseStmt(e->getBase()) && TraverseStmt(e->getIdx());
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr* e) override {
    if (e->getCastKind() == CK_ArrayToPointerDecay) takeAddress(e->getSubExpr());
    return true;
  }
  bool TraverseCallExpr(CallExpr* e) override {
    const bool outer = lent_;
    const FunctionDecl* f = e->getDirectCallee();
    if (!keepsNothing(f)) {
      lent_ = false;
      const bool done = AstVisitor::TraverseCallExpr(e);
      lent_ = outer;
      return done;
    }
    const rules::MpiRow& row = rules::mpiRow(*rules::findMpi(f->getNameAsString()));
    for (unsigned i = 0; i < e->getNumArgs(); ++i) {
      const bool written = i < row.roles.size() && rules::isWritten(row.roles[i]);
      lent_ = i < row.roles.size() && (written || rules::isBuffer(row.roles[i]));
      if (!TraverseStmt(e->getArg(i))) return false;
      if (written) writeThrough(e->getArg(i));
    }
    lent_ = outer;
    return VisitCallExpr(e);
  }
  bool VisitVarDecl(VarDecl* decl) override {
    destructor(decl->getType());
    if (decl->getType()->isReferenceType() && decl->getInit() && !isa<ParmVarDecl>(decl)) takeAddress(decl->getInit());
    return true;
  }
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr* e) override {
    destructor(e->getType());
    return true;
  }
  bool VisitCXXForRangeStmt(CXXForRangeStmt* s) override {
    if (s->getLoopVariable()->getType()->isReferenceType()) takeAddress(s->getRangeInit());
    return true;
  }
  bool VisitInitListExpr(InitListExpr* list) override {
    if (const auto* record = list->getType()->getAsRecordDecl()) {
      unsigned i = 0;
      for (const FieldDecl* f : record->fields())
        if (i < list->getNumInits() && f->getType()->isReferenceType()) takeAddress(list->getInit(i++));
        else ++i;
    }
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr* e) override {
    if (e->getConstructor()->isMoveConstructor() && e->getNumArgs() == 1 && ownsVector(e->getType())) restructure(e->getArg(0));
    if (isFunctionObject(e->getType()))
      for (const Expr* a : e->arguments())
        if (const auto* closure = a->getType().getNonReferenceType()->getAsCXXRecordDecl(); closure && closure->isLambda())
          for (const LambdaCapture& capture : closure->captures())
            if (const auto* var = capture.capturesVariable() && capture.getCaptureKind() == LCK_ByRef ? dyn_cast<VarDecl>(capture.getCapturedVar()) : nullptr) {
              effects_.addressTaken.insert(var->getCanonicalDecl());
              effects_.escaped.insert(var->getCanonicalDecl());
            }
    arguments(e->getConstructor(), e->getArgs(), e->getNumArgs());
    if (!e->getConstructor()->isTrivial()) callee(e->getConstructor());
    return true;
  }
  bool VisitCallExpr(CallExpr* e) override {
    const FunctionDecl* f = e->getDirectCallee();
    if (!f) {
      effects_.unknown = true;
      return true;
    }
    if (isTupleGet(e)) return true;  // part of its argument
    if (const auto* call = dyn_cast<CXXOperatorCallExpr>(e); call && call->getOperator() == OO_Call && isFunctionObject(call->getArg(0)->getType())) {
      effects_.unknown = effects_.restructuresMemory = true;  // whatever it holds
      arguments(f, e->getArgs() + 1, e->getNumArgs() - 1);
      return true;
    }
    const auto* method = dyn_cast<CXXMethodDecl>(f);
    const bool isOperator = isa<CXXOperatorCallExpr>(e);
    const Expr* object = nullptr;
    if (const auto* call = dyn_cast<CXXMemberCallExpr>(e)) object = call->getImplicitObjectArgument();
    if (isOperator && method && !method->isStatic() && e->getNumArgs() > 0) object = e->getArg(0);
    if (method && object && isStdContainer(method->getParent())) {
      const StringRef name = method->getDeclName().isIdentifier() ? method->getName() : "";
      if (restructures(f)) {
        restructure(object);
        write(object);
        for (unsigned i = 0; i < e->getNumArgs(); ++i)  // swapped, or moved from
          if (ownsVector(e->getArg(i)->getType()) && !e->getArg(i)->getType().isConstQualified()) {
            restructure(e->getArg(i));
            write(e->getArg(i));
          }
      }
      if (name == "get" || name == "data" || name == "begin" || name == "end" || name == "cbegin" || name == "cend" || name == "rbegin" || name == "rend" || name == "crbegin" || name == "crend")
        takeAddress(object);
      else if (f->getOverloadedOperator() == OO_Equal || (!method->isConst() && !f->getReturnType()->isReferenceType()))
        write(object);
      return true;
    }
    if (method && object && isStdComplex(method->getParent())) {
      if (!method->isConst()) write(object);
      return true;
    }
    if (object && isIterator(object->getType())) {
      if (method && !method->isConst()) write(object);
      return true;
    }
    if (method && method->isVirtual()) effects_.unknown = true;
    if (method && object) {
      const bool arrow = object->getType()->isPointerType();
      if ((method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) && ownsVector(object->getType())) {
        restructure(object);
        if (method->isMoveAssignmentOperator()) restructure(e->getArg(e->getNumArgs() - 1));
        if (method->isDefaulted()) write(object);
      }
      if ((method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) && method->isTrivial()) {
        write(object);
        return true;
      }
      if (!method->isConst()) {
        if (arrow) addTypes(object->getType()->getPointeeType(), effects_.memory);
        else { write(object); takeAddress(object); }
      }
    }
    if (f->isInStdNamespace() && f->getDeclName().isIdentifier() && f->getName() == "swap" && e->getNumArgs() == 2)
      for (const Expr* a : e->arguments())
        if (ownsVector(a->getType())) restructure(a);
    if (keepsNothing(f)) return true;  // TraverseCallExpr has seen to it
    const unsigned skip = isOperator && object ? 1 : 0;
    arguments(f, e->getArgs() + skip, e->getNumArgs() - skip);
    callee(f);
    return true;
  }

 private:
  // At the end of the object's scope.
  void destructor(QualType type) {
    const auto* record = type->isReferenceType() ? nullptr : type->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || record->isInStdNamespace() || record->getDefinition()->hasTrivialDestructor()) return;
    if (const auto* d = record->getDefinition()->getDestructor(); d && d->isUserProvided()) callee(d);
    for (const FieldDecl* f : record->getDefinition()->fields()) destructor(f->getType());
  }
  void arguments(const FunctionDecl* f, Expr* const* args, unsigned count) {
    const bool hasBody = f->hasBody() && !inSystemHeader(f);
    for (unsigned i = 0; i < count && i < f->getNumParams(); ++i) {
      const QualType p = f->getParamDecl(i)->getType();
      if (isCopiedIntoTuple(f, args[i])) continue;
      if (p->isReferenceType() && !p->getPointeeType().isConstQualified()) {
        takeAddress(args[i]);
        write(args[i]);
      } else if (!hasBody && isIterator(args[i]->getType())) {
        addTypes(iteratorElement(args[i]->getType()), effects_.memory);
      } else if (const auto* functor = args[i]->getType().getNonReferenceType()->getAsCXXRecordDecl(); !hasBody && functor && functor->isLambda()) {
        callee(functor->getLambdaCallOperator());
      } else if (!hasBody && p->isPointerType() && !p->getPointeeType().isConstQualified()) {
        writeThrough(args[i]);
      }
    }
  }
  static QualType iteratorElement(QualType type) {
    const auto* special = cast<ClassTemplateSpecializationDecl>(type.getNonReferenceType()->getAsCXXRecordDecl());
    const QualType of = special->getTemplateArgs()[0].getAsType();
    return of->isPointerType() ? of->getPointeeType() : iteratorElement(of);
  }
  // What a pointer points to is written, maybe beyond the object that it names.
  void writeThrough(const Expr* pointer) {
    const Expr* e = pointer->IgnoreParenImpCasts();
    const QualType type = e->getType();
    if (const auto* unary = dyn_cast<UnaryOperator>(e); unary && unary->getOpcode() == UO_AddrOf) write(unary->getSubExpr());
    else if (type->isArrayType()) write(e);
    else if (type->isPointerType() && !type->isVoidPointerType()) addTypes(type->getPointeeType(), effects_.memory);
    else if (!e->isNullPointerConstant(ast_, Expr::NPC_ValueDependentIsNull)) effects_.unknown = true;
    if (!lent_ && type->isPointerType() && !type->isVoidPointerType()) addTypes(type->getPointeeType(), effects_.memory);
  }
  void callee(const FunctionDecl* f) {
    const FunctionDecl* definition = nullptr;
    if (inSystemHeader(f)) return;  // writes through its arguments only
    if (!f->hasBody(definition)) {
      effects_.unknown = true;
      return;
    }
    if (!callees_.insert(definition->getCanonicalDecl()).second) return;
    Effects inner;
    Scan scan(inner, ast_, callees_);
    scan.TraverseStmt(definition->getBody());
    if (const auto* ctor = dyn_cast<CXXConstructorDecl>(definition))
      for (const CXXCtorInitializer* init : ctor->inits()) scan.TraverseStmt(init->getInit());
    effects_.unknown |= inner.unknown;
    effects_.restructuresMemory |= inner.restructuresMemory;
    for (const VarDecl* decl : inner.restructured) {
      const auto* owner = dyn_cast<Decl>(decl->getDeclContext());
      if (owner && owner->getCanonicalDecl() != definition->getCanonicalDecl()) effects_.restructured.insert(decl);
      if (inner.takesAddress(decl)) effects_.restructuresMemory = true;
    }
    effects_.memory.insert(inner.memory.begin(), inner.memory.end());
    for (const auto& [decl, types] : inner.written) {
      if (inner.escapes(decl)) effects_.memory.insert(types.begin(), types.end());
      // Captured by a lambda.
      const auto* owner = dyn_cast<Decl>(decl->getDeclContext());
      if (owner && owner->getCanonicalDecl() != definition->getCanonicalDecl()) effects_.written[decl].insert(types.begin(), types.end());
    }
  }

  // The variable that a glvalue is (part of) by name; null: memory.
  const VarDecl* root(const Expr* e) {
    e = e->IgnoreParenImpCasts();
    if (const auto* ref = dyn_cast<DeclRefExpr>(e)) {
      const auto* binding = dyn_cast<BindingDecl>(ref->getDecl());
      const auto* var = dyn_cast_or_null<VarDecl>(binding ? binding->getDecomposedDecl() : ref->getDecl());
      return var && var->hasLocalStorage() && !var->getType()->isReferenceType() ? var->getCanonicalDecl() : nullptr;
    }
    if (const auto* member = dyn_cast<MemberExpr>(e))
      return member->isArrow() || member->getMemberDecl()->getType()->isReferenceType() ? nullptr : root(member->getBase());
    if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(e)) {
      const Expr* base = subscript->getBase()->IgnoreParens();
      if (const auto* decay = dyn_cast<ImplicitCastExpr>(base))
        if (decay->getCastKind() == CK_ArrayToPointerDecay) return root(decay->getSubExpr());
      return nullptr;
    }
    if (const auto* call = dyn_cast<CXXOperatorCallExpr>(e)) {
      const auto* method = dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee());
      return method && isStdContainer(method->getParent()) ? root(call->getArg(0)) : nullptr;
    }
    if (const auto* call = dyn_cast<CXXMemberCallExpr>(e))
      return isStdContainer(call->getRecordDecl()) && !call->getImplicitObjectArgument()->getType()->isPointerType()
                 ? root(call->getImplicitObjectArgument())
                 : nullptr;
    if (const auto* call = dyn_cast<CallExpr>(e); call && isTupleGet(call)) return root(call->getArg(0));
    if (const auto* assign = dyn_cast<BinaryOperator>(e))
      return root(assign->getOpcode() == BO_Comma ? assign->getRHS() : assign->getLHS());
    if (const auto* unary = dyn_cast<UnaryOperator>(e))
      return unary->isIncrementDecrementOp() ? root(unary->getSubExpr()) : nullptr;
    if (const auto* cast = dyn_cast<CastExpr>(e)) return root(cast->getSubExpr());
    if (const auto* temp = dyn_cast<MaterializeTemporaryExpr>(e)) return root(temp->getSubExpr());
    return nullptr;
  }
  void restructure(const Expr* e) {
    if (const VarDecl* var = root(e)) effects_.restructured.insert(var);
    else effects_.restructuresMemory = true;
  }
  void write(const Expr* e) {
    e = e->IgnoreParens();
    if (const auto* choice = dyn_cast<ConditionalOperator>(e)) {
      write(choice->getTrueExpr());
      write(choice->getFalseExpr());
      return;
    }
    if (const VarDecl* var = root(e)) addTypes(e->getType(), effects_.written[var]);
    else addTypes(e->getType(), effects_.memory);
  }
  void takeAddress(const Expr* e) {
    e = e->IgnoreParens();
    if (const auto* choice = dyn_cast<ConditionalOperator>(e)) {
      takeAddress(choice->getTrueExpr());
      takeAddress(choice->getFalseExpr());
      return;
    }
    const VarDecl* var = root(e);
    if (!var) return;
    effects_.addressTaken.insert(var);
    if (!lent_) effects_.escaped.insert(var);
  }

  Effects& effects_;
  ASTContext& ast_;
  std::set<const FunctionDecl*>& callees_;
  bool lent_ = false;  // in an argument that the callee doesn't keep
};

}  // namespace

bool inSystemHeader(const clang::FunctionDecl* decl) {
  const SourceManager& sources = decl->getASTContext().getSourceManager();
  const SourceLocation at = decl->getLocation();
  return at.isInvalid() || decl->getBuiltinID() != 0 || sources.isInSystemHeader(sources.getExpansionLoc(at)) ||
         decl->isInStdNamespace();
}

void Effects::merge(const Effects& other) {
  for (const auto& [decl, types] : other.written) written[decl].insert(types.begin(), types.end());
  addressTaken.insert(other.addressTaken.begin(), other.addressTaken.end());
  escaped.insert(other.escaped.begin(), other.escaped.end());
  memory.insert(other.memory.begin(), other.memory.end());
  restructured.insert(other.restructured.begin(), other.restructured.end());
  restructuresMemory |= other.restructuresMemory;
  unknown |= other.unknown;
}

Effects effectsOf(const clang::Stmt* s, clang::ASTContext& ast) {
  Effects effects;
  std::set<const FunctionDecl*> callees;
  if (s) Scan(effects, ast, callees).TraverseStmt(s);
  return effects;
}

}  // namespace contraflow::frontend
