// Part of the verifier: the checks id-range and type-valid. The others assume that these found nothing.
#pragma once

#include <functional>
#include <string>

#include "ir/module.hpp"

namespace contraflow::ir {

using Report = std::function<void(const char* check, const std::string& what)>;

// False if something was reported.
bool verifyRanges(const Module& module, const Report& report);
bool verifyRanges(const Module& module, const Function& function, const Report& report);

}  // namespace contraflow::ir
