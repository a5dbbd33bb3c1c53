// What the threads of a team add to shared memory in one loop, without atomics: each adds to copies of its own, which are added up behind
// the loop.
//
//     contraflow::omp::Sums<double> sums;
//     #pragma omp parallel
//     {
//       contraflow::omp::Copy<double> x_b_copy(sums);
//     #pragma omp for
//       for (...) x_b_copy.add(x_b[column[j]], ...);
//       sums.addUp();
//     }
//
// A copy is of a *window*: of the addresses that this thread adds to. It grows where they lie close together. An increment outside
// of it is atomic; so nothing depends on what the window is but time and memory.
#ifndef CONTRAFLOW_SUMS_HPP
#define CONTRAFLOW_SUMS_HPP

#include <contraflow/omp.hpp>
#include <contraflow/ranges.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

namespace contraflow::omp {

namespace detail {

// Zeroed memory that this thread's windows had, for the next ones: fresh memory costs a page fault for each of its pages.
class Spare {
 public:
  struct Memory {
    void* at;
    std::size_t bytes;
  };

  Spare() = default;
  Spare(const Spare&) = delete;
  Spare& operator=(const Spare&) = delete;
  ~Spare() {
    for (const Memory& m : all_) std::free(m.at);
  }

  // As many bytes or more; null if there are none.
  Memory take(std::size_t bytes) {
    auto best = all_.end();
    for (auto m = all_.begin(); m != all_.end(); ++m)
      if (m->bytes >= bytes && (best == all_.end() || m->bytes < best->bytes)) best = m;
    if (best != all_.end()) {
      const Memory found = *best;
      all_.erase(best);
      kept_ -= found.bytes;
      return found;
    }
    std::size_t rounded = 512;
    while (rounded < bytes) rounded *= 2;
    return {std::calloc(rounded, 1), rounded};
  }
  // All of it is zero.
  void give(const Memory& m, std::size_t most) {
    if (m.at == nullptr) return;
    if (kept_ + m.bytes > most) return std::free(m.at);
    all_.push_back(m);
    kept_ += m.bytes;
  }

 private:
  std::vector<Memory> all_;
  std::size_t kept_ = 0;
};

inline thread_local Spare spare;

}  // namespace detail

template <class T>
class Copy;

template <class T>
class Sums {
 public:
  Sums() = default;
  Sums(const Sums&) = delete;
  Sums& operator=(const Sums&) = delete;

  // Adds what the copies hold to the memory that they are copies of, in the order of threads. Called by the whole team behind a
  // barrier, each thread with its copies still in scope; ends with a barrier.
  void addUp();

 private:
  friend class Copy<T>;
  std::mutex mutex_;
  std::vector<Copy<T>*> copies_;  // of all threads
  std::size_t made_ = 0;
};

template <class T>
class Copy {
 public:
  // What lies in the ranges `apart` is never held in the window: the loop reads it, or sets it.
  template <class... Ranges>
  explicit Copy(Sums<T>& sums, const Ranges&... apart) : sums_(sums), apart_{apart...}, thread_(threadNumber()), alone_(teamSize() == 1) {
    most_ = kMostBytes / sizeof(T) / static_cast<std::size_t>(teamSize());
    const std::lock_guard<std::mutex> lock(sums_.mutex_);
    number_ = sums_.made_++;
    sums_.copies_.push_back(this);
  }
  ~Copy() {
    const std::lock_guard<std::mutex> lock(sums_.mutex_);
    sums_.copies_.erase(std::remove(sums_.copies_.begin(), sums_.copies_.end(), this), sums_.copies_.end());
    std::free(memory_.at);  // (unless it has been added up)
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  // target += value
  template <class V>
  void add(T& target, V value) {
    if (const std::uintptr_t at = addressOf(target) - window_.first; at < bytes_)
      *reinterpret_cast<T*>(reinterpret_cast<char*>(values_) + at) += static_cast<T>(value);
    else if (alone_)
      target += static_cast<T>(value);
    else
      addOutside(target, static_cast<T>(value));
  }
  template <class V>
  void subtract(T& target, V value) {
    add(target, -value);
  }
  // What was added to the number goes to memory, since it is read or set next. (A program without races lets no other thread add to it.)
  void settle(T& number) {
    if (const std::uintptr_t at = addressOf(number) - window_.first; at < bytes_) {
      T& held = *reinterpret_cast<T*>(reinterpret_cast<char*>(values_) + at);
      if (held != T(0)) number += std::exchange(held, T(0));  // (others may read it, too)
    }
  }

 private:
  friend class Sums<T>;
  using Window = contraflow::Range;

  // Moves what it holds of the range to that memory. (What is zero may be no T at all, but what lies between two in a record.)
  void addUp(const Window& range) const noexcept {
    const std::uintptr_t first = std::max(range.first, window_.first), behind = std::min(range.behind, window_.behind);
    if (first >= behind) return;
    T* const from = values_ + (first - window_.first) / sizeof(T);
    T* const to = reinterpret_cast<T*>(first);
    const std::size_t count = (behind - first) / sizeof(T);
    for (std::size_t k = 0; k < count; ++k)
      if (from[k] != T(0)) to[k] += std::exchange(from[k], T(0));
  }

  // When it has been added up.
  void clear() {
    detail::spare.give(memory_, most_ * sizeof(T));
    memory_ = {nullptr, 0};
    values_ = nullptr;
    bytes_ = 0;
    window_ = {0, 0};
  }

  static constexpr std::size_t kMostBytes = std::size_t(1) << 28;  // of one variable's copies in all threads
  static constexpr std::size_t kLeast = 64;    // elements of the first window
  static constexpr std::size_t kSparsest = 32; // elements of the window for each one that is used

  static std::uintptr_t addressOf(T& target) noexcept { return reinterpret_cast<std::uintptr_t>(&target); }
  std::size_t elements() const noexcept { return bytes_ / sizeof(T); }

#ifdef __GNUC__
  __attribute__((noinline))
#endif
  void addOutside(T& target, T value) {
    ++outside_;
    if (outside_ >= next_ && grow(addressOf(target)))
      add(target, value);
    else
      atomicAdd(target, value);
  }

  // Makes the window hold the address, if it is worth it.
  bool grow(std::uintptr_t at) {
    if (sizeof(T) != alignof(T)) return false;  // a window's elements must lie at multiples of their size from each other
    const std::size_t used = outside_ + static_cast<std::size_t>(elements() - std::count(values_, values_ + elements(), T(0)));
    const Window needed = bytes_ == 0 ? Window{at, at + sizeof(T)}
                                      : Window{std::min(at, window_.first), std::max(at + sizeof(T), window_.behind)};
    for (const Window& wanted : {roomy(needed), needed})
      if (meetsNone(wanted) && (wanted.behind - wanted.first) / sizeof(T) <= std::min(most_, kLeast + kSparsest * used) && moveTo(wanted))
        return true;
    next_ = outside_ + std::max<std::size_t>(16, elements() / 16);  // to find out what is used takes its time
    return false;
  }

  bool meetsNone(const Window& w) const noexcept {
    return std::all_of(apart_.begin(), apart_.end(), [&](const Window& a) { return contraflow::apart(a, w); });
  }
  // Twice as large as now on the sides where it grows, if there is room.
  Window roomy(const Window& needed) const noexcept {
    const std::uintptr_t more = std::max<std::uintptr_t>(bytes_, kLeast / 2 * sizeof(T));
    Window wanted = needed;
    if (needed.first != window_.first && needed.first > more) wanted.first -= more;
    if (needed.behind != window_.behind) wanted.behind += more;
    for (const Window& a : apart_) {
      if (a.behind <= needed.first && wanted.first < a.behind) wanted.first = needed.first - (needed.first - a.behind) / sizeof(T) * sizeof(T);
      if (needed.behind <= a.first && a.first < wanted.behind) wanted.behind = needed.behind + (a.first - needed.behind) / sizeof(T) * sizeof(T);
    }
    return wanted;
  }
  bool moveTo(const Window& w) {
    const detail::Spare::Memory memory = detail::spare.take(w.behind - w.first);
    if (memory.at == nullptr) return false;
    T* const values = static_cast<T*>(memory.at);
    if (bytes_ != 0) {
      std::memcpy(values + (window_.first - w.first) / sizeof(T), values_, bytes_);
      std::memset(memory_.at, 0, bytes_);
      detail::spare.give(memory_, most_ * sizeof(T));
    }
    memory_ = memory;
    values_ = values;
    window_ = w;
    bytes_ = w.behind - w.first;
    return true;
  }

  detail::Spare::Memory memory_{nullptr, 0};
  T* values_ = nullptr;
  std::uintptr_t bytes_ = 0;
  Window window_{0, 0};
  std::size_t outside_ = 0, next_ = 1;  // increments outside of the window; when it is worth a try to grow it
  std::size_t most_;                    // elements
  Sums<T>& sums_;
  std::vector<Window> apart_;
  int thread_;
  std::size_t number_ = 0;
  bool alone_;  // in a team of one, which needs no copies
};

template <class T, class... Copies>
void settle(T& number, Copies&... copies) {
  (copies.settle(number), ...);
}

template <class T>
void Sums<T>::addUp() {
  std::vector<const Copy<T>*> copies(copies_.begin(), copies_.end());
  std::sort(copies.begin(), copies.end(), [](const Copy<T>* a, const Copy<T>* b) {
    return a->thread_ != b->thread_ ? a->thread_ < b->thread_ : a->number_ < b->number_;
  });
  // The memory that there are copies of, in parts that lie apart; each thread adds up its share of it.
  std::vector<contraflow::Range> parts;
  for (const Copy<T>* c : copies)
    if (c->bytes_ != 0) parts.push_back(c->window_);
  std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::int64_t elements = 0;
  std::size_t last = 0;
  for (std::size_t k = 1; k < parts.size(); ++k) {
    if (parts[k].first < parts[last].behind)
      parts[last].behind = std::max(parts[last].behind, parts[k].behind);
    else
      parts[++last] = parts[k];
  }
  if (!parts.empty()) parts.resize(last + 1);
  for (const contraflow::Range& p : parts) elements += static_cast<std::int64_t>((p.behind - p.first) / sizeof(T));
  const Range share = staticRange(elements);
  std::int64_t before = 0;
  for (const contraflow::Range& p : parts) {
    const auto length = static_cast<std::int64_t>((p.behind - p.first) / sizeof(T));
    const std::int64_t from = std::max<std::int64_t>(0, share.first - before), to = std::min(length, share.last - before);
    if (from < to)
      for (const Copy<T>* c : copies)
        c->addUp({p.first + static_cast<std::uintptr_t>(from) * sizeof(T), p.first + static_cast<std::uintptr_t>(to) * sizeof(T)});
    before += length;
  }
#ifdef _OPENMP
#pragma omp barrier
#endif
  // What is added up is done with.
  const int thread = threadNumber();
  const std::lock_guard<std::mutex> lock(mutex_);
  copies_.erase(std::remove_if(copies_.begin(), copies_.end(),
                               [thread](Copy<T>* c) {
                                 if (c->thread_ == thread) c->clear();
                                 return c->thread_ == thread;
                               }),
                copies_.end());
}

}  // namespace contraflow::omp

#endif
