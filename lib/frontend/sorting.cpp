// std::sort and its like: a merge sort, whose order among equals is that of std::stable_sort (C++ leaves std::sort's open). Each merge
// goes to a buffer and back, so that the reverse sweep meets nothing but copies.
//     for (width = 1; width < n; width *= 2) for (start = 0; start < n; start += 2 * width) { merge; }
#include "frontend/lowering.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

void FunctionLowering::lowerSort(const Range& range, const Expr* less, SourceLocation at) {
  const TypeId type = ptrdiffType();
  const TypeId element = ir::withoutConst(module(), typeOf(itemOf(range, sizeLiteral(0, at), at)));
  if (!ir::isTriviallyCopyable(module(), element)) {
    reject(DiagId::UnsupportedExpression, at, {"sorting objects that own memory", "sort an array of their indices"});
    return;
  }
  const ExprId object = less ? functorPlace(less) : ExprId();
  const auto number = [&](const char* text) { return convert(literal(text, intType(), at), type, at); };
  const auto declare = [&](const char* name, TypeId t, ExprId value) {
    const ir::VarId var = addVariable(name, t, at, true);
    emit(ir::Declare{var, ir::Init::Value, {value}, ir::Storage::Automatic, {}}, at);
    return var;
  };
  const auto plus = [&](ExprId a, ExprId b) { return binary(ir::BinaryOp::Add, a, b, type, at); };
  const auto isLess = [&](ExprId a, ExprId b) { return binary(ir::BinaryOp::Lt, a, b, boolType(), at); };
  const auto smaller = [&](ExprId a, ExprId b) { return expr(ir::Conditional{isLess(clone(b), clone(a)), b, a}, type, at); };

  ir::Scope scope;
  {
    InBlock in(*this, scope.body);
    const ir::VarId count = declare("count", type, convert(clone(range.count), type, at));
    const ir::VarId merged = addVariable("merged", module().type(ir::ContainerType{ir::ContainerKind::Vector, element, 0}), at, true);
    emit(ir::Declare{merged, ir::Init::Construct, {convert(varRef(count, at), sizeType(), at)}, ir::Storage::Automatic, {}}, at);
    const auto mergedItem = [&](ExprId k) { return elementOf(varRef(merged, at), convert(k, sizeType(), at), at); };

    // One merge of [start, middle) and [middle, end).
    const auto merge = [&](ExprId start, ir::VarId width) {
      const ir::VarId middle = declare("middle", type, smaller(plus(clone(start), varRef(width, at)), varRef(count, at)));
      const ir::VarId end = declare("end", type, smaller(plus(varRef(middle, at), varRef(width, at)), varRef(count, at)));
      const ir::VarId left = declare("left", type, clone(start)), right = declare("right", type, varRef(middle, at));
      ir::For each;
      each.counter = addVariable("k", type, at, true);
      each.init = clone(start);
      each.compare = ir::BinaryOp::Lt;
      each.bound = varRef(end, at);
      each.step = number("1");
      {
        InBlock body(*this, each.body);
        const ir::VarId fromRight = declare("from_right", boolType(), binary(ir::BinaryOp::Ge, varRef(left, at), varRef(middle, at), boolType(), at));
        const ExprId both = binary(ir::BinaryOp::And, isLess(varRef(left, at), varRef(middle, at)), isLess(varRef(right, at), varRef(end, at)), boolType(), at);
        ir::If compared{both, {}, {}};
        {
          InBlock then(*this, compared.then);
          const ExprId a = itemOf(range, varRef(right, at), at), b = itemOf(range, varRef(left, at), at);
          emit(ir::Assign{varRef(fromRight, at), convert(combine(less, object, ir::BinaryOp::Lt, a, b, at), boolType(), at)}, at);
        }
        emit(std::move(compared), at);
        ir::If side{varRef(fromRight, at), {}, {}};
        for (const auto& [block, from] : {std::pair(&side.then, right), std::pair(&side.otherwise, left)}) {
          InBlock then(*this, *block);
          emit(ir::Assign{mergedItem(varRef(each.counter, at)), itemOf(range, varRef(from, at), at)}, at);
          emit(ir::Increment{varRef(from, at), one(type, at), false}, at);
        }
        emit(std::move(side), at);
      }
      emit(std::move(each), at);
    };

    const ir::VarId width = declare("width", type, number("1"));
    ir::While passes;
    passes.condition = isLess(varRef(width, at), varRef(count, at));
    {
      InBlock body(*this, passes.body);
      const ir::VarId start = declare("start", type, number("0"));
      ir::While merges;
      merges.condition = isLess(varRef(start, at), varRef(count, at));
      {
        InBlock inner(*this, merges.body);
        merge(varRef(start, at), width);
        emit(ir::Increment{varRef(start, at), binary(ir::BinaryOp::Mul, number("2"), varRef(width, at), type, at), false}, at);
      }
      emit(std::move(merges), at);
      forEachItem({clone(range.first), varRef(count, at), range.reversed},
                  [&](ExprId item, ExprId k) { emit(ir::Assign{item, mergedItem(clone(k))}, at); }, at);
      emit(ir::Increment{varRef(width, at), varRef(width, at), false}, at);
    }
    emit(std::move(passes), at);
  }
  emit(std::move(scope), at);
}

}  // namespace contraflow::frontend
