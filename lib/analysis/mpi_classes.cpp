#include "analysis/mpi_classes.hpp"

#include <cctype>
#include <functional>
#include <numeric>
#include <set>
#include <string>

#include "analysis/head_shadows.hpp"
#include "ir/walk.hpp"
#include "rules/mpi.hpp"

namespace contraflow::analysis {
namespace {

using namespace ir;

constexpr const char* kAnyTag = "any";

ExprId withoutCasts(const Function& fn, ExprId e) {
  while (const auto* cast = std::get_if<Cast>(&fn[e].node)) e = cast->operand;
  return e;
}

// A tag that is a number in the source; `any` otherwise.
std::string tagKey(const Function& fn, ExprId e) {
  const auto* literal = std::get_if<Literal>(&fn[withoutCasts(fn, e)].node);
  if (!literal || literal->text.empty()) return kAnyTag;
  for (char c : literal->text)
    if (!std::isdigit(static_cast<unsigned char>(c))) return kAnyTag;
  if (literal->text.size() > 1 && literal->text[0] == '0') return kAnyTag;  // octal: another spelling of some number
  return literal->text;
}

struct Operation {
  FuncId function;
  StmtId stmt;
  std::set<std::string> keys;  // "tag 7", "Bcast"
  std::set<Loc> sent, received;
};

bool movesReals(const Module& m, const PointsTo& p, FuncId f, ExprId buffer) {
  const Function& fn = m[f];
  if (mayReachReal(m, fn[withoutCasts(fn, buffer)].type)) return true;
  for (Loc l : p.targets(f, buffer))
    if (p.locations.holdsReal(l)) return true;
  return false;
}

}  // namespace

MpiClasses computeMpiClasses(const Module& m, const PointsTo& p) {
  std::vector<Operation> operations;
  for (std::uint32_t i = 0; i < m.functions.size(); ++i) {
    const FuncId f(i);
    if (!p.knows(f)) continue;
    walkStmts(m[f], m[f].body, [&](StmtId s) {
      const auto* mpi = std::get_if<Mpi>(&m[f][s].node);
      if (!mpi) return;
      const rules::MpiRow& row = rules::mpiRow(mpi->op);
      Operation op{f, s, {}, {}, {}};
      bool reals = false;
      for (std::size_t a = 0; a < mpi->args.size() && a < row.roles.size(); ++a) {
        const rules::Role role = row.roles[a];
        if (role == rules::Role::Tag || role == rules::Role::SendTag || role == rules::Role::RecvTag)
          op.keys.insert("tag " + tagKey(m[f], mpi->args[a]));
        if (!rules::isBuffer(role)) continue;
        reals = reals || movesReals(m, p, f, mpi->args[a]);
        for (Loc target : p.targets(f, mpi->args[a])) {
          const Loc l = p.locations.afterArithmetic(target);
          if (role != rules::Role::RecvBuf) op.sent.insert(l);
          if (rules::isWritten(role)) op.received.insert(l);
        }
      }
      if (op.keys.empty()) op.keys.insert(row.id);
      if (reals) operations.push_back(std::move(op));
    });
  }

  // Operations that share a key, or have a tag that matches every tag, are joined.
  std::vector<int> leader(operations.size());
  std::iota(leader.begin(), leader.end(), 0);
  const std::function<int(int)> find = [&](int x) { return leader[x] == x ? x : leader[x] = find(leader[x]); };
  std::map<std::string, int> first;
  int firstTagged = -1;
  bool anyTag = false;
  for (const Operation& op : operations) anyTag = anyTag || op.keys.count(std::string("tag ") + kAnyTag) != 0;
  for (int i = 0; i < static_cast<int>(operations.size()); ++i)
    for (const std::string& key : operations[i].keys) {
      leader[find(i)] = find(first.try_emplace(key, i).first->second);
      if (!anyTag || key.rfind("tag ", 0) != 0) continue;
      if (firstTagged < 0) firstTagged = i;
      leader[find(i)] = find(firstTagged);
    }

  MpiClasses out;
  std::map<int, int> number;
  std::vector<std::pair<std::set<Loc>, std::set<Loc>>> buffers;
  for (int i = 0; i < static_cast<int>(operations.size()); ++i) {
    const auto [at, isNew] = number.try_emplace(find(i), static_cast<int>(buffers.size()));
    if (isNew) buffers.emplace_back();
    buffers[at->second].first.insert(operations[i].sent.begin(), operations[i].sent.end());
    buffers[at->second].second.insert(operations[i].received.begin(), operations[i].received.end());
    out.ofStmt_[{operations[i].function, operations[i].stmt}] = at->second;
  }
  for (const auto& [sent, received] : buffers)
    out.classes_.push_back({Locs(sent.begin(), sent.end()), Locs(received.begin(), received.end())});
  return out;
}

}  // namespace contraflow::analysis
