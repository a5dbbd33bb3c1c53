// How derivative messages travel beside the primal ones.
//
// They use the primal's communicator (or the duplicate that isolate() made) with two tags from the top of
// MPI_TAG_UB: one for adjoints, one for tangents. Each says in its header which primal message it belongs to:
// the k-th with its tag between its two ranks, in order of posts. MPI delivers these in order, so both ranks count
// alike, and neither the order of waits nor equal tags can confuse them.
//
// Guarantees: sending never blocks (the memory is ours, completion is looked after later), and receiving puts
// aside what belongs to another call (the mailbox). So no order of the reverse sweeps of two ranks that mirrors a
// primal free of deadlocks can deadlock.
#ifndef CONTRAFLOW_MPI_CHANNEL_HPP
#define CONTRAFLOW_MPI_CHANNEL_HPP

#include <contraflow/mpi/message.hpp>

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace contraflow::mpi::detail {

enum class Kind : unsigned char { Adjoint, Tangent };

struct Post;  // see posts.hpp

// What we keep for one communicator, as an attribute of it.
struct Channel {
  MPI_Comm carrier = MPI_COMM_NULL;                      // what derivative messages travel on
  bool isolated = false;                                 // carrier is a duplicate of our own
  std::map<std::pair<int, int>, std::int64_t> sent;      // by destination and tag
  std::map<std::pair<int, int>, std::int64_t> received;  // by source and tag
  std::vector<Post*> open;                               // receives in order of posts whose k isn't known yet
  std::map<std::tuple<Kind, int, int, std::int64_t>, Message> mailbox;  // by kind, source, tag, k
};

// The step of a checkpointed loop that is being recorded (steps.hpp); there is at most one.
struct Step {
  std::uint32_t identity = 0;          // 0: none
  std::size_t posts = 0;               // in the registry when it began
  std::map<MPI_Request, int> pending;  // requests that have no place in the registry and weren't waited for yet
};

// What we keep for the process. All of it is guarded by `mutex`, channels included.
class Process {
public:
  static Process& instance() {
    static Process process;
    return process;
  }

  std::mutex mutex;
  std::map<MPI_Request, Post*> posts;  // requests between post and completion
  Step step;

  int tagOf(Kind kind) const { return kind == Kind::Adjoint ? largestTag_ : largestTag_ - 1; }

  // The channel of a communicator, made at its first use.
  Channel& channel(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL) fail("a call", "the communicator is MPI_COMM_NULL");
    start();
    void* attribute = nullptr;
    int found = 0;
    MPI_Comm_get_attr(comm, channelKey_, &attribute, &found);
    if (found != 0) return *static_cast<Channel*>(attribute);
    auto* channel = new Channel;  // deleted with the communicator
    channel->carrier = comm;
    channels_.push_back(channel);
    MPI_Comm_set_attr(comm, channelKey_, channel);
    return *channel;
  }

  // Stops the run if a primal message has a tag of ours.
  void checkTag(const Channel& channel, int tag, const char* routine) const {
    if (channel.isolated) return;
    if (tag == tagOf(Kind::Adjoint) || tag == tagOf(Kind::Tangent))
      fail(routine, "tag %d is needed for derivative messages (the two highest tags that MPI allows are)", tag);
  }

  Message newMessage(std::size_t units) {
    for (Message& spare : spares_)
      if (spare.capacity() >= units) {
        Message message = std::move(spare);
        std::swap(spare, spares_.back());
        spares_.pop_back();
        message.shrink(units);
        return message;
      }
    return Message(units);
  }
  void recycle(Message&& message) {
    if (spares_.size() < kSpares) spares_.push_back(std::move(message));
  }

  void send(Channel& channel, Kind kind, int peer, Message&& message, const char* routine) {
    completeSends(false);
    sends_.push_back({std::move(message), MPI_REQUEST_NULL});
    Sending& sending = sends_.back();
    check(MPI_Isend(sending.message.data(), static_cast<int>(sending.message.units()), unit_, peer, tagOf(kind),
                    channel.carrier, &sending.request),
          routine);
  }

  // Receives one derivative message that has arrived from `peer` (or MPI_ANY_SOURCE), into the mailbox.
  bool receiveArrived(Channel& channel, Kind kind, int peer) {
    MPI_Message handle;
    MPI_Status status;
    int arrived = 0;
    check(MPI_Improbe(peer, tagOf(kind), channel.carrier, &arrived, &handle, &status), "a receive");
    if (arrived != 0) receiveMatched(channel, kind, handle, status);
    return arrived != 0;
  }
  void receiveMatched(Channel& channel, Kind kind, MPI_Message& handle, MPI_Status& status) {
    int units = 0;
    MPI_Get_count(&status, unit_, &units);
    if (units < 2) fail("a receive", "a message from rank %d with a tag of ours isn't one of ours", status.MPI_SOURCE);
    Message message = newMessage(static_cast<std::size_t>(units));
    const int source = status.MPI_SOURCE;
    check(MPI_Mrecv(message.data(), units, unit_, &handle, MPI_STATUS_IGNORE), "a receive");
    const Header header = message.header();
    channel.mailbox[{kind, source, header.tag, header.k}] = std::move(message);
  }

  // Releases the memory of messages that have left, in the order they were sent; with `wait`, of all.
  void completeSends(bool wait) {
    while (!sends_.empty()) {
      int left = 1;
      if (wait)
        MPI_Wait(&sends_.front().request, MPI_STATUS_IGNORE);
      else
        MPI_Test(&sends_.front().request, &left, MPI_STATUS_IGNORE);
      if (left == 0) return;
      recycle(std::move(sends_.front().message));
      sends_.pop_front();
    }
  }

  const std::vector<Channel*>& channels() const { return channels_; }

  // Runs when MPI_Finalize starts.
  void atFinalize(void (*cleanUp)()) { cleanUps_.push_back(cleanUp); }

private:
  struct Sending {
    Message message;
    MPI_Request request;
  };
  static constexpr std::size_t kSpares = 32;

  Process() = default;

  void start() {
    if (started_) return;
    started_ = true;
    void* bound = nullptr;
    int found = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found);
    largestTag_ = found != 0 ? *static_cast<int*>(bound) : 32767;
    MPI_Type_contiguous(static_cast<int>(sizeof(Unit)), MPI_BYTE, &unit_);
    MPI_Type_commit(&unit_);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &deleteChannel, &channelKey_, nullptr);
    // Attributes of MPI_COMM_SELF are deleted first in MPI_Finalize, while MPI still works.
    int finalizeKey = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &finalize, &finalizeKey, nullptr);
    MPI_Comm_set_attr(MPI_COMM_SELF, finalizeKey, nullptr);
    MPI_Comm_free_keyval(&finalizeKey);
  }

  static int deleteChannel(MPI_Comm, int, void* attribute, void*) {
    auto* channel = static_cast<Channel*>(attribute);
    std::vector<Channel*>& channels = instance().channels_;
    channels.erase(std::remove(channels.begin(), channels.end(), channel), channels.end());
    if (channel->isolated) MPI_Comm_free(&channel->carrier);
    delete channel;
    return MPI_SUCCESS;
  }
  static int finalize(MPI_Comm, int, void*, void*) {
    Process& process = instance();
    process.completeSends(true);
    process.spares_.clear();
    for (void (*cleanUp)() : process.cleanUps_) cleanUp();
    MPI_Type_free(&process.unit_);
    return MPI_SUCCESS;
  }

  bool started_ = false;
  int largestTag_ = 0;
  int channelKey_ = MPI_KEYVAL_INVALID;
  MPI_Datatype unit_ = MPI_DATATYPE_NULL;
  std::vector<Channel*> channels_;
  std::deque<Sending> sends_;
  std::vector<Message> spares_;
  std::vector<void (*)()> cleanUps_;
};

// Which primal message a derivative message belongs to, seen from one rank.
struct Pair {
  MPI_Comm comm = MPI_COMM_NULL;
  int peer = MPI_PROC_NULL;
  int tag = 0;
  std::int64_t k = 0;
  std::uint32_t step = 0;  // in which it was posted
  bool none() const { return peer == MPI_PROC_NULL; }
};

// Counts a send, and says which pair it is. Call it in order of posts.
inline Pair countSend(MPI_Comm comm, int peer, int tag, const char* routine) {
  if (peer == MPI_PROC_NULL) return {};
  Process& process = Process::instance();
  const std::lock_guard<std::mutex> lock(process.mutex);
  Channel& channel = process.channel(comm);
  process.checkTag(channel, tag, routine);
  return {comm, peer, tag, channel.sent[{peer, tag}]++, process.step.identity};
}

// Sends the packed parts to the other rank of a pair. Doesn't block. A null part travels as zeros.
inline void sendDerivative(Kind kind, const Pair& pair, const Parts& parts, std::size_t count, MPI_Datatype type,
                           const char* routine) {
  if (pair.none()) return;
  withType(type, routine, [&](auto zeroOfType) {
    using T = decltype(zeroOfType);
    const std::size_t bytes = static_cast<std::size_t>(parts.number) * count * sizeof(T);
    Process& process = Process::instance();
    const std::lock_guard<std::mutex> lock(process.mutex);
    Channel& channel = process.channel(pair.comm);
    Message message = process.newMessage(Message::unitsFor(bytes));
    message.setHeader(
        {pair.k, static_cast<std::int64_t>(count), pair.tag, parts.number, static_cast<std::int32_t>(sizeof(T)), pair.step});
    for (int p = 0; p < parts.number; ++p) copyOrZero(message.values<T>(p, count), part<T>(parts, p), count);
    process.send(channel, kind, pair.peer, std::move(message), routine);
  });
}

// How long a call waits for a derivative message: seconds in CONTRAFLOW_MPI_TIMEOUT, for ever if it isn't set.
inline double patience() {
  static const double seconds = [] {
    const char* wanted = std::getenv("CONTRAFLOW_MPI_TIMEOUT");
    return wanted != nullptr ? std::atof(wanted) : 0.0;
  }();
  return seconds;
}

// Waits for the message of a pair.
inline Message receiveMessage(Kind kind, const Pair& pair, const char* routine) {
  Process& process = Process::instance();
  const auto start = std::chrono::steady_clock::now();
  for (;;) {
    {
      const std::lock_guard<std::mutex> lock(process.mutex);
      Channel& channel = process.channel(pair.comm);
      // Most often the next message to arrive is the one wanted.
      for (bool arrived = true; arrived; arrived = process.receiveArrived(channel, kind, pair.peer)) {
        const auto found = channel.mailbox.find({kind, pair.peer, pair.tag, pair.k});
        if (found == channel.mailbox.end()) continue;
        Message message = std::move(found->second);
        channel.mailbox.erase(found);
        return message;
      }
    }
    if (patience() > 0.0 && std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > patience())
      fail(routine, "the %s of message %lld with tag %d, that rank %d owes, didn't come within %g seconds (CONTRAFLOW_MPI_TIMEOUT)",
           kind == Kind::Adjoint ? "adjoint" : "tangent", static_cast<long long>(pair.k), pair.tag, pair.peer, patience());
    std::this_thread::yield();
  }
}

// Receives the values of a pair and hands them to use(p, values, count), part by part.
template <class T, class Use>
void receiveDerivative(Kind kind, const Pair& pair, int parts, std::size_t count, const char* routine, Use use) {
  Message message = receiveMessage(kind, pair, routine);
  const Header header = message.header();
  if (header.step != pair.step)
    fail(routine,
         "message %lld with tag %d from rank %d belongs to another step of a checkpointed loop than here, or is outside of it there: all "
         "ranks that exchange messages in such a loop run the same steps with the same schedule, and complete their messages in each",
         static_cast<long long>(pair.k), pair.tag, pair.peer);
  if (header.count != static_cast<std::int64_t>(count) || header.parts != parts ||
      header.elementSize != static_cast<std::int32_t>(sizeof(T)))
    fail(routine,
         "message %lld with tag %d from rank %d carries %d derivative(s) of %lld elements of %d bytes where "
         "%d of %lld of %d were expected: the primal's messages don't pair up",
         static_cast<long long>(pair.k), pair.tag, pair.peer, static_cast<int>(header.parts),
         static_cast<long long>(header.count), static_cast<int>(header.elementSize), parts,
         static_cast<long long>(count), static_cast<int>(sizeof(T)));
  for (int p = 0; p < parts; ++p) use(p, static_cast<const T*>(message.values<T>(p, count)), count);
  Process& process = Process::instance();
  const std::lock_guard<std::mutex> lock(process.mutex);
  process.recycle(std::move(message));
}

// Receives the adjoints of what a send sent, and adds them to its shadow.
inline void receiveAndAdd(const Pair& pair, const Parts& shadow, std::size_t count, MPI_Datatype type,
                          const char* routine) {
  if (pair.none()) return;
  withType(type, routine, [&](auto zeroOfType) {
    using T = decltype(zeroOfType);
    receiveDerivative<T>(Kind::Adjoint, pair, shadow.number, count, routine,
                         [&](int p, const T* values, std::size_t n) { add(part<T>(shadow, p), values, n); });
  });
}

// Receives the derivatives that came with a primal message.
inline void receiveTangent(const Pair& pair, void* into, std::size_t count, MPI_Datatype type, const char* routine) {
  if (pair.none()) return;
  withType(type, routine, [&](auto zeroOfType) {
    using T = decltype(zeroOfType);
    receiveDerivative<T>(Kind::Tangent, pair, 1, count, routine,
                         [&](int, const T* values, std::size_t n) { copy(static_cast<T*>(into), values, n); });
  });
}

// What a receive owes in the reverse sweep: sends the adjoints of what it received, and zeroes them here.
inline void sendAndZero(const Pair& pair, const Parts& shadow, std::size_t count, MPI_Datatype type,
                        const char* routine) {
  if (pair.none()) return;
  sendDerivative(Kind::Adjoint, pair, shadow, count, type, routine);
  zeroParts(shadow, count, type, routine);
}

}  // namespace contraflow::mpi::detail

namespace contraflow::mpi {

// Gives the communicator a duplicate of its own for derivative messages, so that they can't meet a nonblocking
// receive with MPI_ANY_TAG. Collective over comm; once is enough, and it lasts as long as comm.
inline void isolate(MPI_Comm comm) {
  MPI_Comm duplicate = MPI_COMM_NULL;
  detail::Process& process = detail::Process::instance();
  const std::lock_guard<std::mutex> lock(process.mutex);
  detail::Channel& channel = process.channel(comm);
  if (channel.isolated) return;
  detail::check(MPI_Comm_dup(comm, &duplicate), "isolate");
  channel.carrier = duplicate;
  channel.isolated = true;
}

// The end of a derivative: waits till this rank's derivative messages have left, and stops the run if an adjoint
// has arrived that no call here wanted. (A tangent may already belong to the next call of a rank that runs ahead; an
// adjoint can't, since this rank would have had to send first.) Not collective.
inline void finish() {
  using namespace detail;
  Process& process = Process::instance();
  const std::lock_guard<std::mutex> lock(process.mutex);
  process.completeSends(true);
  for (Channel* channel : process.channels()) {
    while (process.receiveArrived(*channel, Kind::Adjoint, MPI_ANY_SOURCE)) {
    }
    for (const auto& entry : channel->mailbox) {
      const auto& [kind, source, tag, k] = entry.first;
      if (kind == Kind::Adjoint)
        fail("a receive", "the adjoint of message %lld with tag %d from rank %d is left over: no send here wanted it",
             static_cast<long long>(k), tag, source);
    }
  }
}

}  // namespace contraflow::mpi

#endif
