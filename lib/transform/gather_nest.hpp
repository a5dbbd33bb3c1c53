// A nest of loops whose iterations add to elements around them, turned into one that gathers what is added to each element:
//
//     for (i = 1; i < nx - 1; ++i)                     for (i = 0; i < nx; ++i)
//       for (j = 1; j < ny - 1; ++j) {                   for (j = 0; j < ny; ++j)    // guards only near the rim
//         a_b[(i - 1) * ny + j] += r * b_b[i * ny + j];    a_b[i * ny + j] += r * b_b[(i + 1) * ny + j] + …;
//         …                                           →
//         b_b[i * ny + j] = 0.0;
//       }
//
// Each increment is that of the same iteration as before: none is added, lost or changed, only their order is another one, and what an
// iteration writes is written behind all that reads it. Internal to strip_increments, which has taken the innermost body apart and sees to
// it that what is added to and written lies apart from what else is read.
#pragma once

#include <optional>

#include "transform/loop_ends.hpp"
#include "transform/strip_body.hpp"

namespace contraflow::transform {

struct GatheredNest {
  ir::Block code;
  ir::ExprId condition;  // must hold in front of the nest; none: it always does
};

// `loops`: from the outermost to the innermost, each the only loop in the one before, and beside it only constant integers. None where
// terms are too expensive to be evaluated where they are needed, rather than once, or where the nest isn't of that form.
std::optional<GatheredNest> gatherNest(ir::Module& module, ir::Function& function, const std::vector<ir::StmtId>& loops,
                                       const StripBody& body);

}  // namespace contraflow::transform
