// Classes to ir::Records: their fields, base classes, and what makes an object of one.
#include "clang/AST/DeclTemplate.h"
#include "frontend/ast_visitor.hpp"
#include "frontend/lowering.hpp"
#include "frontend/special_members.hpp"

namespace contraflow::frontend {

using namespace clang;

namespace {

// A constructor that leaves values in the object's own members, whatever its arguments: nothing that can fail or be seen elsewhere.
struct Harmless : AstVisitor {
  explicit Harmless(std::set<const CXXConstructorDecl*>& seen) : seen(seen) {}
  std::set<const CXXConstructorDecl*>& seen;  // those that are looked at: one may make an object of its own class
  bool result = true;
  bool no() { return result = false; }
  bool VisitCallExpr(CallExpr* e) override {
    const FunctionDecl* f = e->getDirectCallee();
    return f && inSystemHeader(f) && f->getReturnType()->isRealFloatingType() ? true : no();
  }
  bool VisitCXXNewExpr(CXXNewExpr*) override { return no(); }
  bool VisitCXXThrowExpr(CXXThrowExpr*) override { return no(); }
  bool VisitLambdaExpr(LambdaExpr*) override { return no(); }
  bool VisitForStmt(ForStmt*) override { return no(); }
  bool VisitWhileStmt(WhileStmt*) override { return no(); }
  bool VisitDoStmt(DoStmt*) override { return no(); }
  bool VisitUnaryOperator(UnaryOperator* e) override { return e->getOpcode() != UO_Deref && e->getOpcode() != UO_AddrOf ? true : no(); }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr*) override { return no(); }
  bool VisitDeclRefExpr(DeclRefExpr* e) override {
    const auto* var = dyn_cast<VarDecl>(e->getDecl());
    return var && var->hasGlobalStorage() && !var->getType().isConstQualified() ? no() : true;
  }
  bool VisitBinaryOperator(BinaryOperator* e) override {
    const bool divides = e->getOpcode() == BO_Div || e->getOpcode() == BO_Rem || e->getOpcode() == BO_DivAssign || e->getOpcode() == BO_RemAssign;
    return divides && e->getType()->isIntegerType() ? no() : true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr* e) override { return e->getConstructor()->isTrivial() || isHarmless(e->getConstructor(), seen) ? true : no(); }
  static bool isHarmless(const CXXConstructorDecl* c, std::set<const CXXConstructorDecl*>& seen);
};

bool Harmless::isHarmless(const CXXConstructorDecl* c, std::set<const CXXConstructorDecl*>& seen) {
  if (c->isTrivial()) return true;
  if (c->isInheritingConstructor()) c = c->getInheritedConstructor().getConstructor();
  const FunctionDecl* found = nullptr;
  if (!c->hasBody(found) || !seen.insert(c).second) return false;
  const auto* definition = cast<CXXConstructorDecl>(found);
  Harmless visitor(seen);
  for (const CXXCtorInitializer* init : definition->inits()) visitor.TraverseStmt(init->getInit());
  visitor.TraverseStmt(definition->getBody());
  seen.erase(c);
  return visitor.result;
}

// `decltype(Cell::position)`: of a type without a name that a public member has. Empty where there is none.
std::string nameByMember(const CXXRecordDecl* decl, TranslationUnit& unit) {
  const auto* outer = dyn_cast<CXXRecordDecl>(decl->getDeclContext());
  if (decl->getDeclName() || decl->getTypedefNameForAnonDecl() || decl->isAnonymousStructOrUnion() || !outer || !hasUsableName(outer)) return "";
  for (const FieldDecl* f : outer->fields())
    if (f->getType()->getAsCXXRecordDecl() == decl && f->getAccess() == AS_public)
      return "decltype(" + unit.spell(unit.ast().getRecordType(outer)) + "::" + f->getNameAsString() + ")";
  return "";
}

bool isPlainField(QualType type, ASTContext& ast) {
  type = ast.getBaseElementType(type);
  if (type.isConstQualified() || type->isReferenceType() || type->isPointerType()) return false;
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return !record || record->isTriviallyCopyable();
}

// "(0.0, 0)": makes an object of a class without a default constructor whose members are values. Empty where there is none.
std::string anyArgumentsOf(const CXXRecordDecl* decl, TranslationUnit& unit) {
  if (decl->isAggregate() || decl->isLambda() || decl->isAbstract() || isDefaultConstructible(decl)) return "";
  for (const CXXRecordDecl* r = decl; r;) {
    for (const FieldDecl* f : r->fields())
      if (!isPlainField(f->getType(), unit.ast())) return "";
    const CXXRecordDecl* next = nullptr;
    for (const CXXBaseSpecifier& b : r->bases()) next = b.getType()->getAsCXXRecordDecl() ? b.getType()->getAsCXXRecordDecl()->getDefinition() : nullptr;
    r = next;
  }
  std::vector<const CXXConstructorDecl*> candidates;
  for (const Decl* d : decl->decls()) {
    if (const auto* shadow = dyn_cast<ConstructorUsingShadowDecl>(d)) {
      if (const auto* c = dyn_cast<CXXConstructorDecl>(shadow->getTargetDecl())) candidates.push_back(c);
    } else if (const auto* c = dyn_cast<CXXConstructorDecl>(d)) {
      candidates.push_back(c);
    }
  }
  for (const CXXConstructorDecl* c : candidates) {
    if (c->isCopyOrMoveConstructor() || c->isDefaultConstructor() || c->isDeleted() || c->getAccess() != AS_public || c->isVariadic()) continue;
    std::string arguments;
    for (const ParmVarDecl* p : c->parameters()) {
      const QualType t = p->getType().getNonReferenceType();
      const bool byValue = !p->getType()->isReferenceType() || t.isConstQualified();
      const bool fits = byValue && (t->isRealFloatingType() || (t->isIntegerType() && !t->isEnumeralType()));
      if (!fits) arguments = "no";
      if (arguments == "no") break;
      arguments += (arguments.empty() ? "" : ", ") + std::string(t->isRealFloatingType() ? "0.0" : t->isBooleanType() ? "false" : "0");
      if (t->isSpecificBuiltinType(BuiltinType::Float)) arguments += "f";
    }
    std::set<const CXXConstructorDecl*> seen;
    if (arguments != "no" && !arguments.empty() && Harmless::isHarmless(c, seen)) return arguments;
  }
  return "";
}

}  // namespace

bool isDefaultConstructible(const CXXRecordDecl* record) {
  record = record->getDefinition();
  for (const CXXConstructorDecl* c : record->ctors())
    if (c->isDefaultConstructor()) return !c->isDeleted() && c->getAccess() == AS_public;
  if (!record->needsImplicitDefaultConstructor()) return false;
  const auto isMade = [](QualType type) {
    const CXXRecordDecl* r = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    return !r || !r->hasDefinition() || r->isInStdNamespace() || isDefaultConstructible(r);
  };
  for (const CXXBaseSpecifier& base : record->bases())
    if (!isMade(base.getType())) return false;
  for (const FieldDecl* f : record->fields()) {
    if (f->hasInClassInitializer()) continue;
    if (f->getType()->isReferenceType() || !isMade(f->getType())) return false;
    if (f->getType().isConstQualified() && !f->getType()->isRecordType()) return false;
  }
  return true;
}

ir::RecordId TranslationUnit::record(const RecordDecl* any, SourceLocation at) {
  const auto* decl = cast<CXXRecordDecl>(any)->getDefinition();
  const QualType type = ast_.getRecordType(decl);
  const std::string byMember = nameByMember(decl, *this);
  const std::string name = byMember.empty() ? spell(type) : byMember;
  if (const auto it = session_.records.find(name); it != session_.records.end()) return it->second;

  ir::Record record;
  record.name = name;
  record.namespaces = namespacesAround(decl->getDeclContext());
  record.isAggregate = decl->isAggregate();
  record.isTriviallyCopyable = decl->isTriviallyCopyable();
  record.isDefaultConstructible = isDefaultConstructible(decl);
  record.beginsAtZero = !decl->hasInClassInitializer() && !decl->hasUserProvidedDefaultConstructor();
  // A union is named as it is: the generated header has plain declarations of structs only.
  record.inMainFile = !decl->isUnion() && sources().isInMainFile(sources().getExpansionLoc(decl->getLocation()));
  record.file = sources().getFilename(sources().getExpansionLoc(decl->getLocation())).str();
  module().records.push_back(record);
  const ir::RecordId id(static_cast<std::uint32_t>(module().records.size() - 1));
  session_.records[name] = id;  // before its fields: they may point to it

  const auto refuse = [&](const std::string& why) { reject(DiagId::UnsupportedType, at, {name, why}); };
  if (isMixedUnion(decl)) refuse("it is a union that holds different kinds of values, and not a local variable; give each kind a member of its own, in a struct");
  if (decl->isUnion() && !decl->isTriviallyCopyable()) refuse("it is a union of what isn't trivially copyable; give each kind of value a member of its own");
  if (!hasUsableName(decl) && !decl->isLambda() && byMember.empty()) refuse("other functions can't name it; declare it outside of the function, with a name");
  if (decl->isLambda()) refuse("it is a lambda; write a function");
  if (defaultConstructionIsSeen(decl))
    refuse("its default constructor changes what is outside of the object, and derivatives make more objects than the source; do that in a function");
  record.isPolymorphic = decl->isPolymorphic();
  if (record.anyArguments = anyArgumentsOf(decl, *this); !record.anyArguments.empty()) record.beginsAtZero = false;
  baseOf(decl, record, at);
  std::vector<ir::Field> fields = record.fields;
  for (const FieldDecl* f : members(decl)) {
    if (f->isBitField()) refuse("it has bit-fields");
    if (isUniquePointer(f->getType())) refuse("its member '" + f->getNameAsString() + "' is a std::unique_ptr; use std::vector");
    if (isIterator(f->getType())) refuse("its member '" + f->getNameAsString() + "' is an iterator; keep an index or a pointer");
    if (copyComputes(f->getType())) refuse("of its member '" + f->getNameAsString() + "' " + kCopyComputes);
    if (f->isAnonymousStructOrUnion()) {
      refuse("it has an anonymous union that holds different kinds of values, and isn't a local variable; give each kind a member of its own");
      continue;
    }
    fields.push_back({f->getNameAsString(), this->type(f->getType(), f->getLocation()),
                      f->getAccess() == AS_private || f->getAccess() == AS_protected, "", f->isMutable()});
  }
  record.fields = std::move(fields);
  module()[id] = std::move(record);
  return id;
}

namespace {

// How many base classes with members a class has, and how often one class is among all of them.
void countBases(const CXXRecordDecl* decl, std::map<const CXXRecordDecl*, unsigned>& count) {
  for (const CXXBaseSpecifier& base : decl->bases())
    if (const auto* b = base.getType()->getAsCXXRecordDecl(); b && b->getDefinition() && !b->isEmpty()) {
      ++count[b->getDefinition()];
      countBases(b->getDefinition(), count);
    }
}

}  // namespace

// The fields of the first base class come first, so that an object is one of that class too. Any other base class is a field.
void TranslationUnit::baseOf(const CXXRecordDecl* decl, ir::Record& record, SourceLocation at) {
  const auto refuse = [&](const std::string& why) { reject(DiagId::UnsupportedType, at, {record.name, why}); };
  if (decl->getNumVBases() > 0) return refuse("it has a virtual base class; make that a member, or derive from it once");
  std::map<const CXXRecordDecl*, unsigned> count;
  countBases(decl, count);
  if (std::any_of(count.begin(), count.end(), [](const auto& c) { return c.second > 1; })) refuse("it has one base class twice");
  for (const CXXBaseSpecifier& base : decl->bases()) {
    const auto* b = base.getType()->getAsCXXRecordDecl();
    if (!b || b->isEmpty()) continue;
    if (base.getAccessSpecifier() != AS_public) refuse("it has a private base class with members; make that a member");
    if (sources().isInSystemHeader(sources().getExpansionLoc(b->getLocation()))) {
      refuse("it has a base class of a library");
      continue;
    }
    const ir::RecordId id = this->record(b->getDefinition(), at);
    if (record.base.valid()) {
      // Named by what no member can be named.
      record.fields.push_back({"(" + module()[id].name + ")", module().type(ir::RecordType{id}), false, "", false});
      continue;
    }
    record.base = id;
    record.fields = module()[id].fields;
    for (ir::Field& f : record.fields)
      if (f.owner.empty()) f.owner = module()[id].name;
  }
}

unsigned TranslationUnit::field(const FieldDecl* decl) {
  const auto* owner = cast<CXXRecordDecl>(decl->getParent());
  while (owner->isAnonymousStructOrUnion() && !isMixedUnion(owner) && isa<CXXRecordDecl>(owner->getDeclContext()))
    owner = cast<CXXRecordDecl>(owner->getDeclContext());
  // Those of the first base class, then the other base classes, then its own.
  unsigned before = 0;
  for (const CXXRecordDecl* record = owner; record;) {
    const CXXRecordDecl* first = nullptr;
    for (const CXXBaseSpecifier& base : record->getDefinition()->bases()) {
      const auto* b = base.getType()->getAsCXXRecordDecl();
      if (!b || b->isEmpty()) continue;
      if (first) ++before;
      else first = b->getDefinition();
    }
    if (first) before += static_cast<unsigned>(members(first).size());
    record = first;
  }
  const auto own = members(owner);
  const auto it = std::find(own.begin(), own.end(), decl);
  return it == own.end() ? kNoField : before + static_cast<unsigned>(it - own.begin());
}

std::optional<unsigned> TranslationUnit::baseField(const CXXRecordDecl* derived, const CXXRecordDecl* base, SourceLocation at) {
  const ir::Record& record = module()[this->record(derived->getDefinition(), at)];
  const std::string name = "(" + spell(ast_.getRecordType(base)) + ")";
  for (unsigned k = 0; k < record.fields.size(); ++k)
    if (record.fields[k].name == name && record.fields[k].owner.empty()) return k;
  return std::nullopt;
}

}  // namespace contraflow::frontend
