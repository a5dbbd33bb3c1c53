// Internal to lib/frontend: what lowers one function (`FunctionLowering`) of a parsed source (unit.hpp).
// Lowering is the fence: each Clang construct becomes IR in the normal form of lib/ir/README.md, or is rejected by name; all
// rejections of a run are reported. After a rejection lowering goes on with some node of the right type, so nothing here
// returns an invalid id for a construct that it has reported.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "frontend/effects.hpp"
#include "frontend/unit.hpp"
#include "frontend/wrappers.hpp"

namespace contraflow::frontend {

// --- one function ----------------------------------------------------------------------------------------------------------

class FunctionLowering {
 public:
  FunctionLowering(TranslationUnit& unit, ir::FuncId id, const clang::FunctionDecl* definition);
  void lowerBody();  // fills the function's body

  TranslationUnit& unit() { return unit_; }
  ir::Module& module() { return unit_.module(); }
  // Don't keep the reference: lowering a call may add functions to the module.
  ir::Function& function() { return unit_.module()[id_]; }
  clang::ASTContext& ast() { return unit_.ast(); }
  ir::SourceLoc loc(clang::SourceLocation at) { return unit_.loc(at); }
  void reject(DiagId id, clang::SourceLocation at, const std::vector<std::string>& args) { unit_.reject(id, at, args); }

  // --- nodes
  ir::ExprId expr(ir::ExprNode node, ir::TypeId type, clang::SourceLocation at);
  ir::ExprId literal(const std::string& text, ir::TypeId type, clang::SourceLocation at);
  ir::ExprId varRef(ir::VarId var, clang::SourceLocation at);  // its type: of the referent where it is a reference
  ir::ExprId convert(ir::ExprId value, ir::TypeId to, clang::SourceLocation at, bool isExplicit = false);  // none if of that type already
  ir::TypeId typeOf(ir::ExprId e) { return function()[e].type; }
  ir::TypeId lowerType(clang::QualType type, clang::SourceLocation at) { return unit_.type(type, at); }
  ir::TypeId valueType(clang::QualType type, clang::SourceLocation at);  // without const and reference
  ir::TypeId intType();
  ir::TypeId boolType();
  ir::TypeId sizeType();
  ir::TypeId pointerTo(ir::TypeId pointee);

  // --- statements: appended to the current block
  ir::StmtId emit(ir::StmtNode node, clang::SourceLocation at);
  // Makes `target` the current block as long as it lives.
  class InBlock {
   public:
    InBlock(FunctionLowering& f, ir::Block& target) : f_(f), saved_(f.block_) { f.block_ = &target; }
    ~InBlock() { f_.block_ = saved_; }
    InBlock(const InBlock&) = delete;
    InBlock& operator=(const InBlock&) = delete;

   private:
    FunctionLowering& f_;
    ir::Block* saved_;
  };
  ir::Block lowerBlock(const clang::Stmt* s);  // the statement(s) as a block of their own, without emitting it

  // --- variables
  // The variable that a declaration denotes here; an overriding copy (OpenMP) first. None if it isn't known as a variable
  // (a global, unless overridden).
  std::optional<ir::VarId> variable(const clang::VarDecl* decl) const;
  void bind(const clang::VarDecl* decl, ir::VarId var) {
    variables_[decl->getCanonicalDecl()] = var;
    declarations_[var] = decl->getCanonicalDecl();
  }
  // Bindings made while it lives are forgotten at its end.
  class BindingScope {
   public:
    explicit BindingScope(FunctionLowering& f) : f_(f), saved_(f.variables_), substitutions_(f.substitutions_) {}
    ~BindingScope() {
      f_.variables_ = std::move(saved_);
      f_.substitutions_ = std::move(substitutions_);
    }
    BindingScope(const BindingScope&) = delete;
    BindingScope& operator=(const BindingScope&) = delete;

   private:
    FunctionLowering& f_;
    std::map<const clang::VarDecl*, ir::VarId> saved_;
    std::map<const clang::VarDecl*, ir::ExprId> substitutions_;
  };
  // A new variable; doesn't emit its Declare. Constness of the type is kept.
  ir::VarId addVariable(const std::string& name, ir::TypeId type, clang::SourceLocation at, bool isTemporary = false);
  // Declares a temporary (without const) in the current block: uninitialised, or holding `value`.
  ir::VarId temporary(const std::string& name, ir::TypeId type, clang::SourceLocation at);
  ir::ExprId spill(ir::ExprId value, const std::string& name, clang::SourceLocation at);  // reference to the temporary

  // --- expressions (expressions.cpp …): side effects go to the current block, in C++'s order
  ir::ExprId lowerExpr(const clang::Expr* e);     // the value
  ir::ExprId lowerPlace(const clang::Expr* e);    // of a glvalue; a temporary where `e` is a prvalue
  void lowerDiscarded(const clang::Expr* e);      // for its side effects only
  ir::ExprId lowerCondition(const clang::Expr* e);  // as bool
  // The place with its indices and pointers copied into temporaries where a callee, or a statement yet to come, may write them.
  ir::ExprId stablePlace(ir::ExprId place);
  // The same for what only these effects may change.
  ir::ExprId stablePlace(ir::ExprId place, const Effects& changes);
  ir::ExprId stableValue(ir::ExprId value, const std::string& name, const Effects& changes);
  // The value, copied into a temporary where a callee could change what it reads.
  ir::ExprId stableValue(ir::ExprId value, const std::string& name);
  // True if the expression reads memory that a callee may write: anything but constants and locals whose address isn't taken.
  bool readsSharedMemory(ir::ExprId e, bool asPlace = false);

  // --- statements (statements.cpp, loops.cpp)
  void lowerStmt(const clang::Stmt* s);
  // A ForStmt or CXXForRangeStmt as ir::For, made but not emitted (what has to run before it is). None if it isn't a counted
  // loop: nothing has been emitted or reported then. `worksharing`: OpenMP's rules hold: the bounds are invariant, and the
  // counter may be declared before (it is bound to the For's own counter in the body).
  std::optional<ir::StmtId> lowerCountedLoop(const clang::Stmt* loop, bool worksharing);
  ir::ExprId startValue(const clang::Expr* start, ir::TypeId counterType, clang::SourceLocation at);

  // --- hooks: true if the construct was theirs (lowered or reported)
  bool lowerOmpDirective(const clang::OMPExecutableDirective* directive);                     // omp*.cpp
  bool lowerMpiCall(const clang::CallExpr* call, std::optional<ir::ExprId> resultPlace);      // mpi*.cpp
  bool lowerOutput(const clang::Expr* e);  // io.cpp: a discarded expression that prints (printf family, streams)

 private:
  struct Loop {
    const clang::Expr* step = nullptr;  // of a `for` that became a While: runs before each `continue`
    bool isWhile = false;
    bool isSwitch = false;  // a block that `break` leaves; `continue` goes through it
    bool isLabel = false;   // a block that `goto` leaves; `break` and `continue` go through it
    std::size_t cleanups = 0;  // those outside
  };
  struct Label {  // what a `goto` of it leaves: a block in front of it, or the loop that begins with it
    const clang::LabelDecl* decl;
    std::size_t depth;  // of loops_ inside
    std::size_t cleanups;
    ir::VarId again;  // of a loop
  };
  struct Cleanup {  // an object whose destructor is still to run
    ir::ExprId object;
    const clang::CXXDestructorDecl* destructor;
  };
  struct Inlined {  // a function whose body is being lowered in place of a call
    const clang::FunctionDecl* definition;
    bool isBlock = false;  // in a block that `return` leaves; otherwise there is no `return` but the one at the end
    ir::VarId result;      // of a block: receives the value, or the address of what is returned by reference
    std::size_t loops = 0;  // depth of loops_ outside
    std::size_t cleanups = 0;  // those outside
  };
  struct Jumps {  // flags of the loop or switch that is being lowered: jumps that leave more than it
    ir::VarId skip, left, broken;
    std::map<const clang::LabelDecl*, ir::VarId> labels;
  };

  // nodes.cpp
  ir::ExprId clone(ir::ExprId e);
  ir::ExprId errorValue(clang::QualType type, clang::SourceLocation at);  // goes on after a rejection
  ir::ExprId unsupported(const clang::Expr* e, const std::string& what, const std::string& wayOut);
  ir::ExprId binary(ir::BinaryOp op, ir::ExprId lhs, ir::ExprId rhs, ir::TypeId type, clang::SourceLocation at);
  ir::ExprId deref(ir::ExprId pointer, clang::SourceLocation at);
  ir::ExprId addressOf(ir::ExprId place, clang::SourceLocation at);
  ir::ExprId one(ir::TypeId type, clang::SourceLocation at);
  bool mayChange(ir::ExprId e, const Effects& effects, bool asPlace = false);
  // True if the container may have another size or buffer after code with these effects.
  bool structureMayChange(ir::ExprId container, const Effects& effects);
  void append(const ir::Block& statements);
  // Lowers in order, each by its function; a value that a later one may change is copied in between.
  std::vector<ir::ExprId> inOrder(const std::vector<const clang::Expr*>& operands,
                                  const std::vector<bool>& asPlace = {});

  // expressions.cpp
  ir::ExprId lowerCast(const clang::CastExpr* e);
  ir::ExprId toDerived(ir::ExprId base, const clang::CastExpr* e);
  ir::ExprId toBase(ir::ExprId object, const clang::CastExpr* e);
  ir::ExprId lowerUnary(const clang::UnaryOperator* e);
  ir::ExprId lowerBinary(const clang::BinaryOperator* e);
  ir::ExprId lowerLogical(const clang::BinaryOperator* e);
  ir::ExprId lowerConditional(const clang::AbstractConditionalOperator* e);
  std::optional<bool> knownCondition(ir::ExprId condition);
  ir::ExprId lowerConditionalPlace(const clang::AbstractConditionalOperator* e);
  ir::ExprId lowerDeclRef(const clang::ValueDecl* decl, const clang::Expr* e);
  ir::ExprId lowerMember(const clang::MemberExpr* e);
  ir::ExprId lowerSubscript(const clang::ArraySubscriptExpr* e);
  std::optional<ir::ExprId> macroConstant(const clang::Expr* e);

  // assignments.cpp
  ir::ExprId lowerAssignment(const clang::BinaryOperator* e, bool discarded);  // the place
  ir::ExprId lowerCompound(const clang::CompoundAssignOperator* e, bool discarded);
  ir::ExprId lowerIncDec(const clang::UnaryOperator* e, bool discarded);
  void assignTo(ir::ExprId place, const clang::Expr* value, clang::SourceLocation at);
  void step(ir::ExprId place, ir::ExprId value, bool subtract, clang::SourceLocation at);

  // calls.cpp
  enum class Want { Value, Place, Nothing };
  // A call of any kind. `result`: a place of the call's type that receives the result.
  ir::ExprId lowerCall(const clang::CallExpr* e, Want want, std::optional<ir::ExprId> result = {});
  ir::ExprId lowerFunctionCall(const clang::FunctionDecl* callee, const clang::CallExpr* e, Want want,
                               std::optional<ir::ExprId> result);
  bool isVirtualCall(const clang::FunctionDecl* callee, const clang::CallExpr* e);
  void stabilise(std::vector<ir::ExprId>& values, const std::vector<clang::QualType>& params, const std::vector<std::string>& names,
                 clang::SourceLocation at);
  // A call with values that the callee can't change, the object first.
  ir::ExprId emitCall(const clang::FunctionDecl* callee, std::vector<ir::ExprId> values, Want want, std::optional<ir::ExprId> result,
                      clang::SourceLocation at);
  ir::ExprId lowerInactiveCall(const clang::FunctionDecl* callee, const clang::CallExpr* e, std::optional<ir::ExprId> result);
  const clang::CallExpr* directCall(const clang::Expr* e);  // `e` is just a call of a function with a body
  ir::ExprId giveResult(ir::ExprId value, std::optional<ir::ExprId> result, clang::SourceLocation at);
  void rejectCall(const clang::FunctionDecl* callee, const clang::CallExpr* e);

  // targets.cpp: calls whose callee is chosen at run time
  struct Choice {
    ir::ExprId condition;
    const clang::FunctionDecl* callee;
    std::optional<ir::ExprId> object;
  };
  ir::ExprId choose(const std::vector<Choice>& choices, const std::vector<ir::ExprId>& args, clang::QualType returned, Want want,
                    std::optional<ir::ExprId> result, const std::function<void()>& otherwise, clang::SourceLocation at);
  ir::ExprId lowerIndirectCall(const clang::CallExpr* e, Want want, std::optional<ir::ExprId> result);
  ir::ExprId callPointer(clang::QualType pointer, ir::ExprId selector, std::optional<ir::ExprId> object, const std::vector<ir::ExprId>& args,
                         const std::string& text, Want want, std::optional<ir::ExprId> result, clang::SourceLocation at);
  ir::ExprId lowerVirtualCall(const clang::CXXMethodDecl* method, const clang::Expr* object, ir::ExprId self,
                              const std::vector<ir::ExprId>& args, Want want, std::optional<ir::ExprId> result, clang::SourceLocation at);
  ir::ExprId lowerMemberPointer(const clang::BinaryOperator* e);
  ir::ExprId targetLiteral(const clang::ValueDecl* target, ir::TypeId type, clang::SourceLocation at);
  // Ends the run with a message; `pointer`: it names the dynamic type of what that points to.
  void stop(const std::string& what, clang::SourceLocation at, std::optional<ir::ExprId> pointer = {});

  // complex.cpp
  struct Complex {
    ir::ExprId re, im;  // no im: a real operand
  };
  Complex complexValue(const clang::Expr* e);
  void assignComplex(ir::ExprId place, Complex value, clang::SourceLocation at);
  void declareComplex(ir::VarId var, const clang::Expr* init, clang::SourceLocation at);
  std::optional<ir::ExprId> lowerComplexCall(const clang::FunctionDecl* callee, const clang::CallExpr* e, std::optional<ir::ExprId> result);
  ir::ExprId complexMethod(const clang::CXXMethodDecl* method, const clang::CallExpr* e, std::optional<ir::ExprId> result);
  std::optional<ir::ExprId> realFunction(const clang::FunctionDecl* callee, const clang::CallExpr* e);
  std::optional<Complex> complexFunction(const clang::FunctionDecl* callee, const clang::CallExpr* e);
  std::optional<Complex> smallPower(Complex z, const clang::Expr* exponent, clang::SourceLocation at);
  Complex powerOfComplex(Complex z, Complex w, ir::TypeId object, clang::SourceLocation at);
  Complex tangent(Complex z, bool hyperbolic, clang::SourceLocation at);
  Complex powerOfReal(ir::ExprId x, Complex w, ir::TypeId object, clang::SourceLocation at);
  Complex arithmetic(clang::OverloadedOperatorKind op, Complex a, Complex b, clang::SourceLocation at);
  std::vector<Complex> operands(const std::vector<const clang::Expr*>& list, ir::TypeId part);
  Complex withZero(Complex z, clang::SourceLocation at);
  Complex partsOf(ir::ExprId place, clang::SourceLocation at);
  Complex product(Complex a, Complex b, clang::SourceLocation at);
  Complex quotient(Complex a, Complex b, clang::SourceLocation at);
  Complex polar(ir::ExprId size, ir::ExprId angle, clang::SourceLocation at);
  Complex logarithm(Complex z, clang::SourceLocation at);
  Complex exponential(Complex z, clang::SourceLocation at);
  ir::ExprId shared(ir::ExprId e, const char* name, clang::SourceLocation at);
  void share(Complex& z, clang::SourceLocation at);
  bool mayReadMemory(ir::ExprId value);
  ir::ExprId real(const char* text, ir::TypeId type, clang::SourceLocation at);
  ir::TypeId partType(clang::QualType type, clang::SourceLocation at);
  void rejectComplex(const clang::FunctionDecl* callee, clang::SourceLocation at);

  // tuples.cpp: std::pair and std::tuple, records of their elements
  std::optional<ir::ExprId> lowerTupleCall(const clang::FunctionDecl* callee, const clang::CallExpr* e, Want want,
                                           std::optional<ir::ExprId> result);
  void declareTuple(ir::VarId var, const clang::Expr* init, clang::SourceLocation at);
  void declareTuple(ir::VarId var, const std::vector<const clang::Expr*>& elements, clang::SourceLocation at);
  void assignTuple(ir::ExprId place, const clang::Expr* value, clang::SourceLocation at);
  void copyTuple(ir::ExprId target, ir::ExprId source, clang::SourceLocation at);
  void assignTie(const clang::CallExpr* tie, const clang::Expr* value, clang::SourceLocation at);
  ir::ExprId tupleElement(ir::ExprId tuple, unsigned k, clang::SourceLocation at);
  ir::ExprId compare(clang::OverloadedOperatorKind op, ir::ExprId a, ir::ExprId b, clang::SourceLocation at);
  ir::ExprId isEqual(ir::ExprId a, ir::ExprId b, clang::SourceLocation at);
  ir::ExprId isLess(ir::ExprId a, ir::ExprId b, clang::SourceLocation at);
  ir::ExprId areEqual(ir::ExprId a, ir::ExprId b, clang::SourceLocation at);    // containers
  ir::ExprId comesBefore(ir::ExprId a, ir::ExprId b, clang::SourceLocation at);
  void bindElements(const clang::VarDecl* decl);  // of a structured binding

  // gotos.cpp
  void lowerSequence(const std::vector<const clang::Stmt*>& statements);
  void lowerLabelBlock(const clang::LabelDecl* label, const std::vector<const clang::Stmt*>& statements, bool isLoop, clang::SourceLocation at);
  void lowerGoto(const clang::LabelDecl* label, clang::SourceLocation at);
  void lowerBreak(clang::SourceLocation at);

  // destructors.cpp: of objects in parts
  const clang::CXXDestructorDecl* destructorOf(clang::QualType type);
  void willDestroy(ir::ExprId object, clang::QualType type, clang::SourceLocation at);
  void forgetCleanup(ir::ExprId object);  // it lives on by another name
  void destroyDownTo(std::size_t cleanups, clang::SourceLocation at);  // on the way out of a scope; they stay known
  void endScope(std::size_t cleanups, clang::SourceLocation at);
  void runDestructor(ir::ExprId object, const clang::CXXDestructorDecl* destructor, clang::SourceLocation at);

  // exits.cpp: what leaves the function for good: throw, std::abort and their like
  bool lowerExit(const clang::Expr* e);

  // library.cpp, math.cpp: none where the function isn't theirs
  std::optional<ir::ExprId> lowerLibraryCall(const clang::FunctionDecl* callee, const clang::CallExpr* e);
  std::optional<ir::ExprId> lowerMathCall(const clang::FunctionDecl* callee, const clang::CallExpr* e);
  std::optional<ir::ExprId> mathCall(const clang::FunctionDecl* callee, std::vector<ir::ExprId> values, clang::QualType result,
                                     clang::SourceLocation at);
  static bool isMathFunction(const clang::FunctionDecl* callee);
  ir::ExprId lowerMinMax(const clang::CallExpr* e, bool isMin);
  void lowerSwap(const clang::CallExpr* e);

  // containers.cpp
  std::optional<ir::ExprId> lowerContainerCall(const clang::CallExpr* e);
  bool declareContainer(ir::VarId var, const clang::Expr* init, clang::SourceLocation at);

  // whole_objects.cpp: objects that aren't trivially copyable
  enum class Transfer {
    Copy,
    Move,   // the source is left empty
    Steal   // what becomes of the source doesn't matter
  };
  ir::ExprId sizeLiteral(std::uint64_t n, clang::SourceLocation at);
  ir::ExprId sizeOf(ir::ExprId vector, clang::SourceLocation at);
  ir::ExprId elementOf(ir::ExprId container, ir::ExprId index, clang::SourceLocation at);
  void restructure(ir::Structure op, ir::ExprId vector, ir::ExprId operand, clang::SourceLocation at);
  void forEachIndex(ir::ExprId first, ir::ExprId count, const std::function<void(ir::ExprId)>& body, clang::SourceLocation at);
  ir::ExprId fixedPlace(ir::ExprId place, clang::SourceLocation at);
  void copyWhole(ir::ExprId target, ir::ExprId source, Transfer how, clang::SourceLocation at);
  void assignWhole(ir::ExprId place, const clang::Expr* value, clang::SourceLocation at);
  ir::ExprId wholeTemporary(const clang::Expr* value, ir::TypeId type, clang::SourceLocation at);
  void declareCopy(ir::VarId var, const clang::Expr* from, clang::SourceLocation at);
  void swapWhole(ir::ExprId a, ir::ExprId b, clang::SourceLocation at);

  // vectors.cpp
  std::optional<ir::ExprId> lowerVectorChange(const std::string& name, const clang::CallExpr* e, unsigned firstArg,
                                              const std::function<ir::ExprId()>& object);
  ir::ExprId elementValue(const clang::Expr* e, ir::TypeId element, clang::SourceLocation at);
  void setElement(ir::ExprId vector, ir::ExprId index, ir::ExprId value, clang::SourceLocation at);
  void append(ir::ExprId vector, ir::ExprId value, clang::SourceLocation at);
  ir::ExprId lastIndex(ir::ExprId vector, clang::SourceLocation at);
  void fillElements(ir::ExprId vector, ir::ExprId first, ir::ExprId value, clang::SourceLocation at);
  void assignElements(ir::ExprId vector, const clang::InitListExpr* list, clang::SourceLocation at);
  void assignRange(ir::ExprId vector, const clang::Expr* first, const clang::Expr* last, clang::SourceLocation at);
  // A member of type std::vector, which begins empty.
  void initialiseVector(ir::ExprId vector, const clang::Expr* init, clang::SourceLocation at);
  void assignVector(ir::ExprId vector, const clang::Expr* value, clang::SourceLocation at);
  ir::ExprId insertElement(ir::ExprId vector, const clang::Expr* position, const clang::Expr* x, clang::SourceLocation at);
  ir::ExprId eraseElements(ir::ExprId vector, const clang::Expr* first, const clang::Expr* last, clang::SourceLocation at);
  void emplaceBack(ir::ExprId vector, const std::vector<const clang::Expr*>& args, clang::SourceLocation at);

  // iterators.cpp: pointers to elements
  struct Range {
    ir::ExprId first, count;
    bool reversed = false;  // by reverse iterators: from the element before `first`, downwards
  };
  ir::TypeId ptrdiffType();
  bool isZero(ir::ExprId e);
  ir::ExprId elementAt(ir::ExprId pointer, ir::ExprId index, clang::SourceLocation at);
  ir::ExprId pointerInto(ir::ExprId container, ir::ExprId index, clang::SourceLocation at);
  ir::ExprId indexIn(ir::ExprId container, const clang::Expr* iterator, clang::SourceLocation at);
  ir::ExprId difference(ir::ExprId last, ir::ExprId first, clang::SourceLocation at);
  Range lowerRange(const clang::Expr* first, const clang::Expr* last, clang::SourceLocation at);
  ir::ExprId iteratorValue(const clang::CXXConstructExpr* e);
  std::optional<ir::ExprId> lowerIteratorCall(const clang::FunctionDecl* f, const clang::CallExpr* e, Want want);
  std::optional<ir::StmtId> lowerIteratorLoop(const clang::ForStmt* s);

  // allocations.cpp
  bool canAllocate(ir::TypeId element, clang::SourceLocation at);
  void allocateInto(ir::ExprId target, const clang::Expr* e);
  ir::ExprId lowerAllocation(const clang::Expr* e);
  bool isElementSize(const clang::Expr* e, clang::QualType element);
  ir::ExprId lowerDelete(const clang::CXXDeleteExpr* e);
  std::optional<ir::ExprId> lowerFree(const std::string& name, const clang::CallExpr* e);

  // smart_pointers.cpp
  void ownWhat(ir::ExprId owner, const clang::Expr* e, clang::SourceLocation at);
  void declareOwner(ir::VarId var, const clang::Expr* init, clang::SourceLocation at);
  std::optional<ir::ExprId> lowerUniquePointerCall(const clang::FunctionDecl* f, const clang::CallExpr* e);

  // bulk.cpp: operations of the standard library on ranges
  std::optional<ir::ExprId> lowerBulk(const std::string& name, const clang::CallExpr* e);
  std::optional<ir::ExprId> lowerMemory(const std::string& name, const clang::CallExpr* e);
  ir::ExprId itemOf(const Range& range, ir::ExprId k, clang::SourceLocation at);
  ir::ExprId positionIn(const Range& range, ir::ExprId k, clang::SourceLocation at);
  Range heldStart(const clang::Expr* e, const std::string& name);
  Range heldRange(const clang::Expr* first, const clang::Expr* last, clang::SourceLocation at);
  bool canApply(const clang::Expr* functor);
  const clang::FunctionDecl* bodyOf(clang::QualType functor, const std::vector<ir::ExprId>& args);
  ir::ExprId functorPlace(const clang::Expr* functor);
  std::optional<ir::ExprId> applied(const clang::Expr* functor, ir::ExprId object, const std::vector<ir::ExprId>& args, clang::SourceLocation at);
  void copyElements(const Range& from, const Range& to, ir::ExprId count, clang::SourceLocation at);
  void forEachItem(const Range& range, const std::function<void(ir::ExprId item, ir::ExprId k)>& body, clang::SourceLocation at);
  void copyBackwards(ir::ExprId from, ir::ExprId to, ir::ExprId count, clang::SourceLocation at);
  ir::ExprId elementsInBytes(const clang::Expr* bytes, clang::QualType element);
  ir::ExprId lowerSum(const std::string& name, const clang::CallExpr* e);
  ir::ExprId lowerBestElement(const std::string& name, const clang::CallExpr* e);
  ir::ExprId lowerTransform(const clang::CallExpr* e);

  // algorithms.cpp: scans and searches
  std::optional<ir::ExprId> lowerAlgorithm(const std::string& name, const clang::CallExpr* e);
  ir::ExprId combine(const clang::Expr* functor, ir::ExprId object, ir::BinaryOp plain, ir::ExprId a, ir::ExprId b, clang::SourceLocation at);
  ir::ExprId lowerScan(const std::string& name, const clang::CallExpr* e);
  ir::ExprId lowerDifferences(const clang::CallExpr* e);
  ir::ExprId lowerCount(const std::string& name, const clang::CallExpr* e);
  ir::ExprId lowerFind(const std::string& name, const clang::CallExpr* e);
  ir::ExprId lowerBound(const std::string& name, const clang::CallExpr* e);
  ir::ExprId lowerFilter(const std::string& name, const clang::CallExpr* e);
  ir::ExprId lowerReplace(const std::string& name, const clang::CallExpr* e);
  ir::ExprId lowerRotate(const clang::CallExpr* e);
  void reverseItems(const Range& range, clang::SourceLocation at);
  ir::ExprId fixedValue(const clang::Expr* e, const std::string& name);
  // sorting.cpp
  void lowerSort(const Range& range, const clang::Expr* less, clang::SourceLocation at);

  // function_objects.cpp: std::function, which stands for what it was made of
  ir::ExprId noCallable(clang::SourceLocation at);
  bool isNoCallable(ir::ExprId e);
  ir::ExprId heldCallable(const clang::Expr* e);
  ir::ExprId callableFrom(const clang::Expr* e);
  bool declareFunctionObject(const clang::VarDecl* decl);
  bool assignFunctionObject(const clang::Expr* object, const clang::Expr* value);
  ir::ExprId callHeld(ir::ExprId callable, const clang::CallExpr* e, Want want, std::optional<ir::ExprId> result);
  std::optional<ir::ExprId> lowerFunctionObjectCall(const clang::FunctionDecl* f, const clang::CallExpr* e, Want want,
                                                    std::optional<ir::ExprId> result);

  // initialisers.cpp
  void lowerVarDecl(const clang::VarDecl* decl);
  void initialise(ir::VarId var, const clang::Expr* init, clang::SourceLocation at);
  ir::ExprId lowerInitList(const clang::InitListExpr* list);
  void initialiseMembers(ir::VarId var, const clang::InitListExpr* list, clang::SourceLocation at);
  ir::ExprId recordTemporary(const clang::Expr* e, const std::string& name);

  // constructors.cpp
  void construct(ir::VarId var, const clang::CXXConstructExpr* e);
  void inlineConstructor(ir::ExprId object, const clang::CXXConstructExpr* e);
  void runConstructor(ir::ExprId object, const clang::CXXConstructorDecl* ctor, const std::vector<const clang::Expr*>& args,
                      clang::SourceLocation at);
  void initialiseMember(ir::ExprId object, const clang::FieldDecl* field, const clang::Expr* init, clang::SourceLocation at);
  void lowerConstructorBody(const clang::CXXConstructorDecl* ctor);

  // switches.cpp
  void lowerSwitch(const clang::SwitchStmt* s);

  // inlining.cpp: functions that are lowered in place of their call
  struct Arguments {  // lowered in C++'s order
    std::optional<ir::ExprId> object;
    std::vector<ir::ExprId> values;  // places for parameters of reference type
  };
  // The definition, where the call of it has to be replaced by its body: accessors, lambdas, what takes an object in parts.
  const clang::FunctionDecl* inlined(const clang::FunctionDecl* callee, const clang::CallExpr* e);
  ir::ExprId inlineCall(const clang::FunctionDecl* definition, const Arguments& arguments, Want want, std::optional<ir::ExprId> result,
                        clang::SourceLocation at);
  bool hasTypedContext(const clang::FunctionDecl* callee, const std::vector<ir::ExprId>& values);
  void bindArguments(const clang::FunctionDecl* definition, const std::vector<ir::ExprId>& values, const Effects& body,
                     clang::SourceLocation at);
  void lowerInlinedReturn(const clang::ReturnStmt* s);
  void leaveInlined(clang::SourceLocation at);
  // Runs `lower`, which emits a loop or a switch; behind it come the jumps that leave more than that.
  void lowerJumpTarget(const std::function<void()>& lower, clang::SourceLocation at);

  // parts.cpp: objects that are lowered as their members, each a variable: lambdas, and what derivative code couldn't declare a
  // shadow of (reference members, no default constructor). The object's own variable is never declared.
  bool needsParts(clang::QualType type);
  bool inParts(ir::ExprId e);
  ir::ExprId member(ir::ExprId object, unsigned field, ir::TypeId type, clang::SourceLocation at);
  ir::ExprId objectInParts(clang::QualType type, const std::string& name, clang::SourceLocation at);
  void initialiseParts(ir::ExprId object, const clang::Expr* init, clang::SourceLocation at);
  void declareParts(ir::ExprId object, const clang::CXXRecordDecl* record, clang::SourceLocation at);
  void initialisePart(ir::ExprId object, const clang::FieldDecl* field, const clang::Expr* init, clang::SourceLocation at);
  void copyParts(ir::ExprId object, ir::ExprId from, const clang::CXXRecordDecl* record, bool assign, clang::SourceLocation at);
  void aliasPart(ir::ExprId object, unsigned field, ir::ExprId place, const std::string& name, clang::SourceLocation at);
  void copyArray(ir::ExprId target, ir::ExprId source, clang::SourceLocation at);
  ir::ExprId lambdaInParts(const clang::LambdaExpr* e);
  void rejectWholeUses();

  // unions.cpp
  // A scalar that is reached through a member of a union for which another one stands.
  std::optional<ir::ExprId> lowerUnionView(const clang::Expr* e);
  ir::ExprId scalarAt(ir::ExprId place, clang::QualType type, std::uint64_t offset, clang::SourceLocation at);
  ir::ExprId viewOf(ir::ExprId object, const clang::FieldDecl* field, clang::SourceLocation at);
  bool hasAnonymousOrUnion(clang::QualType type);
  void assignList(ir::ExprId object, const clang::InitListExpr* list, clang::SourceLocation at);
  void declareUnionParts(ir::ExprId object, const clang::CXXRecordDecl* record, const clang::FieldDecl* first, const clang::Expr* init,
                         clang::SourceLocation at);
  // union_checks.cpp: refuses unions in parts that may be read as another member than was written last.
  void checkUnions();

  // statements.cpp
  void lowerIf(const clang::IfStmt* s);
  void lowerReturn(const clang::ReturnStmt* s);
  bool isAssert(const clang::Expr* e, const clang::Expr** condition);
  void declareParameters();

  // loops.cpp
  void lowerFor(const clang::ForStmt* s);
  void lowerForAsWhile(const clang::ForStmt* s);
  void lowerWhile(const clang::WhileStmt* s);
  void lowerDo(const clang::DoStmt* s);
  void lowerRangeFor(const clang::CXXForRangeStmt* s);
  void lowerContinue(clang::SourceLocation at);
  ir::Block lowerLoopBody(const clang::Stmt* body, Loop loop);

  TranslationUnit& unit_;
  ir::FuncId id_;
  const clang::FunctionDecl* definition_;
  Effects effects_;  // of the whole body
  ir::Block* block_ = nullptr;
  std::map<const clang::VarDecl*, ir::VarId> variables_;     // canonical declarations
  std::map<ir::VarId, const clang::VarDecl*> declarations_;  // the other way
  ir::ExprId self_;                                          // the object of a method
  std::vector<Loop> loops_;
  Jumps jumps_;
  std::vector<Inlined> inlined_;
  unsigned helperStatements_ = 0;  // of all helpers taken apart so far
  std::vector<Label> labels_;
  std::vector<Cleanup> cleanups_;
  std::map<const clang::VarDecl*, ir::ExprId> substitutions_;  // parameters of inlined functions: what stands for them
  std::map<ir::VarId, std::map<unsigned, ir::ExprId>> parts_;   // of an object in parts: the place of each field
  std::map<ir::VarId, const clang::LambdaExpr*> lambdas_;       // … that is a closure
  std::map<ir::VarId, clang::QualType> callables_;              // function objects that a std::function holds
  std::map<const clang::VarDecl*, const ir::Block*> emptyCallables_;  // std::functions without a function yet, and where they are declared
  std::map<std::pair<ir::VarId, unsigned>, const ir::Block*> emptyParts_;  // … that are members of objects in parts
  std::set<ir::VarId> partVariables_;
  struct UnionInParts {
    ir::VarId object;
    std::vector<ir::VarId> members;
  };
  std::vector<UnionInParts> unions_;
  std::set<ir::VarId> owners_;  // std::unique_ptrs
  std::set<const clang::Stmt*> collapsedLoops_;  // inner loops of an OpenMP collapse: lowerFor counts them as worksharing
};

}  // namespace contraflow::frontend
