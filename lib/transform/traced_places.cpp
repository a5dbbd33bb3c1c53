#include "transform/traced_places.hpp"

#include "ir/walk.hpp"

namespace contraflow::transform {

using namespace ir;

namespace {

bool isVariable(const Function& f, ExprId e) { return std::holds_alternative<VarRef>(f[e].node); }

bool readsUnderCondition(const Module& m, const Function& f, ExprId value) {
  bool found = false;
  const auto memory = [&](ExprId branch) {
    walkExpr(f, branch, [&](ExprId e) { found = found || (isPlace(f[e]) && isReal(m, f[e].type) && !isVariable(f, e)); });
  };
  walkExpr(f, value, [&](ExprId e) {
    if (const auto* c = std::get_if<Conditional>(&f[e].node)) {
      memory(c->whenTrue);
      memory(c->whenFalse);
    }
    const auto* b = std::get_if<Binary>(&f[e].node);
    if (b && (b->op == BinaryOp::And || b->op == BinaryOp::Or)) memory(b->rhs);
  });
  return found;
}

std::string siteOf(const Module& m, const Stmt& stmt, const std::string& function, const std::string& target) {
  std::string file = stmt.loc.valid() ? m.files[stmt.loc.file].path : "?";
  file = file.substr(file.find_last_of('/') + 1);
  return file + ":" + std::to_string(stmt.loc.line) + ":" + std::to_string(stmt.loc.column) + " in " + function + ", '" + target + "'";
}

}  // namespace

TracedStatement tracedStatement(const Module& m, const Function& f, const Stmt& stmt, const std::string& function) {
  TracedStatement out;
  ExprId value, target;
  if (const auto* a = std::get_if<Assign>(&stmt.node)) value = a->value, target = a->target;
  if (const auto* i = std::get_if<Increment>(&stmt.node)) value = i->value, target = i->target;
  if (const auto* d = std::get_if<Declare>(&stmt.node); d && d->init == Init::Value && d->args.size() == 1 && d->storage == Storage::Automatic)
    value = d->args[0], out.declared = d->var;
  if (const auto* r = std::get_if<Return>(&stmt.node); r && r->value.valid()) value = r->value, out.returned = r->value;
  if (!value.valid() || !stmt.loc.valid() || readsUnderCondition(m, f, value)) return {};
  if (!isReal(m, target.valid() ? f[target].type : out.declared.valid() ? f[out.declared].type : f[value].type)) return {};
  walkExpr(f, value, [&](ExprId e) {
    if (isPlace(f[e]) && isReal(m, f[e].type)) out.places.push_back(e);
  });
  if (target.valid()) out.places.push_back(target);
  const VarId root = target.valid() ? rootVar(f, target) : out.declared;
  const std::string name = out.returned.valid() ? "return" : root.valid() ? f[root].name : "memory";
  out.site = siteOf(m, stmt, function, name);
  return out;
}

Runtime traceEntry(const std::string& site, const std::vector<ExprId>& addresses) {
  Runtime enter{{"contraflow::trace::enter(\"" + site + "\", {"}, {}};
  for (ExprId address : addresses) {
    enter.pieces.back() += std::string(enter.args.empty() ? "" : ", ") + "contraflow::trace::at(";
    enter.args.push_back(address);
    enter.pieces.push_back(")");
  }
  enter.pieces.back() += "});";
  return enter;
}

}  // namespace contraflow::transform
