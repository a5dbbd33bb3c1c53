// Parallel access: which adjoint increments need no atomics, and which loops may be reversed in any order.
#pragma once

#include <map>
#include <set>

#include "analysis/bands.hpp"
#include "analysis/disjoint_pointers.hpp"
#include "analysis/recompute.hpp"

namespace contraflow::analysis {

class Exclusive {
 public:
  bool exclusive(ir::FuncId f, ir::ExprId place) const { return places_.count({f, place}) != 0; }
  bool freeReversal(ir::FuncId f, ir::StmtId s) const { return free_.count({f, s}) != 0; }
  // Of a loop that may be reversed in any order; null if there are none.
  const Bands* bands(ir::FuncId f, ir::StmtId s) const {
    const auto found = bands_.find({f, s});
    return found == bands_.end() ? nullptr : &found->second;
  }

 private:
  friend Exclusive computeExclusive(const ir::Module&, const PointsTo&, const Accesses&, const Activity&, const Recompute&,
                                    const DisjointPointers&);
  std::set<std::pair<ir::FuncId, ir::ExprId>> places_;
  std::set<std::pair<ir::FuncId, ir::StmtId>> free_;
  std::map<std::pair<ir::FuncId, ir::StmtId>, Bands> bands_;
};

Exclusive computeExclusive(const ir::Module& m, const PointsTo& p, const Accesses& accesses, const Activity& activity,
                           const Recompute& recompute, const DisjointPointers& disjoint);

}  // namespace contraflow::analysis
