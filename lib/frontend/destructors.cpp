// Destructors that do something. An object of such a class is lowered in parts (parts.cpp): derivative code never has the object itself,
// so nothing runs behind its back, and what the destructor does stands at the end of the object's scope, and in front of each jump
// out of it.
//
//     Buffer b(n);  use(b);  }      →      long b_n; double* b_p; b_n = n; b_p = new double[b_n]; …  delete[] b_p; }
//
// A function's result is its local object, not a copy of it (C++ allows that, and compilers do it). Temporaries live to the end of the
// block around, which is later than C++ says: so only what frees memory is destroyed there.
#include "frontend/destructors.hpp"

#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"
#include "ir/check.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;

namespace {

bool isEmptyBody(const FunctionDecl* f) {
  const FunctionDecl* definition = nullptr;
  if (!f->hasBody(definition)) return false;
  const auto* body = dyn_cast<CompoundStmt>(definition->getBody());
  return body && body->body_empty();
}

bool isMember(const Expr* e) {
  const auto* member = dyn_cast<MemberExpr>(e->IgnoreParenImpCasts());
  return member && isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts());
}

// `delete[] p_;`, `if (p_ != nullptr) std::free(p_);`, `p_ = nullptr;`
bool onlyFrees(const Stmt* s) {
  if (!s || isa<NullStmt>(s)) return true;
  if (const auto* block = dyn_cast<CompoundStmt>(s)) return std::all_of(block->body_begin(), block->body_end(), [](const Stmt* c) { return onlyFrees(c); });
  if (const auto* choice = dyn_cast<IfStmt>(s)) {
    const Expr* test = choice->getCond()->IgnoreParenImpCasts();
    if (const auto* compared = dyn_cast<BinaryOperator>(test)) test = compared->getLHS();
    return isMember(test) && onlyFrees(choice->getThen()) && onlyFrees(choice->getElse());
  }
  if (const auto* freed = dyn_cast<CXXDeleteExpr>(s)) return isMember(freed->getArgument());
  if (const auto* assign = dyn_cast<BinaryOperator>(s)) return assign->getOpcode() == BO_Assign && isMember(assign->getLHS()) && isa<IntegerLiteral, CXXNullPtrLiteralExpr, GNUNullExpr>(assign->getRHS()->IgnoreParenImpCasts());
  const auto* call = dyn_cast<CallExpr>(s);
  const FunctionDecl* f = call ? call->getDirectCallee() : nullptr;
  return f && inSystemHeader(f) && f->getDeclName().isIdentifier() && f->getName() == "free" && isMember(call->getArg(0));
}

}  // namespace

bool onlyFreesMemory(QualType type) {
  if (!destroysSomething(type)) return true;
  const CXXRecordDecl* record = type->getAsCXXRecordDecl()->getDefinition();
  const FunctionDecl* body = nullptr;
  const CXXDestructorDecl* destructor = record->getDestructor();
  if (destructor->isUserProvided() && (!destructor->hasBody(body) || !onlyFrees(body->getBody()))) return false;
  return std::all_of(record->field_begin(), record->field_end(), [](const FieldDecl* f) { return onlyFreesMemory(f->getType()); });
}

// Of the class, or of one of its members.
bool destroysSomething(QualType type) {
  const CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (type->isReferenceType() || !record || !record->hasDefinition() || record->isInStdNamespace() || record->isLambda()) return false;
  record = record->getDefinition();
  if (record->hasTrivialDestructor()) return false;
  const CXXDestructorDecl* destructor = record->getDestructor();
  if (destructor && destructor->isUserProvided() && !isEmptyBody(destructor)) return true;
  return std::any_of(record->field_begin(), record->field_end(), [](const FieldDecl* f) { return destroysSomething(f->getType()); }) ||
         std::any_of(record->bases_begin(), record->bases_end(), [](const CXXBaseSpecifier& b) { return destroysSomething(b.getType()); });
}

const CXXDestructorDecl* FunctionLowering::destructorOf(QualType type) {
  return destroysSomething(type) ? type->getAsCXXRecordDecl()->getDefinition()->getDestructor() : nullptr;
}

void FunctionLowering::willDestroy(ExprId object, QualType type, SourceLocation) {
  const CXXDestructorDecl* destructor = destructorOf(type);
  if (!destructor) return;
  if (!inParts(object)) {
    if (unit_.diagnostics().errors() == 0) ir::internalError("lower", function().name, unit_.spell(type) + ", which has a destructor, isn't in parts");
    return;  // it has been rejected
  }
  cleanups_.push_back({clone(object), destructor});
}

void FunctionLowering::forgetCleanup(ExprId object) {
  const auto var = [&](ExprId e) { return std::get<ir::VarRef>(function()[e].node).var; };
  if (!inParts(object)) return;
  for (auto it = cleanups_.rbegin(); it != cleanups_.rend(); ++it)
    if (var(it->object) == var(object)) {
      cleanups_.erase(std::next(it).base());
      return;
    }
}

void FunctionLowering::destroyDownTo(std::size_t cleanups, SourceLocation at) {
  for (std::size_t k = cleanups_.size(); k > cleanups; --k) {
    const Cleanup one = cleanups_[k - 1];
    runDestructor(one.object, one.destructor, at);
  }
}

void FunctionLowering::endScope(std::size_t cleanups, SourceLocation at) {
  if (cleanups_.size() <= cleanups) return;
  const bool isLeft = !block_->empty() && [&] {
    const ir::StmtNode& last = function()[block_->back()].node;
    return std::holds_alternative<ir::Break>(last) || std::holds_alternative<ir::Continue>(last) || std::holds_alternative<ir::Return>(last);
  }();
  if (!isLeft) destroyDownTo(cleanups, at);  // a jump has destroyed them
  cleanups_.erase(cleanups_.begin() + static_cast<std::ptrdiff_t>(cleanups), cleanups_.end());
}

// The body, then the members from the last to the first.
void FunctionLowering::runDestructor(ExprId object, const CXXDestructorDecl* destructor, SourceLocation at) {
  const auto refuse = [&](const std::string& why) { reject(DiagId::UnsupportedExpression, at, {"a destructor " + why, "let a function do what it does"}); };
  const CXXRecordDecl* record = destructor->getParent();
  if (destructor->isUserProvided()) {
    const FunctionDecl* definition = nullptr;
    if (!destructor->hasBody(definition)) return refuse("whose body this source doesn't have");
    if (std::any_of(inlined_.begin(), inlined_.end(), [&](const Inlined& i) { return i.definition == definition; })) return refuse("that runs itself");
    Arguments arguments;
    arguments.object = clone(object);
    // What stands after it in the scope doesn't concern its own ways out.
    const std::vector<Cleanup> outer = std::exchange(cleanups_, {});
    inlineCall(definition, arguments, Want::Nothing, {}, at);
    cleanups_ = outer;
  }
  const auto& parts = parts_[std::get<ir::VarRef>(function()[object].node).var];
  std::vector<const FieldDecl*> fields(record->field_begin(), record->field_end());
  for (auto field = fields.rbegin(); field != fields.rend(); ++field) {
    const auto* inner = destructorOf((*field)->getType());
    const auto part = parts.find(unit_.field(*field));
    if (inner && part != parts.end()) runDestructor(part->second, inner, at);
  }
}

}  // namespace contraflow::frontend
