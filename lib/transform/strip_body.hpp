// The innermost body of a reversed loop, taken apart: what its iterations evaluate, what they write, and what they add to. Internal to
// strip_increments.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/index_forms.hpp"

namespace contraflow::transform {

struct StripBody {
  // Iterations of a strip: a few vectors of any width; short enough that the rest, which runs as before, is little.
  static constexpr long kLanes = 32;

  struct Write {  // place = value; no value: zero
    ir::ExprId place, value;
    bool own;  // the value needs nothing but what the write's own loop can read
  };
  struct Sum {  // what the increments of one place, or of a variable of the function's, add up
    ir::ExprId place;
    std::vector<std::pair<ir::ExprId, bool>> terms;  // true: subtracted
  };
  // Sums in elements of one array, of which one iteration meets what another iteration adds to: gathered, each element is added to once.
  struct Gather {
    struct Member {
      std::size_t sum;
      long ahead;  // its element is the first member's, that many iterations later
    };
    std::vector<Member> members;  // by `ahead`, from 0
  };
  // In order: declarations and assignments of locals, and increments and writes (whose index in `sums` or `writes` is given).
  struct Step {
    ir::StmtId stmt;
    int sum = -1, write = -1;
  };
  std::vector<Step> steps;
  std::vector<Write> writes;
  std::vector<Sum> sums;
  std::vector<Gather> gathers;  // of two or more
  bool ordered = false;  // what is summed up by iterations must be added in their order
  std::map<ir::VarId, ir::ExprId> indices;  // integer locals that never change, by value: what addresses are computed from
  // Pairs of pointers, arrays or containers whose elements must lie apart: then iterations may run in any order, and all that one of them
  // evaluates before all that one of them writes.
  std::set<std::pair<ir::VarId, ir::VarId>> apart;
};

// None if the body, of the loop with that counter, isn't straight-line code of numbers that can be taken apart so, or if it wouldn't
// gain: iterations must add to what others add to.
std::optional<StripBody> takeApart(const ir::Module& m, const ir::Function& f, const ir::Block& body, ir::VarId counter);

// True if the body is straight-line code of numbers whose iterations may run in any order, but for rounding: they share nothing but what
// they add to.
bool iterationsInAnyOrder(const ir::Module& m, const ir::Function& f, const ir::Block& body, ir::VarId counter);

}  // namespace contraflow::transform
