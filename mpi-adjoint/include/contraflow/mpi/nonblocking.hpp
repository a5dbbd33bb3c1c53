// MPI_Isend, MPI_Irecv, MPI_Wait and MPI_Waitall.
//
// The buffer of a receive changes at the wait, so that is where the reverse message starts; the reverse of the post
// puts the buffer's old contents back. A send is read from the post on: the reverse of the post adds what came.
//
//     forward   isend: counts the send         wait: finds the post by its request
//               irecv: saves the contents            of a receive: records source, tag and length
//     reverse   isend: buf_b += message        wait  of a receive: sends buf_b, buf_b = 0
//               irecv: restores the contents         of a send: nothing
//
// Waits may come in any order, in other functions than the posts. A request that no function here posted is
// completed as in the primal.
#ifndef CONTRAFLOW_MPI_NONBLOCKING_HPP
#define CONTRAFLOW_MPI_NONBLOCKING_HPP

#include <contraflow/mpi/point_to_point.hpp>

#include <mpi.h>

#include <cstddef>
#include <mutex>
#include <vector>

namespace contraflow::mpi {
namespace detail {

// Stops the run if a request that MPI has just handed out is still registered: then the call that completed it was
// not ours, and its derivative is lost.
inline void checkFresh(const Process& process, MPI_Request request, const char* routine) {
  if (process.posts.count(request) != 0)
    fail(routine, "a receive posted in differentiated code was completed by a call outside of it");
}

// Registers a post under the request that MPI gave it.
inline void enter(Post& post, MPI_Request request, const char* routine) {
  Process& process = Process::instance();
  const std::lock_guard<std::mutex> lock(process.mutex);
  checkFresh(process, request, routine);
  post.request = request;
  post.inFlight = true;
  process.posts.emplace(request, &post);
}

// The post of a request, taken out of the registry; null if there is none. To be called before the wait, which
// may let MPI use the same value for another request.
inline Post* leave(MPI_Request request) {
  if (request == MPI_REQUEST_NULL) return nullptr;
  Process& process = Process::instance();
  const std::lock_guard<std::mutex> lock(process.mutex);
  const auto found = process.posts.find(request);
  if (found == process.posts.end()) {
    const auto pending = process.step.pending.find(request);
    if (pending != process.step.pending.end() && --pending->second == 0) process.step.pending.erase(pending);
    return nullptr;
  }
  Post* post = found->second;
  process.posts.erase(found);
  post->inFlight = false;
  post->waiting = true;
  return post;
}

// In a tangent, the post lives until its wait; in an adjoint, on the tape.
inline Post& newPost(Tape* tape) { return tape != nullptr ? tape->create<Post>() : *new Post; }

inline int isendForward(const void* buf, const void* buf_d, bool withTangent, const Parts& shadow, int count,
                        MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request* request, Tape* tape) {
  const char* routine = "MPI_Isend";
  const Pair pair = announceSend(buf_d, withTangent, count, type, dest, tag, comm, routine);
  check(MPI_Isend(buf, count, type, dest, tag, comm, request), routine);
  // Its wait has nothing to do, so it needs no place in the registry. (It couldn't have one: MPI may give all sends
  // that are complete at once the same request.)
  {
    Process& process = Process::instance();
    const std::lock_guard<std::mutex> lock(process.mutex);
    checkFresh(process, *request, routine);
    if (process.step.identity != 0) ++process.step.pending[*request];
  }
  if (tape != nullptr) tape->push(SendRecord{pair, shadow, type, static_cast<std::size_t>(count), routine});
  return MPI_SUCCESS;
}

inline int irecvForward(void* buf, void* buf_d, bool withTangent, const Parts& shadow, int count, MPI_Datatype type,
                        int source, int tag, MPI_Comm comm, MPI_Request* request, Tape* tape, Record record) {
  const char* routine = "MPI_Irecv";
  checkPostedTag(source, tag, comm, routine);
  if (source == MPI_PROC_NULL && tape == nullptr) return MPI_Irecv(buf, count, type, source, tag, comm, request);
  Saved saved;
  if (tape != nullptr && source != MPI_PROC_NULL)
    saved = save(withTangent ? two(buf, buf_d) : one(buf), static_cast<std::size_t>(count) * sizeOf(type, routine),
                 record, *tape);
  Post& post = newPost(tape);
  post.receive = true;
  post.forward = tape != nullptr;
  post.tangent = withTangent;
  post.peer = source;
  post.tag = tag;
  post.type = type;
  post.valueTangent = buf_d;
  post.shadow = shadow;
  post.saved = saved;
  countReceive(post, comm, routine);
  check(MPI_Irecv(buf, count, type, source, tag, comm, request), routine);
  if (source != MPI_PROC_NULL)  // those may all have the same request
    enter(post, *request, routine);
  return MPI_SUCCESS;
}

inline void reverseIrecv(Tape& tape) {
  const char* routine = "MPI_Irecv";
  const Post& post = tape.top<Post>();
  if (!post.matched)
    fail(routine, "a receive with tag %d was posted inside the differentiated code and not completed there", post.tag);
  const Saved saved = post.saved;
  const std::size_t bytes = post.count * sizeOf(post.type, routine);
  tape.destroy<Post>();
  restore(saved, bytes, tape);
}

// A post's request is complete. Pushes it for the reverse sweep; without a tape that was its end.
inline void complete(Post* post, MPI_Status& status, Tape* tape, const char* routine) {
  if (post != nullptr) {
    completeReceive(*post, status, routine);
    if (post->tangent) receiveTangent(post->pair, post->valueTangent, post->count, post->type, routine);
    if (post->forward && tape == nullptr) fail(routine, "a request posted by an adjoint was completed by a tangent");
  }
  if (tape != nullptr) tape->push(post != nullptr && post->forward ? post : nullptr);
  if (post != nullptr && !post->forward) delete post;
}

inline void reverseComplete(Tape& tape, const char* routine) {
  const Post* post = tape.pop<Post*>();
  if (post != nullptr) sendAndZero(post->pair, post->shadow, post->count, post->type, routine);
}

inline int waitForward(MPI_Request* request, MPI_Status* wanted, Tape* tape) {
  Post* post = leave(*request);
  MPI_Status status;
  check(MPI_Wait(request, &status), "MPI_Wait");
  complete(post, status, tape, "MPI_Wait");
  return returnStatus(wanted, status);
}

inline int waitallForward(int count, MPI_Request* requests, MPI_Status* wanted, Tape* tape) {
  const char* routine = "MPI_Waitall";
  const auto number = static_cast<std::size_t>(count);
  std::vector<Post*> posts(number);
  for (std::size_t i = 0; i < number; ++i) posts[i] = leave(requests[i]);
  std::vector<MPI_Status> own;
  MPI_Status* statuses = wanted;
  if (wanted == MPI_STATUSES_IGNORE) {
    own.resize(number);
    statuses = own.data();
  }
  check(MPI_Waitall(count, requests, statuses), routine);
  // All are complete: none need wait for another of them to say which message it got.
  {
    Process& process = Process::instance();
    const std::lock_guard<std::mutex> lock(process.mutex);
    for (std::size_t i = 0; i < number; ++i)
      if (posts[i] != nullptr && posts[i]->peer != MPI_PROC_NULL) {
        setMatch(*posts[i], statuses[i], routine);
        posts[i]->waiting = false;
      }
  }
  for (std::size_t i = 0; i < number; ++i) complete(posts[i], statuses[i], tape, routine);
  if (tape != nullptr) tape->push(count);
  return MPI_SUCCESS;
}

inline void reverseWaitall(Tape& tape) {
  for (int i = tape.pop<int>(); i > 0; --i) reverseComplete(tape, "MPI_Waitall");
}

}  // namespace detail

// Tangent of MPI_Isend.
inline int isend_d(const void* buf, const void* buf_d, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return detail::isendForward(buf, buf_d, true, {}, count, type, dest, tag, comm, request, nullptr);
}
// Forward part of MPI_Isend's adjoint.
inline int isend_fwd(const void* buf, void* buf_b, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                     MPI_Request* request, Tape& tape) {
  return detail::isendForward(buf, nullptr, false, detail::one(buf_b), count, type, dest, tag, comm, request, &tape);
}
// Reverse part of MPI_Isend's adjoint: adds the adjoints that came back.
inline void isend_rev(Tape& tape) { detail::reverseSend(tape); }
// Tangents of these two.
inline int isend_fwd_d(const void* buf, const void* buf_d, void* buf_b, void* buf_b_d, int count, MPI_Datatype type,
                       int dest, int tag, MPI_Comm comm, MPI_Request* request, Tape& tape) {
  return detail::isendForward(buf, buf_d, true, detail::two(buf_b, buf_b_d), count, type, dest, tag, comm, request,
                              &tape);
}
inline void isend_rev_d(Tape& tape) { detail::reverseSend(tape); }

// Tangent of MPI_Irecv. The derivative arrives at the wait.
inline int irecv_d(void* buf, void* buf_d, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return detail::irecvForward(buf, buf_d, true, {}, count, type, source, tag, comm, request, nullptr, Record::Nothing);
}
// Forward part of MPI_Irecv's adjoint.
inline int irecv_fwd(void* buf, void* buf_b, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                     MPI_Request* request, Tape& tape, Record record = Record::OldContents) {
  return detail::irecvForward(buf, nullptr, false, detail::one(buf_b), count, type, source, tag, comm, request, &tape,
                              record);
}
// Reverse part of MPI_Irecv's adjoint: the buffer is what it was before the post.
inline void irecv_rev(Tape& tape) { detail::reverseIrecv(tape); }
// Tangents of these two.
inline int irecv_fwd_d(void* buf, void* buf_d, void* buf_b, void* buf_b_d, int count, MPI_Datatype type, int source,
                       int tag, MPI_Comm comm, MPI_Request* request, Tape& tape, Record record = Record::OldContents) {
  return detail::irecvForward(buf, buf_d, true, detail::two(buf_b, buf_b_d), count, type, source, tag, comm, request,
                              &tape, record);
}
inline void irecv_rev_d(Tape& tape) { detail::reverseIrecv(tape); }

// Tangent of MPI_Wait.
inline int wait_d(MPI_Request* request, MPI_Status* status) { return detail::waitForward(request, status, nullptr); }
// Forward part of MPI_Wait's adjoint.
inline int wait_fwd(MPI_Request* request, MPI_Status* status, Tape& tape) {
  return detail::waitForward(request, status, &tape);
}
// Reverse part of MPI_Wait's adjoint: starts the message back.
inline void wait_rev(Tape& tape) { detail::reverseComplete(tape, "MPI_Wait"); }
// Tangents of these two.
inline int wait_fwd_d(MPI_Request* request, MPI_Status* status, Tape& tape) {
  return detail::waitForward(request, status, &tape);
}
inline void wait_rev_d(Tape& tape) { detail::reverseComplete(tape, "MPI_Wait"); }

// Tangent of MPI_Waitall.
inline int waitall_d(int count, MPI_Request* requests, MPI_Status* statuses) {
  return detail::waitallForward(count, requests, statuses, nullptr);
}
// Forward part of MPI_Waitall's adjoint.
inline int waitall_fwd(int count, MPI_Request* requests, MPI_Status* statuses, Tape& tape) {
  return detail::waitallForward(count, requests, statuses, &tape);
}
// Reverse part of MPI_Waitall's adjoint: starts the messages back.
inline void waitall_rev(Tape& tape) { detail::reverseWaitall(tape); }
// Tangents of these two.
inline int waitall_fwd_d(int count, MPI_Request* requests, MPI_Status* statuses, Tape& tape) {
  return detail::waitallForward(count, requests, statuses, &tape);
}
inline void waitall_rev_d(Tape& tape) { detail::reverseWaitall(tape); }

}  // namespace contraflow::mpi

#endif
