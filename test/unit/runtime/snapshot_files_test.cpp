// Snapshots in files: each step gets the state that it had; a damaged file or a disk that takes no more ends the run with its name; the
// folder is empty in the end, whatever killed runs have left.
#include <contraflow/snapshot_files.hpp>

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using contraflow::Checkpoint;
using contraflow::checkpointStatistics;
using contraflow::Schedule;
using contraflow::Tape;

namespace {

// A folder of its own, gone in the end.
struct Folder {
  std::string path;
  Folder() {
    path = P_tmpdir "/contraflow-snapshots-XXXXXX";
    REQUIRE(::mkdtemp(path.data()) != nullptr);
  }
  ~Folder() {
    for (const std::string& f : files()) ::unlink((path + "/" + f).c_str());
    ::rmdir(path.c_str());
  }
  std::set<std::string> files() const {
    std::set<std::string> all;
    DIR* folder = ::opendir(path.c_str());
    while (const dirent* one = ::readdir(folder))
      if (one->d_name[0] != '.') all.insert(one->d_name);
    ::closedir(folder);
    return all;
  }
};

// Both sweeps over steps of a state of n numbers. `between` is called before each step is reversed.
void run(const std::string& folder, Schedule schedule, std::uint64_t amount, std::int64_t steps, std::uint64_t inMemory, bool bytes,
         std::size_t n = 50, const std::function<void(std::int64_t)>& between = {}) {
  Tape tape;
  std::vector<double> u(n, 1.0), unew(n), u_b(n), unew_b(n);
  double t = 0;
  std::vector<std::vector<double>> before;
  const auto body = [&] {
    for (std::size_t i = 0; i < n; ++i) unew[i] = u[i] + 0.01 * u[(i + 1) % n] * double(i % 7) + t;
    u.swap(unew);
    t += 0.25;
  };
  Checkpoint c(schedule, amount, steps);
  contraflow::keepInFiles(c, folder.c_str(), "a test, line 3", inMemory, bytes);
  c.exchanged(u, u_b, false);
  c.exchanged(unew, unew_b, false);
  c.object(t, false);
  for (std::int64_t k = 0; k < steps; ++k) {
    c.step();
    before.push_back(u);
    before.back().push_back(t);
    body();
  }
  c.follow();
  c.again();
  c.object(t, false);
  c.atEnd(tape);
  for (std::int64_t k = steps - 1; k >= 0; --k) {
    if (between) between(k);
    c.goBackTo(k);
    for (std::int64_t i = c.first(); i < k; ++i) {
      c.step();
      body();
    }
    c.follow();
    std::vector<double> now = u;
    now.push_back(t);
    if (now != before[std::size_t(k)]) {
      std::fprintf(stderr, "step %d is wrong\n", int(k));
      std::abort();
    }
  }
  c.atBegin(tape);
}

// What a child process says on stderr, and how it ends: the number of a signal.
std::pair<int, std::string> inChild(const std::function<void()>& f) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], 2);
    ::close(ends[0]);
    std::signal(SIGABRT, SIG_DFL);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    f();
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text;
  char buffer[512];
  for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, std::size_t(n));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status), text};
}

}  // namespace

TEST_CASE("the checksum is CRC-32C") {
  CHECK(contraflow::detail::crc32c("123456789", 9) == 0xE3069283u);
  const std::vector<unsigned char> zeros(32, 0), ones(32, 0xFF);
  CHECK(contraflow::detail::crc32c(zeros.data(), 32) == 0x8A9136AAu);  // RFC 3720, B.4
  CHECK(contraflow::detail::crc32c(ones.data(), 32) == 0x62A8AB43u);
  CHECK(contraflow::detail::crc32c("6789", 4, contraflow::detail::crc32c("12345", 5)) == 0xE3069283u);
}

TEST_CASE("with snapshots in files each step gets the state that it had, and no more than was asked for stays in memory") {
  Folder folder;
  const std::size_t each = 101 * sizeof(double);
  for (const auto& [schedule, amount] : {std::pair<Schedule, std::uint64_t>{Schedule::Binomial, 6}, {Schedule::Periodic, 5}})
    for (std::int64_t steps : {0, 1, 2, 3, 5, 10, 40})
      for (std::uint64_t inMemory : {1, 2, 3, 100}) {
        INFO(steps << " steps, " << inMemory << " in memory");
        checkpointStatistics() = {};
        run(folder.path, schedule, amount, steps, inMemory, false);
        CHECK(checkpointStatistics().peakBytes <= (inMemory + 1) * each);
        CHECK(checkpointStatistics().bytes == 0);
        CHECK((inMemory < 100 || checkpointStatistics().written == 0));
        CHECK((steps < 40 || inMemory > 3 || checkpointStatistics().written > 0));
        CHECK(checkpointStatistics().read <= 4 * checkpointStatistics().written);
        CHECK(folder.files().empty());
      }
  checkpointStatistics() = {};
  run(folder.path, Schedule::Binomial, 10, 200, 3 * each + 8, true);
  CHECK(checkpointStatistics().peakBytes <= 4 * each);
  CHECK(checkpointStatistics().steps == contraflow::fewestSteps(201, 10));
}

TEST_CASE("what others have in the folder stays, what a killed run has left is removed") {
  Folder folder;
  std::ofstream(folder.path + "/mine.txt") << "text";
  const auto killed = inChild([&] {
    run(folder.path, Schedule::Binomial, 8, 60, 1, false, 50, [](std::int64_t k) {
      if (k == 40) ::raise(SIGKILL);
    });
  });
  CHECK(killed.first == SIGKILL);
  CHECK(folder.files().size() > 2);
  run(folder.path, Schedule::Binomial, 8, 60, 1, false);
  CHECK(folder.files() == std::set<std::string>{"mine.txt"});
}

TEST_CASE("checkpoints in checkpoints, and other runs, have files of their own") {
  Folder folder;
  std::size_t most = 0;
  run(folder.path, Schedule::Binomial, 4, 9, 1, false, 50, [&](std::int64_t) {
    run(folder.path, Schedule::Periodic, 2, 9, 1, false);
    most = std::max(most, folder.files().size());
  });
  CHECK(most > 1);
  CHECK(folder.files().empty());
}

TEST_CASE("a file that isn't what was written ends the run") {
  for (const char* how : {"flip", "cut", "gone"}) {
    Folder folder;
    const auto [signal, text] = inChild([&] {
      run(folder.path, Schedule::Binomial, 8, 60, 1, false, 50, [&](std::int64_t k) {
        if (k != 59) return;
        ::usleep(100000);  // till all is written
        for (const std::string& name : folder.files()) {
          if (name.find(".snapshot") == std::string::npos) continue;
          const std::string path = folder.path + "/" + name;
          if (std::strcmp(how, "cut") == 0 && ::truncate(path.c_str(), 300) != 0) std::abort();
          if (std::strcmp(how, "gone") == 0) ::unlink(path.c_str());
          std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
          file.seekp(250);
          if (std::strcmp(how, "flip") == 0) file.put('x');
        }
      });
    });
    INFO(text);
    CHECK(signal == SIGABRT);
    CHECK(text.find("a snapshot of 808 bytes of a test, line 3") != std::string::npos);
    CHECK(text.find(folder.path + "/a_test_line_3") != std::string::npos);
    CHECK(text.find(std::strcmp(how, "flip") == 0  ? "its checksum is another one"
                    : std::strcmp(how, "cut") == 0 ? "it is shorter than it was written"
                                                   : "No such file") != std::string::npos);
  }
}

TEST_CASE("a disk that takes no more ends the run with file, size and loop; nothing half-written has a snapshot's name") {
  Folder folder;
  const auto [signal, text] = inChild([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &small);
    run(folder.path, Schedule::Binomial, 8, 60, 1, false, 1000);
  });
  INFO(text);
  CHECK(signal == SIGABRT);
  CHECK(text.find("contraflow: can't write '" + folder.path + "/a_test_line_3") == 0);
  CHECK(text.find("a snapshot of 16008 bytes of a test, line 3: File too large") != std::string::npos);
  for (const std::string& name : folder.files()) CHECK((name.find(".snapshot.tmp") != std::string::npos || name.find(".lock") != std::string::npos));
}

TEST_CASE("a folder that was made for snapshots is gone with them") {
  Folder folder;
  const std::string inner = folder.path + "/inner";
  run(inner, Schedule::Binomial, 4, 9, 1, false, 50, [&](std::int64_t) { run(inner, Schedule::Periodic, 2, 9, 1, false); });
  CHECK(folder.files().empty());
}

TEST_CASE("a folder that can't be made ends the run") {
  const auto [signal, text] = inChild([] { run("/proc/no/such/folder", Schedule::Binomial, 8, 60, 1, false); });
  CHECK(signal == SIGABRT);
  CHECK(text.find("contraflow: can't make the folder '/proc/no/such/folder', for snapshots of a test, line 3: ") == 0);
}
