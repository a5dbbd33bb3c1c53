// MPI calls to IR. The table lib/rules/mpi_ops.def says which routines have a derivative and what their arguments are; no routine's
// name stands here. Of the others, one is read by its signature:
//
//     double f(void)                      a clock: a PureCall
//     no buffer, request, status or window, and only `&variable` or arrays where it writes
//                                         communicators, topologies, sizes: an Opaque
//
// and the rest is refused by name, as is what the runtime couldn't reverse: reals sent under another type than their own, and
// reductions of reals other than sum, maximum and minimum.
#include <algorithm>

#include "frontend/mpi_constants.hpp"
#include "rules/mpi.hpp"

namespace contraflow::frontend {
namespace {

using rules::Role;

// What a pointer points to before it was cast: `(char*)u` still sends reals.
const clang::Expr* original(const clang::Expr* e) {
  for (;;) {
    e = e->IgnoreParens();
    const auto* cast = llvm::dyn_cast<clang::CastExpr>(e);
    if (!cast || (cast->getCastKind() != clang::CK_BitCast && cast->getCastKind() != clang::CK_NoOp)) return e;
    if (!cast->getSubExpr()->getType()->isPointerType()) return e;
    e = cast->getSubExpr();
  }
}

// The buffer as the program has it: without the conversion to void*.
const clang::Expr* withoutVoidCast(const clang::Expr* e) {
  for (;;) {
    e = e->IgnoreParens();
    const auto* cast = llvm::dyn_cast<clang::CastExpr>(e);
    if (!cast || (cast->getCastKind() != clang::CK_BitCast && cast->getCastKind() != clang::CK_NoOp)) return e;
    const bool toVoid = cast->getType()->isVoidPointerType();
    if (!toVoid && !llvm::isa<clang::ImplicitCastExpr>(cast)) return e;
    if (!cast->getSubExpr()->getType()->isPointerType()) return e;
    e = cast->getSubExpr();
  }
}

class MpiLowering {
 public:
  MpiLowering(FunctionLowering& f, const clang::CallExpr* call, std::optional<ir::ExprId> result)
      : f_(f), call_(call), result_(result), at_(call->getBeginLoc()), name_(call->getDirectCallee()->getNameAsString()) {}

  // `lowerAll` is FunctionLowering::inOrder.
  template <class LowerAll>
  void lower(LowerAll lowerAll) {
    const std::optional<unsigned> op = rules::findMpi(name_);
    if (op && rules::mpiRow(*op).roles.size() == call_->getNumArgs()) return lowerRow(*op, lowerAll);
    if (isClock()) return lowerClock();
    if (const auto why = whyNotForwardOnly())
      return refuse(name_ + *why, "call it outside of what is differentiated, or mark the function that calls it 'inactive'");
    lowerForwardOnly(lowerAll);
  }

 private:
  void refuse(const std::string& what, const std::string& wayOut) { f_.reject(DiagId::UnsupportedMpi, at_, {what, wayOut}); }

  // --- routines of the table -----------------------------------------------------------------------------------------------

  template <class LowerAll>
  void lowerRow(unsigned op, LowerAll lowerAll) {
    const std::vector<Role>& roles = rules::mpiRow(op).roles;
    std::vector<ir::ExprId> args(roles.size());
    std::vector<const clang::Expr*> others;
    std::vector<std::size_t> position;
    for (std::size_t k = 0; k < roles.size(); ++k) {
      const clang::Expr* arg = call_->getArg(static_cast<unsigned>(k));
      const std::string constant = mpiConstant(f_, arg);
      if (!constant.empty()) {
        args[k] = f_.literal(constant, f_.valueType(arg->getType(), arg->getBeginLoc()), arg->getBeginLoc());
        continue;
      }
      others.push_back(rules::isBuffer(roles[k]) ? withoutVoidCast(arg) : arg);
      position.push_back(k);
    }
    if (!checkBuffers(roles)) return;
    const std::vector<ir::ExprId> lowered = lowerAll(others);
    for (std::size_t k = 0; k < lowered.size(); ++k) args[position[k]] = lowered[k];
    ir::Mpi node;
    node.op = op;
    node.args = std::move(args);
    if (result_) node.result = *result_;
    f_.emit(std::move(node), at_);
  }

  // The argument of a role, and where a buffer has a role of its own (RecvType), that one.
  const clang::Expr* argument(const std::vector<Role>& roles, std::initializer_list<Role> wanted) {
    for (Role role : wanted)
      for (std::size_t k = 0; k < roles.size(); ++k)
        if (roles[k] == role) return call_->getArg(static_cast<unsigned>(k));
    return nullptr;
  }

  // A message of reals is sent and added as what it is.
  bool checkBuffers(const std::vector<Role>& roles) {
    bool ok = true;
    for (std::size_t k = 0; k < roles.size(); ++k) {
      if (!rules::isBuffer(roles[k])) continue;
      const clang::Expr* buffer = withoutVoidCast(call_->getArg(static_cast<unsigned>(k)));
      const clang::Expr* type = roles[k] == Role::RecvBuf ? argument(roles, {Role::RecvType, Role::Type})
                                                          : argument(roles, {Role::SendType, Role::Type});
      if (!mpiConstant(f_, buffer).empty() || buffer->isNullPointerConstant(f_.ast(), clang::Expr::NPC_ValueDependentIsNotNull))
        continue;
      ok &= checkBuffer(buffer, type, argument(roles, {Role::Op}));
    }
    return ok;
  }

  bool checkBuffer(const clang::Expr* buffer, const clang::Expr* type, const clang::Expr* op) {
    const clang::QualType pointee = original(buffer)->getType()->getPointeeType();
    const std::string typeName = type ? mpiConstant(f_, type) : "";
    const Content content = contentOf(pointee);
    if (content.kind == Content::Unknown && !isIntegerDatatype(typeName)) {
      refuse("'" + f_.unit().text(buffer) + "' in " + name_ + ", a pointer to '" + f_.unit().spell(pointee) + "',",
             "pass a pointer to float, double or long double, or to something without reals");
      return false;
    }
    if (content.kind != Content::Reals) return true;
    if (typeName != content.datatype) {
      refuse("'" + (type ? f_.unit().text(type) : "") + "' for a message of '" + f_.unit().spell(content.real) + "' in " + name_,
             "send it as " + content.datatype);
      return false;
    }
    if (op && !isReversibleOperation(mpiConstant(f_, op))) {
      std::string known;
      for (const std::string& operation : rules::reversibleOperations()) known += (known.empty() ? "" : ", ") + operation;
      refuse("the operation '" + f_.unit().text(op) + "' in " + name_, "use one of " + known);
      return false;
    }
    return true;
  }

  // What a buffer's elements hold.
  struct Content {
    enum Kind { Nothing, Reals, Unknown } kind = Nothing;
    std::string datatype;  // Reals: the type to send them as
    clang::QualType real;
  };
  Content contentOf(clang::QualType type) {
    type = type.getCanonicalType().getUnqualifiedType();
    if (const auto* array = f_.ast().getAsArrayType(type)) return contentOf(array->getElementType());
    if (type->isRealFloatingType()) {
      const std::string name = datatypeOf(f_.ast(), type);
      return name.empty() ? Content{Content::Unknown, "", {}} : Content{Content::Reals, name, type};
    }
    if (type->isIntegralOrEnumerationType()) return {};
    const auto* record = type->getAsRecordDecl();
    if (!record || !record->isCompleteDefinition()) return {Content::Unknown, "", {}};
    Content all;
    bool isFirst = true;
    for (const clang::FieldDecl* field : record->fields()) {
      const Content one = contentOf(field->getType());
      if (!isFirst && (one.kind != all.kind || one.datatype != all.datatype)) return {Content::Unknown, "", {}};
      all = one;
      isFirst = false;
    }
    return all;
  }

  // --- routines that no message belongs to -----------------------------------------------------------------------------------

  bool isClock() const {
    const clang::FunctionDecl* callee = call_->getDirectCallee();
    return callee->getNumParams() == 0 && callee->getReturnType()->isRealFloatingType();
  }
  void lowerClock() {
    if (!result_) return;
    const ir::TypeId type = f_.valueType(call_->getType(), at_);
    f_.emit(ir::Assign{*result_, f_.convert(f_.expr(ir::PureCall{name_, {}}, type, at_), f_.typeOf(*result_), at_)}, at_);
  }

  // What a type is by the name that MPI's standard has for it, whatever the library makes of it.
  static std::optional<rules::MpiType> mpiType(clang::QualType type) {
    const auto* alias = type->getAs<clang::TypedefType>();
    return alias ? rules::findMpiType(alias->getDecl()->getNameAsString()) : std::nullopt;
  }

  // Why a run in the forward sweep alone isn't enough, judged by the types of the parameters; none: it is.
  std::optional<std::string> whyNotForwardOnly() {
    const clang::FunctionDecl* callee = call_->getDirectCallee();
    if (callee->getNumParams() == 0) return ", after which the reverse sweep couldn't communicate,";
    if (callee->getNumParams() == 1 && callee->getParamDecl(0)->getType()->isPointerType() &&
        isHandle(callee->getParamDecl(0)->getType()->getPointeeType()))
      return ", which frees what the reverse sweep needs,";
    for (const clang::ParmVarDecl* param : callee->parameters()) {
      const clang::QualType type = param->getType();
      if (type->isIntegerType() || isHandle(type)) continue;
      const clang::QualType pointee = type->isPointerType() ? type->getPointeeType() : clang::QualType();
      const auto behind = pointee.isNull() ? std::nullopt : mpiType(pointee);
      const bool known = !pointee.isNull() && (pointee->isIntegerType() || behind == rules::MpiType::Communicator ||
                                               (behind == rules::MpiType::Status && pointee.isConstQualified()) ||
                                               pointee->isPointerType());
      if (!known) return "";
    }
    return std::nullopt;
  }
  static bool isHandle(clang::QualType type) {
    const auto kind = mpiType(type);
    return kind == rules::MpiType::Communicator || kind == rules::MpiType::Handle;
  }

  template <class LowerAll>
  void lowerForwardOnly(LowerAll lowerAll) {
    const clang::FunctionDecl* callee = call_->getDirectCallee();
    std::vector<const clang::Expr*> operands;
    std::vector<bool> isPlace;
    std::vector<std::string> before;  // the text in front of each operand
    std::vector<bool> isOut;
    for (unsigned k = 0; k < call_->getNumArgs(); ++k) {
      const clang::Expr* arg = call_->getArg(k);
      const std::string separator = k == 0 ? "" : ", ";
      const std::string constant = mpiConstant(f_, arg);
      if (!constant.empty()) {
        pending_ += separator + constant;
        continue;
      }
      const clang::QualType type = k < callee->getNumParams() ? callee->getParamDecl(k)->getType() : arg->getType();
      const bool isPointer = type->isPointerType() && !isHandle(type);  // of some libraries, a handle is a pointer itself
      const bool writes = isPointer && !type->getPointeeType().isConstQualified();
      const bool isNull = isPointer && arg->isNullPointerConstant(f_.ast(), clang::Expr::NPC_ValueDependentIsNotNull);
      const clang::Expr* place = isPointer && !isNull ? placeBehind(arg) : nullptr;
      if (writes && !isNull && !place) return refuse("'" + f_.unit().text(arg) + "' as what " + name_ + " writes", "pass '&variable' or an array");
      const bool addressOf = place && !place->getType()->isArrayType();
      before.push_back(pending_ + separator + (addressOf ? "&" : ""));
      pending_.clear();
      operands.push_back(place ? place : arg);
      isPlace.push_back(place != nullptr);
      isOut.push_back(writes && !isNull);
    }
    const std::vector<ir::ExprId> lowered = lowerAll(operands, isPlace);
    emitCall(before, lowered, isOut);
  }

  // result = name(…);
  void emitCall(const std::vector<std::string>& before, const std::vector<ir::ExprId>& args, const std::vector<bool>& isOut) {
    ir::Opaque node;
    std::string text;
    if (result_) {
      node.pieces.push_back("");
      node.args.push_back(*result_);
      node.writes.push_back(*result_);
      text = " = ";
    }
    text += name_ + "(";
    for (std::size_t k = 0; k < args.size(); ++k) {
      node.pieces.push_back(text + before[k]);
      node.args.push_back(args[k]);
      if (isOut[k]) node.writes.push_back(args[k]);
      text.clear();
    }
    node.pieces.push_back(text + pending_ + ")");
    f_.emit(std::move(node), at_);
  }

  // The place whose address the argument is.
  static const clang::Expr* placeBehind(const clang::Expr* arg) {
    arg = arg->IgnoreParens();
    while (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(arg)) {
      if (cast->getCastKind() == clang::CK_ArrayToPointerDecay) return cast->getSubExpr()->IgnoreParens();
      if (cast->getCastKind() != clang::CK_NoOp) return nullptr;
      arg = cast->getSubExpr()->IgnoreParens();
    }
    const auto* address = llvm::dyn_cast<clang::UnaryOperator>(arg);
    return address && address->getOpcode() == clang::UO_AddrOf ? address->getSubExpr()->IgnoreParens() : nullptr;
  }

  FunctionLowering& f_;
  const clang::CallExpr* call_;
  std::optional<ir::ExprId> result_;
  clang::SourceLocation at_;
  std::string name_;
  std::string pending_;  // text of arguments that are constants
};

}  // namespace

bool FunctionLowering::lowerMpiCall(const clang::CallExpr* call, std::optional<ir::ExprId> resultPlace) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (!callee || !callee->getIdentifier()) return false;
  if (!callee->getName().starts_with("MPI_") && !callee->getName().starts_with("PMPI_")) return false;
  // A user's own function of such a name has a body.
  if (unit_.definition(callee)) return false;
  MpiLowering(*this, call, resultPlace).lower([this](const std::vector<const clang::Expr*>& operands, const std::vector<bool>& isPlace = {}) {
    return inOrder(operands, isPlace);
  });
  return true;
}

}  // namespace contraflow::frontend
