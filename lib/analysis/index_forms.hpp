// Integer indices as polynomials of variables: what a proof about parallel accesses compares.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "ir/module.hpp"

namespace contraflow::analysis {

using Monomial = std::vector<ir::VarId>;         // sorted; empty: a number
using Polynomial = std::map<Monomial, long long>;  // no zero coefficients

// What a caller knows better: the polynomial of an expression (a name for an unchanging place, the value of a local), or none.
using IndexLeaf = std::function<std::optional<Polynomial>(ir::ExprId)>;
// Unsigned arithmetic wraps. Where only the address counts, that of 64 bits is the arithmetic of addresses, and may be read as
// if it didn't. Where values are evaluated again in 64 bits (InRanges), sums in narrower unsigned types prove nothing either: `i + d` with
// d = -1u is a small number in the program.
enum class Wrapping { ProvesNothing, AsAddresses, InRanges };

// None for anything but sums and products of integer variables and numbers. Conversions that keep every value pass.
std::optional<Polynomial> polynomialOf(const ir::Module& m, const ir::Function& fn, ir::ExprId e, const IndexLeaf& leaf,
                                       Wrapping wrapping = Wrapping::ProvesNothing);

// What generated code counts with: the number of an iteration and of all of them where the step is 1 or -1 (as if the loop ran), and the
// value of the primal's counter as the conversion of such a number. `of` gives the polynomials of operands. None for anything else.
std::optional<Polynomial> derivativeIndex(const ir::Module& m, const ir::Function& fn, ir::ExprId e, const IndexLeaf& of);

// An element of the memory that a variable holds or leads to, in reals: a[i][j] of `double a[9][5]` is number 5 i + j. None for other places,
// and where `of` doesn't know an index.
struct RealElement {
  ir::VarId base;
  Polynomial index;
};
std::optional<RealElement> realElement(const ir::Module& m, const ir::Function& fn, ir::ExprId place, const IndexLeaf& of);

std::set<ir::VarId> variablesOf(const Polynomial& p);
// a + factor * b and a * b; none where a coefficient gets too large.
std::optional<Polynomial> sum(const Polynomial& a, const Polynomial& b, long long factor = 1);
std::optional<Polynomial> product(const Polynomial& a, const Polynomial& b);
// p with `value` in the place of v, which must not occur to a power.
std::optional<Polynomial> substitute(const Polynomial& p, ir::VarId v, const Polynomial& value);
// p = coefficient * v + rest; false if v occurs to a power.
bool split(const Polynomial& p, ir::VarId v, Polynomial& coefficient, Polynomial& rest);
bool isNumber(const Polynomial& p);
long long numberOf(const Polynomial& p);  // of a number; otherwise its constant term

}  // namespace contraflow::analysis
