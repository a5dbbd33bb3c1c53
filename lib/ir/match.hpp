// Exhaustive matching on a variant: `match(node, [](const Assign& a) {...}, ...)`. There is no default case on
// purpose: a new node breaks the build in each place that owes it a decision.
#pragma once

#include <utility>
#include <variant>

namespace contraflow::ir {

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

template <class Variant, class... Fs>
decltype(auto) match(Variant&& variant, Fs&&... fs) {
  return std::visit(Overloaded{std::forward<Fs>(fs)...}, std::forward<Variant>(variant));
}

}  // namespace contraflow::ir
