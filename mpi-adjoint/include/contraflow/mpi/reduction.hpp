// MPI_Reduce and MPI_Allreduce with MPI_SUM, MPI_MAX and MPI_MIN.
//
//     primal   recvbuf = op over the ranks of sendbuf; for Reduce at the root only
//     tangent  sum: recvbuf_d = sum of sendbuf_d
//              max, min: recvbuf_d = sendbuf_d of the rank that has the extreme, the lowest on a tie; element by
//              element, value and derivative in one message, since apart they could come from different ranks
//     adjoint  t = recvbuf_b of the root, or the sum of all ranks' recvbuf_b; recvbuf_b = 0 where it was written;
//              sum: sendbuf_b += t;   max, min: where this rank has the extreme
//
// With MPI_IN_PLACE, recvbuf is what is sent too.
#ifndef CONTRAFLOW_MPI_REDUCTION_HPP
#define CONTRAFLOW_MPI_REDUCTION_HPP

#include <contraflow/mpi/channel.hpp>
#include <contraflow/mpi/collective.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace contraflow::mpi {
namespace detail {

// An element on its way to a maximum or minimum.
template <class T>
struct Extreme {
  T value;
  T derivative;
  int rank;
};

// The MPI type of Extreme<T>, and the two operations on it. Made at first use, freed when MPI_Finalize starts.
template <class T>
class ExtremeOps {
public:
  static const ExtremeOps& instance() {
    ExtremeOps& ops = slot();
    Process& process = Process::instance();
    const std::lock_guard<std::mutex> lock(process.mutex);
    if (ops.type == MPI_DATATYPE_NULL) {
      MPI_Type_contiguous(static_cast<int>(sizeof(Extreme<T>)), MPI_BYTE, &ops.type);
      MPI_Type_commit(&ops.type);
      MPI_Op_create(&ExtremeOps::combine<true>, 1, &ops.max);
      MPI_Op_create(&ExtremeOps::combine<false>, 1, &ops.min);
      process.atFinalize([] {
        MPI_Op_free(&slot().max);
        MPI_Op_free(&slot().min);
        MPI_Type_free(&slot().type);
      });
    }
    return ops;
  }

  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op max = MPI_OP_NULL;
  MPI_Op min = MPI_OP_NULL;

private:
  static ExtremeOps& slot() {
    static ExtremeOps ops;
    return ops;
  }
  template <bool kMax>
  static void combine(void* in, void* inout, int* length, MPI_Datatype*) {
    const auto* a = static_cast<const Extreme<T>*>(in);
    auto* b = static_cast<Extreme<T>*>(inout);
    for (int i = 0; i < *length; ++i) {
      const bool better = kMax ? a[i].value > b[i].value : a[i].value < b[i].value;
      const bool tie = !(a[i].value < b[i].value) && !(a[i].value > b[i].value);
      if (better || (tie && a[i].rank < b[i].rank)) b[i] = a[i];
    }
  }
};

// The owner's value, derivative and rank, element by element, on all ranks.
template <class T>
std::vector<Extreme<T>> extremes(const T* values, const T* derivatives, std::size_t count, MPI_Op op, MPI_Comm comm,
                                 const char* routine) {
  const ExtremeOps<T>& ops = ExtremeOps<T>::instance();
  const int rank = rankIn(comm);
  std::vector<Extreme<T>> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i].value = values[i];
    all[i].derivative = derivatives != nullptr ? derivatives[i] : T{0};
    all[i].rank = rank;
  }
  check(MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(count), ops.type, op == MPI_MAX ? ops.max : ops.min,
                      comm),
        routine);
  return all;
}

constexpr int kNoRoot = -1;  // Allreduce: all ranks get the result

struct ReductionRecord {
  Parts sendShadow;
  Parts recvShadow;
  Saved saved;
  const unsigned char* mine;  // max, min: this rank has the extreme; null for a sum
  MPI_Datatype type;
  int count;
  int root;
  MPI_Comm comm;
  bool inPlace;
  const char* routine;
};

inline int reductionForward(const void* sendbuf, const void* sendbuf_d, const Parts& sendShadow, void* recvbuf,
                            void* recvbuf_d, const Parts& recvShadow, bool withTangent, int count, MPI_Datatype type,
                            MPI_Op op, int root, MPI_Comm comm, Tape* tape, Record record) {
  const char* routine = root == kNoRoot ? "MPI_Allreduce" : "MPI_Reduce";
  if (op != MPI_SUM && op != MPI_MAX && op != MPI_MIN)
    fail(routine, "only MPI_SUM, MPI_MAX and MPI_MIN can be differentiated so far");
  const auto number = static_cast<std::size_t>(count);
  const int rank = rankIn(comm);
  const bool receives = root == kNoRoot || rank == root;
  const bool isInPlace = inPlace(sendbuf);
  withType(type, routine, [&](auto zeroOfType) {
    using T = decltype(zeroOfType);
    const bool sum = op == MPI_SUM;
    Saved saved;
    if (tape != nullptr && receives)
      saved = save(withTangent ? two(recvbuf, recvbuf_d) : one(recvbuf), number * sizeof(T), record, *tape);
    const auto* sent = static_cast<const T*>(isInPlace ? recvbuf : sendbuf);
    const auto* sent_d = static_cast<const T*>(isInPlace ? recvbuf_d : sendbuf_d);

    std::vector<Extreme<T>> owners;
    if (!sum) owners = extremes(sent, withTangent ? sent_d : nullptr, number, op, comm, routine);
    if (root == kNoRoot)
      check(MPI_Allreduce(sendbuf, recvbuf, count, type, op, comm), routine);
    else
      check(MPI_Reduce(sendbuf, recvbuf, count, type, op, root, comm), routine);

    if (withTangent && sum) {
      std::vector<T> derivative(number);
      copyOrZero(derivative.data(), sent_d, number);
      if (root == kNoRoot)
        check(MPI_Allreduce(MPI_IN_PLACE, derivative.data(), count, type, MPI_SUM, comm), routine);
      else
        check(MPI_Reduce(receives ? MPI_IN_PLACE : derivative.data(), derivative.data(), count, type, MPI_SUM, root,
                         comm),
              routine);
      if (receives) copy(static_cast<T*>(recvbuf_d), derivative.data(), number);
    } else if (withTangent && receives && recvbuf_d != nullptr) {
      for (std::size_t i = 0; i < number; ++i) static_cast<T*>(recvbuf_d)[i] = owners[i].derivative;
    }

    if (tape == nullptr) return;
    unsigned char* mine = nullptr;
    if (!sum) {
      mine = tape->block<unsigned char>(number);
      for (std::size_t i = 0; i < number; ++i) mine[i] = owners[i].rank == rank ? 1 : 0;
    }
    tape->push(ReductionRecord{sendShadow, recvShadow, saved, mine, type, count, root, comm, isInPlace, routine});
  });
  return MPI_SUCCESS;
}

inline void reverseReduction(Tape& tape) {
  const auto record = tape.pop<ReductionRecord>();
  const auto number = static_cast<std::size_t>(record.count);
  const bool receives = record.root == kNoRoot || rankIn(record.comm) == record.root;
  withType(record.type, record.routine, [&](auto zeroOfType) {
    using T = decltype(zeroOfType);
    std::vector<T> result(number);
    for (int p = 0; p < record.recvShadow.number; ++p) {
      T* recvShadow = part<T>(record.recvShadow, p);
      zero(result.data(), number);
      if (receives) {
        copyOrZero(result.data(), recvShadow, number);
        zero(recvShadow, number);
      }
      if (record.root == kNoRoot)
        check(MPI_Allreduce(MPI_IN_PLACE, result.data(), record.count, record.type, MPI_SUM, record.comm),
              record.routine);
      else
        check(MPI_Bcast(result.data(), record.count, record.type, record.root, record.comm), record.routine);
      if (record.mine != nullptr)
        for (std::size_t i = 0; i < number; ++i)
          if (record.mine[i] == 0) result[i] = T{0};
      add(record.inPlace ? recvShadow : part<T>(record.sendShadow, p), result.data(), number);
    }
    if (record.mine != nullptr) tape.releaseBlock();
    restore(record.saved, number * sizeof(T), tape);
  });
}

}  // namespace detail

// Tangent of MPI_Reduce.
inline int reduce_d(const void* sendbuf, const void* sendbuf_d, void* recvbuf, void* recvbuf_d, int count,
                    MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  return detail::reductionForward(sendbuf, sendbuf_d, {}, recvbuf, recvbuf_d, {}, true, count, type, op, root, comm,
                                  nullptr, Record::Nothing);
}
// Forward part of MPI_Reduce's adjoint.
inline int reduce_fwd(const void* sendbuf, void* sendbuf_b, void* recvbuf, void* recvbuf_b, int count,
                      MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm, Tape& tape,
                      Record record = Record::OldContents) {
  return detail::reductionForward(sendbuf, nullptr, detail::one(sendbuf_b), recvbuf, nullptr, detail::one(recvbuf_b),
                                  false, count, type, op, root, comm, &tape, record);
}
// Reverse part of MPI_Reduce's adjoint.
inline void reduce_rev(Tape& tape) { detail::reverseReduction(tape); }
// Tangents of these two.
inline int reduce_fwd_d(const void* sendbuf, const void* sendbuf_d, void* sendbuf_b, void* sendbuf_b_d, void* recvbuf,
                        void* recvbuf_d, void* recvbuf_b, void* recvbuf_b_d, int count, MPI_Datatype type, MPI_Op op,
                        int root, MPI_Comm comm, Tape& tape, Record record = Record::OldContents) {
  return detail::reductionForward(sendbuf, sendbuf_d, detail::two(sendbuf_b, sendbuf_b_d), recvbuf, recvbuf_d,
                                  detail::two(recvbuf_b, recvbuf_b_d), true, count, type, op, root, comm, &tape,
                                  record);
}
inline void reduce_rev_d(Tape& tape) { detail::reverseReduction(tape); }

// Tangent of MPI_Allreduce.
inline int allreduce_d(const void* sendbuf, const void* sendbuf_d, void* recvbuf, void* recvbuf_d, int count,
                       MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return reduce_d(sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, type, op, detail::kNoRoot, comm);
}
// Forward part of MPI_Allreduce's adjoint.
inline int allreduce_fwd(const void* sendbuf, void* sendbuf_b, void* recvbuf, void* recvbuf_b, int count,
                         MPI_Datatype type, MPI_Op op, MPI_Comm comm, Tape& tape, Record record = Record::OldContents) {
  return reduce_fwd(sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, type, op, detail::kNoRoot, comm, tape, record);
}
// Reverse part of MPI_Allreduce's adjoint.
inline void allreduce_rev(Tape& tape) { detail::reverseReduction(tape); }
// Tangents of these two.
inline int allreduce_fwd_d(const void* sendbuf, const void* sendbuf_d, void* sendbuf_b, void* sendbuf_b_d,
                           void* recvbuf, void* recvbuf_d, void* recvbuf_b, void* recvbuf_b_d, int count,
                           MPI_Datatype type, MPI_Op op, MPI_Comm comm, Tape& tape,
                           Record record = Record::OldContents) {
  return reduce_fwd_d(sendbuf, sendbuf_d, sendbuf_b, sendbuf_b_d, recvbuf, recvbuf_d, recvbuf_b, recvbuf_b_d, count,
                      type, op, detail::kNoRoot, comm, tape, record);
}
inline void allreduce_rev_d(Tape& tape) { detail::reverseReduction(tape); }

}  // namespace contraflow::mpi

#endif
