#include "analysis/index_forms.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>

namespace contraflow::analysis {
namespace {

using namespace ir;

constexpr long long kLarge = 1LL << 30;  // coefficients beyond this prove nothing

std::optional<long long> number(const std::string& text) {
  if (!text.empty() && text[0] == '-') {  // of generated code
    const auto positive = number(text.substr(1));
    return positive ? std::optional(-*positive) : std::nullopt;
  }
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

// i + i may wrap as 2 * i may.
bool mayWrap(const Polynomial& sum) {
  return std::any_of(sum.begin(), sum.end(), [](const auto& term) { return !term.first.empty() && std::abs(term.second) != 1; });
}

class Reader {
 public:
  Reader(const Module& m, const Function& fn, const IndexLeaf& leaf, Wrapping wrapping)
      : m_(m), fn_(fn), leaf_(leaf), wrapping_(wrapping) {}

  std::optional<Polynomial> of(ExprId id) const {
    const Expr& e = fn_[id];
    const auto* type = as<IntType>(m_, e.type);
    if (!type) return std::nullopt;
    if (auto known = leaf_(id)) return known;
    if (const auto* l = std::get_if<Literal>(&e.node)) {
      const auto value = number(l->text);
      if (!value) return std::nullopt;
      return *value == 0 ? Polynomial{} : Polynomial{{{}, *value}};
    }
    if (const auto* v = std::get_if<VarRef>(&e.node))
      return isReference(m_, fn_[v->var].type) ? std::nullopt : std::optional(Polynomial{{{v->var}, 1}});
    if (const auto* c = std::get_if<Cast>(&e.node)) return cast(*c, *type);
    if (const auto* u = std::get_if<Unary>(&e.node)) {
      const auto p = of(u->operand);
      return p && u->op == UnaryOp::Minus ? sum({}, *p, -1) : std::nullopt;
    }
    if (const auto* b = std::get_if<Binary>(&e.node)) return binary(*b, *type);
    return std::nullopt;
  }

 private:
  bool exact(const IntType& type) const { return type.isSigned || (wrapping_ != Wrapping::ProvesNothing && type.bits == 64); }

  std::optional<Polynomial> cast(const Cast& c, const IntType& type) const {
    const auto* from = as<IntType>(m_, fn_[c.operand].type);
    if (!from || from->bits > type.bits) return std::nullopt;
    if (!from->isSigned && type.isSigned && from->bits == type.bits && !exact(*from)) return std::nullopt;
    const bool isNumber = std::holds_alternative<Literal>(fn_[c.operand].node);
    if (wrapping_ == Wrapping::InRanges && from->isSigned && !exact(type) && !isNumber) return std::nullopt;  // -1 gets large
    // A sum that wrapped in a narrow unsigned type isn't the sum of its parts in a wider one.
    const auto inner = of(c.operand);
    const bool leaf = std::holds_alternative<VarRef>(fn_[c.operand].node) || std::holds_alternative<Literal>(fn_[c.operand].node);
    return !from->isSigned && from->bits < type.bits && !leaf ? std::nullopt : inner;
  }
  std::optional<Polynomial> binary(const Binary& b, const IntType& type) const {
    const auto x = of(b.lhs), y = of(b.rhs);
    if (!x || !y) return std::nullopt;
    if (b.op == BinaryOp::Add || b.op == BinaryOp::Sub) {
      auto out = sum(*x, *y, b.op == BinaryOp::Add ? 1 : -1);
      return out && !exact(type) && (wrapping_ == Wrapping::InRanges || mayWrap(*out)) ? std::nullopt : out;
    }
    return b.op == BinaryOp::Mul && exact(type) ? product(*x, *y) : std::nullopt;
  }

  const Module& m_;
  const Function& fn_;
  const IndexLeaf& leaf_;
  const Wrapping wrapping_;
};

}  // namespace

std::optional<Polynomial> polynomialOf(const Module& m, const Function& fn, ExprId e, const IndexLeaf& leaf, Wrapping wrapping) {
  return Reader(m, fn, leaf, wrapping).of(e);
}

std::optional<Polynomial> derivativeIndex(const Module& m, const Function& fn, ExprId e, const IndexLeaf& of) {
  if (!fn.primal.valid()) return std::nullopt;
  if (const auto* c = std::get_if<Cast>(&fn[e].node)) {
    const auto* v = std::get_if<VarRef>(&fn[c->operand].node);
    const auto *to = as<IntType>(m, fn[e].type), *from = as<IntType>(m, fn[c->operand].type);
    // A counter that a derivative made, as the primal's: in range, since the primal's was.
    const bool made = v && v->var.index() >= m[fn.primal].vars.size();
    return made && c->isExplicit && to && from && to->isSigned && from->isSigned && to->bits < from->bits ? of(c->operand) : std::nullopt;
  }
  const auto* call = std::get_if<PureCall>(&fn[e].node);
  if (!call) return std::nullopt;
  const bool count = call->callee == "contraflow::tripCount" && call->args.size() == 4;
  if (!count && (call->callee != "contraflow::iterationNumber" || call->args.size() != 3)) return std::nullopt;
  const auto step = of(call->args.back()), last = of(call->args[count ? 2 : 0]), first = of(call->args[count ? 0 : 1]);
  if (!step || !last || !first || !isNumber(*step)) return std::nullopt;
  const long long by = numberOf(*step);
  if (by != 1 && by != -1) return std::nullopt;
  const auto distance = sum(by == 1 ? *last : *first, by == 1 ? *first : *last, -1);
  if (!count || !distance) return distance;
  const auto* compare = std::get_if<Literal>(&fn[call->args[1]].node);
  if (!compare) return std::nullopt;
  const std::string& text = compare->text;
  const bool inclusive = text == "contraflow::Compare::LessEqual" || text == "contraflow::Compare::GreaterEqual";
  const bool upwards = text == "contraflow::Compare::LessEqual" || text == "contraflow::Compare::Less";
  const bool downwards = text == "contraflow::Compare::GreaterEqual" || text == "contraflow::Compare::Greater";
  if (by == 1 ? !upwards : !downwards) return std::nullopt;
  return inclusive ? sum(*distance, Polynomial{{{}, 1}}) : distance;
}

std::optional<RealElement> realElement(const Module& m, const Function& fn, ExprId place, const IndexLeaf& of) {
  const auto* s = std::get_if<Subscript>(&fn[place].node);
  if (!s) return std::nullopt;
  long long reals = 1;
  TypeId type = fn[place].type;
  for (const ArrayType* array; (array = as<ArrayType>(m, type)); type = array->element) {
    if (array->extent == 0 || array->extent > 1000000000 || reals > 1000000000) return std::nullopt;
    reals *= static_cast<long long>(array->extent);
  }
  const auto index = isReal(m, type) ? of(s->index) : std::nullopt;
  const auto here = index ? product(*index, {{{}, reals}}) : std::nullopt;
  if (!here) return std::nullopt;
  if (const auto* v = std::get_if<VarRef>(&fn[s->base].node)) return RealElement{v->var, *here};
  if (!as<ArrayType>(m, fn[s->base].type)) return std::nullopt;
  const auto row = realElement(m, fn, s->base, of);
  const auto all = row ? sum(row->index, *here) : std::nullopt;
  return all ? std::optional(RealElement{row->base, *all}) : std::nullopt;
}

std::optional<Polynomial> sum(const Polynomial& a, const Polynomial& b, long long factor) {
  Polynomial out = a;
  return add(out, b, factor) ? std::optional(out) : std::nullopt;
}

std::optional<Polynomial> product(const Polynomial& a, const Polynomial& b) {
  Polynomial out;
  for (const auto& [p, c] : a)
    for (const auto& [q, d] : b) {
      Monomial both = p;
      both.insert(both.end(), q.begin(), q.end());
      std::sort(both.begin(), both.end());
      if (std::abs(c) > kLarge || std::abs(d) > kLarge || !add(out, Polynomial{{both, c}}, d)) return std::nullopt;
    }
  return out;
}

bool split(const Polynomial& p, VarId v, Polynomial& coefficient, Polynomial& rest) {
  for (const auto& [monomial, c] : p) {
    const auto times = std::count(monomial.begin(), monomial.end(), v);
    if (times > 1) return false;
    Monomial others;
    std::copy_if(monomial.begin(), monomial.end(), std::back_inserter(others), [&](VarId w) { return w != v; });
    (times == 1 ? coefficient : rest)[others] = c;
  }
  return true;
}

std::optional<Polynomial> substitute(const Polynomial& p, VarId v, const Polynomial& value) {
  Polynomial coefficient, rest;
  if (!split(p, v, coefficient, rest)) return std::nullopt;
  const auto term = product(coefficient, value);
  return term ? sum(rest, *term) : std::nullopt;
}

bool isNumber(const Polynomial& p) { return p.empty() || (p.size() == 1 && p.begin()->first.empty()); }

long long numberOf(const Polynomial& p) {
  const auto found = p.find(Monomial{});
  return found == p.end() ? 0 : found->second;
}

std::set<VarId> variablesOf(const Polynomial& p) {
  std::set<VarId> all;
  for (const auto& [monomial, c] : p) all.insert(monomial.begin(), monomial.end());
  return all;
}

}  // namespace contraflow::analysis
