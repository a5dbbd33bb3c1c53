// Assignments and increments, anywhere in an expression: they become statements, and the expression is the place.
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"
#include "ir/equal.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

// target += value
void FunctionLowering::step(ExprId place, ExprId value, bool subtract, SourceLocation at) {
  if (ir::as<ir::PointerType>(module(), typeOf(place))) {
    const TypeId t = ir::withoutConst(module(), typeOf(place));
    const ExprId moved = binary(subtract ? ir::BinaryOp::Sub : ir::BinaryOp::Add, clone(place), value, t, at);
    emit(ir::Assign{place, moved}, at);
    return;
  }
  emit(ir::Increment{place, value, subtract}, at);
}

ExprId FunctionLowering::lowerIncDec(const UnaryOperator* e, bool discarded) {
  const SourceLocation at = e->getExprLoc();
  const ExprId place = discarded ? lowerPlace(e->getSubExpr()) : stablePlace(lowerPlace(e->getSubExpr()), effectsOf(e, ast()));
  const TypeId type = ir::withoutConst(module(), typeOf(place));
  ExprId before;
  if (e->isPostfix() && !discarded) {
    std::string name = "value";
    if (const auto* ref = dyn_cast<DeclRefExpr>(e->getSubExpr()->IgnoreParens())) name = ref->getDecl()->getNameAsString();
    before = spill(clone(place), name + "_before", at);
  }
  const ExprId amount = ir::as<ir::PointerType>(module(), type) ? literal("1", intType(), at) : one(type, at);
  step(clone(place), amount, e->isDecrementOp(), at);
  return before ? before : place;
}

// Whole objects that C++ assigns member by member.
void FunctionLowering::assignTo(ExprId place, const Expr* value, SourceLocation at) {
  if (inParts(place)) {
    const auto* record = value->getType()->getAsCXXRecordDecl();
    return copyParts(place, lowerPlace(initialiserOf(value)), record, true, at);
  }
  const TypeId type = ir::withoutConst(module(), typeOf(place));
  if (isTupleType(value->getType()) && ir::as<ir::RecordType>(module(), type)) return assignTuple(place, value, at);
  if (!ir::isTriviallyCopyable(module(), type)) return assignWhole(place, value, at);
  const ExprId v = convert(lowerExpr(value), type, at);
  if (!ir::equal(function(), place, v)) emit(ir::Assign{place, v}, at);  // `a = b` in a function that got the same object twice
}

ExprId FunctionLowering::lowerAssignment(const BinaryOperator* e, bool discarded) {
  const SourceLocation at = e->getOperatorLoc();
  // C++17: the right side first.
  if (const CallExpr* call = directCall(e->getRHS())) {
    const auto* ref = dyn_cast<DeclRefExpr>(e->getLHS()->IgnoreParens());
    const auto* var = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
    if (var && variable(var) && !var->getType()->isReferenceType()) {
      const ExprId place = lowerPlace(e->getLHS());
      lowerCall(call, Want::Value, place);
      return clone(place);
    }
  }
  ExprId value = lowerExpr(e->getRHS());
  ir::Block address;
  ExprId place;
  {
    InBlock in(*this, address);
    place = lowerPlace(e->getLHS());
  }
  if (!address.empty() && mayChange(value, effectsOf(e->getLHS(), ast()))) value = spill(value, "value", at);
  append(address);
  // Whoever uses the result names the place again, after what it reads may have changed.
  if (!discarded) place = stablePlace(place, effectsOf(e, ast()));
  value = convert(value, typeOf(place), at);
  if (!ir::equal(function(), place, value)) emit(ir::Assign{place, value}, at);
  return clone(place);
}

ExprId FunctionLowering::lowerCompound(const CompoundAssignOperator* e, bool discarded) {
  const SourceLocation at = e->getOperatorLoc();
  if (e->getType()->isAnyComplexType() || e->getComputationResultType()->isAnyComplexType())
    return unsupported(e, "a complex number", "use two reals");
  ExprId value = lowerExpr(e->getRHS());
  ir::Block address;
  ExprId place;
  {
    InBlock in(*this, address);
    place = lowerPlace(e->getLHS());
  }
  if (!address.empty() && mayChange(value, effectsOf(e->getLHS(), ast()))) value = spill(value, "value", at);
  append(address);
  if (!discarded) place = stablePlace(place, effectsOf(e, ast()));

  const TypeId type = ir::withoutConst(module(), typeOf(place));
  const auto op = e->getOpcode();
  const bool isPointer = e->getLHS()->getType()->isPointerType();
  const TypeId computation = isPointer ? type : valueType(e->getComputationLHSType(), at);
  if ((op == BO_AddAssign || op == BO_SubAssign) && computation == type) {
    step(place, isPointer ? value : convert(value, type, at), op == BO_SubAssign, at);
    return clone(place);
  }
  const auto plain = BinaryOperator::getOpForCompoundAssignment(op);
  static const std::map<BinaryOperatorKind, ir::BinaryOp> kOps = {
      {BO_Add, ir::BinaryOp::Add}, {BO_Sub, ir::BinaryOp::Sub},    {BO_Mul, ir::BinaryOp::Mul},
      {BO_Div, ir::BinaryOp::Div}, {BO_Rem, ir::BinaryOp::Rem},    {BO_Shl, ir::BinaryOp::Shl},
      {BO_Shr, ir::BinaryOp::Shr}, {BO_And, ir::BinaryOp::BitAnd}, {BO_Or, ir::BinaryOp::BitOr},
      {BO_Xor, ir::BinaryOp::BitXor}};
  const ExprId old = convert(clone(place), computation, at);
  const ExprId result = binary(kOps.at(plain), old, convert(value, computation, at), computation, at);
  emit(ir::Assign{place, convert(result, type, at)}, at);
  return clone(place);
}

}  // namespace contraflow::frontend
