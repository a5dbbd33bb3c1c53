// The adjoint of loops: counted loops run backwards, others a recorded number of times; the iterations of a recompute loop are run
// again one by one.
#include <algorithm>
#include <cmath>
#include <optional>

#include "ir/match.hpp"
#include "ir/walk.hpp"
#include "transform/adjoint_builder.hpp"

namespace contraflow::transform {

using namespace ir;

namespace {

void append(Block& to, const Block& what) { to.insert(to.end(), what.begin(), what.end()); }

bool isOne(const Function& f, ExprId e, bool& negative) {
  negative = false;
  if (const auto* u = std::get_if<Unary>(&f[e].node); u && u->op == UnaryOp::Minus) {
    bool inner = false;
    negative = true;
    return isOne(f, u->operand, inner) && !inner;
  }
  if (const auto* c = std::get_if<Cast>(&f[e].node)) return isOne(f, c->operand, negative);
  const auto* l = std::get_if<Literal>(&f[e].node);
  if (!l) return false;
  if (l->text == "-1") return negative = true;
  return l->text == "1";
}

}  // namespace

// One level deeper for a recompute region: with a scratch tape of its own, which `scratchDeclaration` declares.
AdjointBuilder::Context AdjointBuilder::bodyContext(const Context& ctx, bool recompute, Block& scratchDeclaration) {
  Context inner = ctx;
  inner.joint = recompute;
  if (!recompute) return inner;
  inner.depth = ctx.depth + 1;
  const VarId scratch = newVar("scratch", tapeReference());
  scratchDeclaration.push_back(
      declareVar(scratch, Init::Bind,
                 {pureCall("contraflow::scratch", {var(ctx.tapes[ctx.depth])}, m_.type(TapeType{}))}));
  inner.tapes.push_back(scratch);
  return inner;
}

Block AdjointBuilder::jointBody(Parts& body, unsigned depth, const Block& scratchDeclaration) {
  Block out = scratchDeclaration;
  append(out, body.fwd[depth]);
  append(out, body.rev);
  joinCalls(out);
  return out;
}

namespace {

// The value of an integer literal under conversions, if it has no suffix.
std::optional<long> literalValue(const Function& f, ExprId e) {
  while (const auto* cast = std::get_if<Cast>(&f[e].node)) e = cast->operand;
  const auto* literal = std::get_if<Literal>(&f[e].node);
  if (!literal || literal->text.empty() || literal->text.size() > 9 || literal->text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  if (literal->text.size() > 1 && literal->text[0] == '0') return std::nullopt;  // octal
  return std::stol(literal->text);
}

}  // namespace

ExprId AdjointBuilder::tripCount(const For& l) {
  const auto first = literalValue(f_, l.init), bound = literalValue(f_, l.bound), step = literalValue(f_, l.step);
  if (first && bound && step == 1 && l.compare == BinaryOp::Lt) return algebra_.literal(std::max(0L, *bound - *first), long_);
  static const std::map<BinaryOp, const char*> kNames = {{BinaryOp::Lt, "contraflow::Compare::Less"},
                                                         {BinaryOp::Le, "contraflow::Compare::LessEqual"},
                                                         {BinaryOp::Gt, "contraflow::Compare::Greater"},
                                                         {BinaryOp::Ge, "contraflow::Compare::GreaterEqual"},
                                                         {BinaryOp::Ne, "contraflow::Compare::NotEqual"}};
  // The comparison is of the counter's type and the bound's.
  const TypeId type = withoutConst(m_, f_[l.counter].type);
  const auto written = [&](ExprId e) {
    while (const auto* cast = std::get_if<Cast>(&f_[e].node)) {
      if (cast->isExplicit) break;
      e = cast->operand;
    }
    return e;
  };
  const ExprId start = written(l.init);
  const auto *counter = as<IntType>(m_, type), *other = as<IntType>(m_, f_[written(l.bound)].type);
  const bool natural = literalValue(f_, start) && (bound || (counter && counter->isSigned) || (other && !other->isSigned));
  const bool same = natural || withoutConst(m_, f_[start].type) == type;
  return pureCall("contraflow::tripCount",
                  {same ? l.init : f_.addExpr(Cast{start, true}, type), literal(kNames.at(l.compare), int_), l.bound, l.step}, long_);
}

// The counter in iteration number k, from 0: init + k * step.
StmtId AdjointBuilder::declareCounter(const For& l, VarId k) {
  const TypeId type = withoutConst(m_, f_[l.counter].type);
  bool negative = false;
  const bool unit = isOne(f_, l.step, negative) && !negative;
  const ExprId number = f_.addExpr(Cast{var(k), true}, type);
  const ExprId distance = unit ? number : binary(BinaryOp::Mul, number, algebra_.cast(l.step, type), type);
  ExprId init = l.init;
  while (const auto* cast = std::get_if<Cast>(&f_[init].node)) init = cast->operand;
  const auto* begin = std::get_if<Literal>(&f_[init].node);
  if (begin && begin->text == "0") return declareVar(l.counter, Init::Value, {distance});
  return declareVar(l.counter, Init::Value, {binary(BinaryOp::Add, algebra_.cast(l.init, type), distance, type)});
}

// The loop with its iterations in the opposite order, around `body`.
StmtId AdjointBuilder::reversed(const For& l, Block body, SourceLoc at, StmtId origin) {
  const TypeId type = withoutConst(m_, f_[l.counter].type);
  const auto* integer = as<IntType>(m_, type);
  bool negative = false;
  const bool unit = isOne(f_, l.step, negative);
  const bool signedTypes = integer && integer->isSigned && [&] {
    ExprId bound = l.bound;
    while (const auto* c = std::get_if<Cast>(&f_[bound].node)) bound = c->operand;
    const auto* b = as<IntType>(m_, f_[bound].type);
    return b && b->isSigned && b->bits <= integer->bits;
  }();
  const bool up = l.compare == BinaryOp::Lt || l.compare == BinaryOp::Le;
  const bool down = l.compare == BinaryOp::Gt || l.compare == BinaryOp::Ge;
  // The loop ends beyond the primal's first value: there must be one beyond, as there isn't behind INT_MAX or the 127 of a signed char.
  const bool endFits = integer && [&] {
    auto first = algebra_.constant(l.init);
    ExprId init = l.init;
    while (const auto* c = std::get_if<Cast>(&f_[init].node)) init = c->operand;
    if (const auto* b = std::get_if<Binary>(&f_[init].node); !first && b && b->op == BinaryOp::Sub) {  // INT_MIN is -INT_MAX - 1
      const auto x = algebra_.constant(b->lhs), y = algebra_.constant(b->rhs);
      if (x && y) first = *x - *y;
    }
    const long double limit = std::ldexp(1.0L, static_cast<int>(integer->bits) - 1) - 1;
    return first ? std::fabs(*first) < limit : integer->bits >= 32;
  }();
  if (unit && signedTypes && endFits && ((up && !negative) || (down && negative))) {
    const ExprId one = literal("1", type);
    ExprId bound = l.bound;
    while (const auto* c = std::get_if<Cast>(&f_[bound].node)) {
      if (c->isExplicit) break;
      bound = c->operand;
    }
    bound = algebra_.cast(bound, type);
    ExprId start = bound;
    if (l.compare == BinaryOp::Lt) start = algebra_.subtract(bound, one);
    if (l.compare == BinaryOp::Gt) start = algebra_.add(bound, one);
    const ExprId step = up ? literal("-1", type) : one;
    return f_.addStmt(For{l.counter, start, up ? BinaryOp::Ge : BinaryOp::Le, algebra_.cast(l.init, type), step, std::move(body)},
                      at, origin);
  }
  // By the number of the iteration: counter = init + k * step.
  const VarId k = newVar("iteration", long_);
  const ExprId first = algebra_.subtract(tripCount(l), literal("1", long_));
  Block inner{declareCounter(l, k)};
  append(inner, body);
  return f_.addStmt(For{k, first, BinaryOp::Ge, literal("0", long_), literal("-1", long_), std::move(inner)}, at, origin);
}

void AdjointBuilder::forLoop(StmtId s, const For& l, Parts& parts, const Context& ctx) {
  if (!ctx.silent && isCheckpointed(s)) return checkpointedLoop(s, parts, ctx);
  const bool recompute = facts_.recomputeLoop(variant_.primal, s);
  const bool fused = fused_.loops.count(s) != 0;
  if (fused) ++fused_.inside;
  Block scratch;
  const Context inner = bodyContext(ctx, recompute, scratch);
  level_[l.counter] = inner.depth;
  isCounter_[l.counter] = true;
  if (ctx.parallel) inRegion_.insert(l.counter);
  if (indexed_) nestNow_.push_back(s);
  SerialLoop serial{s, ctx.depth, ctx.tapes, std::vector<Block>(ctx.depth + 1), {}, {}, {}};
  serial_.push_back(&serial);
  Parts body = block(l.body, inner);
  serial_.pop_back();
  if (indexed_) nestNow_.pop_back();
  // Sums of a fused loop are computed where its iterations are run again.
  const bool hasSums = fused_.inside != 0 && recompute && addsToSums(s);
  if (fused) leaveFused(body, ctx.depth);
  std::vector<Block> fwd(ctx.depth + 1);
  for (unsigned k = 0; k <= ctx.depth && !fused; ++k) {
    if (body.fwd[k].empty()) continue;
    For loop = l;
    loop.body = body.fwd[k];
    fwd[k].push_back(add(std::move(loop)));
  }
  Block rev;
  if (!idle(body.rev) || hasSums) {
    Block iteration = recompute ? jointBody(body, inner.depth, scratch) : body.rev, behind;
    hoistIncrements(l, iteration, rev, behind);
    if (hasSums) {
      For loop = l;
      loop.body = std::move(iteration);
      rev.push_back(add(std::move(loop)));
    } else {
      rev.push_back(reversed(l, std::move(iteration), at_, s));
    }
    append(rev, behind);
  }
  finishBlocks(serial, parts, ctx, fwd, rev);
}

void AdjointBuilder::whileLoop(StmtId s, const While& w, Parts& parts, const Context& ctx) {
  if (!ctx.silent && isCheckpointed(s)) return checkpointedLoop(s, parts, ctx);
  Context inner = ctx;
  inner.joint = false;
  const Fence fence(serial_);
  Parts body = block(w.body, inner);
  for (unsigned k = 0; k < ctx.depth; ++k) {
    if (body.fwd[k].empty()) continue;
    parts.fwd[k].push_back(add(While{{}, w.condition, body.fwd[k], w.testAtEnd}));
  }
  const unsigned d = ctx.depth;
  if (idle(body.rev)) {
    parts.fwd[d].push_back(add(While{{}, w.condition, body.fwd[d], w.testAtEnd}));
    return;
  }
  const VarId trips = newVar("trips", long_);
  level_[trips] = d;
  parts.fwd[d].push_back(declareVar(trips, Init::Value, {literal("0", long_)}));
  Block counted = body.fwd[d];
  counted.push_back(add(Increment{var(trips), literal("1", long_), false}));
  parts.fwd[d].push_back(add(While{{}, w.condition, counted, w.testAtEnd}));
  ExprId count = var(trips);
  if (!ctx.joint) {
    parts.fwd[d].push_back(add(Push{ctx.tapes[d], var(trips)}));
    const VarId popped = newVar("trips", long_);
    parts.rev.push_back(declareVar(popped, Init::None));
    parts.rev.push_back(add(Pop{ctx.tapes[d], var(popped), false}));
    count = var(popped);
  }
  const VarId left = newVar("left", long_);
  parts.rev.push_back(add(For{left, count, BinaryOp::Gt, literal("0", long_), literal("-1", long_), body.rev}));
}

}  // namespace contraflow::transform
