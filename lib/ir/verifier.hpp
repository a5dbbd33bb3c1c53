// States what every well-formed module keeps to, as named checks. A finding is a bug of ours, never the user's.
//
//   id-range        every id names something in its arena, optional ones may be none
//   type-valid      every expression, variable and result has a type
//   base-type       the base of a field, subscript, dereference … has a type that has one
//   operand-types   both operands of an arithmetic operator or comparison have one type; shifts, && and || aside
//   assign-types    what is stored into a real or integer has its type
//   place-required  what is written, bound or pointed to is a place
//   call-args       as many arguments as parameters; places for references
//   init-args       a Declare has the arguments that its kind of initialisation takes; references are bound
//   init-list       an InitList stands only in a Declare or a Return
//   scope           a variable is used only between its declaration and the end of the block around that
//   declared-twice  no variable is declared inside its own scope
//   omp-loop        OmpFor and OmpSimd hold a For; with collapse as many perfectly nested ones
//   mpi-args        an argument for each parameter of the routine, shadows for each buffer
//   tape-type       tape statements name a variable of tape type
//   jump            break and continue stand in loops; none of them after structureJumps
//   return-last     after structureJumps: one Return at most, as the last statement of the body
#pragma once

#include <string>
#include <vector>

#include "ir/module.hpp"

namespace contraflow::ir {

// One line for each finding: "function ns::f: [scope] 't' is used outside its scope in: x = t". Empty: all is well.
std::vector<std::string> verify(const Module& module, bool jumpsAreStructured = false);
std::vector<std::string> verify(const Module& module, const Function& function, bool jumpsAreStructured = false);

}  // namespace contraflow::ir
