// Classes of MPI operations on reals that may match: what is sent in one of a class may arrive in another one of it, on whatever rank.
//
// Collectives match only their own routine. Point-to-point operations match if their tags may be equal: a tag that isn't a literal
// (a wildcard's name is none either) matches every tag.
#pragma once

#include <map>
#include <vector>

#include "analysis/points_to.hpp"

namespace contraflow::analysis {

struct MpiClass {
  Locs sent, received;  // raw; buffers of reals
};

class MpiClasses {
 public:
  const std::vector<MpiClass>& all() const { return classes_; }
  // The class of a statement that moves reals; -1 for one that moves none.
  int of(ir::FuncId f, ir::StmtId s) const {
    const auto found = ofStmt_.find({f, s});
    return found == ofStmt_.end() ? -1 : found->second;
  }

 private:
  friend MpiClasses computeMpiClasses(const ir::Module&, const PointsTo&);
  std::vector<MpiClass> classes_;
  std::map<std::pair<ir::FuncId, ir::StmtId>, int> ofStmt_;
};

MpiClasses computeMpiClasses(const ir::Module& m, const PointsTo& p);

}  // namespace contraflow::analysis
