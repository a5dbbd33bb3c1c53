// Whether each read of a union in parts (unions.cpp) is of the member that was written last, on every path. What was written last is
// followed forwards through the statements; a loop begins with what any of its writes may leave.
#include "frontend/lowering.hpp"
#include "ir/match.hpp"
#include "ir/walk.hpp"

namespace contraflow::frontend {

using ir::ExprId;
using ir::StmtId;
using ir::VarId;

namespace {

constexpr int kUnknown = -1;
constexpr int kNothing = -2;  // written since the declaration

class LastWritten {
 public:
  using Report = std::function<void(VarId part, ir::SourceLoc at, bool escapes)>;
  LastWritten(const ir::Module& module, const ir::Function& function, Report report) : module_(module), function_(function), report_(std::move(report)) {}

  void add(const std::vector<VarId>& members) {
    for (std::size_t k = 0; k < members.size(); ++k) parts_[members[k]] = {state_.size(), static_cast<int>(k)};
    state_.push_back(kUnknown);
  }
  void block(const ir::Block& statements) {
    for (const StmtId id : statements) statement(id);
  }

 private:
  struct Part {
    std::size_t of;
    int member;
  };
  using State = std::vector<int>;

  // The part that a place lies in, reached without a pointer.
  std::optional<VarId> partOf(ExprId place) const {
    const ir::ExprNode& node = function_[place].node;
    if (const auto* e = std::get_if<ir::FieldRef>(&node)) return partOf(e->base);
    if (const auto* e = std::get_if<ir::Subscript>(&node)) return ir::as<ir::PointerType>(module_, function_[e->base].type) ? std::nullopt : partOf(e->base);
    const auto* e = std::get_if<ir::VarRef>(&node);
    return e && parts_.count(e->var) ? std::optional(e->var) : std::nullopt;
  }

  void read(ExprId id) {
    if (!id.valid()) return;
    const ir::Expr& e = function_[id];
    if (const auto* ref = std::get_if<ir::VarRef>(&e.node)) {
      const auto it = parts_.find(ref->var);
      if (it != parts_.end() && state_[it->second.of] != it->second.member) report_(ref->var, e.loc, false);
    }
    if (const auto* address = std::get_if<ir::AddressOf>(&e.node)) escape(address->place);
    if (const auto* decay = std::get_if<ir::Decay>(&e.node)) escape(decay->array);
    ir::forEachChildExpr(e, [&](ExprId child) { read(child); });
  }
  void escape(ExprId place) {
    if (const auto part = partOf(place)) report_(*part, function_[place].loc, true);
  }
  // The indices of a place that is written.
  void readAddress(ExprId place) {
    const ir::Expr& e = function_[place];
    if (!partOf(place)) return read(place);
    if (const auto* field = std::get_if<ir::FieldRef>(&e.node)) return readAddress(field->base);
    if (const auto* subscript = std::get_if<ir::Subscript>(&e.node)) {
      readAddress(subscript->base);
      read(subscript->index);
    }
  }
  void write(ExprId place) {
    readAddress(place);
    const auto part = partOf(place);
    if (!part) return;
    int& state = state_[parts_.at(*part).of];
    const int member = parts_.at(*part).member;
    // Of a field or element the rest of the member stays what another member left.
    const bool whole = std::holds_alternative<ir::VarRef>(function_[place].node);
    state = whole || state == member || state == kNothing ? member : kUnknown;
  }

  void statement(StmtId id) {
    const ir::Stmt& s = function_[id];
    if (const auto* n = std::get_if<ir::Declare>(&s.node)) return declare(*n);
    if (const auto* n = std::get_if<ir::Assign>(&s.node)) {
      read(n->value);
      return write(n->target);
    }
    if (const auto* n = std::get_if<ir::Increment>(&s.node)) {
      read(n->value);
      read(n->target);
      return write(n->target);
    }
    if (const auto* n = std::get_if<ir::Call>(&s.node)) return call(*n);
    if (const auto* n = std::get_if<ir::If>(&s.node)) return branch(*n);
    if (const auto* n = std::get_if<ir::Scope>(&s.node)) return block(n->body);
    // Whatever reads values only, and what may write: by address. Loops run from what any of their writes may leave.
    const bool readsOnly = std::holds_alternative<ir::Return>(s.node) || std::holds_alternative<ir::For>(s.node) || std::holds_alternative<ir::While>(s.node) ||
                           std::holds_alternative<ir::Opaque>(s.node);
    mixWrites(id);
    if (const auto* n = std::get_if<ir::Opaque>(&s.node))
      for (const ExprId place : n->writes) escape(place);
    const auto* loop = std::get_if<ir::While>(&s.node);
    if (!loop) ir::forEachExprOfStmt(s, [&](ExprId e) { readsOnly ? read(e) : (escape(e), read(e)); });
    const State before = state_;
    if (loop) {
      block(loop->test);
      read(loop->condition);
    }
    ir::forEachBlockOfStmt(s, [&](const ir::Block& inner) {
      if (loop && &inner == &loop->test) return;
      state_ = before;
      block(inner);
    });
    if (const StmtId inner = ir::loopOf(s)) statement(inner);
    state_ = before;
  }

  // One or the other. (What reads a member before anything is written has no defined value.)
  static int joined(int a, int b) { return a == b || b == kNothing ? a : a == kNothing ? b : kUnknown; }

  // The state that holds before and after any of the writes inside.
  void mixWrites(StmtId id) {
    const auto mix = [&](ExprId place) {
      const auto part = place.valid() ? partOf(place) : std::nullopt;
      if (part) state_[parts_.at(*part).of] = joined(state_[parts_.at(*part).of], parts_.at(*part).member);
    };
    ir::walkStmt(function_, id, [&](StmtId inner) {
      const ir::Stmt& s = function_[inner];
      if (const auto* n = std::get_if<ir::Assign>(&s.node)) mix(n->target);
      if (const auto* n = std::get_if<ir::Increment>(&s.node)) mix(n->target);
      if (const auto* n = std::get_if<ir::Call>(&s.node)) mix(n->result);
      if (const auto* n = std::get_if<ir::Declare>(&s.node))
        if (const auto it = parts_.find(n->var); it != parts_.end()) state_[it->second.of] = kUnknown;
    });
  }

  void declare(const ir::Declare& d) {
    for (const ExprId e : d.args) {
      if (d.init == ir::Init::Bind) escape(e);
      read(e);
    }
    const auto it = parts_.find(d.var);
    if (it == parts_.end()) return;
    // The members are declared one after the other, the first one first: a new object.
    if (it->second.member == 0) state_[it->second.of] = kNothing;
    if (d.init != ir::Init::None) state_[it->second.of] = it->second.member;
  }

  void call(const ir::Call& c) {
    const ir::Function& callee = module_[c.callee];
    for (std::size_t i = 0; i < c.args.size(); ++i) {
      if (!c.args[i].valid()) continue;
      if (i >= callee.params.size() || ir::as<ir::ReferenceType>(module_, callee[callee.params[i]].type)) escape(c.args[i]);
      read(c.args[i]);
    }
    if (c.result.valid()) write(c.result);
  }

  void branch(const ir::If& n) {
    read(n.condition);
    const State before = state_;
    block(n.then);
    const State then = state_;
    state_ = before;
    block(n.otherwise);
    if (leaves(n.otherwise)) state_ = then;
    else if (!leaves(n.then))
      for (std::size_t i = 0; i < state_.size(); ++i) state_[i] = joined(state_[i], then[i]);
  }
  // A jump out of a loop ends in a state that the loop's writes account for (mixWrites).
  bool leaves(const ir::Block& b) const {
    if (b.empty()) return false;
    const ir::StmtNode& last = function_[b.back()].node;
    return std::holds_alternative<ir::Break>(last) || std::holds_alternative<ir::Continue>(last) || std::holds_alternative<ir::Return>(last);
  }

  const ir::Module& module_;
  const ir::Function& function_;
  Report report_;
  std::map<VarId, Part> parts_;
  State state_;
};

}  // namespace

void FunctionLowering::checkUnions() {
  if (unions_.empty()) return;
  std::map<VarId, std::pair<std::string, std::string>> names;  // of a member's variable: the union's and its own
  std::set<VarId> reported;
  LastWritten walk(module(), function(), [&](VarId part, ir::SourceLoc at, bool escapes) {
    if (!reported.insert(part).second) return;
    const auto& [object, name] = names.at(part);
    if (!at.valid()) at = function()[part].loc;
    if (escapes)
      unit_.diagnostics().report(DiagId::UnsupportedExpression, at,
                                 {"a pointer or reference to '" + name + "' of the union '" + object + "', which holds different kinds of values,",
                                  "copy the member, or give each kind of value a variable of its own"});
    else
      unit_.diagnostics().report(DiagId::UnsupportedExpression, at,
                                 {"'" + name + "' of the union '" + object + "' where another member may have been written last",
                                  "read the member that was written; what looks at the bits of a value belongs in a function marked '#pragma contraflow inactive', or give each kind of value a variable of its own"});
  });
  for (const UnionInParts& u : unions_) {
    std::string object = function()[u.object].name;
    if (object.size() > 1 && object.back() == '_') object.pop_back();  // an anonymous one: the object around it
    for (const VarId part : u.members) {
      const std::string& name = function()[part].name;
      names[part] = {object, name.compare(0, object.size() + 1, object + "_") == 0 ? name.substr(object.size() + 1) : name};
    }
    walk.add(u.members);
  }
  walk.block(function().body);
}

}  // namespace contraflow::frontend
