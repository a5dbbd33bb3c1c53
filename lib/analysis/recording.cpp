#include "analysis/recording.hpp"

#include "analysis/counting.hpp"
#include "analysis/result_chooser.hpp"
#include "analysis/results.hpp"
#include "ir/match.hpp"
#include "ir/walk.hpp"
#include "rules/mpi.hpp"

namespace contraflow::analysis {

using namespace ir;

class RecordingSolver {
 public:
  RecordingSolver(const Module& m, const PointsTo& p, const Accesses& accesses, const Activity& activity,
                  const Recompute& recompute, const Swept& swept, const CallGraph& graph, bool countBack,
                  const Annotations* annotations, const std::set<Statement>& reused)
      : m_(m), p_(p), accesses_(accesses), activity_(activity), needs_(m, accesses, activity), recompute_(recompute),
        swept_(swept), graph_(graph), countBack_(countBack), annotations_(annotations), entry_(m.functions.size()), generated_(m.functions.size()), written_(m.functions.size()),
        jumps_(m.functions.size()) {
    out_.reused_ = reused;
    out_.functions_.assign(m.functions.size(), false);
    for (std::uint32_t i = 0; i < m.functions.size(); ++i) prepare(FuncId(i));
    const Locations& l = p.locations;
    for (Loc x = 0; x < l.size(); ++x) parts_[l[x].root].push_back(x);
  }

  Recording run() {
    do {
      changed_ = false;
      for (std::uint32_t i = 0; i < m_.functions.size(); ++i) {
        f_ = FuncId(i);
        if (!p_.knows(f_)) continue;
        LocSet n = entry_[i];
        depth_ = 0;
        depthOf_.clear();
        if (block(m_[f_].body, n) && !out_.functions_[i]) out_.functions_[i] = changed_ = true;
      }
    } while (changed_);
    return std::move(out_);
  }

 private:
  const Function& fn() const { return m_[f_]; }

  // Variables that are written after their declaration, by syntax; functions with jumps, where nothing is certain.
  void prepare(FuncId f) {
    const Function& function = m_[f];
    const auto hit = [&](ExprId target) {
      const VarId v = target.valid() ? rootVar(function, target) : VarId();
      if (v.valid()) written_[f.index()].insert(v);
    };
    walkStmts(function, function.body, [&](StmtId s) {
      const StmtNode& node = function[s].node;
      if (const auto* x = std::get_if<Assign>(&node)) hit(x->target);
      if (const auto* x = std::get_if<Increment>(&node)) hit(x->target);
      if (const auto* x = std::get_if<OmpAtomic>(&node)) hit(x->target);
      if (const auto* x = std::get_if<Call>(&node)) hit(x->result);
      if (const auto* x = std::get_if<Allocate>(&node)) hit(x->target);
      if (const auto* x = std::get_if<Restructure>(&node)) {
        hit(x->container);
        if (x->op == Structure::Swap) hit(x->operand);
      }
      if (std::holds_alternative<Break>(node) || std::holds_alternative<Continue>(node)) jumps_[f.index()] = true;
      if (std::holds_alternative<Return>(node) && (function.body.empty() || function.body.back() != s))
        jumps_[f.index()] = true;
    });
  }

  // --- sets: `raw` needs become part of N

  void need(const LocSet& raw, LocSet& n) {
    const LocSet closed = accesses_.closed(raw);
    n.add(closed);
    changed_ = generated_[f_.index()].add(closed) || changed_;
  }
  template <class F>
  void needAll(LocSet& n, F&& collect) {
    LocSet raw;
    collect(raw);
    need(raw, n);
  }

  bool isNeeded(const LocSet& n, const Locs& written) const {
    for (Loc l : written)
      if (n.has(l)) return true;
    return false;
  }

  void forget(Loc root, LocSet& n) {
    for (Loc x : parts_[root]) n.remove(x);
  }
  // An activation's variable is one object, unless others of the same function are reached through pointers.
  bool unique(VarId v) const { return !graph_.recursive(f_) || !p_.addressStored(p_.localOf(f_, v)); }

  void kill(ExprId target, LocSet& n) {
    const auto* v = std::get_if<VarRef>(&fn()[target].node);
    if (!v || jumps_[f_.index()] || !unique(v->var)) return;
    const TypeId type = fn()[v->var].type;
    const bool scalar = isReal(m_, type) || isIntegral(m_, type) || as<PointerType>(m_, type);
    const auto depth = depthOf_.find(v->var);
    if (scalar && depth != depthOf_.end() && depth->second == depth_) n.remove(p_.localOf(f_, v->var));
  }

  // --- flags

  void overwrite(StmtId s) { changed_ = out_.overwrites_.insert({f_, s}).second || changed_; }
  bool reverse(StmtId s, bool yes) {
    if (yes) changed_ = out_.reversed_.insert({f_, s}).second || changed_;
    return yes;
  }

  // --- statements: each changes N from before to after, and says whether the reverse sweep has anything to do for it

  bool block(const Block& b, LocSet& n) {
    bool any = false;
    for (StmtId s : b) any = reverse(s, statement(s, n)) || any;
    for (auto s = b.rbegin(); s != b.rend(); ++s)
      if (const auto* d = std::get_if<Declare>(&fn()[*s].node)) any = reverse(*s, endOfLife(*d, n)) || any;
    return any;
  }

  // At the end of its scope a variable's last value is recorded, or its declaration is made again by the reverse sweep.
  bool endOfLife(const Declare& d, LocSet& n) {
    const Loc v = p_.localOf(f_, d.var);
    const TypeId type = fn()[d.var].type;
    const bool needed = finalValue(d.var, n);
    const bool address = as<PointerType>(m_, type) || isReference(m_, type);
    const Presence shadow = address ? activity_.shadowOfTargets(p_.contents(v)) : activity_.shadow(v);
    const bool isNamed = named_.count({f_, d.var}) != 0 && !isTriviallyCopyable(m_, type);
    if (!needed && shadow == Presence::None && !isNamed) return false;
    if (d.init == Init::Bind) name(d.args[0]);
    const bool notMadeAgain = written_[f_.index()].count(d.var) != 0 || recompute_.keeps(f_, d.var);
    needAll(n, [&](LocSet& raw) {
      for (ExprId arg : d.args) {
        if (d.init == Init::Bind) accesses_.naming(f_, arg, raw);
        else if (d.init == Init::Construct || address) accesses_.value(f_, arg, raw);
        else if (needed && !notMadeAgain) accesses_.value(f_, arg, raw);
        // The declaration may be made again for nothing: then its value may be anything, but reading it must not go astray.
        else if (!notMadeAgain) namingInside(arg, raw);
      }
    });
    return true;
  }

  // A reverse part names the place. (A plain variable is declared there in any case.)
  void name(ExprId place) {
    const VarId root = rootVar(fn(), place);
    if (root.valid()) changed_ = named_.insert({f_, root}).second || changed_;
  }

  void namingInside(ExprId e, LocSet& raw) {
    walkExpr(fn(), e, [&](ExprId x) {
      const ExprNode& node = fn()[x].node;
      if (isPlace(fn()[x]) || std::holds_alternative<DataOf>(node) || std::holds_alternative<SizeOf>(node)) accesses_.naming(f_, x, raw);
    });
  }

  bool finalValue(VarId v, LocSet& n) {
    const Loc root = p_.localOf(f_, v);
    const bool needed = isNeeded(n, parts_[root]);
    if (needed) changed_ = out_.finals_.insert({f_, v}).second || changed_;
    if (unique(v)) forget(root, n);
    return needed;
  }

  bool overwriting(StmtId s, ExprId target, LocSet& n) {
    if (!isNeeded(n, p_.objects(f_, target))) return false;
    overwrite(s);
    needAll(n, [&](LocSet& raw) { accesses_.naming(f_, target, raw); });
    return true;
  }

  bool update(StmtId s, ExprId target, ExprId value, bool certain, LocSet& n) {
    const bool active = activity_.active(f_, target);
    const bool byResult = out_.reusesResult(f_, s);
    if (active)
      needAll(n, [&](LocSet& raw) {
        byResult ? needs_.partialsByResult(f_, value, raw) : needs_.partials(f_, value, raw);
        accesses_.naming(f_, target, raw);
      });
    const bool over = !swept_.overwritesOwn(f_, s) && overwriting(s, target, n);
    if (over && countBack_ && certain && countsByNumber(m_, fn(), s)) {
      changed_ = out_.countedBack_.insert({f_, s}).second || changed_;
      return true;
    }
    if (certain) kill(target, n);
    // What the reverse of this statement reads first: the value behind it.
    if (byResult) needAll(n, [&](LocSet& raw) { accesses_.objects(f_, target, raw); });
    return active || over;
  }

  bool declare(StmtId s, const Declare& d, LocSet& n) {
    depthOf_[d.var] = depth_;
    const Loc v = p_.localOf(f_, d.var);
    if (unique(d.var) && !jumps_[f_.index()]) forget(v, n);
    if (d.args.empty() || d.init == Init::Bind || !activity_.active(v)) return false;
    if (out_.reusesResult(f_, s)) {
      needAll(n, [&](LocSet& raw) {
        needs_.partialsByResult(f_, d.args[0], raw);
        raw.add(v);
      });
      return true;
    }
    needAll(n, [&](LocSet& raw) {
      for (ExprId arg : d.args) {
        needs_.partials(f_, arg, raw);
        if (d.init == Init::Construct) accesses_.value(f_, arg, raw);
      }
    });
    return true;
  }

  // True if a call of it has anything to undo.
  bool functionReversed(FuncId callee) const { return out_.functions_[callee.index()]; }

  bool call(StmtId s, const Call& c, LocSet& n) {
    const Function& callee = m_[c.callee];
    bool any = !callee.hasBody || functionReversed(c.callee);
    const bool resultActive = c.result.valid() && activity_.active(f_, c.result);
    // The result's old value is restored first, the arguments are evaluated behind that.
    if (any || resultActive) {
      needAll(n, [&](LocSet& raw) { needs_.arguments(f_, c, raw); });
      for (ExprId arg : c.args)
        if (isPlace(fn()[arg])) name(arg);
    }
    changed_ = entry_[c.callee.index()].add(n) || changed_;
    const bool again = recompute_.call(f_, s);
    if (again) changed_ = out_.beforeCall_[{f_, s}].add(n) || changed_;
    if (!callee.hasBody && !n.empty()) overwrite(s);
    n.add(generated_[c.callee.index()]);
    changed_ = generated_[f_.index()].add(generated_[c.callee.index()]) || changed_;
    if (again && any) needAll(n, [&](LocSet& raw) { accesses_.header(f_, s, raw); });
    if (!c.result.valid()) return any;
    if (resultActive) needAll(n, [&](LocSet& raw) { accesses_.naming(f_, c.result, raw); });
    const bool over = overwriting(s, c.result, n);
    if (over && !any && !resultActive) needAll(n, [&](LocSet& raw) { needs_.arguments(f_, c, raw); });
    kill(c.result, n);
    return any || resultActive || over;
  }

  bool opaque(StmtId s, const Opaque& o, LocSet& n) {
    bool any = false;
    for (ExprId w : o.writes) any = overwriting(s, w, n) || activity_.active(f_, w) || any;
    if (any)
      needAll(n, [&](LocSet& raw) {
        for (ExprId w : o.writes) accesses_.naming(f_, w, raw);
      });
    return any;
  }

  // Undone in the reverse sweep if the vector has a shadow, which changes with it, or if something needs its size or elements.
  bool restructure(StmtId s, const Restructure& r, LocSet& n) {
    bool undone = false, keep = false;
    const auto vector = [&](ExprId v) {
      const TypeId type = fn()[v].type;
      const Locs& all = p_.objects(f_, v);
      undone = undone || isNeeded(n, all) || activity_.shadowOfTargets(all) != Presence::None;
      for (Loc l : all) keep = keep || n.has(p_.locations.findPart(l, LocKind::Buffer, 0, type));
    };
    vector(r.container);
    if (r.op == Structure::Swap) {
      vector(r.operand);
      exchange(r, n);
    }
    if (keep) overwrite(s);
    if (undone) needAll(n, [&](LocSet& raw) { needs_.structure(f_, r, raw); });
    return undone;
  }

  bool allocate(StmtId s, const Allocate& a, LocSet& n) {
    overwriting(s, a.target, n);
    needAll(n, [&](LocSet& raw) { accesses_.naming(f_, a.target, raw); });
    kill(a.target, n);
    return true;
  }

  // What is needed of one vector's elements is needed of the other's from now on.
  void exchange(const Restructure& r, LocSet& n) {
    LocSet moved;
    for (ExprId v : {r.container, r.operand})
      for (Loc l : p_.objects(f_, v)) {
        const Loc buffer = p_.locations.findPart(l, LocKind::Buffer, 0, fn()[v].type);
        for (Loc x : parts_[p_.locations[buffer].root])
          if (n.has(x) && p_.locations.inside(x, buffer)) moved.add(x);
      }
    need(moved, n);
  }

  bool branch(const If& i, LocSet& n) {
    LocSet other = n;
    const bool then = block(i.then, n), otherwise = block(i.otherwise, other);
    n.add(other);
    if (then || otherwise) needAll(n, [&](LocSet& raw) { accesses_.value(f_, i.condition, raw); });
    return then || otherwise;
  }

  // Repeats `once` until N at the loop's start is stable; N afterwards is that of any number of iterations.
  template <class F>
  bool loop(LocSet& n, F&& once) {
    bool any = false;
    LocSet start = n;
    for (;;) {
      LocSet end = start;
      any = once(end) || any;
      if (!start.add(end)) break;
    }
    n = start;
    return any;
  }

  // Each iteration is recorded alone, and reversed at once: of what others or the code before need it overwrites nothing that a
  // snapshot doesn't bring back. Later code keeps what the iterations read: a snapshot has only what they write.
  bool checkpointed(StmtId s, const For& l, LocSet& n) {
    LocSet own;
    const Effects effects = accesses_.of(f_, s);
    const bool any = block(l.body, own) || n.meets(effects.writes);
    forget(p_.localOf(f_, l.counter), n);
    if (any) need(effects.reads, n);
    return any;
  }

  bool forLoop(StmtId s, const For& l, LocSet& n) {
    depthOf_[l.counter] = depth_;
    if (isCheckpointed(annotations_, fn()[s])) return checkpointed(s, l, n);
    const Loc counter = p_.localOf(f_, l.counter);
    const bool any = loop(n, [&](LocSet& at) {
      const bool one = block(l.body, at);
      if (one && recompute_.loop(f_, s)) slices(s, at);
      return one;
    });
    forget(counter, n);
    if (any)
      needAll(n, [&](LocSet& raw) {
        for (ExprId e : {l.init, l.bound, l.step}) accesses_.value(f_, e, raw);
      });
    return any;
  }

  // What the slices of a loop that is run again read. An upper bound: whatever any need of its body is computed from.
  void slices(StmtId s, LocSet& n) {
    needAll(n, [&](LocSet& raw) {
      walkStmt(fn(), s, [&](StmtId inner) {
        if (out_.reversed_.count({f_, inner}) == 0) return;
        needs_.everything(f_, inner, raw);
      });
      addSlices(m_, accesses_, f_, s, raw);
    });
  }

  bool whileLoop(const While& w, LocSet& n) {
    bool any = false;
    if (w.testAtEnd) {
      any = loop(n, [&](LocSet& at) {
        const bool body = block(w.body, at);
        return block(w.test, at) || body;
      });
    } else {
      any = loop(n, [&](LocSet& at) {
        const bool test = block(w.test, at);
        return block(w.body, at) || test;
      });
      any = block(w.test, n) || any;
    }
    return any;
  }

  bool data(const DataSharing& d, LocSet& n) {  // at the start of the construct
    bool any = false;
    detail::copyLists(d, [&](const auto& list) {
      for (const CopyOf& c : list) {
        depthOf_[c.copy] = depth_;
        if (unique(c.copy)) forget(p_.localOf(f_, c.copy), n);
        if (!activity_.active(p_.localOf(f_, c.copy))) continue;
        any = true;
        needAll(n, [&](LocSet& raw) { accesses_.naming(f_, c.original, raw); });
      }
    });
    return any;
  }
  bool dataEnd(StmtId s, const DataSharing& d, LocSet& n) {
    bool any = false;
    for (const auto* list : {&d.lastprivates, &d.reductions})
      for (const CopyOf& c : *list) any = overwriting(s, c.original, n) || any;
    detail::copyLists(d, [&](const auto& list) {
      for (const CopyOf& c : list) any = finalValue(c.copy, n) || any;
    });
    return any;
  }

  // The parts of a construct that some threads run and others don't, or that run with copies of their own.
  template <class F>
  bool construct(StmtId s, const DataSharing& d, bool parallel, LocSet& n, F&& inside) {
    if (parallel) ++depth_;
    LocSet at = n;
    bool any = data(d, at);
    any = inside(at) || any;
    any = dataEnd(s, d, at) || any;
    if (parallel) --depth_;
    n.add(at);
    return any;
  }

  bool parallel(StmtId s, const OmpParallel& p, LocSet& n) {
    const bool any = construct(s, p.data, true, n, [&](LocSet& at) { return block(p.body, at); });
    if (any)
      needAll(n, [&](LocSet& raw) {
        for (ExprId e : {p.numThreads, p.ifCondition})
          if (e.valid()) accesses_.value(f_, e, raw);
      });
    return any;
  }

  bool worksharing(StmtId s, const DataSharing& d, StmtId inner, ExprId chunk, LocSet& n) {
    const bool any = construct(s, d, true, n, [&](LocSet& at) {
      const bool one = reverse(inner, forLoop(inner, std::get<For>(fn()[inner].node), at));
      if (one && recompute_.loop(f_, s)) slices(inner, at);
      return one;
    });
    if (any && chunk.valid()) needAll(n, [&](LocSet& raw) { accesses_.value(f_, chunk, raw); });
    return any;
  }

  bool mpi(StmtId s, const Mpi& x, LocSet& n) {
    const rules::MpiRow& row = rules::mpiRow(x.op);
    bool over = false;
    for (std::size_t i = 0; i < x.args.size() && i < row.roles.size(); ++i)
      if (rules::isWritten(row.roles[i]) && as<PointerType>(m_, fn()[x.args[i]].type))
        for (Loc l : p_.targets(f_, x.args[i])) over = over || n.has(p_.locations.afterArithmetic(l));
    if (x.result.valid()) over = isNeeded(n, p_.objects(f_, x.result)) || over;
    const bool active = activity_.activeMpi(f_, s);
    if (over) overwrite(s);
    // The reverse part has its arguments from the tape; these are for restoring what was overwritten.
    if (over)
      needAll(n, [&](LocSet& raw) {
        for (ExprId arg : x.args) accesses_.value(f_, arg, raw);
        if (x.result.valid()) accesses_.naming(f_, x.result, raw);
      });
    return over || active;
  }

  bool returned(const Return& r, LocSet& n) {
    if (!r.value.valid() || !activity_.active(p_.resultOf(f_))) return false;
    needAll(n, [&](LocSet& raw) { needs_.partials(f_, r.value, raw); });
    return true;
  }

  bool statement(StmtId s, LocSet& n) {
    const auto no = [](const auto&) { return false; };
    const DataSharing none;
    return match(
        fn()[s].node, [&](const Declare& x) { return declare(s, x, n); },
        [&](const Assign& x) { return update(s, x.target, x.value, true, n); },
        [&](const Increment& x) { return update(s, x.target, x.value, true, n); },
        [&](const OmpAtomic& x) { return update(s, x.target, x.value, false, n); },
        [&](const Call& x) { return call(s, x, n); }, [&](const Opaque& x) { return opaque(s, x, n); },
        [&](const Restructure& x) { return restructure(s, x, n); },
        // The tape has the memory until the reverse sweep comes by.
        [&](const Allocate& x) { return allocate(s, x, n); }, [&](const Free& x) { return no(x); },
        [&](const If& x) { return branch(x, n); }, [&](const For& x) { return forLoop(s, x, n); },
        [&](const While& x) { return whileLoop(x, n); }, [&](const Scope& x) { return block(x.body, n); },
        [&](const Return& x) { return returned(x, n); }, [&](const OmpParallel& x) { return parallel(s, x, n); },
        [&](const OmpFor& x) { return worksharing(s, x.data, x.loop, x.chunk, n); },
        [&](const OmpSimd& x) { return worksharing(s, x.data, x.loop, ExprId(), n); },
        [&](const OmpSingle& x) { return construct(s, x.data, false, n, [&](LocSet& at) { return block(x.body, at); }); },
        [&](const OmpMaster& x) { return construct(s, none, false, n, [&](LocSet& at) { return block(x.body, at); }); },
        [&](const OmpBarrier&) { return true; }, [&](const Mpi& x) { return mpi(s, x, n); },
        [&](const Break& x) { return no(x); }, [&](const Continue& x) { return no(x); }, [&](const Comment& x) { return no(x); },
        [&](const Push& x) { return no(x); }, [&](const Pop& x) { return no(x); }, [&](const TapeBlock& x) { return no(x); },
        [&](const TapeRelease& x) { return no(x); }, [&](const Revert& x) { return no(x); }, [&](const SharedIncrement& x) { return no(x); },
        [&](const SetZero& x) { return no(x); }, [&](const Runtime& x) { return no(x); });
  }

  const Module& m_;
  const PointsTo& p_;
  const Accesses& accesses_;
  const Activity& activity_;
  const Needs needs_;
  const Recompute& recompute_;
  const Swept& swept_;
  const CallGraph& graph_;
  const bool countBack_;
  const Annotations* annotations_;
  Recording out_;
  std::vector<LocSet> entry_, generated_;  // closed
  std::vector<std::set<VarId>> written_;
  std::vector<bool> jumps_;
  std::map<Loc, Locs> parts_;   // of each root
  std::map<VarId, int> depthOf_;  // of declarations: how many constructs with threads are around
  FuncId f_;
  int depth_ = 0;
  std::set<std::pair<FuncId, VarId>> named_;  // by what a reverse part has to do, whatever they hold
  bool changed_ = false;
};

Recording computeRecording(const Module& m, const PointsTo& p, const Accesses& accesses, const Activity& activity,
                           const Recompute& recompute, const Swept& swept, const CallGraph& graph, bool countBack, bool reuseResults,
                           const Annotations* annotations) {
  const auto compute = [&](const std::set<Statement>& reused) {
    return RecordingSolver(m, p, accesses, activity, recompute, swept, graph, countBack, annotations, reused).run();
  };
  if (!reuseResults) return compute({});
  return ResultChooser(m, accesses, recompute).choose(statementsWithResults(m, p, accesses, activity, recompute, swept), compute);
}

}  // namespace contraflow::analysis
