// Signatures and bodies of adjoint functions.
#include <functional>

#include "analysis/stores_through.hpp"
#include "ir/check.hpp"
#include "ir/match.hpp"
#include "ir/walk.hpp"
#include "rules/mpi.hpp"
#include "transform/adjoint_builder.hpp"

namespace contraflow::transform {

using namespace ir;
using analysis::Presence;

namespace {

void append(Block& to, const Block& what) { to.insert(to.end(), what.begin(), what.end()); }

// The variable whose own memory a place is part of; none through pointers. (A reference variable counts as itself.)
VarId ownRoot(const Module& m, const Function& f, ExprId place) {
  const Expr& e = f[place];
  if (const auto* v = std::get_if<VarRef>(&e.node)) return v->var;
  if (const auto* r = std::get_if<FieldRef>(&e.node)) return ownRoot(m, f, r->base);
  if (const auto* s = std::get_if<Subscript>(&e.node)) {
    if (const auto* d = std::get_if<Decay>(&f[s->base].node)) return ownRoot(m, f, d->array);
    if (const auto* d = std::get_if<DataOf>(&f[s->base].node)) return ownRoot(m, f, d->container);
    return as<PointerType>(m, f[s->base].type) ? VarId() : ownRoot(m, f, s->base);
  }
  if (const auto* d = std::get_if<Deref>(&e.node))
    if (const auto* a = std::get_if<AddressOf>(&f[d->pointer].node)) return ownRoot(m, f, a->place);
  return {};
}

bool mentionsVar(const Function& f, ExprId e, VarId v) {
  bool found = false;
  walkExpr(f, e, [&](ExprId x) {
    if (const auto* r = std::get_if<VarRef>(&f[x].node)) found = found || r->var == v;
  });
  return found;
}

// Whether a function keeps a pointer or reference that it is given: in a variable or memory whose value is recorded.
class Captures {
 public:
  Captures(const Module& m, const analysis::Facts& facts) : m_(m), facts_(facts) {}

  bool operator()(FuncId g, unsigned k) {
    seen_.clear();
    return query(g, k);
  }

 private:
  bool query(FuncId g, unsigned k) {
    if (!seen_.insert({g, k}).second) return false;
    const Function& f = m_[g];
    const VarId p = f.params[k];
    bool kept = false;
    walkStmts(f, f.body, [&](StmtId s) {
      const StmtNode& node = f[s].node;
      if (const auto* d = std::get_if<Declare>(&node)) {
        const TypeId type = f[d->var].type;
        const bool address = as<PointerType>(m_, type) || isReference(m_, type);
        if (address && !d->args.empty() && mentionsVar(f, d->args[0], p) && (!facts_.stable(g, s) || assigned(f, d->var)))
          kept = true;
      } else if (const auto* a = std::get_if<Assign>(&node)) {
        if (as<PointerType>(m_, f[a->target].type) && mentionsVar(f, a->value, p)) kept = true;
      } else if (const auto* c = std::get_if<Call>(&node)) {
        for (unsigned j = 0; j < c->args.size(); ++j) {
          const TypeId type = m_[c->callee][m_[c->callee].params[j]].type;
          if ((as<PointerType>(m_, type) || isReference(m_, type)) && mentionsVar(f, c->args[j], p) && query(c->callee, j))
            kept = true;
        }
      } else if (const auto* x = std::get_if<Mpi>(&node)) {
        for (ExprId a : x->args) kept = kept || mentionsVar(f, a, p);
      }
    });
    return kept;
  }

  // True if the pointer variable gets another value after its declaration.
  static bool assigned(const Function& f, VarId v) {
    bool yes = false;
    walkStmts(f, f.body, [&](StmtId s) {
      ExprId target;
      if (const auto* a = std::get_if<Assign>(&f[s].node)) target = a->target;
      if (const auto* c = std::get_if<Call>(&f[s].node)) target = c->result;
      if (!target.valid()) return;
      const auto* r = std::get_if<VarRef>(&f[target].node);
      yes = yes || (r && r->var == v);
    });
    return yes;
  }

  const Module& m_;
  const analysis::Facts& facts_;
  std::set<std::pair<FuncId, unsigned>> seen_;
};

}  // namespace

AdjointBuilder::AdjointBuilder(Module& module, const analysis::Facts& facts, const AdjointOptions& options,
                               Diagnostics& diagnostics, VariantTable& variants, const Variant& variant, const Head* head)
    : m_(module), facts_(facts), options_(options), diags_(diagnostics), variants_(variants), variant_(variant), head_(head),
      f_(module[variant.primal]),
      shadows_(module, f_, "_b", true,
               [this](VarId v) {
                 const Function& primal = m_[variant_.primal];
                 return v.index() < primal.vars.size() ? facts_.shadow(variant_.primal, v) : Presence::None;
               },
               [this](GlobalId g) { return facts_.shadow(g); }),
      algebra_(module, f_) {
  int_ = m_.type(IntType{32, true, "int"});
  long_ = m_.type(IntType{64, true, "long"});
  bool_ = m_.type(BoolType{});
  collectEscapes();
}

void AdjointBuilder::collectEscapes() {
  Captures captures(m_, facts_);
  // Variables whose address is in the value of a pointer expression or reference.
  const auto addressed = [&](ExprId e, bool reference, std::set<VarId>& into) {
    const auto root = [&](ExprId place) {
      const VarId v = ownRoot(m_, f_, place);
      if (v.valid()) into.insert(v);
    };
    if (reference && isPlace(f_[e])) root(e);
    walkExpr(f_, e, [&](ExprId x) {
      if (const auto* a = std::get_if<AddressOf>(&f_[x].node)) root(a->place);
      if (const auto* d = std::get_if<Decay>(&f_[x].node)) root(d->array);
      if (const auto* d = std::get_if<DataOf>(&f_[x].node)) root(d->container);
    });
  };
  // A pointer or reference whose value gets around takes with it what it was made of.
  std::set<VarId> carriers;
  const auto escapes = [&](ExprId e, bool reference) {
    addressed(e, reference, escaping_);
    walkExpr(f_, e, [&](ExprId x) {
      const auto* v = std::get_if<VarRef>(&f_[x].node);
      if (v && (isPointer(f_[v->var].type) || isReference(m_, f_[v->var].type))) carriers.insert(v->var);
    });
  };
  StmtId writing;
  const auto write = [&](ExprId target) {
    const VarId v = target.valid() ? ownRoot(m_, f_, target) : VarId();
    if (v.valid()) written_.insert(v);
    if (v.valid() && writing.valid() && facts_.overwriteNeeded(variant_.primal, writing)) recorded_.insert(v);
  };
  const auto sums = [&](const DataSharing& data) {
    for (const CopyOf& c : data.reductions) write(c.original);
  };
  walkStmts(f_, f_.body, [&](StmtId s) {
    writing = s;
    const StmtNode& node = f_[s].node;
    if (const auto* w = std::get_if<OmpFor>(&node)) sums(w->data);
    if (const auto* w = std::get_if<OmpSimd>(&node)) sums(w->data);
    if (const auto* w = std::get_if<OmpParallel>(&node)) sums(w->data);
    if (const auto* d = std::get_if<Declare>(&node)) {
      const TypeId type = f_[d->var].type;
      const bool reference = d->init == Init::Bind;
      if (!d->args.empty() && (reference || isPointer(type))) {
        addressed(d->args[0], reference, addressTaken_);
        if (!facts_.stable(variant_.primal, s)) escapes(d->args[0], reference);
      }
    } else if (const auto* a = std::get_if<Assign>(&node)) {
      write(a->target);
      if (isPointer(f_[a->target].type)) {
        addressed(a->value, false, addressTaken_);
        escapes(a->value, false);
      }
    } else if (const auto* n = std::get_if<Allocate>(&node)) {
      write(n->target);
    } else if (const auto* r = std::get_if<Restructure>(&node)) {
      write(r->container);
      if (r->op == Structure::Swap) write(r->operand);
    } else if (const auto* i = std::get_if<Increment>(&node)) {
      write(i->target);
    } else if (const auto* a = std::get_if<OmpAtomic>(&node)) {
      write(a->target);
    } else if (const auto* o = std::get_if<Opaque>(&node)) {
      for (ExprId w : o->writes) {
        write(w);
        addressed(w, true, addressTaken_);
      }
    } else if (const auto* c = std::get_if<Call>(&node)) {
      write(c->result);
      const Function& g = m_[c->callee];
      for (unsigned k = 0; k < c->args.size() && k < g.params.size(); ++k) {
        const TypeId type = g[g.params[k]].type;
        const bool reference = isReference(m_, type);
        if (!reference && !isPointer(type)) {
          // The shadow of an object passed by value goes by reference.
          if (holdsReal(m_, type) && !isReal(m_, type)) addressed(c->args[k], true, addressTaken_);
          continue;
        }
        addressed(c->args[k], reference, addressTaken_);
        if (captures(c->callee, k)) escapes(c->args[k], reference);
      }
    } else if (const auto* x = std::get_if<Mpi>(&node)) {
      const bool query = rules::mpiRow(x->op).family == rules::Family::Query;
      for (ExprId a : x->args) {
        addressed(a, false, addressTaken_);
        if (!query && facts_.activeMpi(variant_.primal, s)) escapes(a, false);
      }
      for (ExprId a : x->args)
        if (const auto* p = std::get_if<AddressOf>(&f_[a].node)) write(p->place);
    }
  });
  walkStmts(f_, f_.body, [&](StmtId s) {
    const auto* d = std::get_if<Declare>(&f_[s].node);
    if (d && d->init == Init::None) unset_.insert(d->var);
  });
  // A pointer that changes later is recorded, and what it pointed to first with it.
  walkStmts(f_, f_.body, [&](StmtId s) {
    const auto* d = std::get_if<Declare>(&f_[s].node);
    if (d && isPointer(f_[d->var].type) && !d->args.empty() && (written_.count(d->var) || addressTaken_.count(d->var)))
      escapes(d->args[0], false);
  });
  for (std::size_t known = 0; known != carriers.size();) {
    known = carriers.size();
    walkStmts(f_, f_.body, [&](StmtId s) {
      const auto* d = std::get_if<Declare>(&f_[s].node);
      const bool address = d && (d->init == Init::Bind || isPointer(f_[d->var].type));
      if (address && !d->args.empty() && carriers.count(d->var)) escapes(d->args[0], d->init == Init::Bind);
    });
  }
  findReadAgain();
  for (VarId v : f_.params) level_[v] = 0;
}

void AdjointBuilder::findReadAgain() {
  walkStmts(f_, f_.body, [&](StmtId loop) {
    if (!facts_.recomputeLoop(variant_.primal, loop)) return;
    std::set<VarId> own;
    walkStmt(f_, loop, [&](StmtId s) { forEachDeclaredVar(f_[s], [&](VarId v) { own.insert(v); }); });
    walkStmt(f_, loop, [&](StmtId s) {
      forEachExprOfStmt(f_[s], [&](ExprId e) {
        walkExpr(f_, e, [&](ExprId x) {
          const auto* v = std::get_if<VarRef>(&f_[x].node);
          if (v && own.count(v->var) == 0) readAgain_.insert(v->var);
        });
      });
    });
  });
}

bool AdjointBuilder::seedsResult() const {
  const Function& primal = m_[variant_.primal];
  if (!holdsReal(m_, primal.result)) return false;
  if (variant_.form != Form::Head) return facts_.activeResult(variant_.primal);
  if (head_->all) return true;
  for (const HeadName& n : head_->dependents)
    if (n.isReturn) return true;
  return false;
}

// The parameters: each primal one with its shadow behind it, then the seed, then the tape.
void AdjointBuilder::makeSignature(Function& out, bool forward) {
  const Function& primal = m_[variant_.primal];
  std::vector<VarId> params;
  for (VarId p : primal.params) {
    params.push_back(p);
    const TypeId type = f_[p].type;
    const VarId shadow = shadows_.of(p);
    if (!shadow.valid()) continue;
    if (forward && isReal(m_, type)) continue;
    f_[shadow].kind = VarKind::Parameter;
    // (Who calls a head's derivative sees its parameters, and that the shadows have to lie apart.)
    f_[shadow].isRestrict = f_[p].isRestrict && (variant_.form == Form::Head || analysis::storesThrough(m_, variant_.primal, p));
    if (!isPointer(type) && !isReference(m_, type))
      f_[shadow].type = m_.type(ReferenceType{shadows_.type(type), false});
    params.push_back(shadow);
  }
  if (!forward && seedsResult()) {
    const std::string base = variant_.form == Form::Head ? out.name + "_seed" : primal.name + "_seed";
    if (!seed_.valid()) {
      const TypeId type = withoutConst(m_, primal.result);
      seed_ = newVar(base, isReal(m_, type) ? type : m_.type(ReferenceType{type, false}));
      f_[seed_].kind = VarKind::Parameter;
    }
    params.push_back(seed_);
  }
  out.params = std::move(params);
}

void AdjointBuilder::returnParts(const Return& ret, Parts& parts, const Context& ctx) {
  if (!ret.value.valid()) return;
  const TypeId type = withoutConst(m_, m_[variant_.primal].result);
  const VarId result = newVar(m_[variant_.primal].name + "_value", type);
  parts.fwd[ctx.depth].push_back(declareVar(result, Init::Value, {ret.value}));
  // A returned local keeps its room; this copy of one in a frame shall as well. (The caller refuses what can't have it.)
  if (isPlace(f_[ret.value]))
    takeRoom(m_, f_, var(result), ret.value, [&](Runtime r) { parts.fwd[ctx.depth].push_back(add(std::move(r))); });
  resultValue_ = var(result);
  if (!seed_.valid()) return;
  if (isReal(m_, type)) {
    if (flows(ret.value)) propagate(ret.value, algebra_.cast(var(seed_), withoutConst(m_, f_[ret.value].type)), parts.rev, ctx);
  } else if (isPlace(f_[ret.value])) {
    const ExprId shadow = shadows_.place(ret.value);
    if (shadow.valid()) accumulate(shadow, var(seed_), parts.rev);
  } else {
    internalError("adjoint", m_[variant_.primal].name, "it returns an object that isn't a variable");
  }
}

// target += source for every real of two shadows of one type.
void AdjointBuilder::accumulate(ExprId target, ExprId source, Block& out) {
  const TypeId type = f_[target].type;
  if (isReal(m_, type)) {
    out.push_back(add(Increment{target, source, false}));
  } else if (const auto* r = as<RecordType>(m_, type)) {
    const auto fields = m_[r->record].fields;
    for (unsigned k = 0; k < fields.size(); ++k)
      if (holdsReal(m_, fields[k].type) && !isReference(m_, fields[k].type))
        accumulate(f_.addExpr(FieldRef{target, k}, fields[k].type), f_.addExpr(FieldRef{source, k}, fields[k].type), out);
  } else if (as<ArrayType>(m_, type) || as<ContainerType>(m_, type)) {
    out.push_back(add(Runtime{{"contraflow::addTo(", ", ", ");"}, {target, source}}));
  }
}

AdjointBuilder::Parts AdjointBuilder::wholeBody(bool joint, VarId tape) {
  Context ctx;
  ctx.joint = joint;
  ctx.tapes = {tape};
  if (variant_.parallel) alone_ = newVar("alone", bool_);
  Parts parts = block(m_[variant_.primal].body, ctx);
  if (variant_.parallel) parts.rev.insert(parts.rev.begin(), declareAlone(alone_));
  return parts;
}

bool AdjointBuilder::build(VariantFunctions functions) {
  if (variant_.form == Form::Split)
    buildSplit(functions);
  else
    buildJoint(functions.reverse);
  return ok_;
}

void AdjointBuilder::buildJoint(FuncId id) {
  Function out = m_[id];
  makeSignature(out, false);
  const VarId tape = newVar("tape", tapeReference());
  f_[tape].kind = VarKind::Parameter;
  out.params.push_back(tape);
  const bool head = variant_.form == Form::Head;
  if (head) findResizedParameters();
  if (head && options_.fuse) findFusedLoops();
  Parts parts = wholeBody(true, tape);
  orderFused(parts.fwd[0], parts.rev);
  Block body;
  const auto seeds = takeSeeds(body);
  if (head && options_.afterImage) body.push_back(add(Runtime{{"", ".keepAfterImage();"}, {var(tape)}}));
  append(body, parts.fwd[0]);
  addSeeds(seeds, body);
  append(body, parts.rev);
  if (head) {
    if (usesMpi(body)) body.push_back(add(Runtime{{"contraflow::mpi::finish();"}, {}}));
    if (options_.afterImage) body.push_back(add(Runtime{{"", ".putAfterImage();"}, {var(tape)}}));
  }
  if (head && options_.audit) body.insert(body.begin(), add(Runtime{{"const contraflow::audit::Head contraflow_audit;"}, {}}));
  const bool returns = (head || variant_.form == Form::Value) && resultValue_.valid();
  if (returns) body.push_back(add(Return{resultValue_}));
  const TypeId result = returns ? m_[variant_.primal].result : m_.type(VoidType{});
  out.vars = f_.vars;
  out.exprs = f_.exprs;
  out.stmts = f_.stmts;
  out.body = std::move(body);
  out.result = result;
  m_[id] = std::move(out);
}

bool AdjointBuilder::usesMpi(const Block& body) const {
  bool yes = false;
  walkStmts(f_, body, [&](StmtId s) {
    yes = yes || std::holds_alternative<Mpi>(f_[s].node);
  });
  return yes || options_.usesMpi;
}

// A number passed by value has a shadow in the reverse part only; a call in the forward part may want one all the same.
void AdjointBuilder::declareMissingShadows(Function& forward, Block& body) {
  for (VarId p : m_[variant_.primal].params) {
    const VarId shadow = shadows_.of(p);
    if (!shadow.valid() || !isReal(m_, f_[p].type)) continue;
    bool named = false;
    walkExprs(f_, body, [&](ExprId e) {
      const auto* v = std::get_if<VarRef>(&f_[e].node);
      named = named || (v && v->var == shadow);
    });
    if (!named) continue;
    if (escaping_.count(p) != 0)
      internalError("adjoint", m_[variant_.primal].name, "the address of its parameter " + f_[p].name + " is taken");
    Var& local = forward.vars[shadow.index()];
    local.kind = VarKind::Local;
    local.type = withoutReference(m_, local.type);
    const StmtId declaration = forward.addStmt(Declare{shadow, Init::Zero, {}, Storage::Automatic, {}}, forward.loc);
    body.insert(body.begin(), declaration);
  }
}

void AdjointBuilder::buildSplit(VariantFunctions ids) {
  Function forward = m_[ids.forward], reverse = m_[ids.reverse];
  makeSignature(reverse, false);
  makeSignature(forward, true);
  const VarId tape = newVar("tape", tapeReference());
  f_[tape].kind = VarKind::Parameter;
  forward.params.push_back(tape);
  reverse.params.push_back(tape);
  Parts parts = wholeBody(false, tape);
  Block body = parts.fwd[0];
  if (resultValue_.valid()) body.push_back(add(Return{resultValue_}));
  for (Function* out : {&forward, &reverse}) {
    out->vars = f_.vars;
    out->exprs = f_.exprs;
    out->stmts = f_.stmts;
  }
  declareMissingShadows(forward, body);
  forward.body = std::move(body);
  forward.result = m_[variant_.primal].result;
  reverse.body = parts.rev;
  reverse.result = m_.type(VoidType{});
  m_[ids.forward] = std::move(forward);
  m_[ids.reverse] = std::move(reverse);
}

}  // namespace contraflow::transform
