// Where the tape's chunks come from: the heap, or files that the system writes out when memory is short.
//
// CONTRAFLOW_TAPE_FOLDER in the environment (or tapeSpill()) names the folder for the files, CONTRAFLOW_TAPE_MEMORY how many bytes all
// tapes of the process may hold in memory before they use it. The files have no name: nothing is left of them, whatever happens.
#ifndef CONTRAFLOW_TAPE_MEMORY_HPP
#define CONTRAFLOW_TAPE_MEMORY_HPP

#include <contraflow/tape_pool.hpp>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <string>

#if defined(__linux__)
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace contraflow {

// Who asks for memory, for messages. As a default argument it is the caller: the generated function that records, and the line in its
// file. (Small enough for registers, so that it costs nothing where there is memory.)
struct TapeCaller {
  const char* function;
  int line;
  static constexpr TapeCaller here(const char* function = __builtin_FUNCTION(), int line = __builtin_LINE()) noexcept {
    return {function, line};
  }
};

// Thrown where the tape can't get the memory it needs. what() says how much was asked for, by which code, and how much is held.
class TapeMemoryError : public std::bad_alloc {
public:
  TapeMemoryError(std::size_t asked, std::size_t held, TapeCaller by, const char* why = "") noexcept {
    int n = asked == std::numeric_limits<std::size_t>::max()
                ? std::snprintf(text_, sizeof text_, "contraflow: the tape was asked for more bytes than can be counted")
                : std::snprintf(text_, sizeof text_, "contraflow: the tape can't get %zu bytes", asked);
    n += std::snprintf(text_ + n, sizeof text_ - static_cast<std::size_t>(n), " for %.100s, line %d", by.function, by.line);
    std::snprintf(text_ + n, sizeof text_ - static_cast<std::size_t>(n), "%.160s; it holds %zu bytes", why, held);
  }
  const char* what() const noexcept override { return text_; }

private:
  char text_[512];
};

// Of all tapes of the process, by chunk.
struct TapeUse {
  std::size_t bytes = 0, peakBytes = 0;  // files included
  std::size_t inFiles = 0, peakInFiles = 0;
};

struct TapeSpill {
  std::string folder;      // empty: no files
  std::size_t memory = 0;  // held outside of files before these are used
};
// Not while other threads use tapes.
inline TapeSpill& tapeSpill() {
  static TapeSpill spill = [] {
    const char* folder = std::getenv("CONTRAFLOW_TAPE_FOLDER");
    const char* memory = std::getenv("CONTRAFLOW_TAPE_MEMORY");
    return TapeSpill{folder != nullptr ? folder : "", memory != nullptr ? std::strtoull(memory, nullptr, 10) : 0};
  }();
  return spill;
}

namespace detail {

// With CONTRAFLOW_STATS=1 in the environment the peak is printed on stderr when the process ends. Counted by chunk, so that it costs
// nothing on the way.
class TapeStatistics {
public:
  static void taken(std::size_t bytes, bool file) {
    static const PrintAtExit printer;
    counters().all.add(bytes);
    if (file) counters().files.add(bytes);
  }
  static void freed(std::size_t bytes, bool file) noexcept {
    counters().all.now.fetch_sub(bytes);
    if (file) counters().files.now.fetch_sub(bytes);
  }
  static TapeUse use() noexcept {
    const Counters& c = counters();
    return {c.all.now.load(), c.all.peak.load(), c.files.now.load(), c.files.peak.load()};
  }

private:
  struct Counter {
    std::atomic<std::size_t> now{0}, peak{0};
    void add(std::size_t bytes) noexcept {
      const std::size_t sum = now.fetch_add(bytes) + bytes;
      std::size_t before = peak.load();
      while (before < sum && !peak.compare_exchange_weak(before, sum)) {
      }
    }
  };
  struct Counters {
    Counter all, files;
  };
  struct PrintAtExit {
    PrintAtExit() {}
    PrintAtExit(const PrintAtExit&) = delete;
    ~PrintAtExit() {
      const char* wanted = std::getenv("CONTRAFLOW_STATS");
      if (wanted == nullptr || std::strcmp(wanted, "1") != 0) return;
      const TapeUse all = use();
      std::fprintf(stderr, "contraflow: tape peak %zu bytes, %zu bytes at exit", all.peakBytes, all.bytes);
      if (all.peakInFiles != 0) std::fprintf(stderr, "; in files: peak %zu bytes", all.peakInFiles);
      std::fprintf(stderr, "\n");
    }
  };
  static Counters& counters() noexcept {
    static Counters both;
    return both;
  }
};

// n * size, or the largest number if that doesn't fit (no allocation of that size succeeds).
constexpr std::size_t bytesOf(std::size_t n, std::size_t size) noexcept {
  return size != 0 && n > std::numeric_limits<std::size_t>::max() / size ? std::numeric_limits<std::size_t>::max()
                                                                         : n * size;
}

struct ChunkMemory {
  static constexpr std::size_t kAlignment = 64;
  // From this size on a chunk consists of huge pages where the system has them: its first use then costs a fault for each of
  // these instead of one for each 4 KiB.
  static constexpr std::size_t kHugePage = 2 * 1024 * 1024;
  void* address = nullptr;
  std::size_t bytes = 0;
  bool inFile = false;

  // `held`: by the tape that asks, for the message.
  static ChunkMemory take(std::size_t bytes, std::size_t held, TapeCaller by) {
    ChunkMemory memory{nullptr, bytes, false};
    const TapeUse use = TapeStatistics::use();
    if (!tapeSpill().folder.empty() && use.bytes - use.inFiles + bytes > tapeSpill().memory) {
      memory.map(held, by);
    } else {
      memory.allocate(held, by);
    }
    TapeStatistics::taken(memory.bytes, memory.inFile);
    return memory;
  }
  void free() const noexcept {
#if defined(__linux__)
    if (inFile) ::munmap(address, bytes);
#endif
    if (!inFile && !(tapeSpill().folder.empty() && TapePool::get().give(address, bytes))) release(address, bytes);
    TapeStatistics::freed(bytes, inFile);
  }
  // Gives up what is kept for later tapes.
  static void releaseKept() noexcept {
    while (TapePool::get().drop(release)) {
    }
  }

private:
  static constexpr std::align_val_t alignmentOf(std::size_t bytes) noexcept {
    return std::align_val_t{bytes > kHugePage ? kHugePage : kAlignment};
  }
  static void release(void* address, std::size_t bytes) noexcept { ::operator delete(address, alignmentOf(bytes)); }
  // On the heap, or what another tape gave back, which may be larger.
  void allocate(std::size_t held, TapeCaller by) {
    address = TapePool::get().take(bytes);
    if (address != nullptr) return;
    address = ::operator new(bytes, alignmentOf(bytes), std::nothrow);
    if (address == nullptr) {
      releaseKept();
      address = ::operator new(bytes, alignmentOf(bytes), std::nothrow);
    }
    if (address == nullptr) throw TapeMemoryError(bytes, held, by);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (bytes > kHugePage) static_cast<void>(::madvise(address, bytes, MADV_HUGEPAGE));  // a wish, not a need
#endif
  }
  // The file's space is reserved at once: a disk that is full is an error here, not a fault of a later access.
  void map(std::size_t held, TapeCaller by) {
#if defined(__linux__)
    const auto failed = [&](const char* what, int error) {
      char why[160];
      std::snprintf(why, sizeof why, " (%s a file in '%.60s': %s)", what, tapeSpill().folder.c_str(), std::strerror(error));
      throw TapeMemoryError(bytes, held, by, why);
    };
    std::string name = tapeSpill().folder + "/contraflow-tape-XXXXXX";
    const int file = ::mkostemp(&name[0], O_CLOEXEC);
    if (file < 0) failed("can't make", errno);
    ::unlink(name.c_str());
    const int error = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
    void* mapped = error == 0 ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : nullptr;
    const int mapError = errno;
    ::close(file);
    if (error != 0) failed("no space for", error);
    if (mapped == MAP_FAILED) failed("can't map", mapError);
    address = mapped;
    inFile = true;
#else
    throw TapeMemoryError(bytes, held, by, " (files for the tape need Linux)");
#endif
  }
};

}  // namespace detail

// How many bytes of memory the process keeps for later tapes when one is destroyed: CONTRAFLOW_TAPE_KEEP in the environment, or half a
// GiB. What is kept beyond the new number goes back at once.
inline std::size_t tapeKeep() noexcept { return detail::TapePool::get().limit(); }
inline void tapeKeep(std::size_t bytes) noexcept {
  detail::TapePool::get().setLimit(bytes);
  if (detail::TapePool::get().kept() > bytes) detail::ChunkMemory::releaseKept();
}

// What all tapes of the process hold.
inline TapeUse tapeUse() noexcept { return detail::TapeStatistics::use(); }

}  // namespace contraflow

#endif
