#include "transform/owned_vectors.hpp"
#include "transform/prepare_adjoint.hpp"

#include "ir/match.hpp"
#include "ir/walk.hpp"
#include "transform/settle_counters.hpp"
#include "transform/settle_target.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;

class Preparation {
 public:
  Preparation(Module& m, Function& f, Diagnostics& diags, const Annotations* annotations)
      : m_(m), f_(f), diags_(diags), annotations_(annotations) {
    int_ = m_.type(IntType{32, true, "int"});
    bool_ = m_.type(BoolType{});
  }

  bool run() {
    f_.body = block(f_.body);
    return ok_;
  }

 private:
  Block block(const Block& in) {
    Block out;
    for (StmtId s : in) statement(s, out);
    return out;
  }

  void statement(StmtId s, Block& out) {
    const Stmt stmt = f_[s];  // a copy: the arena grows
    at_ = stmt.loc;
    if (const auto* x = std::get_if<Scope>(&stmt.node)) {
      if (annotations_ && annotations_->checkpoint(stmt.loc)) return once(s, *x, out);
      for (StmtId inner : x->body) statement(inner, out);
    } else if (const auto* x = std::get_if<Declare>(&stmt.node)) {
      declare(s, *x, out);
    } else if (const auto* x = std::get_if<Assign>(&stmt.node)) {
      if (ownsVector(m_, f_[x->target].type))
        refuse("assigning a whole std::vector");
      else if (isCopied(f_[x->target].type))
        copy(x->target, x->value, out);
      else
        update<Assign>(s, out);
    } else if (const auto* x = std::get_if<Increment>(&stmt.node)) {
      const TypeId type = f_[x->target].type;
      if (as<PointerType>(m_, type)) {
        const ExprId sum =
            f_.addExpr(Binary{x->subtract ? BinaryOp::Sub : BinaryOp::Add, x->target, x->value}, type, stmt.loc);
        f_[s].node = Assign{x->target, sum};
        out.push_back(s);
      } else {
        update<Increment>(s, out);
      }
    } else if (std::holds_alternative<OmpAtomic>(stmt.node)) {
      update<OmpAtomic>(s, out);
    } else if (const auto* x = std::get_if<While>(&stmt.node)) {
      loop(s, *x, out);
    } else if (const auto* x = std::get_if<OmpParallel>(&stmt.node)) {
      parallel(s, *x, out);
    } else if (const auto* x = std::get_if<OmpFor>(&stmt.node)) {
      worksharing(s, x->data, x->loop, x->collapse, out);
    } else if (const auto* x = std::get_if<OmpSimd>(&stmt.node)) {
      worksharing(s, x->data, x->loop, x->collapse, out);
    } else if (const auto* x = std::get_if<OmpSingle>(&stmt.node)) {
      Block body;
      copiesIn(x->data, body);
      for (StmtId inner : block(x->body)) body.push_back(inner);
      auto& single = std::get<OmpSingle>(f_[s].node);
      single.body = std::move(body);
      single.data = {};
      out.push_back(s);
    } else {
      if (std::holds_alternative<For>(stmt.node)) settleCounters(m_, f_, s);
      children(s);
      out.push_back(s);
    }
  }

  // A block that is checkpointed: a loop of one step.
  void once(StmtId s, const Scope& scope, Block& out) {
    Var counter;
    counter.name = "once";
    counter.type = int_;
    counter.isTemporary = true;
    counter.loc = at_;
    const VarId k = f_.addVar(counter);
    Block body = block(scope.body);
    f_[s].node = For{k, intLiteral(0), BinaryOp::Lt, intLiteral(1), intLiteral(1), std::move(body)};
    out.push_back(s);
  }

  template <class Node>
  void update(StmtId s, Block& out) {
    const ExprId target = settleTarget(m_, f_, std::get<Node>(f_[s].node).target, at_, out);
    std::get<Node>(f_[s].node).target = target;
    out.push_back(s);
  }

  // Prepares the blocks of a statement that needs no more than that.
  void children(StmtId s) {
    std::vector<Block> blocks;
    forEachBlockOfStmt(static_cast<const Stmt&>(f_[s]), [&](const Block& b) { blocks.push_back(b); });
    for (Block& b : blocks) b = block(b);
    std::size_t k = 0;
    forEachBlockOfStmt(f_[s], [&](Block& b) { b = blocks[k++]; });
  }

  // --- copies

  bool isCopied(TypeId t) const {
    if (const auto* c = as<ContainerType>(m_, t)) return c->kind == ContainerKind::StdArray;
    if (as<RecordType>(m_, t)) return holdsReal(m_, t) || holdsPointer(m_, t);
    return as<ArrayType>(m_, t) != nullptr;
  }

  void assign(ExprId target, ExprId value, Block& out) {
    if (ownsVector(m_, f_[target].type)) return refuse("assigning a whole std::vector");  // its shadow would keep its size
    out.push_back(f_.addStmt(Assign{target, value}, at_));
  }

  ExprId intLiteral(std::uint64_t n) { return f_.addExpr(Literal{std::to_string(n)}, int_); }

  // target = value for an object of any type that copies memberwise.
  void copy(ExprId target, ExprId value, Block& out) {
    const TypeId type = f_[target].type;
    if (const auto* r = as<RecordType>(m_, type)) {
      const auto fields = m_[r->record].fields;
      if (!isPlace(f_[value])) return refuse("copying a '" + m_[r->record].name + "' from this expression");
      for (unsigned k = 0; k < fields.size(); ++k) {
        if (isReference(m_, fields[k].type) || m_[fields[k].type].isConst)
          return refuse("copying a '" + m_[r->record].name + "', which has a const or reference member,");
        if (const auto* c = as<ContainerType>(m_, fields[k].type); c && c->kind == ContainerKind::Vector)
          return refuse("copying a '" + m_[r->record].name + "', which has a std::vector member,");
        copy(f_.addExpr(FieldRef{target, k}, fields[k].type), f_.addExpr(FieldRef{value, k}, fields[k].type), out);
      }
      return;
    }
    TypeId element;
    std::uint64_t extent = 0;
    if (const auto* a = as<ArrayType>(m_, type)) {
      element = a->element;
      extent = a->extent;
    } else if (const auto* c = as<ContainerType>(m_, type); c && c->kind == ContainerKind::StdArray) {
      element = c->element;
      extent = c->extent;
    } else {
      return assign(target, value, out);
    }
    Var counter;
    counter.name = "k";
    counter.type = int_;
    counter.isTemporary = true;
    const VarId k = f_.addVar(counter);
    const ExprId index = f_.addExpr(VarRef{k}, int_);
    Block body;
    copy(f_.addExpr(Subscript{target, index}, element), f_.addExpr(Subscript{value, index}, element), body);
    out.push_back(f_.addStmt(For{k, intLiteral(0), BinaryOp::Lt, intLiteral(extent), intLiteral(1), std::move(body)}, at_));
  }

  void refuse(const std::string& what) {
    diags_.report(DiagId::NotDifferentiable, at_, {what + " isn't supported in code to be differentiated",
                                                   "copy the members that are needed one by one"});
    ok_ = false;
  }

  // --- declarations

  bool isLiteralTree(ExprId e) const {
    if (const auto* list = std::get_if<InitList>(&f_[e].node)) {
      for (ExprId x : list->elements)
        if (!isLiteralTree(x)) return false;
      return true;
    }
    bool constant = true;
    walkExpr(f_, e, [&](ExprId x) {
      if (isPlace(f_[x])) constant = false;
    });
    return constant;
  }

  // The shadow couldn't get the vector's size: it begins empty.
  void declare(StmtId s, const Declare& d, Block& out) {
    const TypeId type = f_[d.var].type;
    if (d.init != Init::None && as<RecordType>(m_, type) && ownsVector(m_, type))
      return refuse("initialising a record with a std::vector member");
    if (d.init == Init::Value && isCopied(type)) {
      f_[d.var].type = withoutConst(m_, type);
      f_[s].node = Declare{d.var, Init::None, {}, d.storage, d.tape};
      out.push_back(s);
      copy(f_.addExpr(VarRef{d.var}, f_[d.var].type), d.args[0], out);
      return;
    }
    if (d.init == Init::List && !isLiteralTree(d.args[0])) {
      dropConst(d.var);
      const ExprId list = d.args[0];
      f_[s].node = Declare{d.var, Init::Zero, {}, d.storage, d.tape};
      out.push_back(s);
      fill(f_.addExpr(VarRef{d.var}, f_[d.var].type), list, out);
      return;
    }
    out.push_back(s);
  }

  void dropConst(VarId v) {
    TypeId t = withoutConst(m_, f_[v].type);
    if (const auto* a = as<ArrayType>(m_, t)) {
      const std::uint64_t extent = a->extent;
      std::vector<std::uint64_t> extents{extent};
      TypeId element = a->element;
      while (const auto* inner = as<ArrayType>(m_, element)) {
        extents.push_back(inner->extent);
        element = inner->element;
      }
      element = withoutConst(m_, element);
      for (auto e = extents.rbegin(); e != extents.rend(); ++e) element = m_.type(ArrayType{element, *e});
      t = element;
    }
    f_[v].type = t;
  }

  // Assigns the elements of an initialiser list one by one; literal zeros were set by the declaration.
  void fill(ExprId place, ExprId value, Block& out) {
    const auto* list = std::get_if<InitList>(&f_[value].node);
    if (!list) {
      if (isCopied(f_[place].type)) return copy(place, value, out);
      const auto* zero = std::get_if<Literal>(&f_[value].node);
      if (zero && (zero->text == "0" || zero->text == "0.0" || zero->text == "nullptr")) return;
      return assign(place, value, out);
    }
    const std::vector<ExprId> elements = list->elements;
    const TypeId type = f_[place].type;
    for (unsigned k = 0; k < elements.size(); ++k) {
      if (!elements[k].valid()) continue;
      if (const auto* r = as<RecordType>(m_, type)) {
        const TypeId field = m_[r->record].fields[k].type;
        fill(f_.addExpr(FieldRef{place, k}, field), elements[k], out);
      } else if (const auto* a = as<ArrayType>(m_, type)) {
        fill(f_.addExpr(Subscript{place, intLiteral(k)}, a->element), elements[k], out);
      } else if (const auto* c = as<ContainerType>(m_, type)) {
        // std::array's list may have inner braces of its own.
        if (std::get_if<InitList>(&f_[elements[k]].node) && elements.size() == 1 && !as<ArrayType>(m_, c->element) &&
            !as<RecordType>(m_, c->element) && !as<ContainerType>(m_, c->element))
          return fill(place, elements[k], out);
        fill(f_.addExpr(Subscript{place, intLiteral(k)}, c->element), elements[k], out);
      } else {
        fill(place, elements[k], out);  // a scalar in braces
      }
    }
  }

  // --- loops

  void loop(StmtId s, const While& w, Block& out) {
    if (w.test.empty()) {
      children(s);
      out.push_back(s);
      return;
    }
    Var flag;
    flag.name = "go_on";
    flag.type = bool_;
    flag.isTemporary = true;
    const VarId go = f_.addVar(flag);
    const ExprId goRef = f_.addExpr(VarRef{go}, bool_);
    // Variables that the test declares are read by its condition, and maybe by the body: they move in front of the loop.
    Block test;
    for (StmtId t : block(w.test)) {
      const Stmt inner = f_[t];
      const auto* d = std::get_if<Declare>(&inner.node);
      const bool scalar = d && (d->init == Init::None || d->init == Init::Value) &&
                          (isReal(m_, f_[d->var].type) || isIntegral(m_, f_[d->var].type) ||
                           as<PointerType>(m_, f_[d->var].type));
      if (!scalar) {
        test.push_back(t);
        continue;
      }
      f_[d->var].type = withoutConst(m_, f_[d->var].type);
      out.push_back(f_.addStmt(Declare{d->var, Init::Zero, {}, Storage::Automatic, {}}, inner.loc));
      if (d->init == Init::Value) {
        const ExprId target = f_.addExpr(VarRef{d->var}, f_[d->var].type);
        f_[t].node = Assign{target, d->args[0]};
        test.push_back(t);
      }
    }
    test.push_back(f_.addStmt(Assign{goRef, w.condition}, at_));
    out.push_back(f_.addStmt(Declare{go, Init::Zero, {}, Storage::Automatic, {}}, at_));
    if (!w.testAtEnd && declares(test)) return testInside(s, w, goRef, std::move(test), out);
    if (!w.testAtEnd) out.insert(out.end(), test.begin(), test.end());
    Block body = block(w.body);
    body.insert(body.end(), test.begin(), test.end());
    f_[s].node = While{{}, goRef, std::move(body), w.testAtEnd};
    out.push_back(s);
  }

  bool declares(const Block& statements) const {
    bool any = false;
    walkStmts(f_, statements, [&](StmtId t) { any |= std::holds_alternative<Declare>(f_[t].node); });
    return any;
  }

  // do { test; go = condition; if (go) { body } } while (go): what the test declares (objects of a function that was inlined) is
  // declared once.
  void testInside(StmtId s, const While& w, ExprId go, Block test, Block& out) {
    test.push_back(f_.addStmt(If{go, block(w.body), {}}, at_));
    f_[s].node = While{{}, go, std::move(test), true};
    out.push_back(s);
  }

  // --- OpenMP

  void declareCopy(const CopyOf& c, bool initialised, Block& out) {
    const TypeId type = f_[c.copy].type;
    if (!initialised) {
      out.push_back(f_.addStmt(Declare{c.copy, Init::None, {}, Storage::Automatic, {}}, at_));
    } else if (isCopied(type)) {
      out.push_back(f_.addStmt(Declare{c.copy, Init::None, {}, Storage::Automatic, {}}, at_));
      copy(f_.addExpr(VarRef{c.copy}, type), c.original, out);
    } else if (as<ContainerType>(m_, type)) {
      out.push_back(f_.addStmt(Declare{c.copy, Init::Construct, {c.original}, Storage::Automatic, {}}, at_));
    } else {
      out.push_back(f_.addStmt(Declare{c.copy, Init::Value, {c.original}, Storage::Automatic, {}}, at_));
    }
  }

  static bool contains(const std::vector<CopyOf>& list, VarId copy) {
    for (const CopyOf& c : list)
      if (c.copy == copy) return true;
    return false;
  }

  void copiesIn(const DataSharing& data, Block& out) {
    for (const CopyOf& c : data.firstprivates) declareCopy(c, true, out);
    for (const CopyOf& c : data.privates)
      if (!contains(data.firstprivates, c.copy)) declareCopy(c, false, out);
    for (const CopyOf& c : data.lastprivates)
      if (!contains(data.firstprivates, c.copy) && !contains(data.privates, c.copy)) declareCopy(c, false, out);
  }

  void parallel(StmtId s, const OmpParallel& p, Block& out) {
    Block body;
    copiesIn(p.data, body);
    for (StmtId inner : block(p.body)) body.push_back(inner);
    auto& region = std::get<OmpParallel>(f_[s].node);
    region.body = std::move(body);
    region.data.privates.clear();
    region.data.firstprivates.clear();
    region.data.shared.clear();
    region.data.defaultNone = false;
    out.push_back(s);
  }

  void worksharing(StmtId s, const DataSharing& data, StmtId loopId, unsigned collapse, Block& out) {
    copiesIn(data, out);
    settleCounters(m_, f_, loopId, collapse);
    // if this is the last iteration: original = copy
    if (!data.lastprivates.empty()) {
      StmtId inner = loopId;
      ExprId isLast;
      for (unsigned k = 0; k < collapse; ++k) {
        const For l = std::get<For>(f_[inner].node);
        const TypeId type = withoutConst(m_, f_[l.counter].type);
        const ExprId counter = f_.addExpr(VarRef{l.counter}, type);
        const ExprId next = f_.addExpr(Binary{BinaryOp::Add, counter, l.step}, type);
        const ExprId more = f_.addExpr(Binary{l.compare, next, l.bound}, bool_);
        const ExprId last = f_.addExpr(Unary{UnaryOp::Not, more}, bool_);
        isLast = isLast.valid() ? f_.addExpr(Binary{BinaryOp::And, isLast, last}, bool_) : last;
        if (k + 1 < collapse) inner = l.body.front();
      }
      Block then;
      for (const CopyOf& c : data.lastprivates) {
        const ExprId value = f_.addExpr(VarRef{c.copy}, f_[c.original].type);
        if (isCopied(f_[c.original].type))
          copy(c.original, value, then);
        else
          assign(c.original, value, then);
      }
      const StmtId branch = f_.addStmt(If{isLast, then, {}}, at_);
      std::get<For>(f_[inner].node).body.push_back(branch);
    }
    children(loopId);
    match(
        f_[s].node,
        [](OmpFor& x) {
          const auto reductions = x.data.reductions;
          x.data = {};
          x.data.reductions = reductions;
        },
        [](OmpSimd& x) {
          const auto reductions = x.data.reductions;
          x.data = {};
          x.data.reductions = reductions;
        },
        [](auto&) {});
    out.push_back(s);
  }

  Module& m_;
  Function& f_;
  Diagnostics& diags_;
  const Annotations* annotations_;
  TypeId int_, bool_;
  SourceLoc at_;
  bool ok_ = true;
};

}  // namespace

bool prepareAdjoint(Module& module, Function& function, Diagnostics& diagnostics, const Annotations* annotations) {
  return Preparation(module, function, diagnostics, annotations).run();
}

}  // namespace contraflow::transform
