// Vectors that a checkpointed loop exchanges: which memory each has is part of a snapshot.
#ifndef CONTRAFLOW_EXCHANGED_HPP
#define CONTRAFLOW_EXCHANGED_HPP

#include <contraflow/tape.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace contraflow {
namespace detail {

// A vector that the body exchanges with others, and its shadow.
struct Exchanged {
  virtual ~Exchanged() = default;
  virtual const void* object() const noexcept = 0;
  virtual const void* memory() const noexcept = 0;
  virtual const void* shadowMemory() const noexcept = 0;
  virtual void exchange(Exchanged& other) = 0;
  virtual void exchangeShadow(Exchanged& other) = 0;
  virtual std::unique_ptr<Exchanged> primal(const Redone& redone) const = 0;  // where it is then; without its shadow
};
template <class V, class S>
struct ExchangedVector final : Exchanged {
  V* vector;
  S* shadow;  // may be null
  ExchangedVector(V* v, S* s) : vector(v), shadow(s) {}
  const void* object() const noexcept override { return vector; }
  const void* memory() const noexcept override { return vector->data(); }
  const void* shadowMemory() const noexcept override { return shadow != nullptr ? shadow->data() : nullptr; }
  void exchange(Exchanged& other) override { vector->swap(*static_cast<ExchangedVector&>(other).vector); }
  void exchangeShadow(Exchanged& other) override { shadow->swap(*static_cast<ExchangedVector&>(other).shadow); }
  std::unique_ptr<Exchanged> primal(const Redone& redone) const override {
    return std::make_unique<ExchangedVector<V, S>>(redone.now(vector), nullptr);
  }
};
// Exchanges vectors until each has the memory that `wanted` says.
inline void arrange(const std::vector<std::unique_ptr<Exchanged>>& all, const std::vector<const void*>& wanted) {
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size() && all[i]->memory() != wanted[i]; ++j)
      if (all[j]->memory() == wanted[i]) all[i]->exchange(*all[j]);
}

// For the after-image: the vectors get the memory back that they have now.
struct Rearrange final : Redo {
  std::vector<std::unique_ptr<Exchanged>> vectors;
  std::vector<const void*> memory;
  explicit Rearrange(const std::vector<std::unique_ptr<Exchanged>>& all) {
    for (const auto& v : all) {
      vectors.push_back(v->primal(Redone()));
      memory.push_back(v->memory());
    }
  }
  void operator()(Redone& redone) override {
    for (auto& v : vectors) v = v->primal(redone);
    arrange(vectors, memory);
  }
};

}  // namespace detail
}  // namespace contraflow

#endif
