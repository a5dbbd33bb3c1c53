// Local numbers of derivative code, as a person would write them:
//
//     double d_b = 0.0;                              double d_b = x * y_b + z * y_b;
//     …                                       →      …
//     d_b += x * y_b;
//     d_b += z * y_b;
//
//     const double seed_b = d_b;  a_b += seed_b;     →      a_b += d_b;       while d_b stays as it is
//
//     const double seed_b = d_b;  d_b = 0.0;  f_rev(x, seed_b, tape);     →      f_rev(x, d_b, tape);      at the end of its block
//
// Within one block; sums are taken together where they stand side by side.
#pragma once

#include "ir/module.hpp"

namespace contraflow::transform {

void tidyLocals(ir::Module& module, ir::Function& function);

}  // namespace contraflow::transform
