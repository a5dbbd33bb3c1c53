#include "transform/range_expressions.hpp"

#include <algorithm>
#include <cstdlib>

namespace contraflow::transform {

using namespace ir;
using analysis::Polynomial;

RangeExpressions::RangeExpressions(Module& module, Function& function)
    : m_(module), f_(function), algebra_(module, function), long_(module.type(IntType{64, true, "long"})) {}

ExprId RangeExpressions::rangeOf(VarId base, const analysis::ElementRanges& ranges) {
  std::map<Polynomial, std::pair<long long, long long>> offsets;  // without their constant terms: the least and greatest of these
  for (Polynomial o : ranges.offsets(base)) {
    const long long number = analysis::numberOf(o);
    o.erase(analysis::Monomial{});
    const auto [at, first] = offsets.emplace(o, std::make_pair(number, number));
    at->second = {std::min(at->second.first, number), std::max(at->second.second, number)};
  }
  std::vector<ExprId> args{pointer(base)};
  for (const auto& [variable, numbers] : offsets) {
    args.push_back(valueOf(variable, numbers.first));
    if (numbers.second != numbers.first) args.push_back(valueOf(variable, numbers.second));
  }
  return f_.addExpr(PureCall{"contraflow::rangeOf", std::move(args)}, long_);
}

ExprId RangeExpressions::apart(const std::vector<ExprId>& all) {
  return f_.addExpr(PureCall{"contraflow::apart", all}, algebra_.boolType());
}

ExprId RangeExpressions::pointer(VarId base) {
  const TypeId type = withoutReference(m_, f_[base].type);
  ExprId place = f_.addExpr(VarRef{base}, type);
  // The first row of rows.
  const auto elementOf = [&](TypeId t) {
    const auto* array = as<ArrayType>(m_, t);
    const auto* container = as<ContainerType>(m_, t);
    const auto* pointer = as<PointerType>(m_, t);
    return array ? array->element : container ? container->element : pointer ? pointer->pointee : TypeId();
  };
  for (TypeId element; (element = elementOf(f_[place].type)).valid() && as<ArrayType>(m_, element);)
    place = f_.addExpr(Subscript{place, algebra_.literal(0, long_), false}, element);
  const TypeId rows = f_[place].type;
  if (const auto* array = as<ArrayType>(m_, rows)) return f_.addExpr(Decay{place}, m_.type(PointerType{array->element}));
  if (const auto* container = as<ContainerType>(m_, rows)) return f_.addExpr(DataOf{place}, m_.type(PointerType{container->element}));
  return place;
}

ExprId RangeExpressions::valueOf(const Polynomial& p) {
  Polynomial variable = p;
  variable.erase(analysis::Monomial{});
  return valueOf(variable, analysis::numberOf(p));
}

// In long: the program's own arithmetic may be wider than the variables' types.
ExprId RangeExpressions::valueOf(const Polynomial& p, long long number) {
  ExprId sum;
  for (const auto& [monomial, coefficient] : p) {
    ExprId term = algebra_.literal(static_cast<long double>(coefficient < 0 ? -coefficient : coefficient), long_);
    for (VarId v : monomial)
      term = algebra_.multiply(term, algebra_.cast(f_.addExpr(VarRef{v}, withoutConst(m_, f_[v].type)), long_));
    if (coefficient < 0)
      sum = sum.valid() ? algebra_.subtract(sum, term) : algebra_.negate(term);
    else
      sum = sum.valid() ? algebra_.add(sum, term) : term;
  }
  if (!sum.valid()) return algebra_.literal(static_cast<long double>(number), long_);
  if (number == 0) return sum;
  const ExprId constant = algebra_.literal(static_cast<long double>(std::abs(number)), long_);
  return number < 0 ? algebra_.subtract(sum, constant) : algebra_.add(sum, constant);
}

}  // namespace contraflow::transform
