// Tangents of OpenMP constructs: a shadow has the data sharing of its primal.
#include <algorithm>

#include "ir/walk.hpp"
#include "transform/tangent_builder.hpp"

namespace contraflow::transform {

using namespace ir;
using analysis::Presence;

namespace {

// Shadows of sums to which the construct adds nothing that varies: compilers don't count a clause as a use.
void dropIdleSums(const Function& f, const DataSharing& primal, const Block& body, DataSharing& now) {
  const auto isPrimals = [&](const CopyOf& c) {
    return std::any_of(primal.reductions.begin(), primal.reductions.end(), [&](const CopyOf& p) { return p.copy == c.copy; });
  };
  const auto isIdle = [&](const CopyOf& c) {
    const VarId outside = rootVar(f, c.original);
    if (isPrimals(c) || (outside.valid() && f[outside].isTemporary)) return false;
    bool named = false;
    walkExprs(f, body, [&](ExprId e) {
      const auto* v = std::get_if<VarRef>(&f[e].node);
      named = named || (v && v->var == c.copy);
    });
    return !named;
  };
  now.reductions.erase(std::remove_if(now.reductions.begin(), now.reductions.end(), isIdle), now.reductions.end());
}

}  // namespace

// The clauses with the shadows added. `before` gets declarations of shadows that the original lacks: a clause names a variable
// outside the construct.
DataSharing TangentBuilder::sharing(const DataSharing& data, Block& before) {
  const auto withShadows = [&](const std::vector<CopyOf>& copies) {
    std::vector<CopyOf> out;
    for (const CopyOf& c : copies) {
      out.push_back(c);
      const VarId shadow = shadows_.of(c.copy);
      if (!shadow.valid()) continue;
      ExprId original = shadows_.place(c.original);
      if (!original.valid()) {
        const VarId outside = newVar(f_[shadow].name, f_[shadow].type);
        before.push_back(add(Declare{outside, Init::Zero, {}, Storage::Automatic, {}}));
        original = var(outside);
      }
      out.push_back({shadow, original});
    }
    return out;
  };
  DataSharing out;
  out.privates = withShadows(data.privates);
  out.firstprivates = withShadows(data.firstprivates);
  out.lastprivates = withShadows(data.lastprivates);
  out.reductions = withShadows(data.reductions);
  out.defaultNone = data.defaultNone;
  for (const ExprId shared : data.shared) {
    out.shared.push_back(shared);
    const ExprId shadow = reachesReal(m_, f_[shared].type) ? shadows_.place(shared) : ExprId();
    if (shadow.valid()) out.shared.push_back(shadow);
  }
  return out;
}

StmtId TangentBuilder::loop(StmtId s) {
  const Stmt stmt = f_[s];
  For made = std::get<For>(stmt.node);
  made.body = block(made.body);
  return f_.addStmt(std::move(made), stmt.loc, s);
}

void TangentBuilder::parallel(StmtId s, OmpParallel p, Block& out) {
  const DataSharing primal = p.data;
  p.data = sharing(p.data, out);
  p.body = block(p.body);
  dropIdleSums(f_, primal, p.body, p.data);
  out.push_back(f_.addStmt(std::move(p), f_[s].loc, s));
}

void TangentBuilder::worksharing(StmtId s, OmpFor w, Block& out) {
  const DataSharing primal = w.data;
  w.data = sharing(w.data, out);
  w.loop = loop(w.loop);
  dropIdleSums(f_, primal, {w.loop}, w.data);
  out.push_back(f_.addStmt(std::move(w), f_[s].loc, s));
}

void TangentBuilder::simd(StmtId s, OmpSimd w, Block& out) {
  const DataSharing primal = w.data;
  w.data = sharing(w.data, out);
  w.loop = loop(w.loop);
  dropIdleSums(f_, primal, {w.loop}, w.data);
  out.push_back(f_.addStmt(std::move(w), f_[s].loc, s));
}

void TangentBuilder::single(StmtId s, OmpSingle w, Block& out) {
  w.data = sharing(w.data, out);
  w.body = block(w.body);
  out.push_back(f_.addStmt(std::move(w), f_[s].loc, s));
}

}  // namespace contraflow::transform
