// Chunks that tapes gave back, for the next tape: a gradient that is called again and again with a tape of its own would otherwise pay
// for fresh pages in each call, which can cost as much as its arithmetic.
//
// Guarantees: holds at most `limit` bytes (CONTRAFLOW_TAPE_KEEP in the environment, or tapeKeep()); of what is more than 64 MiB Linux
// takes the pages back when memory is short. Any thread may call at any time. Never destroyed, so that tapes may be static.
#ifndef CONTRAFLOW_TAPE_POOL_HPP
#define CONTRAFLOW_TAPE_POOL_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace contraflow {
namespace detail {

class TapePool {
#if defined(__has_feature)
#define CONTRAFLOW_HAS_FEATURE(feature) __has_feature(feature)
#else
#define CONTRAFLOW_HAS_FEATURE(feature) 0
#endif
  // AddressSanitizer is to see what is read of a tape that is gone.
#if defined(__SANITIZE_ADDRESS__) || CONTRAFLOW_HAS_FEATURE(address_sanitizer)
  static constexpr bool kSeesErrors = true;
#else
  static constexpr bool kSeesErrors = false;
#endif
#undef CONTRAFLOW_HAS_FEATURE

public:
  // Smaller chunks the heap keeps by itself.
  static constexpr std::size_t kSmallest = 64 * 1024;
  // Beyond this the system is told that it may take the pages; telling costs a tenth of what fresh ones do.
  static constexpr std::size_t kHeld = std::size_t(64) * 1024 * 1024;
  static constexpr std::size_t kDefaultLimit = kSeesErrors ? 0 : 8 * kHeld;

  static TapePool& get() {
    static TapePool* pool = new TapePool;
    return *pool;
  }

  // A chunk of at least `bytes` bytes and at most half as many more; `bytes` becomes its size. Null if there is none.
  void* take(std::size_t& bytes) noexcept {
    if (bytes < kSmallest) return nullptr;
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = chunks_.lower_bound(bytes);
    if (found == chunks_.end() || found->first - bytes > bytes / 2) return nullptr;
    void* const chunk = found->second;
    bytes = found->first;
    kept_ -= bytes;
    chunks_.erase(found);
    return chunk;
  }

  // False if the chunk isn't kept.
  bool give(void* chunk, std::size_t bytes) noexcept {
    if (bytes < kSmallest) return false;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (bytes > limit_ || kept_ > limit_ - bytes) return false;
    try {
      chunks_.emplace(bytes, chunk);
    } catch (const std::bad_alloc&) {
      return false;
    }
    kept_ += bytes;
    if (kept_ > kHeld) offerPages(chunk, bytes);
    return true;
  }

  // Calls f(chunk, bytes) for a chunk that is kept no longer; false if there is none.
  template <class F>
  bool drop(F&& f) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto largest = chunks_.end() == chunks_.begin() ? chunks_.end() : std::prev(chunks_.end());
    if (largest == chunks_.end()) return false;
    kept_ -= largest->first;
    f(largest->second, largest->first);
    chunks_.erase(largest);
    return true;
  }

  void setLimit(std::size_t bytes) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    limit_ = bytes;
  }
  std::size_t limit() noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    return limit_;
  }
  std::size_t kept() noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    return kept_;
  }

private:
  TapePool() noexcept {
    if (const char* keep = std::getenv("CONTRAFLOW_TAPE_KEEP")) limit_ = std::strtoull(keep, nullptr, 10);
  }

  // The system may take the chunk's pages from now on, until they are written again.
  static void offerPages([[maybe_unused]] void* chunk, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__linux__) && defined(MADV_FREE)
    constexpr std::uintptr_t kPage = 64 * 1024;  // a multiple of every page size
    const auto begin = reinterpret_cast<std::uintptr_t>(chunk), end = (begin + bytes) / kPage * kPage;
    const std::uintptr_t first = (begin + kPage - 1) / kPage * kPage;
    if (first < end) static_cast<void>(::madvise(reinterpret_cast<void*>(first), end - first, MADV_FREE));  // a favour, not a need
#endif
  }

  std::mutex mutex_;
  std::multimap<std::size_t, void*> chunks_;  // by size
  std::size_t kept_ = 0;
  std::size_t limit_ = kDefaultLimit;
};

}  // namespace detail
}  // namespace contraflow

#endif
