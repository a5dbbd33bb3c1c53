// The pipeline: what a run holds, and the passes in order.
#pragma once

#include <string>
#include <vector>

#include <memory>

#include "analysis/analyses.hpp"
#include "diagnostics/diagnostics.hpp"
#include "driver/emission.hpp"
#include "driver/heads.hpp"
#include "driver/installation.hpp"
#include "driver/options.hpp"
#include "driver/output.hpp"
#include "ir/annotations.hpp"
#include "ir/module.hpp"

namespace contraflow::driver {

// Everything that one pass leaves to the next.
struct Run {
  Run(const Options& options, const Installation& installation) : options(options), installation(installation) {}

  const Options& options;
  const Installation& installation;
  ir::Module module;
  ir::Annotations annotations;
  Diagnostics diags{module};
  std::vector<ParsedHead> heads;         // of the command line
  std::vector<OutputPaths> outputPaths;  // one for each source
  ir::Module primal;                     // the program that `facts` are about
  std::unique_ptr<analysis::Facts> facts;
  Derivatives derivatives;
  std::vector<TextFile> outputs;         // what is to be written
};

// A pass does its work on the run, and returns false where it has reported an error.
struct Pass {
  const char* name;  // as --emit-ir=NAME knows it
  bool (*apply)(Run&);
};
extern const std::vector<Pass> kPasses;

}  // namespace contraflow::driver
