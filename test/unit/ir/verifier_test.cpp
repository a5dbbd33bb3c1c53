#include <catch2/catch.hpp>

#include "ir/verifier.hpp"
#include "ir_builder.hpp"

using namespace contraflow::test;

namespace {

// The names of the checks that fail.
std::string failed(const Builder& b, bool structured = false) {
  std::string out;
  for (const std::string& line : verify(b.m, b.f, structured)) {
    const std::size_t begin = line.find('[');
    out += (out.empty() ? "" : " ") + line.substr(begin + 1, line.find(']') - begin - 1);
  }
  return out;
}

}  // namespace

TEST_CASE("a good function passes") {
  Builder b;
  const VarId x = b.param("x", b.reference(b.Double)), i = b.local("i", b.Int);
  b.body({b.loop(i, b.integer("3"), {b.increment(b.ref(x), b.implicit(b.Double, b.ref(i)))}), b.stmt(Return{})});
  CHECK(failed(b) == "");
  CHECK(failed(b, true) == "");
}

TEST_CASE("each check has its name") {
  Builder b;
  const VarId x = b.local("x", b.Double), i = b.local("i", b.Int), p = b.local("p", b.pointer(b.Double));
  const StmtId declareX = b.declare(x, b.real("1.0"));
  SECTION("id-range") {
    b.body({StmtId(99)});
    CHECK(failed(b) == "id-range");
  }
  SECTION("id-range of a missing operand") {
    b.body({declareX, b.assign(b.ref(x), ExprId())});
    CHECK(failed(b) == "id-range");
  }
  SECTION("type-valid") {
    b.f.addExpr(Literal{"1"}, TypeId());
    CHECK(failed(b) == "type-valid");
  }
  SECTION("base-type of a structural operation") {
    b.body({declareX, b.stmt(Restructure{Structure::Resize, b.ref(x), b.integer("2"), {}})});
    CHECK(failed(b) == "base-type");
  }
  SECTION("base-type of an allocation") {
    b.body({declareX, b.stmt(Allocate{b.ref(x), b.integer("2")})});
    CHECK(failed(b) == "base-type");
  }
  SECTION("base-type") {
    b.body({declareX, b.assign(b.ref(x), b.at(b.ref(x), b.integer("0")))});
    CHECK(failed(b) == "base-type");
  }
  SECTION("operand-types") {
    b.body({declareX, b.declare(i, b.integer("0")), b.assign(b.ref(x), b.add(b.ref(x), b.ref(i)))});
    CHECK(failed(b) == "operand-types");
  }
  SECTION("assign-types") {
    b.body({declareX, b.assign(b.ref(x), b.integer("1"))});
    CHECK(failed(b) == "assign-types");
  }
  SECTION("place-required") {
    b.body({b.assign(b.real("1.0"), b.real("2.0"))});
    CHECK(failed(b) == "place-required");
  }
  SECTION("scope") {
    b.body({b.stmt(Scope{{declareX}}), b.assign(b.ref(x), b.real("1.0"))});
    CHECK(failed(b) == "scope");
  }
  SECTION("declared-twice") {
    b.body({declareX, declareX});
    CHECK(failed(b) == "declared-twice");
  }
  SECTION("declared in two branches is fine") {
    b.body({b.stmt(Scope{{declareX}}), b.stmt(Scope{{declareX}})});
    CHECK(failed(b) == "");
  }
  SECTION("init-args") {
    b.body({b.declare(x, Init::Bind, {b.real("1.0")})});
    CHECK(failed(b) == "place-required init-args");
  }
  SECTION("init-list") {
    b.body({declareX, b.assign(b.ref(x), b.f.addExpr(InitList{}, b.Double))});
    CHECK(failed(b) == "init-list");
  }
  SECTION("omp-loop") {
    OmpFor loop;
    loop.collapse = 2;
    loop.loop = b.loop(i, b.integer("3"), {});
    b.body({b.stmt(loop)});
    CHECK(failed(b) == "omp-loop");
  }
  SECTION("tape-type") {
    b.body({declareX, b.stmt(Push{x, b.ref(x)})});
    CHECK(failed(b) == "tape-type");
  }
  SECTION("mpi-args") {
    Mpi barrier;
    barrier.op = 2;
    b.body({b.stmt(barrier)});
    CHECK(failed(b) == "mpi-args");
  }
  SECTION("jump") {
    b.body({b.stmt(Break{})});
    CHECK(failed(b) == "jump");
  }
  SECTION("call-args") {
    Builder callee("g");
    callee.m = b.m;
    callee.param("r", callee.reference(callee.Double));
    b.m = callee.m;
    const FuncId g = b.m.addFunction(callee.f);
    b.body({b.stmt(Call{g, {}, {}}), b.stmt(Call{g, {b.real("1.0")}, {}})});
    CHECK(failed(b) == "call-args call-args");
  }
  SECTION("return-last") {
    b.body({b.stmt(Return{}), declareX});
    CHECK(failed(b) == "");
    CHECK(failed(b, true) == "return-last");
  }
  (void)p;
}

TEST_CASE("a finding names function, check and statement") {
  Builder b("g");
  b.f.namespaces = {"ns"};
  b.body({b.assign(b.real("1.0"), b.real("2.0"))});
  REQUIRE(verify(b.m, b.f).size() == 1);
  CHECK(verify(b.m, b.f)[0] == "function ns::g: [place-required] the target '1.0' is no place in: 1.0 = 2.0");
}
