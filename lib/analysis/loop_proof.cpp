// The proof of exclusive access: in a worksharing loop over i let every active place that may overlap P be a part of `base[index]` with
// one and the same base, which doesn't change in the loop, and
//   one index   index = c*i + d, the same polynomial for all, c a number that isn't zero; or
//   rows        index = i*S + d + r with 0 <= r < S, the same S and d for all; r is a number, or j + k with the counter j of a loop
//               inside, from a number up to S - m.
// d and S are made of what the loop doesn't write. Then different iterations touch different elements, and so do their adjoints.
//
// Bands: index = i*S + r, where r is affine in the counters of loops inside, so that its extremes are known before the loop. Then
// generated code finds out which iterations can meet at all (contraflow::omp::conflictDistance).
//
// Nothing is assumed about the primal: the accesses alone decide. What a called function touches, and what isn't of this form, is no
// part of a proof, and spoils those that it may overlap.
#include "analysis/loop_proof.hpp"

#include <algorithm>
#include <cstdlib>

#include "ir/match.hpp"
#include "ir/walk.hpp"

namespace contraflow::analysis {
namespace {

using namespace ir;

struct Access {
  ExprId place;
  std::string base;    // empty: of no form that proves anything
  ExprId baseExpr;
  Polynomial index;                // as addresses are computed
  std::optional<Polynomial> exact;  // in arithmetic that doesn't wrap
  bool direct = true;  // part of the element's own memory, not of a buffer that the element owns
};

constexpr std::size_t kMostOffsets = 64;

class LoopProof {
 public:
  LoopProof(const Module& m, const PointsTo& p, const Accesses& accesses, const Activity& activity, const DisjointPointers& disjoint,
            FuncId f, StmtId loop)
      : disjoint_(disjoint), m_(m), p_(p), a_(accesses), activity_(activity), f_(f), fn_(m[f]), loop_(loop),
        counter_(std::get<For>(fn_[loop].node).counter), own_(declaredIn(fn_, loop)), writes_(accesses.of(f, loop).writes) {}

  LoopAccesses run() {
    findValues();
    LoopAccesses out;
    collect(out.active);
    for (const Access& x : accesses_)
      if (!x.base.empty() && together(x)) out.exclusive.insert(x.place);
    bands(out);
    return out;
  }

 private:
  // Locals of an iteration that keep their first value: an index may be computed in one.
  void findValues() {
    std::set<VarId> changed;
    const auto target = [&](ExprId e) {
      if (const VarId root = e.valid() ? rootVar(fn_, e) : VarId(); root.valid()) changed.insert(root);
    };
    walkStmt(fn_, loop_, [&](StmtId s) {
      const StmtNode& node = fn_[s].node;
      if (const auto* d = std::get_if<Declare>(&node))
        if (d->init == Init::Value && d->args.size() == 1 && !values_.emplace(d->var, d->args[0]).second) changed.insert(d->var);
      if (const auto* x = std::get_if<Assign>(&node)) target(x->target);
      if (const auto* x = std::get_if<Increment>(&node)) target(x->target);
      if (const auto* x = std::get_if<OmpAtomic>(&node)) target(x->target);
      if (const auto* x = std::get_if<Opaque>(&node)) std::for_each(x->writes.begin(), x->writes.end(), target);
      if (const auto* x = std::get_if<Call>(&node)) {
        target(x->result);
        std::for_each(x->args.begin(), x->args.end(), target);  // perhaps by reference
      }
      if (const auto* d = std::get_if<Declare>(&node); d && d->init == Init::Bind)
        std::for_each(d->args.begin(), d->args.end(), target);
      forEachExprOfStmt(fn_[s], [&](ExprId e) {
        walkExpr(fn_, e, [&](ExprId x) {
          if (const auto* address = std::get_if<AddressOf>(&fn_[x].node)) target(address->place);
        });
      });
    });
    for (VarId v : changed) values_.erase(v);
  }

  // The index as a polynomial of counters and of what doesn't change in the loop.
  std::optional<Polynomial> polynomial(ExprId e, Wrapping wrapping = Wrapping::ProvesNothing) {
    const IndexLeaf leaf = [&](ExprId x) -> std::optional<Polynomial> {
      const auto* v = std::get_if<VarRef>(&fn_[x].node);
      if (v && !isReference(m_, fn_[v->var].type)) {
        const auto value = values_.find(v->var);
        const auto* type = as<IntType>(m_, fn_[v->var].type);
        // A narrow unsigned sum may have wrapped.
        return value != values_.end() && type && (type->isSigned || type->bits == 64) ? polynomial(value->second, wrapping)
                                                                                       : std::nullopt;
      }
      if (!isPlace(fn_[x]) && !std::holds_alternative<SizeOf>(fn_[x].node)) return std::nullopt;
      const std::string name = evaluatesAnywhere(x) ? constant(x) : std::string();
      if (name.empty()) return std::nullopt;
      const auto [atom, fresh] = atoms_.emplace(name, VarId(static_cast<std::uint32_t>(fn_.vars.size() + atoms_.size())));
      if (fresh) atomExprs_[atom->second] = x;
      return Polynomial{{{atom->second}, 1}};
    };
    return polynomialOf(m_, fn_, e, leaf, wrapping);
  }
  // Generated code evaluates atoms and bases in front of the loop, where the loop itself may not: behind a guard, or if it has no
  // iteration. So nothing is followed that may be a null pointer.
  bool evaluatesAnywhere(ExprId e) const {
    bool ok = true;
    walkExpr(fn_, e, [&](ExprId x) {
      const auto* s = std::get_if<Subscript>(&fn_[x].node);
      ok = ok && !std::holds_alternative<Deref>(fn_[x].node) && !s;
    });
    return ok;
  }
  bool isAtom(VarId v) const { return v.index() >= fn_.vars.size(); }

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
      if (const auto* a = std::get_if<Assign>(&fn_[s].node)) stored_.insert(a->target);
      if (const auto* i = std::get_if<Increment>(&fn_[s].node)) stored_.insert(i->target);
      if (const auto* a = std::get_if<OmpAtomic>(&fn_[s].node)) stored_.insert(a->target);
      forEachExprOfStmt(fn_[s], [&](ExprId e) {
        std::set<ExprId> prefixes;  // named on the way to a part: not touched as a whole
        walkExpr(fn_, e, [&](ExprId x) {
          if (const ExprId p = prefixOf(x); p.valid()) prefixes.insert(p);
        });
        walkExpr(fn_, e, [&](ExprId x) {
          if (isPlace(fn_[x]) && prefixes.count(x) == 0 && activity_.active(f_, x) && all.insert(x).second)
            accesses_.push_back(form(x));
        });
      });
    });
  }
  ExprId prefixOf(ExprId e) const {
    const ExprNode& node = fn_[e].node;
    if (const auto* r = std::get_if<FieldRef>(&node)) return r->base;
    if (const auto* d = std::get_if<Decay>(&node)) return d->array;
    if (const auto* d = std::get_if<DataOf>(&node)) return d->container;
    if (const auto* s = std::get_if<Subscript>(&node); s && !as<PointerType>(m_, fn_[s->base].type)) return s->base;
    return {};
  }

  // A name for the expression if nothing that it reads is written in the loop; otherwise empty.
  std::string unchanged(ExprId e, const LocSet& reads) const {
    bool ok = !a_.closed(reads).meets(writes_);
    walkExpr(fn_, e, [&](ExprId x) {
      const ExprNode& node = fn_[x].node;
      if (const auto* v = std::get_if<VarRef>(&node)) ok = ok && own_.count(v->var) == 0;
      if (std::holds_alternative<PureCall>(node)) ok = false;
    });
    return ok ? key(e) : std::string();
  }
  // A name for an expression that has the same value throughout the loop; empty if it may change.
  std::string constant(ExprId e) {
    LocSet reads;
    a_.value(f_, e, reads);
    return unchanged(e, reads);
  }
  // Of a container or array: where its elements are mustn't change; they themselves may.
  std::string constantPlace(ExprId e) {
    LocSet reads;
    a_.naming(f_, e, reads);
    if (const auto* c = as<ContainerType>(m_, fn_[e].type); c && c->kind == ContainerKind::Vector)
      for (Loc l : p_.objects(f_, e)) reads.add(p_.headerOf(l, fn_[e].type));
    return unchanged(e, reads);
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
    Access out;
    out.place = place;
    bool direct = true;
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
      const auto index = base.empty() ? std::nullopt : polynomial(s->index, Wrapping::AsAddresses);
      if (index && variablesOf(*index).count(counter_)) {
        // The elements behind a pointer and those of the container are told apart by their bases' names alone: they overlap, so
        // one of the two forms spoils the other.
        out.base = base;
        out.baseExpr = inner;
        out.index = *index;
        out.exact = polynomial(s->index);
        out.direct = direct;
        return out;
      }
      if (!owned) return out;
      direct = direct && holdsItsElements(fn_[inner].type);
      at = inner;
    }
  }

  bool holdsItsElements(TypeId type) const {
    const auto* c = as<ContainerType>(m_, type);
    return as<ArrayType>(m_, type) || (c && c->kind != ContainerKind::Vector);
  }

  bool invariant(const Polynomial& p) {
    for (VarId v : variablesOf(p)) {
      if (isAtom(v)) continue;
      const Loc l = p_.localOf(f_, v);
      LocSet one;
      one.add(l);
      if (own_.count(v) || a_.closed(one).meets(writes_)) return false;
    }
    return true;
  }

  // index = counter * stride + rest
  bool split(const Access& x, Polynomial& stride, Polynomial& rest) const {
    return x.exact && analysis::split(*x.exact, counter_, stride, rest) && !stride.empty();
  }

  bool together(const Access& x) {
    Polynomial stride, rest;
    if (!split(x, stride, rest) || !invariant(stride)) return false;
    const bool number = isNumber(stride);
    Polynomial offset;
    bool sameIndex = number && invariant(rest), rows = inRow(stride, rest, offset);
    if (touchedByCalls(x)) return false;
    for (const Access& y : accesses_) {
      if (!mayMeet(x, y)) continue;
      if (y.base != x.base) return false;
      Polynomial otherStride, otherRest, otherOffset;
      if (!split(y, otherStride, otherRest) || otherStride != stride) return false;
      sameIndex = sameIndex && y.exact == x.exact;
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
      const auto init = polynomial(l.init), bound = polynomial(l.bound), step = polynomial(l.step);
      if (!init || !bound || !step || !isNumber(*init) || !isNumber(*step) || numberOf(*step) < 1) return false;
      if (l.compare != BinaryOp::Lt && l.compare != BinaryOp::Le) return false;
      low += numberOf(*init);
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

  // --- bands

  void bands(LoopAccesses& out) {
    std::map<ExprId, std::optional<AffineAccess>> affine;
    for (const Access& x : accesses_) affine[x.place] = this->affine(x);
    std::set<ExprId> needed;
    for (const Access& x : accesses_) {
      if (!affine[x.place] || touchedByCalls(x)) continue;
      std::set<ExprId>& spoilers = out.bands.places[x.place];
      for (const Access& y : accesses_) {
        if (!mayMeet(x, y)) continue;
        // Addresses tell elements apart, but not the buffers that these own.
        const bool fits = affine[y.place] && (x.base == y.base || (x.direct && y.direct));
        (fits ? needed : spoilers).insert(y.place);
      }
    }
    for (ExprId place : needed) out.bands.accesses.push_back(*affine[place]);
    for (const auto& [name, atom] : atoms_) out.bands.atoms[atom] = atomExprs_[atom];
  }

  bool mayMeet(const Access& x, const Access& y) const {
    if (y.place == x.place) return true;
    if (!mayOverlap(x, y)) return false;
    const VarId p = basePointer(m_, fn_, x.place), q = basePointer(m_, fn_, y.place);
    return !(p.valid() && q.valid() && disjoint_.during(f_, loop_, p, q));
  }
  // What is only read may be an element of two pieces, whose `__restrict__` speaks of what is written; its adjoint is added to through both.
  bool mayOverlap(const Access& x, const Access& y) const {
    const bool areRead = stored_.count(x.place) == 0 && stored_.count(y.place) == 0;
    for (Loc a : p_.objects(f_, x.place))
      for (Loc b : p_.objects(f_, y.place))
        if (p_.locations.overlap(areRead ? whole(a) : a, areRead ? whole(b) : b)) return true;
    return false;
  }
  Loc whole(Loc l) const { return p_.locations[l].kind == LocKind::Piece ? p_.locations[l].parent : l; }
  bool touchedByCalls(const Access& x) const {
    for (Loc l : p_.objects(f_, x.place))
      if (p_.overlapping(stored_.count(x.place) == 0 ? whole(l) : l).meets(foreign_)) return true;
    return false;
  }

  // In terms of the iteration's number: counter = init + number * step.
  std::optional<AffineAccess> affine(const Access& x) {
    Polynomial perCounter, rest;
    if (x.base.empty() || !evaluatesAnywhere(x.baseExpr)) return std::nullopt;
    if (!analysis::split(x.index, counter_, perCounter, rest)) return std::nullopt;
    const For& loop = std::get<For>(fn_[loop_].node);
    const auto init = polynomial(loop.init, Wrapping::AsAddresses), step = polynomial(loop.step, Wrapping::AsAddresses);
    if (!init || !step) return std::nullopt;
    const auto stride = product(perCounter, *step);
    const auto start = substitute(x.index, counter_, *init);
    if (!stride || !start || !invariant(*stride)) return std::nullopt;
    std::vector<Polynomial> offsets{*start};
    while (replaceCounter(offsets))
      if (offsets.empty() || offsets.size() > kMostOffsets) return std::nullopt;
    for (const Polynomial& o : offsets)
      if (!invariant(o)) return std::nullopt;
    return AffineAccess{x.place, x.baseExpr, *stride, offsets};
  }

  // A counter of a loop inside takes its least and its greatest value: an affine function has its extremes there. False: there is
  // no such counter. No offsets left: not of that form.
  bool replaceCounter(std::vector<Polynomial>& offsets) {
    VarId counter;
    for (const Polynomial& o : offsets)
      for (VarId v : variablesOf(o))
        if (inner_.count(v)) counter = v;
    if (!counter.valid()) return false;
    std::vector<Polynomial> out;
    Polynomial ends[2];
    const bool known = extremes(inner_.at(counter), ends);
    for (const Polynomial& o : offsets) {
      if (!variablesOf(o).count(counter)) {
        out.push_back(o);
        continue;
      }
      for (const Polynomial& end : ends) {
        const auto value = known ? substitute(o, counter, end) : std::nullopt;
        if (!value || variablesOf(*value).count(counter)) {
          offsets.clear();
          return true;
        }
        out.push_back(*value);
      }
    }
    offsets = std::move(out);
    return true;
  }

  bool extremes(const For& l, Polynomial (&ends)[2]) {
    const auto init = polynomial(l.init, Wrapping::AsAddresses), bound = polynomial(l.bound, Wrapping::AsAddresses);
    const auto step = polynomial(l.step, Wrapping::AsAddresses);
    if (!init || !bound) return false;
    long long beyond = 0;  // what the bound is beyond the last value
    if (l.compare == BinaryOp::Lt) beyond = 1;
    if (l.compare == BinaryOp::Gt) beyond = -1;
    if (l.compare == BinaryOp::Ne) {
      if (!step || !isNumber(*step) || std::abs(numberOf(*step)) != 1) return false;
      beyond = numberOf(*step);
    }
    const auto last = sum(*bound, Polynomial{{{}, 1}}, -beyond);
    if (!last) return false;
    ends[0] = *init;
    ends[1] = *last;
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
  std::map<VarId, ExprId> values_;
  std::map<std::string, VarId> atoms_;  // unchanging expressions, numbered behind the variables
  std::map<VarId, ExprId> atomExprs_;
  LocSet foreign_;  // active memory that called functions touch
  std::set<ExprId> stored_;  // places that are written in the loop
};

}  // namespace

LoopAccesses proveLoop(const Module& m, const PointsTo& p, const Accesses& accesses, const Activity& activity,
                       const DisjointPointers& disjoint, FuncId f, StmtId loop) {
  return LoopProof(m, p, accesses, activity, disjoint, f, loop).run();
}

}  // namespace contraflow::analysis
