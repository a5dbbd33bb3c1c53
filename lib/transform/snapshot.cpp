#include "transform/snapshot.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "ir/walk.hpp"
#include "transform/snapshot_reach.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;

bool isVariable(const Function& f, ExprId e, VarId v) {
  const auto* r = std::get_if<VarRef>(&f[e].node);
  return r && r->var == v;
}

// Decides how each piece of memory that the loop overwrites is saved.
class Finder {
 public:
  Finder(Module& m, const analysis::Facts& facts, const Annotations& annotations, SnapshotRefusal& refusal, FuncId id, Function& f,
         StmtId loop, bool touched)
      : m_(m), annotations_(annotations), written_(m, facts, refusal, id, f, loop, touched), f_(f), id_(id), loop_(loop) {}

  Snapshot find() {
    isPlaced_ = findScope(f_.body);
    const Reach all = written_.all();
    for (const Reached& v : written_.exchanged()) known_[v.path] = kExchanged;
    for (const Reached& r : all)
      if (!r.elements && as<PointerType>(m_, r.type)) pointerClass(r);
    // Behind each pointer: whether any write through it may be seen; of those that are exchanged, through any of them.
    std::map<VarId, bool> seen;
    const auto owner = [&](const Reached& r) { return exchangedPointers_.count(r.path.var) ? *exchangedPointers_.begin() : r.path.var; };
    for (const Reached& r : all)
      if (r.elements) seen[owner(r)] = seen[owner(r)] || r.seen;
    for (Reached r : all) {
      if (r.elements) r.seen = seen[owner(r)];
      place(r);
    }
    for (VarId p : exchangedPointers_) {
      const auto has = pointees_.find(p);
      out_.pointers.push_back({p, has != pointees_.end() && has->second != kNothing});
    }
    for (const Reached& v : written_.exchanged()) exchanged(v, all);
    out_.communicates = written_.communicates();
    out_.unchecked = written_.unchecked();
    return std::move(out_);
  }

 private:
  // The variables that are there when the loop begins; true if it stands in the block.
  bool findScope(const Block& in) {
    std::vector<VarId> here;
    bool found = false;
    for (StmtId s : in) {
      found = s == loop_ || loopOf(f_[s]) == loop_;
      const auto inside = [&](const Block& b) { found = found || findScope(b); };
      if (!found) forEachBlockOfStmt(static_cast<const Stmt&>(f_[s]), inside);
      if (const StmtId loop = loopOf(f_[s]); loop && !found) forEachBlockOfStmt(static_cast<const Stmt&>(f_[loop]), inside);
      if (s != loop_) forEachDeclaredVar(static_cast<const Stmt&>(f_[s]), [&](VarId v) { here.push_back(v); });
      if (found) break;
    }
    if (found) inScope_.insert(here.begin(), here.end());
    return found;
  }
  bool isAllocated(VarId p) const {
    bool found = false;
    walkStmts(f_, f_.body, [&](StmtId s) {
      const auto* a = std::get_if<Allocate>(&f_[s].node);
      found = found || (a && isVariable(f_, a->target, p));
    });
    return found;
  }
  // What a pointer may point to elsewhere in the function, but not here.
  bool isElsewhere(VarId v) const { return isPlaced_ && v.valid() && f_[v].kind == VarKind::Local && inScope_.count(v) == 0; }

  [[noreturn]] void stop(const std::string& what, const std::string& wayOut) { written_.stop(what, wayOut); }

  void exchanged(const Reached& v, const Reach& all) {
    if (!v.path.var.valid() || std::count(v.path.steps.begin(), v.path.steps.end(), SnapshotPath::kDeref))
      stop("vectors are exchanged that are reached through a pointer or global", "pass them by reference");
    bool seen = v.seen;
    for (const Reached& r : all) seen = seen || (r.seen && !(r.path < v.path) && !(v.path < r.path));
    out_.exchanged.push_back({expression(v.path), true, seen});
  }

  // --- pointer variables of the loop's function that the loop changes

  // They may only exchange their values with each other: then all memory that they ever have is what they have before the loop.
  void pointerClass(const Reached& r) {
    if (!r.path.var.valid() || !r.path.steps.empty() || isReference(m_, f_[r.path.var].type))
      stop("it changes a pointer in an object, or the caller's", "exchange local pointers, or vectors");
    addToClass(r.path.var);
  }
  void addToClass(VarId p) {
    if (!written_.isIterations(p) && !exchangedPointers_.insert(p).second) return;
    if (written_.isIterations(p) && !through_.insert(p).second) return;
    walkStmts(f_, f_.body, [&](StmtId s) {
      ExprId value;
      if (const auto* a = std::get_if<Assign>(&f_[s].node); a && isVariable(f_, a->target, p)) value = a->value;
      const auto* d = std::get_if<Declare>(&f_[s].node);
      if (d && d->var == p && !d->args.empty()) value = d->args[0];
      if (!value.valid()) return;
      while (const auto* c = std::get_if<Cast>(&f_[value].node)) value = c->operand;
      const auto* from = std::get_if<VarRef>(&f_[value].node);
      if (!from && d && !written_.isIterations(p)) return;  // memory that it has in front of the loop
      written_.at(f_[s].loc);
      if (!from) stop("the pointer '" + f_[p].name + "' gets a value that no pointer variable has before the loop", "let the loop's pointers exchange their values only");
      addToClass(from->var);
    });
  }

  // --- how each is saved

  void place(const Reached& r) {
    if (!r.elements && as<PointerType>(m_, r.type)) return;  // exchangedPointers_
    if (!r.elements) return save(r);
    if (isElsewhere(r.path.var) && isAllocated(r.path.var))
      stop("memory that is allocated in a block in front of it may have been freed there, or has no name here", "allocate it in one place, for a pointer that the loop uses");
    if (!r.path.var.valid() || !r.path.steps.empty())
      stop("how much memory a pointer in an object or a global reaches isn't known", "use a vector, or pass the pointer as a parameter with an 'extent'");
    if (exchangedPointers_.count(r.path.var) == 0) return pointee(r.path.var, r.seen);
    for (VarId p : exchangedPointers_) pointee(p, r.seen);
    // Any of them may have the memory of any other when the loop begins.
    std::set<std::string> extents;
    bool named = false;
    for (VarId p : exchangedPointers_) {
      const std::size_t has = pointees_.at(p);
      if (has == kNothing) continue;
      named = named || has == kNamed;
      if (has != kNamed) extents.insert(textOf(out_.ranges[has].extent));
    }
    if (mayBeExchangedBefore() && (extents.size() > 1 || (named && !extents.empty())))
      stop("pointers are exchanged whose memory differs in size", "use vectors, or give them the same extent");
  }

  // True unless the loop finds the pointers as they were declared.
  bool mayBeExchangedBefore() {
    bool before = false;
    walkStmts(f_, f_.body, [&](StmtId s) {
      if (s == loop_) return false;
      const bool isLoop = std::holds_alternative<For>(f_[s].node) || std::holds_alternative<While>(f_[s].node);
      if (isLoop) walkStmt(f_, s, [&](StmtId inner) { before = before || inner == loop_; });
      if (const auto* a = std::get_if<Assign>(&f_[s].node))
        for (VarId p : exchangedPointers_) before = before || isVariable(f_, a->target, p);
      return true;
    });
    return before;
  }

  // What a pointer variable of the loop's function reaches.
  void pointee(VarId p, bool seen) {
    if (!pointees_.insert({p, kNothing}).second) return;
    const bool exchanged = exchangedPointers_.count(p) != 0;
    const auto extent = annotations_.extents.find({id_, p});
    bool allocated = false;
    ExprId count = extent == annotations_.extents.end() ? ExprId() : extent->second;
    walkStmts(f_, f_.body, [&](StmtId s) {
      const auto* a = std::get_if<Allocate>(&f_[s].node);
      if (!a || !isVariable(f_, a->target, p)) return;
      if (allocated || !a->count.valid() || !isFixed(a->count))
        stop("how much memory '" + f_[p].name + "' reaches isn't known in front of the loop", "use a vector");
      allocated = true;
      count = a->count;
    });
    const std::vector<ExprId> values = written_.valuesOf(f_, p);
    if (count.valid()) {
      for (ExprId v : values)  // (The members of a class exchange their values only.)
        if (!exchanged && !std::holds_alternative<Literal>(f_[v].node))
          stop("how much memory '" + f_[p].name + "' reaches isn't known, since the function changes the pointer", "use another pointer variable");
      pointees_[p] = out_.ranges.size();
      out_.ranges.push_back({f_.addExpr(VarRef{p}, withoutReference(m_, f_[p].type)), count, seen});
      return;
    }
    if (f_[p].kind == VarKind::Parameter)
      stop("how much memory the parameter '" + f_[p].name + "' reaches isn't known",
           "say so in front of the function, as in '#pragma contraflow extent(" + f_[p].name + ": n)', or use a vector");
    for (ExprId v : values) {
      const auto* from = std::get_if<VarRef>(&f_[v].node);
      if (from && exchanged && exchangedPointers_.count(from->var) != 0) continue;
      if (from && written_.isIterations(from->var)) continue;
      for (Reached one : written_.resolvePointer(f_, v)) {
        one.seen = one.seen || seen;
        if (one.elements) {
          if (exchanged) stop("the pointer '" + f_[p].name + "' gets values that the loop exchanges from other pointers", "use vectors");
          place(one);
        } else {
          checkUnmoved(one, p);
          save(one);
          pointees_[p] = kNamed;
        }
      }
    }
  }

  // A vector that is restructured after the pointer was taken may have other memory by then.
  void checkUnmoved(const Reached& r, VarId p) {
    if (!as<ContainerType>(m_, r.type)) return;
    Block behind = f_.body;  // the pointer's declaration, if that is run once
    for (auto s = f_.body.begin(); s != f_.body.end(); ++s) {
      const auto* d = std::get_if<Declare>(&f_[*s].node);
      if (d && d->var == p) behind.assign(s, f_.body.end());
    }
    const auto moved = [&] { stop("a pointer is used whose vector changes its memory in this function", "take the pointer in the loop, from the vector"); };
    walkStmts(f_, behind, [&](StmtId s) {
      std::set<FuncId> visited;
      if (const auto* c = std::get_if<Call>(&f_[s].node); c && restructures(c->callee, visited)) moved();
      const auto* x = std::get_if<Restructure>(&f_[s].node);
      if (!x) return;
      for (ExprId v : {x->container, x->op == Structure::Swap ? x->operand : x->container}) {
        const VarId root = rootVar(f_, v);
        if (!root.valid() || root == r.path.var) moved();
      }
    });
  }

  // True if the function, or what it calls, changes a vector that it is given.
  bool restructures(FuncId g, std::set<FuncId>& visited) const {
    if (!visited.insert(g).second) return false;
    bool yes = false;
    const Function& callee = m_[g];
    walkStmts(callee, callee.body, [&](StmtId s) {
      if (const auto* c = std::get_if<Call>(&callee[s].node)) yes = yes || restructures(c->callee, visited);
      const auto* x = std::get_if<Restructure>(&callee[s].node);
      if (!x) return;
      for (ExprId v : {x->container, x->op == Structure::Swap ? x->operand : x->container}) {
        const VarId root = rootVar(callee, v);
        yes = yes || !root.valid() || callee[root].kind == VarKind::Parameter || isReference(m_, callee[root].type);
      }
    });
    return yes;
  }

  // True if nothing in the function changes the value.
  bool isFixed(ExprId e) {
    bool fixed = true;
    walkExpr(f_, e, [&](ExprId x) {
      if (const auto* v = std::get_if<VarRef>(&f_[x].node)) {
        walkStmts(f_, f_.body, [&](StmtId s) {
          const auto hit = [&](ExprId target) { fixed = fixed && !(target.valid() && rootVar(f_, target) == v->var); };
          if (const auto* a = std::get_if<Assign>(&f_[s].node)) hit(a->target);
          if (const auto* i = std::get_if<Increment>(&f_[s].node)) hit(i->target);
          if (const auto* c = std::get_if<Call>(&f_[s].node)) hit(c->result);
        });
        fixed = fixed && !isReference(m_, f_[v->var].type);
      } else if (isPlace(f_[x]) || std::holds_alternative<PureCall>(f_[x].node) || std::holds_alternative<SizeOf>(f_[x].node)) {
        fixed = false;
      }
    });
    return fixed;
  }

  void save(const Reached& r) {
    if (isElsewhere(r.path.var)) return;
    const auto [known, isNew] = known_.insert({r.path, out_.objects.size()});
    if (!isNew) {
      if (known->second != kExchanged) out_.objects[known->second].seen = out_.objects[known->second].seen || r.seen;
      return;
    }
    if (exchangedPointers_.count(r.path.var) != 0 && !r.path.steps.empty())
      stop("it writes to objects behind pointers that it exchanges", "exchange what they hold, or use vectors");
    const auto* c = as<ContainerType>(m_, r.type);
    const bool isVector = c && c->kind == ContainerKind::Vector;
    const TypeId element = isVector ? c->element : r.type;
    if (!isTriviallyCopyable(m_, element) || as<BoolType>(m_, isVector ? element : TypeId()) || as<OpaqueType>(m_, element))
      stop("it writes to an object of type '" + spell(m_, r.type) + "', of which no snapshot can be taken",
           "use vectors of numbers, or records without vectors in them");
    out_.objects.push_back({expression(r.path), isVector, r.seen});
  }

  ExprId expression(const SnapshotPath& path) {
    ExprId e = path.var.valid() ? f_.addExpr(VarRef{path.var}, withoutReference(m_, f_[path.var].type))
                                : f_.addExpr(GlobalRef{path.global}, withoutReference(m_, m_[path.global].type));
    for (int step : path.steps) {
      if (step == SnapshotPath::kDeref) {
        const auto* p = as<PointerType>(m_, f_[e].type);
        e = f_.addExpr(Deref{e}, p->pointee);
      } else {
        const auto* r = as<RecordType>(m_, f_[e].type);
        e = f_.addExpr(FieldRef{e, static_cast<unsigned>(step)}, m_[r->record].fields[static_cast<unsigned>(step)].type);
      }
    }
    return e;
  }

  // Two extents are the same if they are written the same.
  std::string textOf(ExprId e) {
    std::string text;
    walkExpr(f_, e, [&](ExprId x) {
      const ExprNode& node = f_[x].node;
      if (std::holds_alternative<Cast>(node)) return;
      text += std::to_string(node.index()) + ":";
      if (const auto* v = std::get_if<VarRef>(&node)) text += std::to_string(v->var.index());
      if (const auto* l = std::get_if<Literal>(&node)) text += l->text;
      if (const auto* b = std::get_if<Binary>(&node)) text += std::to_string(static_cast<int>(b->op));
      text += ",";
    });
    return text;
  }

  Module& m_;
  const Annotations& annotations_;
  WrittenMemory written_;
  Function& f_;
  const FuncId id_;
  const StmtId loop_;
  Snapshot out_;
  bool isPlaced_ = false;
  std::set<VarId> inScope_;
  std::set<VarId> exchangedPointers_, through_;
  static constexpr std::size_t kNothing = static_cast<std::size_t>(-1), kNamed = static_cast<std::size_t>(-2);
  std::map<VarId, std::size_t> pointees_;      // the index among the ranges
  static constexpr std::size_t kExchanged = static_cast<std::size_t>(-1);
  std::map<SnapshotPath, std::size_t> known_;  // the index among the objects
};

}  // namespace

bool findSnapshot(Module& m, const analysis::Facts& facts, const Annotations& annotations, FuncId id, Function& f, StmtId loop,
                  Snapshot& out, SnapshotRefusal& refusal, bool touched) {
  try {
    out = Finder(m, facts, annotations, refusal, id, f, loop, touched).find();
    return true;
  } catch (const SnapshotStop&) {
    return false;
  }
}

}  // namespace contraflow::transform
