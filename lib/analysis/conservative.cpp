// The answers that need no analysis. They look at types and at the variable at the root of a place, nothing else.
#include <map>

#include "analysis/analyses.hpp"
#include "analysis/head_shadows.hpp"
#include "ir/match.hpp"
#include "ir/walk.hpp"
#include "rules/mpi.hpp"

namespace contraflow::analysis {
namespace {

using namespace ir;

Presence join(Presence a, Presence b) { return a == b ? a : Presence::Maybe; }

bool isAddress(const Module& m, TypeId type) {
  return as<PointerType>(m, type) != nullptr || as<ReferenceType>(m, type) != nullptr;
}

class Conservative final : public Facts {
 public:
  Conservative(const Module& m, const std::vector<Head>& heads) : m_(m), heads_(heads), called_(m.functions.size()) {
    for (const Function& f : m.functions)
      walkStmts(f, f.body, [&](StmtId s) {
        if (const auto* call = std::get_if<Call>(&f[s].node)) called_[call->callee.index()] = true;
        if (const auto* r = std::get_if<Restructure>(&f[s].node)) swaps_ = swaps_ || r->op == Structure::Swap;
      });
  }

  Presence shadow(FuncId f, VarId v) const override {
    const Function& function = m_[f];
    const Var& var = function[v];
    if (!mayReachReal(m_, var.type)) return Presence::None;
    if (isHead(heads_, f))
      for (unsigned i = 0; i < function.params.size(); ++i)
        if (function.params[i] == v) return headParameter(m_, heads_, f, i, called_[f.index()]);
    return isAddress(m_, var.type) ? Presence::Maybe : Presence::Present;
  }

  Presence shadow(GlobalId g) const override {
    const Global& global = m_[g];
    if (global.isConstant || !mayReachReal(m_, global.type)) return Presence::None;
    return isAddress(m_, global.type) ? Presence::Maybe : Presence::Present;
  }

  Presence shadowOf(FuncId f, ExprId place) const override { return presence(f, place, false); }

  bool active(FuncId f, ExprId place) const override {
    return holdsReal(m_, m_[f][place].type) && shadowOf(f, place) != Presence::None;
  }
  bool active(FuncId) const override { return true; }
  bool activeResult(FuncId f) const override { return mayReachReal(m_, m_[f].result); }

  // Buffers are `void*` to MPI, so that only what is under the conversions says what they hold.
  bool activeMpi(FuncId f, StmtId s) const override {
    const auto& mpi = std::get<Mpi>(m_[f][s].node);
    const rules::MpiRow& op = rules::mpiRow(mpi.op);
    if (op.family == rules::Family::Query) return false;
    bool hasBuffer = false, reals = false;
    for (std::size_t i = 0; i < op.roles.size() && i < mpi.args.size(); ++i) {
      if (!rules::isBuffer(op.roles[i])) continue;
      hasBuffer = true;
      ExprId e = mpi.args[i];
      while (const auto* cast = std::get_if<Cast>(&m_[f][e].node)) e = cast->operand;
      reals = reals || mayReachReal(m_, m_[f][e].type);
    }
    return reals || !hasBuffer;  // barriers and completions belong to any class
  }

  const std::vector<UnshadowedWrite>& unshadowedWrites() const override {
    static const std::vector<UnshadowedWrite> none;
    return none;
  }

  bool resizes(FuncId head, VarId param) const override {
    const auto* reference = as<ReferenceType>(m_, m_[head][param].type);
    const auto* c = reference ? as<ContainerType>(m_, reference->pointee) : nullptr;
    return c && c->kind == ContainerKind::Vector && !m_[reference->pointee].isConst;
  }
  const std::vector<UnshadowedWrite>& resizedMemory() const override { return unshadowedWrites(); }

  const std::vector<Lifetime>& lifetimes() const override {
    static const std::vector<Lifetime> none;
    return none;
  }

  bool overwriteNeeded(FuncId, StmtId) const override { return true; }
  bool countedBack(FuncId, StmtId) const override { return false; }
  bool reusesResult(FuncId, StmtId) const override { return false; }
  bool finalValueNeeded(FuncId, VarId) const override { return true; }
  bool reversed(FuncId, StmtId) const override { return true; }
  bool stable(FuncId, StmtId) const override { return false; }
  bool callerVisible(FuncId f, ExprId place) const override {
    return (swaps_ && isVector(m_[f][place].type)) || !localRoot(f, place).valid();
  }
  bool disjoint(FuncId f, ExprId place, ExprId other) const override {
    const VarId a = localRoot(f, place), b = localRoot(f, other);
    return a.valid() && b.valid() && a != b;
  }
  bool recomputeLoop(FuncId, StmtId) const override { return false; }
  bool recomputeCall(FuncId, StmtId) const override { return false; }
  bool keepsResult(FuncId, StmtId) const override { return false; }
  bool freeReversal(FuncId, StmtId) const override { return false; }
  bool exclusive(FuncId, ExprId) const override { return false; }
  const Bands* bands(FuncId, StmtId) const override { return nullptr; }

 private:
  // The variable whose own memory the place is part of; none if the way there goes through a pointer or reference. (A vector's
  // elements are its own.)
  VarId localRoot(FuncId f, ExprId place) const {
    const Function& function = m_[f];
    const auto none = [](const auto&) { return VarId(); };
    return match(
        function[place].node,
        [&](const VarRef& e) { return isReference(m_, function[e.var].type) ? VarId() : e.var; },
        [&](const FieldRef& e) {
          const auto* record = as<RecordType>(m_, function[e.base].type);
          if (record && isReference(m_, m_[record->record].fields[e.field].type)) return VarId();
          return localRoot(f, e.base);
        },
        [&](const Subscript& e) {
          // Where vectors are swapped, a buffer may have been anybody's.
          if (swaps_ && isVector(function[e.base].type)) return VarId();
          if (!as<PointerType>(m_, function[e.base].type)) return localRoot(f, e.base);
          if (const auto* decay = std::get_if<Decay>(&function[e.base].node)) return localRoot(f, decay->array);
          const auto* data = std::get_if<DataOf>(&function[e.base].node);
          if (data && !swaps_) return localRoot(f, data->container);
          return VarId();
        },
        [&](const Deref& e) {
          const auto* address = std::get_if<AddressOf>(&function[e.pointer].node);
          return address ? localRoot(f, address->place) : VarId();
        },
        [&](const GlobalRef& e) { return none(e); }, [&](const Literal& e) { return none(e); },
        [&](const AddressOf& e) { return none(e); }, [&](const Decay& e) { return none(e); },
        [&](const DataOf& e) { return none(e); }, [&](const SizeOf& e) { return none(e); },
        [&](const Unary& e) { return none(e); }, [&](const Binary& e) { return none(e); },
        [&](const Cast& e) { return none(e); }, [&](const Conditional& e) { return none(e); },
        [&](const MathCall& e) { return none(e); }, [&](const PureCall& e) { return none(e); },
        [&](const InitList& e) { return none(e); });
  }

  // `address`: e is a pointer, and the question is about what it points to. A shadow pointer loaded from memory may be null:
  // only that of a variable has a presence of its own.
  Presence presence(FuncId f, ExprId id, bool address) const {
    const Function& function = m_[f];
    const auto loaded = [&](Presence holder) {
      return address && holder == Presence::Present ? Presence::Maybe : holder;
    };
    const auto pointer = [&](ExprId e) { return presence(f, e, true); };
    const auto none = [](const auto&) { return Presence::None; };
    return match(
        function[id].node, [&](const Literal& e) { return none(e); },
        [&](const VarRef& e) {
          const bool viaReference = isReference(m_, function[e.var].type);
          return viaReference ? loaded(shadow(f, e.var)) : shadow(f, e.var);
        },
        [&](const GlobalRef& e) { return shadow(e.global); },
        [&](const FieldRef& e) { return loaded(presence(f, e.base, false)); },
        [&](const Subscript& e) {
          return loaded(presence(f, e.base, as<PointerType>(m_, function[e.base].type) != nullptr));
        },
        [&](const Deref& e) { return loaded(pointer(e.pointer)); },
        [&](const AddressOf& e) { return presence(f, e.place, false); },
        [&](const Decay& e) { return presence(f, e.array, false); },
        [&](const DataOf& e) { return presence(f, e.container, false); }, [&](const SizeOf& e) { return none(e); },
        [&](const Unary& e) { return none(e); },
        // pointer ± integer: the one operand that is a pointer
        [&](const Binary& e) {
          const bool left = as<PointerType>(m_, function[e.lhs].type) != nullptr;
          const bool right = as<PointerType>(m_, function[e.rhs].type) != nullptr;
          if (left && right) return Presence::None;  // a difference
          return left ? pointer(e.lhs) : right ? pointer(e.rhs) : Presence::None;
        },
        // An integer that is made a pointer may point to anything.
        [&](const Cast& e) {
          const TypeId from = function[e.operand].type;
          if (as<PointerType>(m_, from)) return pointer(e.operand);
          return isIntegral(m_, from) && address ? Presence::Maybe : presence(f, e.operand, address);
        },
        [&](const Conditional& e) {
          return join(presence(f, e.whenTrue, address), presence(f, e.whenFalse, address));
        },
        [&](const MathCall& e) { return none(e); },
        [&](const PureCall&) { return address ? Presence::Maybe : Presence::None; },
        [&](const InitList& e) { return none(e); });
  }

  bool isVector(TypeId type) const {
    const auto* c = as<ContainerType>(m_, type);
    return c && c->kind == ContainerKind::Vector;
  }

  const Module& m_;
  const std::vector<Head> heads_;
  std::vector<bool> called_;
  bool swaps_ = false;
};

}  // namespace

std::unique_ptr<Facts> conservativeFacts(const Module& m, const std::vector<Head>& heads) {
  return std::make_unique<Conservative>(m, heads);
}

}  // namespace contraflow::analysis
