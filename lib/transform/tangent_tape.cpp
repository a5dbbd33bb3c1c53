// Tangents of what adjoint code does with its tape: a value and its derivative are recorded as a pair. Whether a record is a pair
// depends on its type alone, so that both sweeps agree.
#include "transform/tangent_builder.hpp"

namespace contraflow::transform {

using namespace ir;

void TangentBuilder::push(StmtId s, const Push& p, Block& out) {
  const TypeId type = f_[p.value].type;
  if (reachesReal(m_, type)) {
    ExprId shadow;
    if (isReal(m_, type))
      shadow = algebra_.orZero(tangent(p.value), type);
    else if (isPointer(type)) {
      shadow = shadows_.pointer(p.value);
      if (isNull(shadow)) shadow = f_.addExpr(Cast{shadow, true}, shadows_.type(type), at_);  // for its size on the tape
    } else
      shadow = shadows_.place(p.value);
    if (!shadow.valid()) shadow = zeroObject(p.value, type, out);
    out.push_back(add(Push{p.tape, shadow}));
  }
  out.push_back(s);
}

void TangentBuilder::pop(StmtId s, const Pop& p, Block& out) {
  out.push_back(s);
  const TypeId type = f_[p.place].type;
  if (!reachesReal(m_, type)) return;
  ExprId shadow = shadows_.place(p.place), base;
  if (!shadow.valid() || shadows_.mayBeNull(p.place, base)) {
    // Into nowhere, or into a shadow that may be missing.
    const bool maybe = shadow.valid();
    const VarId unused = newVar("popped_d", type);
    out.push_back(add(Declare{unused, Init::None, {}, Storage::Automatic, {}}));
    out.push_back(add(Pop{p.tape, var(unused), false}));
    if (maybe) out.push_back(add(If{notNull(base), {add(Assign{shadow, var(unused)})}, {}}));
    return;
  }
  out.push_back(add(Pop{p.tape, shadow, p.afterImage}));
}

// Each block has a second one, for the derivatives; an empty one if there are none.
void TangentBuilder::tapeBlock(StmtId s, const TapeBlock& b, Block& out) {
  out.push_back(s);
  const VarId shadow = shadows_.of(b.pointer);
  if (shadow.valid())
    out.push_back(add(TapeBlock{b.tape, shadow, b.count}));
  else
    out.push_back(add(Runtime{{"", ".block<char>(0)"}, {var(b.tape)}}));
}

void TangentBuilder::tapeRelease(StmtId s, const TapeRelease& r, Block& out) {
  if (!r.frame.valid()) {
    out.push_back(add(TapeRelease{r.tape, {}}));
    out.push_back(s);
    return;
  }
  out.push_back(s);  // the primal's frame was made behind its shadow's
  const VarId shadow = shadows_.of(r.frame);
  if (shadow.valid()) out.push_back(add(TapeRelease{r.tape, shadow}));
}

}  // namespace contraflow::transform
