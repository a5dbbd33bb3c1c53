// Statements, and the frame of a function.
#include "frontend/local_classes.hpp"
#include "frontend/lowering.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

FunctionLowering::FunctionLowering(TranslationUnit& unit, ir::FuncId id, const FunctionDecl* definition)
    : unit_(unit), id_(id), definition_(definition), effects_(effectsOf(definition->getBody(), unit.ast())) {}

void FunctionLowering::lowerBody() {
  if (isa<CoroutineBodyStmt>(definition_->getBody())) {
    reject(DiagId::UnsupportedStatement, definition_->getLocation(), {"a coroutine", "write a plain function"});
    return;
  }
  if (isa<CXXTryStmt>(definition_->getBody())) {
    reject(DiagId::UnsupportedStatement, definition_->getLocation(), {"a function try block", "handle errors outside"});
    return;
  }
  hoistLocalClasses(unit_, definition_);
  ir::Block body;
  {
    InBlock in(*this, body);
    declareParameters();
    if (const auto* compound = dyn_cast<CompoundStmt>(definition_->getBody()))
      lowerSequence({compound->body_begin(), compound->body_end()});
    else
      lowerStmt(definition_->getBody());
    endScope(0, definition_->getEndLoc());
  }
  function().body = std::move(body);
  rejectWholeUses();
  checkUnions();
}

// Parameters are never written: one that the source writes, or whose address it takes, is copied first.
void FunctionLowering::declareParameters() {
  const std::vector<ir::VarId> params = function().params;
  std::size_t next = 0;
  if (function().isMethod) self_ = varRef(params[next++], definition_->getLocation());
  for (const ParmVarDecl* p : definition_->parameters()) {
    const ir::VarId param = params[next++];
    bind(p, param);
    if (p->getType()->isReferenceType()) continue;
    if (!effects_.writes(p) && !effects_.takesAddress(p)) continue;
    const SourceLocation at = p->getLocation();
    const TypeId type = ir::withoutConst(module(), function()[param].type);
    const bool container = ir::as<ir::ContainerType>(module(), type) && !ir::isTriviallyCopyable(module(), type);
    const ir::VarId copy = addVariable(p->getNameAsString(), type, at);
    const bool whole = ir::isTriviallyCopyable(module(), type) || container;
    if (whole) {
      emit(ir::Declare{copy, container ? ir::Init::Construct : ir::Init::Value, {varRef(param, at)}, ir::Storage::Automatic, {}}, at);
    } else {
      emit(ir::Declare{copy, ir::Init::None, {}, ir::Storage::Automatic, {}}, at);
      copyWhole(varRef(copy, at), varRef(param, at), Transfer::Copy, at);
    }
    declarations_.erase(param);  // never written: always stable
    bind(p, copy);
  }
}

// assert(c) is `c ? void(0) : __assert_fail(…)`.
bool FunctionLowering::isAssert(const Expr* e, const Expr** condition) {
  const auto* choice = dyn_cast<ConditionalOperator>(e->IgnoreParens());
  if (!choice || !choice->getType()->isVoidType()) return false;
  for (const Expr* arm : {choice->getTrueExpr(), choice->getFalseExpr()}) {
    const auto* call = dyn_cast<CallExpr>(arm->IgnoreParenCasts());
    const FunctionDecl* f = call ? call->getDirectCallee() : nullptr;
    if (f && f->isNoReturn() && f->getDeclName().isIdentifier() && f->getName().contains("assert")) {
      *condition = choice->getCond();
      return true;
    }
  }
  return false;
}

void FunctionLowering::lowerDiscarded(const Expr* e) {
  e = e->IgnoreParens();
  const SourceLocation at = e->getExprLoc();
  if (const auto* n = dyn_cast<FullExpr>(e)) return lowerDiscarded(n->getSubExpr());
  if (const auto* n = dyn_cast<CXXBindTemporaryExpr>(e)) return lowerDiscarded(n->getSubExpr());
  if (const auto* n = dyn_cast<MaterializeTemporaryExpr>(e)) return lowerDiscarded(n->getSubExpr());
  if (const auto* n = dyn_cast<CastExpr>(e); n && (n->getCastKind() == CK_ToVoid || n->getCastKind() == CK_NoOp))
    return lowerDiscarded(n->getSubExpr());
  const Expr* condition = nullptr;
  if (isAssert(e, &condition) || lowerExit(e)) return;
  if (const auto* n = dyn_cast<CallExpr>(e)) {
    const FunctionDecl* f = n->getDirectCallee();
    if ((!f || inSystemHeader(f)) && lowerOutput(n)) return;
    lowerCall(n, Want::Nothing);
    return;
  }
  if (const auto* n = dyn_cast<UnaryOperator>(e); n && n->isIncrementDecrementOp()) {
    lowerIncDec(n, true);
    return;
  }
  if (const auto* n = dyn_cast<CompoundAssignOperator>(e)) {
    lowerCompound(n, true);
    return;
  }
  if (const auto* n = dyn_cast<BinaryOperator>(e)) {
    if (n->getOpcode() == BO_Comma) {
      lowerDiscarded(n->getLHS());
      lowerDiscarded(n->getRHS());
    } else if (n->getOpcode() == BO_Assign) {
      lowerAssignment(n, true);
    } else {
      lowerExpr(n);
    }
    return;
  }
  if (const auto* n = dyn_cast<ConditionalOperator>(e)) {
    const ExprId test = lowerCondition(n->getCond());
    ir::If choice{test, {}, {}};
    {
      InBlock in(*this, choice.then);
      lowerDiscarded(n->getTrueExpr());
    }
    {
      InBlock in(*this, choice.otherwise);
      lowerDiscarded(n->getFalseExpr());
    }
    if (!choice.then.empty() || !choice.otherwise.empty()) emit(std::move(choice), at);
    return;
  }
  lowerExpr(e);
}

void FunctionLowering::lowerStmt(const Stmt* s) {
  const SourceLocation at = s->getBeginLoc();
  const auto refuse = [&](const std::string& what, const std::string& wayOut) {
    reject(DiagId::UnsupportedStatement, at, {what, wayOut});
  };
  if (const auto* n = dyn_cast<Expr>(s)) return lowerDiscarded(n);
  if (isa<NullStmt>(s)) return;
  if (isa<CompoundStmt>(s)) {
    ir::Block body = lowerBlock(s);
    if (!body.empty()) emit(ir::Scope{std::move(body)}, at);
    return;
  }
  if (const auto* n = dyn_cast<DeclStmt>(s)) {
    for (const Decl* d : n->decls()) {
      const auto* var = dyn_cast<VarDecl>(d);
      if (!var) continue;
      lowerVarDecl(var);
      bindElements(var);
    }
    return;
  }
  if (const auto* n = dyn_cast<IfStmt>(s)) return lowerIf(n);
  if (const auto* n = dyn_cast<ForStmt>(s)) return lowerJumpTarget([&] { lowerFor(n); }, at);
  if (const auto* n = dyn_cast<WhileStmt>(s)) return lowerJumpTarget([&] { lowerWhile(n); }, at);
  if (const auto* n = dyn_cast<DoStmt>(s)) return lowerJumpTarget([&] { lowerDo(n); }, at);
  if (const auto* n = dyn_cast<CXXForRangeStmt>(s)) return lowerJumpTarget([&] { lowerRangeFor(n); }, at);
  if (const auto* n = dyn_cast<SwitchStmt>(s)) return lowerSwitch(n);
  if (isa<BreakStmt>(s)) return lowerBreak(at);
  if (isa<ContinueStmt>(s)) return lowerContinue(at);
  if (const auto* n = dyn_cast<ReturnStmt>(s)) return lowerReturn(n);
  if (const auto* n = dyn_cast<OMPExecutableDirective>(s)) {
    lowerOmpDirective(n);
    return;
  }
  if (const auto* n = dyn_cast<AttributedStmt>(s)) return lowerStmt(n->getSubStmt());
  if (const auto* n = dyn_cast<CapturedStmt>(s)) return lowerStmt(n->getCapturedStmt());
  if (const auto* n = dyn_cast<LabelStmt>(s)) return lowerStmt(n->getSubStmt());
  if (const auto* n = dyn_cast<GotoStmt>(s)) return lowerGoto(n->getLabel(), at);
  if (isa<IndirectGotoStmt>(s)) return refuse("'goto' to a computed label", "use a loop with break or continue");
  if (isa<CXXTryStmt>(s)) return refuse("'try'", "handle errors outside of the differentiated code");
  if (isa<AsmStmt>(s)) return refuse("inline assembly", "write it in C++");
  refuse(std::string("this statement (") + s->getStmtClassName() + ")", "rewrite it in plainer C++");
}

void FunctionLowering::lowerIf(const IfStmt* s) {
  const SourceLocation at = s->getBeginLoc();
  if (s->isConsteval()) return reject(DiagId::UnsupportedStatement, at, {"'if consteval'", "leave it out"});
  const auto lower = [&] {
    if (s->getInit()) lowerStmt(s->getInit());
    if (s->isConstexpr())
      if (const auto taken = s->getNondiscardedCase(ast())) {
        if (*taken) append(ir::Block{lowerBlock(*taken)});
        return;
      }
    if (s->getConditionVariable()) lowerVarDecl(s->getConditionVariable());
    const ExprId condition = lowerCondition(s->getCond());
    ir::If node{condition, lowerBlock(s->getThen()), lowerBlock(s->getElse())};
    emit(std::move(node), at);
  };
  if (!s->getInit() && !s->getConditionVariable() && !s->isConstexpr()) return lower();
  ir::Scope scope;
  {
    InBlock in(*this, scope.body);
    BindingScope bindings(*this);
    const std::size_t outside = cleanups_.size();
    lower();
    endScope(outside, at);
  }
  emit(std::move(scope), at);
}

void FunctionLowering::lowerReturn(const ReturnStmt* s) {
  const SourceLocation at = s->getBeginLoc();
  if (!inlined_.empty()) return lowerInlinedReturn(s);
  const Expr* e = s->getRetValue();
  if (!e) {
    destroyDownTo(0, at);
    emit(ir::Return{}, at);
    return;
  }
  if (e->getType()->isVoidType()) {
    lowerDiscarded(e);
    destroyDownTo(0, at);
    emit(ir::Return{}, at);
    return;
  }
  if (unit_.returnedParameter(definition_)) {  // `return *this;`: see returnedParameter
    destroyDownTo(0, at);
    emit(ir::Return{}, at);
    return;
  }
  const Expr* inner = e->IgnoreParens();
  if (const auto* full = dyn_cast<ExprWithCleanups>(inner)) inner = full->getSubExpr()->IgnoreParens();
  if (const auto* construct = dyn_cast<CXXConstructExpr>(inner))
    if (construct->getConstructor()->isCopyOrMoveConstructor() && construct->getNumArgs() == 1) {
      const Expr* from = construct->getArg(0)->IgnoreParenImpCasts();
      if (from->isGLValue() && !isa<MaterializeTemporaryExpr>(from)) inner = from;  // returned by value: the object itself
    }
  const bool byReference = definition_->getReturnType()->isReferenceType();
  ExprId value = byReference ? lowerPlace(inner) : lowerExpr(inner);
  const TypeId result = function().result;
  if (!byReference && !ir::as<ir::RecordType>(module(), result) && !ir::as<ir::ContainerType>(module(), result))
    value = convert(value, result, at);
  if (!cleanups_.empty()) {
    // What is returned is computed before objects are destroyed.
    if (byReference) value = deref(spill(addressOf(value, at), "result", at), at);
    else if (ir::isTriviallyCopyable(module(), typeOf(value))) value = spill(value, "result", at);
    destroyDownTo(0, at);
  }
  emit(ir::Return{value}, at);
}

}  // namespace contraflow::frontend
