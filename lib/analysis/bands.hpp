// Affine accesses of a parallel loop: what generated code needs to find out at run time how many iterations may lie between two that
// touch the same memory. Iterations further apart run at the same time without atomics.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "analysis/index_forms.hpp"

namespace contraflow::analysis {

// In the n-th iteration (from 0) the place lies in base[stride * n + o], where o is between the least and the greatest offset. All three
// hold the same throughout the loop.
struct AffineAccess {
  ir::ExprId place;
  ir::ExprId base;  // a pointer value, or an array or container whose elements are meant
  Polynomial stride;
  std::vector<Polynomial> offsets;
};

// A loop's affine accesses. Increments of the adjoints of `places` need no atomics if iterations that are not further apart than the
// accesses' conflict distance don't run at the same time, and the loop doesn't name the adjoints of the place's *spoilers*: others
// that may share its memory, and aren't affine.
struct Bands {
  std::map<ir::ExprId, std::set<ir::ExprId>> places;  // with their spoilers
  std::vector<AffineAccess> accesses;
  std::map<ir::VarId, ir::ExprId> atoms;  // variables of the polynomials that stand for an unchanging expression
};

}  // namespace contraflow::analysis
