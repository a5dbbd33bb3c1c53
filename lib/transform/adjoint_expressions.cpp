// Reverse-mode propagation through expressions, and increments of shadows.
#include "analysis/results.hpp"
#include "ir/match.hpp"
#include "ir/walk.hpp"
#include "rules/rules.hpp"
#include "transform/adjoint_builder.hpp"
#include "transform/squares.hpp"

namespace contraflow::transform {

using namespace ir;
using analysis::Presence;

bool AdjointBuilder::flows(ExprId e) const { return countLeaves(e) != 0; }

// The number of active places that a derivative reaches.
unsigned AdjointBuilder::countLeaves(ExprId id) const {
  const Expr& e = f_[id];
  if (!isReal(m_, e.type)) return 0;
  if (isPlace(e)) return active(id) ? 1 : 0;
  const auto none = [](const auto&) { return 0u; };
  return match(
      e.node, [&](const Unary& x) { return countLeaves(x.operand); },
      [&](const Binary& x) {
        if (const auto square = squareIn(f_, x, [&](ExprId factor) { return !flows(factor); })) return countLeaves(square->root);
        return countLeaves(x.lhs) + countLeaves(x.rhs);
      },
      [&](const Cast& x) { return countLeaves(x.operand); },
      [&](const Conditional& x) { return countLeaves(x.whenTrue) + countLeaves(x.whenFalse); },
      [&](const MathCall& x) {
        const rules::MathRow* row = rules::findMath(x.function);
        unsigned n = 0;
        for (unsigned k = 0; row && k < x.args.size(); ++k)
          if (row->partials[k] != "0") n += countLeaves(x.args[k]);
        return n;
      },
      [&](const Literal& x) { return none(x); }, [&](const VarRef& x) { return none(x); },
      [&](const GlobalRef& x) { return none(x); }, [&](const FieldRef& x) { return none(x); },
      [&](const Subscript& x) { return none(x); }, [&](const Deref& x) { return none(x); },
      [&](const AddressOf& x) { return none(x); }, [&](const Decay& x) { return none(x); },
      [&](const DataOf& x) { return none(x); }, [&](const SizeOf& x) { return none(x); },
      [&](const PureCall& x) { return none(x); }, [&](const InitList& x) { return none(x); });
}

// A name for a value that is used more than once; variables and literals need none.
ExprId AdjointBuilder::named(ExprId value, const std::string& name, Block& out) {
  const ExprNode& node = f_[value].node;
  const auto* v = std::get_if<VarRef>(&node);
  if (std::holds_alternative<Literal>(node) || (v && f_[v->var].isTemporary)) return value;
  const VarId temp = newVar(name, withoutConst(m_, f_[value].type));
  out.push_back(declareVar(temp, Init::Value, {value}));
  return var(temp);
}

void AdjointBuilder::propagate(ExprId id, ExprId seed, Block& out, const Context& ctx) {
  const Expr e = f_[id];
  if (!seed.valid() || !flows(id)) return;  // a partial that is a constant zero leaves no seed
  if (isPlace(e)) return addAdjoint(id, algebra_.cast(seed, withoutConst(m_, e.type)), out, ctx);
  const auto leaf = [](const auto&) {};
  match(
      e.node,
      [&](const Unary& x) { propagate(x.operand, x.op == UnaryOp::Minus ? algebra_.negate(seed) : seed, out, ctx); },
      [&](const Cast& x) {
        const TypeId from = withoutConst(m_, f_[x.operand].type);
        if (isReal(m_, from)) propagate(x.operand, algebra_.cast(seed, from), out, ctx);
      },
      [&](const Conditional& x) {
        Block then, otherwise;
        propagate(x.whenTrue, seed, then, ctx);
        propagate(x.whenFalse, seed, otherwise, ctx);
        if (then.empty())
          out.push_back(add(If{algebra_.logicalNot(x.condition), otherwise, {}}));
        else
          out.push_back(add(If{x.condition, then, otherwise}));
      },
      [&](const Binary& x) {
        const bool left = flows(x.lhs), right = flows(x.rhs);
        switch (x.op) {
          case BinaryOp::Add:
          case BinaryOp::Sub:
            if (left && right) seed = named(seed, "seed_b", out);
            if (left) propagate(x.lhs, seed, out, ctx);
            if (right) propagate(x.rhs, x.op == BinaryOp::Sub ? algebra_.negate(seed) : seed, out, ctx);
            break;
          case BinaryOp::Mul:
            if (const auto square = squareIn(f_, x, [&](ExprId factor) { return !flows(factor); })) {
              const ExprId twice = partialOf(*square, algebra_, e.type);
              propagate(square->root, named1(square->root, algebra_.chain(seed, twice, false), out), out, ctx);
              break;
            }
            if (left && right) seed = named(seed, "seed_b", out);
            if (left) propagate(x.lhs, named1(x.lhs, algebra_.chain(seed, x.rhs, false), out), out, ctx);
            if (right) propagate(x.rhs, named1(x.rhs, algebra_.chain(seed, x.lhs, false), out), out, ctx);
            break;
          case BinaryOp::Div: {
            if (left && right) seed = named(seed, "seed_b", out);
            const bool constant = algebra_.constant(x.rhs).has_value();
            const ExprId inverse = constant ? ExprId() : algebra_.call("reciprocal", {x.rhs}, e.type);
            // seed / rhs where that can't be 0 / 0; a zero seed must give zero.
            if (left) {
              const ExprId part = constant ? algebra_.divide(seed, x.rhs) : algebra_.chain(seed, inverse, true);
              propagate(x.lhs, named1(x.lhs, part, out), out, ctx);
            }
            if (right) {
              // Not the quotient over rhs: rounded the same, whether the quotient is at hand here or not.
              const ExprId partial = algebra_.multiply(algebra_.multiply(algebra_.negate(x.lhs), inverse), inverse);
              const ExprId part = algebra_.chain(seed, partial, true);
              propagate(x.rhs, named1(x.rhs, part, out), out, ctx);
            }
            break;
          }
          case BinaryOp::Rem: case BinaryOp::Shl: case BinaryOp::Shr: case BinaryOp::BitAnd: case BinaryOp::BitOr:
          case BinaryOp::BitXor: case BinaryOp::Lt: case BinaryOp::Le: case BinaryOp::Gt: case BinaryOp::Ge:
          case BinaryOp::Eq: case BinaryOp::Ne: case BinaryOp::And: case BinaryOp::Or: break;  // no reals
        }
      },
      [&](const MathCall& x) { propagateCall(id, x, seed, {}, out, ctx); }, [&](const Literal& x) { leaf(x); },
      [&](const VarRef& x) { leaf(x); }, [&](const GlobalRef& x) { leaf(x); }, [&](const FieldRef& x) { leaf(x); },
      [&](const Subscript& x) { leaf(x); }, [&](const Deref& x) { leaf(x); }, [&](const AddressOf& x) { leaf(x); },
      [&](const Decay& x) { leaf(x); }, [&](const DataOf& x) { leaf(x); }, [&](const SizeOf& x) { leaf(x); },
      [&](const PureCall& x) { leaf(x); }, [&](const InitList& x) { leaf(x); });
}

void AdjointBuilder::propagateFrom(ExprId id, ExprId seed, ExprId result, Block& out, const Context& ctx) {
  const ExprNode node = f_[id].node;
  const auto* sign = std::get_if<Unary>(&node);
  if (!result.valid() || !seed.valid() || !flows(id)) return propagate(id, seed, out, ctx);
  if (sign) return propagateFrom(sign->operand, algebra_.negate(seed), algebra_.negate(result), out, ctx);
  if (const auto* quotient = std::get_if<Binary>(&node)) return propagateQuotient(*quotient, seed, result, out, ctx);
  propagateCall(id, std::get<MathCall>(node), seed, result, out, ctx);
}

void AdjointBuilder::propagateQuotient(const Binary& x, ExprId seed, ExprId result, Block& out, const Context& ctx) {
  const bool left = flows(x.lhs);
  const TypeId type = withoutConst(m_, f_[result].type);
  if (analysis::isReciprocal(f_, x)) {
    const ExprId part = algebra_.chain(seed, algebra_.multiply(algebra_.negate(result), result), true);
    return propagate(x.rhs, named1(x.rhs, part, out), out, ctx);
  }
  const ExprId inverse = algebra_.call("reciprocal", {x.rhs}, type);
  if (!left) {
    const ExprId part = algebra_.chain(seed, algebra_.multiply(algebra_.negate(result), inverse), true);
    return propagate(x.rhs, named1(x.rhs, part, out), out, ctx);
  }
  const ExprId above = named(algebra_.chain(seed, inverse, true), "part_b", out);
  propagate(x.lhs, above, out, ctx);
  if (!flows(x.rhs)) return;
  const ExprId below = algebra_.chain(above, algebra_.negate(result), true);
  propagate(x.rhs, named1(x.rhs, below, out), out, ctx);
}

ExprId AdjointBuilder::named1(ExprId operand, ExprId value, Block& out) {
  return value.valid() && countLeaves(operand) > 1 ? named(value, "part_b", out) : value;
}

void AdjointBuilder::propagateCall(ExprId id, const MathCall& call, ExprId seed, ExprId result, Block& out, const Context& ctx) {
  const TypeId type = withoutConst(m_, f_[id].type);
  const rules::MathRow* row = rules::findMath(call.function);
  unsigned activeArgs = 0;
  for (ExprId a : call.args) activeArgs += flows(a) ? 1 : 0;
  if (activeArgs > 1) seed = named(seed, "seed_b", out);
  for (unsigned k = 0; k < call.args.size(); ++k) {
    if (!flows(call.args[k])) continue;
    ExprId partial = rules::buildPartial(m_, f_, *row, k, call.args, result, type);
    if (!partial.valid()) continue;
    partial = withKept(partial);
    const ExprId part = algebra_.cast(algebra_.chain(seed, partial, row->singular), withoutConst(m_, f_[call.args[k]].type));
    propagate(call.args[k], named1(call.args[k], part, out), out, ctx);
  }
}

// --- shadows

// True if only the executing thread can name the memory: part of a variable that was declared in the current region.
bool AdjointBuilder::isPrivatePlace(ExprId place) const {
  const Expr& e = f_[place];
  if (const auto* v = std::get_if<VarRef>(&e.node)) {
    const auto bound = boundTo_.find(v->var);
    if (bound != boundTo_.end()) return isPrivatePlace(bound->second);
    if (isReference(m_, f_[v->var].type)) return false;
    // Inside a function that is called from a region every local and by-value parameter belongs to the thread.
    return variant_.parallel ? true : inRegion_.count(v->var) != 0;
  }
  if (const auto* r = std::get_if<FieldRef>(&e.node)) {
    const auto* record = as<RecordType>(m_, f_[r->base].type);
    return !(record && isReference(m_, m_[record->record].fields[r->field].type)) && isPrivatePlace(r->base);
  }
  if (const auto* s = std::get_if<Subscript>(&e.node)) {
    if (const auto* d = std::get_if<Decay>(&f_[s->base].node)) return isPrivatePlace(d->array);
    if (const auto* d = std::get_if<DataOf>(&f_[s->base].node)) return isPrivatePlace(d->container);
    return !isPointer(f_[s->base].type) && isPrivatePlace(s->base);
  }
  return false;
}

// The part of the place's name that is a member declared const, if there is one.
ExprId AdjointBuilder::constantMember(ExprId place) const {
  for (ExprId e = place;;) {
    const ExprNode& node = f_[e].node;
    if (const auto* r = std::get_if<FieldRef>(&node)) {
      const auto* record = as<RecordType>(m_, f_[r->base].type);
      if (record && m_[m_[record->record].fields[r->field].type].isConst) return e;
      e = r->base;
    } else if (const auto* s = std::get_if<Subscript>(&node)) {
      const auto* d = std::get_if<Decay>(&f_[s->base].node);
      if (!d && !as<ArrayType>(m_, f_[s->base].type)) return {};
      e = d ? d->array : s->base;
    } else {
      return {};
    }
  }
}

void AdjointBuilder::addAdjoint(ExprId place, ExprId value, Block& out, const Context& ctx) {
  if (!value.valid()) return;
  if (const ExprId own = ctx.parallel ? accumulatorFor(place) : ExprId(); own.valid()) {
    out.push_back(add(Increment{own, value, false}));
    return;
  }
  ExprId base;
  const bool guarded = facts_.shadowOf(variant_.primal, place) == Presence::Maybe && shadows_.mayBeNull(place, base);
  const ExprId shadow = shadows_.place(place);
  if (!shadow.valid()) return;
  if (const ExprId member = constantMember(place); member.valid()) {
    const auto& field = std::get<FieldRef>(f_[member].node);
    const Record& record = m_[as<RecordType>(m_, f_[field.base].type)->record];
    return refuse("the adjoint of '" + record.name + "::" + record.fields[field.field].name + "' can't be stored: the member is declared const",
                  "leave out 'const' there, or name the other members in the head");
  }
  Block audits;
  auditPair(place, shadow, audits);
  const bool shared = (ctx.parallel || variant_.parallel) && !isPrivatePlace(place) &&
                      (options_.alwaysAtomic || !facts_.exclusive(variant_.primal, place));
  StmtId step;
  touched(place);
  if (shared) {
    const bool banded = bandsNow_ && !options_.alwaysAtomic && bandsNow_->places.count(place) != 0;
    step = add(SharedIncrement{shadow, value, false, banded ? Strategy::Banded : Strategy::Atomic, var(alone_)});
    if (banded) bandedTargets_[shadow] = place;
  } else {
    step = add(Increment{shadow, value, false});
  }
  audits.push_back(step);
  if (guarded) audits = {add(If{binary(BinaryOp::Ne, base, literal("nullptr", f_[base].type), bool_), audits, {}})};
  out.insert(out.end(), audits.begin(), audits.end());
}

ExprId AdjointBuilder::readAdjoint(ExprId place) {
  ExprId base;
  const bool guarded = facts_.shadowOf(variant_.primal, place) == Presence::Maybe && shadows_.mayBeNull(place, base);
  const ExprId shadow = shadows_.place(place);
  touched(place);
  if (!shadow.valid() || !guarded) return shadow;
  const TypeId type = withoutConst(m_, f_[place].type);
  return f_.addExpr(Conditional{binary(BinaryOp::Ne, base, literal("nullptr", f_[base].type), bool_), shadow,
                                algebra_.literal(0, type)},
                    type);
}

void AdjointBuilder::setZero(ExprId place, Block& out) {
  ExprId base;
  const bool guarded = facts_.shadowOf(variant_.primal, place) == Presence::Maybe && shadows_.mayBeNull(place, base);
  const ExprId shadow = shadows_.place(place);
  if (!shadow.valid()) return;
  touched(place);
  Block steps;
  auditPair(place, shadow, steps);
  steps.push_back(add(SetZero{shadow}));
  if (guarded) steps = {add(If{binary(BinaryOp::Ne, base, literal("nullptr", f_[base].type), bool_), steps, {}})};
  out.insert(out.end(), steps.begin(), steps.end());
}

ExprId AdjointBuilder::takeAdjoint(ExprId place, Block& out) {
  const ExprId value = readAdjoint(place);
  if (!value.valid()) return {};
  const VarId root = rootVar(f_, place);
  std::string name = root.valid() ? f_[root].name + "_seed" : "seed_b";
  const VarId temp = newVar(name, withoutConst(m_, f_[place].type));
  out.push_back(declareVar(temp, Init::Value, {value}));
  setZero(place, out);
  return var(temp);
}

}  // namespace contraflow::transform
