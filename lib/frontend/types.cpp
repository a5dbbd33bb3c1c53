// Clang's types to ours. Integers are spelled canonically (`std::size_t` is `unsigned long`), so that one type has one id.
#include "clang/AST/DeclTemplate.h"
#include "frontend/destructors.hpp"
#include "frontend/hidden_names.hpp"
#include "frontend/lowering.hpp"
#include "frontend/special_members.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::TypeId;

namespace {

// The types among a template's arguments, those of a tuple's elements too.
std::vector<QualType> heldTypes(const ClassTemplateSpecializationDecl* special) {
  std::vector<QualType> held;
  const auto add = [&](const auto& self, llvm::ArrayRef<TemplateArgument> arguments) -> void {
    for (const TemplateArgument& a : arguments)
      if (a.getKind() == TemplateArgument::Type) held.push_back(a.getAsType());
      else if (a.getKind() == TemplateArgument::Pack) self(self, a.getPackAsArray());
  };
  add(add, special->getTemplateArgs().asArray());
  return held;
}

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

}  // namespace

// True if other functions can name the type.
bool hasUsableName(const TagDecl* decl) {
  if (!decl->getDeclName() && !decl->getTypedefNameForAnonDecl()) return false;
  for (const DeclContext* c = decl->getDeclContext(); c; c = c->getParent())
    if (c->isFunctionOrMethod()) return false;
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
    if (!hasUsableName(e->getDecl())) {
      TypeId integer = this->type(e->getDecl()->getIntegerType(), at);
      return isConst ? m.type(m[integer].node, true) : integer;
    }
    std::string name = spell(t.getUnqualifiedType());
    if (const std::string whole = nameFromAnywhere(e->getDecl()); whole == "::" + name) name = whole;
    return m.type(ir::EnumType{name, this->type(e->getDecl()->getIntegerType(), at)}, isConst);
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
  for (const QualType held : special && decl->isInStdNamespace() && !isIterator(type) ? heldTypes(special) : std::vector<QualType>{}) {
    if (destroysSomething(held)) {
      reject(DiagId::UnsupportedType, at, {spell(type), "what it holds has a destructor that does something; make that a local variable"});
      return m.type(ir::OpaqueType{spell(type.getUnqualifiedType())}, isConst);
    }
    if (copyComputes(held)) reject(DiagId::UnsupportedType, at, {spell(type), kCopyComputes});
  }
  if (special && isTupleType(type)) return tupleType(special, isConst, at);
  const auto argument = [&] { return this->type(special->getTemplateArgs()[0].getAsType(), at); };
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
    const QualType of = special->getTemplateArgs()[0].getAsType();
    ir::TypeNode pointer = m[isReverseIterator(type) && isIterator(of) ? recordType(of.getCanonicalType(), false, at) : argument()].node;
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
    // A call of a std::function that isn't known is refused (function_objects.cpp).
    const bool isTag = decl->isInStdNamespace() && decl->hasDefinition() && decl->isEmpty();  // std::is_floating_point<double>
    if (!isTag && !isFunctionObject(type) && mayHoldReals(type, seen))
      reject(DiagId::UnsupportedType, at, {spell(type), "use arrays, std::vector or std::array"});
    return m.type(ir::OpaqueType{spell(type.getUnqualifiedType())}, isConst);
  }
  return m.type(ir::RecordType{record(decl, at)}, isConst);
}

}  // namespace contraflow::frontend
