// Parallel loops whose increments of shared shadows would be atomic: each thread adds to copies of its own, which are added up behind the
// loop (runtime/include/contraflow/sums.hpp, docs/decisions/0015-buffers-of-threads.md).
//
//     #pragma omp parallel                                   contraflow::omp::Sums<double> sums;
//     {                                                      #pragma omp parallel
//     #pragma omp for                                        {
//       for (…) {                                              contraflow::omp::Copy<double> v_b_copy(sums, contraflow::rangeOf(y_b, 0, n - 1));
//         double seed = y_b[i];                      →       #pragma omp for
//         …                                                    for (…) {
//         contraflow::omp::add(v_b[column[j]], …, alone);        double seed = y_b[i];
//       }                                                        …
//     }                                                          v_b_copy.add(v_b[column[j]], …);
//                                                              }
//                                                              sums.addUp();
//                                                            }
//
// Increments commute, so those of a phase may be added to memory at its end, but for memory of shadows that the loop reads or sets: a copy
// never holds any (`rangeOf`, or because nothing leads there). Where that can't be told, increments stay atomic.
#pragma once

#include "ir/module.hpp"

namespace contraflow::transform {

void bufferIncrements(ir::Module& module, ir::Function& function);

}  // namespace contraflow::transform
