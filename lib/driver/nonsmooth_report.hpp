// Where a program touches functions that have no derivative everywhere: lines of `--report`.
#pragma once

#include <string>
#include <vector>

#include "ir/module.hpp"

namespace contraflow::driver {

// One line for each such call in the functions of the module, by place: "f.cpp:12:9: std::max has no derivative at a tie: …".
std::vector<std::string> nonSmoothPlaces(const ir::Module& module);

}  // namespace contraflow::driver
