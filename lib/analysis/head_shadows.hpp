// Which shadows the heads' signatures give: the named independents and dependents, and every parameter through whose declared
// type a real may be written (DESIGN.md, 1.3).
#pragma once

#include <vector>

#include "analysis/facts.hpp"

namespace contraflow::analysis {

// True if the type reaches reals, or memory of unknown type (`void*`), which may hold them.
bool mayReachReal(const ir::Module& m, ir::TypeId type);

// True if the head hands in a shadow for this parameter.
bool headGivesShadow(const ir::Module& m, const ir::Head& head, unsigned param);
// True if the head names the global or a part of it.
bool headNames(const ir::Head& head, ir::GlobalId global);

// A parameter of a function that is the subject of at least one head: what the heads give, joined. `called`: the function is
// also called from inside, where the arguments may have shadows or not.
Presence headParameter(const ir::Module& m, const std::vector<ir::Head>& heads, ir::FuncId f, unsigned param, bool called);

bool isHead(const std::vector<ir::Head>& heads, ir::FuncId f);

}  // namespace contraflow::analysis
