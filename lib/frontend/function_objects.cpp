// Function objects that are applied in place: what algorithms are given, and std::function. A std::function stands for what it was made
// of, so that a call of it is a call of that:
//     std::function<double(double)> f = [&](double x) { return k * x; };   y = f(z);   →   y = k * z;
#include "clang/AST/DeclTemplate.h"
#include "frontend/closures.hpp"
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

bool isFunctionObject(QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && isa<ClassTemplateSpecializationDecl>(record) && record->getDeclName().isIdentifier() &&
         record->getName() == "function";
}

namespace {

std::optional<ir::BinaryOp> operatorOf(QualType functor) {
  const auto* record = functor.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->isInStdNamespace() || !record->getDeclName().isIdentifier()) return std::nullopt;
  static const std::map<std::string, ir::BinaryOp> kOperators = {
      {"plus", ir::BinaryOp::Add},         {"minus", ir::BinaryOp::Sub},      {"multiplies", ir::BinaryOp::Mul},
      {"divides", ir::BinaryOp::Div},      {"less", ir::BinaryOp::Lt},        {"greater", ir::BinaryOp::Gt},
      {"less_equal", ir::BinaryOp::Le},    {"greater_equal", ir::BinaryOp::Ge}, {"equal_to", ir::BinaryOp::Eq},
      {"not_equal_to", ir::BinaryOp::Ne}};
  const auto it = kOperators.find(record->getName().str());
  return it == kOperators.end() ? std::nullopt : std::optional(it->second);
}

// The function that an expression names.
const FunctionDecl* namedFunction(const Expr* e) {
  e = initialiserOf(e, true)->IgnoreParenCasts();
  if (const auto* address = dyn_cast<UnaryOperator>(e); address && address->getOpcode() == UO_AddrOf) e = address->getSubExpr()->IgnoreParens();
  const auto* ref = dyn_cast<DeclRefExpr>(e);
  const auto* f = ref ? dyn_cast<FunctionDecl>(ref->getDecl()) : nullptr;
  return f && (!isa<CXXMethodDecl>(f) || cast<CXXMethodDecl>(f)->isStatic()) ? f : nullptr;
}

// The call operators that a function object may be called by: the instances in use where it is a template.
std::vector<const CXXMethodDecl*> callOperators(QualType type) {
  std::vector<const CXXMethodDecl*> found;
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition()) return found;
  for (const Decl* d : record->getDefinition()->decls()) {
    if (const auto* m = dyn_cast<CXXMethodDecl>(d); m && m->getOverloadedOperator() == OO_Call && !m->getDescribedFunctionTemplate()) found.push_back(m);
    if (const auto* t = dyn_cast<FunctionTemplateDecl>(d); t && t->getTemplatedDecl()->getOverloadedOperator() == OO_Call)
      for (const FunctionDecl* f : t->specializations())
        if (const auto* m = dyn_cast<CXXMethodDecl>(f)) found.push_back(m);
  }
  return found;
}

}  // namespace

bool changesItself(QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record && record->isLambda()) return !record->getLambdaCallOperator()->isConst() && record->capture_size() > 0;
  for (const CXXMethodDecl* m : callOperators(type))
    if (!inSystemHeader(m) && !m->isStatic() && !m->isConst() && !record->isEmpty()) return true;
  return false;
}

// The call operator that takes these arguments; null if it can't be seen through.
const FunctionDecl* FunctionLowering::bodyOf(QualType functor, const std::vector<ExprId>& args) {
  std::vector<const CXXMethodDecl*> fitting;
  for (const CXXMethodDecl* m : callOperators(functor)) {
    const FunctionDecl* body = nullptr;
    if (m->getNumParams() != args.size() || !m->hasBody(body) || inSystemHeader(m) || !isa<CompoundStmt>(body->getBody())) continue;
    const bool fits = std::equal(args.begin(), args.end(), m->param_begin(), [&](ExprId a, const ParmVarDecl* p) {
      return ir::withoutConst(module(), typeOf(a)) == valueType(p->getType(), p->getLocation());
    });
    if (fits) return body;
    fitting.push_back(m);
  }
  const FunctionDecl* body = nullptr;
  return fitting.size() == 1 && fitting[0]->hasBody(body) ? body : nullptr;
}

// One application of a function object; none if it can't be seen through.
std::optional<ExprId> FunctionLowering::applied(const Expr* functor, ExprId object, const std::vector<ExprId>& args, SourceLocation at) {
  if (const auto op = operatorOf(functor->getType()); op && args.size() == 2) {
    const bool isArithmetic = *op == ir::BinaryOp::Add || *op == ir::BinaryOp::Sub || *op == ir::BinaryOp::Mul || *op == ir::BinaryOp::Div;
    const TypeId a = ir::withoutConst(module(), typeOf(args[0])), b = ir::withoutConst(module(), typeOf(args[1]));
    const TypeId type = ir::isReal(module(), b) && !ir::isReal(module(), a) ? b : a;
    return binary(*op, convert(args[0], type, at), convert(args[1], type, at), isArithmetic ? type : boolType(), at);
  }
  if (const FunctionDecl* f = namedFunction(functor)) {
    std::vector<ExprId> values = args;
    if (inSystemHeader(f)) return mathCall(f, std::move(values), f->getReturnType(), at);
    std::vector<QualType> params;
    for (std::size_t i = 0; i < values.size() && i < f->getNumParams(); ++i) {
      params.push_back(f->getParamDecl(static_cast<unsigned>(i))->getType());
      if (!bindsPlace(params.back())) values[i] = convert(values[i], valueType(params.back(), at), at);
    }
    stabilise(values, params, {}, at);
    return emitCall(f, std::move(values), f->getReturnType()->isVoidType() ? Want::Nothing : Want::Value, {}, at);
  }
  const FunctionDecl* body = bodyOf(functor->getType(), args);
  if (!body) return std::nullopt;
  Arguments arguments;
  arguments.object = clone(object);
  for (std::size_t i = 0; i < args.size(); ++i) {
    const QualType p = body->getParamDecl(static_cast<unsigned>(i))->getType();
    arguments.values.push_back(p->isReferenceType() ? args[i] : convert(args[i], valueType(p, at), at));
  }
  return inlineCall(body, arguments, body->getReturnType()->isVoidType() ? Want::Nothing : Want::Value, {}, at);
}

ExprId FunctionLowering::functorPlace(const Expr* functor) {
  if (operatorOf(functor->getType()) || namedFunction(functor)) return ExprId();
  const Expr* object = initialiserOf(functor, true);
  // The library works on a copy.
  if (const auto* copy = dyn_cast<CXXConstructExpr>(object); copy && copy->getConstructor()->isCopyOrMoveConstructor() && copy->getNumArgs() == 1)
    object = initialiserOf(copy->getArg(0), true);
  if (object->isLValue() && changesItself(object->getType())) reject(DiagId::UnsupportedExpression, functor->getExprLoc(), {kCopyOfClosure, kShareClosure});
  return lowerPlace(object);
}

bool FunctionLowering::canApply(const Expr* functor) {
  if (operatorOf(functor->getType())) return true;
  if (const FunctionDecl* f = namedFunction(functor)) return inSystemHeader(f) ? isMathFunction(f) : unit_.definition(f) != nullptr && !unit_.isInactive(f);
  for (const CXXMethodDecl* m : callOperators(functor->getType()))
    if (m->hasBody() && !inSystemHeader(m)) return true;
  return false;
}

// Of a std::function without one: null.
ExprId FunctionLowering::noCallable(SourceLocation at) { return literal("nullptr", pointerTo(module().type(ir::VoidType{})), at); }

bool FunctionLowering::isNoCallable(ExprId e) {
  const auto* literal = std::get_if<ir::Literal>(&function()[e].node);
  return literal && literal->text == "nullptr";
}

// What a std::function is made of: a closure or function object (a place), or a pointer to a function.
ExprId FunctionLowering::heldCallable(const Expr* e) {
  e = initialiserOf(e, true);
  const SourceLocation at = e->getExprLoc();
  const auto* construct = dyn_cast<CXXConstructExpr>(e);
  if (!construct) return e->isGLValue() ? lowerPlace(e) : lowerExpr(e);
  if (construct->getNumArgs() == 0 || isa<CXXDefaultArgExpr>(construct->getArg(0))) return noCallable(at);
  return callableFrom(construct->getArg(0));
}

ExprId FunctionLowering::callableFrom(const Expr* e) {
  const Expr* from = initialiserOf(e, true);
  const SourceLocation at = from->getExprLoc();
  const QualType type = from->getType();
  const bool isCopied = from->isGLValue();
  if (type->isNullPtrType()) return noCallable(at);
  if (isFunctionObject(type) && !isCopied) return heldCallable(from);
  if (type->isFunctionType()) return lowerPlace(from);
  if (type->isFunctionPointerType()) return stableValue(lowerExpr(from), "callable");
  const auto* record = type->getAsCXXRecordDecl();
  if (!record) return unsupported(from, "a std::function of a pointer to a member", "use a lambda");
  if (!record->isLambda() && !isFunctionObject(type)) {
    const ir::VarId copy = addVariable("callable", ir::withoutConst(module(), lowerType(type, at)), at, true);
    initialise(copy, e, at);
    callables_.emplace(copy, type);
    return varRef(copy, at);
  }
  const ExprId callable = isCopied ? lowerPlace(from) : lowerExpr(from);
  const auto* ref = std::get_if<ir::VarRef>(&function()[callable].node);
  const auto lambda = ref ? lambdas_.find(ref->var) : lambdas_.end();
  if (isCopied && lambda != lambdas_.end() && changesItself(lambda->second->getType()))
    return unsupported(from, kCopyOfClosure, kShareClosure);
  return callable;
}

// True if the variable is a std::function; it is bound to what it holds.
bool FunctionLowering::declareFunctionObject(const VarDecl* decl) {
  if (!isFunctionObject(decl->getType()) || decl->hasGlobalStorage()) return false;
  const ExprId callable = decl->getInit() ? heldCallable(decl->getInit()) : noCallable(decl->getLocation());
  substitutions_[decl->getCanonicalDecl()] = callable;
  if (isNoCallable(callable)) emptyCallables_[decl->getCanonicalDecl()] = block_;
  return true;
}

// A std::function that was declared empty may be given its function once, where no branch or loop stands between.
bool FunctionLowering::assignFunctionObject(const Expr* object, const Expr* value) {
  if (const auto* named = dyn_cast<DeclRefExpr>(object)) {
    const auto* var = dyn_cast<VarDecl>(named->getDecl());
    const auto empty = var ? emptyCallables_.find(var->getCanonicalDecl()) : emptyCallables_.end();
    if (empty == emptyCallables_.end() || empty->second != block_) return false;
    emptyCallables_.erase(empty);
    substitutions_[var->getCanonicalDecl()] = callableFrom(value);
    return true;
  }
  const auto* member = dyn_cast<MemberExpr>(object);
  const auto* field = member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
  if (!field || member->isArrow()) return false;
  const ExprId whole = lowerPlace(member->getBase());
  if (!inParts(whole)) return false;
  const ir::VarId owner = std::get<ir::VarRef>(function()[whole].node).var;
  const auto empty = emptyParts_.find({owner, unit_.field(field)});
  if (empty == emptyParts_.end() || empty->second != block_) return false;
  parts_[owner][empty->first.second] = callableFrom(value);
  emptyParts_.erase({owner, unit_.field(field)});
  return true;
}

// A call, a test or an assignment of a std::function.
std::optional<ExprId> FunctionLowering::lowerFunctionObjectCall(const FunctionDecl* f, const CallExpr* e, Want want, std::optional<ExprId> result) {
  const auto* method = dyn_cast<CXXMethodDecl>(f);
  if (!method || !isFunctionObject(ast().getRecordType(method->getParent()))) return std::nullopt;
  const SourceLocation at = e->getExprLoc();
  const auto* op = dyn_cast<CXXOperatorCallExpr>(e);
  const Expr* object = op ? op->getArg(0) : cast<CXXMemberCallExpr>(e)->getImplicitObjectArgument();
  if (object->getType()->isPointerType()) return unsupported(e, "a call through a pointer to a std::function", "use a reference");
  if (op && op->getOperator() == OO_Equal) {
    if (assignFunctionObject(object->IgnoreParenImpCasts(), op->getArg(1))) return errorValue(ast().IntTy, at);
    return unsupported(e, "another function for a std::function", "give it its function where it is declared, or use a pointer to a function");
  }
  const ExprId callable = heldCallable(object);
  if (isa<CXXConversionDecl>(method)) return literal(isNoCallable(callable) ? "false" : "true", boolType(), at);
  if (!op || op->getOperator() != OO_Call) return unsupported(e, "this member of std::function", "call it, or use a pointer to a function");
  if (isNoCallable(callable)) {
    stop("an empty std::function", at);
    return errorValue(e->getType(), at);
  }
  return callHeld(callable, e, want, result);
}

// The call of what a std::function holds, with the arguments of the call of it.
ExprId FunctionLowering::callHeld(ExprId callable, const CallExpr* e, Want want, std::optional<ExprId> result) {
  const SourceLocation at = e->getExprLoc();
  const FunctionDecl* signature = e->getDirectCallee();  // R operator()(A…) const
  std::vector<const Expr*> operands;
  std::vector<bool> asPlace;
  for (unsigned i = 1; i < e->getNumArgs(); ++i) {
    operands.push_back(copiedFrom(e->getArg(i)));
    asPlace.push_back(bindsPlace(signature->getParamDecl(i - 1)->getType()));
  }
  std::vector<ExprId> args = inOrder(operands, asPlace);
  if (const auto* ref = std::get_if<ir::VarRef>(&function()[callable].node)) {
    const auto lambda = lambdas_.find(ref->var);
    const auto object = callables_.find(ref->var);
    const QualType type = lambda != lambdas_.end() ? lambda->second->getType() : object != callables_.end() ? object->second : QualType();
    if (!type.isNull()) {
      const FunctionDecl* body = bodyOf(type, args);
      if (!body) return unsupported(e, "a call of this std::function", "make it of a lambda or of a function");
      for (const Inlined& outer : inlined_)
        if (outer.definition == body) return unsupported(e, "a recursive lambda, or recursion with one", "write it as a function");
      Arguments arguments{clone(callable), {}};
      for (std::size_t i = 0; i < args.size(); ++i) {
        const QualType p = body->getParamDecl(static_cast<unsigned>(i))->getType();
        arguments.values.push_back(p->isReferenceType() ? args[i] : convert(args[i], valueType(p, at), at));
      }
      return inlineCall(body, arguments, want, result, at);
    }
  }
  const auto* function = cast<ClassTemplateSpecializationDecl>(cast<CXXMethodDecl>(signature)->getParent());
  const QualType pointer = ast().getPointerType(function->getTemplateArgs()[0].getAsType());
  if (ir::withoutConst(module(), typeOf(callable)) != ir::withoutConst(module(), lowerType(pointer, at)))
    return unsupported(e, "a call of a std::function of which it isn't known here what it calls",
                       "make it in the function that is differentiated, of a lambda or of a function of its own type; or use a pointer to a function");
  std::vector<QualType> params;
  for (const ParmVarDecl* p : signature->parameters()) params.push_back(p->getType());
  stabilise(args, params, {}, at);
  if (unit_.targets(pointer).empty()) {
    reject(DiagId::NoTarget, at, {unit_.text(e->getArg(0)), unit_.spell(pointer)});
    return errorValue(e->getType(), at);
  }
  return callPointer(pointer, callable, {}, args, unit_.text(e->getArg(0)), want, result, at);
}

}  // namespace contraflow::frontend
