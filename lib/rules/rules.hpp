// Derivatives of the functions that the compiler doesn't see into. One row of math.def is one function of reals: its canonical
// name (what ir::MathCall::function holds), its C++ spelling, its parameters, and the partial derivative with respect to each of
// them as text:
//
//     MATH(hypot, "std::hypot", Regular, (x, y), "r == 0 ? 0 : x / r", "r == 0 ? 0 : y / r")
//
// The text is C++ without types: the parameters' names, `r` for the function's result, numbers, the operators
// ?: || && == != < <= > >= + - * / ! and calls of other rows (and isnan). A number takes the type of the function.
#pragma once

#include <string>
#include <vector>

#include "ir/module.hpp"

namespace contraflow::rules {

struct MathParameter {
  std::string name;
  bool isInteger = false;  // written `int n`; has no derivative
};

struct MathRow {
  std::string name;     // "hypot3"
  std::string cppName;  // "std::hypot"
  bool singular;        // a partial may be infinite or NaN at finite arguments: combine it with the seed by algebra's `scaled`
  std::vector<MathParameter> parameters;
  std::vector<std::string> partials;  // one for each parameter; "0": constant in it
};

// All rows, in the order of math.def.
const std::vector<MathRow>& mathRows();

// The row of a canonical name; null if there is none.
const MathRow* findMath(const std::string& name);

// True if the function takes more than a few instructions.
bool isCostly(const std::string& name);

// Whether the text of the partial in `parameter` names the function's result, or the parameter number `other`.
bool partialNamesResult(const MathRow& row, unsigned parameter);
bool partialNames(const MathRow& row, unsigned parameter, unsigned other);

// The partial derivative of row(args…) with respect to the parameter, as an expression of the function. `result` is an
// expression that holds row(args…); if it is invalid and the text needs `r`, the call is built again. `type` is the real type of
// the call. Invalid if the partial is zero for all arguments. Constants are folded: the partial of pow(x, 2.0) is 2.0 * x.
ir::ExprId buildPartial(ir::Module& module, ir::Function& function, const MathRow& row, unsigned parameter,
                        const std::vector<ir::ExprId>& args, ir::ExprId result, ir::TypeId type);

}  // namespace contraflow::rules
