// What a snapshot of a loop holds: all memory that an iteration may overwrite, but for its own variables.
//
// Found by syntax: each place that is written, in the loop or in what it calls, is followed to the variable that it is part of, or to
// the pointer through which it is reached. So a call's writes are those of its arguments. Where memory is reached through a pointer
// its extent must be known: of a parameter from `#pragma contraflow extent`, of the program's own memory from its allocation.
//
//     for (…) { step(u.data(), unew.data(), n); u.swap(unew); t += dt; }     →     exchanged: u, unew     objects: t
#pragma once

#include <string>
#include <vector>

#include "analysis/facts.hpp"
#include "ir/annotations.hpp"
#include "ir/module.hpp"

namespace contraflow::transform {

// A variable or global, members of it, and what pointers in it point to.
struct SnapshotPath {
  static constexpr int kDeref = -1;
  ir::VarId var;
  ir::GlobalId global;
  std::vector<int> steps;  // indices of fields, or kDeref
  friend bool operator<(const SnapshotPath& a, const SnapshotPath& b) {
    return std::tie(a.var, a.global, a.steps) < std::tie(b.var, b.global, b.steps);
  }
};

struct Snapshot {
  struct Object {
    ir::ExprId place;
    bool isVector = false;
    bool seen = false;  // the caller of the head may see it
  };
  struct Range {
    ir::ExprId pointer, extent;
    bool seen = false;
  };
  std::vector<Object> objects;
  std::vector<Range> ranges;
  struct Pointer {
    ir::VarId variable;
    bool hasMemory = false;  // before the loop; others are only there to exchange
  };
  std::vector<Pointer> pointers;    // variables that exchange their values in the loop
  std::vector<Object> exchanged;    // vectors
  bool communicates = false;        // MPI routines are called in it
  ir::SourceLoc unchecked;          // the first message that has no derivative, if there is one
};

// Why a loop can't be run again, and what to do about it.
struct SnapshotRefusal {
  ir::SourceLoc at;
  std::string what, wayOut;
};

// `f`: the function `id`, whose arenas may have grown; new expressions are added to it.
// `touched`: all memory that the loop reads or overwrites, instead.
bool findSnapshot(ir::Module& m, const analysis::Facts& facts, const ir::Annotations& annotations, ir::FuncId id, ir::Function& f,
                  ir::StmtId loop, Snapshot& out, SnapshotRefusal& refusal, bool touched = false);

}  // namespace contraflow::transform
