// Integers that a nest of loops reads from records and globals, named in front of it, so that all it counts with are variables:
//
//     for (…; j <= g.ny; …)                      const int ny = g.ny, nx = g.nx;
//       for (…; i <= g.nx; …) { … }         →    for (…; j <= ny; …) for (…; i <= nx; …) { … }
//
// For nests that call nothing and store no integer but in variables of their own.
#pragma once

#include <vector>

#include "ir/module.hpp"

namespace contraflow::transform {

struct NamedNest {
  ir::Block before;                // the declarations
  std::vector<ir::StmtId> loops;   // the given loops, or copies of them
};
// `loops`: from the outermost to the innermost, each in the body of the one before.
NamedNest nameNumbers(ir::Module& module, ir::Function& function, const std::vector<ir::StmtId>& loops);

}  // namespace contraflow::transform
