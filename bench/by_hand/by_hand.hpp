// Adjoints written by hand with care, the yardstick: NAME_by_hand adds the gradient to x_b and returns the value. The
// scratch arrays `work` and `work_b` may be used as it likes (work_b is zero on entry; what it holds on return doesn't
// matter); what is kept from the forward to the reverse sweep lies in `records`, whose memory lives on between calls as
// a tape's does.
#pragma once

#include <cmath>
#include <vector>

using Records = std::vector<double>;

inline double* room(Records& records, std::size_t n) {
  if (records.size() < n) records.resize(n);
  return records.data();
}
