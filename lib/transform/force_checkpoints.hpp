// `--recompute=always`: every loop that can be reversed from snapshots is.
#pragma once

#include <vector>

#include "analysis/facts.hpp"
#include "ir/annotations.hpp"
#include "ir/module.hpp"

namespace contraflow::transform {

// Adds a schedule for each counted loop of what the heads reach that has none, if the adjoint can reverse it from snapshots, and its
// iterations aren't run again anyway (as slices). The facts that were asked don't hold with the new annotations: compute them again.
void forceCheckpoints(const ir::Module& m, const std::vector<ir::Head>& heads, const analysis::Facts& facts, ir::Annotations& annotations);

}  // namespace contraflow::transform
