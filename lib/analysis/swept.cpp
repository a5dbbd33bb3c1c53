#include "analysis/swept.hpp"

#include <algorithm>

#include "analysis/first_writes.hpp"
#include "analysis/index_bounds.hpp"
#include "ir/walk.hpp"

namespace contraflow::analysis {

using namespace ir;

namespace {

constexpr std::size_t kMostStatements = 64;  // behind a sweep: long straight-line code has a sweep on each line

// The elements first to last, counted from the pointer or array `root`.
struct Range {
  VarId root;
  Polynomial first, last;
};

}  // namespace

class SweptFinder {
 public:
  SweptFinder(const Module& m, const PointsTo& p, const Accesses& accesses, FuncId f, Swept& out)
      : m_(m), p_(p), accesses_(accesses), f_(f), fn_(m[f]), bounds_(m, p, f), out_(out) {}

  void run() {
    block(fn_.body);
    for (StmtId s : firstWrites(m_, p_, accesses_, f_)) out_.own_.insert({f_, s});
  }

 private:
  void block(const Block& b) {
    for (std::size_t k = 0; k < b.size(); ++k) {
      sweep(b, k);
      const Stmt& stmt = fn_[b[k]];
      // Threads of a team overwrite what others read.
      if (std::holds_alternative<OmpParallel>(stmt.node)) continue;
      const auto* loop = std::get_if<For>(&stmt.node);
      if (loop) loops_.push_back(loop);
      forEachBlockOfStmt(stmt, [&](const Block& inner) { block(inner); });
      if (loop) loops_.pop_back();
    }
  }

  // If statement number k is a sweep, what follows it.
  void sweep(const Block& b, std::size_t k) {
    const auto* loop = std::get_if<For>(&fn_[b[k]].node);
    const auto* single = std::get_if<Assign>(&fn_[b[k]].node);
    if (single && !isElement(single->target)) return;
    if (!loop && !single) return;
    std::vector<StmtId> writes;  // of one iteration, in any case
    if (single) writes.push_back(b[k]);
    if (loop)
      for (StmtId s : loop->body)
        if (const auto* a = std::get_if<Assign>(&fn_[s].node); a && isElement(a->target)) writes.push_back(s);
    for (StmtId s : writes) {
      swept_ = std::get<Assign>(fn_[s].node).target;
      const auto range = loop ? rangeOf(*loop) : rangeOf(swept_);
      if (!range) continue;
      range_ = *range;
      std::set<StmtId> found;
      stores_.clear();
      if (!readsElsewhere(b[k], found)) continue;
      for (std::size_t next = k + 1; next < b.size() && next <= k + kMostStatements; ++next) {
        found.clear();
        // (One statement's own result stays, but for a loop that runs it again.)
        const bool single = !std::holds_alternative<For>(fn_[b[next]].node);
        const std::set<StmtId> before = stores_;
        if (!readsElsewhere(b[next], found)) break;
        for (StmtId own : found) out_.own_.insert({f_, own});
        if (found.empty()) continue;
        for (StmtId lost : single ? before : stores_) out_.lost_.insert({f_, lost});
      }
    }
  }

  bool isElement(ExprId e) const { return std::holds_alternative<Subscript>(fn_[e].node) && isReal(m_, fn_[e].type); }

  // Of one element, in a block whose loops go on around it.
  std::optional<Range> rangeOf(ExprId element) const {
    const auto at = bounds_.elementOf(element, loops_);
    return at ? std::optional(Range{at->root, at->index, at->index}) : std::nullopt;
  }
  // Of the elements that all iterations of a loop write at `swept_`: without gaps.
  std::optional<Range> rangeOf(const For& loop) {
    const auto ends = bounds_.ends(loop, loops_);
    if (!ends || !ends->dense()) return std::nullopt;
    loops_.push_back(&loop);
    const auto at = bounds_.elementOf(swept_, loops_);
    loops_.pop_back();
    Polynomial stride, rest;
    if (!at || !split(at->index, loop.counter, stride, rest) || stride != Polynomial{{{}, 1}}) return std::nullopt;
    // What is declared in an iteration has another value in the next one.
    std::set<VarId> inside;
    for (StmtId s : loop.body) walkStmt(fn_, s, [&](StmtId x) { forEachDeclaredVar(fn_[x], [&](VarId v) { inside.insert(v); }); });
    if (inside.count(bounds_.baseOf(swept_)) != 0) return std::nullopt;
    for (VarId v : variablesOf(rest))
      if (inside.count(v) != 0) return std::nullopt;
    const auto first = sum(rest, ends->low), last = sum(rest, ends->high);
    return first && last ? std::optional(Range{at->root, *first, *last}) : std::nullopt;
  }

  // True for numbers and loops over them that read nothing of the range; `found`: what writes elements of it, and no others.
  bool readsElsewhere(StmtId s, std::set<StmtId>& found) {
    const StmtNode& node = fn_[s].node;
    if (std::holds_alternative<Comment>(node)) return true;
    if (const auto* d = std::get_if<Declare>(&node)) {
      if (d->storage != Storage::Automatic || !isNumber(fn_[d->var].type)) return false;
      if (d->init != Init::None && d->init != Init::Zero && d->init != Init::Value) return false;
      return std::all_of(d->args.begin(), d->args.end(), [&](ExprId e) { return elsewhere(e); });
    }
    if (const auto* a = std::get_if<Assign>(&node)) return write(s, a->target, a->value, found);
    if (const auto* i = std::get_if<Increment>(&node)) return write(s, i->target, i->value, found);
    const auto* loop = std::get_if<For>(&node);
    if (!loop || !elsewhere(loop->init) || !elsewhere(loop->bound) || !elsewhere(loop->step)) return false;
    loops_.push_back(loop);
    const bool good = std::all_of(loop->body.begin(), loop->body.end(), [&](StmtId inner) { return readsElsewhere(inner, found); });
    loops_.pop_back();
    return good;
  }
  bool write(StmtId s, ExprId target, ExprId value, std::set<StmtId>& found) {
    if (!isNumber(fn_[target].type) || !elsewhere(value) || !namedElsewhere(target)) return false;
    if (isElement(target) && inRange(target)) found.insert(s);
    if (p_.mayOverlap(f_, target, swept_)) stores_.insert(s);
    return true;
  }
  bool isNumber(TypeId t) const { return isReal(m_, t) || isIntegral(m_, t); }

  // Nothing that the expression reads is in the range.
  bool elsewhere(ExprId e) const {
    if (isPlace(fn_[e])) return (!p_.mayOverlap(f_, e, swept_) || outOfRange(e)) && namedElsewhere(e);
    if (const auto* a = std::get_if<AddressOf>(&fn_[e].node)) return namedElsewhere(a->place);
    if (const auto* d = std::get_if<Decay>(&fn_[e].node)) return namedElsewhere(d->array);
    // (Where a vector's elements are, and how many: no elements.)
    if (const auto* d = std::get_if<DataOf>(&fn_[e].node)) return namedElsewhere(d->container);
    if (const auto* d = std::get_if<SizeOf>(&fn_[e].node)) return namedElsewhere(d->container);
    bool good = true;
    forEachChildExpr(fn_[e], [&](ExprId child) { good = good && elsewhere(child); });
    return good;
  }
  // Nor what the place's address is computed from.
  bool namedElsewhere(ExprId place) const {
    const ExprNode& node = fn_[place].node;
    if (const auto* r = std::get_if<FieldRef>(&node)) return namedElsewhere(r->base);
    if (const auto* d = std::get_if<Deref>(&node)) return elsewhere(d->pointer);
    const auto* s = std::get_if<Subscript>(&node);
    if (!s) return true;
    return elsewhere(s->index) && (as<PointerType>(m_, fn_[s->base].type) ? elsewhere(s->base) : namedElsewhere(s->base));
  }
  bool outOfRange(ExprId x) const {
    const auto at = isElement(x) ? bounds_.elementOf(x, loops_) : std::nullopt;
    if (!at || at->root != range_.root || !sameReal(x, swept_)) return false;
    return bounds_.atLeast(sum(at->index, range_.last, -1), 1, loops_) || bounds_.atLeast(sum(range_.first, at->index, -1), 1, loops_);
  }
  bool sameReal(ExprId a, ExprId b) const {
    return as<RealType>(m_, fn_[a].type)->kind == as<RealType>(m_, fn_[b].type)->kind;
  }
  bool inRange(ExprId x) const {
    const auto at = bounds_.elementOf(x, loops_);
    if (!at || at->root != range_.root || !sameReal(x, swept_)) return false;
    return bounds_.atLeast(sum(at->index, range_.first, -1), 0, loops_) && bounds_.atLeast(sum(range_.last, at->index, -1), 0, loops_);
  }

  const Module& m_;
  const PointsTo& p_;
  const Accesses& accesses_;
  const FuncId f_;
  const Function& fn_;
  const IndexBounds bounds_;
  Swept& out_;
  std::vector<const For*> loops_;  // around the present statement
  ExprId swept_;                   // what the sweep writes
  Range range_;
  std::set<StmtId> stores_;        // what may write the range since the sweep, with the sweep's own statements
};

Swept computeSwept(const Module& m, const PointsTo& p, const Accesses& accesses) {
  Swept out;
  for (std::uint32_t k = 0; k < m.functions.size(); ++k)
    if (p.knows(FuncId(k))) SweptFinder(m, p, accesses, FuncId(k), out).run();
  return out;
}

}  // namespace contraflow::analysis
