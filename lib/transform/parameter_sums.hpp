// The adjoint of a real that is passed by value, which loops add to through a reference, summed in a variable:
//
//     for (i…) {                                   double nu_b_sum = 0.0;
//       seed = k_b[i];                             for (i…) {
//       k_b[i] = 0.0;                       →        …
//       nu_b += u[i] * seed;                         nu_b_sum += u[i] * seed;
//     }                                            }
//                                                  nu_b += nu_b_sum;
//
// A compiler must take the reference for memory that the stores of the loop may change, and so goes through memory with a sum that
// could stay in a register; adjoint_hoisting.cpp, too, leaves loops alone that store to shadows. Where the loop does nothing to the
// adjoint but add to it, that its sum is added behind the loop is right whatever else the caller passed the same memory for.
#pragma once

#include "ir/module.hpp"

namespace contraflow::transform {

void sumParameters(ir::Module& module, ir::Function& function);

}  // namespace contraflow::transform
