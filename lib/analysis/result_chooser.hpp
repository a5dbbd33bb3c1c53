// Which statements are reversed by their results (results.hpp): those for which that adds no record, and makes nothing recorded that was
// run again. Internal to recording.cpp.
#pragma once

#include <set>

#include "analysis/recording.hpp"
#include "analysis/results.hpp"

namespace contraflow::analysis {

class ResultChooser {
 public:
  ResultChooser(const ir::Module& m, const Accesses& accesses, const Recompute& recompute) : m_(m), accesses_(accesses), recompute_(recompute) {}

  // `compute`: the recording if these statements are.
  template <class Compute>
  Recording choose(std::set<Statement> candidates, Compute&& compute) const {
    Recording without = compute(std::set<Statement>());
    for (int round = 0; round < kMostRounds && !candidates.empty(); ++round) {
      Recording with = compute(candidates);
      LocSet recorded;  // closed
      const bool others = findMore(without, with, recorded);
      if (!others && recorded.empty()) return with;
      const std::size_t before = candidates.size();
      for (auto c = candidates.begin(); c != candidates.end();) c = recorded.meets(written(*c)) ? candidates.erase(c) : std::next(c);
      if (candidates.size() == before) break;
    }
    return without;
  }

 private:
  static constexpr int kMostRounds = 4;

  LocSet written(const Statement& s) const;
  // What is recorded with the results only; true if anything else costs more.
  bool findMore(const Recording& without, const Recording& with, LocSet& recorded) const;
  // Declared in an iteration that is run again right before it is reversed: its last value is at hand.
  bool isOfIteration(ir::FuncId f, ir::VarId v) const;

  const ir::Module& m_;
  const Accesses& accesses_;
  const Recompute& recompute_;
};

}  // namespace contraflow::analysis
