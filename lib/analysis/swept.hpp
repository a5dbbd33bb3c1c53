// Overwrites of what the same pass through a block has written itself, and nobody has read since: their old values are needed by nobody.
//
//     for (i = 0; i < n; ++i) y[i] = 0;              the sweep: writes y[0 … n - 1]
//     for (i = 0; i < n; ++i)
//       for (j = 0; j < n; ++j)
//         y[i] += a[i * n + j] * x[j];               overwrites elements of these
//     … y[i] * y[i] …
//
// The sets of recording.cpp know one location for all elements of an object, so that there the values of an earlier time step, which the
// sweep overwrites, are still there at the sums; and where all arrays lie in one workspace, `x` is there, too. Here elements are compared:
// the sweep is a loop that writes consecutive elements, or one assignment; what follows in its block is loops and statements of numbers,
// none of which reads an element that was swept. That holds of every run, so that it doesn't matter how often, or whether, a loop runs.
//
// What is restored where the sweep is reversed are then the values before it, also of the elements that were overwritten later.
#pragma once

#include <set>

#include "analysis/effects.hpp"

namespace contraflow::analysis {

class Swept {
 public:
  // For an Assign or Increment: what it overwrites was written in the same block, and isn't read by anything in between; or it is nothing
  // yet (first_writes.hpp).
  bool overwritesOwn(ir::FuncId f, ir::StmtId s) const { return own_.count({f, s}) != 0; }
  // What the statement wrote may be gone in the reverse sweep: something behind it overwrites it without a record.
  bool losesResult(ir::FuncId f, ir::StmtId s) const { return lost_.count({f, s}) != 0; }

 private:
  friend class SweptFinder;
  std::set<std::pair<ir::FuncId, ir::StmtId>> own_, lost_;
};

Swept computeSwept(const ir::Module& m, const PointsTo& p, const Accesses& accesses);

}  // namespace contraflow::analysis
