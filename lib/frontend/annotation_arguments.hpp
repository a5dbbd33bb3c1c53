// What stands between the parentheses of `checkpoint(…)` and `extent(…)`.
#pragma once

#include <optional>
#include <string>

#include "ir/annotations.hpp"
#include "ir/module.hpp"

namespace contraflow::frontend {

// `binomial, snapshots: 20`; `periodic, interval: 100`; `memory: 1000000`. Behind the first two: `disk: "folder"`, and then
// `beyond: 5` (snapshots) or `beyond: 1000000 bytes`, and `restart: 10`. Otherwise what is wrong is put into `why`.
std::optional<ir::Checkpoint> readSchedule(const std::string& text, std::string& why);

// `n`, `nx * (ny + 2)`: sums, differences and products of integer parameters and literals, as an expression of type long in the
// function. Invalid, and `why` set, where it is anything else.
ir::ExprId readExtent(ir::Module& module, ir::Function& function, const std::string& text, std::string& why);

}  // namespace contraflow::frontend
