#include "transform/structure_jumps.hpp"

#include <cassert>

#include "ir/walk.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;

// Jumps that leave a statement; also the flags that say, behind it, that one was taken.
enum Jump : unsigned { kNone = 0, kContinue = 1, kBreak = 2, kReturn = 4 };

// Jumps that are the same as reaching the end of a block, because nothing follows it in the loop body or the function.
struct Tail {
  bool ofLoop = false, ofFunction = false;
};

// The flags of the innermost loop, made on demand.
struct Loop {
  VarId skip, done;
};

class Structurer {
 public:
  Structurer(Module& m, Function& f) : m_(m), f_(f), bool_(m.type(BoolType{})) {}

  void run() {
    if (!returnsEarly()) {
      Block body = f_.body, last;
      if (!body.empty() && std::holds_alternative<Return>(f_[body.back()].node)) {
        last.push_back(body.back());
        body.pop_back();
      }
      f_.body = block(body, {}, nullptr).first;
      append(f_.body, last);
      return;
    }
    const bool isVoid = as<VoidType>(m_, f_.result) != nullptr;
    if (!isVoid) makeResult();
    Block body = block(f_.body, {false, true}, nullptr).first;
    Block whole;
    if (returned_.valid()) whole.push_back(declareFlag(returned_));
    if (!isVoid) {
      // With a flag the compiler can't see that every path assigns: don't let it warn.
      whole.push_back(f_.addStmt(Declare{result_, returned_.valid() ? Init::Zero : Init::None, {}, Storage::Automatic, {}}));
    }
    whole.insert(whole.end(), body.begin(), body.end());
    if (!isVoid) whole.push_back(f_.addStmt(Return{resultValue()}, f_.loc));
    f_.body = std::move(whole);
  }

 private:
  // --- questions -------------------------------------------------------------------------------------------------------

  bool returnsEarly() const {
    unsigned returns = 0;
    walkStmts(f_, f_.body, [&](StmtId s) { returns += std::holds_alternative<Return>(f_[s].node); });
    if (returns == 0) return false;
    return returns > 1 || !std::holds_alternative<Return>(f_[f_.body.back()].node);
  }

  unsigned jumpsOf(const Block& block) const {
    unsigned jumps = kNone;
    for (const StmtId s : block) jumps |= jumpsOf(s);
    return jumps;
  }
  unsigned jumpsOf(StmtId s) const {
    if (std::holds_alternative<Break>(f_[s].node)) return kBreak;
    if (std::holds_alternative<Continue>(f_[s].node)) return kContinue;
    if (std::holds_alternative<Return>(f_[s].node)) return kReturn;
    unsigned jumps = kNone;
    forEachBlockOfStmt(f_[s], [&](const Block& b) { jumps |= jumpsOf(b); });
    if (std::holds_alternative<For>(f_[s].node) || std::holds_alternative<While>(f_[s].node)) jumps &= kReturn;
    return jumps;
  }

  // True if the end of the block is never reached.
  bool endsInJump(const Block& block) const {
    for (const StmtId s : block) {
      const StmtNode& node = f_[s].node;
      if (std::holds_alternative<Break>(node) || std::holds_alternative<Continue>(node) || std::holds_alternative<Return>(node))
        return true;
      if (const auto* i = std::get_if<If>(&node))
        if (endsInJump(i->then) && endsInJump(i->otherwise)) return true;
      if (const auto* scope = std::get_if<Scope>(&node))
        if (endsInJump(scope->body)) return true;
    }
    return false;
  }

  // --- blocks ----------------------------------------------------------------------------------------------------------

  // The structured form, and the flags that it may have set. `loop`: the innermost loop around, or null.
  std::pair<Block, unsigned> block(const Block& in, Tail tail, Loop* loop) {
    Block out;
    unsigned flags = kNone;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const StmtId s = in[i];
      if (jumpsOf(s) == kNone) {
        append(out, withoutJumpsOut(s, loop));
        continue;
      }
      const Block rest(in.begin() + static_cast<std::ptrdiff_t>(i) + 1, in.end());
      flags |= jumping(out, s, rest, tail, loop);
      break;
    }
    return {out, flags};
  }

  // A statement with a jump out of it, and all that follows it in its block.
  unsigned jumping(Block& out, StmtId s, const Block& rest, Tail tail, Loop* loop) {
    const Stmt stmt = f_[s];
    if (std::holds_alternative<Break>(stmt.node)) return setFlag(out, kBreak, stmt, loop);
    if (std::holds_alternative<Continue>(stmt.node)) return tail.ofLoop ? unsigned(kNone) : setFlag(out, kContinue, stmt, loop);
    if (const auto* r = std::get_if<Return>(&stmt.node)) {
      if (r->value.valid()) out.push_back(assignResult(r->value, stmt));
      return tail.ofFunction ? unsigned(kNone) : setFlag(out, kReturn, stmt, loop);
    }
    if (const auto* i = std::get_if<If>(&stmt.node)) return branch(out, stmt, *i, rest, tail, loop);
    if (const auto* scope = std::get_if<Scope>(&stmt.node)) {
      auto [body, flags] = block(scope->body, rest.empty() ? tail : Tail{}, loop);
      out.push_back(changed(stmt, Scope{std::move(body)}));
      return flags | guarded(out, flags, rest, tail, loop);
    }
    const bool isLoop = std::holds_alternative<For>(stmt.node) || std::holds_alternative<While>(stmt.node);
    assert(isLoop && "a jump leaves a statement that none may leave");
    const unsigned flags = isLoop ? loopStmt(out, s) : unsigned(kNone);
    return flags | guarded(out, flags, rest, tail, loop);
  }

  unsigned branch(Block& out, const Stmt& stmt, const If& i, const Block& rest, Tail tail, Loop* loop) {
    Block then = i.then, otherwise = i.otherwise, behind = rest;
    // What follows runs only after the branch that doesn't jump: it goes in there.
    if (endsInJump(then)) {
      if (!endsInJump(otherwise)) append(otherwise, behind);
      behind.clear();
    } else if (endsInJump(otherwise)) {
      append(then, behind);
      behind.clear();
    }
    const Tail inside = behind.empty() ? tail : Tail{};
    auto [newThen, flagsThen] = block(then, inside, loop);
    auto [newOtherwise, flagsOtherwise] = block(otherwise, inside, loop);
    if (!newThen.empty() || !newOtherwise.empty())
      out.push_back(makeIf(i.condition, std::move(newThen), std::move(newOtherwise), stmt));
    const unsigned flags = flagsThen | flagsOtherwise;
    return flags | guarded(out, flags, behind, tail, loop);
  }

  // The rest of a block, behind a statement that may have set flags.
  unsigned guarded(Block& out, unsigned flags, const Block& rest, Tail tail, Loop* loop) {
    if (rest.empty()) return kNone;
    auto [body, more] = block(rest, tail, loop);
    if (flags == kNone)
      append(out, body);
    else if (!body.empty())
      out.push_back(f_.addStmt(If{noneOf(flags, loop, {}), std::move(body), {}}, f_[rest.front()].loc));
    return more;
  }

  // A statement that no jump leaves; loops inside it may have their own.
  Block withoutJumpsOut(StmtId s, Loop* loop) {
    Block out;
    if (std::holds_alternative<For>(f_[s].node) || std::holds_alternative<While>(f_[s].node)) {
      loopStmt(out, s);
      return out;
    }
    Stmt copy = f_[s];
    bool changed = false;
    forEachBlockOfStmt(copy, [&](Block& b) {
      Block now = block(b, {}, loop).first;
      changed = changed || now != b;
      b = std::move(now);
    });
    const auto redoLoop = [&](StmtId& inner) {
      Block loops;
      loopStmt(loops, inner);  // only `continue` is allowed in there: it stays one For
      changed = changed || loops.front() != inner;
      inner = loops.front();
    };
    if (auto* omp = std::get_if<OmpFor>(&copy.node)) redoLoop(omp->loop);
    if (auto* simd = std::get_if<OmpSimd>(&copy.node)) redoLoop(simd->loop);
    out.push_back(changed ? f_.addStmt(std::move(copy.node), copy.loc, copy.origin) : s);
    return out;
  }

  // --- loops -----------------------------------------------------------------------------------------------------------

  // Appends the loop, with the flags that it needs in front; says whether it may have set `returned`.
  unsigned loopStmt(Block& out, StmtId s) {
    const Stmt stmt = f_[s];
    Loop flagsOfLoop;
    if (const auto* loop = std::get_if<For>(&stmt.node)) {
      auto [body, flags] = bodyOf(loop->body, flagsOfLoop);
      if ((flags & (kBreak | kReturn)) == 0)
        out.push_back(body == loop->body ? s : changed(stmt, For{loop->counter, loop->init, loop->compare, loop->bound, loop->step, body}));
      else
        forAsWhile(out, stmt, *loop, std::move(body), flags, flagsOfLoop);
      return flags & kReturn;
    }
    const While& loop = std::get<While>(stmt.node);
    if (runsOnce(loop)) {
      // `do { … } while (false)`: a block that `break` leaves. Leaving it is reaching its end.
      auto [body, flags] = bodyOf(breaksAsContinues(loop.body), flagsOfLoop);
      if (!body.empty()) out.push_back(changed(stmt, Scope{std::move(body)}));
      return flags & kReturn;
    }
    const Block test = block(loop.test, {}, nullptr).first;
    auto [body, flags] = bodyOf(loop.body, flagsOfLoop);
    if ((flags & (kBreak | kReturn)) == 0)
      out.push_back(body == loop.body && test == loop.test ? s : changed(stmt, While{test, loop.condition, body, loop.testAtEnd}));
    else
      whileWithFlags(out, stmt, loop, test, std::move(body), flags, flagsOfLoop);
    return flags & kReturn;
  }

  bool runsOnce(const While& loop) const {
    const auto* test = std::get_if<Literal>(&f_[loop.condition].node);
    return loop.testAtEnd && loop.test.empty() && test && test->text == "false";
  }

  // The breaks of this loop, not those of loops inside.
  Block breaksAsContinues(const Block& in) {
    Block out;
    for (const StmtId s : in) {
      if (std::holds_alternative<Break>(f_[s].node)) {
        out.push_back(f_.addStmt(Continue{}, f_[s].loc, f_[s].origin));
        continue;
      }
      if ((jumpsOf(s) & kBreak) == 0) {
        out.push_back(s);
        continue;
      }
      Stmt copy = f_[s];
      forEachBlockOfStmt(copy, [&](Block& b) { b = breaksAsContinues(b); });
      out.push_back(f_.addStmt(std::move(copy.node), copy.loc, copy.origin));
    }
    return out;
  }

  std::pair<Block, unsigned> bodyOf(const Block& in, Loop& loop) {
    auto [body, flags] = block(in, {true, false}, &loop);
    if (loop.skip.valid()) body.insert(body.begin(), declareFlag(loop.skip));
    return {body, flags & ~unsigned(kContinue)};
  }

  void forAsWhile(Block& out, const Stmt& stmt, const For& loop, Block body, unsigned flags, Loop& own) {
    if (own.done.valid()) out.push_back(declareFlag(own.done));
    out.push_back(f_.addStmt(Declare{loop.counter, Init::Value, {loop.init}, Storage::Automatic, {}}, stmt.loc));
    const TypeId type = f_[loop.counter].type;
    const auto counter = [&] { return f_.addExpr(VarRef{loop.counter}, type, stmt.loc); };
    const ExprId below = f_.addExpr(Binary{loop.compare, counter(), loop.bound}, bool_, stmt.loc);
    body.push_back(f_.addStmt(Increment{counter(), loop.step, false}, stmt.loc));
    out.push_back(changed(stmt, While{{}, noneOf(flags, &own, below), std::move(body), false}));
  }

  // The test isn't evaluated again after a jump.
  void whileWithFlags(Block& out, const Stmt& stmt, const While& loop, Block test, Block body, unsigned flags, Loop& own) {
    if (test.empty()) {
      if (own.done.valid()) out.push_back(declareFlag(own.done));
      out.push_back(changed(stmt, While{{}, noneOf(flags, &own, loop.condition), std::move(body), loop.testAtEnd}));
      return;
    }
    const unsigned jumps = flags;
    flag(kBreak, &own);
    flags |= kBreak;
    Block leave;
    setFlag(leave, kBreak, stmt, &own);
    if (loop.testAtEnd) {
      test.push_back(makeIf(negation(loop.condition), leave, {}, stmt));
      body.push_back(f_.addStmt(If{noneOf(jumps, &own, {}), std::move(test), {}}, stmt.loc));
    } else {
      test.push_back(makeIf(loop.condition, std::move(body), leave, stmt));
      body = std::move(test);
    }
    out.push_back(declareFlag(own.done));
    out.push_back(changed(stmt, While{{}, noneOf(flags, &own, {}), std::move(body), loop.testAtEnd}));
  }

  // --- pieces ----------------------------------------------------------------------------------------------------------

  static void append(Block& to, const Block& more) { to.insert(to.end(), more.begin(), more.end()); }
  StmtId changed(const Stmt& old, StmtNode node) { return f_.addStmt(std::move(node), old.loc, old.origin); }
  VarId& flag(Jump jump, Loop* loop) {
    VarId& var = jump == kReturn ? returned_ : jump == kBreak ? loop->done : loop->skip;
    const char* name = jump == kReturn ? "returned" : jump == kBreak ? "done" : "skip";
    if (!var.valid()) var = f_.addVar({name, bool_, VarKind::Local, false, true, {}});
    return var;
  }
  StmtId declareFlag(VarId var) {
    const ExprId no = f_.addExpr(Literal{"false"}, bool_);
    return f_.addStmt(Declare{var, Init::Value, {no}, Storage::Automatic, {}});
  }
  unsigned setFlag(Block& out, Jump jump, const Stmt& at, Loop* loop) {
    const ExprId target = f_.addExpr(VarRef{flag(jump, loop)}, bool_, at.loc);
    const ExprId yes = f_.addExpr(Literal{"true"}, bool_, at.loc);
    out.push_back(f_.addStmt(Assign{target, yes}, at.loc, at.origin));
    return jump;
  }
  // !skip && !done && !returned && condition; the condition may be missing.
  ExprId noneOf(unsigned flags, Loop* loop, ExprId condition) {
    ExprId all;
    for (const Jump jump : {kContinue, kBreak, kReturn}) {
      if ((flags & jump) == 0) continue;
      const ExprId isSet = f_.addExpr(VarRef{flag(jump, loop)}, bool_);
      const ExprId unset = f_.addExpr(Unary{UnaryOp::Not, isSet}, bool_);
      all = all.valid() ? f_.addExpr(Binary{BinaryOp::And, all, unset}, bool_) : unset;
    }
    if (!condition.valid()) return all;
    if (const auto* always = std::get_if<Literal>(&f_[condition].node); always && always->text == "true" && all.valid()) return all;
    return all.valid() ? f_.addExpr(Binary{BinaryOp::And, all, asBool(condition)}, bool_, f_[condition].loc) : condition;
  }
  ExprId asBool(ExprId condition) {
    if (as<BoolType>(m_, f_[condition].type)) return condition;
    return f_.addExpr(Cast{condition, false}, bool_, f_[condition].loc);
  }
  ExprId negation(ExprId condition) {
    const Expr e = f_[condition];
    if (const auto* u = std::get_if<Unary>(&e.node); u && u->op == UnaryOp::Not) return u->operand;
    if (const auto* b = std::get_if<Binary>(&e.node); b && !isReal(m_, f_[b->lhs].type)) {
      // Not for reals: neither x < y nor x >= y holds for NaN.
      static const std::pair<BinaryOp, BinaryOp> kOpposite[] = {
          {BinaryOp::Lt, BinaryOp::Ge}, {BinaryOp::Ge, BinaryOp::Lt}, {BinaryOp::Gt, BinaryOp::Le},
          {BinaryOp::Le, BinaryOp::Gt}, {BinaryOp::Eq, BinaryOp::Ne}, {BinaryOp::Ne, BinaryOp::Eq}};
      for (const auto& [op, opposite] : kOpposite)
        if (b->op == op) return f_.addExpr(Binary{opposite, b->lhs, b->rhs}, bool_, e.loc);
    }
    return f_.addExpr(Unary{UnaryOp::Not, condition}, bool_, e.loc);
  }
  StmtId makeIf(ExprId condition, Block then, Block otherwise, const Stmt& at) {
    if (!then.empty() || otherwise.empty())
      return f_.addStmt(If{condition, std::move(then), std::move(otherwise)}, at.loc, at.origin);
    return f_.addStmt(If{negation(condition), std::move(otherwise), {}}, at.loc, at.origin);
  }

  // --- the result ------------------------------------------------------------------------------------------------------

  void makeResult() {
    TypeId type = withoutConst(m_, f_.result);
    if (const auto* reference = as<ReferenceType>(m_, f_.result)) type = m_.type(PointerType{reference->pointee});
    result_ = f_.addVar({"result", type, VarKind::Local, false, true, f_.loc});
  }
  StmtId assignResult(ExprId value, const Stmt& at) {
    const TypeId type = f_[result_].type;
    if (isReference(m_, f_.result)) value = f_.addExpr(AddressOf{value}, type, at.loc);
    const ExprId target = f_.addExpr(VarRef{result_}, type, at.loc);
    return f_.addStmt(Assign{target, value}, at.loc, at.origin);
  }
  ExprId resultValue() {
    const TypeId type = f_[result_].type;
    const ExprId value = f_.addExpr(VarRef{result_}, type, f_.loc);
    if (!isReference(m_, f_.result)) return value;
    return f_.addExpr(Deref{value}, withoutReference(m_, f_.result), f_.loc);
  }

  Module& m_;
  Function& f_;
  TypeId bool_;
  VarId result_;    // where early returns put the value
  VarId returned_;  // set where an early return doesn't end in the last statement
};

}  // namespace

void structureJumps(Module& module, Function& function) { Structurer(module, function).run(); }

}  // namespace contraflow::transform
