#include "analysis/effects.hpp"

#include "ir/match.hpp"
#include "ir/walk.hpp"
#include "rules/mpi.hpp"

namespace contraflow::analysis {

using namespace ir;

void Accesses::objects(FuncId f, ExprId place, LocSet& raw) const {
  for (Loc l : p_.objects(f, place)) raw.add(l);
}

LocSet Accesses::closed(const LocSet& raw) const {
  LocSet all;
  raw.forEach([&](Loc l) { all.add(p_.overlapping(l)); });
  return all;
}

// The header of a vector says where its elements are.
void Accesses::sizeAndPlace(FuncId f, ExprId container, LocSet& raw) const {
  const TypeId type = m_[f][container].type;
  const auto* c = as<ContainerType>(m_, type);
  if (!c || c->kind != ContainerKind::Vector) return;
  for (Loc l : p_.objects(f, container)) raw.add(p_.headerOf(l, type));
}

void Accesses::naming(FuncId f, ExprId place, LocSet& raw) const {
  const Function& fn = m_[f];
  const auto all = [&](const auto&) { value(f, place, raw); };  // no place: its operands
  const auto header = [&](ExprId container) { sizeAndPlace(f, container, raw); };
  match(
      fn[place].node,
      [&](const VarRef& e) {
        if (isReference(m_, fn[e.var].type)) raw.add(p_.localOf(f, e.var));
      },
      [&](const GlobalRef& e) {
        if (isReference(m_, m_[e.global].type)) raw.add(p_.globalOf(e.global));
      },
      [&](const FieldRef& e) {
        naming(f, e.base, raw);
        const auto* record = as<RecordType>(m_, fn[e.base].type);
        if (record && !isReference(m_, m_[record->record].fields[e.field].type)) return;
        for (Loc l : p_.objects(f, e.base)) raw.add(p_.fieldOf(l, fn[e.base].type, e.field));
      },
      [&](const Subscript& e) {
        if (as<PointerType>(m_, fn[e.base].type)) {
          value(f, e.base, raw);
        } else {
          naming(f, e.base, raw);
          header(e.base);
        }
        value(f, e.index, raw);
      },
      [&](const Deref& e) { value(f, e.pointer, raw); }, [&](const AddressOf& e) { naming(f, e.place, raw); },
      [&](const Decay& e) { naming(f, e.array, raw); },
      [&](const DataOf& e) {
        naming(f, e.container, raw);
        header(e.container);
      },
      [&](const SizeOf& e) {
        naming(f, e.container, raw);
        header(e.container);
      },
      [&](const Cast& e) { naming(f, e.operand, raw); },
      [&](const Conditional& e) {
        value(f, e.condition, raw);
        naming(f, e.whenTrue, raw);
        naming(f, e.whenFalse, raw);
      },
      [](const Literal&) {}, [&](const Unary& e) { all(e); }, [&](const Binary& e) { all(e); },
      [&](const MathCall& e) { all(e); }, [&](const PureCall& e) { all(e); }, [&](const InitList& e) { all(e); });
}

void Accesses::value(FuncId f, ExprId id, LocSet& raw) const {
  const Function& fn = m_[f];
  const auto place = [&](const auto&) {
    naming(f, id, raw);
    objects(f, id, raw);
  };
  const auto address = [&](const auto&) { naming(f, id, raw); };
  const auto operands = [&](const auto&) { forEachChildExpr(fn[id], [&](ExprId e) { value(f, e, raw); }); };
  match(
      fn[id].node, [](const Literal&) {}, [&](const VarRef& e) { place(e); }, [&](const GlobalRef& e) { place(e); },
      [&](const FieldRef& e) { place(e); }, [&](const Subscript& e) { place(e); }, [&](const Deref& e) { place(e); },
      [&](const AddressOf& e) { address(e); }, [&](const Decay& e) { address(e); }, [&](const DataOf& e) { address(e); },
      [&](const SizeOf& e) { address(e); }, [&](const Unary& e) { operands(e); }, [&](const Binary& e) { operands(e); },
      [&](const Cast& e) { operands(e); }, [&](const Conditional& e) { operands(e); }, [&](const MathCall& e) { operands(e); },
      [&](const PureCall& e) { operands(e); }, [&](const InitList& e) { operands(e); });
}

void Accesses::addData(FuncId f, const DataSharing& d, Effects& e) const {
  for (const auto* list : {&d.firstprivates, &d.reductions})
    for (const CopyOf& c : *list) value(f, c.original, e.reads);
  for (const auto* list : {&d.lastprivates, &d.reductions})
    for (const CopyOf& c : *list) {
      naming(f, c.original, e.reads);
      objects(f, c.original, e.writes);
      e.reads.add(p_.localOf(f, c.copy));
    }
  detail::copyLists(d, [&](const auto& list) {
    for (const CopyOf& c : list) e.writes.add(p_.localOf(f, c.copy));
  });
}

void Accesses::addMpi(FuncId f, const Mpi& s, Effects& e) const {
  const rules::MpiRow& row = rules::mpiRow(s.op);
  e.communicates = true;
  for (std::size_t i = 0; i < s.args.size(); ++i) {
    if (!s.args[i].valid()) continue;
    value(f, s.args[i], e.reads);
    if (i >= row.roles.size() || !as<PointerType>(m_, m_[f][s.args[i]].type)) continue;
    const rules::Role role = row.roles[i];
    for (Loc target : p_.targets(f, s.args[i])) {
      const Loc l = p_.locations.afterArithmetic(target);
      if (role != rules::Role::RecvBuf) e.reads.add(l);
      if (rules::isWritten(role)) e.writes.add(l);
    }
  }
  if (s.result.valid()) {
    naming(f, s.result, e.reads);
    objects(f, s.result, e.writes);
  }
  if (row.family == rules::Family::Completion) {
    e.writes.add(postedReceives_);
    e.reads.add(postedSends_);
  }
}

void Accesses::add(FuncId f, StmtId id, Effects& e) const {
  const Function& fn = m_[f];
  const auto read = [&](ExprId x) {
    if (x.valid()) value(f, x, e.reads);
  };
  const auto write = [&](ExprId place) {
    if (!place.valid()) return;
    naming(f, place, e.reads);
    objects(f, place, e.writes);
  };
  const auto nothing = [](const auto&) {};
  match(
      fn[id].node,
      [&](const Declare& s) {
        for (ExprId arg : s.args) s.init == Init::Bind ? naming(f, arg, e.reads) : read(arg);
        e.writes.add(p_.localOf(f, s.var));
      },
      [&](const Assign& s) {
        read(s.value);
        write(s.target);
      },
      [&](const Increment& s) {
        read(s.value);
        read(s.target);
        write(s.target);
      },
      [&](const OmpAtomic& s) {
        read(s.value);
        read(s.target);
        write(s.target);
      },
      [&](const Call& s) {
        const Function& callee = m_[s.callee];
        for (std::size_t i = 0; i < s.args.size(); ++i) {
          const bool byReference = i < callee.params.size() && isReference(m_, callee[callee.params[i]].type);
          byReference ? naming(f, s.args[i], e.reads) : read(s.args[i]);
        }
        const Effects& inner = of(s.callee);
        e.reads.add(inner.reads);
        e.writes.add(inner.writes);
        e.communicates = e.communicates || inner.communicates;
        e.output = e.output || inner.output || !callee.hasBody;
        if (!callee.hasBody) e.reads.add(kUnknown), e.writes.add(kUnknown);
        write(s.result);
      },
      [&](const Opaque& s) {
        e.output = true;
        for (ExprId arg : s.args) {
          read(arg);
          if (as<PointerType>(m_, fn[arg].type))
            for (Loc l : p_.targets(f, arg)) e.reads.add(l);
        }
        for (ExprId w : s.writes) write(w);
      },
      [&](const Restructure& s) {
        const bool other = s.op == Structure::Swap || s.op == Structure::Follow;
        other ? naming(f, s.operand, e.reads) : read(s.operand);
        sizeAndPlace(f, s.container, e.reads);
        write(s.container);
        if (!other) return;
        sizeAndPlace(f, s.operand, e.reads);
        if (s.op == Structure::Swap) write(s.operand);
      },
      [&](const Allocate& s) {
        read(s.count);
        write(s.target);
        e.writes.add(p_.locations.findHeap(f, id));
      },
      [&](const Free& s) { read(s.pointer); }, [&](const If& s) { read(s.condition); },
      [&](const For& s) {
        for (ExprId x : {s.init, s.bound, s.step}) read(x);
        e.reads.add(p_.localOf(f, s.counter));
        e.writes.add(p_.localOf(f, s.counter));
      },
      [&](const While& s) { read(s.condition); },
      [&](const Return& s) {
        if (!s.value.valid()) return;
        isReference(m_, fn.result) ? naming(f, s.value, e.reads) : read(s.value);
        e.writes.add(p_.resultOf(f));
      },
      [&](const OmpParallel& s) {
        addData(f, s.data, e);
        read(s.numThreads);
        read(s.ifCondition);
      },
      [&](const OmpFor& s) {
        addData(f, s.data, e);
        read(s.chunk);
      },
      [&](const OmpSimd& s) { addData(f, s.data, e); }, [&](const OmpSingle& s) { addData(f, s.data, e); },
      [&](const Mpi& s) { addMpi(f, s, e); }, [&](const Scope& s) { nothing(s); }, [&](const Break& s) { nothing(s); },
      [&](const Continue& s) { nothing(s); }, [&](const OmpMaster& s) { nothing(s); },
      [&](const OmpBarrier& s) { nothing(s); }, [&](const Comment& s) { nothing(s); },
      // Derivative code isn't analysed as a primal; these are for completeness.
      [&](const Push& s) { read(s.value); }, [&](const Pop& s) { write(s.place); }, [&](const TapeBlock& s) { read(s.count); },
      [&](const TapeRelease& s) { nothing(s); }, [&](const Revert& s) { write(s.container); },
      [&](const SharedIncrement& s) {
        read(s.value);
        write(s.target);
      },
      [&](const SetZero& s) { write(s.place); },
      [&](const Runtime& s) {
        e.output = true;
        for (ExprId arg : s.args) read(arg);
      });
}

void Accesses::header(FuncId f, StmtId s, LocSet& raw) const {
  Effects e;
  add(f, s, e);
  raw.add(e.reads);
}

Effects Accesses::of(FuncId f, StmtId s) const {
  Effects e;
  walkStmt(m_[f], s, [&](StmtId inner) { add(f, inner, e); });
  return e;
}

Effects Accesses::of(FuncId f, const Block& block) const {
  Effects e;
  walkStmts(m_[f], block, [&](StmtId inner) { add(f, inner, e); });
  return e;
}

Accesses computeEffects(const Module& m, const PointsTo& p, const CallGraph& graph) {
  Accesses out(m, p);
  for (std::uint32_t i = 0; i < m.functions.size(); ++i) {
    if (!p.knows(FuncId(i))) continue;
    const Function& fn = m.functions[i];
    walkStmts(fn, fn.body, [&](StmtId s) {
      const auto* mpi = std::get_if<Mpi>(&fn[s].node);
      if (!mpi || rules::mpiRow(mpi->op).family != rules::Family::Post) return;
      const auto& roles = rules::mpiRow(mpi->op).roles;
      for (std::size_t a = 0; a < mpi->args.size() && a < roles.size(); ++a)
        if (rules::isBuffer(roles[a]) && as<PointerType>(m, fn[mpi->args[a]].type))
          for (Loc l : p.targets(FuncId(i), mpi->args[a]))
            (rules::isWritten(roles[a]) ? out.postedReceives_ : out.postedSends_).add(p.locations.afterArithmetic(l));
    });
  }
  // Callees first; a cycle takes as many rounds as it needs.
  for (bool changed = true; changed;) {
    changed = false;
    for (FuncId f : graph.bottomUp()) {
      if (!p.knows(f)) continue;
      Effects e = out.of(f, m[f].body);
      Effects& old = out.functions_[f.index()];
      changed = old.reads.add(e.reads) || changed;
      changed = old.writes.add(e.writes) || changed;
      changed = changed || old.communicates != e.communicates || old.output != e.output;
      old.communicates = e.communicates;
      old.output = e.output;
    }
  }
  return out;
}

}  // namespace contraflow::analysis
