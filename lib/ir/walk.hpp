// Generic walks over expressions and statements: which expressions, blocks and variables a node has, pre-order over all
// statements of a block, and rebuilding an expression bottom-up.
//
// Every function here names each node type, so that a new node breaks the build here. Ids that are "none" (an absent `if`
// clause, a dropped result, a null shadow) are not passed on.
#pragma once

#include <type_traits>
#include <utility>

#include "ir/match.hpp"
#include "ir/module.hpp"

namespace contraflow::ir {
namespace detail {

// T with the constness of S.
template <class S, class T>
using Like = std::conditional_t<std::is_const_v<S>, const T, T>;

// Calls f for each expression id of the arguments that is there; an argument is an id or a list of ids.
template <class F>
void give(F& f, const ExprId& id) {
  if (id.valid()) f(id);
}
template <class F>
void give(F& f, ExprId& id) {
  if (id.valid()) f(id);
}
template <class F, class List>
auto give(F& f, List& list) -> decltype(list.begin(), void()) {
  for (auto& id : list)
    if (id.valid()) f(id);
}

template <class E, class F>
void childExprs(E& expr, F& f) {
  match(
      expr.node, [](Like<E, Literal>&) {}, [](Like<E, VarRef>&) {}, [](Like<E, GlobalRef>&) {},
      [&](Like<E, FieldRef>& e) { give(f, e.base); },
      [&](Like<E, Subscript>& e) {
        give(f, e.base);
        give(f, e.index);
      },
      [&](Like<E, Deref>& e) { give(f, e.pointer); }, [&](Like<E, AddressOf>& e) { give(f, e.place); },
      [&](Like<E, Decay>& e) { give(f, e.array); }, [&](Like<E, DataOf>& e) { give(f, e.container); },
      [&](Like<E, SizeOf>& e) { give(f, e.container); }, [&](Like<E, Unary>& e) { give(f, e.operand); },
      [&](Like<E, Binary>& e) {
        give(f, e.lhs);
        give(f, e.rhs);
      },
      [&](Like<E, Cast>& e) { give(f, e.operand); },
      [&](Like<E, Conditional>& e) {
        give(f, e.condition);
        give(f, e.whenTrue);
        give(f, e.whenFalse);
      },
      [&](Like<E, MathCall>& e) { give(f, e.args); }, [&](Like<E, PureCall>& e) { give(f, e.args); },
      [&](Like<E, InitList>& e) { give(f, e.elements); });
}

// The lists of copies of a DataSharing, in the order of its members.
template <class D, class F>
void copyLists(D& data, F&& f) {
  f(data.privates);
  f(data.firstprivates);
  f(data.lastprivates);
  f(data.reductions);
}

template <class D, class F>
void exprsOfData(D& data, F& f) {
  copyLists(data, [&](auto& list) {
    for (auto& copy : list) give(f, copy.original);
  });
  give(f, data.shared);
}

template <class S, class F>
void exprsOfStmt(S& stmt, F& f) {
  match(
      stmt.node, [&](Like<S, Declare>& s) { give(f, s.args); },
      [&](Like<S, Assign>& s) {
        give(f, s.target);
        give(f, s.value);
      },
      [&](Like<S, Increment>& s) {
        give(f, s.target);
        give(f, s.value);
      },
      [&](Like<S, Call>& s) {
        give(f, s.args);
        give(f, s.result);
      },
      // `writes` repeats some of the args, but the ids are separate: a rewrite has to change both.
      [&](Like<S, Opaque>& s) {
        give(f, s.args);
        give(f, s.writes);
      },
      [&](Like<S, Restructure>& s) {
        give(f, s.container);
        give(f, s.operand);
      },
      [&](Like<S, Allocate>& s) {
        give(f, s.target);
        give(f, s.count);
      },
      [&](Like<S, Free>& s) { give(f, s.pointer); },
      [&](Like<S, If>& s) { give(f, s.condition); },
      [&](Like<S, For>& s) {
        give(f, s.init);
        give(f, s.bound);
        give(f, s.step);
      },
      [&](Like<S, While>& s) { give(f, s.condition); }, [](Like<S, Scope>&) {}, [](Like<S, Break>&) {},
      [](Like<S, Continue>&) {}, [&](Like<S, Return>& s) { give(f, s.value); },
      [&](Like<S, OmpParallel>& s) {
        exprsOfData(s.data, f);
        give(f, s.numThreads);
        give(f, s.ifCondition);
      },
      [&](Like<S, OmpFor>& s) {
        exprsOfData(s.data, f);
        give(f, s.chunk);
      },
      [&](Like<S, OmpSimd>& s) { exprsOfData(s.data, f); }, [&](Like<S, OmpSingle>& s) { exprsOfData(s.data, f); },
      [](Like<S, OmpMaster>&) {}, [](Like<S, OmpBarrier>&) {},
      [&](Like<S, OmpAtomic>& s) {
        give(f, s.target);
        give(f, s.value);
      },
      [&](Like<S, Mpi>& s) {
        give(f, s.args);
        give(f, s.result);
        give(f, s.shadows);
      },
      [&](Like<S, Push>& s) { give(f, s.value); }, [&](Like<S, Pop>& s) { give(f, s.place); },
      [&](Like<S, TapeBlock>& s) { give(f, s.count); }, [](Like<S, TapeRelease>&) {},
      [&](Like<S, Revert>& s) { give(f, s.container); },
      [&](Like<S, SharedIncrement>& s) {
        give(f, s.target);
        give(f, s.value);
        give(f, s.alone);
      },
      [&](Like<S, SetZero>& s) { give(f, s.place); }, [&](Like<S, Runtime>& s) { give(f, s.args); },
      [](Like<S, Comment>&) {});
}

template <class S, class F>
void blocksOfStmt(S& stmt, F& f) {
  match(
      stmt.node, [](Like<S, Declare>&) {}, [](Like<S, Assign>&) {}, [](Like<S, Increment>&) {}, [](Like<S, Call>&) {},
      [](Like<S, Opaque>&) {}, [](Like<S, Restructure>&) {}, [](Like<S, Allocate>&) {}, [](Like<S, Free>&) {},
      [&](Like<S, If>& s) {
        f(s.then);
        f(s.otherwise);
      },
      [&](Like<S, For>& s) { f(s.body); },
      [&](Like<S, While>& s) {
        f(s.test);
        f(s.body);
      },
      [&](Like<S, Scope>& s) { f(s.body); }, [](Like<S, Break>&) {}, [](Like<S, Continue>&) {}, [](Like<S, Return>&) {},
      [&](Like<S, OmpParallel>& s) { f(s.body); }, [](Like<S, OmpFor>&) {}, [](Like<S, OmpSimd>&) {},
      [&](Like<S, OmpSingle>& s) { f(s.body); }, [&](Like<S, OmpMaster>& s) { f(s.body); }, [](Like<S, OmpBarrier>&) {},
      [](Like<S, OmpAtomic>&) {}, [](Like<S, Mpi>&) {}, [](Like<S, Push>&) {}, [](Like<S, Pop>&) {},
      [](Like<S, TapeBlock>&) {}, [](Like<S, TapeRelease>&) {}, [](Like<S, Revert>&) {}, [](Like<S, SharedIncrement>&) {},
      [](Like<S, SetZero>&) {},
      [](Like<S, Runtime>&) {}, [](Like<S, Comment>&) {});
}

template <class S, class F>
void declaredVars(S& stmt, F& f) {
  const auto copies = [&](auto& data) {
    copyLists(data, [&](auto& list) {
      for (auto& copy : list) f(copy.copy);
    });
  };
  match(
      stmt.node, [&](Like<S, Declare>& s) { f(s.var); }, [](Like<S, Assign>&) {}, [](Like<S, Increment>&) {},
      [](Like<S, Call>&) {}, [](Like<S, Opaque>&) {}, [](Like<S, Restructure>&) {}, [](Like<S, Allocate>&) {}, [](Like<S, Free>&) {},
      [](Like<S, If>&) {},
      [&](Like<S, For>& s) { f(s.counter); },
      [](Like<S, While>&) {}, [](Like<S, Scope>&) {}, [](Like<S, Break>&) {}, [](Like<S, Continue>&) {},
      [](Like<S, Return>&) {}, [&](Like<S, OmpParallel>& s) { copies(s.data); }, [&](Like<S, OmpFor>& s) { copies(s.data); },
      [&](Like<S, OmpSimd>& s) { copies(s.data); }, [&](Like<S, OmpSingle>& s) { copies(s.data); }, [](Like<S, OmpMaster>&) {},
      [](Like<S, OmpBarrier>&) {}, [](Like<S, OmpAtomic>&) {}, [](Like<S, Mpi>&) {}, [](Like<S, Push>&) {},
      [](Like<S, Pop>&) {}, [&](Like<S, TapeBlock>& s) { f(s.pointer); }, [](Like<S, TapeRelease>&) {},
      [](Like<S, Revert>&) {}, [](Like<S, SharedIncrement>&) {}, [](Like<S, SetZero>&) {}, [](Like<S, Runtime>&) {}, [](Like<S, Comment>&) {});
}

}  // namespace detail

// f(ExprId) for each direct operand, in order.
template <class F>
void forEachChildExpr(const Expr& expr, F&& f) {
  detail::childExprs(expr, f);
}
// f(ExprId&): the operand may be exchanged.
template <class F>
void forEachChildExpr(Expr& expr, F&& f) {
  detail::childExprs(expr, f);
}

// f(ExprId) for each expression that stands directly in the statement: operands, targets, results, the originals in OpenMP
// clauses, MPI arguments and shadows; not those of statements inside it.
template <class F>
void forEachExprOfStmt(const Stmt& stmt, F&& f) {
  detail::exprsOfStmt(stmt, f);
}
// f(ExprId&): the expression may be exchanged.
template <class F>
void forEachExprOfStmt(Stmt& stmt, F&& f) {
  detail::exprsOfStmt(stmt, f);
}

// f(const Block&) or f(Block&) for each child block, in order (`test` of a While before its body, whatever runs first). The loop
// of an OmpFor or OmpSimd is a statement, no block: see forEachLoopOfStmt.
template <class F>
void forEachBlockOfStmt(const Stmt& stmt, F&& f) {
  detail::blocksOfStmt(stmt, f);
}
template <class F>
void forEachBlockOfStmt(Stmt& stmt, F&& f) {
  detail::blocksOfStmt(stmt, f);
}

// The For that an OmpFor or OmpSimd holds; none for every other statement.
inline StmtId loopOf(const Stmt& stmt) {
  if (const auto* s = std::get_if<OmpFor>(&stmt.node)) return s->loop;
  if (const auto* s = std::get_if<OmpSimd>(&stmt.node)) return s->loop;
  return {};
}

// f(VarId) for each variable whose scope begins with this statement: that of a Declare or TapeBlock (to the end of the block around
// it), a For's counter and the copies of an OpenMP construct (inside it).
template <class F>
void forEachDeclaredVar(const Stmt& stmt, F&& f) {
  detail::declaredVars(stmt, f);
}
template <class F>
void forEachDeclaredVar(Stmt& stmt, F&& f) {
  detail::declaredVars(stmt, f);
}

// f(StmtId) for every statement of the block and of the blocks inside, pre-order, in order. If f returns bool, false keeps the
// walk out of that statement's children.
template <class F>
void walkStmt(const Function& function, StmtId id, F&& f) {
  const Stmt& stmt = function[id];
  if constexpr (std::is_same_v<std::invoke_result_t<F&, StmtId>, bool>) {
    if (!f(id)) return;
  } else {
    f(id);
  }
  forEachBlockOfStmt(stmt, [&](const Block& block) {
    for (StmtId child : block) walkStmt(function, child, f);
  });
  if (const StmtId loop = loopOf(stmt)) walkStmt(function, loop, f);
}
template <class F>
void walkStmts(const Function& function, const Block& block, F&& f) {
  for (StmtId id : block) walkStmt(function, id, f);
}

// f(ExprId) for the expression and everything in it, pre-order.
template <class F>
void walkExpr(const Function& function, ExprId id, F&& f) {
  if (!id.valid()) return;
  f(id);
  forEachChildExpr(function[id], [&](ExprId child) { walkExpr(function, child, f); });
}

// f(ExprId) for every expression, with its sub-expressions, of the block and of the blocks inside.
template <class F>
void walkExprs(const Function& function, const Block& block, F&& f) {
  walkStmts(function, block, [&](StmtId id) {
    forEachExprOfStmt(function[id], [&](ExprId expr) { walkExpr(function, expr, f); });
  });
}

// The variable at the root of a place or address, through fields, subscripts, derefs, address-of, decays and casts (for
// `p->v[k]` that is `p`); none for a global and for anything else, pointer arithmetic included.
VarId rootVar(const Function& function, ExprId place);

// True for VarRef, GlobalRef, FieldRef, Subscript and Deref.
bool isPlace(const Expr& expr);

// Rebuilds an expression from its leaves up. f(ExprId) sees each node after its operands were rebuilt, and returns its replacement;
// the id that it got, or none, keeps the node. A node whose operands all kept their ids keeps its own, so that an expression
// that f leaves alone isn't copied. New nodes have the type and place of the old ones.
template <class F>
ExprId rewriteExpr(Function& function, ExprId id, F&& f) {
  if (!id.valid()) return id;
  Expr rebuilt = function[id];  // a copy: f may add nodes to the arena
  bool changed = false;
  forEachChildExpr(rebuilt, [&](ExprId& child) {
    const ExprId now = rewriteExpr(function, child, f);
    changed = changed || now != child;
    child = now;
  });
  const ExprId self = changed ? function.addExpr(std::move(rebuilt.node), rebuilt.type, rebuilt.loc) : id;
  const ExprId replaced = f(self);
  return replaced.valid() ? replaced : self;
}

}  // namespace contraflow::ir
