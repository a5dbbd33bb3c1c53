// std::vector and std::array: their construction, and access to their elements. What changes a vector is in vectors.cpp.
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

std::optional<ExprId> FunctionLowering::lowerContainerCall(const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const auto* method = cast<CXXMethodDecl>(e->getDirectCallee());
  const CXXRecordDecl* record = method->getParent();
  if (!record->isInStdNamespace() || (record->getName() != "vector" && record->getName() != "array") || method->isStatic())
    return std::nullopt;
  const unsigned before = unit_.diagnostics().errors();
  if (!ir::as<ir::ContainerType>(module(), lowerType(ast().getRecordType(record), at))) {
    if (unit_.diagnostics().errors() > before) return errorValue(e->getType(), at);
    return unsupported(e, "a call of '" + unit_.spell(ast().getRecordType(record)) + "'", "use a std::vector<char> for flags");
  }
  const Expr* object = isa<CXXMemberCallExpr>(e) ? cast<CXXMemberCallExpr>(e)->getImplicitObjectArgument() : e->getArg(0);
  const bool arrow = object->getType()->isPointerType();
  const unsigned firstArg = isa<CXXOperatorCallExpr>(e) ? 1 : 0;
  const auto place = [&] { return arrow ? deref(lowerExpr(object), at) : lowerPlace(object); };
  const auto element = [&](ExprId container, ExprId index, bool checked) {
    return expr(ir::Subscript{container, index, checked}, lowerType(e->getType(), at), at);
  };
  const std::string name = method->getOverloadedOperator() == OO_Subscript ? "[]"
                           : method->getDeclName().isIdentifier()          ? method->getNameAsString()
                                                                           : "operator";
  if (name == "[]" || name == "at") {
    if (arrow) {
      auto parts = inOrder({object, e->getArg(firstArg)});
      return element(deref(parts[0], at), convert(parts[1], sizeType(), at), name == "at");
    }
    auto parts = inOrder({object, e->getArg(firstArg)}, {true, false});
    return element(parts[0], convert(parts[1], sizeType(), at), name == "at");
  }
  if (name == "size") return expr(ir::SizeOf{place()}, sizeType(), at);
  if (name == "empty") {
    const ExprId size = expr(ir::SizeOf{place()}, sizeType(), at);
    return binary(ir::BinaryOp::Eq, size, convert(literal("0", intType(), at), sizeType(), at), boolType(), at);
  }
  if (name == "data") return expr(ir::DataOf{place()}, lowerType(e->getType(), at), at);
  if (name == "front") return element(place(), convert(literal("0", intType(), at), sizeType(), at), false);
  if (name == "back") {
    const ExprId container = place();
    const ExprId size = expr(ir::SizeOf{clone(container)}, sizeType(), at);
    const ExprId last = binary(ir::BinaryOp::Sub, size, convert(literal("1", intType(), at), sizeType(), at), sizeType(), at);
    return element(container, last, false);
  }
  if (name == "fill" && record->getName() == "array") {
    ExprId value = lowerExpr(e->getArg(0));
    // It may read elements of this array, which the loop sets.
    if (!e->getArg(0)->getType()->isRecordType() && !std::holds_alternative<ir::Literal>(function()[value].node)) value = spill(value, "value", at);
    const ExprId container = stablePlace(place());
    const ir::VarId counter = addVariable("i", sizeType(), at, true);
    ir::For loop;
    loop.counter = counter;
    loop.init = convert(literal("0", intType(), at), sizeType(), at);
    loop.compare = ir::BinaryOp::Lt;
    loop.bound = expr(ir::SizeOf{clone(container)}, sizeType(), at);
    loop.step = convert(literal("1", intType(), at), sizeType(), at);
    {
      InBlock in(*this, loop.body);
      const TypeId t = ir::as<ir::ContainerType>(module(), typeOf(container))->element;
      const ExprId target = expr(ir::Subscript{container, varRef(counter, at), false}, t, at);
      emit(ir::Assign{target, convert(value, t, at)}, at);
    }
    emit(std::move(loop), at);
    return errorValue(ast().IntTy, at);
  }
  const bool atEnd = name == "end" || name == "cend" || name == "rbegin" || name == "crbegin";
  if (atEnd || name == "begin" || name == "cbegin" || name == "rend" || name == "crend") {
    const TypeId pointer = valueType(e->getType(), at);
    const ExprId container = place();
    const ExprId data = expr(ir::DataOf{container}, pointer, at);
    return atEnd ? binary(ir::BinaryOp::Add, data, sizeOf(container, at), pointer, at) : data;
  }
  if (name == "operator" && method->getOverloadedOperator() == OO_Equal) {
    const ExprId container = fixedPlace(place(), at);
    assignVector(container, e->getArg(firstArg), at);
    return clone(container);
  }
  if (record->getName() == "vector")
    if (const auto value = lowerVectorChange(name, e, firstArg, place)) return value;
  if (name == "swap") {
    const ExprId own = fixedPlace(place(), at);
    swapWhole(own, fixedPlace(lowerPlace(e->getArg(firstArg)), at), at);
    return errorValue(ast().IntTy, at);
  }
  return unsupported(e, "'" + record->getNameAsString() + "::" + name + "'",
                     "use its elements, or push_back, resize, assign, clear, erase and swap");
}

// Emits the Declare. False if the initialiser has been rejected.
bool FunctionLowering::declareContainer(ir::VarId var, const Expr* init, SourceLocation at) {
  const auto declare = [&](ir::Init how, std::vector<ExprId> args) {
    emit(ir::Declare{var, how, std::move(args), ir::Storage::Automatic, {}}, at);
    return true;
  };
  init = init ? initialiserOf(init, true) : nullptr;
  if (!init) return declare(ir::Init::None, {});
  if (const auto* list = dyn_cast<InitListExpr>(init)) {
    if (list->isSemanticForm() == false && list->getSemanticForm()) list = list->getSemanticForm();
    const auto* array = ir::as<ir::ContainerType>(module(), ir::withoutConst(module(), function()[var].type));
    const auto* inner = list->getNumInits() > 0 ? dyn_cast<InitListExpr>(initialiserOf(list->getInit(0))) : nullptr;
    const bool inUnion = inner && hasAnonymousOrUnion(inner->getType());
    if (array->kind == ir::ContainerKind::StdArray && (inUnion || !ir::isTriviallyCopyable(module(), array->element))) {
      // Its elements one by one, in sight of the analyses.
      function()[var].type = ir::withoutConst(module(), function()[var].type);
      declare(inUnion ? ir::Init::Zero : ir::Init::None, {});
      if (inner) assignList(varRef(var, at), inner, at);
      return true;
    }
    const ExprId value = lowerInitList(list);
    const auto* elements = std::get_if<ir::InitList>(&function()[value].node);
    if (elements && elements->elements.empty()) return declare(ir::Init::Zero, {});
    return declare(ir::Init::List, {value});
  }
  if (isa<ImplicitValueInitExpr>(init) || isa<CXXScalarValueInitExpr>(init)) return declare(ir::Init::Zero, {});
  if (const auto* call = dyn_cast<CallExpr>(init); call && !call->isGLValue()) {
    function()[var].type = ir::withoutConst(module(), function()[var].type);
    declare(ir::Init::None, {});
    lowerCall(call, Want::Value, varRef(var, at));
    return true;
  }
  const auto* construct = dyn_cast<CXXConstructExpr>(init);
  const TypeId elementType = ir::withoutConst(
      module(), ir::as<ir::ContainerType>(module(), ir::withoutReference(module(), function()[var].type))->element);
  // Objects as elements are copied one by one, in sight of the analyses.
  const bool scalars = ir::isReal(module(), elementType) || ir::isIntegral(module(), elementType);
  const bool whole = ir::isTriviallyCopyable(module(), ir::withoutConst(module(), function()[var].type));
  if (!construct && !scalars && !whole) return declareCopy(var, init, at), true;
  if (!construct) return declare(ir::Init::Construct, {lowerPlace(init)});

  std::vector<const Expr*> args;
  for (const Expr* a : construct->arguments())
    if (!isa<CXXDefaultArgExpr>(a)) args.push_back(a);
  const CXXConstructorDecl* ctor = construct->getConstructor();
  if (args.empty()) return declare(construct->requiresZeroInitialization() ? ir::Init::Zero : ir::Init::None, {});
  if (ctor->isCopyOrMoveConstructor() && args.size() == 1) {
    const Expr* from = initialiserOf(args[0], true);
    const bool moved = ctor->isMoveConstructor() && from->isXValue();
    if (from->isGLValue() && !whole && (moved || !scalars)) return declareCopy(var, args[0], at), true;
    if (!from->isGLValue()) return declareContainer(var, from, at);
    return declare(whole ? ir::Init::Value : ir::Init::Construct, {lowerPlace(from)});
  }
  if (const auto* braces = dyn_cast<CXXStdInitializerListExpr>(initialiserOf(args[0], true));
      braces && !ir::isTriviallyCopyable(module(), elementType)) {
    function()[var].type = ir::withoutConst(module(), function()[var].type);
    declare(ir::Init::None, {});
    if (const auto* list = dyn_cast<InitListExpr>(initialiserOf(braces->getSubExpr(), true))) assignElements(varRef(var, at), list, at);
    return true;
  } else if (braces) {
    // std::vector v{a, b}: made with its size, then filled.
    const auto* list = dyn_cast<InitListExpr>(initialiserOf(braces->getSubExpr(), true));
    std::vector<const Expr*> elements;
    for (unsigned i = 0; list && i < list->getNumInits(); ++i) elements.push_back(list->getInit(i));
    const auto values = inOrder(elements);
    function()[var].type = ir::withoutConst(module(), function()[var].type);
    declare(ir::Init::Construct, {convert(literal(std::to_string(values.size()), intType(), at), sizeType(), at)});
    for (std::size_t i = 0; i < values.size(); ++i) {
      const TypeId t = ir::as<ir::ContainerType>(module(), function()[var].type)->element;
      const ExprId index = convert(literal(std::to_string(i), intType(), at), sizeType(), at);
      const ExprId target = expr(ir::Subscript{varRef(var, at), index, false}, t, at);
      emit(ir::Assign{target, convert(values[i], t, at)}, at);
    }
    return true;
  }
  if (args[0]->getType()->isIntegerType() && args.size() <= 2) {
    const TypeId element = elementType;
    const auto* table = ir::as<ir::ContainerType>(module(), element);
    if (args.size() == 2 && table && (ir::isReal(module(), table->element) || ir::isIntegral(module(), table->element))) {  // a table: copies of a row
      const ExprId count = stableValue(convert(lowerExpr(args[0]), sizeType(), at), "count");
      const ir::VarId row = addVariable("row", element, at, true);
      return declareContainer(row, args[1], at) && declare(ir::Init::Construct, {count, varRef(row, at)});
    }
    auto values = inOrder(args);
    values[0] = convert(values[0], sizeType(), at);
    if (values.size() == 2) {
      if (!scalars) {
        function()[var].type = ir::withoutConst(module(), function()[var].type);
        const ExprId value = elementValue(args[1], element, at);
        declare(ir::Init::Construct, {values[0]});
        fillElements(varRef(var, at), sizeLiteral(0, at), value, at);
        return true;
      }
      values[1] = convert(values[1], element, at);
    }
    return declare(ir::Init::Construct, std::move(values));
  }
  const auto isPosition = [](const Expr* e) { return e->getType()->isPointerType() || isIterator(e->getType()); };
  if (args.size() == 2 && isPosition(args[0]) && isPosition(args[1])) {
    function()[var].type = ir::withoutConst(module(), function()[var].type);
    declare(ir::Init::None, {});
    assignRange(varRef(var, at), args[0], args[1], at);
    return true;
  }
  reject(DiagId::UnsupportedExpression, at, {"this constructor of a container", "construct it with (n) or (n, value), and fill it by a loop"});
  return declare(ir::Init::None, {});
}

}  // namespace contraflow::frontend
