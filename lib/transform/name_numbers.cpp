#include "transform/name_numbers.hpp"

#include <map>
#include <set>

#include "ir/equal.hpp"
#include "ir/walk.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;

class Numbers {
 public:
  Numbers(Module& m, Function& f, StmtId nest) : m_(m), f_(f) {
    walkStmt(f_, nest, [&](StmtId s) { forEachDeclaredVar(f_[s], [&](VarId v) { declared_.insert(v); }); });
  }

  StmtId copy(StmtId s) {
    Stmt stmt = f_[s];
    bool changed = false;
    forEachExprOfStmt(stmt, [&](ExprId& e) {
      const ExprId now = rewriteExpr(f_, e, [&](ExprId x) { return isFixed(x) ? nameOf(x) : ExprId(); });
      changed = changed || now != e;
      e = now;
    });
    forEachBlockOfStmt(stmt, [&](Block& block) {
      for (StmtId& inner : block) {
        const StmtId now = copy(inner);
        changed = changed || now != inner;
        inner = now;
      }
    });
    const StmtId made = changed ? f_.addStmt(std::move(stmt.node), stmt.loc, stmt.origin) : s;
    copies_[s] = made;
    return made;
  }
  StmtId copyOf(StmtId s) const { return copies_.at(s); }
  Block before() const { return before_; }

 private:
  // A field of a record that isn't the nest's, or a global; through no pointer, so that it can be read even if no iteration runs.
  bool isFixed(ExprId e) const {
    if (!as<IntType>(m_, f_[e].type)) return false;
    if (std::holds_alternative<GlobalRef>(f_[e].node)) return true;
    bool field = false;
    while (const auto* r = std::get_if<FieldRef>(&f_[e].node)) {
      field = true;
      e = r->base;
    }
    const auto* v = std::get_if<VarRef>(&f_[e].node);
    return field && (std::holds_alternative<GlobalRef>(f_[e].node) || (v && declared_.count(v->var) == 0));
  }
  ExprId nameOf(ExprId place) {
    const TypeId type = withoutConst(m_, f_[place].type);
    for (const auto& [known, name] : names_)
      if (equal(f_, known, place)) return f_.addExpr(VarRef{name}, type, f_[place].loc);
    Var var;
    const auto* global = std::get_if<GlobalRef>(&f_[place].node);
    if (global)
      var.name = m_[global->global].name;
    else {
      const auto& field = std::get<FieldRef>(f_[place].node);
      const auto* record = as<RecordType>(m_, withoutReference(m_, f_[field.base].type));
      var.name = record ? m_[record->record].fields[field.field].name : "number";
    }
    // (An element of a tuple has no name.)
    if (var.name.find_first_of("<(") != std::string::npos) var.name = "number";
    var.type = type;
    var.isTemporary = true;
    const VarId name = f_.addVar(std::move(var));
    names_.emplace_back(place, name);
    before_.push_back(f_.addStmt(Declare{name, Init::Value, {place}, Storage::Automatic, {}}, f_[place].loc));
    return f_.addExpr(VarRef{name}, type, f_[place].loc);
  }

  Module& m_;
  Function& f_;
  std::set<VarId> declared_;
  std::map<StmtId, StmtId> copies_;
  std::vector<std::pair<ExprId, VarId>> names_;
  Block before_;
};

}  // namespace

NamedNest nameNumbers(Module& module, Function& function, const std::vector<StmtId>& loops) {
  Numbers numbers(module, function, loops.front());
  numbers.copy(loops.front());
  NamedNest out;
  for (StmtId s : loops) out.loops.push_back(numbers.copyOf(s));
  out.before = numbers.before();
  return out;
}

}  // namespace contraflow::transform
