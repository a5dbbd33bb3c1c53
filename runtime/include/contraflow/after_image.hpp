// The after-image: what memory that the caller sees held at the end of the forward sweep.
//
// The reverse sweep restores older values on its way. Before each such restore the present bytes are logged;
// undoing the log from last to first leaves at every address what it held when it was first logged. So only the first
// entry of an address counts; `Logged` leaves out the rest, so that the log of a time loop is as large as its arrays, not as its
// tape.
//
// Threads log on their own. The log of a thread is cut into phases, by the team barriers it passed: within a phase
// no two threads write one address (the program is free of races), so that phase by phase is an order in which
// undoing is right. The exception is memory that several threads update by atomics in one phase: there each entry has its
// *turn*, and of one address the entry of the highest turn, which was logged first, is put back last.
//
// What is restored through a pointer may be the caller's memory or an object of the derivative's own that is gone by the
// end: undoing leaves out such *dead* memory. It is what frames held (`forget`), the stack below the head's frame, and the
// stacks of worker threads.
//
// Structural operations on vectors are logged as what does them again (`Redo`); until the log is gone each holds the buffer
// that undoing the operation took away, so that the bytes logged for that buffer have a place to go to.
#ifndef CONTRAFLOW_AFTER_IMAGE_HPP
#define CONTRAFLOW_AFTER_IMAGE_HPP

#include <contraflow/byte_stack.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include <pthread.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CONTRAFLOW_ASAN
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(CONTRAFLOW_ASAN)
#define CONTRAFLOW_ASAN
#endif
#ifdef CONTRAFLOW_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace contraflow::detail {

// Where objects are that took part in structural operations and lived in frames that are gone: they are kept with the log.
class Redone {
public:
  void moved(const void* from, std::size_t size, void* to) { kept_.push_back({from, size, to}); }
  template <class T>
  T* now(T* object) const {
    const auto at = reinterpret_cast<std::uintptr_t>(object);
    for (auto k = kept_.rbegin(); k != kept_.rend(); ++k) {
      const auto first = reinterpret_cast<std::uintptr_t>(k->from);
      if (at >= first && at < first + k->size)
        return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(k->to) + (at - first));
    }
    return object;
  }

private:
  struct Kept {
    const void* from;
    std::size_t size;
    void* to;
  };
  std::vector<Kept> kept_;
};

// A structural operation that the reverse sweep undid.
struct Redo {
  Redo() = default;
  Redo(const Redo&) = delete;
  Redo& operator=(const Redo&) = delete;
  virtual ~Redo() = default;
  virtual void operator()(Redone& redone) = 0;
};

// The memory that a log has entries of, in words of four bytes.
//
// An entry may be left out if an earlier one of the same thread covers it: whatever is undone in between, the earlier one is undone
// later. Not so across structural operations that are done again, which read memory in the middle of the undoing: with each of them,
// on whatever thread, all is forgotten. What has a turn isn't kept here: it isn't undone in the order of the log.
class Logged {
public:
  // True if all of these bytes were added before; adds them.
  bool add(const void* address, std::size_t size) {
    if (epoch_ != epoch().load(std::memory_order_relaxed)) clear();
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (((at | size) & (kWord - 1)) != 0) return false;
    const std::size_t first = (at % kPage) / kWord, words = size / kWord;
    if (words <= 2 && first % 64 + words <= 64) {
      std::uint64_t& bits = page(at / kPage)[first / 64];
      const std::uint64_t wanted = (words == 2 ? std::uint64_t{3} : std::uint64_t{1}) << (first % 64);
      const bool all = (bits & wanted) == wanted;
      bits |= wanted;
      return all;
    }
    return addRange(at, words);
  }
  void clear() {
    pages_.clear();
    recent_.fill({});
    epoch_ = epoch().load(std::memory_order_relaxed);
  }
  // A structural operation that is done again has been logged.
  static void forgetAll() { epoch().fetch_add(1, std::memory_order_relaxed); }

private:
  static constexpr std::size_t kWord = 4, kPage = 4096, kRecent = 64;
  using Page = std::array<std::uint64_t, kPage / kWord / 64>;
  struct Recent {
    std::uintptr_t number = 0;
    std::uint64_t* words = nullptr;
  };

  std::uint64_t* page(std::uintptr_t number) {
    Recent& recent = recent_[number % kRecent];
    if (recent.words == nullptr || recent.number != number) recent = {number, pages_[number].data()};
    return recent.words;
  }
  CONTRAFLOW_COLD bool addRange(std::uintptr_t at, std::size_t words) {
    bool all = true;
    for (std::uintptr_t word = at / kWord, last = word + words; word != last;) {
      const std::size_t first = word % 64, n = std::min<std::size_t>(64 - first, last - word);
      const std::uint64_t wanted = (n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1) << first;
      std::uint64_t& bits = page(word / (kPage / kWord))[word % (kPage / kWord) / 64];
      all = all && (bits & wanted) == wanted;
      bits |= wanted;
      word += n;
    }
    return all;
  }
  // Of all logs, since a structural operation of one thread may move what another one has logged.
  static std::atomic<std::uint64_t>& epoch() noexcept {
    static std::atomic<std::uint64_t> number{0};
    return number;
  }

  std::unordered_map<std::uintptr_t, Page> pages_;  // its elements never move
  std::array<Recent, kRecent> recent_{};
  std::uint64_t epoch_ = 0;
};

class AfterImage {
public:
  AfterImage() : phases_(1) {}

  // Logs what `size` bytes at `address` hold.
  void log(const void* address, std::size_t size) {
    if (size != 0 && !logged_.add(address, size)) append(address, address, size, kNoTurn);
  }
  // The same for memory that other threads restore in this phase too, each at its turn, from the highest down to 1.
  CONTRAFLOW_COLD void log(const void* address, std::size_t size, std::int64_t turn) { append(address, address, size, turn); }

  void log(std::unique_ptr<Redo> redo) {
    Redo* const entry = redo.get();
    redos_.push_back(std::move(redo));
    Logged::forgetAll();
    append(&entry, nullptr, sizeof entry, kNoTurn);
  }
  // Objects that structural operations name.
  void restructured(const void* object) { restructured_.insert(reinterpret_cast<std::uintptr_t>(object)); }
  bool restructures(const void* first, std::size_t size) const {
    const auto at = reinterpret_cast<std::uintptr_t>(first);
    const auto found = restructured_.lower_bound(at);
    return found != restructured_.end() && *found < at + size;
  }
  bool restructures() const { return !restructured_.empty(); }

  // The memory dies before the log is undone.
  void forget(const void* address, std::size_t size) {
    const auto first = reinterpret_cast<std::uintptr_t>(address);
    if (size != 0) dead_.push_back({first, first + size});
  }
  // The calling thread's stack below `frame`, or all of it.
  void forgetStack(const void* frame) {
    if (knowsStack_) return;
    knowsStack_ = true;
    pthread_attr_t attributes;
    void* low = nullptr;
    std::size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
      const auto first = reinterpret_cast<std::uintptr_t>(low);
      dead_.push_back({first, frame != nullptr ? reinterpret_cast<std::uintptr_t>(frame) : first + size});
    }
    pthread_attr_destroy(&attributes);
  }

  // What follows is ordered after all that any thread of the team logged so far.
  void beginPhase() { phases_.emplace_back(); }

  // Appends the logs of a team, phase p of every thread before phase p + 1 of any, and leaves them empty.
  void append(const std::vector<AfterImage*>& team) {
    std::size_t phases = 0;
    for (const AfterImage* thread : team) phases = thread->phases_.size() > phases ? thread->phases_.size() : phases;
    for (std::size_t phase = 0; phase < phases; ++phase)
      for (AfterImage* thread : team)
        if (phase < thread->phases_.size())
          for (ByteStack& log : thread->phases_[phase]) phases_.back().push_back(std::move(log));
    for (AfterImage* thread : team) {
      dead_.insert(dead_.end(), thread->dead_.begin(), thread->dead_.end());
      thread->dead_.clear();
      for (std::unique_ptr<Redo>& redo : thread->redos_) redos_.push_back(std::move(redo));
      thread->redos_.clear();
      restructured_.insert(thread->restructured_.begin(), thread->restructured_.end());
      thread->clear();
    }
  }

  // Writes every logged value back, from last to first, and empties the log.
  void undo() {
    mergeDead();
    Redone redone;
    for (auto phase = phases_.rbegin(); phase != phases_.rend(); ++phase) {
      std::unordered_map<void*, std::int64_t> putBack;  // the highest turn so far
      for (auto log = phase->rbegin(); log != phase->rend(); ++log)
        while (!log->empty()) undoLast(*log, putBack, redone);
    }
    clear();
    logged_.clear();
    redos_.clear();
    restructured_.clear();
  }

  std::size_t bytes() const noexcept {
    std::size_t sum = 0;
    for (const auto& phase : phases_)
      for (const ByteStack& log : phase) sum += log.bytes();
    return sum;
  }

private:
  static constexpr std::int64_t kNoTurn = 0;
  struct Entry {  // behind the bytes and, if it has one, the turn
    void* address;
    std::size_t size : 8 * sizeof(std::size_t) - 1;
    std::size_t hasTurn : 1;
  };
  struct Range {
    std::uintptr_t first, last;
  };

  // Without an address: the bytes are a pointer to a Redo.
  CONTRAFLOW_COLD void append(const void* bytes, const void* address, std::size_t size, std::int64_t turn) {
    std::vector<ByteStack>& logs = phases_.back();
    if (logs.empty()) logs.emplace_back(kFirstChunk);
    ByteStack& log = logs.back();
    std::memcpy(log.take(size), bytes, size);
    if (turn != kNoTurn) std::memcpy(log.take(sizeof turn), &turn, sizeof turn);
    // The address is put back through this pointer later, by undo(); logging itself only reads.
    Entry entry;
    entry.address = const_cast<void*>(address);
    entry.size = size;
    entry.hasTurn = turn != kNoTurn;
    std::memcpy(log.take(sizeof entry), &entry, sizeof entry);
  }
  void undoLast(ByteStack& log, std::unordered_map<void*, std::int64_t>& putBack, Redone& redone) {
    Entry entry;
    std::memcpy(&entry, log.release(sizeof entry), sizeof entry);
    bool wanted = !isDead(entry.address);
    if (entry.hasTurn) {
      std::int64_t turn = 0;
      std::memcpy(&turn, log.release(sizeof turn), sizeof turn);
      std::int64_t& highest = putBack[entry.address];
      wanted = wanted && turn > highest;
      highest = std::max(highest, turn);
    }
    const std::byte* value = log.release(entry.size);
    if (entry.address == nullptr) {
      Redo* redo = nullptr;
      std::memcpy(&redo, value, sizeof redo);
      (*redo)(redone);
      return;
    }
    if (wanted) std::memcpy(entry.address, value, entry.size);
  }

  // Sorts the dead ranges and joins those that overlap.
  void mergeDead() {
    std::sort(dead_.begin(), dead_.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
    std::vector<Range> merged;
    for (const Range& r : dead_) {
      if (!merged.empty() && r.first <= merged.back().last)
        merged.back().last = std::max(merged.back().last, r.last);
      else
        merged.push_back(r);
    }
    dead_ = std::move(merged);
  }
  bool isDead(const void* address) const {
#ifdef CONTRAFLOW_ASAN
    // AddressSanitizer may keep a function's locals in a frame beside the stack, which it poisons when their life ends. While they
    // live, what counts is where the real frame is.
    if (__asan_address_is_poisoned(address) != 0) return true;
    void* frames = __asan_get_current_fake_stack();
    void* real = frames == nullptr ? nullptr : __asan_addr_is_in_fake_stack(frames, const_cast<void*>(address), nullptr, nullptr);
    if (real != nullptr) address = real;
#endif
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const auto behind = std::upper_bound(dead_.begin(), dead_.end(), at,
                                         [](std::uintptr_t a, const Range& r) { return a < r.first; });
    return behind != dead_.begin() && at < std::prev(behind)->last;
  }

  // There may be one log for each thread and parallel region; most are small.
  static constexpr std::size_t kFirstChunk = 1024;

  void clear() {
    phases_.clear();
    phases_.emplace_back();
  }

  std::vector<std::vector<ByteStack>> phases_;  // never empty
  std::vector<Range> dead_;
  std::vector<std::unique_ptr<Redo>> redos_;
  std::set<std::uintptr_t> restructured_;
  Logged logged_;
  bool knowsStack_ = false;
};

}  // namespace contraflow::detail

#endif
