// MPI_Bcast.
//
//     primal   buf = buf at the root
//     tangent  the same with buf_d
//     adjoint  at the root buf_b = the sum over all ranks of buf_b; elsewhere buf_b = 0
#ifndef CONTRAFLOW_MPI_BROADCAST_HPP
#define CONTRAFLOW_MPI_BROADCAST_HPP

#include <contraflow/mpi/collective.hpp>

#include <mpi.h>

#include <cstddef>

namespace contraflow::mpi {
namespace detail {

struct BcastRecord {
  Parts shadow;
  Saved saved;
  MPI_Datatype type;
  int count;
  int root;
  MPI_Comm comm;
};

inline int bcastForward(void* buf, void* buf_d, bool withTangent, const Parts& shadow, int count, MPI_Datatype type,
                        int root, MPI_Comm comm, Tape* tape, Record record) {
  const char* routine = "MPI_Bcast";
  const auto number = static_cast<std::size_t>(count);
  const std::size_t size = sizeOf(type, routine);
  Saved saved;
  if (tape != nullptr && rankIn(comm) != root)
    saved = save(withTangent ? two(buf, buf_d) : one(buf), number * size, record, *tape);
  check(MPI_Bcast(buf, count, type, root, comm), routine);
  if (withTangent)
    withType(type, routine, [&](auto zeroOfType) {
      auto derivative = substitute<decltype(zeroOfType)>(buf_d, number);
      check(MPI_Bcast(derivative.get(), count, type, root, comm), routine);
    });
  if (tape != nullptr) tape->push(BcastRecord{shadow, saved, type, count, root, comm});
  return MPI_SUCCESS;
}

inline void reverseBcast(Tape& tape) {
  const char* routine = "MPI_Bcast";
  const auto record = tape.pop<BcastRecord>();
  const auto number = static_cast<std::size_t>(record.count);
  const bool isRoot = rankIn(record.comm) == record.root;
  withType(record.type, routine, [&](auto zeroOfType) {
    using T = decltype(zeroOfType);
    for (int p = 0; p < record.shadow.number; ++p) {
      auto shadow = substitute<T>(record.shadow.array[p], number);
      check(MPI_Reduce(isRoot ? MPI_IN_PLACE : shadow.get(), isRoot ? shadow.get() : nullptr, record.count, record.type,
                       MPI_SUM, record.root, record.comm),
            routine);
      if (!isRoot) zero(part<T>(record.shadow, p), number);
    }
    restore(record.saved, number * sizeof(T), tape);
  });
}

}  // namespace detail

// Tangent of MPI_Bcast.
inline int bcast_d(void* buf, void* buf_d, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return detail::bcastForward(buf, buf_d, true, {}, count, type, root, comm, nullptr, Record::Nothing);
}
// Forward part of MPI_Bcast's adjoint.
inline int bcast_fwd(void* buf, void* buf_b, int count, MPI_Datatype type, int root, MPI_Comm comm, Tape& tape,
                     Record record = Record::OldContents) {
  return detail::bcastForward(buf, nullptr, false, detail::one(buf_b), count, type, root, comm, &tape, record);
}
// Reverse part of MPI_Bcast's adjoint.
inline void bcast_rev(Tape& tape) { detail::reverseBcast(tape); }
// Tangents of these two.
inline int bcast_fwd_d(void* buf, void* buf_d, void* buf_b, void* buf_b_d, int count, MPI_Datatype type, int root,
                       MPI_Comm comm, Tape& tape, Record record = Record::OldContents) {
  return detail::bcastForward(buf, buf_d, true, detail::two(buf_b, buf_b_d), count, type, root, comm, &tape, record);
}
inline void bcast_rev_d(Tape& tape) { detail::reverseBcast(tape); }

}  // namespace contraflow::mpi

#endif
