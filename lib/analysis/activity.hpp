// Which memory carries derivatives: it depends on an independent (varied), and a dependent depends on it (useful). Flow-insensitive,
// one answer for each location; MPI by classes of operations that may match.
//
// Memory that a head's dependents name counts as varied from the start: its shadow has to be zeroed where it is overwritten, or
// passed on where it isn't (DESIGN.md, 1.3: "in/out goes from one to the other").
#pragma once

#include <functional>
#include <map>

#include "analysis/effects.hpp"

namespace contraflow::analysis {

// A write of active values to memory that has no shadow.
struct MissingShadow {
  ir::FuncId function;
  ir::StmtId stmt;
  Loc written = kNoLoc;
};

class Activity {
 public:
  Activity(const ir::Module& m, const PointsTo& p) : m_(m), p_(p) {}

  bool active(Loc raw) const { return p_.locations.holdsReal(raw) && varied_.has(raw) && useful_.has(raw); }
  bool active(ir::FuncId f, ir::ExprId place) const;        // and has a shadow
  bool activeValue(ir::FuncId f, ir::ExprId e) const;       // some operand that the value depends on is active
  bool activeMpi(ir::FuncId f, ir::StmtId s) const;
  // Whether shadow memory stands beside the object.
  Presence shadow(Loc l) const;
  // For the object that a pointer or reference stored at `holder` points to, joined.
  Presence shadowOfTargets(const Locs& targets) const;
  const std::vector<MissingShadow>& missing() const { return missing_; }

  const LocSet& varied() const { return varied_; }
  const LocSet& useful() const { return useful_; }

 private:
  friend class ActivitySolver;
  const ir::Module& m_;
  const PointsTo& p_;
  LocSet varied_, useful_;      // closed
  std::vector<bool> hasShadow_;  // of roots: locals and globals
  std::map<std::pair<ir::FuncId, ir::StmtId>, bool> mpi_;
  std::vector<MissingShadow> missing_;
};

// Calls f(place) for each place of reals that the value of e depends on in a differentiable way.
void forEachDifferentiableRead(const ir::Module& m, ir::FuncId f, ir::ExprId e, const std::function<void(ir::ExprId)>& each);
// Whether the partial derivative of a function of reals in this argument is zero throughout.
bool constantIn(const ir::MathCall& call, std::size_t arg);

// `everything`: whatever holds reals is active.
Activity computeActivity(const ir::Module& m, const PointsTo& p, const std::vector<ir::Head>& heads, bool everything);

}  // namespace contraflow::analysis
