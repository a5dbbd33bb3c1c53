// The names of derivative functions: readable, the same every time, different where C++ couldn't tell two of them apart.
#pragma once

#include <string>

#include "ir/module.hpp"

namespace contraflow::transform {

// "_d", "_fwd", "_rev", "_b"; empty for a primal.
const char* suffixOf(ir::FunctionKind kind);

// The name of the derivative of a function: misfit_d, misfit_b, … An operator is spelled out (operator+ has plus_d). A number
// follows where an earlier function in the same namespaces would get the same name with parameters that might be the same, or where
// the program has a function or a global of that name.
std::string derivativeName(const ir::Module& module, ir::FuncId primal, ir::FunctionKind kind);

}  // namespace contraflow::transform
