// Loops whose iterations add to what others add to, as the adjoint of every stencil does, in strips of iterations:
//
//     for (i = n - 1; i >= 1; --i) {               for (strip…) {
//       seed = b_b[i];                               double a_b_part[32], a_b_part_2[32];
//       b_b[i] = 0.0;                         →      for (lane…) { a_b_part[lane] = …; a_b_part_2[lane] = …; }
//       a_b[i - 1] += …;                             for (lane…) b_b[i] = 0.0;
//       a_b[i + 1] += …;                             for (lane…) a_b[i - 1] += a_b_part[lane];
//     }                                              for (lane…) a_b[i + 1] += a_b_part_2[lane];
//                                                  }
//                                                  for (the rest…) as before
//
// The values are evaluated without a store in between, and each of the other loops touches one array at increasing addresses: all of them
// vectorise, where the loop as it was couldn't, since an iteration may add to what the next one adds to.
//
// Right if what is added to and written lies apart from what the values read, but for what an iteration reads before it writes it. Where
// types and names don't say so, addresses do at run time, in front of the outermost loop where they are known; otherwise the loop runs as
// it was. Increments of one place come in another order.
#pragma once

#include "ir/module.hpp"

namespace contraflow::transform {

// `gather`: nests whose terms are cheap gather instead (gather_nest.hpp).
void stripIncrements(ir::Module& module, ir::Function& function, bool gather);

}  // namespace contraflow::transform
