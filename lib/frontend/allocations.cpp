// new, delete, malloc, calloc and free.
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

namespace {

// `static_cast<double*>(std::malloc(…))`: the call under the conversions.
const CallExpr* heapCall(const Expr* e) {
  const auto* call = dyn_cast<CallExpr>(withoutWrappers(e)->IgnoreParenCasts());
  const FunctionDecl* f = call ? call->getDirectCallee() : nullptr;
  if (!f || !f->getDeclName().isIdentifier() || !inSystemHeader(f)) return nullptr;
  const llvm::StringRef name = f->getName();
  return name == "malloc" || name == "calloc" || name == "__builtin_malloc" || name == "__builtin_calloc" ? call : nullptr;
}

}  // namespace

bool isAllocation(const Expr* e) {
  e = withoutWrappers(e);
  if (!e->getType()->isPointerType()) return false;
  if (const auto* cast = dyn_cast<CastExpr>(e); cast && cast->getCastKind() == CK_NoOp) return isAllocation(cast->getSubExpr());
  if (const auto* n = dyn_cast<CXXNewExpr>(e)) return n->getNumPlacementArgs() == 0;
  return isa<CastExpr>(e) && heapCall(e) && !e->getType()->isVoidPointerType();
}

// True if memory for such objects can be had from the tape.
bool FunctionLowering::canAllocate(TypeId element, SourceLocation at) {
  const bool plain = ir::isTriviallyCopyable(module(), element) && !ir::as<ir::BoolType>(module(), element) &&
                     !ir::as<ir::ArrayType>(module(), element) && !ir::as<ir::MpiHandleType>(module(), element);
  if (!plain)
    reject(DiagId::UnsupportedExpression, at, {"an allocation of '" + ir::spell(module(), element) + "'", "use std::vector"});
  return plain;
}

// target = new …; the target is a place that nothing of the expression reads.
void FunctionLowering::allocateInto(ExprId target, const Expr* e) {
  e = withoutWrappers(e);
  if (const auto* cast = dyn_cast<CastExpr>(e); cast && cast->getCastKind() == CK_NoOp) return allocateInto(target, cast->getSubExpr());
  const SourceLocation at = e->getExprLoc();
  const QualType pointee = e->getType()->getPointeeType().getUnqualifiedType();
  const TypeId element = lowerType(pointee, at);
  if (!canAllocate(element, at)) return;
  ir::Allocate node;
  node.target = clone(target);
  if (const CallExpr* call = heapCall(e)) {
    node.how = ir::Allocator::Malloc;
    node.zero = call->getNumArgs() == 2;
    if (node.zero) {
      const Expr* size = call->getArg(1);
      const Expr* number = call->getArg(0);
      if (!isElementSize(size, pointee)) std::swap(size, number);
      if (isElementSize(size, pointee)) node.count = convert(lowerExpr(number), sizeType(), at);
    } else {
      node.count = elementsInBytes(call->getArg(0), pointee);
    }
    if (!node.count.valid()) {
      unsupported(e, "an allocation of so many bytes", "write the size as n * sizeof(T)");
      return;
    }
    emit(std::move(node), at);
    return;
  }
  const auto* made = cast<CXXNewExpr>(e);
  const Expr* init = made->getInitializer() ? initialiserOf(made->getInitializer(), true) : nullptr;
  const auto* construct = dyn_cast_or_null<CXXConstructExpr>(init);
  if (made->isArray()) {
    node.how = ir::Allocator::NewArray;
    node.count = convert(lowerExpr(*made->getArraySize()), sizeType(), at);
    const auto* list = dyn_cast_or_null<InitListExpr>(init);
    const bool zero = init && (isa<ImplicitValueInitExpr>(init) || (list && list->getNumInits() == 0));
    const bool runs = construct && !construct->getConstructor()->isTrivial();
    if ((init && !zero && !construct) || runs) {
      unsupported(e, "an array with initialisers in 'new'", "assign its elements, or use std::vector");
      return;
    }
    node.zero = zero || (construct && construct->requiresZeroInitialization());
    emit(std::move(node), at);
    return;
  }
  if (init && (isa<ImplicitValueInitExpr>(init) || isa<CXXScalarValueInitExpr>(init))) node.zero = true;
  const bool bare = !init || node.zero || (construct && construct->getNumArgs() == 0 && construct->getConstructor()->isTrivial());
  if (bare && construct) node.zero = construct->requiresZeroInitialization();
  ExprId value;
  if (!bare && ir::as<ir::RecordType>(module(), element)) {
    const ir::VarId object = addVariable("object", element, at, true);
    initialise(object, made->getInitializer(), at);
    value = varRef(object, at);
  } else if (!bare) {
    const auto* list = dyn_cast<InitListExpr>(init);
    if (list && list->getNumInits() == 0) node.zero = true;
    else value = convert(lowerExpr(list ? list->getInit(0) : init), element, at);
  }
  if (value.valid() && !std::holds_alternative<ir::Literal>(function()[value].node) && !ir::as<ir::RecordType>(module(), element))
    value = spill(value, "value", at);
  emit(std::move(node), at);
  if (value.valid()) emit(ir::Assign{deref(clone(target), at), value}, at);
}

ExprId FunctionLowering::lowerAllocation(const Expr* e) {
  const SourceLocation at = e->getExprLoc();
  const ExprId target = varRef(temporary("allocated", valueType(e->getType(), at), at), at);
  allocateInto(target, e);
  return clone(target);
}

bool FunctionLowering::isElementSize(const Expr* e, QualType element) {
  Expr::EvalResult value;
  return e->EvaluateAsInt(value, ast()) &&
         value.Val.getInt() == static_cast<std::int64_t>(ast().getTypeSizeInChars(element).getQuantity());
}

ExprId FunctionLowering::lowerDelete(const CXXDeleteExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const QualType object = e->getDestroyedType();
  if (object.isNull() || !canAllocate(lowerType(object.getUnqualifiedType(), at), at)) return errorValue(ast().IntTy, at);
  const ExprId pointer = lowerExpr(e->getArgument());
  emit(ir::Free{pointer, e->isArrayForm() ? ir::Allocator::NewArray : ir::Allocator::New}, at);
  return errorValue(ast().IntTy, at);
}

std::optional<ExprId> FunctionLowering::lowerFree(const std::string& name, const CallExpr* e) {
  if ((name != "free" && name != "__builtin_free") || e->getNumArgs() != 1) return std::nullopt;
  const Expr* pointer = e->getArg(0)->IgnoreParenCasts();
  if (!pointer->getType()->isPointerType() || pointer->getType()->isVoidPointerType())
    return unsupported(e, "'free' of memory of unknown type", "pass a pointer to the type that was allocated");
  const ExprId value = lowerExpr(pointer);
  emit(ir::Free{value, ir::Allocator::Malloc}, e->getExprLoc());
  return errorValue(ast().IntTy, e->getExprLoc());
}

}  // namespace contraflow::frontend
