// What statements and functions read and write, and what evaluating an expression reads.
//
// Sets of writes are *raw*: the locations as points-to names them. Sets of reads and needs come in both forms; one is *closed* if it
// holds each location that overlaps one of its own. "Closed meets raw" is the question whether two accesses may touch the same
// memory; of two closed sets it isn't (two fields would meet in their record), of two raw ones neither.
#pragma once

#include "analysis/points_to.hpp"

namespace contraflow::analysis {

struct Effects {
  LocSet reads, writes;  // raw
  bool communicates = false;
  bool output = false;  // Opaque text, run-time calls, functions without a body
};

class Accesses {
 public:
  Accesses(const ir::Module& m, const PointsTo& p) : m_(m), p_(p), functions_(m.functions.size()) {}

  // What has to be read to name the place: indices, pointers, references, container addresses.
  void naming(ir::FuncId f, ir::ExprId place, LocSet& raw) const;
  // How many elements a vector has and where they are.
  void sizeAndPlace(ir::FuncId f, ir::ExprId container, LocSet& raw) const;
  // What is read to evaluate the expression; for a place, naming and the place itself.
  void value(ir::FuncId f, ir::ExprId e, LocSet& raw) const;
  void objects(ir::FuncId f, ir::ExprId place, LocSet& raw) const;
  void variable(ir::FuncId f, ir::VarId v, LocSet& raw) const { raw.add(p_.localOf(f, v)); }
  // What a control statement or call itself reads before its parts run: conditions, bounds, arguments; and all that a callee reads.
  void header(ir::FuncId f, ir::StmtId s, LocSet& raw) const;
  LocSet closed(const LocSet& raw) const;

  // Transitive: with the statement's parts and what it calls.
  Effects of(ir::FuncId f, ir::StmtId s) const;
  Effects of(ir::FuncId f, const ir::Block& block) const;
  const Effects& of(ir::FuncId f) const { return functions_[f.index()]; }
  // Memory that pending receives (sends) may write (read) until their completion, anywhere in the program.
  const LocSet& posted() const { return postedReceives_; }

 private:
  friend Accesses computeEffects(const ir::Module&, const PointsTo&, const CallGraph&);
  void add(ir::FuncId f, ir::StmtId s, Effects& e) const;
  void addMpi(ir::FuncId f, const ir::Mpi& s, Effects& e) const;
  void addData(ir::FuncId f, const ir::DataSharing& d, Effects& e) const;

  const ir::Module& m_;
  const PointsTo& p_;
  std::vector<Effects> functions_;
  LocSet postedReceives_, postedSends_;
};

Accesses computeEffects(const ir::Module& m, const PointsTo& p, const CallGraph& graph);

}  // namespace contraflow::analysis
