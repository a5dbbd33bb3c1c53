// What the user says about loops and pointers, beside the module: it changes nothing of what a program computes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "ir/expr.hpp"

namespace contraflow::ir {

// How the iterations of a marked loop are reversed: from snapshots, each of them run again and recorded just before it is reversed.
enum class Schedule {
  Binomial,  // `amount` snapshots, as few steps as these allow
  Periodic,  // a snapshot every `amount` steps
  Memory,    // as many snapshots as fit into `amount` bytes
  Block      // of a block, not a loop: one step
};
struct Checkpoint {
  Schedule schedule = Schedule::Binomial;
  std::uint64_t amount = 0;
  // Snapshots in files: the folder (empty: all are in memory), and how many of the newest stay in memory.
  std::string folder = {};
  std::uint64_t inMemory = 1;
  bool inMemoryIsBytes = false;
  std::uint64_t restart = 0;  // a state to go on from after every so many reversed steps; 0: none
};

struct Annotations {
  // By the place of the loop's `for` or the block's brace, which all copies of the loop share.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Checkpoint> checkpoints;
  // Pointer parameters: how many elements they reach, an expression of the function's.
  std::map<std::pair<FuncId, VarId>, ExprId> extents;

  const Checkpoint* checkpoint(SourceLoc loop) const {
    const auto found = checkpoints.find({loop.file, loop.line, loop.column});
    return found == checkpoints.end() ? nullptr : &found->second;
  }
};

}  // namespace contraflow::ir
