// Tangents of declarations: the shadow is declared as its primal is.
#include <algorithm>

#include "ir/match.hpp"
#include "ir/printer.hpp"
#include "transform/messages.hpp"
#include "transform/tangent_builder.hpp"

namespace contraflow::transform {

using namespace ir;

void TangentBuilder::declare(StmtId s, const Declare& d, Block& out) {
  const VarId shadow = shadows_.of(d.var);
  if (!shadow.valid()) {
    out.push_back(s);
    return;
  }
  if (isReference(m_, f_[d.var].type) && d.init == Init::Bind) {
    const ExprId place = bindable(d.args[0], f_[shadow].type, out);
    out.push_back(add(Declare{shadow, Init::Bind, {place}, d.storage, d.tape}));
    out.push_back(s);
    return;
  }
  Block behind;
  const Declare made = shadowDeclaration(d, shadow, behind);
  if (d.storage == Storage::FrameReopen) {  // what was put on the tape last comes off first
    out.push_back(s);
    out.push_back(add(made));
  } else {
    out.push_back(add(made));
    out.insert(out.end(), behind.begin(), behind.end());
    out.push_back(s);
  }
}

// `behind` gets what is to be done with the shadow right after.
Declare TangentBuilder::shadowDeclaration(const Declare& d, VarId shadow, Block& behind) {
  const TypeId type = f_[d.var].type;
  Declare made{shadow, d.init, d.args, d.storage, d.tape};
  const auto zeroAfterwards = [&] { behind.push_back(add(SetZero{var(shadow)})); };
  // Members may begin with values of the program's: constants, which have no derivative.
  const bool valued = !isReference(m_, type) && !beginsAtZero(m_, type);
  switch (d.init) {
    case Init::None:
      // A record may be copied whole before all of it is set: its shadow begins with zeros.
      if (as<RecordType>(m_, type) && isTriviallyCopyable(m_, type) && d.storage == Storage::Automatic) made.init = Init::Zero;
      [[fallthrough]];
    case Init::Zero:
    case Init::Bind:
      if (valued && d.storage != Storage::FrameReopen) zeroAfterwards();
      return made;
    case Init::Value: {
      if (isReal(m_, type)) {
        made.args = {algebra_.orZero(tangent(d.args[0]), type)};
      } else if (isPointer(type)) {
        made.args = {shadows_.pointer(d.args[0])};
      } else if (const ExprId place = shadows_.place(d.args[0]); place.valid()) {
        made.args = {place};
      } else {  // a copy of constants
        if (holdsPointer(m_, type)) refuse(at_, "'" + print(m_, f_, d.args[0]) + "', an object with pointers, has no derivative, and is copied to one with derivatives",
                                         "add it to the head's independents or dependents");
        zeroAfterwards();
      }
      return made;
    }
    case Init::List: {
      bool allZero = true;
      const ExprId list = shadowList(d.args[0], allZero);
      made.init = allZero ? Init::Zero : Init::List;
      made.args = allZero ? std::vector<ExprId>{} : std::vector<ExprId>{list};
      if (allZero && valued) zeroAfterwards();
      return made;
    }
    case Init::Construct: {
      const bool counted = std::none_of(d.args.begin(), d.args.end(), [&](ExprId arg) { return reachesReal(m_, f_[arg].type); });
      if (valued && counted) zeroAfterwards();
      for (ExprId& arg : made.args) {
        const TypeId t = f_[arg].type;
        if (isReal(m_, t))
          arg = algebra_.orZero(tangent(arg), t);
        else if (isPointer(t) && reachesReal(m_, t))
          arg = shadows_.pointer(arg);
        else if (reachesReal(m_, t)) {
          const ExprId place = shadows_.place(arg);
          if (place.valid())
            arg = place;
          else
            zeroAfterwards();
        }
      }
      return made;
    }
  }
  return made;
}

ExprId TangentBuilder::shadowList(ExprId list, bool& allZero) {
  const Expr x = f_[list];
  InitList made;
  for (const ExprId e : std::get<InitList>(x.node).elements) made.elements.push_back(shadowElement(e, allZero));
  return f_.addExpr(std::move(made), x.type, x.loc);
}

ExprId TangentBuilder::shadowElement(ExprId e, bool& allZero) {
  const TypeId type = f_[e].type;
  if (std::holds_alternative<InitList>(f_[e].node)) return shadowList(e, allZero);
  if (isReal(m_, type)) {
    const ExprId d = tangent(e);
    allZero = allZero && !d.valid();
    return algebra_.orZero(d, type);
  }
  allZero = false;  // counts, pointers, records: as in the primal
  if (isPointer(type) && reachesReal(m_, type)) return shadows_.pointer(e);
  if (!reachesReal(m_, type)) return e;
  const ExprId place = shadows_.place(e);
  if (!place.valid()) refuse(at_, "'" + print(m_, f_, e) + "' has no derivative, and initialises a part of an object with derivatives", "initialise its members one by one");
  return place.valid() ? place : e;
}

// A place that a reference shadow can be bound to, also where the memory has no shadow.
ExprId TangentBuilder::bindable(ExprId place, TypeId type, Block& out) {
  const ExprId shadow = shadows_.place(place);
  if (!shadow.valid()) return zeroObject(place, type, out);
  ExprId base;
  if (!shadows_.mayBeNull(place, base)) return shadow;
  // Zeros can't stand for what points to other objects.
  if (isOpenObject(m_, f_, place) || holdsPointer(m_, withoutReference(m_, type))) {
    // *contraflow::present(p_d)
    const ExprId object = shadows_.presentPointer(base, shadow);
    return f_.addExpr(Deref{object}, f_[shadow].type, at_);
  }
  const ExprId zero = zeroObject(place, type, out);
  const TypeId pointer = m_.type(PointerType{f_[shadow].type});
  const auto addressOf = [&](ExprId e) { return f_.addExpr(AddressOf{e}, pointer, at_); };
  return f_.addExpr(Deref{f_.addExpr(Conditional{notNull(base), addressOf(shadow), addressOf(zero)}, pointer, at_)}, f_[shadow].type, at_);
}

ExprId TangentBuilder::zeroObject(ExprId primal, TypeId type, Block& out) {
  const TypeId object = withoutConst(m_, withoutReference(m_, type));
  const VarId zero = newVar("zero_d", object);
  if (isReal(m_, object)) {
    out.push_back(add(Declare{zero, Init::Value, {algebra_.literal(0, object)}, Storage::Automatic, {}}));
  } else if (isPointer(object)) {
    out.push_back(add(Declare{zero, Init::Value, {f_.addExpr(Literal{"nullptr"}, object, at_)}, Storage::Automatic, {}}));
  } else {
    const bool copied = as<RecordType>(m_, object) || as<ContainerType>(m_, object);
    if (holdsPointer(m_, object) || isOpenObject(m_, f_, primal))
      refuse(at_, "'" + variableOf(m_, f_, primal) + "', an object with pointers or virtual functions, has no derivative, and is used beside one with derivatives",
             "add it to the head's independents or dependents");
    out.push_back(add(Declare{zero, copied ? Init::Value : Init::Zero, copied ? std::vector<ExprId>{primal} : std::vector<ExprId>{},
                              Storage::Automatic, {}}));
    if (copied) out.push_back(add(SetZero{var(zero)}));
  }
  return var(zero);
}

}  // namespace contraflow::transform
