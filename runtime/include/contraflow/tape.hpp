// The tape: where the forward sweep records what the reverse sweep needs.
//
// Guarantees: last in, first out; addresses of blocks and frames are stable; nothing is ever copied to grow.
// Needs: the reverse sweep takes things off in exactly the reverse order, by the counterpart of what put them on:
//
//     push(v)              pop(v), pop<T>(), restore(v)
//     pushRange(p, n)      popRange(p, n), restoreRange(p, n)
//     block<T>(n)          releaseBlock()
//     create<T>(...)       destroy<T>()
//
// One thread uses one tape; the threads of a team each have thread(t), a tape of their own.
#ifndef CONTRAFLOW_TAPE_HPP
#define CONTRAFLOW_TAPE_HPP

#include <contraflow/after_image.hpp>
#include <contraflow/byte_stack.hpp>

#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace contraflow {

namespace detail {
// Types whose bytes are their value. Pairs and tuples of such have an assignment of their own, so that
// std::is_trivially_copyable is false for them; their copies are bytes all the same.
template <class T>
inline constexpr bool kIsBytes = std::is_trivially_copyable_v<T>;
template <class T, class U>
inline constexpr bool kIsBytes<std::pair<T, U>> = kIsBytes<T> && kIsBytes<U>;
template <class... T>
inline constexpr bool kIsBytes<std::tuple<T...>> = (kIsBytes<T> && ...);
template <class T, std::size_t N>
inline constexpr bool kIsBytes<std::array<T, N>> = kIsBytes<T>;
template <class T, std::size_t N>
inline constexpr bool kIsBytes<T[N]> = kIsBytes<T>;
}  // namespace detail

class alignas(64) Tape {  // a cache line, so that neighbouring thread tapes don't slow each other down
public:
  Tape() noexcept = default;
  Tape(Tape&& other) noexcept { swap(other); }
  Tape& operator=(Tape&& other) noexcept {
    Tape gone(std::move(other));
    swap(gone);
    return *this;
  }
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;
  // Objects still in frames (after an exception) are destroyed, last first.
  ~Tape() {
    scratch_.reset();
    delete threads_.load();
    for (FrameTrailer* frame = lastFrame_; frame != nullptr; frame = frame->previous) frame->destroy(frame->object);
  }

  // --- single values: trivially copyable types, arrays of them included ---

  template <class T>
  void push(const T& value, TapeCaller by = TapeCaller::here()) {
    static_assert(detail::kIsBytes<T>, "only bytes can be pushed; other types need create()");
    std::memcpy(stack_.take(sizeof(T), by), static_cast<const void*>(&value), sizeof(T));
  }
  template <class T>
  void pop(T& value) noexcept {
    static_assert(detail::kIsBytes<T> && !std::is_const_v<T>);
    std::memcpy(address(value), stack_.release(sizeof(T)), sizeof(T));
  }
  template <class T>
  T pop() noexcept {
    T value;
    pop(value);
    return value;
  }
  // pop() into memory that the caller of the derivative sees: logged if an after-image is kept.
  template <class T>
  void restore(T& place) {
    noteOverwrite(address(place), sizeof(T));
    pop(place);
  }

  // --- n values in a row, n = 0 included ---

  template <class T>
  void pushRange(const T* values, std::size_t n, TapeCaller by = TapeCaller::here()) {
    static_assert(detail::kIsBytes<T>);
    if (n != 0) std::memcpy(stack_.take(detail::bytesOf(n, sizeof(T)), by), static_cast<const void*>(values), n * sizeof(T));
  }
  template <class T>
  void popRange(T* values, std::size_t n) noexcept {
    static_assert(detail::kIsBytes<T>);
    if (n != 0) std::memcpy(static_cast<void*>(values), stack_.release(n * sizeof(T)), n * sizeof(T));
  }
  template <class T>
  void restoreRange(T* values, std::size_t n) {
    noteOverwrite(values, n * sizeof(T));
    popRange(values, n);
  }

  // --- blocks: n values that both sweeps index as they like ---

  // Uninitialised, aligned to 64 bytes (or to T, if that is more).
  template <class T>
  T* block(std::size_t n, TapeCaller by = TapeCaller::here()) {
    static_assert(detail::kIsBytes<T> && std::is_trivially_destructible_v<T>);
    constexpr std::size_t kAlignment = alignof(T) > 64 ? alignof(T) : 64;
    const auto reserved = stack_.reserve<BlockTrailer>(detail::bytesOf(n, sizeof(T)), kAlignment, by);
    stack_.commit(reserved);
    return reinterpret_cast<T*>(reserved.place);
  }
  // The same, all bytes zero.
  template <class T>
  T* zeroBlock(std::size_t n, TapeCaller by = TapeCaller::here()) {
    T* values = block<T>(n, by);
    if (n != 0) std::memset(static_cast<void*>(values), 0, n * sizeof(T));
    return values;
  }
  // Takes the topmost block off.
  void releaseBlock() noexcept { stack_.releaseBlock<BlockTrailer>(); }

  // --- frames: objects of any type that live from one sweep to the other ---

  // T(args...), or T{args...} for an aggregate; without arguments value-initialised: create<double[3]>() is zero.
  template <class T, class... Args>
  T& create(Args&&... args) {
    constexpr std::size_t kAlignment = alignof(T) > alignof(std::max_align_t) ? alignof(T) : alignof(std::max_align_t);
    const auto reserved = stack_.reserve<FrameTrailer>(sizeof(T), kAlignment);
    T* object = construct<T>(reserved.place, std::forward<Args>(args)...);
    reserved.trailer->previous = lastFrame_;
    reserved.trailer->object = object;
    reserved.trailer->destroy = &destroyObject<T>;
    lastFrame_ = reserved.trailer;
    stack_.commit(reserved);
    return *object;
  }
  // The topmost object, which create<T>() made.
  template <class T>
  T& top() noexcept {
    FrameTrailer* frame = stack_.topTrailer<FrameTrailer>();
    assert(frame == lastFrame_ && frame->destroy == &destroyObject<T> && "the tape's top is another object");
    return *static_cast<T*>(frame->object);
  }
  // Destroys the topmost object and takes it off.
  template <class T>
  void destroy() noexcept {
    if (afterImage_ != nullptr) leave(top<T>());
    destroyObject<T>(&top<T>());
    lastFrame_ = lastFrame_->previous;
    stack_.releaseBlock<FrameTrailer>();
  }

  // --- threads ---

  // The tape of thread t of a team. Made at the first call; its address is stable. Different threads may call
  // this at the same time.
  Tape& thread(int t) {
    Threads& threads = threadsOnDemand();
    const std::lock_guard<std::mutex> lock(threads.mutex);
    const auto index = static_cast<std::size_t>(t);
    if (threads.tapes.size() <= index) threads.tapes.resize(index + 1);
    std::unique_ptr<Tape>& tape = threads.tapes[index];
    if (tape == nullptr) {
      tape = std::make_unique<Tape>();
      tape->parent_ = this;
      if (afterImage_ != nullptr) tape->logRestores();
    }
    return *tape;
  }
  // A tape for what is recorded and taken back within one iteration of the reverse sweep. Never logged.
  Tape& scratch() {
    if (scratch_ == nullptr) {
      scratch_ = std::make_unique<Tape>();
      scratch_->parent_ = this;
    }
    return *scratch_;
  }
  // The number of updates recorded in a fixed order by all threads under the outermost tape: see omp::recordedAdd.
  std::atomic<std::int64_t>& turn() noexcept { return parent_ != nullptr ? parent_->turn() : turn_; }

  // --- the after-image: see after_image.hpp ---

  // From now on restores on this tape and its thread tapes are logged.
  void keepAfterImage() {
    logRestores();
    afterImage_->forgetStack(__builtin_frame_address(0));
  }
  // Called by each thread of a region for its own tape: its stack is no memory of the caller's.
  void enterThread(int number) {
    if (afterImage_ != nullptr && number != 0) afterImage_->forgetStack(nullptr);
  }
  bool keepsAfterImage() const noexcept { return afterImage_ != nullptr; }
  // Puts every restored place back to what it held before its first restore, and stops logging.
  void putAfterImage() {
    if (afterImage_ != nullptr) {
      joinThreads();
      afterImage_->undo();
    }
    dropAfterImage();
  }
  // Nothing is logged between the two: for code whose restores reach only what was noted before. (Null: no log is kept.)
  std::unique_ptr<detail::AfterImage> pauseAfterImage() {
    joinThreads();
    std::unique_ptr<detail::AfterImage> paused = std::move(afterImage_);
    dropAfterImage();
    return paused;
  }
  void resumeAfterImage(std::unique_ptr<detail::AfterImage> paused) {
    if (paused == nullptr) return;
    afterImage_ = std::move(paused);
    logRestores();
  }
  // On a thread tape of a reverse sweep: the team has passed a barrier.
  void barrier() {
    if (afterImage_ != nullptr) afterImage_->beginPhase();
  }
  // After a parallel region of the reverse sweep: takes over the logs of the thread tapes.
  void joinThreads() {
    if (afterImage_ == nullptr) return;
    std::vector<detail::AfterImage*> team;
    forEachThread([&](Tape& tape) {
      tape.joinThreads();
      if (tape.afterImage_ != nullptr) team.push_back(tape.afterImage_.get());
    });
    afterImage_->append(team);
  }
  // restore() of memory that other threads restore as well before the next barrier, each at its turn.
  template <class T>
  void restore(T& place, std::int64_t turn) {
    if (afterImage_ != nullptr) afterImage_->log(address(place), sizeof(T), turn);
    pop(place);
  }
  // What restore() does before it writes; for restores that don't go through restore().
  template <class T>
  void note(const T& place) {
    noteOverwrite(std::addressof(place), sizeof(T));
  }
  void noteOverwrite(const void* place, std::size_t bytes) {
    if (afterImage_ != nullptr) afterImage_->log(place, bytes);
  }

  // Logs how to do again what the reverse sweep is about to undo to these objects.
  template <class... Object>
  void keepRedo(std::unique_ptr<detail::Redo> redo, const Object*... objects) {
    afterImage_->log(std::move(redo));
    (afterImage_->restructured(objects), ...);
  }
  // The log names the object.
  void restructured(const void* object) { afterImage_->restructured(object); }
  // True if the log names the object, or vectors in it.
  template <class T>
  bool logNames(const T& object) const {
    return afterImage_ != nullptr && takesPart(object);
  }
  // Elements from `first` on are about to be destroyed.
  template <class T, class A>
  void forgetElements(const std::vector<T, A>& v, std::size_t first) {
    if constexpr (!std::is_trivially_copyable_v<T>)
      for (std::size_t i = first; afterImage_ != nullptr && i < v.size(); ++i) forget(v[i]);
  }

  // --- size, with thread tapes; not while other threads use them ---

  bool empty() const noexcept {
    bool all = stack_.empty();
    forEachOther([&](const Tape& tape) { all = all && tape.empty(); });
    return all;
  }
  // What lies on the tape, with the padding of blocks and frames; the after-image counts too.
  std::size_t bytes() const noexcept {
    std::size_t sum = stack_.bytes() + (afterImage_ != nullptr ? afterImage_->bytes() : 0);
    forEachOther([&](const Tape& tape) { sum += tape.bytes(); });
    return sum;
  }
  // The most there ever was (without after-images), to the granularity of a chunk and never too little.
  std::size_t peakBytes() const noexcept {
    std::size_t sum = stack_.peakBytes();
    forEachOther([&](const Tape& tape) { sum += tape.peakBytes(); });
    return sum;
  }

private:
  struct BlockTrailer {
    std::byte* start;
  };
  struct FrameTrailer {
    std::byte* start;
    FrameTrailer* previous;
    void* object;
    void (*destroy)(void*) noexcept;
  };
  struct Threads {
    std::mutex mutex;
    std::vector<std::unique_ptr<Tape>> tapes;
  };

  template <class T>
  static void* address(T& place) noexcept {
    return const_cast<void*>(static_cast<const volatile void*>(std::addressof(place)));
  }

  template <class T, class... Args>
  static T* construct(void* place, Args&&... args) {
    if constexpr (std::is_array_v<T>) {
      static_assert(sizeof...(Args) == 0, "an array in a frame is value-initialised");
      // Not `new (place) T()`: placement of an array may ask for more than sizeof(T).
      using Element = std::remove_extent_t<T>;
      auto* elements = static_cast<Element*>(place);
      std::size_t done = 0;
      try {
        for (; done < std::extent_v<T>; ++done) construct<Element>(elements + done);
      } catch (...) {
        while (done-- > 0) destroyObject<Element>(elements + done);
        throw;
      }
      return static_cast<T*>(place);
    } else if constexpr (std::is_constructible_v<T, Args...>) {
      return ::new (place) T(std::forward<Args>(args)...);
    } else {
      return ::new (place) T{std::forward<Args>(args)...};
    }
  }
  template <class T>
  static void destroyObject(void* object) noexcept {
    if constexpr (std::is_array_v<T>) {
      using Element = std::remove_extent_t<T>;
      for (std::size_t i = std::extent_v<T>; i-- > 0;) destroyObject<Element>(static_cast<Element*>(object) + i);
    } else {
      std::destroy_at(static_cast<T*>(object));
    }
  }

  void logRestores() {
    if (afterImage_ == nullptr) afterImage_ = std::make_unique<detail::AfterImage>();
    forEachThread([](Tape& tape) { tape.logRestores(); });
  }
  // A frame's object that was swapped with the caller's or grew in its sight: it is kept with the log.
  template <class T>
  struct Keep final : detail::Redo {
    T object;
    const void* frame;
    Keep(T&& o) : object(std::move(o)), frame(&o) {}
    void operator()(detail::Redone& redone) override { redone.moved(frame, sizeof(T), &object); }
  };
  template <class T>
  void leave(T& object) {
    if constexpr (std::is_class_v<T> && std::is_move_constructible_v<T>) {
      if (takesPart(object)) return afterImage_->log(std::make_unique<Keep<T>>(std::move(object)));
    }
    forget(object);
  }
  template <class T>
  bool takesPart(const T& object) const {
    return afterImage_->restructures() && (!std::is_trivially_copyable_v<T> || afterImage_->restructures(&object, sizeof(T)));
  }
  template <class T, class A>
  bool takesPart(const std::vector<T, A>& object) const {
    if (afterImage_->restructures(&object, sizeof object)) return true;
    if constexpr (!std::is_trivially_copyable_v<T>)
      for (const T& element : object)
        if (takesPart(element)) return true;
    return false;
  }
  // An object dies, with the buffers that it owns.
  template <class T>
  void forget(const T& object) {
    afterImage_->forget(std::addressof(object), sizeof(T));
  }
  template <class T, class A>
  void forget(const std::vector<T, A>& object) {
    if constexpr (!std::is_same_v<T, bool>) {
      afterImage_->forget(object.data(), object.capacity() * sizeof(T));
      if constexpr (!std::is_trivially_copyable_v<T>)
        for (const T& element : object) forget(element);
    }
  }

  Threads& threadsOnDemand() {
    Threads* threads = threads_.load(std::memory_order_acquire);
    if (threads == nullptr) {
      auto fresh = std::make_unique<Threads>();
      if (threads_.compare_exchange_strong(threads, fresh.get(), std::memory_order_acq_rel)) threads = fresh.release();
    }
    return *threads;
  }
  template <class F>
  void forEachThread(F f) const {
    if (const Threads* threads = threads_.load(std::memory_order_acquire))
      for (const std::unique_ptr<Tape>& tape : threads->tapes)
        if (tape != nullptr) f(*tape);
  }
  // The tapes of threads, and the scratch tape.
  template <class F>
  void forEachOther(F f) const {
    forEachThread(f);
    if (scratch_ != nullptr) f(*scratch_);
  }
  void dropAfterImage() {
    afterImage_.reset();
    forEachThread([](Tape& tape) { tape.dropAfterImage(); });
  }
  void swap(Tape& other) noexcept {
    stack_.swap(other.stack_);
    std::swap(lastFrame_, other.lastFrame_);
    scratch_.swap(other.scratch_);
    turn_.store(other.turn_.exchange(turn_.load()));
    afterImage_.swap(other.afterImage_);
    threads_.store(other.threads_.exchange(threads_.load()));
    adoptTapes();
    other.adoptTapes();
  }
  void adoptTapes() noexcept {
    forEachOther([this](Tape& tape) { tape.parent_ = this; });
  }

  detail::ByteStack stack_;
  FrameTrailer* lastFrame_ = nullptr;
  std::unique_ptr<detail::AfterImage> afterImage_;
  std::atomic<Threads*> threads_{nullptr};
  std::unique_ptr<Tape> scratch_;
  Tape* parent_ = nullptr;
  std::atomic<std::int64_t> turn_{0};
};

}  // namespace contraflow

#endif
