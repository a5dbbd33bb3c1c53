#include "driver/pipeline.hpp"

#include "driver/check_driver.hpp"
#include "driver/differentiate.hpp"
#include "frontend/frontend.hpp"

namespace contraflow::driver {
namespace {

// Sources to IR: the functions that heads name, and all that they call. Then the heads' own names are looked up.
bool lower(Run& run) {
  FrontendOptions frontend;
  frontend.sources = run.options.sources;
  frontend.compileFlags = run.options.compilerFlags;
  frontend.compileCommandsDir = run.options.databaseDir;
  frontend.resourceDir = run.installation.resourceDir;
  frontend.inlineHelpers = run.options.analysis && run.options.without.count("inlining") == 0;
  for (const ParsedHead& head : run.heads) frontend.headNames.push_back(head.function());
  const bool lowered = lowerSources(frontend, run.module, run.annotations, run.diags);
  // Without sources there is nothing that heads could name. After other errors they are looked up: all that is wrong is reported
  // together.
  if (!lowered && run.module.functions.empty()) return false;
  const bool resolved = resolveHeads(run.heads, run.module, run.diags);
  if (lowered && resolved && run.module.heads.empty()) run.diags.report(DiagId::NoHead, {});
  if (!lowered || !resolved || run.module.heads.empty()) return false;
  return run.options.checkFile.empty() || addTangentsToCheck(run.module, run.diags);
}

bool emitText(Run& run) {
  for (std::size_t g = 0; g < run.module.globals.size(); ++g)
    if (run.module.globals[g].isShadow) run.derivatives.shadows.push_back(ir::GlobalId(static_cast<std::uint32_t>(g)));
  settleLinkage(run.module, run.derivatives);
  run.outputs = emitFiles(run.module, run.derivatives, run.options.sources, run.outputPaths);
  return run.options.checkFile.empty() || emitCheck(run);
}

}  // namespace

const std::vector<Pass> kPasses = {
    {"lower", lower},
    {"tangent", tangents},             // before `structure`: the tangent keeps break, continue and return as they are written
    {"structure", structure},
    {"prepare", prepare},              // the adjoint's normal form
    {"analyse", analyse},              // what it says holds for primals in that form
    {"adjoint", adjoints},
    {"second", tangentsOfDerivatives}, // after `tangent` and `adjoint`, whose results it differentiates
    {"simplify", simplifyDerivatives},
    {"emit", emitText},                // last: IR to text, where tape, shared increments and MPI become calls
};

}  // namespace contraflow::driver
