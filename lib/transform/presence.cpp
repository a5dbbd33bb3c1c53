#include "transform/presence.hpp"

#include <algorithm>

#include "ir/match.hpp"
#include "ir/walk.hpp"
#include "rules/mpi.hpp"

namespace contraflow::transform {

using namespace ir;
using analysis::Presence;

bool namesParameter(const Head& head, unsigned param) {
  const auto names = [&](const HeadName& n) { return n.param == static_cast<int>(param); };
  return head.all || std::any_of(head.independents.begin(), head.independents.end(), names) ||
         std::any_of(head.dependents.begin(), head.dependents.end(), names);
}

PresenceMap::PresenceMap(const Module& module, const std::vector<Head>& heads) : m_(module) {
  for (std::size_t h = 0; h < heads.size(); ++h) {
    const Instance i{heads[h].function, static_cast<int>(h)};
    reached_.push_back(i);
    startHead(i, heads[h]);
    startLocals(i);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t k = 0; k < reached_.size(); ++k) {  // grows
      const Instance i = reached_[k];
      changed = visit(i) || changed;
    }
  }
  std::set<Instance> seen;
  for (std::size_t h = 0; h < heads.size(); ++h) sort({heads[h].function, static_cast<int>(h)}, seen);
}

// --- where it starts -------------------------------------------------------------------------------------------------------

void PresenceMap::startHead(const Instance& i, const Head& head) {
  const Function& f = m_[i.function];
  for (std::size_t p = 0; p < f.params.size(); ++p) {
    const TypeId type = f[f.params[p]].type;
    if (!reachesReal(m_, type)) continue;
    const bool present = namesParameter(head, static_cast<unsigned>(p)) || writableReal(m_, type);
    vars_[i][f.params[p]] = present ? kPresent : kAbsent;
  }
  if (isReal(m_, f.result)) results_[i] = kPresent;
  for (const auto* names : {&head.independents, &head.dependents})
    for (const HeadName& n : *names)
      if (n.global.valid()) globals_[n.global] |= kPresent;
}

// What has a shadow whatever flows into it.
void PresenceMap::startLocals(const Instance& i) {
  const Function& f = m_[i.function];
  const auto object = [&](TypeId t) { return reachesReal(m_, t) && !isReal(m_, t) && !isPointer(t) && !isReference(m_, t); };
  // A const object holds what it was declared with: see Declare.
  const auto isConst = [&](TypeId t) {
    while (const auto* a = as<ArrayType>(m_, t)) t = a->element;
    return m_[t].isConst && !holdsPointer(m_, t);
  };
  for (std::uint32_t v = 0; v < f.vars.size(); ++v)
    if (f.vars[v].kind == VarKind::Local && object(f.vars[v].type) && !isConst(f.vars[v].type)) vars_[i][VarId(v)] = kPresent;
  // A scalar whose address gets around may be written by anyone. A pointer may be given one with a shadow, or one without.
  const auto exposed = [&](ExprId place) {
    const auto* whole = std::get_if<VarRef>(&f[place].node);
    if (whole && f[whole->var].kind == VarKind::Local && isPointer(f[whole->var].type) && !m_[f[whole->var].type].isConst && reachesReal(m_, f[whole->var].type))
      vars_[i][whole->var] = kPresent | kAbsent;
    const auto* global = std::get_if<GlobalRef>(&f[place].node);
    if (global && isPointer(m_[global->global].type) && !m_[global->global].isConstant && reachesReal(m_, m_[global->global].type))
      globals_[global->global] |= kPresent | kAbsent;
    const VarId root = rootVar(f, place);
    if (root.valid() && f[root].kind == VarKind::Local && isReal(m_, f[root].type)) vars_[i][root] = kPresent;
  };
  walkExprs(f, f.body, [&](ExprId e) {
    if (const auto* a = std::get_if<AddressOf>(&f[e].node)) exposed(a->place);
  });
  walkStmts(f, f.body, [&](StmtId s) {
    if (const auto* d = std::get_if<Declare>(&f[s].node); d && d->init == Init::Bind) exposed(d->args[0]);
    if (const auto* c = std::get_if<Call>(&f[s].node))
      for (std::size_t k = 0; k < c->args.size(); ++k)
        if (isReference(m_, m_[c->callee][m_[c->callee].params[k]].type) &&
            writableReal(m_, m_[c->callee][m_[c->callee].params[k]].type))
          exposed(c->args[k]);
  });
}

// --- the fixed point -------------------------------------------------------------------------------------------------------

bool PresenceMap::add(const Instance& i, VarId v, unsigned bits) {
  const Var& var = m_[i.function][v];
  if (bits == 0 || !reachesReal(m_, var.type)) return false;
  if (i.head >= 0 && var.kind == VarKind::Parameter) return false;  // the head alone decides
  unsigned& old = vars_[i][v];
  const unsigned now = old | bits;
  const bool changed = now != old;
  old = now;
  return changed;
}

bool PresenceMap::store(const Instance& i, ExprId place, unsigned bits) {
  const Function& f = m_[i.function];
  if (const auto* v = std::get_if<VarRef>(&f[place].node)) return add(i, v->var, bits);
  if (const auto* g = std::get_if<GlobalRef>(&f[place].node)) {
    if (!reachesReal(m_, m_[g->global].type)) return false;
    unsigned& old = globals_[g->global];
    const bool changed = (old | bits) != old;
    old |= bits;
    return changed;
  }
  return false;  // memory: its shadow stands or falls with the object around
}

bool PresenceMap::visit(const Instance& i) {
  const Function& f = m_[i.function];
  bool changed = false;
  walkStmts(f, f.body, [&](StmtId s) { changed = visitStmt(i, s) || changed; });
  return changed;
}

bool PresenceMap::visitStmt(const Instance& i, StmtId s) {
  const Function& f = m_[i.function];
  const auto no = [](const auto&) { return false; };
  return match(
      f[s].node,
      [&](const Declare& d) {
        if (d.storage != Storage::Automatic) return add(i, d.var, kPresent);  // by its type alone: both sweeps agree
        unsigned sum = 0;
        for (const ExprId a : d.args) sum |= bits(i, a);
        return add(i, d.var, sum);
      },
      [&](const Assign& a) { return store(i, a.target, bits(i, a.value)); },
      [&](const Increment& a) { return isReal(m_, f[a.target].type) && store(i, a.target, bits(i, a.value)); },
      [&](const Call& c) { return visitCall(i, c); },
      [&](const Return& r) {
        if (!r.value.valid()) return false;
        unsigned& old = results_[i];
        const unsigned now = old | (reachesReal(m_, f[r.value].type) ? bits(i, r.value) : 0u);
        const bool changed = now != old;
        old = now;
        return changed;
      },
      [&](const OmpParallel& p) { return visitCopies(i, p.data); }, [&](const OmpFor& p) { return visitCopies(i, p.data); },
      [&](const OmpSimd& p) { return visitCopies(i, p.data); }, [&](const OmpSingle& p) { return visitCopies(i, p.data); },
      [&](const OmpAtomic& a) { return store(i, a.target, bits(i, a.value)); },
      [&](const SharedIncrement& a) { return store(i, a.target, bits(i, a.value)); },
      // The tape has both: what was a null shadow comes back as one.
      [&](const Pop& p) { return store(i, p.place, isPointer(f[p.place].type) ? kAbsent | kPresent : unsigned(kPresent)); },
      [&](const TapeBlock& b) { return add(i, b.pointer, kPresent); },
      [&](const Opaque&) { return false; }, [&](const If& x) { return no(x); }, [&](const For& x) { return no(x); },
      [&](const While& x) { return no(x); }, [&](const Scope& x) { return no(x); }, [&](const Break& x) { return no(x); },
      [&](const Continue& x) { return no(x); }, [&](const OmpMaster& x) { return no(x); },
      [&](const OmpBarrier& x) { return no(x); }, [&](const Mpi& x) { return no(x); }, [&](const Push& x) { return no(x); },
      [&](const TapeRelease& x) { return no(x); }, [&](const Restructure& x) { return no(x); },
      [&](const Allocate& x) { return reachesReal(m_, f[x.target].type) && store(i, x.target, kPresent); },
      [&](const Free& x) { return no(x); },
      [&](const Revert& x) { return no(x); }, [&](const SetZero& x) { return no(x); },
      [&](const Runtime& x) { return no(x); }, [&](const Comment& x) { return no(x); });
}

bool PresenceMap::visitCall(const Instance& i, const Call& call) {
  const Function& callee = m_[call.callee];
  bool changed = false;
  if (!callee.hasBody) return call.result.valid() && store(i, call.result, 0);
  const Instance inner{call.callee, -1};
  if (std::find_if(reached_.begin(), reached_.end(), [&](const Instance& r) { return !(r < inner) && !(inner < r); }) ==
      reached_.end()) {
    reached_.push_back(inner);
    startLocals(inner);
    changed = true;
  }
  for (std::size_t k = 0; k < call.args.size(); ++k) {
    changed = add(inner, callee.params[k], bits(i, call.args[k])) || changed;
    // A pointer by reference: what the function stores there.
    const auto* reference = as<ReferenceType>(m_, callee[callee.params[k]].type);
    if (reference && isPointer(reference->pointee) && !m_[reference->pointee].isConst)
      changed = store(i, call.args[k], bitsOfVar(inner, callee.params[k])) || changed;
  }
  const auto result = results_.find(inner);
  if (call.result.valid() && result != results_.end()) changed = store(i, call.result, result->second) || changed;
  return changed;
}

// A copy and its original hold the same values at some time; a clause names the shadows of both.
bool PresenceMap::visitCopies(const Instance& i, const DataSharing& data) {
  bool changed = false;
  for (const auto* list : {&data.privates, &data.firstprivates, &data.lastprivates, &data.reductions})
    for (const CopyOf& c : *list) {
      if (list != &data.privates) changed = add(i, c.copy, bits(i, c.original)) || changed;
      changed = store(i, c.original, bitsOfVar(i, c.copy)) || changed;
    }
  return changed;
}

// --- expressions -----------------------------------------------------------------------------------------------------------

unsigned PresenceMap::bitsOfVar(const Instance& i, VarId v) const {
  const auto vars = vars_.find(i);
  if (vars == vars_.end()) return 0;
  const auto found = vars->second.find(v);
  return found == vars->second.end() ? 0 : found->second;
}

unsigned PresenceMap::bitsOfGlobal(GlobalId g) const {
  const Global& global = m_[g];
  if (global.isConstant || !reachesReal(m_, global.type)) return kAbsent;
  const auto found = globals_.find(g);
  const unsigned stored = found == globals_.end() ? 0 : found->second;
  if (isPointer(global.type)) return stored == 0 ? unsigned(kAbsent) : stored;
  return kPresent;
}

unsigned PresenceMap::bits(const Instance& i, ExprId e) const {
  if (!e.valid()) return 0;
  const Function& f = m_[i.function];
  const Expr& x = f[e];
  if (isIntegral(m_, x.type)) return kAbsent;
  // A pointer that is read from memory with a shadow: its own shadow may be null.
  const auto inMemory = [&](unsigned object) {
    return isPointer(x.type) && (object & kPresent) ? unsigned(kAbsent | kPresent) : object;
  };
  const auto all = [&](const std::vector<ExprId>& es) {
    unsigned sum = 0;
    for (const ExprId a : es) sum |= bits(i, a);
    return sum;
  };
  return match(
      x.node, [&](const Literal& l) { return l.text == "nullptr" ? 0u : unsigned(kAbsent); },
      [&](const VarRef& v) {
        // What isn't a pointer has a shadow or not, whatever else was stored into it.
        const unsigned stored = bitsOfVar(i, v.var);
        return (stored & kPresent) && !isPointer(withoutReference(m_, f[v.var].type)) ? unsigned(kPresent) : stored;
      },
      [&](const GlobalRef& g) { return bitsOfGlobal(g.global); },
      [&](const FieldRef& r) { return inMemory(bits(i, r.base)); },
      [&](const Subscript& s) { return inMemory(bits(i, s.base)); }, [&](const Deref& d) { return inMemory(bits(i, d.pointer)); },
      [&](const AddressOf& a) { return bits(i, a.place); }, [&](const Decay& d) { return bits(i, d.array); },
      [&](const DataOf& d) { return bits(i, d.container); }, [&](const SizeOf&) { return unsigned(kAbsent); },
      [&](const Unary& u) { return bits(i, u.operand); },
      [&](const Binary& b) {
        if (isPointer(x.type)) return bits(i, isPointer(f[b.lhs].type) ? b.lhs : b.rhs);
        return bits(i, b.lhs) | bits(i, b.rhs);
      },
      [&](const Cast& c) { return bits(i, c.operand); },
      [&](const Conditional& c) { return bits(i, c.whenTrue) | bits(i, c.whenFalse); },
      [&](const MathCall& c) { return all(c.args); },
      [&](const PureCall& c) { return isReal(m_, x.type) || isPointer(x.type) ? all(c.args) : unsigned(kAbsent); },
      [&](const InitList& l) { return all(l.elements); });
}

// --- answers ---------------------------------------------------------------------------------------------------------------

Presence PresenceMap::presence(unsigned bits) const {
  if ((bits & kPresent) == 0) return Presence::None;
  return (bits & kAbsent) ? Presence::Maybe : Presence::Present;
}

Presence PresenceMap::operator()(const Instance& i, VarId v) const {
  const TypeId type = m_[i.function].vars.size() > v.index() ? m_[i.function][v].type : TypeId();
  if (!type.valid() || !reachesReal(m_, type)) return Presence::None;
  const Presence p = presence(bitsOfVar(i, v));
  return p == Presence::Maybe && !isPointer(type) ? Presence::Present : p;
}

Presence PresenceMap::operator()(GlobalId g) const {
  const Presence p = presence(bitsOfGlobal(g));
  return p == Presence::Maybe && !isPointer(m_[g].type) ? Presence::Present : p;
}

Presence PresenceMap::result(const Instance& i) const {
  const auto found = results_.find(i);
  return found == results_.end() ? Presence::None : presence(found->second);
}

Presence PresenceMap::of(const Instance& i, ExprId e) const { return presence(bits(i, e)); }

bool PresenceMap::needsDerivative(FuncId callee) const {
  const Instance i{callee, -1};
  const Function& f = m_[callee];
  if (!f.hasBody) return false;
  for (const VarId p : f.params) {
    if ((*this)(i, p) != Presence::None) return true;
    if (as<TapeType>(m_, withoutReference(m_, f[p].type))) return true;  // the two sweeps agree on what is recorded
  }
  return result(i) != Presence::None || !globalsOf(i).empty() || completesMessages(i);
}

// What was posted elsewhere is finished by its request alone.
bool PresenceMap::completesMessages(const Instance& start) const {
  std::set<Instance> seen;
  std::vector<Instance> work{start};
  bool found = false;
  while (!work.empty()) {
    const Instance i = work.back();
    work.pop_back();
    if (!seen.insert(i).second) continue;
    const Function& f = m_[i.function];
    walkStmts(f, f.body, [&](StmtId s) {
      if (const auto* x = std::get_if<Mpi>(&f[s].node))
        found = found || rules::mpiRow(x->op).family == rules::Family::Completion;
      if (const auto* c = std::get_if<Call>(&f[s].node))
        if (m_[c->callee].hasBody) work.push_back({c->callee, -1});
    });
  }
  return found;
}

std::set<GlobalId> PresenceMap::globalsOf(const Instance& start) const {
  std::set<GlobalId> out;
  std::set<Instance> seen;
  std::vector<Instance> work{start};
  while (!work.empty()) {
    const Instance i = work.back();
    work.pop_back();
    if (!seen.insert(i).second) continue;
    const Function& f = m_[i.function];
    walkExprs(f, f.body, [&](ExprId e) {
      if (const auto* g = std::get_if<GlobalRef>(&f[e].node))
        if ((*this)(g->global) != Presence::None) out.insert(g->global);
    });
    walkStmts(f, f.body, [&](StmtId s) {
      if (const auto* c = std::get_if<Call>(&f[s].node))
        if (m_[c->callee].hasBody) work.push_back({c->callee, -1});
    });
  }
  return out;
}

void PresenceMap::sort(const Instance& i, std::set<Instance>& seen) {
  if (!seen.insert(i).second) return;
  const Function& f = m_[i.function];
  walkStmts(f, f.body, [&](StmtId s) {
    if (const auto* c = std::get_if<Call>(&f[s].node))
      if (m_[c->callee].hasBody) sort({c->callee, -1}, seen);
  });
  order_.push_back(i);
}

}  // namespace contraflow::transform
