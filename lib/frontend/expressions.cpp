// Expressions without calls and assignments.
#include <llvm/ADT/StringExtras.h>

#include "clang/Lex/Lexer.h"
#include "frontend/hidden_names.hpp"
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"
#include "ir/equal.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

namespace {

ir::BinaryOp opOf(BinaryOperatorKind k) {
  switch (k) {
    case BO_Add: return ir::BinaryOp::Add;
    case BO_Sub: return ir::BinaryOp::Sub;
    case BO_Mul: return ir::BinaryOp::Mul;
    case BO_Div: return ir::BinaryOp::Div;
    case BO_Rem: return ir::BinaryOp::Rem;
    case BO_Shl: return ir::BinaryOp::Shl;
    case BO_Shr: return ir::BinaryOp::Shr;
    case BO_And: return ir::BinaryOp::BitAnd;
    case BO_Or: return ir::BinaryOp::BitOr;
    case BO_Xor: return ir::BinaryOp::BitXor;
    case BO_LT: return ir::BinaryOp::Lt;
    case BO_LE: return ir::BinaryOp::Le;
    case BO_GT: return ir::BinaryOp::Gt;
    case BO_GE: return ir::BinaryOp::Ge;
    case BO_EQ: return ir::BinaryOp::Eq;
    case BO_NE: return ir::BinaryOp::Ne;
    case BO_LAnd: return ir::BinaryOp::And;
    default: return ir::BinaryOp::Or;
  }
}

}  // namespace

// MPI_COMM_WORLD and its like are macros that hide casts of the library's own variables.
std::optional<ExprId> FunctionLowering::macroConstant(const Expr* e) {
  const SourceManager& sources = unit_.sources();
  if (!e->getBeginLoc().isMacroID() || !e->getEndLoc().isMacroID()) return std::nullopt;
  // The outermost macro: the one that the user wrote.
  SourceLocation begin = e->getBeginLoc(), end = e->getEndLoc();
  if (sources.getExpansionLoc(begin) != sources.getExpansionLoc(end)) return std::nullopt;
  const std::string name =
      Lexer::getSourceText(CharSourceRange::getTokenRange(SourceRange(sources.getExpansionLoc(begin))), sources, ast().getLangOpts()).str();
  if (name.compare(0, 4, "MPI_") != 0) return std::nullopt;
  return literal(name, valueType(e->getType(), e->getExprLoc()), e->getExprLoc());
}

ExprId FunctionLowering::lowerExpr(const Expr* e) {
  e = withoutWrappers(e);
  const SourceLocation at = e->getExprLoc();
  if (const auto constant = macroConstant(e)) return *constant;
  const auto typed = [&] { return valueType(e->getType(), at); };
  if (isAllocation(e)) return lowerAllocation(e);
  if (const auto* n = dyn_cast<CastExpr>(e)) return lowerCast(n);
  if (const auto* n = dyn_cast<MaterializeTemporaryExpr>(e); n && n->getType()->isScalarType()) return lowerExpr(n->getSubExpr());
  if (e->isGLValue()) return lowerPlace(e);
  if (isComplexType(e->getType()) && isa<ConditionalOperator>(e)) {
    const ir::VarId var = temporary("z", typed(), at);
    assignComplex(varRef(var, at), complexValue(e), at);
    return varRef(var, at);
  }
  if (const auto* n = dyn_cast<IntegerLiteral>(e)) {
    std::string text = unit_.text(n);
    if (text.empty() || !isdigit(static_cast<unsigned char>(text[0]))) text = llvm::toString(n->getValue(), 10, n->getType()->isSignedIntegerType());
    return literal(text, typed(), at);
  }
  if (isa<FloatingLiteral>(e)) {
    // As written; the expansion of a macro is spelled out.
    const SourceLocation spelled = unit_.sources().getSpellingLoc(e->getBeginLoc());
    llvm::SmallString<64> buffer;
    const std::string text = Lexer::getSpelling(spelled, buffer, unit_.sources(), ast().getLangOpts()).str();
    return literal(text, typed(), at);
  }
  if (const auto* n = dyn_cast<CXXBoolLiteralExpr>(e)) return literal(n->getValue() ? "true" : "false", typed(), at);
  if (const auto* n = dyn_cast<CharacterLiteral>(e)) {
    const std::string text = unit_.text(n);
    return literal(text.empty() ? std::to_string(n->getValue()) : text, typed(), at);
  }
  if (isa<CXXNullPtrLiteralExpr>(e) || isa<GNUNullExpr>(e)) return literal("nullptr", typed(), at);
  if (isa<ImplicitValueInitExpr>(e) || isa<CXXScalarValueInitExpr>(e)) {
    const TypeId t = typed();
    if (ir::as<ir::PointerType>(module(), t)) return literal("nullptr", t, at);
    if (e->getType()->isScalarType()) return convert(literal("0", intType(), at), t, at);
    return expr(ir::InitList{}, t, at);
  }
  if (const auto* n = dyn_cast<UnaryExprOrTypeTraitExpr>(e)) {
    if (n->getKind() != UETT_SizeOf && n->getKind() != UETT_AlignOf) return unsupported(e, "this operator", "use a constant");
    if (n->getTypeOfArgument()->isVariableArrayType()) return unsupported(e, "sizeof of an array of variable length", "use std::vector");
    return literal((n->getKind() == UETT_SizeOf ? "sizeof(" : "alignof(") + unit_.spell(n->getTypeOfArgument()) + ")", typed(), at);
  }
  if (const auto* n = dyn_cast<UnaryOperator>(e)) return lowerUnary(n);
  if (const auto* n = dyn_cast<CompoundAssignOperator>(e)) return lowerCompound(n, false);
  // What a branch makes can't be destroyed behind it.
  const auto branches = [&](const auto& lower) {
    const std::size_t before = cleanups_.size();
    const ExprId value = lower();
    if (cleanups_.size() == before) return value;
    cleanups_.erase(cleanups_.begin() + static_cast<std::ptrdiff_t>(before), cleanups_.end());
    return unsupported(e, "a temporary object with a destructor in a branch of an expression", "give it a name");
  };
  if (const auto* n = dyn_cast<BinaryOperator>(e); n && n->isLogicalOp()) return branches([&] { return lowerBinary(n); });
  if (const auto* n = dyn_cast<BinaryOperator>(e)) return lowerBinary(n);
  if (const auto* n = dyn_cast<AbstractConditionalOperator>(e)) return branches([&] { return lowerConditional(n); });
  if (const auto* n = dyn_cast<DeclRefExpr>(e)) return lowerDeclRef(n->getDecl(), n);
  if (const auto* n = dyn_cast<MemberExpr>(e)) return lowerMember(n);
  if (isa<CXXThisExpr>(e)) return addressOf(clone(self_), at);
  if (const auto* n = dyn_cast<CallExpr>(e)) return lowerCall(n, Want::Value);
  if (const auto* n = dyn_cast<InitListExpr>(e)) {
    if (n->getType()->isScalarType()) {
      if (n->getNumInits() == 1) return lowerExpr(n->getInit(0));
      return convert(literal("0", intType(), at), typed(), at);
    }
    return recordTemporary(e, "object");
  }
  if (const auto* n = dyn_cast<CXXConstructExpr>(e)) {
    const CXXConstructorDecl* c = n->getConstructor();
    if (isIterator(n->getType())) return iteratorValue(n);
    if (isFunctionObject(n->getType())) return heldCallable(n);
    const bool isCopy = c->isCopyOrMoveConstructor() && n->getNumArgs() == 1;
    if (isCopy && (c->isTrivial() || c->getParent()->isLambda()) && !destructorOf(n->getType())) return lowerExpr(n->getArg(0));
    return recordTemporary(e, "object");
  }
  if (const auto* n = dyn_cast<SizeOfPackExpr>(e)) return literal(std::to_string(n->getPackLength()), typed(), at);
  if (isa<OffsetOfExpr>(e)) {
    Expr::EvalResult value;
    if (e->EvaluateAsInt(value, ast())) return literal(llvm::toString(value.Val.getInt(), 10), typed(), at);
  }
  if (isa<TypeTraitExpr>(e)) return literal(cast<TypeTraitExpr>(e)->getValue() ? "true" : "false", typed(), at);
  if (const auto* n = dyn_cast<LambdaExpr>(e)) return lambdaInParts(n);
  if (isa<CXXNewExpr>(e)) return unsupported(e, "placement 'new'", "use std::vector");
  if (const auto* n = dyn_cast<CXXDeleteExpr>(e)) return lowerDelete(n);
  if (isa<CXXThrowExpr>(e)) return unsupported(e, "'throw' in an expression", "make it a statement");
  if (isa<CXXRewrittenBinaryOperator>(e)) return lowerExpr(cast<CXXRewrittenBinaryOperator>(e)->getSemanticForm());
  return unsupported(e, std::string("this expression (") + e->getStmtClassName() + ")", "rewrite it in plainer C++");
}

ExprId FunctionLowering::lowerPlace(const Expr* e) {
  e = withoutWrappers(e);
  const SourceLocation at = e->getExprLoc();
  if (!e->isGLValue()) {
    if (isa<LambdaExpr>(e)) return lowerExpr(e);
    if (isFunctionObject(e->getType())) return heldCallable(e);
    if (e->getType()->isRecordType()) return recordTemporary(e, "object");
    return spill(lowerExpr(e), "value", at);
  }
  if (const auto* n = dyn_cast<DeclRefExpr>(e)) return lowerDeclRef(n->getDecl(), n);
  if (const auto* n = dyn_cast<MemberExpr>(e)) return lowerMember(n);
  if (const auto* n = dyn_cast<ArraySubscriptExpr>(e)) return lowerSubscript(n);
  if (const auto* n = dyn_cast<MaterializeTemporaryExpr>(e)) return lowerPlace(n->getSubExpr());
  if (const auto* n = dyn_cast<UnaryOperator>(e)) {
    if (n->getOpcode() == UO_Deref) return deref(lowerExpr(n->getSubExpr()), at);
    if (n->isIncrementDecrementOp()) return lowerIncDec(n, false);
    if (n->getOpcode() == UO_Extension) return lowerPlace(n->getSubExpr());
    return unsupported(e, "this operator on a complex number", "use two reals");
  }
  if (const auto* n = dyn_cast<CompoundAssignOperator>(e)) return lowerCompound(n, false);
  if (const auto* n = dyn_cast<BinaryOperator>(e)) {
    if (n->getOpcode() == BO_Assign) return lowerAssignment(n, false);
    if (n->getOpcode() == BO_Comma) {
      lowerDiscarded(n->getLHS());
      return lowerPlace(n->getRHS());
    }
    if (n->isPtrMemOp()) return lowerMemberPointer(n);
  }
  if (const auto* n = dyn_cast<AbstractConditionalOperator>(e)) return n->getType()->isFunctionType() ? lowerConditional(n) : lowerConditionalPlace(n);
  if (const auto* n = dyn_cast<CallExpr>(e)) return lowerCall(n, Want::Place);
  if (isa<StringLiteral>(e)) return literal(unit_.text(e), lowerType(e->getType(), at), at);
  if (isa<PredefinedExpr>(e)) return literal("__func__", lowerType(e->getType(), at), at);
  if (const auto* n = dyn_cast<CastExpr>(e)) {
    switch (n->getCastKind()) {
      case CK_NoOp: return lowerPlace(n->getSubExpr());
      case CK_LValueToRValue: return lowerPlace(n->getSubExpr());
      case CK_DerivedToBase:
      case CK_UncheckedDerivedToBase: return toBase(lowerPlace(n->getSubExpr()), n);
      case CK_BaseToDerived: return toDerived(lowerPlace(n->getSubExpr()), n);
      default: break;
    }
    if (n->getCastKind() == CK_Dynamic) return lowerCast(n);
    if (n->getCastKind() == CK_LValueBitCast) return unsupported(e, "a cast between references to different types", "use the object's own type");
  }
  if (const auto* n = dyn_cast<InitListExpr>(e); n && n->getNumInits() == 1) return lowerPlace(n->getInit(0));
  if (const auto* n = dyn_cast<CompoundLiteralExpr>(e)) return lowerPlace(n->getInitializer());
  return unsupported(e, std::string("this expression (") + e->getStmtClassName() + ")", "rewrite it in plainer C++");
}

ExprId FunctionLowering::lowerCast(const CastExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const Expr* sub = e->getSubExpr();
  const auto* implicit = dyn_cast<ImplicitCastExpr>(e);
  const bool isExplicit = !implicit || implicit->isPartOfExplicitCast();
  const auto converted = [&] { return convert(lowerExpr(sub), valueType(e->getType(), at), at, isExplicit); };
  switch (e->getCastKind()) {
    case CK_LValueToRValue:
      // What is only read needs no address.
      if (const auto* chosen = dyn_cast<ConditionalOperator>(sub->IgnoreParens())) return lowerConditional(chosen);
      return lowerExpr(sub);
    case CK_NoOp:
      if (e->isGLValue()) return lowerPlace(sub);
      return e->getType()->isRecordType() || e->getType()->isArrayType() ? lowerExpr(sub) : converted();
    case CK_ArrayToPointerDecay: {
      const ExprId array = lowerPlace(sub);
      const auto* a = ir::as<ir::ArrayType>(module(), typeOf(array));
      const TypeId element = a ? a->element : typeOf(array);
      return expr(ir::Decay{array}, pointerTo(element), at);
    }
    case CK_IntegralCast:
    case CK_IntegralToFloating:
    case CK_FloatingToIntegral:
    case CK_FloatingCast:
    case CK_BooleanToSignedIntegral:
    case CK_IntegralToPointer:
    case CK_PointerToIntegral: return converted();
    case CK_IntegralToBoolean:
    case CK_FloatingToBoolean:
    case CK_PointerToBoolean: return converted();
    case CK_NullToPointer: {
      const TypeId t = valueType(e->getType(), at);
      return literal("nullptr", t, at);
    }
    case CK_BitCast: {
      if (const auto* call = dyn_cast<CallExpr>(sub->IgnoreParens()); call && call->getDirectCallee() && call->getDirectCallee()->getDeclName().isIdentifier() &&
                                                                      call->getDirectCallee()->getName() == "realloc")
        return unsupported(e, "'realloc'", "use a std::vector, or allocate the new memory, copy, and free the old");
      const TypeId to = valueType(e->getType(), at);
      if (sub->getType()->isVoidPointerType()) {
        // A callback's data, which came with its own type (hasTypedContext).
        const ExprId pointer = lowerExpr(sub);
        const auto pointee = [&](TypeId t) { return ir::as<ir::PointerType>(module(), t) ? ir::withoutConst(module(), ir::as<ir::PointerType>(module(), t)->pointee) : t; };
        if (pointee(typeOf(pointer)) == pointee(to)) return convert(pointer, to, at);
      }
      const TypeId from = valueType(sub->getType(), at);
      const auto* p = ir::as<ir::PointerType>(module(), to);
      if (!p || (!ir::as<ir::VoidType>(module(), p->pointee) && (ir::reachesReal(module(), from) || ir::reachesReal(module(), to) ||
                                                                 sub->getType()->isVoidPointerType())))
        return unsupported(e, "a cast between pointers to different types", "use a pointer of the object's own type");
      return converted();
    }
    case CK_ToVoid: lowerDiscarded(sub); return errorValue(ast().IntTy, at);
    case CK_ConstructorConversion:
    case CK_UserDefinedConversion: return lowerExpr(sub);
    case CK_DerivedToBase:
    case CK_UncheckedDerivedToBase:
      if (e->isGLValue()) return lowerPlace(e);
      if (e->getType()->isPointerType()) {
        const ExprId pointer = lowerExpr(sub);
        const ExprId object = deref(pointer, at);
        const ExprId base = toBase(object, e);
        return base == object ? convert(pointer, valueType(e->getType(), at), at, isExplicit) : addressOf(base, at);
      }
      return unsupported(e, "an object as a copy of its base class", "use a reference to the base class");
    case CK_BaseToDerived: return addressOf(toDerived(deref(lowerExpr(sub), at), e), at);
    case CK_FunctionToPointerDecay:
      if (const auto* star = dyn_cast<UnaryOperator>(sub->IgnoreParens()); star && star->getOpcode() == UO_Deref) return lowerExpr(star->getSubExpr());
      return converted();
    case CK_NullToMemberPointer: return literal("nullptr", valueType(e->getType(), at), at);
    case CK_MemberPointerToBoolean:
    case CK_BaseToDerivedMemberPointer: return converted();
    case CK_LValueBitCast: return unsupported(e, "a cast between references to different types", "use the object's own type");
    case CK_Dynamic: return unsupported(e, "'dynamic_cast'", "let a virtual function do what depends on the class");
    default: break;
  }
  return unsupported(e, std::string("a cast of this kind (") + e->getCastKindName() + ")", "convert the value by plain arithmetic types");
}

// The members of a first base class come first: the object is one of that class too. Another base class is a field.
ExprId FunctionLowering::toBase(ExprId object, const CastExpr* e) {
  const SourceLocation at = e->getExprLoc();
  QualType type = e->getSubExpr()->getType();
  if (type->isPointerType()) type = type->getPointeeType();
  const bool isConst = type.isConstQualified();
  const CXXRecordDecl* derived = type->getAsCXXRecordDecl();
  for (auto step = e->path_begin(); derived && step != e->path_end(); ++step) {
    const CXXRecordDecl* base = (*step)->getType()->getAsCXXRecordDecl();
    if (base->isEmpty()) break;
    if (const auto k = unit_.baseField(derived, base, at)) {
      const QualType t = ast().getRecordType(base);
      object = member(object, *k, lowerType(isConst ? t.withConst() : t, at), at);
    }
    derived = base;
  }
  return object;
}

// `static_cast<Derived&>(base)`: what is known to be of that class, or may be because it has virtual functions.
ExprId FunctionLowering::toDerived(ExprId base, const CastExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const QualType type = e->getType()->isPointerType() ? e->getType()->getPointeeType() : e->getType();
  const TypeId derived = lowerType(type, at);
  const auto *from = ir::as<ir::RecordType>(module(), typeOf(base)), *to = ir::as<ir::RecordType>(module(), derived);
  if (from && to && from->record == to->record) return base;
  if (!from || !to) return unsupported(e, "a cast to a derived class", "use the object by its own class");
  const CXXRecordDecl* inner = type->getAsCXXRecordDecl();
  for (auto step = e->path_begin(); step != e->path_end(); ++step) {
    const CXXRecordDecl* outer = (*step)->getType()->getAsCXXRecordDecl();
    if (unit_.baseField(inner, outer, at)) return unsupported(e, "a cast from a base class that isn't the first with members", "make it the first");
    inner = outer;
  }
  return expr(ir::Deref{expr(ir::Cast{addressOf(base, at), true}, pointerTo(derived), at)}, derived, at);
}

ExprId FunctionLowering::lowerUnary(const UnaryOperator* e) {
  const SourceLocation at = e->getExprLoc();
  const Expr* sub = e->getSubExpr();
  switch (e->getOpcode()) {
    case UO_Plus:
    case UO_Extension: return lowerExpr(sub);
    case UO_Minus: {
      const ExprId v = lowerExpr(sub);
      return expr(ir::Unary{ir::UnaryOp::Minus, v}, valueType(e->getType(), at), at);
    }
    case UO_Not: {
      const ExprId v = lowerExpr(sub);
      return expr(ir::Unary{ir::UnaryOp::BitNot, v}, valueType(e->getType(), at), at);
    }
    case UO_LNot: {
      const ExprId v = lowerCondition(sub);
      return expr(ir::Unary{ir::UnaryOp::Not, v}, boolType(), at);
    }
    case UO_AddrOf: {
      if (sub->getType()->isFunctionType() && !e->getType()->isMemberPointerType()) return lowerExpr(sub);
      if (e->getType()->isMemberPointerType())
        return targetLiteral(cast<DeclRefExpr>(sub->IgnoreParens())->getDecl(), valueType(e->getType(), at), at);
      return addressOf(lowerPlace(sub), at);
    }
    case UO_PostInc:
    case UO_PostDec:
    case UO_PreInc:
    case UO_PreDec: return lowerIncDec(e, false);
    default: break;
  }
  return unsupported(e, "'" + UnaryOperator::getOpcodeStr(e->getOpcode()).str() + "'", "use std::complex, or two reals");
}

ExprId FunctionLowering::lowerBinary(const BinaryOperator* e) {
  const SourceLocation at = e->getOperatorLoc();
  const auto op = e->getOpcode();
  if (op == BO_Comma) {
    lowerDiscarded(e->getLHS());
    return lowerExpr(e->getRHS());
  }
  if (op == BO_Assign) return lowerAssignment(e, false);
  if (op == BO_LAnd || op == BO_LOr) return lowerLogical(e);
  if (op == BO_PtrMemD || op == BO_PtrMemI) return lowerMemberPointer(e);
  if (op == BO_Cmp) return unsupported(e, "'<=>'", "use < and ==");
  if (e->getType()->isAnyComplexType()) return unsupported(e, "a complex number", "use two reals");
  auto sides = inOrder({e->getLHS(), e->getRHS()});
  ExprId lhs = sides[0], rhs = sides[1];
  const TypeId result = valueType(e->getType(), at);
  const bool lp = e->getLHS()->getType()->isPointerType(), rp = e->getRHS()->getType()->isPointerType();
  if (op == BO_Add && rp && !lp) std::swap(lhs, rhs);  // the pointer stands first
  if (op == BO_Shl || op == BO_Shr) rhs = convert(rhs, typeOf(lhs), at);
  if (!lp && !rp) rhs = convert(rhs, typeOf(lhs), at);
  // Two objects in parts, which have no address: `this != &other` in an assignment.
  const auto objectIn = [&](ExprId x) {
    while (const auto* c = std::get_if<ir::Cast>(&function()[x].node)) x = c->operand;
    const auto* a = std::get_if<ir::AddressOf>(&function()[x].node);
    const auto* v = a ? std::get_if<ir::VarRef>(&function()[a->place].node) : nullptr;
    return v && inParts(a->place) ? v->var : ir::VarId();
  };
  if (e->isEqualityOp() && objectIn(lhs).valid() && objectIn(rhs).valid())
    return literal((objectIn(lhs) == objectIn(rhs)) == (op == BO_EQ) ? "true" : "false", boolType(), at);
  // With its arguments in place, `this == &other` may compare a thing with itself, of which compilers warn.
  if (e->isComparisonOp() && !inlined_.empty() && !ir::isReal(module(), typeOf(lhs)) && ir::equal(function(), lhs, rhs))
    return literal(op == BO_EQ || op == BO_LE || op == BO_GE ? "true" : "false", boolType(), at);
  return binary(opOf(op), lhs, rhs, e->isComparisonOp() ? boolType() : result, at);
}

ExprId FunctionLowering::lowerDeclRef(const ValueDecl* decl, const Expr* e) {
  const SourceLocation at = e->getExprLoc();
  if (const auto* constant = dyn_cast<EnumConstantDecl>(decl)) {
    const TypeId type = lowerType(e->getType(), at);
    if (!ir::as<ir::EnumType>(module(), type)) return literal(llvm::toString(constant->getInitVal(), 10), type, at);
    std::string name = nameFromAnywhere(constant);
    if (const auto skip = name.find("(anonymous"); skip != std::string::npos) name = constant->getNameAsString();
    return literal(name, lowerType(e->getType(), at), at);
  }
  if (const auto* binding = dyn_cast<BindingDecl>(decl); binding && binding->getBinding()) return lowerPlace(binding->getBinding());
  if (isa<FunctionDecl>(decl)) return targetLiteral(decl, lowerType(decl->getType(), at), at);
  const auto* var = dyn_cast<VarDecl>(decl);
  if (!var) return unsupported(e, "an object as a template's argument", "give the template numbers, or the function the object");
  if (const auto it = substitutions_.find(var->getCanonicalDecl()); it != substitutions_.end()) return clone(it->second);
  if (const auto id = variable(var)) return varRef(*id, at);
  if (!var->hasGlobalStorage()) return unsupported(e, "the variable '" + decl->getNameAsString() + "' here", "declare it in the function");
  if (var->isInStdNamespace() || unit_.sources().isInSystemHeader(var->getLocation())) {
    const QualType t = var->getType().getNonReferenceType();
    if (t.isConstQualified() && t->isScalarType()) return literal(unit_.text(e), valueType(t, at), at);
    return unsupported(e, "the variable '" + var->getQualifiedNameAsString() + "'", "mark the function '#pragma contraflow inactive'");
  }
  const ir::GlobalId global = unit_.global(var);
  return expr(ir::GlobalRef{global}, module()[global].type, at);
}

ExprId FunctionLowering::lowerMember(const MemberExpr* e) {
  const SourceLocation at = e->getMemberLoc();
  const ValueDecl* member = e->getMemberDecl();
  if (!isa<FieldDecl>(member)) {
    lowerDiscarded(e->getBase());
    return lowerDeclRef(member, e);
  }
  const auto* field = cast<FieldDecl>(member);
  if (const auto view = lowerUnionView(e)) return *view;
  ExprId base = e->isArrow() ? deref(lowerExpr(e->getBase()), at) : lowerPlace(e->getBase());
  // The members of an anonymous one are the object's own.
  if (field->isAnonymousStructOrUnion() && !unit_.isMixedUnion(field->getType()->getAsRecordDecl())) return base;
  const unsigned k = unit_.field(field);
  if (inParts(base)) {
    const auto& parts = parts_[std::get<ir::VarRef>(function()[base].node).var];
    if (const auto it = parts.find(k); it != parts.end()) return clone(it->second);
  }
  const auto* record = ir::as<ir::RecordType>(module(), typeOf(base));
  const bool isKnown = inParts(base) || (record && k < module()[record->record].fields.size() && module()[record->record].fields[k].name == field->getName());
  // Its type has been refused.
  const bool isRefused = unit_.diagnostics().errors() > 0 && (field->getName().empty() || unit_.isMixedUnion(field->getParent()));
  if (!isKnown && isRefused) return errorValue(e->getType(), at);
  if (!isKnown && (field->getParent()->isUnion() || k == TranslationUnit::kNoField))
    return unsupported(e, "'" + field->getNameAsString() + "' as a whole, a member of a union,", "use its reals one by one, or the union's other member");
  if (!isKnown)
    return unsupported(e, "the member '" + field->getNameAsString() + "' of '" + unit_.spell(unit_.ast().getRecordType(field->getParent())) + "'",
                       "read it in a function marked '#pragma contraflow inactive'");
  QualType type = field->getType()->isReferenceType() ? field->getType().getNonReferenceType() : e->getType();
  return this->member(base, k, lowerType(type, at), at);
}

ExprId FunctionLowering::lowerSubscript(const ArraySubscriptExpr* e) {
  const SourceLocation at = e->getExprLoc();
  if (const auto view = lowerUnionView(e)) return *view;
  const Expr* base = e->getBase()->IgnoreParens();
  const auto* decay = dyn_cast<ImplicitCastExpr>(base);
  const bool isArray = decay && decay->getCastKind() == CK_ArrayToPointerDecay;
  const Expr* object = isArray ? decay->getSubExpr() : base;
  // `i[a]` evaluates the index first; nobody writes that with side effects.
  const auto parts = inOrder({object, e->getIdx()}, {isArray});
  return expr(ir::Subscript{parts[0], parts[1], false}, lowerType(e->getType(), at), at);
}

}  // namespace contraflow::frontend
