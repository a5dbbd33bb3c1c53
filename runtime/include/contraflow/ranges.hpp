// Whether the elements that a loop names through two pointers lie apart: what decides, at run time, which version of it runs.
#ifndef CONTRAFLOW_RANGES_HPP
#define CONTRAFLOW_RANGES_HPP

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace contraflow {

struct Range {
  std::uintptr_t first, behind;
};

// The elements p[o] from the least offset to the greatest. As numbers: there need be no such elements if the loop doesn't run.
template <class T, class... Offsets>
Range rangeOf(const T* p, Offsets... offsets) noexcept {
  const std::initializer_list<std::int64_t> all{static_cast<std::int64_t>(offsets)...};
  const auto address = [&](std::int64_t offset) {
    return reinterpret_cast<std::uintptr_t>(p) + static_cast<std::uintptr_t>(offset) * sizeof(T);
  };
  return {address(std::min(all)), address(std::max(all)) + sizeof(T)};
}

inline bool apart(const Range& a, const Range& b) noexcept { return a.behind <= b.first || b.behind <= a.first; }
// The first from each of the others.
template <class... Ranges>
bool apart(const Range& a, const Range& b, const Ranges&... others) noexcept {
  return apart(a, b) && apart(a, others...);
}

}  // namespace contraflow

#endif
