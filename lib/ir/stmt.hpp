// Statements. lib/ir/README.md states order, memory effects and what a parallel loop promises for each of them.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ir/expr.hpp"

namespace contraflow::ir {

using Block = std::vector<StmtId>;  // a C++ scope where it is the body of a statement

// --- primal statements ------------------------------------------------------------------------------------------------

enum class Init {
  None,       // uninitialised (a record or container: default-constructed)
  Zero,       // value-initialised: `{}`
  Value,      // = args[0]
  List,       // = args[0], an InitList
  Construct,  // (args…): containers: (n), (n, value); (container) copies
  Bind        // a reference bound to the place args[0]
};
enum class Storage {
  Automatic,
  FrameCreate,  // derivative code: lives on the tape (args[last] is not part of it; see `tape`)
  FrameReopen   // derivative code: the reverse sweep's name for what FrameCreate made; its address is popped from the tape
};
struct Declare {
  VarId var;
  Init init = Init::None;
  std::vector<ExprId> args;
  Storage storage = Storage::Automatic;
  VarId tape;  // FrameCreate, FrameReopen
};
struct Assign {
  ExprId target, value;
};
struct Increment {  // target += value, or -=
  ExprId target, value;
  bool subtract = false;
};
struct Call {
  FuncId callee;
  std::vector<ExprId> args;  // one for each parameter; a place for a reference parameter
  ExprId result;             // a place that receives the result; none: dropped
};
// Inactive text whose arguments can be substituted: pieces[0] args[0] pieces[1] … Reads its arguments, writes no memory that
// the program computes with (printing), or the places in `writes`. Kept in the forward sweep only.
struct Opaque {
  std::vector<std::string> pieces;
  std::vector<ExprId> args;
  std::vector<ExprId> writes;  // subset of args: places that it overwrites (never active)
};
// What changes how many elements a vector has, or where they are. The operand is evaluated before.
enum class Structure {
  Resize,   // to `operand` elements: the first ones stay, new ones are value-initialised
  Reserve,  // room for `operand` elements; no fewer than now
  Swap,     // with the vector `operand`; pointers to elements stay valid
  Follow    // derivative code: a shadow takes size and room of its primal, `operand`; new elements are zero
};
struct Restructure {
  Structure op;
  ExprId container, operand;
  VarId tape;         // derivative code: what is replaced is kept here for the Revert that undoes it (a Swap is undone by a Swap)
  bool keep = true;   // with a tape: the values of dropped elements are needed; otherwise they come back as zeros
  bool afterImage = false;  // a Swap that undoes one: the caller may see the vectors
};
// new, new[], malloc, calloc: a pointer to fresh memory. It lives until the Free that names it, wherever that stands.
enum class Allocator { New, NewArray, Malloc };
struct Allocate {
  ExprId target;   // a place of pointer type
  ExprId count;    // of elements; none: one
  Allocator how = Allocator::New;
  bool zero = false;  // value-initialised, or calloc
};
struct Free {
  ExprId pointer;
  Allocator how = Allocator::New;
};
struct If {
  ExprId condition;
  Block then, otherwise;
};
// for (T counter = init; counter COMPARE bound; counter += step): the counter is declared here, and neither it nor anything that
// bound and step read is written in the body. compare is Lt, Le, Gt, Ge or Ne.
struct For {
  VarId counter;
  ExprId init;
  BinaryOp compare;
  ExprId bound;
  ExprId step;  // added; negative steps as they are
  Block body;
};
struct While {
  Block test;  // statements that run before each evaluation of the condition
  ExprId condition;
  Block body;
  bool testAtEnd = false;  // do … while
};
struct Scope {  // { … }
  Block body;
};
struct Break {};
struct Continue {};
struct Return {
  ExprId value;  // none in a void function
};

// --- OpenMP -----------------------------------------------------------------------------------------------------------

enum class ReductionOp { Sum };
enum class ScheduleKind { Unspecified, Static, Dynamic, Guided, Auto, Runtime };
// Each copy is a VarId of its own, with the same name as its original: inside the construct the body names the copy.
struct CopyOf {
  VarId copy;
  ExprId original;  // place outside
};
struct DataSharing {
  std::vector<CopyOf> privates;       // uninitialised in each thread
  std::vector<CopyOf> firstprivates;  // initialised from the original
  std::vector<CopyOf> lastprivates;   // the last iteration's value goes to the original
  std::vector<CopyOf> reductions;     // sums: zero at the start, added to the original at the end
  std::vector<ExprId> shared;         // named in a shared clause; for printing only
  bool defaultNone = false;
};
struct OmpParallel {
  DataSharing data;
  ExprId numThreads;   // optional
  ExprId ifCondition;  // optional
  Block body;
};
struct OmpFor {
  DataSharing data;
  ScheduleKind schedule = ScheduleKind::Unspecified;
  ExprId chunk;  // optional
  unsigned collapse = 1;
  bool nowait = false;
  bool simd = false;
  StmtId loop;  // a For; with collapse, perfectly nested Fors
};
struct OmpSimd {
  DataSharing data;
  unsigned collapse = 1;
  StmtId loop;
};
struct OmpSingle {
  DataSharing data;
  Block body;
  bool nowait = false;
};
struct OmpMaster {
  Block body;
};
struct OmpBarrier {};
struct OmpAtomic {  // atomic update of the place by an increment
  ExprId target, value;
  bool subtract = false;
};

// --- MPI --------------------------------------------------------------------------------------------------------------

enum class MpiPart { Primal, Tangent, Forward, Reverse, ForwardTangent, ReverseTangent };
struct Mpi {
  unsigned op;               // row of rules/mpi_ops.def
  std::vector<ExprId> args;  // in the order of the routine's parameters
  ExprId result;             // a place that receives the error code; optional
  MpiPart part = MpiPart::Primal;
  // Shadows of the buffers among args, in order (Tangent: _d; Forward: _b; ForwardTangent: for each buffer _d, _b, _b_d). An
  // invalid id stands for nullptr. Reverse parts have neither args nor shadows: everything comes from the tape.
  std::vector<ExprId> shadows;
  VarId tape;
};

// --- derivative code: abstract until it is printed -----------------------------------------------------------------------

struct Push {  // records the value on the tape
  VarId tape;
  ExprId value;
};
struct Pop {  // restores a recorded value into the place
  VarId tape;
  ExprId place;
  bool afterImage = false;  // the place may be memory that the caller sees: its current value is noted first
};
// Pointer variable = array of `count` elements on the tape, indexed by iteration.
struct TapeBlock {
  VarId tape;
  VarId pointer;
  ExprId count;
};
struct TapeRelease {  // gives back the topmost block or frame
  VarId tape;
  VarId frame;  // the frame's variable, or none: a block
};
struct Revert {  // undoes the Restructure whose record is on top of the tape
  VarId tape;
  ExprId container;
  bool afterImage = false;  // the caller may see the vector: what undoing drops is logged
};
// Banded: plain if the loop around it becomes one where no two threads meet (the adjoint of a parallel loop decides once it is
// complete); gone after that.
enum class Strategy { Banded, Atomic };
struct SharedIncrement {  // an increment of a shadow that other threads may touch at the same time
  ExprId target, value;
  bool subtract = false;
  Strategy strategy = Strategy::Atomic;
  ExprId alone;  // Atomic: true at run time in a team of one, where a plain increment will do
};
struct SetZero {  // every real in the object becomes zero (scalars, arrays, records, containers)
  ExprId place;
};
// A call of our runtime or of generated plumbing: pieces as in Opaque. Never active.
struct Runtime {
  std::vector<std::string> pieces;
  std::vector<ExprId> args;
};
struct Comment {
  std::string text;
};

using AnyStmt =
    std::variant<Declare, Assign, Increment, Call, Opaque, Restructure, Allocate, Free, If, For, While, Scope, Break, Continue,
                 Return, OmpParallel, OmpFor, OmpSimd, OmpSingle, OmpMaster, OmpBarrier, OmpAtomic, Mpi, Push, Pop, TapeBlock, TapeRelease, Revert, SharedIncrement,
                 SetZero, Runtime, Comment>;
struct StmtNode : AnyStmt {  // as ExprNode
  using AnyStmt::AnyStmt;
  StmtNode(const StmtNode&);
  StmtNode(StmtNode&&) noexcept;
  StmtNode& operator=(const StmtNode&);
  StmtNode& operator=(StmtNode&&) noexcept;
  ~StmtNode();
};

struct Stmt {
  StmtNode node;
  SourceLoc loc;
  StmtId origin;  // derivative code: the primal statement that it belongs to
};

}  // namespace contraflow::ir
