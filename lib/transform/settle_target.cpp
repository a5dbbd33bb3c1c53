#include "transform/settle_target.hpp"

#include "ir/walk.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;

class Settling {
 public:
  Settling(Module& m, Function& f, ExprId target, SourceLoc at, Block& out)
      : m_(m), f_(f), written_(m[f[target].type].node.index()), at_(at), out_(out) {
    root_ = rootVar(f, target);
  }

  ExprId place(ExprId id) {
    const Expr e = f_[id];  // a copy: the arena grows
    if (const auto* x = std::get_if<Subscript>(&e.node)) {
      const ExprId base = place(x->base), index = this->index(x->index);
      return base == x->base && index == x->index ? id : f_.addExpr(Subscript{base, index, x->checked}, e.type, e.loc);
    }
    if (const auto* x = std::get_if<FieldRef>(&e.node)) {
      const ExprId base = place(x->base);
      return base == x->base ? id : f_.addExpr(FieldRef{base, x->field}, e.type, e.loc);
    }
    return id;
  }

 private:
  // True if the expression reads memory of the kind that is written. Integer variables that a pointer may reach aren't looked
  // for: an index that is only a variable stays one, since analyses know such forms.
  bool mayBeWritten(ExprId e) const {
    bool reads = false;
    walkExpr(f_, e, [&](ExprId x) {
      if (!isPlace(f_[x]) || m_[f_[x].type].node.index() != written_) return;
      const auto* v = std::get_if<VarRef>(&f_[x].node);
      reads = reads || !v || !isIntegral(m_, f_[x].type) || isReference(m_, f_[v->var].type) || v->var == root_;
    });
    return reads;
  }

  ExprId index(ExprId id) {
    if (!mayBeWritten(id)) return id;
    Var v;
    v.name = "index";
    v.type = withoutConst(m_, f_[id].type);
    v.isTemporary = true;
    const VarId variable = f_.addVar(v);
    out_.push_back(f_.addStmt(Declare{variable, Init::Value, {id}, Storage::Automatic, {}}, at_));
    return f_.addExpr(VarRef{variable}, v.type, at_);
  }

  Module& m_;
  Function& f_;
  std::size_t written_;
  SourceLoc at_;
  Block& out_;
  VarId root_;
};

}  // namespace

ExprId settleTarget(Module& module, Function& function, ExprId target, SourceLoc at, Block& out) {
  return Settling(module, function, target, at, out).place(target);
}

}  // namespace contraflow::transform
