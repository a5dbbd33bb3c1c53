#include "analysis/result_chooser.hpp"

#include "ir/walk.hpp"

namespace contraflow::analysis {

using namespace ir;

LocSet ResultChooser::written(const Statement& s) const {
  LocSet raw;
  const StmtNode& node = m_[s.first][s.second].node;
  if (const auto* d = std::get_if<Declare>(&node)) accesses_.variable(s.first, d->var, raw);
  if (const auto* a = std::get_if<Assign>(&node)) accesses_.objects(s.first, a->target, raw);
  return raw;
}

bool ResultChooser::findMore(const Recording& without, const Recording& with, LocSet& recorded) const {
  LocSet raw;
  for (const auto& [f, s] : with.overwrites_)
    if (!without.overwriteNeeded(f, s)) raw.add(accesses_.of(f, s).writes);
  for (const auto& [f, v] : with.finals_)
    if (!without.finalValueNeeded(f, v) && !isOfIteration(f, v) && !recompute_.keeps(f, v)) accesses_.variable(f, v, raw);
  recorded = accesses_.closed(raw);
  for (const auto& [f, s] : with.reversed_)
    if (!without.reversed(f, s)) return true;
  for (const auto& [at, before] : with.beforeCall_) {
    const LocSet& writes = accesses_.of(std::get<Call>(m_[at.first][at.second].node).callee).writes;
    if (with.overwritesNeeded(at.first, at.second, writes) && !without.overwritesNeeded(at.first, at.second, writes)) return true;
  }
  return with.functions_ != without.functions_;
}

bool ResultChooser::isOfIteration(FuncId f, VarId v) const {
  const Function& fn = m_[f];
  bool found = false;
  walkStmts(fn, fn.body, [&](StmtId s) {
    const auto* loop = std::get_if<For>(&fn[s].node);
    if (!loop || !recompute_.loop(f, s)) return;
    for (StmtId inner : loop->body)
      if (const auto* d = std::get_if<Declare>(&fn[inner].node)) found = found || d->var == v;
  });
  return found;
}

}  // namespace contraflow::analysis
