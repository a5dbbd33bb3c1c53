// Constructors of user types are inlined: the object is declared, then its members are assigned.
//     Vec v(x, 2.0);   →   Vec v; { double a = x; double b = 2.0; v.a = a; v.b = b; }
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"
#include "ir/check.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

namespace {

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

// `values()` of an array: element by element.
void setToZero(FunctionLowering& f, ExprId place, SourceLocation at) {
  const TypeId type = ir::withoutConst(f.module(), f.typeOf(place));
  const auto* array = ir::as<ir::ArrayType>(f.module(), type);
  if (!array) {
    const ExprId zero = ir::as<ir::PointerType>(f.module(), type) ? f.literal("nullptr", type, at) : f.convert(f.literal("0", f.intType(), at), type, at);
    f.emit(ir::Assign{place, zero}, at);
    return;
  }
  const TypeId element = array->element;
  ir::For loop;
  loop.bound = f.literal(std::to_string(array->extent), f.intType(), at);
  loop.counter = f.addVariable("i", f.intType(), at, true);
  loop.init = f.literal("0", f.intType(), at);
  loop.compare = ir::BinaryOp::Lt;
  loop.step = f.literal("1", f.intType(), at);
  {
    FunctionLowering::InBlock in(f, loop.body);
    setToZero(f, f.expr(ir::Subscript{place, f.varRef(loop.counter, at), false}, element, at), at);
  }
  f.emit(std::move(loop), at);
}

}  // namespace

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
    if (unit_.diagnostics().errors() == 0) ir::internalError("lower", function().name, unit_.spell(e->getType()) + " isn't in parts");
    return;  // it has been rejected
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
      const FieldDecl* field = init->getAnyMember();
      if (!field) continue;
      if (const IndirectFieldDecl* path = parts ? init->getIndirectMember() : nullptr) {
        // A member of an anonymous one, which is a part of its own.
        const auto* outer = cast<FieldDecl>(path->chain().front());
        if (!parts_[std::get<ir::VarRef>(function()[object].node).var].count(unit_.field(outer))) initialisePart(object, outer, nullptr, at);
        initialiseMember(object, field, init->getInit(), init->getSourceLocation());
      } else if (parts && unit_.isMixedUnion(ctor->getParent())) {
        declareUnionParts(object, ctor->getParent(), field, init->getInit(), at);
      } else if (parts) initialisePart(object, field, init->getInit(), init->getSourceLocation().isValid() ? init->getSourceLocation() : at);
      else initialiseMember(object, field, init->getInit(), init->getSourceLocation());
    }
    if (parts) {
      const auto& known = parts_[std::get<ir::VarRef>(function()[object].node).var];
      if (known.empty() && unit_.isMixedUnion(ctor->getParent())) declareUnionParts(object, ctor->getParent(), nullptr, nullptr, at);
      for (const FieldDecl* field : unit_.members(ctor->getParent()))
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
  if (field->isAnonymousStructOrUnion()) return;  // by its default constructor: no initialiser names it
  const auto part = [&] { return viewOf(object, field, at); };
  const auto* construct = dyn_cast<CXXConstructExpr>(value);
  if (construct && construct->getNumArgs() == 0 && leavesConstants(construct->getConstructor(), ast()) && isMadeByDefault(field)) return;
  if (field->getType()->isReferenceType() || field->getType().isConstQualified()) {
    reject(DiagId::UnsupportedExpression, at, {"the initialisation of a const or reference member by a constructor", "make the type an aggregate"});
    return;
  }
  if (const auto* list = dyn_cast<InitListExpr>(value); list && !list->getType()->isScalarType() && hasAnonymousOrUnion(field->getType()))
    return assignList(part(), list, at);
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
  const QualType element = ast().getBaseElementType(field->getType());
  if (isa<ImplicitValueInitExpr>(value) && field->getType()->isArrayType() && (element->isArithmeticType() || element->isPointerType()))
    return setToZero(*this, part(), at);
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

}  // namespace contraflow::frontend
