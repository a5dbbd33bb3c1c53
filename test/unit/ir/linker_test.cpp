#include <catch2/catch.hpp>

#include "ir/linker.hpp"
#include "ir/printer.hpp"
#include "ir/verifier.hpp"
#include "ir_builder.hpp"

using namespace contraflow::test;

namespace {

// A module with `void name(S *s)` of one file; with a body it calls `other`, which it only declares.
Module part(const std::string& path, const std::string& name, const std::string& other, bool extraType = false) {
  Builder b(name);
  if (extraType) b.array(b.Float, 7);  // so that ids differ between the parts
  SourceFile file;
  file.path = path;
  file.isInput = true;
  b.m.files.push_back(file);
  const TypeId s = b.record("S", {{"next", TypeId(), false, {}, false}, {"u", b.Double, false, {}, false}});
  b.m.records[0].fields[0].type = b.pointer(s);
  b.m.records[0].file = "s.hpp";
  Function declared;
  declared.name = declared.key = other;
  declared.result = b.Void;
  Var param;
  param.name = "s";
  param.type = b.pointer(s);
  declared.params.push_back(declared.addVar(param));
  const FuncId callee = b.m.addFunction(declared);
  const VarId p = b.param("s", b.pointer(s));
  b.f.loc = {0, 1, 1};
  b.body({b.stmt(Call{callee, {b.ref(p)}, {}}), b.assign(b.field(b.deref(b.ref(p)), 1), b.real("1.0"))});
  b.finish();
  return b.m;
}

}  // namespace

TEST_CASE("two files that call each other link into one module") {
  std::vector<Module> parts = {part("a.cpp", "f", "g"), part("b.cpp", "g", "f", true)};
  Module out;
  std::vector<std::string> errors;
  REQUIRE(link(std::move(parts), out, errors));
  CHECK(errors.empty());
  CHECK(verify(out).empty());
  CHECK(out.records.size() == 1);
  CHECK(print(out) == R"(record S
  S *next
  double u

function external void g(S *s)
  call f(s)
  s->u = 1.0

function external void f(S *s)
  call g(s)
  s->u = 1.0
)");
  CHECK(out.functions[0].loc.file == 1);
}

TEST_CASE("two definitions of one function are an error") {
  std::vector<Module> parts = {part("a.cpp", "f", "g"), part("b.cpp", "f", "g")};
  Module out;
  std::vector<std::string> errors;
  CHECK_FALSE(link(std::move(parts), out, errors));
  REQUIRE(errors.size() == 1);
  CHECK(errors[0] == "'f' is defined in 'a.cpp' and in 'b.cpp'");
}

TEST_CASE("a record with two shapes is an error") {
  std::vector<Module> parts = {part("a.cpp", "f", "h"), part("b.cpp", "g", "h")};
  parts[1].records[0].fields.pop_back();
  Module out;
  std::vector<std::string> errors;
  CHECK_FALSE(link(std::move(parts), out, errors));
  CHECK(errors.size() == 1);
}
