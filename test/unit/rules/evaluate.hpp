// Evaluates expressions of reals in long double: what generated code would compute.
#pragma once

#include <map>
#include <string>

#include "ir/module.hpp"

namespace contraflow::test {

// The functions of math.def themselves.
long double callMath(const std::string& name, const std::vector<long double>& x);

long double evaluate(const ir::Function& f, ir::ExprId e, const std::map<ir::VarId, long double>& values);

}  // namespace contraflow::test
