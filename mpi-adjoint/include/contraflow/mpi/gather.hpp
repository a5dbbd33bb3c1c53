// MPI_Gather and MPI_Allgather. P is the number of ranks, n what each sends.
//
//     primal   recvbuf[P][n] = the sendbufs in order of ranks; for Gather at the root only
//     tangent  the same with the shadows
//     adjoint  Gather:    sendbuf_b += this rank's part of the root's recvbuf_b (a scatter)
//              Allgather: sendbuf_b += this rank's part of the sum of all recvbuf_b (a reduce-scatter)
//              recvbuf_b = 0 where it was written
//
// With MPI_IN_PLACE the own part of recvbuf is what is sent: it stays as it is, and its shadow is added to.
#ifndef CONTRAFLOW_MPI_GATHER_HPP
#define CONTRAFLOW_MPI_GATHER_HPP

#include <contraflow/mpi/collective.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace contraflow::mpi {
namespace detail {

constexpr int kToAll = -1;  // Allgather: all ranks are roots

struct GatherRecord {
  Parts sendShadow;
  Parts recvShadow;
  Saved saved;
  MPI_Datatype type;
  int count;  // of one rank
  int root;
  MPI_Comm comm;
  bool inPlace;
  const char* routine;
};

inline int gatherForward(const void* sendbuf, const void* sendbuf_d, const Parts& sendShadow, int sendcount,
                         MPI_Datatype sendtype, void* recvbuf, void* recvbuf_d, const Parts& recvShadow,
                         bool withTangent, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, Tape* tape,
                         Record record) {
  const char* routine = root == kToAll ? "MPI_Allgather" : "MPI_Gather";
  const bool receives = root == kToAll || rankIn(comm) == root;
  const bool isInPlace = inPlace(sendbuf);
  const MPI_Datatype type = isInPlace ? recvtype : sendtype;  // the other one may be left out
  const int count = isInPlace ? recvcount : sendcount;
  const auto number = static_cast<std::size_t>(count);
  const std::size_t total = receives ? number * static_cast<std::size_t>(sizeIn(comm)) : 0;
  withType(type, routine, [&](auto zeroOfType) {
    using T = decltype(zeroOfType);
    Saved saved;
    if (tape != nullptr && receives)
      saved = save(withTangent ? two(recvbuf, recvbuf_d) : one(recvbuf), total * sizeof(T), record, *tape);
    const auto gather = [&](const void* from, void* into) {
      check(root == kToAll ? MPI_Allgather(from, sendcount, sendtype, into, recvcount, recvtype, comm)
                           : MPI_Gather(from, sendcount, sendtype, into, recvcount, recvtype, root, comm),
            routine);
    };
    gather(sendbuf, recvbuf);
    if (withTangent) {
      auto sent = substitute<T>(isInPlace ? nullptr : sendbuf_d, isInPlace ? 0 : number);
      auto received = substitute<T>(recvbuf_d, total);
      gather(isInPlace ? MPI_IN_PLACE : sent.get(), received.get());
    }
    if (tape != nullptr)
      tape->push(GatherRecord{sendShadow, recvShadow, saved, type, count, root, comm, isInPlace, routine});
  });
  return MPI_SUCCESS;
}

inline void reverseGather(Tape& tape) {
  const auto record = tape.pop<GatherRecord>();
  const int rank = rankIn(record.comm);
  const bool toAll = record.root == kToAll;
  const bool receives = toAll || rank == record.root;
  const auto number = static_cast<std::size_t>(record.count);
  const std::size_t total = receives ? number * static_cast<std::size_t>(sizeIn(record.comm)) : 0;
  withType(record.type, record.routine, [&](auto zeroOfType) {
    using T = decltype(zeroOfType);
    std::vector<T> result(number);
    for (int p = 0; p < record.recvShadow.number; ++p) {
      T* recvShadow = part<T>(record.recvShadow, p);
      auto whole = substitute<T>(recvShadow, total);
      check(toAll
                ? MPI_Reduce_scatter_block(whole.get(), result.data(), record.count, record.type, MPI_SUM, record.comm)
                : MPI_Scatter(whole.get(), record.count, record.type, result.data(), record.count, record.type,
                              record.root, record.comm),
            record.routine);
      if (receives) zero(recvShadow, total);
      T* sendShadow = part<T>(record.sendShadow, p);
      if (record.inPlace) sendShadow = part<T>(record.recvShadow, p, static_cast<std::size_t>(rank) * number);
      add(sendShadow, result.data(), number);
    }
    restore(record.saved, total * sizeof(T), tape);
  });
}

}  // namespace detail

// Tangent of MPI_Gather.
inline int gather_d(const void* sendbuf, const void* sendbuf_d, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    void* recvbuf_d, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return detail::gatherForward(sendbuf, sendbuf_d, {}, sendcount, sendtype, recvbuf, recvbuf_d, {}, true, recvcount,
                               recvtype, root, comm, nullptr, Record::Nothing);
}
// Forward part of MPI_Gather's adjoint.
inline int gather_fwd(const void* sendbuf, void* sendbuf_b, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      void* recvbuf_b, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, Tape& tape,
                      Record record = Record::OldContents) {
  return detail::gatherForward(sendbuf, nullptr, detail::one(sendbuf_b), sendcount, sendtype, recvbuf, nullptr,
                               detail::one(recvbuf_b), false, recvcount, recvtype, root, comm, &tape, record);
}
// Reverse part of MPI_Gather's adjoint.
inline void gather_rev(Tape& tape) { detail::reverseGather(tape); }
// Tangents of these two.
inline int gather_fwd_d(const void* sendbuf, const void* sendbuf_d, void* sendbuf_b, void* sendbuf_b_d, int sendcount,
                        MPI_Datatype sendtype, void* recvbuf, void* recvbuf_d, void* recvbuf_b, void* recvbuf_b_d,
                        int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, Tape& tape,
                        Record record = Record::OldContents) {
  return detail::gatherForward(sendbuf, sendbuf_d, detail::two(sendbuf_b, sendbuf_b_d), sendcount, sendtype, recvbuf,
                               recvbuf_d, detail::two(recvbuf_b, recvbuf_b_d), true, recvcount, recvtype, root, comm,
                               &tape, record);
}
inline void gather_rev_d(Tape& tape) { detail::reverseGather(tape); }

// Tangent of MPI_Allgather.
inline int allgather_d(const void* sendbuf, const void* sendbuf_d, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       void* recvbuf_d, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return gather_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, detail::kToAll,
                  comm);
}
// Forward part of MPI_Allgather's adjoint.
inline int allgather_fwd(const void* sendbuf, void* sendbuf_b, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         void* recvbuf_b, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, Tape& tape,
                         Record record = Record::OldContents) {
  return gather_fwd(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, detail::kToAll,
                    comm, tape, record);
}
// Reverse part of MPI_Allgather's adjoint.
inline void allgather_rev(Tape& tape) { detail::reverseGather(tape); }
// Tangents of these two.
inline int allgather_fwd_d(const void* sendbuf, const void* sendbuf_d, void* sendbuf_b, void* sendbuf_b_d,
                           int sendcount, MPI_Datatype sendtype, void* recvbuf, void* recvbuf_d, void* recvbuf_b,
                           void* recvbuf_b_d, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, Tape& tape,
                           Record record = Record::OldContents) {
  return gather_fwd_d(sendbuf, sendbuf_d, sendbuf_b, sendbuf_b_d, sendcount, sendtype, recvbuf, recvbuf_d, recvbuf_b,
                      recvbuf_b_d, recvcount, recvtype, detail::kToAll, comm, tape, record);
}
inline void allgather_rev_d(Tape& tape) { detail::reverseGather(tape); }

}  // namespace contraflow::mpi

#endif
