// Records of serial loops in blocks of the tape, indexed by iteration.
//
//     for (…) { push(u[i]); u[i] = …; }              u_old = block(trips); for (…) { u_old[i] = u[i]; u[i] = …; }
//     for (…, backwards) { pop(u[i]); … }      →     for (…, backwards) { u[i] = u_old[i]; … }  releaseBlock();
//
// The block is as large as the pushes would have been: what it holds is recorded in each iteration. It is made in front of the
// outermost loop for which the trip counts of the loops between are known there. Records under a condition, in a while loop or in a
// called function use the stack, which lies behind the block.
#include <algorithm>
#include <cstdlib>

#include "ir/expr_printer.hpp"
#include "ir/walk.hpp"
#include "transform/adjoint_builder.hpp"

namespace contraflow::transform {

using namespace ir;

namespace {

constexpr long kFewest = 16;  // records in blocks of fewer would cost more than they are: a block begins on a cache line

bool isNumber(const Function& f, ExprId e, long& value) {
  if (const auto* c = std::get_if<Cast>(&f[e].node)) return isNumber(f, c->operand, value);
  if (const auto* u = std::get_if<Unary>(&f[e].node); u && u->op == UnaryOp::Minus) {
    const bool known = isNumber(f, u->operand, value);
    value = -value;
    return known;
  }
  const auto* l = std::get_if<Literal>(&f[e].node);
  if (!l || l->text.empty() || l->text.size() > 9 || !std::all_of(l->text.begin(), l->text.end(), ::isdigit)) return false;
  value = std::strtol(l->text.c_str(), nullptr, 10);
  return true;
}

}  // namespace

// True if the expression is computed from numbers and local variables alone, which have one value from in front of the loop to its end.
bool AdjointBuilder::unchangedBy(ExprId e, const For& loop) const {
  std::set<VarId> reads;
  bool plain = true;
  walkExpr(f_, e, [&](ExprId x) {
    const ExprNode& node = f_[x].node;
    if (const auto* v = std::get_if<VarRef>(&node)) {
      reads.insert(v->var);
      plain = plain && !isReference(m_, f_[v->var].type) && addressTaken_.count(v->var) == 0 && unset_.count(v->var) == 0;
    } else if (!std::holds_alternative<Literal>(node) && !std::holds_alternative<Unary>(node) &&
               !std::holds_alternative<Binary>(node) && !std::holds_alternative<Cast>(node)) {
      plain = false;
    }
    // Only where the inner loop runs is a division sure to have a value.
    if (const auto* b = std::get_if<Binary>(&node)) plain = plain && b->op != BinaryOp::Div && b->op != BinaryOp::Rem;
  });
  if (!plain) return false;
  bool unchanged = reads.count(loop.counter) == 0;
  const auto hit = [&](ExprId target) {
    const VarId root = target.valid() ? rootVar(f_, target) : VarId();
    unchanged = unchanged && (!root.valid() || reads.count(root) == 0);
  };
  walkStmts(f_, loop.body, [&](StmtId s) {
    const StmtNode& node = f_[s].node;
    forEachDeclaredVar(f_[s], [&](VarId v) { unchanged = unchanged && reads.count(v) == 0; });
    if (const auto* a = std::get_if<Assign>(&node)) hit(a->target);
    if (const auto* i = std::get_if<Increment>(&node)) hit(i->target);
    if (const auto* a = std::get_if<OmpAtomic>(&node)) hit(a->target);
    if (const auto* c = std::get_if<Call>(&node)) hit(c->result);
    if (const auto* c = std::get_if<Mpi>(&node)) hit(c->result);
    if (const auto* a = std::get_if<Allocate>(&node)) hit(a->target);
    if (const auto* o = std::get_if<Opaque>(&node))
      for (ExprId w : o->writes) hit(w);
  });
  return unchanged;
}

// The loop in front of which a block for records of this level is made: an index into serial_; none if they go on the stack.
std::optional<std::size_t> AdjointBuilder::blockedLoop(unsigned level) const {
  std::optional<std::size_t> found;
  for (std::size_t k = serial_.size(); k-- > 0;) {
    const SerialLoop* at = serial_[k];
    if (!at || at->depth < level) break;
    const For& loop = std::get<For>(f_[at->loop].node);
    bool known = true;
    for (std::size_t inner = k + 1; inner < serial_.size(); ++inner) {
      const For& l = std::get<For>(f_[serial_[inner]->loop].node);
      long step = 0;
      known = known && isNumber(f_, l.step, step) && step != 0 && unchangedBy(l.init, loop) && unchangedBy(l.bound, loop);
    }
    if (!known) break;
    found = k;
  }
  if (!found) return found;
  // Few iterations, as far as is known.
  long all = 1;
  for (std::size_t k = *found; k < serial_.size(); ++k) {
    const For& l = std::get<For>(f_[serial_[k]->loop].node);
    long from = 0, to = 0;
    if (!isNumber(f_, l.init, from) || !isNumber(f_, l.bound, to)) return found;
    all *= std::max(1L, std::labs(to - from));
    if (all > kFewest) return found;
  }
  return std::nullopt;
}

// The number of the loop's iteration.
ExprId AdjointBuilder::iterationOf(const For& l) {
  long step = 0;
  if (!isNumber(f_, l.step, step) || step != 1) return pureCall("contraflow::iterationNumber", {var(l.counter), l.init, l.step}, long_);
  const TypeId type = withoutConst(m_, f_[l.counter].type);
  long first = 0;
  ExprId number = var(l.counter);  // from `init` upwards, so that the difference fits into its type
  if (!isNumber(f_, l.init, first) || first != 0) number = algebra_.subtract(number, algebra_.cast(l.init, type));
  return type == long_ ? number : f_.addExpr(Cast{number, false}, long_);
}

// The place in a block where this iteration's record lies; none: it goes on the stack.
ExprId AdjointBuilder::slot(ExprId value, const std::string& name, unsigned level) {
  const TypeId type = withoutConst(m_, f_[value].type);
  if (!options_.tapeBlocks || !(isReal(m_, type) || isIntegral(m_, type))) return {};
  const auto root = blockedLoop(level);
  if (!root) return {};
  SerialLoop& outer = *serial_[*root];
  ExprId index, total;
  for (std::size_t k = *root; k < serial_.size(); ++k) {
    const For l = std::get<For>(f_[serial_[k]->loop].node);
    const ExprId number = iterationOf(l);
    if (k == *root) {
      index = number;
      total = tripCount(l);
      continue;
    }
    // Loops of one length share a variable.
    const ExprId count = tripCount(l);
    const std::string text = ExprPrinter(m_, f_)(count);
    VarId& trips = outer.trips[text].first;
    if (!trips.valid()) outer.trips[text] = {newVar("trips", long_), serial_[k]->loop};
    index = algebra_.add(algebra_.multiply(index, var(trips)), number);
    total = algebra_.multiply(total, var(trips));
    if (outer.declared[level].insert(trips).second)
      outer.prologue[level].push_back(declareVar(trips, Init::Value, {count}));
  }
  const VarId block = newVar(name + "_old", pointerTo(type));
  outer.prologue[level].push_back(add(TapeBlock{outer.tapes[level], block, total}));
  recordArrays_.insert(block);
  outer.blocks.push_back({block, outer.tapes[level], level});
  return f_.addExpr(Subscript{var(block), index, false}, type);
}

// The blocks of the loop that was just built: made in front of it, found again and given back by its reverse part.
void AdjointBuilder::finishBlocks(SerialLoop& loop, Parts& parts, const Context& ctx, std::vector<Block>& fwd, Block& rev) {
  for (unsigned k = 0; k <= ctx.depth; ++k) {
    Block section = loop.prologue[k];
    section.insert(section.end(), fwd[k].begin(), fwd[k].end());
    fwd[k] = std::move(section);
  }
  Block begin, end;
  for (const auto& b : loop.blocks) {
    const bool inScope = ctx.joint && b.level == ctx.depth;
    if (!inScope) {
      fwd[b.level].push_back(add(Push{b.tape, var(b.pointer)}));
      begin.insert(begin.begin(), {declareVar(b.pointer, Init::None), add(Pop{b.tape, var(b.pointer), false})});
    }
    end.insert(end.begin(), add(TapeRelease{b.tape, {}}));
  }
  for (const auto& [text, known] : loop.trips) {
    const auto& [trips, inner] = known;
    if (ctx.joint && loop.declared[ctx.depth].count(trips) != 0) continue;
    const For l = std::get<For>(f_[inner].node);
    begin.push_back(declareVar(trips, Init::Value, {tripCount(l)}));
  }
  rev.insert(rev.begin(), begin.begin(), begin.end());
  rev.insert(rev.end(), end.begin(), end.end());
  for (unsigned k = 0; k <= ctx.depth; ++k) parts.fwd[k].insert(parts.fwd[k].end(), fwd[k].begin(), fwd[k].end());
  parts.rev.insert(parts.rev.end(), rev.begin(), rev.end());
}

}  // namespace contraflow::transform
