// What can be said about the memory that the iterations of one worksharing loop touch.
#pragma once

#include <set>

#include "analysis/activity.hpp"
#include "analysis/bands.hpp"
#include "analysis/disjoint_pointers.hpp"
#include "analysis/effects.hpp"
#include "analysis/recompute.hpp"

namespace contraflow::analysis {

struct LoopAccesses {
  std::set<ir::ExprId> active;     // every active place
  std::set<ir::ExprId> exclusive;  // those that no two iterations touch
  Bands bands;
};

LoopAccesses proveLoop(const ir::Module& m, const PointsTo& p, const Accesses& accesses, const Activity& activity,
                       const DisjointPointers& disjoint, ir::FuncId f, ir::StmtId loop);

}  // namespace contraflow::analysis
