// Objects that aren't trivially copyable (vectors, records with vectors) assigned, moved and swapped as a whole: element by element and
// member by member.
//     a = b              →   a.resize(b.size()); for (k…) a[k] = b[k];
//     a = std::move(b)   →   swap(a, b); b.resize(0);
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

namespace {

bool isVector(const ir::Module& m, TypeId t) {
  const auto* c = ir::as<ir::ContainerType>(m, t);
  return c && c->kind == ir::ContainerKind::Vector;
}

// `std::move(x)` as written.
bool isMoved(const Expr* e) {
  e = initialiserOf(e, false);
  return e->isXValue() && !isa<MaterializeTemporaryExpr>(e->IgnoreParenImpCasts());
}

}  // namespace

ExprId FunctionLowering::sizeLiteral(std::uint64_t n, SourceLocation at) {
  return convert(literal(std::to_string(n), intType(), at), sizeType(), at);
}

ExprId FunctionLowering::sizeOf(ExprId vector, SourceLocation at) { return expr(ir::SizeOf{clone(vector)}, sizeType(), at); }

ExprId FunctionLowering::elementOf(ExprId container, ExprId index, SourceLocation at) {
  const TypeId t = typeOf(container);
  const auto* c = ir::as<ir::ContainerType>(module(), t);
  const auto* a = ir::as<ir::ArrayType>(module(), t);
  const TypeId element = c ? c->element : a->element;
  return expr(ir::Subscript{clone(container), index, false}, element, at);
}

void FunctionLowering::restructure(ir::Structure op, ExprId vector, ExprId operand, SourceLocation at) {
  ir::Restructure node{op, clone(vector), operand, {}};
  emit(std::move(node), at);
}

// for (i = first; i < count; ++i) body(i)
void FunctionLowering::forEachIndex(ExprId first, ExprId count, const std::function<void(ExprId)>& body, SourceLocation at) {
  if (isZero(count)) return;
  const TypeId type = ir::withoutConst(module(), typeOf(count));
  ir::For loop;
  loop.counter = addVariable("k", type, at, true);
  loop.init = convert(first, type, at);
  loop.compare = ir::BinaryOp::Lt;
  loop.bound = count;
  loop.step = convert(literal("1", intType(), at), type, at);
  {
    InBlock in(*this, loop.body);
    body(varRef(loop.counter, at));
  }
  emit(std::move(loop), at);
}

// A name for the place where evaluating it again may find another one.
ExprId FunctionLowering::fixedPlace(ExprId place, SourceLocation at) {
  const auto isName = [&](const auto& self, ExprId e) -> bool {
    const ir::ExprNode& node = function()[e].node;
    if (const auto* f = std::get_if<ir::FieldRef>(&node)) return self(self, f->base);
    return std::holds_alternative<ir::VarRef>(node) || std::holds_alternative<ir::GlobalRef>(node);
  };
  if (isName(isName, place)) return place;
  const ir::VarId name = addVariable("object", module().type(ir::ReferenceType{typeOf(place)}), at, true);
  emit(ir::Declare{name, ir::Init::Bind, {place}, ir::Storage::Automatic, {}}, at);
  return varRef(name, at);
}

void FunctionLowering::copyWhole(ExprId target, ExprId source, Transfer how, SourceLocation at) {
  const TypeId type = ir::withoutConst(module(), typeOf(target));
  if (ir::isTriviallyCopyable(module(), type) && !ir::as<ir::ArrayType>(module(), type)) {
    emit(ir::Assign{clone(target), clone(source)}, at);
    return;
  }
  if (isVector(module(), type) && how != Transfer::Copy) {
    restructure(ir::Structure::Swap, target, clone(source), at);
    if (how == Transfer::Move) restructure(ir::Structure::Resize, source, sizeLiteral(0, at), at);
    return;
  }
  if (const auto* r = ir::as<ir::RecordType>(module(), type)) {
    const auto fields = module()[r->record].fields;
    const std::string name = module()[r->record].name;
    for (unsigned k = 0; k < fields.size(); ++k) {
      const TypeId t = fields[k].type;
      if (ir::isReference(module(), t) || module()[t].isConst || ir::as<ir::OpaqueType>(module(), t)) {
        reject(DiagId::UnsupportedStatement, at,
               {"copying a '" + name + "', whose member '" + fields[k].name + "' isn't copied element by element,", "copy the members that are needed"});
        return;
      }
      copyWhole(expr(ir::FieldRef{clone(target), k}, t, at), expr(ir::FieldRef{clone(source), k}, t, at), how, at);
    }
    return;
  }
  if (!ir::as<ir::ArrayType>(module(), type) && !ir::as<ir::ContainerType>(module(), type)) {
    reject(DiagId::UnsupportedStatement, at, {"assigning a whole '" + ir::spell(module(), type) + "'", "copy its parts"});
    return;
  }
  target = fixedPlace(target, at);
  source = fixedPlace(source, at);
  ExprId count;
  if (const auto* a = ir::as<ir::ArrayType>(module(), type)) count = sizeLiteral(a->extent, at);
  else count = sizeOf(source, at);
  if (isVector(module(), type)) restructure(ir::Structure::Resize, target, clone(count), at);
  forEachIndex(sizeLiteral(0, at), count,
               [&](ExprId k) { copyWhole(elementOf(target, clone(k), at), elementOf(source, clone(k), at), how, at); }, at);
}

// Of a type that isn't trivially copyable.
void FunctionLowering::assignWhole(ExprId place, const Expr* value, SourceLocation at) {
  const Expr* from = initialiserOf(value, true);
  if (isMoved(value)) return copyWhole(place, lowerPlace(value), Transfer::Move, at);
  if (from->isGLValue()) return copyWhole(place, lowerPlace(from), Transfer::Copy, at);
  copyWhole(place, wholeTemporary(from, typeOf(place), at), Transfer::Steal, at);
}

// A variable that holds the value of an expression of a container or record type.
ExprId FunctionLowering::wholeTemporary(const Expr* value, TypeId type, SourceLocation at) {
  const ir::VarId var = addVariable("whole", ir::withoutConst(module(), type), at, true);
  initialise(var, value, at);
  return varRef(var, at);
}

// The initialisation of a record that owns vectors by another one.
void FunctionLowering::declareCopy(ir::VarId var, const Expr* from, SourceLocation at) {
  const TypeId type = ir::withoutConst(module(), function()[var].type);
  function()[var].type = type;
  const auto* record = ir::as<ir::RecordType>(module(), type);
  if (record && !module()[record->record].isDefaultConstructible) {
    reject(DiagId::UnsupportedExpression, at, {"a copy of a '" + module()[record->record].name + "', which has no default constructor,", "give the type one"});
    return;
  }
  const ExprId source = lowerPlace(from);
  emit(ir::Declare{var, ir::Init::None, {}, ir::Storage::Automatic, {}}, at);
  copyWhole(varRef(var, at), source, isMoved(from) ? Transfer::Move : Transfer::Copy, at);
}

void FunctionLowering::swapWhole(ExprId a, ExprId b, SourceLocation at) {
  const TypeId type = ir::withoutConst(module(), typeOf(a));
  if (ir::isTriviallyCopyable(module(), type) && !ir::as<ir::ArrayType>(module(), type)) {
    const ExprId kept = spill(clone(a), "swapped_value", at);
    const ExprId second = clone(b);
    emit(ir::Assign{clone(a), second}, at);
    emit(ir::Assign{clone(b), kept}, at);
    return;
  }
  if (isVector(module(), type)) return restructure(ir::Structure::Swap, a, clone(b), at);
  if (const auto* r = ir::as<ir::RecordType>(module(), type)) {
    const auto fields = module()[r->record].fields;
    for (unsigned k = 0; k < fields.size(); ++k)
      swapWhole(expr(ir::FieldRef{clone(a), k}, fields[k].type, at), expr(ir::FieldRef{clone(b), k}, fields[k].type, at), at);
    return;
  }
  if (!ir::as<ir::ArrayType>(module(), type) && !ir::as<ir::ContainerType>(module(), type)) {
    reject(DiagId::UnsupportedExpression, at, {"a swap of '" + ir::spell(module(), type) + "'", "swap pointers to them"});
    return;
  }
  a = fixedPlace(a, at);
  b = fixedPlace(b, at);
  const auto* array = ir::as<ir::ArrayType>(module(), type);
  const auto* container = ir::as<ir::ContainerType>(module(), type);
  const ExprId count = sizeLiteral(array ? array->extent : container->extent, at);
  forEachIndex(sizeLiteral(0, at), count, [&](ExprId k) { swapWhole(elementOf(a, clone(k), at), elementOf(b, clone(k), at), at); }, at);
}

}  // namespace contraflow::frontend
