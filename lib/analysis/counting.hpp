// Statements that count: what they did can be undone without a record.
#pragma once

#include "ir/module.hpp"

namespace contraflow::analysis {

// True for i += 2 and p = p + 1: a variable's own memory and a number. (What lies behind a reference may be two variables at once.)
bool countsByNumber(const ir::Module& m, const ir::Function& fn, ir::StmtId s);

}  // namespace contraflow::analysis
