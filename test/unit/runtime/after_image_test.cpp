// After a reverse sweep, memory is what it was before: with one thread, with several, and with barriers.
#include <contraflow/tape.hpp>

#include <catch2/catch.hpp>

#include <vector>

using contraflow::Tape;

TEST_CASE("every restored place gets the value back that it had first") {
  Tape tape;
  double x = 1;
  double row[3] = {10, 20, 30};
  // Forward: x = 2, row = ..., x = 3.
  tape.push(x);
  x = 2;
  tape.pushRange(row, 3);
  row[0] = row[1] = row[2] = 0;
  tape.push(x);
  x = 3;

  tape.keepAfterImage();
  CHECK(tape.keepsAfterImage());
  tape.restore(x);
  CHECK(x == 2);
  tape.restoreRange(row, 3);
  CHECK(row[1] == 20);
  tape.restore(x);
  CHECK(x == 1);
  tape.putAfterImage();
  CHECK(x == 3);
  CHECK((row[0] == 0 && row[1] == 0 && row[2] == 0));
  CHECK(!tape.keepsAfterImage());
  CHECK(tape.empty());
}

TEST_CASE("nothing is logged while no after-image is kept") {
  Tape tape;
  double x = 1;
  tape.push(x);
  x = 2;
  tape.restore(x);
  tape.putAfterImage();
  CHECK(x == 1);
}

TEST_CASE("overlapping places of different sizes") {
  Tape tape;
  int values[4] = {1, 2, 3, 4};
  tape.pushRange(values, 4);
  values[1] = 20;
  tape.push(values[1]);
  values[1] = 200;
  tape.keepAfterImage();
  tape.restore(values[1]);
  tape.restoreRange(values, 4);
  CHECK(values[1] == 2);
  tape.putAfterImage();
  CHECK(values[1] == 200);
  CHECK(values[3] == 4);
}

TEST_CASE("phases of a team are undone in order, whichever thread comes first") {
  // Thread a restores x in phase 0, thread b in phase 1; both ways round. The value first logged is the final one.
  for (const int first : {0, 1}) {
    const int second = 1 - first;
    Tape tape;
    double x = 3;
    tape.thread(first).push(2.0);
    tape.thread(second).push(1.0);
    tape.keepAfterImage();
    tape.thread(first).restore(x);
    tape.thread(first).barrier();
    tape.thread(second).barrier();
    tape.thread(second).restore(x);
    tape.joinThreads();
    CHECK(x == 1);
    tape.putAfterImage();
    CHECK(x == 3);
  }
}

TEST_CASE("one parallel region after another, serial code between, threads made late") {
  Tape tape;
  double x = 5;
  tape.thread(0).push(1.0);
  tape.push(2.0);
  tape.thread(1).push(3.0);
  tape.keepAfterImage();
  tape.thread(1).restore(x);  // x = 3
  tape.joinThreads();
  tape.restore(x);  // x = 2
  tape.thread(0).restore(x);
  tape.joinThreads();
  tape.thread(7).push(0.5);
  tape.thread(7).restore(x);
  CHECK(x == 0.5);
  tape.putAfterImage();  // joins what hasn't been joined
  CHECK(x == 5);
  CHECK(!tape.thread(7).keepsAfterImage());
}

TEST_CASE("nested teams") {
  Tape tape;
  double x = 4;
  Tape& outer = tape.thread(1);
  outer.push(3.0);
  outer.thread(1).push(2.0);
  outer.push(1.0);
  tape.keepAfterImage();
  outer.restore(x);  // 1
  outer.barrier();
  outer.thread(1).restore(x);  // 2
  outer.joinThreads();
  outer.restore(x);  // 3
  tape.thread(0).barrier();
  tape.joinThreads();
  CHECK(x == 3);
  tape.putAfterImage();
  CHECK(x == 4);
}

TEST_CASE("a long log") {
  Tape tape;
  std::vector<double> x(1000, 0.0);
  for (int round = 0; round < 50; ++round)
    for (double& value : x) {
      tape.push(value);
      value += 1;
    }
  tape.keepAfterImage();
  for (int round = 0; round < 50; ++round)
    for (std::size_t i = x.size(); i-- > 0;) tape.restore(x[i]);
  CHECK(x == std::vector<double>(1000, 0.0));
  tape.putAfterImage();
  CHECK(x == std::vector<double>(1000, 50.0));
}

TEST_CASE("the log is as large as the memory that is restored, not as the tape") {
  Tape tape;
  std::vector<double> u(1000);
  std::vector<float> f(1001);
  std::vector<char> c(100);
  const auto step = [&](double to) {
    for (double& x : u) tape.push(x), x = to;
    tape.pushRange(f.data(), f.size());
    for (float& x : f) x = static_cast<float>(to);
    for (char& x : c) tape.push(x), x = static_cast<char>(to);
    tape.push(f[7]);
    f[7] = 1;
  };
  for (int t = 1; t <= 50; ++t) step(t);
  f[7] = -1;
  tape.keepAfterImage();
  const std::size_t recorded = tape.bytes();
  for (int t = 50; t >= 1; --t) {
    tape.restore(f[7]);
    for (std::size_t i = c.size(); i-- > 0;) tape.restore(c[i]);
    tape.restoreRange(f.data(), f.size());
    for (std::size_t i = u.size(); i-- > 0;) tape.restore(u[i]);
  }
  CHECK(u[3] == 0);
  CHECK(f[7] == 0);
  CHECK(tape.bytes() < recorded / 2);  // single bytes are logged each time
  tape.putAfterImage();
  CHECK((u[0] == 50 && u[999] == 50));
  CHECK((f[0] == 50 && f[1000] == 50 && f[7] == -1));
  CHECK((c[0] == 50 && c[99] == 50));
}

TEST_CASE("a structural operation that is done again reads what was logged after it") {
  struct Move final : contraflow::detail::Redo {
    double &from, &to;
    Move(double& f, double& t) : from(f), to(t) {}
    void operator()(contraflow::detail::Redone&) override { to = from; }
  };
  Tape tape;
  double x = 1, y = 0;
  // Forward: x = 2, y = x, x = 3.
  tape.push(x);
  x = 2;
  y = x;
  tape.push(x);
  x = 3;
  tape.keepAfterImage();
  tape.restore(x);
  tape.keepRedo(std::make_unique<Move>(x, y), &y);
  y = 0;
  tape.restore(x);
  tape.putAfterImage();
  CHECK(x == 3);
  CHECK(y == 2);
}
