#include "transform/adjoint.hpp"

#include <deque>
#include <map>

#include "ir/walk.hpp"
#include "transform/adjoint_builder.hpp"
#include "transform/namer.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;

class Manager final : public VariantTable {
 public:
  Manager(Module& m, const analysis::Facts& facts, const AdjointOptions& options, Diagnostics& diags,
          const std::vector<Head>& heads)
      : m_(m), facts_(facts), options_(options), diags_(diags), heads_(heads) {}

  VariantFunctions request(const Variant& v) override {
    const auto found = made_.find(v);
    if (found != made_.end()) return found->second;
    VariantFunctions functions;
    if (v.form == Form::Split) {
      functions.forward = shell(v, FunctionKind::Forward);
      functions.reverse = shell(v, FunctionKind::Reverse);
    } else {
      functions.reverse = shell(v, FunctionKind::Adjoint);
    }
    made_[v] = functions;
    queue_.push_back(v);
    return functions;
  }

  std::optional<Adjoints> run() {
    Adjoints result;
    bool ok = true;
    for (const Head& head : heads_) {
      const Variant v{head.function, Form::Head, false};
      headOf_[v] = &head;
      AdjointResult one;
      one.head = head;
      one.function = request(v).reverse;
      result.heads.push_back(one);
    }
    while (!queue_.empty()) {
      const Variant v = queue_.front();
      queue_.pop_front();
      const auto head = headOf_.find(v);
      AdjointBuilder builder(m_, facts_, options_, diags_, *this, v, head == headOf_.end() ? nullptr : head->second);
      ok = builder.build(made_[v]) && ok;
      if (head == headOf_.end()) order_.push_back(v);
    }
    if (!ok) return std::nullopt;
    for (auto v = order_.rbegin(); v != order_.rend(); ++v) {
      if (made_[*v].forward.valid()) result.functions.push_back(made_[*v].forward);
      result.functions.push_back(made_[*v].reverse);
    }
    for (AdjointResult& one : result.heads) {
      zeroGlobals(one);
      result.functions.push_back(one.function);
      one.wrapper = wrapper(one.function);
      result.functions.push_back(one.wrapper);
    }
    return result;
  }

 private:
  // An empty function of the right name, to be filled.
  FuncId shell(const Variant& v, FunctionKind kind) {
    const Function& primal = m_[v.primal];
    Function f;
    f.name = derivativeName(m_, v.primal, kind);
    bool isHead = false;
    for (const Head& h : heads_) isHead = isHead || h.function == v.primal;
    if (v.form == Form::Joint && isHead) f.name += "_again";
    if (v.form == Form::Value) f.name += "_value";
    if (v.parallel) f.name += "_shared";
    f.namespaces = primal.namespaces;
    f.key = primal.key + "#" + f.name;
    f.linkage = v.form == Form::Head ? Linkage::External : Linkage::Internal;
    f.kind = kind;
    f.primal = v.primal;
    f.hasBody = true;
    f.file = primal.file;
    f.loc = primal.loc;
    f.result = m_.type(VoidType{});
    return m_.addFunction(std::move(f));
  }

  // A head starts with the shadows of statics, and of globals that it doesn't name, at zero.
  void zeroGlobals(const AdjointResult& one) {
    Function& f = m_[one.function];
    Block zero;
    for (std::uint32_t g = 0; g < m_.globals.size(); ++g) {
      bool named = false;
      for (const auto* list : {&one.head.independents, &one.head.dependents})
        for (const HeadName& n : *list) named = named || (n.global.valid() && n.global.index() == g);
      if (named) continue;
      for (std::uint32_t k = 0; k < m_.globals.size(); ++k)
        if (m_.globals[k].key == m_.globals[g].key + "_b") {
          const ExprId place = f.addExpr(GlobalRef{GlobalId(k)}, m_.globals[k].type);
          zero.push_back(f.addStmt(SetZero{place}, f.loc));
        }
    }
    f.body.insert(f.body.begin(), zero.begin(), zero.end());
  }

  // f_b(…) { contraflow::Tape tape; return f_b(…, tape); }
  FuncId wrapper(FuncId inner) {
    const Function& f = m_[inner];
    Function w;
    w.name = f.name;
    w.namespaces = f.namespaces;
    w.key = f.key + "#owntape";
    w.linkage = Linkage::External;
    w.kind = FunctionKind::Adjoint;
    w.primal = f.primal;
    w.hasBody = true;
    w.file = f.file;
    w.loc = f.loc;
    w.result = f.result;
    const TypeId tapeType = m_.type(TapeType{});
    Call call{inner, {}, {}};
    for (std::size_t k = 0; k + 1 < f.params.size(); ++k) {
      Var v = f[f.params[k]];
      const TypeId type = withoutReference(m_, v.type);
      const VarId p = w.addVar(v);
      w.params.push_back(p);
      call.args.push_back(w.addExpr(VarRef{p}, type));
    }
    Var tape;
    tape.name = "tape";
    tape.type = tapeType;
    const VarId t = w.addVar(tape);
    call.args.push_back(w.addExpr(VarRef{t}, tapeType));
    w.body.push_back(w.addStmt(Declare{t, Init::None, {}, Storage::Automatic, {}}, w.loc));
    if (!as<VoidType>(m_, w.result)) {
      Var value;
      value.name = "value";
      value.type = withoutConst(m_, w.result);
      const VarId r = w.addVar(value);
      call.result = w.addExpr(VarRef{r}, value.type);
      w.body.push_back(w.addStmt(Declare{r, Init::None, {}, Storage::Automatic, {}}, w.loc));
      w.body.push_back(w.addStmt(call, w.loc));
      w.body.push_back(w.addStmt(Return{call.result}, w.loc));
    } else {
      w.body.push_back(w.addStmt(call, w.loc));
    }
    return m_.addFunction(std::move(w));
  }

  Module& m_;
  const analysis::Facts& facts_;
  const AdjointOptions& options_;
  Diagnostics& diags_;
  const std::vector<Head>& heads_;
  std::map<Variant, VariantFunctions> made_;
  std::map<Variant, const Head*> headOf_;
  std::deque<Variant> queue_;
  std::vector<Variant> order_;
};

}  // namespace

std::optional<Adjoints> differentiateAdjoint(Module& module, const std::vector<Head>& heads, const analysis::Facts& facts,
                                             const AdjointOptions& options, Diagnostics& diagnostics) {
  return Manager(module, facts, options, diagnostics, heads).run();
}

}  // namespace contraflow::transform
