// Removes break, continue and early return, so that every later pass sees structured code only.
//
//     for (int i = 0; i < n; ++i) {            bool done = false;
//       if (x[i] < 0) continue;                int i = 0;
//       s += x[i];                             while (!done && i < n) {
//       if (s > limit) break;                    if (x[i] >= 0) {   // for reals: !(x[i] < 0)
//       y[i] = s;                                  s += x[i];
//     }                                            if (s > limit) {
//     if (s == 0) return 1.0;                        done = true;
//     return s / n;                                } else {
//                                                    y[i] = s;
//                                                  }
//                                                }
//                                                i += 1;
//                                              }
//                                              double result;
//                                              if (s == 0) result = 1.0; else result = s / n;
//                                              return result;
//
// Guarantees: no Break and Continue; at most one Return, the last statement of the body. Every condition and every statement is
// evaluated as often as before, in the same order. Statements without jumps keep their ids.
// `do { … } while (false)` is a block that `break` leaves: it becomes a Scope.
// What follows a jump goes into the other branch where possible; a flag (`skip`, `done`, `returned`) is made only where a jump leaves
// more than the statements behind it in its own block.
#pragma once

#include "ir/module.hpp"

namespace contraflow::transform {

void structureJumps(ir::Module& module, ir::Function& function);

}  // namespace contraflow::transform
