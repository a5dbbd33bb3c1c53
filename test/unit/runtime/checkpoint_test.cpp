// Schedules take as few steps as the theory says; a checkpoint gives each step the state it had.
#include <contraflow/checkpoint.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

using contraflow::Checkpoint;
using contraflow::fewestSteps;
using contraflow::Schedule;
using contraflow::SnapshotPlan;
using contraflow::Tape;

namespace {

// The fewest steps by search: run m steps, take a snapshot, reverse what is behind it, then what is before it.
std::int64_t search(std::int64_t steps, std::int64_t snapshots) {
  static std::vector<std::vector<std::int64_t>> known;
  if (steps <= 1) return 0;
  if (snapshots == 1) return steps * (steps - 1) / 2;
  const auto s = static_cast<std::size_t>(snapshots), l = static_cast<std::size_t>(steps);
  if (known.size() <= s) known.resize(s + 1);
  if (known[s].size() <= l) known[s].resize(l + 1, -1);
  if (known[s][l] >= 0) return known[s][l];
  std::int64_t best = INT64_MAX;
  for (std::int64_t m = 1; m < steps; ++m)
    best = std::min(best, m + search(steps - m, snapshots - 1) + search(m, snapshots));
  if (known[s].size() <= l) known[s].resize(l + 1, -1);
  return known[s][l] = best;
}

struct Count {
  std::int64_t run = 0;       // steps without recording
  std::size_t snapshots = 0;  // at the same time
};

// Both sweeps over `steps` steps; each is reversed when its turn comes, from the state in front of it.
Count simulate(bool binomial, std::int64_t amount, std::int64_t steps, bool known = true) {
  SnapshotPlan plan(binomial, amount, known ? steps : contraflow::kUnknownSteps);
  Count count;
  std::vector<std::int64_t> held;
  const auto pass = [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t k = from; k < to; ++k) {
      if (k == plan.next())
        for (std::size_t given : plan.makeRoom()) held.erase(held.begin() + static_cast<std::ptrdiff_t>(given));
      if (k == plan.next()) {
        plan.take();
        held.resize(plan.count() - 1);
        held.push_back(k);
      }
      count.snapshots = std::max(count.snapshots, held.size());
      ++count.run;
    }
  };
  pass(0, steps);
  for (std::int64_t k = steps - 1; k >= 0; --k) {
    plan.goBackTo(k);
    held.resize(plan.count());
    REQUIRE(held.back() == plan.last());
    REQUIRE(plan.last() <= k);
    pass(plan.last(), k);
  }
  return count;
}

}  // namespace

TEST_CASE("the formula for the fewest steps is what a search finds") {
  for (std::int64_t snapshots = 1; snapshots <= 8; ++snapshots)
    for (std::int64_t steps = 1; steps <= 60; ++steps) {
      INFO(steps << " steps, " << snapshots << " snapshots");
      REQUIRE(fewestSteps(steps, snapshots) == search(steps, snapshots));
    }
}

TEST_CASE("without knowing how many steps there are, a schedule keeps to its snapshots and takes few more than the fewest steps") {
  for (std::int64_t snapshots = 1; snapshots <= 12; ++snapshots)
    for (std::int64_t steps = 0; steps <= 300; ++steps) {
      INFO(steps << " steps, " << snapshots << " snapshots");
      const Count count = simulate(true, snapshots, steps, false);
      REQUIRE(count.snapshots <= static_cast<std::size_t>(snapshots));
      const std::int64_t fewest = steps == 0 ? 0 : fewestSteps(steps + 1, snapshots);
      REQUIRE(count.run >= fewest);
      REQUIRE(static_cast<double>(count.run) <= 1.5 * static_cast<double>(fewest));
    }
}

TEST_CASE("a binomial schedule takes the fewest steps with the snapshots that it has") {
  for (std::int64_t snapshots = 1; snapshots <= 12; ++snapshots)
    for (std::int64_t steps = 0; steps <= 130; ++steps) {
      INFO(steps << " steps, " << snapshots << " snapshots");
      const Count count = simulate(true, snapshots, steps);
      // The rest of the program is one step more, which runs in the forward sweep.
      REQUIRE(count.run == fewestSteps(steps + 1, snapshots));
      REQUIRE(count.snapshots <= static_cast<std::size_t>(snapshots));
    }
  const Count large = simulate(true, 20, 10000);
  CHECK(large.run == fewestSteps(10001, 20));
  CHECK(large.snapshots <= 20);
  CHECK(simulate(true, 3, 5000).run == fewestSteps(5001, 3));
}

TEST_CASE("a periodic schedule runs each step once more at most") {
  for (std::int64_t interval : {1, 2, 3, 7, 50, 1000})
    for (std::int64_t steps : {0, 1, 2, 7, 49, 50, 51, 333}) {
      INFO(steps << " steps, " << interval << " between snapshots");
      const Count count = simulate(false, interval, steps);
      CHECK(count.run <= 2 * steps);
      CHECK(static_cast<std::int64_t>(count.snapshots) <= (steps + interval - 1) / interval + interval);
    }
}

TEST_CASE("each step gets the state that it had, with exchanged pointers and vectors; in the end all is as before the loop") {
  for (const auto& [schedule, amount] : {std::pair<Schedule, std::uint64_t>{Schedule::Binomial, 3},
                                         {Schedule::Periodic, 4},
                                         {Schedule::Memory, 200}}) {
    const std::int64_t steps = 23;
    Tape tape;
    double a[2] = {1, 2}, b[2] = {3, 4}, a_b[2] = {}, b_b[2] = {};
    double *p = a, *q = b, *p_b = a_b, *q_b = b_b;
    std::vector<double> u{5, 6}, v{7, 8}, u_b{0, 0}, v_b{0, 0};
    int count = 0;
    const double* const uFirst = u.data();
    const double* const uShadow = u_b.data();
    const auto body = [&] {
      q[0] = p[0] + u[1];
      q[1] = 0.5 * p[1] - v[0];
      v[count % 2] = q[0];
      ++count;
      std::swap(p, q);
      u.swap(v);
    };
    const auto state = [&] { return std::vector<double>{p[0], p[1], q[0], q[1], u[0], u[1], v[0], v[1], double(count), double(p == a), double(u.data() == uFirst)}; };
    Checkpoint c(schedule, amount, steps);
    c.range(p, 2, false);
    c.range(q, 2, false);
    c.exchanged(u, u_b, false);
    c.exchanged(v, v_b, false);
    const auto addMovable = [&] {
      c.object(count, false);
      c.pointer(p, p_b, true);
      c.pointer(q, q_b, true);
    };
    addMovable();
    std::vector<std::vector<double>> before;
    for (std::int64_t k = 0; k < steps; ++k) {
      c.step();
      before.push_back(state());
      body();
    }
    c.follow();
    CHECK(p_b == (p == a ? a_b : b_b));
    c.again();
    addMovable();
    c.atEnd(tape);
    for (std::int64_t k = steps - 1; k >= 0; --k) {
      c.goBackTo(k);
      for (std::int64_t i = c.first(); i < k; ++i) {
        c.step();
        body();
      }
      c.follow();
      REQUIRE(state() == before[static_cast<std::size_t>(k)]);
      CHECK(p_b == (p == a ? a_b : b_b));
      CHECK((u_b.data() == uShadow) == (u.data() == uFirst));
    }
    c.atBegin(tape);
    CHECK(state() == before[0]);
  }
}

TEST_CASE("what the caller sees is noted once, and put back") {
  Tape tape;
  double x = 1;
  tape.keepAfterImage();
  Checkpoint c(Schedule::Binomial, 2, 10);
  c.object(x, true);
  for (int k = 0; k < 10; ++k) {
    c.step();
    x *= 2;
  }
  c.again();
  c.object(x, true);
  c.atEnd(tape);
  CHECK(!tape.keepsAfterImage());
  for (std::int64_t k = 9; k >= 0; --k) {
    c.goBackTo(k);
    for (std::int64_t i = c.first(); i < k; ++i) {
      c.step();
      x *= 2;
    }
    CHECK(x == double(1 << k));
  }
  c.atBegin(tape);
  CHECK(x == 1);
  tape.putAfterImage();
  CHECK(x == 1024);
}
