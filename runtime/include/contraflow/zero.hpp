// Setting shadows to zero.
//
// setZero(x) makes every real in x zero: of a scalar, an array, a vector, nested as they like. What isn't real (counts,
// pointers and what they point to) stays. For the program's own records the compiler generates, beside the derivatives,
//     void contraflowSetZero(Record &r) { contraflow::setZero(r.u); ... }
// in the record's namespace, which is found here by argument-dependent lookup.
#ifndef CONTRAFLOW_ZERO_HPP
#define CONTRAFLOW_ZERO_HPP

#include <array>
#include <complex>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <tuple>
#include <utility>
#include <vector>

namespace contraflow {

template <class T>
void setZero(T& x);

// An object as one of a base class, const if it is.
template <class Base>
Base& base(Base& object) {
  return object;
}
template <class Base>
const Base& base(const Base& object) {
  return object;
}

namespace detail {

template <class T>
struct Zero {
  static void set(T& x) {
    if constexpr (std::is_floating_point_v<T>)
      x = T(0);
    else if constexpr (std::is_class_v<T> || std::is_union_v<T>)
      contraflowSetZero(x);
  }
};
template <class T, std::size_t N>
struct Zero<T[N]> {
  static void set(T (&x)[N]) {
    for (T& element : x) setZero(element);
  }
};
template <class T, std::size_t N>
struct Zero<std::array<T, N>> {
  static void set(std::array<T, N>& x) {
    for (T& element : x) setZero(element);
  }
};
template <class T, class A>
struct Zero<std::vector<T, A>> {
  static void set(std::vector<T, A>& x) {
    if constexpr (!std::is_same_v<T, bool>)
      for (T& element : x) setZero(element);
  }
};
template <class T>
struct Zero<std::complex<T>> {
  static void set(std::complex<T>& x) { x = T(0); }
};
template <class T, class U>
struct Zero<std::pair<T, U>> {
  static void set(std::pair<T, U>& x) {
    setZero(x.first);
    setZero(x.second);
  }
};

template <class... T>
struct Zero<std::tuple<T...>> {
  static void set(std::tuple<T...>& x) {
    std::apply([](T&... element) { (setZero(element), ...); }, x);
  }
};

}  // namespace detail

template <class T>
void setZero(T& x) {
  detail::Zero<T>::set(x);
}

// The n elements at p, which may be null.
template <class T>
void setZero(T* p, std::size_t n) {
  if (p != nullptr)
    for (std::size_t i = 0; i < n; ++i) setZero(p[i]);
}

}  // namespace contraflow

#endif
