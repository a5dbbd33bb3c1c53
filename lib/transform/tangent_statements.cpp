// Tangents of statements: which statements there are, and assignments.
#include "ir/match.hpp"
#include "ir/printer.hpp"
#include "transform/tangent_builder.hpp"
#include "transform/traced_places.hpp"

namespace contraflow::transform {

using namespace ir;

Block TangentBuilder::block(const Block& in) {
  Block out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i + 1 < in.size() && declaresResultOf(in[i], in[i + 1])) {
      current_ = in[i + 1];
      at_ = f_[current_].loc;
      const Call c = std::get<Call>(f_[current_].node);
      call(current_, c, out, in[i]);
      ++i;
    } else {
      statement(in[i], out);
    }
  }
  return out;
}

// `double t; t = f(x);` where f's tangent returns a pair.
bool TangentBuilder::declaresResultOf(StmtId declaration, StmtId next) const {
  const auto* d = std::get_if<Declare>(&f_[declaration].node);
  const auto* c = std::get_if<Call>(&f_[next].node);
  if (!d || !c || d->init != Init::None || d->storage != Storage::Automatic || !c->result.valid()) return false;
  const auto* result = std::get_if<VarRef>(&f_[c->result].node);
  const Instance callee{c->callee, -1};
  return result && result->var == d->var && isReal(m_, f_[d->var].type) && functions_.count(callee) &&
         resultForm(m_, presence_, callee) == ResultForm::Pair;
}

void TangentBuilder::statement(StmtId s, Block& out) {
  const Stmt stmt = f_[s];  // a copy: the arena grows
  at_ = stmt.loc;
  current_ = s;
  const TracedStatement traced = traced_.empty() ? TracedStatement() : tracedStatement(m_, f_, stmt, traced_);
  const VarId declared = traced.declared.valid() ? shadows_.of(traced.declared) : VarId();
  const bool pair = form_ == ResultForm::Pair;
  if (!traced.valid() || (traced.declared.valid() && !declared.valid()) || (traced.returned.valid() && !pair)) return derive(s, stmt, out);
  std::vector<ExprId> places;
  for (ExprId place : traced.places) places.push_back(tracedPlace(place));
  out.push_back(add(traceEntry(traced.site, places)));
  if (traced.returned.valid()) {
    const ExprId derivative = algebra_.orZero(tangent(traced.returned), withoutConst(m_, f_[traced.returned].type));
    out.push_back(add(Runtime{{"contraflow::trace::leaveDeclared(", ");"}, {derivative}}));
    return derive(s, stmt, out);
  }
  derive(s, stmt, out);
  if (declared.valid())
    out.push_back(add(Runtime{{"contraflow::trace::leaveDeclared(", ");"}, {var(declared)}}));
  else
    out.push_back(add(Runtime{{"contraflow::trace::leave();"}, {}}));
}

// The address of the shadow, a null pointer where there is none.
ExprId TangentBuilder::tracedPlace(ExprId place) {
  const TypeId type = m_.type(PointerType{withoutConst(m_, f_[place].type)});
  const ExprId none = f_.addExpr(Literal{"nullptr"}, type, at_);
  const ExprId shadow = shadows_.place(place);
  if (!shadow.valid()) return none;
  ExprId base;
  const ExprId address = f_.addExpr(AddressOf{shadow}, type, at_);
  return shadows_.mayBeNull(place, base) ? f_.addExpr(Conditional{notNull(base), address, none}, type, at_) : address;
}

void TangentBuilder::derive(StmtId s, const Stmt& stmt, Block& out) {
  const auto keep = [&](const auto&) { out.push_back(s); };
  // Control flow is the primal's; conditions and bounds have no derivative.
  const auto rebuilt = [&](StmtNode node) { out.push_back(f_.addStmt(std::move(node), stmt.loc, s)); };
  match(
      stmt.node, [&](const Declare& d) { declare(s, d, out); }, [&](const Assign& a) { assign(s, a, out); },
      [&](const Increment& i) { increment(s, i, out); }, [&](const Call& c) { call(s, c, out, {}); },
      [&](const Opaque& o) { opaque(s, o, out); },
      [&](const If& i) {
        Block then = block(i.then), otherwise = block(i.otherwise);
        rebuilt(If{i.condition, std::move(then), std::move(otherwise)});
      },
      [&](const For&) { out.push_back(loop(s)); },
      [&](const While& w) {
        Block test = block(w.test), body = block(w.body);
        rebuilt(While{std::move(test), w.condition, std::move(body), w.testAtEnd});
      },
      [&](const Scope& x) { rebuilt(Scope{block(x.body)}); }, [&](const Return& r) { returned(s, r, out); },
      [&](const OmpParallel& p) { parallel(s, p, out); }, [&](const OmpFor& w) { worksharing(s, w, out); },
      [&](const OmpSimd& w) { simd(s, w, out); }, [&](const OmpSingle& w) { single(s, w, out); },
      [&](const OmpMaster& x) { rebuilt(OmpMaster{block(x.body)}); },
      [&](const OmpAtomic& a) {
        const ExprId d = tangent(a.value);
        if (d.valid()) onShadow(a.target, out, [&](ExprId shadow) { return add(OmpAtomic{shadow, d, a.subtract}); });
        out.push_back(s);
      },
      [&](const Mpi& x) { mpi(s, x, out); }, [&](const Push& p) { push(s, p, out); }, [&](const Pop& p) { pop(s, p, out); },
      [&](const TapeBlock& b) { tapeBlock(s, b, out); }, [&](const TapeRelease& r) { tapeRelease(s, r, out); },
      [&](const SharedIncrement& i) { sharedIncrement(s, i, out); }, [&](const SetZero& z) { setZero(s, z, out); },
      [&](const Break& x) { keep(x); }, [&](const Continue& x) { keep(x); }, [&](const OmpBarrier& x) { keep(x); },
      [&](const Runtime& x) { runtime(s, x, out); }, [&](const Restructure& x) { restructure(s, x, out); },
      [&](const Allocate& x) { allocate(s, x, out); }, [&](const Free& x) { release(s, x, out); },
      [&](const Revert& x) { revert(s, x, out); },
      [&](const Comment& x) { keep(x); });
}

template <class Make>
void TangentBuilder::onShadow(ExprId target, Block& out, Make make) {
  const ExprId shadow = shadows_.place(target);
  if (!shadow.valid()) {
    const std::string name = print(m_, f_, target);
    diags_.report(DiagId::NoShadow, f_[target].loc.valid() ? f_[target].loc : at_, {name});
    ok_ = false;
    return;
  }
  ExprId base;
  const StmtId made = make(shadow);
  if (shadows_.mayBeNull(target, base))
    out.push_back(add(If{notNull(base), {made}, {}}));
  else
    out.push_back(made);
}

void TangentBuilder::storeReal(ExprId target, ExprId value, Block& out) {
  if (!value.valid() && !shadows_.place(target).valid()) return;  // a constant stays one
  const TypeId type = f_[target].type;
  onShadow(target, out, [&](ExprId shadow) { return add(Assign{shadow, algebra_.orZero(value, type)}); });
}

void TangentBuilder::assign(StmtId s, const Assign& a, Block& out) {
  const TypeId type = f_[a.target].type;
  if (isReal(m_, type)) {
    storeReal(a.target, tangent(a.value), out);
  } else if (isPointer(type) && reachesReal(m_, type)) {
    const ExprId value = shadows_.pointer(a.value);
    if (shadows_.place(a.target).valid())
      onShadow(a.target, out, [&](ExprId shadow) { return add(Assign{shadow, value}); });
  } else if (reachesReal(m_, type)) {
    copyObject(a.target, a.value, out);
  }
  out.push_back(s);
}

// Whole records and containers.
void TangentBuilder::copyObject(ExprId target, ExprId value, Block& out) {
  const ExprId from = shadows_.place(value);
  if (!from.valid() && !shadows_.place(target).valid()) return;
  if (from.valid()) {
    onShadow(target, out, [&](ExprId shadow) { return add(Assign{shadow, from}); });
    return;
  }
  if (holdsPointer(m_, f_[target].type))
    refuse(at_, "'" + print(m_, f_, value) + "', an object with pointers, has no derivative, and is copied to one with derivatives", "add it to the head's independents or dependents");
  onShadow(target, out, [&](ExprId shadow) { return add(Assign{shadow, value}); });  // its sizes …
  onShadow(target, out, [&](ExprId shadow) { return add(SetZero{shadow}); });        // … and no reals
}

void TangentBuilder::increment(StmtId s, const Increment& i, Block& out) {
  const TypeId type = f_[i.target].type;
  if (isReal(m_, type)) {
    const ExprId d = tangent(i.value);
    if (d.valid()) onShadow(i.target, out, [&](ExprId shadow) { return add(Increment{shadow, d, i.subtract}); });
  } else if (isPointer(type) && reachesReal(m_, type) && shadows_.place(i.target).valid()) {
    // p + value as an expression: a null shadow stays null.
    const ExprId moved = f_.addExpr(Binary{i.subtract ? BinaryOp::Sub : BinaryOp::Add, i.target, i.value}, type, at_);
    const ExprId value = shadows_.pointer(moved);
    if (std::holds_alternative<Conditional>(f_[value].node))
      onShadow(i.target, out, [&](ExprId shadow) { return add(Assign{shadow, value}); });
    else
      onShadow(i.target, out, [&](ExprId shadow) { return add(Increment{shadow, i.value, i.subtract}); });
  }
  out.push_back(s);
}

// What the program computes outside of the compiler's sight has no derivative.
void TangentBuilder::opaque(StmtId s, const Opaque& o, Block& out) {
  for (const ExprId place : o.writes) {
    if (!holdsReal(m_, f_[place].type) || !shadows_.place(place).valid()) continue;
    onShadow(place, out, [&](ExprId shadow) { return add(SetZero{shadow}); });
  }
  out.push_back(s);
}

void TangentBuilder::returned(StmtId s, const Return& r, Block& out) {
  switch (form_) {
    case ResultForm::Plain: out.push_back(s); return;
    case ResultForm::Pair: {
      const TypeId type = f_[r.value].type;
      const ExprId derivative = algebra_.orZero(tangent(r.value), type);
      const ExprId pair = f_.addExpr(InitList{{r.value, derivative}}, f_.result, at_);
      out.push_back(add(Return{pair}));
      return;
    }
    case ResultForm::Out: {
      const TypeId type = f_[r.value].type;
      const ExprId target = var(resultShadow_);
      if (isPointer(type)) {
        out.push_back(add(Assign{target, shadows_.pointer(r.value)}));
      } else if (const ExprId from = shadows_.place(r.value); from.valid()) {
        out.push_back(add(Assign{target, from}));
      } else if (std::holds_alternative<InitList>(f_[r.value].node)) {
        bool allZero = true;
        const ExprId list = shadowList(r.value, allZero);
        const VarId made = newVar("made_d", type);
        out.push_back(add(Declare{made, Init::List, {list}, Storage::Automatic, {}}));
        out.push_back(add(Assign{target, var(made)}));
      } else {
        out.push_back(add(Assign{target, r.value}));
        out.push_back(add(SetZero{target}));
      }
      out.push_back(s);
      return;
    }
  }
}

// --- derivative code, differentiated once more -------------------------------------------------------------------------------

void TangentBuilder::sharedIncrement(StmtId s, const SharedIncrement& i, Block& out) {
  const ExprId d = tangent(i.value);
  if (d.valid())
    onShadow(i.target, out, [&](ExprId shadow) { return add(SharedIncrement{shadow, d, i.subtract, i.strategy, i.alone}); });
  out.push_back(s);
}

void TangentBuilder::setZero(StmtId s, const SetZero& z, Block& out) {
  if (shadows_.place(z.place).valid()) onShadow(z.place, out, [&](ExprId shadow) { return add(SetZero{shadow}); });
  out.push_back(s);
}

}  // namespace contraflow::transform
