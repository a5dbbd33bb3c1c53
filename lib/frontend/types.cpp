// Clang's types to ours. Integers are spelled canonically (`std::size_t` is `unsigned long`), so that one type has one id.
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "frontend/destructors.hpp"
#include "frontend/lowering.hpp"
#include "frontend/special_members.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::TypeId;

namespace {

// MPI's handles are typedefs of whatever the MPI library likes; the typedef's name tells.
std::optional<ir::MpiHandle> mpiHandle(QualType type) {
  static const std::map<std::string, ir::MpiHandle> kHandles = {
#define MPI_HANDLE(ID, NAME) {NAME, ir::MpiHandle::ID},
#define MPI_STRUCT(NAME, ID) {NAME, ir::MpiHandle::ID},
#include "rules/mpi_names.def"
  };
  const auto find = [](llvm::StringRef name) -> std::optional<ir::MpiHandle> {
    const auto it = kHandles.find(name.str());
    return it == kHandles.end() ? std::nullopt : std::optional(it->second);
  };
  for (const TypedefType* sugar = type->getAs<TypedefType>(); sugar;
       sugar = sugar->getDecl()->getUnderlyingType()->getAs<TypedefType>())
    if (const auto handle = find(sugar->getDecl()->getName())) return handle;
  QualType canonical = type.getCanonicalType();
  if (canonical->isPointerType()) canonical = canonical->getPointeeType();
  if (const auto* record = canonical->getAsRecordDecl())
    if (record->getDeclName().isIdentifier()) return find(record->getName());
  return std::nullopt;
}

// True if a value of the type may hold reals, for types that we don't look into.
bool mayHoldReals(QualType type, std::set<const clang::Type*>& seen) {
  type = type.getNonReferenceType().getCanonicalType();
  if (!seen.insert(type.getTypePtr()).second) return false;
  if (type->isRealFloatingType() || type->isAnyComplexType()) return true;
  if (type->isPointerType()) return mayHoldReals(type->getPointeeType(), seen);
  if (const auto* array = type->getAsArrayTypeUnsafe()) return mayHoldReals(array->getElementType(), seen);
  if (const auto* record = type->getAsCXXRecordDecl()) {
    if (const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(record))
      for (const TemplateArgument& a : special->getTemplateArgs().asArray())
        if (a.getKind() == TemplateArgument::Type && mayHoldReals(a.getAsType(), seen)) return true;
    if (record->hasDefinition())
      for (const FieldDecl* f : record->fields())
        if (mayHoldReals(f->getType(), seen)) return true;
  }
  return false;
}

// A constructor that leaves values in the object's own members, whatever its arguments: nothing that can fail or be seen elsewhere.
struct Harmless : RecursiveASTVisitor<Harmless> {
  bool result = true;
  bool no() { return result = false; }
  bool VisitCallExpr(CallExpr* e) {
    const FunctionDecl* f = e->getDirectCallee();
    return f && inSystemHeader(f) && f->getReturnType()->isRealFloatingType() ? true : no();
  }
  bool VisitCXXNewExpr(CXXNewExpr*) { return no(); }
  bool VisitCXXThrowExpr(CXXThrowExpr*) { return no(); }
  bool VisitLambdaExpr(LambdaExpr*) { return no(); }
  bool VisitForStmt(ForStmt*) { return no(); }
  bool VisitWhileStmt(WhileStmt*) { return no(); }
  bool VisitDoStmt(DoStmt*) { return no(); }
  bool VisitUnaryOperator(UnaryOperator* e) { return e->getOpcode() != UO_Deref && e->getOpcode() != UO_AddrOf ? true : no(); }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr*) { return no(); }
  bool VisitDeclRefExpr(DeclRefExpr* e) {
    const auto* var = dyn_cast<VarDecl>(e->getDecl());
    return var && var->hasGlobalStorage() && !var->getType().isConstQualified() ? no() : true;
  }
  bool VisitBinaryOperator(BinaryOperator* e) {
    const bool divides = e->getOpcode() == BO_Div || e->getOpcode() == BO_Rem || e->getOpcode() == BO_DivAssign || e->getOpcode() == BO_RemAssign;
    return divides && e->getType()->isIntegerType() ? no() : true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr* e) { return e->getConstructor()->isTrivial() || isHarmless(e->getConstructor()) ? true : no(); }
  static bool isHarmless(const CXXConstructorDecl* c);
};

bool Harmless::isHarmless(const CXXConstructorDecl* c) {
  if (c->isTrivial()) return true;
  if (c->isInheritingConstructor()) c = c->getInheritedConstructor().getConstructor();
  const FunctionDecl* found = nullptr;
  if (!c->hasBody(found)) return false;
  const auto* definition = cast<CXXConstructorDecl>(found);
  Harmless visitor;
  for (const CXXCtorInitializer* init : definition->inits()) visitor.TraverseStmt(init->getInit());
  visitor.TraverseStmt(definition->getBody());
  return visitor.result;
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
    if (arguments != "no" && !arguments.empty() && Harmless::isHarmless(c)) return arguments;
  }
  return "";
}

// True if other functions can name the type.
bool canBeNamed(const TagDecl* decl) {
  if (!decl->getDeclName() && !decl->getTypedefNameForAnonDecl()) return false;
  for (const DeclContext* c = decl->getDeclContext(); c; c = c->getParent())
    if (c->isFunctionOrMethod()) return false;
  return true;
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

std::string TranslationUnit::spell(QualType type) {
  PrintingPolicy policy(ast_.getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.SuppressUnwrittenScope = true;
  policy.Bool = true;
  return type.getCanonicalType().getAsString(policy);
}

TypeId TranslationUnit::builtin(const BuiltinType* type, bool isConst, SourceLocation at) {
  ir::Module& m = module();
  switch (type->getKind()) {
    case BuiltinType::Void: return m.type(ir::VoidType{}, isConst);
    case BuiltinType::Bool: return m.type(ir::BoolType{}, isConst);
    case BuiltinType::Float: return m.type(ir::RealType{ir::RealKind::Float}, isConst);
    case BuiltinType::Double: return m.type(ir::RealType{ir::RealKind::Double}, isConst);
    case BuiltinType::LongDouble: return m.type(ir::RealType{ir::RealKind::LongDouble}, isConst);
    case BuiltinType::NullPtr: return m.type(ir::PointerType{m.type(ir::VoidType{})}, isConst);
    default: break;
  }
  const QualType q(type, 0);
  if (type->isInteger())
    return m.type(ir::IntType{static_cast<unsigned>(ast_.getTypeSize(q)), type->isSignedInteger(), spell(q)}, isConst);
  reject(DiagId::UnsupportedType, at, {spell(q), "it is no type of standard C++ that holds reals or integers"});
  return m.type(ir::OpaqueType{spell(q)}, isConst);
}

TypeId TranslationUnit::type(QualType type, SourceLocation at) {
  ir::Module& m = module();
  const bool isConst = type.isConstQualified();
  if (type.isVolatileQualified()) reject(DiagId::UnsupportedType, at, {spell(type), "volatile memory changes by itself"});
  if (const auto handle = mpiHandle(type)) return m.type(ir::MpiHandleType{*handle}, isConst);
  // Types of arguments that were adjusted are what they were adjusted to.
  const QualType t = type.getCanonicalType();
  const auto refuse = [&](const std::string& why) {
    reject(DiagId::UnsupportedType, at, {spell(type), why});
    return m.type(ir::OpaqueType{spell(t.getUnqualifiedType())}, isConst);
  };
  if (const auto* b = t->getAs<BuiltinType>()) return builtin(b, isConst, at);
  if (t->isMemberPointerType() || t->isFunctionPointerType() || t->isFunctionType() || t->isFunctionReferenceType()) return selectorType(t, isConst);
  if (const auto* r = t->getAs<clang::ReferenceType>()) {
    // The pointee as written: it may be one of MPI's typedefs.
    const TypeId pointee = this->type(type->getAs<clang::ReferenceType>()->getPointeeType(), at);
    return m.type(ir::ReferenceType{pointee, r->isRValueReferenceType()});
  }
  if (t->isAnyComplexType()) return refuse("use two reals");
  if (t->isPointerType()) {
    const auto* sugar = type->getAs<clang::PointerType>();
    const TypeId pointee = this->type(sugar ? sugar->getPointeeType() : t->getPointeeType(), at);
    return m.type(ir::PointerType{pointee}, isConst);
  }
  if (const auto* array = ast_.getAsConstantArrayType(type)) {
    if (destroysSomething(array->getElementType())) return refuse("its elements have a destructor that does something; make them local variables");
    return m.type(ir::ArrayType{this->type(array->getElementType(), at), array->getSize().getZExtValue()});
  }
  if (t->isVariableArrayType()) return refuse("its extent isn't a constant; use std::vector");
  if (t->isArrayType()) return refuse("its extent isn't known; use a pointer");
  if (const auto* e = t->getAs<clang::EnumType>()) {
    // Derivative functions can't name an enumeration that is declared in a function, nor one without a name.
    if (!canBeNamed(e->getDecl())) {
      TypeId integer = this->type(e->getDecl()->getIntegerType(), at);
      return isConst ? m.type(m[integer].node, true) : integer;
    }
    return m.type(ir::EnumType{spell(t.getUnqualifiedType()), this->type(e->getDecl()->getIntegerType(), at)}, isConst);
  }
  if (t->isRecordType()) return recordType(t, isConst, at);
  return refuse(std::string("it is a ") + t->getTypeClassName() + " type");
}

// A pointer to a function, a reference to one (which a declaration keeps), a pointer to a member.
TypeId TranslationUnit::selectorType(QualType type, bool isConst) {
  if (type->isFunctionType()) type = ast_.getPointerType(type);
  PrintingPolicy policy(ast_.getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.SuppressUnwrittenScope = true;
  policy.Bool = true;
  std::string text = "@";
  type.getUnqualifiedType().getAsStringInternal(text, policy);
  const auto at = text.find('@');
  return module().type(ir::SelectorType{text.substr(0, at), text.substr(at + 1)}, isConst);
}

TypeId TranslationUnit::recordType(QualType type, bool isConst, SourceLocation at) {
  ir::Module& m = module();
  const auto* decl = type->getAsCXXRecordDecl();
  const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(decl);
  if (special && isComplexType(type)) return complexType(special, isConst, at);
  if (special && isTupleType(type)) return tupleType(special, isConst, at);
  const auto argument = [&] { return this->type(special->getTemplateArgs()[0].getAsType(), at); };
  if (special && decl->isInStdNamespace() && !isIterator(type))
    for (const TemplateArgument& a : special->getTemplateArgs().asArray())
      if (a.getKind() == TemplateArgument::Type && destroysSomething(a.getAsType())) {
        reject(DiagId::UnsupportedType, at, {spell(type), "what it holds has a destructor that does something; make that a local variable"});
        return m.type(ir::OpaqueType{spell(type.getUnqualifiedType())}, isConst);
      }
  if (special && decl->isInStdNamespace() && special->getTemplateArgs().size() > 0 &&
      special->getTemplateArgs()[0].getKind() == TemplateArgument::Type && copyComputes(special->getTemplateArgs()[0].getAsType()))
    reject(DiagId::UnsupportedType, at, {spell(type), kCopyComputes});
  if (special && decl->isInStdNamespace() && decl->getName() == "vector" && !special->getTemplateArgs()[0].getAsType()->isBooleanType()) {
    const TypeId element = argument();
    return m.type(ir::ContainerType{ir::ContainerKind::Vector, element, 0}, isConst);
  }
  if (special && isUniquePointer(type)) {
    const QualType owned = special->getTemplateArgs()[0].getAsType();
    const auto* deleter = special->getTemplateArgs()[1].getAsType()->getAsCXXRecordDecl();
    if (!deleter || !deleter->isInStdNamespace()) reject(DiagId::UnsupportedType, at, {spell(type), "it has a deleter of its own"});
    const QualType element = owned->isArrayType() ? owned->getAsArrayTypeUnsafe()->getElementType() : owned;
    return m.type(ir::ContainerType{ir::ContainerKind::Vector, this->type(element, at), 0}, isConst);
  }
  if (special && isIterator(type)) {
    ir::TypeNode pointer = m[argument()].node;
    return m.type(std::move(pointer), isConst);
  }
  if (special && decl->isInStdNamespace() && decl->getName() == "array") {
    const TypeId element = argument();
    const auto extent = special->getTemplateArgs()[1].getAsIntegral().getZExtValue();
    return m.type(ir::ContainerType{ir::ContainerKind::StdArray, element, extent}, isConst);
  }
  if (sources().isInSystemHeader(sources().getExpansionLoc(decl->getLocation())) || decl->isInStdNamespace() ||
      !decl->hasDefinition()) {
    std::set<const clang::Type*> seen;
    if (decl->isInStdNamespace() && decl->getDeclName().isIdentifier() && decl->getName() == "function")
      reject(DiagId::UnsupportedType, at, {spell(type), "it isn't known what it calls; use a pointer to a function, or make the function that takes it a template"});
    else if (mayHoldReals(type, seen))
      reject(DiagId::UnsupportedType, at, {spell(type), "use arrays, std::vector or std::array"});
    return m.type(ir::OpaqueType{spell(type.getUnqualifiedType())}, isConst);
  }
  return m.type(ir::RecordType{record(decl, at)}, isConst);
}

ir::RecordId TranslationUnit::record(const RecordDecl* any, SourceLocation at) {
  const auto* decl = cast<CXXRecordDecl>(any)->getDefinition();
  const QualType type = ast_.getRecordType(decl);
  const std::string name = spell(type);
  if (const auto it = session_.records.find(name); it != session_.records.end()) return it->second;

  ir::Record record;
  record.name = name;
  record.namespaces = namespacesAround(decl->getDeclContext());
  record.isAggregate = decl->isAggregate();
  record.isTriviallyCopyable = decl->isTriviallyCopyable();
  record.isDefaultConstructible = isDefaultConstructible(decl);
  record.beginsAtZero = !decl->hasInClassInitializer() && !decl->hasUserProvidedDefaultConstructor();
  record.inMainFile = sources().isInMainFile(sources().getExpansionLoc(decl->getLocation()));
  record.file = sources().getFilename(sources().getExpansionLoc(decl->getLocation())).str();
  module().records.push_back(record);
  const ir::RecordId id(static_cast<std::uint32_t>(module().records.size() - 1));
  session_.records[name] = id;  // before its fields: they may point to it

  const auto refuse = [&](const std::string& why) { reject(DiagId::UnsupportedType, at, {name, why}); };
  if (decl->isUnion()) refuse("it is a union");
  if (!canBeNamed(decl) && !decl->isLambda()) refuse("other functions can't name it; declare it outside of the function, with a name");
  if (decl->isLambda()) refuse("it is a lambda; write a function");
  if (defaultConstructionIsSeen(decl))
    refuse("its default constructor changes what is outside of the object, and derivatives make more objects than the source; do that in a function");
  record.isPolymorphic = decl->isPolymorphic();
  if (record.anyArguments = anyArgumentsOf(decl, *this); !record.anyArguments.empty()) record.beginsAtZero = false;
  baseOf(decl, record, at);
  std::vector<ir::Field> fields = record.fields;
  for (const FieldDecl* f : decl->fields()) {
    if (f->isBitField()) refuse("it has bit-fields");
    if (isUniquePointer(f->getType())) refuse("its member '" + f->getNameAsString() + "' is a std::unique_ptr; use std::vector");
    if (isIterator(f->getType())) refuse("its member '" + f->getNameAsString() + "' is an iterator; keep an index or a pointer");
    if (copyComputes(f->getType())) refuse("of its member '" + f->getNameAsString() + "' " + kCopyComputes);
    if (f->isAnonymousStructOrUnion()) refuse("it has an anonymous member");
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
  std::map<const CXXRecordDecl*, unsigned> count;
  countBases(decl, count);
  if (std::any_of(count.begin(), count.end(), [](const auto& c) { return c.second > 1; })) refuse("it has one base class twice");
  for (const CXXBaseSpecifier& base : decl->bases()) {
    const auto* b = base.getType()->getAsCXXRecordDecl();
    if (!b || b->isEmpty()) continue;
    if (base.isVirtual()) refuse("it has a virtual base class");
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
  // Those of the first base class, then the other base classes, then its own.
  unsigned before = 0;
  const CXXRecordDecl* record = dyn_cast<CXXRecordDecl>(decl->getParent());
  while (record) {
    const CXXRecordDecl* first = nullptr;
    for (const CXXBaseSpecifier& base : record->getDefinition()->bases()) {
      const auto* b = base.getType()->getAsCXXRecordDecl();
      if (!b || b->isEmpty()) continue;
      if (first) ++before;
      else first = b->getDefinition();
    }
    if (first) before += static_cast<unsigned>(std::distance(first->field_begin(), first->field_end()));
    record = first;
  }
  return before + decl->getFieldIndex();
}

std::optional<unsigned> TranslationUnit::baseField(const CXXRecordDecl* derived, const CXXRecordDecl* base, SourceLocation at) {
  const ir::Record& record = module()[this->record(derived->getDefinition(), at)];
  const std::string name = "(" + spell(ast_.getRecordType(base)) + ")";
  for (unsigned k = 0; k < record.fields.size(); ++k)
    if (record.fields[k].name == name && record.fields[k].owner.empty()) return k;
  return std::nullopt;
}

}  // namespace contraflow::frontend
