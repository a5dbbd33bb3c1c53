// What the adjoints record, by loop and function of the primal: the part of `--report` that memory depends on.
//
// Counted are the records that stay on the tape from the forward to the reverse sweep: values and addresses of known size, one for each
// statement that makes one. What lies on a scratch tape within an iteration isn't counted, nor are frames (a called function's vectors).
#pragma once

#include <string>
#include <vector>

#include "driver/pipeline.hpp"

namespace contraflow::driver {

struct RecordedValue {
  std::uint32_t line = 0;
  std::string what;  // as the program writes it
  std::size_t bytes = 0;
};

// One iteration of a loop, without the loops in it; or one run of a function, without its loops.
struct RecordedRegion {
  std::string file, function;
  std::uint32_t line = 0;
  bool isLoop = false;
  std::vector<RecordedValue> values;
  std::size_t bytes = 0;               // of these
  std::size_t bytesWithout = 0;        // what would be recorded if nothing were known but types
  bool loopsInside = false;            // that record as well
  // Outermost serial loops: what a checkpoint would do.
  bool checkpointed = false;           // it has one
  bool mayHaveCheckpoint = false;
  std::vector<std::string> snapshot;   // what each snapshot would hold
  std::string whyNot;                  // empty: it may, or nobody asked
};

// By file and line. For runs with adjoints.
std::vector<RecordedRegion> recordedRegions(const Run& run);

}  // namespace contraflow::driver
