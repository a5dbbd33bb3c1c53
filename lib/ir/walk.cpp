#include "ir/walk.hpp"

namespace contraflow::ir {
namespace {

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

template <class D, class F>
void exprsOfData(D& data, F& f) {
  detail::copyLists(data, [&](auto& list) {
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
    detail::copyLists(data, [&](auto& list) {
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

}  // namespace

void forEachChildExpr(const Expr& expr, llvm::function_ref<void(ExprId)> f) { childExprs(expr, f); }
void forEachChildExpr(Expr& expr, llvm::function_ref<void(ExprId&)> f) { childExprs(expr, f); }
void forEachExprOfStmt(const Stmt& stmt, llvm::function_ref<void(ExprId)> f) { exprsOfStmt(stmt, f); }
void forEachExprOfStmt(Stmt& stmt, llvm::function_ref<void(ExprId&)> f) { exprsOfStmt(stmt, f); }
void forEachBlockOfStmt(const Stmt& stmt, llvm::function_ref<void(const Block&)> f) { blocksOfStmt(stmt, f); }
void forEachBlockOfStmt(Stmt& stmt, llvm::function_ref<void(Block&)> f) { blocksOfStmt(stmt, f); }
void forEachDeclaredVar(const Stmt& stmt, llvm::function_ref<void(VarId)> f) { declaredVars(stmt, f); }
void forEachDeclaredVar(Stmt& stmt, llvm::function_ref<void(VarId&)> f) { declaredVars(stmt, f); }

StmtId loopOf(const Stmt& stmt) {
  if (const auto* s = std::get_if<OmpFor>(&stmt.node)) return s->loop;
  if (const auto* s = std::get_if<OmpSimd>(&stmt.node)) return s->loop;
  return {};
}

void detail::walkWhileTrue(const Function& function, StmtId id, llvm::function_ref<bool(StmtId)> f) {
  if (!f(id)) return;
  const Stmt& stmt = function[id];
  forEachBlockOfStmt(stmt, [&](const Block& block) {
    for (StmtId child : block) walkWhileTrue(function, child, f);
  });
  if (const StmtId loop = loopOf(stmt)) walkWhileTrue(function, loop, f);
}

void walkExpr(const Function& function, ExprId id, llvm::function_ref<void(ExprId)> f) {
  if (!id.valid()) return;
  f(id);
  forEachChildExpr(function[id], [&](ExprId child) { walkExpr(function, child, f); });
}

void walkExprs(const Function& function, const Block& block, llvm::function_ref<void(ExprId)> f) {
  walkStmts(function, block, [&](StmtId id) {
    forEachExprOfStmt(function[id], [&](ExprId expr) { walkExpr(function, expr, f); });
  });
}

ExprId rewriteExpr(Function& function, ExprId id, llvm::function_ref<ExprId(ExprId)> f) {
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


bool isPlace(const Expr& expr) {
  return match(
      expr.node, [](const Literal&) { return false; }, [](const VarRef&) { return true; },
      [](const GlobalRef&) { return true; }, [](const FieldRef&) { return true; }, [](const Subscript&) { return true; },
      [](const Deref&) { return true; }, [](const AddressOf&) { return false; }, [](const Decay&) { return false; },
      [](const DataOf&) { return false; }, [](const SizeOf&) { return false; }, [](const Unary&) { return false; },
      [](const Binary&) { return false; }, [](const Cast&) { return false; }, [](const Conditional&) { return false; },
      [](const MathCall&) { return false; }, [](const PureCall&) { return false; }, [](const InitList&) { return false; });
}

VarId rootVar(const Function& function, ExprId place) {
  if (!place.valid()) return {};
  return match(
      function[place].node, [](const Literal&) { return VarId(); }, [](const VarRef& e) { return e.var; },
      [](const GlobalRef&) { return VarId(); }, [&](const FieldRef& e) { return rootVar(function, e.base); },
      [&](const Subscript& e) { return rootVar(function, e.base); }, [&](const Deref& e) { return rootVar(function, e.pointer); },
      [&](const AddressOf& e) { return rootVar(function, e.place); }, [&](const Decay& e) { return rootVar(function, e.array); },
      [&](const DataOf& e) { return rootVar(function, e.container); }, [](const SizeOf&) { return VarId(); },
      [](const Unary&) { return VarId(); }, [](const Binary&) { return VarId(); },
      [&](const Cast& e) { return rootVar(function, e.operand); }, [](const Conditional&) { return VarId(); },
      [](const MathCall&) { return VarId(); }, [](const PureCall&) { return VarId(); }, [](const InitList&) { return VarId(); });
}

}  // namespace contraflow::ir
