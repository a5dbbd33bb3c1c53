#include "analysis/points_to.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/head_shadows.hpp"
#include "analysis/stores_through.hpp"
#include "ir/match.hpp"
#include "ir/walk.hpp"

namespace contraflow::analysis {

using namespace ir;

namespace {
const Locs kAnything = {kUnknown};
const Locs kNothing = {};
}  // namespace

const Locs& PointsTo::at(const Table& table, FuncId f, ExprId e) const {
  if (f.index() >= table.size() || e.index() >= table[f.index()].size()) return kAnything;
  return table[f.index()][e.index()];
}

const Locs& PointsTo::contents(Loc l) const { return l < contents_.size() ? contents_[l] : kNothing; }

bool PointsTo::mayOverlap(FuncId f, ExprId a, ExprId b) const {
  for (Loc x : objects(f, a))
    for (Loc y : objects(f, b))
      if (locations.overlap(x, y)) return true;
  return false;
}

bool PointsTo::callerVisible(FuncId f, ExprId place) const {
  const Locs& all = objects(f, place);
  // A vector that was swapped with one of the caller's has its buffer.
  return std::any_of(all.begin(), all.end(), [&](Loc l) {
    return locations.isExternal(l) || locations.isExternal(locations.findPart(l, LocKind::Buffer, 0, locations[l].type));
  });
}

// Repeats all assignments of addresses until nothing changes.
class PointsToSolver {
 public:
  PointsToSolver(const Module& m, const std::vector<Head>& heads, const CallGraph& graph, bool noalias)
      : m_(m), heads_(heads), noalias_(noalias), out_(m), l_(out_.locations) {
    std::vector<FuncId> entries;
    for (const Head& h : heads) entries.push_back(h.function);
    reached_ = graph.reachable(entries);
    for (FuncId f : entries)
      if (graph.callers(f).empty()) findPieces(f);
  }

  PointsTo run() {
    do {
      changed_ = false;
      for (std::uint32_t i = 0; i < m_.functions.size(); ++i)
        if (reached_[i]) function(FuncId(i));
    } while (changed_);
    return finish();
  }

 private:
  using Set = std::set<Loc>;

  // Pointers to reals declared `__restrict__` in the body of a head, that are set once: as long as the head runs, nothing but such a
  // pointer leads to what is written through it. Those that are only read may overlap, and aren't pieces. (In a function that runs several
  // times it may be another's memory each time.)
  void findPieces(FuncId f) {
    const Function& fn = m_[f];
    std::set<VarId> found;
    for (StmtId s : fn.body)
      if (const auto* d = std::get_if<Declare>(&fn[s].node)) {
        const auto* pointer = as<PointerType>(m_, fn[d->var].type);
        if (pointer && isReal(m_, pointer->pointee) && fn[d->var].isRestrict && d->init == Init::Value) found.insert(d->var);
      }
    const auto spoil = [&](ExprId place) {
      const auto* v = place.valid() ? std::get_if<VarRef>(&fn[place].node) : nullptr;
      if (v) found.erase(v->var);
    };
    walkStmts(fn, fn.body, [&](StmtId s) {
      const StmtNode& node = fn[s].node;
      if (const auto* a = std::get_if<Assign>(&node)) spoil(a->target);
      if (const auto* i = std::get_if<Increment>(&node)) spoil(i->target);
      if (const auto* a = std::get_if<Allocate>(&node)) spoil(a->target);
      if (const auto* d = std::get_if<Declare>(&node); d && d->init == Init::Bind) spoil(d->args[0]);
      if (const auto* c = std::get_if<Call>(&node)) {
        spoil(c->result);
        for (std::size_t k = 0; k < c->args.size(); ++k)
          if (isReference(m_, m_[c->callee][m_[c->callee].params[k]].type)) spoil(c->args[k]);
      }
      if (const auto* o = std::get_if<Opaque>(&node))
        for (ExprId w : o->writes) spoil(w);
      forEachExprOfStmt(fn[s], [&](ExprId e) {
        walkExpr(fn, e, [&](ExprId x) {
          if (const auto* a = std::get_if<AddressOf>(&fn[x].node)) spoil(a->place);
        });
      });
    });
    for (VarId v : found)
      if (storesThrough(m_, f, v)) pieces_.insert({f, v});
  }

  bool isAddress(TypeId t) const { return as<PointerType>(m_, t) || as<ReferenceType>(m_, t); }

  void store(Loc at, const Set& targets) {
    if (targets.empty()) return;
    Set& set = contents_[at];
    const std::size_t before = set.size();
    set.insert(targets.begin(), targets.end());
    changed_ = changed_ || set.size() != before;
  }

  // What is stored at the location, or at one that may be the same memory; and what was there when the head was entered.
  Set load(Loc at) {
    Set all;
    for (const auto& [other, set] : contents_)
      if (l_.overlap(at, other)) all.insert(set.begin(), set.end());
    if (at == kUnknown) all.insert(kUnknown);
    if (isAddress(l_[at].type) && hasCallersContent(at)) all.insert(externalOf(at));
    // Seen as something else, a pointer of the caller's may hide in it.
    if (!isAddress(l_[at].type) && l_.isExternal(at)) all.insert(kUnknown);
    return all;
  }

  bool hasCallersContent(Loc at) const {
    const Location& root = l_[l_[at].root];
    if (root.kind == LocKind::External || root.kind == LocKind::Global) return true;
    return root.kind == LocKind::Local && isHead(heads_, root.function) && m_[root.function][root.var].kind == VarKind::Parameter;
  }

  Loc externalOf(Loc holder) {
    const std::size_t before = l_.size();
    const Loc e = l_.external(holder);
    if (l_.size() == before) return e;
    changed_ = true;
    Location& x = l_[e];
    const Location& root = l_[l_[holder].root];
    const bool direct = l_[holder].parent == kNoLoc;
    if (root.kind == LocKind::Local) {
      const Function& f = m_[root.function];
      const auto param = static_cast<unsigned>(std::find(f.params.begin(), f.params.end(), root.var) - f.params.begin());
      x.shadow = headParameter(m_, heads_, root.function, param, false);
      x.unaliased = direct && f[root.var].isRestrict;
      x.distinctParameter = direct && noalias_;
    } else if (root.kind == LocKind::Global) {
      const bool named =
          std::any_of(heads_.begin(), heads_.end(), [&](const Head& h) { return headNames(h, root.global); });
      x.shadow = named ? Presence::Maybe : Presence::None;
    } else {
      x.shadow = root.shadow;
    }
    // A pointer that is itself loaded from the caller's memory may have a null shadow.
    if (!direct || root.kind == LocKind::External)
      if (x.shadow == Presence::Present) x.shadow = Presence::Maybe;
    return e;
  }

  // --- expressions

  Set address(FuncId f, ExprId id) {  // of a place
    const Function& fn = m_[f];
    const auto mapped = [&](const Set& from, auto&& part) {
      Set to;
      for (Loc x : from) to.insert(part(x));
      return to;
    };
    const auto none = [](const auto&) { return Set{}; };
    return match(
        fn[id].node,
        [&](const VarRef& e) {
          const Loc var = l_.local(f, e.var);
          return isReference(m_, fn[e.var].type) ? load(var) : Set{var};
        },
        [&](const GlobalRef& e) {
          const Loc var = l_.global(e.global);
          return isReference(m_, m_[e.global].type) ? load(var) : Set{var};
        },
        [&](const FieldRef& e) {
          const TypeId type = fn[e.base].type;
          const Set parts = mapped(address(f, e.base), [&](Loc x) { return l_.field(x, type, e.field); });
          const auto* record = as<RecordType>(m_, type);
          if (!record || !isReference(m_, m_[record->record].fields[e.field].type)) return parts;
          return loadAll(parts);
        },
        [&](const Subscript& e) {
          const TypeId type = fn[e.base].type;
          if (!as<PointerType>(m_, type)) return mapped(address(f, e.base), [&](Loc x) { return l_.element(x, type); });
          const auto* index = std::get_if<Literal>(&fn[e.index].node);
          const Set base = value(f, e.base);
          return index && index->text == "0" ? base : mapped(base, [&](Loc x) { return l_.afterArithmetic(x); });
        },
        [&](const Deref& e) { return value(f, e.pointer); },
        // A conditional or conversion may stand for a place too.
        [&](const Conditional& e) { return join(address(f, e.whenTrue), address(f, e.whenFalse)); },
        [&](const Cast& e) {
          return mapped(address(f, e.operand), [&](Loc x) { return l_.afterCast(x, fn[id].type); });
        },
        [&](const Literal& e) { return none(e); }, [&](const AddressOf& e) { return none(e); },
        [&](const Decay& e) { return none(e); }, [&](const DataOf& e) { return none(e); },
        [&](const SizeOf& e) { return none(e); }, [&](const Unary& e) { return none(e); },
        [&](const Binary& e) { return none(e); }, [&](const MathCall& e) { return none(e); },
        [&](const PureCall& e) { return none(e); }, [&](const InitList& e) { return none(e); });
  }

  Set loadAll(const Set& from) {
    Set all;
    for (Loc x : from) {
      const Set one = load(x);
      all.insert(one.begin(), one.end());
    }
    return all;
  }
  static Set join(Set a, const Set& b) {
    a.insert(b.begin(), b.end());
    return a;
  }

  Set value(FuncId f, ExprId id) {  // of an expression that is a pointer
    const Function& fn = m_[f];
    const auto elements = [&](ExprId array) {
      Set to;
      for (Loc x : address(f, array)) to.insert(l_.element(x, fn[array].type));
      return to;
    };
    const auto none = [](const auto&) { return Set{}; };
    const auto place = [&](const auto&) { return loadAll(address(f, id)); };
    return match(
        fn[id].node, [&](const VarRef& e) { return place(e); }, [&](const GlobalRef& e) { return place(e); },
        [&](const FieldRef& e) { return place(e); }, [&](const Subscript& e) { return place(e); },
        [&](const Deref& e) { return place(e); }, [&](const Literal& e) { return none(e); },  // null and its like
        [&](const AddressOf& e) { return address(f, e.place); }, [&](const Decay& e) { return elements(e.array); },
        [&](const DataOf& e) { return elements(e.container); }, [&](const SizeOf& e) { return none(e); },
        [&](const Unary& e) { return none(e); },
        [&](const Binary& e) {
          Set to;
          for (ExprId side : {e.lhs, e.rhs})
            if (as<PointerType>(m_, fn[side].type))
              for (Loc x : value(f, side)) to.insert(l_.afterArithmetic(x));
          return to;
        },
        [&](const Cast& e) {
          const TypeId from = fn[e.operand].type;
          if (as<ArrayType>(m_, from)) return elements(e.operand);
          const auto* to = as<PointerType>(m_, fn[id].type);
          if (!as<PointerType>(m_, from)) {
            const auto* literal = std::get_if<Literal>(&fn[e.operand].node);
            return literal ? Set{} : Set{kUnknown};  // a null constant, or an integer that is made a pointer
          }
          Set all;
          for (Loc x : value(f, e.operand)) all.insert(to ? l_.afterCast(x, to->pointee) : x);
          return all;
        },
        [&](const Conditional& e) { return join(value(f, e.whenTrue), value(f, e.whenFalse)); },
        [&](const MathCall& e) { return none(e); }, [&](const PureCall&) { return Set{kUnknown}; },
        [&](const InitList& e) { return none(e); });
  }

  // --- copies

  // The addresses in an object of the type go from one location to another.
  void copy(Loc to, Loc from, TypeId type, std::set<std::pair<Loc, Loc>>& seen) {
    if (!seen.insert({to, from}).second) return;
    if (isAddress(type)) return store(to, load(from));
    if (as<VoidType>(m_, type)) return;
    const bool known = (l_.sameType(l_[from].type, type) && l_.sameType(l_[to].type, type));
    if (!known) return store(to, load(from));
    if (const auto* r = as<RecordType>(m_, type)) {
      const auto& fields = m_[r->record].fields;
      for (unsigned i = 0; i < fields.size(); ++i)
        if (hasAddress(fields[i].type)) copy(l_.field(to, type, i), l_.field(from, type, i), fields[i].type, seen);
    }
    TypeId element;
    if (const auto* a = as<ArrayType>(m_, type)) element = a->element;
    if (const auto* c = as<ContainerType>(m_, type)) element = c->element;
    if (element.valid() && hasAddress(element)) copy(l_.element(to, type), l_.element(from, type), element, seen);
  }

  bool hasAddress(TypeId type) {
    const auto [at, isNew] = hasAddress_.try_emplace(type, false);
    if (!isNew) return at->second;
    bool found = isAddress(type);
    if (const auto* a = as<ArrayType>(m_, type)) found = hasAddress(a->element);
    if (const auto* c = as<ContainerType>(m_, type)) found = hasAddress(c->element);
    if (const auto* r = as<RecordType>(m_, type))
      for (const Field& field : m_[r->record].fields) found = hasAddress(field.type) || found;
    return hasAddress_[type] = found;
  }

  void assign(FuncId f, Loc to, ExprId from, TypeId type) {
    if (as<PointerType>(m_, type)) return store(to, value(f, from));
    if (!hasAddress(type)) return;
    const Function& fn = m_[f];
    if (const auto* list = std::get_if<InitList>(&fn[from].node)) {
      const auto* record = as<RecordType>(m_, type);
      for (unsigned i = 0; i < list->elements.size(); ++i) {
        const TypeId part = fn[list->elements[i]].type;
        if (record && i < m_[record->record].fields.size()) {
          const TypeId fieldType = m_[record->record].fields[i].type;
          const Loc field = l_.field(to, type, i);
          if (isReference(m_, fieldType)) store(field, address(f, list->elements[i]));
          else assign(f, field, list->elements[i], fieldType);
        } else {
          assign(f, l_.element(to, type), list->elements[i], part);
        }
      }
      return;
    }
    if (const auto* c = std::get_if<Conditional>(&fn[from].node)) {
      assign(f, to, c->whenTrue, type);
      return assign(f, to, c->whenFalse, type);
    }
    if (const auto* c = std::get_if<Cast>(&fn[from].node)) return assign(f, to, c->operand, type);
    std::set<std::pair<Loc, Loc>> seen;
    for (Loc x : address(f, from)) copy(to, x, type, seen);
  }

  void assign(FuncId f, ExprId target, ExprId from) {
    const TypeId type = m_[f][target].type;
    if (hasAddress(type))
      for (Loc x : address(f, target)) assign(f, x, from, type);
  }

  // --- statements

  void function(FuncId f) {
    const Function& fn = m_[f];
    walkStmts(fn, fn.body, [&](StmtId s) { statement(f, s, fn[s]); });
  }

  void declare(FuncId f, const Declare& d) {
    const TypeId type = m_[f][d.var].type;
    const Loc var = l_.local(f, d.var);
    switch (d.init) {
      case Init::None:
      case Init::Zero: return;
      case Init::Bind: return store(var, address(f, d.args[0]));
      case Init::Value:
        if (pieces_.count({f, d.var}) != 0) {
          Set made;
          for (Loc x : value(f, d.args[0])) made.insert(l_.piece(x, f, d.var));
          return store(var, made);
        }
        return assign(f, var, d.args[0], type);
      case Init::List: return assign(f, var, d.args[0], type);
      case Init::Construct:
        for (ExprId arg : d.args) {
          const auto* c = as<ContainerType>(m_, type);
          if (c && l_.sameType(m_[f][arg].type, c->element)) assign(f, l_.element(var, type), arg, c->element);
          if (l_.sameType(m_[f][arg].type, type)) assign(f, var, arg, type);
        }
    }
  }

  void data(FuncId f, const DataSharing& d) {
    std::set<std::pair<Loc, Loc>> seen;
    for (const auto* list : {&d.firstprivates, &d.lastprivates})
      for (const CopyOf& c : *list) {
        const TypeId type = m_[f][c.copy].type;
        if (!hasAddress(type)) continue;
        for (Loc x : address(f, c.original)) {
          if (list == &d.firstprivates) copy(l_.local(f, c.copy), x, type, seen);
          else copy(x, l_.local(f, c.copy), type, seen);
        }
      }
  }

  void call(FuncId f, const Call& c) {
    const Function& callee = m_[c.callee];
    for (std::size_t i = 0; i < c.args.size() && i < callee.params.size(); ++i) {
      const TypeId type = callee[callee.params[i]].type;
      const Loc param = l_.local(c.callee, callee.params[i]);
      if (isReference(m_, type)) store(param, address(f, c.args[i]));
      else assign(f, param, c.args[i], type);
    }
    if (!c.result.valid() || !hasAddress(callee.result)) return;
    const Loc result = l_.result(c.callee);
    std::set<std::pair<Loc, Loc>> seen;
    // A reference that is returned is either kept as an address, or what it denotes is copied.
    if (const auto* var = std::get_if<VarRef>(&m_[f][c.result].node))
      if (isReference(m_, m_[f][var->var].type) && isReference(m_, callee.result))
        store(l_.local(f, var->var), load(result));
    const TypeId type = m_[f][c.result].type;
    for (Loc to : address(f, c.result)) {
      if (!isReference(m_, callee.result)) copy(to, result, type, seen);
      else if (isAddress(type)) store(to, join(load(result), loadAll(load(result))));
      else if (hasAddress(type))
        for (Loc from : load(result)) copy(to, from, type, seen);
    }
  }

  // Two vectors exchange their buffers: what points into one points into the other afterwards.
  void swap(FuncId f, const Restructure& s) {
    const TypeId type = m_[f][s.container].type;
    const TypeId element = as<ContainerType>(m_, type)->element;
    std::set<std::pair<Loc, Loc>> seen;
    for (Loc a : address(f, s.container))
      for (Loc b : address(f, s.operand)) {
        const Loc x = l_.element(a, type), y = l_.element(b, type);
        changed_ = l_.join(x, y) || changed_;
        if (!hasAddress(element)) continue;
        copy(x, y, element, seen);
        copy(y, x, element, seen);
      }
  }

  void statement(FuncId f, StmtId id, const Stmt& stmt) {
    const Function& fn = m_[f];
    const auto nothing = [](const auto&) {};
    match(
        stmt.node, [&](const Declare& s) { declare(f, s); }, [&](const Assign& s) { assign(f, s.target, s.value); },
        [&](const Increment& s) {  // of a pointer
          if (as<PointerType>(m_, fn[s.target].type)) {
            Set to;
            for (Loc x : value(f, s.target)) to.insert(l_.afterArithmetic(x));
            for (Loc at : address(f, s.target)) store(at, to);
          }
        },
        [&](const Call& s) { call(f, s); }, [&](const For& s) { assign(f, l_.local(f, s.counter), s.init, fn[s.counter].type); },
        [&](const Return& s) {
          if (!s.value.valid()) return;
          if (isReference(m_, fn.result)) store(l_.result(f), address(f, s.value));
          else assign(f, l_.result(f), s.value, fn.result);
        },
        [&](const OmpParallel& s) { data(f, s.data); }, [&](const OmpFor& s) { data(f, s.data); },
        [&](const OmpSimd& s) { data(f, s.data); }, [&](const OmpSingle& s) { data(f, s.data); },
        // What these write are no addresses that the program computes with.
        [&](const Opaque& s) {
          for (ExprId w : s.writes)
            if (hasAddress(fn[w].type))
              for (Loc at : address(f, w)) store(at, {kUnknown});
        },
        [&](const Restructure& s) {
          if (s.op == Structure::Swap) swap(f, s);
        },
        [&](const Allocate& s) {
          const Loc memory = l_.heap(f, id, as<PointerType>(m_, fn[s.target].type)->pointee);
          for (Loc at : address(f, s.target)) store(at, {memory});
        },
        [&](const Free& s) { nothing(s); },
        [&](const Mpi& s) { nothing(s); }, [&](const OmpAtomic& s) { nothing(s); }, [&](const If& s) { nothing(s); },
        [&](const While& s) { nothing(s); }, [&](const Scope& s) { nothing(s); }, [&](const Break& s) { nothing(s); },
        [&](const Continue& s) { nothing(s); }, [&](const OmpMaster& s) { nothing(s); },
        [&](const OmpBarrier& s) { nothing(s); }, [&](const Push& s) { nothing(s); }, [&](const Pop& s) { nothing(s); },
        [&](const TapeBlock& s) { nothing(s); }, [&](const TapeRelease& s) { nothing(s); },
        [&](const Revert& s) { nothing(s); },
        [&](const SharedIncrement& s) { nothing(s); }, [&](const SetZero& s) { nothing(s); },
        [&](const Runtime& s) { nothing(s); }, [&](const Comment& s) { nothing(s); });
  }

  // --- the result

  PointsTo finish() {
    out_.known_ = reached_;
    for (std::uint32_t i = 0; i < m_.functions.size(); ++i) {
      if (!reached_[i]) continue;
      const Function& fn = m_.functions[i];
      out_.places_[i].assign(fn.exprs.size(), kAnything);
      out_.targets_[i].assign(fn.exprs.size(), kAnything);
      for (std::uint32_t v = 0; v < fn.vars.size(); ++v) l_.local(FuncId(i), VarId(v));
      if (fn.result.valid()) l_.result(FuncId(i));
      for (std::uint32_t e = 0; e < fn.exprs.size(); ++e) cache(FuncId(i), ExprId(e));
    }
    for (std::uint32_t g = 0; g < m_.globals.size(); ++g) l_.global(GlobalId(g));
    for (const Head& h : heads_)
      for (VarId p : m_[h.function].params) load(l_.local(h.function, p));
    for (Loc x = 0; x < l_.size(); ++x)
      if (const TypeId type = l_[x].type; type.valid()) l_.header(x, type);
    // Every location is made by now, but for the objects behind pointers that nobody follows.
    const std::size_t n = l_.size();
    for (const auto& [at, set] : contents_)
      for (Loc x : set) out_.stored_.add(l_[x].root);
    out_.contents_.resize(n);
    out_.overlapping_.resize(n);
    for (Loc a = 0; a < n; ++a) {
      if (isAddress(l_[a].type)) {
        Set all;
        for (const auto& [other, set] : contents_)
          if (l_.overlap(a, other)) all.insert(set.begin(), set.end());
        if (const Loc e = l_.knownExternal(a); e != kNoLoc) all.insert(e);
        out_.contents_[a].assign(all.begin(), all.end());
      }
      for (Loc b = 0; b < n; ++b)
        if (l_.overlap(a, b)) out_.overlapping_[a].add(b);
    }
    return std::move(out_);
  }

  void cache(FuncId f, ExprId e) {
    const Expr& expr = m_[f][e];
    const Set place = address(f, e);
    out_.places_[f.index()][e.index()].assign(place.begin(), place.end());
    Set to;
    if (as<PointerType>(m_, expr.type)) to = value(f, e);
    out_.targets_[f.index()][e.index()].assign(to.begin(), to.end());
  }

  const Module& m_;
  const std::vector<Head>& heads_;
  const bool noalias_;
  std::vector<bool> reached_;
  PointsTo out_;
  Locations& l_;
  std::map<Loc, Set> contents_;
  std::map<TypeId, bool> hasAddress_;
  std::set<std::pair<FuncId, VarId>> pieces_;
  bool changed_ = false;
};

PointsTo computePointsTo(const Module& m, const std::vector<Head>& heads, const CallGraph& graph, bool noalias) {
  return PointsToSolver(m, heads, graph, noalias).run();
}

}  // namespace contraflow::analysis
