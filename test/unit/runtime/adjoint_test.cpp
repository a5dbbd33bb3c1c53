// The small pieces of generated adjoints.
#if defined(__unix__)
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <contraflow/adjoint.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <vector>

using namespace contraflow;

TEST_CASE("trips of 64-bit unsigned counters are counted as C++ compares") {
  const std::size_t none = 0;
  CHECK(tripCount(none - 1, Compare::Less, none + 1, 1) == 0);
  CHECK(tripCount(none - 1, Compare::LessEqual, std::size_t(3), 1) == 0);
  CHECK(tripCount(none - 3, Compare::Less, none - 1, 1) == 2);
  CHECK(tripCount(-1, Compare::Less, std::size_t(2), 1) == 0);
  CHECK(tripCount(-1, Compare::Less, 2u, 1) == 0);
  CHECK(tripCount(-1, Compare::Less, 2, 1) == 3);
}

TEST_CASE("trip counts are those of the loops") {
  for (std::int64_t init = -4; init <= 4; ++init)
    for (std::int64_t bound = -4; bound <= 4; ++bound)
      for (std::int64_t step = 1; step <= 3; ++step) {
        std::int64_t less = 0, lessEqual = 0, greater = 0, greaterEqual = 0;
        for (auto i = init; i < bound; i += step) ++less;
        for (auto i = init; i <= bound; i += step) ++lessEqual;
        for (auto i = init; i > bound; i -= step) ++greater;
        for (auto i = init; i >= bound; i -= step) ++greaterEqual;
        CHECK(tripCount(init, Compare::Less, bound, step) == less);
        CHECK(tripCount(init, Compare::LessEqual, bound, step) == lessEqual);
        CHECK(tripCount(init, Compare::Greater, bound, -step) == greater);
        CHECK(tripCount(init, Compare::GreaterEqual, bound, -step) == greaterEqual);
        if ((bound - init) % step == 0) {
          CHECK(tripCount(init, Compare::NotEqual, bound, bound < init ? -step : step) ==
                (bound < init ? greater : less));
        }
        CHECK(iterationNumber(init + 5 * step, init, step) == 5);
        CHECK(iterationNumber(init - 5 * step, init, -step) == 5);
      }
}

TEST_CASE("updates recorded in a row are undone in the opposite row") {
  Tape tape;
  double x = 1;
  float y = 0;
#ifdef _OPENMP
#pragma omp parallel num_threads(4)
#endif
  for (int i = 0; i < 100; ++i) {
    omp::recordedAdd(threadTape(tape), x, 0.1);
    omp::recordedAdd(threadTape(tape), y, 1.0);  // a value of another type
  }
  CHECK(x > 10);
  const double last = x;
  tape.keepAfterImage();
#ifdef _OPENMP
#pragma omp parallel num_threads(4)
#endif
  for (int i = 0; i < 100; ++i) {
    omp::restoreAdd(threadTape(tape), y);
    omp::restoreAdd(threadTape(tape), x);
  }
  CHECK(x == 1);
  CHECK(y == 0);
  tape.putAfterImage();
  CHECK(x == last);
}

TEST_CASE("sums and element-wise additions") {
  CHECK(sum(std::vector<double>{1, 2, 3}) == 6);
  std::vector<std::vector<double>> a{{1, 2}, {3}};
  addTo(a, {{10, 20}, {30}});
  CHECK(a == std::vector<std::vector<double>>{{11, 22}, {33}});
  double b[2][2] = {{1, 2}, {3, 4}};
  const double c[2][2] = {{10, 20}, {30, 40}};
  addTo(b, c);
  CHECK(b[1][1] == 44);
  copy(b, c);
  CHECK(b[0][1] == 20);
  std::array<float, 2> d{1, 2};
  addTo(d, std::array<float, 2>{1, 1});
  CHECK(d[1] == 3);
}

#if defined(__unix__)
TEST_CASE("a loop with != that doesn't step onto its bound ends the run, also by a large unsigned step") {
  const auto stops = [](auto init, auto bound, auto step) {
    const pid_t child = fork();
    if (child == 0) {
      std::fclose(stderr);
      std::signal(SIGABRT, SIG_DFL);
      tripCount(init, Compare::NotEqual, bound, step);
      std::_Exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
  };
  // 3 * 2^30, 0, 2^30: through the end of the type.
  CHECK(stops(3u << 30, 1u << 30, 1u << 30));
  CHECK(stops(0u, 7u, 2));
  CHECK_FALSE(stops(10u, 2u, -4u));
  CHECK(tripCount(10u, Compare::NotEqual, 2u, -4u) == 2);
}
#endif
