// Receives and sends between their post and their completion, and which message a receive got.
//
// A receive's place among the messages of its source and tag (k, see channel.hpp) follows from the order of posts.
// A wildcard has a source and tag only once it has matched. So while one is open, receives posted behind it that
// might match the same messages wait for it: when one of those completes, the wildcard before it has matched too
// (messages don't overtake), and its completion can be waited for without danger.
#ifndef CONTRAFLOW_MPI_POSTS_HPP
#define CONTRAFLOW_MPI_POSTS_HPP

#include <contraflow/mpi/channel.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <thread>

namespace contraflow::mpi::detail {

// What a send or receive is told, and what becomes of it. The tape (or, in a tangent, the registry) owns it.
struct Post {
  bool receive = false;
  bool forward = false;      // has a reverse part
  bool tangent = false;      // carries tangents of values
  bool inFlight = false;     // in the registry
  bool waiting = false;      // some thread is in its MPI_Wait
  bool matched = false;      // pair.peer, pair.tag and count are those of the message
  bool counted = false;      // pair.k is known
  int peer = MPI_PROC_NULL;  // as posted, wildcards included
  int tag = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  std::size_t count = 0;  // of the message, once matched
  Pair pair;
  void* valueTangent = nullptr;  // of a receive
  Parts shadow;
  Saved saved;

  Post() = default;
  Post(const Post&) = delete;
  Post& operator=(const Post&) = delete;
  ~Post();

  bool wildcard() const { return peer == MPI_ANY_SOURCE || tag == MPI_ANY_TAG; }
  bool mayMatch(int source, int itsTag) const {
    return (peer == MPI_ANY_SOURCE || peer == source) && (tag == MPI_ANY_TAG || tag == itsTag);
  }
  bool overlaps(const Post& other) const {
    return (peer == MPI_ANY_SOURCE || other.peer == MPI_ANY_SOURCE || peer == other.peer) &&
           (tag == MPI_ANY_TAG || other.tag == MPI_ANY_TAG || tag == other.tag);
  }
};

inline Post::~Post() {
  if (counted && !inFlight) return;
  Process& process = Process::instance();
  const std::lock_guard<std::mutex> lock(process.mutex);
  if (inFlight) {
    const auto found = process.posts.find(request);
    if (found != process.posts.end() && found->second == this) process.posts.erase(found);
  }
  for (Channel* channel : process.channels())
    channel->open.erase(std::remove(channel->open.begin(), channel->open.end(), this), channel->open.end());
}

// Counts a receive, in order of posts, if its place is certain; else lines it up.
inline void countReceive(Post& post, MPI_Comm comm, const char* routine) {
  post.pair = {};
  if (post.peer == MPI_PROC_NULL) {
    post.counted = post.matched = true;
    return;
  }
  post.pair.comm = comm;
  Process& process = Process::instance();
  const std::lock_guard<std::mutex> lock(process.mutex);
  post.pair.step = process.step.identity;
  if (post.pair.step != 0 && post.peer == MPI_ANY_SOURCE)
    fail(routine, "MPI_ANY_SOURCE in a checkpointed loop: when its steps are run again, another message may match; name the source");
  Channel& channel = process.channel(comm);
  if (post.tag != MPI_ANY_TAG) process.checkTag(channel, post.tag, routine);
  const bool certain = !post.wildcard() && std::none_of(channel.open.begin(), channel.open.end(),
                                                        [&](const Post* earlier) { return earlier->overlaps(post); });
  if (!certain) {
    channel.open.push_back(&post);
    return;
  }
  post.pair.k = channel.received[{post.peer, post.tag}]++;
  post.counted = true;
}

inline void setMatch(Post& post, MPI_Status& status, const char* routine) {
  int count = 0;
  MPI_Get_count(&status, post.type, &count);
  if (count == MPI_UNDEFINED)
    fail(routine, "the message from rank %d doesn't hold a whole number of elements of the type it is received with",
         status.MPI_SOURCE);
  post.pair.peer = status.MPI_SOURCE;
  post.pair.tag = status.MPI_TAG;
  post.count = static_cast<std::size_t>(count);
  post.matched = true;
}

// One attempt to give a matched receive its k, with the lock held; false if an earlier one must complete first.
inline bool tryCount(Process& process, Channel& channel, Post& post, const char* routine) {
  for (std::size_t i = 0; i < channel.open.size() && channel.open[i] != &post;) {
    Post& earlier = *channel.open[i];
    if (!earlier.mayMatch(post.pair.peer, post.pair.tag)) {
      ++i;
      continue;
    }
    if (!earlier.matched) {
      if (!earlier.wildcard()) {
        earlier.pair.peer = earlier.peer;
        earlier.pair.tag = earlier.tag;
      } else {
        if (earlier.waiting) return false;
        int complete = 0;
        MPI_Status status;
        check(MPI_Request_get_status(earlier.request, &complete, &status), routine);
        if (complete == 0) return false;
        setMatch(earlier, status, routine);
      }
    }
    if (!tryCount(process, channel, earlier, routine)) return false;
    i = 0;  // the list has changed
  }
  post.pair.k = channel.received[{post.pair.peer, post.pair.tag}]++;
  post.counted = true;
  channel.open.erase(std::remove(channel.open.begin(), channel.open.end(), &post), channel.open.end());
  return true;
}

// A receive has got its message: sets its pair and count.
inline void completeReceive(Post& post, MPI_Status& status, const char* routine) {
  if (post.peer == MPI_PROC_NULL) return;
  Process& process = Process::instance();
  for (;;) {
    {
      const std::lock_guard<std::mutex> lock(process.mutex);
      Channel& channel = process.channel(post.pair.comm);
      setMatch(post, status, routine);
      post.waiting = false;
      if (post.counted || tryCount(process, channel, post, routine)) return;
    }
    std::this_thread::yield();
  }
}

// A blocking receive. A wildcard tag puts derivative messages aside that it meets; MPI_PROC_NULL does nothing.
inline void receiveValue(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                         MPI_Status& status, const char* routine) {
  Process& process = Process::instance();
  if (tag != MPI_ANY_TAG || source == MPI_PROC_NULL) {
    check(MPI_Recv(buffer, count, type, source, tag, comm, &status), routine);
    return;
  }
  for (;;) {
    MPI_Message message;
    check(MPI_Mprobe(source, tag, comm, &message, &status), routine);
    bool ours = false;
    {
      const std::lock_guard<std::mutex> lock(process.mutex);
      Channel& channel = process.channel(comm);
      for (const Kind kind : {Kind::Adjoint, Kind::Tangent})
        if (!channel.isolated && status.MPI_TAG == process.tagOf(kind)) {
          process.receiveMatched(channel, kind, message, status);
          ours = true;
        }
    }
    if (!ours) {
      check(MPI_Mrecv(buffer, count, type, &message, &status), routine);
      return;
    }
  }
}

// A nonblocking receive can't put derivative messages aside.
inline void checkPostedTag(int source, int tag, MPI_Comm comm, const char* routine) {
  if (tag != MPI_ANY_TAG || source == MPI_PROC_NULL) return;
  Process& process = Process::instance();
  const std::lock_guard<std::mutex> lock(process.mutex);
  if (!process.channel(comm).isolated)
    fail(routine,
         "with MPI_ANY_TAG it could take a derivative message; name the tag, or call "
         "contraflow::mpi::isolate(comm) on all ranks once before");
}

}  // namespace contraflow::mpi::detail

#endif
