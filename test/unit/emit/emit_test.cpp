#include <catch2/catch.hpp>

#include "emit/emit.hpp"
#include "ir_builder.hpp"

using namespace contraflow::test;
using contraflow::emit::functionText;

namespace {

// The body of the function as printed, without the braces.
std::string bodyOf(Builder& b) {
  const std::string text = functionText(b.m, b.finish());
  const std::size_t begin = text.find('\n') + 1;
  return text.substr(begin, text.size() - begin - 2);
}

// `sink = e;`, or with the type of a real.
struct Expressions : Builder {
  VarId x = param("x", Double), y = param("y", Double), i = param("i", Int), j = param("j", Int), n = param("n", Size);
  VarId u = param("u", Unsigned), p = param("p", pointer(Double)), fl = param("fl", Float);
  std::string text(ExprId e) {
    f.body = {assign(number("sink", f[e].type), e)};
    const std::string out = bodyOf(*this);
    m.functions.clear();
    return out.substr(std::string("  sink = ").size(), out.size() - std::string("  sink = ;\n").size());
  }
};

}  // namespace

TEST_CASE("parentheses are few, but keep the tree and the warnings away") {
  Expressions e;
  const auto X = [&] { return e.ref(e.x); };
  const auto Y = [&] { return e.ref(e.y); };
  const auto I = [&] { return e.ref(e.i); };
  CHECK(e.text(e.mul(e.add(X(), Y()), X())) == "(x + y) * x");
  CHECK(e.text(e.add(e.mul(X(), Y()), X())) == "x * y + x");
  CHECK(e.text(e.sub(X(), e.sub(Y(), X()))) == "x - (y - x)");
  CHECK(e.text(e.sub(e.sub(X(), Y()), X())) == "x - y - x");
  CHECK(e.text(e.div(X(), e.mul(Y(), X()))) == "x / (y * x)");
  CHECK(e.text(e.minus(e.minus(X()))) == "-(-x)");
  CHECK(e.text(e.sub(X(), e.minus(Y()))) == "x - -y");
  CHECK(e.text(e.mul(e.minus(e.add(X(), Y())), X())) == "-(x + y) * x");
  const ExprId less = e.binary(BinaryOp::Lt, X(), Y());
  CHECK(e.text(e.binary(BinaryOp::Or, e.binary(BinaryOp::And, less, less), less)) == "(x < y && x < y) || x < y");
  CHECK(e.text(e.binary(BinaryOp::Shl, I(), e.add(I(), I()))) == "i << (i + i)");
  CHECK(e.text(e.deref(e.add(e.ref(e.p), I()))) == "p[i]");
  CHECK(e.text(e.addressOf(e.at(e.ref(e.p), I()))) == "&p[i]");
  CHECK(e.text(e.deref(e.addressOf(X()))) == "x");
  CHECK(e.text(e.f.addExpr(Conditional{less, X(), e.add(X(), Y())}, e.Double)) == "x < y ? x : x + y");
}

TEST_CASE("literals have the type that they say") {
  Expressions e;
  CHECK(e.text(e.real("1")) == "1.0");
  CHECK(e.text(e.real("1.5f")) == "1.5");
  CHECK(e.text(e.real("1e-3")) == "1e-3");
  CHECK(e.text(e.number("2.0", e.Float)) == "2.0f");
  CHECK(e.text(e.integer("2")) == "2");
  CHECK(e.text(e.real("M_PI")) == "M_PI");
}

TEST_CASE("conversions are printed where C++ wouldn't make them") {
  Expressions e;
  const auto I = [&] { return e.ref(e.i); };
  const auto J = [&] { return e.ref(e.j); };
  const auto toDouble = [&](ExprId id) { return e.implicit(e.Double, id); };
  CHECK(e.text(e.mul(toDouble(I()), e.ref(e.x))) == "i * x");
  CHECK(e.text(e.div(toDouble(I()), toDouble(J()))) == "double(i) / j");
  CHECK(e.text(toDouble(e.div(I(), J()))) == "i / j");
  CHECK(e.text(e.mul(toDouble(e.div(I(), J())), e.ref(e.x))) == "i / j * x");
  CHECK(e.text(e.mul(toDouble(e.minus(e.ref(e.u))), e.ref(e.x))) == "-u * x");
  CHECK(e.text(e.minus(toDouble(e.ref(e.u)))) == "-double(u)");
  CHECK(e.text(e.mul(toDouble(e.ref(e.fl)), toDouble(e.ref(e.fl)))) == "double(fl) * fl");
  CHECK(e.text(e.add(e.ref(e.x), toDouble(e.implicit(e.Float, e.ref(e.y))))) == "x + float(y)");
  // -Wsign-compare
  CHECK(e.text(e.binary(BinaryOp::Lt, e.implicit(e.Size, I()), e.ref(e.n))) == "std::size_t(i) < n");
  CHECK(e.text(e.binary(BinaryOp::Lt, e.number("0", e.Size), e.ref(e.n))) == "0 < n");
  CHECK(e.text(e.at(e.ref(e.p), e.implicit(e.Long, I()))) == "p[i]");
  CHECK(e.text(e.f.addExpr(MathCall{"sin", {toDouble(e.ref(e.fl))}}, e.Double)) == "std::sin(double(fl))");
  CHECK(e.text(e.f.addExpr(MathCall{"pow", {e.ref(e.x), toDouble(e.integer("2"))}}, e.Double)) == "std::pow(x, 2)");
  CHECK(e.text(e.f.addExpr(MathCall{"max", {e.ref(e.x), toDouble(e.integer("0"))}}, e.Double)) == "std::max(x, 0.0)");
}

TEST_CASE("fields, shadows, updates and loops") {
  Builder b;
  const TypeId s = b.record("S", {{"u", b.Double, false, {}, false}, {"v", b.vector(b.Double), false, {}, false}});
  const VarId p = b.param("p", b.pointer(s)), r = b.param("r", b.reference(s)), k = b.param("k", b.Int);
  const VarId i = b.local("i", b.Int), t = b.local("t", b.Double), d = b.local("d", b.reference(b.Double));
  For down{i, b.sub(b.ref(k), b.integer("1")), BinaryOp::Ge, b.integer("0"), b.integer("-1"), {}};
  down.body = {b.declare(t, b.at(b.field(b.deref(b.ref(p)), 1), b.ref(i))),
               b.declare(d, Init::Bind, {b.field(b.ref(r), 0)}),
               b.increment(b.ref(d), b.minus(b.mul(b.ref(t), b.ref(t))))};
  b.body({b.stmt(down), b.stmt(SetZero{b.field(b.ref(r), 0)}), b.stmt(SetZero{b.field(b.ref(r), 1)})});
  CHECK(bodyOf(b) == R"(  for (int i = k - 1; i >= 0; --i) {
    const double t = p->v[i];
    double &d = r.u;
    d -= t * t;
  }
  r.u = 0.0;
  contraflow::setZero(r.v);
)");
}

TEST_CASE("names that meet are told apart, unused ones say so") {
  Builder b;
  const VarId x = b.param("x", b.reference(b.Double));
  b.param("idle", b.pointer(b.constant(b.Double)));
  const VarId inner = b.local("x", b.Double), keyword = b.local("double", b.Double);
  b.body({b.stmt(Scope{{b.declare(inner, b.ref(x)), b.assign(b.ref(x), b.ref(inner))}}),
          b.declare(keyword, b.real("1.0"))});
  CHECK(functionText(b.m, b.finish()) == R"(void f(double &x, const double * /*idle*/) {
  {
    const double x_2 = x;
    x = x_2;
  }
  [[maybe_unused]] const double double_2 = 1.0;
}
)");
}

TEST_CASE("tape statements") {
  Builder b;
  const VarId tape = b.param("tape", b.reference(b.Tape)), n = b.param("n", b.Int), x = b.param("x", b.reference(b.Double));
  const VarId block = b.local("block", b.pointer(b.Double)), a = b.local("a", b.array(b.Double, 3));
  const VarId v = b.local("v", b.vector(b.Double));
  b.body({b.stmt(TapeBlock{tape, block, b.ref(n)}), b.assign(b.at(b.ref(block), b.integer("0")), b.ref(x)),
          b.stmt(Declare{a, Init::Zero, {}, Storage::FrameCreate, tape}),
          b.stmt(Declare{v, Init::None, {}, Storage::FrameReopen, tape}), b.stmt(SetZero{b.ref(a)}), b.stmt(SetZero{b.ref(v)}),
          b.stmt(Push{tape, b.ref(x)}), b.stmt(Push{tape, b.number("3", b.Long)}), b.stmt(Pop{tape, b.ref(x), false}),
          b.stmt(Pop{tape, b.ref(x), true}), b.stmt(TapeRelease{tape, a}), b.stmt(TapeRelease{tape, {}})});
  CHECK(bodyOf(b) == R"(  double *block = tape.block<double>(n);
  block[0] = x;
  auto &a = tape.create<double [3]>();
  [[maybe_unused]] auto &v = *tape.pop<std::vector<double> *>();
  contraflow::setZero(a);
  contraflow::setZero(v);
  tape.push(x);
  tape.push<long>(3);
  tape.pop(x);
  tape.restore(x);
  tape.destroy<double [3]>();
  tape.releaseBlock();
)");
}

TEST_CASE("OpenMP: combined directives, copies under their originals' names, shared increments") {
  Builder b;
  const VarId n = b.param("n", b.Int), x = b.param("x", b.pointer(b.Double)), s = b.param("s", b.reference(b.Double));
  const VarId copy = b.local("s", b.Double), i = b.local("i", b.Int);
  OmpFor loop;
  loop.data.reductions = {{copy, b.ref(s)}};
  loop.schedule = ScheduleKind::Static;
  loop.chunk = b.integer("4");
  loop.nowait = true;
  loop.loop = b.loop(i, b.ref(n), {b.increment(b.ref(copy), b.at(b.ref(x), b.ref(i))),
                                   b.stmt(SharedIncrement{b.at(b.ref(x), b.integer("0")), b.ref(copy), false, Strategy::Atomic, {}})});
  OmpParallel region;
  region.body = {b.stmt(loop)};
  OmpParallel second = region;
  second.body.push_back(b.stmt(OmpBarrier{}));
  b.body({b.stmt(region), b.stmt(second)});
  CHECK(bodyOf(b) == R"(  #pragma omp parallel for schedule(static, 4) reduction(+ : s)
  for (int i = 0; i < n; ++i) {
    s += x[i];
    #pragma omp atomic
    x[0] += s;
  }
  #pragma omp parallel
  {
    #pragma omp for schedule(static, 4) reduction(+ : s) nowait
    for (int i = 0; i < n; ++i) {
      s += x[i];
      #pragma omp atomic
      x[0] += s;
    }
    #pragma omp barrier
  }
)");
}

TEST_CASE("MPI: each buffer's shadows stand behind it") {
  Builder b;
  const VarId x = b.param("x", b.pointer(b.Double)), xb = b.param("x_b", b.pointer(b.Double));
  const VarId tape = b.param("tape", b.reference(b.Tape));
  const TypeId handle = b.m.type(OpaqueType{"h"});
  const auto args = [&] {
    return std::vector<ExprId>{b.ref(x), b.integer("1"), b.number("MPI_DOUBLE", handle), b.integer("0"), b.integer("7"),
                               b.number("MPI_COMM_WORLD", handle)};
  };
  b.body({b.stmt(Mpi{3, args(), {}, MpiPart::Primal, {}, {}}), b.stmt(Mpi{3, args(), {}, MpiPart::Tangent, {b.ref(xb)}, {}}),
          b.stmt(Mpi{3, args(), {}, MpiPart::Forward, {ExprId()}, tape}),
          b.stmt(Mpi{3, args(), {}, MpiPart::ForwardTangent, {ExprId(), b.ref(xb), ExprId()}, tape}),
          b.stmt(Mpi{3, {}, {}, MpiPart::Reverse, {}, tape})});
  CHECK(bodyOf(b) == R"(  MPI_Send(x, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD);
  contraflow::mpi::send_d(x, x_b, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD);
  contraflow::mpi::send_fwd(x, nullptr, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, tape);
  contraflow::mpi::send_fwd_d(x, nullptr, x_b, nullptr, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, tape);
  contraflow::mpi::send_rev(tape);
)");
}

TEST_CASE("loops with a test block, else-if chains, results in pairs") {
  Builder b;
  b.f.result = b.m.type(OpaqueType{"contraflow::Tangent<double>"});
  const VarId x = b.param("x", b.reference(b.Double));
  const VarId t = b.local("t", b.Double);
  const auto test = [&] { return Block{b.declare(t, b.ref(x))}; };
  const auto small = [&] { return b.binary(BinaryOp::Lt, b.ref(t), b.real("1.0")); };
  const auto add = [&] { return b.increment(b.ref(x), b.real("1.0")); };
  const ExprId less = b.binary(BinaryOp::Lt, b.ref(x), b.real("0.0"));
  b.body({b.stmt(While{test(), small(), {add()}, false}), b.stmt(While{test(), small(), {add()}, true}),
          b.stmt(While{{}, less, {add()}, true}),
          b.stmt(If{less, {add()}, {b.stmt(If{less, {}, {add()}})}}),
          b.stmt(Return{b.f.addExpr(InitList{{b.ref(x), b.real("0")}}, b.f.result)})});
  CHECK(bodyOf(b) == R"(  while (true) {
    const double t = x;
    if (!(t < 1.0)) {
      break;
    }
    x += 1.0;
  }
  while (true) {
    x += 1.0;
    const double t = x;
    if (!(t < 1.0)) {
      break;
    }
  }
  do {
    x += 1.0;
  } while (x < 0.0);
  if (x < 0.0) {
    x += 1.0;
  } else if (!(x < 0.0)) {
    x += 1.0;
  }
  return {x, 0.0};
)");
}

TEST_CASE("a unit: the user's text with its edits, then the derivatives in their namespaces, and the header") {
  Builder b("f_b");
  SourceFile file;
  file.path = "heat.cpp";
  file.text = "struct S { double u; };\n#pragma contraflow adjoint(x -> return)\ndouble   f(double x);";
  file.edits = {{24, 64, ""}};
  file.includes = {"#include <vector>"};
  b.m.files.push_back(file);
  b.f.namespaces = {"ns"};
  const TypeId s = b.record("S", {{"u", b.Double, false, {}, false}});
  b.m.records[0].inMainFile = true;
  const VarId p = b.param("s", b.pointer(s));
  Function helper = b.f;
  helper.name = "g_b";
  helper.linkage = Linkage::Internal;
  b.body({b.stmt(SetZero{b.deref(b.ref(p))})});
  const FuncId f = b.finish(), g = b.m.addFunction(helper);
  contraflow::emit::EmitUnit unit;
  unit.functions = {g, f};
  unit.exported = {f};
  const auto out = emitUnit(b.m, unit, {"heat_ad.hpp", false, "/"});
  CHECK(out.source == R"(struct S { double u; };
double   f(double x);

#include "contraflow/runtime.hpp"

// Generated by contraflow: the derivatives that heat_ad.hpp declares.

namespace ns {

static void g_b(S* s);
void f_b(S* s);

}  // namespace ns

static inline void contraflowSetZero(S& object) { object.u = 0.0; }

namespace ns {

static void g_b(S* /*s*/) {}

void f_b(S* s) { contraflow::setZero(*s); }

}  // namespace ns
)");
  CHECK(out.header == R"(// Generated by contraflow from heat.cpp.
#pragma once

#include "contraflow/runtime.hpp"

#include <vector>

struct S;

namespace ns {

void f_b(S* s);

}  // namespace ns
)");
}
