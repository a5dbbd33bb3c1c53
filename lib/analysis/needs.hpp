// Which primal values the reverse of a statement reads: operands of partial derivatives, and whatever names a place whose shadow it
// touches. One description for everything that decides about recording.
#pragma once

#include "analysis/activity.hpp"

namespace contraflow::analysis {

class Needs {
 public:
  Needs(const ir::Module& m, const Accesses& accesses, const Activity& activity)
      : m_(m), accesses_(accesses), activity_(activity) {}

  // Of the partial derivatives of a value, and of naming the shadows of its active operands. Raw.
  void partials(ir::FuncId f, ir::ExprId value, LocSet& raw) const;
  // The same of a whole statement's value where the reverse sweep has the value that the statement gave (results.hpp).
  void partialsByResult(ir::FuncId f, ir::ExprId value, LocSet& raw) const;
  // Of a call's arguments: by-value ones are evaluated again, by-reference ones named.
  void arguments(ir::FuncId f, const ir::Call& call, LocSet& raw) const;
  // Of undoing a structural operation.
  void structure(ir::FuncId f, const ir::Restructure& s, LocSet& raw) const;
  // Of a whole statement without its parts, if everything that it writes has to be named: an upper bound.
  void everything(ir::FuncId f, ir::StmtId s, LocSet& raw) const;

 private:
  const ir::Module& m_;
  const Accesses& accesses_;
  const Activity& activity_;
};

}  // namespace contraflow::analysis
