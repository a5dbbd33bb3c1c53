// The blocks inside of a block's statements, for passes that change them and make statements while they do.
#pragma once

#include <utility>

#include "ir/walk.hpp"

namespace contraflow::transform {

// visit(Block&) for each block directly inside of the statements, those of worksharing loops too.
template <class Visit>
void forEachInnerBlock(ir::Function& f, const ir::Block& block, Visit visit) {
  for (ir::StmtId s : block) {
    ir::Stmt stmt = f[s];  // copies, since the arena grows
    ir::forEachBlockOfStmt(stmt, [&](ir::Block& inner) { visit(inner); });
    if (const ir::StmtId loop = ir::loopOf(stmt)) {
      ir::Stmt inside = f[loop];
      ir::forEachBlockOfStmt(inside, [&](ir::Block& inner) { visit(inner); });
      f[loop] = std::move(inside);
    }
    f[s] = std::move(stmt);
  }
}

}  // namespace contraflow::transform
