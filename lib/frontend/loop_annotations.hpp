// Annotations that stand on loops and pointers.
//
//     #pragma contraflow checkpoint(binomial, snapshots: 20)   →  the schedule of the loop that follows
//     #pragma contraflow checkpoint                            →  the block that follows is one step
//     #pragma contraflow extent(u: n, v: 2 * n)                →  how many elements these pointer parameters reach
#pragma once

#include <vector>

#include "frontend/lowering.hpp"
#include "ir/annotations.hpp"

namespace contraflow::frontend {

// After parsing, before any function is lowered.
void applyLoopAnnotations(TranslationUnit& unit, const std::vector<Annotation>& found, ir::Annotations& out);

}  // namespace contraflow::frontend
