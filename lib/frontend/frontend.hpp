// Sources to one module: parse (Clang), find the heads, lower them and everything they call.
#pragma once

#include <string>
#include <vector>

#include "diagnostics/diagnostics.hpp"
#include "ir/annotations.hpp"
#include "ir/module.hpp"

namespace contraflow {

struct FrontendOptions {
  std::vector<std::string> sources;
  std::vector<std::string> compileFlags;  // behind `--`
  std::string compileCommandsDir;         // -p; used where there are no compileFlags
  std::string resourceDir;                // of Clang's own headers
  std::vector<std::string> headNames;     // functions to be lowered with all they call: "misfit", "ns::f", "Domain::step"
  bool inlineHelpers = true;              // short functions of small objects are lowered in place of their calls (inlining.cpp)
};

// Fills `module` with every function that is reachable from a head (by name, or annotated). Functions of several sources are
// unified by key. `annotations` gets what is said about their loops and pointers. False if something was reported as an error.
bool lowerSources(const FrontendOptions& options, ir::Module& module, ir::Annotations& annotations, Diagnostics& diagnostics);

}  // namespace contraflow
