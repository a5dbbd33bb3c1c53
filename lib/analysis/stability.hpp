// Which expressions the reverse sweep may evaluate again behind a statement: Facts::stable.
#pragma once

#include <set>

#include "analysis/effects.hpp"

namespace contraflow::analysis {

class Stability {
 public:
  bool stable(ir::FuncId f, ir::StmtId s) const { return stable_.count({f, s}) != 0; }

 private:
  friend Stability computeStability(const ir::Module&, const PointsTo&, const Accesses&);
  std::set<std::pair<ir::FuncId, ir::StmtId>> stable_;
};

Stability computeStability(const ir::Module& m, const PointsTo& p, const Accesses& accesses);

}  // namespace contraflow::analysis
