#include <catch2/catch.hpp>

#include "ir/equal.hpp"
#include "ir_builder.hpp"

using namespace contraflow::test;

TEST_CASE("expressions are equal by structure, not by the names of their variables") {
  Builder b;
  const VarId x = b.local("x", b.Double), other = b.local("x", b.Double), y = b.local("y", b.Double);
  const auto product = [&](VarId v) { return b.add(b.mul(b.ref(v), b.real("2.0")), b.ref(y)); };
  CHECK(equal(b.f, product(x), product(x)));
  CHECK_FALSE(equal(b.f, product(x), product(other)));  // printed alike
  CHECK_FALSE(equal(b.f, b.mul(b.ref(x), b.ref(y)), b.add(b.ref(x), b.ref(y))));
  CHECK_FALSE(equal(b.f, b.ref(x), b.real("2.0")));
  CHECK_FALSE(equal(b.f, b.ref(x), {}));
}
