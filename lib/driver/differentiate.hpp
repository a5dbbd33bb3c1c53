// The passes between lowering and emission.
#pragma once

#include "driver/pipeline.hpp"

namespace contraflow::driver {

bool tangents(Run& run);
bool structure(Run& run);
bool prepare(Run& run);
bool analyse(Run& run);
bool adjoints(Run& run);
bool tangentsOfDerivatives(Run& run);
bool simplifyDerivatives(Run& run);

}  // namespace contraflow::driver
