// What changes a std::vector: `Restructure` for its size and buffer, assignments for its elements.
//     v.push_back(x)   →   t = x; v.resize(v.size() + 1); v[v.size() - 1] = t;
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

namespace {

std::vector<const Expr*> writtenArguments(const CallExpr* e, unsigned first) {
  std::vector<const Expr*> args;
  for (unsigned i = first; i < e->getNumArgs(); ++i)
    if (!isa<CXXDefaultArgExpr>(e->getArg(i))) args.push_back(e->getArg(i));
  return args;
}

const InitListExpr* bracedElements(const Expr* e) {
  const auto* braces = dyn_cast<CXXStdInitializerListExpr>(initialiserOf(e, true));
  return braces ? dyn_cast<InitListExpr>(initialiserOf(braces->getSubExpr(), true)) : nullptr;
}

}  // namespace

// The value that elements are to have, evaluated before the vector changes.
ExprId FunctionLowering::elementValue(const Expr* e, TypeId element, SourceLocation at) {
  if (!ir::isTriviallyCopyable(module(), element)) return wholeTemporary(initialiserOf(e, true), element, at);
  if (ir::as<ir::RecordType>(module(), element) || ir::as<ir::ContainerType>(module(), element)) {
    const ir::VarId var = addVariable("element", element, at, true);
    initialise(var, e, at);
    return varRef(var, at);
  }
  const ExprId value = convert(lowerExpr(e), element, at);
  if (std::holds_alternative<ir::Literal>(function()[value].node)) return value;
  return spill(value, "element", at);
}

void FunctionLowering::setElement(ExprId vector, ExprId index, ExprId value, SourceLocation at) {
  const ExprId target = elementOf(vector, index, at);
  const TypeId type = ir::withoutConst(module(), typeOf(target));
  if (ir::isTriviallyCopyable(module(), type)) emit(ir::Assign{target, clone(value)}, at);
  else copyWhole(target, value, Transfer::Copy, at);
}

void FunctionLowering::append(ExprId vector, ExprId value, SourceLocation at) {
  const ExprId longer = binary(ir::BinaryOp::Add, sizeOf(vector, at), sizeLiteral(1, at), sizeType(), at);
  restructure(ir::Structure::Resize, vector, longer, at);
  if (!value.valid()) return;
  const ExprId target = elementOf(vector, lastIndex(vector, at), at);
  if (ir::isTriviallyCopyable(module(), typeOf(target))) emit(ir::Assign{target, value}, at);
  else copyWhole(target, value, Transfer::Steal, at);
}

ExprId FunctionLowering::lastIndex(ExprId vector, SourceLocation at) {
  return binary(ir::BinaryOp::Sub, sizeOf(vector, at), sizeLiteral(1, at), sizeType(), at);
}

void FunctionLowering::fillElements(ExprId vector, ExprId first, ExprId value, SourceLocation at) {
  forEachIndex(first, sizeOf(vector, at), [&](ExprId k) { setElement(vector, clone(k), value, at); }, at);
}

// vector = {…}: the values first, since they may be the vector's own.
void FunctionLowering::assignElements(ExprId vector, const InitListExpr* list, SourceLocation at) {
  const TypeId element = ir::withoutConst(module(), ir::as<ir::ContainerType>(module(), typeOf(vector))->element);
  std::vector<ExprId> values;
  for (unsigned i = 0; i < list->getNumInits(); ++i) values.push_back(elementValue(list->getInit(i), element, at));
  restructure(ir::Structure::Resize, vector, sizeLiteral(values.size(), at), at);
  for (std::size_t i = 0; i < values.size(); ++i) setElement(vector, sizeLiteral(i, at), values[i], at);
}

// The elements [first, last) of a range become those of the vector.
void FunctionLowering::assignRange(ExprId vector, const Expr* first, const Expr* last, SourceLocation at) {
  Range range = lowerRange(first, last, at);
  range.count = stableValue(convert(range.count, sizeType(), at), "count");
  range.first = stableValue(range.first, "first");
  restructure(ir::Structure::Resize, vector, clone(range.count), at);
  forEachItem(range, [&](ExprId item, ExprId k) { setElement(vector, clone(k), item, at); }, at);
}

// v.insert(position, x) and v.erase(position), v.erase(first, last). The result is the position.
ExprId FunctionLowering::insertElement(ExprId vector, const Expr* position, const Expr* x, SourceLocation at) {
  const TypeId element = ir::withoutConst(module(), ir::as<ir::ContainerType>(module(), typeOf(vector))->element);
  const ExprId value = elementValue(x, element, at);
  const ExprId place = indexIn(vector, position, at);
  append(vector, {}, at);
  // for (k = size - 1; k > place; --k) v[k] = v[k - 1]
  const TypeId signedType = ptrdiffType();
  ir::For loop;
  loop.counter = addVariable("k", signedType, at, true);
  loop.init = convert(lastIndex(vector, at), signedType, at);
  loop.compare = ir::BinaryOp::Gt;
  loop.bound = clone(place);
  loop.step = literal("-1", signedType, at);
  {
    InBlock in(*this, loop.body);
    const ExprId before = binary(ir::BinaryOp::Sub, varRef(loop.counter, at), convert(literal("1", intType(), at), signedType, at), signedType, at);
    copyWhole(elementOf(vector, varRef(loop.counter, at), at), elementOf(vector, before, at), Transfer::Steal, at);
  }
  emit(std::move(loop), at);
  copyWhole(elementOf(vector, clone(place), at), value, Transfer::Steal, at);
  return pointerInto(vector, place, at);
}

ExprId FunctionLowering::eraseElements(ExprId vector, const Expr* first, const Expr* last, SourceLocation at) {
  const TypeId signedType = ptrdiffType();
  const ExprId from = indexIn(vector, first, at);
  ExprId count = convert(literal("1", intType(), at), signedType, at);
  if (last) count = spill(binary(ir::BinaryOp::Sub, indexIn(vector, last, at), clone(from), signedType, at), "erased", at);
  const ExprId kept = spill(binary(ir::BinaryOp::Sub, convert(sizeOf(vector, at), signedType, at), clone(count), signedType, at), "kept", at);
  forEachIndex(clone(from), clone(kept),
               [&](ExprId k) {
                 const ExprId later = binary(ir::BinaryOp::Add, clone(k), clone(count), signedType, at);
                 copyWhole(elementOf(vector, clone(k), at), elementOf(vector, later, at), Transfer::Steal, at);
               },
               at);
  restructure(ir::Structure::Resize, vector, convert(clone(kept), sizeType(), at), at);
  return pointerInto(vector, from, at);
}

// emplace_back(args…): what the element's type can be made of without looking into the library.
void FunctionLowering::emplaceBack(ExprId vector, const std::vector<const Expr*>& args, SourceLocation at) {
  const TypeId element = ir::withoutConst(module(), ir::as<ir::ContainerType>(module(), typeOf(vector))->element);
  const auto refuse = [&] {
    reject(DiagId::UnsupportedExpression, at, {"emplace_back with a constructor's arguments", "write push_back(T(…)), or emplace_back(T(…))"});
  };
  if (args.empty()) {
    const auto* record = ir::as<ir::RecordType>(module(), element);
    if (record && !ir::beginsAtZero(module(), element)) return refuse();
    return append(vector, {}, at);
  }
  const bool scalar = !ir::as<ir::RecordType>(module(), element) && !ir::as<ir::ContainerType>(module(), element);
  if (args.size() == 1 && (scalar || ir::withoutConst(module(), valueType(args[0]->getType(), at)) == element))
    return append(vector, elementValue(args[0], element, at), at);
  const auto* record = ir::as<ir::RecordType>(module(), element);
  const bool isLibrary = record && module()[record->record].name.compare(0, 5, "std::") == 0;  // pair, tuple, complex
  if (isLibrary && args.size() == module()[record->record].fields.size()) {
    const ir::VarId value = addVariable("element", element, at, true);
    declareTuple(value, args, at);
    return append(vector, varRef(value, at), at);
  }
  const auto* inner = ir::as<ir::ContainerType>(module(), element);
  if (inner && inner->kind == ir::ContainerKind::Vector && args[0]->getType()->isIntegerType() && args.size() <= 2) {
    const ExprId count = stableValue(convert(lowerExpr(args[0]), sizeType(), at), "count");
    const ExprId value = args.size() == 2 ? elementValue(args[1], ir::withoutConst(module(), inner->element), at) : ExprId();
    append(vector, {}, at);
    const ExprId last = fixedPlace(elementOf(vector, lastIndex(vector, at), at), at);
    restructure(ir::Structure::Resize, last, clone(count), at);
    if (value.valid()) fillElements(last, sizeLiteral(0, at), value, at);
    return;
  }
  refuse();
}

// vector = …
void FunctionLowering::assignVector(ExprId vector, const Expr* value, SourceLocation at) {
  if (const InitListExpr* list = bracedElements(value)) return assignElements(vector, list, at);
  assignWhole(vector, value, at);
}

void FunctionLowering::initialiseVector(ExprId vector, const Expr* init, SourceLocation at) {
  const auto* construct = dyn_cast<CXXConstructExpr>(initialiserOf(init, true));
  std::vector<const Expr*> args;
  if (construct)
    for (const Expr* a : construct->arguments())
      if (!isa<CXXDefaultArgExpr>(a)) args.push_back(a);
  if (construct && args.empty()) return;
  const TypeId element = ir::withoutConst(module(), ir::as<ir::ContainerType>(module(), typeOf(vector))->element);
  if (construct && !construct->getConstructor()->isCopyOrMoveConstructor() && !bracedElements(args[0]) && args[0]->getType()->isIntegerType() &&
      args.size() <= 2) {
    const ExprId count = stableValue(convert(lowerExpr(args[0]), sizeType(), at), "count");
    const ExprId value = args.size() == 2 ? elementValue(args[1], element, at) : ExprId();
    restructure(ir::Structure::Resize, vector, count, at);
    if (value.valid()) fillElements(vector, sizeLiteral(0, at), value, at);
    return;
  }
  if (construct && args.size() == 1 && bracedElements(args[0])) return assignElements(vector, bracedElements(args[0]), at);
  assignVector(vector, init, at);
}

std::optional<ExprId> FunctionLowering::lowerVectorChange(const std::string& name, const CallExpr* e, unsigned firstArg,
                                                          const std::function<ExprId()>& object) {
  const SourceLocation at = e->getExprLoc();
  const std::vector<const Expr*> args = writtenArguments(e, firstArg);
  const auto none = [&] { return errorValue(ast().IntTy, at); };
  const auto vectorOf = [&] { return fixedPlace(object(), at); };
  const auto element = [&](ExprId v) { return ir::withoutConst(module(), ir::as<ir::ContainerType>(module(), typeOf(v))->element); };
  if (name == "push_back" || (name == "emplace_back" && args.size() == 1)) {
    // The value may be an element; it is evaluated before the vector changes.
    const ExprId v = vectorOf();
    if (name == "push_back") append(v, elementValue(args[0], element(v), at), at);
    else emplaceBack(v, args, at);
    return name == "push_back" ? none() : elementOf(v, lastIndex(v, at), at);
  }
  if (name == "emplace_back") {
    const ExprId v = vectorOf();
    emplaceBack(v, args, at);
    return elementOf(v, lastIndex(v, at), at);
  }
  if (name == "pop_back") {
    const ExprId v = vectorOf();
    restructure(ir::Structure::Resize, v, lastIndex(v, at), at);
    return none();
  }
  if (name == "clear") {
    restructure(ir::Structure::Resize, vectorOf(), sizeLiteral(0, at), at);
    return none();
  }
  if (name == "shrink_to_fit") return none();  // room does no harm
  if (name == "reserve" || (name == "resize" && args.size() == 1)) {
    const ExprId v = vectorOf();
    const ExprId count = convert(lowerExpr(args[0]), sizeType(), at);
    restructure(name == "resize" ? ir::Structure::Resize : ir::Structure::Reserve, v, count, at);
    return none();
  }
  if (name == "resize") {
    const ExprId v = vectorOf();
    const ExprId count = stableValue(convert(lowerExpr(args[0]), sizeType(), at), "count");
    const ExprId value = elementValue(args[1], element(v), at);
    const ExprId before = spill(sizeOf(v, at), "size", at);
    restructure(ir::Structure::Resize, v, clone(count), at);
    fillElements(v, before, value, at);
    return none();
  }
  if (name == "assign") {
    const ExprId v = vectorOf();
    if (args.size() == 1) {
      if (const InitListExpr* list = bracedElements(args[0])) return assignElements(v, list, at), none();
    } else if (args[0]->getType()->isIntegerType()) {
      const ExprId count = stableValue(convert(lowerExpr(args[0]), sizeType(), at), "count");
      const ExprId value = elementValue(args[1], element(v), at);
      restructure(ir::Structure::Resize, v, clone(count), at);
      return fillElements(v, sizeLiteral(0, at), value, at), none();
    } else {
      return assignRange(v, args[0], args[1], at), none();
    }
  }
  if (name == "swap") {
    const ExprId v = vectorOf();
    swapWhole(v, fixedPlace(lowerPlace(args[0]), at), at);
    return none();
  }
  if (name == "insert" && args.size() == 2 && !bracedElements(args[1])) {
    const ExprId v = vectorOf();
    return insertElement(v, args[0], args[1], at);
  }
  if (name == "erase") {
    const ExprId v = vectorOf();
    return eraseElements(v, args[0], args.size() > 1 ? args[1] : nullptr, at);
  }
  return std::nullopt;
}

}  // namespace contraflow::frontend
