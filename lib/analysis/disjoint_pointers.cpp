#include "analysis/disjoint_pointers.hpp"

#include <algorithm>
#include <optional>

#include "ir/match.hpp"
#include "ir/walk.hpp"

namespace contraflow::analysis {

using namespace ir;

namespace {

// The pointer variable that a pointer value is an offset of.
VarId offsetOf(const Module& m, const Function& fn, ExprId pointer) {
  const Expr& e = fn[pointer];
  if (const auto* v = std::get_if<VarRef>(&e.node)) return as<PointerType>(m, fn[v->var].type) ? v->var : VarId();
  if (const auto* c = std::get_if<Cast>(&e.node)) return offsetOf(m, fn, c->operand);
  if (const auto* b = std::get_if<Binary>(&e.node))
    return offsetOf(m, fn, as<PointerType>(m, fn[b->lhs].type) ? b->lhs : b->rhs);
  if (const auto* a = std::get_if<AddressOf>(&e.node)) return basePointer(m, fn, a->place);
  if (const auto* d = std::get_if<Decay>(&e.node)) return basePointer(m, fn, d->array);
  return {};
}

}  // namespace

VarId basePointer(const Module& m, const Function& fn, ExprId place) {
  const Expr& e = fn[place];
  if (const auto* r = std::get_if<FieldRef>(&e.node)) {
    const auto* record = as<RecordType>(m, fn[r->base].type);
    return record && isReference(m, m[record->record].fields[r->field].type) ? VarId() : basePointer(m, fn, r->base);
  }
  if (const auto* s = std::get_if<Subscript>(&e.node))
    return as<PointerType>(m, fn[s->base].type) ? offsetOf(m, fn, s->base)
           : as<ArrayType>(m, fn[s->base].type) ? basePointer(m, fn, s->base)
                                                : VarId();
  if (const auto* d = std::get_if<Deref>(&e.node)) return offsetOf(m, fn, d->pointer);
  return {};
}

class DisjointFinder {
 public:
  DisjointFinder(const Module& m, const PointsTo& p, const std::vector<Head>& heads, bool noalias)
      : m_(m), p_(p), heads_(heads), noalias_(noalias) {}

  DisjointPointers run() {
    for (std::uint32_t k = 0; k < m_.functions.size(); ++k) start(FuncId(k));
    for (bool changed = true; changed;) {
      changed_ = false;
      out_.atLoop_.clear();
      for (std::uint32_t k = 0; k < m_.functions.size(); ++k)
        if (p_.knows(FuncId(k))) function(FuncId(k));
      changed = changed_;
    }
    return std::move(out_);
  }

 private:
  using Pair = DisjointPointers::Pair;
  using Pairs = DisjointPointers::Pairs;
  struct State {
    Pairs pairs;
    std::map<VarId, std::set<VarId>> roots;  // pointers known to point into one of these local objects
  };

  static Pair pair(VarId a, VarId b) { return a < b ? Pair{a, b} : Pair{b, a}; }

  bool isPointer(const Function& fn, VarId v) const { return as<PointerType>(m_, fn[v].type) != nullptr; }

  // What holds at entry: for functions that are only called, everything until a call says no.
  void start(FuncId f) {
    const Function& fn = m_[f];
    bool isHead = false;
    for (const Head& h : heads_) isHead = isHead || h.function == f;
    Pairs& entry = entry_[f];
    for (VarId a : fn.params)
      for (VarId b : fn.params) {
        if (!(a < b) || !isPointer(fn, a) || !isPointer(fn, b)) continue;
        if (!isHead || noalias_ || fn[a].isRestrict || fn[b].isRestrict) entry.insert(pair(a, b));
      }
    std::set<VarId>& taken = taken_[f];
    walkExprs(fn, fn.body, [&](ExprId e) {
      if (const auto* a = std::get_if<AddressOf>(&fn[e].node))
        if (const auto* v = std::get_if<VarRef>(&fn[a->place].node)) taken.insert(v->var);
    });
    walkStmts(fn, fn.body, [&](StmtId s) {
      const auto reference = [&](ExprId e) {
        if (const auto* v = std::get_if<VarRef>(&fn[e].node)) taken.insert(v->var);
      };
      if (const auto* d = std::get_if<Declare>(&fn[s].node); d && d->init == Init::Bind) reference(d->args[0]);
      if (const auto* c = std::get_if<Call>(&fn[s].node))
        for (std::size_t k = 0; k < c->args.size(); ++k)
          if (isReference(m_, m_[c->callee][m_[c->callee].params[k]].type)) reference(c->args[k]);
      if (const auto* o = std::get_if<Opaque>(&fn[s].node))
        for (ExprId w : o->writes) reference(w);
      forEachDeclaredVar(fn[s], [&](VarId v) {
        if (!std::holds_alternative<Declare>(fn[s].node)) taken.insert(v);  // copies and counters aren't followed
      });
    });
  }

  // Whether the function, or what it calls, swaps vectors.
  bool swaps(FuncId g) {
    const auto [at, isNew] = swaps_.try_emplace(g, false);
    if (!isNew) return at->second;
    bool found = false;
    walkStmts(m_[g], m_[g].body, [&](StmtId s) {
      if (const auto* r = std::get_if<Restructure>(&m_[g][s].node)) found = found || r->op == Structure::Swap;
      if (const auto* c = std::get_if<Call>(&m_[g][s].node)) found = swaps(c->callee) || found;
    });
    return swaps_[g] = found;
  }

  bool followed(VarId v) const { return isPointer(*fn_, v) && taken_.at(f_).count(v) == 0; }

  void function(FuncId f) {
    f_ = f;
    fn_ = &m_[f];
    State state;
    state.pairs = entry_[f];
    block(fn_->body, state);
  }

  void block(const Block& b, State& s) {
    for (StmtId id : b) statement(id, s);
  }

  static void meet(State& into, const State& other) {
    Pairs both;
    std::set_intersection(into.pairs.begin(), into.pairs.end(), other.pairs.begin(), other.pairs.end(),
                          std::inserter(both, both.end()));
    into.pairs = std::move(both);
    for (auto r = into.roots.begin(); r != into.roots.end();) {
      const auto there = other.roots.find(r->first);
      if (there == other.roots.end()) {
        r = into.roots.erase(r);
      } else {
        r->second.insert(there->second.begin(), there->second.end());
        ++r;
      }
    }
  }

  template <class Body>
  void loop(StmtId id, State& s, Body body) {
    for (;;) {
      State end = s;
      body(end);
      State head = s;
      meet(head, end);
      const bool stable = head.pairs == s.pairs && head.roots == s.roots;
      s = std::move(head);
      if (stable) break;
    }
    remember(id, s);
  }

  // The pairs of which neither is written in the loop.
  void remember(StmtId id, const State& s) {
    std::set<VarId> written;
    walkStmt(*fn_, id, [&](StmtId inner) {
      if (const auto* a = std::get_if<Assign>(&(*fn_)[inner].node))
        if (const auto* v = std::get_if<VarRef>(&(*fn_)[a->target].node)) written.insert(v->var);
      if (const auto* n = std::get_if<Allocate>(&(*fn_)[inner].node))
        if (const auto* v = std::get_if<VarRef>(&(*fn_)[n->target].node)) written.insert(v->var);
      forEachDeclaredVar((*fn_)[inner], [&](VarId v) { written.insert(v); });
      if (const auto* c = std::get_if<Call>(&(*fn_)[inner].node); c && c->result.valid())
        if (const auto* v = std::get_if<VarRef>(&(*fn_)[c->result].node)) written.insert(v->var);
    });
    Pairs pairs = s.pairs, kept;
    pairs.insert(assumed_.begin(), assumed_.end());
    for (const Pair& p : pairs)
      if (!written.count(p.first) && !written.count(p.second)) kept.insert(p);
    const auto key = std::make_pair(f_, id);
    const auto known = out_.atLoop_.find(key);
    if (known == out_.atLoop_.end()) {
      out_.atLoop_[key] = std::move(kept);
    } else {  // the same statement stands in two places
      Pairs both;
      std::set_intersection(kept.begin(), kept.end(), known->second.begin(), known->second.end(),
                            std::inserter(both, both.end()));
      known->second = std::move(both);
    }
  }

  // A condition that version_loops.cpp made: of each pair of pointers, what loops behind it name through the one lies apart from what
  // they name through the other. That is said of those loops' own elements, so it's no part of the state, which other pointers inherit.
  void assume(ExprId condition) {
    const ExprNode& node = (*fn_)[condition].node;
    if (const auto* both = std::get_if<Binary>(&node); both && both->op == BinaryOp::And) {
      assume(both->lhs);
      assume(both->rhs);
    }
    const auto* call = std::get_if<PureCall>(&node);
    if (!call || call->callee != "contraflow::apart") return;
    const auto pointer = [&](ExprId range) {
      return std::get<VarRef>((*fn_)[std::get<PureCall>((*fn_)[range].node).args[0]].node).var;
    };
    assumed_.insert(pair(pointer(call->args[0]), pointer(call->args[1])));
  }

  void statement(StmtId id, State& s) {
    const Function& fn = *fn_;
    const StmtNode& node = fn[id].node;
    if (const auto* d = std::get_if<Declare>(&node)) {
      store(d->var, d->init == Init::Value ? d->args[0] : ExprId(), s);
    } else if (const auto* a = std::get_if<Assign>(&node)) {
      if (const auto* v = std::get_if<VarRef>(&fn[a->target].node)) store(v->var, a->value, s);
    } else if (const auto* i = std::get_if<If>(&node)) {
      State other = s;
      const Pairs outside = assumed_;
      assume(i->condition);
      block(i->then, s);
      assumed_ = outside;
      block(i->otherwise, other);
      meet(s, other);
    } else if (const auto* l = std::get_if<For>(&node)) {
      loop(id, s, [&](State& inner) { block(l->body, inner); });
    } else if (const auto* w = std::get_if<While>(&node)) {
      loop(id, s, [&](State& inner) {
        block(w->test, inner);
        block(w->body, inner);
      });
    } else if (const auto* n = std::get_if<Allocate>(&node)) {
      if (const auto* v = std::get_if<VarRef>(&fn[n->target].node)) store(v->var, ExprId(), s);
    } else if (const auto* r = std::get_if<Restructure>(&node)) {
      if (r->op == Structure::Swap) s.roots.clear();  // what lies in which vector
    } else if (const auto* c = std::get_if<Call>(&node)) {
      call(*c, s);
      if (swaps(c->callee)) s.roots.clear();
    } else if (const StmtId inner = loopOf(fn[id])) {
      statement(inner, s);
      remember(id, s);
    } else {
      forEachBlockOfStmt(fn[id], [&](const Block& b) { block(b, s); });
    }
  }

  // The local object into which a pointer value points; none if unknown.
  VarId rootOf(ExprId e) const {
    const Expr& x = (*fn_)[e];
    const auto own = [&](ExprId place) {
      const Function& fn = *fn_;
      for (ExprId at = place;;) {
        if (const auto* v = std::get_if<VarRef>(&fn[at].node))
          return isReference(m_, fn[v->var].type) || isPointer(fn, v->var) ? VarId() : v->var;
        if (const auto* r = std::get_if<FieldRef>(&fn[at].node)) {
          const auto* record = as<RecordType>(m_, fn[r->base].type);
          if (record && isReference(m_, m_[record->record].fields[r->field].type)) return VarId();
          at = r->base;
        } else if (const auto* s = std::get_if<Subscript>(&fn[at].node)) {
          if (as<PointerType>(m_, fn[s->base].type)) return VarId();
          at = s->base;
        } else {
          return VarId();
        }
      }
    };
    if (const auto* d = std::get_if<Decay>(&x.node)) return own(d->array);
    if (const auto* d = std::get_if<DataOf>(&x.node)) return own(d->container);
    if (const auto* a = std::get_if<AddressOf>(&x.node)) return own(a->place);
    if (const auto* c = std::get_if<Cast>(&x.node)) return rootOf(c->operand);
    if (const auto* b = std::get_if<Binary>(&x.node)) return rootOf(as<PointerType>(m_, (*fn_)[b->lhs].type) ? b->lhs : b->rhs);
    return {};
  }

  std::optional<std::set<VarId>> rootsOf(ExprId e, const State& s) const {
    if (const VarId root = rootOf(e); root.valid()) return std::set<VarId>{root};
    const VarId v = offsetOf(m_, *fn_, e);
    const auto known = v.valid() ? s.roots.find(v) : s.roots.end();
    if (known == s.roots.end()) return std::nullopt;
    return known->second;
  }

  // True if the value surely points into another object than variable q does.
  bool disjoint(ExprId value, VarId q, const State& s) const {
    const VarId v = offsetOf(m_, *fn_, value);
    if (v.valid() && v != q && s.pairs.count(pair(v, q))) return true;
    return separate(rootsOf(value, s), s.roots.count(q) ? std::optional(s.roots.at(q)) : std::nullopt);
  }
  static bool separate(const std::optional<std::set<VarId>>& a, const std::optional<std::set<VarId>>& b) {
    if (!a || !b) return false;
    return std::none_of(a->begin(), a->end(), [&](VarId v) { return b->count(v) != 0; });
  }

  void store(VarId p, ExprId value, State& s) {
    if (!isPointer(*fn_, p)) return;
    std::vector<VarId> away;
    std::optional<std::set<VarId>> roots;
    if (value.valid() && followed(p)) {
      for (std::uint32_t k = 0; k < fn_->vars.size(); ++k) {
        const VarId q(k);
        if (q != p && followed(q) && disjoint(value, q, s)) away.push_back(q);
      }
      roots = rootsOf(value, s);
    }
    for (auto it = s.pairs.begin(); it != s.pairs.end();) it = it->first == p || it->second == p ? s.pairs.erase(it) : std::next(it);
    for (VarId q : away) s.pairs.insert(pair(p, q));
    s.roots.erase(p);
    if (roots) s.roots[p] = *roots;
  }

  void call(const Call& c, State& s) {
    const Function& g = m_[c.callee];
    Pairs& entry = entry_[c.callee];
    for (auto it = entry.begin(); it != entry.end();) {
      const auto index = [&](VarId v) {
        return static_cast<std::size_t>(std::find(g.params.begin(), g.params.end(), v) - g.params.begin());
      };
      const ExprId a = c.args[index(it->first)], b = c.args[index(it->second)];
      const VarId q = offsetOf(m_, *fn_, b);
      const bool holds = (q.valid() && followed(q) && disjoint(a, q, s)) || separate(rootsOf(a, s), rootsOf(b, s));
      if (holds) {
        ++it;
      } else {
        it = entry.erase(it);
        changed_ = true;
      }
    }
    if (c.result.valid())
      if (const auto* v = std::get_if<VarRef>(&(*fn_)[c.result].node)) store(v->var, ExprId(), s);
  }

  const Module& m_;
  const PointsTo& p_;
  const std::vector<Head>& heads_;
  const bool noalias_;
  std::map<FuncId, Pairs> entry_;
  std::map<FuncId, std::set<VarId>> taken_;
  std::map<FuncId, bool> swaps_;
  FuncId f_;
  const Function* fn_ = nullptr;
  bool changed_ = false;
  Pairs assumed_;
  DisjointPointers out_;
};

DisjointPointers computeDisjointPointers(const Module& m, const PointsTo& p, const std::vector<Head>& heads, bool noalias) {
  return DisjointFinder(m, p, heads, noalias).run();
}

}  // namespace contraflow::analysis
