// Builds the adjoint of one primal function. Internal to lib/transform.
//
// How it works. Each primal statement yields *parts*: forward sections and a reverse part.
//
//     x = e;    forward: push(x); x = e;      reverse: pop(x); t = x_b; x_b = 0; operand_b += t * partial; …
//
// A loop whose iterations may be run again (a recompute region) nests: inside it the level is one higher. Section 0 is the sweep
// that runs the primal once; section k is the second run inside the k-th enclosing recompute region, with what is
// recorded for it alone. A statement that writes memory of level L stands in sections 0 to L, and what it overwrites is recorded
// in section L, on that level's tape. The reverse part of a recompute region's iteration is its own section followed by its
// reverse part, in one scope (*joint*): there the values are still at hand in local variables, and no tape is needed.
//
//     for (i…) { c = f(u[i]); v[i] = c * c; }
//       section 0:  for (i…) { c = f(u[i]); v[i] = c * c; }
//       reverse:    for (i…, backwards) { c = f(u[i]);   c_b = 2 * c * v_b[i]; v_b[i] = 0; u_b[i] += c_b * f'(u[i]); }
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "analysis/facts.hpp"
#include "diagnostics/diagnostics.hpp"
#include "ir/module.hpp"
#include "rules/algebra.hpp"
#include "transform/adjoint.hpp"
#include "transform/owned_vectors.hpp"
#include "transform/shadow.hpp"

namespace contraflow::transform {

struct Snapshot;  // snapshot.hpp

// The derivative functions that one primal function may have.
enum class Form {
  Head,   // f_b(…, seed, Tape&): forward and reverse in one; exported
  Joint,  // the same for callers inside: run again in their reverse sweep
  Value,  // the same, and returns the result: run once (adjoint_joint_calls.cpp)
  Split   // f_fwd(…, Tape&) and f_rev(…, Tape&)
};
struct Variant {
  ir::FuncId primal;
  Form form;
  bool parallel = false;  // called inside a parallel region: increments through its parameters may meet another thread's
  friend bool operator<(const Variant& a, const Variant& b) {
    return std::tie(a.primal, a.form, a.parallel) < std::tie(b.primal, b.form, b.parallel);
  }
};
struct VariantFunctions {
  ir::FuncId forward;  // Split
  ir::FuncId reverse;  // Split, Joint, Head
};

// Hands out the functions of a variant, and queues it to be built.
class VariantTable {
 public:
  virtual ~VariantTable() = default;
  virtual VariantFunctions request(const Variant& variant) = 0;
};

class AdjointBuilder {
 public:
  AdjointBuilder(ir::Module& module, const analysis::Facts& facts, const AdjointOptions& options,
                 Diagnostics& diagnostics, VariantTable& variants, const Variant& variant, const ir::Head* head);

  // Fills the bodies of the variant's functions. False: something was reported.
  bool build(VariantFunctions functions);

 private:
  using ExprId = ir::ExprId;
  using StmtId = ir::StmtId;
  using VarId = ir::VarId;
  using TypeId = ir::TypeId;
  using Block = ir::Block;

  // The sections of a statement or block (section k at index k), and its reverse part in order of execution.
  struct Parts {
    std::vector<Block> fwd;
    Block rev;
    explicit Parts(unsigned depth) : fwd(depth + 1) {}
  };
  struct Context {
    unsigned depth = 0;          // the number of enclosing recompute regions
    bool joint = false;          // section `depth` and the reverse part of this block share one scope
    std::vector<VarId> tapes;    // one for each level
    bool parallel = false;
    bool silent = false;         // the reverse sweep has nothing to do here: only forward sections, nothing recorded
  };
  // What the end of a block has to do for the variables declared in it.
  struct Locals {
    Block finals;    // at the end of section `depth`: records last values
    // At the start of the reverse part, in this order: shadows, which need nothing; last values, in the opposite order;
    // declarations made again, which may point to both.
    Block shadows, restores, remade;
  };
  // Records of a parallel loop with free reversal: one array per record, indexed by iteration.
  struct Indexed {
    std::vector<StmtId> nest;      // the Fors from the parallel one inwards
    std::vector<VarId> trips;      // the trip count of each
    unsigned depth = 0;            // the context's depth outside the loop
    std::vector<Block> prologue;   // for each level: before the region, in its section
    Block revEpilogue;
    Block revTrips;                // declarations of trip counts, for the reverse part
    struct Record {
      VarId pointer, tape;
      unsigned level;
    };
    std::vector<Record> records;
  };

  // A serial counted loop that is being built, and the blocks of the tape that are made in front of it (adjoint_blocks.cpp).
  struct SerialLoop {
    StmtId loop;
    unsigned depth = 0;               // the context's depth outside the loop
    std::vector<VarId> tapes;         // of that context
    std::vector<Block> prologue;      // for each level: before the loop, in its section
    std::map<std::string, std::pair<VarId, StmtId>> trips;  // trip counts of loops inside, by their text; one of these loops
    std::map<unsigned, std::set<VarId>> declared;  // for each level: those that the prologue declares
    struct Records {
      VarId pointer, tape;
      unsigned level;
    };
    std::vector<Records> blocks;
  };
  // Hides the loops around code that doesn't run once in each of their iterations.
  struct Fence {
    explicit Fence(std::vector<SerialLoop*>& loops) : loops_(loops) { loops_.push_back(nullptr); }
    ~Fence() { loops_.pop_back(); }
    Fence(const Fence&) = delete;
    Fence& operator=(const Fence&) = delete;

   private:
    std::vector<SerialLoop*>& loops_;
  };

  // --- functions (adjoint_function.cpp)
  void makeSignature(ir::Function& out, bool forward);
  void buildJoint(ir::FuncId id);
  void buildSplit(VariantFunctions ids);
  void declareMissingShadows(ir::Function& forward, Block& body);
  Parts wholeBody(bool joint, VarId tape);
  void returnParts(const ir::Return& ret, Parts& parts, const Context& ctx);
  void accumulate(ExprId target, ExprId source, Block& out);
  bool usesMpi(const Block& body) const;
  bool seedsResult() const;
  void collectEscapes();
  void findReadAgain();

  // --- blocks and simple statements (adjoint_statements.cpp, adjoint_declare.cpp)
  Parts block(const Block& statements, const Context& ctx);
  Parts statement(StmtId s, const Context& ctx);
  Parts partsOf(StmtId s, const ir::Stmt& stmt, const Context& ctx);
  // A statement without parts in a silent context: its sections. False: the statement isn't of that kind.
  bool silentStatement(StmtId s, const ir::Stmt& stmt, Parts& parts, const Context& ctx, bool inSilentBlock);
  bool namesItself(ExprId target) const;
  TypeId mutableType(TypeId type);
  // Declares a shadow whose reals are zero.
  void declareZero(VarId shadow, Block& out, ir::Storage storage = ir::Storage::Automatic, VarId tape = {});
  ir::Init unneeded(VarId v) const;
  bool idle(const Block& rev) const;
  void declare(StmtId s, const ir::Declare& primal, Parts& parts, const Context& ctx);
  void declareReference(StmtId s, const ir::Declare& d, Parts& parts, const Context& ctx);
  void declarePointer(StmtId s, const ir::Declare& d, Parts& parts, const Context& ctx);
  void declareStable(const ir::Declare& d, Parts& parts, const Context& ctx);
  void declareObject(StmtId s, const ir::Declare& d, Parts& parts, const Context& ctx);
  void reverseInit(const ir::Declare& d, Block& rev, const Context& ctx);
  void assign(StmtId s, const ir::Assign& a, Parts& parts, const Context& ctx);
  void increment(StmtId s, const ir::Increment& i, Parts& parts, const Context& ctx);
  void opaque(StmtId s, const ir::Opaque& o, Parts& parts, const Context& ctx);
  void branch(StmtId s, const ir::If& i, Parts& parts, const Context& ctx);
  bool rematerialisable(const ir::Declare& d) const;
  bool isImmutable(ExprId e) const;
  bool stableCondition(ExprId condition, const std::vector<const Block*>& written) const;

  // --- structure of vectors (adjoint_structure.cpp)
  struct NamedVector {
    ExprId primal, shadow, base;           // in the forward section; `base`: the shadow pointer, where it may be null
    ExprId primalRev, shadowRev, baseRev;  // in the reverse part
    Block pushes, pops;                    // of addresses that are kept
  };
  void restructure(StmtId s, const ir::Restructure& r, Parts& parts, const Context& ctx);
  void swapVectors(const NamedVector& a, const NamedVector& b, bool seen, unsigned level, Parts& parts, const Context& ctx);
  NamedVector nameVector(ExprId vector, unsigned level, Parts& parts, const Context& ctx);
  bool namesDirectly(ExprId vector) const;
  StmtId ifPresent(ExprId base, StmtId s);
  void allocate(StmtId s, const ir::Allocate& a, Parts& parts, const Context& ctx);
  void shapeResult(ExprId result, Block& out);
  void findResizedParameters();
  std::vector<std::pair<VarId, VarId>> takeSeeds(Block& out);
  void addSeeds(const std::vector<std::pair<VarId, VarId>>& taken, Block& out);

  // --- recording (adjoint_recording.cpp)
  // The level of the memory that a place denotes: that of the variable at its root; 0 through pointers.
  unsigned levelOf(ExprId place) const;
  // Keeps a value from section `level` till the reverse part; returns an expression for it there. `parts.rev` gets what is
  // needed at its front, so call it for the last recorded value first.
  ExprId keep(ExprId value, const std::string& name, unsigned level, Parts& parts, const Context& ctx);
  // Records what the place holds before this statement overwrites it, and restores it at the front of the reverse part.
  void recordInPlace(ExprId place, unsigned level, Parts& parts, const Context& ctx) {
    recordInPlace(place, level, visible(place), parts, ctx);
  }
  void recordInPlace(ExprId place, unsigned level, bool seen, Parts& parts, const Context& ctx);
  void recordIndexed(ExprId place, unsigned level, bool seen, Parts& parts, const Context& ctx);
  bool visible(ExprId place) const;  // restores of it are logged

  // --- blocks of the tape (adjoint_blocks.cpp)
  bool unchangedBy(ExprId e, const ir::For& loop) const;
  std::optional<std::size_t> blockedLoop(unsigned level) const;
  ExprId iterationOf(const ir::For& l);
  ExprId slot(ExprId value, const std::string& name, unsigned level);
  void finishBlocks(SerialLoop& loop, Parts& parts, const Context& ctx, std::vector<Block>& fwd, Block& rev);
  // Records the variable's value at the end of `recorded`, and gives it back at the end of `back`, which has declared it.
  Block where(ExprId condition, Block statements);
  void recordWhere(ExprId there, ExprId shadow, unsigned level, bool seen, Parts& parts, const Context& ctx);
  std::string keyOfCall(ExprId call) const;  // adjoint_kept.cpp
  void noteKept(const Block& statements, const Context& ctx);
  ExprId withKept(ExprId e);
  void recordVariable(VarId v, unsigned level, Block& recorded, Block& back, const Context& ctx);

  // --- loops (adjoint_loops.cpp)
  void forLoop(StmtId s, const ir::For& l, Parts& parts, const Context& ctx);
  void whileLoop(StmtId s, const ir::While& w, Parts& parts, const Context& ctx);
  StmtId reversed(const ir::For& l, Block body, ir::SourceLoc at, StmtId origin);
  StmtId declareCounter(const ir::For& l, VarId k);
  ExprId tripCount(const ir::For& l);
  Context bodyContext(const Context& ctx, bool recompute, Block& scratchDeclaration);
  // The forward part of a call and its reverse part, which may become one call.
  struct CallPair {
    StmtId forward, reverse;
    Variant joint;
  };
  void joinCalls(Block& body);  // adjoint_joint_calls.cpp
  Block jointBody(Parts& body, unsigned depth, const Block& scratchDeclaration);

  // --- loops whose sweeps are one (adjoint_fused.cpp)
  void findFusedLoops();
  std::optional<std::set<VarId>> sumsOf(StmtId loop) const;
  bool isPlainLocal(VarId v) const;
  bool isOwnMemory(ExprId place, const std::set<VarId>& own) const;
  bool keepsOrder(StmtId loop, const std::set<VarId>& sums) const;
  bool storesResult(StmtId s) const;
  bool isOfNumbers(ExprId e) const;
  bool isNamedByNumbers(ExprId place) const;
  bool linearIn(ExprId e, const std::set<VarId>& vars) const;
  bool addsToSums(StmtId loop) const;
  void leaveFused(const Parts& body, unsigned depth);
  bool isFusedSum(ExprId target) const;
  bool isBehindFused(StmtId s) const;
  void orderFused(Block& forward, Block& reverse) const;

  // --- loops reversed from snapshots (adjoint_checkpoint.cpp)
  bool isCheckpointed(StmtId loop) const;
  void checkpointedLoop(StmtId s, Parts& parts, const Context& ctx);
  VarId declareCheckpoint(const ir::For* counted, bool communicates, Parts& parts, const Context& ctx);
  StmtId reversedSteps(const ir::For* counted, const Block& primal, VarId checkpoint, const Block& recorded);
  StmtId reversedBlock(VarId checkpoint, Block recorded);
  Block registerParts(VarId checkpoint, const Snapshot& snapshot, bool again);
  Block copied(const Block& block, bool again);
  void counterAt(const ir::For* counted, VarId checkpoint, VarId number, Block& out);
  // Those that go on after the program was killed (adjoint_restart.cpp).
  bool findTouched(StmtId loop, const Snapshot& written, Snapshot& touched);
  std::string whyItCantGoOn(StmtId loop, const Snapshot& written) const;
  Block restartInputs(VarId checkpoint, const Snapshot& touched);
  Block restartAdjoints(VarId checkpoint, const Snapshot& touched);
  StmtId resumedLoop(const ir::For& counted, VarId checkpoint, const Block& primal);
  bool refuseCheckpointsIn(StmtId loop);
  bool refuseCheckpoint(StmtId loop, const std::string& why, const std::string& wayOut);

  // --- OpenMP (adjoint_omp.cpp)
  void parallel(StmtId s, const ir::OmpParallel& p, Parts& parts, const Context& ctx);
  void worksharing(StmtId s, const ir::OmpFor& w, Parts& parts, const Context& ctx);
  void freeWorksharing(StmtId s, const ir::OmpFor& w, Parts& parts, const Context& ctx);
  void pinnedWorksharing(StmtId s, const ir::OmpFor& w, Parts& parts, const Context& ctx);
  void simd(StmtId s, const ir::OmpSimd& w, Parts& parts, const Context& ctx);
  void single(StmtId s, const ir::OmpSingle& w, Parts& parts, const Context& ctx);
  void master(StmtId s, const ir::OmpMaster& w, Parts& parts, const Context& ctx);
  void atomic(StmtId s, const ir::OmpAtomic& a, Parts& parts, const Context& ctx);
  void reductions(StmtId s, const ir::DataSharing& data, Parts& parts, const Context& ctx, bool inRegion);
  bool canIndex(const ir::OmpFor& w) const;
  std::vector<StmtId> nestOf(StmtId loop, unsigned collapse) const;
  StmtId wrapNest(const std::vector<StmtId>& nest, Block body);
  Block tidyBarriers(const Block& in) const;
  bool takesTurns(ir::FuncId f, const Block& code, std::set<ir::FuncId>& seen) const;
  Block inStep(const Block& block);
  StmtId declareAlone(VarId alone);

  // --- MPI (adjoint_mpi.cpp)
  void mpi(StmtId s, const ir::Mpi& x, Parts& parts, const Context& ctx);

  // --- calls (adjoint_calls.cpp)
  void forgetResult(const ir::Call& c, Block& rev);
  void call(StmtId s, const ir::Call& c, Parts& parts, const Context& ctx);
  ExprId shadowArgument(ir::FuncId callee, unsigned k, ExprId arg, Block& where);

  // --- expressions (adjoint_expressions.cpp)
  // True if a derivative flows through the expression.
  bool flows(ExprId e) const;
  bool active(ExprId place) const { return facts_.active(variant_.primal, place); }
  // operand_b += seed * d(e)/d(operand) for each active operand of e.
  void propagate(ExprId e, ExprId seed, Block& out, const Context& ctx);
  // The same, where `result` is the value of e (none: it isn't at hand).
  void propagateFrom(ExprId e, ExprId seed, ExprId result, Block& out, const Context& ctx);
  void propagateQuotient(const ir::Binary& quotient, ExprId seed, ExprId result, Block& out, const Context& ctx);
  void propagateCall(ExprId e, const ir::MathCall& call, ExprId seed, ExprId result, Block& out, const Context& ctx);
  ExprId named(ExprId value, const std::string& name, Block& out);
  unsigned countLeaves(ExprId e) const;
  // A name for the value if the operand has several leaves, which all use it.
  ExprId named1(ExprId operand, ExprId value, Block& out);
  ExprId constantMember(ExprId place) const;
  void addAdjoint(ExprId place, ExprId value, Block& out, const Context& ctx);
  // The current adjoint of a place, in a variable of its own, and the shadow set to zero.
  ExprId takeAdjoint(ExprId place, Block& out);
  // The adjoint of a place as it stands; guarded if its shadow pointer may be null.
  ExprId readAdjoint(ExprId place);
  void setZero(ExprId place, Block& out);

  // --- increments by whole loops (adjoint_hoisting.cpp)
  bool isReachable(VarId v) const;
  bool readsSharedShadows(ExprId e) const;
  bool namedBySharedShadows(ExprId place) const;
  bool onlyAddsToShadows(const Block& code) const;
  bool isFixedPlace(ExprId place, const std::set<VarId>& changing) const;
  void findReachable();
  void hoistIncrements(const ir::For& l, Block& body, Block& before, Block& behind);

  // --- increments in memory (adjoint_increments.cpp)
  void combineIncrements(Block& block);
  bool readsShadowMemory(ExprId e) const;
  Block replaceSharing(const Block& block, const std::function<ir::StmtNode(const ir::SharedIncrement&)>& by);
  Block withoutSharing(const Block& block);
  bool hasSharing(const Block& block) const;

  // --- reductions of adjoints (adjoint_accumulators.cpp)
  struct RegionUse;
  void findAccumulators(const ir::OmpParallel& p);
  RegionUse useOf(const Block& region) const;
  VarId elementOf(ExprId place) const;
  ExprId accumulatorFor(ExprId place);
  void addShared(ExprId target, ExprId sum, Block& out);

  // --- bands (adjoint_bands.cpp)
  void touched(ExprId place);
  bool settleBands(Block& block, const analysis::Bands& bands);
  ExprId valueOf(const analysis::Polynomial& p, const std::map<VarId, ExprId>& atoms);
  ExprId conflictDistance(ExprId trips, const analysis::Bands& bands);
  ExprId shadowBase(ExprId base);
  Block bandedLoop(const std::vector<StmtId>& nest, const analysis::Bands& bands, Block iteration);

  // --- what --check-lines notes (adjoint_trace.cpp)
  ExprId tracedPlace(ExprId place);
  void trace(const ir::Stmt& stmt, Block& rev);

  // --- checks at run time (adjoint_audit.cpp)
  ExprId auditedLine(ir::SourceLoc at);
  StmtId auditCall(const std::string& name, std::vector<ExprId> args, ir::SourceLoc at);
  void auditPair(ExprId place, ExprId shadow, Block& out);
  Block auditsOf(const ir::Stmt& stmt);
  bool isRegions(ExprId place, const std::set<VarId>& own) const;
  Block audited(const Block& block, const std::set<VarId>& own);
  StmtId auditedNest(StmtId loop, unsigned collapse, const std::set<VarId>& own);
  Block auditedRegion(const Block& region);

  // --- small makers
  ExprId var(VarId v);
  ExprId literal(const std::string& text, TypeId type) { return f_.addExpr(ir::Literal{text}, type); }
  ExprId intLiteral(long n) { return literal(std::to_string(n), int_); }
  ExprId binary(ir::BinaryOp op, ExprId a, ExprId b, TypeId t) { return f_.addExpr(ir::Binary{op, a, b}, t); }
  ExprId pureCall(const std::string& callee, std::vector<ExprId> args, TypeId t) {
    return f_.addExpr(ir::PureCall{callee, std::move(args)}, t);
  }
  StmtId add(ir::StmtNode node) { return f_.addStmt(std::move(node), at_, current_); }
  VarId newVar(const std::string& name, TypeId type);
  StmtId declareVar(VarId v, ir::Init init, std::vector<ExprId> args = {}) {
    return add(ir::Declare{v, init, std::move(args), ir::Storage::Automatic, {}});
  }
  bool isPointer(TypeId t) const { return ir::as<ir::PointerType>(m_, t) != nullptr; }
  TypeId pointerTo(TypeId t) { return m_.type(ir::PointerType{t}); }
  TypeId tapeReference() { return m_.type(ir::ReferenceType{m_.type(ir::TapeType{}), false}); }
  void refuse(const std::string& what, const std::string& wayOut);
  bool isPrivatePlace(ExprId place) const;

  ir::Module& m_;
  const analysis::Facts& facts_;
  const AdjointOptions& options_;
  Diagnostics& diags_;
  VariantTable& variants_;
  Variant variant_;
  const ir::Head* head_;
  ir::Function f_;  // the primal's arenas, growing
  ShadowMap shadows_;
  rules::Algebra algebra_;
  TypeId int_, long_, bool_;
  ir::SourceLoc at_;
  StmtId current_;
  bool ok_ = true;

  std::map<VarId, unsigned> level_;       // of each variable
  std::map<VarId, bool> isCounter_;
  std::map<VarId, ExprId> boundTo_;       // references declared here: what they are bound to
  std::set<VarId> written_;               // variables assigned after their declaration
  std::set<VarId> recorded_;              // something records what they hold before it overwrites it
  std::set<VarId> addressTaken_;
  std::vector<CallPair> callPairs_;
  std::set<VarId> unset_;                 // declared without a value
  std::vector<SerialLoop*> serial_;       // around the current statement; null: a fence
  std::set<VarId> escaping_;              // their address may be recorded: they need one address in both sweeps
  std::set<VarId> readAgain_;             // read by a loop that is run again, and declared outside
  std::vector<std::pair<std::string, VarId>> kept_;  // of the blocks around: calls, and the variables that have their values back
  std::set<VarId> remade_;                // declared again in the reverse part with the same initialiser
  std::set<VarId> inRegion_;              // declared inside the current parallel region
  std::map<VarId, VarId> accumulators_;   // shared scalars and small arrays whose adjoint each thread sums by itself in the current region
  std::set<VarId> reductionCopies_;
  std::set<VarId> resizedParameters_;     // heads: vectors that may have another size after the call
  Locals* locals_ = nullptr;
  Indexed* indexed_ = nullptr;        // the current free loop's
  Indexed* regionIndexed_ = nullptr;  // the current region's, if it is one loop
  std::vector<VarId> regionTapes_;    // the tapes around the current region
  std::map<StmtId, VarId> tripsOf_;
  VarId alone_;                       // the current region's or function's: whether the team is one thread
  std::vector<StmtId> nestNow_;           // Fors around the current statement, inside the indexed loop
  const analysis::Bands* bandsNow_ = nullptr;  // of the current free loop
  std::set<ExprId> touched_;                   // the primal places whose shadows that loop names so far
  std::map<ExprId, ExprId> bandedTargets_;     // of shadows in banded increments: the primal place
  bool bandsSpoiled_ = false;                  // it names a shadow that its bands don't know
  struct {
    std::set<StmtId> loops;
    std::set<VarId> sums;      // that they add to
    std::set<StmtId> behind;   // what needs these
    unsigned inside = 0;       // the current statement is in one
  } fused_;
  std::set<VarId> reachable_;             // shadow variables that pointers may reach
  std::set<VarId> recordArrays_;          // pointers to blocks of the tape
  VarId seed_;
  ExprId resultValue_;                    // joint: the primal's result
  bool needsAfterImage_ = false;
};

}  // namespace contraflow::transform
