// Arguments of a gradient check: the reals in them, their values, and directions.
//
// forEachReal(x, visit) calls `visit` with every real in x: of a scalar, an array, a vector, a complex number, nested as they like;
// `Reals` is specialised, in the driver that the compiler writes, for the program's own records.
#ifndef CONTRAFLOW_CHECK_VALUES_HPP
#define CONTRAFLOW_CHECK_VALUES_HPP

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace contraflow::check {

// Of this process, for the expressions that give values to arguments; set before they are computed.
inline int rank = 0;
inline int ranks = 1;
inline std::uint64_t seed = 1;

// --- the reals of an object ---

template <class T>
struct Reals {
  static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "contraflow::check: the reals of this type can't be reached");
  template <class X, class Visit>
  static void visit(X& x, Visit& visit) {
    if constexpr (std::is_floating_point_v<T>) visit(x);
  }
};

template <class X, class Visit>
void forEachReal(X& x, Visit&& visit) {
  Reals<std::remove_const_t<X>>::visit(x, visit);
}

template <class T, std::size_t N>
struct Reals<T[N]> {
  template <class X, class Visit>
  static void visit(X& x, Visit& visit) {
    for (auto& element : x) forEachReal(element, visit);
  }
};
template <class T, std::size_t N>
struct Reals<std::array<T, N>> {
  template <class X, class Visit>
  static void visit(X& x, Visit& visit) {
    for (auto& element : x) forEachReal(element, visit);
  }
};
template <class T, class A>
struct Reals<std::vector<T, A>> {
  template <class X, class Visit>
  static void visit(X& x, Visit& visit) {
    for (auto& element : x) forEachReal(element, visit);
  }
};
template <class T>
struct Reals<std::complex<T>> {  // an array of two, as the standard promises
  template <class X, class Visit>
  static void visit(X& x, Visit& visit) {
    using Part = std::conditional_t<std::is_const_v<X>, const T, T>;
    forEachReal(reinterpret_cast<Part(&)[2]>(x), visit);
  }
};

// The coarsest type among the reals decides how exact a test can be: its epsilon.
template <class X>
void noteEpsilon(X& x, double& epsilon) {
  forEachReal(x, [&](auto& real) {
    const double own = static_cast<double>(std::numeric_limits<std::decay_t<decltype(real)>>::epsilon());
    if (own > epsilon) epsilon = own;
  });
}

// --- values ---

// A number in [0, 1) that depends on nothing but the seed, the name and the place.
inline double hashed(const char* name, std::uint64_t place) {
  std::uint64_t h = seed * 0x9e3779b97f4a7c15u + place;
  for (const char* c = name; *c != 0; ++c) h = (h ^ static_cast<unsigned char>(*c)) * 0x100000001b3u;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((h ^ (h >> 31)) >> 11) * 0x1p-53;
}

// Between 0.5 and 1.5: away from the kinks and poles of most functions. A single number is the same on all ranks.
template <class T>
T value(const char* name) {
  return static_cast<T>(0.5 + hashed(name, 0));
}
// Elements are not.
template <class X>
void fill(const char* name, X& x) {
  std::uint64_t place = static_cast<std::uint64_t>(rank) << 40;
  forEachReal(x, [&](auto& real) { real = static_cast<std::decay_t<decltype(real)>>(0.5 + hashed(name, ++place)); });
}
template <class T>
void copy(T& to, const T& from) {
  to = from;
}
template <class T, std::size_t N>
void copy(T (&to)[N], const T (&from)[N]) {
  for (std::size_t i = 0; i < N; ++i) copy(to[i], from[i]);
}
// n elements, computed from their index.
template <class T, class F>
std::vector<T> elements(long n, F element) {
  std::vector<T> result;
  for (long i = 0; i < n; ++i) result.push_back(element(i));
  return result;
}

// n numbers of either sign, none of them small.
inline std::vector<double> direction(const char* name, std::size_t n) {
  std::vector<double> result(n);
  std::uint64_t place = static_cast<std::uint64_t>(rank) << 40;
  for (double& x : result) {
    const double h = 2 * hashed(name, ++place) - 1;
    x = h < 0 ? h * 0.75 - 0.25 : h * 0.75 + 0.25;
  }
  return result;
}

}  // namespace contraflow::check

#endif
