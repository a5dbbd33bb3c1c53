// Ranges of elements that lie apart, touch, and overlap.
#include <contraflow/ranges.hpp>

#include <catch2/catch.hpp>

using contraflow::apart;
using contraflow::rangeOf;

TEST_CASE("ranges of one array") {
  const double work[20] = {};
  const double *u = work, *v = work + 10;
  CHECK(apart(rangeOf(u, 0, 9), rangeOf(v, 0, 9)));
  CHECK(apart(rangeOf(v, 0, 9), rangeOf(u, 0, 9)));
  CHECK(!apart(rangeOf(u, 0, 10), rangeOf(v, 0, 9)));  // by one element
  CHECK(!apart(rangeOf(u, 9, 0), rangeOf(v, -1, 8)));
  CHECK(!apart(rangeOf(u, 3), rangeOf(u, 3)));
  CHECK(apart(rangeOf(u, 3), rangeOf(u, 4)));
  CHECK(!apart(rangeOf(u, 0, 19), rangeOf(v, 2, 3)));  // one inside the other
  CHECK(!apart(rangeOf(v, 2, 3), rangeOf(u, 0, 19)));
}

TEST_CASE("offsets in any order, elements of different sizes") {
  alignas(double) const unsigned char memory[80] = {};
  const auto* d = reinterpret_cast<const double*>(memory);
  const auto* f = reinterpret_cast<const float*>(memory);
  CHECK(apart(rangeOf(d, 4L, 0, 2), rangeOf(f, 10, 12)));
  CHECK(!apart(rangeOf(d, 4, 0), rangeOf(f, 9, 12)));
}
