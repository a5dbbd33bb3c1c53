#include "transform/tangent.hpp"

#include <algorithm>
#include <memory>

#include "ir/walk.hpp"
#include "transform/namer.hpp"
#include "transform/tangent_builder.hpp"

namespace contraflow::transform {

using namespace ir;
using analysis::Presence;

namespace {

// Names and linkage of the tangents of one run.
class Signatures {
 public:
  Signatures(Module& m, const PresenceMap& presence) : m_(m), presence_(presence) {}

  void complete(Function& f, const Instance& i) {
    const Function& primal = m_[i.function];
    // Heads come first; a second run over derivatives may need functions that the first one made for other shadows.
    const auto earlier = std::count_if(m_.functions.begin(), m_.functions.end(), [&](const Function& other) {
      return other.kind == FunctionKind::Tangent && other.primal == i.function;
    });
    f.name = derivativeName(m_, i.function, FunctionKind::Tangent);
    if (earlier > 0) f.name += std::to_string(earlier + 1);
    f.key = primal.key + "_d" + (earlier > 0 ? std::to_string(earlier + 1) : "");
    f.kind = FunctionKind::Tangent;
    f.primal = i.function;
    f.recordName.clear();
    f.isMethod = false;
    f.isConstMethod = false;
    const bool visible = i.head >= 0 ? primal.linkage != Linkage::Internal : calledFromOtherFile(i);
    f.linkage = visible ? Linkage::External : Linkage::Internal;
  }

 private:
  bool calledFromOtherFile(const Instance& callee) const {
    for (const Instance& i : presence_.instances()) {
      const Function& f = m_[i.function];
      if (f.file == m_[callee.function].file) continue;
      bool calls = false;
      walkStmts(f, f.body, [&](StmtId s) {
        if (const auto* c = std::get_if<Call>(&f[s].node)) calls = calls || c->callee == callee.function;
      });
      if (calls) return true;
    }
    return false;
  }

  Module& m_;
  const PresenceMap& presence_;
};

}  // namespace

std::optional<Tangents> differentiateTangent(Module& module, const std::vector<Head>& heads, Diagnostics& diagnostics, bool trace) {
  const PresenceMap presence(module, heads);
  std::vector<Instance> instances;
  for (std::size_t h = 0; h < heads.size(); ++h) instances.push_back({heads[h].function, static_cast<int>(h)});
  for (const Instance& i : presence.instances())
    if (i.head < 0 && presence.needsDerivative(i.function)) instances.push_back(i);

  // All signatures first: functions call each other.
  TangentBuilder::Functions functions;
  std::map<Instance, std::unique_ptr<TangentBuilder>> builders;
  Signatures signatures(module, presence);
  for (const Instance& i : instances) {
    const Head* head = i.head >= 0 ? &heads[static_cast<std::size_t>(i.head)] : nullptr;
    builders[i] = std::make_unique<TangentBuilder>(module, presence, i, head, functions, diagnostics);
    signatures.complete(builders[i]->function(), i);
    functions[i] = module.addFunction(builders[i]->function());
  }

  bool ok = true;
  for (auto& [i, builder] : builders) {
    if (trace) builder->trace(module[i.function].name);
    ok = builder->build() && ok;
    module[functions[i]] = builder->function();
  }
  if (!ok) return std::nullopt;

  Tangents out;
  for (const Instance& i : presence.instances())
    if (functions.count(i)) out.functions.push_back(functions[i]);
  for (std::size_t h = 0; h < heads.size(); ++h)
    out.heads.push_back({heads[h], functions[{heads[h].function, static_cast<int>(h)}]});
  return out;
}

// --- signatures ------------------------------------------------------------------------------------------------------------

ResultForm resultForm(const Module& module, const PresenceMap& presence, const Instance& instance) {
  const TypeId result = module[instance.function].result;
  if (!result.valid() || !reachesReal(module, result)) return ResultForm::Plain;
  if (instance.head < 0 && presence.result(instance) == Presence::None) return ResultForm::Plain;
  return isReal(module, result) ? ResultForm::Pair : ResultForm::Out;
}

TypeId tangentRecord(Module& module, TypeId real) {
  const TypeId type = withoutConst(module, real);
  const std::string name = "contraflow::Tangent<" + spell(module, type) + ">";
  for (std::uint32_t k = 0; k < module.records.size(); ++k)
    if (module.records[k].name == name) return module.type(RecordType{RecordId(k)});
  Record record;
  record.name = name;
  for (const char* name : {"value", "derivative"}) {
    Field field;
    field.name = name;
    field.type = type;
    record.fields.push_back(std::move(field));
  }
  record.isAggregate = record.isTriviallyCopyable = record.isDefaultConstructible = true;
  module.records.push_back(record);
  return module.type(RecordType{RecordId(static_cast<std::uint32_t>(module.records.size() - 1))});
}

TangentBuilder::TangentBuilder(Module& module, const PresenceMap& presence, const Instance& instance, const Head* head,
                               const Functions& functions, Diagnostics& diagnostics)
    : m_(module), presence_(presence), instance_(instance), head_(head), functions_(functions), diags_(diagnostics),
      f_(module[instance.function]),
      shadows_(
          module, f_, "_d", false, [&presence, instance](VarId v) { return presence(instance, v); },
          [&presence](GlobalId g) { return presence(g); }),
      algebra_(module, f_), form_(resultForm(module, presence, instance)) {
  makeSignature();
}

void TangentBuilder::makeSignature() {
  const std::vector<VarId> primal = f_.params;
  f_.params.clear();
  for (const VarId p : primal) {
    f_.params.push_back(p);
    const VarId shadow = shadows_.of(p);
    if (!shadow.valid()) continue;
    const TypeId type = f_[shadow].type;
    const bool byValue = !isReference(m_, type) && !isPointer(type) && !isReal(m_, type);
    if (byValue) {  // a shadow is never copied: it may be large
      TypeNode node = m_[type].node;
      f_[shadow].type = m_.type(ReferenceType{m_.type(std::move(node), true), false});
    }
    f_.params.push_back(shadow);
  }
  if (form_ == ResultForm::Pair) f_.result = tangentRecord(m_, f_.result);
  if (form_ == ResultForm::Out) {
    const TypeId object = withoutConst(m_, f_.result);
    if (isReference(m_, object))
      refuse(f_.loc, "'" + f_.name + "' returns a reference to an active value", "let it return a pointer, or an index");
    resultShadow_ = f_.addVar({"result_d", m_.type(ReferenceType{withoutReference(m_, object), false}), VarKind::Parameter, false, true, f_.loc});
    f_.params.push_back(resultShadow_);
  }
}

bool TangentBuilder::build() {
  const Block primal = f_.body;
  Block body;
  if (head_) zeroGlobals(body);
  const Block rest = block(primal);
  body.insert(body.end(), rest.begin(), rest.end());
  f_.body = std::move(body);
  return ok_;
}

// The shadows of statics, and of globals that the head doesn't name, start at zero.
void TangentBuilder::zeroGlobals(Block& out) {
  const auto named = [&](GlobalId g) {
    const auto is = [&](const HeadName& n) { return n.global == g; };
    return std::any_of(head_->independents.begin(), head_->independents.end(), is) ||
           std::any_of(head_->dependents.begin(), head_->dependents.end(), is);
  };
  for (const GlobalId g : presence_.globalsOf(instance_)) {
    if (named(g) || !holdsReal(m_, m_[g].type)) continue;
    const GlobalId shadow = shadows_.of(g);
    out.push_back(add(SetZero{f_.addExpr(GlobalRef{shadow}, m_[shadow].type, f_.loc)}));
  }
}

// --- small makers ----------------------------------------------------------------------------------------------------------

ExprId TangentBuilder::notNull(ExprId pointer) {
  const ExprId null = f_.addExpr(Literal{"nullptr"}, f_[pointer].type, at_);
  return f_.addExpr(Binary{BinaryOp::Ne, pointer, null}, algebra_.boolType(), at_);
}

VarId TangentBuilder::newVar(const std::string& name, TypeId type) {
  return f_.addVar({name, withoutConst(m_, type), VarKind::Local, false, true, at_});
}

void TangentBuilder::refuse(SourceLoc at, const std::string& what, const std::string& wayOut) {
  diags_.report(DiagId::NotDifferentiable, at, {what, wayOut});
  ok_ = false;
}

}  // namespace contraflow::transform
