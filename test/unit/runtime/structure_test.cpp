// Structural operations on vectors and their inverses: sizes, values and addresses, with and without an after-image.
#include <contraflow/structure.hpp>

#include <catch2/catch.hpp>

#include <vector>

using contraflow::Dropped;
using contraflow::Tape;
using Vector = std::vector<double>;

TEST_CASE("growth is undone: the old buffer comes back, with the values of now") {
  Tape tape;
  Vector v{1, 2};
  v.shrink_to_fit();
  double* const first = v.data();
  contraflow::resize(v, 3, tape);
  CHECK(v == Vector{1, 2, 0});
  CHECK(v.data() != first);
  v[0] = 7;
  contraflow::revert(v, tape);
  CHECK(v.data() == first);
  CHECK(v == Vector{7, 2});
  CHECK(tape.empty());
}

TEST_CASE("growth by one moves the vector a logarithmic number of times") {
  Tape tape;
  Vector v;
  int moves = 0;
  for (int k = 0; k < 1000; ++k) {
    const double* const before = v.data();
    contraflow::resize(v, v.size() + 1, tape);
    moves += v.data() != before;
    v.back() = k;
  }
  CHECK(moves <= 11);
  for (int k = 999; k >= 0; --k) {
    CHECK(v.back() == k);
    contraflow::revert(v, tape);
  }
  CHECK(v.empty());
  CHECK(tape.empty());
}

TEST_CASE("dropped elements come back, or zeros do") {
  Tape tape;
  Vector v{1, 2, 3};
  contraflow::resize(v, 1, tape);
  contraflow::revert(v, tape);
  CHECK(v == Vector{1, 2, 3});
  contraflow::resize(v, 0, tape, Dropped::Zero);
  contraflow::revert(v, tape);
  CHECK(v == Vector{0, 0, 0});
  CHECK(tape.empty());
}

TEST_CASE("a shadow moves only when its primal does") {
  Tape tape;
  Vector v, shadow;
  contraflow::reserve(v, 4, tape);
  contraflow::follow(shadow, v, tape, Dropped::Zero);
  double* const place = shadow.data();
  for (int k = 0; k < 4; ++k) {
    contraflow::resize(v, v.size() + 1, tape);
    contraflow::follow(shadow, v, tape, Dropped::Zero);
    CHECK(shadow.data() == place);
  }
  CHECK(shadow == Vector(4));
}

TEST_CASE("vectors in vectors keep their buffers through growth and back") {
  Tape tape;
  std::vector<Vector> rows{{1, 2}};
  rows.shrink_to_fit();
  double* const inner = rows[0].data();
  contraflow::resize(rows, 2, tape);
  CHECK(rows[0].data() == inner);
  contraflow::resize(rows, 0, tape);
  contraflow::revert(rows, tape);
  CHECK(rows[0].data() == inner);
  contraflow::revert(rows, tape);
  CHECK(rows.size() == 1);
  CHECK(rows[0].data() == inner);
  CHECK(tape.empty());
}

TEST_CASE("the after-image does it all again, in the same buffers") {
  Tape tape;
  tape.keepAfterImage();
  Vector v{1, 2};
  v.shrink_to_fit();
  contraflow::resize(v, 3, tape);
  tape.push(v[0]);
  v[0] = 5;
  v[2] = 6;
  double* const last = v.data();
  {
    Vector& local = tape.create<Vector>(2u, 8.0);
    v.swap(local);
    contraflow::restoreSwap(v, local, tape);
    tape.destroy<Vector>();
  }
  tape.restore(v[0]);
  contraflow::restore(v, tape);
  CHECK(v == Vector{1, 2});
  tape.putAfterImage();
  CHECK(v == Vector{8, 8});
  CHECK(v.data() != last);
  CHECK(tape.empty());
}

TEST_CASE("seeds are put aside and added") {
  Vector v{1}, shadow{1, 2, 3}, seeds;
  contraflow::takeSeeds(seeds, shadow, v);
  CHECK(shadow == Vector{0});
  shadow.resize(3);
  contraflow::addSeeds(shadow, seeds, "v");
  CHECK(shadow == Vector{1, 2, 3});
}
