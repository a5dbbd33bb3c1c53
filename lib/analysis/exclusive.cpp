// The proof: in a worksharing loop over i let every active place that may overlap P be a part of `base[index]` with one and the same
// base, which doesn't change in the loop, and
//   one index   index = c*i + d, the same polynomial for all, c a number that isn't zero; or
//   rows        index = i*S + d + r with 0 <= r < S, the same S and d for all; r is a number, or j + k with the counter j of a loop
//               inside, from a number up to S - m.
// d and S are made of variables that the loop doesn't write. Then different iterations touch different elements, and so do their
// adjoints. Nothing is assumed about the primal: the accesses alone decide. What a called function touches, and what isn't of this
// form, is no part of a proof, and spoils those that it may overlap.
#include "analysis/exclusive.hpp"

#include <algorithm>
#include <functional>

#include "analysis/index_forms.hpp"
#include "ir/match.hpp"
#include "ir/walk.hpp"

namespace contraflow::analysis {
namespace {

using namespace ir;

struct Access {
  ExprId place;
  std::string base;   // empty: of no form that proves anything
  Polynomial index;
};

class LoopProof {
 public:
  LoopProof(const Module& m, const PointsTo& p, const Accesses& accesses, const Activity& activity, const DisjointPointers& disjoint,
            FuncId f, StmtId loop)
      : disjoint_(disjoint), m_(m), p_(p), a_(accesses), activity_(activity), f_(f), fn_(m[f]), loop_(loop),
        counter_(std::get<For>(fn_[loop].node).counter), own_(declaredIn(fn_, loop)), writes_(accesses.of(f, loop).writes) {}

  // The places of the loop whose adjoints are exclusive; `all` gets every active place.
  std::set<ExprId> run(std::set<ExprId>& all) {
    collect(all);
    std::set<ExprId> proved;
    for (const Access& x : accesses_)
      if (!x.base.empty() && together(x)) proved.insert(x.place);
    return proved;
  }

 private:
  void collect(std::set<ExprId>& all) {
    walkStmt(fn_, loop_, [&](StmtId s) {
      if (std::holds_alternative<Call>(fn_[s].node)) {
        const Effects& e = a_.of(std::get<Call>(fn_[s].node).callee);
        for (const LocSet* set : {&e.reads, &e.writes})
          set->forEach([&](Loc l) {
            if (activity_.active(l)) foreign_.add(l);
          });
      }
      if (const auto* loop = std::get_if<For>(&fn_[s].node)) inner_[loop->counter] = *loop;
      forEachExprOfStmt(fn_[s], [&](ExprId e) {
        walkExpr(fn_, e, [&](ExprId x) {
          if (isPlace(fn_[x]) && activity_.active(f_, x) && all.insert(x).second) accesses_.push_back(form(x));
        });
      });
    });
  }

  // A name for an expression that has the same value throughout the loop; empty if it may change.
  std::string constant(ExprId e) {
    LocSet reads;
    a_.value(f_, e, reads);
    bool ok = !a_.closed(reads).meets(writes_);
    walkExpr(fn_, e, [&](ExprId x) {
      const ExprNode& node = fn_[x].node;
      if (const auto* v = std::get_if<VarRef>(&node)) ok = ok && own_.count(v->var) == 0;
      if (std::holds_alternative<PureCall>(node)) ok = false;
    });
    return ok ? key(e) : std::string();
  }
  // Of a container or array: where its elements are mustn't change; they themselves may.
  std::string constantPlace(ExprId e) {
    LocSet reads;
    a_.naming(f_, e, reads);
    if (const auto* c = as<ContainerType>(m_, fn_[e].type); c && c->kind == ContainerKind::Vector)
      for (Loc l : p_.objects(f_, e)) reads.add(p_.headerOf(l, fn_[e].type));
    bool ok = !a_.closed(reads).meets(writes_);
    walkExpr(fn_, e, [&](ExprId x) {
      const ExprNode& node = fn_[x].node;
      if (const auto* v = std::get_if<VarRef>(&node)) ok = ok && own_.count(v->var) == 0;
      if (std::holds_alternative<PureCall>(node)) ok = false;
    });
    return ok ? key(e) : std::string();
  }

  std::string key(ExprId e) const {
    std::string text = std::to_string(fn_[e].node.index());
    match(
        fn_[e].node, [&](const Literal& x) { text += "'" + x.text; },
        [&](const VarRef& x) { text += "v" + std::to_string(x.var.index()); },
        [&](const GlobalRef& x) { text += "g" + std::to_string(x.global.index()); },
        [&](const FieldRef& x) { text += "f" + std::to_string(x.field); },
        [&](const Unary& x) { text += "o" + std::to_string(static_cast<int>(x.op)); },
        [&](const Binary& x) { text += "o" + std::to_string(static_cast<int>(x.op)); },
        [&](const Cast&) { text += "t" + std::to_string(fn_[e].type.index()); },
        [&](const MathCall& x) { text += "m" + x.function; }, [&](const PureCall& x) { text += "p" + x.callee; },
        [](const Subscript&) {}, [](const Deref&) {}, [](const AddressOf&) {}, [](const Decay&) {}, [](const DataOf&) {},
        [](const SizeOf&) {}, [](const Conditional&) {}, [](const InitList&) {});
    text += "(";
    forEachChildExpr(fn_[e], [&](ExprId c) { text += key(c) + ","; });
    return text + ")";
  }

  // Down from the place to a subscript whose index moves with the counter; on the way only parts of the element.
  Access form(ExprId place) {
    Access out{place, {}, {}};
    for (ExprId at = place;;) {
      if (const auto* r = std::get_if<FieldRef>(&fn_[at].node)) {
        const auto* record = as<RecordType>(m_, fn_[r->base].type);
        if (!record || isReference(m_, m_[record->record].fields[r->field].type)) return out;
        at = r->base;
        continue;
      }
      const auto* s = std::get_if<Subscript>(&fn_[at].node);
      if (!s) return out;
      const bool viaPointer = as<PointerType>(m_, fn_[s->base].type) != nullptr;
      const auto* decay = std::get_if<Decay>(&fn_[s->base].node);
      const auto* data = std::get_if<DataOf>(&fn_[s->base].node);
      const ExprId inner = decay ? decay->array : data ? data->container : s->base;
      const bool owned = decay || data || !viaPointer;
      const std::string base = owned ? constantPlace(inner) : constant(inner);
      const auto index = polynomialOf(m_, fn_, s->index);
      if (!base.empty() && index && variablesOf(*index).count(counter_)) {
        // The elements behind a pointer and those of the container are told apart by their bases' names alone: they overlap, so
        // one of the two forms spoils the other.
        out.base = base;
        out.index = *index;
        return out;
      }
      if (!owned) return out;
      at = inner;
    }
  }

  bool invariant(const Polynomial& p) {
    for (VarId v : variablesOf(p)) {
      const Loc l = p_.localOf(f_, v);
      LocSet one;
      one.add(l);
      if (own_.count(v) || a_.closed(one).meets(writes_)) return false;
    }
    return true;
  }

  // index = i*S + rest; false if i stands elsewhere too.
  bool split(const Polynomial& index, Polynomial& stride, Polynomial& rest) const {
    for (const auto& [monomial, c] : index) {
      const auto times = std::count(monomial.begin(), monomial.end(), counter_);
      if (times > 1) return false;
      Monomial other;
      for (VarId v : monomial)
        if (v != counter_) other.push_back(v);
      (times == 1 ? stride : rest)[other] = c;
    }
    return !stride.empty();
  }

  bool together(const Access& x) {
    Polynomial stride, rest;
    if (!split(x.index, stride, rest) || !invariant(stride)) return false;
    const bool number = stride.size() == 1 && stride.begin()->first.empty();
    Polynomial offset;
    bool sameIndex = number && invariant(rest), rows = inRow(stride, rest, offset);
    for (Loc l : p_.objects(f_, x.place))
      if (p_.overlapping(l).meets(foreign_)) return false;
    for (const Access& y : accesses_) {
      if (y.place != x.place && !p_.mayOverlap(f_, x.place, y.place)) continue;
      const VarId p = basePointer(m_, fn_, x.place), q = basePointer(m_, fn_, y.place);
      if (p.valid() && q.valid() && disjoint_.during(f_, loop_, p, q)) continue;
      if (y.base != x.base) return false;
      Polynomial otherStride, otherRest, otherOffset;
      if (!split(y.index, otherStride, otherRest) || otherStride != stride) return false;
      sameIndex = sameIndex && y.index == x.index;
      rows = rows && inRow(stride, otherRest, otherOffset) && otherOffset == offset;
    }
    return sameIndex || rows;
  }

  // rest = d + r with 0 <= r < S: gives d.
  bool inRow(const Polynomial& stride, Polynomial rest, Polynomial& d) {
    if (stride.size() != 1 || stride.begin()->second < 1) return false;
    const bool number = stride.begin()->first.empty();
    if (!number && stride.begin()->second != 1) return false;
    const long long width = stride.begin()->second;  // of a stride that is a number
    long long k = 0;
    if (const auto c = rest.find(Monomial{}); c != rest.end()) {
      k = c->second;
      rest.erase(c);
    }
    // At most one counter of a loop inside.
    VarId j;
    for (const auto& [monomial, c] : rest)
      for (VarId v : monomial)
        if (own_.count(v)) {
          if (monomial.size() != 1 || c != 1 || j.valid()) return false;
          j = v;
        }
    long long low = k;
    bool below = number && k < width;
    if (j.valid()) {
      rest.erase(Monomial{j});
      const auto loop = inner_.find(j);
      if (loop == inner_.end()) return false;
      const For& l = loop->second;
      const auto init = polynomialOf(m_, fn_, l.init), bound = polynomialOf(m_, fn_, l.bound);
      const auto step = polynomialOf(m_, fn_, l.step);
      const auto isNumber = [](const Polynomial& p) { return p.empty() || (p.size() == 1 && p.begin()->first.empty()); };
      if (!init || !bound || !step || !isNumber(*init) || !isNumber(*step) || step->empty() || step->begin()->second < 1)
        return false;
      if (l.compare != BinaryOp::Lt && l.compare != BinaryOp::Le) return false;
      low += init->empty() ? 0 : init->begin()->second;
      // The greatest value of j + k: bound - 1 + k, or bound + k.
      Polynomial most = *bound;
      most[Monomial{}] += k - (l.compare == BinaryOp::Lt ? 1 : 0);
      for (const auto& [monomial, c] : stride) most[monomial] -= c;  // must be below zero
      bool onlyNumber = true;
      for (const auto& [monomial, c] : most) onlyNumber = onlyNumber && (c == 0 || monomial.empty());
      below = onlyNumber && most[Monomial{}] < 0;
    } else if (!number) {
      // i*n + k without a loop inside: nothing says that the row has a k-th element.
      return false;
    }
    if (low < 0 || !below || !invariant(rest)) return false;
    d = rest;
    return true;
  }

  const DisjointPointers& disjoint_;
  const Module& m_;
  const PointsTo& p_;
  const Accesses& a_;
  const Activity& activity_;
  const FuncId f_;
  const Function& fn_;
  const StmtId loop_;
  const VarId counter_;
  const std::set<VarId> own_;
  const LocSet writes_;
  std::vector<Access> accesses_;
  std::map<VarId, For> inner_;
  LocSet foreign_;  // active memory that called functions touch
};

// Nothing private or tied to a thread is live into an iteration: the body reads variables of the iteration, variables from outside of
// the region, and variables of the region that hold the same in every thread.
class FreeCheck {
 public:
  FreeCheck(const Module& m, const Accesses& accesses, FuncId f) : m_(m), a_(accesses), fn_(m[f]), f_(f) {}

  bool operator()(StmtId region, StmtId construct) {
    std::set<VarId> ofRegion = declaredIn(fn_, region);
    const std::set<VarId> own = declaredIn(fn_, construct);
    for (VarId v : own) ofRegion.erase(v);
    bool ok = true;
    walkStmt(fn_, construct, [&](StmtId s) {
      if (const auto* c = std::get_if<Call>(&fn_[s].node)) ok = ok && noThreadNumber(c->callee);
      forEachExprOfStmt(fn_[s], [&](ExprId e) {
        walkExpr(fn_, e, [&](ExprId x) {
          if (std::holds_alternative<PureCall>(fn_[x].node)) ok = false;
          if (const auto* v = std::get_if<VarRef>(&fn_[x].node))
            ok = ok && (ofRegion.count(v->var) == 0 || replicated(v->var, region, ofRegion));
        });
      });
    });
    return ok;
  }

 private:
  // Declared with a value that is the same in each thread, and never written.
  bool replicated(VarId v, StmtId region, const std::set<VarId>& ofRegion) {
    const Declare* found = nullptr;
    bool written = false;
    const Effects inside = a_.of(f_, region);
    walkStmt(fn_, region, [&](StmtId s) {
      const StmtNode& node = fn_[s].node;
      const auto hit = [&](ExprId target) { written = written || (target.valid() && rootVar(fn_, target) == v); };
      if (const auto* d = std::get_if<Declare>(&node); d && d->var == v) found = d;
      if (const auto* x = std::get_if<Assign>(&node)) hit(x->target);
      if (const auto* x = std::get_if<Increment>(&node)) hit(x->target);
      if (const auto* x = std::get_if<OmpAtomic>(&node)) hit(x->target);
      if (const auto* x = std::get_if<Call>(&node)) {
        hit(x->result);
        for (ExprId arg : x->args) hit(arg);  // perhaps by reference
      }
      forEachExprOfStmt(fn_[s], [&](ExprId e) {
        walkExpr(fn_, e, [&](ExprId x) {
          if (const auto* a = std::get_if<AddressOf>(&fn_[x].node)) hit(a->place);
        });
      });
    });
    if (!found || written || found->args.size() != 1 || found->init != Init::Value) return false;
    LocSet reads;
    a_.value(f_, found->args[0], reads);
    bool same = !a_.closed(reads).meets(inside.writes);
    walkExpr(fn_, found->args[0], [&](ExprId x) {
      if (std::holds_alternative<PureCall>(fn_[x].node)) same = false;
      if (const auto* w = std::get_if<VarRef>(&fn_[x].node)) same = same && ofRegion.count(w->var) == 0;
    });
    return same;
  }

  bool noThreadNumber(FuncId callee) {
    if (!seen_.insert(callee).second) return true;
    const Function& g = m_[callee];
    bool ok = g.hasBody;
    walkStmts(g, g.body, [&](StmtId s) {
      if (const auto* c = std::get_if<Call>(&g[s].node)) ok = ok && noThreadNumber(c->callee);
    });
    walkExprs(g, g.body, [&](ExprId e) { ok = ok && !std::holds_alternative<PureCall>(g[e].node); });
    return ok;
  }

  const Module& m_;
  const Accesses& a_;
  const Function& fn_;
  const FuncId f_;
  std::set<FuncId> seen_;
};

}  // namespace

Exclusive computeExclusive(const Module& m, const PointsTo& p, const Accesses& accesses, const Activity& activity,
                           const Recompute& recompute, const DisjointPointers& disjoint) {
  Exclusive out;
  for (std::uint32_t i = 0; i < m.functions.size(); ++i) {
    const FuncId f(i);
    if (!p.knows(f)) continue;
    const Function& fn = m[f];
    std::map<ExprId, std::pair<int, int>> places;  // in how many loops, and proved in how many
    std::set<ExprId> outside;                      // named in a region, but in no worksharing loop
    const std::function<void(StmtId, StmtId)> visit = [&](StmtId s, StmtId region) {
      if (const auto* loop = std::get_if<OmpFor>(&fn[s].node)) {
        std::set<ExprId> all;
        std::set<ExprId> proved = LoopProof(m, p, accesses, activity, disjoint, f, loop->loop).run(all);
        if (loop->collapse > 1) proved.clear();  // one value of the outer counter belongs to several iterations
        for (ExprId e : all) ++places[e].first;
        for (ExprId e : proved) ++places[e].second;
        if (region.valid() && recompute.loop(f, s) && FreeCheck(m, accesses, f)(region, s)) out.free_.insert({f, s});
        return;
      }
      const StmtId inner = std::holds_alternative<OmpParallel>(fn[s].node) ? s : region;
      forEachExprOfStmt(fn[s], [&](ExprId e) { walkExpr(fn, e, [&](ExprId x) { outside.insert(x); }); });
      forEachBlockOfStmt(fn[s], [&](const Block& b) {
        for (StmtId c : b) visit(c, inner);
      });
      if (const StmtId c = loopOf(fn[s])) visit(c, inner);
    };
    for (StmtId s : fn.body) visit(s, StmtId());
    for (const auto& [place, count] : places)
      if (count.first == count.second && outside.count(place) == 0) out.places_.insert({f, place});
  }
  return out;
}

}  // namespace contraflow::analysis
