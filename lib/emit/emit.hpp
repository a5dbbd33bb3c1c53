// IR to C++: the text of one output file and its header. See DESIGN.md, 1.3.
//
// The source is the user's text, with the edits of its SourceFile made (annotations taken out, statics hoisted) and otherwise
// byte for byte; behind it, formatted, the runtime's includes, forward declarations of all derivative functions, shadow globals, and
// the functions inside their namespaces. The header declares what the heads asked for. The same module gives the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/module.hpp"

namespace contraflow::emit {

struct EmitUnit {
  std::uint32_t file = 0;             // Module::files: an input
  std::vector<ir::FuncId> functions;  // derivative functions that are defined in this file, in order
  std::vector<ir::GlobalId> globals;  // shadow globals that are defined in it
  std::vector<ir::FuncId> exported;   // declared in the header: the heads
  std::vector<ir::FuncId> external;   // defined in another unit, declared here before they are used
  std::vector<ir::GlobalId> externalGlobals;  // shadow globals defined in another unit
};

struct EmitOptions {
  std::string headerName;    // named in the comment above the generated part
  bool usesMpi = false;      // includes contraflow/mpi.hpp too
  std::string sourceFolder;  // where the search for the user's .clang-format begins
  bool audit = false;        // includes contraflow/audit.hpp too
  bool trace = false;        // and contraflow/trace.hpp
  bool usesFiles = false;    // and contraflow/snapshot_files.hpp
  bool usesRestart = false;  // and contraflow/restart.hpp
};

struct OutputText {
  std::string source, header;
};

OutputText emitUnit(const ir::Module& module, const EmitUnit& unit, const EmitOptions& options);

// Parts of it, for tests and messages; not formatted.
std::string functionText(const ir::Module& module, ir::FuncId function);                     // the definition
std::string declarationText(const ir::Module& module, ir::FuncId function, bool withLinkage);  // ends with ';'

}  // namespace contraflow::emit
