// Innermost loops of the reverse sweep whose iterations may come in any order run upwards, as the primal's do:
//
//     for (int k = j - 1; k >= 0; --k) {           for (int k = 0; k < j; ++k) {
//       l_b[i][k] += l[j][k] * seed_b;        →      l_b[i][k] += l[j][k] * seed_b;
//       l_b[j][k] += l[i][k] * seed_b;               l_b[j][k] += l[i][k] * seed_b;
//     }                                            }
//
// Compilers vectorise both, but turn vectors round in the first; and loops over the numbers of iterations, for steps and types whose ends
// can't be counted down from, become the primal's loops.
#pragma once

#include "ir/module.hpp"

namespace contraflow::transform {

void ascendLoops(ir::Module& module, ir::Function& function);

}  // namespace contraflow::transform
