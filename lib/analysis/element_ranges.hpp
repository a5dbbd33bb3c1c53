// Which elements a statement names through a pointer, in terms of what is known in front of it: every index is affine in the counters of
// loops inside, so that it lies between the values that it takes at their ends.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "analysis/index_forms.hpp"

namespace contraflow::analysis {

class ElementRanges {
 public:
  ElementRanges(const ir::Module& m, const ir::Function& fn, ir::StmtId stmt);

  // True if the pointer (or array, or container) doesn't change in the statement, every mention of it there is the base of a subscript
  // `p[index]` (of an array of arrays `a[i][j]`) whose element is a real, and all indices are known. Offsets count reals.
  bool known(ir::VarId pointer) const { return offsets_.count(pointer) != 0; }
  // Every index lies between the least and the greatest of these, whose variables have the same value in front of the statement and
  // throughout it. If the statement names no element at run time they may be anything.
  const std::vector<Polynomial>& offsets(ir::VarId pointer) const { return offsets_.at(pointer); }

 private:
  void findVariables();
  std::optional<Polynomial> polynomial(ir::ExprId e) const;
  bool ends(const ir::For& loop, std::vector<Polynomial>& out) const;
  // At the ends of all counters in it; false: not known.
  bool atEnds(const Polynomial& index, std::vector<Polynomial>& out) const;
  bool unchanging(ir::VarId v) const;
  bool fixedBase(ir::VarId v) const;

  const ir::Module& m_;
  const ir::Function& fn_;
  ir::StmtId stmt_;
  std::set<ir::VarId> declared_;               // in the statement
  std::set<ir::VarId> written_;                // in the statement, after their declaration
  std::set<ir::VarId> addressTaken_, unset_;   // anywhere in the function; declared without a value
  std::map<ir::VarId, const ir::For*> loops_;  // by counter
  std::map<ir::VarId, ir::ExprId> values_;     // of locals of the statement
  std::map<ir::VarId, std::vector<Polynomial>> offsets_;
};

}  // namespace contraflow::analysis
