// The objects that a gradient check holds: one for each parameter, for the result, and for globals of the head.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "driver/check_arguments.hpp"
#include "ir/module.hpp"

namespace contraflow::driver {

// A member of the driver's struct of arguments.
struct CheckObject {
  std::string name;         // in that struct
  std::string declaration;  // `std::vector<double> k = …;`
  bool isFilled = false;    // its reals get values behind the declaration
  bool isPointer = false;   // a vector, whose data() is passed; a member path goes through its elements
};

// What the check needs and doesn't have.
struct CheckFault {
  std::string why, wayOut;
};

// The member for a parameter of the type. `argument`: what the user says of it, or null.
CheckObject checkObject(ir::Module& module, ir::TypeId type, const std::string& name, const CheckArgument* argument,
                        std::vector<CheckFault>& faults);

// That the reals of an object with a shadow can be reached by their members' names, and no pointer. The records among them are added
// to `records`.
void checkReach(const ir::Module& module, ir::TypeId type, const std::string& what, std::vector<ir::RecordId>& records,
                std::vector<CheckFault>& faults);

// Records of the source itself, which the driver doesn't see; unless behind a template's name.
void checkVisible(const ir::Module& module, ir::TypeId type, const std::string& what, std::vector<CheckFault>& faults);

// `template <> struct Reals<…>`, in namespace contraflow::check.
std::string realsOf(const ir::Module& module, ir::RecordId record);

}  // namespace contraflow::driver
