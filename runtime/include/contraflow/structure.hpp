// Structural operations on vectors, recorded on a tape, and their inverses.
//
// Guarantees: after revert() the vector has the size it had before, and its elements lie where they lay, so that recorded
// pointers to them are valid again. The values of the elements that stay are those that they have when revert() is called.
// Cost: growth is amortised; an old buffer stays on the tape until revert().
//
//     resize(v, n, tape), reserve(v, n, tape), follow(shadow, v, tape)     revert(v, tape)
#ifndef CONTRAFLOW_STRUCTURE_HPP
#define CONTRAFLOW_STRUCTURE_HPP

#include <contraflow/adjoint.hpp>
#include <contraflow/tape.hpp>
#include <contraflow/zero.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace contraflow {

// What becomes of the values of dropped elements: they come back, or zeros do.
enum class Dropped { Kept, Zero };

namespace detail {

enum class Change : unsigned char {
  Grown,    // in its buffer
  Moved,    // to another buffer; the old vector is on the tape
  Dropped,  // the elements are on the tape
  Zeroed    // elements were dropped, which come back as zeros
};
struct Changed {
  std::size_t size;  // before
  Change change;
};

// The elements of `from` become those of `to`, as many as both have; buffers of the elements' own move with them.
template <class V>
void moveElements(V& from, V& to) {
  const auto n = static_cast<std::ptrdiff_t>(std::min(from.size(), to.size()));
  std::move(from.begin(), from.begin() + n, to.begin());
}

template <class V>
void moveOnto(Tape& tape, V& v, std::size_t room, std::size_t size) {
  V& old = tape.create<V>();
  old.swap(v);
  v.reserve(room);
  v.resize(std::min(old.size(), size));
  moveElements(old, v);
  v.resize(size);
}

// `n` elements, in a buffer for `room`.
template <class V>
void restructure(V& v, std::size_t n, std::size_t room, Tape& tape, Dropped dropped) {
  using T = typename V::value_type;
  const std::size_t before = v.size();
  Change change = Change::Grown;
  if (room > v.capacity()) {
    moveOnto(tape, v, room, n);
    change = Change::Moved;
  } else if (n < before) {
    const auto end = v.begin() + static_cast<std::ptrdiff_t>(n);
    if constexpr (!std::is_trivially_copyable_v<T>) {
      tape.create<V>(std::make_move_iterator(end), std::make_move_iterator(v.end()));
      change = Change::Dropped;
    } else if (dropped == Dropped::Kept) {
      tape.pushRange(v.data() + n, before - n);
      change = Change::Dropped;
    } else {
      change = Change::Zeroed;
    }
    v.resize(n);
  } else {
    v.resize(n);
  }
  tape.push(Changed{before, change});
}

// Undoing the undoing, for the after-image.
template <class V>
struct RedoMove final : Redo {
  V* vector;
  V newer;
  void operator()(Redone& redone) override {
    V& v = *redone.now(vector);
    moveElements(v, newer);
    v.swap(newer);
  }
};
template <class V>
struct RedoResize final : Redo {
  V* vector;
  std::size_t size;
  V grown;  // the elements that it grew by
  void operator()(Redone& redone) override {
    V& v = *redone.now(vector);
    const std::size_t before = v.size();
    v.resize(size);
    if (size > before) std::move(grown.begin(), grown.end(), v.begin() + static_cast<std::ptrdiff_t>(before));
  }
};
template <class V>
struct RedoSwap final : Redo {
  V *a, *b;
  void operator()(Redone& redone) override { redone.now(a)->swap(*redone.now(b)); }
};

template <class V>
void keepGrown(V& v, std::size_t size, Tape& tape) {
  auto redo = std::make_unique<RedoResize<V>>();
  redo->vector = &v;
  redo->size = v.size();
  if (v.size() > size) {
    const auto first = v.begin() + static_cast<std::ptrdiff_t>(size);
    redo->grown.assign(std::make_move_iterator(first), std::make_move_iterator(v.end()));
  }
  tape.keepRedo(std::move(redo), &v);
}

template <class V>
void revert(V& v, Tape& tape, bool seen) {
  using T = typename V::value_type;
  const auto [size, change] = tape.pop<Changed>();
  // Vectors in it that the log names have to be where they were when it is undone.
  seen = (seen && tape.keepsAfterImage()) || (!std::is_trivially_copyable_v<T> && tape.logNames(v));
  if (change == Change::Moved) {
    V& old = tape.top<V>();
    moveElements(v, old);
    v.swap(old);
    if (seen) {
      auto redo = std::make_unique<RedoMove<V>>();
      redo->vector = &v;
      redo->newer.swap(old);
      tape.keepRedo(std::move(redo), &v);
    }
    tape.destroy<V>();
    return;
  }
  if (seen) keepGrown(v, size, tape);
  else if (change == Change::Grown) tape.forgetElements(v, size);
  const std::size_t now = v.size();
  if constexpr (!std::is_trivially_copyable_v<T>) {
    if (change == Change::Dropped) {
      V& dropped = tape.top<V>();
      v.insert(v.end(), std::make_move_iterator(dropped.begin()), std::make_move_iterator(dropped.end()));
      tape.destroy<V>();
      return;
    }
  }
  v.resize(size);
  if constexpr (std::is_trivially_copyable_v<T>)
    if (change == Change::Dropped) tape.popRange(v.data() + now, size - now);
}

template <class V>
void zeroFrom(V& v, std::size_t first) {
  if constexpr (std::is_class_v<typename V::value_type>)
    for (std::size_t i = first; i < v.size(); ++i) setZero(v[i]);
}

}  // namespace detail

template <class T, class A>
void resize(std::vector<T, A>& v, std::size_t n, Tape& tape, Dropped dropped = Dropped::Kept) {
  const std::size_t room = n > v.capacity() ? std::max(n, 2 * v.capacity()) : 0;
  detail::restructure(v, n, room, tape, dropped);
}
template <class T, class A>
void reserve(std::vector<T, A>& v, std::size_t n, Tape& tape) {
  detail::restructure(v, v.size(), n, tape, Dropped::Kept);
}

// The shadow takes the primal's size, and at least its room: it moves only when the primal does.
template <class T, class A>
void follow(std::vector<T, A>& shadow, const std::vector<T, A>& primal, Tape& tape, Dropped dropped = Dropped::Kept) {
  const std::size_t before = shadow.size();
  detail::restructure(shadow, primal.size(), primal.capacity(), tape, dropped);
  detail::zeroFrom(shadow, before);
}
template <class T, class A>
void follow(std::vector<T, A>& shadow, const std::vector<T, A>& primal) {
  const std::size_t before = shadow.size();
  shadow.reserve(primal.capacity());
  shadow.resize(primal.size());
  detail::zeroFrom(shadow, before);
}

template <class T, class A>
void revert(std::vector<T, A>& v, Tape& tape) {
  detail::revert(v, tape, false);
}
// The same for a vector that the caller may see.
template <class T, class A>
void restore(std::vector<T, A>& v, Tape& tape) {
  detail::revert(v, tape, true);
}
// Undoes a swap of vectors that the caller may see.
template <class T, class A>
void restoreSwap(std::vector<T, A>& a, std::vector<T, A>& b, Tape& tape) {
  if (tape.keepsAfterImage()) {
    auto redo = std::make_unique<detail::RedoSwap<std::vector<T, A>>>();
    redo->a = &a;
    redo->b = &b;
    tape.keepRedo(std::move(redo), &a, &b);
  }
  a.swap(b);
}

// --- shadows of whole objects ---

// The shadow gets at least the primal's room, so that it moves only when the primal does. A copy has the sizes alone.
template <class T, class A>
void takeRoom(std::vector<T, A>& shadow, const std::vector<T, A>& primal) {
  shadow.reserve(primal.capacity());
}
template <class T, class B, class A>
void takeRoom(std::vector<std::vector<T, B>, A>& shadow, const std::vector<std::vector<T, B>, A>& primal) {
  shadow.reserve(primal.capacity());
  for (std::size_t i = 0; i < primal.size(); ++i) takeRoom(shadow[i], primal[i]);
}

// The shadow gets the primal's sizes; all of its reals are zero. Vectors in records don't get its room: see takeRoom.
template <class T>
void shape(T& shadow, const T& primal) {
  shadow = primal;
  setZero(shadow);
}
template <class T, class A>
void shape(std::vector<T, A>& shadow, const std::vector<T, A>& primal) {
  shadow.reserve(primal.capacity());
  shadow.resize(primal.size());
  if constexpr (std::is_arithmetic_v<T>)
    std::fill(shadow.begin(), shadow.end(), T());
  else
    for (std::size_t i = 0; i < primal.size(); ++i) shape(shadow[i], primal[i]);
}

namespace detail {
template <class T>
bool isZero(const T& x) {
  return x == T(0);
}
template <class T, class A>
bool isZero(const std::vector<T, A>& v);
template <class T, class A>
bool isZero(const std::vector<T, A>& v) {
  return std::all_of(v.begin(), v.end(), [](const T& x) { return isZero(x); });
}
}  // namespace detail

// A head's vector parameter that may change its size. On entry its shadow has the adjoints of the elements after the call: they
// are put aside, and added when the forward sweep is done. Missing ones are zero, and what there is beyond has to be.
template <class T, class A>
void takeSeeds(std::vector<T, A>& seeds, std::vector<T, A>& shadow, const std::vector<T, A>& primal) {
  seeds.swap(shadow);
  shape(shadow, primal);
}
template <class T, class A>
void addSeeds(std::vector<T, A>& shadow, const std::vector<T, A>& seeds, const char* name) {
  const std::size_t n = std::min(seeds.size(), shadow.size());
  for (std::size_t i = 0; i < n; ++i) addTo(shadow[i], seeds[i]);
  if (!std::all_of(seeds.begin() + static_cast<std::ptrdiff_t>(n), seeds.end(), [](const T& x) { return detail::isZero(x); })) {
    std::fprintf(stderr, "contraflow: the shadow of '%s' has %zu elements, but '%s' has %zu after the call\n", name, seeds.size(),
                 name, shadow.size());
    std::abort();
  }
}

}  // namespace contraflow

#endif
