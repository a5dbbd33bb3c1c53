// Loops. A `for` that counts becomes ir::For: the counter is declared by it, goes up or down by a step that doesn't change, and is
// compared with a bound that doesn't change. Everything else becomes a While with the step at the end of the body and before
// each `continue`.
#include "frontend/lowering.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

namespace {

struct CounterStep {
  const VarDecl* counter = nullptr;
  const Expr* amount = nullptr;  // null: one
  bool down = false;
};

const VarDecl* variableOf(const Expr* e) {
  const auto* ref = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
  return ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
}

// ++i, i++, --i, i += c, i -= c, i = i + c, i = c + i, i = i - c
std::optional<CounterStep> stepOf(const Expr* e) {
  if (!e) return std::nullopt;
  e = e->IgnoreParens();
  if (const auto* full = dyn_cast<ExprWithCleanups>(e)) e = full->getSubExpr()->IgnoreParens();
  CounterStep step;
  if (const auto* n = dyn_cast<UnaryOperator>(e); n && n->isIncrementDecrementOp()) {
    step.counter = variableOf(n->getSubExpr());
    step.down = n->isDecrementOp();
  } else if (const auto* n = dyn_cast<CompoundAssignOperator>(e);
             n && (n->getOpcode() == BO_AddAssign || n->getOpcode() == BO_SubAssign)) {
    step.counter = variableOf(n->getLHS());
    step.amount = n->getRHS();
    step.down = n->getOpcode() == BO_SubAssign;
  } else if (const auto* n = dyn_cast<BinaryOperator>(e); n && n->getOpcode() == BO_Assign) {
    step.counter = variableOf(n->getLHS());
    const auto* sum = dyn_cast<BinaryOperator>(n->getRHS()->IgnoreParenImpCasts());
    if (!sum || (sum->getOpcode() != BO_Add && sum->getOpcode() != BO_Sub)) return std::nullopt;
    if (variableOf(sum->getLHS()) == step.counter) step.amount = sum->getRHS();
    else if (sum->getOpcode() == BO_Add && variableOf(sum->getRHS()) == step.counter) step.amount = sum->getLHS();
    else return std::nullopt;
    step.down = sum->getOpcode() == BO_Sub;
  }
  return step.counter ? std::optional(step) : std::nullopt;
}

ir::BinaryOp mirrored(BinaryOperatorKind op) {
  switch (op) {
    case BO_LT: return ir::BinaryOp::Gt;
    case BO_LE: return ir::BinaryOp::Ge;
    case BO_GT: return ir::BinaryOp::Lt;
    case BO_GE: return ir::BinaryOp::Le;
    default: return ir::BinaryOp::Ne;
  }
}
ir::BinaryOp plain(BinaryOperatorKind op) {
  switch (op) {
    case BO_LT: return ir::BinaryOp::Lt;
    case BO_LE: return ir::BinaryOp::Le;
    case BO_GT: return ir::BinaryOp::Gt;
    case BO_GE: return ir::BinaryOp::Ge;
    default: return ir::BinaryOp::Ne;
  }
}

bool mentions(const Stmt* s, const VarDecl* decl) {
  if (!s) return false;
  if (const auto* ref = dyn_cast<DeclRefExpr>(s); ref && ref->getDecl() == decl) return true;
  for (const Stmt* child : s->children())
    if (mentions(child, decl)) return true;
  return false;
}

bool isVariable(const Expr* e, const VarDecl* decl) {
  const VarDecl* v = variableOf(e);
  return v && v->getCanonicalDecl() == decl->getCanonicalDecl();
}

// i, i + c, c + i, i - c
struct Offset {
  const Expr* amount = nullptr;
  bool subtracted = false;
};
std::optional<Offset> offsetOf(const Expr* e, const VarDecl* counter) {
  if (isVariable(e, counter)) return Offset{};
  const auto* sum = dyn_cast<BinaryOperator>(e->IgnoreParenImpCasts());
  if (!sum || (sum->getOpcode() != BO_Add && sum->getOpcode() != BO_Sub)) return std::nullopt;
  if (isVariable(sum->getLHS(), counter)) return Offset{sum->getRHS(), sum->getOpcode() == BO_Sub};
  if (sum->getOpcode() == BO_Add && isVariable(sum->getRHS(), counter)) return Offset{sum->getLHS(), false};
  return std::nullopt;
}

// `for (unsigned i = 3; i != -1u; --i)` goes through zero. `least` is the smallest value of the counter otherwise.
bool mayWrap(QualType counter, const Expr* least, bool down, const ASTContext& ast) {
  if (!counter->isUnsignedIntegerType()) return false;
  const auto bits = static_cast<unsigned>(ast.getTypeSize(counter));
  Expr::EvalResult value;
  if (bits < 32) return true;
  if (!least->EvaluateAsInt(value, ast)) return down;
  return value.Val.getInt().extOrTrunc(bits).isSignBitSet();
}

}  // namespace

ir::Block FunctionLowering::lowerLoopBody(const Stmt* body, Loop loop) {
  loop.cleanups = cleanups_.size();
  loops_.push_back(loop);
  ir::Block block = lowerBlock(body);
  loops_.pop_back();
  return block;
}

void FunctionLowering::lowerContinue(SourceLocation at) {
  if (!loops_.empty()) destroyDownTo(loops_.back().cleanups, at);
  if (!loops_.empty() && (loops_.back().isSwitch || loops_.back().isLabel)) {
    // Out of the block of the switch first.
    if (!jumps_.skip.valid()) jumps_.skip = addVariable("skip", boolType(), at, true);
    emit(ir::Assign{varRef(jumps_.skip, at), literal("true", boolType(), at)}, at);
    emit(ir::Break{}, at);
    return;
  }
  if (!loops_.empty() && loops_.back().step) lowerDiscarded(loops_.back().step);
  emit(ir::Continue{}, at);
}

std::optional<ir::StmtId> FunctionLowering::lowerCountedLoop(const Stmt* any, bool worksharing) {
  if (isa<CXXForRangeStmt>(any)) return std::nullopt;
  const auto* s = dyn_cast<ForStmt>(any);
  if (!s || !s->getCond() || s->getConditionVariable()) return std::nullopt;
  const auto step = stepOf(s->getInc());
  if (!step) return std::nullopt;
  const VarDecl* counter = step->counter;
  const QualType type = counter->getType();
  if (!type->isIntegerType() || type->isBooleanType() || type->isEnumeralType()) return std::nullopt;

  const Expr* start = nullptr;
  std::vector<const VarDecl*> others;  // `for (int i = 0, n = f(); …)`: what else is declared moves in front
  if (const auto* decl = dyn_cast_or_null<DeclStmt>(s->getInit())) {
    bool behind = false;
    for (const Decl* d : decl->decls()) {
      const auto* v = dyn_cast<VarDecl>(d);
      if (v == counter) {
        start = counter->getInit();
        behind = true;
      } else if (v && v->getInit() && (!behind || (!mentions(v->getInit(), counter) && !effectsOf(v->getInit(), ast()).any()))) {
        others.push_back(v);
      } else {
        return std::nullopt;
      }
    }
    if (!others.empty() && start && effectsOf(start, ast()).any()) return std::nullopt;
  } else if (const auto* assign = dyn_cast_or_null<BinaryOperator>(s->getInit());
             worksharing && assign && assign->getOpcode() == BO_Assign && isVariable(assign->getLHS(), counter)) {
    start = assign->getRHS();
  }
  if (!start) return std::nullopt;

  const Expr* test = s->getCond()->IgnoreParens();
  if (const auto* full = dyn_cast<ExprWithCleanups>(test)) test = full->getSubExpr()->IgnoreParens();
  const auto* compare = dyn_cast<BinaryOperator>(test);
  if (!compare || !(compare->isRelationalOp() || compare->getOpcode() == BO_NE)) return std::nullopt;
  const auto left = offsetOf(compare->getLHS(), counter), right = offsetOf(compare->getRHS(), counter);
  if (!left && !right) return std::nullopt;
  const bool counterFirst = left.has_value();
  const Offset offset = counterFirst ? *left : *right;
  const Expr* bound = counterFirst ? compare->getRHS() : compare->getLHS();
  // An offset moves to the other side where that can't wrap around.
  if (offset.amount && !(compare->getLHS()->getType()->isSignedIntegerType() && type->isSignedIntegerType())) return std::nullopt;
  if (!bound->getType()->isIntegerType()) return std::nullopt;
  const ir::BinaryOp op = counterFirst ? plain(compare->getOpcode()) : mirrored(compare->getOpcode());

  // Direction: what the comparison says and what the step says must agree.
  bool down = step->down;
  bool unit = !step->amount;
  if (step->amount) {
    if (!step->amount->getType()->isIntegerType()) return std::nullopt;
    Expr::EvalResult value;
    if (step->amount->EvaluateAsInt(value, ast())) {
      const auto v = value.Val.getInt();
      if (v.isZero()) return std::nullopt;
      if (v.isSigned() && v.isNegative()) down = !down;
      unit = v == 1 || (v.isSigned() && v.isAllOnes());
    }
  }
  const bool up = op == ir::BinaryOp::Lt || op == ir::BinaryOp::Le;
  if (op == ir::BinaryOp::Ne) {
    if (!unit || (!worksharing && mayWrap(type, down ? bound : start, down, ast()))) return std::nullopt;
  } else if (up == down) {
    return std::nullopt;
  }

  const Effects body = effectsOf(s->getBody(), ast());
  if (body.writes(counter) || (!worksharing && (body.takesAddress(counter) || effects_.takesAddress(counter)))) return std::nullopt;

  const SourceLocation at = s->getForLoc();
  ir::For loop;
  loop.compare = op;
  const TypeId counterType = valueType(type, at);
  BindingScope bindings(*this);
  ir::Block before;
  {
    InBlock in(*this, before);
    for (const VarDecl* v : others) lowerVarDecl(v);
    loop.init = startValue(start, counterType, at);
    // Derivative code evaluates it again behind the body.
    if (!worksharing && mayChange(loop.init, body)) loop.init = spill(loop.init, counter->getNameAsString() + "_first", at);
  }
  loop.counter = addVariable(counter->getNameAsString(), counterType, counter->getLocation());
  bind(counter, loop.counter);
  ir::Block side;
  {
    InBlock in(*this, side);
    loop.bound = lowerExpr(bound);
    if (offset.amount) {
      const TypeId common = typeOf(loop.bound);
      loop.bound = binary(offset.subtracted ? ir::BinaryOp::Add : ir::BinaryOp::Sub, loop.bound, convert(lowerExpr(offset.amount), common, at), common, at);
    }
    loop.bound = convert(loop.bound, counterType, at);
    if (!step->amount) {
      loop.step = literal(step->down ? "-1" : "1", counterType, at);
    } else {
      loop.step = convert(lowerExpr(step->amount), counterType, at);
      if (step->down) loop.step = expr(ir::Unary{ir::UnaryOp::Minus, loop.step}, counterType, at);
    }
  }
  if (!side.empty()) return std::nullopt;
  const auto usesCounter = [&](const Expr* e) {
    Effects self;
    self.written[counter->getCanonicalDecl()] = {};
    return e && mayChange(e == bound ? loop.bound : loop.step, self);
  };
  if (usesCounter(bound) || (step->amount && usesCounter(step->amount))) return std::nullopt;
  if (offset.amount && !offset.amount->getType()->isSignedIntegerType()) return std::nullopt;
  if (!worksharing && (mayChange(loop.bound, body) || mayChange(loop.step, body))) return std::nullopt;
  append(before);
  loop.body = lowerLoopBody(s->getBody(), {});
  const ir::SourceLoc where = loc(at);
  return function().addStmt(std::move(loop), where);
}

// Of the counter's type also where it stands in a derivative's arguments: a conversion that may change the value is written out.
ExprId FunctionLowering::startValue(const Expr* start, TypeId counterType, SourceLocation at) {
  const ExprId value = lowerExpr(start);
  ExprId plain = value;
  while (const auto* cast = std::get_if<ir::Cast>(&function()[plain].node)) {
    if (cast->isExplicit) break;
    plain = cast->operand;
  }
  const auto *to = ir::as<ir::IntType>(module(), counterType), *from = ir::as<ir::IntType>(module(), typeOf(plain));
  const bool keepsValue = ir::as<ir::BoolType>(module(), typeOf(plain)) ||
                          (to && from && (from->isSigned ? to->isSigned && from->bits <= to->bits : from->bits + to->isSigned <= to->bits));
  Expr::EvalResult number;
  bool fits = to && start->IgnoreImpCasts()->EvaluateAsInt(number, ast()) && number.Val.getInt().isRepresentableByInt64();
  if (fits) {
    const std::int64_t n = number.Val.getInt().getExtValue();
    fits = to->isSigned ? llvm::isIntN(to->bits, n) : n >= 0 && llvm::isUIntN(to->bits, static_cast<std::uint64_t>(n));
  }
  return keepsValue || fits ? convert(value, counterType, at) : convert(plain, counterType, at, true);
}

void FunctionLowering::lowerFor(const ForStmt* s) {
  ir::Block before;
  {
    InBlock in(*this, before);
    if (const auto loop = lowerCountedLoop(s, collapsedLoops_.count(s) != 0)) before.push_back(*loop);
    else if (const auto elements = lowerIteratorLoop(s)) before.push_back(*elements);
  }
  if (before.size() == 1) return append(before);
  if (before.empty()) return lowerForAsWhile(s);
  emit(ir::Scope{std::move(before)}, s->getForLoc());
}

void FunctionLowering::lowerForAsWhile(const ForStmt* s) {
  const SourceLocation at = s->getForLoc();
  ir::Scope scope;
  {
    InBlock in(*this, scope.body);
    BindingScope bindings(*this);
    const std::size_t outside = cleanups_.size();
    if (s->getInit()) lowerStmt(s->getInit());
    if (s->getConditionVariable()) {
      reject(DiagId::UnsupportedStatement, at, {"a variable declared in the condition of a 'for'", "declare it in the body"});
      return;
    }
    ir::While loop;
    {
      InBlock test(*this, loop.test);
      const std::size_t before = cleanups_.size();
      loop.condition = s->getCond() ? lowerCondition(s->getCond()) : literal("true", boolType(), at);
      if (cleanups_.size() > before) loop.condition = spill(loop.condition, "goes_on", at);
      endScope(before, at);
    }
    loop.body = lowerLoopBody(s->getBody(), {s->getInc(), true});
    if (s->getInc()) {
      InBlock end(*this, loop.body);
      lowerDiscarded(s->getInc());
    }
    emit(std::move(loop), at);
    endScope(outside, at);
  }
  emit(std::move(scope), at);
}

void FunctionLowering::lowerWhile(const WhileStmt* s) {
  const SourceLocation at = s->getWhileLoc();
  ir::While loop;
  if (const VarDecl* var = s->getConditionVariable()) {
    if (destructorOf(var->getType())) return reject(DiagId::UnsupportedStatement, at, {"an object with a destructor in the condition of a loop", "declare it in the body"});
    // `while (T x = next())`: the variable lives through the body.
    loop.condition = literal("true", boolType(), at);
    {
      InBlock in(*this, loop.body);
      BindingScope bindings(*this);
      lowerVarDecl(var);
      const ExprId condition = lowerCondition(s->getCond());
      const ExprId done = expr(ir::Unary{ir::UnaryOp::Not, condition}, boolType(), at);
      ir::If leave{done, {}, {}};
      {
        InBlock then(*this, leave.then);
        emit(ir::Break{}, at);
      }
      emit(std::move(leave), at);
      append(lowerLoopBody(s->getBody(), {nullptr, true}));
    }
    emit(std::move(loop), at);
    return;
  }
  {
    InBlock test(*this, loop.test);
    const std::size_t before = cleanups_.size();
    loop.condition = lowerCondition(s->getCond());
    if (cleanups_.size() > before) loop.condition = spill(loop.condition, "goes_on", at);
    endScope(before, at);
  }
  loop.body = lowerLoopBody(s->getBody(), {nullptr, true});
  emit(std::move(loop), at);
}

void FunctionLowering::lowerDo(const DoStmt* s) {
  const SourceLocation at = s->getDoLoc();
  ir::While loop;
  loop.testAtEnd = true;
  loop.body = lowerLoopBody(s->getBody(), {nullptr, true});
  {
    InBlock test(*this, loop.test);
    const std::size_t before = cleanups_.size();
    loop.condition = lowerCondition(s->getCond());
    if (cleanups_.size() > before) loop.condition = spill(loop.condition, "goes_on", at);
    endScope(before, at);
  }
  emit(std::move(loop), at);
}

}  // namespace contraflow::frontend
