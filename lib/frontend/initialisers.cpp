// Declarations of locals with their initialisers. Constructors of user types are inlined: the object is declared, then its members
// are assigned.
//     Vec v(x, 2.0);   →   Vec v; { double a = x; double b = 2.0; v.a = a; v.b = b; }
#include "clang/AST/DeclTemplate.h"
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

// A constructor that leaves constants behind: running it again, or not seeing it, makes no difference to derivatives.
bool leavesConstants(const CXXConstructorDecl* c, ASTContext& ast) {
  if (c->isTrivial()) return true;
  const FunctionDecl* definition = nullptr;
  if (!c->isDefaulted() && !c->hasBody(definition)) return false;
  if (!c->isDefaulted()) {
    const auto* body = dyn_cast_or_null<CompoundStmt>(definition->getBody());
    if (!body || !body->body_empty()) return false;
    c = cast<CXXConstructorDecl>(definition);
  }
  for (const CXXCtorInitializer* init : c->inits()) {
    const Expr* e = initialiserOf(init->getInit());
    if (const auto* construct = dyn_cast<CXXConstructExpr>(e)) {
      if (construct->getConstructor()->getParent()->isInStdNamespace() || leavesConstants(construct->getConstructor(), ast)) continue;
      return false;
    }
    if (!e->isConstantInitializer(ast, false)) return false;
  }
  return true;
}

// True if the class's default constructor, which made the object, leaves the member as the member's own default constructor does.
bool isMadeByDefault(const FieldDecl* field) {
  const auto* record = cast<CXXRecordDecl>(field->getParent());
  for (const CXXConstructorDecl* c : record->ctors()) {
    if (!c->isDefaultConstructor() || !c->isUserProvided()) continue;
    const FunctionDecl* found = nullptr;
    if (!c->hasBody(found)) return false;
    const auto* body = dyn_cast<CompoundStmt>(found->getBody());
    if (!body || !body->body_empty()) return false;
    for (const CXXCtorInitializer* init : cast<CXXConstructorDecl>(found)->inits()) {
      if (init->isDelegatingInitializer()) return false;
      if (init->getMember() != field) continue;
      const auto* construct = dyn_cast<CXXConstructExpr>(initialiserOf(init->getInit()));
      return construct && construct->getNumArgs() == 0;
    }
  }
  return isDefaultConstructible(record);
}

// True if the code, or what it calls, frees memory.
bool frees(const Stmt* s, unsigned depth = 0) {
  if (!s || depth > 8) return s != nullptr;
  if (isa<CXXDeleteExpr>(s)) return true;
  if (const auto* call = dyn_cast<CallExpr>(s)) {
    const FunctionDecl* callee = call->getDirectCallee();
    const FunctionDecl* definition = nullptr;
    if (!callee) return true;
    if (inSystemHeader(callee)) {
      if (callee->getDeclName().isIdentifier() && callee->getName() == "free") return true;
    } else if (!callee->hasBody(definition) || frees(definition->getBody(), depth + 1)) {
      return true;
    }
  }
  return std::any_of(s->child_begin(), s->child_end(), [&](const Stmt* child) { return frees(child, depth); });
}

// True if an object's destructor frees memory itself: what the derivative has on its tape isn't its to free.
bool freesInDestructor(QualType type, std::set<const clang::Type*>& seen) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (!seen.insert(type.getTypePtr()).second) return false;
  if (const auto* array = type->getAsArrayTypeUnsafe()) return freesInDestructor(array->getElementType(), seen);
  const auto* record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition()) return false;
  if (record->isInStdNamespace()) {
    const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(record);
    const auto holds = [&](const auto& self, const TemplateArgument& a) -> bool {
      if (a.getKind() == TemplateArgument::Pack) return std::any_of(a.pack_begin(), a.pack_end(), [&](const TemplateArgument& one) { return self(self, one); });
      return a.getKind() == TemplateArgument::Type && freesInDestructor(a.getAsType(), seen);
    };
    const auto args = special ? special->getTemplateArgs().asArray() : llvm::ArrayRef<TemplateArgument>();
    return std::any_of(args.begin(), args.end(), [&](const TemplateArgument& a) { return holds(holds, a); });
  }
  const FunctionDecl* definition = nullptr;
  const CXXDestructorDecl* destructor = record->getDestructor();
  if (destructor && destructor->isUserProvided() && (!destructor->hasBody(definition) || frees(definition->getBody()))) return true;
  return std::any_of(record->field_begin(), record->field_end(), [&](const FieldDecl* f) { return freesInDestructor(f->getType(), seen); });
}
bool freesInDestructor(QualType type) {
  std::set<const clang::Type*> seen;
  return freesInDestructor(type, seen);
}

}  // namespace

void FunctionLowering::lowerVarDecl(const VarDecl* decl) {
  const SourceLocation at = decl->getLocation();
  if (decl->isStaticLocal()) {
    unit_.global(decl);
    return;
  }
  if (decl->hasExternalStorage()) return;
  const QualType declared = decl->getType();
  const Expr* init = decl->getInit();
  const auto* record = declared.getNonReferenceType()->getAsCXXRecordDecl();
  if (record && record->isLambda() && init) {
    const ExprId closure = lowerPlace(initialiserOf(init, true));
    if (inParts(closure)) substitutions_[decl->getCanonicalDecl()] = closure;
    else unsupported(init, "this lambda", "call it by its name, in the function that makes it");
    return;
  }
  if (!declared->isReferenceType() && !needsParts(declared) && freesInDestructor(declared)) {
    reject(DiagId::UnsupportedStatement, at,
           {"an object of '" + unit_.spell(declared) + "', whose destructor frees memory,", "let a std::vector own the memory"});
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
  const auto elementsOf = [&](const InitListExpr* list) {
    std::vector<const Expr*> elements;
    list = unwrapArray(list);
    unsigned count = list->getNumInits();
    while (count > 0 && isa<ImplicitValueInitExpr>(list->getInit(count - 1))) --count;
    for (unsigned i = 0; i < count; ++i) elements.push_back(initialiserOf(list->getInit(i)));
    return elements;
  };
  const auto collect = [&](const auto& self, const InitListExpr* list) -> void {
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

void FunctionLowering::construct(ir::VarId var, const CXXConstructExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const CXXConstructorDecl* ctor = e->getConstructor();
  const auto declare = [&](ir::Init how, std::vector<ExprId> args) {
    emit(ir::Declare{var, how, std::move(args), ir::Storage::Automatic, {}}, at);
  };
  if (ctor->isCopyOrMoveConstructor() && (ctor->isTrivial() || ctor->isDefaulted())) {
    const Expr* from = initialiserOf(e->getArg(0));
    if (const auto* temp = dyn_cast<MaterializeTemporaryExpr>(from)) return initialise(var, temp->getSubExpr(), at);
    if (!ir::isTriviallyCopyable(module(), ir::withoutConst(module(), function()[var].type))) return declareCopy(var, e->getArg(0), at);
    return declare(ir::Init::Value, {lowerExpr(from)});
  }
  if (e->getType()->isArrayType() || e->getNumArgs() == 0) {
    if (isComplexType(ast().getBaseElementType(e->getType()))) return declare(ir::Init::Zero, {});
    if (e->requiresZeroInitialization() && ctor->isTrivial()) return declare(ir::Init::Zero, {});
    if (leavesConstants(ctor, ast())) {
      function()[var].type = ir::withoutConst(module(), function()[var].type);
      return declare(ir::Init::None, {});
    }
    const FunctionDecl* definition = nullptr;
    if (e->getType()->isArrayType() || !ctor->hasBody(definition)) {
      reject(DiagId::UnsupportedExpression, at, {"a default constructor that computes", "give the members constants, and set them in a function"});
      return;
    }
    // Its declaration runs it, and then once more in sight of the analyses: nothing outside of the object tells them apart (special_members.hpp).
  }
  const auto* record = ir::as<ir::RecordType>(module(), function()[var].type);
  if (!record || (!module()[record->record].isDefaultConstructible && module()[record->record].anyArguments.empty())) {
    reject(DiagId::UnsupportedExpression, at,
           {"an object of '" + unit_.spell(e->getType()) + "', which has no default constructor,", "give the type one, or make it an aggregate"});
    return;
  }
  function()[var].type = ir::withoutConst(module(), function()[var].type);
  declare(ir::Init::None, {});
  inlineConstructor(varRef(var, at), e);
}

void FunctionLowering::inlineConstructor(ExprId object, const CXXConstructExpr* e) {
  const SourceLocation at = e->getExprLoc();
  std::vector<const Expr*> args;
  for (unsigned i = 0; i < e->getNumArgs(); ++i) args.push_back(e->getArg(i));
  runConstructor(object, e->getConstructor(), args, at);
}

void FunctionLowering::runConstructor(ExprId object, const CXXConstructorDecl* ctor, const std::vector<const Expr*>& args, SourceLocation at) {
  if (ctor->isInheritingConstructor()) {
    // `using Base::Base;`: the base class's constructor, then the initialisers of the class's own members.
    runConstructor(clone(object), ctor->getInheritedConstructor().getConstructor(), args, at);
    for (const FieldDecl* field : ctor->getParent()->fields())
      if (const Expr* init = field->getInClassInitializer()) initialiseMember(object, field, init, at);
    return;
  }
  const FunctionDecl* found = nullptr;
  if (!ctor->hasBody(found)) {
    if (ctor->isTrivial()) return;
    reject(DiagId::UnsupportedExpression, at, {"a constructor whose body this source doesn't have", "define it in the class"});
    return;
  }
  ctor = cast<CXXConstructorDecl>(found);
  for (const Inlined& outer : inlined_)
    if (outer.definition == ctor) {
      reject(DiagId::UnsupportedExpression, at, {"a recursive constructor", "use a function"});
      return;
    }
  Effects effects = effectsOf(ctor->getBody(), ast());
  for (const CXXCtorInitializer* init : ctor->inits()) effects.merge(effectsOf(init->getInit(), ast()));
  effects_.merge(effects);
  const bool parts = inParts(object);

  std::vector<bool> asPlace;
  for (unsigned i = 0; i < args.size(); ++i) asPlace.push_back(bindsPlace(ctor->getParamDecl(i)->getType()));
  ir::Scope scope;
  {
    // The members of an object in parts are variables that outlive the constructor.
    InBlock in(*this, parts ? *block_ : scope.body);
    BindingScope bindings(*this);
    bindArguments(ctor, inOrder(args, asPlace), effects, at);
    const ExprId outerSelf = self_;
    self_ = object;
    inlined_.push_back({ctor, false, {}, loops_.size(), cleanups_.size()});
    for (const CXXCtorInitializer* init : ctor->inits()) {
      if (init->isBaseInitializer() || init->isDelegatingInitializer()) {
        const auto* base = init->isBaseInitializer() ? init->getBaseClass()->getAsCXXRecordDecl() : nullptr;
        if (base && base->isEmpty()) continue;
        const auto* other = dyn_cast<CXXConstructExpr>(initialiserOf(init->getInit()));
        if (!other) reject(DiagId::UnsupportedExpression, at, {"this initialiser of a base class", "give the base class a constructor"});
        else if (const auto k = base ? unit_.baseField(ctor->getParent(), base, at) : std::nullopt)
          inlineConstructor(member(clone(object), *k, lowerType(ast().getRecordType(base), at), at), other);
        else inlineConstructor(clone(object), other);
        continue;
      }
      const FieldDecl* field = init->getMember();
      if (!field) continue;
      if (parts) initialisePart(object, field, init->getInit(), init->getSourceLocation().isValid() ? init->getSourceLocation() : at);
      else initialiseMember(object, field, init->getInit(), init->getSourceLocation());
    }
    if (parts) {
      const auto& known = parts_[std::get<ir::VarRef>(function()[object].node).var];
      for (const FieldDecl* field : ctor->getParent()->fields())
        if (!known.count(unit_.field(field))) initialisePart(object, field, nullptr, at);
    }
    lowerConstructorBody(ctor);
    inlined_.pop_back();
    self_ = outerSelf;
  }
  if (!scope.body.empty()) emit(std::move(scope), at);
}

// A member of an object that is declared already: its initialiser becomes an assignment.
void FunctionLowering::initialiseMember(ExprId object, const FieldDecl* field, const Expr* init, SourceLocation at) {
  const Expr* value = initialiserOf(init);
  const TypeId type = lowerType(field->getType(), at);
  const auto part = [&] { return expr(ir::FieldRef{clone(object), unit_.field(field)}, type, at); };
  const auto* construct = dyn_cast<CXXConstructExpr>(value);
  if (construct && construct->getNumArgs() == 0 && leavesConstants(construct->getConstructor(), ast()) && isMadeByDefault(field)) return;
  if (field->getType()->isReferenceType() || field->getType().isConstQualified()) {
    reject(DiagId::UnsupportedExpression, at, {"the initialisation of a const or reference member by a constructor", "make the type an aggregate"});
    return;
  }
  if (isComplexType(field->getType())) return assignComplex(part(), complexValue(value), at);
  if (const auto* list = dyn_cast<InitListExpr>(value); list && !list->getType()->isScalarType() && !list->getType()->isRecordType()) {
    const ExprId copy = recordTemporary(value, field->getNameAsString() + "_value");
    const auto* array = ir::as<ir::ArrayType>(module(), type);
    for (std::uint64_t i = 0; array && i < array->extent; ++i) {
      array = ir::as<ir::ArrayType>(module(), type);
      const TypeId t = array->element;
      const ExprId target = expr(ir::Subscript{part(), literal(std::to_string(i), intType(), at), false}, t, at);
      const ExprId source = expr(ir::Subscript{clone(copy), literal(std::to_string(i), intType(), at), false}, t, at);
      emit(ir::Assign{target, source}, at);
    }
    return;
  }
  if (construct && !construct->getConstructor()->isTrivial() && ir::as<ir::RecordType>(module(), type) && !construct->getConstructor()->isDefaulted()) {
    inlineConstructor(part(), construct);
    return;
  }
  if (const auto* vector = ir::as<ir::ContainerType>(module(), type); vector && vector->kind == ir::ContainerKind::Vector)
    return initialiseVector(part(), init, at);
  if (!ir::isTriviallyCopyable(module(), type) && ir::as<ir::RecordType>(module(), type)) return assignWhole(part(), init, at);
  if (!ir::isTriviallyCopyable(module(), type) || ir::as<ir::ArrayType>(module(), type)) {
    reject(DiagId::UnsupportedExpression, at, {"the initialisation of the member '" + field->getNameAsString() + "' by a constructor", "make the type an aggregate"});
    return;
  }
  const ExprId v = lowerExpr(value);
  const ExprId target = part();
  emit(ir::Assign{target, convert(v, type, at)}, at);
}

void FunctionLowering::lowerConstructorBody(const CXXConstructorDecl* ctor) {
  const auto* body = dyn_cast_or_null<CompoundStmt>(ctor->getBody());
  if (!body) return;
  const auto hasReturn = [](const auto& self, const Stmt* s) -> bool {
    if (!s || isa<LambdaExpr>(s)) return false;
    if (isa<ReturnStmt>(s)) return true;
    return std::any_of(s->child_begin(), s->child_end(), [&](const Stmt* child) { return self(self, child); });
  };
  const std::size_t outside = cleanups_.size();
  if (!hasReturn(hasReturn, body)) {
    lowerSequence({body->body_begin(), body->body_end()});
    return endScope(outside, ctor->getLocation());
  }
  ir::While block;
  block.condition = literal("false", boolType(), ctor->getLocation());
  block.testAtEnd = true;
  {
    InBlock in(*this, block.body);
    lowerSequence({body->body_begin(), body->body_end()});
    endScope(outside, ctor->getLocation());
  }
  emit(std::move(block), ctor->getLocation());
}

ExprId FunctionLowering::recordTemporary(const Expr* e, const std::string& name) {
  const SourceLocation at = e->getExprLoc();
  if (const auto* call = dyn_cast<CallExpr>(withoutWrappers(e)); call && needsParts(e->getType())) return lowerCall(call, Want::Value);
  if (needsParts(e->getType())) {
    const ExprId object = objectInParts(e->getType(), name, at);
    initialiseParts(object, e, at);
    if (!onlyFreesMemory(e->getType()))
      reject(DiagId::UnsupportedExpression, at, {"a temporary object of '" + unit_.spell(e->getType()) + "', whose destructor does something,", "give it a name"});
    willDestroy(object, e->getType(), at);
    return object;
  }
  const ir::VarId var = addVariable(name, valueType(e->getType(), at), at, true);
  initialise(var, e, at);
  return varRef(var, at);
}

}  // namespace contraflow::frontend
