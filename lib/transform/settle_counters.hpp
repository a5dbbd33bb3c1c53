// A counter whose address is taken in its loop's body gets a copy there, which the body uses:
//
//     for (int i…) { int* p = c ? &i : &j; … }        for (int i…) { int i_copy = i; int* p = c ? &i_copy : &j; … }
//
// The reverse sweep counts with a variable of its own, so a recorded address of the forward counter would be stale. The copy is
// a variable as any other, and kept at one address where it has to be.
#pragma once

#include "ir/module.hpp"

namespace contraflow::transform {

// `loop`: a For; with collapse > 1 the outermost of a perfect nest. The body is that of the innermost loop.
void settleCounters(ir::Module& module, ir::Function& function, ir::StmtId loop, unsigned collapse = 1);

}  // namespace contraflow::transform
