// Iterators of vectors and arrays are pointers to elements: `*it` is an element, `v.begin() + k` is `v.data() + k`, and
//     for (auto it = v.begin(); it != v.end(); ++it) f(*it);   →   for (k = 0; k < v.size(); ++k) f(v[k]);
#include "clang/AST/DeclTemplate.h"
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"
#include "ir/equal.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

bool isIterator(QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !isa<ClassTemplateSpecializationDecl>(record) || !record->getDeclName().isIdentifier()) return false;
  return record->getName() == "__normal_iterator" || record->getName() == "__wrap_iter" || isReverseIterator(type);
}

bool isReverseIterator(QualType type) {
  const auto* special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type.getNonReferenceType()->getAsCXXRecordDecl());
  if (!special || !special->isInStdNamespace() || !special->getDeclName().isIdentifier() || special->getName() != "reverse_iterator") return false;
  const QualType of = special->getTemplateArgs()[0].getAsType();
  return of->isPointerType() || (isIterator(of) && !isReverseIterator(of));
}

namespace {

bool isPointerLike(QualType type) { return type.getNonReferenceType()->isPointerType() || isIterator(type); }

std::optional<ir::BinaryOp> comparison(OverloadedOperatorKind op) {
  switch (op) {
    case OO_EqualEqual: return ir::BinaryOp::Eq;
    case OO_ExclaimEqual: return ir::BinaryOp::Ne;
    case OO_Less: return ir::BinaryOp::Lt;
    case OO_LessEqual: return ir::BinaryOp::Le;
    case OO_Greater: return ir::BinaryOp::Gt;
    case OO_GreaterEqual: return ir::BinaryOp::Ge;
    default: return std::nullopt;
  }
}

// The container of `c.begin()` or the like.
const Expr* containerOf(const Expr* e, llvm::StringRef name) {
  const auto* call = dyn_cast<CXXMemberCallExpr>(initialiserOf(e, true)->IgnoreParenImpCasts());
  if (!call || call->getNumArgs() != 0 || !call->getMethodDecl()->getParent()->isInStdNamespace()) return nullptr;
  const llvm::StringRef own = call->getMethodDecl()->getName();
  if (own != name && own != ("c" + name).str()) return nullptr;
  const Expr* object = call->getImplicitObjectArgument();
  return object->getType()->isPointerType() ? nullptr : object->IgnoreParenImpCasts();
}

bool isNamed(const Expr* e) {
  e = e->IgnoreParenImpCasts();
  if (isa<DeclRefExpr>(e)) return true;
  const auto* member = dyn_cast<MemberExpr>(e);
  return member && (isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()) || isNamed(member->getBase()));
}

}  // namespace

TypeId FunctionLowering::ptrdiffType() { return lowerType(ast().getPointerDiffType(), {}); }

// The element at `pointer[index]`, by the name of the container where the pointer says which.
ExprId FunctionLowering::elementAt(ExprId pointer, ExprId index, SourceLocation at) {
  const ir::Expr e = function()[pointer];
  if (const auto* d = std::get_if<ir::DataOf>(&e.node)) return elementOf(d->container, index, at);
  if (const auto* d = std::get_if<ir::Decay>(&e.node)) return elementOf(d->array, index, at);
  // (p + first)[index] is p[first + index].
  const auto behind = [&](ExprId first) {
    if (isZero(index)) return clone(first);
    const TypeId type = ptrdiffType();
    return binary(ir::BinaryOp::Add, convert(clone(first), type, at), convert(index, type, at), type, at);
  };
  if (const auto* b = std::get_if<ir::Binary>(&e.node); b && b->op == ir::BinaryOp::Add && ir::isIntegral(module(), typeOf(b->rhs)))
    return elementAt(b->lhs, behind(b->rhs), at);
  if (const auto* a = std::get_if<ir::AddressOf>(&e.node)) {
    const ir::ExprNode place = function()[a->place].node;
    if (const auto* s = std::get_if<ir::Subscript>(&place)) {
      const TypeId base = typeOf(s->base);
      if (ir::as<ir::ContainerType>(module(), base)) return elementOf(s->base, behind(s->index), at);
      if (ir::as<ir::PointerType>(module(), base)) return elementAt(s->base, behind(s->index), at);
    }
  }
  const auto* p = ir::as<ir::PointerType>(module(), e.type);
  return expr(ir::Subscript{pointer, index, false}, p->pointee, at);
}

bool FunctionLowering::isZero(ExprId e) {
  while (const auto* cast = std::get_if<ir::Cast>(&function()[e].node)) e = cast->operand;
  const auto* literal = std::get_if<ir::Literal>(&function()[e].node);
  return literal && literal->text == "0";
}

ExprId FunctionLowering::pointerInto(ExprId container, ExprId index, SourceLocation at) {
  const TypeId element = typeOf(elementOf(container, sizeLiteral(0, at), at));
  const ExprId data = expr(ir::DataOf{clone(container)}, pointerTo(element), at);
  return binary(ir::BinaryOp::Add, data, clone(index), typeOf(data), at);
}

// The index that an iterator of the container stands for, in a variable.
ExprId FunctionLowering::indexIn(ExprId container, const Expr* iterator, SourceLocation at) {
  const ExprId pointer = lowerExpr(iterator);
  const TypeId element = typeOf(elementOf(container, sizeLiteral(0, at), at));
  const ExprId data = expr(ir::DataOf{clone(container)}, pointerTo(element), at);
  return spill(difference(pointer, data, at), "position", at);
}

// last - first, without pointers where both are offsets from one base.
ExprId FunctionLowering::difference(ExprId last, ExprId first, SourceLocation at) {
  const TypeId type = ptrdiffType();
  const auto split = [&](ExprId e) -> std::pair<ExprId, ExprId> {
    while (const auto* c = std::get_if<ir::Cast>(&function()[e].node)) e = c->operand;
    const auto* b = std::get_if<ir::Binary>(&function()[e].node);
    if (b && b->op == ir::BinaryOp::Add && ir::isIntegral(module(), typeOf(b->rhs))) return {b->lhs, b->rhs};
    return {e, ExprId()};
  };
  const auto [base, offset] = split(last);
  const auto [other, start] = split(first);
  if (ir::equal(function(), base, other)) {
    const ExprId end = offset.valid() ? clone(offset) : convert(literal("0", intType(), at), type, at);
    if (!start.valid()) return end;
    return binary(ir::BinaryOp::Sub, convert(end, type, at), convert(clone(start), type, at), type, at);
  }
  return binary(ir::BinaryOp::Sub, last, first, type, at);
}

FunctionLowering::Range FunctionLowering::lowerRange(const Expr* first, const Expr* last, SourceLocation at) {
  const auto ends = inOrder({first, last});
  Range range{ends[0], {}};
  range.reversed = isReverseIterator(first->getType());
  range.count = range.reversed ? difference(ends[0], ends[1], at) : difference(ends[1], ends[0], at);
  return range;
}

ExprId FunctionLowering::iteratorValue(const CXXConstructExpr* e) {
  if (e->getNumArgs() == 0) return literal("nullptr", valueType(e->getType(), e->getExprLoc()), e->getExprLoc());
  return convert(lowerExpr(e->getArg(0)), valueType(e->getType(), e->getExprLoc()), e->getExprLoc());
}

// `base()` and the operators of iterators; none if it isn't one of them. A reverse iterator goes the other way.
std::optional<ExprId> FunctionLowering::lowerIteratorCall(const FunctionDecl* f, const CallExpr* e, Want want) {
  const SourceLocation at = e->getExprLoc();
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(e)) {
    if (!isIterator(call->getImplicitObjectArgument()->getType())) return std::nullopt;
    if (f->getDeclName().isIdentifier() && f->getName() == "base") return lowerExpr(call->getImplicitObjectArgument());
    return unsupported(e, "this member of an iterator", "use an index");
  }
  const auto* op = dyn_cast<CXXOperatorCallExpr>(e);
  if (!op) return std::nullopt;
  const bool left = isIterator(op->getArg(0)->getType());
  const bool right = op->getNumArgs() > 1 && isIterator(op->getArg(1)->getType());
  if (!left && !right) return std::nullopt;
  const bool backwards = isReverseIterator(op->getArg(left ? 0 : 1)->getType());
  const auto both = [&] { return inOrder({op->getArg(0), op->getArg(1)}); };
  if (const auto compare = comparison(op->getOperator())) {
    const auto values = both();
    return binary(*compare, values[backwards ? 1 : 0], values[backwards ? 0 : 1], boolType(), at);
  }
  switch (op->getOperator()) {
    case OO_Star: return itemOf({lowerExpr(op->getArg(0)), {}, backwards}, convert(literal("0", intType(), at), sizeType(), at), at);
    case OO_Arrow: {
      const ExprId pointer = lowerExpr(op->getArg(0));
      return backwards ? binary(ir::BinaryOp::Sub, pointer, convert(literal("1", intType(), at), ptrdiffType(), at), typeOf(pointer), at) : pointer;
    }
    case OO_Subscript: {
      const auto values = both();
      return itemOf({values[0], {}, backwards}, values[1], at);
    }
    case OO_Plus: {
      const auto values = both();
      return binary(backwards ? ir::BinaryOp::Sub : ir::BinaryOp::Add, values[left ? 0 : 1], values[left ? 1 : 0], valueType(e->getType(), at), at);
    }
    case OO_Minus: {
      const auto values = both();
      if (right) return backwards ? difference(values[1], values[0], at) : difference(values[0], values[1], at);
      return binary(backwards ? ir::BinaryOp::Add : ir::BinaryOp::Sub, values[0], values[1], valueType(e->getType(), at), at);
    }
    case OO_PlusPlus:
    case OO_MinusMinus: {
      const ExprId place = lowerPlace(op->getArg(0));
      const bool postfix = op->getNumArgs() == 2;
      const ExprId old = postfix && want != Want::Nothing ? spill(clone(place), "iterator", at) : ExprId();
      step(place, convert(literal("1", intType(), at), ptrdiffType(), at), (op->getOperator() == OO_MinusMinus) != backwards, at);
      return old.valid() ? old : clone(place);
    }
    case OO_PlusEqual:
    case OO_MinusEqual: {
      const ExprId place = lowerPlace(op->getArg(0));
      step(place, lowerExpr(op->getArg(1)), (op->getOperator() == OO_MinusEqual) != backwards, at);
      return clone(place);
    }
    default: return std::nullopt;
  }
}

// A loop over all elements of a named container by an iterator that the body leaves alone.
std::optional<ir::StmtId> FunctionLowering::lowerIteratorLoop(const ForStmt* s) {
  const auto* init = dyn_cast_or_null<DeclStmt>(s->getInit());
  if (!init || !s->getCond() || s->getConditionVariable() || !s->getInc()) return std::nullopt;
  std::vector<const VarDecl*> vars;
  for (const Decl* d : init->decls()) vars.push_back(dyn_cast<VarDecl>(d));
  if (vars.empty() || vars.size() > 2 || !vars[0] || !isPointerLike(vars[0]->getType()) || !vars[0]->getInit()) return std::nullopt;
  const VarDecl* it = vars[0];
  const bool backwards = isReverseIterator(it->getType());
  const Expr* container = containerOf(it->getInit(), backwards ? "rbegin" : "begin");
  if (!container || !isNamed(container)) return std::nullopt;
  const auto refersTo = [](const Expr* e, const VarDecl* v) {
    const auto* ref = dyn_cast<DeclRefExpr>(initialiserOf(e, true)->IgnoreParenImpCasts());
    return ref && ref->getDecl() == v;
  };
  const auto isEnd = [&](const Expr* e) {
    if (vars.size() == 2 && vars[1] && vars[1]->getInit() && refersTo(e, vars[1])) e = vars[1]->getInit();
    const Expr* other = containerOf(e, backwards ? "rend" : "end");
    return other && isNamed(other) && unit_.text(other) == unit_.text(container);
  };
  const Expr* test = withoutWrappers(s->getCond());
  const Expr *lhs = nullptr, *rhs = nullptr;
  if (const auto* op = dyn_cast<CXXOperatorCallExpr>(test); op && (op->getOperator() == OO_ExclaimEqual || op->getOperator() == OO_Less))
    lhs = op->getArg(0), rhs = op->getArg(1);
  else if (const auto* binary = dyn_cast<BinaryOperator>(test); binary && (binary->getOpcode() == BO_NE || binary->getOpcode() == BO_LT))
    lhs = binary->getLHS(), rhs = binary->getRHS();
  else if (const auto* rewritten = dyn_cast<CXXRewrittenBinaryOperator>(test);
           rewritten && (rewritten->getOperator() == BO_NE || rewritten->getOperator() == BO_LT))
    lhs = rewritten->getLHS(), rhs = rewritten->getRHS();
  if (!lhs || !refersTo(lhs, it) || !isEnd(rhs)) return std::nullopt;
  const Expr* inc = withoutWrappers(s->getInc());
  const auto* opInc = dyn_cast<CXXOperatorCallExpr>(inc);
  const auto* unaryInc = dyn_cast<UnaryOperator>(inc);
  const bool steps = (opInc && opInc->getOperator() == OO_PlusPlus && refersTo(opInc->getArg(0), it)) ||
                     (unaryInc && unaryInc->isIncrementOp() && refersTo(unaryInc->getSubExpr(), it));
  if (!steps) return std::nullopt;
  const Effects body = effectsOf(s->getBody(), ast());
  if (body.writes(it) || body.takesAddress(it) || effects_.escapes(it)) return std::nullopt;
  if (vars.size() == 2 && (!vars[1] || body.writes(vars[1]))) return std::nullopt;

  const SourceLocation at = s->getForLoc();
  const ExprId place = lowerPlace(container);
  const ExprId count = sizeOf(place, at);
  if (mayChange(count, body) || mayChange(place, body, true)) return std::nullopt;
  BindingScope bindings(*this);
  ir::For loop;
  loop.counter = addVariable(it->getNameAsString() + "_index", sizeType(), at, true);
  loop.init = sizeLiteral(0, at);
  loop.compare = ir::BinaryOp::Lt;
  loop.bound = count;
  loop.step = sizeLiteral(1, at);
  const ExprId counted = varRef(loop.counter, at);
  const ExprId behind = backwards ? binary(ir::BinaryOp::Sub, sizeOf(place, at), counted, sizeType(), at) : counted;
  substitutions_[it->getCanonicalDecl()] = pointerInto(place, behind, at);
  if (vars.size() == 2) substitutions_[vars[1]->getCanonicalDecl()] = pointerInto(place, backwards ? sizeLiteral(0, at) : sizeOf(place, at), at);
  loop.body = lowerLoopBody(s->getBody(), {});
  const ir::SourceLoc where = loc(at);
  return function().addStmt(std::move(loop), where);
}

}  // namespace contraflow::frontend
