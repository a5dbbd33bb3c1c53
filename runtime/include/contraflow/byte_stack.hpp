// The memory under the tape: a stack of bytes in chunks.
//
// Guarantees: last in, first out; what lies on the stack never moves; taking and releasing cost one comparison
// (for the end of a chunk) beside the copy. A chunk that has run empty is kept and used again, since fresh memory
// costs more than writing to it; all are freed with the stack. Nothing is allocated before the first byte is taken.
//
// Needs: releases mirror takes exactly, with the same sizes in reverse order. The stack doesn't record sizes
// (except those of blocks), so it can't check this.
#ifndef CONTRAFLOW_BYTE_STACK_HPP
#define CONTRAFLOW_BYTE_STACK_HPP

#include <contraflow/tape_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#if defined(__GNUC__)
#define CONTRAFLOW_COLD __attribute__((noinline, cold))
#define CONTRAFLOW_LIKELY(condition) __builtin_expect(static_cast<bool>(condition), 1)
#else
#define CONTRAFLOW_COLD
#define CONTRAFLOW_LIKELY(condition) (condition)
#endif

namespace contraflow {

namespace detail {

class ByteStack {
public:
  static constexpr std::size_t kAlignment = ChunkMemory::kAlignment;
  static constexpr std::size_t kFirstChunk = 16 * 1024;
  static constexpr std::size_t kLargestChunk = 4 * 1024 * 1024;

  // `firstChunk` is the size of the first chunk; each next one is twice as large, up to kLargestChunk.
  explicit ByteStack(std::size_t firstChunk = kFirstChunk) noexcept : nextSize_(firstChunk) {}

  ByteStack(ByteStack&& other) noexcept { swap(other); }
  ByteStack& operator=(ByteStack&& other) noexcept {
    ByteStack gone(std::move(other));
    swap(gone);
    return *this;
  }
  ByteStack(const ByteStack&) = delete;
  ByteStack& operator=(const ByteStack&) = delete;
  ~ByteStack() { freeChunks(); }

  void swap(ByteStack& other) noexcept {
    std::swap(top_, other.top_);
    std::swap(begin_, other.begin_);
    std::swap(end_, other.end_);
    std::swap(chunk_, other.chunk_);
    std::swap(below_, other.below_);
    std::swap(reached_, other.reached_);
    std::swap(held_, other.held_);
    std::swap(nextSize_, other.nextSize_);
  }

  // The next `size` bytes, unaligned, contiguous.
  std::byte* take(std::size_t size, TapeCaller by = TapeCaller::here()) {
    if (!CONTRAFLOW_LIKELY(size <= static_cast<std::size_t>(end_ - top_))) advance(size, by);
    std::byte* place = top_;
    top_ += size;
    return place;
  }

  // The last `size` bytes taken; they stay readable until the next take.
  const std::byte* release(std::size_t size) noexcept {
    if (!CONTRAFLOW_LIKELY(top_ != begin_)) retreat();
    top_ -= size;
    return top_;
  }

  // `size` bytes aligned to `alignment` (a power of two), followed by a trailer of type Trailer. The block is
  // put on the stack by commit(); until then it is only reserved, so that a constructor may throw.
  template <class Trailer>
  struct Reserved {
    std::byte* place;
    Trailer* trailer;
  };
  template <class Trailer>
  Reserved<Trailer> reserve(std::size_t size, std::size_t alignment, TapeCaller by = TapeCaller::here()) {
    static_assert(std::is_trivially_copyable_v<Trailer>);
    constexpr std::size_t kTooMuch = std::numeric_limits<std::size_t>::max();
    const std::size_t slack = 2 * alignment + alignof(Trailer) + sizeof(Trailer);
    if (size > kTooMuch - slack) throw TapeMemoryError(size, held_, by);
    if (size + slack > static_cast<std::size_t>(end_ - top_)) advance(size + slack, by);
    std::byte* place = alignUp(top_, alignment);
    std::byte* trailer = alignUp(place + size, alignof(Trailer));
    return {place, ::new (trailer) Trailer{}};
  }
  template <class Trailer>
  void commit(const Reserved<Trailer>& reserved) noexcept {
    reserved.trailer->start = top_;
    top_ = reinterpret_cast<std::byte*>(reserved.trailer) + sizeof(Trailer);
  }

  // The trailer of the topmost thing, which must be a committed block with this trailer.
  template <class Trailer>
  Trailer* topTrailer() noexcept {
    if (top_ == begin_) retreat();
    return reinterpret_cast<Trailer*>(top_ - sizeof(Trailer));
  }
  template <class Trailer>
  void releaseBlock() noexcept {
    top_ = topTrailer<Trailer>()->start;
  }

  bool empty() const noexcept { return bytes() == 0; }
  // Bytes on the stack, with the padding of blocks.
  std::size_t bytes() const noexcept { return below_ + static_cast<std::size_t>(top_ - begin_); }
  // The most there ever was, to the granularity of a chunk and never too little: the last chunk reached counts whole.
  std::size_t peakBytes() const noexcept { return reached_; }
  // Memory taken from the system.
  std::size_t heldBytes() const noexcept { return held_; }

private:
  struct Chunk {
    Chunk* previous;
    Chunk* next;
    std::byte* end;
    std::byte* top;  // where the stack stood in this chunk when the next one was entered
    bool inFile;
    std::byte* begin() noexcept { return reinterpret_cast<std::byte*>(this) + kAlignment; }
    std::size_t capacity() noexcept { return static_cast<std::size_t>(end - begin()); }
  };
  static_assert(sizeof(Chunk) <= kAlignment);

  static std::byte* alignUp(std::byte* place, std::size_t alignment) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(place);
    return place + ((~address + 1) & (alignment - 1));
  }

  // Enters a chunk with room for `size` bytes.
  CONTRAFLOW_COLD void advance(std::size_t size, TapeCaller by) {
    Chunk* next = chunk_ != nullptr ? chunk_->next : nullptr;
    if (next == nullptr || next->capacity() < size) next = insertChunk(size, by);
    if (chunk_ != nullptr) {
      chunk_->top = top_;
      below_ += static_cast<std::size_t>(top_ - begin_);
    }
    enter(next, next->begin());
    if (below_ + next->capacity() > reached_) reached_ = below_ + next->capacity();
  }

  // Goes back to the last chunk that has bytes on it; the one left stays linked behind for the next advance.
  CONTRAFLOW_COLD void retreat() noexcept {
    while (top_ == begin_ && chunk_ != nullptr && chunk_->previous != nullptr) {
      Chunk* previous = chunk_->previous;
      enter(previous, previous->top);
      below_ -= static_cast<std::size_t>(top_ - begin_);
    }
  }

  void enter(Chunk* chunk, std::byte* top) noexcept {
    chunk_ = chunk;
    begin_ = chunk->begin();
    end_ = chunk->end;
    top_ = top;
  }

  // A new chunk behind the present one.
  Chunk* insertChunk(std::size_t size, TapeCaller by) {
    const std::size_t capacity = size > nextSize_ ? size : nextSize_;
    if (capacity > std::numeric_limits<std::size_t>::max() / 2) throw TapeMemoryError(size, held_, by);
    const ChunkMemory memory = ChunkMemory::take(kAlignment + capacity, held_, by);
    auto* chunk = ::new (memory.address) Chunk{chunk_, nullptr, nullptr, nullptr, memory.inFile};
    chunk->end = static_cast<std::byte*>(memory.address) + memory.bytes;
    if (chunk_ != nullptr) {
      chunk->next = chunk_->next;
      if (chunk->next != nullptr) chunk->next->previous = chunk;
      chunk_->next = chunk;
    }
    held_ += memory.bytes;
    nextSize_ = nextSize_ < kLargestChunk / 2 ? 2 * nextSize_ : kLargestChunk;
    return chunk;
  }

  void freeChunks() noexcept {
    if (chunk_ == nullptr) return;
    Chunk* chunk = chunk_;
    while (chunk->next != nullptr) chunk = chunk->next;
    while (chunk != nullptr) {
      Chunk* previous = chunk->previous;
      const auto whole = static_cast<std::size_t>(chunk->end - reinterpret_cast<std::byte*>(chunk));
      ChunkMemory{chunk, whole, chunk->inFile}.free();
      chunk = previous;
    }
  }

  std::byte* top_ = nullptr;
  std::byte* begin_ = nullptr;
  std::byte* end_ = nullptr;
  Chunk* chunk_ = nullptr;
  std::size_t below_ = 0;    // bytes in the chunks before this one
  std::size_t reached_ = 0;  // see peakBytes
  std::size_t held_ = 0;
  std::size_t nextSize_ = kFirstChunk;
};

}  // namespace detail
}  // namespace contraflow

#endif
