// Statements whose reverse can be written with the value that they gave:
//
//     l = sqrt(p);     p_b += l_b * (0.5 / l)                 q = a / b;     a_b += q_b / b;  b_b += -q * (q_b / b)
//
// with what stands in l and q *behind* the statement. The reverse sweep has that value right before it restores what was overwritten, and
// then needs neither p nor a (docs/decisions/0016-results.md).
#pragma once

#include <set>
#include <utility>

#include "analysis/recompute.hpp"
#include "analysis/swept.hpp"

namespace contraflow::analysis {

using Statement = std::pair<ir::FuncId, ir::StmtId>;

// The value but for minus signs in front.
ir::ExprId withoutSign(const ir::Function& fn, ir::ExprId value);
// True for 1 / x: its partial, -r * r, needs nothing but the result.
bool isReciprocal(const ir::Function& fn, const ir::Binary& quotient);

// Assignments and declarations of this form of which nothing says that the result is lost, or that it isn't there yet. Whether it is
// worth its record is another question.
std::set<Statement> statementsWithResults(const ir::Module& m, const PointsTo& p, const Accesses& accesses, const Activity& activity,
                                          const Recompute& recompute, const Swept& swept);

}  // namespace contraflow::analysis
