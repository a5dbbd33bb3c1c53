// Other functions of the standard library, of OpenMP, and compiler built-ins.
#include "frontend/lowering.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

namespace {

// Pure and without derivative: called as they are.
bool isPure(const FunctionDecl* f) {
  const std::string name = f->getNameAsString();
  if (name.compare(0, 8, "omp_get_") == 0 || name == "omp_in_parallel") return true;
  static const std::set<std::string> kNames = {"abs", "labs", "llabs", "__builtin_abs", "__builtin_labs", "__builtin_llabs",
                                               "isdigit", "isalpha", "isspace", "strlen", "strcmp", "clock", "time"};
  if (kNames.count(name)) return f->getReturnType()->isIntegerType();
  static const std::set<std::string> kConstants = {"__builtin_inf", "__builtin_inff", "__builtin_infl", "__builtin_huge_val",
                                                   "__builtin_huge_valf", "__builtin_huge_vall"};
  return kConstants.count(name) != 0;
}

}  // namespace

// std::min and std::max of a list: of equal ones the first.
static ExprId bestOf(FunctionLowering& f, const std::vector<ExprId>& values, bool isMin, TypeId type, SourceLocation at) {
  ExprId best = f.convert(values[0], type, at);
  for (std::size_t k = 1; k < values.size(); ++k) {
    const ExprId next = f.convert(values[k], type, at);
    if (ir::isReal(f.module(), type)) {
      best = f.expr(ir::MathCall{isMin ? "min" : "max", {best, next}}, type, at);
      continue;
    }
    const auto held = [&](ExprId e, const char* name) { return std::get<ir::VarRef>(f.function()[f.spill(e, name, at)].node).var; };
    const ir::VarId a = held(best, "best"), b = held(next, "next");
    const ExprId test = f.expr(ir::Binary{ir::BinaryOp::Lt, f.varRef(isMin ? b : a, at), f.varRef(isMin ? a : b, at)}, f.module().type(ir::BoolType{}), at);
    best = f.expr(ir::Conditional{test, f.varRef(b, at), f.varRef(a, at)}, type, at);
  }
  return best;
}

std::optional<ExprId> FunctionLowering::lowerLibraryCall(const FunctionDecl* callee, const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  if (method) {
    // std::numeric_limits<double>::max()
    if (!method->isStatic() || method->getParent()->getName() != "numeric_limits") return std::nullopt;
    return expr(ir::PureCall{unit_.spell(ast().getRecordType(method->getParent())) + "::" + method->getNameAsString(), {}},
                valueType(e->getType(), at), at);
  }
  if (!callee->getDeclName().isIdentifier()) return std::nullopt;
  const std::string name = callee->getNameAsString();
  const bool isStd = callee->isInStdNamespace();
  if (const auto value = lowerMemory(name, e)) return value;
  if (const auto value = lowerFree(name, e)) return value;
  if (isStd)
    if (const auto value = lowerBulk(name, e)) return value;
  if (isStd && name == "invoke" && e->getNumArgs() > 0 && canApply(e->getArg(0))) {
    const ExprId object = functorPlace(e->getArg(0));
    std::vector<const Expr*> operands(e->arg_begin() + 1, e->arg_end());
    std::vector<bool> asPlace;
    for (const Expr* a : operands) asPlace.push_back(a->isGLValue());
    if (const auto value = applied(e->getArg(0), object, inOrder(operands, asPlace), at)) return value;
  }
  if (isStd && (name == "min" || name == "max") && e->getNumArgs() == 2) return lowerMinMax(e, name == "min");
  if (isStd && (name == "min" || name == "max") && e->getNumArgs() == 1)
    if (const auto* made = dyn_cast<CXXStdInitializerListExpr>(initialiserOf(e->getArg(0), true)))
      if (const auto* list = dyn_cast<InitListExpr>(initialiserOf(made->getSubExpr(), true)))
        return bestOf(*this, inOrder({list->inits().begin(), list->inits().end()}), name == "min", valueType(e->getType(), at), at);
  if (isStd && name == "clamp" && e->getNumArgs() == 3) {
    const TypeId type = valueType(e->getType(), at);
    if (!ir::isReal(module(), type)) return unsupported(e, "std::clamp of integers", "use std::min and std::max");
    auto values = inOrder({e->getArg(0), e->getArg(1), e->getArg(2)});
    for (ExprId& v : values) v = convert(v, type, at);
    return expr(ir::MathCall{"clamp", std::move(values)}, type, at);
  }
  if (isStd && name == "swap" && e->getNumArgs() == 2) {
    lowerSwap(e);
    return errorValue(ast().IntTy, at);
  }
  if (isStd && (name == "move" || name == "forward" || name == "as_const") && e->getNumArgs() == 1) return lowerPlace(e->getArg(0));
  if (name == "__builtin_expect" && e->getNumArgs() == 2) return lowerExpr(e->getArg(0));
  if (name == "__builtin_unreachable" || name == "__builtin_assume") return errorValue(ast().IntTy, at);
  if (name == "omp_set_num_threads" || name == "omp_set_dynamic" || name == "omp_set_nested") {
    const ExprId value = lowerExpr(e->getArg(0));
    emit(ir::Opaque{{name + "(", ");"}, {value}, {}}, at);
    return errorValue(ast().IntTy, at);
  }
  if (isPure(callee)) {
    std::vector<const Expr*> args(e->arg_begin(), e->arg_end());
    auto values = inOrder(args);
    return expr(ir::PureCall{(isStd ? "std::" : "") + name, std::move(values)}, valueType(e->getType(), at), at);
  }
  return std::nullopt;
}

ExprId FunctionLowering::lowerMinMax(const CallExpr* e, bool isMin) {
  const SourceLocation at = e->getExprLoc();
  const TypeId type = valueType(e->getType(), at);
  auto values = inOrder({e->getArg(0), e->getArg(1)});
  for (ExprId& v : values) v = convert(v, type, at);
  if (ir::isReal(module(), type)) return expr(ir::MathCall{isMin ? "min" : "max", values}, type, at);
  // std::min(a, b) is b where b < a, std::max(a, b) is b where a < b.
  const ExprId test = isMin ? binary(ir::BinaryOp::Lt, clone(values[1]), clone(values[0]), boolType(), at)
                            : binary(ir::BinaryOp::Lt, clone(values[0]), clone(values[1]), boolType(), at);
  return expr(ir::Conditional{test, values[1], values[0]}, type, at);
}

void FunctionLowering::lowerSwap(const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  auto places = inOrder({e->getArg(0), e->getArg(1)}, {true, true});
  // Neither place may move while the other is written: `swap(i, a[i])`.
  const Effects effects = effectsOf(e, ast());
  for (ExprId& p : places)
    if (mayChange(p, effects, true)) p = deref(spill(addressOf(p, at), "swapped", at), at);
  swapWhole(places[0], places[1], at);
}

}  // namespace contraflow::frontend
