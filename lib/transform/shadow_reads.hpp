// What memory of shadows a loop of an adjoint reads or sets, other than by adding to it. Internal to buffer_increments.
#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ir/module.hpp"

namespace contraflow::transform {

struct ShadowReads {
  // Known in front of the loop: pointers, arrays and containers with elements that ElementRanges knows, and single numbers.
  std::set<ir::VarId> bases;
  std::vector<ir::ExprId> variables;
  // The others, each with the statement that reads or sets it first thing.
  std::vector<std::pair<ir::StmtId, ir::ExprId>> places;
};

// None if that can't be told, or if a shadow of the loop's own variables may be reached through pointers.
std::optional<ShadowReads> shadowReads(const ir::Module& m, const ir::Function& f, ir::StmtId loop);

}  // namespace contraflow::transform
