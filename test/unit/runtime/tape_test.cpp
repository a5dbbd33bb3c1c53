// The tape gives back what it got, in reverse order, from memory that doesn't move.
#include <contraflow/tape.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using contraflow::Tape;

namespace {

struct Odd {
  char a;
  double b;
  short c;
};

// Counts how many are alive.
struct Counted {
  explicit Counted(int n) : number(n) { ++alive; }
  Counted(const Counted& other) : number(other.number) { ++alive; }
  ~Counted() { --alive; }
  int number;
  static int alive;
};
int Counted::alive = 0;

struct Throws {
  Throws() { throw 1; }
};

struct Aggregate {
  int a;
  std::vector<double> b;
};

template <class T>
bool aligned(const T* place, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(place) % alignment == 0;
}

}  // namespace

TEST_CASE("values of all kinds come back in reverse order") {
  Tape tape;
  double matrix[3][2] = {{1, 2}, {3, 4}, {5, 6}};
  int target = 0;
  tape.push(1.5f);
  tape.push(true);
  tape.push(matrix);
  tape.push(&target);
  tape.push(Odd{'x', 2.5, -3});
  tape.push(2.5L);
  CHECK(!tape.empty());

  CHECK(tape.pop<long double>() == 2.5L);
  const Odd odd = tape.pop<Odd>();
  CHECK(odd.a == 'x');
  CHECK(odd.b == 2.5);
  CHECK(odd.c == -3);
  CHECK(tape.pop<int*>() == &target);
  double back[3][2] = {};
  tape.pop(back);
  CHECK(back[2][1] == 6);
  CHECK(back[0][0] == 1);
  bool flag = false;
  tape.pop(flag);
  CHECK(flag);
  CHECK(tape.pop<float>() == 1.5f);
  CHECK(tape.empty());
}

TEST_CASE("a bool takes one byte") {
  Tape tape;
  for (int i = 0; i < 1000; ++i) tape.push(i % 3 == 0);
  CHECK(tape.bytes() == 1000);
}

TEST_CASE("ranges, the empty one with a null pointer too") {
  Tape tape;
  const std::vector<int> values{1, 2, 3};
  tape.pushRange(values.data(), 3);
  tape.pushRange<int>(nullptr, 0);
  tape.popRange<int>(nullptr, 0);
  std::vector<int> back(3);
  tape.restoreRange(back.data(), 3);
  CHECK(back == values);
  CHECK(tape.empty());
}

TEST_CASE("random sequences across chunk ends, several times on one tape") {
  std::mt19937 random(1);
  Tape tape;
  std::vector<std::uint64_t> expected;
  std::vector<std::size_t> sizes;
  const auto pushOne = [&] {
    // Now and then larger than any chunk, or exactly as large as the first.
    const std::size_t kinds[] = {1, 3, 8, 100, 2048, 300000, 0};
    const std::size_t n = kinds[random() % (random() % 50 == 0 ? 7 : 4)];
    std::vector<std::uint64_t> values(n);
    for (std::uint64_t& value : values) value = random();
    tape.pushRange(values.data(), n);
    expected.insert(expected.end(), values.begin(), values.end());
    sizes.push_back(n);
  };
  const auto popOne = [&] {
    const std::size_t n = sizes.back();
    sizes.pop_back();
    std::vector<std::uint64_t> values(n);
    tape.popRange(values.data(), n);
    const std::vector<std::uint64_t> wanted(expected.end() - static_cast<std::ptrdiff_t>(n), expected.end());
    expected.resize(expected.size() - n);
    return values == wanted;
  };
  bool ok = true;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 300; ++i) pushOne();
    // Back and forth, so that chunk ends are crossed at many places.
    for (int i = 0; i < 300; ++i)
      if (random() % 2 == 0 || sizes.empty())
        pushOne();
      else
        ok = ok && popOne();
    while (sizes.size() > (round % 3 == 0 ? 100u : 0u)) ok = ok && popOne();
  }
  while (!sizes.empty()) ok = ok && popOne();
  CHECK(ok);
  CHECK(tape.empty());
}

TEST_CASE("blocks are aligned, stable and nest with values") {
  Tape tape;
  tape.push('x');
  double* first = tape.block<double>(1000);
  for (int i = 0; i < 1000; ++i) first[i] = i;
  tape.push(true);
  const float* zeros = tape.zeroBlock<float>(100000);
  const int* nothing = tape.block<int>(0);
  CHECK(aligned(first, 64));
  CHECK(aligned(zeros, 64));
  CHECK(aligned(nothing, 64));
  bool ok = true;
  for (int i = 0; i < 100000; ++i) ok = ok && zeros[i] == 0;
  tape.releaseBlock();
  tape.releaseBlock();
  CHECK(tape.pop<bool>());
  for (int i = 0; i < 1000; ++i) ok = ok && first[i] == i;
  CHECK(ok);
  tape.releaseBlock();
  CHECK(tape.pop<char>() == 'x');
  CHECK(tape.empty());
}

TEST_CASE("a zeroed block is zero where there was something else before") {
  Tape tape;
  std::uint32_t* block = tape.block<std::uint32_t>(64);
  std::fill(block, block + 64, 0xffffffffu);
  tape.releaseBlock();
  block = tape.zeroBlock<std::uint32_t>(64);
  CHECK(std::count(block, block + 64, 0u) == 64);
}

TEST_CASE("blocks of every size up to several chunks") {
  Tape tape;
  for (std::size_t n = 0; n < 300; ++n) {
    char* block = tape.block<char>(n * 171);
    std::fill(block, block + n * 171, static_cast<char>(n));
    tape.push(n);
  }
  bool ok = true;
  for (std::size_t n = 300; n-- > 0;) {
    ok = ok && tape.pop<std::size_t>() == n;
    tape.releaseBlock();
  }
  CHECK(ok);
  CHECK(tape.empty());
}

TEST_CASE("frames hold objects of any type") {
  Tape tape;
  auto& vector = tape.create<std::vector<double>>(3u, 1.5);
  auto& text = tape.create<std::string>("a text long enough for the heap, I should think");
  double(&zeros)[3] = tape.create<double[3]>();
  auto& aggregate = tape.create<Aggregate>(7, std::vector<double>{1, 2});
  auto& pointer = tape.create<std::unique_ptr<int>>(new int(5));
  tape.push(1);
  vector.push_back(2.5);
  for (int i = 0; i < 10000; ++i) tape.push(i);
  CHECK(vector.size() == 4);
  CHECK(text.size() > 20);
  CHECK((zeros[0] == 0 && zeros[1] == 0 && zeros[2] == 0));
  CHECK(aggregate.b[1] == 2);
  CHECK(*pointer == 5);
  for (int i = 0; i < 10000; ++i) tape.pop<int>();
  CHECK(tape.pop<int>() == 1);
  CHECK(&tape.top<std::unique_ptr<int>>() == &pointer);
  tape.destroy<std::unique_ptr<int>>();
  tape.destroy<Aggregate>();
  tape.destroy<double[3]>();
  tape.destroy<std::string>();
  tape.destroy<std::vector<double>>();
  CHECK(tape.empty());
}

TEST_CASE("an array frame is zero where there was something else before, in two dimensions too") {
  Tape tape;
  tape.push(std::array<double, 6>{1, 1, 1, 1, 1, 1});
  tape.pop<std::array<double, 6>>();
  double(&zeros)[3][2] = tape.create<double[3][2]>();
  for (const auto& row : zeros)
    for (const double value : row) CHECK(value == 0);
  tape.destroy<double[3][2]>();
}

TEST_CASE("objects left on a tape are destroyed with it") {
  {
    Tape tape;
    tape.create<Counted>(1);
    for (int i = 0; i < 100000; ++i) tape.push(i);
    tape.create<std::array<Counted, 2>>(std::array<Counted, 2>{Counted(2), Counted(3)});
    tape.thread(2).create<Counted>(4);
    CHECK(Counted::alive == 4);
    Tape moved(std::move(tape));
    CHECK(Counted::alive == 4);
    CHECK(tape.empty());  // NOLINT: a moved-from tape is a fresh one
    tape.create<Counted>(5);
    tape = std::move(moved);
    CHECK(Counted::alive == 4);
  }
  CHECK(Counted::alive == 0);
}

TEST_CASE("a constructor that throws leaves the tape as it was") {
  Tape tape;
  tape.push(42);
  CHECK_THROWS_AS(tape.create<Throws>(), int);
  CHECK_THROWS_AS((tape.create<Throws[2]>()), int);
  CHECK(tape.pop<int>() == 42);
  CHECK(tape.empty());
}

TEST_CASE("too much memory is refused with both numbers") {
  Tape tape;
  tape.push(1);
  const std::size_t tooMany = std::numeric_limits<std::size_t>::max() / 16;
  int line = 0;
  try {
    line = __LINE__ + 1;
    tape.block<double>(tooMany);
    FAIL("no error");
  } catch (const std::bad_alloc& error) {
    const std::string text = error.what();
    CHECK(text.find("the tape can't get 922337203685477") != std::string::npos);
    CHECK(text.find(" for " + std::string(__func__) + ", line " + std::to_string(line) + "; it holds 16448 bytes") != std::string::npos);
  }
  try {
    tape.block<double>(std::numeric_limits<std::size_t>::max());
    FAIL("no error");
  } catch (const contraflow::TapeMemoryError& error) {
    CHECK(std::string(error.what()).find("more bytes than can be counted") != std::string::npos);
  }
  CHECK(tape.pop<int>() == 1);
}

TEST_CASE("memory is kept for reuse, and counted") {
  Tape tape;
  CHECK(tape.peakBytes() == 0);
  std::vector<double> values(100000);
  tape.pushRange(values.data(), values.size());
  CHECK(tape.bytes() == 800000);
  CHECK(tape.peakBytes() >= 800000);
  const std::size_t peak = tape.peakBytes();
  tape.popRange(values.data(), values.size());
  CHECK(tape.bytes() == 0);
  tape.pushRange(values.data(), values.size());
  CHECK(tape.peakBytes() == peak);
  tape.thread(1).push(1.0);
  CHECK(tape.bytes() == 800008);
  CHECK(tape.peakBytes() > peak);
}

TEST_CASE("threads have tapes of their own, made on demand at the same time, nested") {
  Tape tape;
  constexpr int kThreads = 8;
  std::vector<std::thread> threads;
  std::vector<Tape*> places(kThreads);
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 1000; ++i) tape.thread(t).push(t * 1000 + i);
      tape.thread(t).thread(1).push(t);
      places[static_cast<std::size_t>(t)] = &tape.thread(t);
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(!tape.empty());
  bool ok = true;
  for (int t = 0; t < kThreads; ++t) {
    ok = ok && places[static_cast<std::size_t>(t)] == &tape.thread(t) && tape.thread(t).thread(1).pop<int>() == t;
    for (int i = 1000; i-- > 0;) ok = ok && tape.thread(t).pop<int>() == t * 1000 + i;
  }
  CHECK(ok);
  CHECK(tape.empty());
}

TEST_CASE("a tape moves with its thread tapes and its scratch tape") {
  Tape tape;
  tape.thread(1).scratch().push(7);
  tape.thread(1).turn() = 3;
  Tape moved(std::move(tape));
  CHECK(!moved.empty());
  CHECK(moved.thread(1).scratch().turn() == 3);
  CHECK(&moved.thread(1).turn() == &moved.turn());
  CHECK(moved.thread(1).scratch().pop<int>() == 7);
  CHECK(moved.empty());
}

TEST_CASE("CONTRAFLOW_STATS=1 prints the peak when the process ends") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    setenv("CONTRAFLOW_STATS", "1", 1);
    {
      Tape tape;
      tape.block<char>(50000000);
    }
    std::exit(0);
  }
  close(ends[1]);
  std::string text;
  char part[256];
  for (ssize_t n = read(ends[0], part, sizeof part); n > 0; n = read(ends[0], part, sizeof part))
    text.append(part, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(text.find("contraflow: tape peak 5") == 0);
  CHECK(text.find(" bytes, 0 bytes at exit\n") != std::string::npos);
}

namespace {
struct Keep {
  std::size_t before = contraflow::tapeKeep();
  explicit Keep(std::size_t bytes) { contraflow::tapeKeep(bytes); }
  ~Keep() { contraflow::tapeKeep(before); }
};
}  // namespace

TEST_CASE("the memory of a tape that is gone is the next one's, up to a limit") {
  const std::size_t used = contraflow::tapeUse().bytes;
  const auto addressOf = [](std::size_t n) {
    Tape tape;
    double* block = tape.block<double>(n);
    for (std::size_t i = 0; i < n; ++i) block[i] = 1.0;
    return block;
  };
  contraflow::detail::TapePool& pool = contraflow::detail::TapePool::get();
  {
    const Keep none(0);  // what other tests left goes
    CHECK(pool.kept() == 0);
    addressOf(100000);
    CHECK(pool.kept() == 0);
    contraflow::tapeKeep(1000000);
    const double* first = addressOf(100000);
    CHECK(pool.kept() >= 800000);
    CHECK(contraflow::tapeUse().bytes == used);
    CHECK(addressOf(100000) == first);
    CHECK(addressOf(90000) == first);  // somewhat less fits too
    addressOf(1000);                   // much less doesn't take it
    const std::size_t kept = pool.kept();
    CHECK(kept >= 800000);
    addressOf(200000);  // more than the limit
    CHECK(pool.kept() == kept);
  }
  {
    // A chunk that is larger than was asked for is used to its end, and given back whole.
    const Keep some(10000000);
    addressOf(150000);
    const std::size_t kept = pool.kept();
    {
      Tape tape;
      tape.block<double>(110000);
      for (int i = 0; i < 200000; ++i) tape.push(i);
      for (int i = 200000; i-- > 0;) REQUIRE(tape.pop<int>() == i);
    }
    CHECK(pool.kept() >= kept);
    CHECK(contraflow::tapeUse().bytes == used);
    contraflow::tapeKeep(0);
    CHECK(pool.kept() == 0);
  }
  // Beyond what is held in any case the system may take the pages: what was written is gone, but they can be used.
  const Keep much(contraflow::detail::TapePool::kDefaultLimit + (std::size_t(1) << 28));
  const std::size_t large = contraflow::detail::TapePool::kHeld / sizeof(double) + 1000;
  const double* first = addressOf(large);
  CHECK(addressOf(large) == first);
}

#if defined(__linux__)
namespace {
// Sets where the tape spills to, and puts it back.
struct Spill {
  contraflow::TapeSpill before = contraflow::tapeSpill();
  Spill(const char* folder, std::size_t memory) { contraflow::tapeSpill() = {folder, memory}; }
  ~Spill() { contraflow::tapeSpill() = before; }
};
}  // namespace

TEST_CASE("beyond what may be in memory, the tape is in files without a name") {
  const std::size_t filesBefore = contraflow::tapeUse().inFiles;
  {
    const Spill spill(P_tmpdir, contraflow::tapeUse().bytes + 1000000);
    Tape tape;
    for (int i = 0; i < 1000000; ++i) tape.push(i);
    double* block = tape.block<double>(1000000);
    for (int i = 0; i < 1000000; ++i) block[i] = i;
    CHECK(contraflow::tapeUse().inFiles >= filesBefore + 10000000);
    CHECK(contraflow::tapeUse().peakInFiles >= contraflow::tapeUse().inFiles);
    bool good = block[999999] == 999999;
    tape.releaseBlock();
    for (int i = 1000000; i-- > 0;) good = good && tape.pop<int>() == i;
    CHECK(good);
  }
  CHECK(contraflow::tapeUse().inFiles == filesBefore);
}

TEST_CASE("a folder or disk that takes no tape is an error with its reason") {
  Tape tape;
  std::string text;
  const auto ask = [&] {
    try {
      tape.block<double>(10000000);
    } catch (const contraflow::TapeMemoryError& error) {
      text = error.what();
    }
  };
  {
    const Spill spill("/proc/none", 0);
    ask();
    CHECK(text.find("the tape can't get 8000") != std::string::npos);
    CHECK(text.find("(can't make a file in '/proc/none': No such file or directory); it holds 0 bytes") != std::string::npos);
  }
  rlimit limit{}, before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  limit = before;
  limit.rlim_cur = 4096;
  void (*handler)(int) = std::signal(SIGXFSZ, SIG_IGN);
  {
    const Spill spill(P_tmpdir, 0);
    setrlimit(RLIMIT_FSIZE, &limit);
    ask();
    setrlimit(RLIMIT_FSIZE, &before);
  }
  std::signal(SIGXFSZ, handler);
  CHECK(text.find("(no space for a file in '" P_tmpdir "': File too large)") != std::string::npos);
  ask();
  CHECK(!tape.empty());
}
#endif
