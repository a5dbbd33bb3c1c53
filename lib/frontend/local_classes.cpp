// Classes that a function declares in its body. Derivatives are other functions, and have to name them: the declaration moves in
// front of the function, in the emitted text and in Clang's AST.
//
//     double f(double x) {                   namespace { namespace f_local {
//       struct Pair { double a, b; };        struct Pair { double a, b; };
//       …                              →     } }
//                                            double f(double x) {
//                                              using f_local::Pair;
//                                              …
//
// What can't move (it uses other names of the function, stands in a template or a header) is refused where its type is met
// (records.cpp).
#include "frontend/local_classes.hpp"

#include "frontend/ast_visitor.hpp"

namespace contraflow::frontend {

using namespace clang;

namespace {

// The outermost function around the declaration, or itself.
const FunctionDecl* outermost(const FunctionDecl* f) {
  for (const DeclContext* c = f->getParent(); c; c = c->getParent())
    if (const auto* outer = dyn_cast<FunctionDecl>(c)) f = outer;
  return f;
}

// Does a class name what isn't known outside of its function, or outside of the class that the function is a method of?
class NamesLocals : public AstVisitor {
 public:
  NamesLocals(const CXXRecordDecl* record, const FunctionDecl* f) : record_(record), f_(f) {}
  bool VisitDeclRefExpr(DeclRefExpr* e) override { return note(e->getDecl()); }
  bool VisitMemberExpr(MemberExpr* e) override { return note(e->getMemberDecl()); }
  bool VisitTypedefTypeLoc(TypedefTypeLoc t) override { return note(t.getTypedefNameDecl()); }
  bool VisitTagTypeLoc(TagTypeLoc t) override { return note(t.getDecl()); }
  bool found = false;

 private:
  bool note(const Decl* d) {
    if (d == record_) return true;
    const auto* method = dyn_cast<CXXMethodDecl>(f_);
    bool local = false;
    for (const DeclContext* c = d->getDeclContext(); c; c = c->getParent()) {
      if (c == record_) return true;
      local = local || c->isFunctionOrMethod() || (method && c->Equals(method->getParent()));
    }
    found = found || local;
    return true;
  }
  const CXXRecordDecl* record_;
  const FunctionDecl* f_;
};

struct LocalClass {
  CXXRecordDecl* record;
  SourceRange text;         // of the declaration that moves
  TypedefNameDecl* alias;   // `typedef struct { … } P;`
  const VarDecl* variable;  // `struct { … } p;`: what the class is named by
};

class LocalClasses : public AstVisitor {
 public:
  bool TraverseDeclStmt(DeclStmt* s) override {
    auto* record = dyn_cast<CXXRecordDecl>(*s->decl_begin());
    if (record && record->isThisDeclarationADefinition()) {
      // `const struct P { … } p;` doesn't begin with the class.
      const bool isFirst = record->getBeginLoc() == s->getBeginLoc();
      Decl* next = s->isSingleDecl() ? nullptr : *(s->decl_begin() + 1);
      auto* alias = dyn_cast_or_null<TypedefNameDecl>(next);
      const auto* variable = dyn_cast_or_null<VarDecl>(next);
      if (isFirst && record->getDeclName()) found.push_back({record, record->getSourceRange(), nullptr, nullptr});
      else if (isFirst && variable && !record->isUnion()) found.push_back({record, record->getSourceRange(), nullptr, variable});
      else if (alias && s->decl_end() - s->decl_begin() == 2 && record->getTypedefNameForAnonDecl() == alias)
        found.push_back({record, SourceRange(s->getBeginLoc(), alias->getLocation()), alias, nullptr});
    }
    return AstVisitor::TraverseDeclStmt(s);
  }
  bool TraverseCXXRecordDecl(CXXRecordDecl* d) override { return !d->isLambda() || AstVisitor::TraverseCXXRecordDecl(d); }
  std::vector<LocalClass> found;
};

// `f_local`, in an unnamed namespace beside f: one for each function.
NamespaceDecl* namespaceFor(TranslationUnit& unit, const FunctionDecl* f) {
  ASTContext& ast = unit.ast();
  auto* around = const_cast<DeclContext*>(f->getDeclContext()->getEnclosingNamespaceContext());
  const std::string base = (f->getDeclName().isIdentifier() ? f->getNameAsString() : "operator") + "_local";
  const auto taken = [&](const IdentifierInfo& name) {
    if (!around->lookup(&name).empty()) return true;
    for (const Decl* d : around->decls())
      if (const auto* unnamed = dyn_cast<NamespaceDecl>(d); unnamed && unnamed->isAnonymousNamespace())
        for (const Decl* inner : unnamed->decls())
          if (const auto* named = dyn_cast<NamedDecl>(inner); named && named->getIdentifier() == &name) return true;
    return false;
  };
  IdentifierInfo* name = &ast.Idents.get(base);
  for (int k = 2; taken(*name); ++k) name = &ast.Idents.get(base + "_" + std::to_string(k));
  const SourceLocation at = f->getLocation();
  auto* unnamed = NamespaceDecl::Create(ast, around, false, at, at, nullptr, nullptr, false);
  auto* own = NamespaceDecl::Create(ast, unnamed, false, at, at, name, nullptr, false);
  unnamed->addHiddenDecl(own);
  around->addHiddenDecl(unnamed);
  return own;
}

}  // namespace

unsigned frontOf(TranslationUnit& unit, const FunctionDecl* f) {
  const std::string& text = unit.module().files[unit.file(f->getBeginLoc())].text;
  std::size_t at = unit.offset(f->getBeginLoc());
  const auto skipBack = [&](const std::string& end, const std::string& begin) {
    std::size_t stop = at;
    while (stop > 0 && std::isspace(static_cast<unsigned char>(text[stop - 1]))) --stop;
    if (stop < end.size() || text.compare(stop - end.size(), end.size(), end) != 0) return false;
    const std::size_t start = text.rfind(begin, stop - end.size());
    if (start == std::string::npos) return false;
    at = start;
    return true;
  };
  while (skipBack("]]", "[[") || skipBack("))", "__attribute__") || skipBack("extern \"C\"", "extern \"C\"")) {
  }
  return static_cast<unsigned>(at);
}

void hoistLocalClasses(TranslationUnit& unit, const FunctionDecl* definition) {
  LocalClasses classes;
  classes.TraverseStmt(definition->getBody());
  if (classes.found.empty()) return;
  const FunctionDecl* f = outermost(definition);
  const auto* method = dyn_cast<CXXMethodDecl>(f);
  if (f->isTemplateInstantiation() || f->isDependentContext() || (method && !method->isOutOfLine())) return;
  SourceManager& sources = unit.sources();
  if (f->getBeginLoc().isMacroID() || !sources.isInMainFile(f->getBeginLoc())) return;

  ir::SourceFile& source = unit.module().files[unit.file(f->getBeginLoc())];
  NamespaceDecl* own = nullptr;
  std::set<std::string> names;
  std::string moved;
  for (const auto& [record, range, alias, variable] : classes.found) {
    if (!record->getDeclContext()->isFunctionOrMethod()) continue;  // has moved
    if (range.getBegin().isMacroID() || range.getEnd().isMacroID()) continue;
    NamesLocals uses(record, f);
    uses.TraverseDecl(record);
    const std::string name = alias ? alias->getNameAsString() : variable ? variable->getNameAsString() + "_type" : record->getNameAsString();
    if (uses.found || !names.insert(name).second) continue;
    const unsigned begin = unit.offset(range.getBegin());
    const unsigned end = unit.offset(range.getEnd()) + (alias ? static_cast<unsigned>(name.size()) : 1);
    const auto meets = [&](const ir::TextEdit& e) { return e.begin < end && begin < e.end; };
    if (std::any_of(source.edits.begin(), source.edits.end(), meets)) continue;
    if (!own) own = namespaceFor(unit, f);
    std::string text = source.text.substr(begin, end - begin);
    if (variable) {
      text.insert(record->isStruct() ? 6 : 5, " " + name);  // behind `struct` or `class`
      record->setDeclName(&unit.ast().Idents.get(name));
    }
    moved += text + ";\n";
    // `struct P { … } p;` declares variables as well.
    const bool isAlone = end < source.text.size() && source.text[end] == ';';
    source.edits.push_back({begin, end, "using " + own->getNameAsString() + "::" + name + (isAlone ? "" : "; " + name)});
    record->setDeclContext(own);
    if (alias) alias->setDeclContext(own);
  }
  if (!own) return;
  const unsigned front = frontOf(unit, f);
  source.edits.push_back({front, front, "namespace {\nnamespace " + own->getNameAsString() + " {\n" + moved + "}  // namespace " + own->getNameAsString() + "\n}  // namespace\n\n"});
}

}  // namespace contraflow::frontend
