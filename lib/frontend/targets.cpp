// Calls whose callee is chosen at run time: through pointers to functions, pointers to members, and virtual functions. What may be
// called is what the sources name: functions and members whose address they take, and classes that they define. The call becomes a
// choice among these:
//
//     y = f(x);      →      if (f == soft) y = soft(x); else if (f == hard) y = hard(x); else contraflow::stop("…");
//
// so that analyses and transformations know of ordinary calls alone. Whatever else is called at run time stops the run with a message.
#include "frontend/ast_visitor.hpp"
#include "frontend/hidden_names.hpp"
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

namespace {

// Functions and members that a source names without calling them, and its classes.
class Names : public AstVisitor {
 public:
  explicit Names(SourceManager& sources) : sources_(sources) {}
  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool shouldVisitImplicitCode() const override { return true; }  // initialiser lists as they are resolved
  bool TraverseDecl(Decl* d) override {
    if (d && !isa<TranslationUnitDecl>(d) && sources_.isInSystemHeader(sources_.getExpansionLoc(d->getLocation()))) return true;
    return AstVisitor::TraverseDecl(d);
  }
  bool VisitCallExpr(CallExpr* e) override {
    called_.insert(e->getCallee()->IgnoreParenImpCasts());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr* e) override {
    const ValueDecl* d = e->getDecl();
    const bool isTarget = isa<FunctionDecl>(d) || isa<FieldDecl>(d);
    if (isTarget && !called_.count(e) && !d->isTemplated() && known_.insert(d->getCanonicalDecl()).second) targets.push_back(d);
    return true;
  }
  bool VisitCXXRecordDecl(CXXRecordDecl* d) override {
    if (d->isThisDeclarationADefinition() && !d->isDependentContext() && d->isPolymorphic() && known_.insert(d).second) classes.push_back(d);
    return true;
  }
  std::vector<const ValueDecl*> targets;
  std::vector<const CXXRecordDecl*> classes;

 private:
  SourceManager& sources_;
  std::set<const Expr*> called_;
  std::set<const Decl*> known_;
};

// Where the targets of a call may come from, for the message that there are none: what the source declares that gives them.
void noteOrigin(TranslationUnit& unit, const Expr* callee) {
  callee = callee->IgnoreParenImpCasts();
  if (const auto* element = dyn_cast<ArraySubscriptExpr>(callee)) callee = element->getBase()->IgnoreParenImpCasts();
  const auto note = [&](const ValueDecl* d, const std::string& what) {
    unit.diagnostics().note(unit.loc(d->getLocation()), "'" + d->getNameAsString() + "' is " + what + " may be called");
  };
  if (const auto* member = dyn_cast<MemberExpr>(callee)) return note(member->getMemberDecl(), "a member: whatever it is set to");
  const auto* ref = dyn_cast<DeclRefExpr>(callee);
  if (!ref) return;
  if (const auto* param = dyn_cast<ParmVarDecl>(ref->getDecl())) {
    const auto* function = dyn_cast<FunctionDecl>(param->getDeclContext());
    return note(param, "a parameter" + (function ? " of '" + function->getNameAsString() + "'" : std::string()) + ": whatever its callers pass");
  }
  if (const auto* var = dyn_cast<VarDecl>(ref->getDecl())) note(var, "a variable: whatever it is set to");
}

bool isPublic(const Decl* d) { return d->getAccess() == AS_public || d->getAccess() == AS_none; }

// True if generated code, which stands at the end of the source, can name the declaration.
bool canBeNamed(const Decl* d) {
  for (const DeclContext* c = d->getDeclContext(); c; c = c->getParent())
    if (c->isFunctionOrMethod()) return false;
  return isPublic(d);
}

const CXXRecordDecl* classOf(QualType type) {
  type = type.getNonReferenceType();
  if (type->isPointerType()) type = type->getPointeeType();
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return record ? record->getDefinition() : nullptr;
}

// The object that an expression denotes by name: then its dynamic type is its static one.
bool isWholeObject(const Expr* e) {
  e = e->IgnoreParens();
  if (const auto* ref = dyn_cast<DeclRefExpr>(e)) return isa<VarDecl>(ref->getDecl()) && !ref->getDecl()->getType()->isReferenceType();
  if (const auto* member = dyn_cast<MemberExpr>(e)) return isa<FieldDecl>(member->getMemberDecl()) && !member->getType()->isReferenceType() &&
                                                            !member->getMemberDecl()->getType()->isReferenceType();
  return false;
}

}  // namespace

void TranslationUnit::findTargets() {
  if (targets_) return;
  Names names(sources());
  names.TraverseDecl(ast_.getTranslationUnitDecl());
  targets_ = std::move(names.targets);
  classes_ = std::move(names.classes);
}

std::vector<const ValueDecl*> TranslationUnit::targets(QualType pointer) {
  findTargets();
  const auto plain = [&](QualType t) {
    t = t.getCanonicalType().getUnqualifiedType();
    if (t->isFunctionType()) return ast_.getFunctionTypeWithExceptionSpec(t, EST_None).getCanonicalType();
    return t;
  };
  pointer = pointer.getNonReferenceType().getCanonicalType();
  const auto* member = pointer->getAs<MemberPointerType>();
  const QualType pointee = plain(member ? member->getPointeeType() : pointer->isPointerType() ? pointer->getPointeeType() : pointer);
  std::vector<const ValueDecl*> found;
  for (const ValueDecl* d : *targets_) {
    const auto* method = dyn_cast<CXXMethodDecl>(d);
    const bool isMember = isa<FieldDecl>(d) || (method && !method->isStatic());
    if (isMember != (member != nullptr) || !canBeNamed(d)) continue;
    if (plain(d->getType()) != pointee) continue;
    if (member) {
      const auto* wanted = QualType(member->getClass(), 0)->getAsCXXRecordDecl();
      const auto* owner = cast<CXXRecordDecl>(d->getDeclContext());
      if (!wanted || (wanted->getCanonicalDecl() != owner->getCanonicalDecl() && !wanted->getDefinition()->isDerivedFrom(owner))) continue;
    } else if (const auto* f = cast<FunctionDecl>(d); !inSystemHeader(f) && !definition(f)) {
      continue;
    }
    found.push_back(d);
  }
  return found;
}

std::vector<const CXXRecordDecl*> TranslationUnit::classesFrom(const CXXRecordDecl* base) {
  findTargets();
  std::vector<const CXXRecordDecl*> found;
  for (const CXXRecordDecl* c : classes_)
    if ((c == base || c->isDerivedFrom(base)) && !c->isAbstract()) found.push_back(c);
  return found;
}

// `soft`, `static_cast<double (*)(double)>(sin)`, `&Cell::mass`
ExprId FunctionLowering::targetLiteral(const ValueDecl* target, TypeId type, SourceLocation at) {
  std::string name = nameFromAnywhere(target);
  llvm::raw_string_ostream out(name);
  PrintingPolicy policy(ast().getLangOpts());
  policy.SuppressUnwrittenScope = true;
  policy.SuppressTagKeyword = true;
  const auto* f = dyn_cast<FunctionDecl>(target);
  bool isAmbiguous = f && inSystemHeader(f);
  if (f)
    if (const auto* args = f->getTemplateSpecializationArgs()) {
      printTemplateArgumentList(out, args->asArray(), policy);
      isAmbiguous = true;
    }
  out.flush();
  const auto* method = dyn_cast<CXXMethodDecl>(target);
  if (isa<FieldDecl>(target) || (method && !method->isStatic())) name = "&" + name;
  std::set<const Decl*> overloads;
  for (const NamedDecl* d : target->getDeclContext()->getRedeclContext()->lookup(target->getDeclName())) overloads.insert(d->getCanonicalDecl());
  if (isAmbiguous || overloads.size() > 1) name = "static_cast<" + ir::spell(module(), ir::withoutConst(module(), type)) + ">(" + name + ")";
  return literal(name, type, at);
}

void FunctionLowering::stop(const std::string& what, SourceLocation at, std::optional<ExprId> pointer) {
  const ir::SourceLoc where = loc(at);
  std::string text = where.valid() ? module().files[where.file].path + ":" + std::to_string(where.line) + ": " : "";
  for (const char c : what + " isn't among those that contraflow was shown")
    text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  if (pointer) emit(ir::Opaque{{"contraflow::stop(\"" + text + "\", typeid(*", ").name());"}, {*pointer}, {}}, at);
  else emit(ir::Opaque{{"contraflow::stop(\"" + text + "\");"}, {}, {}}, at);
}

ExprId FunctionLowering::choose(const std::vector<Choice>& choices, const std::vector<ExprId>& args, QualType returned, Want want,
                                std::optional<ExprId> result, const std::function<void()>& otherwise, SourceLocation at) {
  const bool byReference = returned->isReferenceType();
  const bool isWanted = !returned->isVoidType() && (result || want != Want::Nothing);
  ExprId target;
  if (isWanted && byReference) target = varRef(temporary("chosen", pointerTo(lowerType(returned.getNonReferenceType(), at)), at), at);
  else if (isWanted) target = result ? *result : varRef(temporary("value", valueType(returned, at), at), at);
  const auto call = [&](const Choice& choice) {
    std::vector<ExprId> values;
    if (choice.object) values.push_back(*choice.object);
    for (ExprId a : args) values.push_back(clone(a));
    if (inSystemHeader(choice.callee)) {
      const auto value = mathCall(choice.callee, std::move(values), returned, at);
      if (value && target.valid()) emit(ir::Assign{clone(target), convert(*value, typeOf(target), at)}, at);
      return;
    }
    std::optional<ExprId> place;
    if (target.valid()) place = clone(target);
    const FunctionDecl* definition = nullptr;
    if (hasTypedContext(choice.callee, args) && choice.callee->hasBody(definition) && isa<CompoundStmt>(definition->getBody()) && !byReference) {
      for (const Inlined& outer : inlined_)
        if (outer.definition == definition) {
          reject(DiagId::UnsupportedExpression, at, {"a recursive callback with a 'void*'", "give it a pointer of its own type"});
          return;
        }
      inlineCall(definition, {choice.object, {values.begin() + (choice.object ? 1 : 0), values.end()}}, place ? Want::Value : Want::Nothing, place, at);
      return;
    }
    if (!byReference) {
      emitCall(choice.callee, std::move(values), place ? Want::Value : Want::Nothing, place, at);
      return;
    }
    // A function that returns a reference is lowered in place, so that analyses see what it denotes.
    const FunctionDecl* body = nullptr;
    const bool isInline = choice.callee->hasBody(body) && isa<CompoundStmt>(body->getBody()) &&
                          std::none_of(inlined_.begin(), inlined_.end(), [&](const Inlined& i) { return i.definition == body; });
    ExprId denoted;
    if (isInline) {
      Arguments arguments{choice.object, {values.begin() + (choice.object ? 1 : 0), values.end()}};
      denoted = inlineCall(body, arguments, Want::Place, {}, at);
    } else {
      denoted = emitCall(choice.callee, std::move(values), Want::Place, {}, at);
    }
    if (place) emit(ir::Assign{*place, addressOf(denoted, at)}, at);
  };
  const auto chain = [&](const auto& self, std::size_t i) -> void {
    if (i == choices.size()) {
      otherwise();
      // Never reached. But a sweep that runs this again leaves the stop out, and the value would be one that may be unset.
      if (target.valid() && !byReference && (ir::isReal(module(), typeOf(target)) || ir::isIntegral(module(), typeOf(target))))
        emit(ir::Assign{clone(target), convert(literal("0", intType(), at), ir::withoutConst(module(), typeOf(target)), at)}, at);
      return;
    }
    if (!choices[i].condition.valid()) return call(choices[i]);  // the only one
    ir::If node{choices[i].condition, {}, {}};
    {
      InBlock in(*this, node.then);
      call(choices[i]);
    }
    {
      InBlock in(*this, node.otherwise);
      self(self, i + 1);
    }
    emit(std::move(node), at);
  };
  chain(chain, 0);
  if (!target.valid()) return errorValue(ast().IntTy, at);
  if (byReference) return giveResult(deref(clone(target), at), result, at);
  return clone(target);
}

ExprId FunctionLowering::lowerIndirectCall(const CallExpr* e, Want want, std::optional<ExprId> result) {
  const SourceLocation at = e->getExprLoc();
  const Expr* callee = e->getCallee()->IgnoreParens();
  const auto* member = dyn_cast<BinaryOperator>(callee);  // (object.*pointer)(…)
  QualType pointer = member ? member->getRHS()->getType() : callee->getType();
  const auto* prototype = pointer->isMemberPointerType()
                              ? pointer->castAs<MemberPointerType>()->getPointeeType()->getAs<FunctionProtoType>()
                              : pointer.getNonReferenceType()->isFunctionType() ? pointer.getNonReferenceType()->getAs<FunctionProtoType>()
                              : pointer->isPointerType() ? pointer->getPointeeType()->getAs<FunctionProtoType>() : nullptr;
  if (!prototype || prototype->isVariadic()) return unsupported(e, "a call through this object", "call the function by its name");
  const std::vector<const ValueDecl*> targets = unit_.targets(pointer);
  if (targets.empty()) {
    const unsigned before = unit_.diagnostics().errors();
    reject(DiagId::NoTarget, at, {unit_.text(callee), unit_.spell(pointer)});
    if (unit_.diagnostics().errors() > before) noteOrigin(unit_, member ? member->getRHS() : callee);
    return errorValue(e->getType(), at);
  }

  std::vector<const Expr*> operands;
  std::vector<bool> asPlace;
  const bool arrow = member && member->getOpcode() == BO_PtrMemI;
  if (member) {
    operands.push_back(member->getLHS());
    asPlace.push_back(!arrow);
  }
  operands.push_back(member ? member->getRHS() : callee);
  asPlace.push_back(false);
  std::vector<QualType> params(prototype->param_type_begin(), prototype->param_type_end());
  for (unsigned i = 0; i < e->getNumArgs(); ++i) {
    operands.push_back(i < params.size() && params[i]->isVoidPointerType() ? withoutVoidCast(e->getArg(i)) : copiedFrom(e->getArg(i)));
    asPlace.push_back(i < params.size() && bindsPlace(params[i]));
  }
  std::vector<ExprId> values = inOrder(operands, asPlace);
  std::vector<ExprId> args(values.begin() + (member ? 2 : 1), values.end());
  stabilise(args, params, {}, at);
  std::optional<ExprId> object;
  if (member) object = stablePlace(arrow ? deref(values[0], at) : values[0]);
  const ExprId selector = stableValue(values[member ? 1 : 0], "callee");
  return callPointer(pointer, selector, object, args, unit_.text(callee), want, result, at);
}

// The call of one of the functions that a pointer to functions or to members may name.
ExprId FunctionLowering::callPointer(QualType pointer, ExprId selector, std::optional<ExprId> object, const std::vector<ExprId>& args,
                                     const std::string& text, Want want, std::optional<ExprId> result, SourceLocation at) {
  const std::vector<const ValueDecl*> targets = unit_.targets(pointer);
  const QualType returned = cast<FunctionDecl>(targets.front())->getReturnType();
  std::vector<Choice> choices;
  // In an inlined callee the pointer may be a function's name: comparing that would make compilers warn.
  if (const auto* name = std::get_if<ir::Literal>(&function()[selector].node); name && !object) {
    const std::string known = name->text;
    for (const ValueDecl* d : targets) {
      const ExprId candidate = targetLiteral(d, typeOf(selector), at);
      if (std::get<ir::Literal>(function()[candidate].node).text == known) choices.assign(1, {ExprId{}, cast<FunctionDecl>(d), {}});
    }
    if (!choices.empty() && inSystemHeader(choices[0].callee) && !isMathFunction(choices[0].callee)) choices.clear();
  }
  const bool isKnown = !choices.empty();
  for (const ValueDecl* d : isKnown ? std::vector<const ValueDecl*>{} : targets) {
    const auto* f = cast<FunctionDecl>(d);
    if (const auto* method = dyn_cast<CXXMethodDecl>(f); method && method->isVirtual()) {
      reject(DiagId::UnsupportedExpression, at, {"a pointer to the virtual function '" + f->getNameAsString() + "'", "call it through the object"});
      return errorValue(returned, at);
    }
    if (inSystemHeader(f) && !isMathFunction(f)) continue;
    const ExprId test = binary(ir::BinaryOp::Eq, clone(selector), targetLiteral(d, typeOf(selector), at), boolType(), at);
    choices.push_back({test, f, object ? std::optional(clone(*object)) : std::nullopt});
  }
  return choose(choices, args, returned, want, result,
                [&] { stop("what '" + text + "' points to", at); }, at);
}

// object.*pointer
ExprId FunctionLowering::lowerMemberPointer(const BinaryOperator* e) {
  const SourceLocation at = e->getExprLoc();
  const bool arrow = e->getOpcode() == BO_PtrMemI;
  const std::vector<const ValueDecl*> targets = unit_.targets(e->getRHS()->getType());
  if (targets.empty()) {
    const unsigned before = unit_.diagnostics().errors();
    reject(DiagId::NoTarget, at, {unit_.text(e->getRHS()), unit_.spell(e->getRHS()->getType())});
    if (unit_.diagnostics().errors() > before) noteOrigin(unit_, e->getRHS());
    return errorValue(e->getType(), at);
  }
  const auto parts = inOrder({e->getLHS(), e->getRHS()}, {!arrow, false});
  const ExprId object = stablePlace(arrow ? deref(parts[0], at) : parts[0]);
  const ExprId selector = stableValue(parts[1], "member");
  const TypeId type = lowerType(e->getType(), at);
  const auto isTarget = [&](const ValueDecl* d) {
    return binary(ir::BinaryOp::Eq, clone(selector), targetLiteral(d, typeOf(selector), at), boolType(), at);
  };
  ExprId known, chosen;
  for (auto d = targets.rbegin(); d != targets.rend(); ++d) {
    const auto* field = cast<FieldDecl>(*d);
    const ExprId part = addressOf(this->member(clone(object), unit_.field(field), type, at), at);
    chosen = chosen.valid() ? expr(ir::Conditional{isTarget(field), part, chosen}, pointerTo(type), at) : part;
    const ExprId test = isTarget(field);
    known = known.valid() ? binary(ir::BinaryOp::Or, test, known, boolType(), at) : test;
  }
  ir::If check{expr(ir::Unary{ir::UnaryOp::Not, known}, boolType(), at), {}, {}};
  {
    InBlock in(*this, check.then);
    stop("what '" + unit_.text(e->getRHS()) + "' points to", at);
  }
  emit(std::move(check), at);
  return deref(chosen, at);
}

// A virtual call: a choice among the classes that the object may be of.
ExprId FunctionLowering::lowerVirtualCall(const CXXMethodDecl* method, const Expr* object, ExprId self, const std::vector<ExprId>& args, Want want,
                                          std::optional<ExprId> result, SourceLocation at) {
  const CXXRecordDecl* base = classOf(object->getType());
  const auto overrider = [&](const CXXRecordDecl* c) { return method->getCorrespondingMethodInClass(c, true); };
  if (base && (isWholeObject(object) || base->hasAttr<FinalAttr>())) {
    std::vector<ExprId> values = {self};
    values.insert(values.end(), args.begin(), args.end());
    return emitCall(overrider(base), std::move(values), want, result, at);
  }
  const TypeId boolean = boolType();
  const ExprId pointer = addressOf(self, at);
  std::vector<Choice> choices;
  for (const CXXRecordDecl* c : base ? unit_.classesFrom(base) : std::vector<const CXXRecordDecl*>{}) {
    const CXXMethodDecl* callee = overrider(c);
    if (!callee || !unit_.definition(callee) || !canBeNamed(c)) continue;
    const QualType type = ast().getRecordType(c);
    const ExprId test = expr(ir::PureCall{"contraflow::isExactly<" + unit_.spell(type) + ">", {clone(pointer)}}, boolean, at);
    // Only a first base class has its members where the derived class has them.
    const auto isFirst = [&] {
      for (ir::RecordId r = unit_.record(c, at); r.valid(); r = module()[r].base)
        if (r == unit_.record(base, at)) return true;
      return false;
    };
    if (c != base && !isFirst()) {
      unsupported(object, "a virtual call through a base class that isn't the first with members", "make it the first");
      return errorValue(method->getReturnType(), at);
    }
    const auto* p = ir::as<ir::PointerType>(module(), typeOf(pointer));
    const bool isConst = p && module()[p->pointee].isConst;
    const TypeId derived = lowerType(isConst ? type.withConst() : type, at);
    const ExprId place =
        c == base ? clone(self) : expr(ir::Deref{expr(ir::Cast{clone(pointer), true}, pointerTo(derived), at)}, derived, at);
    choices.push_back({test, callee, place});
  }
  const std::string name = method->getQualifiedNameAsString();
  if (choices.empty()) {
    const unsigned before = unit_.diagnostics().errors();
    reject(DiagId::NoTarget, at, {name, unit_.spell(object->getType())});
    if (unit_.diagnostics().errors() > before) unit_.diagnostics().note(unit_.loc(method->getLocation()), "'" + name + "' is virtual: whatever classes override it may be called");
    return errorValue(method->getReturnType(), at);
  }
  return choose(choices, args, method->getReturnType(), want, result,
                [&] { stop("the class that '" + name + "' is called for", at, clone(pointer)); }, at);
}

}  // namespace contraflow::frontend
