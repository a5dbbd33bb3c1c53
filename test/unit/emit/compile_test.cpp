// The printed text goes through both compilers, with warnings as errors.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>

#include "emit/emit.hpp"
#include "ir/verifier.hpp"
#include "ir_builder.hpp"

using namespace contraflow::test;

namespace {

// A function with a bit of everything that is printed.
Builder everything() {
  Builder b("f_b");
  SourceFile file;
  file.path = "f.cpp";
  file.text = "#include <array>\n#include <vector>\n\nnamespace ns {\nstruct S {\n  double u;\n  std::vector<double> v;\n  "
              "std::array<float, 2> w;\n};\n}  // namespace ns\n";
  file.includes = {"#include <vector>"};
  b.m.files.push_back(file);
  b.f.namespaces = {"ns"};
  b.f.result = b.Double;
  const TypeId s = b.record("ns::S", {{"u", b.Double, false, {}, false},
                                      {"v", b.vector(b.Double), false, {}, false},
                                      {"w", b.m.type(ContainerType{ContainerKind::StdArray, b.Float, 2}), false, {}, false}});
  b.m.records.back().namespaces = {"ns"};
  b.m.records[0].inMainFile = true;
  const VarId r = b.param("r", b.reference(s)), x = b.param("x", b.pointer(b.constant(b.Double)));
  const VarId n = b.param("n", b.Int), tape = b.param("tape", b.reference(b.Tape));
  b.param("idle", b.constant(b.pointer(b.Double)));
  const VarId sum = b.local("sum", b.Double), copy = b.local("sum", b.Double), i = b.local("i", b.Int);
  const VarId t = b.local("t", b.Double), dead = b.local("dead", b.Int), block = b.local("block", b.pointer(b.Double));
  const VarId a = b.local("a", b.array(b.Double, 3)), again = b.local("again", b.array(b.Double, 3));
  const ExprId size = b.f.addExpr(SizeOf{b.field(b.ref(r), 1)}, b.Size);
  OmpFor loop;
  loop.data.reductions = {{copy, b.ref(sum)}};
  loop.loop = b.loop(i, b.ref(n),
                     {b.declare(t, b.f.addExpr(MathCall{"sin", {b.at(b.ref(x), b.ref(i))}}, b.Double)),
                      b.assign(b.at(b.ref(block), b.ref(i)), b.ref(t)), b.increment(b.ref(copy), b.minus(b.ref(t))),
                      b.stmt(SharedIncrement{b.field(b.ref(r), 0), b.ref(t), true, Strategy::Atomic, {}})});
  OmpParallel region;
  region.body = {b.stmt(loop), b.stmt(OmpBarrier{})};
  b.body({b.declare(sum, Init::Zero), b.declare(dead, b.integer("1")), b.stmt(TapeBlock{tape, block, b.ref(n)}),
          b.stmt(region),
          b.stmt(If{b.binary(BinaryOp::Lt, b.implicit(b.Size, b.ref(n)), size), {b.stmt(SetZero{b.ref(r)})}, {}}),
          b.stmt(Declare{a, Init::Zero, {}, Storage::FrameCreate, tape}),
          b.stmt(Push{tape, b.addressOf(b.ref(a))}), b.stmt(Push{tape, b.number("3", b.Long)}),
          b.stmt(Push{tape, b.ref(sum)}), b.stmt(Pop{tape, b.ref(sum), true}),
          b.stmt(Runtime{{"tape.pop<long>();"}, {}}),
          b.stmt(Declare{again, Init::None, {}, Storage::FrameReopen, tape}), b.stmt(SetZero{b.ref(again)}),
          b.stmt(TapeRelease{tape, again}), b.stmt(TapeRelease{tape, {}}), b.stmt(Return{b.ref(sum)})});
  return b;
}

}  // namespace

TEST_CASE("what is printed compiles without warnings under g++ and clang++") {
  Builder b = everything();
  const FuncId f = b.finish();
  CHECK(verify(b.m, true) == std::vector<std::string>{});
  contraflow::emit::EmitUnit unit;
  unit.functions = unit.exported = {f};
  const auto text = emitUnit(b.m, unit, {"f_ad.hpp", false, "/"});
  CHECK(emitUnit(b.m, unit, {"f_ad.hpp", false, "/"}).source == text.source);

  char folder[] = "/tmp/contraflow-emit-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  const std::string base = folder;
  std::ofstream(base + "/f_ad.cpp") << text.source;
  std::ofstream(base + "/f_ad.hpp") << text.header;
  std::ofstream(base + "/use.cpp") << "#include \"f_ad.hpp\"\n";
  INFO(text.source << text.header);
  if (std::getenv("CONTRAFLOW_SHOW")) WARN(text.source << text.header);
  for (const char* compiler : {"g++", "clang++-19"})
    for (const char* source : {"/f_ad.cpp", "/use.cpp"}) {
      const std::string command = std::string(compiler) + " -std=c++17 -fopenmp -Wall -Wextra -Werror -fsyntax-only -I " +
                                  std::string(CONTRAFLOW_RUNTIME_INCLUDE) + " " + base + source;
      CHECK(std::system(command.c_str()) == 0);
    }
  CHECK(std::system(("rm -r " + base).c_str()) == 0);
}
