// The conflict distance is what trying all pairs of iterations gives, and no two threads meet in one part.
#include <contraflow/bands.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <vector>

using namespace contraflow::omp;

namespace {

struct Pattern {
  std::int64_t start, stride;  // of elements, from the beginning of one array
  std::vector<std::int64_t> offsets;
};

std::set<std::int64_t> touched(const std::vector<Pattern>& patterns, std::int64_t iteration) {
  std::set<std::int64_t> all;
  for (const Pattern& p : patterns)
    for (const std::int64_t o : p.offsets) all.insert(p.start + p.stride * iteration + o);
  return all;
}

bool meet(const std::set<std::int64_t>& a, const std::set<std::int64_t>& b) {
  return std::any_of(a.begin(), a.end(), [&](std::int64_t x) { return b.count(x) != 0; });
}

std::int64_t distanceByTrying(std::int64_t trips, const std::vector<Pattern>& patterns) {
  std::int64_t apart = 0;
  for (std::int64_t n = 0; n < trips; ++n)
    for (std::int64_t m = 0; m < n; ++m)
      if (meet(touched(patterns, n), touched(patterns, m))) apart = std::max(apart, n - m);
  return apart;
}

double memory[4096];
Reach reachOf(const Pattern& p) {
  const auto [low, high] = std::minmax_element(p.offsets.begin(), p.offsets.end());
  return reach(memory + 1000 + p.start, p.stride, *low, *high);
}

}  // namespace

TEST_CASE("one base: the distance is exact where the offsets fill their range") {
  for (const std::int64_t trips : {0, 1, 2, 7, 30})
    for (const std::int64_t stride : {1, 2, 5, -1, -3})
      for (const std::vector<std::int64_t>& offsets :
           {std::vector<std::int64_t>{0}, {-1, 0, 1}, {0, 1, 2, 3, 4}, {-6, -5, -4, -3, -2, -1, 0}}) {
        const Pattern p{0, stride, offsets};
        const std::int64_t tried = distanceByTrying(trips, {p}), found = conflictDistance(trips, reachOf(p));
        CHECK(found >= tried);
        if (trips == 30) CHECK(found == tried);
      }
}

TEST_CASE("two bases in one array") {
  const Pattern left{0, 1, {-1, 0, 1}}, right{100, 1, {-1, 0, 1}}, near{20, 1, {0}}, other{0, 2, {0}};
  CHECK(conflictDistance(30, reachOf(left), reachOf(right)) == 2);                       // apart from each other
  CHECK(conflictDistance(30, reachOf(left), reachOf(near)) == distanceByTrying(30, {left, near}));
  CHECK(conflictDistance(30, reachOf(left), reachOf(other)) >= 30);                       // another stride: everything may meet
  CHECK(conflictDistance(30, reachOf({0, 0, {0}})) >= 30);                                // one place for all
  CHECK(conflictDistance(30, reach(static_cast<const double*>(nullptr), 1, 0, 5)) == 0);  // no memory
  CHECK(conflictDistance(30) == 0);
}

TEST_CASE("bands cover each iteration once, and no two threads meet in one part") {
  const std::vector<std::vector<Pattern>> loops{{{0, 1, {-1, 0, 1}}},           {{0, 3, {0, 1, 2}}},         {{0, 4, {-8, 9}}},
                                                {{0, 1, {0}}, {7, 1, {0}}},     {{0, 0, {0}}},               {{0, -2, {0, 5}}},
                                                {{0, 1, {0}}, {0, 2, {0, 1}}}};
  for (const std::vector<Pattern>& loop : loops)
    for (const std::int64_t trips : {0, 1, 3, 16, 61})
      for (const int team : {1, 2, 3, 4, 9}) {
        std::int64_t apart = 0;
        for (const Pattern& p : loop)
          for (const Pattern& q : loop) apart = std::max(apart, conflictDistance(trips, reachOf(p), reachOf(q)));
        std::vector<int> runs(static_cast<std::size_t>(trips));
        for (int part = 0; part < 2; ++part) {
          std::vector<std::set<std::int64_t>> ofThread(static_cast<std::size_t>(team));
          for (int thread = 0; thread < team; ++thread) {
            const Range mine = band(trips, apart, part, thread, team);
            for (std::int64_t n = mine.first; n < mine.last; ++n) {
              ++runs[static_cast<std::size_t>(n)];
              const std::set<std::int64_t> places = touched(loop, n);
              ofThread[static_cast<std::size_t>(thread)].insert(places.begin(), places.end());
            }
          }
          for (std::size_t a = 0; a < ofThread.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) CHECK_FALSE(meet(ofThread[a], ofThread[b]));
        }
        CHECK(std::all_of(runs.begin(), runs.end(), [](int n) { return n == 1; }));
      }
}
