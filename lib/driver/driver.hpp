// The compiler as one call: sources to generated files.
#pragma once

#include <string>
#include <vector>

#include "driver/installation.hpp"

namespace contraflow::driver {

// Runs the command line (without the program's name). 0: every head was produced whole and written. 1: an error that was
// reported; nothing is written. 70: a fault of this program, which is described on the standard error stream.
int run(const std::vector<std::string>& arguments, const Installation& installation);

}  // namespace contraflow::driver
