// The buffers of one call, without their type: a derivative moves one array (the adjoint) or two (the adjoint and
// its tangent, in a tangent of an adjoint), and overwrites one (the value) or two (the value and its tangent).
#ifndef CONTRAFLOW_MPI_PARTS_HPP
#define CONTRAFLOW_MPI_PARTS_HPP

#include <contraflow/mpi/error.hpp>
#include <contraflow/tape.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstring>

namespace contraflow::mpi {

// Whether a `_fwd` call records what the buffer it overwrites held before. `Nothing` is for buffers whose old
// contents the reverse sweep doesn't need; then they are not put back.
enum class Record : unsigned char { OldContents, Nothing };

namespace detail {

// Calls f(T{}) for the C++ type T of an MPI datatype.
template <class F>
void withType(MPI_Datatype type, const char* routine, F f) {
  if (type == MPI_DOUBLE)
    f(double{});
  else if (type == MPI_FLOAT)
    f(float{});
  else if (type == MPI_LONG_DOUBLE)
    f(static_cast<long double>(0));
  else
    fail(routine,
         "only MPI_FLOAT, MPI_DOUBLE and MPI_LONG_DOUBLE can be differentiated so far; "
         "send other types in calls of their own");
}

inline std::size_t sizeOf(MPI_Datatype type, const char* routine) {
  std::size_t size = 0;
  withType(type, routine, [&](auto zero) { size = sizeof zero; });
  return size;
}

// One or two arrays of the same length. A null array is constant on this rank: it is read as zeros, and what would
// be added to it is dropped.
struct Parts {
  void* array[2] = {nullptr, nullptr};
  int number = 1;
};
inline Parts one(void* first) { return {{first, nullptr}, 1}; }
inline Parts two(void* first, void* second) { return {{first, second}, 2}; }
// For buffers that are only read through the result; MPI itself takes them as const.
inline void* readOnly(const void* buffer) { return const_cast<void*>(buffer); }

// Part p from element `offset` on.
template <class T>
T* part(const Parts& parts, int p, std::size_t offset = 0) {
  auto* array = static_cast<T*>(parts.array[p]);
  return array == nullptr ? nullptr : array + offset;
}

template <class T>
void add(T* into, const T* what, std::size_t count) {
  if (into != nullptr)
    for (std::size_t i = 0; i < count; ++i) into[i] += what[i];
}
template <class T>
void copy(T* into, const T* what, std::size_t count) {
  if (into != nullptr && count != 0) std::memcpy(into, what, count * sizeof(T));
}
template <class T>
void zero(T* array, std::size_t count) {
  if (array != nullptr)
    for (std::size_t i = 0; i < count; ++i) array[i] = T{0};
}
// Shadow to buffer: zeros if it is null.
template <class T>
void copyOrZero(T* into, const T* what, std::size_t count) {
  if (what != nullptr)
    copy(into, what, count);
  else
    zero(into, count);
}

inline void zeroParts(const Parts& parts, std::size_t count, MPI_Datatype type, const char* routine) {
  withType(type, routine, [&](auto zeroOfType) {
    for (int p = 0; p < parts.number; ++p) zero(part<decltype(zeroOfType)>(parts, p), count);
  });
}

// What the buffers of a receive held before, in blocks on the tape.
struct Saved {
  Parts place;
  void* block[2] = {nullptr, nullptr};
  bool recorded = false;
};

inline Saved save(const Parts& place, std::size_t bytes, Record record, Tape& tape) {
  Saved saved;
  saved.place = place;
  saved.recorded = record == Record::OldContents;
  if (saved.recorded)
    for (int p = 0; p < place.number; ++p) {
      saved.block[p] = tape.block<std::byte>(bytes);
      if (place.array[p] != nullptr && bytes != 0) std::memcpy(saved.block[p], place.array[p], bytes);
    }
  return saved;
}

// Puts the first `bytes` bytes back and takes the blocks, which must be the top of the tape, off it.
inline void restore(const Saved& saved, std::size_t bytes, Tape& tape) {
  if (!saved.recorded) return;
  for (int p = saved.place.number - 1; p >= 0; --p) {
    if (saved.place.array[p] != nullptr && bytes != 0) {
      tape.noteOverwrite(saved.place.array[p], bytes);
      std::memcpy(saved.place.array[p], saved.block[p], bytes);
    }
    tape.releaseBlock();
  }
}

}  // namespace detail
}  // namespace contraflow::mpi

#endif
