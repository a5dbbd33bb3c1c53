// Tangents of structural operations: the same is done to the shadow, also in derivative code. Whether an operation of derivative code
// has two records depends on the vector's type alone, so that both sweeps agree.
#include "ir/printer.hpp"
#include "transform/tangent_builder.hpp"

namespace contraflow::transform {

using namespace ir;

// `make(shadow)`; where there is none, a vector of no consequence stands for it if a record is at stake.
template <class Make>
void TangentBuilder::onVector(ExprId vector, bool recorded, Block& out, Make make) {
  const auto dummy = [&](Block& to) {
    const VarId unused = newVar("unused_d", withoutConst(m_, f_[vector].type));
    to.push_back(add(Declare{unused, Init::None, {}, Storage::Automatic, {}}));
    to.push_back(make(var(unused)));
  };
  const ExprId shadow = shadows_.place(vector);
  if (!shadow.valid()) {
    if (recorded) dummy(out);
    return;
  }
  const StmtId made = make(shadow);
  ExprId base;
  if (!shadows_.mayBeNull(vector, base)) {
    out.push_back(made);
    return;
  }
  Block otherwise;
  if (recorded) dummy(otherwise);
  out.push_back(add(If{notNull(base), {made}, otherwise}));
}

void TangentBuilder::restructure(StmtId s, const Restructure& r, Block& out) {
  out.push_back(s);
  if (!reachesReal(m_, f_[r.container].type)) return;
  if (r.op != Structure::Swap) {
    const ExprId primal = r.op == Structure::Follow ? r.operand : r.container;
    onVector(r.container, r.tape.valid(), out,
             [&](ExprId shadow) { return add(Restructure{Structure::Follow, shadow, primal, r.tape, r.keep, false}); });
    return;
  }
  const ExprId a = shadows_.place(r.container), b = shadows_.place(r.operand);
  if (!a.valid() && !b.valid()) return;
  ExprId base;
  if (!a.valid() || !b.valid() || shadows_.mayBeNull(r.container, base) || shadows_.mayBeNull(r.operand, base)) {
    refuse(at_, "'" + print(m_, f_, r.container) + "' and '" + print(m_, f_, r.operand) + "' are swapped, and one of them may have no derivative", "add both to the head's independents or dependents");
    return;
  }
  out.push_back(add(Restructure{Structure::Swap, a, b, r.tape, r.keep, r.afterImage}));
}

void TangentBuilder::revert(StmtId s, const Revert& r, Block& out) {
  if (reachesReal(m_, f_[r.container].type))
    onVector(r.container, true, out, [&](ExprId shadow) { return add(Revert{r.tape, shadow, r.afterImage}); });
  out.push_back(s);
}

// The shadow has memory of its own, which begins at zero.
void TangentBuilder::allocate(StmtId s, const Allocate& a, Block& out) {
  const ExprId shadow = reachesReal(m_, f_[a.target].type) ? shadows_.place(a.target) : ExprId();
  ExprId base;
  if (shadow.valid()) {
    const StmtId made = add(Allocate{shadow, a.count, a.how, true});
    out.push_back(shadows_.mayBeNull(a.target, base) ? add(If{notNull(base), {made}, {}}) : made);
  }
  out.push_back(s);
}

void TangentBuilder::release(StmtId s, const Free& x, Block& out) {
  if (reachesReal(m_, f_[x.pointer].type)) {
    const ExprId shadow = shadows_.pointer(x.pointer);
    if (!isNull(shadow)) out.push_back(add(Free{shadow, x.how}));
  }
  out.push_back(s);
}

// Linear operations on whole objects: the same for the shadows.
void TangentBuilder::runtime(StmtId s, const Runtime& x, Block& out) {
  const std::string& routine = x.pieces.front();
  const auto is = [&](const char* name) { return routine == std::string("contraflow::") + name + "("; };
  if (is("addTo") || is("addEachTo") || is("copy") || is("addSeeds")) {
    std::vector<ExprId> shadows;
    for (const ExprId a : x.args)
      if (const ExprId shadow = shadows_.place(a); shadow.valid()) shadows.push_back(shadow);
    if (shadows.size() == x.args.size()) out.push_back(add(Runtime{x.pieces, shadows}));
  } else if (is("shape") || is("takeRoom")) {
    if (const ExprId shadow = shadows_.place(x.args[0]); shadow.valid()) out.push_back(add(Runtime{x.pieces, {shadow, x.args[1]}}));
  } else if (is("takeSeeds")) {
    const ExprId seeds = shadows_.place(x.args[0]), shadow = shadows_.place(x.args[1]);
    if (seeds.valid() && shadow.valid()) out.push_back(add(Runtime{x.pieces, {seeds, shadow, x.args[2]}}));
  } else if (x.pieces.size() > 1 && x.pieces[1] == ".atEnd(") {
    refuse(f_[s].loc, "the second derivative of a checkpointed loop isn't supported",
           "take the annotation out where second derivatives are wanted: '#ifndef SECOND' around it, or a copy of the function");
  } else if (is("omp::recordedAdd") || is("omp::restoreAdd")) {
    refuse(f_[s].loc, "the second derivative of an atomic update whose old value is needed isn't supported",
           "update through a reduction, or mark the loop's function inactive");
  }
  out.push_back(s);
}

}  // namespace contraflow::transform
