// Parallel access: which adjoint increments need no atomics, and which loops may be reversed in any order.
#pragma once

#include <set>

#include "analysis/recompute.hpp"

namespace contraflow::analysis {

class Exclusive {
 public:
  bool exclusive(ir::FuncId f, ir::ExprId place) const { return places_.count({f, place}) != 0; }
  bool freeReversal(ir::FuncId f, ir::StmtId s) const { return free_.count({f, s}) != 0; }

 private:
  friend Exclusive computeExclusive(const ir::Module&, const PointsTo&, const Accesses&, const Activity&, const Recompute&,
                                    const DisjointPointers&);
  std::set<std::pair<ir::FuncId, ir::ExprId>> places_;
  std::set<std::pair<ir::FuncId, ir::StmtId>> free_;
};

Exclusive computeExclusive(const ir::Module& m, const PointsTo& p, const Accesses& accesses, const Activity& activity,
                           const Recompute& recompute, const DisjointPointers& disjoint);

}  // namespace contraflow::analysis
