// Calls whose forward and reverse part stand in one scope, with numbers alone in between:
//
//     double v = f_fwd(x, scratch);               const double v_b = sum_b;
//     sum += v;                              →     double v = f_b_value(x, x_b, v_b, scratch);
//     const double v_b = sum_b;                    sum += v;
//     f_rev(x, x_b, v_b, scratch);
//
// What the callee keeps for its reverse part then stays in its frame, not on the tape. What doesn't depend on the result goes in front of
// the call, what does goes behind.
#include <algorithm>
#include <functional>

#include "ir/walk.hpp"
#include "transform/adjoint_builder.hpp"

namespace contraflow::transform {

using namespace ir;

namespace {

// A statement about numbers of the function's own: what it reads, and what it sets.
struct Numbers {
  std::set<VarId> reads;
  VarId sets;
  bool declares;
};

void collect(const Function& f, ExprId e, std::set<VarId>& into) {
  walkExpr(f, e, [&](ExprId x) {
    if (const auto* v = std::get_if<VarRef>(&f[x].node)) into.insert(v->var);
  });
}
std::set<VarId> variablesOf(const Function& f, StmtId s) {
  std::set<VarId> all;
  forEachExprOfStmt(f[s], [&](ExprId e) { collect(f, e, all); });
  return all;
}

bool meet(const std::set<VarId>& a, const std::set<VarId>& b) {
  return std::any_of(a.begin(), a.end(), [&](VarId v) { return b.count(v) != 0; });
}

std::optional<Numbers> numbersOf(const Function& f, StmtId s, const std::function<bool(VarId)>& isPlain, const std::function<bool(ExprId)>& isOfNumbers) {
  const StmtNode& node = f[s].node;
  if (const auto* d = std::get_if<Declare>(&node)) {
    const bool simple = d->init == Init::None || d->init == Init::Zero || d->init == Init::Value;
    if (!simple || d->storage != Storage::Automatic || !isPlain(d->var) || (!d->args.empty() && !isOfNumbers(d->args[0]))) return std::nullopt;
    return Numbers{variablesOf(f, s), d->var, true};
  }
  const auto* a = std::get_if<Assign>(&node);
  const auto* i = std::get_if<Increment>(&node);
  const auto* z = std::get_if<SetZero>(&node);
  if (!a && !i && !z) return std::nullopt;
  const auto* target = std::get_if<VarRef>(&f[a ? a->target : i ? i->target : z->place].node);
  if (!target || !isPlain(target->var) || (!z && !isOfNumbers(a ? a->value : i->value))) return std::nullopt;
  return Numbers{variablesOf(f, s), target->var, false};
}

}  // namespace

void AdjointBuilder::joinCalls(Block& body) {
  if (options_.audit || options_.trace || !options_.joinCalls) return;
  for (const CallPair& pair : callPairs_) {
    const auto forward = std::find(body.begin(), body.end(), pair.forward), reverse = std::find(body.begin(), body.end(), pair.reverse);
    if (forward == body.end() || reverse == body.end()) continue;
    const Call& first = std::get<Call>(f_[pair.forward].node);
    const auto* result = first.result.valid() ? std::get_if<VarRef>(&f_[first.result].node) : nullptr;
    if (!result || !isPlainLocal(result->var)) continue;

    Block before, behind;
    std::set<VarId> late{result->var}, set, usedBehind;  // what depends on the result; what is set in between; what is used behind
    bool good = true;
    for (auto s = forward + 1; s != reverse && good; ++s) {
      const auto numbers = numbersOf(f_, *s, [&](VarId v) { return isPlainLocal(v); }, [&](ExprId e) { return isOfNumbers(e); });
      if (!numbers) {
        good = false;
      } else if (meet(numbers->reads, late)) {
        late.insert(numbers->sets);
        usedBehind.insert(numbers->reads.begin(), numbers->reads.end());
        usedBehind.insert(numbers->sets);
        behind.push_back(*s);
      } else {
        // Behind the result nothing may be set that an earlier statement still reads as it was.
        good = late.count(numbers->sets) == 0 && (numbers->declares || usedBehind.count(numbers->sets) == 0);
        before.push_back(*s);
      }
      if (numbers) set.insert(numbers->sets);
    }
    std::set<VarId> arguments, reverseArguments = variablesOf(f_, pair.reverse);
    for (ExprId e : first.args) collect(f_, e, arguments);
    good = good && !meet(reverseArguments, late) && !meet(arguments, set) && arguments.count(result->var) == 0;
    if (!good) continue;

    Call joint = std::get<Call>(f_[pair.reverse].node);
    joint.callee = variants_.request(pair.joint).reverse;
    joint.result = first.result;
    const StmtId call = add(std::move(joint));
    // The result's declaration stays with the call.
    auto front = forward;
    const auto* declared = forward != body.begin() ? std::get_if<Declare>(&f_[*(forward - 1)].node) : nullptr;
    if (declared && declared->init == Init::None && declared->var == result->var) before.push_back(*--front);
    Block out(body.begin(), front);
    out.insert(out.end(), before.begin(), before.end());
    out.push_back(call);
    out.insert(out.end(), behind.begin(), behind.end());
    out.insert(out.end(), reverse + 1, body.end());
    body = std::move(out);
  }
}

}  // namespace contraflow::transform
