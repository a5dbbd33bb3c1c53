// Internal to lib/frontend: the clauses of an OpenMP directive, read and checked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/lowering.hpp"

namespace contraflow::frontend {

struct OmpClauses {
  std::vector<const clang::DeclRefExpr*> privates, firstprivates, lastprivates, reductions, shared;
  ir::ScheduleKind schedule = ir::ScheduleKind::Unspecified;
  const clang::Expr* chunk = nullptr;
  const clang::Expr* numThreads = nullptr;
  const clang::Expr* ifCondition = nullptr;
  unsigned collapse = 1;
  bool nowait = false;
  bool defaultNone = false;
};

// None where a clause, or something in one, isn't supported; it has been reported then.
std::optional<OmpClauses> readOmpClauses(FunctionLowering& f, const clang::OMPExecutableDirective* directive);

// Reports each use of a reduction variable in the construct that isn't an accumulation (`s += e`, `s -= e`, `s = s + e`, `++s`
// as statements of their own): what it would read is a partial sum, which depends on the number of threads. False: reported.
bool checkReductionUses(FunctionLowering& f, const clang::OMPExecutableDirective* directive,
                        const std::vector<const clang::DeclRefExpr*>& reductions);

// An update `x += e` of a place, however it is written: `x = x + e`, `x++`, `x -= e` …
struct Accumulation {
  const clang::Expr* target = nullptr;
  const clang::Expr* value = nullptr;  // none: 1
  bool subtract = false;
};
std::optional<Accumulation> accumulation(const clang::Expr* e, const clang::ASTContext& ast);

// omp_atomic.cpp
void lowerOmpAtomic(FunctionLowering& f, const clang::OMPExecutableDirective* directive);

}  // namespace contraflow::frontend
