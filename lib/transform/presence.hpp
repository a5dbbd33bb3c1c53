// Which variables have a shadow: a flow-insensitive fixed point over the call graph, from the heads down.
//
//   parameters of a head    those that it names, and those through which a real may be written; no others
//   scalars                 if something that depends on a shadowed value is stored into them, or their address gets around
//   arrays, records,        always, where they hold reals or pointers to them
//   containers
//   pointers                Present if all that flows into them has a shadow, None if nothing has, otherwise Maybe: then the shadow
//                           pointer may be null
//   references              as what they are bound to
//   parameters of callees   as what all callers pass; a scalar, record or reference is Present if one caller's argument is
//   globals                 if they aren't constant; pointers as above
//
// A function that is a head and is called as well is two *instances*, with signatures of their own.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "analysis/facts.hpp"
#include "ir/module.hpp"

namespace contraflow::transform {

struct Instance {
  ir::FuncId function;
  int head = -1;  // index into the list of heads; -1: as a callee
  friend bool operator<(const Instance& a, const Instance& b) {
    return a.function != b.function ? a.function < b.function : a.head < b.head;
  }
};

class PresenceMap {
 public:
  PresenceMap(const ir::Module& module, const std::vector<ir::Head>& heads);

  analysis::Presence operator()(const Instance& i, ir::VarId v) const;
  analysis::Presence operator()(ir::GlobalId g) const;
  // Of the result: None if it never depends on what has a shadow. A head's real result is always Present.
  analysis::Presence result(const Instance& i) const;
  // The presence of a place or pointer value; for a real value: whether it has a derivative.
  analysis::Presence of(const Instance& i, ir::ExprId e) const;

  // Every instance that is reached from the heads, callees before callers where there is no recursion.
  const std::vector<Instance>& instances() const { return order_; }
  // True if a call of the function needs its derivative: it has parameters, a result or globals with a shadow, or it waits for
  // messages.
  bool needsDerivative(ir::FuncId callee) const;
  // Non-constant globals that hold reals, in the code reached from a head.
  std::set<ir::GlobalId> globalsOf(const Instance& i) const;

 private:
  enum Bit : unsigned { kAbsent = 1, kPresent = 2 };

  bool completesMessages(const Instance& i) const;
  bool visit(const Instance& i);
  bool visitStmt(const Instance& i, ir::StmtId s);
  bool visitCall(const Instance& i, const ir::Call& call);
  bool visitCopies(const Instance& i, const ir::DataSharing& data);
  void startHead(const Instance& i, const ir::Head& head);
  void startLocals(const Instance& i);
  unsigned bits(const Instance& i, ir::ExprId e) const;
  unsigned bitsOfVar(const Instance& i, ir::VarId v) const;
  unsigned bitsOfGlobal(ir::GlobalId g) const;
  bool add(const Instance& i, ir::VarId v, unsigned bits);
  // A value of these bits is stored into the place.
  bool store(const Instance& i, ir::ExprId place, unsigned bits);
  void sort(const Instance& i, std::set<Instance>& seen);
  bool isPointer(ir::TypeId t) const { return ir::as<ir::PointerType>(m_, t) != nullptr; }
  analysis::Presence presence(unsigned bits) const;

  const ir::Module& m_;
  std::map<Instance, std::map<ir::VarId, unsigned>> vars_;
  std::map<Instance, unsigned> results_;
  std::map<ir::GlobalId, unsigned> globals_;
  std::vector<Instance> reached_, order_;
};

// True if the head names this parameter, or a part of it.
bool namesParameter(const ir::Head& head, unsigned param);

}  // namespace contraflow::transform
