// Operations of the standard library on ranges become loops, in the order in which the library goes through them:
//     std::copy(a.begin(), a.end(), p)   →   for (k = 0; k < a.size(); ++k) p[k] = a[k];
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

// Element k of a range.
ExprId FunctionLowering::itemOf(const Range& range, ExprId k, SourceLocation at) {
  if (!range.reversed) return elementAt(clone(range.first), k, at);
  const TypeId type = ptrdiffType();
  return elementAt(clone(range.first), binary(ir::BinaryOp::Sub, literal("-1", type, at), convert(k, type, at), type, at), at);
}

// The iterator of element k.
ExprId FunctionLowering::positionIn(const Range& range, ExprId k, SourceLocation at) {
  return binary(range.reversed ? ir::BinaryOp::Sub : ir::BinaryOp::Add, clone(range.first), clone(k), typeOf(range.first), at);
}

// Where a range begins, in a variable if what the loop does may change it.
FunctionLowering::Range FunctionLowering::heldStart(const Expr* e, const std::string& name) {
  const ExprId pointer = lowerExpr(e);
  Effects all;  // elements of any type, and whatever functions the loop calls
  all.unknown = true;  // not the vector's own size and place: a call in the loop that changed them would be an error of the program's
  return {mayChange(pointer, all) ? spill(pointer, name, e->getExprLoc()) : pointer, {}, isReverseIterator(e->getType())};
}

void FunctionLowering::forEachItem(const Range& range, const std::function<void(ExprId, ExprId)>& body, SourceLocation at) {
  forEachIndex(sizeLiteral(0, at), clone(range.count), [&](ExprId k) { body(itemOf(range, clone(k), at), k); }, at);
}

void FunctionLowering::copyElements(const Range& from, const Range& to, ExprId count, SourceLocation at) {
  forEachIndex(sizeLiteral(0, at), count,
               [&](ExprId k) { copyWhole(itemOf(to, clone(k), at), itemOf(from, clone(k), at), Transfer::Copy, at); }, at);
}

// From the last to the first.
void FunctionLowering::copyBackwards(ExprId from, ExprId to, ExprId count, SourceLocation at) {
  const TypeId type = ptrdiffType();
  ir::For loop;
  loop.counter = addVariable("k", type, at, true);
  loop.init = binary(ir::BinaryOp::Sub, convert(count, type, at), convert(literal("1", intType(), at), type, at), type, at);
  loop.compare = ir::BinaryOp::Ge;
  loop.bound = convert(literal("0", intType(), at), type, at);
  loop.step = literal("-1", type, at);
  {
    InBlock in(*this, loop.body);
    const ExprId k = varRef(loop.counter, at);
    copyWhole(elementAt(clone(to), clone(k), at), elementAt(clone(from), clone(k), at), Transfer::Copy, at);
  }
  emit(std::move(loop), at);
}

// memcpy, memmove: `bytes` as a number of elements; none if that isn't plain from the source.
ExprId FunctionLowering::elementsInBytes(const Expr* bytes, QualType element) {
  const SourceLocation at = bytes->getExprLoc();
  const auto size = static_cast<std::uint64_t>(ast().getTypeSizeInChars(element).getQuantity());
  Expr::EvalResult value;
  if (bytes->EvaluateAsInt(value, ast())) {
    const std::uint64_t n = value.Val.getInt().getZExtValue();
    return n % size == 0 ? sizeLiteral(n / size, at) : ExprId();
  }
  const auto* product = dyn_cast<BinaryOperator>(bytes->IgnoreParenImpCasts());
  if (!product || product->getOpcode() != BO_Mul) return {};
  for (const auto& [one, other] : {std::pair(product->getLHS(), product->getRHS()), std::pair(product->getRHS(), product->getLHS())}) {
    const auto* sizeofExpr = dyn_cast<UnaryExprOrTypeTraitExpr>(one->IgnoreParenImpCasts());
    if (sizeofExpr && sizeofExpr->getKind() == UETT_SizeOf &&
        ast().hasSameUnqualifiedType(sizeofExpr->getTypeOfArgument().getNonReferenceType(), element))
      return convert(lowerExpr(other), sizeType(), at);
  }
  return {};
}

std::optional<ExprId> FunctionLowering::lowerMemory(const std::string& name, const CallExpr* e) {
  if ((name != "memcpy" && name != "memmove" && name != "memset" && name != "__builtin_memcpy" && name != "__builtin_memmove" &&
       name != "__builtin_memset") || e->getNumArgs() != 3)
    return std::nullopt;
  const SourceLocation at = e->getExprLoc();
  const bool set = name.find("memset") != std::string::npos;
  const auto elementOfPointer = [&](const Expr* p) {
    const QualType t = p->IgnoreParenCasts()->getType();
    if (const auto* array = ast().getAsArrayType(t)) return array->getElementType().getUnqualifiedType();
    return t->isPointerType() ? t->getPointeeType().getUnqualifiedType() : QualType();
  };
  // An array of arrays, which is copied or set as a whole: by its own indices.
  const auto shapeOf = [&](const Expr* p) {
    const QualType t = p->IgnoreParenCasts()->getType();
    const auto* array = ast().getAsConstantArrayType(t);
    return array && array->getElementType()->isArrayType() ? t : QualType();
  };
  const QualType toShape = shapeOf(e->getArg(0)), fromShape = set ? QualType() : shapeOf(e->getArg(1));
  const bool hasRank = !toShape.isNull() || !fromShape.isNull();
  const QualType element = hasRank ? ast().getBaseElementType(toShape.isNull() ? fromShape : toShape).getUnqualifiedType() : elementOfPointer(e->getArg(0));
  const auto refuse = [&] { return unsupported(e, "'" + name + "' of these objects", "write a loop, or std::copy and std::fill"); };
  if (element.isNull() || element->isVoidType() || element->isArrayType()) return refuse();
  if (!ir::isTriviallyCopyable(module(), lowerType(element, at))) return refuse();
  const auto pointer = [&](const Expr* p, const std::string& called) {
    const Expr* in = p->IgnoreParenCasts();
    if (!in->getType()->isArrayType()) return heldStart(in, called).first;
    const ExprId array = lowerPlace(in);
    return expr(ir::Decay{array}, pointerTo(lowerType(element, at)), at);
  };
  if (hasRank) {
    const QualType shape = toShape.isNull() ? fromShape : toShape;
    const auto fits = [&](const Expr* p, QualType own) {
      if (!own.isNull()) return ast().hasSameType(ast().getUnqualifiedArrayType(own), ast().getUnqualifiedArrayType(shape));
      const QualType other = elementOfPointer(p);
      return !other.isNull() && ast().hasSameType(other, element);
    };
    Expr::EvalResult bytes, value;
    const bool whole = e->getArg(2)->EvaluateAsInt(bytes, ast()) && bytes.Val.getInt() == ast().getTypeSizeInChars(shape).getQuantity();
    const bool isZero = !set || (e->getArg(1)->EvaluateAsInt(value, ast()) && value.Val.getInt().isZero());
    if (!whole || !isZero || !element->isArithmeticType() || !fits(e->getArg(0), toShape) || (!set && !fits(e->getArg(1), fromShape))) return refuse();
    const auto start = [&](const Expr* p, QualType own, const std::string& called) {
      return own.isNull() ? pointer(p, called) : fixedPlace(lowerPlace(p->IgnoreParenCasts()), at);
    };
    const ExprId to = start(e->getArg(0), toShape, "to"), from = set ? ExprId() : start(e->getArg(1), fromShape, "from");
    const auto item = [&](ExprId of, QualType own, ExprId flat) { return own.isNull() ? elementAt(clone(of), clone(flat), at) : clone(of); };
    const auto part = [&](ExprId of, QualType own, ExprId k) { return !of.valid() || own.isNull() ? of : elementOf(clone(of), clone(k), at); };
    const auto each = [&](const auto& self, QualType t, ExprId a, ExprId b, ExprId flat) -> void {
      const auto* array = ast().getAsConstantArrayType(t);
      if (!array) {
        const ExprId x = set ? convert(literal("0", intType(), at), lowerType(element, at), at) : item(b, fromShape, flat);
        emit(ir::Assign{item(a, toShape, flat), x}, at);
        return;
      }
      const ExprId extent = sizeLiteral(array->getSize().getZExtValue(), at);
      forEachIndex(sizeLiteral(0, at), extent, [&](ExprId k) {
        const ExprId next = flat.valid() ? binary(ir::BinaryOp::Add, binary(ir::BinaryOp::Mul, clone(flat), clone(extent), sizeType(), at), clone(k), sizeType(), at) : k;
        self(self, array->getElementType(), part(a, toShape, k), part(b, fromShape, k), next);
      }, at);
    };
    each(each, shape, to, from, ExprId());
    return toShape.isNull() ? clone(to) : addressOf(clone(to), at);
  }
  if (set) {
    Expr::EvalResult value;
    if (!e->getArg(1)->EvaluateAsInt(value, ast()) || !value.Val.getInt().isZero()) return refuse();
    const ExprId to = pointer(e->getArg(0), "to");
    ExprId count = elementsInBytes(e->getArg(2), element);
    if (!count.valid()) return refuse();
    count = stableValue(count, "count");
    const TypeId type = lowerType(element, at);
    ExprId zero;
    if (ir::as<ir::PointerType>(module(), type)) zero = literal("nullptr", type, at);
    else if (element->isScalarType()) zero = convert(literal("0", intType(), at), type, at);
    else {
      const ir::VarId var = addVariable("zero", type, at, true);
      emit(ir::Declare{var, ir::Init::Zero, {}, ir::Storage::Automatic, {}}, at);
      zero = varRef(var, at);
    }
    forEachIndex(sizeLiteral(0, at), count, [&](ExprId k) { emit(ir::Assign{elementAt(clone(to), clone(k), at), clone(zero)}, at); }, at);
    return clone(to);
  }
  const QualType source = elementOfPointer(e->getArg(1));
  if (source.isNull() || !ast().hasSameType(source, element)) return refuse();
  const ExprId to = pointer(e->getArg(0), "to"), from = pointer(e->getArg(1), "from");
  ExprId count = elementsInBytes(e->getArg(2), element);
  if (!count.valid()) return refuse();
  count = stableValue(count, "count");
  if (name.find("memmove") == std::string::npos) {
    copyElements({from, {}}, {to, {}}, count, at);
    return clone(to);
  }
  ir::If order{binary(ir::BinaryOp::Lt, clone(to), clone(from), boolType(), at), {}, {}};
  {
    InBlock in(*this, order.then);
    copyElements({from, {}}, {to, {}}, clone(count), at);
  }
  {
    InBlock in(*this, order.otherwise);
    copyBackwards(from, to, clone(count), at);
  }
  emit(std::move(order), at);
  return clone(to);
}

// accumulate, inner_product and transform_reduce: T sum = init; for (…) sum = sum + x, or op(sum, f(x)), op(sum, f(x, y))
ExprId FunctionLowering::lowerSum(const std::string& name, const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const TypeId type = valueType(e->getType(), at);
  const bool product = name == "inner_product";  // of two ranges
  const Range range = heldRange(e->getArg(0), e->getArg(1), at);
  const Range second = product ? heldStart(e->getArg(2), "second") : Range{};
  const unsigned initial = product ? 3 : 2;
  const Expr* functor = e->getNumArgs() > initial + 1 ? e->getArg(initial + 1) : nullptr;
  const ExprId object = functor ? functorPlace(functor) : ExprId();
  const Expr* term = functor && (product || name == "transform_reduce") ? e->getArg(initial + 2) : nullptr;
  const ExprId objectOfTerm = term ? functorPlace(term) : ExprId();
  const ir::VarId sum = addVariable("sum", type, at, true);
  const ExprId start = e->getNumArgs() > initial ? convert(lowerExpr(e->getArg(initial)), type, at) : convert(literal("0", intType(), at), type, at);
  emit(ir::Declare{sum, ir::Init::Value, {start}, ir::Storage::Automatic, {}}, at);
  forEachIndex(sizeLiteral(0, at), range.count,
               [&](ExprId k) {
                 ExprId x = itemOf(range, clone(k), at);
                 if (term) {
                   std::vector<ExprId> operands{x};
                   if (product) operands.push_back(itemOf(second, clone(k), at));
                   const auto made = applied(term, objectOfTerm, operands, at);
                   const auto value = applied(functor, object, {varRef(sum, at), *made}, at);
                   emit(ir::Assign{varRef(sum, at), convert(*value, type, at)}, at);
                   return;
                 }
                 if (functor) {
                   const auto value = applied(functor, object, {varRef(sum, at), x}, at);
                   emit(ir::Assign{varRef(sum, at), convert(*value, type, at)}, at);
                   return;
                 }
                 if (product) {
                   const ExprId y = itemOf(second, clone(k), at);
                   const TypeId common = ir::withoutConst(module(), ir::isReal(module(), typeOf(x)) ? typeOf(x) : typeOf(y));
                   x = binary(ir::BinaryOp::Mul, convert(x, common, at), convert(y, common, at), common, at);
                 }
                 const TypeId own = ir::withoutConst(module(), typeOf(x));
                 if (own == type) {
                   emit(ir::Increment{varRef(sum, at), x, false}, at);
                   return;
                 }
                 const TypeId common = ir::isReal(module(), type) ? type : own;
                 const ExprId added = binary(ir::BinaryOp::Add, convert(varRef(sum, at), common, at), convert(x, common, at), common, at);
                 emit(ir::Assign{varRef(sum, at), convert(added, type, at)}, at);
               },
               at);
  return varRef(sum, at);
}

// max_element and min_element: the first of the best, by its index.
ExprId FunctionLowering::lowerBestElement(const std::string& name, const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const Range range = heldRange(e->getArg(0), e->getArg(1), at);
  const Expr* functor = e->getNumArgs() > 2 ? e->getArg(2) : nullptr;
  const ExprId object = functor ? functorPlace(functor) : ExprId();
  const TypeId type = ir::withoutConst(module(), typeOf(range.count));
  const ir::VarId best = addVariable("best", type, at, true);
  emit(ir::Declare{best, ir::Init::Value, {convert(literal("0", intType(), at), type, at)}, ir::Storage::Automatic, {}}, at);
  forEachIndex(convert(literal("1", intType(), at), type, at), range.count,
               [&](ExprId k) {
                 const ExprId candidate = itemOf(range, clone(k), at);
                 const ExprId champion = itemOf(range, varRef(best, at), at);
                 const ExprId smaller = name == "max_element" ? champion : candidate, larger = name == "max_element" ? candidate : champion;
                 const ExprId better = functor ? *applied(functor, object, {smaller, larger}, at)
                                               : binary(ir::BinaryOp::Lt, smaller, larger, boolType(), at);
                 ir::If test{better, {}, {}};
                 {
                   InBlock in(*this, test.then);
                   emit(ir::Assign{varRef(best, at), clone(k)}, at);
                 }
                 emit(std::move(test), at);
               },
               at);
  return positionIn(range, varRef(best, at), at);
}

FunctionLowering::Range FunctionLowering::heldRange(const Expr* first, const Expr* last, SourceLocation at) {
  Range range = lowerRange(first, last, at);
  Effects all;
  all.unknown = true;
  if (mayChange(range.count, all)) range.count = spill(range.count, "count", at);
  if (mayChange(range.first, all)) range.first = spill(range.first, "first", at);
  return range;
}

// out[k] = f(a[k]) or f(a[k], b[k]); the result is behind the last one.
ExprId FunctionLowering::lowerTransform(const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const bool two = e->getNumArgs() == 5;
  const Range range = heldRange(e->getArg(0), e->getArg(1), at);
  const Range second = two ? heldStart(e->getArg(2), "second") : Range{};
  const Range to = heldStart(e->getArg(two ? 3 : 2), "to");
  const Expr* functor = e->getArg(two ? 4 : 3);
  const ExprId object = functorPlace(functor);
  forEachItem(range, [&](ExprId item, ExprId k) {
    std::vector<ExprId> args{item};
    if (two) args.push_back(itemOf(second, clone(k), at));
    const auto value = applied(functor, object, args, at);
    if (!value) {
      reject(DiagId::UnsupportedExpression, functor->getExprLoc(), {"this function object", "write a loop that calls it"});
      return;
    }
    const ExprId target = itemOf(to, clone(k), at);
    const TypeId type = ir::withoutConst(module(), typeOf(target));
    emit(ir::Assign{target, ir::as<ir::RecordType>(module(), type) ? *value : convert(*value, type, at)}, at);
  }, at);
  return positionIn(to, range.count, at);
}

std::optional<ExprId> FunctionLowering::lowerBulk(const std::string& name, const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const unsigned n = e->getNumArgs();
  const auto arg = [&](unsigned i) { return e->getArg(i); };
  const auto none = [&] { return errorValue(ast().IntTy, at); };
  const auto isRange = [&](unsigned i) {
    const QualType t = i < n ? arg(i)->getType() : QualType();
    return !t.isNull() && (t->isPointerType() || isIterator(t));
  };
  if ((name == "begin" || name == "cbegin" || name == "rend" || name == "crend" || name == "end" || name == "cend" || name == "rbegin" ||
       name == "crbegin" || name == "data") && n == 1) {
    const ExprId place = lowerPlace(arg(0));
    const bool atEnd = name == "end" || name == "cend" || name == "rbegin" || name == "crbegin";
    if (const auto* array = ir::as<ir::ArrayType>(module(), typeOf(place))) {
      const std::uint64_t extent = array->extent;
      const ExprId data = expr(ir::Decay{place}, pointerTo(array->element), at);
      return atEnd ? binary(ir::BinaryOp::Add, data, sizeLiteral(extent, at), typeOf(data), at) : data;
    }
    if (!ir::as<ir::ContainerType>(module(), typeOf(place))) return std::nullopt;
    if (atEnd) return pointerInto(place, sizeOf(place, at), at);
    return expr(ir::DataOf{place}, pointerTo(typeOf(elementOf(place, sizeLiteral(0, at), at))), at);
  }
  if (name == "size" && n == 1) {
    const ExprId place = lowerPlace(arg(0));
    if (const auto* array = ir::as<ir::ArrayType>(module(), typeOf(place))) return sizeLiteral(array->extent, at);
    return sizeOf(place, at);
  }
  if (name == "make_reverse_iterator" && n == 1) return lowerExpr(arg(0));
  if (!isRange(0)) return std::nullopt;
  if (name == "distance") {
    const auto ends = inOrder({arg(0), arg(1)});
    return isReverseIterator(arg(0)->getType()) ? difference(ends[0], ends[1], at) : difference(ends[1], ends[0], at);
  }
  const bool backwards = isReverseIterator(arg(0)->getType());
  if (name == "next" || name == "prev") {
    const ExprId pointer = lowerExpr(arg(0));
    const ExprId by = n > 1 ? lowerExpr(arg(1)) : convert(literal("1", intType(), at), ptrdiffType(), at);
    return binary((name == "next") != backwards ? ir::BinaryOp::Add : ir::BinaryOp::Sub, pointer, by, typeOf(pointer), at);
  }
  if (name == "advance") {
    const ExprId place = lowerPlace(arg(0));
    step(place, lowerExpr(arg(1)), backwards, at);
    return none();
  }
  if ((name == "copy" || name == "move") && n == 3) {
    const Range range = heldRange(arg(0), arg(1), at);
    const Range to = heldStart(arg(2), "to");
    copyElements(range, to, range.count, at);
    return positionIn(to, range.count, at);
  }
  if (name == "copy_n" && n == 3) {
    const Range from = heldStart(arg(0), "from");
    const ExprId count = stableValue(lowerExpr(arg(1)), "count");
    const Range to = heldStart(arg(2), "to");
    copyElements(from, to, count, at);
    return positionIn(to, count, at);
  }
  if ((name == "copy_backward" || name == "move_backward") && n == 3 && !isReverseIterator(arg(0)->getType()) && !isReverseIterator(arg(2)->getType())) {
    const Range range = heldRange(arg(0), arg(1), at);
    const ExprId last = heldStart(arg(2), "last").first;
    const ExprId to = spill(binary(ir::BinaryOp::Sub, last, clone(range.count), typeOf(last), at), "to", at);
    copyBackwards(range.first, to, range.count, at);
    return clone(to);
  }
  if ((name == "fill" || name == "fill_n") && n == 3) {
    Range range;
    if (name == "fill") range = heldRange(arg(0), arg(1), at);
    else {
      range = heldStart(arg(0), "first");
      range.count = stableValue(lowerExpr(arg(1)), "count");
    }
    const TypeId type = ir::withoutConst(module(), ir::as<ir::PointerType>(module(), typeOf(range.first))->pointee);
    const ExprId value = elementValue(arg(2), type, at);
    forEachItem(range, [&](ExprId item, ExprId) { copyWhole(item, value, Transfer::Copy, at); }, at);
    return positionIn(range, range.count, at);
  }
  if (name == "swap_ranges" && n == 3) {
    const Range range = heldRange(arg(0), arg(1), at);
    const Range other = heldStart(arg(2), "other");
    forEachItem(range, [&](ExprId item, ExprId k) { swapWhole(item, itemOf(other, clone(k), at), at); }, at);
    return positionIn(other, range.count, at);
  }
  if (name == "reverse" && n == 2) return reverseItems(heldRange(arg(0), arg(1), at), at), none();
  if (name == "iota" && n == 3) {
    const Range range = heldRange(arg(0), arg(1), at);
    const TypeId type = valueType(arg(2)->getType(), at);
    const ir::VarId value = addVariable("next", type, at, true);
    emit(ir::Declare{value, ir::Init::Value, {convert(lowerExpr(arg(2)), type, at)}, ir::Storage::Automatic, {}}, at);
    forEachItem(range, [&](ExprId item, ExprId) {
      emit(ir::Assign{item, convert(varRef(value, at), ir::withoutConst(module(), typeOf(item)), at)}, at);
      emit(ir::Increment{varRef(value, at), one(type, at), false}, at);
    }, at);
    return none();
  }
  const auto seen = [&](unsigned i) { return i >= n || canApply(arg(i)); };
  if (name == "accumulate" && n >= 3 && seen(3)) return lowerSum(name, e);
  if (name == "reduce" && (n == 2 || !isRange(2)) && seen(3)) return lowerSum(name, e);
  if ((name == "inner_product" || (name == "transform_reduce" && isRange(2))) && (n == 4 || (n == 6 && canApply(arg(4)) && canApply(arg(5))))) return lowerSum("inner_product", e);
  if (name == "transform_reduce" && n == 5 && seen(3) && seen(4)) return lowerSum(name, e);
  if ((name == "max_element" || name == "min_element") && n >= 2 && seen(2)) return lowerBestElement(name, e);
  if (name == "transform" && ((n == 4 && seen(3)) || (n == 5 && seen(4)))) return lowerTransform(e);
  if (name == "for_each" && n == 3 && seen(2)) {
    const Range range = heldRange(arg(0), arg(1), at);
    const ExprId object = functorPlace(arg(2));
    forEachItem(range, [&](ExprId item, ExprId) { applied(arg(2), object, {item}, at); }, at);
    return none();
  }
  return lowerAlgorithm(name, e);
}

}  // namespace contraflow::frontend
