// Unions and anonymous members.
//
// A union whose members are views of the same scalars is a record of one member, the others are read and written as that one:
//
//     union { struct { double x, y, z; }; double v[3]; } u;        u.y        →        u.v[1]
//
// A union of which the sources use one member is a record of that one. A local of another union of trivially copyable members is an
// object in parts (parts.cpp): each member is a variable. That says the same as long as each read is of the member written last, which
// `checkUnions` proves; otherwise the union is refused.
#include "frontend/ast_visitor.hpp"
#include "frontend/closures.hpp"
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

namespace {

struct UnionUses : AstVisitor {
  std::set<const FieldDecl*>& used;
  explicit UnionUses(std::set<const FieldDecl*>& found) : used(found) {}
  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool shouldVisitImplicitCode() const override { return true; }
  void use(const ValueDecl* member) {
    if (const auto* field = dyn_cast_or_null<FieldDecl>(member); field && field->getParent()->isUnion()) used.insert(field->getCanonicalDecl());
  }
  bool VisitMemberExpr(MemberExpr* e) override {
    use(e->getMemberDecl());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr* e) override {  // &U::member
    use(e->getDecl());
    return true;
  }
  bool VisitInitListExpr(InitListExpr* list) override {
    use(list->getInitializedFieldInUnion());
    return true;
  }
  bool TraverseConstructorInitializer(CXXCtorInitializer* init) override {
    use(init->getAnyMember());
    if (const IndirectFieldDecl* path = init->getIndirectMember())
      for (const NamedDecl* step : path->chain()) use(dyn_cast<FieldDecl>(step));
    return AstVisitor::TraverseConstructorInitializer(init);
  }
};

// The scalars that a type is made of, all of one type, one behind the other.
struct Leaves {
  QualType scalar;
  std::uint64_t count = 0;
};
std::optional<Leaves> leavesOf(QualType type, ASTContext& ast) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (type->isScalarType()) return Leaves{type, 1};
  if (const auto* array = ast.getAsConstantArrayType(type)) {
    auto element = leavesOf(array->getElementType(), ast);
    if (element) element->count *= array->getSize().getZExtValue();
    return element;
  }
  const auto* record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->isUnion() || record->getDefinition()->getNumBases() > 0 || record->isInStdNamespace()) return std::nullopt;
  Leaves all;
  for (const FieldDecl* f : record->getDefinition()->fields()) {
    const auto one = f->isBitField() ? std::nullopt : leavesOf(f->getType(), ast);
    if (!one || (all.count > 0 && one->scalar != all.scalar)) return std::nullopt;
    all = {one->scalar, all.count + one->count};
  }
  if (all.count == 0 || ast.getTypeSize(type) != all.count * ast.getTypeSize(all.scalar)) return std::nullopt;
  return all;
}

bool isListOfScalars(QualType type, ASTContext& ast) {
  const auto* array = ast.getAsConstantArrayType(type);
  return array && array->getElementType()->isScalarType();
}

// Of a union whose members are views of the same scalars: the one that stands for all, by preference an array.
const FieldDecl* commonView(const RecordDecl* decl, ASTContext& ast) {
  const FieldDecl* best = nullptr;
  Leaves of;
  for (const FieldDecl* f : decl->fields()) {
    const auto leaves = leavesOf(f->getType(), ast);
    if (!leaves || (best && leaves->scalar != of.scalar)) return nullptr;
    const bool better = !best || leaves->count > of.count ||
                        (leaves->count == of.count && isListOfScalars(f->getType(), ast) && !isListOfScalars(best->getType(), ast));
    if (better) best = f, of = *leaves;
  }
  return best;
}

bool isAnonymousMember(const FieldDecl* f) { return f->isAnonymousStructOrUnion(); }

// The member without a name that is of this type.
const FieldDecl* holderOf(const CXXRecordDecl* record) {
  const auto* outer = record->isAnonymousStructOrUnion() ? dyn_cast<CXXRecordDecl>(record->getDeclContext()) : nullptr;
  if (!outer) return nullptr;
  for (const FieldDecl* f : outer->fields())
    if (const auto* r = f->getType()->getAsRecordDecl(); r && r->getDefinition() == record->getDefinition()) return f;
  return nullptr;
}

}  // namespace

const FieldDecl* TranslationUnit::memberOfUnion(const RecordDecl* decl) {
  decl = decl->getDefinition();
  if (const FieldDecl* view = commonView(decl, ast_)) return view;
  if (!unionUses_) {
    unionUses_.emplace();
    UnionUses visitor(*unionUses_);
    for (const FunctionDecl* f : definitions()) visitor.TraverseDecl(const_cast<FunctionDecl*>(f));
  }
  const FieldDecl* only = nullptr;
  for (const FieldDecl* f : decl->fields()) {
    if (!unionUses_->count(f->getCanonicalDecl())) continue;
    if (only) return nullptr;
    only = f;
  }
  return only ? only : decl->field_empty() ? nullptr : *decl->field_begin();
}

bool TranslationUnit::isMixedUnion(const RecordDecl* decl) { return decl && decl->getDefinition() && decl->isUnion() && !memberOfUnion(decl); }

bool TranslationUnit::holdsMixedUnion(QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->isInStdNamespace()) return false;
  if (isMixedUnion(record)) return true;
  return std::any_of(record->getDefinition()->field_begin(), record->getDefinition()->field_end(), [&](const FieldDecl* f) { return holdsMixedUnion(f->getType()); });
}

std::vector<const FieldDecl*> TranslationUnit::members(const RecordDecl* decl) {
  decl = decl->getDefinition();
  std::vector<const FieldDecl*> list;
  const auto add = [&](const FieldDecl* f) {
    const auto* inner = isAnonymousMember(f) ? f->getType()->getAsRecordDecl() : nullptr;
    if (!inner || isMixedUnion(inner)) return list.push_back(f);
    for (const FieldDecl* member : members(inner)) list.push_back(member);
  };
  const FieldDecl* one = decl->isUnion() ? memberOfUnion(decl) : nullptr;
  if (one) add(one);
  else
    for (const FieldDecl* f : decl->fields()) add(f);
  return list;
}

// Part of a place, `offset` scalars from its beginning.
ExprId FunctionLowering::scalarAt(ExprId place, QualType type, std::uint64_t offset, SourceLocation at) {
  if (type->isScalarType()) return place;
  if (const auto* array = ast().getAsConstantArrayType(type)) {
    const std::uint64_t each = leavesOf(array->getElementType(), ast())->count;
    const ExprId element = expr(ir::Subscript{place, literal(std::to_string(offset / each), intType(), at), false}, lowerType(array->getElementType(), at), at);
    return scalarAt(element, array->getElementType(), offset % each, at);
  }
  for (const FieldDecl* f : type->getAsRecordDecl()->getDefinition()->fields()) {
    const std::uint64_t count = leavesOf(f->getType(), ast())->count;
    if (offset >= count) {
      offset -= count;
      continue;
    }
    // The members of an anonymous one are the object's own.
    const ExprId part = isAnonymousMember(f) ? place : member(place, unit_.field(f), lowerType(f->getType(), at), at);
    return scalarAt(part, f->getType(), offset, at);
  }
  return place;
}

std::optional<ExprId> FunctionLowering::lowerUnionView(const Expr* e) {
  if (!e->getType()->isScalarType()) return std::nullopt;
  const SourceLocation at = e->getExprLoc();
  std::uint64_t offset = 0;
  std::vector<const Expr*> indices;
  std::vector<std::uint64_t> strides;
  for (const Expr* step = e;;) {
    step = step->IgnoreParens();
    if (const auto* cast = dyn_cast<ImplicitCastExpr>(step); cast && (cast->getCastKind() == CK_NoOp || cast->getCastKind() == CK_ArrayToPointerDecay)) {
      step = cast->getSubExpr();
      continue;
    }
    if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(step)) {
      const auto* decay = dyn_cast<ImplicitCastExpr>(subscript->getBase()->IgnoreParens());
      const auto leaves = leavesOf(subscript->getType(), ast());
      if (!decay || decay->getCastKind() != CK_ArrayToPointerDecay || !leaves) return std::nullopt;
      Expr::EvalResult known;
      if (subscript->getIdx()->EvaluateAsInt(known, ast()) && known.Val.getInt().isNonNegative()) {
        offset += known.Val.getInt().getZExtValue() * leaves->count;
      } else {
        indices.insert(indices.begin(), subscript->getIdx());
        strides.insert(strides.begin(), leaves->count);
      }
      step = decay->getSubExpr();
      continue;
    }
    const auto* access = dyn_cast<MemberExpr>(step);
    const auto* field = access ? dyn_cast<FieldDecl>(access->getMemberDecl()) : nullptr;
    if (!field) return std::nullopt;
    const auto* parent = cast<CXXRecordDecl>(field->getParent());
    if (!parent->isUnion()) {
      if (access->isArrow() || !leavesOf(ast().getRecordType(parent), ast())) return std::nullopt;
      for (const FieldDecl* f : parent->fields()) {
        if (f == field) break;
        offset += leavesOf(f->getType(), ast())->count;
      }
      step = access->getBase();
      continue;
    }
    const FieldDecl* common = commonView(parent->getDefinition(), ast());
    if (!common || common == field) return std::nullopt;
    std::vector<const Expr*> operands{access->getBase()};
    operands.insert(operands.end(), indices.begin(), indices.end());
    const auto values = inOrder(operands, {!access->isArrow()});
    ExprId object = access->isArrow() ? deref(values[0], at) : values[0];
    if (!isAnonymousMember(common)) object = member(object, unit_.field(common), lowerType(common->getType(), at), at);
    if (indices.empty()) return scalarAt(object, common->getType(), offset, at);
    if (!isListOfScalars(common->getType(), ast()))
      return unsupported(e, "an element of '" + field->getNameAsString() + "', a member of a union,", "use '" + common->getNameAsString() + "', which lies at the same place");
    ExprId index;
    const TypeId integer = ptrdiffType();
    for (std::size_t i = 0; i < indices.size(); ++i) {
      ExprId term = convert(values[i + 1], integer, at);
      if (strides[i] != 1) term = binary(ir::BinaryOp::Mul, term, literal(std::to_string(strides[i]), integer, at), integer, at);
      index = index.valid() ? binary(ir::BinaryOp::Add, index, term, integer, at) : term;
    }
    if (offset > 0) index = binary(ir::BinaryOp::Add, index, literal(std::to_string(offset), integer, at), integer, at);
    return expr(ir::Subscript{object, index, false}, lowerType(e->getType(), at), at);
  }
}

// Of a type with anonymous members or unions: `Vec a = {x, y, z};` is `Vec a = {}; a.v[0] = x; …`. Of an array of objects that own
// vectors: `std::vector<double> a[2] = {u, v};` is `std::vector<double> a[2]; a[0] = u; …`, in sight of the analyses.
void FunctionLowering::assignList(ExprId object, const InitListExpr* list, SourceLocation at) {
  if (!list->isSemanticForm() && list->getSemanticForm()) list = list->getSemanticForm();
  const auto assign = [&](const std::function<ExprId()>& place, QualType type, const Expr* value) {
    value = initialiserOf(value);
    if (isa<ImplicitValueInitExpr>(value)) return;
    if (const auto* inner = dyn_cast<InitListExpr>(value); inner && !type->isScalarType()) return assignList(place(), inner, at);
    if (type->isArrayType()) {
      reject(DiagId::UnsupportedExpression, at, {"this initialiser of an array in a type with a union", "assign the elements"});
      return;
    }
    if (!ir::isTriviallyCopyable(module(), lowerType(type.getUnqualifiedType(), at))) {
      const auto* made = dyn_cast<CXXConstructExpr>(value);
      if (!made || made->getNumArgs() > 0) assignWhole(place(), value, at);
      return;
    }
    const ExprId v = lowerExpr(value);
    const TypeId t = ir::withoutConst(module(), lowerType(type, at));
    emit(ir::Assign{place(), type->isScalarType() ? convert(v, t, at) : v}, at);
  };
  if (const auto* array = ast().getAsConstantArrayType(list->getType())) {
    const QualType element = array->getElementType();
    const TypeId t = lowerType(element, at);
    for (unsigned i = 0; i < list->getNumInits(); ++i)
      assign([&] { return expr(ir::Subscript{clone(object), literal(std::to_string(i), intType(), at), false}, t, at); }, element, list->getInit(i));
    return;
  }
  const auto* record = list->getType()->getAsCXXRecordDecl();
  if (hasBaseMembers(record)) {
    reject(DiagId::UnsupportedExpression, at, {"an object of '" + unit_.spell(list->getType()) + "' made of its base class and members", "give the type a constructor"});
    return;
  }
  const auto assignMember = [&](const auto& self, const FieldDecl* field, const Expr* value) -> void {
    value = initialiserOf(value);
    const auto* inner = dyn_cast<InitListExpr>(value);
    const auto* parent = cast<CXXRecordDecl>(field->getParent());
    const bool isView = parent->isUnion() && unit_.memberOfUnion(parent) != field;
    if (isView && inner) {
      // Scalar by scalar at their places in the member that stands for all.
      const FieldDecl* common = unit_.memberOfUnion(parent);
      std::uint64_t offset = 0;
      const auto scalars = [&](const auto& go, const Expr* one, QualType type) -> void {
        one = initialiserOf(one);
        const auto leaves = leavesOf(type, ast());
        const auto* nested = dyn_cast<InitListExpr>(one);
        if (nested && !nested->isSemanticForm() && nested->getSemanticForm()) nested = nested->getSemanticForm();
        if (isa<ImplicitValueInitExpr>(one) || !leaves) {
          offset += leaves ? leaves->count : 0;
        } else if (nested && !type->isScalarType()) {
          const std::uint64_t end = offset + leaves->count;
          const auto* elements = ast().getAsConstantArrayType(type);
          unsigned i = 0;
          if (elements)
            for (; i < nested->getNumInits(); ++i) go(go, nested->getInit(i), elements->getElementType());
          else
            for (const FieldDecl* f : type->getAsRecordDecl()->fields())
              if (i < nested->getNumInits()) go(go, nested->getInit(i++), f->getType());
          offset = end;
        } else if (type->isScalarType()) {
          const ExprId v = lowerExpr(one);
          const ExprId whole = isAnonymousMember(common) ? clone(object) : member(clone(object), unit_.field(common), lowerType(common->getType(), at), at);
          const ExprId place = scalarAt(whole, common->getType(), offset++, at);
          emit(ir::Assign{place, convert(v, ir::withoutConst(module(), typeOf(place)), at)}, at);
        } else {
          reject(DiagId::UnsupportedExpression, at, {"this initialiser of '" + field->getNameAsString() + "', a member of a union,", "assign its members"});
        }
      };
      return scalars(scalars, inner, field->getType());
    }
    if (isAnonymousMember(field) && inner) {
      if (!inner->isSemanticForm() && inner->getSemanticForm()) inner = inner->getSemanticForm();
      if (field->getType()->isUnionType()) {
        if (inner->getNumInits() > 0 && inner->getInitializedFieldInUnion()) self(self, inner->getInitializedFieldInUnion(), inner->getInit(0));
        return;
      }
      unsigned i = 0;
      for (const FieldDecl* f : field->getType()->getAsRecordDecl()->fields())
        if (i < inner->getNumInits()) self(self, f, inner->getInit(i++));
      return;
    }
    if (isView) {
      if (isa<ImplicitValueInitExpr>(value)) return;
      const ExprId v = lowerExpr(value);
      const ExprId place = viewOf(object, field, at);
      emit(ir::Assign{place, convert(v, ir::withoutConst(module(), typeOf(place)), at)}, at);
      return;
    }
    assign([&] { return member(clone(object), unit_.field(field), lowerType(field->getType(), at), at); }, field->getType(), value);
  };
  if (list->getType()->isUnionType()) {
    if (list->getNumInits() > 0 && list->getInitializedFieldInUnion()) assignMember(assignMember, list->getInitializedFieldInUnion(), list->getInit(0));
    return;
  }
  unsigned i = 0;
  for (const FieldDecl* f : record->getDefinition()->fields())
    if (i < list->getNumInits()) assignMember(assignMember, f, list->getInit(i++));
}

bool FunctionLowering::hasAnonymousOrUnion(QualType type) {
  type = ast().getBaseElementType(type.getCanonicalType());
  const auto* record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->isInStdNamespace()) return false;
  if (record->isUnion()) return true;
  return std::any_of(record->getDefinition()->field_begin(), record->getDefinition()->field_end(),
                     [&](const FieldDecl* f) { return isAnonymousMember(f) || hasAnonymousOrUnion(f->getType()); });
}

// The place of a member of the object, or of an anonymous member of it, by whichever member stands for it.
ExprId FunctionLowering::viewOf(ExprId object, const FieldDecl* field, SourceLocation at) {
  std::uint64_t offset = 0;
  for (const FieldDecl* step = field; step;) {
    const auto* parent = cast<CXXRecordDecl>(step->getParent());
    const FieldDecl* holder = holderOf(parent);
    const FieldDecl* common = parent->isUnion() ? commonView(parent->getDefinition(), ast()) : nullptr;
    if (common && common != step && field->getType()->isScalarType()) {
      const ExprId whole = isAnonymousMember(common) ? clone(object) : member(clone(object), unit_.field(common), lowerType(common->getType(), at), at);
      return scalarAt(whole, common->getType(), offset, at);
    }
    if (unit_.isMixedUnion(parent)) {
      if (holder) object = viewOf(object, holder, at);
      break;
    }
    for (const FieldDecl* f : parent->fields()) {
      if (f == step || parent->isUnion()) break;
      const auto leaves = leavesOf(f->getType(), ast());
      offset += leaves ? leaves->count : 0;
    }
    step = holder;
  }
  return member(clone(object), unit_.field(field), lowerType(field->getType(), at), at);
}

// --- unions in parts -----------------------------------------------------------------------------------------------------------

void FunctionLowering::declareUnionParts(ExprId object, const CXXRecordDecl* record, const FieldDecl* first, const Expr* init, SourceLocation at) {
  const ir::VarId owner = std::get<ir::VarRef>(function()[object].node).var;
  std::vector<ir::VarId> variables;
  for (const FieldDecl* f : record->getDefinition()->fields()) {
    if (needsParts(f->getType()) || !f->getType().isTriviallyCopyableType(ast()) || isAnonymousMember(f)) {
      reject(DiagId::UnsupportedExpression, at, {isAnonymousMember(f) ? "an anonymous member of a union" : "the member '" + f->getNameAsString() + "' of a union", "give each kind of value a member of its own, in a struct"});
      continue;
    }
    initialisePart(object, f, f == first ? init : nullptr, at);
    variables.push_back(std::get<ir::VarRef>(function()[parts_[owner][unit_.field(f)]].node).var);
  }
  unions_.push_back({owner, std::move(variables)});
}

}  // namespace contraflow::frontend
