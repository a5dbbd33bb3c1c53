#include "transform/simplify.hpp"

#include <set>

#include "ir/match.hpp"
#include "ir/walk.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;

class Simplifier {
 public:
  Simplifier(const Module& m, Function& f) : m_(m), f_(f) {}

  void run() {
    for (bool changed = true; changed;) {
      collect();
      changed = clean(f_.body);
    }
  }

 private:
  // Reads every variable in the expression; with `target`, all but the variable whose own memory the place is part of.
  void read(ExprId e, bool target) {
    if (!e.valid()) return;
    const Expr& x = f_[e];
    if (!target) {
      walkExpr(f_, e, [&](ExprId id) {
        if (const auto* v = std::get_if<VarRef>(&f_[id].node)) used_.insert(v->var);
      });
      return;
    }
    if (const auto* v = std::get_if<VarRef>(&x.node)) {
      if (isReference(m_, f_[v->var].type)) used_.insert(v->var);
      return;
    }
    if (const auto* r = std::get_if<FieldRef>(&x.node)) {
      const auto* record = as<RecordType>(m_, f_[r->base].type);
      return read(r->base, !(record && isReference(m_, m_[record->record].fields[r->field].type)));
    }
    if (const auto* s = std::get_if<Subscript>(&x.node)) {
      read(s->index, false);
      if (const auto* d = std::get_if<Decay>(&f_[s->base].node)) return read(d->array, true);
      return read(s->base, as<PointerType>(m_, f_[s->base].type) == nullptr);
    }
    read(e, false);
  }

  void collect() {
    used_.clear();
    for (VarId p : f_.params) used_.insert(p);
    walkStmts(f_, f_.body, [&](StmtId s) {
      const Stmt& stmt = f_[s];
      if (const auto* a = std::get_if<Assign>(&stmt.node)) {
        read(a->target, true);
        read(a->value, false);
      } else if (const auto* i = std::get_if<Increment>(&stmt.node)) {
        read(i->target, true);
        read(i->value, false);
      } else if (const auto* z = std::get_if<SetZero>(&stmt.node)) {
        read(z->place, true);
      } else {
        forEachExprOfStmt(stmt, [&](ExprId e) { read(e, false); });
      }
      match(
          stmt.node, [&](const Push& x) { used_.insert(x.tape); }, [&](const Pop& x) { used_.insert(x.tape); },
          [&](const TapeBlock& x) { used_.insert(x.tape); },
          [&](const TapeRelease& x) {
            used_.insert(x.tape);
            if (x.frame.valid()) used_.insert(x.frame);
          },
          [&](const Mpi& x) {
            if (x.tape.valid()) used_.insert(x.tape);
          },
          [&](const Declare& x) {
            if (x.tape.valid()) used_.insert(x.tape);
          },
          [](const auto&) {});
      for (const DataSharing* data : sharing(stmt))
        for (const auto* list : {&data->privates, &data->firstprivates, &data->lastprivates, &data->reductions})
          for (const CopyOf& c : *list) used_.insert(c.copy);
    });
  }

  static std::vector<const DataSharing*> sharing(const Stmt& s) {
    if (const auto* x = std::get_if<OmpParallel>(&s.node)) return {&x->data};
    if (const auto* x = std::get_if<OmpFor>(&s.node)) return {&x->data};
    if (const auto* x = std::get_if<OmpSimd>(&s.node)) return {&x->data};
    if (const auto* x = std::get_if<OmpSingle>(&s.node)) return {&x->data};
    return {};
  }

  // The variable whose own memory is written; none if the place may lie elsewhere.
  VarId written(ExprId place) const {
    const Expr& x = f_[place];
    if (const auto* v = std::get_if<VarRef>(&x.node)) return isReference(m_, f_[v->var].type) ? VarId() : v->var;
    if (const auto* r = std::get_if<FieldRef>(&x.node)) {
      const auto* record = as<RecordType>(m_, f_[r->base].type);
      return record && isReference(m_, m_[record->record].fields[r->field].type) ? VarId() : written(r->base);
    }
    if (const auto* s = std::get_if<Subscript>(&x.node)) {
      if (const auto* d = std::get_if<Decay>(&f_[s->base].node)) return written(d->array);
      return as<PointerType>(m_, f_[s->base].type) ? VarId() : written(s->base);
    }
    return {};
  }

  bool unused(ExprId place) const {
    const VarId v = written(place);
    return v.valid() && used_.count(v) == 0;
  }

  bool emptyLoop(StmtId s) const {
    const auto* l = std::get_if<For>(&f_[s].node);
    return l && (l->body.empty() || (l->body.size() == 1 && emptyLoop(l->body[0])));
  }

  bool removable(const Stmt& s) const {
    const auto keep = [](const auto&) { return false; };
    return match(
        s.node,
        [&](const Declare& d) {
          return used_.count(d.var) == 0 && d.storage == Storage::Automatic;
        },
        [&](const Assign& a) { return unused(a.target); }, [&](const Increment& i) { return unused(i.target); },
        [&](const SetZero& z) { return unused(z.place); },
        [](const If& i) { return i.then.empty() && i.otherwise.empty(); }, [](const For& l) { return l.body.empty(); },
        [](const Scope& x) { return x.body.empty(); }, [](const OmpParallel& x) { return x.body.empty(); },
        [&](const OmpFor& x) { return emptyLoop(x.loop) && x.data.reductions.empty() && x.nowait; },
        [&](const OmpSimd& x) { return emptyLoop(x.loop); },
        [](const OmpMaster& x) { return x.body.empty(); }, [&](const OmpSingle& x) { return keep(x); },
        [&](const Call& x) { return keep(x); }, [&](const Opaque& x) { return keep(x); }, [&](const While& x) { return keep(x); },
        [&](const Break& x) { return keep(x); }, [&](const Continue& x) { return keep(x); },
        [&](const Return& x) { return keep(x); }, [&](const OmpBarrier& x) { return keep(x); },
        [&](const OmpAtomic& x) { return keep(x); }, [&](const Mpi& x) { return keep(x); },
        [&](const Push& x) { return keep(x); }, [&](const Pop& x) { return keep(x); },
        [&](const TapeBlock& x) { return keep(x); }, [&](const TapeRelease& x) { return keep(x); },
        [&](const SharedIncrement& x) { return keep(x); }, [&](const Runtime& x) { return keep(x); },
        [&](const Comment& x) { return keep(x); });
  }

  bool clean(Block& block) {
    bool changed = false;
    Block kept;
    for (StmtId s : block) {
      forEachBlockOfStmt(f_[s], [&](Block& inner) { changed = clean(inner) || changed; });
      if (const StmtId loop = loopOf(f_[s]))
        forEachBlockOfStmt(f_[loop], [&](Block& inner) { changed = clean(inner) || changed; });
      if (auto* branch = std::get_if<If>(&f_[s].node); branch && branch->then.empty() && !branch->otherwise.empty()) {
        branch->then.swap(branch->otherwise);
        const ExprId condition = branch->condition;
        const Expr e = f_[condition];
        const ExprId opposite = f_.addExpr(Unary{UnaryOp::Not, condition}, e.type, e.loc);
        std::get<If>(f_[s].node).condition = opposite;
      }
      if (removable(f_[s]))
        changed = true;
      else
        kept.push_back(s);
    }
    block = std::move(kept);
    return changed;
  }

  const Module& m_;
  Function& f_;
  std::set<VarId> used_;
};

}  // namespace

void simplify(const Module& module, Function& function) { Simplifier(module, function).run(); }

}  // namespace contraflow::transform
