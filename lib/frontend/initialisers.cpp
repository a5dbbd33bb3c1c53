// Declarations of locals with their initialisers. What constructors do is in constructors.cpp.
#include <algorithm>

#include "clang/AST/DeclTemplate.h"
#include "frontend/closures.hpp"
#include "frontend/destructors.hpp"
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

namespace {

const InitListExpr* semantic(const InitListExpr* list) {
  return list->isSemanticForm() || !list->getSemanticForm() ? list : list->getSemanticForm();
}

bool isStdArray(QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getName() == "array";
}

// std::true_type and its like: an object without a value, by which overloads are picked.
bool isTag(QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  return record && record->hasDefinition() && record->isInStdNamespace() && record->isEmpty() && !isFunctionObject(type);
}

// Declared in the outermost block, in front of all labels: what `__restrict__` promises holds as long as the function runs. A block inside
// and a function in place of its call have ended long before, and the next one may use the same memory.
bool livesInWholeBody(const VarDecl* decl, const Stmt* body) {
  for (const Stmt* s : body->children()) {
    if (isa<LabelStmt>(s)) return false;
    const auto* declarations = dyn_cast<DeclStmt>(s);
    if (declarations && std::find(declarations->decl_begin(), declarations->decl_end(), decl) != declarations->decl_end()) return true;
  }
  return false;
}

}  // namespace

void FunctionLowering::lowerVarDecl(const VarDecl* decl) {
  const SourceLocation at = decl->getLocation();
  if (decl->isStaticLocal()) {
    unit_.global(decl);
    return;
  }
  if (decl->hasExternalStorage()) return;
  if (declareFunctionObject(decl)) return;
  const QualType declared = decl->getType();
  const Expr* init = decl->getInit();
  const auto* record = declared.getNonReferenceType()->getAsCXXRecordDecl();
  if (record && record->isLambda() && init) {
    const Expr* made = initialiserOf(init, true);
    if (const auto* copy = dyn_cast<CXXConstructExpr>(made); copy && copy->getNumArgs() == 1) made = initialiserOf(copy->getArg(0), true);
    if (made->isLValue() && !declared->isReferenceType() && changesItself(declared)) reject(DiagId::UnsupportedExpression, at, {kCopyOfClosure, kShareClosure});
    const ExprId closure = lowerPlace(initialiserOf(init, true));
    if (inParts(closure)) substitutions_[decl->getCanonicalDecl()] = closure;
    return;
  }
  if (needsParts(declared) && init) {
    const ExprId object = objectInParts(declared, decl->getNameAsString(), at);
    bind(decl, std::get<ir::VarRef>(function()[object].node).var);
    initialiseParts(object, init, at);
    return willDestroy(object, declared, at);
  }
  if (bindsPlace(declared)) {
    const Expr* target = initialiserOf(init);
    if (const auto* temp = dyn_cast<MaterializeTemporaryExpr>(target); temp && !needsParts(temp->getType())) {
      // A reference to a temporary is a variable.
      const ir::VarId var = addVariable(decl->getNameAsString(), lowerType(temp->getType(), at), at);
      initialise(var, temp->getSubExpr(), at);
      bind(decl, var);
      return;
    }
    const ExprId place = lowerPlace(init);
    if (inParts(place)) {
      substitutions_[decl->getCanonicalDecl()] = place;
      return;
    }
    const ir::VarId var = addVariable(decl->getNameAsString(), lowerType(declared, at), at);
    emit(ir::Declare{var, ir::Init::Bind, {place}, ir::Storage::Automatic, {}}, at);
    bind(decl, var);
    return;
  }
  const unsigned before = unit_.diagnostics().errors();
  const std::string name = decl->getName().empty() ? "parts" : decl->getNameAsString();
  const ir::VarId var = addVariable(name, lowerType(declared, at), at);
  function()[var].isRestrict = declared.isRestrictQualified() && livesInWholeBody(decl, definition_->getBody());
  bind(decl, var);
  if (isUniquePointer(declared)) owners_.insert(var);
  if (unit_.diagnostics().errors() == before) initialise(var, init, at);
}

void FunctionLowering::initialise(ir::VarId var, const Expr* init, SourceLocation at) {
  const auto declare = [&](ir::Init how, std::vector<ExprId> args) {
    emit(ir::Declare{var, how, std::move(args), ir::Storage::Automatic, {}}, at);
  };
  const TypeId type = function()[var].type;
  const auto thenCall = [&](const CallExpr* call) {
    // Assigned after its declaration, so it isn't const any more.
    function()[var].type = ir::withoutConst(module(), type);
    declare(ir::Init::None, {});
    lowerCall(call, Want::Value, varRef(var, at));
  };
  if (const auto* record = ir::as<ir::RecordType>(module(), type); record && module()[record->record].isComplex) return declareComplex(var, init, at);
  if (init && isTupleType(init->getType()) && ir::as<ir::RecordType>(module(), type)) return declareTuple(var, init, at);
  if (owners_.count(var)) return declareOwner(var, init, at);
  if (ir::as<ir::ContainerType>(module(), type)) {
    declareContainer(var, init, at);
    return;
  }
  if (ir::as<ir::OpaqueType>(module(), type)) {
    if (init && isTag(init->getType())) return declare(ir::Init::None, {});
    if (const auto* call = init ? dyn_cast<CallExpr>(initialiserOf(init, true)) : nullptr; call && call->getDirectCallee() && inSystemHeader(call->getDirectCallee()))
      return rejectCall(call->getDirectCallee(), call);
    reject(DiagId::UnsupportedStatement, at,
           {"a variable of type '" + ir::spell(module(), type) + "'", "move what uses it into a function marked '#pragma contraflow inactive'"});
    return;
  }
  if (!init) return declare(ir::Init::None, {});
  init = initialiserOf(init);
  if (isAllocation(init) && valueType(init->getType(), at) == ir::withoutConst(module(), type)) {
    function()[var].type = ir::withoutConst(module(), type);
    declare(ir::Init::None, {});
    return allocateInto(varRef(var, at), init);
  }
  if (const CallExpr* call = directCall(init)) {
    const auto* record = ir::as<ir::RecordType>(module(), type);
    const bool same = valueType(call->getType(), at) == ir::withoutConst(module(), type);
    if (same && (!record || module()[record->record].isDefaultConstructible)) return thenCall(call);
  }
  if (const auto* list = dyn_cast<InitListExpr>(init)) {
    list = semantic(list);
    if (list->getType()->isScalarType() && list->getNumInits() == 1) return initialise(var, list->getInit(0), at);
    if (const auto* r = list->getType()->getAsCXXRecordDecl(); r && hasBaseMembers(r)) {
      reject(DiagId::UnsupportedExpression, at, {"an object of '" + unit_.spell(list->getType()) + "' made of its base class and members", "give the type a constructor"});
      return;
    }
    if (ir::as<ir::ArrayType>(module(), type) && !ir::isTriviallyCopyable(module(), ir::withoutConst(module(), type))) {
      declare(ir::Init::None, {});
      return assignList(varRef(var, at), list, at);
    }
    if (hasAnonymousOrUnion(list->getType())) {
      function()[var].type = ir::withoutConst(module(), type);
      if (!ir::isTriviallyCopyable(module(), function()[var].type)) {
        reject(DiagId::UnsupportedExpression, at, {"a list for an object that has a union and owns memory", "assign its members"});
        return;
      }
      declare(ir::Init::Zero, {});
      return assignList(varRef(var, at), list, at);
    }
    if (ir::as<ir::RecordType>(module(), type) && !ir::isTriviallyCopyable(module(), ir::withoutConst(module(), type))) return initialiseMembers(var, list, at);
    if (list->isStringLiteralInit()) {
      reject(DiagId::UnsupportedExpression, at, {"an array initialised by a string", "use a pointer to const char"});
      return;
    }
    const ExprId value = lowerInitList(list);
    const auto* elements = std::get_if<ir::InitList>(&function()[value].node);
    if (elements && elements->elements.empty()) return declare(ir::Init::Zero, {});
    return declare(ir::Init::List, {value});
  }
  if (isa<StringLiteral>(init)) {
    reject(DiagId::UnsupportedExpression, at, {"an array initialised by a string", "use a pointer to const char"});
    return;
  }
  if (isa<ImplicitValueInitExpr>(init) || isa<CXXScalarValueInitExpr>(init)) return declare(ir::Init::Zero, {});
  if (const auto* construct = dyn_cast<CXXConstructExpr>(init); construct && !isIterator(construct->getType())) return this->construct(var, construct);
  if (ir::as<ir::RecordType>(module(), type) && !ir::isTriviallyCopyable(module(), ir::withoutConst(module(), type)) && init->isGLValue())
    return declareCopy(var, init, at);
  const ExprId value = lowerExpr(init);
  const TypeId plain = ir::withoutConst(module(), type);
  declare(ir::Init::Value, {ir::as<ir::RecordType>(module(), plain) ? value : convert(value, plain, at)});
}

// Of an aggregate that owns vectors: `Params p{k, v};` is `Params p; p.k = k; p.v = v;`, in sight of the analyses.
void FunctionLowering::initialiseMembers(ir::VarId var, const InitListExpr* list, SourceLocation at) {
  const CXXRecordDecl* record = list->getType()->getAsCXXRecordDecl();
  function()[var].type = ir::withoutConst(module(), function()[var].type);
  emit(ir::Declare{var, ir::Init::None, {}, ir::Storage::Automatic, {}}, at);
  if (!isDefaultConstructible(record)) {
    reject(DiagId::UnsupportedExpression, at, {"an object of '" + unit_.spell(list->getType()) + "', which has no default constructor,", "give the type one"});
    return;
  }
  const ExprId outerSelf = self_;
  self_ = varRef(var, at);
  unsigned i = 0;
  for (const FieldDecl* field : record->fields()) {
    if (i < list->getNumInits()) initialiseMember(varRef(var, at), field, list->getInit(i), list->getInit(i)->getExprLoc());
    ++i;
  }
  self_ = outerSelf;
}

// Elements in order; trailing zeros are left to the braces.
ExprId FunctionLowering::lowerInitList(const InitListExpr* outer) {
  outer = semantic(outer);
  std::vector<const Expr*> leaves;
  const auto isNested = [](const Expr* e) { return isa<InitListExpr>(e) && !e->getType()->isScalarType(); };
  const auto unwrapArray = [&](const InitListExpr* list) {
    if (isStdArray(list->getType()) && list->getNumInits() == 1)
      if (const auto* inner = dyn_cast<InitListExpr>(initialiserOf(list->getInit(0)))) return semantic(inner);
    return list;
  };
  // Zeros at the end are left out, in lists of their own too.
  const auto isEmpty = [&](const auto& self, const Expr* e) -> bool {
    if (isa<ImplicitValueInitExpr>(e)) return true;
    const auto* list = dyn_cast<InitListExpr>(e);
    if (!list || list->getType()->isScalarType() || hasAnonymousOrUnion(list->getType())) return false;
    list = semantic(list);
    return std::all_of(list->inits().begin(), list->inits().end(), [&](const Expr* one) { return self(self, one); });
  };
  const auto elementsOf = [&](const InitListExpr* list) {
    std::vector<const Expr*> elements;
    list = unwrapArray(list);
    unsigned count = list->getNumInits();
    while (count > 0 && isEmpty(isEmpty, list->getInit(count - 1))) --count;
    for (unsigned i = 0; i < count; ++i) elements.push_back(initialiserOf(list->getInit(i)));
    return elements;
  };
  const auto collect = [&](const auto& self, const InitListExpr* list) -> void {
    // The list has the shape of the source's type, not of its ir::Record.
    if (hasAnonymousOrUnion(list->getType()))
      reject(DiagId::UnsupportedExpression, list->getExprLoc(), {"a list for an object with a union inside of another list", "assign its members"});
    for (const Expr* e : elementsOf(list))
      if (isNested(e)) self(self, semantic(cast<InitListExpr>(e)));
      else leaves.push_back(e);
  };
  collect(collect, outer);
  const std::vector<ExprId> values = inOrder(leaves);
  std::size_t next = 0;
  const auto build = [&](const auto& self, const InitListExpr* list) -> ExprId {
    ir::InitList node;
    const SourceLocation at = list->getExprLoc();
    for (const Expr* e : elementsOf(list)) {
      if (isNested(e)) node.elements.push_back(self(self, semantic(cast<InitListExpr>(e))));
      else if (e->isGLValue() || e->getType()->isRecordType()) node.elements.push_back(values[next++]);
      else node.elements.push_back(convert(values[next++], valueType(e->getType(), at), at));
    }
    return expr(std::move(node), valueType(list->getType(), at), at);
  };
  return build(build, outer);
}

ExprId FunctionLowering::recordTemporary(const Expr* e, const std::string& name) {
  const SourceLocation at = e->getExprLoc();
  if (isTag(e->getType())) return literal(unit_.spell(e->getType()) + "{}", valueType(e->getType(), at), at);
  if (const auto* call = dyn_cast<CallExpr>(withoutWrappers(e)); call && needsParts(e->getType())) return lowerCall(call, Want::Value);
  if (needsParts(e->getType())) {
    const ExprId object = objectInParts(e->getType(), name, at);
    initialiseParts(object, e, at);
    if (!onlyFreesMemory(e->getType()))
      reject(DiagId::UnsupportedExpression, at, {"a temporary object of '" + unit_.spell(e->getType()) + "', whose destructor does something,", "give it a name; where it is the copy for a parameter, pass it by reference"});
    willDestroy(object, e->getType(), at);
    return object;
  }
  const ir::VarId var = addVariable(name, valueType(e->getType(), at), at, true);
  initialise(var, e, at);
  return varRef(var, at);
}

}  // namespace contraflow::frontend
