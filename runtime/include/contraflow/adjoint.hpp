// Small pieces that generated adjoints are made of.
#ifndef CONTRAFLOW_ADJOINT_HPP
#define CONTRAFLOW_ADJOINT_HPP

#include <contraflow/omp.hpp>
#include <contraflow/tape.hpp>

#include <array>
#include <atomic>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <type_traits>
#include <typeinfo>
#include <vector>

namespace contraflow {

// The calling thread's part of a tape, inside a parallel region.
inline Tape& threadTape(Tape& tape) {
  const int number = omp::threadNumber();
  Tape& own = tape.thread(number);
  own.enterThread(number);
  return own;
}
// A shadow pointer that a record declares to const: adjoints are written through it.
template <class T>
T* writable(const T* pointer) noexcept {
  return const_cast<T*>(pointer);
}
// A tape for one iteration of a reverse loop.
inline Tape& scratch(Tape& tape) { return tape.scratch(); }

// Ends the run: it has come to something that the compiler doesn't know. `type`: the name of a class.
[[noreturn]] inline void stop(const char* what, const char* type = "") {
  std::fprintf(stderr, "contraflow: %s%s%s\n", what, *type != '\0' ? ": " : "", type);
  std::abort();
}

// --- counted loops: for (T i = init; i COMPARE bound; i += step) ---

enum class Compare { Less, LessEqual, Greater, GreaterEqual, NotEqual };

// How often the body runs. step isn't zero; with NotEqual it leads to the bound, and not through the end of an unsigned type: then the
// run ends.
template <class T>
std::int64_t tripCountOf(T init, Compare compare, T bound, std::int64_t step) noexcept {
  const bool runs = compare == Compare::Less           ? init < bound
                    : compare == Compare::LessEqual    ? init <= bound
                    : compare == Compare::Greater      ? init > bound
                    : compare == Compare::GreaterEqual ? init >= bound
                                                       : init != bound;
  if (!runs) return 0;
  const auto distance = static_cast<std::int64_t>(init < bound ? bound - init : init - bound);
  const std::int64_t stride = step < 0 ? -step : step;
  if (compare == Compare::NotEqual && ((step > 0) != (init < bound) || distance % stride != 0))
    stop("a loop with '!=' counts through the end of its counter's type; compare with '<' or '>', or write it as a while loop");
  const bool inclusive = compare == Compare::LessEqual || compare == Compare::GreaterEqual;
  return inclusive ? distance / stride + 1 : (distance - 1) / stride + 1;
}
// Steps downwards of an unsigned counter of 32 bits, as `i -= 4`, are large numbers in its type.
template <class Step>
constexpr std::int64_t stepOf(Step step, bool up) noexcept {
  const auto number = static_cast<std::int64_t>(step);
  return std::is_unsigned_v<Step> && sizeof(Step) < sizeof(std::int64_t) && !up ? number - (std::int64_t(1) << 8 * sizeof(Step)) : number;
}
// Compared as C++ does: -1 as std::size_t is a large number.
template <class Init, class Bound, class Step>
std::int64_t tripCount(Init init, Compare compare, Bound bound, Step step) noexcept {
  using Common = std::common_type_t<Init, Bound>;
  using Number = std::conditional_t<std::is_unsigned_v<Common> && sizeof(Common) == sizeof(std::uint64_t), std::uint64_t, std::int64_t>;
  const auto from = static_cast<Number>(static_cast<Common>(init)), to = static_cast<Number>(static_cast<Common>(bound));
  return tripCountOf(from, compare, to, stepOf(step, from <= to));
}
// The number of the iteration in which the counter has this value.
template <class Step>
std::int64_t iterationNumber(std::int64_t counter, std::int64_t init, Step step) noexcept {
  return counter == init ? 0 : (counter - init) / stepOf(step, counter > init);
}

// --- choices at run time ---

// The shadow of an object whose class isn't known before the run, or that points to others: nothing can stand in for one that isn't there.
template <class T>
T* present(T* shadow) {
  if (shadow == nullptr) stop("an object of a class with virtual functions or pointers has no shadow; name what leads to it in the head");
  return shadow;
}
// True if the object that the pointer leads to is of the class itself, not of one derived from it.
template <class T, class Base>
bool isExactly(const Base* pointer) {
  return typeid(*pointer) == typeid(T);
}

// --- complex numbers: their parts as places ---

template <class T>
T& real(std::complex<T>& z) noexcept {
  return reinterpret_cast<T(&)[2]>(z)[0];
}
template <class T>
T& imag(std::complex<T>& z) noexcept {
  return reinterpret_cast<T(&)[2]>(z)[1];
}
template <class T>
const T& real(const std::complex<T>& z) noexcept {
  return reinterpret_cast<const T(&)[2]>(z)[0];
}
template <class T>
const T& imag(const std::complex<T>& z) noexcept {
  return reinterpret_cast<const T(&)[2]>(z)[1];
}

// --- containers ---

template <class T>
T sum(const std::vector<T>& values) {
  T all{};
  for (const T& value : values) all += value;
  return all;
}

inline void addTo(float& target, float value) { target += value; }
inline void addTo(double& target, double value) { target += value; }
inline void addTo(long double& target, long double value) { target += value; }
template <class T>
void addTo(std::complex<T>& target, const std::complex<T>& source) {
  target += source;
}
// target += source, element by element; the shapes are equal.
template <class T, std::size_t N>
void addTo(T (&target)[N], const T (&source)[N]);
template <class T, std::size_t N>
void addTo(std::array<T, N>& target, const std::array<T, N>& source);
template <class T>
void addTo(std::vector<T>& target, const std::vector<T>& source) {
  for (std::size_t k = 0; k < target.size(); ++k) addTo(target[k], source[k]);
}
template <class T, std::size_t N>
void addTo(T (&target)[N], const T (&source)[N]) {
  for (std::size_t k = 0; k < N; ++k) addTo(target[k], source[k]);
}
template <class T, std::size_t N>
void addTo(std::array<T, N>& target, const std::array<T, N>& source) {
  for (std::size_t k = 0; k < N; ++k) addTo(target[k], source[k]);
}
// target += each element of the source: a vector made of copies.
template <class T>
void addEachTo(T& target, const std::vector<T>& copies) {
  for (const T& one : copies) addTo(target, one);
}

template <class T>
void copy(T& target, const T& source) {
  target = source;
}
template <class T, std::size_t N>
void copy(T (&target)[N], const T (&source)[N]) {
  for (std::size_t k = 0; k < N; ++k) copy(target[k], source[k]);
}

namespace omp {

// target += value (or -=) for memory that other threads of the team update as well; `alone`: there are none.
template <class T, class V>
inline void add(T& target, V value, bool alone) {
  if (alone) {
    target += static_cast<T>(value);
  } else {
#ifdef _OPENMP
#pragma omp atomic
#endif
    target += static_cast<T>(value);
  }
}
template <class T, class V>
inline void subtract(T& target, V value, bool alone) {
  add(target, -value, alone);
}

// place += value as one of all such updates in a row: the old value and the update's number go to the thread's tape.
template <class T, class V>
void recordedAdd(Tape& threadTape, T& place, V value) {
  std::int64_t turn = 0;
#ifdef _OPENMP
#pragma omp critical(contraflow_recorded_add)
#endif
  {
    threadTape.push(place);
    turn = ++threadTape.turn();
    place += value;
  }
  threadTape.push(turn);
}
// Its counterpart in the reverse sweep: waits until all later updates are undone, then puts the old value back. Each
// thread undoes its own updates, last first.
template <class T>
void restoreAdd(Tape& threadTape, T& place) {
  const auto turn = threadTape.pop<std::int64_t>();
  std::atomic<std::int64_t>& current = threadTape.turn();
  while (current.load(std::memory_order_acquire) != turn) std::this_thread::yield();
  threadTape.restore(place, turn);
  current.store(turn - 1, std::memory_order_release);
}

}  // namespace omp
}  // namespace contraflow

#endif
