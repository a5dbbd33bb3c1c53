// What the forward sweep must record (to-be-recorded analysis, after Hascoët, Naumann and Pascual, "To be recorded analysis in
// reverse-mode automatic differentiation", 2005): the values that are overwritten, or end their life, and are read by the reverse
// sweep of what was executed before.
//
// Forwards over the tree of statements goes the set N of locations whose current value the reverse sweep of the code so far reads.
// Calls are not distinguished: a function is entered with the N of all its calls, and leaves behind all that it ever needs.
// A location leaves N where it is certainly overwritten: scalars of variables only.
#pragma once

#include <map>
#include <set>

#include "analysis/recompute.hpp"
#include "analysis/swept.hpp"

namespace contraflow::analysis {

class Recording {
 public:
  bool overwriteNeeded(ir::FuncId f, ir::StmtId s) const { return overwrites_.count({f, s}) != 0; }
  // True if the statement counts a variable up or down by a number, so that the reverse sweep counts it back instead of reading a record.
  // The value behind the statement is needed then.
  bool countedBack(ir::FuncId f, ir::StmtId s) const { return countedBack_.count({f, s}) != 0; }
  // True if the reverse of the statement reads the value that it gave instead of what that was computed from (results.hpp).
  bool reusesResult(ir::FuncId f, ir::StmtId s) const { return reused_.count({f, s}) != 0; }
  bool finalValueNeeded(ir::FuncId f, ir::VarId v) const { return finals_.count({f, v}) != 0; }
  bool reversed(ir::FuncId f, ir::StmtId s) const { return reversed_.count({f, s}) != 0; }
  // Whether a call of the function has adjoints to propagate or values to restore.
  bool reversed(ir::FuncId f) const { return f.index() >= functions_.size() || functions_[f.index()]; }
  // A call may run again only if nothing needed is overwritten by it.
  bool overwritesNeeded(ir::FuncId f, ir::StmtId call, const LocSet& rawWrites) const {
    const auto found = beforeCall_.find({f, call});
    return found != beforeCall_.end() && found->second.meets(rawWrites);
  }

 private:
  friend class RecordingSolver;
  friend class ResultChooser;
  std::set<std::pair<ir::FuncId, ir::StmtId>> overwrites_, reversed_, countedBack_, reused_;
  std::set<std::pair<ir::FuncId, ir::VarId>> finals_;
  std::vector<bool> functions_;
  std::map<std::pair<ir::FuncId, ir::StmtId>, LocSet> beforeCall_;  // closed
};

Recording computeRecording(const ir::Module& m, const PointsTo& p, const Accesses& accesses, const Activity& activity,
                           const Recompute& recompute, const Swept& swept, const CallGraph& graph, bool countBack, bool reuseResults,
                           const ir::Annotations* annotations = nullptr);

}  // namespace contraflow::analysis
