// --emit-check: the text of a program that checks the derivatives of this run. docs/gradient_check.md says what a user sees; the
// checks themselves are in runtime/include/contraflow/check.hpp.
#pragma once

#include "driver/pipeline.hpp"

namespace contraflow::driver {

// A tangent for each adjoint that has none, so that there is something to check it against.
bool addTangentsToCheck(ir::Module& module, Diagnostics& diags);

// Adds the driver to the run's outputs. Reports what can't be checked; then false.
bool emitCheck(Run& run);

}  // namespace contraflow::driver
