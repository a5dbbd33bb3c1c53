// Clang's types to ours. Integers are spelled canonically (`std::size_t` is `unsigned long`), so that one type has one id.
#include "clang/AST/DeclTemplate.h"
#include "frontend/lowering.hpp"

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

// True if other functions can name the type.
bool canBeNamed(const TagDecl* decl) {
  if (!decl->getDeclName() && !decl->getTypedefNameForAnonDecl()) return false;
  for (const DeclContext* c = decl->getDeclContext(); c; c = c->getParent())
    if (c->isFunctionOrMethod()) return false;
  return true;
}

}  // namespace

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
  if (const auto* r = t->getAs<clang::ReferenceType>()) {
    // The pointee as written: it may be one of MPI's typedefs.
    const TypeId pointee = this->type(type->getAs<clang::ReferenceType>()->getPointeeType(), at);
    return m.type(ir::ReferenceType{pointee, r->isRValueReferenceType()});
  }
  if (t->isFunctionPointerType() || t->isFunctionType()) return refuse("it isn't known what it calls; call the function by its name");
  if (t->isMemberPointerType()) return refuse("use the member by its name");
  if (t->isAnyComplexType()) return refuse("use two reals");
  if (t->isPointerType()) {
    const auto* sugar = type->getAs<clang::PointerType>();
    const TypeId pointee = this->type(sugar ? sugar->getPointeeType() : t->getPointeeType(), at);
    return m.type(ir::PointerType{pointee}, isConst);
  }
  if (const auto* array = ast_.getAsConstantArrayType(type))
    return m.type(ir::ArrayType{this->type(array->getElementType(), at), array->getSize().getZExtValue()});
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

TypeId TranslationUnit::recordType(QualType type, bool isConst, SourceLocation at) {
  ir::Module& m = module();
  const auto* decl = type->getAsCXXRecordDecl();
  const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(decl);
  const auto argument = [&] { return this->type(special->getTemplateArgs()[0].getAsType(), at); };
  if (special && decl->isInStdNamespace() && decl->getName() == "vector" && !special->getTemplateArgs()[0].getAsType()->isBooleanType()) {
    const TypeId element = argument();
    return m.type(ir::ContainerType{ir::ContainerKind::Vector, element, 0}, isConst);
  }
  if (special && decl->isInStdNamespace() && decl->getName() == "array") {
    const TypeId element = argument();
    const auto extent = special->getTemplateArgs()[1].getAsIntegral().getZExtValue();
    return m.type(ir::ContainerType{ir::ContainerKind::StdArray, element, extent}, isConst);
  }
  if (sources().isInSystemHeader(sources().getExpansionLoc(decl->getLocation())) || decl->isInStdNamespace() ||
      !decl->hasDefinition()) {
    std::set<const clang::Type*> seen;
    if (mayHoldReals(type, seen))
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
  const auto hasDefault = [&] {
    if (decl->needsImplicitDefaultConstructor()) return true;
    for (const CXXConstructorDecl* c : decl->ctors())
      if (c->isDefaultConstructor()) return !c->isDeleted() && c->getAccess() != AS_private;
    return false;
  };
  record.isDefaultConstructible = hasDefault();
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
  if (decl->isPolymorphic()) refuse("it has virtual functions");
  for (const CXXBaseSpecifier& base : decl->bases())
    if (const auto* b = base.getType()->getAsCXXRecordDecl(); b && !b->isEmpty()) refuse("it has a base class with members; make that a member");
  std::vector<ir::Field> fields;
  for (const FieldDecl* f : decl->fields()) {
    if (f->isBitField()) refuse("it has bit-fields");
    if (f->isAnonymousStructOrUnion()) refuse("it has an anonymous member");
    fields.push_back({f->getNameAsString(), this->type(f->getType(), f->getLocation()),
                      f->getAccess() == AS_private || f->getAccess() == AS_protected});
  }
  module()[id].fields = std::move(fields);
  return id;
}

unsigned TranslationUnit::field(const FieldDecl* decl) { return decl->getFieldIndex(); }

}  // namespace contraflow::frontend
