#include "analysis/stability.hpp"

#include <functional>
#include <vector>

#include "ir/match.hpp"
#include "ir/walk.hpp"

namespace contraflow::analysis {
namespace {

using namespace ir;

class Checker {
 public:
  Checker(const Module& m, const Accesses& accesses, FuncId f) : m_(m), a_(accesses), f_(f), fn_(m[f]) {}

  // `after`: what the rest of the block around the statement writes.
  bool stable(StmtId s, const LocSet& after) {
    reads_ = LocSet();
    sameValue_ = true;
    const LocSet own = a_.of(f_, s).writes;
    const auto none = [](const auto&) { return true; };
    return match(
        fn_[s].node,
        [&](const Declare& x) {
          for (ExprId arg : x.args) x.init == Init::Bind ? name(arg) : value(arg);
          return unwritten(after);
        },
        [&](const Assign& x) {
          name(x.target);
          return unwritten(own);
        },
        [&](const Increment& x) {
          name(x.target);
          return unwritten(own);
        },
        [&](const OmpAtomic& x) {
          name(x.target);
          return unwritten(own);
        },
        [&](const Opaque& x) {
          for (ExprId w : x.writes) name(w);
          return unwritten(own);
        },
        [&](const Call& x) {
          const Function& callee = m_[x.callee];
          for (std::size_t i = 0; i < x.args.size(); ++i) {
            const bool byReference = i < callee.params.size() && isReference(m_, callee[callee.params[i]].type);
            byReference ? name(x.args[i]) : value(x.args[i]);
          }
          if (x.result.valid()) name(x.result);
          return unwritten(own);
        },
        [&](const Allocate& x) {
          name(x.target);
          return unwritten(own);
        },
        [&](const Free& x) { return none(x); },
        [&](const Restructure& x) {
          name(x.container);
          if (x.op == Structure::Swap) name(x.operand);
          return unwritten(own);
        },
        [&](const If& x) {
          value(x.condition);
          return unwritten(own);
        },
        [&](const For& x) {
          for (ExprId e : {x.init, x.bound, x.step}) value(e);
          return unwritten(own);
        },
        [&](const OmpParallel& x) {
          value(x.numThreads);
          value(x.ifCondition);
          originals(x.data);
          return unwritten(own);
        },
        [&](const OmpFor& x) {
          value(x.chunk);
          originals(x.data);
          return unwritten(own);
        },
        [&](const OmpSimd& x) {
          originals(x.data);
          return unwritten(own);
        },
        [&](const OmpSingle& x) {
          originals(x.data);
          return unwritten(own);
        },
        [&](const Mpi& x) {
          for (ExprId arg : x.args) value(arg);
          if (x.result.valid()) name(x.result);
          return unwritten(own);
        },
        [&](const While&) { return false; },  // its condition changes as a rule
        [&](const Scope& x) { return none(x); }, [&](const Break& x) { return none(x); },
        [&](const Continue& x) { return none(x); }, [&](const Return& x) { return none(x); },
        [&](const OmpMaster& x) { return none(x); }, [&](const OmpBarrier& x) { return none(x); },
        [&](const Comment& x) { return none(x); }, [](const Push&) { return false; }, [](const Pop&) { return false; },
        [](const TapeBlock&) { return false; }, [](const TapeRelease&) { return false; }, [](const Revert&) { return false; },
        [](const SharedIncrement&) { return false; }, [](const SetZero&) { return false; }, [](const Runtime&) { return false; });
  }

 private:
  void value(ExprId e) {
    if (!e.valid()) return;
    a_.value(f_, e, reads_);
    look(e);
  }
  void name(ExprId e) {
    a_.naming(f_, e, reads_);
    look(e);
  }
  // A clock or a thread number may be another one next time.
  void look(ExprId e) {
    walkExpr(fn_, e, [&](ExprId x) {
      if (std::holds_alternative<PureCall>(fn_[x].node)) sameValue_ = false;
    });
  }
  void originals(const DataSharing& d) {
    detail::copyLists(d, [&](const auto& list) {
      for (const CopyOf& c : list) name(c.original);
    });
  }
  bool unwritten(const LocSet& writes) const { return sameValue_ && !a_.closed(reads_).meets(writes); }

  const Module& m_;
  const Accesses& a_;
  const FuncId f_;
  const Function& fn_;
  LocSet reads_;
  bool sameValue_ = true;
};

}  // namespace

Stability computeStability(const Module& m, const PointsTo& p, const Accesses& accesses) {
  Stability out;
  for (std::uint32_t i = 0; i < m.functions.size(); ++i) {
    const FuncId f(i);
    if (!p.knows(f)) continue;
    const Function& fn = m[f];
    Checker checker(m, accesses, f);
    const std::function<void(const Block&)> visit = [&](const Block& block) {
      LocSet after;
      for (auto s = block.rbegin(); s != block.rend(); ++s) {
        if (checker.stable(*s, after)) out.stable_.insert({f, *s});
        after.add(accesses.of(f, *s).writes);
        forEachBlockOfStmt(fn[*s], visit);
        if (const StmtId loop = loopOf(fn[*s])) visit(Block{loop});
      }
    };
    visit(fn.body);
  }
  return out;
}

}  // namespace contraflow::analysis
