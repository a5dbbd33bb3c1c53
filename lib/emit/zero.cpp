// SetZero: every real of an object becomes zero. Scalars are assigned, the runtime's setZero does the rest; for a record that holds
// reals it looks for a function `contraflowSetZero` in the record's namespace, which is generated here.
#include <set>

#include "emit/stmt_writer.hpp"
#include "ir/walk.hpp"

namespace contraflow::emit {

using namespace ir;

namespace {

// Records in the order in which their functions can be defined: parts first.
void collect(const Module& m, TypeId t, std::set<RecordId>& seen, std::vector<RecordId>& order) {
  if (!holdsReal(m, t)) return;
  if (const auto* r = as<RecordType>(m, t)) {
    if (!seen.insert(r->record).second) return;
    if (m[r->record].isComplex) return;  // the runtime's
    for (const Field& f : m[r->record].fields) collect(m, f.type, seen, order);
    const std::string& name = m[r->record].name;
    const bool isTuple = name.compare(0, 10, "std::pair<") == 0 || name.compare(0, 11, "std::tuple<") == 0;  // the runtime's as well
    if (!isTuple) order.push_back(r->record);
  }
  if (const auto* a = as<ArrayType>(m, t)) collect(m, a->element, seen, order);
  if (const auto* c = as<ContainerType>(m, t)) collect(m, c->element, seen, order);
}

}  // namespace

std::string zeroStatement(const Module& m, TypeId type, const std::string& place) {
  if (const auto* real = as<RealType>(m, type))
    return place + (real->kind == RealKind::Float ? " = 0.0f;" : real->kind == RealKind::Double ? " = 0.0;" : " = 0.0L;");
  return "contraflow::setZero(" + place + ");";
}

std::vector<RecordId> recordsToZero(const Module& m, const std::vector<FuncId>& functions) {
  std::set<RecordId> seen;
  std::vector<RecordId> order;
  for (FuncId id : functions)
    walkStmts(m[id], m[id].body, [&](StmtId s) {
      if (const auto* zero = std::get_if<SetZero>(&m[id][s].node)) collect(m, m[id][zero->place].type, seen, order);
      if (const auto* follow = std::get_if<Restructure>(&m[id][s].node); follow && follow->op == Structure::Follow)
        collect(m, m[id][follow->container].type, seen, order);
      if (const auto* call = std::get_if<Runtime>(&m[id][s].node); call && call->pieces.front() == "contraflow::shape(")
        collect(m, m[id][call->args[0]].type, seen, order);
    });
  return order;
}

std::string zeroFunction(const Module& m, RecordId id) {
  std::string out = "static inline void contraflowSetZero(" + m[id].name + " &object) {\n";
  for (unsigned k = 0; k < m[id].fields.size(); ++k) {
    const Field& f = m[id].fields[k];
    const std::string place = isBaseClass(f) ? asBase(f, "object") : f.isPrivate ? accessName(m, id, k) + "(object)" : "object." + memberName(m[id], k);
    if (holdsReal(m, f.type)) out += "  " + zeroStatement(m, f.type, place) + "\n";
  }
  return out + "}\n\n";
}

}  // namespace contraflow::emit
