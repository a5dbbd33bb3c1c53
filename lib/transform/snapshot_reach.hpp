// All memory that a loop may overwrite, but for the variables of an iteration: found by syntax, in the loop and in what it calls.
//
// Or, with `touched`, all memory that it reads or overwrites (but for pointer variables that it only reads).
//
// Guarantees: each write (and read) is part of some path of all(). Needs: code in the form that prepareAdjoint gives. Whatever can't be followed,
// or can't be done again, stops the search with a refusal.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "transform/snapshot.hpp"

namespace contraflow::transform {

// Memory that may be written, seen from one function.
struct Reached {
  SnapshotPath path;
  bool elements = false;  // what the pointer at `path` reaches by arithmetic; otherwise the object at `path`
  ir::TypeId type;        // of the object, or of the pointer
  bool seen = false;      // the caller of the head may see it
};
using Reach = std::vector<Reached>;

// Thrown where something can't be followed; the refusal says what.
struct SnapshotStop {};

class WrittenMemory {
 public:
  WrittenMemory(const ir::Module& m, const analysis::Facts& facts, SnapshotRefusal& refusal, ir::FuncId id, const ir::Function& f,
                ir::StmtId loop, bool touched = false);

  Reach all();
  // Vectors that the loop exchanges; they aren't in all().
  const Reach& exchanged() const { return exchanged_; }

  // All memory that may be reached from a pointer by arithmetic. A pointer variable of the loop's function stands for what it reaches.
  Reach resolvePointer(const ir::Function& f, ir::ExprId e);
  // Everything that a pointer variable is given, but for allocations and what a parameter has to begin with.
  std::vector<ir::ExprId> valuesOf(const ir::Function& f, ir::VarId p);
  // A variable of an iteration.
  bool isIterations(ir::VarId v) const { return own_.count(v) != 0; }

  // MPI routines are called; and the first message without a derivative, whose partner can't be checked.
  bool communicates() const { return communicates_; }
  ir::SourceLoc unchecked() const { return unchecked_; }

  void at(ir::SourceLoc where) { at_ = where; }
  [[noreturn]] void stop(const std::string& what, const std::string& wayOut);

 private:
  using Module = ir::Module;
  using Function = ir::Function;
  using FuncId = ir::FuncId;
  using StmtId = ir::StmtId;
  using ExprId = ir::ExprId;
  using VarId = ir::VarId;
  Reach written(FuncId id, const Function& f, const ir::Block& block);
  void read(const Function& f, ExprId e, Reach& out);
  void readByPath(const Function& f, ExprId place, Reach& out);
  void readArguments(const Function& f, const ir::Call& c, Reach& out);
  std::vector<ExprId> targets(FuncId id, const Function& f, StmtId s);
  static void sums(const ir::DataSharing& data, std::vector<ExprId>& out);
  void check(FuncId, const Function& f, StmtId s);
  Reach messages(FuncId id, const Function& f, StmtId s, const ir::Mpi& x);
  void restructure(FuncId id, const Function& f, const ir::Restructure& r);
  static void append(Reach& to, const Reach& what, bool seen);
  const Reach& writesOf(FuncId g);
  Reach call(FuncId, const Function& f, const ir::Call& c);
  Reach argument(const Function& f, ExprId arg, const Function& g, const Reached& r);
  Reach extended(Reach base, const Reached& r, std::size_t from);
  bool isOwn(const Function& f, VarId v) const;
  Reach resolvePlace(const Function& f, ExprId e);
  Reach bound(const Function& f, VarId v);
  Reach object(const Function& f, ExprId e);
  Reach pointerPath(const Function& f, ExprId e);
  Reach pointerVariable(const Function& f, VarId p);

  struct Summary {
    Reach reach;
    bool done = false;
  };
  const Module& m_;
  const analysis::Facts& facts_;
  SnapshotRefusal& refusal_;
  const FuncId id_;
  const Function& loopFunction_;
  const StmtId loop_;
  const bool touched_;
  ir::SourceLoc at_;
  bool communicates_ = false;
  ir::SourceLoc unchecked_;
  bool outermost_ = true;  // in the loop itself, not in what it calls
  std::set<VarId> own_;
  std::map<FuncId, Summary> functions_;
  std::set<std::pair<const Function*, VarId>> following_;
  std::set<SnapshotPath> exchangedPaths_;
  Reach exchanged_;
  int ownSwapped_ = 0, outerSwapped_ = 0;
};

}  // namespace contraflow::transform
