// MPI in loops that are reversed from snapshots (contraflow/checkpoint.hpp).
//
// Steps that aren't recorded call MPI itself, whenever they are run; the recorded one calls the forward parts. That is right if each
// message is sent and received in the same step, and all ranks run the same steps in the same order. Whether it is so, shows in the
// recorded steps: each derivative message says which step it belongs to, and none may be open when a step ends.
#ifndef CONTRAFLOW_MPI_STEPS_HPP
#define CONTRAFLOW_MPI_STEPS_HPP

#include <contraflow/checkpoint.hpp>
#include <contraflow/mpi/posts.hpp>

#include <mpi.h>

#include <mutex>

namespace contraflow::mpi {

// The recorded run of a step begins.
inline void beginStep(const Checkpoint& checkpoint) {
  detail::Process& process = detail::Process::instance();
  const std::lock_guard<std::mutex> lock(process.mutex);
  process.step = {checkpoint.stepIdentity(), process.posts.size(), {}};
}

// Its forward part is done.
inline void endStep() {
  detail::Process& process = detail::Process::instance();
  const std::lock_guard<std::mutex> lock(process.mutex);
  if (process.posts.size() != process.step.posts || !process.step.pending.empty())
    detail::fail("a checkpointed loop",
                 "a request that was posted in one step isn't completed in it (or one from before the loop is): wait for it in the "
                 "step that posts it");
  process.step = {};
}

}  // namespace contraflow::mpi

#endif
