// Which loops' iterations and which calls the reverse sweep may run again instead of recording in them.
//
// A loop: the reverse sweep runs the iteration again from memory as it is behind the loop, but only what it writes to its own locals.
// So nothing that the loop writes elsewhere may feed what the reverse of an iteration needs: through locals, conditions, indices or
// calls. Variables carried from one iteration to the next are such memory. Calls must write nothing but the iteration's locals.
//
// A call: the callee runs again from memory as it is behind the call; what it reads it must not write. It writes caller's locals at
// most, since what it overwrites isn't recorded.
#pragma once

#include <set>

#include "analysis/disjoint_pointers.hpp"
#include "analysis/needs.hpp"
#include "ir/annotations.hpp"

namespace contraflow::analysis {

class Recompute {
 public:
  // For a For, or an OmpFor or OmpSimd that holds it.
  bool loop(ir::FuncId f, ir::StmtId s) const { return loops_.count({f, s}) != 0; }
  bool call(ir::FuncId f, ir::StmtId s) const { return calls_.count({f, s}) != 0; }
  // True if what the variable of a Declare holds is recorded at the end of its life, where it isn't at hand, instead of evaluated again.
  bool keeps(ir::FuncId f, ir::StmtId declaration) const { return kept_.count({f, declaration}) != 0; }
  bool keeps(ir::FuncId f, ir::VarId v) const { return keptVariables_.count({f, v}) != 0; }

 private:
  friend class RecomputeFinder;
  friend class KeptResultFinder;
  std::set<std::pair<ir::FuncId, ir::StmtId>> loops_, calls_, kept_;
  std::set<std::pair<ir::FuncId, ir::VarId>> keptVariables_;
};

// True for a loop that is marked to be reversed from snapshots.
bool isCheckpointed(const ir::Annotations* annotations, const ir::Stmt& stmt);

// The variables declared in the statement: counters, locals, copies.
std::set<ir::VarId> declaredIn(const ir::Function& fn, ir::StmtId s);

// The variable whose own memory the place is part of, by syntax alone: through references that are bound in the function, but not
// through pointers or other references. None: memory that may outlive anything.
ir::VarId ownVariable(const ir::Module& m, const ir::Function& fn, ir::ExprId place);

Recompute computeRecompute(const ir::Module& m, const PointsTo& p, const Accesses& accesses, const Activity& activity,
                           const CallGraph& graph, const DisjointPointers& disjoint, const ir::Annotations* annotations = nullptr);

// What feeds the needs of the body's iterations: `needed`, and whatever the values of needed locals are computed from. Raw.
void addSlices(const ir::Module& m, const Accesses& accesses, ir::FuncId f, ir::StmtId loop, LocSet& needed);

}  // namespace contraflow::analysis
