// What the transformations may ask about a primal program. Every answer has a conservative default, which is what
// `--no-analysis` uses: record everything, prove nothing. The analyses sharpen the answers one by one; each can be switched
// off by name, and then its default stands.
//
// All functions and nodes are those of the primal after `structureJumps`.
#pragma once

#include <string>
#include <vector>

#include "analysis/bands.hpp"
#include "ir/module.hpp"

namespace contraflow::analysis {

// Whether a shadow stands beside a variable.
enum class Presence {
  None,    // no shadow: constant for every head
  Present, // a shadow
  Maybe    // a shadow pointer that may be null (it may point to memory without shadow); increments through it are guarded
};

// A write of active values to memory that the heads give no shadow: an error, unless a head is changed to name the memory.
struct UnshadowedWrite {
  ir::FuncId function;
  ir::StmtId stmt;
  std::string memory;  // in words of the program, such as `*g` for what the global pointer g points to
};

class Facts {
 public:
  virtual ~Facts() = default;

  // --- shadows and activity
  virtual Presence shadow(ir::FuncId f, ir::VarId v) const = 0;
  virtual Presence shadow(ir::GlobalId g) const = 0;
  // Whether shadow memory stands beside the memory at this place (an expression of f). A variable that is Present may still
  // hold shadow pointers that are null: then `v.p[i]` is Maybe.
  virtual Presence shadowOf(ir::FuncId f, ir::ExprId place) const = 0;
  // True if the real scalar at this place (an expression of f) may carry a derivative: it depends on an independent and a
  // dependent depends on it. Never true without a shadow.
  virtual bool active(ir::FuncId f, ir::ExprId place) const = 0;
  // True if a call of f has to be differentiated: it writes something active or returns it, passes on pointers to memory that
  // has a shadow, or its reverse sweep has old values to restore.
  virtual bool active(ir::FuncId f) const = 0;
  // True if the result of f may carry a derivative.
  virtual bool activeResult(ir::FuncId f) const = 0;
  // True if this Mpi statement belongs to an active class of operations that may match.
  virtual bool activeMpi(ir::FuncId f, ir::StmtId s) const = 0;

  // All of them; the conservative facts know none, since their answers follow the types.
  virtual const std::vector<UnshadowedWrite>& unshadowedWrites() const = 0;

  // Heads: true if the vector that this parameter refers to may have another size or buffer after the call.
  virtual bool resizes(ir::FuncId head, ir::VarId param) const = 0;
  // Structural operations on vectors of the heads' callers that have a shadow and are no parameters themselves: an error.
  virtual const std::vector<UnshadowedWrite>& resizedMemory() const = 0;

  // Memory that the heads' functions allocate and that outlives them, or that they free and haven't allocated: an error.
  struct Lifetime {
    ir::FuncId function;
    ir::StmtId stmt;  // an Allocate, or a Free
  };
  virtual const std::vector<Lifetime>& lifetimes() const = 0;

  // --- recording
  // Restructure: true if values of elements that it drops are needed.
  // True if the value that statement s (Assign, Increment, OmpAtomic, Call result, Declare of a loop, Mpi receive) overwrites is
  // needed by the reverse sweep of code before it.
  virtual bool overwriteNeeded(ir::FuncId f, ir::StmtId s) const = 0;
  // True if that statement adds a number to a variable or takes it off (`i += 2`, `p = p + 1`): the reverse sweep may do the opposite
  // instead of reading a record, since it has the value behind the statement.
  virtual bool countedBack(ir::FuncId f, ir::StmtId s) const = 0;
  // True if the reverse of s (Assign, Declare) is written with the value that its variable or place has behind s; what else it reads then
  // is Needs::partialsByResult.
  virtual bool reusesResult(ir::FuncId f, ir::StmtId s) const = 0;
  // True if the value that v holds at the end of its life is needed by the reverse sweep.
  virtual bool finalValueNeeded(ir::FuncId f, ir::VarId v) const = 0;
  // True if the reverse sweep has something to do for statement s: adjoints to propagate or values to restore, in it or in its
  // parts. Where the answer is false, what s reads (conditions, bounds, arguments) isn't kept, so s must be skipped.
  virtual bool reversed(ir::FuncId f, ir::StmtId s) const = 0;
  // True if what the reverse sweep evaluates again for s has the same value when it does: nothing that s itself writes is read
  //   If                          by its condition (evaluated behind the branches)
  //   Assign, Increment, OmpAtomic, Opaque by naming the target (it is named before its old value is back)
  //   Restructure                 by naming the vectors
  //   Call, Mpi                   by its arguments and by naming the result
  //   For, OmpFor, OmpSimd        by init, bound and step, and by the originals in clauses
  //   Declare                     by its arguments: nothing in the rest of the block writes it (evaluated behind the block)
  // Where it is false, the value or address must be recorded.
  virtual bool stable(ir::FuncId f, ir::StmtId s) const = 0;
  // True if memory at this place may be seen by the caller of the head (so that an after-image must keep it).
  virtual bool callerVisible(ir::FuncId f, ir::ExprId place) const = 0;
  // True if the place denotes, for certain, a different object than every place that `other` may denote.
  virtual bool disjoint(ir::FuncId f, ir::ExprId place, ir::ExprId other) const = 0;

  // --- recompute
  // True if the reverse sweep may run the iterations of loop s (For, While or OmpFor) again instead of recording in them: what
  // they read and the reverse sweep needs isn't overwritten by the loop itself, but for locals of the iteration. The second run
  // leaves out every Assign, Increment and OmpAtomic of memory outside the iteration's own variables, so besides:
  //   - a Call in the body (and what it calls) writes nothing but its own locals, its result, and variables of the iteration;
  //   - a write through a pointer or reference in the body reaches only memory outside the loop (a reference declared in the
  //     body and bound directly to a place of an iteration's variable counts as that variable);
  //   - no Mpi, no Opaque with output, no allocation, no static state in the body.
  virtual bool recomputeLoop(ir::FuncId f, ir::StmtId s) const = 0;
  // True if the call s may be run again by the reverse sweep instead of recording in it: the callee (and what it calls) writes
  // nothing but its own locals and its result, no Mpi, no output, no static state, and what it reads is restored by then.
  virtual bool recomputeCall(ir::FuncId f, ir::StmtId s) const = 0;

  // True if the value of the Declare's variable is recorded where the reverse sweep needs it and it isn't at hand, not evaluated again.
  virtual bool keepsResult(ir::FuncId f, ir::StmtId declaration) const = 0;

  // --- OpenMP
  // True if the reverse of this OmpFor may run its iterations in any order on any thread.
  virtual bool freeReversal(ir::FuncId f, ir::StmtId s) const = 0;
  // True if the adjoint increments that belong to reads of this place never meet another thread's: a plain `+=` will do.
  // Under free reversal: another iteration's.
  virtual bool exclusive(ir::FuncId f, ir::ExprId place) const = 0;
  // The affine accesses of an OmpFor that may be reversed in any order; null if there are none.
  virtual const Bands* bands(ir::FuncId f, ir::StmtId s) const = 0;
};

}  // namespace contraflow::analysis
