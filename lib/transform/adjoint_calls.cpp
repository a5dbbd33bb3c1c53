// The adjoint of calls. A call is recorded (f_fwd in the forward section, f_rev in the reverse part), or run again in the
// reverse part (f_b) where it is pure, or left as it is where nothing of it matters.
#include <algorithm>

#include "ir/match.hpp"
#include "ir/walk.hpp"
#include "transform/adjoint_builder.hpp"
#include "transform/messages.hpp"

namespace contraflow::transform {

using namespace ir;
using analysis::Presence;

namespace {
void append(Block& to, const Block& what) { to.insert(to.end(), what.begin(), what.end()); }
}  // namespace

// The shadow that goes with an argument by pointer, reference, or record value; a dummy where the memory has none.
ExprId AdjointBuilder::shadowArgument(FuncId callee, unsigned k, ExprId arg, Block& where) {
  const Function& g = m_[callee];
  const TypeId paramType = g[g.params[k]].type;
  if (isPointer(paramType)) return shadows_.pointer(arg);
  const bool present = isPlace(f_[arg]) && facts_.shadowOf(variant_.primal, arg) != Presence::None;
  if (present) {
    ExprId base;
    const ExprId shadow = shadows_.place(arg);
    if (shadow.valid() && isOpenObject(m_, f_, arg) && shadows_.mayBeNull(arg, base))
      return f_.addExpr(Deref{shadows_.presentPointer(base, shadow)}, f_[shadow].type);
    if (shadow.valid() && shadows_.mayBeNull(arg, base)) {
      // *(p_b != nullptr ? &p_b->x : &unused_b)
      const TypeId type = shadows_.type(withoutReference(m_, paramType));
      const VarId dummy = newVar("unused_b", type);
      where.push_back(declareVar(dummy, Init::Zero));
      const TypeId pointer = pointerTo(type);
      const ExprId chosen = f_.addExpr(
          Conditional{binary(BinaryOp::Ne, base, literal("nullptr", f_[base].type), bool_),
                      f_.addExpr(AddressOf{shadow}, pointer), f_.addExpr(AddressOf{var(dummy)}, pointer)},
          pointer);
      return f_.addExpr(Deref{chosen}, type);
    }
    if (shadow.valid()) return shadow;
  }
  if (isPlace(f_[arg]) && isOpenObject(m_, f_, arg))
    refuse("'" + variableOf(m_, f_, arg) + "', an object of a class with virtual functions, has no derivative, and is used beside one with derivatives",
           "add it to the head's independents or dependents");
  // Of the object's own class: it may be derived from the parameter's.
  const bool isObject = isPlace(f_[arg]) && as<RecordType>(m_, f_[arg].type);
  const VarId dummy = newVar("unused_b", shadows_.type(isObject ? f_[arg].type : withoutReference(m_, paramType)));
  declareZero(dummy, where);
  return var(dummy);
}

// What a result without derivative overwrites no longer has an adjoint.
void AdjointBuilder::forgetResult(const Call& c, Block& rev) {
  if (!c.result.valid() || !holdsReal(m_, f_[c.result].type)) return;
  if (isReal(m_, f_[c.result].type) && !active(c.result)) return;
  setZero(c.result, rev);
}

void AdjointBuilder::call(StmtId s, const Call& c, Parts& parts, const Context& ctx) {
  const FuncId callee = c.callee;
  const unsigned d = ctx.depth;
  const unsigned level = c.result.valid() ? std::min(levelOf(c.result), d) : d;
  const bool reversed = facts_.reversed(variant_.primal, s) && (facts_.active(callee) || facts_.overwriteNeeded(variant_.primal, s));
  if (!reversed) {
    for (unsigned k = 0; k <= level; ++k) parts.fwd[k].push_back(s);
    shapeResult(c.result, parts.fwd[level]);
    if (facts_.reversed(variant_.primal, s)) forgetResult(c, parts.rev);
    return;
  }
  const Function g = m_[callee];
  if (isPointer(g.result) || isReference(m_, g.result) || holdsPointer(m_, g.result)) {
    if (reachesReal(m_, g.result))
      return refuse("'" + g.name + "' returns a pointer or reference to data to be differentiated",
                    "return it through a parameter, or name the memory directly");
  }
  const bool again = facts_.recomputeCall(variant_.primal, s);
  const Variant wanted{callee, again ? Form::Joint : Form::Split, ctx.parallel || variant_.parallel};
  const VariantFunctions made = variants_.request(wanted);

  for (unsigned k = 0; k < level; ++k) parts.fwd[k].push_back(s);
  // What isn't trivially copyable goes to a variable that has just been declared.
  const bool keepResult = c.result.valid() && isTriviallyCopyable(m_, g.result) && facts_.overwriteNeeded(variant_.primal, s);
  const bool activeResult = c.result.valid() && isReal(m_, g.result) && facts_.activeResult(callee);
  const bool resultRecord = c.result.valid() && holdsReal(m_, g.result) && !isReal(m_, g.result) && facts_.activeResult(callee);

  // Forward.
  Block& section = parts.fwd[level];
  StmtId first;
  VarId old;
  const bool inScope = ctx.joint && level == d;
  if (keepResult) {
    old = newVar("old", withoutConst(m_, f_[c.result].type));
    section.push_back(declareVar(old, Init::Value, {c.result}));
  }
  if (again) {
    section.push_back(s);
  } else {
    Call forward{made.forward, {}, c.result};
    for (unsigned k = 0; k < g.params.size(); ++k) {
      forward.args.push_back(c.args[k]);
      const TypeId type = g[g.params[k]].type;
      if (facts_.shadow(callee, g.params[k]) == Presence::None) continue;
      if (isPointer(type) || isReference(m_, type) || holdsPointer(m_, type) || !isReal(m_, type))
        forward.args.push_back(shadowArgument(callee, k, c.args[k], section));
    }
    forward.args.push_back(var(ctx.tapes[level]));
    first = add(std::move(forward));
    section.push_back(first);
  }
  shapeResult(c.result, section);
  const bool seen = keepResult && visible(c.result);
  if (keepResult && (!inScope || seen)) section.push_back(add(Push{ctx.tapes[level], var(old)}));

  // Reverse: the result's old value, its adjoint, then the callee.
  Block& rev = parts.rev;
  if (keepResult) {
    if (inScope && !seen) {
      rev.push_back(add(Assign{c.result, var(old)}));
    } else {
      needsAfterImage_ = needsAfterImage_ || seen;
      rev.push_back(add(Pop{ctx.tapes[level], c.result, seen}));
    }
  }
  Call reverse{made.reverse, {}, {}};
  Block after;
  for (unsigned k = 0; k < g.params.size(); ++k) {
    const ExprId arg = c.args[k];
    reverse.args.push_back(arg);
    const TypeId type = g[g.params[k]].type;
    if (facts_.shadow(callee, g.params[k]) == Presence::None) continue;
    if (!isReal(m_, type)) {
      reverse.args.push_back(shadowArgument(callee, k, arg, rev));
      continue;
    }
    // A real by value: its adjoint is added when the callee is done.
    const VarId sum = newVar(g[g.params[k]].name + "_arg_b", withoutConst(m_, type));
    rev.push_back(declareVar(sum, Init::Zero));
    if (ctx.parallel) inRegion_.insert(sum);
    reverse.args.push_back(var(sum));
    if (flows(arg)) propagate(arg, var(sum), after, ctx);
  }
  if (activeResult) {
    ExprId seed = active(c.result) ? takeAdjoint(c.result, rev) : ExprId();
    if (!seed.valid()) seed = algebra_.literal(0, withoutConst(m_, g.result));
    reverse.args.push_back(algebra_.cast(seed, withoutConst(m_, g.result)));
  } else if (resultRecord) {
    const ExprId shadow = shadows_.place(c.result);
    if (shadow.valid()) {
      reverse.args.push_back(shadow);
    } else {
      const VarId dummy = newVar("unused_b", shadows_.type(g.result));
      declareZero(dummy, rev);
      reverse.args.push_back(var(dummy));
    }
  } else if (isReal(m_, g.result) && facts_.activeResult(callee)) {  // the result is dropped
    reverse.args.push_back(algebra_.literal(0, withoutConst(m_, g.result)));
  } else if (holdsReal(m_, g.result) && facts_.activeResult(callee)) {
    const VarId dummy = newVar("unused_b", shadows_.type(g.result));
    declareZero(dummy, rev);
    reverse.args.push_back(var(dummy));
  } else {
    forgetResult(c, rev);
  }
  reverse.args.push_back(var(ctx.tapes[again ? d : level]));
  const StmtId last = add(std::move(reverse));
  rev.push_back(last);
  if (first.valid() && inScope && activeResult && !keepResult) callPairs_.push_back({first, last, {callee, Form::Value, wanted.parallel}});
  if (resultRecord) {
    const ExprId shadow = shadows_.place(c.result);
    if (shadow.valid()) rev.push_back(add(SetZero{shadow}));
  }
  append(rev, after);
}

}  // namespace contraflow::transform
