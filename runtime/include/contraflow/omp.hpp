// What generated OpenMP code needs: its own division of loops, so that both sweeps divide alike; barriers that the
// tape knows of; tickets that replay criticals backwards. Without OpenMP, all of it works for a team of one.
#ifndef CONTRAFLOW_OMP_HPP
#define CONTRAFLOW_OMP_HPP

#include <contraflow/tape.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <type_traits>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace contraflow::omp {

// The calling thread's number in its team, and the team's size: 0 of 1 outside parallel regions.
inline int threadNumber() noexcept {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}
inline int teamSize() noexcept {
#ifdef _OPENMP
  return omp_get_num_threads();
#else
  return 1;
#endif
}

// Stops the run unless the team has the size that the forward sweep recorded: a pinned reversal gives each thread
// its own iterations back.
inline void checkTeam(int recorded) {
  if (teamSize() == recorded) return;
  std::fprintf(stderr,
               "contraflow: the reverse sweep got a team of %d threads where the forward sweep had %d; "
               "set OMP_DYNAMIC=false and the same number of threads for both\n",
               teamSize(), recorded);
  std::abort();
}

// Iteration numbers first, ..., last - 1 of a loop whose iterations are numbered 0, ..., n - 1.
struct Range {
  std::int64_t first;
  std::int64_t last;
};

// schedule(static) without a chunk: one contiguous block for each thread, sizes differing by one at most. The
// standard leaves this division open; this one is ours, the same in both sweeps.
inline Range staticRange(std::int64_t n, int thread, int team) noexcept {
  if (n < 0) n = 0;
  const std::int64_t size = n / team;
  const std::int64_t larger = n % team;  // the first ones have one iteration more
  const std::int64_t first = thread * size + (thread < larger ? thread : larger);
  return {first, first + size + (thread < larger ? 1 : 0)};
}
inline Range staticRange(std::int64_t n) noexcept { return staticRange(n, threadNumber(), teamSize()); }

// The blocks of one thread under schedule(static[, chunk]), in ascending or descending order, none of them empty:
//     for (Range block : staticChunks(n, chunk)) for (auto i = block.first; i < block.last; ++i) ...
// A chunk of zero or less means staticRange.
class Chunks {
public:
  Chunks(std::int64_t n, std::int64_t chunk, int thread, int team, bool reversed) noexcept : n_(n > 0 ? n : 0) {
    if (chunk <= 0) {
      const Range whole = staticRange(n_, thread, team);
      offset_ = whole.first;
      n_ = whole.last;
      size_ = whole.last - whole.first;
      stride_ = 0;
      count_ = size_ > 0 ? 1 : 0;
    } else {
      // Block b of all blocks goes to thread b % team. In this order no intermediate overflows.
      size_ = chunk < n_ ? chunk : n_;
      const std::int64_t blocks = n_ == 0 ? 0 : (n_ - 1) / size_ + 1;
      count_ = thread < blocks ? (blocks - 1 - thread) / team + 1 : 0;
      offset_ = count_ > 0 ? thread * size_ : 0;
      stride_ = count_ > 1 ? team * size_ : 0;
    }
    if (reversed) {
      start_ = count_ - 1;
      stop_ = -1;
      step_ = -1;
    } else {
      start_ = 0;
      stop_ = count_;
      step_ = 1;
    }
  }

  class Iterator {
  public:
    Iterator(const Chunks& chunks, std::int64_t index) noexcept : chunks_(&chunks), index_(index) {}
    Range operator*() const noexcept {
      const std::int64_t first = chunks_->offset_ + index_ * chunks_->stride_;
      const std::int64_t left = chunks_->n_ - first;
      return {first, first + (chunks_->size_ < left ? chunks_->size_ : left)};
    }
    Iterator& operator++() noexcept {
      index_ += chunks_->step_;
      return *this;
    }
    bool operator!=(const Iterator& other) const noexcept { return index_ != other.index_; }

  private:
    const Chunks* chunks_;
    std::int64_t index_;
  };
  Iterator begin() const noexcept { return {*this, start_}; }
  Iterator end() const noexcept { return {*this, stop_}; }

private:
  std::int64_t n_;
  std::int64_t size_ = 0;
  std::int64_t offset_ = 0;
  std::int64_t stride_ = 0;
  std::int64_t count_ = 0;
  std::int64_t start_ = 0;
  std::int64_t stop_ = 0;
  std::int64_t step_ = 1;
};

inline Chunks staticChunks(std::int64_t n, std::int64_t chunk) noexcept {
  return {n, chunk, threadNumber(), teamSize(), false};
}
inline Chunks staticChunksReversed(std::int64_t n, std::int64_t chunk) noexcept {
  return {n, chunk, threadNumber(), teamSize(), true};
}
// The same, calling f(Range) for each block.
template <class F>
void staticChunks(std::int64_t n, std::int64_t chunk, F f) {
  for (const Range block : staticChunks(n, chunk)) f(block);
}
template <class F>
void staticChunksReversed(std::int64_t n, std::int64_t chunk, F f) {
  for (const Range block : staticChunksReversed(n, chunk)) f(block);
}

// A barrier of the team, which all its threads must reach, each with its own tape.
inline void barrier(Tape& threadTape) {
#ifdef _OPENMP
#pragma omp barrier
#endif
  threadTape.barrier();
}

// x += v, safe against other threads that do the same.
template <class T, class V>
void atomicAdd(T& x, V v) {
  static_assert(std::is_floating_point_v<T>);
#ifdef _OPENMP
  if constexpr (std::is_same_v<T, long double>) {
    // No processor adds or exchanges these atomically, and their padding bytes confuse emulations.
#pragma omp critical(contraflow_atomic_long_double)
    x += v;
  } else {
#pragma omp atomic
    x += v;
  }
#else
  x += v;
#endif
}

// The order in which threads passed a critical section (or lock), for going through it backwards.
//
//     forward, inside:   const long ticket = tickets.take();  record it with what the section overwrites
//     reverse:           tickets.waitFor(ticket);  the reverse of the section;  tickets.done();
//
// The reverse sweep runs from the last ticket down to the first; each waits for its turn, so that no lock is needed
// there. Segments nest like the tape: what was taken last is done first.
class Tickets {
public:
  // The number of this pass: 0, 1, 2, ... The caller holds the lock of the section.
  long take() noexcept { return passes_.fetch_add(1, std::memory_order_acq_rel); }
  // Once, before the team reverses the section; all forward passes have been made.
  void startReverse() noexcept { std::atomic_thread_fence(std::memory_order_seq_cst); }
  // Returns when it is this ticket's turn.
  void waitFor(long ticket) const noexcept {
    while (passes_.load(std::memory_order_acquire) != ticket + 1) std::this_thread::yield();
  }
  // The next lower ticket may go.
  void done() noexcept { passes_.fetch_sub(1, std::memory_order_acq_rel); }

private:
  std::atomic<long> passes_{0};
};

}  // namespace contraflow::omp

#endif
