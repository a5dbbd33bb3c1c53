// Derivatives to the text of output files: which function goes into which file, and what each has to declare of the others.
#pragma once

#include <vector>

#include "driver/output.hpp"
#include "ir/module.hpp"
#include "transform/adjoint.hpp"
#include "transform/tangent.hpp"

namespace contraflow::driver {

struct Derivatives {
  bool audited = false, traced = false;  // they call contraflow/audit.hpp, contraflow/trace.hpp
  std::vector<ir::FuncId> functions;  // all that were made, callees first
  std::vector<ir::FuncId> exported;   // what the heads asked for: declared in the headers
  std::vector<ir::GlobalId> shadows;  // shadows of globals
  std::vector<transform::TangentResult> tangentHeads;
  std::vector<transform::AdjointResult> adjointHeads;
};

// What functions of another source file call or name gets external linkage: derivatives of functions, shadows of statics.
void settleLinkage(ir::Module& module, const Derivatives& derivatives);

// A source and a header for each input, also where nothing of it is differentiated. `sources` and `paths` belong together.
std::vector<TextFile> emitFiles(const ir::Module& module, const Derivatives& derivatives, const std::vector<std::string>& sources,
                                const std::vector<OutputPaths>& paths);

}  // namespace contraflow::driver
