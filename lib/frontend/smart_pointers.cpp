// std::unique_ptr as a local variable: a vector of what it owns, empty where it is null. So the memory lives and dies as a vector's does,
// and a move is a swap.
//     auto p = std::make_unique<double[]>(n);   →   std::vector<double> p; p.resize(n);
#include "clang/AST/DeclTemplate.h"
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

bool isUniquePointer(QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getDeclName().isIdentifier() && record->getName() == "unique_ptr" &&
         isa<ClassTemplateSpecializationDecl>(record);
}

namespace {

bool isNull(const Expr* e) { return isa<CXXNullPtrLiteralExpr>(initialiserOf(e, true)->IgnoreParenImpCasts()); }

const CallExpr* makeUnique(const Expr* e) {
  const auto* call = dyn_cast<CallExpr>(initialiserOf(e, true));
  const FunctionDecl* f = call ? call->getDirectCallee() : nullptr;
  return f && f->isInStdNamespace() && f->getDeclName().isIdentifier() && f->getName() == "make_unique" ? call : nullptr;
}

}  // namespace

// owner = new T…, make_unique<T>(…), null or another owner that is moved from
void FunctionLowering::ownWhat(ExprId owner, const Expr* e, SourceLocation at) {
  const TypeId element = ir::withoutConst(module(), ir::as<ir::ContainerType>(module(), typeOf(owner))->element);
  const auto own = [&](ExprId count) {
    restructure(ir::Structure::Resize, owner, sizeLiteral(0, at), at);
    restructure(ir::Structure::Resize, owner, count, at);
  };
  if (isNull(e)) return restructure(ir::Structure::Resize, owner, sizeLiteral(0, at), at);
  const Expr* from = initialiserOf(e, true);
  if (const CallExpr* call = makeUnique(e)) {
    const auto* special = cast<ClassTemplateSpecializationDecl>(call->getType()->getAsCXXRecordDecl());
    if (special->getTemplateArgs()[0].getAsType()->isArrayType())
      return own(stableValue(convert(lowerExpr(call->getArg(0)), sizeType(), at), "count"));
    if (call->getNumArgs() == 0) return own(sizeLiteral(1, at));
    const bool scalar = !ir::as<ir::RecordType>(module(), element) && !ir::as<ir::ContainerType>(module(), element);
    if (call->getNumArgs() == 1 && (scalar || valueType(call->getArg(0)->getType(), at) == element)) {
      const ExprId value = elementValue(call->getArg(0), element, at);
      own(sizeLiteral(1, at));
      return setElement(owner, sizeLiteral(0, at), value, at);
    }
    reject(DiagId::UnsupportedExpression, at, {"make_unique with a constructor's arguments", "write make_unique<T>(T(…))"});
    return;
  }
  if (const auto* made = dyn_cast<CXXNewExpr>(from)) {
    const Expr* init = made->getInitializer() ? initialiserOf(made->getInitializer(), true) : nullptr;
    const auto* construct = dyn_cast_or_null<CXXConstructExpr>(init);
    const auto* list = dyn_cast_or_null<InitListExpr>(init);
    const bool bare = !init || isa<ImplicitValueInitExpr>(init) || isa<CXXScalarValueInitExpr>(init) || (list && list->getNumInits() == 0) ||
                      (construct && construct->getNumArgs() == 0 && construct->getConstructor()->isTrivial());
    if (made->isArray() && bare) return own(stableValue(convert(lowerExpr(*made->getArraySize()), sizeType(), at), "count"));
    if (!made->isArray()) {
      const ExprId value = bare ? ExprId() : elementValue(made->getInitializer(), element, at);
      own(sizeLiteral(1, at));
      if (value.valid()) setElement(owner, sizeLiteral(0, at), value, at);
      return;
    }
  } else if (isUniquePointer(from->getType()) && from->isGLValue()) {
    const ExprId source = fixedPlace(lowerPlace(from), at);
    restructure(ir::Structure::Swap, owner, clone(source), at);
    return restructure(ir::Structure::Resize, source, sizeLiteral(0, at), at);
  }
  reject(DiagId::UnsupportedExpression, at, {"this value of a std::unique_ptr", "use new, std::make_unique or std::move of another one"});
}

void FunctionLowering::declareOwner(ir::VarId var, const Expr* init, SourceLocation at) {
  function()[var].type = ir::withoutConst(module(), function()[var].type);
  emit(ir::Declare{var, ir::Init::None, {}, ir::Storage::Automatic, {}}, at);
  if (!init) return;
  const Expr* value = initialiserOf(init, true);
  if (const auto* construct = dyn_cast<CXXConstructExpr>(value)) {
    if (construct->getNumArgs() == 0 || isa<CXXDefaultArgExpr>(construct->getArg(0))) return;
    value = construct->getArg(0);
  }
  if (!isNull(value)) ownWhat(varRef(var, at), value, at);
}

std::optional<ExprId> FunctionLowering::lowerUniquePointerCall(const FunctionDecl* f, const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const auto* method = dyn_cast<CXXMethodDecl>(f);
  const auto* op = dyn_cast<CXXOperatorCallExpr>(e);
  if (op && !method) {  // p == nullptr
    if (op->getNumArgs() != 2 || (op->getOperator() != OO_EqualEqual && op->getOperator() != OO_ExclaimEqual)) return std::nullopt;
    for (const unsigned k : {0u, 1u}) {
      if (!isUniquePointer(op->getArg(k)->getType()) || !isNull(op->getArg(1 - k))) continue;
      const auto how = op->getOperator() == OO_EqualEqual ? ir::BinaryOp::Eq : ir::BinaryOp::Ne;
      return binary(how, sizeOf(lowerPlace(op->getArg(k)), at), sizeLiteral(0, at), boolType(), at);
    }
    return std::nullopt;
  }
  if (!method || !isUniquePointer(ast().getRecordType(method->getParent()))) return std::nullopt;
  const Expr* object = op ? op->getArg(0) : cast<CXXMemberCallExpr>(e)->getImplicitObjectArgument();
  const ExprId owner = object->getType()->isPointerType() ? deref(lowerExpr(object), at) : lowerPlace(object);
  const auto first = [&] { return elementOf(owner, sizeLiteral(0, at), at); };
  const auto none = [&] { return errorValue(ast().IntTy, at); };
  if (op) {
    switch (op->getOperator()) {
      case OO_Star: return first();
      case OO_Arrow: return addressOf(first(), at);
      case OO_Subscript: return elementOf(owner, convert(lowerExpr(op->getArg(1)), sizeType(), at), at);
      case OO_Equal: return ownWhat(owner, op->getArg(1), at), clone(owner);
      default: return std::nullopt;
    }
  }
  if (isa<CXXConversionDecl>(method)) return binary(ir::BinaryOp::Ne, sizeOf(owner, at), sizeLiteral(0, at), boolType(), at);
  const auto* call = cast<CXXMemberCallExpr>(e);
  const llvm::StringRef name = method->getDeclName().isIdentifier() ? method->getName() : "";
  if (name == "get") return expr(ir::DataOf{owner}, pointerTo(typeOf(first())), at);
  if (name == "reset") {
    const bool bare = call->getNumArgs() == 0 || isa<CXXDefaultArgExpr>(call->getArg(0));
    if (bare) restructure(ir::Structure::Resize, owner, sizeLiteral(0, at), at);
    else ownWhat(owner, call->getArg(0), at);
    return none();
  }
  if (name == "swap") {
    swapWhole(owner, lowerPlace(call->getArg(0)), at);
    return none();
  }
  return unsupported(e, "'std::unique_ptr::" + name.str() + "'", "let the pointer keep what it owns, or move it");
}

}  // namespace contraflow::frontend
