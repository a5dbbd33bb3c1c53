// What generated code of `--audit` checks at run time: that what the compiler assumed or proved holds in this run.
//
//     Head audit;                         the body of a head's adjoint; one at a time in a process
//     region(); … enter(); … phase();     a reversed parallel region, each of its threads, a barrier behind it
//     iteration();                        the next iteration of a loop whose iterations any thread may run
//     own(x_b[i], where)                  a plain change: nobody else touches the element in this phase
//     read(x_b[i], where)                 a plain read: nobody else changes it in this phase
//     shared(x_b[i], where)               an atomic change: nobody touches it otherwise in this phase
//     pair(x[i], x_b[i], where)           memory with its shadow: always the same one, and no other memory has that shadow
//     constant(c[i], where)               memory without a shadow
//     through(k, noalias, write, u[i], where)   an access through the head's k-th parameter
//
// Whoever comes second is named, with the one that came first, and the run stops. Cost: a lookup in a hash table for each access.
#ifndef CONTRAFLOW_AUDIT_HPP
#define CONTRAFLOW_AUDIT_HPP

#include <contraflow/omp.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <type_traits>
#include <unordered_map>

namespace contraflow::audit {
namespace detail {

using Address = std::uintptr_t;

template <class T>
Address addressOf(const T& object) noexcept {
  return reinterpret_cast<Address>(std::addressof(object));
}

[[noreturn]] inline void fail(const char* where, const char* what, const char* first) {
  std::fprintf(stderr, "contraflow: audit: %s: %s; the other access: %s\n", where, what, first);
  std::fflush(stderr);
  std::abort();
}

// --- who touches which element of a shadow in a phase

enum class Kind : unsigned char { Read, Own, Shared };

struct Touch {
  std::uint64_t region = 0, phase = 0;
  std::uint64_t owner = 0;  // kMany: several of them
  Kind kind = Kind::Read;
  const char* where = "";
};
constexpr std::uint64_t kMany = ~std::uint64_t{0};

struct Thread {
  std::uint64_t phase = 0;
  std::uint64_t owner = 0;      // the thread, or the iteration that it runs
  std::uint64_t iterations = 0;
  Address stack = 0;            // an address in the frame of the region: what lies below is the thread's own
};
inline thread_local Thread thread;

// A table in parts, each with a lock of its own.
template <class Value>
class Table {
public:
  // f(value, fresh): what is noted about the address.
  template <class F>
  void visit(Address at, F f) {
    Part& part = parts_[(at / sizeof(float)) % parts_.size()];
    const std::lock_guard<std::mutex> lock(part.mutex);
    const auto [found, fresh] = part.values.try_emplace(at);
    f(found->second, fresh);
  }
  void clear() {
    for (Part& part : parts_) {
      const std::lock_guard<std::mutex> lock(part.mutex);
      part.values.clear();
    }
  }

private:
  struct Part {
    std::mutex mutex;
    std::unordered_map<Address, Value> values;
  };
  std::array<Part, 64> parts_;
};

// A primal address: its shadow, or none, or not known; through which parameters it was reached.
struct Memory {
  enum class Known : unsigned char { Nothing, Shadow, None };
  Known known = Known::Nothing;
  Address shadow = 0;
  int parameter = -1;
  bool noalias = false, written = false;
  bool isShadow = false;
  const char* where = "";
  const char* whereThrough = "";
};
struct Shadow {
  Address primal = 0;
  const char* where = "";
};

struct Process {
  Table<Touch> touches;
  Table<Memory> memory;
  Table<Shadow> shadows;
  std::atomic<std::uint64_t> region{0};
  std::recursive_mutex head;
  int depth = 0;

  static Process& instance() {
    static Process process;
    return process;
  }
};

inline bool ownStack(Address at) {
  const char here = 0;
  const Address now = addressOf(here);
  return thread.stack != 0 && at < thread.stack && at > now - 4096;
}

inline void touch(Address at, Kind kind, std::uint64_t owner, const char* where) {
  if (ownStack(at)) return;
  Process& process = Process::instance();
  const std::uint64_t region = process.region.load(std::memory_order_relaxed);
  process.touches.visit(at, [&](Touch& last, bool) {
    const bool same = last.region == region && last.phase == thread.phase;
    if (!same) {
      last = Touch{region, thread.phase, owner, kind, where};
      return;
    }
    if (last.owner == owner) {
      if (kind == Kind::Own || last.kind == Kind::Read) last.kind = kind;
      return;
    }
    if (kind == Kind::Own || last.kind == Kind::Own)
      fail(where, "an adjoint was called exclusive, but two threads or iterations touch it", last.where);
    if (kind != last.kind) fail(where, "an adjoint is read while others add to it", last.where);
    last.owner = kMany;
  });
}

}  // namespace detail

// While it lives the process audits this head; another thread's head waits.
class Head {
public:
  Head() {
    detail::Process& process = detail::Process::instance();
    process.head.lock();
    if (process.depth++ == 0) {
      process.memory.clear();
      process.shadows.clear();
      process.touches.clear();
    }
  }
  ~Head() {
    detail::Process& process = detail::Process::instance();
    --process.depth;
    process.head.unlock();
  }
  Head(const Head&) = delete;
  Head& operator=(const Head&) = delete;
};

inline void region() { detail::Process::instance().region.fetch_add(1); }
inline void phase() {
  ++detail::thread.phase;
  detail::thread.owner = static_cast<std::uint64_t>(omp::threadNumber());
}
inline void enter() {
  const char here = 0;
  detail::thread = {};
  detail::thread.stack = detail::addressOf(here);
  phase();
}
inline void iteration() {
  const auto number = static_cast<std::uint64_t>(omp::threadNumber());
  detail::thread.owner = (number + 1) << 40 | ++detail::thread.iterations;
}

template <class T>
void own(const T& shadow, const char* where) {
  detail::touch(detail::addressOf(shadow), detail::Kind::Own, detail::thread.owner, where);
}
template <class T>
void read(const T& shadow, const char* where) {
  detail::touch(detail::addressOf(shadow), detail::Kind::Read, detail::thread.owner, where);
}
template <class T>
void shared(const T& shadow, const char* where) {
  detail::touch(detail::addressOf(shadow), detail::Kind::Shared, detail::thread.owner, where);
}

template <class P, class S>
void pair(const P& primal, const S& shadow, const char* where) {
  using namespace detail;
  const Address p = addressOf(primal), s = addressOf(shadow);
  Process& process = Process::instance();
  process.memory.visit(p, [&](Memory& m, bool) {
    if (m.isShadow) fail(where, "an argument overlaps a shadow", m.where);
    if (m.known == Memory::Known::None)
      fail(where, "memory that has a shadow here was reached by a name without a shadow: their memory overlaps", m.where);
    if (m.known == Memory::Known::Shadow && m.shadow != s)
      fail(where, "the same memory has two shadows: arguments overlap whose shadows don't, or that were said not to overlap", m.where);
    m.known = Memory::Known::Shadow;
    m.shadow = s;
    m.where = where;
  });
  process.shadows.visit(s, [&](Shadow& known, bool fresh) {
    if (!fresh && known.primal != p) fail(where, "two variables share one shadow: shadows overlap where the arguments don't", known.where);
    known = {p, where};
  });
  process.memory.visit(s, [&](Memory& m, bool fresh) {
    if (!fresh && !m.isShadow) fail(where, "a shadow overlaps an argument", m.where);
    m.isShadow = true;
    m.where = where;
  });
}

template <class P>
void constant(const P& primal, const char* where) {
  using namespace detail;
  Process::instance().memory.visit(addressOf(primal), [&](Memory& m, bool) {
    if (m.isShadow) fail(where, "an argument overlaps a shadow", m.where);
    if (m.known == Memory::Known::Shadow)
      fail(where, "memory without a shadow is used here that has one under another name: their memory overlaps", m.where);
    m.known = Memory::Known::None;
    m.where = where;
  });
}

template <class P>
void through(int parameter, bool noalias, bool write, const P& primal, const char* where) {
  using namespace detail;
  Process::instance().memory.visit(addressOf(primal), [&](Memory& m, bool) {
    if (m.parameter >= 0 && m.parameter != parameter && (m.noalias || noalias) && (m.written || write))
      fail(where, "two parameters that were said not to overlap lead to the same memory", m.whereThrough);
    if (m.parameter < 0 || m.parameter == parameter) {
      m.parameter = parameter;
      m.written = m.written || write;
      m.noalias = m.noalias || noalias;
      m.whereThrough = where;
    }
  });
}

}  // namespace contraflow::audit

#endif
