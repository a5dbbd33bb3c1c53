// Writes of elements that hold nothing yet: of arrays that are declared without a value, where each element is written before any
// other write of it. What such a write overwrites needs no record: nobody reads it, neither the program nor its reverse.
//
//     double l[9][9];
//     for (j = 0; j < n; ++j) {
//       l[j][j] = …;
//       for (i = j + 1; i < n; ++i) l[i][j] = … l[i][k] …;      i ≠ j, and each pair once
//     }
//
// Elements are compared index by index: equations between the counters of both writes, and the ends of their loops.
#pragma once

#include <set>

#include "analysis/effects.hpp"

namespace contraflow::analysis {

std::set<ir::StmtId> firstWrites(const ir::Module& m, const PointsTo& p, const Accesses& accesses, ir::FuncId f);

}  // namespace contraflow::analysis
