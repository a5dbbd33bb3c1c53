// The adjoint (reverse mode): DESIGN 2.3. One public function; the work is done by AdjointBuilder, one primal function at a time.
#pragma once

#include <optional>
#include <vector>

#include "analysis/facts.hpp"
#include "diagnostics/diagnostics.hpp"
#include "ir/annotations.hpp"
#include "ir/module.hpp"

namespace contraflow::transform {

struct AdjointOptions {
  bool afterImage = true;      // put back what the primal call leaves in the caller's memory
  bool alwaysAtomic = false;   // --omp-adjoint=atomic
  bool audit = false;          // check at run time what was assumed or proved
  bool trace = false;          // note the adjoints at each statement: --check-lines
  bool noAlias = false;        // distinct pointer parameters of a head never overlap: audited
  bool fuse = true;            // the sweeps of loops at the end of a head, where that can be
  bool joinCalls = true;       // calls whose forward and reverse part follow each other are one call
  const ir::Annotations* annotations = nullptr;  // which loops are checkpointed
  bool tapeBlocks = true;      // records of serial loops lie in blocks of the tape, not on its stack
  bool hoistIncrements = true; // increments of one place by a whole loop are summed in a variable
  bool usesMpi = false;        // some function of the program communicates: heads wait for their adjoint messages
  std::uint64_t program = 0;   // a number of the program, for the files of loops that go on after a kill
};

struct AdjointResult {
  ir::Head head;               // what was asked for
  ir::FuncId function;         // f_b(…, Tape&)
  ir::FuncId wrapper;          // f_b(…): with a tape of its own
};

struct Adjoints {
  std::vector<AdjointResult> heads;
  std::vector<ir::FuncId> functions;  // every function made, in order of emission: callees first
};

// Makes the adjoints of the heads, and of every function that they need. The primal functions are in the form that
// `prepareAdjoint` gives. Empty: something can't be differentiated, and was reported.
std::optional<Adjoints> differentiateAdjoint(ir::Module& module, const std::vector<ir::Head>& heads,
                                             const analysis::Facts& facts, const AdjointOptions& options,
                                             Diagnostics& diagnostics);

}  // namespace contraflow::transform
