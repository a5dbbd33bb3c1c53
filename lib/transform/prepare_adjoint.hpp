// The last normal form before the adjoint. It guarantees, on top of what lowering and `structureJumps` give:
//   1. no Scope: `{ a; } b;` is `a; b;`
//   2. a While has no test block: `while (test…; c) body` is `bool go; test…; go = c; while (go) { body; test…; go = c; }`
//   3. no private, firstprivate or lastprivate lists: the copies are declared in the region, initialised from their originals,
//      and the last iteration assigns to the original; reductions stay
//   4. records, std::arrays and initialiser lists are copied scalar by scalar
//   5. increments of pointers are assignments
//   6. the indices of a target don't read memory that may be the target (settle_target.hpp)
//   7. no address of a counter is taken in its loop (settle_counters.hpp)
// Needs: no Break, no Continue, one Return at the end.
#pragma once

#include "diagnostics/diagnostics.hpp"
#include "ir/annotations.hpp"
#include "ir/module.hpp"

namespace contraflow::transform {

// False if something in the function can't be brought into this form; the reason was reported.
bool prepareAdjoint(ir::Module& module, ir::Function& function, Diagnostics& diagnostics,
                    const ir::Annotations* annotations = nullptr);

}  // namespace contraflow::transform
