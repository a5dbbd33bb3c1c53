// MPI_Send, MPI_Ssend, MPI_Recv and MPI_Sendrecv.
//
//     primal   dest gets buf                       source's values come into buf
//     tangent  buf_d goes along                    buf_d comes along
//     adjoint  buf_b += what dest sends back       buf_b goes to the source; buf_b = 0; buf is what it was before
//
// A message to or from MPI_PROC_NULL is none.
#ifndef CONTRAFLOW_MPI_POINT_TO_POINT_HPP
#define CONTRAFLOW_MPI_POINT_TO_POINT_HPP

#include <contraflow/mpi/posts.hpp>

#include <mpi.h>

#include <cstddef>

namespace contraflow::mpi {
namespace detail {

// Counts a send and lets the tangent, if there is one, go ahead of the value.
inline Pair announceSend(const void* tangent, bool withTangent, int count, MPI_Datatype type, int dest, int tag,
                         MPI_Comm comm, const char* routine) {
  const Pair pair = countSend(comm, dest, tag, routine);
  if (withTangent)
    sendDerivative(Kind::Tangent, pair, one(readOnly(tangent)), static_cast<std::size_t>(count), type, routine);
  return pair;
}

// What the reverse of a send needs.
struct SendRecord {
  Pair pair;
  Parts shadow;
  MPI_Datatype type;
  std::size_t count;
  const char* routine;
};
inline void reverseSend(Tape& tape) {
  const auto record = tape.pop<SendRecord>();
  receiveAndAdd(record.pair, record.shadow, record.count, record.type, record.routine);
}

// What the reverse of a receive needs, above the blocks of `saved`.
struct ReceiveRecord {
  Pair pair;
  Parts shadow;
  Saved saved;
  MPI_Datatype type;
  std::size_t count;  // as received
  const char* routine;
};
inline void startReverseReceive(const ReceiveRecord& record) {
  sendAndZero(record.pair, record.shadow, record.count, record.type, record.routine);
}
inline void reverseReceive(Tape& tape) {
  const auto record = tape.pop<ReceiveRecord>();
  startReverseReceive(record);
  restore(record.saved, record.count * sizeOf(record.type, record.routine), tape);
}

inline int returnStatus(MPI_Status* wanted, const MPI_Status& status) {
  if (wanted != MPI_STATUS_IGNORE) *wanted = status;
  return MPI_SUCCESS;
}

inline int sendForward(int (*primal)(const void*, int, MPI_Datatype, int, int, MPI_Comm), const void* buf,
                       const void* buf_d, bool withTangent, const Parts& shadow, int count, MPI_Datatype type, int dest,
                       int tag, MPI_Comm comm, Tape* tape, const char* routine) {
  const Pair pair = announceSend(buf_d, withTangent, count, type, dest, tag, comm, routine);
  check(primal(buf, count, type, dest, tag, comm), routine);
  if (tape != nullptr) tape->push(SendRecord{pair, shadow, type, static_cast<std::size_t>(count), routine});
  return MPI_SUCCESS;
}

inline int receiveForward(void* buf, void* buf_d, bool withTangent, const Parts& shadow, int count, MPI_Datatype type,
                          int source, int tag, MPI_Comm comm, MPI_Status* wanted, Tape* tape, Record record) {
  const char* routine = "MPI_Recv";
  Post post;
  post.receive = true;
  post.peer = source;
  post.tag = tag;
  post.type = type;
  Saved saved;
  if (tape != nullptr && source != MPI_PROC_NULL)
    saved = save(withTangent ? two(buf, buf_d) : one(buf), static_cast<std::size_t>(count) * sizeOf(type, routine),
                 record, *tape);
  countReceive(post, comm, routine);
  MPI_Status status;
  receiveValue(buf, count, type, source, tag, comm, status, routine);
  completeReceive(post, status, routine);
  if (withTangent) receiveTangent(post.pair, buf_d, post.count, type, routine);
  if (tape != nullptr) tape->push(ReceiveRecord{post.pair, shadow, saved, type, post.count, routine});
  return returnStatus(wanted, status);
}

inline void sendrecvValues(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status& status) {
  const char* routine = "MPI_Sendrecv";
  if (recvtag == MPI_ANY_TAG) {
    // As its definition has it: a send beside a receive, so that the receive can look at what it meets.
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Isend(sendbuf, sendcount, sendtype, dest, sendtag, comm, &request), routine);
    receiveValue(recvbuf, recvcount, recvtype, source, recvtag, comm, status, routine);
    check(MPI_Wait(&request, MPI_STATUS_IGNORE), routine);
  } else {
    check(MPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm,
                       &status),
          routine);
  }
}

inline int sendrecvForward(const void* sendbuf, const void* sendbuf_d, const Parts& sendShadow, int sendcount,
                           MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf, void* recvbuf_d,
                           const Parts& recvShadow, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                           MPI_Comm comm, MPI_Status* wanted, bool withTangent, Tape* tape, Record record) {
  const char* routine = "MPI_Sendrecv";
  const Pair sent = announceSend(sendbuf_d, withTangent, sendcount, sendtype, dest, sendtag, comm, routine);
  Post post;
  post.receive = true;
  post.peer = source;
  post.tag = recvtag;
  post.type = recvtype;
  Saved saved;
  if (tape != nullptr && source != MPI_PROC_NULL)
    saved = save(withTangent ? two(recvbuf, recvbuf_d) : one(recvbuf),
                 static_cast<std::size_t>(recvcount) * sizeOf(recvtype, routine), record, *tape);
  countReceive(post, comm, routine);
  MPI_Status status;
  sendrecvValues(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status);
  completeReceive(post, status, routine);
  if (withTangent) receiveTangent(post.pair, recvbuf_d, post.count, recvtype, routine);
  if (tape != nullptr) {
    tape->push(ReceiveRecord{post.pair, recvShadow, saved, recvtype, post.count, routine});
    tape->push(SendRecord{sent, sendShadow, sendtype, static_cast<std::size_t>(sendcount), routine});
  }
  return returnStatus(wanted, status);
}

// The reverse message has to start before this rank waits for the one it gets.
inline void reverseSendrecv(Tape& tape) {
  const auto sent = tape.pop<SendRecord>();
  reverseReceive(tape);
  receiveAndAdd(sent.pair, sent.shadow, sent.count, sent.type, sent.routine);
}

}  // namespace detail

// Tangent of MPI_Send.
inline int send_d(const void* buf, const void* buf_d, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  return detail::sendForward(&MPI_Send, buf, buf_d, true, {}, count, type, dest, tag, comm, nullptr, "MPI_Send");
}
// Forward part of MPI_Send's adjoint.
inline int send_fwd(const void* buf, void* buf_b, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                    Tape& tape) {
  return detail::sendForward(&MPI_Send, buf, nullptr, false, detail::one(buf_b), count, type, dest, tag, comm, &tape,
                             "MPI_Send");
}
// Reverse part of MPI_Send's adjoint.
inline void send_rev(Tape& tape) { detail::reverseSend(tape); }
// Tangents of these two.
inline int send_fwd_d(const void* buf, const void* buf_d, void* buf_b, void* buf_b_d, int count, MPI_Datatype type,
                      int dest, int tag, MPI_Comm comm, Tape& tape) {
  return detail::sendForward(&MPI_Send, buf, buf_d, true, detail::two(buf_b, buf_b_d), count, type, dest, tag, comm,
                             &tape, "MPI_Send");
}
inline void send_rev_d(Tape& tape) { detail::reverseSend(tape); }

// Tangent of MPI_Ssend.
inline int ssend_d(const void* buf, const void* buf_d, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  return detail::sendForward(&MPI_Ssend, buf, buf_d, true, {}, count, type, dest, tag, comm, nullptr, "MPI_Ssend");
}
// Forward part of MPI_Ssend's adjoint.
inline int ssend_fwd(const void* buf, void* buf_b, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                     Tape& tape) {
  return detail::sendForward(&MPI_Ssend, buf, nullptr, false, detail::one(buf_b), count, type, dest, tag, comm, &tape,
                             "MPI_Ssend");
}
// Reverse part of MPI_Ssend's adjoint.
inline void ssend_rev(Tape& tape) { detail::reverseSend(tape); }
// Tangents of these two.
inline int ssend_fwd_d(const void* buf, const void* buf_d, void* buf_b, void* buf_b_d, int count, MPI_Datatype type,
                       int dest, int tag, MPI_Comm comm, Tape& tape) {
  return detail::sendForward(&MPI_Ssend, buf, buf_d, true, detail::two(buf_b, buf_b_d), count, type, dest, tag, comm,
                             &tape, "MPI_Ssend");
}
inline void ssend_rev_d(Tape& tape) { detail::reverseSend(tape); }

// Tangent of MPI_Recv.
inline int recv_d(void* buf, void* buf_d, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                  MPI_Status* status) {
  return detail::receiveForward(buf, buf_d, true, {}, count, type, source, tag, comm, status, nullptr, Record::Nothing);
}
// Forward part of MPI_Recv's adjoint.
inline int recv_fwd(void* buf, void* buf_b, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                    MPI_Status* status, Tape& tape, Record record = Record::OldContents) {
  return detail::receiveForward(buf, nullptr, false, detail::one(buf_b), count, type, source, tag, comm, status, &tape,
                                record);
}
// Reverse part of MPI_Recv's adjoint.
inline void recv_rev(Tape& tape) { detail::reverseReceive(tape); }
// Tangents of these two.
inline int recv_fwd_d(void* buf, void* buf_d, void* buf_b, void* buf_b_d, int count, MPI_Datatype type, int source,
                      int tag, MPI_Comm comm, MPI_Status* status, Tape& tape, Record record = Record::OldContents) {
  return detail::receiveForward(buf, buf_d, true, detail::two(buf_b, buf_b_d), count, type, source, tag, comm, status,
                                &tape, record);
}
inline void recv_rev_d(Tape& tape) { detail::reverseReceive(tape); }

// Tangent of MPI_Sendrecv.
inline int sendrecv_d(const void* sendbuf, const void* sendbuf_d, int sendcount, MPI_Datatype sendtype, int dest,
                      int sendtag, void* recvbuf, void* recvbuf_d, int recvcount, MPI_Datatype recvtype, int source,
                      int recvtag, MPI_Comm comm, MPI_Status* status) {
  return detail::sendrecvForward(sendbuf, sendbuf_d, {}, sendcount, sendtype, dest, sendtag, recvbuf, recvbuf_d, {},
                                 recvcount, recvtype, source, recvtag, comm, status, true, nullptr, Record::Nothing);
}
// Forward part of MPI_Sendrecv's adjoint.
inline int sendrecv_fwd(const void* sendbuf, void* sendbuf_b, int sendcount, MPI_Datatype sendtype, int dest,
                        int sendtag, void* recvbuf, void* recvbuf_b, int recvcount, MPI_Datatype recvtype, int source,
                        int recvtag, MPI_Comm comm, MPI_Status* status, Tape& tape,
                        Record record = Record::OldContents) {
  return detail::sendrecvForward(sendbuf, nullptr, detail::one(sendbuf_b), sendcount, sendtype, dest, sendtag, recvbuf,
                                 nullptr, detail::one(recvbuf_b), recvcount, recvtype, source, recvtag, comm, status,
                                 false, &tape, record);
}
// Reverse part of MPI_Sendrecv's adjoint.
inline void sendrecv_rev(Tape& tape) { detail::reverseSendrecv(tape); }
// Tangents of these two.
inline int sendrecv_fwd_d(const void* sendbuf, const void* sendbuf_d, void* sendbuf_b, void* sendbuf_b_d, int sendcount,
                          MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf, void* recvbuf_d, void* recvbuf_b,
                          void* recvbuf_b_d, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                          MPI_Comm comm, MPI_Status* status, Tape& tape, Record record = Record::OldContents) {
  return detail::sendrecvForward(sendbuf, sendbuf_d, detail::two(sendbuf_b, sendbuf_b_d), sendcount, sendtype, dest,
                                 sendtag, recvbuf, recvbuf_d, detail::two(recvbuf_b, recvbuf_b_d), recvcount, recvtype,
                                 source, recvtag, comm, status, true, &tape, record);
}
inline void sendrecv_rev_d(Tape& tape) { detail::reverseSendrecv(tape); }

}  // namespace contraflow::mpi

#endif
