#include <catch2/catch.hpp>

#include "ir/printer.hpp"
#include "ir_builder.hpp"

using namespace contraflow::test;

TEST_CASE("spell() puts declarators where C++ wants them") {
  Builder b;
  const auto check = [&](TypeId t, const std::string& named, const std::string& bare) {
    CHECK(spell(b.m, t, "x") == named);
    CHECK(spell(b.m, t) == bare);
  };
  check(b.Double, "double x", "double");
  check(b.pointer(b.constant(b.Double)), "const double *x", "const double *");
  check(b.constant(b.pointer(b.Double)), "double *const x", "double *const");
  check(b.pointer(b.constant(b.pointer(b.Double))), "double *const *x", "double *const *");
  check(b.array(b.Double, 3), "double x[3]", "double [3]");
  check(b.array(b.array(b.Double, 4), 3), "double x[3][4]", "double [3][4]");
  check(b.array(b.pointer(b.Double), 3), "double *x[3]", "double *[3]");
  check(b.pointer(b.array(b.Double, 3)), "double (*x)[3]", "double (*)[3]");
  check(b.reference(b.array(b.constant(b.Double), 3)), "const double (&x)[3]", "const double (&)[3]");
  check(b.constant(b.pointer(b.array(b.Double, 3))), "double (*const x)[3]", "double (*const)[3]");
  check(b.reference(b.pointer(b.Double)), "double *&x", "double *&");
  check(b.constant(b.vector(b.pointer(b.Double))), "const std::vector<double *> x", "const std::vector<double *>");
}

TEST_CASE("the printer shows what C++ hides") {
  Builder b("sum");
  b.f.result = b.Double;
  const VarId x = b.param("x", b.pointer(b.constant(b.Double))), n = b.param("n", b.Int);
  const VarId s = b.local("s", b.Double), i = b.local("i", b.Int), inner = b.local("s", b.Double);
  b.body({b.declare(s, b.real("0.0")),
          b.loop(i, b.ref(n), {b.declare(inner, b.implicit(b.Double, b.ref(i))),
                               b.increment(b.ref(s), b.mul(b.at(b.ref(x), b.ref(i)), b.ref(inner)))}),
          b.stmt(Return{b.ref(s)})});
  CHECK(print(b.m, b.f) == R"(function external double sum(const double *x, int n)
  double s = 0.0
  for (int i = 0; i < n; i += 1)
    double s.2 = implicit<double>(i)
    s += x[i] * s.2
  return s
)");
}

TEST_CASE("the printer shows OpenMP, MPI and tape statements") {
  Builder b;
  const VarId t = b.param("t", b.reference(b.Tape)), s = b.local("s", b.Double), copy = b.local("s", b.Double);
  const VarId i = b.local("i", b.Int), p = b.local("p", b.pointer(b.Double));
  OmpParallel region;
  OmpFor loop;
  loop.data.reductions = {{copy, b.ref(s)}};
  loop.schedule = ScheduleKind::Static;
  loop.loop = b.loop(i, b.integer("9"), {b.increment(b.ref(copy), b.real("1.0"))});
  region.body = {b.stmt(loop)};
  Mpi send;
  send.op = 3;
  send.part = MpiPart::Reverse;
  send.tape = t;
  b.body({b.declare(s, b.real("0.0")), b.stmt(region), b.stmt(Push{t, b.ref(s)}), b.stmt(Pop{t, b.ref(s), true}),
          b.stmt(TapeBlock{t, p, b.integer("9")}), b.stmt(TapeRelease{t, {}}), b.stmt(send),
          b.stmt(SharedIncrement{b.ref(s), b.real("2.0"), true, Strategy::Atomic, {}})});
  CHECK(print(b.m, b.f) == R"(function external void f(contraflow::Tape &t)
  double s = 0.0
  omp parallel
    omp for schedule(static) reduction+(s.2: s)
      for (int i = 0; i < 9; i += 1)
        s.2 += 1.0
  push(t) s
  pop(t) s with after-image
  block(t) double *p[9]
  release(t) block
  mpi reverse MPI_Send() tape(t)
  shared atomic s -= 2.0
)");
}

TEST_CASE("the printer shows what changes vectors, and allocations") {
  Builder b;
  const VarId t = b.param("t", b.reference(b.Tape)), v = b.local("v", b.vector(b.Double)), w = b.local("w", b.vector(b.Double));
  const VarId p = b.local("p", b.pointer(b.Double));
  b.body({b.stmt(Declare{v, Init::None, {}, Storage::Automatic, {}}), b.stmt(Declare{w, Init::None, {}, Storage::Automatic, {}}),
          b.stmt(Declare{p, Init::None, {}, Storage::Automatic, {}}),
          b.stmt(Restructure{Structure::Resize, b.ref(v), b.integer("3"), {}}),
          b.stmt(Restructure{Structure::Resize, b.ref(v), b.integer("2"), t, false, false}),
          b.stmt(Restructure{Structure::Follow, b.ref(w), b.ref(v), t, true, false}), b.stmt(Revert{t, b.ref(w), false}),
          b.stmt(Revert{t, b.ref(v), true}), b.stmt(Restructure{Structure::Swap, b.ref(v), b.ref(w), {}}),
          b.stmt(Allocate{b.ref(p), b.integer("4"), Allocator::NewArray, true}), b.stmt(Free{b.ref(p), Allocator::NewArray})});
  CHECK(print(b.m, b.f) == R"(function external void f(contraflow::Tape &t)
  std::vector<double> v
  std::vector<double> w
  double *p
  resize v, 3
  resize(t) v, 2 forgets
  follow(t) w, v
  revert(t) w
  revert(t) v with after-image
  swap v, w
  p = new[] zero[4]
  free new[] p
)");
}
