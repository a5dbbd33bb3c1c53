// What each place may denote: inclusion-based (Andersen, "Program analysis and specialization for the C programming language",
// 1994), flow-insensitive, for whole programs, field by field.
//
// Guarantees: if an expression of a function that the heads reach denotes memory M when it is evaluated, M is a location of
// `objects` of that expression, or overlaps one.
#pragma once

#include <vector>

#include "analysis/call_graph.hpp"
#include "analysis/locations.hpp"

namespace contraflow::analysis {

using Locs = std::vector<Loc>;  // sorted, each once

class PointsTo {
 public:
  explicit PointsTo(const ir::Module& m) : locations(m), places_(m.functions.size()), targets_(m.functions.size()) {}

  Locations locations;

  // What a place may denote; unknown memory for an expression that the analysis hasn't seen.
  const Locs& objects(ir::FuncId f, ir::ExprId place) const { return at(places_, f, place); }
  // What the value of a pointer expression may point to.
  const Locs& targets(ir::FuncId f, ir::ExprId pointer) const { return at(targets_, f, pointer); }
  // What the pointer or reference stored at a location may point to.
  const Locs& contents(Loc l) const;

  // Locations that exist, without making any. For a part of a location that has none: the location itself.
  Loc localOf(ir::FuncId f, ir::VarId v) const { return locations.find(f, v); }
  Loc globalOf(ir::GlobalId g) const { return locations.find(g); }
  Loc resultOf(ir::FuncId f) const { return locations.findResult(f); }
  Loc headerOf(Loc l, ir::TypeId seenAs) const { return locations.findPart(l, LocKind::Header, 0, seenAs); }
  Loc fieldOf(Loc l, ir::TypeId seenAs, unsigned i) const { return locations.findPart(l, LocKind::Field, i, seenAs); }
  // True if the heads reach the function, so that its expressions are known.
  bool knows(ir::FuncId f) const { return f.index() < known_.size() && known_[f.index()]; }

  bool mayOverlap(ir::FuncId f, ir::ExprId a, ir::ExprId b) const;
  // True if the address of the object or of a part of it is stored anywhere.
  bool addressStored(Loc l) const { return stored_.has(locations[l].root); }
  // All locations that overlap this one, itself included.
  const LocSet& overlapping(Loc l) const { return overlapping_[l]; }
  // Whether the head's caller may see memory at the place.
  bool callerVisible(ir::FuncId f, ir::ExprId place) const;

 private:
  friend class PointsToSolver;
  using Table = std::vector<std::vector<Locs>>;
  const Locs& at(const Table& table, ir::FuncId f, ir::ExprId e) const;

  Table places_, targets_;
  std::vector<bool> known_;
  std::vector<Locs> contents_;
  LocSet stored_;
  std::vector<LocSet> overlapping_;
};

// `noalias`: distinct pointer and reference parameters of a head don't overlap.
PointsTo computePointsTo(const ir::Module& m, const std::vector<ir::Head>& heads, const CallGraph& graph, bool noalias);

}  // namespace contraflow::analysis
