// Where to take snapshots of a loop whose iterations are reversed one by one from them.
//
// The forward sweep runs all steps once and takes snapshots on its way. Then, from the last step to the first, the nearest snapshot
// in front of it is restored, the steps up to it are run again (taking snapshots in slots that are free by now), and it is reversed.
//
// Binomial: after A. Griewank and A. Walther, "Algorithm 799: Revolve", ACM TOMS 26 (2000). With s snapshots, the fewest steps that
// reverse a chain of l steps are p(l, s) = r l - C(s + r, r - 1), where r is the least number with C(s + r, s) >= l. Here the
// forward sweep goes on behind the loop, as if there were one step more: it takes p(l + 1, s) steps in all.
//
// Where only the loop finds out how many steps there are, the forward sweep takes snapshots at equal distances in about three quarters of
// the slots (the others are for the reverse sweep); when these are full, every second is given up and the distance doubles. The reverse
// sweep goes on as above from what is there. Up to 5000 steps with up to 30 snapshots that is at most 1.5 times the fewest steps.
#ifndef CONTRAFLOW_SCHEDULE_HPP
#define CONTRAFLOW_SCHEDULE_HPP

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace contraflow {

enum class Schedule {
  Binomial,  // `amount` snapshots
  Periodic,  // one every `amount` steps, and one for each step between two of them
  Memory     // binomial, with as many as fit into `amount` bytes
};

namespace detail {

// C(s + r, s): how many steps can be reversed from s snapshots, none run more than r times. No more than kMany.
constexpr std::int64_t kMany = std::int64_t(1) << 62;
inline std::int64_t reach(std::int64_t s, std::int64_t r) noexcept {
  if (s < 0 || r < 0) return 0;
  const std::int64_t few = std::min(s, r), many = std::max(s, r);
  std::int64_t product = 1;
  for (std::int64_t k = 1; k <= few; ++k) {
    if (product > kMany / (many + k)) return kMany;
    product = product * (many + k) / k;
  }
  return product;
}

inline std::int64_t repeats(std::int64_t steps, std::int64_t snapshots) noexcept {
  std::int64_t r = 0;
  for (std::int64_t c = 1; c < steps; ++r) c = c > kMany / (snapshots + r + 1) ? kMany : c * (snapshots + r + 1) / (r + 1);
  return r;
}

// After how many steps the second of several snapshots is taken.
inline std::int64_t firstPart(std::int64_t steps, std::int64_t snapshots) noexcept {
  const std::int64_t r = repeats(steps, snapshots);
  return std::max<std::int64_t>({1, reach(snapshots, r - 2), steps - reach(snapshots - 1, r)});
}

}  // namespace detail

// p(l, s): how many steps have to be run, besides those that are recorded, to reverse `steps` steps.
inline std::int64_t fewestSteps(std::int64_t steps, std::int64_t snapshots) noexcept {
  if (steps <= 1) return 0;
  const std::int64_t r = detail::repeats(steps, snapshots);
  return r * steps - detail::reach(snapshots + 1, r - 1);
}

constexpr std::int64_t kUnknownSteps = -1;

// Positions of snapshots: those in front of the steps 0 <= k < steps, the first of them in front of step 0.
class SnapshotPlan {
public:
  SnapshotPlan() = default;
  SnapshotPlan(bool binomial, std::int64_t amount, std::int64_t steps)
      : binomial_(binomial),
        open_(binomial && steps == kUnknownSteps),
        amount_(std::max<std::int64_t>(amount, 1)),
        end_(steps == kUnknownSteps ? detail::kMany : binomial ? steps + 1 : steps) {}

  // The position of the next snapshot on the way; none: -1.
  std::int64_t next() const noexcept { return next_; }
  std::int64_t last() const noexcept { return taken_.back(); }
  std::size_t count() const noexcept { return taken_.size(); }
  // Which snapshots make room for the one at next(), by number, from the last to the first; next() may be further on then.
  std::vector<std::size_t> makeRoom() {
    std::vector<std::size_t> given;
    if (!open_ || static_cast<std::int64_t>(taken_.size()) < slotsWhileOpen()) return given;
    distance_ *= 2;
    for (std::size_t k = taken_.size(); k-- > 1;)
      if (taken_[k] % distance_ != 0) {
        given.push_back(k);
        taken_.erase(taken_.begin() + static_cast<std::ptrdiff_t>(k));
      }
    if (next_ % distance_ != 0) next_ += distance_ / 2;
    return given;
  }
  // The snapshot at next() is taken.
  void take() {
    taken_.push_back(next_);
    plan(next_);
  }
  // Everything behind `step` is reversed, and it is next: forgets the snapshots behind it. The way to it begins at last().
  void goBackTo(std::int64_t step) {
    while (taken_.back() > step) taken_.pop_back();
    end_ = step + 1;
    again_ = true;
    open_ = false;
    plan(last());
  }

  // Goes on as with these snapshots, the last of them in front of the next step.
  void resume(std::vector<std::int64_t> taken, std::int64_t distance) {
    taken_ = std::move(taken);
    distance_ = distance;
    plan(last());
  }
  const std::vector<std::int64_t>& taken() const noexcept { return taken_; }
  std::int64_t distance() const noexcept { return distance_; }

private:
  std::int64_t slotsWhileOpen() const noexcept { return std::max<std::int64_t>(amount_ - 1 - amount_ / 4, 1); }
  void plan(std::int64_t from) {
    if (open_) {
      next_ = slotsWhileOpen() > 1 ? from + distance_ : -1;
    } else if (binomial_) {
      const std::int64_t free = amount_ - static_cast<std::int64_t>(taken_.size());
      next_ = free > 0 ? from + detail::firstPart(end_ - from, free + 1) : -1;
    } else {
      next_ = from + (again_ ? 1 : amount_);
    }
    // In front of the last step it would be of no use: its state is at hand.
    if (next_ >= end_ - (binomial_ || again_ ? 1 : 0)) next_ = -1;
  }

  bool binomial_ = true, again_ = false, open_ = false;  // open: how many steps there are isn't known yet
  std::int64_t distance_ = 1;                            // of snapshots, while it is open
  std::int64_t amount_ = 1, end_ = 0, next_ = 0;
  std::vector<std::int64_t> taken_;
};

}  // namespace contraflow

#endif
