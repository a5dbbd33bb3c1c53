// Our own bugs: an always-on check that says where it was and ends the program with status 70. Never for what a user can cause.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace contraflow::ir {

[[noreturn]] inline void internalError(const char* phase, const std::string& function, const std::string& what) {
  std::fflush(nullptr);
  std::fprintf(stderr, "contraflow: internal error in %s of '%s': %s\n", phase, function.c_str(), what.c_str());
  std::_Exit(70);
}

}  // namespace contraflow::ir
