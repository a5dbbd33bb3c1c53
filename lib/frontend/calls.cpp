// Calls. A function with a body becomes an ir::Call: its arguments are evaluated in order, copied where the callee could change
// them, and the result goes to a variable. A function that returns a reference gives its address to a pointer variable.
#include "clang/AST/DeclTemplate.h"
#include "frontend/hidden_names.hpp"
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

namespace {

bool isMpi(const FunctionDecl* f) {
  if (!f->getDeclName().isIdentifier()) return false;
  const StringRef name = f->getName();
  return name.starts_with("MPI_") || name.starts_with("PMPI_");
}

// The object and the arguments of a call, as the function's parameters.
void operandsOf(const FunctionDecl* f, const CallExpr* e, const Expr*& object, std::vector<const Expr*>& args) {
  object = nullptr;
  unsigned first = 0;
  const auto* method = dyn_cast<CXXMethodDecl>(f);
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(e)) object = call->getImplicitObjectArgument();
  else if (isa<CXXOperatorCallExpr>(e) && method && !method->isStatic()) {
    object = e->getArg(0);
    first = 1;
  }
  if (method && method->isStatic()) object = nullptr;
  for (unsigned i = first; i < e->getNumArgs(); ++i) args.push_back(e->getArg(i));
}

// Of a parameter, by its type: true if its shadow is one of the function's adjoint.
bool mayHoldReals(QualType type, unsigned depth = 0) {
  type = type.getNonReferenceType().getCanonicalType();
  if (depth > 8) return true;
  if (type->isRealFloatingType()) return true;
  if (type->isPointerType()) return mayHoldReals(type->getPointeeType(), depth + 1);
  if (const auto* array = type->getAsArrayTypeUnsafe()) return mayHoldReals(array->getElementType(), depth + 1);
  const auto* record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition()) return false;
  if (const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(record); special && record->isInStdNamespace()) {
    for (const TemplateArgument& a : special->getTemplateArgs().asArray())
      if (a.getKind() == TemplateArgument::Type && mayHoldReals(a.getAsType(), depth + 1)) return true;
    return false;
  }
  return std::any_of(record->bases_begin(), record->bases_end(), [&](const CXXBaseSpecifier& b) { return mayHoldReals(b.getType(), depth + 1); }) ||
         std::any_of(record->field_begin(), record->field_end(), [&](const FieldDecl* f) { return mayHoldReals(f->getType(), depth + 1); });
}

std::string resultName(const FunctionDecl* f) {
  return (f->getDeclName().isIdentifier() ? f->getNameAsString() : std::string("operator")) + "_value";
}

}  // namespace

const CallExpr* FunctionLowering::directCall(const Expr* e) {
  e = e->IgnoreParens();
  if (const auto* full = dyn_cast<ExprWithCleanups>(e)) e = full->getSubExpr()->IgnoreParens();
  if (const auto* bind = dyn_cast<CXXBindTemporaryExpr>(e)) e = bind->getSubExpr()->IgnoreParens();
  const auto* call = dyn_cast<CallExpr>(e);
  const FunctionDecl* f = call ? call->getDirectCallee() : nullptr;
  if (!f || call->isGLValue() || f->getReturnType()->isReferenceType()) return nullptr;
  if (isMpi(f)) return call;
  if (inSystemHeader(f)) return nullptr;
  return unit_.isInactive(f) || unit_.definition(f) ? call : nullptr;
}

ExprId FunctionLowering::giveResult(ExprId value, std::optional<ExprId> result, SourceLocation at) {
  if (!result) return value;
  emit(ir::Assign{*result, convert(value, typeOf(*result), at)}, at);
  return clone(*result);
}

ExprId FunctionLowering::lowerCall(const CallExpr* e, Want want, std::optional<ExprId> result) {
  const SourceLocation at = e->getExprLoc();
  const FunctionDecl* f = e->getDirectCallee();
  if (!f) return lowerIndirectCall(e, want, result);
  if (const auto value = lowerComplexCall(f, e, result)) return *value;
  if (const auto value = lowerTupleCall(f, e, want, result)) return *value;
  if (const auto value = lowerFunctionObjectCall(f, e, want, result)) return *value;
  if (const auto value = lowerUniquePointerCall(f, e)) return giveResult(*value, result, at);
  if (const auto value = lowerIteratorCall(f, e, want)) return giveResult(*value, result, at);
  if (isa<UserDefinedLiteral>(e)) return unsupported(e, "a user-defined literal", "write a number");
  if (isMpi(f)) {
    if (f->getNumParams() == 0 && f->getReturnType()->isRealFloatingType())
      return giveResult(expr(ir::PureCall{f->getNameAsString(), {}}, valueType(e->getType(), at), at), result, at);
    if (!result && want != Want::Nothing)
      result = varRef(temporary("mpi_error", valueType(e->getType(), at), at), at);
    if (!lowerMpiCall(e, result))
      reject(DiagId::UnsupportedMpi, at, {"'" + f->getNameAsString() + "', which the program itself defines,", "leave its source out, or give the function a name of its own"});
    return result ? clone(*result) : errorValue(e->getType(), at);
  }
  if (const auto* method = dyn_cast<CXXMethodDecl>(f)) {
    if ((method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) && method->isDefaulted()) {
      const auto* op = cast<CXXOperatorCallExpr>(e);
      const ExprId place = lowerPlace(op->getArg(0));
      assignTo(place, op->getArg(1), at);
      return clone(place);
    }
    if (const auto value = lowerContainerCall(e)) return giveResult(*value, result, at);
    if (isa<CXXDestructorDecl>(method)) return unsupported(e, "a call of a destructor", "let the object go out of scope");
    if (isa<CXXConversionDecl>(method) && method->getParent()->isLambda())
      return unsupported(e, "a pointer to a lambda", "write the lambda as a function");
    if (isa<CXXConversionDecl>(method) && inSystemHeader(f)) {
      const QualType from = cast<CXXMemberCallExpr>(e)->getImplicitObjectArgument()->IgnoreParenImpCasts()->getType();
      return unsupported(e, "a conversion from '" + unit_.spell(from.getUnqualifiedType()) + "'", "keep a plain number, pointer or reference instead");
    }
  }
  if (unit_.isInactive(f)) return lowerInactiveCall(f, e, result);
  if (inSystemHeader(f)) {
    if (const auto value = lowerMathCall(f, e)) return giveResult(*value, result, at);
    if (const auto value = lowerLibraryCall(f, e)) return giveResult(*value, result, at);
    rejectCall(f, e);
    return errorValue(e->getType(), at);
  }
  if (!unit_.definition(f) && !isVirtualCall(f, e)) {
    rejectCall(f, e);
    return errorValue(e->getType(), at);
  }
  return lowerFunctionCall(f, e, want, result);
}

bool FunctionLowering::isVirtualCall(const FunctionDecl* callee, const CallExpr* e) {
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  if (!method || !method->isVirtual()) return false;
  const auto* member = dyn_cast<MemberExpr>(e->getCallee()->IgnoreParens());
  return !member || member->performsVirtualDispatch(ast().getLangOpts());
}

ExprId FunctionLowering::lowerFunctionCall(const FunctionDecl* callee, const CallExpr* e, Want want, std::optional<ExprId> result) {
  const SourceLocation at = e->getExprLoc();
  const Expr* object = nullptr;
  std::vector<const Expr*> args;
  operandsOf(callee, e, object, args);

  std::vector<const Expr*> operands;
  std::vector<bool> asPlace;
  const bool arrow = object && object->getType()->isPointerType();
  if (object) {
    operands.push_back(object);
    asPlace.push_back(!arrow);
  }
  for (std::size_t i = 0; i < args.size(); ++i) {
    const QualType p = i < callee->getNumParams() ? callee->getParamDecl(static_cast<unsigned>(i))->getType() : args[i]->getType();
    // The copy of an object that does something at its end is one more object.
    operands.push_back(p->isVoidPointerType() ? withoutVoidCast(args[i]) : destructorOf(p) ? args[i] : copiedFrom(args[i]));
    asPlace.push_back(i < callee->getNumParams() && bindsPlace(p));
  }
  std::vector<ExprId> values = inOrder(operands, asPlace);
  if (arrow) values[0] = deref(values[0], at);
  const bool isVirtual = object && isVirtualCall(callee, e);
  const FunctionDecl* body = isVirtual ? nullptr : inlined(callee, e);
  const auto isPart = [&](ExprId v) { return inParts(v); };
  // A method of an empty base class may cast to the class of its object (CRTP), which is known here.
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  const auto* of = object ? ir::as<ir::RecordType>(module(), typeOf(values[0])) : nullptr;
  const bool isOfEmptyBase = of && method && method->getParent()->isEmpty() && module()[of->record].name != unit_.spell(ast().getRecordType(method->getParent()));
  std::vector<ExprId> given(values.begin() + (object ? 1 : 0), values.end());
  if (!body && !isVirtual && (isOfEmptyBase || hasTypedContext(callee, given) || std::any_of(values.begin(), values.end(), isPart))) {
    callee->hasBody(body);
    for (const Inlined& outer : inlined_)
      if (outer.definition == body) body = nullptr;
    if (body && !isa<CompoundStmt>(body->getBody())) body = nullptr;
  }
  if (body) {
    Arguments arguments;
    if (object) arguments.object = values[0];
    arguments.values = given;
    return inlineCall(body, arguments, want, result, at);
  }
  std::vector<QualType> params;
  std::vector<std::string> names;
  for (const ParmVarDecl* p : callee->parameters()) {
    params.push_back(p->getType());
    names.push_back(p->getNameAsString());
  }
  for (std::size_t i = 0; i < given.size() && i < params.size(); ++i)
    if (params[i]->isVoidPointerType()) given[i] = convert(given[i], valueType(params[i], at), at);
  stabilise(given, params, names, at);
  if (!object) return emitCall(callee, std::move(given), want, result, at);
  const ExprId self = stablePlace(values[0]);
  if (isVirtual) return lowerVirtualCall(cast<CXXMethodDecl>(callee), object, self, given, want, result, at);
  given.insert(given.begin(), self);
  return emitCall(callee, std::move(given), want, result, at);
}

// Copies what the callee could change.
void FunctionLowering::stabilise(std::vector<ExprId>& values, const std::vector<QualType>& params, const std::vector<std::string>& names,
                                 SourceLocation at) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i < params.size() && bindsPlace(params[i])) {
      values[i] = stablePlace(values[i]);
      continue;
    }
    const std::string name = i < names.size() ? names[i] : "";
    const TypeId type = typeOf(values[i]);
    if (std::holds_alternative<ir::Literal>(function()[values[i]].node)) continue;
    if (!ir::isTriviallyCopyable(module(), type)) {
      // A container or deep record by value: the callee gets a copy that nobody else has.
      if (!std::holds_alternative<ir::VarRef>(function()[values[i]].node) || readsSharedMemory(values[i])) {
        const ir::VarId copy = addVariable((name.empty() ? "value" : name) + "_copy", ir::withoutConst(module(), type), at, true);
        emit(ir::Declare{copy, ir::Init::None, {}, ir::Storage::Automatic, {}}, at);
        copyWhole(varRef(copy, at), values[i], Transfer::Copy, at);
        values[i] = varRef(copy, at);
      }
      continue;
    }
    values[i] = stableValue(values[i], name.empty() ? "argument" : name + "_argument");
  }
}

ExprId FunctionLowering::emitCall(const FunctionDecl* callee, std::vector<ExprId> values, Want want, std::optional<ExprId> result, SourceLocation at) {
  const ir::FuncId id = unit_.function(callee);
  const QualType returned = callee->getReturnType();
  if (const auto k = unit_.returnedParameter(callee)) {
    emit(ir::Call{id, values, {}}, at);
    return giveResult(clone(values[*k]), result, at);
  }
  if (returned->isReferenceType()) {
    const TypeId type = pointerTo(lowerType(returned.getNonReferenceType(), at));
    if (want == Want::Nothing) {
      emit(ir::Call{id, values, {}}, at);
      return errorValue(ast().IntTy, at);
    }
    const ir::VarId pointer = temporary(resultName(callee), type, at);
    const ExprId place = varRef(pointer, at);
    emit(ir::Call{id, values, place}, at);
    const ExprId value = deref(varRef(pointer, at), at);
    return giveResult(value, result, at);
  }
  if (returned->isVoidType() || (want == Want::Nothing && !result)) {
    emit(ir::Call{id, values, {}}, at);
    return errorValue(ast().IntTy, at);
  }
  if (!result) result = varRef(temporary(resultName(callee), valueType(returned, at), at), at);
  emit(ir::Call{id, values, *result}, at);
  return clone(*result);
}

// `#pragma contraflow inactive`: the call is kept as it stands.
ExprId FunctionLowering::lowerInactiveCall(const FunctionDecl* callee, const CallExpr* e, std::optional<ExprId> result) {
  const SourceLocation at = e->getExprLoc();
  const Expr* object = nullptr;
  std::vector<const Expr*> args;
  operandsOf(callee, e, object, args);
  ir::Opaque call;
  std::string piece;
  const bool isVoid = callee->getReturnType()->isVoidType();
  if (callee->getReturnType()->isReferenceType()) return unsupported(e, "a reference from an inactive function", "return a value");
  if (!isVoid && !result) result = varRef(temporary(resultName(callee), valueType(callee->getReturnType(), at), at), at);
  const auto add = [&](ExprId v, bool written) {
    call.pieces.push_back(piece);
    piece.clear();
    call.args.push_back(v);
    if (written) call.writes.push_back(v);
  };
  std::vector<const Expr*> operands(args);
  std::vector<bool> asPlace;
  for (std::size_t i = 0; i < args.size(); ++i)
    asPlace.push_back(i < callee->getNumParams() && callee->getParamDecl(static_cast<unsigned>(i))->getType()->isReferenceType());
  const std::vector<ExprId> values = inOrder(operands, asPlace);
  if (!isVoid) {
    add(*result, true);
    piece = " = ";
  }
  if (object) {
    const ExprId self = object->getType()->isPointerType() ? deref(lowerExpr(object), at) : lowerPlace(object);
    const auto* method = cast<CXXMethodDecl>(callee);
    add(self, !method->isConst());
    piece = "." + callee->getNameAsString() + "(";
  } else {
    piece += nameFromAnywhere(callee) + "(";
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const QualType p = i < callee->getNumParams() ? callee->getParamDecl(static_cast<unsigned>(i))->getType() : args[i]->getType();
    // How much is written behind it isn't known.
    if (const QualType pointee = p->isPointerType() ? p->getPointeeType() : QualType(); !pointee.isNull() && !pointee.isConstQualified() &&
        !pointee->isVoidType() && !pointee->isAnyCharacterType() && !pointee->isFunctionType()) {
      const auto* record = pointee->getAsRecordDecl();
      if (!record || !unit_.sources().isInSystemHeader(record->getLocation()))
        reject(DiagId::UnsupportedExpression, args[i]->getExprLoc(),
               {"a pointer that the inactive function '" + callee->getNameAsString() + "' may write through", "make its parameter a pointer to const, or a reference"});
    }
    add(values[i], p->isReferenceType() && !p->getPointeeType().isConstQualified());
    piece = i + 1 < values.size() ? ", " : "";
  }
  call.pieces.push_back(piece + ");");
  emit(std::move(call), at);
  return isVoid ? errorValue(ast().IntTy, at) : clone(*result);
}

void FunctionLowering::rejectCall(const FunctionDecl* callee, const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  std::string name = callee->getQualifiedNameAsString();
  // What these return has a type of the library's own.
  if (name.rfind("std::_Bind", 0) == 0) name = "std::bind";
  if (name.rfind("std::_Mem_fn", 0) == 0) name = "std::mem_fn";
  static const std::set<std::string> kHeap = {"malloc", "calloc", "realloc", "free", "std::malloc", "std::calloc", "std::realloc", "std::free"};
  if (kHeap.count(name)) {
    reject(DiagId::UnsupportedExpression, at, {"'" + name + "' of memory without a type", "convert its result to a pointer at once, or use std::vector"});
    return;
  }
  const bool isC = !callee->isInStdNamespace() && !isa<CXXMethodDecl>(callee) && callee->isExternC();
  if (inSystemHeader(callee) && !isC) {
    static const std::map<std::string, std::string> kWaysOut = {
        {"std::bind", "use a lambda"},
        {"std::mem_fn", "use a lambda that calls the member"},
        {"std::invoke", "call the function or the member by its name"},
        {"std::minmax", "use std::min and std::max"},
        {"std::minmax_element", "use std::min_element and std::max_element"}};
    const auto known = kWaysOut.find(name);
    reject(DiagId::UnsupportedExpression, at,
           {"'" + name + "'", known != kWaysOut.end() ? known->second : "write it out as a loop or with supported functions"});
    return;
  }
  // The signature of the adjoint that is wanted.
  std::string rule = "void";
  if (callee->getReturnType()->isRealFloatingType()) rule = unit_.spell(callee->getReturnType());
  rule = "'" + rule + " " + callee->getNameAsString() + "_b(";
  std::string separator;
  if (const auto* method = dyn_cast<CXXMethodDecl>(callee); method && !method->isStatic()) {
    const std::string object = unit_.spell(ast().getRecordType(method->getParent()));
    rule += (method->isConst() ? "const " : "") + object + "& self, " + object + "& self_b";
    separator = ", ";
  }
  for (const ParmVarDecl* p : callee->parameters()) {
    QualType t = p->getType();
    const std::string pname = p->getName().empty() ? "x" + std::to_string(p->getFunctionScopeIndex()) : p->getNameAsString();
    rule += separator + unit_.spell(t) + " " + pname;
    separator = ", ";
    // The shadow: of the type of the primal, and never const.
    const QualType object = t->isPointerType() || t->isReferenceType() ? t->getPointeeType().getUnqualifiedType() : t.getUnqualifiedType();
    if (mayHoldReals(object)) rule += ", " + unit_.spell(object) + (t->isPointerType() ? "* " : "& ") + pname + "_b";
  }
  if (callee->getReturnType()->isRealFloatingType()) rule += separator + unit_.spell(callee->getReturnType()) + " " + callee->getNameAsString() + "_b_seed";
  rule += ")' with '#pragma contraflow rule(adjoint of " + callee->getNameAsString() + ": " + callee->getNameAsString() + "_b)'";
  reject(DiagId::NoBody, at, {name, rule});
}

}  // namespace contraflow::frontend
