#include "transform/share_values.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "ir/expr_printer.hpp"
#include "ir/walk.hpp"
#include "rules/algebra.hpp"
#include "rules/rules.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;

// The value of one math call or quotient, from its first evaluation to the first write that may change it.
struct Value {
  ExprId expression;
  std::size_t first;                  // the statement in the block
  std::vector<std::size_t> uses;      // statements, one entry for each occurrence
  std::vector<std::size_t> containers;  // for each use: the value around it, or kNone
  std::set<VarId> reads;              // variables whose own memory it reads
  bool readsMemory = false;           // other memory
  bool readsShadows = false;          // a shadow may be among that
  std::set<VarId> bases;              // the pointers that it reads memory through,
  bool onlyBases = true;              // if these are all
  VarId declared;                     // a variable that begins with it and keeps it
  std::size_t declaredAt = 0;         // its declaration's place in the block
  VarId variable;                     // once it is shared
};
constexpr std::size_t kNone = ~std::size_t{0};

class Sharing {
 public:
  Sharing(Module& m, Function& f) : m_(m), f_(f) {}

  void run() {
    findEscaped();
    findWritten();
    visit(f_.body);
  }

 private:
  // --- what may be written -----------------------------------------------------------------------------------------------

  // The variable that the place is part of, without a pointer, reference or container in between; none otherwise.
  VarId owner(ExprId place) const {
    const Expr& e = f_[place];
    if (const auto* v = std::get_if<VarRef>(&e.node)) return isReference(m_, f_[v->var].type) ? VarId() : v->var;
    if (const auto* r = std::get_if<FieldRef>(&e.node)) {
      const auto* record = as<RecordType>(m_, f_[r->base].type);
      return record && !isReference(m_, m_[record->record].fields[r->field].type) ? owner(r->base) : VarId();
    }
    if (const auto* s = std::get_if<Subscript>(&e.node)) {
      const auto* d = std::get_if<Decay>(&f_[s->base].node);
      if (d) return owner(d->array);
      return as<ArrayType>(m_, f_[s->base].type) ? owner(s->base) : VarId();
    }
    return {};
  }

  // Variables that pointers or references may reach: their memory counts as any other.
  void findEscaped() {
    const auto escape = [&](ExprId place) {
      walkExpr(f_, place, [&](ExprId x) {
        if (const auto* v = std::get_if<VarRef>(&f_[x].node)) escaped_.insert(v->var);
      });
    };
    walkStmts(f_, f_.body, [&](StmtId s) {
      const Stmt& stmt = f_[s];
      forEachExprOfStmt(stmt, [&](ExprId e) { findEscapedIn(e, escape); });
      const auto* d = std::get_if<Declare>(&stmt.node);
      if (d && d->storage == Storage::Automatic && d->init != Init::Bind) return;
      if (std::holds_alternative<Assign>(stmt.node) || std::holds_alternative<Increment>(stmt.node) ||
          std::holds_alternative<SetZero>(stmt.node) || std::holds_alternative<SharedIncrement>(stmt.node) ||
          std::holds_alternative<Push>(stmt.node) || std::holds_alternative<Pop>(stmt.node) ||
          std::holds_alternative<If>(stmt.node) || std::holds_alternative<For>(stmt.node) ||
          std::holds_alternative<While>(stmt.node) || std::holds_alternative<Return>(stmt.node))
        return;
      forEachExprOfStmt(stmt, escape);  // reference arguments, frames, whatever else takes an object as such
    });
  }

  template <class Escape>
  void findEscapedIn(ExprId e, const Escape& escape) const {
    const Expr& x = f_[e];
    if (const auto* a = std::get_if<AddressOf>(&x.node)) escape(a->place);
    if (const auto* a = std::get_if<Decay>(&x.node)) escape(a->array);
    if (const auto* s = std::get_if<Subscript>(&x.node)) {
      if (const auto* d = std::get_if<Decay>(&f_[s->base].node)) {
        findEscapedIn(d->array, escape);
        return findEscapedIn(s->index, escape);
      }
    }
    forEachChildExpr(x, [&](ExprId child) { findEscapedIn(child, escape); });
  }

  // Variables that are written after their declarations.
  void findWritten() {
    walkStmts(f_, f_.body, [&](StmtId s) {
      const StmtNode& node = f_[s].node;
      ExprId place;
      if (const auto* a = std::get_if<Assign>(&node)) place = a->target;
      if (const auto* i = std::get_if<Increment>(&node)) place = i->target;
      if (const auto* i = std::get_if<SharedIncrement>(&node)) place = i->target;
      if (const auto* z = std::get_if<SetZero>(&node)) place = z->place;
      if (const auto* p = std::get_if<Pop>(&node)) place = p->place;
      if (place.valid()) written_.insert(owner(place));
    });
  }

  // Derivative functions begin with their primal's variables; shadows are behind them, and overlap no primal memory.
  bool isOfPrimal(VarId v) const {
    if (f_.kind != FunctionKind::Adjoint && f_.kind != FunctionKind::Reverse) return false;
    return v.valid() && f_.primal.valid() && v.index() < m_[f_.primal].vars.size();
  }
  bool isShadow(VarId v) const {
    if (f_.kind != FunctionKind::Adjoint && f_.kind != FunctionKind::Reverse) return false;
    return v.valid() && f_.primal.valid() && v.index() >= m_[f_.primal].vars.size();
  }

  template <class Condition>
  void forget(const Condition& condition) {
    for (auto known = known_.begin(); known != known_.end();)
      known = condition(values_[known->second]) ? known_.erase(known) : std::next(known);
  }
  void wrote(ExprId place, bool adjoint) {
    const VarId own = owner(place);
    if (own.valid() && escaped_.count(own) == 0) return forget([&](const Value& v) { return v.reads.count(own) != 0; });
    // Increments and zeros of shadows leave the primal's memory alone.
    const bool shadow = adjoint && isShadow(rootVar(f_, place));
    const VarId base = promisedBase(place);
    const auto liesApart = [&](const Value& v) {
      return base.valid() && v.onlyBases && v.bases.count(base) == 0 && std::all_of(v.bases.begin(), v.bases.end(), [&](VarId b) { return isPromised(b); });
    };
    forget([&](const Value& v) {
      return (v.readsMemory && !(shadow && !v.readsShadows) && !liesApart(v)) || (own.valid() && v.reads.count(own) != 0);
    });
  }
  // A pointer of the primal's declared `__restrict__` that is set once: what is written through it isn't read through another.
  bool isPromised(VarId v) const {
    return f_[v].isRestrict && as<PointerType>(m_, f_[v].type) && isOfPrimal(v) && written_.count(v) == 0 && escaped_.count(v) == 0;
  }
  VarId promisedBase(ExprId place) const {
    const auto* s = std::get_if<Subscript>(&f_[place].node);
    const auto* v = s ? std::get_if<VarRef>(&f_[s->base].node) : nullptr;
    return v && isPromised(v->var) ? v->var : VarId();
  }

  // --- what is evaluated -------------------------------------------------------------------------------------------------

  // The others are a few instructions, which compilers share themselves.
  static bool worthSharing(const std::string& function) { return function == "reciprocal" || rules::isCostly(function); }
  // Compilers share quotients as well, but not across writes to memory that might hold what is divided.
  bool worthSharing(const Expr& e) const {
    if (const auto* call = std::get_if<MathCall>(&e.node)) return worthSharing(call->function);
    const auto* b = std::get_if<Binary>(&e.node);
    return b && b->op == BinaryOp::Div && isReal(m_, e.type) && !std::holds_alternative<Literal>(f_[b->rhs].node);
  }
  // Of a reciprocal, written or derived.
  ExprId divisorOf(const Expr& e) const {
    if (const auto* call = std::get_if<MathCall>(&e.node)) return call->function == "reciprocal" ? call->args[0] : ExprId();
    const auto* b = std::get_if<Binary>(&e.node);
    const bool quotient = b && b->op == BinaryOp::Div && isReal(m_, e.type);
    return quotient && rules::Algebra(m_, f_).constant(b->lhs) == 1.0L ? b->rhs : ExprId();
  }
  std::string nameOf(const Expr& e) const {
    const ExprId divisor = divisorOf(e);
    const auto* call = std::get_if<MathCall>(&e.node);
    if (!divisor.valid()) return call ? call->function + "_value" : "quotient";
    const VarId root = isPlace(f_[divisor]) ? rootVar(f_, divisor) : VarId();
    return root.valid() ? f_[root].name + "_inverse" : "inverse";
  }

  // Notes what the value reads; false if it can't be kept.
  bool readsOf(ExprId e, Value& value) const {
    bool good = true;
    walkExpr(f_, e, [&](ExprId x) {
      const ExprNode& node = f_[x].node;
      if (std::holds_alternative<PureCall>(node) || std::holds_alternative<InitList>(node)) good = false;
      if (const auto* v = std::get_if<VarRef>(&node)) {
        value.reads.insert(v->var);
        if (isReference(m_, f_[v->var].type) || escaped_.count(v->var) != 0) {
          value.readsMemory = true;
          value.onlyBases = false;
        }
        if (value.readsMemory && !isOfPrimal(v->var)) value.readsShadows = true;
      } else if (isPlace(f_[x]) && !owner(x).valid()) {
        value.readsMemory = true;
        if (!isOfPrimal(rootVar(f_, x))) value.readsShadows = true;
        const auto* s = std::get_if<Subscript>(&node);
        const auto* base = s ? std::get_if<VarRef>(&f_[s->base].node) : nullptr;
        if (base && as<PointerType>(m_, f_[base->var].type)) value.bases.insert(base->var);
        else value.onlyBases = false;
      } else if (std::holds_alternative<SizeOf>(node) || std::holds_alternative<DataOf>(node)) {
        value.readsMemory = value.readsShadows = true;
        value.onlyBases = false;
      }
    });
    return good;
  }

  // Text that only equal values share: names alone don't tell globals of two namespaces apart, nor literals of two types.
  std::string keyOf(ExprId id, const ExprPrinter& print) const {
    if (const ExprId divisor = divisorOf(f_[id]); divisor.valid()) return "1 / (" + keyOf(divisor, print) + ")";
    std::string key = print(id);
    walkExpr(f_, id, [&](ExprId x) {
      if (const auto* g = std::get_if<GlobalRef>(&f_[x].node)) key += " @" + std::to_string(g->global.index());
      if (std::holds_alternative<Literal>(f_[x].node) || std::holds_alternative<MathCall>(f_[x].node))
        key += " :" + std::to_string(withoutConst(m_, f_[x].type).index());
    });
    return key;
  }

  // Finds math calls in an expression that the statement evaluates before it writes anything.
  void find(ExprId id, std::size_t at, std::size_t container, bool surely, const ExprPrinter& print) {
    if (!id.valid()) return;
    const Expr& e = f_[id];
    if (const auto* c = std::get_if<Conditional>(&e.node)) {
      find(c->condition, at, container, surely, print);
      find(c->whenTrue, at, container, false, print);
      return find(c->whenFalse, at, container, false, print);
    }
    if (const auto* b = std::get_if<Binary>(&e.node); b && (b->op == BinaryOp::And || b->op == BinaryOp::Or)) {
      find(b->lhs, at, container, surely, print);
      return find(b->rhs, at, container, false, print);
    }
    if (worthSharing(e)) {
      const std::string key = keyOf(id, print);
      auto known = known_.find(key);
      if (known == known_.end() && surely) {
        Value value{id, at, {}, {}, {}, false, false, {}, true, {}, 0, {}};
        if (readsOf(id, value)) {
          known = known_.emplace(key, values_.size()).first;
          values_.push_back(std::move(value));
        }
      }
      if (known != known_.end() && counting_) {
        values_[known->second].uses.push_back(at);
        values_[known->second].containers.push_back(container);
        container = known->second;
        occurrences_[{at, key}] = known->second;
      }
    }
    forEachChildExpr(e, [&](ExprId child) { find(child, at, container, surely, print); });
  }

  void scan(const Block& block, std::size_t at, const ExprPrinter& print) {
    const Stmt& stmt = f_[block[at]];
    // What the statement surely evaluates is at hand under its conditions, too, wherever these stand in it.
    const auto evaluated = [&](ExprId e) {
      for (const bool count : {false, true}) {
        counting_ = count;
        find(e, at, kNone, true, print);
      }
    };
    if (const auto* a = std::get_if<Assign>(&stmt.node)) {
      evaluated(a->value);
      wrote(a->target, false);
    } else if (const auto* i = std::get_if<Increment>(&stmt.node)) {
      evaluated(i->value);
      wrote(i->target, true);
    } else if (const auto* shared = std::get_if<SharedIncrement>(&stmt.node)) {
      evaluated(shared->value);
      wrote(shared->target, true);
    } else if (const auto* z = std::get_if<SetZero>(&stmt.node)) {
      wrote(z->place, true);
    } else if (const auto* p = std::get_if<Pop>(&stmt.node)) {
      wrote(p->place, false);
    } else if (const auto* d = std::get_if<Declare>(&stmt.node); d && d->storage == Storage::Automatic && plain(*d)) {
      const VarId v = d->var;
      if (d->init == Init::Value) {
        evaluated(d->args[0]);
        noteDeclared(d->args[0], v, at, print);
      }
      forget([&](const Value& value) { return value.reads.count(v) != 0; });
    } else {
      walkStmt(f_, block[at], [&](StmtId inner) { forgetWhatWrites(f_[inner].node); });
    }
  }
  // Statements that are scanned for nothing themselves, and what stands in their blocks.
  void forgetWhatWrites(const StmtNode& node) {
    if (const auto* a = std::get_if<Assign>(&node)) return wrote(a->target, false);
    if (const auto* i = std::get_if<Increment>(&node)) return wrote(i->target, true);
    if (const auto* shared = std::get_if<SharedIncrement>(&node)) return wrote(shared->target, true);
    if (const auto* z = std::get_if<SetZero>(&node)) return wrote(z->place, true);
    if (const auto* p = std::get_if<Pop>(&node)) return wrote(p->place, false);
    const auto* d = std::get_if<Declare>(&node);
    if (d && d->storage == Storage::Automatic && plain(*d)) return;
    if (std::holds_alternative<If>(node) || std::holds_alternative<For>(node) || std::holds_alternative<While>(node) ||
        std::holds_alternative<Scope>(node) || std::holds_alternative<Break>(node) || std::holds_alternative<Continue>(node) ||
        std::holds_alternative<Return>(node) || std::holds_alternative<Push>(node) || std::holds_alternative<Comment>(node))
      return;
    known_.clear();
  }
  // A variable that begins with a value and is never written again can be named instead of another.
  void noteDeclared(ExprId init, VarId v, std::size_t at, const ExprPrinter& print) {
    if (!worthSharing(f_[init]) || written_.count(v) != 0 || escaped_.count(v) != 0) return;
    const auto found = occurrences_.find({at, keyOf(init, print)});
    if (found == occurrences_.end()) return;
    Value& value = values_[found->second];
    if (value.declared.valid() || withoutConst(m_, f_[v].type) != withoutConst(m_, f_[init].type)) return;
    value.declared = v;
    value.declaredAt = at;
  }
  // A declaration that writes nothing but a number.
  bool plain(const Declare& d) const {
    const TypeId type = f_[d.var].type;
    return d.init == Init::Zero || d.init == Init::None || (d.init == Init::Value && (isReal(m_, type) || isIntegral(m_, type)));
  }

  // --- the change --------------------------------------------------------------------------------------------------------

  void visit(Block& block) {
    for (StmtId s : block) {
      // Copies, since the arena grows.
      Stmt stmt = f_[s];
      forEachBlockOfStmt(stmt, [&](Block& inner) { visit(inner); });
      if (const StmtId loop = loopOf(stmt)) {
        Stmt inside = f_[loop];
        forEachBlockOfStmt(inside, [&](Block& inner) { visit(inner); });
        f_[loop] = std::move(inside);
      }
      f_[s] = std::move(stmt);
    }
    while (shareIn(block)) {
    }
  }

  // One round: the values that aren't part of a value that is shared itself. False if there are none.
  bool shareIn(Block& block) {
    known_.clear();
    values_.clear();
    occurrences_.clear();
    const ExprPrinter print(m_, f_);
    for (std::size_t at = 0; at < block.size(); ++at) scan(block, at, print);
    std::vector<std::vector<StmtId>> before(block.size());
    std::set<std::size_t> moved;
    bool any = false;
    for (Value& value : values_) {
      bool now = value.uses.size() > 1;
      for (std::size_t c : value.containers) now = now && (c == kNone || values_[c].uses.size() < 2);
      if (!now) continue;
      any = true;
      value.variable = value.declared;
      if (value.declared.valid()) {  // in front of the first use, with all that is part of it
        moved.insert(value.declaredAt);
        before[value.first].push_back(block[value.declaredAt]);
        continue;
      }
      Var v;
      v.name = nameOf(f_[value.expression]);
      v.type = withoutConst(m_, f_[value.expression].type);
      v.isTemporary = true;
      value.variable = f_.addVar(v);
      const SourceLoc loc = f_[block[value.first]].loc;
      const StmtId origin = f_[block[value.first]].origin;
      before[value.first].push_back(
          f_.addStmt(Declare{value.variable, Init::Value, {value.expression}, Storage::Automatic, {}}, loc, origin));
    }
    if (!any) return false;
    Block out;
    for (std::size_t at = 0; at < block.size(); ++at) {
      out.insert(out.end(), before[at].begin(), before[at].end());
      if (moved.count(at) == 0) out.push_back(replaceIn(block[at], at, print));
    }
    block = std::move(out);
    return true;
  }

  // A new statement where something changes: both sweeps may hold the same one.
  StmtId replaceIn(StmtId s, std::size_t at, const ExprPrinter& print) {
    Stmt stmt = f_[s];
    bool changed = false;
    const auto replaced = [&](ExprId& e) {
      const ExprId now = replace(e, at, print);
      changed = changed || now != e;
      e = now;
    };
    if (auto* a = std::get_if<Assign>(&stmt.node))
      replaced(a->value);
    else if (auto* i = std::get_if<Increment>(&stmt.node))
      replaced(i->value);
    else if (auto* shared = std::get_if<SharedIncrement>(&stmt.node))
      replaced(shared->value);
    else if (auto* d = std::get_if<Declare>(&stmt.node);
             d && d->storage == Storage::Automatic && d->init == Init::Value && plain(*d))
      replaced(d->args[0]);
    return changed ? f_.addStmt(std::move(stmt.node), stmt.loc, stmt.origin) : s;
  }

  // The expression with shared values named, the outermost ones first.
  ExprId replace(ExprId id, std::size_t at, const ExprPrinter& print) {
    if (!id.valid()) return id;
    Expr e = f_[id];
    if (worthSharing(e)) {
      const auto found = occurrences_.find({at, keyOf(id, print)});
      if (found != occurrences_.end() && values_[found->second].variable.valid())
        return f_.addExpr(VarRef{values_[found->second].variable}, withoutConst(m_, e.type), e.loc);
    }
    bool changed = false;
    forEachChildExpr(e, [&](ExprId& child) {
      const ExprId now = replace(child, at, print);
      changed = changed || now != child;
      child = now;
    });
    return changed ? f_.addExpr(std::move(e.node), e.type, e.loc) : id;
  }

  Module& m_;
  Function& f_;
  std::set<VarId> escaped_, written_;
  bool counting_ = true;
  std::map<std::string, std::size_t> known_;  // text to its value at this point of the scan
  std::vector<Value> values_;
  std::map<std::pair<std::size_t, std::string>, std::size_t> occurrences_;
};

}  // namespace

void shareValues(Module& module, Function& function) { Sharing(module, function).run(); }

}  // namespace contraflow::transform
