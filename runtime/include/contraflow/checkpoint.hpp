// A loop that is reversed from snapshots: see schedule.hpp for when they are taken.
//
//     forward sweep                                reverse sweep
//       Checkpoint c(schedule, amount, steps)        c.atEnd(tape)
//       c.object(x), c.range(p, n), …                for (k = steps - 1; k >= 0; --k) {
//       for (…) {                                      c.goBackTo(k);
//         c.step();                                    for (i = c.first(); i < k; ++i) { c.step(); body }
//         body                                         c.follow();
//       }                                              body, recorded; its reverse
//       c.follow();                                  }
//                                                    c.atBegin(tape)
//
// What a snapshot holds is registered by the forward sweep, with addresses that stay valid till the reverse sweep, but for objects
// and pointer variables that may be others then: those are registered again (`again()`), in the same order.
//
// Pointers and vectors that the body exchanges: a snapshot restores which memory each has, and then what is in it. Their shadows are
// exchanged to match (`follow`), whatever adjoints lie in them: which shadow belongs to which memory doesn't change.
#ifndef CONTRAFLOW_CHECKPOINT_HPP
#define CONTRAFLOW_CHECKPOINT_HPP

#include <contraflow/exchanged.hpp>
#include <contraflow/schedule.hpp>
#include <contraflow/tape.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

namespace contraflow {

// Of all checkpointed loops that this thread has run so far; for reports and tests.
struct CheckpointStatistics {
  std::int64_t steps = 0;      // run without being recorded, the forward sweep's included
  std::int64_t snapshots = 0;  // taken
  std::size_t bytes = 0;       // held in snapshots now, in memory
  std::size_t peakBytes = 0;
  std::int64_t written = 0;    // to files
  std::int64_t read = 0;       // back from them
};
inline CheckpointStatistics& checkpointStatistics() noexcept {
  static thread_local CheckpointStatistics statistics;
  return statistics;
}

// The ranks that run one loop together (null: one process alone).
struct RestartRanks {
  virtual ~RestartRanks() = default;
  virtual int count() const = 0;
  virtual std::int64_t least(std::int64_t value) = 0;  // over all; returns when all have called it
};

namespace detail {

// What a snapshot holds of memory. Whoever writes it to a file shares it.
using SnapshotBytes = std::shared_ptr<std::byte[]>;
// Null if there is no memory.
inline SnapshotBytes newSnapshotBytes(std::size_t bytes) noexcept {
  try {
    return SnapshotBytes(new std::byte[bytes]);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

// Where snapshots are kept that aren't in memory: see snapshot_files.hpp.
struct SnapshotStore {
  virtual ~SnapshotStore() = default;
  // Both may return before it is done.
  virtual std::uint64_t write(SnapshotBytes bytes, std::size_t size) = 0;
  virtual void prefetch(std::uint64_t number) = 0;
  virtual SnapshotBytes read(std::uint64_t number) = 0;
  virtual void remove(std::uint64_t number) = 0;
};

// What makes a checkpoint go on after the program was killed: see restart.hpp.
struct Restarting {
  virtual ~Restarting() = default;
  virtual void taken() = 0;                    // a snapshot, in the forward sweep
  virtual void atEnd() = 0;                    // the reverse sweep begins; adjoints are registered
  virtual void reversing(std::int64_t k) = 0;  // all steps behind k are reversed
  virtual void done() = 0;                     // all are
};
class Restart;

// How many checkpoints this thread is reversing.
inline int& checkpointsInReverse() noexcept {
  static thread_local int count = 0;
  return count;
}

}  // namespace detail

class Checkpoint {
public:
  // `steps`: kUnknownSteps if only the loop itself finds out. `counter`: what the loop's counter begins with; the body may change what it was computed from.
  Checkpoint(Schedule schedule, std::uint64_t amount, std::int64_t steps, std::int64_t counter = 0)
      : schedule_(schedule), amount_(amount), steps_(steps), counter_(counter) {}
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;
  ~Checkpoint() {
    if (reversing_) --detail::checkpointsInReverse();
    restart_.reset();
    for (Snapshot& s : snapshots_) leaveMemory(s);
  }
  // Snapshots but for the newest `inMemory` (or the newest that fit into as many bytes; one in any case) are kept in the store.
  // Before the first step.
  void keepIn(std::unique_ptr<detail::SnapshotStore> store, const char* region, std::uint64_t inMemory, bool bytes) {
    store_ = std::move(store);
    region_ = region;
    inMemory_ = inMemory;
    inMemoryIsBytes_ = bytes;
  }

  // --- what a snapshot holds. `seen`: the caller of the head may see it ---

  template <class T>
  void object(T& x, bool seen) {
    static_assert(std::is_trivially_copyable_v<T>);
    part(const_cast<void*>(static_cast<const volatile void*>(std::addressof(x))), sizeof(T), seen, false);
  }
  // The elements that it has at the loop's beginning.
  template <class T, class A>
  void object(std::vector<T, A>& v, bool seen) {
    static_assert(std::is_trivially_copyable_v<T>, "a vector in a snapshot holds plain values");
    part(v.data(), v.size() * sizeof(T), seen, true);
  }
  template <class T>
  void range(T* p, std::int64_t n, bool seen) {
    static_assert(std::is_trivially_copyable_v<T>);
    part(p, n > 0 ? static_cast<std::size_t>(n) * sizeof(T) : 0, seen, true);
  }
  // A pointer variable that gets the values of others in the body; what they point to is registered as well. `hasMemory`: it points to
  // some of that memory before the loop; otherwise it may hold anything.
  template <class T, class S>
  void pointer(T*& p, S*& shadow, bool hasMemory) {
    Pointer one;
    one.hasMemory = hasMemory;
    one.variable = const_cast<void*>(static_cast<const volatile void*>(&p));
    one.shadow = const_cast<void*>(static_cast<const volatile void*>(&shadow));
    keepPointer(one);
  }
  template <class T>
  void pointer(T*& p) {
    Pointer one;
    one.variable = const_cast<void*>(static_cast<const volatile void*>(&p));
    keepPointer(one);
  }
  template <class V, class S>
  void exchanged(V& v, S& shadow, bool seen) {
    keepVector(std::make_unique<detail::ExchangedVector<V, S>>(&v, &shadow));
    object(v, seen);
    seenVectors_ = seenVectors_ || seen;
  }
  template <class V>
  void exchanged(V& v, bool seen) {
    keepVector(std::make_unique<detail::ExchangedVector<V, V>>(&v, nullptr));
    object(v, seen);
    seenVectors_ = seenVectors_ || seen;
  }

  // The reverse sweep registers objects (no vectors) and pointers again: it may have them at other addresses.
  void again() noexcept { nextPart_ = nextPointer_ = 0; }

  // --- both sweeps: before each step that isn't recorded ---

  void step() {
    if (position_ == plan().next()) {
      for (std::size_t k : plan_.makeRoom()) forgetSnapshot(k);
      if (position_ == plan_.next()) takeSnapshot();
    }
    ++position_;
    ++checkpointStatistics().steps;
  }
  // The shadows of exchanged pointers and vectors go where their primals are.
  void follow() {
    for (const Pointer& p : pointers_) {
      if (p.shadow == nullptr) continue;
      const void* now = loaded(p.variable);
      for (const Pointer& origin : pointers_)
        if (origin.hasMemory && origin.value == now && origin.shadow != nullptr) store(p.shadow, origin.shadowValue);
    }
    for (std::size_t i = 0; i < vectors_.size(); ++i) {
      const void* wanted = shadowOf(vectors_[i]->memory());
      for (std::size_t j = i + 1; j < vectors_.size() && vectors_[i]->shadowMemory() != wanted; ++j)
        if (vectors_[j]->shadowMemory() == wanted && wanted != nullptr) vectors_[i]->exchangeShadow(*vectors_[j]);
    }
  }

  // --- the reverse sweep ---

  // How many steps are to be reversed.
  std::int64_t steps() const noexcept { return left_ != kUnknownSteps ? left_ : steps_; }
  std::int64_t counter() const noexcept { return counter_; }
  // Before the first step is reversed: what the caller sees goes to the after-image once, whole.
  void atEnd(Tape& tape) {
    if (steps_ == kUnknownSteps) steps_ = position_;
    if (tape.keepsAfterImage()) {
      for (const Part& p : parts_)
        if (p.seen) tape.noteOverwrite(p.address, p.bytes);
      if (seenVectors_) {
        tape.keepRedo(std::make_unique<detail::Rearrange>(vectors_));
        for (const auto& v : vectors_) tape.restructured(v->object());
      }
    }
    paused_ = tape.pauseAfterImage();
    reversing_ = true;
    ++detail::checkpointsInReverse();
    if (restart_ != nullptr) restart_->atEnd();
  }
  // Step k is the next to be reversed: memory becomes what it was before step first().
  void goBackTo(std::int64_t k) {
    plan().goBackTo(k);
    while (snapshots_.size() > plan_.count()) forgetSnapshot(snapshots_.size() - 1);
    if (restart_ != nullptr) restart_->reversing(k);
    restore(snapshots_.back());
    position_ = plan_.last();
    readAhead(k);
  }
  std::int64_t first() const noexcept { return position_; }
  // Of the step that is recorded now, under this schedule; never 0.
  std::uint32_t stepIdentity() const noexcept {
    std::uint64_t hash = 1469598103934665603u;  // FNV-1a
    for (std::uint64_t part : {static_cast<std::uint64_t>(schedule_), amount_, static_cast<std::uint64_t>(steps_), static_cast<std::uint64_t>(position_)})
      for (int byte = 0; byte < 8; ++byte) hash = (hash ^ (part >> (8 * byte) & 255u)) * 1099511628211u;
    return static_cast<std::uint32_t>(hash >> 32) | 1u;
  }
  // All steps are reversed: memory becomes what it was before the loop.
  void atBegin(Tape& tape) {
    if (!snapshots_.empty()) restore(snapshots_.front());
    follow();
    if (restart_ != nullptr) restart_->done();
    reversing_ = false;
    --detail::checkpointsInReverse();
    tape.resumeAfterImage(std::move(paused_));
  }

  std::size_t snapshotBytes() const noexcept {
    std::size_t sum = (pointers_.size() + vectors_.size()) * sizeof(void*);
    for (const Part& p : parts_) sum += p.bytes;
    return sum;
  }

private:
  friend class detail::Restart;
  struct Part {
    void* address;
    std::size_t bytes;
    bool seen, fixed;  // fixed: not registered again
  };
  struct Pointer {
    void* variable = nullptr;
    void* shadow = nullptr;
    bool hasMemory = false;
    const void *value = nullptr, *shadowValue = nullptr;  // before the loop
  };
  static constexpr std::uint64_t kNotWritten = static_cast<std::uint64_t>(-1);
  struct Snapshot {
    detail::SnapshotBytes bytes;  // null: only in the store
    std::size_t size = 0;
    std::uint64_t number = kNotWritten;  // in the store
    std::vector<const void*> pointers, memory;
  };

  static const void* loaded(const void* variable) noexcept {
    const void* value = nullptr;
    std::memcpy(&value, variable, sizeof value);
    return value;
  }
  static void store(void* variable, const void* value) noexcept { std::memcpy(variable, &value, sizeof value); }

  void part(void* address, std::size_t bytes, bool seen, bool fixed) {
    while (nextPart_ < parts_.size() && parts_[nextPart_].fixed) ++nextPart_;
    if (nextPart_ == parts_.size()) parts_.push_back({address, bytes, seen, fixed});
    else parts_[nextPart_].address = address;
    ++nextPart_;
  }
  void keepPointer(Pointer one) {
    if (nextPointer_ < pointers_.size()) {
      pointers_[nextPointer_].variable = one.variable;
      pointers_[nextPointer_].shadow = one.shadow;
    } else {
      one.value = loaded(one.variable);
      if (one.shadow != nullptr) one.shadowValue = loaded(one.shadow);
      pointers_.push_back(one);
    }
    ++nextPointer_;
  }
  void keepVector(std::unique_ptr<detail::Exchanged> one) {
    origins_.push_back({one->memory(), one->shadowMemory()});
    vectors_.push_back(std::move(one));
  }
  const void* shadowOf(const void* memory) const noexcept {
    for (const auto& [primal, shadow] : origins_)
      if (primal == memory) return shadow;
    return nullptr;
  }

  // Settled at the first use, when it is known how much a snapshot holds.
  SnapshotPlan& plan() {
    if (planned_) return plan_;
    planned_ = true;
    const std::size_t each = std::max<std::size_t>(snapshotBytes(), 1);
    const std::uint64_t amount = schedule_ == Schedule::Memory ? amount_ / each : amount_;
    plan_ = SnapshotPlan(schedule_ != Schedule::Periodic, static_cast<std::int64_t>(std::min<std::uint64_t>(amount, INT64_MAX / 4)), steps_);
    return plan_;
  }

  Snapshot capture() const {
    Snapshot s;
    for (const Part& p : parts_) s.size += p.bytes;
    s.bytes = detail::newSnapshotBytes(s.size);
    if (s.bytes == nullptr) {
      std::fprintf(stderr, "contraflow: no memory for a snapshot of %zu bytes in front of step %lld of %s, beside %zu others\n", s.size,
                   static_cast<long long>(position_), region_.c_str(), snapshots_.size());
      std::abort();
    }
    std::byte* to = s.bytes.get();
    for (const Part& p : parts_) {
      if (p.bytes != 0) std::memcpy(to, p.address, p.bytes);
      to += p.bytes;
    }
    for (const Pointer& p : pointers_) s.pointers.push_back(loaded(p.variable));
    for (const auto& v : vectors_) s.memory.push_back(v->memory());
    return s;
  }
  void takeSnapshot() {
    Snapshot s = capture();
    ++checkpointStatistics().snapshots;
    enterMemory(s);
    snapshots_.push_back(std::move(s));
    plan_.take();
    spill();
    if (restart_ != nullptr && !reversing_) restart_->taken();
  }
  static void enterMemory(const Snapshot& s) noexcept {
    CheckpointStatistics& statistics = checkpointStatistics();
    statistics.bytes += s.size;
    statistics.peakBytes = std::max(statistics.peakBytes, statistics.bytes);
  }
  static void leaveMemory(Snapshot& s) noexcept {
    if (s.bytes == nullptr) return;
    checkpointStatistics().bytes -= s.size;
    s.bytes = nullptr;
  }
  void forgetSnapshot(std::size_t k) {
    leaveMemory(snapshots_[k]);
    if (snapshots_[k].number != kNotWritten) store_->remove(snapshots_[k].number);
    snapshots_.erase(snapshots_.begin() + static_cast<std::ptrdiff_t>(k));
  }
  void restore(Snapshot& s) {
    if (s.bytes == nullptr) {
      s.bytes = store_->read(s.number);
      ++checkpointStatistics().read;
      enterMemory(s);
    }
    for (std::size_t i = 0; i < pointers_.size(); ++i) store(pointers_[i].variable, s.pointers[i]);
    detail::arrange(vectors_, s.memory);
    const std::byte* from = s.bytes.get();
    for (const Part& p : parts_) {
      if (p.bytes != 0) std::memcpy(p.address, from, p.bytes);
      from += p.bytes;
    }
  }

  // --- the store: the reverse sweep wants the newest snapshot first, so that the oldest leave memory

  std::size_t mostInMemory() const noexcept {
    const std::uint64_t each = std::max<std::size_t>(snapshotBytes(), 1);
    return static_cast<std::size_t>(std::max<std::uint64_t>(inMemoryIsBytes_ ? inMemory_ / each : inMemory_, 1));
  }
  void spill() {
    if (store_ == nullptr) return;
    const std::size_t most = restart_ != nullptr ? 0 : mostInMemory();  // a run that goes on has the files only
    for (std::size_t k = 0; k + most < snapshots_.size(); ++k) {
      Snapshot& s = snapshots_[k];
      if (s.bytes == nullptr) continue;
      if (s.number == kNotWritten) {
        s.number = store_->write(s.bytes, s.size);
        ++checkpointStatistics().written;
      }
      if (k + mostInMemory() < snapshots_.size()) leaveMemory(s);
    }
  }
  // The one below those in memory, where there is room, or when the last of these is about to go.
  void readAhead(std::int64_t step) {
    if (store_ == nullptr) return;
    std::size_t k = snapshots_.size();
    while (k > 0 && snapshots_[k - 1].bytes != nullptr) --k;
    const std::size_t held = snapshots_.size() - k;
    if (k > 0 && (held < mostInMemory() || (held == 1 && position_ == step))) store_->prefetch(snapshots_[k - 1].number);
  }

  const Schedule schedule_;
  const std::uint64_t amount_;
  std::int64_t steps_;  // kUnknownSteps till the loop is over, where it isn't known before
  const std::int64_t counter_;
  std::int64_t position_ = 0;
  std::int64_t left_ = kUnknownSteps;  // where the reverse sweep goes on that was killed
  std::vector<Part> parts_;
  std::vector<Pointer> pointers_;
  std::vector<std::unique_ptr<detail::Exchanged>> vectors_;
  std::vector<std::pair<const void*, const void*>> origins_;  // memory of vectors before the loop, and of their shadows
  std::size_t nextPart_ = 0, nextPointer_ = 0;
  bool planned_ = false, seenVectors_ = false, reversing_ = false;
  SnapshotPlan plan_;
  std::vector<Snapshot> snapshots_;
  std::unique_ptr<detail::SnapshotStore> store_;  // null: all are in memory
  std::string region_ = "a checkpointed loop";
  std::uint64_t inMemory_ = 0;
  bool inMemoryIsBytes_ = false;
  std::unique_ptr<detail::Restarting> restart_;  // null: nothing goes on
  std::unique_ptr<detail::AfterImage> paused_;
};

// As expressions of generated code.
inline std::int64_t stepsOf(const Checkpoint& checkpoint) noexcept { return checkpoint.steps(); }
inline std::int64_t firstCounter(const Checkpoint& checkpoint) noexcept { return checkpoint.counter(); }
inline std::int64_t firstStep(const Checkpoint& checkpoint) noexcept { return checkpoint.first(); }

}  // namespace contraflow

#endif
