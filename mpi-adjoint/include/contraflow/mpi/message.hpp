// A derivative message in memory: a header that says which primal message it belongs to, and packed values.
#ifndef CONTRAFLOW_MPI_MESSAGE_HPP
#define CONTRAFLOW_MPI_MESSAGE_HPP

#include <contraflow/mpi/parts.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace contraflow::mpi::detail {

// Messages travel in units of 16 bytes, so that the largest primal count still has an int number of them.
struct alignas(16) Unit {
  std::byte bytes[16];
};

// The k-th message with this tag between two ranks of a communicator, in order of posts.
struct Header {
  std::int64_t k;
  std::int64_t count;  // elements of each part
  std::int32_t tag;
  std::int32_t parts;
  std::int32_t elementSize;
  std::uint32_t step;  // of a checkpointed loop (Checkpoint::stepIdentity); 0 outside of any
};
static_assert(sizeof(Header) == 2 * sizeof(Unit));

class Message {
public:
  Message() = default;
  explicit Message(std::size_t units) : memory_(new Unit[units]), units_(units), capacity_(units) {}

  static std::size_t unitsFor(std::size_t bytes) { return 2 + (bytes + sizeof(Unit) - 1) / sizeof(Unit); }

  Unit* data() { return memory_.get(); }
  std::size_t units() const { return units_; }
  std::size_t capacity() const { return capacity_; }
  // Uses the first `units` units of memory that is large enough.
  void shrink(std::size_t units) { units_ = units; }

  Header header() const {
    Header header;
    std::memcpy(&header, memory_.get(), sizeof header);
    return header;
  }
  void setHeader(const Header& header) { std::memcpy(memory_.get(), &header, sizeof header); }

  // The values of part p.
  template <class T>
  T* values(int p, std::size_t count) {
    return reinterpret_cast<T*>(memory_.get() + 2) + static_cast<std::size_t>(p) * count;
  }

private:
  std::unique_ptr<Unit[]> memory_;
  std::size_t units_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace contraflow::mpi::detail

#endif
