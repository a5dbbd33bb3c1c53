// Parallel loops in two versions: one for buffers that turn out to lie apart at run time, and the loop as it stands.
//
//     #pragma omp parallel for                       if (contraflow::apart(contraflow::rangeOf(a, 0, n - 1),
//     for (int i = 1; i < n - 1; ++i)          →                           contraflow::rangeOf(b, 1, n - 2)))
//       b[i] = a[i - 1] * a[i + 1];                    … the loop, for which the analyses know that a and b don't overlap
//                                                    else
//                                                      … the loop
//
// Guarantees: the program computes what it did. The condition says that the elements which the loop names through the one pointer lie
// apart from those that it names through the other; every mention of both in the loop is such an element. `DisjointPointers` reads it.
// Needs: the normal form of prepare_adjoint.hpp; facts about the module as it is.
#pragma once

#include "analysis/disjoint_pointers.hpp"
#include "analysis/points_to.hpp"
#include "ir/module.hpp"

namespace contraflow::transform {

// True if there is a loop to which this may apply: then the facts are worth computing.
bool hasLoopsToVersion(const ir::Function& function);

void versionLoops(ir::Module& module, ir::FuncId function, const analysis::PointsTo& pointsTo, const analysis::DisjointPointers& disjoint);

}  // namespace contraflow::transform
