// Vectors that are part of an object: a shadow must have their room, not only their sizes.
#pragma once

#include <functional>

#include "ir/module.hpp"

namespace contraflow::transform {

// True if an object of the type has std::vectors in its own memory.
bool ownsVector(const ir::Module& m, ir::TypeId type);

// After a call that made `primal`: each of its vectors is as large in `shadow` as in `primal`, but may have less room; then growth
// would move the shadow's elements where the primal's stay, and pointers to them would dangle. Emits what gives it the room. False for
// objects in arrays or vectors that own vectors themselves: that isn't supported.
bool takeRoom(const ir::Module& m, ir::Function& f, ir::ExprId shadow, ir::ExprId primal,
              const std::function<void(ir::Runtime)>& emit);

}  // namespace contraflow::transform
