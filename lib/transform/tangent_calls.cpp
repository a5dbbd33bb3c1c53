// Tangents of calls and of MPI operations: each argument's shadow goes behind it.
#include "ir/match.hpp"
#include "rules/mpi.hpp"
#include "transform/owned_vectors.hpp"
#include "transform/tangent_builder.hpp"

namespace contraflow::transform {

using namespace ir;
using analysis::Presence;

ExprId TangentBuilder::shadowArgument(const Instance& callee, VarId param, ExprId arg, Block& out) {
  const TypeId type = m_[callee.function][param].type;
  if (isReference(m_, type)) return bindable(arg, type, out);
  if (isReal(m_, type)) return algebra_.orZero(tangent(arg), f_[arg].type);
  if (isPointer(type)) return shadows_.pointer(arg);
  return bindable(arg, type, out);  // a record by value: its shadow is passed by reference
}

void TangentBuilder::call(StmtId s, const Call& c, Block& out, StmtId declaration) {
  const Instance callee{c.callee, -1};
  const auto found = functions_.find(callee);
  if (found == functions_.end()) {  // nothing in it has a derivative
    if (c.result.valid() && isReal(m_, f_[c.result].type)) storeReal(c.result, {}, out);
    out.push_back(s);
    return;
  }
  Call made{found->second, {}, c.result};
  const std::vector<VarId> params = m_[c.callee].params;
  for (std::size_t k = 0; k < c.args.size(); ++k) {
    made.args.push_back(c.args[k]);
    if (presence_(callee, params[k]) != Presence::None) made.args.push_back(shadowArgument(callee, params[k], c.args[k], out));
  }
  const TypeId result = m_[c.callee].result;
  switch (resultForm(m_, presence_, callee)) {
    case ResultForm::Plain:
      if (c.result.valid() && isReal(m_, f_[c.result].type)) storeReal(c.result, {}, out);
      out.push_back(add(made));
      return;
    case ResultForm::Pair: {
      const TypeId pairType = tangentRecord(m_, result);
      if (!c.result.valid()) {
        out.push_back(add(made));
        return;
      }
      const VarId pair = newVar("pair", pairType);
      out.push_back(add(Declare{pair, Init::None, {}, Storage::Automatic, {}}));
      made.result = var(pair);
      out.push_back(add(made));
      const TypeId real = withoutConst(m_, result);
      const ExprId derivative = f_.addExpr(FieldRef{var(pair), 1}, real, at_);
      const ExprId value = f_.addExpr(FieldRef{var(pair), 0}, real, at_);
      if (declaration.valid()) {
        const VarId x = std::get<Declare>(f_[declaration].node).var;
        const TypeId type = f_[x].type;
        const auto declared = [&](VarId v, ExprId e) {
          return add(Declare{v, Init::Value, {algebra_.cast(e, type)}, Storage::Automatic, {}});
        };
        const VarId x_d = shadows_.of(x);
        if (x_d.valid()) out.push_back(declared(x_d, derivative));
        out.push_back(declared(x, value));
        return;
      }
      if (isReal(m_, f_[c.result].type)) storeReal(c.result, algebra_.cast(derivative, f_[c.result].type), out);
      out.push_back(add(Assign{c.result, algebra_.cast(value, f_[c.result].type)}));
      return;
    }
    case ResultForm::Out: {
      const TypeId object = withoutConst(m_, result);
      ExprId place = c.result.valid() ? shadows_.place(c.result) : ExprId();
      if (!place.valid()) {
        const VarId unused = newVar("unused_d", object);
        out.push_back(add(Declare{unused, Init::None, {}, Storage::Automatic, {}}));
        place = var(unused);
      }
      made.args.push_back(place);
      out.push_back(add(made));
      if (c.result.valid() && shadows_.place(c.result).valid() &&
          !takeRoom(m_, f_, place, c.result, [&](Runtime r) { out.push_back(add(std::move(r))); }))
        refuse(at_, "a function returns an array or a vector of objects that own vectors", "return it through a parameter");
      return;
    }
  }
}

// --- MPI -------------------------------------------------------------------------------------------------------------------

// Buffers are `void*`: the type that counts is behind the conversion.
bool TangentBuilder::reachesRealBuffer(ExprId buffer) const {
  const Expr& e = f_[buffer];
  if (reachesReal(m_, e.type)) return true;
  const auto* cast = std::get_if<Cast>(&e.node);
  return cast && reachesRealBuffer(cast->operand);
}

ExprId TangentBuilder::shadowBuffer(ExprId buffer) {
  if (!buffer.valid() || !reachesRealBuffer(buffer)) return {};
  const ExprId shadow = shadows_.pointer(buffer);
  return isNull(shadow) ? ExprId() : shadow;
}

void TangentBuilder::mpi(StmtId s, const Mpi& x, Block& out) {
  const rules::MpiRow& row = rules::mpiRow(x.op);
  Mpi made = x;
  made.shadows.clear();
  switch (x.part) {
    case MpiPart::Primal: {
      bool active = row.family == rules::Family::Completion;  // of posts that may carry reals
      for (std::size_t k = 0; k < row.roles.size(); ++k) {
        if (!rules::isBuffer(row.roles[k])) continue;
        active = active || reachesRealBuffer(x.args[k]);
        made.shadows.push_back(shadowBuffer(x.args[k]));
      }
      made.part = MpiPart::Tangent;
      out.push_back(active ? add(made) : s);
      return;
    }
    case MpiPart::Forward: {
      std::size_t next = 0;
      for (std::size_t k = 0; k < row.roles.size(); ++k) {
        if (!rules::isBuffer(row.roles[k])) continue;
        const ExprId adjoint = x.shadows[next++];
        made.shadows.push_back(shadowBuffer(x.args[k]));
        made.shadows.push_back(adjoint);
        made.shadows.push_back(shadowBuffer(adjoint));
      }
      made.part = MpiPart::ForwardTangent;
      out.push_back(add(made));
      return;
    }
    case MpiPart::Reverse:
      made.part = MpiPart::ReverseTangent;
      out.push_back(add(made));
      return;
    case MpiPart::Tangent:
    case MpiPart::ForwardTangent:
    case MpiPart::ReverseTangent:
      refuse(at_, "the tangent of a tangent with MPI isn't supported", "take the tangent of the adjoint instead");
      return;
  }
}

}  // namespace contraflow::transform
