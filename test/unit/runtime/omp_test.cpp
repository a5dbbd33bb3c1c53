// The division of loops covers every iteration once, fits OpenMP's, and is the same backwards.
#include <contraflow/omp.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using contraflow::Tape;
using namespace contraflow::omp;

namespace {

std::vector<std::pair<std::int64_t, std::int64_t>> blocks(std::int64_t n, std::int64_t chunk, int thread, int team,
                                                          bool reversed) {
  std::vector<std::pair<std::int64_t, std::int64_t>> result;
  for (const Range range : Chunks(n, chunk, thread, team, reversed)) result.emplace_back(range.first, range.last);
  return result;
}

}  // namespace

TEST_CASE("blocks are contiguous, in order, and of equal size but for one") {
  for (const std::int64_t n : {0, 1, 5, 8, 100})
    for (const int team : {1, 2, 3, 8, 13}) {
      std::int64_t next = 0;
      for (int thread = 0; thread < team; ++thread) {
        const Range range = staticRange(n, thread, team);
        CHECK(range.first == next);
        CHECK(range.last - range.first >= n / team);
        CHECK(range.last - range.first <= n / team + 1);
        next = range.last;
      }
      CHECK(next == n);
    }
  CHECK(staticRange(-3, 0, 1).last == 0);
}

TEST_CASE("chunks go round robin, as OpenMP's do") {
  for (const std::int64_t n : {0, 1, 7, 24, 25, 100})
    for (const std::int64_t chunk : {1, 2, 5, 1000})
      for (const int team : {1, 2, 3, 5})
        for (int thread = 0; thread < team; ++thread) {
          std::vector<std::pair<std::int64_t, std::int64_t>> wanted;
          for (std::int64_t first = thread * chunk; first < n; first += team * chunk)
            wanted.emplace_back(first, std::min(first + chunk, n));
          CHECK(blocks(n, chunk, thread, team, false) == wanted);
          std::reverse(wanted.begin(), wanted.end());
          CHECK(blocks(n, chunk, thread, team, true) == wanted);
        }
}

TEST_CASE("no chunk means one block, nothing where there is none") {
  CHECK(blocks(10, 0, 1, 3, false) == std::vector<std::pair<std::int64_t, std::int64_t>>{{4, 7}});
  CHECK(blocks(10, -1, 1, 3, true) == std::vector<std::pair<std::int64_t, std::int64_t>>{{4, 7}});
  CHECK(blocks(1, 0, 2, 3, false).empty());
  CHECK(blocks(-5, 2, 0, 1, false).empty());
}

TEST_CASE("64 bits suffice for the longest loops and chunks") {
  const std::int64_t longest = std::numeric_limits<std::int64_t>::max();
  CHECK(staticRange(longest, 7, 8).last == longest);
  CHECK(blocks(longest, longest, 0, 64, false) == std::vector<std::pair<std::int64_t, std::int64_t>>{{0, longest}});
  CHECK(blocks(longest, longest, 1, 64, false).empty());
  const std::int64_t half = longest / 2;
  CHECK(blocks(longest, half, 0, 3, false) == std::vector<std::pair<std::int64_t, std::int64_t>>{{0, half}});
  CHECK(blocks(longest, half, 2, 3, false) == std::vector<std::pair<std::int64_t, std::int64_t>>{{2 * half, longest}});
}

TEST_CASE("the forms with a function") {
  std::vector<std::int64_t> firsts;
  staticChunks(5, 2, [&](Range range) { firsts.push_back(range.first); });
  staticChunksReversed(5, 2, [&](Range range) { firsts.push_back(range.first); });
  CHECK(firsts == std::vector<std::int64_t>{0, 2, 4, 4, 2, 0});
}

TEST_CASE("outside of parallel regions there is a team of one") {
  CHECK(threadNumber() == 0);
  CHECK(teamSize() == 1);
  checkTeam(1);
}

TEST_CASE("another team size than the recorded one stops the run") {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);  // not Catch's
    std::fclose(stderr);
    checkTeam(2);
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
}

TEST_CASE("the loop of a team") {
  std::vector<int> forward(1001);
  std::vector<int> reverse(1001);
#ifdef _OPENMP
#pragma omp parallel num_threads(4)
#endif
  {
    for (const Range range : staticChunks(1001, 7))
      for (auto i = range.first; i < range.last; ++i) forward[static_cast<std::size_t>(i)] += 1 + threadNumber();
    for (const Range range : staticChunksReversed(1001, 7))
      for (auto i = range.last; i-- > range.first;) reverse[static_cast<std::size_t>(i)] += 1 + threadNumber();
  }
  CHECK(forward == reverse);
  CHECK(std::count(forward.begin(), forward.end(), 0) == 0);
}

#ifdef _OPENMP
TEST_CASE("chunks are those of schedule(static, chunk)") {
  std::vector<int> theirs(1001);
  std::vector<int> ours(1001);
#pragma omp parallel num_threads(3)
  {
#pragma omp for schedule(static, 4)
    for (int i = 0; i < 1001; ++i) theirs[static_cast<std::size_t>(i)] = omp_get_thread_num();
    for (const Range range : staticChunks(1001, 4))
      for (auto i = range.first; i < range.last; ++i) ours[static_cast<std::size_t>(i)] = threadNumber();
  }
  CHECK(theirs == ours);
}
#endif

TEST_CASE("atomic additions add up") {
  float f = 0;
  double d = 0;
  long double l = 0;
#ifdef _OPENMP
#pragma omp parallel for num_threads(4)
#endif
  for (int i = 0; i < 4000; ++i) {
    atomicAdd(f, 1.0f);
    atomicAdd(d, 1.0);
    atomicAdd(l, 1.0L);
  }
  CHECK(f == 4000);
  CHECK(d == 4000);
  CHECK(l == 4000);
}

TEST_CASE("tickets replay a critical backwards") {
  Tickets tickets;
  Tape tape;
  std::vector<int> order;
  std::vector<int> back;
  for (int round = 0; round < 2; ++round) {  // tickets can be used again
    order.clear();
    back.clear();
#ifdef _OPENMP
#pragma omp parallel num_threads(4)
#endif
    {
      Tape& mine = tape.thread(threadNumber());
      for (int i = 0; i < 50; ++i) {
#ifdef _OPENMP
#pragma omp critical
#endif
        {
          mine.push(tickets.take());
          order.push_back(threadNumber());
        }
      }
    }
    tickets.startReverse();
#ifdef _OPENMP
#pragma omp parallel num_threads(4)
#endif
    {
      Tape& mine = tape.thread(threadNumber());
      for (int i = 0; i < 50; ++i) {
        tickets.waitFor(mine.pop<long>());
        back.push_back(threadNumber());  // no lock: it is our turn
        tickets.done();
      }
    }
    std::reverse(back.begin(), back.end());
    CHECK(order == back);
  }
  CHECK(tape.empty());
}

TEST_CASE("a barrier separates phases of the after-image") {
  Tape tape;
  std::vector<double> x(4, 3.0);
#ifdef _OPENMP
#pragma omp parallel num_threads(4)
#endif
  {
    Tape& mine = tape.thread(threadNumber());
    mine.push(1.0);
    mine.push(2.0);
  }
  tape.keepAfterImage();
#ifdef _OPENMP
#pragma omp parallel num_threads(4)
#endif
  {
    const auto me = static_cast<std::size_t>(threadNumber());
    const auto team = static_cast<std::size_t>(teamSize());
    Tape& mine = tape.thread(threadNumber());
    mine.restore(x[me]);
    barrier(mine);
    mine.restore(x[(me + 1) % team]);
  }
  tape.joinThreads();
  CHECK(x[0] == 1.0);
  tape.putAfterImage();
  CHECK(x == std::vector<double>(4, 3.0));
}
