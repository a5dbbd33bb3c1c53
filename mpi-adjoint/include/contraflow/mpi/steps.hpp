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

#include <cstdint>
#include <memory>
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

// All ranks of MPI_COMM_WORLD: they must run the loop together.
class RestartRanksOfWorld final : public RestartRanks {
public:
  int count() const override {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
  }
  std::int64_t least(std::int64_t value) override {
    std::int64_t all = 0;
    MPI_Allreduce(&value, &all, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    return all;
  }
};
inline std::unique_ptr<RestartRanks> restartRanks() { return std::make_unique<RestartRanksOfWorld>(); }

}  // namespace contraflow::mpi

#endif
