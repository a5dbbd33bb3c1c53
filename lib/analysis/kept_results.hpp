// Results of costly functions that the reverse sweep reads from the tape instead of evaluating them again:
//
//     for (int i = 0; i < n; ++i)            // an iteration that is run again, or whose sweeps are one
//       if (p[i] > 0) {
//         const double c = std::cos(p[i]);   // pushed on the iteration's scratch tape, which stays in the cache
//         …
//
// A record costs about two nanoseconds there, a cosine ten times as much. Only where that tape is bounded: in no loop that records its
// iterations, and in no function that is called from one. (In the scope of an iteration itself the value is at hand in any case.)
// For the same reason calls of functions that evaluate such functions, and have no loops, aren't run again there.
#pragma once

#include "analysis/recompute.hpp"

namespace contraflow::analysis {

// Adds them to what `recompute` knows.
void findKeptResults(const ir::Module& m, const PointsTo& p, const CallGraph& graph, const ir::Annotations* annotations, Recompute& recompute);

}  // namespace contraflow::analysis
