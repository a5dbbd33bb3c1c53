// Checkpointed loops that go on after the program was killed, by the same call with the same folder.
//
//     goOnFrom(checkpoint, folder, …)      in front of the loop: every snapshot is written
//     restartInput(checkpoint, x), …       what the loop reads or overwrites
//     resume(checkpoint)                   memory and position become those of the last state in the folder, if there is one
//     sweepDone(checkpoint)                behind the loop
//     restartAdjoint(checkpoint, x_b), …   in front of its reversal: what that changes beside what snapshots hold
//
// A state is a file that says how far a run is: which snapshots there are, what the loop left, and, in the reverse sweep, which step is
// reversed next and the adjoints in front of it. It is written when all that it names is on the disk, and what it replaces is removed
// when it is on the disk itself; with MPI, on the disks of all ranks. So at any time one state can be gone on from.
//
// What stands around the loop is run again as a whole. A state is used only if it is one of this program, schedule, size and data: the
// checksum of what the loop reads is compared, and that of the adjoints in front of its reversal. Otherwise the run stops.
#ifndef CONTRAFLOW_RESTART_HPP
#define CONTRAFLOW_RESTART_HPP

#include <contraflow/snapshot_files.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace contraflow {

namespace detail {

// Numbers and bytes of a state, one after the other.
class StateWriter {
public:
  template <class T>
  void put(const T& value) {
    putBytes(&value, sizeof value);
  }
  void putBytes(const void* from, std::size_t bytes) {
    const auto* at = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), at, at + bytes);
  }
  std::size_t size() const noexcept { return bytes_.size(); }
  SnapshotBytes take() const {
    SnapshotBytes all = newSnapshotBytes(bytes_.size());
    if (all != nullptr) std::memcpy(all.get(), bytes_.data(), bytes_.size());
    return all;
  }

private:
  std::vector<std::byte> bytes_;
};
class StateReader {
public:
  StateReader(SnapshotBytes bytes, std::size_t size) : bytes_(std::move(bytes)), size_(size) {}
  template <class T>
  T get() {
    T value{};
    getBytes(&value, sizeof value);
    return value;
  }
  void getBytes(void* to, std::size_t bytes) {
    if (bytes > size_ - at_) broken_ = true;
    else if (bytes != 0) std::memcpy(to, bytes_.get() + at_, bytes);
    if (!broken_) at_ += bytes;
  }
  std::size_t rest() const noexcept { return size_ - at_; }
  bool ended() const noexcept { return !broken_ && at_ == size_; }

private:
  SnapshotBytes bytes_;
  std::size_t size_, at_ = 0;
  bool broken_ = false;
};

// How many loops of this thread, that may go on, are between their first step and the end of their reversal: it numbers their files.
inline int& restartsAlive() noexcept {
  static thread_local int count = 0;
  return count;
}

class Restart final : public Restarting {
public:
  Restart(Checkpoint& checkpoint, SnapshotFiles& files, std::uint64_t program, std::int64_t every, std::unique_ptr<RestartRanks> ranks)
      : c_(checkpoint), files_(files), program_(program), every_(every), declaredSteps_(checkpoint.steps_), ranks_(std::move(ranks)) {
    ++restartsAlive();
  }
  ~Restart() override { --restartsAlive(); }

  // The object of a checkpoint; null where it isn't one that goes on.
  static Restart* of(Checkpoint& checkpoint) noexcept { return static_cast<Restart*>(checkpoint.restart_.get()); }
  static void install(Checkpoint& checkpoint, std::unique_ptr<Restart> one) { checkpoint.restart_ = std::move(one); }

  void input(const void* from, std::size_t bytes) {
    inputs_ = crc32c(&bytes, sizeof bytes, inputs_);
    if (bytes != 0) inputs_ = crc32c(from, bytes, inputs_);
  }
  void adjoint(void* place, std::size_t bytes) {
    if (place != nullptr && bytes != 0) adjoints_.push_back({place, bytes});
  }
  // How many elements a range has is what it had in front of the loop.
  void range(const void* from, std::size_t n) { ranges_.push_back(from != nullptr ? n : 0); }
  std::size_t range(std::size_t number) const { return ranges_.at(number); }

  void resume() {
    c_.plan();
    std::int64_t newest = -1;
    std::size_t size = 0;
    const std::vector<std::string> names = files_.claim().files();
    for (const std::string& name : names)
      if (FolderClaim::isState(name)) newest = std::max<std::int64_t>(newest, std::atoll(name.c_str()));
    const std::int64_t agreed = ranks_ != nullptr ? ranks_->least(newest) : newest;
    if (agreed < 0) return files_.claim().removeFiles({});
    const std::string state = files_.nameOf(static_cast<std::uint64_t>(agreed), kState);
    struct stat there {};
    if (::stat(files_.claim().pathOf(state).c_str(), &there) != 0 || static_cast<std::size_t>(there.st_size) < sizeof(SnapshotHeader))
      refuse("another number of steps", "this rank has no state that all others have");
    size = static_cast<std::size_t>(there.st_size) - sizeof(SnapshotHeader);
    last_ = agreed;
    files_.adopt(static_cast<std::uint64_t>(agreed), size, kState);
    StateReader reader(files_.read(static_cast<std::uint64_t>(agreed)), size);
    std::set<std::string> used{state};
    read(reader, used);
    files_.claim().removeFiles(used);
  }
  void swept() {
    if (c_.steps_ == kUnknownSteps) c_.steps_ = c_.position_;
    if (phase_ != Phase::Forward) return;  // it goes on behind the loop
    final_ = c_.capture();
    final_.number = files_.write(final_.bytes, final_.size);
    final_.bytes = nullptr;
    phase_ = Phase::Swept;
    commit(0);
  }

  void taken() override { commit(0); }
  void atEnd() override {
    std::uint32_t crc = 0;
    std::size_t bytes = 0;
    for (const Range& r : adjoints_) {
      crc = crc32c(&r.bytes, sizeof r.bytes, crc);
      crc = crc32c(r.place, r.bytes, crc);
      bytes += r.bytes;
    }
    const bool resumed = phase_ == Phase::Reverse;
    if (resumed && (crc != adjointsCrc_ || bytes != saved_.size()))
      refuse("other data", "the adjoints in front of the loop's reversal are others than those of the run that was killed");
    adjointsCrc_ = crc;
    phase_ = Phase::Reverse;
    if (!resumed) return;
    const std::byte* from = saved_.data();
    for (const Range& r : adjoints_) {
      std::memcpy(r.place, from, r.bytes);
      from += r.bytes;
    }
    saved_ = {};
    c_.left_ = next_ + 1;
  }
  void reversing(std::int64_t k) override {
    if (k == next_ || k == c_.steps_ - 1 || (c_.steps_ - 1 - k) % every_ != 0) return;
    commit(k);
  }
  void done() override {
    files_.flush();
    if (ranks_ != nullptr) ranks_->least(0);
    files_.claim().over();
  }

private:
  enum class Phase : std::uint32_t { Forward, Swept, Reverse };
  struct Range {
    void* place;
    std::size_t bytes;
  };
  static constexpr const char* kState = FolderClaim::kState;
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

  [[noreturn]] void refuse(const char* of, const std::string& how) {
    std::fprintf(stderr, "contraflow: the files '%s' are of a run with %s: %s. Let that run go on (%s), remove them, or name another folder\n",
                 files_.claim().pathOf("*").c_str(), of, how.c_str(), files_.region().c_str());
    std::abort();
  }
  // Each with what it is here and in the state; the first that differs is named.
  void compare(const char* what, std::uint64_t here, std::uint64_t there) {
    if (here != there) refuse(what, std::to_string(there) + " there, " + std::to_string(here) + " here");
  }

  // --- pointers: by which of the addresses in front of the loop they are

  std::uint32_t numberOf(const void* value) const {
    for (std::size_t i = 0; i < c_.pointers_.size(); ++i)
      if (c_.pointers_[i].hasMemory && c_.pointers_[i].value == value) return static_cast<std::uint32_t>(i);
    return kNone;
  }
  const void* pointerOf(std::uint32_t number) const { return number < c_.pointers_.size() ? c_.pointers_[number].value : nullptr; }
  std::uint32_t numberOfMemory(const void* memory) const {
    for (std::size_t i = 0; i < c_.origins_.size(); ++i)
      if (c_.origins_[i].first == memory) return static_cast<std::uint32_t>(i);
    return kNone;
  }

  void put(StateWriter& to, const Checkpoint::Snapshot& s) const {
    to.put(s.number);
    to.put<std::uint64_t>(s.size);
    for (const void* p : s.pointers) to.put(numberOf(p));
    for (const void* m : s.memory) to.put(numberOfMemory(m));
  }
  Checkpoint::Snapshot get(StateReader& from, std::set<std::string>& used) {
    Checkpoint::Snapshot s;
    s.number = from.get<std::uint64_t>();
    s.size = static_cast<std::size_t>(from.get<std::uint64_t>());
    for (std::size_t i = 0; i < c_.pointers_.size(); ++i) s.pointers.push_back(pointerOf(from.get<std::uint32_t>()));
    for (std::size_t i = 0; i < c_.vectors_.size(); ++i) {
      const std::uint32_t number = from.get<std::uint32_t>();
      s.memory.push_back(number < c_.origins_.size() ? c_.origins_[number].first : nullptr);
    }
    files_.adopt(s.number, s.size, ".snapshot");
    used.insert(files_.nameOf(s.number, ".snapshot"));
    return s;
  }

  // --- states

  std::uint64_t partsCrc() const {
    std::uint32_t crc = 0;
    for (const Checkpoint::Part& p : c_.parts_) crc = crc32c(&p.bytes, sizeof p.bytes, crc);
    return crc;
  }
  // Whose state it is: the same on both sides, or the state isn't used.
  std::array<std::pair<const char*, std::uint64_t>, 8> identity() const {
    return {{{"another program", program_},
             {"another number of ranks", static_cast<std::uint64_t>(ranks_ != nullptr ? ranks_->count() : 1)},
             {"another schedule", static_cast<std::uint64_t>(c_.schedule_)},
             {"another number of snapshots", c_.amount_},
             {"another number of steps", static_cast<std::uint64_t>(declaredSteps_)},
             {"other sizes", c_.snapshotBytes()},
             {"other sizes", partsCrc()},
             {"other data", inputs_}}};
  }

  void commit(std::int64_t next) {
    StateWriter to;
    for (const auto& [what, value] : identity()) to.put(value);
    to.put(phase_);
    to.put(next);
    to.put(c_.steps_);
    to.put(c_.plan_.distance());
    to.put(adjointsCrc_);
    to.put<std::uint64_t>(c_.snapshots_.size());
    for (std::size_t i = 0; i < c_.snapshots_.size(); ++i) {
      to.put(c_.plan_.taken()[i]);
      put(to, c_.snapshots_[i]);
    }
    if (phase_ != Phase::Forward) put(to, final_);
    if (phase_ == Phase::Reverse)
      for (const Range& r : adjoints_) to.putBytes(r.place, r.bytes);
    const SnapshotBytes bytes = to.take();
    if (bytes == nullptr) {
      std::fprintf(stderr, "contraflow: no memory for the state of %s, %zu bytes\n", files_.region().c_str(), to.size());
      std::abort();
    }
    files_.flush();
    if (ranks_ != nullptr) ranks_->least(0);
    // The last state is on all disks now: what it has replaced can go.
    if (before_ >= 0) files_.removeNow(static_cast<std::uint64_t>(before_));
    for (std::uint64_t number : replaced_) files_.removeNow(number);
    replaced_ = files_.takeReleased();
    before_ = last_;
    last_ = static_cast<std::int64_t>(files_.write(bytes, to.size(), kState));
  }

  void read(StateReader& from, std::set<std::string>& used) {
    for (const auto& [what, value] : identity()) compare(what, value, from.get<std::uint64_t>());
    phase_ = from.get<Phase>();
    const std::int64_t next = from.get<std::int64_t>();
    const std::int64_t steps = from.get<std::int64_t>();
    const std::int64_t distance = from.get<std::int64_t>();
    adjointsCrc_ = from.get<std::uint32_t>();
    const std::uint64_t count = from.get<std::uint64_t>();
    std::vector<std::int64_t> taken;
    for (std::uint64_t i = 0; i < count; ++i) {
      taken.push_back(from.get<std::int64_t>());
      c_.snapshots_.push_back(get(from, used));
    }
    if (phase_ != Phase::Forward) final_ = get(from, used);
    if (phase_ == Phase::Reverse) {
      saved_.resize(from.rest());
      from.getBytes(saved_.data(), saved_.size());
      next_ = next;
    }
    if (!from.ended()) refuse("another version of the library", "the state '" + files_.nameOf(static_cast<std::uint64_t>(last_), kState) + "' can't be read");
    if (!taken.empty()) c_.plan_.resume(taken, distance);
    if (phase_ == Phase::Forward) {
      c_.restore(c_.snapshots_.back());
      c_.position_ = taken.back();
    } else {
      Checkpoint::Snapshot left = final_;
      c_.restore(left);
      Checkpoint::leaveMemory(left);
      c_.position_ = steps;
    }
  }

  Checkpoint& c_;
  SnapshotFiles& files_;
  const std::uint64_t program_;
  const std::int64_t every_, declaredSteps_;  // the latter: what is known in front of the loop
  const std::unique_ptr<RestartRanks> ranks_;
  std::uint32_t inputs_ = 0, adjointsCrc_ = 0;
  Phase phase_ = Phase::Forward;
  std::vector<Range> adjoints_;
  std::vector<std::size_t> ranges_;
  Checkpoint::Snapshot final_;                 // what the loop left
  std::vector<std::byte> saved_;               // the adjoints of the state
  std::int64_t next_ = -1;                     // the step that the state reverses next
  std::int64_t last_ = -1, before_ = -1;       // the numbers of the last state and the one before
  std::vector<std::uint64_t> replaced_;        // files that only the state before names
};

// Values as bytes; of a long double those that have a meaning.
template <class T>
void addInput(Restart& restart, const T* values, std::size_t n) {
  if constexpr (std::is_same_v<std::remove_cv_t<T>, long double> && sizeof(long double) == 16) {
    for (std::size_t i = 0; i < n; ++i) restart.input(values + i, 10);
  } else {
    restart.input(values, n * sizeof(T));
  }
}

}  // namespace detail

// Everything that can make a loop go on; what `inMemory` and `bytes` mean: keepInFiles. `every`: how many steps are reversed between two
// states. `program`: a number of the program's own. A checkpoint in a step that is run again doesn't go on by itself.
inline void goOnFrom(Checkpoint& checkpoint, const char* folder, const char* region, std::uint64_t inMemory, bool bytes, std::uint64_t program,
                     std::int64_t every, std::unique_ptr<RestartRanks> ranks = nullptr) {
  if (detail::checkpointsInReverse() > 0) return keepInFiles(checkpoint, folder, region, inMemory, bytes);
  const std::string& other = snapshotFolder();
  auto files = std::make_unique<detail::SnapshotFiles>(other.empty() ? folder : other, region, detail::restartsAlive());
  auto restart = std::make_unique<detail::Restart>(checkpoint, *files, program, every, std::move(ranks));
  checkpoint.keepIn(std::move(files), region, inMemory, bytes);
  detail::Restart::install(checkpoint, std::move(restart));
}

template <class T>
void restartInput(Checkpoint& checkpoint, const T& x) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (detail::Restart* r = detail::Restart::of(checkpoint)) detail::addInput(*r, std::addressof(x), 1);
}
template <class T, class A>
void restartInput(Checkpoint& checkpoint, const std::vector<T, A>& v) {
  if (detail::Restart* r = detail::Restart::of(checkpoint)) detail::addInput(*r, v.data(), v.size());
}
template <class T>
void restartInputRange(Checkpoint& checkpoint, const T* p, std::int64_t n) {
  detail::Restart* r = detail::Restart::of(checkpoint);
  if (r == nullptr) return;
  r->range(p, n > 0 ? static_cast<std::size_t>(n) : 0);
  if (p != nullptr) detail::addInput(*r, p, n > 0 ? static_cast<std::size_t>(n) : 0);
}

template <class T>
void restartAdjoint(Checkpoint& checkpoint, T& x) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (detail::Restart* r = detail::Restart::of(checkpoint)) r->adjoint(std::addressof(x), sizeof(T));
}
template <class T, class A>
void restartAdjoint(Checkpoint& checkpoint, std::vector<T, A>& v) {
  if (detail::Restart* r = detail::Restart::of(checkpoint)) r->adjoint(v.data(), v.size() * sizeof(T));
}
// The shadow of the range that was given to restartInputRange at this place in the row; it may be null.
template <class T>
void restartAdjointRange(Checkpoint& checkpoint, std::size_t number, T* p) {
  if (detail::Restart* r = detail::Restart::of(checkpoint)) r->adjoint(p, r->range(number) * sizeof(T));
}

inline void resume(Checkpoint& checkpoint) {
  if (detail::Restart* r = detail::Restart::of(checkpoint)) r->resume();
}
inline void sweepDone(Checkpoint& checkpoint) {
  if (detail::Restart* r = detail::Restart::of(checkpoint)) r->swept();
}

}  // namespace contraflow

#endif
