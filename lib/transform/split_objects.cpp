#include "transform/split_objects.hpp"

#include <algorithm>
#include <set>

#include "ir/match.hpp"
#include "ir/walk.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;

constexpr std::size_t kMostMembers = 16;

class Splitting {
 public:
  Splitting(Module& m, Function& f) : m_(m), f_(f) {}

  void run() {
    find();
    if (objects_.empty()) return;
    f_.body = block(f_.body);
    walkStmts(f_, f_.body, [&](StmtId s) {
      std::vector<ExprId> now;
      forEachExprOfStmt(static_cast<const Stmt&>(f_[s]), [&](ExprId e) { now.push_back(rewriteExpr(f_, e, [&](ExprId x) { return partOf(x); })); });
      std::size_t k = 0;
      forEachExprOfStmt(f_[s], [&](ExprId& e) { e = now[k++]; });
    });
    meetCopies(f_.body);
    declareLate(f_.body);
  }

 private:
  struct Object {
    std::vector<std::vector<unsigned>> paths;  // of its members that are no records, in order of declaration
    std::vector<VarId> parts;
  };

  // --- which

  // Paths to what isn't a record; false for what can't be taken apart.
  bool paths(TypeId type, std::vector<unsigned>& path, Object& object) {
    const auto* r = as<RecordType>(m_, type);
    if (!r) {
      const bool isNumber = isReal(m_, type) || isIntegral(m_, type) || as<PointerType>(m_, type);
      if (isNumber) object.paths.push_back(path);
      return isNumber && object.paths.size() <= kMostMembers;
    }
    const Record& record = m_[r->record];
    if (record.isPolymorphic || record.fields.empty()) return false;
    for (unsigned k = 0; k < record.fields.size(); ++k) {
      path.push_back(k);
      const bool ok = paths(record.fields[k].type, path, object);
      path.pop_back();
      if (!ok) return false;
    }
    return true;
  }

  bool isSplittable(const Declare& d) {
    const TypeId type = f_[d.var].type;
    if (!as<RecordType>(m_, type) || !isTriviallyCopyable(m_, type) || !beginsAtZero(m_, type)) return false;
    if (d.storage != Storage::Automatic) return false;
    return d.init == Init::None || d.init == Init::Zero || (d.init == Init::List && matches(d.args[0], type));
  }

  // True if the list has braces where the type has records.
  bool matches(ExprId value, TypeId type) const {
    const auto* list = std::get_if<InitList>(&f_[value].node);
    const auto* r = as<RecordType>(m_, type);
    if (!list || !r) return !list && !r;
    const auto& fields = m_[r->record].fields;
    if (list->elements.size() > fields.size()) return false;
    for (std::size_t k = 0; k < list->elements.size(); ++k)
      if (list->elements[k].valid() && !matches(list->elements[k], fields[k].type)) return false;
    return true;
  }

  void find() {
    std::map<VarId, unsigned> declared;
    walkStmts(f_, f_.body, [&](StmtId s) {
      forEachDeclaredVar(static_cast<const Stmt&>(f_[s]), [&](VarId v) { ++declared[v]; });
      const auto* d = std::get_if<Declare>(&f_[s].node);
      Object object;
      std::vector<unsigned> path;
      if (d && isSplittable(*d) && paths(f_[d->var].type, path, object)) objects_.emplace(d->var, std::move(object));
    });
    for (const auto& [v, times] : declared)
      if (times > 1) objects_.erase(v);
    walkStmts(f_, f_.body, [&](StmtId s) {
      forEachExprOfStmt(f_[s], [&](ExprId e) { keepWhole(e, false); });
    });
    for (auto& [v, object] : objects_)
      for (const auto& path : object.paths) object.parts.push_back(addPart(v, path));
  }

  // An object that is named but for a member that is no record stays whole; so does one of whose member the address is taken, since
  // `(&v.x)[i]` is how some vector types index.
  void keepWhole(ExprId e, bool isMember) {
    const Expr& expr = f_[e];
    if (const auto* ref = std::get_if<VarRef>(&expr.node)) {
      if (!isMember) objects_.erase(ref->var);
      return;
    }
    if (const auto* field = std::get_if<FieldRef>(&expr.node)) return keepWhole(field->base, isMember || !as<RecordType>(m_, expr.type));
    if (const auto* address = std::get_if<AddressOf>(&expr.node)) return keepRoot(address->place);
    forEachChildExpr(expr, [&](ExprId child) { keepWhole(child, false); });
  }
  void keepRoot(ExprId place) {
    if (const auto* field = std::get_if<FieldRef>(&f_[place].node)) return keepRoot(field->base);
    keepWhole(place, false);
  }

  VarId addPart(VarId object, const std::vector<unsigned>& path) {
    Var part = f_[object];
    TypeId type = part.type;
    for (unsigned k : path) {
      const Field& field = m_[as<RecordType>(m_, type)->record].fields[k];
      part.name += '_' + field.name;
      type = field.type;
    }
    part.type = withoutConst(m_, type);
    const VarId id = f_.addVar(part);
    made_.insert(id);
    return id;
  }

  // --- rewriting

  // The member's variable, if the expression is a member of an object that is split.
  ExprId partOf(ExprId e) {
    const Expr expr = f_[e];
    if (as<RecordType>(m_, expr.type)) return {};
    std::vector<unsigned> path;
    ExprId base = e;
    while (const auto* field = std::get_if<FieldRef>(&f_[base].node)) {
      path.push_back(field->field);
      base = field->base;
    }
    const auto* ref = std::get_if<VarRef>(&f_[base].node);
    const auto object = ref && !path.empty() ? objects_.find(ref->var) : objects_.end();
    if (object == objects_.end()) return {};
    std::reverse(path.begin(), path.end());
    const auto& all = object->second.paths;
    const VarId part = object->second.parts[static_cast<std::size_t>(std::find(all.begin(), all.end(), path) - all.begin())];
    return f_.addExpr(VarRef{part}, f_[part].type, expr.loc);
  }

  Block block(const Block& in) {
    Block out;
    for (StmtId s : in) {
      std::vector<Block> inner;
      forEachBlockOfStmt(static_cast<const Stmt&>(f_[s]), [&](const Block& b) { inner.push_back(b); });
      if (const StmtId loop = loopOf(f_[s])) {
        Block body = block(std::get<For>(f_[loop].node).body);
        std::get<For>(f_[loop].node).body = std::move(body);
      }
      for (Block& b : inner) b = block(b);
      std::size_t k = 0;
      forEachBlockOfStmt(f_[s], [&](Block& b) { b = inner[k++]; });
      const auto* d = std::get_if<Declare>(&f_[s].node);
      const auto object = d ? objects_.find(d->var) : objects_.end();
      if (object == objects_.end()) out.push_back(s);
      else declare(Declare(*d), object->second, f_[s].loc, out);
    }
    return out;
  }

  void declare(const Declare& d, const Object& object, SourceLoc at, Block& out) {
    const Record& record = m_[as<RecordType>(m_, f_[d.var].type)->record];
    const Init empty = d.init == Init::None && record.isAggregate ? Init::None : Init::Zero;  // a constructor may have set zeros
    for (std::size_t k = 0; k < object.parts.size(); ++k) {
      ExprId value = d.init == Init::List ? d.args[0] : ExprId();
      for (unsigned field : object.paths[k]) {
        if (!value.valid()) break;
        const auto& elements = std::get<InitList>(f_[value].node).elements;
        value = field < elements.size() ? elements[field] : ExprId();
      }
      const Declare part = value.valid() ? Declare{object.parts[k], Init::Value, {value}, Storage::Automatic, {}}
                                         : Declare{object.parts[k], empty, {}, Storage::Automatic, {}};
      out.push_back(f_.addStmt(part, at));
    }
  }

  // --- copies of parts

  bool mentions(StmtId s, VarId v) const {
    bool found = false;
    walkStmt(f_, s, [&](StmtId inner) {
      forEachExprOfStmt(f_[inner], [&](ExprId e) { found = found || mentionsIn(e, v); });
    });
    return found;
  }
  bool mentionsIn(ExprId e, VarId v) const {
    bool found = false;
    walkExpr(f_, e, [&](ExprId x) {
      const auto* ref = std::get_if<VarRef>(&f_[x].node);
      found = found || (ref && ref->var == v);
    });
    return found;
  }

  std::optional<std::size_t> declarationOf(VarId v, const Block& block) const {
    for (std::size_t k = 0; k < block.size(); ++k)
      if (const auto* d = std::get_if<Declare>(&f_[block[k]].node); d && d->var == v) return k;
    return std::nullopt;
  }

  // `to = from;` where `from` isn't named any more and `to` not yet: one variable, named `to`.
  void meetCopies(Block& in) {
    for (StmtId s : in) {
      forEachBlockOfStmt(f_[s], [&](Block& b) { meetCopies(b); });
      if (const StmtId loop = loopOf(f_[s])) meetCopies(std::get<For>(f_[loop].node).body);
    }
    for (std::size_t k = 0; k < in.size(); ++k) {
      const auto* assign = std::get_if<Assign>(&f_[in[k]].node);
      const auto* declared = std::get_if<Declare>(&f_[in[k]].node);
      const auto* to = assign ? std::get_if<VarRef>(&f_[assign->target].node) : nullptr;
      const ExprId value = assign ? assign->value : declared && declared->init == Init::Value ? declared->args[0] : ExprId();
      const auto* from = value.valid() ? std::get_if<VarRef>(&f_[value].node) : nullptr;
      if ((!to && !declared) || !from) continue;
      const VarId target = to ? to->var : declared->var, source = from->var;
      if (const std::size_t gone = meet(in, k, target, source)) k -= std::min(k + 1, gone);
    }
  }

  // Computes with it by name, and keeps no reference to it.
  bool usesByValue(StmtId s, VarId v) const {
    bool ok = true;
    walkStmt(f_, s, [&](StmtId inner) {
      const StmtNode& n = f_[inner].node;
      const auto* d = std::get_if<Declare>(&n);
      const bool isPlain = (d && d->init != Init::Bind) || std::holds_alternative<Assign>(n) || std::holds_alternative<Increment>(n) ||
                           std::holds_alternative<If>(n) || std::holds_alternative<For>(n) || std::holds_alternative<While>(n);
      if (!isPlain) forEachExprOfStmt(f_[inner], [&](ExprId e) { ok = ok && !mentionsIn(e, v); });
    });
    return ok;
  }

  // How many statements are gone.
  std::size_t meet(Block& in, std::size_t copy, VarId to, VarId from) {
    if (made_.count(from) == 0 || from == to || f_[to].type != f_[from].type) return 0;
    const auto begins = declarationOf(from, in), declared = declarationOf(to, in);
    if (!begins || !declared || *begins >= copy || *declared > copy) return 0;
    for (std::size_t k = copy + 1; k < in.size(); ++k)
      if (mentions(in[k], from)) return 0;
    for (std::size_t k = *begins; k < copy; ++k)
      if (!usesByValue(in[k], from)) return 0;
    const auto& first = std::get<Declare>(f_[in[*declared]].node);
    if (*declared < copy) {
      if (first.init != Init::None && first.init != Init::Zero) return 0;
      for (std::size_t k = 0; k < copy; ++k)
        if (k != *declared && mentions(in[k], to)) return 0;
    }
    std::vector<ExprId> all;
    for (std::size_t k = *begins; k < copy; ++k)
      walkStmt(f_, in[k], [&](StmtId s) {
        forEachExprOfStmt(f_[s], [&](ExprId e) { walkExpr(f_, e, [&](ExprId x) { all.push_back(x); }); });
      });
    for (ExprId e : all)
      if (auto* ref = std::get_if<VarRef>(&f_[e].node); ref && ref->var == from) ref->var = to;
    std::get<Declare>(f_[in[*begins]].node).var = to;
    made_.insert(to);
    std::vector<std::size_t> gone{copy};
    if (*declared != copy) gone.push_back(*declared);
    std::sort(gone.rbegin(), gone.rend());
    for (std::size_t k : gone) in.erase(in.begin() + static_cast<std::ptrdiff_t>(k));
    return gone.size();
  }

  // `double x; … x = e;` where x isn't named in between: `double x = e;`.
  void declareLate(Block& in) {
    for (StmtId s : in) {
      forEachBlockOfStmt(f_[s], [&](Block& b) { declareLate(b); });
      if (const StmtId loop = loopOf(f_[s])) declareLate(std::get<For>(f_[loop].node).body);
    }
    for (std::size_t k = 0; k < in.size(); ++k) {
      const auto* d = std::get_if<Declare>(&f_[in[k]].node);
      if (!d || made_.count(d->var) == 0 || (d->init != Init::None && d->init != Init::Zero)) continue;
      const VarId v = d->var;
      std::size_t first = k + 1;
      while (first < in.size() && !mentions(in[first], v)) ++first;
      if (first == in.size()) continue;
      const auto* assign = std::get_if<Assign>(&f_[in[first]].node);
      const auto* target = assign ? std::get_if<VarRef>(&f_[assign->target].node) : nullptr;
      if (!target || target->var != v || mentionsIn(assign->value, v)) continue;
      f_[in[first]].node = Declare{v, Init::Value, {assign->value}, Storage::Automatic, {}};
      in.erase(in.begin() + static_cast<std::ptrdiff_t>(k--));
    }
  }

  Module& m_;
  Function& f_;
  std::map<VarId, Object> objects_;
  std::set<VarId> made_;  // variables for members
};

}  // namespace

void splitObjects(Module& module, Function& function) { Splitting(module, function).run(); }

}  // namespace contraflow::transform
