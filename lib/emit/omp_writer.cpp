// The OpenMP part of StmtWriter: pragmas and their clauses. A parallel region around nothing but a loop is written as the
// combined directive, as people do.
#include <set>

#include "emit/stmt_writer.hpp"
#include "ir/walk.hpp"

namespace contraflow::emit {

using namespace ir;

std::string StmtWriter::clauses(const DataSharing& data) const {
  std::string out;
  const auto clause = [&](const char* word, const std::vector<CopyOf>& copies) {
    std::string list;
    for (const CopyOf& c : copies) list += (list.empty() ? "" : ", ") + name(c.copy);
    if (!list.empty()) out += " " + std::string(word) + list + ")";
  };
  clause("private(", data.privates);
  clause("firstprivate(", data.firstprivates);
  clause("lastprivate(", data.lastprivates);
  clause("reduction(+ : ", data.reductions);
  // `shared` is the default of everything that isn't named; `default(none)` would have to name what the derivative added.
  return out;
}

std::string StmtWriter::loopClauses(const OmpFor& s) const {
  const char* kind = nullptr;
  switch (s.schedule) {
    case ScheduleKind::Unspecified: break;
    case ScheduleKind::Static: kind = "static"; break;
    case ScheduleKind::Dynamic: kind = "dynamic"; break;
    case ScheduleKind::Guided: kind = "guided"; break;
    case ScheduleKind::Auto: kind = "auto"; break;
    case ScheduleKind::Runtime: kind = "runtime"; break;
  }
  std::string out;
  if (kind) out += " schedule(" + std::string(kind) + (s.chunk.valid() ? ", " + expr_.converted(s.chunk) : "") + ")";
  if (s.collapse > 1) out += " collapse(" + std::to_string(s.collapse) + ")";
  return out + clauses(s.data);
}

void StmtWriter::worksharing(const std::string& pragma, StmtId loop) {
  line("#pragma omp " + pragma);
  stmt(loop);
}

// A loop whose clauses name the region's own copies (a reduction into a private variable, say) needs the region apart.
bool StmtWriter::combines(const OmpParallel& s) const {
  const auto* loop = s.body.size() == 1 ? std::get_if<OmpFor>(&f_[s.body[0]].node) : nullptr;
  if (!loop) return false;
  std::set<std::string> ofRegion;
  ir::detail::copyLists(s.data, [&](const std::vector<CopyOf>& copies) {
    for (const CopyOf& c : copies) ofRegion.insert(name(c.copy));
  });
  bool apart = false;
  ir::detail::copyLists(loop->data, [&](const std::vector<CopyOf>& copies) {
    for (const CopyOf& c : copies) apart = apart || ofRegion.count(name(c.copy));
  });
  // Bounds and chunk of the combined loop are evaluated outside the region, where its copies have other values.
  const auto namesCopy = [&](ExprId id) {
    walkExpr(f_, id, [&](ExprId e) {
      const auto* var = std::get_if<VarRef>(&f_[e].node);
      apart = apart || (var && ofRegion.count(name(var->var)));
    });
  };
  namesCopy(loop->chunk);
  if (const auto* head = std::get_if<For>(&f_[loop->loop].node))
    for (ExprId e : {head->init, head->bound, head->step}) namesCopy(e);
  return !apart;
}

void StmtWriter::parallel(const OmpParallel& s) {
  std::string region;
  if (s.ifCondition.valid()) region += " if (" + expr_.condition(s.ifCondition) + ")";
  if (s.numThreads.valid()) region += " num_threads(" + expr_.converted(s.numThreads) + ")";
  region += clauses(s.data);
  if (combines(s)) {
    const auto& loop = std::get<OmpFor>(f_[s.body[0]].node);
    // The region ends with a barrier anyway: no `nowait` here.
    return worksharing("parallel for" + std::string(loop.simd ? " simd" : "") + loopClauses(loop) + region, loop.loop);
  }
  line("#pragma omp parallel" + region);
  braces("", s.body);
}

}  // namespace contraflow::emit
