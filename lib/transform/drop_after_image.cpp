#include "transform/drop_after_image.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>

#include "ir/match.hpp"
#include "ir/walk.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;

bool isRoutine(const StmtNode& node, std::initializer_list<const char*> names) {
  const auto* r = std::get_if<Runtime>(&node);
  return r && r->pieces.size() == 2 && std::any_of(names.begin(), names.end(), [&](const char* name) { return r->pieces[1] == name; });
}

bool isAfterImage(const StmtNode& node) { return isRoutine(node, {".keepAfterImage();", ".putAfterImage();"}); }

class Logs {
 public:
  explicit Logs(const Module& m) : m_(m) {}

  // True if something in the function, or in what it calls, may log what it restores.
  bool mayLog(FuncId id) {
    const auto [at, fresh] = known_.emplace(id, false);  // in recursion: what the other statements say
    if (!fresh) return at->second;
    const Function& f = m_[id];
    bool yes = false;
    walkStmts(f, f.body, [&](StmtId s) { yes = yes || logs(f, f[s].node); });
    return known_[id] = yes;
  }

 private:
  bool logs(const Function& f, const StmtNode& node) {
    return match(
        node, [](const Pop& p) { return p.afterImage; },
        [&](const Call& c) { return mayLog(c.callee); },
        [&](const Runtime& r) { return !isAfterImage(node) && !isRoutine(node, {".joinThreads();"}) && std::any_of(r.args.begin(), r.args.end(), [&](ExprId e) { return namesTape(f, e); }); },
        [](const Declare& d) { return d.storage != Storage::Automatic; }, [](const Restructure&) { return true; },
        [](const Revert&) { return true; }, [](const Allocate&) { return true; }, [](const Free&) { return true; },
        [](const Mpi&) { return true; }, [](const auto&) { return false; });
  }

  bool namesTape(const Function& f, ExprId e) const {
    bool yes = false;
    walkExpr(f, e, [&](ExprId x) {
      const auto* ref = std::get_if<VarRef>(&f[x].node);
      yes = yes || (ref && as<TapeType>(m_, withoutReference(m_, f[ref->var].type)));
    });
    return yes;
  }

  const Module& m_;
  std::map<FuncId, bool> known_;
};

void drop(Function& f, Block& in) {
  in.erase(std::remove_if(in.begin(), in.end(), [&](StmtId s) { return isAfterImage(f[s].node); }), in.end());
  for (StmtId s : in) forEachBlockOfStmt(f[s], [&](Block& b) { drop(f, b); });
}

}  // namespace

void dropAfterImages(Module& module, const std::vector<FuncId>& derivatives) {
  for (FuncId id : derivatives) {
    Logs logs(module);  // of its own: what recursion left open isn't an answer for others
    if (!logs.mayLog(id)) drop(module[id], module[id].body);
  }
}

}  // namespace contraflow::transform
