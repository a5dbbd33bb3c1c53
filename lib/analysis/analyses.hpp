// The analyses, seen from outside.
//
//   Module, heads ──conservativeFacts──▶ Facts    everything recorded, nothing proved: what `--no-analysis` uses
//   Module, heads ──computeFacts───────▶ Facts    sharp, but for the analyses named in `without`
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "analysis/facts.hpp"
#include "ir/annotations.hpp"

namespace contraflow::analysis {

struct Options {
  std::set<std::string> without;  // names of analyses, see kAnalysisNames
  bool noalias = false;           // distinct pointer parameters of a head never overlap
  const ir::Annotations* annotations = nullptr;  // which loops are checkpointed
};

// Every name that `--without` takes. Those behind `exclusive` are transformations: version_loops.hpp, adjoint_blocks.cpp,
// adjoint_hoisting.cpp, adjoint_joint_calls.cpp, share_values.hpp, adjoint_fused.cpp, tidy_locals.hpp, strip_increments.hpp, parameter_sums.hpp,
// gather_nest.hpp (a part of `strips`), buffer_increments.hpp, split_objects.hpp, ascending_loops.hpp; `count-back`, `result-reuse` and `swept` are parts of `tbr`. `inlining` is done by the frontend.
inline constexpr const char* kAnalysisNames[] = {"points-to",     "activity",    "tbr",      "recompute",    "exclusive",
                                                 "loop-versions", "tape-blocks", "hoisting", "joint-calls", "share-values", "fused-sweeps",
                                                 "tidy-locals",   "strips",      "gather",   "count-back", "parameter-sums",
                                                 "buffers",       "split-objects", "inlining",
                                                 "swept", "result-reuse", "kept-results", "ascending-loops"};

// Active is whatever holds reals and can have a shadow. Needs nothing but types, so it is right for any module.
std::unique_ptr<Facts> conservativeFacts(const ir::Module& m, const std::vector<ir::Head>& heads);

// Needs the module after `structureJumps`. The module must outlive the result and keep its ids.
std::unique_ptr<Facts> computeFacts(const ir::Module& m, const std::vector<ir::Head>& heads, const Options& options = {});

}  // namespace contraflow::analysis
