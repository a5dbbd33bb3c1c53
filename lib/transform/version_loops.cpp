#include "transform/version_loops.hpp"

#include <algorithm>

#include "ir/walk.hpp"
#include "transform/range_expressions.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;
using analysis::ElementRanges;

// The one worksharing loop that the region consists of.
const OmpFor* onlyLoop(const Function& f, const OmpParallel& region) {
  const OmpFor* found = nullptr;
  for (StmtId s : region.body) {
    if (std::holds_alternative<Comment>(f[s].node)) continue;
    const auto* loop = std::get_if<OmpFor>(&f[s].node);
    if (!loop || found) return nullptr;
    found = loop;
  }
  return found;
}

class Versions {
 public:
  Versions(Module& m, FuncId id, const analysis::PointsTo& p, const analysis::DisjointPointers& disjoint)
      : m_(m), id_(id), f_(m[id]), p_(p), disjoint_(disjoint), ranges_(m, f_), bool_(m.type(BoolType{})) {}

  void run() { f_.body = block(f_.body); }

 private:
  Block block(const Block& in) {
    Block out;
    for (StmtId s : in) out.push_back(statement(s));
    return out;
  }

  StmtId statement(StmtId s) {
    if (const auto* region = std::get_if<OmpParallel>(&f_[s].node)) {
      const OmpFor* loop = onlyLoop(f_, *region);
      const ExprId condition = loop ? apart(s, loop->loop) : ExprId();
      return condition.valid() ? f_.addStmt(If{condition, {clone(s)}, {s}}, f_[s].loc) : s;
    }
    std::vector<Block> blocks;
    forEachBlockOfStmt(static_cast<const Stmt&>(f_[s]), [&](const Block& b) { blocks.push_back(b); });
    for (Block& b : blocks) b = block(b);
    std::size_t k = 0;
    forEachBlockOfStmt(f_[s], [&](Block& b) { b = blocks[k++]; });
    return s;
  }

  // --- which loops

  // The condition under which what the loop stores lies apart from all else that it names; none if that is known already, can't be
  // said in front of the loop, or wouldn't help.
  ExprId apart(StmtId region, StmtId loop) {
    ElementRanges ranges(m_, f_, region);
    std::set<ExprId> stored;
    std::vector<std::pair<VarId, ExprId>> targets;
    bool possible = true;
    walkStmt(f_, region, [&](StmtId s) {
      if (const auto* a = std::get_if<Assign>(&f_[s].node))
        if (const VarId base = analysis::basePointer(m_, f_, a->target); base.valid()) {
          targets.emplace_back(base, a->target);
          stored.insert(a->target);
        }
    });
    std::set<std::pair<VarId, VarId>> pairs;
    walkStmt(f_, region, [&](StmtId s) {
      forEachExprOfStmt(f_[s], [&](ExprId e) {
        walkExpr(f_, e, [&](ExprId x) {
          if (!isPlace(f_[x])) return;
          for (const auto& [base, target] : targets) {
            if (!p_.mayOverlap(id_, x, target)) continue;
            const VarId other = analysis::basePointer(m_, f_, x);
            if (other == base && stored.count(x) != 0) continue;
            if (other.valid() && disjoint_.during(id_, loop, base, other)) continue;
            // A loop that reads what it stores isn't run again, whatever lies apart.
            if (!other.valid() || other == base || !ranges.known(base) || !ranges.known(other))
              possible = false;
            else
              pairs.insert(base < other ? std::make_pair(base, other) : std::make_pair(other, base));
          }
        });
      });
    });
    if (!possible || pairs.size() > kMostPairs) return {};
    ExprId all;
    for (const auto& [a, b] : pairs) {
      const ExprId one = ranges_.apart({ranges_.rangeOf(a, ranges), ranges_.rangeOf(b, ranges)});
      all = all.valid() ? f_.addExpr(Binary{BinaryOp::And, all, one}, bool_, f_[region].loc) : one;
    }
    return all;
  }
  static constexpr std::size_t kMostPairs = 8;

  // --- copies, with statements, expressions and variables of their own: facts about the two versions differ

  StmtId clone(StmtId s) {
    Stmt copy = f_[s];
    forEachDeclaredVar(copy, [&](VarId& v) {
      const Var var = f_[v];
      v = clones_[v] = f_.addVar(var);
    });
    forEachExprOfStmt(copy, [&](ExprId& e) { e = clone(e); });
    forEachBlockOfStmt(copy, [&](Block& b) {
      for (StmtId& inner : b) inner = clone(inner);
    });
    if (auto* w = std::get_if<OmpFor>(&copy.node)) w->loop = clone(w->loop);
    if (auto* w = std::get_if<OmpSimd>(&copy.node)) w->loop = clone(w->loop);
    return f_.addStmt(std::move(copy.node), copy.loc, copy.origin);
  }
  ExprId clone(ExprId e) {
    Expr copy = f_[e];
    forEachChildExpr(copy, [&](ExprId& child) { child = clone(child); });
    if (auto* v = std::get_if<VarRef>(&copy.node))
      if (const auto found = clones_.find(v->var); found != clones_.end()) v->var = found->second;
    return f_.addExpr(std::move(copy.node), copy.type, copy.loc);
  }

  Module& m_;
  const FuncId id_;
  Function& f_;
  const analysis::PointsTo& p_;
  const analysis::DisjointPointers& disjoint_;
  RangeExpressions ranges_;
  TypeId bool_;
  std::map<VarId, VarId> clones_;
};

}  // namespace

bool hasLoopsToVersion(const Function& function) {
  bool found = false;
  walkStmts(function, function.body, [&](StmtId s) {
    if (const auto* region = std::get_if<OmpParallel>(&function[s].node)) found = found || onlyLoop(function, *region);
  });
  return found;
}

void versionLoops(Module& module, FuncId function, const analysis::PointsTo& pointsTo, const analysis::DisjointPointers& disjoint) {
  Versions(module, function, pointsTo, disjoint).run();
}

}  // namespace contraflow::transform
