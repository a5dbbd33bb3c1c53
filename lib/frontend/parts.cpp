// Objects in parts: each member is a variable of its own, and the object itself is never declared.
//
//     View w(x, y);        →        (w.left is x, w.right is y)
//     w.left += w.right;            x += y;
//
// For closures, and for locals of a type that derivative code couldn't declare a shadow of: one with a reference member, or
// without a default constructor. What is called with such an object is inlined. A use of the whole object that remains is refused.
#include "frontend/closures.hpp"
#include "frontend/destructors.hpp"
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"
#include "ir/walk.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

bool hasBaseMembers(const CXXRecordDecl* record) {
  return std::any_of(record->getDefinition()->bases_begin(), record->getDefinition()->bases_end(), [](const CXXBaseSpecifier& base) {
    const auto* b = base.getType()->getAsCXXRecordDecl();
    return b && !b->isEmpty();
  });
}

bool FunctionLowering::needsParts(QualType type) {
  if (type->isReferenceType()) return false;
  if (isFunctionObject(type)) return true;
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition()) return false;
  record = record->getDefinition();
  if (record->isLambda()) return true;
  if (record->isUnion()) return unit_.isMixedUnion(record) && !unit_.sources().isInSystemHeader(record->getLocation());
  if (record->isInStdNamespace() || unit_.sources().isInSystemHeader(record->getLocation())) return false;
  for (const FieldDecl* f : record->fields())
    if (f->getType()->isReferenceType() || needsParts(f->getType())) return true;
  if (destructorOf(type)) return true;
  if (record->isAggregate() || isDefaultConstructible(record)) return false;
  const auto* known = ir::as<ir::RecordType>(module(), lowerType(type.getUnqualifiedType(), record->getLocation()));
  return !known || module()[known->record].anyArguments.empty();
}

bool FunctionLowering::inParts(ExprId e) {
  const auto* ref = std::get_if<ir::VarRef>(&function()[e].node);
  return ref && parts_.count(ref->var);
}

ExprId FunctionLowering::member(ExprId object, unsigned field, TypeId type, SourceLocation at) {
  if (inParts(object)) {
    const auto& parts = parts_[std::get<ir::VarRef>(function()[object].node).var];
    if (const auto it = parts.find(field); it != parts.end()) return clone(it->second);
  }
  if (field == TranslationUnit::kNoField) {
    reject(DiagId::UnsupportedExpression, at, {"this use of a member of a union for which another one stands", "use it by its name"});
    return expr(ir::FieldRef{object, 0}, type, at);
  }
  return expr(ir::FieldRef{object, field}, type, at);
}

ExprId FunctionLowering::objectInParts(QualType type, const std::string& name, SourceLocation at) {
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  const TypeId t = record->isLambda()              ? module().type(ir::OpaqueType{"a lambda"})
                   : unit_.holdsMixedUnion(type) ? module().type(ir::OpaqueType{"a union"})
                                                 : lowerType(type.getUnqualifiedType(), at);
  const ir::VarId var = addVariable(name, t, at);
  parts_[var] = {};
  return varRef(var, at);
}

void FunctionLowering::aliasPart(ExprId object, unsigned field, ExprId place, const std::string& name, SourceLocation at) {
  const ir::VarId owner = std::get<ir::VarRef>(function()[object].node).var;
  if (!std::holds_alternative<ir::VarRef>(function()[place].node) && !std::holds_alternative<ir::GlobalRef>(function()[place].node)) {
    const ir::VarId var = addVariable(name, module().type(ir::ReferenceType{typeOf(place)}), at);
    emit(ir::Declare{var, ir::Init::Bind, {place}, ir::Storage::Automatic, {}}, at);
    place = varRef(var, at);
  }
  parts_[owner][field] = place;
}

void FunctionLowering::initialisePart(ExprId object, const FieldDecl* field, const Expr* init, SourceLocation at) {
  const ir::VarId owner = std::get<ir::VarRef>(function()[object].node).var;
  const unsigned k = unit_.field(field);
  const std::string name = function()[owner].name + "_" + field->getNameAsString();
  if (field->getType()->isReferenceType()) {
    if (init) aliasPart(object, k, lowerPlace(init), name, at);
    return;
  }
  if (isFunctionObject(field->getType())) {
    const ExprId callable = init ? heldCallable(init) : noCallable(at);
    if (isNoCallable(callable)) emptyParts_[{owner, k}] = block_;
    parts_[owner][k] = callable;
    return;
  }
  if (needsParts(field->getType())) {
    const ExprId part = objectInParts(field->getType(), name, at);
    if (init) initialiseParts(part, init, at);
    else declareParts(part, field->getType()->getAsCXXRecordDecl(), at);
    parts_[owner][k] = part;
    return;
  }
  const ir::VarId var = addVariable(name, ir::withoutConst(module(), lowerType(field->getType(), at)), at);
  partVariables_.insert(var);
  initialise(var, init, at);
  parts_[owner][k] = varRef(var, at);
}

// Without an initialiser.
void FunctionLowering::declareParts(ExprId object, const CXXRecordDecl* record, SourceLocation at) {
  if (unit_.isMixedUnion(record)) return declareUnionParts(object, record, nullptr, nullptr, at);
  if (!unit_.holdsMixedUnion(unit_.ast().getRecordType(record))) return;
  for (const FieldDecl* f : unit_.members(record)) initialisePart(object, f, f->getInClassInitializer(), at);
}

void FunctionLowering::initialiseParts(ExprId object, const Expr* init, SourceLocation at) {
  init = initialiserOf(init, true);
  const CXXRecordDecl* record = init->getType()->getAsCXXRecordDecl();
  if (!isa<CXXConstructExpr>(init) && hasBaseMembers(record)) {
    reject(DiagId::UnsupportedExpression, at, {"an object of '" + unit_.spell(init->getType()) + "' made of its base class and members", "give the type a constructor"});
    return;
  }
  if (const auto* list = dyn_cast<InitListExpr>(init)) {
    if (!list->isSemanticForm() && list->getSemanticForm()) list = list->getSemanticForm();
    if (list->isTransparent()) return initialiseParts(object, list->getInit(0), at);
    if (unit_.isMixedUnion(record))
      return declareUnionParts(object, record, list->getInitializedFieldInUnion(), list->getNumInits() > 0 ? list->getInit(0) : nullptr, at);
    unsigned i = 0;
    for (const FieldDecl* f : record->fields()) {
      initialisePart(object, f, i < list->getNumInits() ? list->getInit(i) : nullptr, at);
      ++i;
    }
    return;
  }
  const auto* construct = dyn_cast<CXXConstructExpr>(init);
  const CXXConstructorDecl* ctor = construct ? construct->getConstructor() : nullptr;
  if (ctor && ctor->isDefaultConstructor() && !ctor->isUserProvided() && unit_.holdsMixedUnion(init->getType())) return declareParts(object, record, at);
  if (construct && !(ctor->isCopyOrMoveConstructor() && ctor->isDefaulted())) return inlineConstructor(object, construct);
  const Expr* from = construct ? initialiserOf(construct->getArg(0), true) : init;
  if (!from->isGLValue() && destructorOf(from->getType())) {
    // The object is the temporary: C++ makes no other one.
    const ExprId made = lowerExpr(from);
    if (!inParts(made)) return;
    forgetCleanup(made);
    parts_[std::get<ir::VarRef>(function()[object].node).var] = parts_[std::get<ir::VarRef>(function()[made].node).var];
    return;
  }
  copyParts(object, from->isGLValue() ? lowerPlace(from) : lowerExpr(from), record, false, at);
}

// Member by member: initialises, or assigns.
void FunctionLowering::copyParts(ExprId object, ExprId from, const CXXRecordDecl* record, bool assign, SourceLocation at) {
  if (unit_.isMixedUnion(record)) {
    reject(DiagId::UnsupportedExpression, at, {"a copy of a union that holds different kinds of values", "copy the member that was written last"});
    return;
  }
  if (hasBaseMembers(record)) {
    reject(DiagId::UnsupportedExpression, at, {"a copy of '" + record->getNameAsString() + "', which has a base class with members,", "give the type a default constructor"});
    return;
  }
  for (const FieldDecl* f : record->getDefinition()->fields()) {
    const unsigned k = unit_.field(f);
    if (isFunctionObject(f->getType())) {
      if (assign) reject(DiagId::UnsupportedStatement, at, {"assigning a whole object with the std::function '" + f->getNameAsString() + "'", "assign its other members"});
      else parts_[std::get<ir::VarRef>(function()[object].node).var][k] = member(clone(from), k, module().type(ir::OpaqueType{"a function"}), at);
      continue;
    }
    const TypeId type = ir::withoutConst(module(), ir::withoutReference(module(), lowerType(f->getType(), at)));
    const ExprId source = member(clone(from), k, type, at);
    if (assign) {
      const ExprId target = member(clone(object), k, type, at);
      if (inParts(target)) copyParts(target, source, f->getType()->getAsCXXRecordDecl(), true, at);
      else if (ir::isTriviallyCopyable(module(), type) && !ir::as<ir::ArrayType>(module(), type)) emit(ir::Assign{target, source}, at);
      else reject(DiagId::UnsupportedStatement, at, {"assigning a whole object with the member '" + f->getNameAsString() + "'", "copy it element by element"});
      continue;
    }
    const ir::VarId owner = std::get<ir::VarRef>(function()[object].node).var;
    const std::string name = function()[owner].name + "_" + f->getNameAsString();
    if (f->getType()->isReferenceType()) {
      aliasPart(object, k, source, name, at);
    } else if (needsParts(f->getType())) {
      const ExprId part = objectInParts(f->getType(), name, at);
      copyParts(part, source, f->getType()->getAsCXXRecordDecl(), false, at);
      parts_[owner][k] = part;
    } else if (const auto* array = ir::as<ir::ArrayType>(module(), type); array && !ir::isTriviallyCopyable(module(), array->element)) {
      reject(DiagId::UnsupportedStatement, at, {"copying the array '" + f->getNameAsString() + "'", "copy it element by element"});
    } else {
      const ir::VarId var = addVariable(name, type, at);
      partVariables_.insert(var);
      parts_[owner][k] = varRef(var, at);
      if (!ir::as<ir::ArrayType>(module(), type)) {
        emit(ir::Declare{var, ir::as<ir::ContainerType>(module(), type) ? ir::Init::Construct : ir::Init::Value, {source}, ir::Storage::Automatic, {}}, at);
        continue;
      }
      emit(ir::Declare{var, ir::Init::None, {}, ir::Storage::Automatic, {}}, at);
      copyArray(varRef(var, at), source, at);
    }
  }
}

void FunctionLowering::copyArray(ExprId target, ExprId source, SourceLocation at) {
  const auto* array = ir::as<ir::ArrayType>(module(), typeOf(target));
  if (!array) {
    emit(ir::Assign{target, source}, at);
    return;
  }
  const TypeId element = array->element;
  ir::For loop;
  const std::uint64_t extent = array->extent;
  loop.counter = addVariable("i", intType(), at, true);
  loop.init = literal("0", intType(), at);
  loop.compare = ir::BinaryOp::Lt;
  loop.bound = literal(std::to_string(extent), intType(), at);
  loop.step = literal("1", intType(), at);
  {
    InBlock in(*this, loop.body);
    copyArray(expr(ir::Subscript{target, varRef(loop.counter, at), false}, element, at),
              expr(ir::Subscript{source, varRef(loop.counter, at), false}, element, at), at);
  }
  emit(std::move(loop), at);
}

ExprId FunctionLowering::lambdaInParts(const LambdaExpr* e) {
  const SourceLocation at = e->getBeginLoc();
  const ExprId object = objectInParts(e->getType(), "lambda", at);
  const ir::VarId owner = std::get<ir::VarRef>(function()[object].node).var;
  lambdas_[owner] = e;
  unsigned k = 0;
  auto init = e->capture_init_begin();
  for (const LambdaCapture& capture : e->captures()) {
    const Expr* value = *init++;
    if (capture.capturesThis()) {
      if (capture.getCaptureKind() == LCK_StarThis) reject(DiagId::UnsupportedExpression, at, {"a capture of '*this'", "capture this"});
      parts_[owner][k++] = clone(self_);
      continue;
    }
    if (!capture.capturesVariable()) {
      reject(DiagId::UnsupportedExpression, at, {"a capture of the size of an array", "use std::vector"});
      parts_[owner][k++] = errorValue(ast().IntTy, at);
      continue;
    }
    const ValueDecl* captured = capture.getCapturedVar();
    const std::string name = captured->getNameAsString();
    if (isFunctionObject(captured->getType())) {
      parts_[owner][k++] = capture.getCaptureKind() == LCK_ByRef ? lowerPlace(value) : heldCallable(value);
      continue;
    }
    if (capture.getCaptureKind() == LCK_ByRef) {
      aliasPart(object, k++, lowerPlace(value), name, at);
      continue;
    }
    const QualType type = captured->getType().getNonReferenceType();
    if (!onlyFreesMemory(type)) {
      reject(DiagId::UnsupportedExpression, at, {"a copy of '" + name + "', whose destructor does something, in a lambda", "capture it by reference"});
      const auto* variable = dyn_cast<VarDecl>(captured);
      parts_[owner][k++] = variable && !variable->isInitCapture() ? lowerDeclRef(variable, value) : errorValue(type, at);
      continue;
    }
    // A copy of what never changes is the same as the variable.
    const auto* var = dyn_cast<VarDecl>(captured);
    const bool isFixed = var && var->hasLocalStorage() && !var->isInitCapture() && !var->getType()->isReferenceType() && !effects_.writes(var) &&
                         !effects_.takesAddress(var) && variable(var);
    const bool isMutable = !e->getCallOperator()->isConst();
    if (isFixed && !isMutable) {
      parts_[owner][k++] = lowerDeclRef(var, value);
      continue;
    }
    if (needsParts(type)) {
      const ExprId part = objectInParts(type, name, at);
      if (type->getAsCXXRecordDecl()->isLambda()) {
        if (changesItself(type)) reject(DiagId::UnsupportedExpression, at, {kCopyOfClosure, kShareClosure});
        parts_[owner][k++] = lowerExpr(value);
      }
      else {
        initialiseParts(part, value, at);
        willDestroy(part, type, at);
        parts_[owner][k++] = part;
      }
      continue;
    }
    const ir::VarId copy = addVariable(name, ir::withoutConst(module(), lowerType(type, at)), at);
    partVariables_.insert(copy);
    initialise(copy, value, at);
    parts_[owner][k++] = varRef(copy, at);
  }
  return object;
}

void FunctionLowering::rejectWholeUses() {
  if (parts_.empty()) return;
  std::set<ir::VarId> reported;
  ir::walkExprs(function(), function().body, [&](ExprId e) {
    if (!inParts(e)) return;
    const ir::VarId var = std::get<ir::VarRef>(function()[e].node).var;
    if (!reported.insert(var).second) return;
    const ir::SourceLoc at = function()[e].loc.valid() ? function()[e].loc : function()[var].loc;
    const bool isLambda = lambdas_.count(var) != 0;
    const bool isUnion = std::any_of(unions_.begin(), unions_.end(), [&](const UnionInParts& u) { return u.object == var; });
    if (isUnion) {
      unit_.diagnostics().report(DiagId::UnsupportedExpression, at,
                                 {"the union '" + function()[var].name + "' as a whole, which holds different kinds of values,",
                                  "use its members, or give each kind of value a member of its own in a struct"});
      return;
    }
    unit_.diagnostics().report(DiagId::UnsupportedExpression, at,
                               {isLambda ? "a lambda that is kept or passed on" : "'" + function()[var].name + "' as a whole, whose type has a reference member or no default constructor,",
                                isLambda ? "call it where it is made, or pass it to a template that calls it" : "give the type a default constructor and pointers for its references, or use its members"});
  });
}

}  // namespace contraflow::frontend
