#include "analysis/needs.hpp"

#include "analysis/head_shadows.hpp"
#include "analysis/results.hpp"
#include "ir/match.hpp"
#include "ir/walk.hpp"
#include "rules/rules.hpp"

namespace contraflow::analysis {

using namespace ir;

void Needs::partials(FuncId f, ExprId id, LocSet& raw) const {
  const Function& fn = m_[f];
  if (!id.valid() || !activity_.activeValue(f, id)) return;
  const auto place = [&](const auto&) { accesses_.naming(f, id, raw); };
  const auto nothing = [](const auto&) {};
  match(
      fn[id].node, [&](const VarRef& e) { place(e); }, [&](const GlobalRef& e) { place(e); },
      [&](const FieldRef& e) { place(e); }, [&](const Subscript& e) { place(e); }, [&](const Deref& e) { place(e); },
      [&](const Unary& e) { partials(f, e.operand, raw); },
      [&](const Binary& e) {
        const bool left = activity_.activeValue(f, e.lhs), right = activity_.activeValue(f, e.rhs);
        partials(f, e.lhs, raw);
        partials(f, e.rhs, raw);
        switch (e.op) {
          case BinaryOp::Add:
          case BinaryOp::Sub: return;
          case BinaryOp::Mul:
            if (left) accesses_.value(f, e.rhs, raw);
            if (right) accesses_.value(f, e.lhs, raw);
            return;
          case BinaryOp::Div:
            accesses_.value(f, e.rhs, raw);
            if (right) accesses_.value(f, e.lhs, raw);
            return;
          case BinaryOp::Rem:
          case BinaryOp::Shl:
          case BinaryOp::Shr:
          case BinaryOp::BitAnd:
          case BinaryOp::BitOr:
          case BinaryOp::BitXor:
          case BinaryOp::Lt:
          case BinaryOp::Le:
          case BinaryOp::Gt:
          case BinaryOp::Ge:
          case BinaryOp::Eq:
          case BinaryOp::Ne:
          case BinaryOp::And:
          case BinaryOp::Or:
            accesses_.value(f, id, raw);  // of no real type
            return;
        }
      },
      [&](const Cast& e) { partials(f, e.operand, raw); },
      [&](const Conditional& e) {
        accesses_.value(f, e.condition, raw);
        partials(f, e.whenTrue, raw);
        partials(f, e.whenFalse, raw);
      },
      [&](const MathCall& e) {
        for (ExprId arg : e.args) {
          accesses_.value(f, arg, raw);
          partials(f, arg, raw);
        }
      },
      [&](const InitList& e) {
        for (ExprId x : e.elements) partials(f, x, raw);
      },
      [&](const Literal& e) { nothing(e); }, [&](const AddressOf& e) { nothing(e); }, [&](const Decay& e) { nothing(e); },
      [&](const DataOf& e) { nothing(e); }, [&](const SizeOf& e) { nothing(e); }, [&](const PureCall& e) { nothing(e); });
}

void Needs::partialsByResult(FuncId f, ExprId value, LocSet& raw) const {
  const Function& fn = m_[f];
  const ExprId id = withoutSign(fn, value);
  if (const auto* quotient = std::get_if<Binary>(&fn[id].node)) {
    partials(f, quotient->lhs, raw);
    partials(f, quotient->rhs, raw);
    if (!isReciprocal(fn, *quotient)) accesses_.value(f, quotient->rhs, raw);
    return;
  }
  const auto& call = std::get<MathCall>(fn[id].node);
  const rules::MathRow& row = *rules::findMath(call.function);
  for (unsigned k = 0; k < call.args.size(); ++k) {
    if (!activity_.activeValue(f, call.args[k])) continue;
    partials(f, call.args[k], raw);
    for (unsigned other = 0; other < call.args.size(); ++other)
      if (rules::partialNames(row, k, other)) accesses_.value(f, call.args[other], raw);
  }
}

void Needs::arguments(FuncId f, const Call& call, LocSet& raw) const {
  const Function& callee = m_[call.callee];
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const bool byReference = i < callee.params.size() && isReference(m_, callee[callee.params[i]].type);
    byReference ? accesses_.naming(f, call.args[i], raw) : accesses_.value(f, call.args[i], raw);
  }
}

// What undoing it reads: the vectors as the operation left them.
void Needs::structure(FuncId f, const Restructure& s, LocSet& raw) const {
  const auto vector = [&](ExprId v) {
    accesses_.naming(f, v, raw);
    accesses_.sizeAndPlace(f, v, raw);
  };
  vector(s.container);
  if (s.op == Structure::Swap) vector(s.operand);
}

void Needs::everything(FuncId f, StmtId id, LocSet& raw) const {
  const Function& fn = m_[f];
  const auto value = [&](ExprId e) {
    if (e.valid()) accesses_.value(f, e, raw);
  };
  const auto update = [&](ExprId target, ExprId operand) {
    accesses_.naming(f, target, raw);
    if (activity_.active(f, target)) partials(f, operand, raw);
  };
  const auto data = [&](const DataSharing& d) {
    detail::copyLists(d, [&](const auto& list) {
      for (const CopyOf& c : list) accesses_.naming(f, c.original, raw);
    });
  };
  const auto nothing = [](const auto&) {};
  match(
      fn[id].node,
      [&](const Declare& s) {
        for (ExprId arg : s.args) {
          if (s.init == Init::Bind) accesses_.naming(f, arg, raw);
          else if (s.init == Init::Construct) value(arg);
          else partials(f, arg, raw);
        }
      },
      [&](const Assign& s) { update(s.target, s.value); }, [&](const Increment& s) { update(s.target, s.value); },
      [&](const OmpAtomic& s) { update(s.target, s.value); },
      [&](const Call& s) {
        arguments(f, s, raw);
        if (s.result.valid()) accesses_.naming(f, s.result, raw);
      },
      [&](const Opaque& s) {
        for (ExprId w : s.writes) accesses_.naming(f, w, raw);
      },
      [&](const Restructure& s) { structure(f, s, raw); }, [&](const Allocate& s) { accesses_.naming(f, s.target, raw); },
      [&](const Free& s) { nothing(s); }, [&](const If& s) { value(s.condition); },
      [&](const For& s) {
        for (ExprId e : {s.init, s.bound, s.step}) value(e);
      },
      [&](const While& s) { value(s.condition); },
      [&](const Return& s) {
        if (!s.value.valid()) return;
        partials(f, s.value, raw);
        if (isReference(m_, fn.result)) accesses_.naming(f, s.value, raw);
      },
      [&](const OmpParallel& s) {
        data(s.data);
        value(s.numThreads);
        value(s.ifCondition);
      },
      [&](const OmpFor& s) {
        data(s.data);
        value(s.chunk);
      },
      [&](const OmpSimd& s) { data(s.data); }, [&](const OmpSingle& s) { data(s.data); },
      [&](const Mpi& s) {
        for (ExprId arg : s.args) value(arg);
        if (s.result.valid()) accesses_.naming(f, s.result, raw);
      },
      [&](const Scope& s) { nothing(s); }, [&](const Break& s) { nothing(s); }, [&](const Continue& s) { nothing(s); },
      [&](const OmpMaster& s) { nothing(s); }, [&](const OmpBarrier& s) { nothing(s); }, [&](const Push& s) { nothing(s); },
      [&](const Pop& s) { nothing(s); }, [&](const TapeBlock& s) { nothing(s); }, [&](const TapeRelease& s) { nothing(s); },
      [&](const Revert& s) { nothing(s); },
      [&](const SharedIncrement& s) { nothing(s); }, [&](const SetZero& s) { nothing(s); },
      [&](const Runtime& s) { nothing(s); }, [&](const Comment& s) { nothing(s); });
}

}  // namespace contraflow::analysis
