// std::pair and std::tuple: records of their elements, which are copied, assigned and compared one by one.
//     std::tie(a, b) = f();   →   std::tuple<double, double> parts; parts = f(); a = std::get<0>(parts); b = std::get<1>(parts);
//     auto [x, y] = p;        →   std::pair<double, double> parts = p;                              (x is parts.first, y parts.second)
#include "clang/AST/DeclTemplate.h"
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

namespace {

const ClassTemplateSpecializationDecl* tupleOf(QualType type) {
  const auto* special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type.getNonReferenceType()->getAsCXXRecordDecl());
  if (!special || !special->isInStdNamespace() || !special->getDeclName().isIdentifier()) return nullptr;
  return special->getName() == "pair" || special->getName() == "tuple" ? special : nullptr;
}

std::vector<QualType> elementsOf(const ClassTemplateSpecializationDecl* decl) {
  std::vector<QualType> types;
  for (const TemplateArgument& a : decl->getTemplateArgs().asArray()) {
    if (a.getKind() == TemplateArgument::Pack)
      for (const TemplateArgument& inner : a.pack_elements()) types.push_back(inner.getAsType());
    else
      types.push_back(a.getAsType());
  }
  return types;
}

// A call of a function of namespace std with one of these names.
const CallExpr* callOf(const Expr* e, const std::set<std::string>& names) {
  const auto* call = dyn_cast<CallExpr>(initialiserOf(e, true));
  const FunctionDecl* f = call ? call->getDirectCallee() : nullptr;
  if (!f || isa<CXXMethodDecl>(f) || !f->isInStdNamespace() || !f->getDeclName().isIdentifier()) return nullptr;
  return names.count(f->getNameAsString()) ? call : nullptr;
}

// What the elements of a new tuple are made of, where they are given one by one.
std::optional<std::vector<const Expr*>> givenElements(const Expr* e, std::size_t count) {
  if (const CallExpr* made = callOf(e, {"make_pair", "make_tuple", "tie", "forward_as_tuple"})) return std::vector<const Expr*>(made->arg_begin(), made->arg_end());
  if (const auto* construct = dyn_cast<CXXConstructExpr>(initialiserOf(e, true))) {
    std::vector<const Expr*> args;
    for (const Expr* a : construct->arguments())
      if (!isa<CXXDefaultArgExpr>(a)) args.push_back(a);
    if (args.empty()) return args;
    if (args.size() == count && !(count == 1 && tupleOf(args[0]->getType()))) return args;
  }
  return std::nullopt;
}

bool isComparison(OverloadedOperatorKind op) {
  return op == OO_EqualEqual || op == OO_ExclaimEqual || op == OO_Less || op == OO_Greater || op == OO_LessEqual || op == OO_GreaterEqual;
}

// Scalars, and tuples, vectors and arrays of what is compared; a record may have operators of its own.
bool isCompared(const ir::Module& m, TypeId type) {
  if (const auto* container = ir::as<ir::ContainerType>(m, type)) return isCompared(m, container->element);
  const auto* record = ir::as<ir::RecordType>(m, type);
  const std::string name = record ? m[record->record].name : "";
  return record ? name.compare(0, 10, "std::pair<") == 0 || name.compare(0, 11, "std::tuple<") == 0
                : ir::isReal(m, type) || ir::isIntegral(m, type) || ir::as<ir::PointerType>(m, type);
}

bool isIgnored(const Expr* e) {
  const auto* ref = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
  return ref && ref->getDecl()->isInStdNamespace() && ref->getDecl()->getName() == "ignore";
}

}  // namespace

bool isTupleType(QualType type) { return tupleOf(type) != nullptr; }

TypeId TranslationUnit::tupleType(const ClassTemplateSpecializationDecl* decl, bool isConst, SourceLocation at) {
  const std::string name = spell(ast_.getRecordType(decl));
  if (const auto it = session_.records.find(name); it != session_.records.end()) return module().type(ir::RecordType{it->second}, isConst);
  ir::Record record;
  record.name = name;
  record.isTriviallyCopyable = record.isDefaultConstructible = true;
  const bool isPair = decl->getName() == "pair";
  for (const QualType t : elementsOf(decl)) {
    const std::size_t k = record.fields.size();
    if (t->isReferenceType() || t.isConstQualified())
      reject(DiagId::UnsupportedType, at, {name, "an element is a reference or const; use std::tie, or elements that are values"});
    const TypeId element = type(t.getNonReferenceType(), at);
    record.fields.push_back({isPair ? (k == 0 ? "first" : "second") : "get<" + std::to_string(k) + ">", element, false, "", false});
    record.isTriviallyCopyable = record.isTriviallyCopyable && ir::isTriviallyCopyable(module(), element);
    if (const auto* inner = ir::as<ir::RecordType>(module(), element))
      record.isDefaultConstructible = record.isDefaultConstructible && module()[inner->record].isDefaultConstructible;
  }
  module().records.push_back(record);
  const ir::RecordId id(static_cast<std::uint32_t>(module().records.size() - 1));
  session_.records[name] = id;
  return module().type(ir::RecordType{id}, isConst);
}

ExprId FunctionLowering::tupleElement(ExprId tuple, unsigned k, SourceLocation at) {
  const TypeId type = typeOf(tuple);
  const auto* record = ir::as<ir::RecordType>(module(), type);
  if (ir::as<ir::OpaqueType>(module(), type)) return tuple;          // it has been rejected
  if (!record) return elementOf(tuple, sizeLiteral(k, at), at);  // of a std::array
  TypeId element = module()[record->record].fields[k].type;
  if (module()[type].isConst) element = module().type(ir::TypeNode(module()[element].node), true);
  return expr(ir::FieldRef{clone(tuple), k}, element, at);
}

void FunctionLowering::declareTuple(ir::VarId var, const std::vector<const Expr*>& elements, SourceLocation at) {
  const TypeId type = ir::withoutConst(module(), function()[var].type);
  const auto fields = module()[ir::as<ir::RecordType>(module(), type)->record].fields;
  const auto isScalar = [&](TypeId t) { return ir::isReal(module(), t) || ir::isIntegral(module(), t) || ir::as<ir::PointerType>(module(), t); };
  if (elements.empty()) {
    // The library's default constructor gives zeros either way.
    const bool whole = ir::isTriviallyCopyable(module(), type);
    if (!whole) function()[var].type = type;
    emit(ir::Declare{var, whole ? ir::Init::Zero : ir::Init::None, {}, ir::Storage::Automatic, {}}, at);
  } else if (std::all_of(fields.begin(), fields.end(), [&](const ir::Field& f) { return isScalar(f.type); })) {
    std::vector<ExprId> values = inOrder(elements);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = convert(values[k], fields[k].type, at);
    emit(ir::Declare{var, ir::Init::List, {expr(ir::InitList{std::move(values)}, type, at)}, ir::Storage::Automatic, {}}, at);
  } else {
    function()[var].type = type;
    emit(ir::Declare{var, ir::Init::None, {}, ir::Storage::Automatic, {}}, at);
    for (unsigned k = 0; k < elements.size(); ++k) assignTo(tupleElement(varRef(var, at), k, at), elements[k], at);
  }
}

void FunctionLowering::declareTuple(ir::VarId var, const Expr* init, SourceLocation at) {
  const TypeId type = ir::withoutConst(module(), function()[var].type);
  if (!init || isa<ImplicitValueInitExpr>(init) || isa<CXXScalarValueInitExpr>(init)) return declareTuple(var, std::vector<const Expr*>{}, at);
  const std::size_t count = module()[ir::as<ir::RecordType>(module(), type)->record].fields.size();
  if (const auto given = givenElements(init, count)) return declareTuple(var, *given, at);
  const Expr* from = initialiserOf(init, true);
  if (const auto* construct = dyn_cast<CXXConstructExpr>(from)) {
    if (construct->getNumArgs() != 1 || !isTupleType(construct->getArg(0)->getType())) {
      reject(DiagId::UnsupportedExpression, at, {"this constructor of a '" + unit_.spell(construct->getType()) + "'", "give it its elements one by one"});
      return;
    }
    from = initialiserOf(construct->getArg(0), true);
    if (!from->isGLValue()) return declareTuple(var, from, at);
  }
  if (const CallExpr* call = directCall(from); call && valueType(call->getType(), at) == type) {
    function()[var].type = type;
    emit(ir::Declare{var, ir::Init::None, {}, ir::Storage::Automatic, {}}, at);
    lowerCall(call, Want::Value, varRef(var, at));
    return;
  }
  const ExprId source = from->isGLValue() ? lowerPlace(from) : lowerExpr(from);
  if (ir::withoutConst(module(), typeOf(source)) == type && ir::isTriviallyCopyable(module(), type)) {
    emit(ir::Declare{var, ir::Init::Value, {source}, ir::Storage::Automatic, {}}, at);
    return;
  }
  function()[var].type = type;
  emit(ir::Declare{var, ir::Init::None, {}, ir::Storage::Automatic, {}}, at);
  copyTuple(varRef(var, at), source, at);
}

// Of one type, or element by element of types that convert.
void FunctionLowering::copyTuple(ExprId target, ExprId source, SourceLocation at) {
  const TypeId type = ir::withoutConst(module(), typeOf(target));
  if (ir::withoutConst(module(), typeOf(source)) == type) return copyWhole(target, source, Transfer::Copy, at);
  if (!ir::as<ir::RecordType>(module(), typeOf(source)) && !ir::as<ir::ContainerType>(module(), typeOf(source))) return;  // reported already
  const std::size_t count = module()[ir::as<ir::RecordType>(module(), type)->record].fields.size();
  for (unsigned k = 0; k < count; ++k) {
    const ExprId to = tupleElement(target, k, at), from = tupleElement(source, k, at);
    const TypeId t = ir::withoutConst(module(), typeOf(to));
    if (t == ir::withoutConst(module(), typeOf(from))) copyWhole(to, from, Transfer::Copy, at);
    else emit(ir::Assign{to, convert(from, t, at)}, at);
  }
}

// The value is whole before the place changes: `p = {p.second, p.first}`.
void FunctionLowering::assignTuple(ExprId place, const Expr* value, SourceLocation at) {
  const TypeId type = ir::withoutConst(module(), typeOf(place));
  const Expr* from = initialiserOf(value, true);
  if (from->isGLValue()) return copyTuple(place, lowerPlace(from), at);
  place = fixedPlace(place, at);
  const ir::VarId whole = addVariable("parts", isTupleType(from->getType()) ? valueType(from->getType(), at) : type, at, true);
  declareTuple(whole, from, at);
  copyTuple(place, varRef(whole, at), at);
}

// std::tie(a, b) = value
void FunctionLowering::assignTie(const CallExpr* tie, const Expr* value, SourceLocation at) {
  const Expr* from = initialiserOf(value, true);
  std::vector<const Expr*> targets;
  std::vector<unsigned> wanted;
  for (unsigned k = 0; k < tie->getNumArgs(); ++k)
    if (!isIgnored(tie->getArg(k))) {
      targets.push_back(tie->getArg(k));
      wanted.push_back(k);
    }
  std::vector<ExprId> values;
  if (const CallExpr* other = callOf(from, {"tie", "forward_as_tuple", "make_tuple", "make_pair"})) {
    // Read one by one as they are assigned by the library's tie, but for what is a value already.
    const bool areValues = !callOf(from, {"tie", "forward_as_tuple"});
    const auto all = inOrder(std::vector<const Expr*>(other->arg_begin(), other->arg_end()));
    for (const unsigned k : wanted) values.push_back(areValues ? spill(all[k], "part", at) : all[k]);
  } else {
    ExprId whole;
    if (from->isGLValue()) {
      whole = fixedPlace(lowerPlace(from), at);
    } else {
      const ir::VarId var = addVariable("parts", valueType(from->getType(), at), at, true);
      declareTuple(var, from, at);
      whole = varRef(var, at);
    }
    for (const unsigned k : wanted) values.push_back(tupleElement(whole, k, at));
  }
  const auto places = inOrder(targets, std::vector<bool>(targets.size(), true));
  for (std::size_t k = 0; k < places.size(); ++k) {
    const TypeId type = ir::withoutConst(module(), typeOf(places[k]));
    if (ir::as<ir::RecordType>(module(), type) || ir::as<ir::ContainerType>(module(), type)) copyWhole(places[k], values[k], Transfer::Copy, at);
    else emit(ir::Assign{places[k], convert(values[k], type, at)}, at);
  }
}

// The elements of a structured binding that aren't members by themselves.
void FunctionLowering::bindElements(const VarDecl* decl) {
  const auto* parts = dyn_cast<DecompositionDecl>(decl);
  if (!parts) return;
  unsigned k = 0;
  for (const BindingDecl* b : parts->bindings()) {
    if (const VarDecl* holder = b->getHoldingVar()) {
      const SourceLocation at = b->getLocation();
      const auto var = variable(decl);
      const auto known = substitutions_.find(decl->getCanonicalDecl());
      const ExprId whole = var ? varRef(*var, at) : known != substitutions_.end() ? clone(known->second) : ExprId();
      if (!whole.valid()) return;
      substitutions_[holder->getCanonicalDecl()] = tupleElement(whole, k, at);
    }
    ++k;
  }
}

ExprId FunctionLowering::isEqual(ExprId a, ExprId b, SourceLocation at) {
  const auto* record = ir::as<ir::RecordType>(module(), typeOf(a));
  if (!isCompared(module(), typeOf(a))) {
    reject(DiagId::UnsupportedExpression, at, {"a comparison of '" + ir::spell(module(), typeOf(a)) + "'", "compare what it holds, one by one"});
    return literal("false", boolType(), at);
  }
  if (ir::as<ir::ContainerType>(module(), typeOf(a))) return areEqual(a, b, at);
  if (!record) return binary(ir::BinaryOp::Eq, clone(a), convert(clone(b), ir::withoutConst(module(), typeOf(a)), at), boolType(), at);
  const std::size_t count = module()[record->record].fields.size();
  ExprId all;
  for (unsigned k = 0; k < count; ++k) {
    const ExprId one = isEqual(tupleElement(a, k, at), tupleElement(b, k, at), at);
    all = all.valid() ? binary(ir::BinaryOp::And, all, one, boolType(), at) : one;
  }
  return all.valid() ? all : literal("true", boolType(), at);
}

// Vectors or arrays of one size and with equal elements.
ExprId FunctionLowering::areEqual(ExprId a, ExprId b, SourceLocation at) {
  const ExprId sameSize = binary(ir::BinaryOp::Eq, sizeOf(a, at), sizeOf(b, at), boolType(), at);
  const ir::VarId same = addVariable("equal", boolType(), at, true);
  emit(ir::Declare{same, ir::Init::Value, {sameSize}, ir::Storage::Automatic, {}}, at);
  const TypeId type = ptrdiffType();
  ir::If test{varRef(same, at), {}, {}};
  {
    InBlock in(*this, test.then);
    forEachIndex(sizeLiteral(0, at), convert(sizeOf(a, at), type, at), [&](ExprId k) {
      ir::If differs{expr(ir::Unary{ir::UnaryOp::Not, isEqual(elementOf(a, clone(k), at), elementOf(b, clone(k), at), at)}, boolType(), at), {}, {}};
      {
        InBlock then(*this, differs.then);
        emit(ir::Assign{varRef(same, at), literal("false", boolType(), at)}, at);
      }
      emit(std::move(differs), at);
    }, at);
  }
  emit(std::move(test), at);
  return varRef(same, at);
}

// By the first elements that differ; of two of which one begins with the other, the shorter comes before.
ExprId FunctionLowering::comesBefore(ExprId a, ExprId b, SourceLocation at) {
  const TypeId type = sizeType();
  const ir::VarId before = addVariable("before", boolType(), at, true), place = addVariable("place", type, at, true);
  emit(ir::Declare{before, ir::Init::Value, {binary(ir::BinaryOp::Lt, sizeOf(a, at), sizeOf(b, at), boolType(), at)}, ir::Storage::Automatic, {}}, at);
  emit(ir::Declare{place, ir::Init::Value, {sizeLiteral(0, at)}, ir::Storage::Automatic, {}}, at);
  const auto inside = [&](ExprId v) { return binary(ir::BinaryOp::Lt, varRef(place, at), sizeOf(v, at), boolType(), at); };
  ir::While loop;
  loop.condition = binary(ir::BinaryOp::And, inside(a), inside(b), boolType(), at);
  {
    InBlock in(*this, loop.body);
    const auto decide = [&](ExprId first, ExprId second, const char* answer) {
      ir::If less{isLess(elementOf(first, varRef(place, at), at), elementOf(second, varRef(place, at), at), at), {}, {}};
      {
        InBlock then(*this, less.then);
        emit(ir::Assign{varRef(before, at), literal(answer, boolType(), at)}, at);
        emit(ir::Break{}, at);
      }
      emit(std::move(less), at);
    };
    decide(a, b, "true");
    decide(b, a, "false");
    emit(ir::Increment{varRef(place, at), sizeLiteral(1, at), false}, at);
  }
  emit(std::move(loop), at);
  return varRef(before, at);
}

// By the first elements that differ.
ExprId FunctionLowering::isLess(ExprId a, ExprId b, SourceLocation at) {
  const auto* record = ir::as<ir::RecordType>(module(), typeOf(a));
  if (!isCompared(module(), typeOf(a))) return isEqual(a, b, at);
  if (ir::as<ir::ContainerType>(module(), typeOf(a))) return comesBefore(a, b, at);
  if (!record) return binary(ir::BinaryOp::Lt, clone(a), convert(clone(b), ir::withoutConst(module(), typeOf(a)), at), boolType(), at);
  ExprId result;
  for (std::size_t k = module()[record->record].fields.size(); k-- > 0;) {
    const auto index = static_cast<unsigned>(k);
    const ExprId less = isLess(tupleElement(a, index, at), tupleElement(b, index, at), at);
    if (result.valid()) {
      const ExprId notMore = expr(ir::Unary{ir::UnaryOp::Not, isLess(tupleElement(b, index, at), tupleElement(a, index, at), at)}, boolType(), at);
      result = binary(ir::BinaryOp::Or, less, binary(ir::BinaryOp::And, notMore, result, boolType(), at), boolType(), at);
    } else {
      result = less;
    }
  }
  return result.valid() ? result : literal("false", boolType(), at);
}

ExprId FunctionLowering::compare(OverloadedOperatorKind op, ExprId a, ExprId b, SourceLocation at) {
  const auto negated = [&](ExprId e) { return expr(ir::Unary{ir::UnaryOp::Not, e}, boolType(), at); };
  switch (op) {
    case OO_EqualEqual: return isEqual(a, b, at);
    case OO_ExclaimEqual: return negated(isEqual(a, b, at));
    case OO_Less: return isLess(a, b, at);
    case OO_Greater: return isLess(b, a, at);
    case OO_LessEqual: return negated(isLess(b, a, at));
    default: return negated(isLess(a, b, at));
  }
}

std::optional<ExprId> FunctionLowering::lowerTupleCall(const FunctionDecl* callee, const CallExpr* e, Want want, std::optional<ExprId> result) {
  const SourceLocation at = e->getExprLoc();
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  const bool isTheirs = method ? method->getParent()->isInStdNamespace() : callee->isInStdNamespace();
  if (!isTheirs || e->getNumArgs() == 0) return std::nullopt;
  const auto op = callee->getOverloadedOperator();
  const auto takesTuple = [&](unsigned k) { return k < e->getNumArgs() && isTupleType(e->getArg(k)->getType()); };
  if (method) {
    if (op != OO_Equal || !takesTuple(0)) return std::nullopt;
    if (const CallExpr* tie = callOf(e->getArg(0), {"tie"})) {
      assignTie(tie, e->getArg(1), at);
      return want == Want::Nothing ? errorValue(ast().IntTy, at) : unsupported(e, "the value of an assignment to std::tie", "make it a statement");
    }
    const ExprId place = fixedPlace(lowerPlace(e->getArg(0)), at);
    assignTuple(place, e->getArg(1), at);
    return clone(place);
  }
  const auto takesContainer = [&](unsigned k) {
    const auto* record = k < e->getNumArgs() ? e->getArg(k)->getType()->getAsCXXRecordDecl() : nullptr;
    return record && record->isInStdNamespace() && record->getDeclName().isIdentifier() && (record->getName() == "vector" || record->getName() == "array");
  };
  if (((takesTuple(0) && takesTuple(1)) || (takesContainer(0) && takesContainer(1))) && isComparison(op)) {
    if (callOf(e->getArg(0), {"tie"}) || callOf(e->getArg(1), {"tie"})) return std::nullopt;
    const auto sides = inOrder({e->getArg(0), e->getArg(1)}, {true, true});
    return giveResult(compare(op, sides[0], sides[1], at), result, at);
  }
  if (!callee->getDeclName().isIdentifier()) return std::nullopt;
  const StringRef name = callee->getName();
  if (name == "get" && e->getNumArgs() == 1 && callee->getTemplateSpecializationArgs()) {
    const auto* special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(e->getArg(0)->getType()->getAsCXXRecordDecl());
    if (!special || (!isTupleType(e->getArg(0)->getType()) && special->getName() != "array")) return std::nullopt;
    const TemplateArgument& which = callee->getTemplateSpecializationArgs()->get(0);
    unsigned k = 0;
    if (which.getKind() == TemplateArgument::Integral) {
      k = static_cast<unsigned>(which.getAsIntegral().getZExtValue());
    } else {
      const auto types = elementsOf(special);
      while (k + 1 < types.size() && !ast().hasSameType(types[k], which.getAsType())) ++k;
    }
    return giveResult(tupleElement(lowerPlace(e->getArg(0)), k, at), result, at);
  }
  if (name == "make_pair" || name == "make_tuple") {
    const ir::VarId var = addVariable("parts", valueType(e->getType(), at), at, true);
    declareTuple(var, e, at);
    if (!result) return varRef(var, at);
    copyWhole(*result, varRef(var, at), Transfer::Copy, at);
    return clone(*result);
  }
  if (name == "tie" || name == "forward_as_tuple") return unsupported(e, "'std::" + name.str() + "' here", "assign to it, or name the parts one by one");
  return std::nullopt;
}

}  // namespace contraflow::frontend
