// std::complex: a record of two reals, and its arithmetic written out in them, so that derivatives are those of real arithmetic.
//
//     z = a * b + c;      →      re = a.real() * b.real() - a.imag() * b.imag() + c.real();  im = …;  z = {re, im};
//
// Where the library does more than the formula (a quotient that doesn't overflow, square roots), the parts are rows of math.def, which
// call the library.
#include "frontend/lowering.hpp"
#include "frontend/wrappers.hpp"
#include "ir/walk.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

namespace {

bool isComplex(QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getDeclName().isIdentifier() && record->getName() == "complex";
}

}  // namespace

bool isComplexType(QualType type) { return !type.isNull() && isComplex(type); }

TypeId TranslationUnit::complexType(const ClassTemplateSpecializationDecl* decl, bool isConst, SourceLocation at) {
  const TypeId real = type(decl->getTemplateArgs()[0].getAsType(), at);
  const std::string name = spell(ast_.getRecordType(decl));
  if (const auto it = session_.records.find(name); it != session_.records.end()) return module().type(ir::RecordType{it->second}, isConst);
  ir::Record record;
  record.name = name;
  record.fields = {{"real", real, false, "", false}, {"imag", real, false, "", false}};
  record.isTriviallyCopyable = record.isDefaultConstructible = record.isComplex = true;
  module().records.push_back(record);
  const ir::RecordId id(static_cast<std::uint32_t>(module().records.size() - 1));
  session_.records[name] = id;
  return module().type(ir::RecordType{id}, isConst);
}

TypeId FunctionLowering::partType(QualType type, SourceLocation at) {
  const auto* record = ir::as<ir::RecordType>(module(), valueType(type, at));
  return module()[record->record].fields[0].type;
}

// --- values ------------------------------------------------------------------------------------------------------------------

// A copy where the expression is long or runs a function: it will be named more than once.
ExprId FunctionLowering::shared(ExprId e, const char* name, SourceLocation at) {
  unsigned nodes = 0;
  bool calls = false;
  ir::walkExpr(function(), e, [&](ExprId x) {
    ++nodes;
    const ir::ExprNode& node = function()[x].node;
    calls = calls || std::holds_alternative<ir::MathCall>(node) || std::holds_alternative<ir::PureCall>(node);
  });
  return nodes <= 3 && !calls ? e : spill(e, name, at);
}
void FunctionLowering::share(Complex& z, SourceLocation at) {
  z.re = shared(z.re, "re", at);
  z.im = shared(z.im, "im", at);
}

ExprId FunctionLowering::real(const char* text, TypeId type, SourceLocation at) { return convert(literal(text, intType(), at), type, at); }

FunctionLowering::Complex FunctionLowering::partsOf(ExprId place, SourceLocation at) {
  const auto* record = ir::as<ir::RecordType>(module(), typeOf(place));
  const TypeId type = module()[record->record].fields[0].type;
  const ExprId again = clone(place);
  return {expr(ir::FieldRef{place, 0}, type, at), expr(ir::FieldRef{again, 1}, type, at)};
}

FunctionLowering::Complex FunctionLowering::product(Complex a, Complex b, SourceLocation at) {
  share(a, at);
  share(b, at);
  const TypeId t = ir::withoutConst(module(), typeOf(a.re));
  const auto times = [&](ExprId x, ExprId y) { return binary(ir::BinaryOp::Mul, clone(x), clone(y), t, at); };
  return {binary(ir::BinaryOp::Sub, times(a.re, b.re), times(a.im, b.im), t, at),
          binary(ir::BinaryOp::Add, times(a.re, b.im), times(a.im, b.re), t, at)};
}

FunctionLowering::Complex FunctionLowering::quotient(Complex a, Complex b, SourceLocation at) {
  share(a, at);
  share(b, at);
  const TypeId t = ir::withoutConst(module(), typeOf(a.re));
  const auto part = [&](const char* row) { return expr(ir::MathCall{row, {clone(a.re), clone(a.im), clone(b.re), clone(b.im)}}, t, at); };
  return {part("quotient_real"), part("quotient_imag")};
}

// size * (cos(angle) + i sin(angle))
FunctionLowering::Complex FunctionLowering::polar(ExprId size, ExprId angle, SourceLocation at) {
  const TypeId t = ir::withoutConst(module(), typeOf(size));
  size = shared(size, "size", at);
  angle = shared(angle, "angle", at);
  const auto part = [&](const char* f) {
    return binary(ir::BinaryOp::Mul, clone(size), expr(ir::MathCall{f, {clone(angle)}}, t, at), t, at);
  };
  return {part("cos"), part("sin")};
}

FunctionLowering::Complex FunctionLowering::logarithm(Complex z, SourceLocation at) {
  share(z, at);
  const TypeId t = ir::withoutConst(module(), typeOf(z.re));
  return {expr(ir::MathCall{"log_abs", {clone(z.re), clone(z.im)}}, t, at), expr(ir::MathCall{"atan2", {clone(z.im), clone(z.re)}}, t, at)};
}

FunctionLowering::Complex FunctionLowering::exponential(Complex z, SourceLocation at) {
  const TypeId t = ir::withoutConst(module(), typeOf(z.re));
  return polar(expr(ir::MathCall{"exp", {z.re}}, t, at), z.im, at);
}

// Operands in C++'s order: what a later one may change is copied in between. A real operand has no imaginary part.
std::vector<FunctionLowering::Complex> FunctionLowering::operands(const std::vector<const Expr*>& list, TypeId part) {
  std::vector<Complex> values(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    ir::Block block;
    {
      InBlock in(*this, block);
      if (isComplex(list[i]->getType())) values[i] = complexValue(list[i]);
      else values[i] = {convert(lowerExpr(list[i]), part, list[i]->getExprLoc()), {}};
    }
    if (!block.empty()) {
      const Effects effects = effectsOf(list[i], ast());
      for (std::size_t k = 0; k < i; ++k)
        for (ExprId* x : {&values[k].re, &values[k].im})
          if (x->valid() && mayChange(*x, effects)) *x = spill(*x, x == &values[k].re ? "re" : "im", list[k]->getExprLoc());
    }
    append(block);
  }
  return values;
}

FunctionLowering::Complex FunctionLowering::withZero(Complex z, SourceLocation at) {
  if (!z.im.valid()) z.im = real("0", ir::withoutConst(module(), typeOf(z.re)), at);
  return z;
}

FunctionLowering::Complex FunctionLowering::arithmetic(OverloadedOperatorKind op, Complex a, Complex b, SourceLocation at) {
  const TypeId t = ir::withoutConst(module(), typeOf(a.re));
  const auto each = [&](ir::BinaryOp o, ExprId x, ExprId y) { return binary(o, x, y, t, at); };
  const auto minus = [&](ExprId x) { return expr(ir::Unary{ir::UnaryOp::Minus, x}, t, at); };
  switch (op) {
    case OO_Plus: return {each(ir::BinaryOp::Add, a.re, b.re), !b.im.valid() ? a.im : !a.im.valid() ? b.im : each(ir::BinaryOp::Add, a.im, b.im)};
    case OO_Minus:
      return {each(ir::BinaryOp::Sub, a.re, b.re), !b.im.valid() ? a.im : !a.im.valid() ? minus(b.im) : each(ir::BinaryOp::Sub, a.im, b.im)};
    case OO_Star:
      if (!b.im.valid()) std::swap(a, b);
      if (a.im.valid()) return product(a, b, at);
      a.re = shared(a.re, "factor", at);
      return {each(ir::BinaryOp::Mul, b.re, a.re), each(ir::BinaryOp::Mul, b.im, clone(a.re))};
    default:
      if (b.im.valid()) return quotient(withZero(a, at), b, at);
      b.re = shared(b.re, "divisor", at);
      return {each(ir::BinaryOp::Div, a.re, b.re), each(ir::BinaryOp::Div, a.im, clone(b.re))};
  }
}

// --- expressions ---------------------------------------------------------------------------------------------------------------

FunctionLowering::Complex FunctionLowering::complexValue(const Expr* e) {
  e = initialiserOf(e, true);
  const SourceLocation at = e->getExprLoc();
  const auto place = [&](ExprId p) { return partsOf(p, at); };
  if (const auto* construct = dyn_cast<CXXConstructExpr>(e)) {
    const TypeId part = partType(construct->getType(), at);
    std::vector<const Expr*> args;
    for (const Expr* a : construct->arguments()) args.push_back(a);
    if (args.size() == 1 && isComplex(args[0]->getType())) {  // a copy, or from another precision
      const Complex z = complexValue(args[0]);
      return {convert(z.re, part, at), convert(z.im, part, at)};
    }
    const std::vector<Complex> given = operands(args, part);
    return {!given.empty() ? given[0].re : real("0", part, at), given.size() > 1 ? given[1].re : real("0", part, at)};
  }
  if (const auto* list = dyn_cast<InitListExpr>(e); list && list->getNumInits() == 1) return complexValue(list->getInit(0));
  if (const auto* choice = dyn_cast<ConditionalOperator>(e); choice && !e->isGLValue()) {
    const ExprId test = lowerCondition(choice->getCond());
    const ir::VarId var = temporary("chosen", valueType(e->getType(), at), at);
    ir::If node{test, {}, {}};
    for (const bool yes : {true, false}) {
      InBlock in(*this, yes ? node.then : node.otherwise);
      assignComplex(varRef(var, at), complexValue(yes ? choice->getTrueExpr() : choice->getFalseExpr()), at);
    }
    emit(std::move(node), at);
    return place(varRef(var, at));
  }
  const auto* call = dyn_cast<CallExpr>(e);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (callee && !e->isGLValue() && inSystemHeader(callee)) {
    if (const auto z = complexFunction(callee, call)) return *z;
    rejectComplex(callee, at);
    const TypeId part = partType(e->getType(), at);
    return {real("0", part, at), real("0", part, at)};
  }
  return place(e->isGLValue() ? lowerPlace(e) : lowerExpr(e));
}

void FunctionLowering::rejectComplex(const FunctionDecl* callee, SourceLocation at) {
  reject(DiagId::UnsupportedExpression, at,
         {"'" + callee->getQualifiedNameAsString() + "' of complex numbers", "write it as a loop, or with exp, log, sqrt, pow, sin, cos, tan, sinh, cosh or tanh"});
}

// An integer power is a product, as the derivative at zero wants it; by squares, as the library does it.
std::optional<FunctionLowering::Complex> FunctionLowering::smallPower(Complex z, const Expr* exponent, SourceLocation at) {
  Expr::EvalResult value;
  exponent = exponent->IgnoreParenImpCasts();
  if (!exponent->getType()->isIntegerType() || !exponent->EvaluateAsInt(value, ast())) return std::nullopt;
  const auto n = value.Val.getInt().getExtValue();
  if (n < 1 || n > 64) return std::nullopt;
  std::optional<Complex> power;
  for (auto rest = n; rest > 0; rest /= 2) {
    share(z, at);
    const auto copy = [&](Complex& x) { return Complex{clone(x.re), clone(x.im)}; };
    if (rest % 2 == 1) {
      if (power) share(*power, at);
      power = power ? product(copy(*power), copy(z), at) : copy(z);
    }
    if (rest > 1) z = product(copy(z), copy(z), at);
  }
  return power;
}

// A real base: std::pow tells positive ones apart.
FunctionLowering::Complex FunctionLowering::powerOfReal(ExprId x, Complex w, TypeId object, SourceLocation at) {
  const TypeId t = ir::withoutConst(module(), typeOf(x));
  x = shared(x, "base", at);
  share(w, at);
  const ir::VarId var = temporary("power", object, at);
  ir::If node{binary(ir::BinaryOp::Gt, clone(x), real("0", t, at), boolType(), at), {}, {}};
  {
    InBlock in(*this, node.then);
    const ExprId size = expr(ir::MathCall{"pow", {clone(x), clone(w.re)}}, t, at);
    const ExprId log = expr(ir::MathCall{"log", {clone(x)}}, t, at);
    assignComplex(varRef(var, at), polar(size, binary(ir::BinaryOp::Mul, clone(w.im), log, t, at), at), at);
  }
  {
    InBlock in(*this, node.otherwise);
    const Complex z{clone(x), real("0", t, at)};
    assignComplex(varRef(var, at), exponential(product(logarithm(z, at), {clone(w.re), clone(w.im)}, at), at), at);
  }
  emit(std::move(node), at);
  return partsOf(varRef(var, at), at);
}

// At zero, where the logarithm has no value, a choice: the power of zero, with derivatives that are zero but for the first power
// (docs/nonsmooth.md).
FunctionLowering::Complex FunctionLowering::powerOfComplex(Complex z, Complex w, TypeId object, SourceLocation at) {
  const TypeId t = ir::withoutConst(module(), typeOf(z.re));
  share(z, at);
  share(w, at);
  const auto zero = [&] { return real("0", t, at); };
  const auto is = [&](ExprId x, ExprId value) { return binary(ir::BinaryOp::Eq, clone(x), value, boolType(), at); };
  const ir::VarId var = temporary("power", object, at);
  ir::If node{binary(ir::BinaryOp::And, is(z.re, zero()), is(z.im, zero()), boolType(), at), {}, {}};
  {
    InBlock in(*this, node.then);
    Complex power{zero(), zero()};
    if (!w.im.valid()) {
      const ExprId ofZero = expr(ir::MathCall{"pow", {zero(), clone(w.re)}}, t, at);
      power.re = expr(ir::Conditional{is(w.re, real("1", t, at)), clone(z.re), ofZero}, t, at);
      power.im = expr(ir::Conditional{is(w.re, real("1", t, at)), clone(z.im), zero()}, t, at);
    }
    assignComplex(varRef(var, at), power, at);
  }
  {
    InBlock in(*this, node.otherwise);
    Complex l = logarithm({clone(z.re), clone(z.im)}, at);
    if (w.im.valid()) {
      assignComplex(varRef(var, at), exponential(product(l, {clone(w.re), clone(w.im)}, at), at), at);
    } else {
      const ExprId size = expr(ir::MathCall{"exp", {binary(ir::BinaryOp::Mul, clone(w.re), l.re, t, at)}}, t, at);
      assignComplex(varRef(var, at), polar(size, binary(ir::BinaryOp::Mul, clone(w.re), l.im, t, at), at), at);
    }
  }
  emit(std::move(node), at);
  return partsOf(varRef(var, at), at);
}

FunctionLowering::Complex FunctionLowering::tangent(Complex z, bool hyperbolic, SourceLocation at) {
  const TypeId type = ir::withoutConst(module(), typeOf(z.re));
  const std::string name = hyperbolic ? "tanh" : "tan";
  const ExprId re = expr(ir::MathCall{name + "_real", {z.re, z.im}}, type, at);
  return {re, expr(ir::MathCall{name + "_imag", {clone(z.re), clone(z.im)}}, type, at)};
}

// A function of the library with a complex result.
std::optional<FunctionLowering::Complex> FunctionLowering::complexFunction(const FunctionDecl* callee, const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  const TypeId part = partType(e->getType(), at);
  std::vector<const Expr*> args(e->arg_begin(), e->arg_end());
  const auto op = callee->getOverloadedOperator();
  const auto math = [&](const char* f, std::vector<ExprId> values) { return expr(ir::MathCall{f, std::move(values)}, part, at); };
  if (isa<UserDefinedLiteral>(e)) {
    const ExprId value = convert(lowerExpr(cast<UserDefinedLiteral>(e)->getCookedLiteral()), part, at);
    return Complex{real("0", part, at), value};
  }
  if (op == OO_Plus || op == OO_Minus || op == OO_Star || op == OO_Slash) {
    std::vector<Complex> v = operands(args, part);
    if (v.size() == 2) return arithmetic(op, v[0], v[1], at);
    if (op == OO_Plus) return v[0];
    return Complex{expr(ir::Unary{ir::UnaryOp::Minus, v[0].re}, part, at), expr(ir::Unary{ir::UnaryOp::Minus, v[0].im}, part, at)};
  }
  if (!callee->getDeclName().isIdentifier() || isa<CXXMethodDecl>(callee) || args.empty()) return std::nullopt;
  const StringRef name = callee->getName();
  if (name == "polar") {
    std::vector<Complex> v = operands(args, part);
    return v.size() < 2 ? Complex{v[0].re, real("0", part, at)} : polar(v[0].re, v[1].re, at);
  }
  static const std::set<std::string> kKnown = {"conj", "exp", "log", "log10", "sqrt", "sin", "cos", "sinh", "cosh", "tan", "tanh", "pow"};
  if (!kKnown.count(name.str())) return std::nullopt;
  std::vector<Complex> v = operands(args, part);
  if (name == "pow" && !v[0].im.valid()) return powerOfReal(v[0].re, v[1], valueType(e->getType(), at), at);
  Complex z = withZero(v[0], at);
  if (name == "conj") return Complex{z.re, expr(ir::Unary{ir::UnaryOp::Minus, z.im}, part, at)};
  if (name == "exp") return exponential(z, at);
  if (name == "log") return logarithm(z, at);
  if (name == "log10") {
    const Complex l = logarithm(z, at);
    const auto scaled = [&](ExprId x) { return binary(ir::BinaryOp::Div, x, math("log", {real("10", part, at)}), part, at); };
    return Complex{scaled(l.re), scaled(l.im)};
  }
  share(z, at);
  const auto both = [&](const char* f, const char* g) { return binary(ir::BinaryOp::Mul, math(f, {clone(z.re)}), math(g, {clone(z.im)}), part, at); };
  if (name == "sqrt") return Complex{math("sqrt_real", {z.re, z.im}), math("sqrt_imag", {clone(z.re), clone(z.im)})};
  if (name == "sin") return Complex{both("sin", "cosh"), both("cos", "sinh")};
  if (name == "cos") return Complex{both("cos", "cosh"), expr(ir::Unary{ir::UnaryOp::Minus, both("sin", "sinh")}, part, at)};
  if (name == "sinh") return Complex{both("sinh", "cos"), both("cosh", "sin")};
  if (name == "cosh") return Complex{both("cosh", "cos"), both("sinh", "sin")};
  if (name == "tan" || name == "tanh") return tangent(z, name == "tanh", at);
  if (const auto power = smallPower(z, args[1], at)) return power;
  return powerOfComplex(z, v[1], valueType(e->getType(), at), at);
}

// --- statements ------------------------------------------------------------------------------------------------------------------

// True if storing a real part may change the value: it reads reals in memory that aren't imaginary parts.
bool FunctionLowering::mayReadMemory(ExprId value) {
  bool reads = false;
  ir::walkExpr(function(), value, [&](ExprId x) {
    const ir::ExprNode& node = function()[x].node;
    const auto* field = std::get_if<ir::FieldRef>(&node);
    const auto* record = field ? ir::as<ir::RecordType>(module(), typeOf(field->base)) : nullptr;
    const auto* var = std::get_if<ir::VarRef>(&node);
    const bool isMemory = field || std::holds_alternative<ir::Subscript>(node) || std::holds_alternative<ir::Deref>(node) ||
                          std::holds_alternative<ir::GlobalRef>(node) || (var && ir::isReference(module(), function()[var->var].type));
    const bool isImaginary = record && module()[record->record].isComplex && field->field == 1;
    reads = reads || (isMemory && !isImaginary && ir::isReal(module(), typeOf(x)));
  });
  return reads;
}

void FunctionLowering::assignComplex(ExprId place, Complex z, SourceLocation at) {
  if (mayReadMemory(z.im)) z.im = spill(z.im, "im", at);
  const Complex target = partsOf(place, at);
  emit(ir::Assign{target.re, convert(z.re, typeOf(target.re), at)}, at);
  emit(ir::Assign{target.im, convert(z.im, typeOf(target.im), at)}, at);
}

void FunctionLowering::declareComplex(ir::VarId var, const Expr* init, SourceLocation at) {
  const auto declare = [&](ir::Init how, std::vector<ExprId> args) {
    emit(ir::Declare{var, how, std::move(args), ir::Storage::Automatic, {}}, at);
  };
  if (init) init = initialiserOf(init, true);
  const auto* construct = dyn_cast_or_null<CXXConstructExpr>(init);
  if (!init || isa<ImplicitValueInitExpr>(init) || isa<CXXScalarValueInitExpr>(init) || (construct && construct->getNumArgs() == 0)) return declare(ir::Init::Zero, {});
  if (const auto* list = dyn_cast<InitListExpr>(init); list && list->getNumInits() == 0) return declare(ir::Init::Zero, {});
  if (const CallExpr* call = directCall(init)) {
    function()[var].type = ir::withoutConst(module(), function()[var].type);
    declare(ir::Init::None, {});
    lowerCall(call, Want::Value, varRef(var, at));
    return;
  }
  const Complex z = complexValue(init);
  const TypeId type = ir::withoutConst(module(), function()[var].type);
  declare(ir::Init::List, {expr(ir::InitList{{z.re, z.im}}, type, at)});
}

// A call of the library that concerns complex numbers. None where it isn't one.
std::optional<ExprId> FunctionLowering::lowerComplexCall(const FunctionDecl* callee, const CallExpr* e, std::optional<ExprId> result) {
  const SourceLocation at = e->getExprLoc();
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  const bool isTheirs = inSystemHeader(callee) || (method && isComplex(ast().getRecordType(method->getParent())));
  if (!isTheirs) return std::nullopt;
  if (method) {
    if (!isComplex(ast().getRecordType(method->getParent()))) return std::nullopt;
    return complexMethod(method, e, result);
  }
  if (isComplex(e->getType())) {
    const Complex z = complexValue(e);
    const ExprId place = result ? *result : varRef(temporary("z", valueType(e->getType(), at), at), at);
    assignComplex(clone(place), z, at);
    return place;
  }
  const bool takes = e->getNumArgs() > 0 && std::any_of(e->arg_begin(), e->arg_end(), [](const Expr* a) { return isComplex(a->getType()); });
  if (!takes || isa<UserDefinedLiteral>(e)) return std::nullopt;
  const auto value = realFunction(callee, e);
  if (!value) return std::nullopt;
  return giveResult(*value, result, at);
}

std::optional<ExprId> FunctionLowering::realFunction(const FunctionDecl* callee, const CallExpr* e) {
  const SourceLocation at = e->getExprLoc();
  std::vector<const Expr*> args(e->arg_begin(), e->arg_end());
  const auto op = callee->getOverloadedOperator();
  if (op == OO_EqualEqual || op == OO_ExclaimEqual) {
    const QualType type = isComplex(args[0]->getType()) ? args[0]->getType() : args[1]->getType();
    std::vector<Complex> v = operands(args, partType(type, at));
    const Complex a = withZero(v[0], at), b = withZero(v[1], at);
    const bool equal = op == OO_EqualEqual;
    const auto o = equal ? ir::BinaryOp::Eq : ir::BinaryOp::Ne;
    return binary(equal ? ir::BinaryOp::And : ir::BinaryOp::Or, binary(o, a.re, b.re, boolType(), at), binary(o, a.im, b.im, boolType(), at), boolType(), at);
  }
  if (!callee->getDeclName().isIdentifier() || args.size() != 1) return std::nullopt;
  const StringRef name = callee->getName();
  if (name != "real" && name != "imag" && name != "abs" && name != "arg" && name != "norm") return std::nullopt;
  const TypeId part = partType(args[0]->getType(), at);
  Complex z = complexValue(args[0]);
  if (name == "real") return z.re;
  if (name == "imag") return z.im;
  if (name == "abs") return expr(ir::MathCall{"hypot", {z.re, z.im}}, part, at);
  if (name == "arg") return expr(ir::MathCall{"atan2", {z.im, z.re}}, part, at);
  share(z, at);
  const auto square = [&](ExprId x) { return binary(ir::BinaryOp::Mul, x, clone(x), part, at); };
  return binary(ir::BinaryOp::Add, square(z.re), square(z.im), part, at);
}

// z.real(), z.imag(x), z *= w, …
ExprId FunctionLowering::complexMethod(const CXXMethodDecl* method, const CallExpr* e, std::optional<ExprId> result) {
  const SourceLocation at = e->getExprLoc();
  const auto op = method->getOverloadedOperator();
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(e); call && method->getDeclName().isIdentifier()) {
    const Expr* object = call->getImplicitObjectArgument();
    const bool isReal = method->getName() == "real";
    if (call->getNumArgs() == 0) {
      const Complex z = object->getType()->isPointerType() ? partsOf(deref(lowerExpr(object), at), at) : complexValue(object);
      return giveResult(isReal ? z.re : z.im, result, at);
    }
    const ExprId value = lowerExpr(call->getArg(0));
    const Complex z = partsOf(object->getType()->isPointerType() ? deref(lowerExpr(object), at) : lowerPlace(object), at);
    const ExprId target = isReal ? z.re : z.im;
    emit(ir::Assign{target, convert(value, typeOf(target), at)}, at);
    return errorValue(ast().IntTy, at);
  }
  const auto* call = dyn_cast<CXXOperatorCallExpr>(e);
  if (!call || call->getNumArgs() != 2) return unsupported(e, "this use of a complex number", "write it with arithmetic and the functions of <complex>");
  const TypeId part = partType(call->getArg(0)->getType(), at);
  Complex value = operands({call->getArg(1)}, part)[0];  // C++17: the right side first
  if (value.im.valid()) value = {convert(value.re, part, at), convert(value.im, part, at)};
  ir::Block address;
  ExprId place;
  {
    InBlock in(*this, address);
    place = lowerPlace(call->getArg(0));
  }
  if (!address.empty()) {
    const Effects effects = effectsOf(call->getArg(0), ast());
    for (ExprId* x : {&value.re, &value.im})
      if (x->valid() && mayChange(*x, effects)) *x = spill(*x, "part", at);
    append(address);
  }
  if (op == OO_Equal) {
    assignComplex(place, withZero(value, at), at);
    return clone(place);
  }
  const Complex old = partsOf(clone(place), at);
  if (op == OO_PlusEqual || op == OO_MinusEqual) {
    const bool subtract = op == OO_MinusEqual;
    if (value.im.valid() && mayReadMemory(value.im)) value.im = spill(value.im, "im", at);
    emit(ir::Increment{old.re, value.re, subtract}, at);
    if (value.im.valid()) emit(ir::Increment{old.im, value.im, subtract}, at);
    return clone(place);
  }
  assignComplex(place, arithmetic(op == OO_StarEqual ? OO_Star : OO_Slash, old, value, at), at);
  return clone(place);
}

}  // namespace contraflow::frontend
