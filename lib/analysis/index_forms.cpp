#include "analysis/index_forms.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace contraflow::analysis {
namespace {

using namespace ir;

constexpr long long kLarge = 1LL << 30;  // coefficients beyond this prove nothing

std::optional<long long> number(const std::string& text) {
  std::size_t end = text.size();
  while (end > 0 && (std::tolower(text[end - 1]) == 'u' || std::tolower(text[end - 1]) == 'l')) --end;
  if (end == 0 || end > 9) return std::nullopt;
  long long value = 0;
  for (std::size_t i = 0; i < end; ++i) {
    if (!std::isdigit(static_cast<unsigned char>(text[i]))) return std::nullopt;
    value = value * 10 + (text[i] - '0');
  }
  if (end > 1 && text[0] == '0') return std::nullopt;  // octal
  return value;
}

bool add(Polynomial& to, const Polynomial& p, long long factor) {
  for (const auto& [monomial, c] : p) {
    const long long sum = (to[monomial] += factor * c);
    if (sum == 0) to.erase(monomial);
    if (std::abs(sum) > kLarge) return false;
  }
  return true;
}

}  // namespace

std::optional<Polynomial> polynomialOf(const Module& m, const Function& fn, ExprId id) {
  const Expr& e = fn[id];
  const auto* type = as<IntType>(m, e.type);
  if (!type) return std::nullopt;
  if (const auto* l = std::get_if<Literal>(&e.node)) {
    const auto value = number(l->text);
    if (!value) return std::nullopt;
    return *value == 0 ? Polynomial{} : Polynomial{{{}, *value}};
  }
  if (const auto* v = std::get_if<VarRef>(&e.node))
    return isReference(m, fn[v->var].type) ? std::nullopt : std::optional(Polynomial{{{v->var}, 1}});
  if (const auto* c = std::get_if<Cast>(&e.node)) {
    const auto* from = as<IntType>(m, fn[c->operand].type);
    if (!from || from->bits > type->bits || (!from->isSigned && type->isSigned && from->bits == type->bits)) return std::nullopt;
    // A sum that wrapped in a narrow unsigned type isn't the sum of its parts in a wider one.
    const auto inner = polynomialOf(m, fn, c->operand);
    const bool leaf = std::holds_alternative<VarRef>(fn[c->operand].node) || std::holds_alternative<Literal>(fn[c->operand].node);
    return !from->isSigned && from->bits < type->bits && !leaf ? std::nullopt : inner;
  }
  if (const auto* u = std::get_if<Unary>(&e.node)) {
    const auto p = polynomialOf(m, fn, u->operand);
    Polynomial out;
    if (!p || u->op != UnaryOp::Minus || !add(out, *p, -1)) return std::nullopt;
    return out;
  }
  const auto* b = std::get_if<Binary>(&e.node);
  if (!b) return std::nullopt;
  const auto x = polynomialOf(m, fn, b->lhs), y = polynomialOf(m, fn, b->rhs);
  if (!x || !y) return std::nullopt;
  Polynomial out;
  if (b->op == BinaryOp::Add || b->op == BinaryOp::Sub) {
    if (!add(out, *x, 1) || !add(out, *y, b->op == BinaryOp::Add ? 1 : -1)) return std::nullopt;
    for (const auto& [monomial, c] : out)  // i + i may wrap as 2 * i may
      if (!type->isSigned && !monomial.empty() && std::abs(c) != 1) return std::nullopt;
    return out;
  }
  if (b->op != BinaryOp::Mul || !type->isSigned) return std::nullopt;
  for (const auto& [p, c] : *x)
    for (const auto& [q, d] : *y) {
      Monomial product = p;
      product.insert(product.end(), q.begin(), q.end());
      std::sort(product.begin(), product.end());
      if (!add(out, Polynomial{{product, c}}, d)) return std::nullopt;
    }
  return out;
}

std::set<VarId> variablesOf(const Polynomial& p) {
  std::set<VarId> all;
  for (const auto& [monomial, c] : p) all.insert(monomial.begin(), monomial.end());
  return all;
}

}  // namespace contraflow::analysis
