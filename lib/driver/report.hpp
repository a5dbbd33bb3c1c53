// `--report`: what a run decided, as text for people or as JSON for programs.
#pragma once

#include <string>
#include <vector>

#include "driver/pipeline.hpp"

namespace contraflow::driver {

// `nonSmooth`: the lines of nonSmoothPlaces(), taken when the program was lowered.
std::string reportText(const Run& run, const std::vector<std::string>& nonSmooth);
std::string reportJson(const Run& run, const std::vector<std::string>& nonSmooth);

}  // namespace contraflow::driver
