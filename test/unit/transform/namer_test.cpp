// The names of derivatives.
#include <catch2/catch.hpp>

#include "ir_maker.hpp"
#include "transform/namer.hpp"

namespace contraflow::test {
namespace {

using namespace ir;

FuncId function(IrMaker& x, const std::string& name, std::vector<TypeId> params) {
  x.begin(name, x.real);
  for (const TypeId t : params) x.param("p", t);
  return x.end({});
}

}  // namespace

TEST_CASE("names of derivatives") {
  IrMaker x;
  const FuncId misfit = function(x, "misfit", {x.constPointer});
  const FuncId plus = function(x, "operator+", {x.real, x.real});
  CHECK(transform::derivativeName(x.m, misfit, FunctionKind::Tangent) == "misfit_d");
  CHECK(transform::derivativeName(x.m, misfit, FunctionKind::Adjoint) == "misfit_b");
  CHECK(transform::derivativeName(x.m, misfit, FunctionKind::Forward) == "misfit_fwd");
  CHECK(transform::derivativeName(x.m, plus, FunctionKind::Tangent) == "plus_d");
}

TEST_CASE("overloads keep one name unless they would collide") {
  IrMaker x;
  const FuncId one = function(x, "f", {x.real}), array = function(x, "f", {x.pointer}), two = function(x, "f", {x.real, x.real});
  CHECK(transform::derivativeName(x.m, one, FunctionKind::Tangent) == "f_d");
  CHECK(transform::derivativeName(x.m, array, FunctionKind::Tangent) == "f_d");
  CHECK(transform::derivativeName(x.m, two, FunctionKind::Tangent) == "f_2_d");  // f(x) has f_d(x, x_d)
}

TEST_CASE("the program's own names aren't taken") {
  IrMaker x;
  const FuncId f = function(x, "f", {x.real});
  function(x, "f_b", {x.real});
  CHECK(transform::derivativeName(x.m, f, FunctionKind::Adjoint) == "f_2_b");
}

}  // namespace contraflow::test
