// How messages about derivative code name what the user wrote.
#pragma once

#include <string>

#include "ir/printer.hpp"
#include "ir/walk.hpp"

namespace contraflow::transform {

// The variable that a place is a part of.
inline std::string variableOf(const ir::Module& m, const ir::Function& f, ir::ExprId place) {
  std::string name;
  ir::walkExpr(f, place, [&](ir::ExprId e) {
    if (const auto* v = std::get_if<ir::VarRef>(&f[e].node); v && name.empty()) name = f[v->var].name;
  });
  return name.empty() ? ir::print(m, f, place) : name;
}

}  // namespace contraflow::transform
