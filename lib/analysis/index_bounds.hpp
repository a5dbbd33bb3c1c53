// What is certain of integer expressions wherever they are evaluated: polynomials of variables that keep their value, and of counters of
// the loops around, and bounds of these.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "analysis/index_forms.hpp"
#include "analysis/points_to.hpp"

namespace contraflow::analysis {

class IndexBounds {
 public:
  using Loops = std::vector<const ir::For*>;  // around an expression, outermost first

  IndexBounds(const ir::Module& m, const PointsTo& p, ir::FuncId f);

  // An element of memory that a pointer, array or vector leads to, `index` elements of the same type behind its start. (Where a vector's
  // elements are may change, but not in loops of numbers.)
  struct Element {
    ir::VarId root;
    Polynomial index;
  };
  // Through pointers that are set once, to somewhere behind others.
  std::optional<Element> elementOf(ir::ExprId subscript, const Loops& loops) const;
  ir::VarId baseOf(ir::ExprId subscript) const;  // the variable that stands in front of the index

  // What isn't evaluated to it doesn't wrap; as an index a negative number may be cast to the unsigned type of addresses.
  std::optional<Polynomial> indexOf(ir::ExprId index, const Loops& loops) const;

  // In each iteration the counter lies between these; it takes every value between them where the step is 1 or -1.
  struct Ends {
    Polynomial low, high;
    long long step;
    bool dense() const { return step == 1 || step == -1; }
  };
  std::optional<Ends> ends(const ir::For& loop, const Loops& loops) const;

  // True if p is at least `number` in every evaluation within these loops. (No polynomial: false.)
  bool atLeast(const std::optional<Polynomial>& p, long long number, const Loops& loops) const;

 private:
  std::optional<Polynomial> polynomial(ir::ExprId e, const Loops& loops) const;
  bool keepsValue(ir::VarId v) const { return fixed_.count(v) != 0; }
  bool isPlain(ir::ExprId e, bool asAddress) const;
  std::optional<Element> pointer(ir::ExprId e, const Loops& loops) const;
  std::map<ir::VarId, long long> leastValues(const Loops& loops) const;

  const ir::Module& m_;
  const ir::Function& fn_;
  std::set<ir::VarId> fixed_;                 // integers and pointers that have one value from their declaration on
  std::map<ir::VarId, ir::ExprId> pointers_;  // these pointers' values
  std::set<ir::VarId> written_;
};

}  // namespace contraflow::analysis
