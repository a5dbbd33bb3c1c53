// Generic walks over expressions and statements: which expressions, blocks and variables a node has, pre-order over all
// statements of a block, and rebuilding an expression bottom-up.
//
// Every function here names each node type, so that a new node breaks the build here. Ids that are "none" (an absent `if`
// clause, a dropped result, a null shadow) are not passed on.
#pragma once

#include <type_traits>
#include <utility>

#include <llvm/ADT/STLFunctionalExtras.h>

#include "ir/match.hpp"
#include "ir/module.hpp"

namespace contraflow::ir {
namespace detail {

// The lists of copies of a DataSharing, in the order of its members.
template <class D, class F>
void copyLists(D& data, F&& f) {
  f(data.privates);
  f(data.firstprivates);
  f(data.lastprivates);
  f(data.reductions);
}

void walkWhileTrue(const Function& function, StmtId id, llvm::function_ref<bool(StmtId)> f);

}  // namespace detail

// f(ExprId) for each direct operand, in order.
void forEachChildExpr(const Expr& expr, llvm::function_ref<void(ExprId)> f);
// f(ExprId&): the operand may be exchanged.
void forEachChildExpr(Expr& expr, llvm::function_ref<void(ExprId&)> f);

// f(ExprId) for each expression that stands directly in the statement: operands, targets, results, the originals in OpenMP
// clauses, MPI arguments and shadows; not those of statements inside it.
void forEachExprOfStmt(const Stmt& stmt, llvm::function_ref<void(ExprId)> f);
// f(ExprId&): the expression may be exchanged.
void forEachExprOfStmt(Stmt& stmt, llvm::function_ref<void(ExprId&)> f);

// f(const Block&) or f(Block&) for each child block, in order (`test` of a While before its body, whatever runs first). The loop
// of an OmpFor or OmpSimd is a statement, no block: see forEachLoopOfStmt.
void forEachBlockOfStmt(const Stmt& stmt, llvm::function_ref<void(const Block&)> f);
void forEachBlockOfStmt(Stmt& stmt, llvm::function_ref<void(Block&)> f);

// The For that an OmpFor or OmpSimd holds; none for every other statement.
StmtId loopOf(const Stmt& stmt);

// f(VarId) for each variable whose scope begins with this statement: that of a Declare or TapeBlock (to the end of the block around
// it), a For's counter and the copies of an OpenMP construct (inside it).
void forEachDeclaredVar(const Stmt& stmt, llvm::function_ref<void(VarId)> f);
void forEachDeclaredVar(Stmt& stmt, llvm::function_ref<void(VarId&)> f);

// f(StmtId) for every statement of the block and of the blocks inside, pre-order, in order. If f returns bool, false keeps the
// walk out of that statement's children.
template <class F>
void walkStmt(const Function& function, StmtId id, F&& f) {
  if constexpr (std::is_same_v<std::invoke_result_t<F&, StmtId>, bool>) {
    detail::walkWhileTrue(function, id, f);
  } else {
    detail::walkWhileTrue(function, id, [&](StmtId s) { return f(s), true; });
  }
}
template <class F>
void walkStmts(const Function& function, const Block& block, F&& f) {
  for (StmtId id : block) walkStmt(function, id, f);
}

// f(ExprId) for the expression and everything in it, pre-order.
void walkExpr(const Function& function, ExprId id, llvm::function_ref<void(ExprId)> f);

// f(ExprId) for every expression, with its sub-expressions, of the block and of the blocks inside.
void walkExprs(const Function& function, const Block& block, llvm::function_ref<void(ExprId)> f);

// The variable at the root of a place or address, through fields, subscripts, derefs, address-of, decays and casts (for
// `p->v[k]` that is `p`); none for a global and for anything else, pointer arithmetic included.
VarId rootVar(const Function& function, ExprId place);

// True for VarRef, GlobalRef, FieldRef, Subscript and Deref.
bool isPlace(const Expr& expr);

// Rebuilds an expression from its leaves up. f(ExprId) sees each node after its operands were rebuilt, and returns its replacement;
// the id that it got, or none, keeps the node. A node whose operands all kept their ids keeps its own, so that an expression
// that f leaves alone isn't copied. New nodes have the type and place of the old ones.
ExprId rewriteExpr(Function& function, ExprId id, llvm::function_ref<ExprId(ExprId)> f);

}  // namespace contraflow::ir
