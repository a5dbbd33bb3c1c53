#include "analysis/recompute.hpp"

#include "ir/match.hpp"
#include "ir/walk.hpp"

namespace contraflow::analysis {

using namespace ir;

bool isCheckpointed(const Annotations* annotations, const Stmt& stmt) {
  return annotations && std::holds_alternative<For>(stmt.node) && annotations->checkpoint(stmt.loc);
}

std::set<VarId> declaredIn(const Function& fn, StmtId s) {
  std::set<VarId> vars;
  walkStmt(fn, s, [&](StmtId inner) { forEachDeclaredVar(fn[inner], [&](VarId v) { vars.insert(v); }); });
  return vars;
}

VarId ownVariable(const Module& m, const Function& fn, ExprId place) {
  const Expr& e = fn[place];
  if (const auto* v = std::get_if<VarRef>(&e.node)) {
    if (!isReference(m, fn[v->var].type)) return v->var;
    // A reference is bound once, in its declaration.
    VarId bound;
    walkStmts(fn, fn.body, [&](StmtId s) {
      const auto* d = std::get_if<Declare>(&fn[s].node);
      if (d && d->var == v->var && d->init == Init::Bind) bound = ownVariable(m, fn, d->args[0]);
    });
    return bound;
  }
  if (const auto* r = std::get_if<FieldRef>(&e.node)) {
    const auto* record = as<RecordType>(m, fn[r->base].type);
    if (record && isReference(m, m[record->record].fields[r->field].type)) return {};
    return ownVariable(m, fn, r->base);
  }
  if (const auto* s = std::get_if<Subscript>(&e.node)) {
    if (const auto* d = std::get_if<Decay>(&fn[s->base].node)) return ownVariable(m, fn, d->array);
    if (const auto* d = std::get_if<DataOf>(&fn[s->base].node)) return ownVariable(m, fn, d->container);
    return as<PointerType>(m, fn[s->base].type) ? VarId() : ownVariable(m, fn, s->base);
  }
  if (const auto* d = std::get_if<Deref>(&e.node))
    if (const auto* a = std::get_if<AddressOf>(&fn[d->pointer].node)) return ownVariable(m, fn, a->place);
  return {};
}

void addSlices(const Module& m, const Accesses& accesses, FuncId f, StmtId loop, LocSet& needed) {
  const Function& fn = m[f];
  const std::set<VarId> own = declaredIn(fn, loop);
  for (bool changed = true; changed;) {
    const LocSet closed = accesses.closed(needed);
    LocSet more;
    // The iteration's own variables are set again in any case; where nothing needs their values, these may be anything, but
    // reading them must not go astray.
    const auto safe = [&](ExprId value) {
      walkExpr(fn, value, [&](ExprId e) {
        const ExprNode& node = fn[e].node;
        if (isPlace(fn[e]) || std::holds_alternative<DataOf>(node) || std::holds_alternative<SizeOf>(node)) accesses.naming(f, e, more);
        const auto* b = std::get_if<Binary>(&fn[e].node);
        if (b && (b->op == BinaryOp::Div || b->op == BinaryOp::Rem) && isIntegral(m, fn[e].type)) accesses.value(f, b->rhs, more);
      });
    };
    const auto feeds = [&](ExprId target, ExprId value) {
      const VarId root = ownVariable(m, fn, target);
      if (root.valid() && own.count(root)) {
        safe(target);
        safe(value);
      }
      LocSet written;
      accesses.objects(f, target, written);
      if (!closed.meets(written)) return;
      accesses.value(f, value, more);
      accesses.naming(f, target, more);
    };
    walkStmt(fn, loop, [&](StmtId s) {
      const StmtNode& node = fn[s].node;
      if (const auto* x = std::get_if<Assign>(&node)) feeds(x->target, x->value);
      if (const auto* x = std::get_if<Increment>(&node)) feeds(x->target, x->value);
      if (const auto* x = std::get_if<OmpAtomic>(&node)) feeds(x->target, x->value);
      // Run again with the iteration: its size, and what is exchanged.
      if (std::holds_alternative<Restructure>(node)) accesses.header(f, s, more);
      if (const auto* x = std::get_if<Declare>(&node)) {
        LocSet written;
        accesses.variable(f, x->var, written);
        for (ExprId arg : x->args) safe(arg);
        if (closed.meets(written))
          for (ExprId arg : x->args) x->init == Init::Bind ? accesses.naming(f, arg, more) : accesses.value(f, arg, more);
      }
      // What is run again in any case.
      if (std::holds_alternative<Call>(node) || std::holds_alternative<If>(node) || std::holds_alternative<For>(node) ||
          std::holds_alternative<While>(node))
        accesses.header(f, s, more);
    });
    changed = needed.add(more);
  }
}

class RecomputeFinder {
 public:
  RecomputeFinder(const Module& m, const PointsTo& p, const Accesses& accesses, const Activity& activity,
                  const CallGraph& graph, const DisjointPointers& disjoint, const Annotations* annotations)
      : m_(m), p_(p), accesses_(accesses), needs_(m, accesses, activity), graph_(graph), disjoint_(disjoint),
        annotations_(annotations) {}

  Recompute run() {
    for (std::uint32_t i = 0; i < m_.functions.size(); ++i) {
      const FuncId f(i);
      if (!p_.knows(f)) continue;
      walkStmts(m_[f], m_[f].body, [&](StmtId s) {
        const Stmt& stmt = m_[f][s];
        const StmtId inner = loopOf(stmt);
        const bool isLoop = std::holds_alternative<For>(stmt.node);
        if ((isLoop || inner.valid()) && loop(f, isLoop ? s : inner)) out_.loops_.insert({f, s});
        if (const auto* c = std::get_if<Call>(&stmt.node))
          if (call(f, *c)) out_.calls_.insert({f, s});
      });
    }
    return std::move(out_);
  }

 private:
  bool loop(FuncId f, StmtId s) {
    const Function& fn = m_[f];
    const std::set<VarId> own = declaredIn(fn, s);
    LocSet written, needed;
    bool possible = true;
    const auto write = [&](ExprId target) {
      const VarId v = ownVariable(m_, fn, target);
      if (v.valid() && own.count(v) != 0) return;
      if (!readElsewhere(f, s, target)) accesses_.objects(f, target, written);
    };
    const auto no = [&](const auto&) { possible = false; };
    const auto fine = [](const auto&) {};
    walkStmt(fn, s, [&](StmtId id) {
      possible = possible && !isCheckpointed(annotations_, fn[id]);
      match(
          fn[id].node, [&](const Assign& x) { write(x.target); }, [&](const Increment& x) { write(x.target); },
          [&](const OmpAtomic& x) { write(x.target); },
          [&](const Call& x) { possible = possible && callInLoop(f, x, own, written); },
          [&](const Opaque& x) { possible = possible && x.writes.empty(); },  // printing isn't run again
          [&](const Allocate& x) { no(x); }, [&](const Free& x) { no(x); },
          [&](const Restructure& x) {  // only of the iteration's own vectors
            for (ExprId v : {x.container, x.op == Structure::Swap ? x.operand : x.container}) {
              const VarId root = ownVariable(m_, fn, v);
              possible = possible && root.valid() && own.count(root) != 0 && !p_.callerVisible(f, v);
            }
          },
          [&](const Declare& x) { possible = possible && x.storage == Storage::Automatic; }, [&](const If& x) { fine(x); },
          [&](const For& x) { fine(x); }, [&](const While& x) { fine(x); }, [&](const Scope& x) { fine(x); },
          [&](const OmpSimd& x) {
            for (const CopyOf& c : x.data.reductions) write(c.original);
            for (const CopyOf& c : x.data.lastprivates) write(c.original);
          },
          [&](const Comment& x) { fine(x); }, [&](const Break& x) { no(x); }, [&](const Continue& x) { no(x); },
          [&](const Return& x) { no(x); }, [&](const OmpParallel& x) { no(x); }, [&](const OmpFor& x) { no(x); },
          [&](const OmpSingle& x) { no(x); }, [&](const OmpMaster& x) { no(x); }, [&](const OmpBarrier& x) { no(x); },
          [&](const Mpi& x) { no(x); }, [&](const Push& x) { no(x); }, [&](const Pop& x) { no(x); },
          [&](const TapeBlock& x) { no(x); }, [&](const TapeRelease& x) { no(x); },
          [&](const Revert& x) { no(x); }, [&](const SharedIncrement& x) { no(x); },
          [&](const SetZero& x) { no(x); }, [&](const Runtime& x) { no(x); });
      if (id != s) needs_.everything(f, id, needed);
    });
    if (!possible) return false;
    // The loop's own bounds are read once; those of inner loops are among the needs.
    addSlices(m_, accesses_, f, s, needed);
    return !accesses_.closed(needed).meets(written);
  }

  // True if the target lies behind a pointer, and whatever the loop reads through others surely lies in different objects.
  bool readElsewhere(FuncId f, StmtId loop, ExprId target) const {
    const Function& fn = m_[f];
    const VarId base = basePointer(m_, fn, target);
    if (!base.valid()) return false;
    bool elsewhere = true;
    const auto check = [&](ExprId e) {
      if (!elsewhere || !isPlace(fn[e]) || !p_.mayOverlap(f, e, target)) return;
      const VarId other = basePointer(m_, fn, e);
      elsewhere = other.valid() && disjoint_.during(f, loop, base, other);
    };
    walkStmt(fn, loop, [&](StmtId s) {
      const StmtNode& node = fn[s].node;
      if (std::holds_alternative<Call>(node) || std::holds_alternative<Increment>(node)) elsewhere = false;
      const auto* assign = std::get_if<Assign>(&node);
      forEachExprOfStmt(fn[s], [&](ExprId e) {
        walkExpr(fn, e, [&](ExprId x) {
          if (!(assign && x == assign->target)) check(x);  // storing isn't reading
        });
      });
    });
    return elsewhere;
  }

  // A call that is run again with its iteration.
  bool callInLoop(FuncId f, const Call& c, const std::set<VarId>& own, LocSet& written) {
    const Function& fn = m_[f];
    const Effects& e = accesses_.of(c.callee);
    if (!m_[c.callee].hasBody || e.output || e.communicates || graph_.recursive(c.callee) || graph_.recursive(f)) return false;
    const bool ownResult = !c.result.valid() || [&] {
      const VarId v = ownVariable(m_, fn, c.result);
      return v.valid() && own.count(v) != 0;
    }();
    bool ok = true;
    e.writes.forEach([&](Loc l) {
      const Location& root = p_.locations[p_.locations[l].root];
      if (root.kind == LocKind::Result) return;
      if (root.kind == LocKind::Local && root.function != f && !liveOutside(root, c.callee)) return;  // the callee's own
      const bool iterationsOwn = root.kind == LocKind::Local && root.function == f && own.count(root.var) != 0;
      if (!iterationsOwn || !ownResult) ok = false;
    });
    if (!ownResult) accesses_.objects(f, c.result, written);
    return ok;
  }

  // Whether the local belongs to an activation that is alive when the callee starts: to none of the functions that it reaches.
  bool liveOutside(const Location& root, FuncId callee) {
    return !graph_.reachable({callee})[root.function.index()];
  }

  bool call(FuncId f, const Call& c) {
    const Effects& e = accesses_.of(c.callee);
    if (!m_[c.callee].hasBody || e.output || e.communicates || graph_.recursive(c.callee) || graph_.recursive(f)) return false;
    LocSet reads, writes;
    bool ok = true;
    const auto outside = [&](Loc l) {
      const Location& root = p_.locations[p_.locations[l].root];
      if (root.kind == LocKind::Result) return false;
      return root.kind != LocKind::Local || liveOutside(root, c.callee);
    };
    e.reads.forEach([&](Loc l) {
      if (outside(l)) reads.add(l);
    });
    e.writes.forEach([&](Loc l) {
      if (!outside(l)) return;
      writes.add(l);
      ok = ok && p_.locations[p_.locations[l].root].kind == LocKind::Local;
    });
    needs_.arguments(f, c, reads);
    return ok && !accesses_.closed(reads).meets(writes);
  }

  const Module& m_;
  const PointsTo& p_;
  const Accesses& accesses_;
  const Needs needs_;
  const CallGraph& graph_;
  const DisjointPointers& disjoint_;
  const Annotations* annotations_;
  Recompute out_;
};

Recompute computeRecompute(const Module& m, const PointsTo& p, const Accesses& accesses, const Activity& activity,
                           const CallGraph& graph, const DisjointPointers& disjoint, const Annotations* annotations) {
  return RecomputeFinder(m, p, accesses, activity, graph, disjoint, annotations).run();
}

}  // namespace contraflow::analysis
