// What threads add to copies arrives whole, wherever it goes; what is read in between isn't stale.
#include <contraflow/sums.hpp>

#include <catch2/catch.hpp>

#include <cstdint>
#include <numeric>
#include <vector>

using namespace contraflow::omp;

namespace {

// A number for each n, without any pattern.
std::uint64_t mixed(std::uint64_t n) {
  n = (n ^ (n >> 31)) * 0x9e3779b97f4a7c15u;
  n = (n ^ (n >> 29)) * 0xbf58476d1ce4e5b9u;
  return n ^ (n >> 32);
}

// Adds 1 to a place for each of the iterations. (Small integers, so that the order of sums doesn't matter.)
template <class T, class Place, class... Apart>
void addAll(int threads, int iterations, std::vector<T>& to, Place place, const Apart&... apart) {
  Sums<T> sums;
#pragma omp parallel num_threads(threads)
  {
    Copy<T> copy(sums, apart...);
#pragma omp for schedule(static)
    for (int i = 0; i < iterations; ++i) copy.add(to[static_cast<std::size_t>(place(i))], 1.0);
    sums.addUp();
  }
}

template <class T, class Place>
void check(int iterations, std::size_t size, Place place) {
  std::vector<T> expected(size, T(1));
  for (int i = 0; i < iterations; ++i) expected[static_cast<std::size_t>(place(i))] += T(1);
  for (const int threads : {1, 2, 3, 5}) {
    std::vector<T> got(size, T(1));
    addAll(threads, iterations, got, place);
    CHECK(got == expected);
  }
}

}  // namespace

TEST_CASE("sums of all kinds of places") {
  check<double>(0, 10, [](int i) { return i; });
  check<double>(1, 10, [](int i) { return i; });
  check<double>(5000, 5000, [](int i) { return i; });
  check<double>(5000, 5000, [](int i) { return 4999 - i; });
  check<double>(5000, 7, [](int i) { return i % 7; });
  check<double>(5000, 200000, [](int i) { return 39 * i; });
  check<double>(20000, 20000, [](int i) { return static_cast<int>(mixed(static_cast<std::uint64_t>(i)) % 20000); });
  check<float>(20000, 900, [](int i) { return static_cast<int>(mixed(static_cast<std::uint64_t>(i)) % 900); });
  check<long double>(3000, 900, [](int i) { return static_cast<int>(mixed(static_cast<std::uint64_t>(i)) % 900); });
  // Near to each other in two places that lie far apart, then in a third one.
  check<double>(9000, 3000000, [](int i) { return i < 6000 ? (i % 2) * 2500000 + i % 50 : 1000000 + i; });
}

TEST_CASE("what must lie apart is never held in a window") {
  for (const int threads : {2, 4}) {
    std::vector<double> x(4000, 0.0);
    bool stale = false;
    Sums<double> sums;
    double* const p = x.data();
#pragma omp parallel num_threads(threads) reduction(|| : stale)
    {
      Copy<double> copy(sums, contraflow::rangeOf(p, 1000, 1999), contraflow::rangeOf(p + 3000, 0));
#pragma omp for schedule(static)
      for (int i = 0; i < 4000; ++i) {
        copy.add(x[static_cast<std::size_t>(i)], 2.0);
        if (i >= 1000 && i < 2000) stale = stale || x[static_cast<std::size_t>(i)] != 2.0;
        if (i == 3000) stale = stale || x[3000] != 2.0;
      }
      sums.addUp();
    }
    CHECK(!stale);
    CHECK(std::accumulate(x.begin(), x.end(), 0.0) == 8000.0);
  }
}

TEST_CASE("what is settled can be read and set to zero") {
  std::vector<double> x(900, 0.0);
  bool stale = false;
  Sums<double> sums;
#pragma omp parallel num_threads(3) reduction(|| : stale)
  {
    Copy<double> copy(sums), other(sums);
#pragma omp for schedule(static)
    for (int i = 0; i < 900; ++i) {
      double& element = x[static_cast<std::size_t>(i)];
      copy.add(element, 2.0);
      other.subtract(element, 5.0);
      settle(element, copy, other);
      stale = stale || element != -3.0;
      element = 0.0;
      copy.add(element, 7.0);
    }
    sums.addUp();
  }
  CHECK(!stale);
  CHECK(x == std::vector<double>(900, 7.0));
}

TEST_CASE("members between others") {
  struct Cell {
    int kind;
    double value;
    float weight;
  };
  std::vector<Cell> cells(500, Cell{7, 0.0, 1.0f});
  Sums<double> sums;
  Sums<float> floats;
#pragma omp parallel num_threads(4)
  {
    Copy<double> values(sums);
    Copy<float> weights(floats);
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < 5000; ++i) {
      values.add(cells[static_cast<std::size_t>(i % 500)].value, 1.0);
      weights.add(cells[static_cast<std::size_t>((7 * i) % 500)].weight, 2.0);
    }
    sums.addUp();
    floats.addUp();
  }
  bool all = true;
  for (const Cell& c : cells) all = all && c.kind == 7 && c.value == 10.0 && c.weight == 21.0f;
  CHECK(all);
}

TEST_CASE("loops of a region share their sums") {
  std::vector<double> x(300, 0.0), y(300, 0.0);
  Sums<double> sums;
#pragma omp parallel num_threads(3)
  for (int step = 0; step < 4; ++step) {
    Copy<double> first(sums);
#pragma omp for
    for (int i = 0; i < 300; ++i) first.add(x[static_cast<std::size_t>((i * 7) % 300)], 1.0);
    sums.addUp();
    Copy<double> second(sums), third(sums);
#pragma omp for
    for (int i = 0; i < 300; ++i) {
      second.add(x[static_cast<std::size_t>(i)], 1.0);
      third.add(y[static_cast<std::size_t>(299 - i)], 1.0);
    }
    sums.addUp();
  }
  CHECK(x == std::vector<double>(300, 8.0));
  CHECK(y == std::vector<double>(300, 4.0));
}
