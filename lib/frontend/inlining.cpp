// Functions that are lowered in place of their call.
//
//     double& u(int i) { return b[cur][i]; }         u(k) = x;   →   b[cur][k] = x;
//
// An accessor is the place that it returns, so that every analysis sees memory; a closure has no name that generated code could
// call it by; an object in parts (parts.cpp) isn't there as a whole; and a helper like `a + b` of small vectors is worth more where it
// stands than as a call. Arguments that nothing changes stand for their parameters;
// others are copied into variables. Several ways out, or one that isn't at the end, make a block `do { … } while (false)`, which
// structureJumps resolves.
#include "frontend/ast_visitor.hpp"
#include "frontend/closures.hpp"
#include "frontend/local_classes.hpp"
#include "frontend/lowering.hpp"
#include "frontend/special_members.hpp"
#include "frontend/wrappers.hpp"
#include "ir/walk.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

namespace {

// Of a helper; and of all that are taken apart in one function.
constexpr unsigned kMostStatements = 12, kMostCalls = 6, kMostMembers = 16, kMostDepth = 6, kMostInAll = 400;

struct Shape : AstVisitor {
  std::vector<const ReturnStmt*> returns;
  std::map<const ValueDecl*, unsigned> uses;
  unsigned statements = 0, calls = 0, writes = 0;
  unsigned accesses = 0;  // of the calls, those of methods of the library: a[i] of a std::array
  bool isLong = false;  // loops, switches, parallel constructs
  bool hasStatics = false;
  bool branches = false;
  bool asksForNull = false;  // `if (slope) *slope = …`
  bool TraverseLambdaExpr(LambdaExpr*) override {
    isLong = true;
    return true;
  }
  bool VisitReturnStmt(ReturnStmt* s) override {
    returns.push_back(s);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr* e) override {
    ++uses[e->getDecl()];
    return true;
  }
  bool VisitStmt(Stmt* s) override {
    if (!isa<Expr>(s)) ++statements;
    branches = branches || isa<IfStmt, AbstractConditionalOperator>(s);
    isLong = isLong || isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, SwitchStmt, OMPExecutableDirective, CXXTryStmt>(s);
    return true;
  }
  bool VisitVarDecl(VarDecl* decl) override {
    hasStatics = hasStatics || decl->isStaticLocal();
    return true;
  }
  bool VisitCallExpr(CallExpr* e) override {
    ++calls;
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(e->getDirectCallee());
    if (method && inSystemHeader(method)) ++accesses;
    return true;
  }
  bool VisitCastExpr(CastExpr* e) override {
    asksForNull = asksForNull || e->getCastKind() == CK_PointerToBoolean;
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator* e) override {
    asksForNull = asksForNull || (e->isComparisonOp() && e->getLHS()->getType()->isPointerType() && e->getRHS()->getType()->isPointerType());
    writes += e->isAssignmentOp();
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator* e) override {
    writes += e->isIncrementDecrementOp();
    return true;
  }
};
Shape shapeOf(const FunctionDecl* definition) {
  Shape shape;
  shape.TraverseStmt(definition->getBody());
  return shape;
}

// A member, or an element of one.
bool isMemberPlace(const Expr* e) {
  e = e->IgnoreParenImpCasts();
  if (const auto* m = dyn_cast<MemberExpr>(e)) return isa<FieldDecl>(m->getMemberDecl()) && (isa<CXXThisExpr>(m->getBase()->IgnoreParenImpCasts()) || isMemberPlace(m->getBase()));
  if (const auto* s = dyn_cast<ArraySubscriptExpr>(e)) return isMemberPlace(s->getBase());
  return false;
}

// Returns a reference, or reads a member and does nothing else.
bool isAccessor(const FunctionDecl* definition) {
  const Shape shape = shapeOf(definition);
  if (shape.returns.empty() || shape.isLong || shape.statements > 8) return false;
  const QualType returned = definition->getReturnType();
  if (returned->isReferenceType()) return true;
  const Expr* value = shape.returns.front()->getRetValue();
  if (!isa<CXXMethodDecl>(definition) || cast<CompoundStmt>(definition->getBody())->size() != 1 || !value) return false;
  return (returned->isPointerType() && shape.calls == 0 && shape.writes == 0) || (returned->isScalarType() && isMemberPlace(value));
}

// `return x;` of a local object.
const VarDecl* returnedLocal(const Expr* e) {
  const auto* construct = dyn_cast<CXXConstructExpr>(initialiserOf(e, true));
  if (!construct || !construct->getConstructor()->isCopyOrMoveConstructor() || construct->getNumArgs() != 1) return nullptr;
  const auto* ref = dyn_cast<DeclRefExpr>(construct->getArg(0)->IgnoreParenImpCasts());
  const auto* var = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return var && var->hasLocalStorage() && !isa<ParmVarDecl>(var) && !var->getType()->isReferenceType() ? var : nullptr;
}

// A struct of a few numbers, like the vectors of geometry; or of numbers and pointers, like iterators and views.
bool isSmallObject(QualType type, unsigned& members, bool pointers = false) {
  const auto* record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || !record->isTriviallyCopyable() || record->isUnion()) return false;
  for (const auto& base : record->bases())
    if (!isSmallObject(base.getType(), members, pointers)) return false;
  for (const FieldDecl* field : record->fields()) {
    const bool isScalar = field->getType()->isArithmeticType() || (pointers && field->getType()->isPointerType());
    if (!(isScalar && ++members <= kMostMembers) && !isSmallObject(field->getType(), members, pointers)) return false;
  }
  return true;
}
bool isSmallObject(QualType type, bool pointers = false) {
  unsigned members = 0;
  return isSmallObject(type, members, pointers);
}

// Without loops, and with one way out at its end.
bool isShort(const FunctionDecl* definition, const Shape& shape) {
  const auto* body = cast<CompoundStmt>(definition->getBody());
  const bool returnsAtEnd = shape.returns.empty() || (shape.returns.size() == 1 && body->body_back() == shape.returns[0]);
  return returnsAtEnd && !shape.isLong && !shape.hasStatics && shape.statements <= kMostStatements && shape.calls - shape.accesses <= kMostCalls;
}

// Returns an iterator or a view: numbers and pointers. As a call it would return a pointer, of which the caller had no shadow.
bool returnsView(const FunctionDecl* definition) {
  if (!isSmallObject(definition->getReturnType(), true) || isSmallObject(definition->getReturnType())) return false;
  const Shape shape = shapeOf(definition);
  return !shape.branches && !shape.asksForNull && isShort(definition, shape);
}

// Returns memory that it allocates: `return new T[n];`, or a local pointer that was declared with it. As a call it would return a pointer.
bool returnsAllocation(const FunctionDecl* definition) {
  if (!definition->getReturnType()->isPointerType()) return false;
  const Shape shape = shapeOf(definition);
  const Expr* value = shape.returns.size() == 1 ? shape.returns[0]->getRetValue() : nullptr;
  if (!value || !isShort(definition, shape)) return false;
  // As for helpers: what is null in one call may lead to memory in another.
  const auto isPointer = [](const ParmVarDecl* p) { return p->getType()->isPointerType(); };
  if (shape.branches && std::any_of(definition->param_begin(), definition->param_end(), isPointer)) return false;
  if (isAllocation(value)) return true;
  const auto* ref = dyn_cast<DeclRefExpr>(value->IgnoreParenImpCasts());
  const auto* local = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return local && local->hasLocalStorage() && !isa<ParmVarDecl>(local) && local->getInit() && isAllocation(local->getInit());
}

// A short function without loops that writes what it is given, or takes or returns small objects: an operator of a vector type.
// In place of its call it is part of what surrounds it: recorded, computed again and proved with that.
bool isHelper(const FunctionDecl* definition) {
  const Shape shape = shapeOf(definition);
  if (shape.asksForNull) return false;  // with an address in its place, compilers warn that it never is
  // One call may give null where another gives memory: together they have a shadow, taken apart one writes to nothing.
  const auto isPointer = [](const ParmVarDecl* p) { return p->getType()->isPointerType(); };
  if (shape.branches && std::any_of(definition->param_begin(), definition->param_end(), isPointer)) return false;
  if (!isShort(definition, shape)) return false;
  const auto* method = dyn_cast<CXXMethodDecl>(definition);
  if (isSmallObject(definition->getReturnType())) return true;
  if (method && !method->isStatic() && (!method->isConst() || isSmallObject(definition->getASTContext().getRecordType(method->getParent())))) return true;
  return std::any_of(definition->param_begin(), definition->param_end(), [&](const ParmVarDecl* p) {
    const QualType type = p->getType(), pointee = type->getPointeeType();
    return isSmallObject(type.getNonReferenceType()) || (!pointee.isNull() && !pointee.isConstQualified() && !pointee->isFunctionType());
  });
}

bool isLambdaCall(const FunctionDecl* f) {
  const auto* method = dyn_cast<CXXMethodDecl>(f);
  return method && method->getParent()->isLambda() && method->getOverloadedOperator() == OO_Call;
}

}  // namespace

std::optional<unsigned> TranslationUnit::returnedParameter(const FunctionDecl* decl) {
  if (!decl->getReturnType()->isReferenceType()) return std::nullopt;
  const FunctionDecl* body = definition(decl);
  if (!body) return std::nullopt;
  const auto* method = dyn_cast<CXXMethodDecl>(body);
  const unsigned first = method && !method->isStatic() ? 1 : 0;
  std::optional<unsigned> found;
  for (const ReturnStmt* s : shapeOf(body).returns) {
    if (!s->getRetValue()) return std::nullopt;
    const Expr* e = s->getRetValue()->IgnoreParenImpCasts();
    std::optional<unsigned> here;
    if (const auto* star = dyn_cast<UnaryOperator>(e); star && star->getOpcode() == UO_Deref && isa<CXXThisExpr>(star->getSubExpr()->IgnoreParenImpCasts()))
      here = 0;
    else if (const auto* ref = dyn_cast<DeclRefExpr>(e))
      if (const auto* p = dyn_cast<ParmVarDecl>(ref->getDecl()); p && p->getType()->isReferenceType()) here = p->getFunctionScopeIndex() + first;
    if (!here || (found && *found != *here)) return std::nullopt;
    found = here;
  }
  return found;
}

const FunctionDecl* FunctionLowering::inlined(const FunctionDecl* callee, const CallExpr* e) {
  const FunctionDecl* definition = nullptr;
  if (!callee->hasBody(definition) || !isa<CompoundStmt>(definition->getBody())) return nullptr;
  bool wanted = isLambdaCall(callee) || needsParts(callee->getReturnType());
  for (const ParmVarDecl* p : callee->parameters()) {
    const auto* record = p->getType().getNonReferenceType()->getAsCXXRecordDecl();
    wanted = wanted || (record && record->isLambda()) || isFunctionObject(p->getType()) || destructorOf(p->getType());
  }
  const bool isAccessed = !unit_.returnedParameter(definition) &&
                          (isAccessor(definition) || returnsView(definition) || returnsAllocation(definition));
  const bool isHelped = !wanted && !isAccessed && unit_.session().inlineHelpers && inlined_.size() < kMostDepth && isHelper(definition);
  if (!wanted && !isAccessed && !isHelped) return nullptr;
  for (const Inlined& outer : inlined_)
    if (outer.definition == definition) {
      if (wanted) reject(DiagId::UnsupportedExpression, e->getExprLoc(), {"a recursive lambda, or recursion with one", "write it as a function"});
      return nullptr;
    }
  if (!isHelped) return definition;
  helperStatements_ += shapeOf(definition).statements;
  return helperStatements_ <= kMostInAll ? definition : nullptr;
}

// True if a parameter of type `void*` is given a pointer whose type is known: the user's data of a callback. The body casts it back.
bool FunctionLowering::hasTypedContext(const FunctionDecl* callee, const std::vector<ExprId>& values) {
  for (unsigned i = 0; i < values.size() && i < callee->getNumParams(); ++i) {
    const auto* given = ir::as<ir::PointerType>(module(), typeOf(values[i]));
    if (callee->getParamDecl(i)->getType()->isVoidPointerType() && given && !ir::as<ir::VoidType>(module(), given->pointee)) return true;
  }
  return false;
}

// Copied where the body may change what they are, or where they are long and used more than once.
void FunctionLowering::bindArguments(const FunctionDecl* definition, const std::vector<ExprId>& values, const Effects& body, SourceLocation at) {
  const QualType returned = definition->getReturnType();
  if (copyComputes(returned)) reject(DiagId::UnsupportedType, at, {unit_.spell(returned), kCopyComputes});
  Shape shape = shapeOf(definition);
  if (const auto* ctor = dyn_cast<CXXConstructorDecl>(definition))
    for (const CXXCtorInitializer* init : ctor->inits()) shape.TraverseStmt(init->getInit());
  const auto size = [&](ExprId e) {
    unsigned nodes = 0;
    ir::walkExpr(function(), e, [&](ExprId) { ++nodes; });
    return nodes;
  };
  for (std::size_t i = 0; i < values.size() && i < definition->getNumParams(); ++i) {
    const ParmVarDecl* p = definition->getParamDecl(static_cast<unsigned>(i));
    const ExprId value = values[i];
    const bool isReference = bindsPlace(p->getType());
    if (copyComputes(p->getType())) reject(DiagId::UnsupportedType, at, {unit_.spell(p->getType()), kCopyComputes});
    const bool keeps = isReference || (!body.writes(p) && !body.takesAddress(p));
    const unsigned nodes = size(value);
    const bool isShort = nodes <= 3 || shape.uses[p] <= 1;
    const CXXRecordDecl* object = p->getType()->getAsCXXRecordDecl();
    if (isFunctionObject(p->getType())) {
      substitutions_[p->getCanonicalDecl()] = value;
      continue;
    }
    if (inParts(value) && !isReference && !keeps && object && !object->isLambda() && !destructorOf(p->getType())) {
      // A copy of its own; one with a destructor has been made already.
      const ExprId copy = objectInParts(p->getType(), p->getNameAsString(), at);
      copyParts(copy, value, object, false, at);
      substitutions_[p->getCanonicalDecl()] = copy;
      continue;
    }
    if (inParts(value) && !isReference && object && object->isLambda() && changesItself(p->getType())) {
      const ir::VarId closure = std::get<ir::VarRef>(function()[value].node).var;
      const bool isNamed = std::any_of(substitutions_.begin(), substitutions_.end(), [&](const auto& s) {
        const auto* ref = s.second.valid() ? std::get_if<ir::VarRef>(&function()[s.second].node) : nullptr;
        return ref && ref->var == closure;
      });
      if (isNamed) reject(DiagId::UnsupportedExpression, at, {kCopyOfClosure, kShareClosure});
    }
    if (inParts(value) || (keeps && isShort && !mayChange(value, body, isReference))) {
      substitutions_[p->getCanonicalDecl()] = value;
      continue;
    }
    TypeId type = p->getType()->isVoidPointerType() ? typeOf(value) : lowerType(p->getType(), at);
    if (!isReference && !keeps) type = ir::withoutConst(module(), type);
    const ir::VarId var = addVariable(p->getName().empty() ? "unnamed" : p->getNameAsString(), type, at);
    substitutions_.erase(p->getCanonicalDecl());
    if (!isReference && ir::as<ir::RecordType>(module(), type) && !ir::isTriviallyCopyable(module(), ir::withoutConst(module(), type))) {
      // A copy of what owns vectors is made in sight of the analyses.
      function()[var].type = ir::withoutConst(module(), type);
      emit(ir::Declare{var, ir::Init::None, {}, ir::Storage::Automatic, {}}, at);
      copyWhole(varRef(var, at), value, Transfer::Copy, at);
      bind(p, var);
      continue;
    }
    const bool isContainer = ir::as<ir::ContainerType>(module(), type) && !ir::isTriviallyCopyable(module(), type);
    emit(ir::Declare{var, isReference ? ir::Init::Bind : isContainer ? ir::Init::Construct : ir::Init::Value, {value}, ir::Storage::Automatic, {}}, at);
    bind(p, var);
  }
}

ExprId FunctionLowering::inlineCall(const FunctionDecl* definition, const Arguments& arguments, Want want, std::optional<ExprId> result,
                                    SourceLocation at) {
  hoistLocalClasses(unit_, definition);
  const QualType returned = definition->getReturnType();
  const bool isVoid = returned->isVoidType(), byReference = returned->isReferenceType();
  const auto* body = cast<CompoundStmt>(definition->getBody());
  const Shape shape = shapeOf(definition);
  const auto* last = body->body_empty() ? nullptr : dyn_cast<ReturnStmt>(body->body_back());
  const bool isBlock = shape.returns.size() > (last ? 1u : 0u);
  const Effects effects = effectsOf(body, ast());
  effects_.merge(effects);

  ExprId value;
  const auto lower = [&] {
    BindingScope bindings(*this);
    const ExprId outerSelf = self_;
    if (arguments.object && isLambdaCall(definition)) {
      const auto* ref = std::get_if<ir::VarRef>(&function()[*arguments.object].node);
      const auto closure = ref ? lambdas_.find(ref->var) : lambdas_.end();
      if (closure == lambdas_.end()) {
        reject(DiagId::UnsupportedExpression, at, {"a call of a lambda that isn't known here", "call it by its name, in the function that makes it"});
        value = errorValue(returned, at);
        return;
      }
      unsigned k = 0;
      for (const LambdaCapture& capture : closure->second->captures()) {
        const ExprId part = parts_[closure->first][k++];
        if (capture.capturesThis()) self_ = part;
        else if (capture.capturesVariable()) substitutions_[cast<VarDecl>(capture.getCapturedVar())->getCanonicalDecl()] = part;
      }
    } else if (arguments.object) {
      self_ = *arguments.object;
      if (!inParts(self_) && mayChange(self_, effects, true)) {
        const ir::VarId self = addVariable("object", module().type(ir::ReferenceType{typeOf(self_)}), at, true);
        emit(ir::Declare{self, ir::Init::Bind, {self_}, ir::Storage::Automatic, {}}, at);
        self_ = varRef(self, at);
      }
    }
    bindArguments(definition, arguments.values, effects, at);
    Inlined frame{definition, isBlock, {}, loops_.size(), cleanups_.size()};
    if (isBlock && !isVoid) {
      const TypeId object = lowerType(returned.getNonReferenceType(), at);
      frame.result = addVariable("chosen", byReference ? pointerTo(object) : ir::withoutConst(module(), object), at, true);
      // A compiler can't see that every path assigns it: it shall not warn.
      const bool isScalar = byReference || ir::isReal(module(), object) || ir::isIntegral(module(), object) || ir::as<ir::PointerType>(module(), object);
      emit(ir::Declare{frame.result, isScalar ? ir::Init::Zero : ir::Init::None, {}, ir::Storage::Automatic, {}}, at);
    }
    inlined_.push_back(frame);
    if (isBlock) {
      ir::While block;
      block.condition = literal("false", boolType(), at);
      block.testAtEnd = true;
      {
        InBlock in(*this, block.body);
        lowerSequence({body->body_begin(), body->body_end()});
        endScope(frame.cleanups, at);
      }
      emit(std::move(block), at);
      if (frame.result.valid()) value = byReference ? deref(varRef(frame.result, at), at) : varRef(frame.result, at);
    } else {
      lowerSequence({body->body_begin(), last ? body->body_end() - 1 : body->body_end()});
      if (const Expr* e = last ? last->getRetValue() : nullptr) {
        if (isVoid || (want == Want::Nothing && !result)) lowerDiscarded(e);
        else if (const VarDecl* local = returnedLocal(e); local && destructorOf(returned)) value = lowerDeclRef(local, e);
        else value = byReference || want == Want::Place ? lowerPlace(e) : lowerExpr(e);
      }
      if (cleanups_.size() > frame.cleanups) {
        if (value && inParts(value)) forgetCleanup(value);
        else if (value && byReference) value = deref(spill(addressOf(value, at), "result", at), at);
        else if (value && ir::isTriviallyCopyable(module(), typeOf(value))) value = spill(value, "result", at);
        endScope(frame.cleanups, at);
      }
      if (value && inParts(value)) willDestroy(value, returned, at);
    }
    inlined_.pop_back();
    self_ = outerSelf;
    if (result && value) value = giveResult(value, result, at);
  };
  if (!isVoid && !result && want != Want::Nothing) {
    lower();
    return value ? value : errorValue(returned, at);
  }
  ir::Scope scope;
  {
    InBlock in(*this, scope.body);
    lower();
  }
  if (scope.body.size() == 1 && !std::holds_alternative<ir::Declare>(function()[scope.body[0]].node)) append(scope.body);
  else if (!scope.body.empty()) emit(std::move(scope), at);
  return result ? clone(*result) : errorValue(ast().IntTy, at);
}

void FunctionLowering::lowerInlinedReturn(const ReturnStmt* s) {
  const SourceLocation at = s->getBeginLoc();
  const Inlined frame = inlined_.back();
  if (const Expr* e = s->getRetValue()) {
    if (!frame.result.valid()) {
      lowerDiscarded(e);
    } else {
      const bool byReference = frame.definition->getReturnType()->isReferenceType();
      ExprId value = byReference ? addressOf(lowerPlace(e), at) : lowerExpr(e);
      const TypeId type = function()[frame.result].type;
      if (!ir::as<ir::RecordType>(module(), type)) value = convert(value, type, at);
      emit(ir::Assign{varRef(frame.result, at), value}, at);
    }
  }
  leaveInlined(at);
}

void FunctionLowering::leaveInlined(SourceLocation at) {
  const bool isInLoop = loops_.size() > inlined_.back().loops;
  destroyDownTo(isInLoop ? loops_.back().cleanups : inlined_.back().cleanups, at);
  if (isInLoop) {
    if (!jumps_.left.valid()) jumps_.left = addVariable("left", boolType(), at, true);
    emit(ir::Assign{varRef(jumps_.left, at), literal("true", boolType(), at)}, at);
  }
  emit(ir::Break{}, at);
}

void FunctionLowering::lowerJumpTarget(const std::function<void()>& lower, SourceLocation at) {
  const Jumps outer = std::exchange(jumps_, {});
  ir::Block target;
  {
    InBlock in(*this, target);
    lower();
  }
  const Jumps flags = std::exchange(jumps_, outer);
  std::vector<ir::VarId> all = {flags.skip, flags.left, flags.broken};
  std::vector<std::pair<const LabelDecl*, ir::VarId>> labels(flags.labels.begin(), flags.labels.end());
  std::sort(labels.begin(), labels.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  for (const auto& [label, flag] : labels) all.push_back(flag);
  for (const ir::VarId flag : all)
    if (flag.valid()) emit(ir::Declare{flag, ir::Init::Value, {literal("false", boolType(), at)}, ir::Storage::Automatic, {}}, at);
  append(target);
  const auto goOn = [&](ir::VarId flag, const auto& jump) {
    if (!flag.valid()) return;
    ir::If choice{varRef(flag, at), {}, {}};
    {
      InBlock in(*this, choice.then);
      jump();
    }
    emit(std::move(choice), at);
  };
  goOn(flags.left, [&] { leaveInlined(at); });
  goOn(flags.broken, [&] { lowerBreak(at); });
  for (const auto& [label, flag] : labels) goOn(flag, [&, to = label] { lowerGoto(to, at); });
  goOn(flags.skip, [&] { lowerContinue(at); });
}

}  // namespace contraflow::frontend
