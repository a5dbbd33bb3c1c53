// Reversed parallel loops without atomics, where the iterations that touch common memory lie close together: a stencil's.
//
// Each thread gets a contiguous block of iterations, and runs it in two parts with a barrier between them: first all but the
// block's beginning, then the beginning. If two iterations that touch the same memory are at most `apart` from each other, and a
// beginning has that length, then no two threads touch the same memory in the same part.
#ifndef CONTRAFLOW_BANDS_HPP
#define CONTRAFLOW_BANDS_HPP

#include <contraflow/omp.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace contraflow::omp {

// The memory that iteration n of a loop touches through one base: base[stride * n + o], o between the least and the greatest
// offset. In bytes; empty for a null pointer.
struct Reach {
  std::uintptr_t base;
  std::int64_t stride;
  std::int64_t low, high;  // of iteration 0: low <= address - base < high
};

template <class T, class... Offsets>
Reach reach(const T* base, std::int64_t stride, Offsets... offsets) noexcept {
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
  if (base == nullptr) return {0, 0, 0, 0};
  const std::initializer_list<std::int64_t> all{static_cast<std::int64_t>(offsets)...};
  return {reinterpret_cast<std::uintptr_t>(base), stride * kSize, std::min(all) * kSize, (std::max(all) + 1) * kSize};
}

namespace detail {

constexpr std::int64_t kEverywhere = std::numeric_limits<std::int64_t>::max();

// The most that n - m can be in size where iteration n touches what iteration m touches through the other; -1 if there is none.
inline std::int64_t conflictDistance(std::int64_t trips, const Reach& a, const Reach& b) noexcept {
  const auto empty = [](const Reach& r) { return r.low >= r.high; };
  if (trips <= 0 || empty(a) || empty(b)) return -1;
  // Relative to a.base, all iterations together.
  const auto shift = static_cast<std::int64_t>(b.base - a.base);
  const auto first = [&](const Reach& r) { return r.low + std::min<std::int64_t>(0, r.stride * (trips - 1)); };
  const auto last = [&](const Reach& r) { return r.high + std::max<std::int64_t>(0, r.stride * (trips - 1)); };
  if (last(a) <= shift + first(b) || shift + last(b) <= first(a)) return -1;
  if (a.stride != b.stride || a.stride == 0) return kEverywhere;
  // They meet where low < stride * (n - m) < high.
  const std::int64_t low = shift + b.low - a.high, high = shift + b.high - a.low;
  const std::int64_t farthest = std::max(low < 0 ? -low : low, high < 0 ? -high : high) - 1;
  return farthest / (a.stride < 0 ? -a.stride : a.stride);
}

}  // namespace detail

// How far two of the `trips` iterations that touch the same memory can lie apart, at most.
template <class... Reaches>
std::int64_t conflictDistance(std::int64_t trips, const Reaches&... reaches) noexcept {
  const std::initializer_list<Reach> all{reaches...};
  std::int64_t apart = 0;
  for (const Reach& a : all)
    for (const Reach& b : all) apart = std::max(apart, detail::conflictDistance(trips, a, b));
  return apart;
}

// The iterations of the calling thread in part 0 or 1. Between the parts, and behind the last, the team passes a barrier. Where
// blocks would be too short, some threads have none.
inline Range band(std::int64_t trips, std::int64_t apart, int part, int thread, int team) noexcept {
  const std::int64_t most = apart >= trips ? 1 : std::max<std::int64_t>(1, trips / (2 * (apart + 1)));
  const int blocks = most < team ? static_cast<int>(most) : team;
  if (thread >= blocks) return {0, 0};
  const Range block = staticRange(trips, thread, blocks);
  const std::int64_t middle = thread == 0 ? block.first : block.first + apart;  // nobody ends before the first block
  return part == 0 ? Range{middle, block.last} : Range{block.first, middle};
}
inline std::int64_t bandFirst(std::int64_t trips, std::int64_t apart, int part) noexcept {
  return band(trips, apart, part, threadNumber(), teamSize()).first;
}
inline std::int64_t bandLast(std::int64_t trips, std::int64_t apart, int part) noexcept {
  return band(trips, apart, part, threadNumber(), teamSize()).last;
}

}  // namespace contraflow::omp

#endif
