// What the collectives share. Their derivatives are collectives again, of the same cost, on the same communicator.
#ifndef CONTRAFLOW_MPI_COLLECTIVE_HPP
#define CONTRAFLOW_MPI_COLLECTIVE_HPP

#include <contraflow/mpi/parts.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace contraflow::mpi::detail {

inline int rankIn(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}
inline int sizeIn(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}
inline bool inPlace(const void* buffer) { return buffer == MPI_IN_PLACE; }

// An array of its own if `array` is null (a shadow of constant memory), so that the call can be made all the same:
// zeros to send, or a place for what is dropped.
template <class T>
class Substitute {
public:
  Substitute(T* array, std::size_t count) : own_(array == nullptr ? count : 0), array_(array) {}
  T* get() { return array_ != nullptr ? array_ : own_.data(); }

private:
  std::vector<T> own_;
  T* array_;
};
template <class T>
Substitute<T> substitute(const void* array, std::size_t count) {
  return {static_cast<T*>(readOnly(array)), count};
}

}  // namespace contraflow::mpi::detail

#endif
