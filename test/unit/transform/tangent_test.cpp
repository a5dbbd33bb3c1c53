// The tangent on small functions, as text of the IR; test/numeric decides whether derivatives are right.
#include <catch2/catch.hpp>

#include "diagnostics/diagnostics.hpp"
#include "ir_maker.hpp"
#include "transform/tangent.hpp"

namespace contraflow::test {
namespace {

using namespace ir;

// "name(params…)": a head by parameter numbers; -1 is the result.
Head head(FuncId f, std::vector<int> independents, std::vector<int> dependents) {
  Head h{HeadMode::Tangent, f, {}, {}, false, "", "", {}};
  const auto name = [](int p) {
    HeadName n;
    n.param = p;
    n.isReturn = p < 0;
    return n;
  };
  for (const int p : independents) h.independents.push_back(name(p));
  for (const int p : dependents) h.dependents.push_back(name(p));
  return h;
}

// The text of the tangents; each must be well-formed.
std::string tangents(IrMaker& make, const Head& h) {
  Diagnostics diagnostics(make.m);
  const auto made = transform::differentiateTangent(make.m, {h}, diagnostics);
  diagnostics.flush();
  if (!made) return "refused";
  std::string out;
  for (const FuncId f : made->functions) {
    for (const std::string& finding : verify(make.m, make.m[f])) FAIL_CHECK(finding);
    out += make.text(f);
  }
  return out;
}

bool has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return true;
  UNSCOPED_INFO("no \"" << part << "\" in\n" << text);
  return false;
}

}  // namespace

TEST_CASE("a loop over an array") {
  IrMaker x;
  const VarId a = x.param("a", x.constPointer), n = x.param("n", x.integer), s = x.local("s", x.real), i = x.local("i", x.integer);
  const FuncId f = x.end({x.declare(s, x.number("0.0")),
                          x.loop(i, x(n), {x.increment(x(s), x.op(BinaryOp::Mul, x.at(a, x(i)), x.math("sin", {x.at(a, x(i))})))}),
                          x.give(x(s))});
  const std::string text = tangents(x, head(f, {0}, {-1}));
  CHECK(has(text, "f_d(const double *a, const double *a_d, int n)"));
  CHECK(has(text, "double s_d = 0.0"));
  CHECK(has(text, "a_d[i]"));
  CHECK(has(text, "return {s, s_d}"));
}

TEST_CASE("what doesn't depend on an independent has no shadow") {
  IrMaker x;
  const VarId a = x.param("a", x.real), b = x.param("b", x.real), c = x.local("c", x.real);
  const FuncId f = x.end({x.declare(c, x.op(BinaryOp::Mul, x(b), x(b))), x.give(x.op(BinaryOp::Mul, x(a), x(c)))});
  const std::string text = tangents(x, head(f, {0}, {-1}));
  CHECK(has(text, "f_d(double a, double a_d, double b)"));
  CHECK(text.find("c_d") == std::string::npos);
  CHECK(has(text, "c * a_d"));
}

TEST_CASE("calls pass shadows, and results come as a pair") {
  IrMaker x;
  x.begin("square", x.real);
  const VarId v = x.param("v", x.real);
  const FuncId square = x.end({x.give(x.op(BinaryOp::Mul, x(v), x(v)))});
  x.begin("f", x.real);
  const VarId a = x.param("a", x.real), t = x.local("t", x.real);
  const StmtId call = x.f.addStmt(Call{square, {x(a)}, x(t)});
  const StmtId declared = x.f.addStmt(Declare{t, Init::None, {}, Storage::Automatic, {}});
  const FuncId f = x.end({declared, call, x.give(x(t))});
  const std::string text = tangents(x, head(f, {0}, {-1}));
  CHECK(has(text, "square_d(double v, double v_d)"));
  CHECK(has(text, "square_d(a, a_d)"));
  CHECK(has(text, "t_d = pair.derivative"));
  CHECK(has(text, "t = pair.value"));
}

TEST_CASE("a pointer that may be constant is guarded") {
  IrMaker x;
  x.begin("first", x.real);
  const VarId p = x.param("p", x.constPointer);
  const FuncId first = x.end({x.give(x.at(p, x.count("0")))});
  x.begin("f", x.real);
  const VarId a = x.param("a", x.constPointer), b = x.param("b", x.constPointer);
  const VarId s = x.local("s", x.real), t = x.local("t", x.real);
  const auto undefined = [&](VarId v) { return x.f.addStmt(Declare{v, Init::None, {}, Storage::Automatic, {}}); };
  const StmtId one = x.f.addStmt(Call{first, {x(a)}, x(s)}), two = x.f.addStmt(Call{first, {x(b)}, x(t)});
  const FuncId f = x.end({undefined(s), undefined(t), one, two, x.give(x.op(BinaryOp::Add, x(s), x(t)))});
  const std::string text = tangents(x, head(f, {0}, {-1}));
  CHECK(has(text, "f_d(const double *a, const double *a_d, const double *b)"));
  CHECK(has(text, "first_d(b, nullptr)"));
  CHECK(has(text, "p_d != nullptr ? p_d[0] : 0.0"));
}

TEST_CASE("a reduction is one of the shadow, too") {
  IrMaker x;
  const VarId a = x.param("a", x.constPointer), n = x.param("n", x.integer);
  const VarId s = x.local("s", x.real), copy = x.local("s", x.real), i = x.local("i", x.integer);
  const StmtId loop = x.loop(i, x(n), {x.increment(x(copy), x.at(a, x(i)))});
  OmpFor w;
  w.loop = loop;
  OmpParallel p;
  p.data.reductions = {{copy, x(s)}};
  p.body = {x.f.addStmt(w)};
  const FuncId f = x.end({x.declare(s, x.number("0.0")), x.f.addStmt(p), x.give(x(s))});
  const std::string text = tangents(x, head(f, {0}, {-1}));
  CHECK(has(text, "s_d"));
  CHECK(has(text, "return {s, s_d}"));
}

TEST_CASE("singular partials and divisions keep zero seeds at zero") {
  IrMaker x;
  const VarId a = x.param("a", x.real), b = x.param("b", x.real);
  const FuncId f = x.end({x.give(x.op(BinaryOp::Div, x.math("log", {x(a)}), x(b)))});
  const std::string text = tangents(x, head(f, {0, 1}, {-1}));
  CHECK(has(text, "scaled"));
}

TEST_CASE("writing an active value to memory without shadow is refused") {
  IrMaker x;
  Global g;
  g.name = g.key = "table";
  g.type = x.real;
  g.isConstant = true;
  const GlobalId id = x.m.addGlobal(g);
  x.begin("f", x.none);
  const VarId a = x.param("a", x.real);
  const ExprId target = x.f.addExpr(GlobalRef{id}, x.real);
  const FuncId f = x.end({x.assign(target, x(a))});
  CHECK(tangents(x, head(f, {0}, {})) == "refused");
}

TEST_CASE("derivative code is differentiated, too") {
  IrMaker x;
  x.begin("g_b", x.none);
  const TypeId tapeType = x.m.type(ReferenceType{x.m.type(TapeType{})});
  const VarId a = x.param("a", x.reference), a_b = x.param("a_b", x.reference), tape = x.param("tape", tapeType);
  const StmtId push = x.f.addStmt(Push{tape, x(a)}), pop = x.f.addStmt(Pop{tape, x(a), true});
  const StmtId set = x.assign(x(a), x.math("sin", {x(a)}));
  const VarId t = x.local("t", x.real);
  const StmtId take = x.declare(t, x(a_b)), zero = x.f.addStmt(SetZero{x(a_b)});
  const StmtId add = x.f.addStmt(SharedIncrement{x(a_b), x.op(BinaryOp::Mul, x.math("cos", {x(a)}), x(t)), false, Strategy::Atomic, {}});
  const FuncId f = x.end({push, set, pop, take, zero, add});
  const std::string text = tangents(x, head(f, {0}, {1}));
  CHECK(has(text, "double &a_b_d"));
  CHECK(text.find("a_d", text.find("push")) < text.find("sin"));  // both are recorded …
  CHECK(has(text, "t_d"));
}

}  // namespace contraflow::test
