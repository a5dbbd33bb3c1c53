// What the IR itself has to know about the rows of rules/mpi_ops.def: how many arguments a routine has and which of them are buffers.
// The only file of this folder that reads that table (it is data, and includes nothing).
#pragma once

#include <string>
#include <vector>

namespace contraflow::ir {

struct MpiSignature {
  std::string name;                // "MPI_Send"
  std::string stem;                // "send"; empty: nothing to differentiate
  std::vector<std::string> roles;  // of each argument: "SendBuf", "Count", …
  bool isBuffer(std::size_t arg) const;
  unsigned buffers() const;  // how many arguments are buffers
};

// None for a number that is no row.
const MpiSignature* mpiSignature(unsigned op);

}  // namespace contraflow::ir
