#include "analysis/activity.hpp"

#include <algorithm>
#include <set>

#include "analysis/head_shadows.hpp"
#include "analysis/mpi_classes.hpp"
#include "ir/match.hpp"
#include "ir/walk.hpp"
#include "rules/mpi.hpp"
#include "rules/rules.hpp"

namespace contraflow::analysis {

using namespace ir;

bool constantIn(const MathCall& call, std::size_t arg) {
  const rules::MathRow* row = rules::findMath(call.function);
  return row && arg < row->partials.size() && row->partials[arg] == "0";
}

void forEachDifferentiableRead(const Module& m, FuncId f, ExprId id, const std::function<void(ExprId)>& each) {
  const Function& fn = m[f];
  // Whole records count, and everything whose type says nothing.
  if (!mayReachReal(m, fn[id].type)) return;
  if (as<PointerType>(m, fn[id].type)) return;  // an address has no derivative
  const auto inner = [&](ExprId e) { forEachDifferentiableRead(m, f, e, each); };
  const auto place = [&](const auto&) { each(id); };
  match(
      fn[id].node, [&](const VarRef& e) { place(e); }, [&](const GlobalRef& e) { place(e); },
      [&](const FieldRef& e) { place(e); }, [&](const Subscript& e) { place(e); }, [&](const Deref& e) { place(e); },
      [](const Literal&) {}, [](const AddressOf&) {}, [](const Decay&) {}, [](const DataOf&) {}, [](const SizeOf&) {},
      [&](const Unary& e) { inner(e.operand); },
      [&](const Binary& e) {
        inner(e.lhs);
        inner(e.rhs);
      },
      [&](const Cast& e) { inner(e.operand); },
      [&](const Conditional& e) {
        inner(e.whenTrue);
        inner(e.whenFalse);
      },
      [&](const MathCall& e) {
        for (std::size_t i = 0; i < e.args.size(); ++i)
          if (!constantIn(e, i)) inner(e.args[i]);
      },
      [](const PureCall&) {},
      [&](const InitList& e) {
        for (ExprId x : e.elements) inner(x);
      });
}

bool Activity::active(FuncId f, ExprId place) const {
  const Locs& all = p_.objects(f, place);
  return holdsReal(m_, m_[f][place].type) &&
         std::any_of(all.begin(), all.end(), [&](Loc l) { return active(l) && shadow(l) != Presence::None; });
}

bool Activity::activeValue(FuncId f, ExprId e) const {
  bool found = false;
  forEachDifferentiableRead(m_, f, e, [&](ExprId place) { found = found || active(f, place); });
  return found;
}

bool Activity::activeMpi(FuncId f, StmtId s) const {
  const auto found = mpi_.find({f, s});
  return found == mpi_.end() || found->second;
}

Presence Activity::shadow(Loc l) const {
  const Location& root = p_.locations[p_.locations[l].root];
  switch (root.kind) {
    case LocKind::Unknown: return Presence::Maybe;
    case LocKind::External: return root.shadow;
    case LocKind::Result: return Presence::Present;
    case LocKind::Local:
    case LocKind::Heap:
    case LocKind::Global: return hasShadow_[p_.locations[l].root] ? Presence::Present : Presence::None;
    case LocKind::Field:
    case LocKind::Element:
    case LocKind::Header:
    case LocKind::Buffer:
    case LocKind::Piece: break;  // no roots
  }
  return Presence::Maybe;
}

Presence Activity::shadowOfTargets(const Locs& targets) const {
  bool with = false, without = false;
  for (Loc l : targets) {
    const Presence one = shadow(l);
    with = with || one != Presence::None;
    without = without || one != Presence::Present;
  }
  return !with ? Presence::None : without ? Presence::Maybe : Presence::Present;
}

class ActivitySolver {
 public:
  ActivitySolver(const Module& m, const PointsTo& p, const std::vector<Head>& heads)
      : m_(m), p_(p), l_(p.locations), heads_(heads), out_(m, p), classes_(computeMpiClasses(m, p)) {}

  Activity run(bool everything) {
    findConstantMembers();
    if (everything)
      for (LocSet* set : {&out_.varied_, &out_.useful_})
        for (Loc l = 0; l < l_.size(); ++l) mark(l, *set, true);
    seed();
    for (const bool forward : {true, false}) {
      do {
        changed_ = false;
        each([&](FuncId f, StmtId s) { statement(f, s, forward); });
        for (const MpiClass& c : classes_.all()) {
          if (forward && any(c.sent, out_.varied_)) mark(c.received, out_.varied_);
          if (!forward && any(c.received, out_.useful_)) mark(c.sent, out_.useful_);
        }
      } while (changed_);
    }
    shadows();
    mpi();
    each([&](FuncId f, StmtId s) { findMissing(f, s); });
    return std::move(out_);
  }

 private:
  template <class F>
  void each(F&& f) {
    for (std::uint32_t i = 0; i < m_.functions.size(); ++i)
      if (p_.knows(FuncId(i))) walkStmts(m_.functions[i], m_.functions[i].body, [&](StmtId s) { f(FuncId(i), s); });
  }

  // --- sets

  // Members of the callers' objects that are declared const: nothing is written to them, whatever a pointer may lead to.
  void findConstantMembers() {
    for (Loc x = 0; x < l_.size(); ++x) {
      if (l_[x].kind != LocKind::Field || l_[l_[x].root].kind != LocKind::External || !l_.holdsReal(x)) continue;
      bool isConst = false;
      for (Loc at = x; l_[at].parent != kNoLoc; at = l_[at].parent) {
        const auto* record = l_[at].kind == LocKind::Field ? as<RecordType>(m_, l_[l_[at].parent].type) : nullptr;
        isConst = isConst || (record && l_[at].field < m_[record->record].fields.size() && m_[m_[record->record].fields[l_[at].field].type].isConst);
      }
      if (isConst) constantMembers_.push_back(x);
    }
  }

  // `named`: by a head, not by what is written.
  void mark(Loc l, LocSet& set, bool named = false) {
    if (!l_.holdsReal(l)) return;
    LocSet all = p_.overlapping(l);
    for (Loc c : constantMembers_)
      if (&set == &out_.varied_ && !(named && (c == l || l_.inside(c, l)))) all.remove(c);
    changed_ = set.add(all) || changed_;
  }
  void mark(const Locs& all, LocSet& set) {
    for (Loc l : all) mark(l, set);
  }
  bool any(const Locs& all, const LocSet& set) const {
    return std::any_of(all.begin(), all.end(), [&](Loc l) { return l_.holdsReal(l) && set.has(l); });
  }

  // --- seeds

  // The reals at these locations and behind the pointers there.
  void seed(const Locs& from, LocSet& set) {
    std::set<Loc> seen;
    std::vector<Loc> work(from);
    while (!work.empty()) {
      const Loc at = work.back();
      work.pop_back();
      if (!seen.insert(at).second) continue;
      mark(at, set, true);
      for (Loc part = 0; part < l_.size(); ++part)
        if (l_.inside(part, at))
          for (Loc to : p_.contents(part)) work.push_back(to);
    }
  }

  void seed(const Head& head, const HeadName& name, bool independent) {
    const Function& fn = m_[head.function];
    Locs at;
    TypeId type;
    if (name.isReturn) {
      at = {p_.resultOf(head.function)};
      if (!independent) seed(at, out_.useful_);
      return;
    }
    if (name.global.valid()) {
      at = {p_.globalOf(name.global)};
      type = m_[name.global].type;
    } else if (name.param >= 0) {
      at = {p_.localOf(head.function, fn.params[static_cast<std::size_t>(name.param)])};
      type = fn[fn.params[static_cast<std::size_t>(name.param)]].type;
    }
    for (unsigned field : name.fields) {
      while (as<PointerType>(m_, type) || as<ReferenceType>(m_, type)) {
        Locs behind;
        for (Loc l : at) behind.insert(behind.end(), p_.contents(l).begin(), p_.contents(l).end());
        at = behind;
        const auto* pointer = as<PointerType>(m_, type);
        type = pointer ? pointer->pointee : as<ReferenceType>(m_, type)->pointee;
      }
      for (Loc& l : at) l = p_.fieldOf(l, type, field);
      const auto* record = as<RecordType>(m_, type);
      if (!record || field >= m_[record->record].fields.size()) break;  // an element of something else: all of it
      type = m_[record->record].fields[field].type;
    }
    seed(at, out_.varied_);
    if (!independent) seed(at, out_.useful_);
  }

  void seed() {
    for (const Head& head : heads_) {
      for (const HeadName& n : head.independents) seed(head, n, true);
      for (const HeadName& n : head.dependents) seed(head, n, false);
      if (!head.all) continue;
      const Function& fn = m_[head.function];
      for (VarId p : fn.params) {
        seed(Locs{p_.localOf(head.function, p)}, out_.varied_);
        seed(Locs{p_.localOf(head.function, p)}, out_.useful_);
      }
      if (fn.result.valid()) seed(Locs{p_.resultOf(head.function)}, out_.useful_);
    }
  }

  // --- propagation

  // A value goes to the locations: forwards, they vary if it does; backwards, it is of use if they are.
  void flow(const Locs& to, FuncId f, ExprId value, bool forward) {
    if (!value.valid()) return;
    if (!forward && !any(to, out_.useful_)) return;
    forEachDifferentiableRead(m_, f, value, [&](ExprId place) {
      if (forward && any(p_.objects(f, place), out_.varied_)) mark(to, out_.varied_);
      if (!forward) mark(p_.objects(f, place), out_.useful_);
    });
  }
  void flow(const Locs& to, const Locs& from, bool forward) {
    if (forward && any(from, out_.varied_)) mark(to, out_.varied_);
    if (!forward && any(to, out_.useful_)) mark(from, out_.useful_);
  }

  void data(FuncId f, const DataSharing& d, bool forward) {
    const auto copy = [&](const CopyOf& c) { return Locs{p_.localOf(f, c.copy)}; };
    for (const CopyOf& c : d.firstprivates) flow(copy(c), p_.objects(f, c.original), forward);
    for (const CopyOf& c : d.lastprivates) flow(p_.objects(f, c.original), copy(c), forward);
    for (const CopyOf& c : d.reductions) flow(p_.objects(f, c.original), copy(c), forward);
  }

  void call(FuncId f, const Call& c, bool forward) {
    const Function& callee = m_[c.callee];
    if (!callee.hasBody) return unknownCall(f, c, forward);
    for (std::size_t i = 0; i < c.args.size() && i < callee.params.size(); ++i)
      if (!isReference(m_, callee[callee.params[i]].type))
        flow(Locs{p_.localOf(c.callee, callee.params[i])}, f, c.args[i], forward);
    if (!c.result.valid()) return;
    const Loc result = p_.resultOf(c.callee);
    flow(p_.objects(f, c.result), isReference(m_, callee.result) ? p_.contents(result) : Locs{result}, forward);
  }

  // Anything that the arguments reach may go to anything that they reach, and to the result.
  void unknownCall(FuncId f, const Call& c, bool forward) {
    std::set<Loc> reached;
    std::vector<Loc> work;
    const auto push = [&](const Locs& all) { work.insert(work.end(), all.begin(), all.end()); };
    for (ExprId arg : c.args) {
      push(p_.objects(f, arg));
      if (as<PointerType>(m_, m_[f][arg].type)) push(p_.targets(f, arg));
    }
    while (!work.empty()) {
      const Loc at = work.back();
      work.pop_back();
      if (!reached.insert(at).second) continue;
      for (Loc part = 0; part < l_.size(); ++part)
        if (l_.inside(part, at)) push(p_.contents(part));
    }
    Locs from(reached.begin(), reached.end()), to = from;
    if (c.result.valid()) to.insert(to.end(), p_.objects(f, c.result).begin(), p_.objects(f, c.result).end());
    flow(to, from, forward);
    for (ExprId arg : c.args) flow(to, f, arg, forward);
  }

  void statement(FuncId f, StmtId id, bool forward) {
    const Function& fn = m_[f];
    const auto local = [&](VarId v) { return Locs{p_.localOf(f, v)}; };
    const auto nothing = [](const auto&) {};
    match(
        fn[id].node,
        [&](const Declare& s) {
          if (s.init == Init::Bind) return;
          for (ExprId arg : s.args) flow(local(s.var), f, arg, forward);
        },
        [&](const Assign& s) { flow(p_.objects(f, s.target), f, s.value, forward); },
        [&](const Increment& s) { flow(p_.objects(f, s.target), f, s.value, forward); },
        [&](const OmpAtomic& s) { flow(p_.objects(f, s.target), f, s.value, forward); },
        [&](const Call& s) { call(f, s, forward); },
        [&](const Allocate& s) { nothing(s); }, [&](const Free& s) { nothing(s); },
        [&](const Restructure& s) {
          if (s.op != Structure::Swap) return;
          const Locs &a = p_.objects(f, s.container), &b = p_.objects(f, s.operand);
          flow(a, b, forward);
          flow(b, a, forward);
        },
        [&](const For& s) {
          for (ExprId x : {s.init, s.step}) flow(local(s.counter), f, x, forward);
        },
        [&](const Return& s) {
          if (s.value.valid() && !isReference(m_, fn.result)) flow(Locs{p_.resultOf(f)}, f, s.value, forward);
        },
        [&](const OmpParallel& s) { data(f, s.data, forward); }, [&](const OmpFor& s) { data(f, s.data, forward); },
        [&](const OmpSimd& s) { data(f, s.data, forward); }, [&](const OmpSingle& s) { data(f, s.data, forward); },
        [&](const Mpi& s) { nothing(s); },  // by classes
        [&](const Opaque& s) { nothing(s); }, [&](const If& s) { nothing(s); }, [&](const While& s) { nothing(s); },
        [&](const Scope& s) { nothing(s); }, [&](const Break& s) { nothing(s); }, [&](const Continue& s) { nothing(s); },
        [&](const OmpMaster& s) { nothing(s); }, [&](const OmpBarrier& s) { nothing(s); },
        [&](const Push& s) { nothing(s); }, [&](const Pop& s) { nothing(s); }, [&](const TapeBlock& s) { nothing(s); },
        [&](const TapeRelease& s) { nothing(s); }, [&](const Revert& s) { nothing(s); },
        [&](const SharedIncrement& s) { flow(p_.objects(f, s.target), f, s.value, forward); },
        [&](const SetZero& s) { nothing(s); }, [&](const Runtime& s) { nothing(s); }, [&](const Comment& s) { nothing(s); });
  }

  // --- the result

  // An object has a shadow if it holds something active, or addresses of memory with a shadow. Objects that the heads name keep theirs.
  void shadows() {
    std::vector<bool>& has = out_.hasShadow_;
    has.assign(l_.size(), false);
    for (Loc l = 0; l < l_.size(); ++l)
      if (l_[l].parent == kNoLoc) has[l] = given(l);
    for (bool changed = true; changed;) {
      changed = false;
      for (Loc l = 0; l < l_.size(); ++l) {
        const Loc root = l_[l].root;
        const Locs& targets = p_.contents(l);
        changed = shadowsOfOpenObjects(targets) || changed;
        if (has[root]) continue;
        bool swapped = false;  // with a vector that has a shadow
        l_.forEachJoined(l, [&](Loc other) { swapped = swapped || out_.shadow(other) != Presence::None; });
        const bool needed = swapped || out_.active(l) || std::any_of(targets.begin(), targets.end(), [&](Loc to) {
          return out_.shadow(to) != Presence::None;
        });
        if (needed && !constant(root)) has[root] = changed = true;
      }
    }
  }

  // Among objects of classes with virtual functions that one pointer may point to all have shadows or none: where one is missing, nobody
  // knows of which class a dummy would have to be.
  bool shadowsOfOpenObjects(const Locs& targets) {
    bool changed = false;
    if (out_.shadowOfTargets(targets) != Presence::Maybe) return changed;
    for (Loc to : targets) {
      const Loc root = l_[to].root;
      const LocKind kind = l_[root].kind;
      const bool own = kind == LocKind::Local || kind == LocKind::Heap || kind == LocKind::Global;
      const auto* record = own ? as<RecordType>(m_, l_[root].type) : nullptr;
      if (!record || !m_[record->record].isPolymorphic || out_.hasShadow_[root] || constant(root)) continue;
      out_.hasShadow_[root] = changed = true;
    }
    return changed;
  }

  bool given(Loc root) const {
    const Location& x = l_[root];
    if (x.kind == LocKind::Global)
      return std::any_of(heads_.begin(), heads_.end(), [&](const Head& h) { return headNames(h, x.global); });
    if (x.kind != LocKind::Local || !isHead(heads_, x.function)) return false;
    const auto& params = m_[x.function].params;
    for (unsigned i = 0; i < params.size(); ++i)
      if (params[i] == x.var) return headParameter(m_, heads_, x.function, i, false) != Presence::None;
    return false;
  }
  bool constant(Loc root) const {
    return l_[root].kind == LocKind::Global && m_[l_[root].global].isConstant;
  }

  void mpi() {
    // What counts is the class as a whole: matching operations on another rank may have other buffers. A message of constants
    // into memory that is active elsewhere has to zero the shadow.
    const auto isActive = [&](const MpiClass& c) {
      return std::any_of(c.received.begin(), c.received.end(), [&](Loc l) { return out_.active(l); });
    };
    bool anyActive = false;
    for (const MpiClass& c : classes_.all()) anyActive = anyActive || isActive(c);
    each([&](FuncId f, StmtId s) {
      const auto* op = std::get_if<Mpi>(&m_[f][s].node);
      if (!op) return;
      const rules::MpiRow& row = rules::mpiRow(op->op);
      const int number = classes_.of(f, s);
      bool active = false;
      switch (row.family) {
        case rules::Family::Query: break;
        case rules::Family::Barrier:
        case rules::Family::Completion: active = anyActive; break;
        case rules::Family::PointToPoint:
        case rules::Family::Post:
        case rules::Family::Broadcast:
        case rules::Family::Reduction:
        case rules::Family::Gather:
        case rules::Family::Scatter:
          active = number >= 0 && isActive(classes_.all()[static_cast<std::size_t>(number)]);
      }
      out_.mpi_[{f, s}] = active;
    });
  }

  void findMissing(FuncId f, StmtId s) {
    const auto check = [&](const Locs& written) {
      for (Loc l : written)
        if (out_.active(l) && out_.shadow(l) == Presence::None) out_.missing_.push_back({f, s, l});
    };
    const Stmt& stmt = m_[f][s];
    if (const auto* x = std::get_if<Assign>(&stmt.node)) check(p_.objects(f, x->target));
    if (const auto* x = std::get_if<Increment>(&stmt.node)) check(p_.objects(f, x->target));
    if (const auto* x = std::get_if<OmpAtomic>(&stmt.node)) check(p_.objects(f, x->target));
    if (const auto* x = std::get_if<Restructure>(&stmt.node); x && x->op == Structure::Swap)
      for (ExprId v : {x->container, x->operand}) check(p_.objects(f, v));
    if (const auto* x = std::get_if<Call>(&stmt.node))
      if (x->result.valid()) check(p_.objects(f, x->result));
    if (const int c = classes_.of(f, s); c >= 0) check(classes_.all()[static_cast<std::size_t>(c)].received);
  }

  const Module& m_;
  const PointsTo& p_;
  const Locations& l_;
  const std::vector<Head>& heads_;
  Activity out_;
  const MpiClasses classes_;
  std::vector<Loc> constantMembers_;
  bool changed_ = false;
};

Activity computeActivity(const Module& m, const PointsTo& p, const std::vector<Head>& heads, bool everything) {
  return ActivitySolver(m, p, heads).run(everything);
}

}  // namespace contraflow::analysis
