// Which pointer variables point into different objects, flow-sensitively: what survives when the buffers of a time loop are swapped.
//
//     double* u = first.data();              (u, next) are disjoint here,
//     double* next = second.data();
//     for (…) {                              here,
//       step(u, next);                       and so are the parameters of `step`, if all its calls say so
//       double* old = u; u = next; next = old;
//     }
//
// Only variables whose address isn't taken are followed. The state is a set of pairs; an assignment p = q + i gives p the pairs of q;
// joins intersect. The parameters' pairs are the greatest solution over all calls that the heads reach.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "analysis/points_to.hpp"

namespace contraflow::analysis {

class DisjointPointers {
 public:
  using Pair = std::pair<ir::VarId, ir::VarId>;  // smaller id first
  using Pairs = std::set<Pair>;

  // True if, throughout the loop, neither is written, and what the loop names through the one lies apart from what it names through the
  // other: the two point into different objects, or the loop stands behind a condition that says so (version_loops.hpp).
  bool during(ir::FuncId f, ir::StmtId loop, ir::VarId p, ir::VarId q) const {
    const auto at = atLoop_.find({f, loop});
    return at != atLoop_.end() && p != q && at->second.count(p < q ? Pair{p, q} : Pair{q, p}) != 0;
  }

 private:
  friend class DisjointFinder;
  std::map<std::pair<ir::FuncId, ir::StmtId>, Pairs> atLoop_;
};

DisjointPointers computeDisjointPointers(const ir::Module& m, const PointsTo& p, const std::vector<ir::Head>& heads, bool noalias);

// The pointer variable at the base of a place: p for p[i], *p, (p + k)[i].f; none otherwise.
ir::VarId basePointer(const ir::Module& m, const ir::Function& fn, ir::ExprId place);

}  // namespace contraflow::analysis
