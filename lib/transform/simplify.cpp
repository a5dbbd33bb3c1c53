#include "transform/simplify.hpp"

#include <map>
#include <set>

#include "ir/equal.hpp"
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
      changed_ = false;
      clean(f_.body);
      changed = changed_;
    }
  }

 private:
  using Set = std::set<VarId>;

  // Adds every variable that the expression reads; with `target`, all but the one whose own memory the place is part of.
  void read(ExprId e, bool target, Set& out) const {
    if (!e.valid()) return;
    const Expr& x = f_[e];
    if (!target) {
      walkExpr(f_, e, [&](ExprId id) {
        if (const auto* v = std::get_if<VarRef>(&f_[id].node)) out.insert(v->var);
      });
      return;
    }
    if (const auto* v = std::get_if<VarRef>(&x.node)) {
      if (isReference(m_, f_[v->var].type)) out.insert(v->var);
    } else if (const auto* r = std::get_if<FieldRef>(&x.node)) {
      const auto* record = as<RecordType>(m_, f_[r->base].type);
      read(r->base, !(record && isReference(m_, m_[record->record].fields[r->field].type)), out);
    } else if (const auto* s = std::get_if<Subscript>(&x.node)) {
      read(s->index, false, out);
      if (const auto* d = std::get_if<Decay>(&f_[s->base].node))
        read(d->array, true, out);
      else
        read(s->base, as<PointerType>(m_, f_[s->base].type) == nullptr, out);
    } else {
      read(e, false, out);
    }
  }

  // What the statement itself reads, without the blocks in it.
  Set reads(const Stmt& stmt) const {
    Set out;
    if (const auto* a = std::get_if<Assign>(&stmt.node)) {
      read(a->target, true, out);
      read(a->value, false, out);
    } else if (const auto* i = std::get_if<Increment>(&stmt.node)) {
      read(i->target, true, out);
      read(i->value, false, out);
    } else if (const auto* z = std::get_if<SetZero>(&stmt.node)) {
      read(z->place, true, out);
    } else if (const auto* c = std::get_if<Call>(&stmt.node)) {
      for (ExprId arg : c->args) read(arg, false, out);
      read(c->result, !c->result.valid() || isPure(c->callee) || givesVariable(*c), out);
    } else {
      forEachExprOfStmt(stmt, [&](ExprId e) { read(e, false, out); });
    }
    const auto tape = [&](VarId v) {
      if (v.valid()) out.insert(v);
    };
    match(
        stmt.node, [&](const Push& x) { tape(x.tape); }, [&](const Pop& x) { tape(x.tape); },
        [&](const TapeBlock& x) { tape(x.tape); }, [&](const Restructure& x) { tape(x.tape); },
        [&](const Revert& x) { tape(x.tape); },
        [&](const TapeRelease& x) {
          tape(x.tape);
          tape(x.frame);
        },
        [&](const Mpi& x) { tape(x.tape); }, [&](const Declare& x) { tape(x.tape); }, [](const auto&) {});
    for (const DataSharing* data : sharing(stmt))
      for (const auto* list : {&data->privates, &data->firstprivates, &data->lastprivates, &data->reductions})
        for (const CopyOf& c : *list) out.insert(c.copy);
    return out;
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

  // True if the function does nothing but return a value.
  bool isPure(FuncId id) const {
    const auto known = pure_.find(id);
    if (known != pure_.end()) return known->second;
    pure_[id] = false;  // if it calls itself
    const Function& g = m_[id];
    bool yes = g.hasBody && !g.body.empty();
    const auto local = [&](ExprId place) {
      const VarId v = rootVar(g, place);
      bool own = v.valid() && !isReference(m_, g[v].type);
      walkExpr(g, place, [&](ExprId e) {
        const auto* s = std::get_if<Subscript>(&g[e].node);
        own = own && !std::holds_alternative<Deref>(g[e].node) && !(s && as<PointerType>(m_, g[s->base].type));
      });
      return own;
    };
    walkStmts(g, g.body, [&](StmtId s) {
      const StmtNode& node = g[s].node;
      if (const auto* a = std::get_if<Assign>(&node))
        yes = yes && local(a->target);
      else if (const auto* i = std::get_if<Increment>(&node))
        yes = yes && local(i->target);
      else if (const auto* c = std::get_if<Call>(&node))
        yes = yes && (!c->result.valid() || local(c->result)) && isPure(c->callee);
      else if (const auto* d = std::get_if<Declare>(&node))
        yes = yes && d->storage == Storage::Automatic;
      else
        yes = yes && (std::holds_alternative<If>(node) || std::holds_alternative<For>(node) ||
                      std::holds_alternative<While>(node) || std::holds_alternative<Scope>(node) || std::holds_alternative<Return>(node));
    });
    return pure_[id] = yes;
  }

  // The loops under a collapse stand and fall together.
  void keepNest(StmtId construct) {
    const auto* f = std::get_if<OmpFor>(&f_[construct].node);
    const auto* simd = std::get_if<OmpSimd>(&f_[construct].node);
    StmtId loop = f ? f->loop : simd ? simd->loop : StmtId();
    for (unsigned k = f ? f->collapse : simd ? simd->collapse : 1; k > 1; --k) {
      loop = std::get<For>(f_[loop].node).body.front();
      nests_.insert(loop);
    }
  }

  bool emptyLoop(StmtId s) const {
    const auto* l = std::get_if<For>(&f_[s].node);
    return l && (l->body.empty() || (l->body.size() == 1 && emptyLoop(l->body[0])));
  }

  // True if the statement does nothing once the blocks in it are clean.
  bool isEmpty(const Stmt& s) const {
    if (const auto* x = std::get_if<If>(&s.node)) return x->then.empty() && x->otherwise.empty();
    if (const auto* x = std::get_if<For>(&s.node)) return x->body.empty();
    if (const auto* x = std::get_if<Scope>(&s.node)) return x->body.empty();
    if (const auto* x = std::get_if<OmpParallel>(&s.node)) return x->body.empty();
    if (const auto* x = std::get_if<OmpMaster>(&s.node)) return x->body.empty();
    if (const auto* x = std::get_if<OmpSimd>(&s.node)) return emptyLoop(x->loop);
    if (const auto* x = std::get_if<OmpFor>(&s.node)) return emptyLoop(x->loop) && x->data.reductions.empty() && x->nowait;
    return false;
  }

  bool givesVariable(const Call& c) const { return c.result.valid() && std::holds_alternative<VarRef>(f_[c.result].node); }

  bool writesOnly(StmtId s, VarId v) const {
    const StmtNode& node = f_[s].node;
    if (const auto* a = std::get_if<Assign>(&node)) return written(a->target) == v;
    if (const auto* i = std::get_if<Increment>(&node)) return written(i->target) == v;
    if (const auto* z = std::get_if<SetZero>(&node)) return written(z->place) == v;
    if (const auto* c = std::get_if<Call>(&node)) return c->result.valid() && isPure(c->callee) && written(c->result) == v;
    return false;
  }

  // Takes out what is stored into v; nothing reads it. A block that declares v again speaks of another object from there on.
  void removeWrites(Block& block, VarId v, std::size_t from) {
    Block kept(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(from));
    bool shadowed = false;
    for (std::size_t k = from; k < block.size(); ++k) {
      const StmtId s = block[k];
      if (!shadowed) {
        const auto* d = std::get_if<Declare>(&f_[s].node);
        shadowed = d && d->var == v;
      }
      if (!shadowed) {
        forEachBlockOfStmt(f_[s], [&](Block& inner) { removeWrites(inner, v, 0); });
        if (const StmtId loop = loopOf(f_[s])) forEachBlockOfStmt(f_[loop], [&](Block& inner) { removeWrites(inner, v, 0); });
        if (writesOnly(s, v)) continue;
        // A call that does more stays, without its result. (A new statement: both sweeps may hold this one.)
        const Stmt stmt = f_[s];
        if (const auto* c = std::get_if<Call>(&stmt.node); c && givesVariable(*c) && written(c->result) == v) {
          kept.push_back(f_.addStmt(Call{c->callee, c->args, {}}, stmt.loc, stmt.origin));
          continue;
        }
      }
      kept.push_back(s);
    }
    block = std::move(kept);
  }

  // Cleans the block from its end; returns the variables declared outside that it reads. `live`: what is read behind it of what
  // it declares.
  Set clean(Block& block, Set live = {}) {
    for (std::size_t k = block.size(); k-- > 0;) {
      const StmtId s = block[k];
      // `x_d = x_d;`, the tangent of `x = x + 1`
      if (const auto* a = std::get_if<Assign>(&f_[s].node); a && equal(f_, a->target, a->value)) {
        block.erase(block.begin() + static_cast<std::ptrdiff_t>(k));
        changed_ = true;
        continue;
      }
      Set own = reads(f_[s]);
      // What a variable's next value needs of it is no use of it.
      if (const auto* a = std::get_if<Assign>(&f_[s].node)) own.erase(written(a->target));
      if (const auto* i = std::get_if<Increment>(&f_[s].node)) own.erase(written(i->target));
      const auto inside = [&](StmtId of) {
        if (auto* loop = std::get_if<While>(&f_[of].node)) {  // the test's variables reach into its condition and the body
          own.merge(clean(loop->body));
          own = clean(loop->test, own);
          return;
        }
        forEachBlockOfStmt(f_[of], [&](Block& inner) { own.merge(clean(inner)); });
      };
      inside(s);
      if (const StmtId loop = loopOf(f_[s])) {
        keepNest(s);
        own.merge(reads(f_[loop]));
        inside(loop);
      }
      if (auto* branch = std::get_if<If>(&f_[s].node); branch && branch->then.empty() && !branch->otherwise.empty()) {
        branch->then.swap(branch->otherwise);
        const Expr e = f_[branch->condition];
        const ExprId opposite = f_.addExpr(Unary{UnaryOp::Not, branch->condition}, e.type, e.loc);
        std::get<If>(f_[s].node).condition = opposite;
      }
      if (isEmpty(f_[s]) && nests_.count(s) == 0) {
        block.erase(block.begin() + static_cast<std::ptrdiff_t>(k));
        changed_ = true;
        continue;
      }
      if (const auto* d = std::get_if<Declare>(&f_[s].node); d && d->storage == Storage::Automatic) {
        const VarId v = d->var;
        if (live.count(v) == 0 && !restored(block, k + 1, v)) {
          removeWrites(block, v, k + 1);
          block.erase(block.begin() + static_cast<std::ptrdiff_t>(k));
          changed_ = true;
          continue;
        }
        live.erase(v);
      }
      live.merge(own);
    }
    return live;
  }

  // True if a tape statement, a call or a construct names v as what it writes: the declaration has to stay.
  bool restored(const Block& block, std::size_t from, VarId v) const {
    bool found = false;
    for (std::size_t k = from; k < block.size() && !found; ++k)
      walkStmt(f_, block[k], [&](StmtId s) {
        if (const auto* b = std::get_if<TapeBlock>(&f_[s].node)) found = found || b->pointer == v;
      });
    return found;
  }

  const Module& m_;
  Function& f_;
  bool changed_ = false;
  std::set<StmtId> nests_;  // inner loops of collapsed nests
  mutable std::map<FuncId, bool> pure_;
};

}  // namespace

void simplify(const Module& module, Function& function) { Simplifier(module, function).run(); }

}  // namespace contraflow::transform
