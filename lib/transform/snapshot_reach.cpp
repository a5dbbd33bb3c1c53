#include "transform/snapshot_reach.hpp"

#include <algorithm>

#include "ir/walk.hpp"
#include "rules/mpi.hpp"

namespace contraflow::transform {

using namespace ir;

namespace {

bool startsWithAny(const std::string& text, std::initializer_list<const char*> begins) {
  return std::any_of(begins.begin(), begins.end(), [&](const char* b) { return text.rfind(b, 0) == 0; });
}

bool isVariable(const Function& f, ExprId e, VarId v) {
  const auto* r = std::get_if<VarRef>(&f[e].node);
  return r && r->var == v;
}

}  // namespace

WrittenMemory::WrittenMemory(const Module& m, const analysis::Facts& facts, SnapshotRefusal& refusal, FuncId id, const Function& f,
                             StmtId loop, bool touched)
    : m_(m), facts_(facts), refusal_(refusal), id_(id), loopFunction_(f), loop_(loop), touched_(touched) {
  walkStmt(f, loop, [&](StmtId s) { forEachDeclaredVar(f[s], [&](VarId v) { own_.insert(v); }); });
}

Reach WrittenMemory::all() { return written(id_, loopFunction_, Block{loop_}); }

void WrittenMemory::stop(const std::string& what, const std::string& wayOut) {
  const std::string writes = "it writes ";
  const bool reads = touched_ && what.compare(0, writes.size(), writes) == 0;
  refusal_ = {at_, reads ? "it reads or writes " + what.substr(writes.size()) : what, wayOut};
  throw SnapshotStop();
}

// --- what statements write

Reach WrittenMemory::written(FuncId id, const Function& f, const Block& block) {
  Reach out;
  walkStmts(f, block, [&](StmtId s) {
    at_ = f[s].loc;
    for (ExprId target : targets(id, f, s)) append(out, resolvePlace(f, target), facts_.callerVisible(id, target));
    if (const auto* c = std::get_if<Call>(&f[s].node)) append(out, call(id, f, *c), false);
    if (const auto* x = std::get_if<Mpi>(&f[s].node)) append(out, messages(id, f, s, *x), true);
    if (touched_) {
      const auto* call = std::get_if<Call>(&f[s].node);
      const auto* declared = std::get_if<Declare>(&f[s].node);
      if (call) readArguments(f, *call, out);
      else if (declared && isReference(m_, f[declared->var].type)) readByPath(f, declared->args.empty() ? ExprId() : declared->args[0], out);
      else forEachExprOfStmt(f[s], [&](ExprId e) { read(f, e, out); });
    }
    check(id, f, s);
  });
  return out;
}

// --- what they read

void WrittenMemory::read(const Function& f, ExprId e, Reach& out) {
  const ExprNode& node = f[e].node;
  if (isPlace(f[e])) {
    if (!as<PointerType>(m_, f[e].type)) append(out, resolvePlace(f, e), false);
    return readByPath(f, e, out);
  }
  if (const auto* a = std::get_if<AddressOf>(&node)) return readByPath(f, a->place, out);
  if (const auto* d = std::get_if<Decay>(&node)) return readByPath(f, d->array, out);
  if (const auto* d = std::get_if<DataOf>(&node)) return readByPath(f, d->container, out);
  if (const auto* s = std::get_if<SizeOf>(&node)) return readByPath(f, s->container, out);
  forEachChildExpr(f[e], [&](ExprId child) { read(f, child, out); });
}

// What is evaluated to name a place: indices, and what pointers are computed from.
void WrittenMemory::readByPath(const Function& f, ExprId place, Reach& out) {
  if (!place.valid()) return;
  const ExprNode& node = f[place].node;
  if (const auto* r = std::get_if<FieldRef>(&node)) return readByPath(f, r->base, out);
  if (const auto* d = std::get_if<Deref>(&node)) return read(f, d->pointer, out);
  if (const auto* s = std::get_if<Subscript>(&node)) {
    read(f, s->index, out);
    return as<PointerType>(m_, f[s->base].type) ? read(f, s->base, out) : readByPath(f, s->base, out);
  }
  if (std::holds_alternative<VarRef>(node) || std::holds_alternative<GlobalRef>(node)) return;
  forEachChildExpr(f[place], [&](ExprId child) { read(f, child, out); });
}

// What is passed by reference is read as the callee does.
void WrittenMemory::readArguments(const Function& f, const Call& c, Reach& out) {
  const Function& g = m_[c.callee];
  for (std::size_t k = 0; k < c.args.size(); ++k) {
    if (!c.args[k].valid()) continue;
    const bool byReference = k < g.params.size() && isReference(m_, g[g.params[k]].type);
    if (byReference && isPlace(f[c.args[k]])) readByPath(f, c.args[k], out);
    else read(f, c.args[k], out);
  }
  if (c.result.valid()) readByPath(f, c.result, out);
}

std::vector<ExprId> WrittenMemory::targets(FuncId id, const Function& f, StmtId s) {
  std::vector<ExprId> out;
  const auto add = [&](ExprId e) {
    if (e.valid()) out.push_back(e);
  };
  const StmtNode& node = f[s].node;
  if (const auto* x = std::get_if<Assign>(&node)) add(x->target);
  if (const auto* x = std::get_if<Increment>(&node)) add(x->target);
  if (const auto* x = std::get_if<OmpAtomic>(&node)) add(x->target);
  if (const auto* x = std::get_if<Call>(&node)) add(x->result);
  if (const auto* x = std::get_if<Allocate>(&node)) add(x->target);
  if (const auto* x = std::get_if<OmpFor>(&node)) sums(x->data, out);
  if (const auto* x = std::get_if<OmpSimd>(&node)) sums(x->data, out);
  if (const auto* x = std::get_if<OmpParallel>(&node)) sums(x->data, out);
  if (const auto* x = std::get_if<OmpSingle>(&node)) sums(x->data, out);
  if (const auto* x = std::get_if<Restructure>(&node)) restructure(id, f, *x);
  return out;
}
void WrittenMemory::sums(const DataSharing& data, std::vector<ExprId>& out) {
  for (const auto* list : {&data.reductions, &data.lastprivates})
    for (const CopyOf& c : *list) out.push_back(c.original);
}

// What can't be done again.
void WrittenMemory::check(FuncId, const Function& f, StmtId s) {
  const StmtNode& node = f[s].node;
  if (outermost_ && (std::holds_alternative<Allocate>(node) || std::holds_alternative<Free>(node)))
    stop("it allocates or frees memory", "allocate it in front of the loop, or inside a function that the loop calls and that frees it");
  if (const auto* o = std::get_if<Opaque>(&node)) {
    if (!o->writes.empty()) stop("it reads input, which can't be read again", "read it in front of the loop");
    if (!outermost_ && !startsWithAny(o->pieces.front(), {"throw", "std::abort", "abort", "std::exit", "exit", "std::terminate", "omp_set_"}))
      stop("'" + f.name + "', which it calls, prints: it would print again each time that steps are run again",
           "print in the loop itself, where it is printed once");
  }
  forEachExprOfStmt(f[s], [&](ExprId e) {
    walkExpr(f, e, [&](ExprId x) {
      const auto* p = std::get_if<PureCall>(&f[x].node);
      if (p && (p->callee.find("time") != std::string::npos || p->callee.find("clock") != std::string::npos))
        stop("it asks for the time, which is another one when steps are run again", "measure the time around the loop");
    });
  });
}

// Buffers, requests and what a routine says through pointers. (A nonblocking receive writes later, but in the same step.)
Reach WrittenMemory::messages(FuncId id, const Function& f, StmtId s, const Mpi& x) {
  const rules::MpiRow& row = rules::mpiRow(x.op);
  Reach out;
  for (std::size_t k = 0; k < x.args.size() && k < row.roles.size(); ++k)
    if (rules::isWritten(row.roles[k]) || (touched_ && as<PointerType>(m_, f[x.args[k]].type))) append(out, resolvePointer(f, x.args[k]), false);
  if (x.result.valid()) append(out, resolvePlace(f, x.result), false);
  const bool oneToOne = row.family == rules::Family::PointToPoint || row.family == rules::Family::Post;
  communicates_ = communicates_ || row.family != rules::Family::Query;
  if (oneToOne && !facts_.activeMpi(id, s) && !unchecked_.valid()) unchecked_ = f[s].loc;
  return out;
}

void WrittenMemory::restructure(FuncId id, const Function& f, const Restructure& r) {
  for (ExprId v : {r.container, r.op == Structure::Swap ? r.operand : r.container}) {
    const Reach reach = resolvePlace(f, v);
    const bool seen = facts_.callerVisible(id, v);
    for (Reached one : reach) {
      if (!outermost_ || r.op != Structure::Swap)
        stop("a vector changes its size, or is exchanged in a function that the loop calls", "give it its size in front of the loop, and exchange vectors in the loop itself");
      one.seen = seen;
      if (exchangedPaths_.insert(one.path).second) exchanged_.push_back(one);
    }
    // A vector of the iteration's own must not take away the memory of one that outlives it.
    if (r.op == Structure::Swap && outermost_) ++(reach.empty() ? ownSwapped_ : outerSwapped_);
  }
  if (ownSwapped_ != 0 && outerSwapped_ != 0)
    stop("a vector is exchanged with one that is declared in the loop", "declare it in front of the loop");
}

void WrittenMemory::append(Reach& to, const Reach& what, bool seen) {
  for (Reached r : what) {
    r.seen = r.seen || seen;
    to.push_back(r);
  }
}

// --- calls: the callee's writes, through the arguments

const Reach& WrittenMemory::writesOf(FuncId g) {
  const auto found = functions_.find(g);
  if (found != functions_.end()) {
    if (!found->second.done) stop("it calls '" + m_[g].name + "', which is recursive", "leave the loop without a checkpoint: its steps are recorded then");
    return found->second.reach;
  }
  functions_[g] = {};
  if (!m_[g].hasBody) stop("it calls '" + m_[g].name + "', which has no body", "add the source that defines it to the command");
  const bool outer = outermost_;
  outermost_ = false;
  const SourceLoc at = at_;
  Reach all = written(g, m_[g], m_[g].body);
  at_ = at;
  outermost_ = outer;
  functions_[g] = {std::move(all), true};
  return functions_[g].reach;
}

Reach WrittenMemory::call(FuncId, const Function& f, const Call& c) {
  Reach out;
  const Reach inner = writesOf(c.callee);
  const Function& g = m_[c.callee];
  for (const Reached& r : inner) {
    if (!r.path.var.valid()) {  // a global
      out.push_back(r);
      continue;
    }
    for (std::size_t k = 0; k < g.params.size(); ++k)
      if (g.params[k] == r.path.var) append(out, argument(f, c.args[k], g, r), r.seen);
  }
  return out;
}

// What a write through a parameter is, of this argument.
Reach WrittenMemory::argument(const Function& f, ExprId arg, const Function& g, const Reached& r) {
  const TypeId type = g[r.path.var].type;
  const bool through = r.elements || std::count(r.path.steps.begin(), r.path.steps.end(), SnapshotPath::kDeref) != 0;
  if (!isReference(m_, type) && !through) return {};  // the callee's copy
  if (!r.elements && as<PointerType>(m_, r.type))
    stop("'" + g.name + "', which it calls, changes a pointer of its caller's", "change pointers in the loop itself");
  if (isReference(m_, type)) return extended(resolvePlace(f, arg), r, 0);
  if (!as<PointerType>(m_, type)) {
    if (!isPlace(f[arg])) stop("'" + g.name + "', which it calls, writes through a pointer in an object passed by value", "pass it by reference");
    return extended(resolvePlace(f, arg), r, 0);
  }
  return r.path.steps.empty() ? resolvePointer(f, arg) : extended(object(f, arg), r, 1);
}

// The same path, from the step `from` on, seen from the caller.
Reach WrittenMemory::extended(Reach base, const Reached& r, std::size_t from) {
  for (Reached& b : base) {
    if (b.elements) continue;  // with all that is in them
    Reached whole = b;
    bool applies = true;
    for (std::size_t k = from; k < r.path.steps.size() && applies; ++k) {
      const int step = r.path.steps[k];
      const auto* record = as<RecordType>(m_, whole.type);
      const auto* pointer = as<PointerType>(m_, whole.type);
      applies = step == SnapshotPath::kDeref ? pointer != nullptr : record != nullptr;
      if (applies) whole.type = pointer ? pointer->pointee : m_[record->record].fields[static_cast<unsigned>(step)].type;
      whole.path.steps.push_back(step);
    }
    if (!applies) continue;  // an element of an array or vector: the whole of it
    whole.elements = r.elements && as<PointerType>(m_, whole.type);
    b = whole;
  }
  return base;
}

// --- places and pointers

bool WrittenMemory::isOwn(const Function& f, VarId v) const {
  if (&f == &loopFunction_) return own_.count(v) != 0;
  return f[v].kind != VarKind::Parameter;  // a callee's locals
}

Reach WrittenMemory::resolvePlace(const Function& f, ExprId e) {
  const ExprNode& node = f[e].node;
  if (const auto* v = std::get_if<VarRef>(&node)) {
    const TypeId type = f[v->var].type;
    if (isReference(m_, type) && f[v->var].kind != VarKind::Parameter) return bound(f, v->var);
    if (isOwn(f, v->var)) return {};
    SnapshotPath path;
    path.var = v->var;
    return {{path, false, withoutReference(m_, type), false}};
  }
  if (const auto* g = std::get_if<GlobalRef>(&node)) {
    SnapshotPath path;
    path.global = g->global;
    return {{path, false, withoutReference(m_, m_[g->global].type), false}};
  }
  if (const auto* r = std::get_if<FieldRef>(&node)) {
    const auto* record = as<RecordType>(m_, f[r->base].type);
    if (record && isReference(m_, m_[record->record].fields[r->field].type))
      stop("it writes through a member that is a reference", "name the object itself");
    Reach base = resolvePlace(f, r->base);
    for (Reached& b : base) {
      if (b.elements || !as<RecordType>(m_, b.type)) continue;
      b.path.steps.push_back(static_cast<int>(r->field));
      b.type = f[e].type;
    }
    return base;
  }
  if (const auto* s = std::get_if<Subscript>(&node))
    return as<PointerType>(m_, f[s->base].type) ? resolvePointer(f, s->base) : resolvePlace(f, s->base);
  if (const auto* d = std::get_if<Deref>(&node)) {
    if (const auto* a = std::get_if<AddressOf>(&f[d->pointer].node)) return resolvePlace(f, a->place);
    return object(f, d->pointer);
  }
  if (const auto* c = std::get_if<Cast>(&node)) return resolvePlace(f, c->operand);
  stop("it writes to a place that can't be followed", "write through a variable, or leave the loop without a checkpoint");
}

// A local reference: what it is bound to.
Reach WrittenMemory::bound(const Function& f, VarId v) {
  Reach out;
  bool found = false;
  walkStmts(f, f.body, [&](StmtId s) {
    const auto* d = std::get_if<Declare>(&f[s].node);
    if (!d || d->var != v || d->args.empty()) return;
    found = true;
    append(out, resolvePlace(f, d->args[0]), false);
  });
  if (!found) stop("it writes through the reference '" + f[v].name + "', which can't be followed", "name the object itself");
  return out;
}

// The object that a pointer points to: one, where the pointer itself stays the same.
Reach WrittenMemory::object(const Function& f, ExprId e) {
  if (const auto* a = std::get_if<AddressOf>(&f[e].node)) return resolvePlace(f, a->place);
  const auto* v = std::get_if<VarRef>(&f[e].node);
  const bool local = v && isOwn(f, v->var);
  Reach pointer = local || !isPlace(f[e]) ? resolvePointer(f, e) : pointerPath(f, e);
  for (Reached& p : pointer) {
    const auto* type = as<PointerType>(m_, p.type);
    if (p.elements || !type) continue;
    p.path.steps.push_back(SnapshotPath::kDeref);
    p.type = type->pointee;
  }
  return pointer;
}

// A pointer that stays where it is: a parameter, a member.
Reach WrittenMemory::pointerPath(const Function& f, ExprId e) {
  if (std::holds_alternative<Subscript>(f[e].node))
    stop("it writes through a pointer out of an array of pointers", "use a vector of vectors, or name the pointers one by one");
  const auto* v = std::get_if<VarRef>(&f[e].node);
  if (v && &f != &loopFunction_ && !valuesOf(f, v->var).empty())
    stop("'" + f.name + "', which it calls, changes its pointer '" + f[v->var].name + "'", "use a pointer variable of its own there");
  return resolvePlace(f, e);
}

// All memory that may be reached from a pointer by arithmetic.
Reach WrittenMemory::resolvePointer(const Function& f, ExprId e) {
  const ExprNode& node = f[e].node;
  if (const auto* v = std::get_if<VarRef>(&node)) return pointerVariable(f, v->var);
  if (const auto* a = std::get_if<AddressOf>(&node)) return resolvePlace(f, a->place);
  if (const auto* d = std::get_if<Decay>(&node)) return resolvePlace(f, d->array);
  if (const auto* d = std::get_if<DataOf>(&node)) return resolvePlace(f, d->container);
  if (const auto* b = std::get_if<Binary>(&node)) return resolvePointer(f, as<PointerType>(m_, f[b->lhs].type) ? b->lhs : b->rhs);
  if (const auto* c = std::get_if<Cast>(&node)) return resolvePointer(f, c->operand);
  if (const auto* c = std::get_if<Conditional>(&node)) {
    Reach out = resolvePointer(f, c->whenTrue);
    append(out, resolvePointer(f, c->whenFalse), false);
    return out;
  }
  if (std::holds_alternative<Literal>(node)) return {};  // nullptr
  if (std::holds_alternative<FieldRef>(node) || std::holds_alternative<GlobalRef>(node) || std::holds_alternative<Deref>(node)) {
    Reach out = pointerPath(f, e);
    for (Reached& r : out) r.elements = true;
    return out;
  }
  stop("it writes through a pointer that can't be followed", "name the array or vector itself, or pass the pointer as a parameter with an 'extent'");
}

// A parameter, or where a local pointer may point to: what it is ever given.
Reach WrittenMemory::pointerVariable(const Function& f, VarId p) {
  Reach out;
  const bool outer = &f == &loopFunction_ && own_.count(p) == 0;
  if (f[p].kind == VarKind::Parameter || outer) {
    SnapshotPath path;
    path.var = p;
    out.push_back({path, true, withoutReference(m_, f[p].type), false});
    if (outer) return out;  // see pointee()
  }
  if (!following_.insert({&f, p}).second) return {};
  for (ExprId value : valuesOf(f, p)) append(out, resolvePointer(f, value), false);
  following_.erase({&f, p});
  return out;
}

// Everything that a pointer variable is given, but for allocations and what a parameter has to begin with.
std::vector<ExprId> WrittenMemory::valuesOf(const Function& f, VarId p) {
  std::vector<ExprId> values;
  walkStmts(f, f.body, [&](StmtId s) {
    const StmtNode& node = f[s].node;
    if (const auto* d = std::get_if<Declare>(&node); d && d->var == p && !d->args.empty()) values.push_back(d->args[0]);
    if (const auto* a = std::get_if<Assign>(&node); a && isVariable(f, a->target, p)) values.push_back(a->value);
    if (const auto* c = std::get_if<Call>(&node); c && c->result.valid() && isVariable(f, c->result, p))
      stop("the pointer '" + f[p].name + "' comes from a call", "name the array or vector itself");
    forEachExprOfStmt(f[s], [&](ExprId e) {
      walkExpr(f, e, [&](ExprId x) {
        const auto* a = std::get_if<AddressOf>(&f[x].node);
        if (a && isVariable(f, a->place, p)) stop("the address of the pointer '" + f[p].name + "' is taken", "pass the pointer itself");
      });
    });
  });
  return values;
}

}  // namespace contraflow::transform
