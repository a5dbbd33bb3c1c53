// Values of math functions that a derivative needs more than once:
//
//     y += sin(x) * exp(c * x);                   const double exp_value = exp(c * x);
//     x_b += sin(x) * (y_b * exp(c * x));    →    y += sin(x) * exp_value;
//                                                 x_b += sin(x) * (y_b * exp_value);
//
// C++ compilers don't do that: these functions set errno. Quotients and reciprocals too, which compilers evaluate again behind a write that
// might change what is divided. A variable of the program that begins with the value, and keeps it, is used instead of a new one, declared
// earlier if need be. Nothing is rounded otherwise than without sharing. Within one block, as long as nothing that the arguments read may
// be written in between; what is written through one `__restrict__` pointer isn't read through another. What is evaluated under a condition
// only is never evaluated without it.
#pragma once

#include "ir/module.hpp"

namespace contraflow::transform {

void shareValues(ir::Module& module, ir::Function& function);

}  // namespace contraflow::transform
