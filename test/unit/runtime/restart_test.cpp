// A loop that goes on after a kill: killed at any step, several times, the adjoints are the same to the last bit in the end; files of another
// program, schedule, size or data are refused, naming what differs.
#include <contraflow/restart.hpp>

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using contraflow::Checkpoint;
using contraflow::kUnknownSteps;
using contraflow::Schedule;
using contraflow::Tape;

namespace {

struct Folder {
  std::string path;
  Folder() {
    path = P_tmpdir "/contraflow-restart-XXXXXX";
    REQUIRE(::mkdtemp(path.data()) != nullptr);
  }
  ~Folder() {
    for (const std::string& f : files()) ::unlink((path + "/" + f).c_str());
    ::rmdir(path.c_str());
  }
  std::vector<std::string> files() const {
    std::vector<std::string> all;
    DIR* folder = ::opendir(path.c_str());
    while (const dirent* one = ::readdir(folder))
      if (one->d_name[0] != '.') all.push_back(one->d_name);
    ::closedir(folder);
    return all;
  }
};

struct Options {
  Schedule schedule = Schedule::Binomial;
  std::uint64_t amount = 4;
  std::int64_t steps = 30;
  bool known = true;
  std::int64_t every = 1;
  std::uint64_t program = 7;
  std::size_t n = 5;
  double start = 1.0, seed = 1.0;
};

// The gradient of a loop with exchanged vectors and pointers; `tick` is called in each step, run or reversed.
std::vector<double> gradient(const std::string& folder, const Options& o, const std::function<void()>& tick) {
  Tape tape;
  std::vector<double> u(o.n, o.start), unew(o.n), u_b(o.n), unew_b(o.n), k(o.n, 0.3), k_b(o.n);
  double a[2] = {1, 0.5}, b[2] = {0, 0}, a_b[2] = {}, b_b[2] = {};
  double *p = a, *q = b, *p_b = a_b, *q_b = b_b;
  const auto body = [&] {
    tick();
    for (std::size_t i = 0; i < o.n; ++i) unew[i] = u[i] + 0.1 * k[i] * u[(i + 1) % o.n] * p[0];
    q[0] = p[0] * (1 + 0.01 * unew[0]);
    q[1] = p[1] * q[0];
    u.swap(unew);
    std::swap(p, q);
  };
  Checkpoint c(o.schedule, o.amount, o.known ? o.steps : kUnknownSteps);
  contraflow::goOnFrom(c, folder.c_str(), "a test, line 3", 1, false, o.program, o.every);
  c.exchanged(u, u_b, false);
  c.exchanged(unew, unew_b, false);
  c.range(p, 2, false);
  c.range(q, 2, false);
  c.pointer(p, p_b, true);
  c.pointer(q, q_b, true);
  restartInput(c, u);
  restartInput(c, unew);
  restartInput(c, k);
  restartInputRange(c, p, 2);
  restartInputRange(c, q, 2);
  contraflow::resume(c);
  for (std::int64_t i = c.first(); i < o.steps; ++i) {
    c.step();
    body();
  }
  contraflow::sweepDone(c);
  c.follow();
  tick();
  for (std::size_t i = 0; i < o.n; ++i) u_b[i] += o.seed * double(i + 1) * u[i];
  p_b[1] += o.seed;
  tick();
  c.again();
  c.pointer(p, p_b, true);
  c.pointer(q, q_b, true);
  restartAdjoint(c, u_b);
  restartAdjoint(c, unew_b);
  restartAdjoint(c, k_b);
  restartAdjointRange(c, 0, p_b);
  restartAdjointRange(c, 1, q_b);
  c.atEnd(tape);
  for (std::int64_t step = c.steps() - 1; step >= 0; --step) {
    c.goBackTo(step);
    for (std::int64_t i = c.first(); i < step; ++i) {
      c.step();
      body();
    }
    c.follow();
    tick();
    const double q0 = p[0] * (1 + 0.01 * (u[0] + 0.1 * k[0] * u[1 % o.n] * p[0]));
    p_b[0] += 0;
    // The reverse of the exchange, then of the statements.
    u_b.swap(unew_b);
    std::swap(p_b, q_b);
    double q0_b = q_b[0] + q_b[1] * p[1];
    p_b[1] += q_b[1] * q0;
    const double u0 = u[0] + 0.1 * k[0] * u[1 % o.n] * p[0];
    p_b[0] += q0_b * (1 + 0.01 * u0);
    unew_b[0] += q0_b * p[0] * 0.01;
    q_b[0] = q_b[1] = 0;
    for (std::size_t i = 0; i < o.n; ++i) {
      u_b[i] += unew_b[i];
      k_b[i] += unew_b[i] * 0.1 * u[(i + 1) % o.n] * p[0];
      u_b[(i + 1) % o.n] += unew_b[i] * 0.1 * k[i] * p[0];
      p_b[0] += unew_b[i] * 0.1 * k[i] * u[(i + 1) % o.n];
      unew_b[i] = 0;
    }
    // What the next turn's follow() expects: shadows where their primals are now.
    u_b.swap(unew_b);
    std::swap(p_b, q_b);
    u_b.swap(unew_b);
    std::swap(p_b, q_b);
  }
  c.atBegin(tape);
  std::vector<double> all = u_b;
  all.insert(all.end(), k_b.begin(), k_b.end());
  all.insert(all.end(), {a_b[0], a_b[1], u[0], p[0], p == a ? 1.0 : 0.0});
  return all;
}

// Runs it in a process that writes its result into a file, killed at the tick `at` (0: never); how it ends, and what it says.
std::pair<int, std::string> child(const std::string& folder, const Options& o, int at, std::vector<double>* result = nullptr) {
  int ends[2], values[2];
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::pipe(values) == 0);
  const pid_t id = ::fork();
  if (id == 0) {
    ::dup2(ends[1], 2);
    ::close(ends[0]);
    std::signal(SIGABRT, SIG_DFL);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    contraflow::detail::restartsAlive() = 0;  // another process has none
    int ticks = 0;
    const std::vector<double> g = gradient(folder, o, [&] {
      if (++ticks == at) ::raise(SIGKILL);
    });
    if (::write(values[1], g.data(), g.size() * sizeof(double)) < 0) ::_exit(3);
    ::_exit(0);
  }
  ::close(ends[1]);
  ::close(values[1]);
  std::string text;
  char buffer[512];
  for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, std::size_t(n));
  ::close(ends[0]);
  double value = 0;
  while (::read(values[0], &value, sizeof value) == sizeof value)
    if (result != nullptr) result->push_back(value);
  ::close(values[0]);
  int status = 0;
  ::waitpid(id, &status, 0);
  return {WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status), text};
}

}  // namespace

TEST_CASE("killed at any step, several times, a loop goes on to the same adjoints") {
  std::mt19937 random(7);
  Options variants[4];
  variants[1].schedule = Schedule::Periodic;
  variants[2].known = false;
  variants[3].every = 4;
  for (const Options& o : variants) {
    Folder reference;
    int all = 0;
    const std::vector<double> expected = gradient(reference.path, o, [&] { ++all; });
    CHECK(reference.files().empty());
    std::vector<int> firsts{1, 2, int(o.steps), int(o.steps) + 1, int(o.steps) + 2, int(o.steps) + 3, all - 1, all};
    for (int i = 0; i < 4; ++i) firsts.push_back(1 + int(random() % unsigned(all)));
    for (int first : firsts) {
      Folder folder;
      INFO("first killed at tick " << first << " of " << all);
      CHECK(child(folder.path, o, first).first == SIGKILL);
      int kills = 0;
      for (; kills < 3; ++kills)
        if (child(folder.path, o, 1 + int(random() % 20)).first != SIGKILL) break;
      std::vector<double> result;
      const auto [end, text] = child(folder.path, o, 0, &result);
      INFO(text);
      CHECK(end == 0);
      CHECK(result == expected);
      CHECK(folder.files().empty());
    }
  }
}

TEST_CASE("a loop that goes on takes fewer steps than one from the start") {
  Folder folder;
  const Options o;
  int all = 0, rest = 0;
  gradient(folder.path, o, [&] { ++all; });
  CHECK(child(folder.path, o, all - 2).first == SIGKILL);
  gradient(folder.path, o, [&] { ++rest; });
  CHECK(rest <= 6);
}

TEST_CASE("files of another run are refused") {
  const Options o;
  for (int at : {20, 33, 45}) {  // killed in the loop, between the sweeps, in the reversal
    Folder folder;
    REQUIRE(child(folder.path, o, at).first == SIGKILL);
    const auto refused = [&](Options other, const std::string& why) {
      const auto [end, text] = child(folder.path, other, 0);
      INFO(text);
      CHECK(end == SIGABRT);
      CHECK(text.find("contraflow: the files '" + folder.path + "/a_test_line_3-restart0.*' are of a run with " + why) == 0);
    };
    Options other = o;
    other.program = 8;
    refused(other, "another program: 7 there, 8 here");
    other = o;
    other.schedule = Schedule::Periodic;
    refused(other, "another schedule");
    other = o;
    other.amount = 5;
    refused(other, "another number of snapshots: 4 there, 5 here");
    other = o;
    other.steps = 31;
    refused(other, "another number of steps: 30 there, 31 here");
    other = o;
    other.n = 6;
    refused(other, "other sizes");
    other = o;
    other.start = 1.25;
    refused(other, "other data");
    other = o;
    other.seed = 2;
    if (at == 45) refused(other, "other data: the adjoints in front of the loop's reversal");
    std::vector<double> result;
    CHECK(child(folder.path, o, 0, &result).first == 0);
    Folder fresh;
    CHECK(result == gradient(fresh.path, o, [] {}));
  }
}

TEST_CASE("a damaged state is refused, and so is a folder in use") {
  Folder folder;
  const Options o;
  REQUIRE(child(folder.path, o, 45).first == SIGKILL);
  std::string newest;
  long number = -1;
  for (const std::string& name : folder.files())
    if (name.find(".state") != std::string::npos && name.find(".tmp") == std::string::npos) {
      const long n = std::atol(name.c_str() + name.find('.') + 1);
      if (n > number) newest = name, number = n;
    }
  REQUIRE(number >= 0);
  {
    std::fstream file(folder.path + "/" + newest, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(60);
    file.put('x');
  }
  const auto [end, text] = child(folder.path, o, 0);
  CHECK(end == SIGABRT);
  CHECK(text.find("its checksum is another one than when it was written") != std::string::npos);

  Folder used;
  std::pair<int, std::string> second;
  bool once = true;
  gradient(used.path, o, [&] {
    if (once) second = child(used.path, o, 0);
    once = false;
  });
  CHECK(second.first == SIGABRT);
  CHECK(second.second.find("contraflow: another process, or another thread, uses '") == 0);
}
