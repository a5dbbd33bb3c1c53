#include "analysis/call_graph.hpp"

#include <algorithm>

#include "ir/walk.hpp"

namespace contraflow::analysis {

using namespace ir;

std::vector<bool> CallGraph::reachable(const std::vector<FuncId>& from) const {
  std::vector<bool> seen(callees_.size());
  std::vector<FuncId> work = from;
  while (!work.empty()) {
    const FuncId f = work.back();
    work.pop_back();
    if (seen[f.index()]) continue;
    seen[f.index()] = true;
    for (FuncId callee : callees(f)) work.push_back(callee);
  }
  return seen;
}

CallGraph computeCallGraph(const Module& m) {
  CallGraph graph(m.functions.size());
  const auto addOnce = [](std::vector<FuncId>& list, FuncId f) {
    if (std::find(list.begin(), list.end(), f) == list.end()) list.push_back(f);
  };
  for (std::uint32_t i = 0; i < m.functions.size(); ++i) {
    const Function& function = m.functions[i];
    walkStmts(function, function.body, [&](StmtId s) {
      if (const auto* call = std::get_if<Call>(&function[s].node)) {
        addOnce(graph.callees_[i], call->callee);
        addOnce(graph.callers_[call->callee.index()], FuncId(i));
      }
    });
  }
  // A function is recursive if it is reached from one of its callees.
  for (std::uint32_t i = 0; i < m.functions.size(); ++i) graph.recursive_[i] = graph.reachable(graph.callees_[i])[i];

  // Post-order of a depth-first walk, without recursion of our own.
  std::vector<bool> entered(m.functions.size());
  for (std::uint32_t i = 0; i < m.functions.size(); ++i) {
    std::vector<std::pair<FuncId, std::size_t>> stack;
    const auto enter = [&](FuncId f) {
      if (entered[f.index()]) return;
      entered[f.index()] = true;
      stack.emplace_back(f, 0);
    };
    enter(FuncId(i));
    while (!stack.empty()) {
      const FuncId f = stack.back().first;
      const auto& callees = graph.callees_[f.index()];
      const std::size_t next = stack.back().second++;
      if (next < callees.size()) {
        enter(callees[next]);
      } else {
        graph.bottomUp_.push_back(f);
        stack.pop_back();
      }
    }
  }
  return graph;
}

}  // namespace contraflow::analysis
