// Of shadows that die at the end of a block: what is set to zero though nothing reads it again, and names for what isn't:
//
//     double x_b[2] = {};  …                         double x_b[2] = {};  …
//     const double seed = x_b[1];              →     u_b[k] += 2 * u[k] * x_b[1];
//     x_b[1] = 0.0;
//     u_b[k] += 2 * u[k] * seed;
//
// for local arrays and objects.
#pragma once

#include "ir/module.hpp"

namespace contraflow::transform {

void dropZeros(ir::Module& module, ir::Function& function);

}  // namespace contraflow::transform
