#include "transform/strip_increments.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "ir/walk.hpp"
#include "transform/gather_nest.hpp"
#include "transform/loop_ends.hpp"
#include "transform/name_numbers.hpp"
#include "transform/range_expressions.hpp"
#include "transform/strip_body.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;
using analysis::ElementRanges;

constexpr long kLanes = StripBody::kLanes;

class Strips {
 public:
  Strips(Module& m, Function& f, bool gather)
      : m_(m), f_(f), gather_(gather), algebra_(m, f), ranges_(m, f), int_(m.type(IntType{32, true, "int"})), long_(m.type(IntType{64, true, "long"})) {}

  void run() {
    if (f_.kind == FunctionKind::Adjoint || f_.kind == FunctionKind::Reverse) visit(f_.body);
  }

 private:
  // --- which loops

  void visit(Block& block) {
    Block out;
    for (StmtId s : block) {
      Block now{s};
      if (seen_.insert(s).second) {
        if (std::holds_alternative<For>(f_[s].node)) now = nest(s);
        if (now == Block{s}) visitInside(s);
      }
      out.insert(out.end(), now.begin(), now.end());
    }
    block = std::move(out);
  }
  // (Both sweeps may hold the same statements.)
  void visitInside(StmtId s) {
    Stmt stmt = f_[s];  // copies, since the arena grows
    forEachBlockOfStmt(stmt, [&](Block& inner) { visit(inner); });
    // The loops of a construct stay its loops.
    StmtId loop = loopOf(stmt);
    for (unsigned collapse = collapsed(stmt.node); loop.valid(); --collapse) {
      seen_.insert(loop);
      if (collapse <= 1) {
        visitInside(loop);
        break;
      }
      loop = std::get<For>(f_[loop].node).body.front();
    }
    f_[s] = std::move(stmt);
  }
  static unsigned collapsed(const StmtNode& node) {
    if (const auto* w = std::get_if<OmpFor>(&node)) return w->collapse;
    if (const auto* w = std::get_if<OmpSimd>(&node)) return w->collapse;
    return 1;
  }

  // The loop's only inner loop, if there is nothing else in it but numbers.
  StmtId innerLoop(StmtId s) const {
    StmtId found;
    for (StmtId inner : std::get<For>(f_[s].node).body) {
      const StmtNode& node = f_[inner].node;
      const auto* d = std::get_if<Declare>(&node);
      const bool number = d && d->init == Init::Value && d->storage == Storage::Automatic && isIntegral(m_, f_[d->var].type);
      if (std::holds_alternative<For>(node) && !found.valid())
        found = inner;
      else if (!number && !std::holds_alternative<Comment>(node))
        return {};
    }
    return found;
  }

  // The nest with its innermost loop in strips; the nest itself if that isn't right or of no use.
  Block nest(StmtId outermost) {
    std::vector<StmtId> loops{outermost};
    for (StmtId inner; (inner = innerLoop(loops.back())).valid();) loops.push_back(inner);
    if (!isStraight(loops.back())) return {outermost};
    NamedNest named = nameNumbers(m_, f_, loops);
    loops = named.loops;
    const For innermost = std::get<For>(f_[loops.back()].node);
    at_ = f_[loops.back()].loc;
    origin_ = f_[loops.back()].origin;
    const auto ends = loopEnds(m_, f_, algebra_, innermost);
    if (!ends || isShort(*ends)) return {outermost};
    const auto body = takeApart(m_, f_, innermost.body, innermost.counter);
    if (!body || (body->ordered && !ends->ascending)) return {outermost};
    for (std::size_t level = 0; level < loops.size(); ++level) {
      const auto isApart = apart(loops[level], *body);
      if (!isApart) continue;
      const std::vector<StmtId> inner(loops.begin() + static_cast<std::ptrdiff_t>(level), loops.end());
      const auto gathered = gather_ ? gatherNest(m_, f_, inner, *body) : std::nullopt;
      Block now = gathered ? gathered->code : replaced(loops, level, loops.size() - 1, strips(innermost, *ends, *body));
      const ExprId condition = both(*isApart, gathered ? gathered->condition : ExprId());
      if (condition.valid()) now = {f_.addStmt(If{condition, std::move(now), {loops[level]}}, f_[loops[level]].loc, f_[loops[level]].origin)};
      now = replaced(loops, 0, level, std::move(now));
      now.insert(now.begin(), named.before.begin(), named.before.end());
      return now;
    }
    return {outermost};
  }
  ExprId both(ExprId a, ExprId b) {
    if (!a.valid() || !b.valid()) return a.valid() ? a : b;
    return f_.addExpr(Binary{BinaryOp::And, a, b}, algebra_.boolType());
  }
  bool isStraight(StmtId loop) const {
    const Block& body = std::get<For>(f_[loop].node).body;
    return std::all_of(body.begin(), body.end(), [&](StmtId s) {
      const StmtNode& node = f_[s].node;
      return std::holds_alternative<Declare>(node) || std::holds_alternative<Assign>(node) || std::holds_alternative<Increment>(node) ||
             std::holds_alternative<SetZero>(node) || std::holds_alternative<Comment>(node);
    });
  }

  // Copies of the loops from number `from` on, with `inner` in the place of number `to`.
  Block replaced(const std::vector<StmtId>& loops, std::size_t from, std::size_t to, Block inner) {
    for (std::size_t k = to; k-- > from;) {
      const Stmt stmt = f_[loops[k]];
      For loop = std::get<For>(stmt.node);
      const auto at = std::find(loop.body.begin(), loop.body.end(), loops[k + 1]);
      inner.insert(inner.begin(), loop.body.begin(), at);
      inner.insert(inner.end(), at + 1, loop.body.end());
      loop.body = std::move(inner);
      inner = {f_.addStmt(std::move(loop), stmt.loc, stmt.origin)};
    }
    return inner;
  }

  // In front of the statement: that what must lie apart does. None: not known there. The invalid id: it always does.
  std::optional<ExprId> apart(StmtId s, const StripBody& body) {
    if (body.apart.empty()) return ExprId();
    const ElementRanges ranges(m_, f_, s);
    std::map<VarId, std::vector<VarId>> from;
    std::map<VarId, std::size_t> count;
    for (const auto& [a, b] : body.apart) {
      if (!ranges.known(a) || !ranges.known(b)) return std::nullopt;
      ++count[a];
      ++count[b];
    }
    // Each pair at the one of its two that stands in more of them.
    for (const auto& [a, b] : body.apart) count[a] < count[b] ? from[b].push_back(a) : from[a].push_back(b);
    ExprId all;
    for (const auto& [first, others] : from) {
      std::vector<ExprId> args{ranges_.rangeOf(first, ranges)};
      for (VarId other : others) args.push_back(ranges_.rangeOf(other, ranges));
      const ExprId one = ranges_.apart(args);
      all = all.valid() ? f_.addExpr(Binary{BinaryOp::And, all, one}, algebra_.boolType()) : one;
    }
    return all;
  }

  bool isShort(const LoopEnds& ends) const {
    const auto low = algebra_.constant(ends.low), bound = algebra_.constant(ends.bound);
    return low && bound && *bound - *low + (ends.compare == BinaryOp::Le ? 1 : 0) < kLanes;
  }

  // --- the strips

  ExprId var(VarId v) { return f_.addExpr(VarRef{v}, withoutConst(m_, f_[v].type)); }
  VarId newVar(const std::string& name, TypeId type) {
    Var v;
    v.name = name;
    v.type = type;
    v.isTemporary = true;
    return f_.addVar(std::move(v));
  }
  StmtId declare(VarId v, Init init, std::vector<ExprId> args = {}) {
    return f_.addStmt(Declare{v, init, std::move(args), Storage::Automatic, {}}, at_, origin_);
  }
  ExprId binary(BinaryOp op, ExprId a, ExprId b, TypeId t) { return f_.addExpr(Binary{op, a, b}, t); }
  // low + T(number) * 32
  ExprId counterOf(VarId number, ExprId low, TypeId type) {
    const ExprId lanes = algebra_.literal(kLanes, type);
    const ExprId own = f_[number].type == type ? var(number) : f_.addExpr(Cast{var(number), true}, type);
    return binary(BinaryOp::Add, low, binary(BinaryOp::Mul, own, lanes, type), type);
  }

  Block strips(const For& l, const LoopEnds& ends, const StripBody& body) {
    const TypeId type = withoutConst(m_, f_[l.counter].type);
    counter_ = l.counter;
    const VarId count = newVar("strips", long_), strip = newVar("strip", long_);
    first_ = newVar("first", type);
    const ExprId trips = f_.addExpr(
        PureCall{"contraflow::tripCount", {ends.low, f_.addExpr(Literal{ends.compare == BinaryOp::Lt ? "contraflow::Compare::Less" : "contraflow::Compare::LessEqual"}, int_), ends.bound, algebra_.literal(1, type)}}, long_);
    Block one{declare(first_, Init::Value, {counterOf(strip, ends.low, type)})}, before;
    fillStrip(body, before, one);
    const ExprId zero = algebra_.literal(0, long_), step = algebra_.literal(1, long_);
    For rest = l;
    rest.init = counterOf(count, ends.low, type);
    rest.compare = ends.compare;
    rest.bound = ends.bound;
    rest.step = algebra_.literal(1, type);
    Block out{declare(count, Init::Value, {binary(BinaryOp::Div, trips, algebra_.literal(kLanes, long_), long_)})};
    out.insert(out.end(), before.begin(), before.end());
    out.push_back(f_.addStmt(For{strip, zero, BinaryOp::Lt, var(count), step, std::move(one)}, at_, origin_));
    out.push_back(f_.addStmt(std::move(rest), at_, origin_));
    return out;
  }

  // What all lanes evaluate, then what they write, then what they add. `before`: once for all strips.
  void fillStrip(const StripBody& body, Block& before, Block& out) {
    lane_ = newVar("lane", int_);
    rim_ = 0;
    std::set<int> inGathers;
    for (const StripBody::Gather& gather : body.gathers) {
      rim_ = std::max(rim_, gather.members.back().ahead);
      for (const StripBody::Gather::Member& member : gather.members) inGathers.insert(static_cast<int>(member.sum));
    }
    std::set<VarId> withRim;
    for (const StripBody::Step& step : body.steps)
      if (step.sum >= 0 && inGathers.count(step.sum) != 0) withRim.insert(valueName(body, std::get<Increment>(f_[step.stmt].node)));
    Block values, later;
    std::map<int, VarId> sumBuffers;
    std::map<VarId, VarId> ofLocals;  // several places may get the same value
    for (const StripBody::Step& step : body.steps) {
      if (step.sum >= 0) {
        const StripBody::Sum& sum = body.sums[static_cast<std::size_t>(step.sum)];
        const Increment i = std::get<Increment>(f_[step.stmt].node);
        const auto found = sumBuffers.find(step.sum);
        const VarId local = sum.terms.size() == 1 ? valueName(body, i) : VarId();
        if (local.valid() && ofLocals.count(local) != 0) {
          sumBuffers[step.sum] = ofLocals.at(local);
        } else if (found == sumBuffers.end()) {
          const VarId buffer = sumBuffers[step.sum] =
              inGathers.count(step.sum) != 0 || (local.valid() && withRim.count(local) != 0)
                  ? declareBuffer(sum.place, i.value, Init::Zero, before)
                  : declareBuffer(sum.place, i.value, Init::None, out);
          const ExprId value = i.subtract ? algebra_.negate(i.value) : i.value;
          values.push_back(f_.addStmt(Assign{laneOf(buffer), value}, at_, origin_));
          if (local.valid()) ofLocals[local] = buffer;
        } else {
          values.push_back(f_.addStmt(Increment{laneOf(found->second), i.value, i.subtract}, at_, origin_));
        }
      } else if (step.write >= 0) {
        const StripBody::Write& w = body.writes[static_cast<std::size_t>(step.write)];
        ExprId value = w.value;
        if (!w.own) {
          const VarId buffer = declareBuffer(w.place, w.value, Init::None, out);
          values.push_back(f_.addStmt(Assign{laneOf(buffer), w.value}, at_, origin_));
          value = laneOf(buffer);
        }
        later.push_back(laneLoop(body, {f_.addStmt(value.valid() ? StmtNode(Assign{w.place, value}) : StmtNode(SetZero{w.place}), at_, origin_)}));
      } else {
        values.push_back(step.stmt);
      }
    }
    for (const StripBody::Gather& gather : body.gathers) {
      gathered(body, gather, sumBuffers, later);
      for (const StripBody::Gather::Member& member : gather.members) sumBuffers.erase(static_cast<int>(member.sum));
    }
    for (const auto& [k, buffer] : sumBuffers)
      later.push_back(laneLoop(body, {f_.addStmt(Increment{body.sums[static_cast<std::size_t>(k)].place, laneOf(buffer), false}, at_, origin_)}));
    out.push_back(loopOverLanes(needed(std::move(values))));
    out.insert(out.end(), later.begin(), later.end());
  }
  // Each element of the strip and of its rim once, with all that iterations of the strip add to it; beside the strip nothing is added.
  void gathered(const StripBody& body, const StripBody::Gather& gather, const std::map<int, VarId>& buffers, Block& out) {
    ExprId sum;
    for (const StripBody::Gather::Member& member : gather.members)
      sum = algebra_.add(sum, laneOf(buffers.at(static_cast<int>(member.sum)), -member.ahead));
    const StmtId add = f_.addStmt(Increment{body.sums[gather.members.front().sum].place, sum, false}, at_, origin_);
    out.push_back(laneLoop(body, {add}));  // of as many lanes as the others: compilers may want to know that they fill vectors
    out.push_back(laneLoop(body, {add}, kLanes, kLanes + gather.members.back().ahead));
  }
  // The local whose only value is added.
  VarId valueName(const StripBody& body, const Increment& i) const {
    const auto* v = i.subtract ? nullptr : std::get_if<VarRef>(&f_[i.value].node);
    if (!v) return {};
    bool declared = false;
    for (const StripBody::Step& step : body.steps) {
      const StmtNode& node = f_[step.stmt].node;
      if (const auto* d = std::get_if<Declare>(&node)) declared = declared || (d->var == v->var && d->init == Init::Value);
      const auto* a = std::get_if<Assign>(&node);
      const auto* other = std::get_if<Increment>(&node);
      const auto* z = std::get_if<SetZero>(&node);
      const ExprId target = a ? a->target : other ? other->target : z ? z->place : ExprId();
      if (target.valid() && namedIn(target, {v->var}).valid()) return {};
    }
    return declared ? v->var : VarId();
  }
  // One number for each lane; with a rim of zeros, if it begins as zeros.
  VarId declareBuffer(ExprId place, ExprId value, Init init, Block& out) {
    const VarId root = rootVar(f_, place);
    const long size = kLanes + (init == Init::Zero ? 2 * rim_ : 0);
    const VarId buffer = newVar(f_[root].name + "_part", m_.type(ArrayType{withoutConst(m_, f_[value].type), static_cast<std::uint64_t>(size)}));
    out.push_back(declare(buffer, init));
    return buffer;
  }
  ExprId laneOf(VarId buffer, long shift = 0) {
    const auto* array = as<ArrayType>(m_, f_[buffer].type);
    if (array->extent != kLanes) shift += rim_;
    const ExprId lane = shift == 0 ? var(lane_) : binary(BinaryOp::Add, var(lane_), algebra_.literal(shift, int_), int_);
    return f_.addExpr(Subscript{var(buffer), lane, false}, array->element);
  }
  // With the integers that the statements' addresses are computed from.
  StmtId laneLoop(const StripBody& body, Block statements, long first = 0, long last = kLanes) {
    Block all;
    for (const StripBody::Step& step : body.steps) {
      const auto* d = std::get_if<Declare>(&f_[step.stmt].node);
      if (d && body.indices.count(d->var) != 0) all.push_back(step.stmt);
    }
    all.insert(all.end(), statements.begin(), statements.end());
    return loopOverLanes(needed(std::move(all)), first, last);
  }
  StmtId loopOverLanes(Block statements, long first = 0, long last = kLanes) {
    const TypeId type = withoutConst(m_, f_[counter_].type);
    const ExprId lane = type == int_ ? var(lane_) : algebra_.cast(var(lane_), type);
    if (mentions(statements, counter_))
      statements.insert(statements.begin(), declare(counter_, Init::Value, {binary(BinaryOp::Add, var(first_), lane, type)}));
    return f_.addStmt(For{lane_, algebra_.literal(first, int_), BinaryOp::Lt, algebra_.literal(last, int_), algebra_.literal(1, int_), std::move(statements)},
                      at_, origin_);
  }
  bool mentions(const Block& block, VarId v) const {
    bool found = false;
    walkExprs(f_, block, [&](ExprId x) {
      const auto* named = std::get_if<VarRef>(&f_[x].node);
      found = found || (named && named->var == v);
    });
    return found;
  }
  // Without statements about locals that nothing needs behind them.
  Block needed(Block block) const {
    std::set<VarId> live, declared;
    for (StmtId s : block)
      if (const auto* d = std::get_if<Declare>(&f_[s].node)) declared.insert(d->var);
    const auto keep = [&](StmtId s) {
      const StmtNode& node = f_[s].node;
      VarId local;
      if (const auto* d = std::get_if<Declare>(&node)) local = d->var;
      if (const auto* a = std::get_if<Assign>(&node)) local = namedIn(a->target, declared);
      if (const auto* i = std::get_if<Increment>(&node)) local = namedIn(i->target, declared);
      if (const auto* z = std::get_if<SetZero>(&node)) local = namedIn(z->place, declared);
      if (local.valid() && live.count(local) == 0) return false;
      forEachExprOfStmt(f_[s], [&](ExprId e) {
        walkExpr(f_, e, [&](ExprId x) {
          if (const auto* v = std::get_if<VarRef>(&f_[x].node)) live.insert(v->var);
        });
      });
      return true;
    };
    Block out;
    for (auto s = block.rbegin(); s != block.rend(); ++s)
      if (keep(*s)) out.push_back(*s);
    std::reverse(out.begin(), out.end());
    return out;
  }
  VarId namedIn(ExprId place, const std::set<VarId>& declared) const {
    const auto* v = std::get_if<VarRef>(&f_[place].node);
    return v && declared.count(v->var) != 0 ? v->var : VarId();
  }

  Module& m_;
  Function& f_;
  const bool gather_;
  rules::Algebra algebra_;
  RangeExpressions ranges_;
  const TypeId int_, long_;
  std::set<StmtId> seen_;
  SourceLoc at_;
  StmtId origin_;
  VarId counter_, first_, lane_;  // of the loop that is being taken apart
  long rim_ = 0;                  // zeros on either side of what is gathered from
};

}  // namespace

void stripIncrements(Module& module, Function& function, bool gather) { Strips(module, function, gather).run(); }

}  // namespace contraflow::transform
