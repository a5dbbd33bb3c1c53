// The adjoint of MPI operations: the runtime does both parts, from one record on the tape.
#include "ir/check.hpp"
#include "ir/match.hpp"
#include "ir/walk.hpp"
#include "rules/mpi.hpp"
#include "transform/adjoint_builder.hpp"

namespace contraflow::transform {

using namespace ir;

void AdjointBuilder::mpi(StmtId s, const Mpi& x, Parts& parts, const Context& ctx) {
  const rules::MpiRow& row = rules::mpiRow(x.op);
  if (row.family == rules::Family::Query) {
    // Writes one int through a pointer: `&rank`.
    unsigned level = ctx.depth;
    for (unsigned k = 0; k < row.roles.size(); ++k) {
      if (row.roles[k] != rules::Role::OutInt) continue;
      const auto* a = std::get_if<AddressOf>(&f_[x.args[k]].node);
      if (!a) {
        level = 0;
        continue;
      }
      const ExprId place = a->place;
      level = std::min(levelOf(place), ctx.depth);
      if (!ctx.silent && facts_.overwriteNeeded(variant_.primal, s)) recordInPlace(place, level, parts, ctx);
    }
    for (unsigned k = 0; k <= level; ++k) parts.fwd[k].push_back(s);
    return;
  }
  if (ctx.silent) {
    parts.fwd[0].push_back(s);
    return;
  }
  if (ctx.depth != 0 && facts_.activeMpi(variant_.primal, s))
    internalError("adjoint", m_[variant_.primal].name, row.name + " stands in a loop that is run again in the reverse sweep");
  if (!facts_.activeMpi(variant_.primal, s)) {
    // What it receives may steer the reverse sweep.
    if (facts_.overwriteNeeded(variant_.primal, s))
      for (unsigned k = 0; k < row.roles.size(); ++k) {
        if (!rules::isBuffer(row.roles[k]) || !rules::isWritten(row.roles[k])) continue;
        ExprId buffer = x.args[k];
        while (const auto* c = std::get_if<Cast>(&f_[buffer].node)) buffer = c->operand;
        if (std::holds_alternative<Literal>(f_[buffer].node)) continue;  // MPI_IN_PLACE
        const auto* p = as<PointerType>(m_, f_[buffer].type);
        const bool known = p && !as<VoidType>(m_, p->pointee) && isTriviallyCopyable(m_, p->pointee);
        ExprId count;
        for (unsigned j = 0; j < row.roles.size(); ++j)
          if (row.roles[j] == rules::Role::Count || row.roles[j] == rules::Role::RecvCount) count = x.args[j];
        const bool whole = row.family == rules::Family::Gather;
        if (!known || !count.valid() || whole) {
          refuse("the buffer that '" + row.name + "' overwrites is needed by the reverse sweep",
                 "receive into a variable of its own");
          continue;
        }
        const VarId kept = newVar("count", int_), at = newVar("buffer", withoutConst(m_, f_[buffer].type));
        const VarId tape = ctx.tapes[0];
        Block& fwd = parts.fwd[0];
        fwd.push_back(add(Runtime{{"", ".pushRange(", ", static_cast<std::size_t>(", "));"}, {var(tape), buffer, count}}));
        fwd.push_back(add(Push{tape, buffer}));
        fwd.push_back(add(Push{tape, algebra_.cast(count, int_)}));
        parts.rev.push_back(declareVar(kept, Init::None));
        parts.rev.push_back(add(Pop{tape, var(kept), false}));
        parts.rev.push_back(declareVar(at, Init::None));
        parts.rev.push_back(add(Pop{tape, var(at), false}));
        parts.rev.push_back(add(Runtime{{"", ".restoreRange(", ", static_cast<std::size_t>(", "));"}, {var(tape), var(at), var(kept)}}));
        needsAfterImage_ = true;
      }
    parts.fwd[0].push_back(s);
    return;
  }
  Mpi forward = x;
  forward.part = MpiPart::Forward;
  forward.tape = ctx.tapes[0];
  for (unsigned k = 0; k < row.roles.size(); ++k) {
    if (!rules::isBuffer(row.roles[k])) continue;
    const ExprId shadow = shadows_.pointer(x.args[k]);
    const bool null = std::holds_alternative<Literal>(f_[shadow].node);
    forward.shadows.push_back(null ? ExprId() : shadow);
  }
  parts.fwd[0].push_back(add(std::move(forward)));
  Mpi reverse;
  reverse.op = x.op;
  reverse.part = MpiPart::Reverse;
  reverse.tape = ctx.tapes[0];
  parts.rev.push_back(add(std::move(reverse)));
  needsAfterImage_ = true;
}

}  // namespace contraflow::transform
