// What --check-lines notes of a statement, in its tangent and in its adjoint alike: runtime/include/contraflow/trace.hpp.
#pragma once

#include <string>
#include <vector>

#include "ir/module.hpp"

namespace contraflow::transform {

struct TracedStatement {
  std::string site;                  // "heat.cpp:12:5 in step, 'u'"
  std::vector<ir::ExprId> places;    // reals: the operands, then the target if it is there before
  ir::VarId declared;                // the target, if the statement declares it
  ir::ExprId returned;               // the value, if the statement returns it: the function's result is the target
  bool valid() const { return !site.empty(); }
};

// An assignment, increment, declaration or return of a real. Not those that read memory under a condition: it may not be there.
// `name`: the primal function's.
TracedStatement tracedStatement(const ir::Module& m, const ir::Function& f, const ir::Stmt& stmt, const std::string& name);

// contraflow::trace::enter(site, {…}); of the shadows' addresses.
ir::Runtime traceEntry(const std::string& site, const std::vector<ir::ExprId>& addresses);

}  // namespace contraflow::transform
