// Functions and globals: keys that are the same in every source, signatures, and which source has the body.
#include "clang/Lex/Lexer.h"
#include "frontend/ast_visitor.hpp"
#include "frontend/destructors.hpp"
#include "frontend/local_classes.hpp"
#include "frontend/lowering.hpp"
#include "frontend/special_members.hpp"

namespace contraflow::frontend {

using namespace clang;

std::vector<std::string> namespacesAround(const DeclContext* context) {
  std::vector<std::string> out;
  for (; context; context = context->getParent())
    if (const auto* ns = dyn_cast<NamespaceDecl>(context); ns && !ns->isInline())
      out.insert(out.begin(), ns->isAnonymousNamespace() ? "" : ns->getNameAsString());
  return out;
}

namespace {

// Namespaces around a declaration, outermost first; the classes between them and it as C++ spells them.
void contexts(TranslationUnit& unit, const DeclContext* context, std::vector<std::string>& namespaces, std::string& record) {
  namespaces = namespacesAround(context);
  for (; context && record.empty(); context = context->getParent())
    if (const auto* r = dyn_cast<CXXRecordDecl>(context)) record = unit.spell(unit.ast().getRecordType(r));
  // `spell` qualifies: take the namespaces off again.
  std::string prefix;
  for (const std::string& n : namespaces)
    if (!n.empty()) prefix += n + "::";
  if (record.compare(0, prefix.size(), prefix) == 0) record.erase(0, prefix.size());
}

ir::Linkage linkageOf(const NamedDecl* decl) {
  if (!decl->isExternallyVisible()) return ir::Linkage::Internal;
  if (const auto* f = dyn_cast<FunctionDecl>(decl))
    if (f->isInlined() || f->isTemplateInstantiation()) return ir::Linkage::Inline;
  if (const auto* v = dyn_cast<VarDecl>(decl))
    if (v->isInline()) return ir::Linkage::Inline;
  return ir::Linkage::External;
}

class Definitions : public AstVisitor {
 public:
  explicit Definitions(SourceManager& sources) : sources_(sources) {}
  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool TraverseDecl(Decl* d) override {
    if (d && !isa<TranslationUnitDecl>(d) && sources_.isInSystemHeader(sources_.getExpansionLoc(d->getLocation()))) return true;
    return AstVisitor::TraverseDecl(d);
  }
  bool VisitFunctionDecl(FunctionDecl* f) override {
    if (f->doesThisDeclarationHaveABody() && !f->isDependentContext()) found.push_back(f);
    return true;
  }
  std::vector<const FunctionDecl*> found;

 private:
  SourceManager& sources_;
};

}  // namespace

std::string TranslationUnit::key(const NamedDecl* decl) {
  std::string name;
  llvm::raw_string_ostream out(name);
  if (const auto* c = dyn_cast<CXXConstructorDecl>(decl)) mangler_->mangleName(GlobalDecl(c, Ctor_Complete), out);
  else if (const auto* d = dyn_cast<CXXDestructorDecl>(decl)) mangler_->mangleName(GlobalDecl(d, Dtor_Complete), out);
  else if (mangler_->shouldMangleDeclName(decl)) mangler_->mangleName(GlobalDecl(cast<ValueDecl>(decl)), out);
  else out << decl->getNameAsString();
  out.flush();
  // The file that the user named tells the internal functions of two sources apart, also those of a header that both include.
  return decl->isExternallyVisible() ? name : name + "@" + path_;
}

const std::vector<const FunctionDecl*>& TranslationUnit::definitions() {
  if (!definitions_) {
    Definitions visitor(sources());
    visitor.TraverseDecl(ast_.getTranslationUnitDecl());
    definitions_ = std::move(visitor.found);
    for (const FunctionDecl* f : *definitions_) definitionByKey_.emplace(key(f), f);
  }
  return *definitions_;
}

const FunctionDecl* TranslationUnit::definition(const FunctionDecl* decl, TranslationUnit** in) {
  const FunctionDecl* found = nullptr;
  if (decl->hasBody(found)) {
    if (in) *in = this;
    return found;
  }
  if (!decl->isExternallyVisible()) return nullptr;
  const std::string wanted = key(decl);
  for (const auto& unit : session_.units) {
    if (unit.get() == this) continue;
    unit->definitions();
    if (const auto it = unit->definitionByKey_.find(wanted); it != unit->definitionByKey_.end()) {
      if (in) *in = unit.get();
      return it->second;
    }
  }
  return nullptr;
}

ir::FuncId TranslationUnit::function(const FunctionDecl* decl) {
  const std::string name = key(decl);
  if (const auto it = session_.functions.find(name); it != session_.functions.end()) return it->second;

  TranslationUnit* home = this;
  const FunctionDecl* body = definition(decl, &home);
  if (home != this) return home->function(body);
  if (body) decl = body;

  ir::Function f;
  f.key = name;
  f.name = decl->getNameAsString();
  if (const auto* args = decl->getTemplateSpecializationArgs(); args && decl->getTemplateSpecializationKind() != TSK_Undeclared) {
    // Which instantiation: `scale<3>`.
    llvm::raw_string_ostream out(f.name);
    PrintingPolicy policy(ast_.getLangOpts());
    policy.SuppressTagKeyword = true;
    policy.SuppressUnwrittenScope = true;
    printTemplateArgumentList(out, args->asArray(), policy);
    out.flush();
    const std::string unwritten = "(anonymous namespace)::";  // printed for functions, whatever the policy
    for (std::size_t at; (at = f.name.find(unwritten)) != std::string::npos;) f.name.erase(at, unwritten.size());
  }
  contexts(*this, decl->getDeclContext(), f.namespaces, f.recordName);
  f.linkage = linkageOf(decl);
  f.hasBody = body != nullptr;
  f.loc = loc(decl->getLocation());
  f.file = file(sources().getLocForStartOfFile(sources().getMainFileID()));
  const auto* method = dyn_cast<CXXMethodDecl>(decl);
  if (decl->isVariadic()) reject(DiagId::UnsupportedStatement, decl->getLocation(), {"a function with variable arguments", "give it a fixed list of parameters"});
  const ir::FuncId id = module().addFunction(std::move(f));
  session_.functions[name] = id;

  const auto whole = [&](QualType t, SourceLocation at) {
    if (destroysSomething(t)) reject(DiagId::UnsupportedType, at, {spell(t), "it has a destructor that does something; pass a reference to it"});
  };
  whole(decl->getReturnType(), decl->getLocation());
  for (const ParmVarDecl* p : decl->parameters()) whole(p->getType(), p->getLocation());

  std::vector<ir::VarId> params;
  const ir::TypeId result = returnedParameter(decl) ? module().type(ir::VoidType{}) : type(decl->getReturnType(), decl->getLocation());
  if (copyComputes(decl->getReturnType())) reject(DiagId::UnsupportedType, decl->getLocation(), {spell(decl->getReturnType()), kCopyComputes});
  if (method && !method->isStatic()) {
    QualType self = ast_.getRecordType(method->getParent());
    if (method->isConst()) self.addConst();
    const ir::TypeId t = module().type(ir::ReferenceType{type(self, decl->getLocation())});
    params.push_back(module()[id].addVar({"self", t, ir::VarKind::Parameter, false, false, loc(decl->getLocation())}));
    module()[id].isMethod = true;
    module()[id].isConstMethod = method->isConst();
    module()[id].isVirtual = method->isVirtual();
  } else if (method) {
    module()[id].name = module()[id].recordName + "::" + module()[id].name;  // static: called by its class
    module()[id].recordName.clear();
  }
  for (const ParmVarDecl* p : decl->parameters()) {
    if (isUniquePointer(p->getType()))
      reject(DiagId::UnsupportedType, p->getLocation(), {spell(p->getType()), "as a parameter; pass what it points to"});
    if (copyComputes(p->getType())) reject(DiagId::UnsupportedType, p->getLocation(), {spell(p->getType()), kCopyComputes});
    ir::Var var{p->getNameAsString(), type(p->getType(), p->getLocation()), ir::VarKind::Parameter, p->getType().isRestrictQualified(),
                false, loc(p->getLocation())};
    if (var.name.empty()) var.name = "unnamed" + std::to_string(params.size());
    params.push_back(module()[id].addVar(std::move(var)));
  }
  module()[id].params = std::move(params);
  module()[id].result = result;
  if (body) session_.pending.push_back({id, this, body});
  return id;
}

ir::GlobalId TranslationUnit::global(const VarDecl* decl) {
  decl = decl->getCanonicalDecl();
  const std::string name = key(decl);
  if (const auto it = session_.globals.find(name); it != session_.globals.end()) return it->second;
  ir::Global g;
  g.key = name;
  std::string record;
  contexts(*this, decl->getDeclContext(), g.namespaces, record);
  g.name = (decl->isStaticLocal() || record.empty() ? "" : record + "::") + decl->getNameAsString();
  g.type = type(decl->getType(), decl->getLocation());
  g.linkage = linkageOf(decl);
  const VarDecl* definition = decl->getDefinition();
  if (!definition) definition = decl;
  g.isConstant = decl->getType().isConstQualified() || ast_.getBaseElementType(decl->getType()).isConstQualified();
  if (const Expr* init = definition->getAnyInitializer(); g.isConstant && init && !init->isConstantInitializer(ast_, false))
    g.isConstant = false;
  if (decl->getType()->isReferenceType())
    reject(DiagId::UnsupportedStatement, decl->getLocation(), {"a global reference", "use the variable it names"});
  if (decl->getTLSKind() != VarDecl::TLS_None)
    reject(DiagId::UnsupportedStatement, decl->getLocation(), {"a thread-local variable", "pass it as a parameter"});
  if (destroysSomething(decl->getType()))
    reject(DiagId::UnsupportedType, decl->getLocation(), {spell(decl->getType()), "it has a destructor that does something, and outlives the function; make it a local variable"});
  g.isLocalStatic = decl->isStaticLocal();
  g.file = file(decl->getLocation());
  g.loc = loc(decl->getLocation());
  if (g.isLocalStatic) {
    const auto* f = cast<FunctionDecl>(decl->getParentFunctionOrMethod());
    const std::string base = (f->getDeclName().isIdentifier() ? f->getNameAsString() : "operator") + "_" + g.name;
    g.hoistedName = base;
    const auto taken = [&](const std::string& n) {
      for (const ir::Global& other : module().globals)
        if (other.hoistedName == n || other.name == n) return true;
      return false;
    };
    for (int i = 2; taken(g.hoistedName); ++i) g.hoistedName = base + "_" + std::to_string(i);
    hoistStatic(decl, g);
  }
  const ir::GlobalId id = module().addGlobal(std::move(g));
  session_.globals[name] = id;
  return id;
}

// `static T x = init;` in the function's text becomes a reference to a definition in front of the function, so that primal and
// derivative share it:
//     double f() { static double x = 0.5; …        static double f_x = 0.5;
//                                            →     double f() { double &x = f_x; …
void TranslationUnit::hoistStatic(const VarDecl* decl, const ir::Global& global) {
  const auto* f = cast<FunctionDecl>(decl->getParentFunctionOrMethod());
  const auto refuse = [&](const std::string& what, const std::string& wayOut) {
    reject(DiagId::UnsupportedStatement, decl->getLocation(), {what, wayOut});
  };
  const Expr* init = decl->getInit();
  if (init && !init->isConstantInitializer(ast_, false) && !isa<CXXConstructExpr>(init))
    return refuse("a static with an initialiser that isn't constant", "make it a global");
  if (!sources().isInMainFile(sources().getExpansionLoc(decl->getLocation())))
    return refuse("a static in a function of a header", "move the function to a source file");
  if (f->isTemplateInstantiation() || isa<CXXMethodDecl>(f))
    return refuse("a static in a template or a method", "make it a global or a member");
  // Reads `type name = init;` as the user wrote it.
  const SourceLocation end = Lexer::findLocationAfterToken(decl->getEndLoc(), tok::semi, sources(), ast_.getLangOpts(), false);
  if (end.isInvalid() || decl->getBeginLoc().isMacroID())
    return refuse("a declaration of several statics", "declare each by a statement of its own");
  std::string initText;
  if (init) {
    const std::string whole = text(decl->getSourceRange());
    const unsigned behindName = offset(decl->getLocation()) - offset(decl->getBeginLoc()) + static_cast<unsigned>(decl->getName().size());
    const std::string rest = whole.substr(behindName);
    const auto at = rest.find_first_of("={(");
    if (at != std::string::npos) initText = (rest[at] == '=' ? " " : "") + rest.substr(at);
  }
  const ir::TypeId t = global.type;
  const std::string reference = ir::spell(module(), module().type(ir::ReferenceType{t}), global.name);
  ir::SourceFile& source = module().files[global.file];
  const unsigned begin = offset(decl->getBeginLoc());
  source.edits.push_back({begin, offset(end), reference + " = " + global.hoistedName + ";"});
  const unsigned front = frontOf(*this, f);
  source.edits.push_back({front, front, "static " + ir::spell(module(), t, global.hoistedName) + initText + ";\n"});
}

}  // namespace contraflow::frontend
