// Integer indices as polynomials of variables: what a proof about parallel accesses compares.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "ir/module.hpp"

namespace contraflow::analysis {

using Monomial = std::vector<ir::VarId>;         // sorted; empty: a number
using Polynomial = std::map<Monomial, long long>;  // no zero coefficients

// None for anything but sums and products of integer variables and numbers. Conversions that keep every value pass; products in
// unsigned arithmetic don't, since they may wrap.
std::optional<Polynomial> polynomialOf(const ir::Module& m, const ir::Function& fn, ir::ExprId e);

std::set<ir::VarId> variablesOf(const Polynomial& p);

}  // namespace contraflow::analysis
