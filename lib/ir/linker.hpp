// Links the modules of several source files into one, so that a program is differentiated whole.
//
//   types      interned again
//   records    one for each name (and source file, if it is declared in one rather than in a header)
//   globals    one for each key; the definition in an input wins over a declaration in a header
//   functions  one for each key; one with a body wins over a declaration. Of two bodies the first wins if they come from
//              one header (inline functions, templates); two definitions in different files are an error
//   files      one for each path
//   heads, dependencies   all, without repetitions
//
// The order is that of the parts: the same parts give the same module.
#pragma once

#include <string>
#include <vector>

#include "ir/module.hpp"

namespace contraflow::ir {

// False if something was added to `errors`: sentences about what the user's files contradict each other in. `out` must be empty.
bool link(std::vector<Module>&& parts, Module& out, std::vector<std::string>& errors);

}  // namespace contraflow::ir
