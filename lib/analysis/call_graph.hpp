// Who calls whom. The IR has direct calls only, so the graph is exact.
#pragma once

#include <vector>

#include "ir/module.hpp"

namespace contraflow::analysis {

class CallGraph {
 public:
  explicit CallGraph(std::size_t functions) : callees_(functions), callers_(functions), recursive_(functions) {}

  // Each once, in order of their first call.
  const std::vector<ir::FuncId>& callees(ir::FuncId f) const { return callees_[f.index()]; }
  const std::vector<ir::FuncId>& callers(ir::FuncId f) const { return callers_[f.index()]; }
  // True if an activation of f may begin while another one is still alive.
  bool recursive(ir::FuncId f) const { return recursive_[f.index()]; }
  // Every function, callees before callers (in a cycle: in any order).
  const std::vector<ir::FuncId>& bottomUp() const { return bottomUp_; }
  // The functions that calls reach from these, themselves included, as flags by index.
  std::vector<bool> reachable(const std::vector<ir::FuncId>& from) const;

 private:
  friend CallGraph computeCallGraph(const ir::Module&);
  std::vector<std::vector<ir::FuncId>> callees_, callers_;
  std::vector<bool> recursive_;
  std::vector<ir::FuncId> bottomUp_;
};

CallGraph computeCallGraph(const ir::Module& m);

}  // namespace contraflow::analysis
