// Builds the tangent of one function. Internal to lib/transform; tangent.hpp says what comes out.
#pragma once

#include <map>

#include "diagnostics/diagnostics.hpp"
#include "ir/module.hpp"
#include "rules/algebra.hpp"
#include "transform/presence.hpp"
#include "transform/shadow.hpp"

namespace contraflow::transform {

// How the derivative of a result gets to the caller.
enum class ResultForm {
  Plain,  // there is none
  Pair,   // contraflow::Tangent<T>
  Out     // in a last reference parameter
};
ResultForm resultForm(const ir::Module& module, const PresenceMap& presence, const Instance& instance);

// contraflow::Tangent<T> as a record of the module: value, derivative.
ir::TypeId tangentRecord(ir::Module& module, ir::TypeId real);

class TangentBuilder {
 public:
  using Functions = std::map<Instance, ir::FuncId>;

  // The instance's signature; the body follows with `build`, when all signatures are known.
  TangentBuilder(ir::Module& module, const PresenceMap& presence, const Instance& instance, const ir::Head* head,
                 const Functions& functions, Diagnostics& diagnostics);
  TangentBuilder(const TangentBuilder&) = delete;

  const ir::Function& function() const { return f_; }
  ir::Function& function() { return f_; }
  // Fills the body. False: something was reported.
  bool build();
  // Notes the derivatives at each statement, under the primal's name: --check-lines.
  void trace(const std::string& primal) { traced_ = primal; }

 private:
  using Block = ir::Block;
  using ExprId = ir::ExprId;
  using StmtId = ir::StmtId;
  using VarId = ir::VarId;
  using TypeId = ir::TypeId;

  void makeSignature();
  void zeroGlobals(Block& out);

  // --- statements (tangent_statements.cpp)
  Block block(const Block& in);
  bool declaresResultOf(StmtId declaration, StmtId next) const;
  void statement(StmtId s, Block& out);
  void derive(StmtId s, const ir::Stmt& stmt, Block& out);
  ExprId tracedPlace(ExprId place);
  void assign(StmtId s, const ir::Assign& a, Block& out);
  void increment(StmtId s, const ir::Increment& i, Block& out);
  void returned(StmtId s, const ir::Return& r, Block& out);
  void opaque(StmtId s, const ir::Opaque& o, Block& out);
  // shadow of target = value (none: zero); with a guard where the shadow may be missing.
  void storeReal(ExprId target, ExprId value, Block& out);
  void copyObject(ExprId target, ExprId value, Block& out);
  // Calls make(shadow place) for the statement that writes it; guarded where the shadow pointer may be null.
  template <class Make>
  void onShadow(ExprId target, Block& out, Make make);

  // --- declarations (tangent_declare.cpp)
  void declare(StmtId s, const ir::Declare& d, Block& out);
  ir::Declare shadowDeclaration(const ir::Declare& d, VarId shadow, Block& behind);
  ExprId shadowList(ExprId list, bool& allZero);
  ExprId shadowElement(ExprId e, bool& allZero);
  ExprId bindable(ExprId place, TypeId type, Block& out);
  // A variable that stands for the shadow of constant memory: all reals zero.
  ExprId zeroObject(ExprId primal, TypeId type, Block& out);

  // --- calls and MPI (tangent_calls.cpp)
  // `declaration`: the bare declaration of the result right before the call, if it is to be made here.
  void call(StmtId s, const ir::Call& c, Block& out, StmtId declaration);
  ExprId shadowArgument(const Instance& callee, VarId param, ExprId arg, Block& out);
  void mpi(StmtId s, const ir::Mpi& x, Block& out);
  bool reachesRealBuffer(ExprId buffer) const;
  ExprId shadowBuffer(ExprId buffer);

  // --- OpenMP (tangent_omp.cpp)
  ir::DataSharing sharing(const ir::DataSharing& data, Block& before);
  StmtId loop(StmtId s);
  void parallel(StmtId s, ir::OmpParallel p, Block& out);
  void worksharing(StmtId s, ir::OmpFor w, Block& out);
  void simd(StmtId s, ir::OmpSimd w, Block& out);
  void single(StmtId s, ir::OmpSingle w, Block& out);

  // --- derivative code (tangent_tape.cpp)
  void push(StmtId s, const ir::Push& p, Block& out);
  void pop(StmtId s, const ir::Pop& p, Block& out);
  void tapeBlock(StmtId s, const ir::TapeBlock& b, Block& out);
  void tapeRelease(StmtId s, const ir::TapeRelease& r, Block& out);
  void sharedIncrement(StmtId s, const ir::SharedIncrement& i, Block& out);
  void setZero(StmtId s, const ir::SetZero& z, Block& out);

  // --- structure of vectors, routines of our runtime (tangent_structure.cpp)
  template <class Make>
  void onVector(ExprId vector, bool recorded, Block& out, Make make);
  void restructure(StmtId s, const ir::Restructure& r, Block& out);
  void revert(StmtId s, const ir::Revert& r, Block& out);
  void allocate(StmtId s, const ir::Allocate& a, Block& out);
  void release(StmtId s, const ir::Free& x, Block& out);
  void runtime(StmtId s, const ir::Runtime& x, Block& out);

  // --- expressions (tangent_expressions.cpp)
  // The derivative of a real expression; none if it is zero.
  ExprId tangent(ExprId e);
  ExprId tangentOfBinary(const ir::Binary& b);
  ExprId tangentOfCall(ExprId e, const ir::MathCall& call);
  ExprId tangentOfPureCall(ExprId e, const ir::PureCall& call);
  // The shadow of a real place as a value: zero where there is none.
  ExprId readShadow(ExprId place);

  // --- small makers
  ExprId var(VarId v) { return f_.addExpr(ir::VarRef{v}, ir::withoutReference(m_, f_[v].type), at_); }
  ExprId notNull(ExprId pointer);
  bool isNull(ExprId pointer) const { return std::holds_alternative<ir::Literal>(f_[pointer].node); }
  bool isPointer(TypeId t) const { return ir::as<ir::PointerType>(m_, t) != nullptr; }
  StmtId add(ir::StmtNode node) { return f_.addStmt(std::move(node), at_, current_); }
  VarId newVar(const std::string& name, TypeId type);
  void refuse(ir::SourceLoc at, const std::string& what, const std::string& wayOut);

  ir::Module& m_;
  const PresenceMap& presence_;
  Instance instance_;
  const ir::Head* head_;
  const Functions& functions_;
  Diagnostics& diags_;
  ir::Function f_;  // the primal's arenas, growing
  ShadowMap shadows_;
  rules::Algebra algebra_;
  ResultForm form_;
  VarId resultShadow_;  // ResultForm::Out
  ir::SourceLoc at_;
  StmtId current_;
  std::string traced_;
  bool ok_ = true;
};

}  // namespace contraflow::transform
