// More operations of the standard library on ranges (bulk.cpp has the plain ones): scans, searches, filters. Each is the loop that the
// library documents:
//     std::partial_sum(a, b, out)   →   sum = a[0]; out[0] = sum; for (k = 1; …) { sum = sum + a[k]; out[k] = sum; }
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

// functor(a, b); without a functor the plain operator.
ExprId FunctionLowering::combine(const Expr* functor, ExprId object, ir::BinaryOp plain, ExprId a, ExprId b, SourceLocation at) {
  if (functor)
    if (const auto value = applied(functor, object, {a, b}, at)) return *value;
  const bool isArithmetic = plain == ir::BinaryOp::Add || plain == ir::BinaryOp::Sub;
  const TypeId one = ir::withoutConst(module(), typeOf(a)), other = ir::withoutConst(module(), typeOf(b));
  const TypeId type = ir::isReal(module(), other) && !ir::isReal(module(), one) ? other : one;
  return binary(plain, convert(a, type, at), convert(b, type, at), isArithmetic ? type : boolType(), at);
}

// partial_sum, inclusive_scan, exclusive_scan. The sum is read before its element is written: `out` may be the range itself.
ExprId FunctionLowering::lowerScan(const std::string& name, const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const bool exclusive = name == "exclusive_scan";
  const unsigned n = e->getNumArgs(), given = name == "partial_sum" ? 3u : exclusive ? 3u : 4u;
  const Expr* functor = n > (exclusive ? 4u : 3u) ? e->getArg(exclusive ? 4 : 3) : nullptr;
  const Expr* initial = exclusive ? e->getArg(3) : given == 4 && n == 5 ? e->getArg(4) : nullptr;
  const Range range = heldRange(e->getArg(0), e->getArg(1), at);
  const Range to = heldStart(e->getArg(2), "to");
  const ExprId object = functor ? functorPlace(functor) : ExprId();
  const TypeId element = ir::withoutConst(module(), typeOf(itemOf(range, sizeLiteral(0, at), at)));
  const TypeId type = initial ? valueType(initial->getType(), at) : element;
  const ir::VarId sum = addVariable("sum", type, at, true);
  const ExprId start = initial ? convert(lowerExpr(initial), type, at) : convert(literal("0", intType(), at), type, at);
  emit(ir::Declare{sum, ir::Init::Value, {start}, ir::Storage::Automatic, {}}, at);
  const auto add = [&](ExprId item) { emit(ir::Assign{varRef(sum, at), convert(combine(functor, object, ir::BinaryOp::Add, varRef(sum, at), item, at), type, at)}, at); };
  const auto give = [&](ExprId k) {
    const ExprId target = itemOf(to, clone(k), at);
    emit(ir::Assign{target, convert(varRef(sum, at), ir::withoutConst(module(), typeOf(target)), at)}, at);
  };
  forEachItem(range, [&](ExprId item, ExprId k) {
    if (exclusive) {
      const ExprId value = spill(item, "item", at);
      give(k);
      return add(value);
    }
    if (initial) {
      add(item);
      return give(k);
    }
    ir::If first{binary(ir::BinaryOp::Eq, clone(k), convert(literal("0", intType(), at), typeOf(k), at), boolType(), at), {}, {}};
    {
      InBlock in(*this, first.then);
      emit(ir::Assign{varRef(sum, at), clone(item)}, at);
    }
    {
      InBlock in(*this, first.otherwise);
      add(item);
    }
    emit(std::move(first), at);
    give(k);
  }, at);
  return positionIn(to, range.count, at);
}

// adjacent_difference: out[0] = a[0], out[k] = a[k] - a[k - 1]. The element before is kept: `out` may be the range itself.
ExprId FunctionLowering::lowerDifferences(const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const Range range = heldRange(e->getArg(0), e->getArg(1), at);
  const Range to = heldStart(e->getArg(2), "to");
  const Expr* functor = e->getNumArgs() > 3 ? e->getArg(3) : nullptr;
  const ExprId object = functor ? functorPlace(functor) : ExprId();
  const TypeId type = ir::withoutConst(module(), typeOf(itemOf(range, sizeLiteral(0, at), at)));
  const ir::VarId before = addVariable("before", type, at, true);
  emit(ir::Declare{before, ir::Init::Value, {convert(literal("0", intType(), at), type, at)}, ir::Storage::Automatic, {}}, at);
  forEachItem(range, [&](ExprId item, ExprId k) {
    const ExprId value = spill(item, "item", at);
    const ExprId target = itemOf(to, clone(k), at);
    const TypeId given = ir::withoutConst(module(), typeOf(target));
    ir::If first{binary(ir::BinaryOp::Eq, clone(k), convert(literal("0", intType(), at), typeOf(k), at), boolType(), at), {}, {}};
    {
      InBlock in(*this, first.then);
      emit(ir::Assign{clone(target), convert(clone(value), given, at)}, at);
    }
    {
      InBlock in(*this, first.otherwise);
      const ExprId difference = combine(functor, object, ir::BinaryOp::Sub, clone(value), varRef(before, at), at);
      emit(ir::Assign{clone(target), convert(difference, given, at)}, at);
    }
    emit(std::move(first), at);
    emit(ir::Assign{varRef(before, at), clone(value)}, at);
  }, at);
  return positionIn(to, range.count, at);
}

// count, count_if, any_of, all_of, none_of. All of them look at every element: conditions have no side effects to miss.
ExprId FunctionLowering::lowerCount(const std::string& name, const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const Range range = heldRange(e->getArg(0), e->getArg(1), at);
  const bool byValue = name == "count";
  const ExprId object = byValue ? stableValue(lowerExpr(e->getArg(2)), "value") : functorPlace(e->getArg(2));
  const TypeId type = ptrdiffType();
  const ir::VarId count = addVariable("count", type, at, true);
  emit(ir::Declare{count, ir::Init::Value, {convert(literal("0", intType(), at), type, at)}, ir::Storage::Automatic, {}}, at);
  forEachItem(range, [&](ExprId item, ExprId) {
    ExprId test = byValue ? combine(nullptr, {}, ir::BinaryOp::Eq, item, clone(object), at) : convert(*applied(e->getArg(2), object, {item}, at), boolType(), at);
    if (name == "all_of") test = expr(ir::Unary{ir::UnaryOp::Not, test}, boolType(), at);
    ir::If counts{test, {}, {}};
    {
      InBlock in(*this, counts.then);
      emit(ir::Increment{varRef(count, at), one(type, at), false}, at);
    }
    emit(std::move(counts), at);
  }, at);
  if (byValue || name == "count_if") return varRef(count, at);
  return binary(name == "any_of" ? ir::BinaryOp::Gt : ir::BinaryOp::Eq, varRef(count, at), convert(literal("0", intType(), at), type, at), boolType(), at);
}

// find, find_if, find_if_not: index of the first that fits, the range's length where none does.
ExprId FunctionLowering::lowerFind(const std::string& name, const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const Range range = heldRange(e->getArg(0), e->getArg(1), at);
  const bool byValue = name == "find";
  const ExprId object = byValue ? stableValue(lowerExpr(e->getArg(2)), "value") : functorPlace(e->getArg(2));
  const TypeId type = ir::withoutConst(module(), typeOf(range.count));
  const ir::VarId place = addVariable("found", type, at, true);
  emit(ir::Declare{place, ir::Init::Value, {convert(literal("0", intType(), at), type, at)}, ir::Storage::Automatic, {}}, at);
  ir::While loop;
  loop.condition = binary(ir::BinaryOp::Lt, varRef(place, at), clone(range.count), boolType(), at);
  {
    InBlock in(*this, loop.body);
    const ExprId item = itemOf(range, varRef(place, at), at);
    ExprId test = byValue ? combine(nullptr, {}, ir::BinaryOp::Eq, item, clone(object), at) : convert(*applied(e->getArg(2), object, {item}, at), boolType(), at);
    if (name == "find_if_not") test = expr(ir::Unary{ir::UnaryOp::Not, test}, boolType(), at);
    ir::If found{test, {}, {}};
    {
      InBlock then(*this, found.then);
      emit(ir::Break{}, at);
    }
    emit(std::move(found), at);
    emit(ir::Increment{varRef(place, at), one(type, at), false}, at);
  }
  emit(std::move(loop), at);
  return positionIn(range, varRef(place, at), at);
}

// lower_bound, upper_bound, binary_search, by halving.
ExprId FunctionLowering::lowerBound(const std::string& name, const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const Range range = heldRange(e->getArg(0), e->getArg(1), at);
  const Expr* functor = e->getNumArgs() > 3 ? e->getArg(3) : nullptr;
  const ExprId value = fixedValue(e->getArg(2), "value");
  const ExprId object = functor ? functorPlace(functor) : ExprId();
  const TypeId type = ptrdiffType();
  const auto number = [&](const char* text) { return convert(literal(text, intType(), at), type, at); };
  const ir::VarId low = addVariable("low", type, at, true), high = addVariable("high", type, at, true);
  emit(ir::Declare{low, ir::Init::Value, {number("0")}, ir::Storage::Automatic, {}}, at);
  emit(ir::Declare{high, ir::Init::Value, {convert(clone(range.count), type, at)}, ir::Storage::Automatic, {}}, at);
  ir::While loop;
  loop.condition = binary(ir::BinaryOp::Lt, varRef(low, at), varRef(high, at), boolType(), at);
  {
    InBlock in(*this, loop.body);
    const ir::VarId middle = addVariable("middle", type, at, true);
    const ExprId sum = binary(ir::BinaryOp::Add, varRef(low, at), varRef(high, at), type, at);
    emit(ir::Declare{middle, ir::Init::Value, {binary(ir::BinaryOp::Div, sum, number("2"), type, at)}, ir::Storage::Automatic, {}}, at);
    const ExprId item = itemOf(range, varRef(middle, at), at);
    const ExprId less = name == "upper_bound" ? combine(functor, object, ir::BinaryOp::Lt, clone(value), item, at)
                                              : combine(functor, object, ir::BinaryOp::Lt, item, clone(value), at);
    ir::If side{convert(less, boolType(), at), {}, {}};
    const ExprId behind = binary(ir::BinaryOp::Add, varRef(middle, at), number("1"), type, at);
    {
      InBlock then(*this, name == "upper_bound" ? side.otherwise : side.then);
      emit(ir::Assign{varRef(low, at), behind}, at);
    }
    {
      InBlock then(*this, name == "upper_bound" ? side.then : side.otherwise);
      emit(ir::Assign{varRef(high, at), varRef(middle, at)}, at);
    }
    emit(std::move(side), at);
  }
  emit(std::move(loop), at);
  if (name != "binary_search") return positionIn(range, varRef(low, at), at);
  // The one found isn't more than the value.
  const ir::VarId found = addVariable("found", boolType(), at, true);
  emit(ir::Declare{found, ir::Init::Value, {literal("false", boolType(), at)}, ir::Storage::Automatic, {}}, at);
  ir::If inside{binary(ir::BinaryOp::Lt, varRef(low, at), convert(clone(range.count), type, at), boolType(), at), {}, {}};
  {
    InBlock in(*this, inside.then);
    const ExprId more = combine(functor, object, ir::BinaryOp::Lt, clone(value), itemOf(range, varRef(low, at), at), at);
    emit(ir::Assign{varRef(found, at), expr(ir::Unary{ir::UnaryOp::Not, convert(more, boolType(), at)}, boolType(), at)}, at);
  }
  emit(std::move(inside), at);
  return varRef(found, at);
}

// copy_if(first, last, out, test) and remove_if(first, last, test), remove(first, last, value): those that are kept, one behind the other.
ExprId FunctionLowering::lowerFilter(const std::string& name, const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const bool copies = name == "copy_if", byValue = name == "remove";
  const Expr* last = e->getArg(copies ? 3 : 2);
  const Range range = heldRange(e->getArg(0), e->getArg(1), at);
  const Range to = copies ? heldStart(e->getArg(2), "to") : Range{range.first, {}, range.reversed};
  const ExprId object = byValue ? fixedValue(last, "value") : functorPlace(last);
  const TypeId type = ptrdiffType();
  const ir::VarId kept = addVariable("kept", type, at, true);
  emit(ir::Declare{kept, ir::Init::Value, {convert(literal("0", intType(), at), type, at)}, ir::Storage::Automatic, {}}, at);
  forEachItem(range, [&](ExprId item, ExprId) {
    ExprId test = byValue ? combine(nullptr, {}, ir::BinaryOp::Eq, item, clone(object), at) : convert(*applied(last, object, {item}, at), boolType(), at);
    if (!copies) test = expr(ir::Unary{ir::UnaryOp::Not, test}, boolType(), at);
    ir::If keep{test, {}, {}};
    {
      InBlock in(*this, keep.then);
      copyWhole(itemOf(to, varRef(kept, at), at), clone(item), copies ? Transfer::Copy : Transfer::Steal, at);
      emit(ir::Increment{varRef(kept, at), one(type, at), false}, at);
    }
    emit(std::move(keep), at);
  }, at);
  return positionIn(to, varRef(kept, at), at);
}

// replace(first, last, old, new) and replace_if(first, last, test, new).
ExprId FunctionLowering::lowerReplace(const std::string& name, const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const bool byValue = name == "replace";
  const Range range = heldRange(e->getArg(0), e->getArg(1), at);
  const TypeId type = ir::withoutConst(module(), typeOf(itemOf(range, sizeLiteral(0, at), at)));
  const ExprId object = byValue ? fixedValue(e->getArg(2), "old_value") : functorPlace(e->getArg(2));
  const ExprId value = elementValue(e->getArg(3), type, at);
  forEachItem(range, [&](ExprId item, ExprId) {
    ir::If test{byValue ? combine(nullptr, {}, ir::BinaryOp::Eq, item, clone(object), at) : convert(*applied(e->getArg(2), object, {item}, at), boolType(), at), {}, {}};
    {
      InBlock in(*this, test.then);
      copyWhole(clone(item), value, Transfer::Copy, at);
    }
    emit(std::move(test), at);
  }, at);
  return errorValue(ast().IntTy, at);
}

void FunctionLowering::reverseItems(const Range& range, SourceLocation at) {
  const TypeId type = ptrdiffType();
  const ExprId half = binary(ir::BinaryOp::Div, convert(clone(range.count), type, at), convert(literal("2", intType(), at), type, at), type, at);
  forEachIndex(sizeLiteral(0, at), half, [&](ExprId k) {
    const ExprId last = binary(ir::BinaryOp::Sub, convert(clone(range.count), type, at), convert(literal("1", intType(), at), type, at), type, at);
    swapWhole(itemOf(range, clone(k), at), itemOf(range, binary(ir::BinaryOp::Sub, last, clone(k), type, at), at), at);
  }, at);
}

// rotate(first, middle, last): both parts reversed, then the whole.
ExprId FunctionLowering::lowerRotate(const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const auto ends = inOrder({e->getArg(0), e->getArg(1), e->getArg(2)});
  const ExprId first = spill(ends[0], "first", at);
  // A difference of pointers into one array may have come down to an int.
  const auto distance = [&](unsigned from, unsigned to) { return convert(difference(ends[to], ends[from], at), ptrdiffType(), at); };
  const ExprId before = spill(distance(0, 1), "before", at), behind = spill(distance(1, 2), "behind", at);
  reverseItems({clone(first), clone(before)}, at);
  reverseItems({binary(ir::BinaryOp::Add, clone(first), clone(before), typeOf(first), at), clone(behind)}, at);
  reverseItems({clone(first), binary(ir::BinaryOp::Add, clone(before), clone(behind), typeOf(before), at)}, at);
  return binary(ir::BinaryOp::Add, clone(first), clone(behind), typeOf(first), at);
}

// An argument by reference that the loop shall not see changing.
ExprId FunctionLowering::fixedValue(const Expr* e, const std::string& name) {
  const ExprId value = e->getType()->isRecordType() ? lowerPlace(e) : lowerExpr(e);
  Effects all;
  all.unknown = true;
  return !e->getType()->isRecordType() && mayChange(value, all) ? spill(value, name, e->getExprLoc()) : value;
}

std::optional<ExprId> FunctionLowering::lowerAlgorithm(const std::string& name, const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const unsigned n = e->getNumArgs();
  const auto arg = [&](unsigned i) { return e->getArg(i); };
  const auto isRange = [&](unsigned i) { return i < n && (arg(i)->getType()->isPointerType() || isIterator(arg(i)->getType())); };
  const auto seen = [&](unsigned i) { return i >= n || canApply(arg(i)); };
  const auto none = [&] { return errorValue(ast().IntTy, at); };
  if (!isRange(1)) return std::nullopt;
  if ((name == "partial_sum" || name == "inclusive_scan") && isRange(2) && seen(3)) return lowerScan(name, e);
  if (name == "exclusive_scan" && n >= 4 && isRange(2) && seen(4)) return lowerScan(name, e);
  if (name == "adjacent_difference" && isRange(2) && seen(3)) return lowerDifferences(e);
  if (name == "count" && n == 3) return lowerCount(name, e);
  if ((name == "count_if" || name == "any_of" || name == "all_of" || name == "none_of") && n == 3 && seen(2)) return lowerCount(name, e);
  if (name == "find" && n == 3) return lowerFind(name, e);
  if ((name == "find_if" || name == "find_if_not") && n == 3 && seen(2)) return lowerFind(name, e);
  if ((name == "lower_bound" || name == "upper_bound" || name == "binary_search") && n >= 3 && seen(3)) return lowerBound(name, e);
  if (name == "copy_if" && n == 4 && isRange(2) && seen(3)) return lowerFilter(name, e);
  if (name == "remove_if" && n == 3 && seen(2)) return lowerFilter(name, e);
  if (name == "remove" && n == 3) return lowerFilter(name, e);
  if (name == "replace" && n == 4) return lowerReplace(name, e);
  if (name == "replace_if" && n == 4 && seen(2)) return lowerReplace(name, e);
  if (name == "generate" && n == 3 && seen(2)) {
    const Range range = heldRange(arg(0), arg(1), at);
    const ExprId object = functorPlace(arg(2));
    forEachItem(range, [&](ExprId item, ExprId) {
      if (const auto value = applied(arg(2), object, {}, at)) emit(ir::Assign{item, convert(*value, ir::withoutConst(module(), typeOf(item)), at)}, at);
    }, at);
    return none();
  }
  if (name == "rotate" && n == 3 && !isReverseIterator(arg(0)->getType())) return lowerRotate(e);
  if ((name == "sort" || name == "stable_sort") && seen(2)) {
    lowerSort(heldRange(arg(0), arg(1), at), n > 2 ? arg(2) : nullptr, at);
    return none();
  }
  // The others come in an order that C++ leaves open.
  if ((name == "nth_element" || name == "partial_sort") && isRange(2) && seen(3)) {
    lowerSort(heldRange(arg(0), arg(2), at), n > 3 ? arg(3) : nullptr, at);
    return none();
  }
  return std::nullopt;
}

}  // namespace contraflow::frontend
