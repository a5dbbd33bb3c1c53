// MPI_Scatter. P is the number of ranks, n what each gets.
//
//     primal   recvbuf[n] = this rank's part of the root's sendbuf[P][n]
//     tangent  the same with the shadows
//     adjoint  at the root sendbuf_b += the recvbuf_b in order of ranks (a gather); recvbuf_b = 0
//
// With MPI_IN_PLACE for recvbuf the root keeps its own part: nothing moves, and its shadow stays as it is.
#ifndef CONTRAFLOW_MPI_SCATTER_HPP
#define CONTRAFLOW_MPI_SCATTER_HPP

#include <contraflow/mpi/collective.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace contraflow::mpi {
namespace detail {

struct ScatterRecord {
  Parts sendShadow;
  Parts recvShadow;
  Saved saved;
  MPI_Datatype type;
  int count;  // of one rank
  int root;
  MPI_Comm comm;
  bool inPlace;
};

inline int scatterForward(const void* sendbuf, const void* sendbuf_d, const Parts& sendShadow, int sendcount,
                          MPI_Datatype sendtype, void* recvbuf, void* recvbuf_d, const Parts& recvShadow,
                          bool withTangent, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, Tape* tape,
                          Record record) {
  const char* routine = "MPI_Scatter";
  const bool isInPlace = inPlace(recvbuf);
  const MPI_Datatype type = isInPlace ? sendtype : recvtype;  // the other one may be left out
  const int count = isInPlace ? sendcount : recvcount;
  const auto number = static_cast<std::size_t>(count);
  const std::size_t total = rankIn(comm) == root ? number * static_cast<std::size_t>(sizeIn(comm)) : 0;
  withType(type, routine, [&](auto zeroOfType) {
    using T = decltype(zeroOfType);
    Saved saved;
    if (tape != nullptr && !isInPlace)
      saved = save(withTangent ? two(recvbuf, recvbuf_d) : one(recvbuf), number * sizeof(T), record, *tape);
    const auto scatter = [&](const void* from, void* into) {
      check(MPI_Scatter(from, sendcount, sendtype, into, recvcount, recvtype, root, comm), routine);
    };
    scatter(sendbuf, recvbuf);
    if (withTangent) {
      auto sent = substitute<T>(sendbuf_d, total);
      auto received = substitute<T>(isInPlace ? nullptr : recvbuf_d, isInPlace ? 0 : number);
      scatter(sent.get(), isInPlace ? MPI_IN_PLACE : received.get());
    }
    if (tape != nullptr) tape->push(ScatterRecord{sendShadow, recvShadow, saved, type, count, root, comm, isInPlace});
  });
  return MPI_SUCCESS;
}

inline void reverseScatter(Tape& tape) {
  const char* routine = "MPI_Scatter";
  const auto record = tape.pop<ScatterRecord>();
  const bool isRoot = rankIn(record.comm) == record.root;
  const auto number = static_cast<std::size_t>(record.count);
  const std::size_t total = isRoot ? number * static_cast<std::size_t>(sizeIn(record.comm)) : 0;
  withType(record.type, routine, [&](auto zeroOfType) {
    using T = decltype(zeroOfType);
    for (int p = 0; p < record.sendShadow.number; ++p) {
      std::vector<T> whole(total);  // the own part stays zero if it is in place
      auto received = substitute<T>(record.inPlace ? nullptr : record.recvShadow.array[p], record.inPlace ? 0 : number);
      check(MPI_Gather(record.inPlace ? MPI_IN_PLACE : received.get(), record.count, record.type, whole.data(),
                       record.count, record.type, record.root, record.comm),
            routine);
      if (!record.inPlace) zero(part<T>(record.recvShadow, p), number);
      if (isRoot) add(part<T>(record.sendShadow, p), whole.data(), total);
    }
    restore(record.saved, number * sizeof(T), tape);
  });
}

}  // namespace detail

// Tangent of MPI_Scatter.
inline int scatter_d(const void* sendbuf, const void* sendbuf_d, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     void* recvbuf_d, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return detail::scatterForward(sendbuf, sendbuf_d, {}, sendcount, sendtype, recvbuf, recvbuf_d, {}, true, recvcount,
                                recvtype, root, comm, nullptr, Record::Nothing);
}
// Forward part of MPI_Scatter's adjoint.
inline int scatter_fwd(const void* sendbuf, void* sendbuf_b, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       void* recvbuf_b, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, Tape& tape,
                       Record record = Record::OldContents) {
  return detail::scatterForward(sendbuf, nullptr, detail::one(sendbuf_b), sendcount, sendtype, recvbuf, nullptr,
                                detail::one(recvbuf_b), false, recvcount, recvtype, root, comm, &tape, record);
}
// Reverse part of MPI_Scatter's adjoint.
inline void scatter_rev(Tape& tape) { detail::reverseScatter(tape); }
// Tangents of these two.
inline int scatter_fwd_d(const void* sendbuf, const void* sendbuf_d, void* sendbuf_b, void* sendbuf_b_d, int sendcount,
                         MPI_Datatype sendtype, void* recvbuf, void* recvbuf_d, void* recvbuf_b, void* recvbuf_b_d,
                         int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, Tape& tape,
                         Record record = Record::OldContents) {
  return detail::scatterForward(sendbuf, sendbuf_d, detail::two(sendbuf_b, sendbuf_b_d), sendcount, sendtype, recvbuf,
                                recvbuf_d, detail::two(recvbuf_b, recvbuf_b_d), true, recvcount, recvtype, root, comm,
                                &tape, record);
}
inline void scatter_rev_d(Tape& tape) { detail::reverseScatter(tape); }

}  // namespace contraflow::mpi

#endif
