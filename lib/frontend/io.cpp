// Printing: the printf family and streams become an Opaque, which the forward sweep runs and the reverse sweep doesn't.
//
//     std::cout << "J = " << J << std::endl;      →  opaque «std::cout << "J = " << » J « << std::endl»
#include <set>

#include "frontend/lowering.hpp"

namespace contraflow::frontend {
namespace {

// The text of a statement with operands to be filled in.
struct Text {
  std::vector<std::string> before;  // in front of each operand
  std::vector<const clang::Expr*> operands;
  std::string rest;

  void add(const std::string& text) { rest += text; }
  void add(const clang::Expr* operand) {
    before.push_back(rest);
    rest.clear();
    operands.push_back(operand);
  }
};

bool isLibrary(const clang::FunctionDecl* f, clang::SourceManager& sources) {
  return f && sources.isInSystemHeader(sources.getExpansionLoc(f->getLocation()));
}

bool isOutputStream(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || !record->isInStdNamespace()) return false;
  if (record->getName() == "basic_ostream") return true;
  for (const clang::CXXBaseSpecifier& base : record->bases())
    if (isOutputStream(base.getType())) return true;
  return false;
}

class OutputReader {
 public:
  OutputReader(TranslationUnit& unit) : unit_(unit) {}

  // None if the expression isn't output (or isn't the library's).
  std::optional<Text> read(const clang::Expr* e) {
    e = strip(e);
    const auto* call = llvm::dyn_cast<clang::CallExpr>(e);
    if (!call || !isLibrary(call->getDirectCallee(), unit_.sources())) return std::nullopt;
    if (readStream(e)) return text_;
    if (readPrintf(call)) return text_;
    return std::nullopt;
  }

 private:
  static const clang::Expr* strip(const clang::Expr* e) {
    e = e->IgnoreParens();
    while (const auto* full = llvm::dyn_cast<clang::FullExpr>(e)) e = full->getSubExpr()->IgnoreParens();
    while (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(e)) {
      if (cast->getCastKind() != clang::CK_DerivedToBase && cast->getCastKind() != clang::CK_UncheckedDerivedToBase &&
          cast->getCastKind() != clang::CK_NoOp)
        break;
      e = cast->getSubExpr()->IgnoreParens();
    }
    return e;
  }

  // printf, fprintf, puts, fputs, putchar, fputc, fflush
  bool readPrintf(const clang::CallExpr* call) {
    static const std::set<std::string> kNames = {"printf", "fprintf", "puts", "fputs", "putchar", "fputc", "putc", "fflush"};
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee->getIdentifier() || !kNames.count(callee->getNameAsString())) return false;
    text_.add(unit_.text(call->getCallee()) + "(");
    for (unsigned k = 0; k < call->getNumArgs(); ++k) {
      if (k > 0) text_.add(", ");
      addArgument(call->getArg(k));
    }
    text_.add(")");
    return true;
  }

  // stream << a << b, or stream.precision(3)
  bool readStream(const clang::Expr* e) {
    e = strip(e);
    if (isOutputStream(e->getType()) && !llvm::isa<clang::CallExpr>(e)) {
      const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e);
      if (name && name->getDecl()->isInStdNamespace())
        text_.add("std::" + name->getDecl()->getNameAsString());
      else
        text_.add(e);
      return true;
    }
    if (const auto* op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) {
      if (op->getOperator() != clang::OO_LessLess || op->getNumArgs() != 2 || !isLibrary(op->getDirectCallee(), unit_.sources()))
        return false;
      if (!readStream(op->getArg(0))) return false;
      text_.add(" << ");
      addArgument(op->getArg(1));
      return true;
    }
    const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(e);
    if (!method || !isOutputStream(strip(method->getImplicitObjectArgument())->getType()) ||
        !isLibrary(method->getDirectCallee(), unit_.sources()))
      return false;
    if (!readStream(method->getImplicitObjectArgument())) return false;
    text_.add("." + method->getMethodDecl()->getNameAsString() + "(");
    for (unsigned k = 0; k < method->getNumArgs(); ++k) {
      if (llvm::isa<clang::CXXDefaultArgExpr>(method->getArg(k))) break;
      if (k > 0) text_.add(", ");
      addArgument(method->getArg(k));
    }
    text_.add(")");
    return true;
  }

  // Literals and names of the library as they are written, the rest as operands.
  void addArgument(const clang::Expr* arg) {
    const clang::Expr* plain = arg->IgnoreParenImpCasts();
    while (const auto* full = llvm::dyn_cast<clang::FullExpr>(plain)) plain = full->getSubExpr()->IgnoreParenImpCasts();
    if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(plain))
      plain = temporary->getSubExpr()->IgnoreParenImpCasts();
    if (llvm::isa<clang::StringLiteral>(plain)) return text_.add(unit_.text(plain));
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(plain)) {
      const clang::NamedDecl* decl = name->getDecl();
      const bool isTheirs = unit_.sources().isInSystemHeader(unit_.sources().getExpansionLoc(decl->getLocation()));
      if (isTheirs) return text_.add((decl->isInStdNamespace() ? "std::" : "") + decl->getNameAsString());
    }
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(plain); call && isManipulator(call)) {
      text_.add("std::" + call->getDirectCallee()->getNameAsString() + "(");
      for (unsigned k = 0; k < call->getNumArgs(); ++k) {
        if (k > 0) text_.add(", ");
        addArgument(call->getArg(k));
      }
      return text_.add(")");
    }
    text_.add(arg);
  }

  // std::setprecision(12)
  bool isManipulator(const clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    static const std::set<std::string> kNames = {"setprecision", "setw", "setfill", "setbase", "setiosflags", "resetiosflags"};
    return callee && callee->isInStdNamespace() && callee->getIdentifier() && kNames.count(callee->getNameAsString());
  }

  TranslationUnit& unit_;
  Text text_;
};

// True if the expression can stand anywhere without parentheses.
bool isPrimary(const ir::Function& function, ir::ExprId e) {
  const ir::ExprNode& node = function[e].node;
  if (const auto* cast = std::get_if<ir::Cast>(&node); cast && !cast->isExplicit) return isPrimary(function, cast->operand);
  return !std::holds_alternative<ir::Binary>(node) && !std::holds_alternative<ir::Unary>(node) &&
         !std::holds_alternative<ir::Conditional>(node) && !std::holds_alternative<ir::Cast>(node);
}

}  // namespace

bool FunctionLowering::lowerOutput(const clang::Expr* e) {
  const std::optional<Text> text = OutputReader(unit_).read(e);
  if (!text) return false;
  std::vector<bool> isPlace;
  for (const clang::Expr* operand : text->operands) isPlace.push_back(operand->isGLValue() && !operand->getType()->isScalarType());
  const std::vector<ir::ExprId> values = inOrder(text->operands, isPlace);
  ir::Opaque node;
  std::string open;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const bool bare = isPrimary(function(), values[k]);
    node.pieces.push_back(open + text->before[k] + (bare ? "" : "("));
    node.args.push_back(values[k]);
    open = bare ? "" : ")";
  }
  node.pieces.push_back(open + text->rest);
  emit(std::move(node), e->getBeginLoc());
  return true;
}

}  // namespace contraflow::frontend
