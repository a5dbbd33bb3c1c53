#include "ir/equal.hpp"

#include <algorithm>

#include "ir/match.hpp"

namespace contraflow::ir {

bool equal(const Function& f, ExprId a, ExprId b) {
  if (a == b || !a.valid() || !b.valid()) return a == b;
  const auto same = [&](ExprId x, ExprId y) { return equal(f, x, y); };
  const auto all = [&](const std::vector<ExprId>& x, const std::vector<ExprId>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
  };
  // The other expression's node, where it is of the same kind.
  const auto with = [&](const auto& node, const auto& compare) {
    const auto* other = std::get_if<std::decay_t<decltype(node)>>(&f[b].node);
    return other && compare(*other);
  };
  const bool sameType = f[a].type == f[b].type;
  return match(
      f[a].node, [&](const Literal& n) { return with(n, [&](const Literal& o) { return n.text == o.text && sameType; }); },
      [&](const VarRef& n) { return with(n, [&](const VarRef& o) { return n.var == o.var; }); },
      [&](const GlobalRef& n) { return with(n, [&](const GlobalRef& o) { return n.global == o.global; }); },
      [&](const FieldRef& n) { return with(n, [&](const FieldRef& o) { return n.field == o.field && same(n.base, o.base); }); },
      [&](const Subscript& n) { return with(n, [&](const Subscript& o) { return n.checked == o.checked && same(n.base, o.base) && same(n.index, o.index); }); },
      [&](const Deref& n) { return with(n, [&](const Deref& o) { return same(n.pointer, o.pointer); }); },
      [&](const AddressOf& n) { return with(n, [&](const AddressOf& o) { return same(n.place, o.place); }); },
      [&](const Decay& n) { return with(n, [&](const Decay& o) { return same(n.array, o.array); }); },
      [&](const DataOf& n) { return with(n, [&](const DataOf& o) { return same(n.container, o.container); }); },
      [&](const SizeOf& n) { return with(n, [&](const SizeOf& o) { return same(n.container, o.container); }); },
      [&](const Unary& n) { return with(n, [&](const Unary& o) { return n.op == o.op && same(n.operand, o.operand); }); },
      [&](const Binary& n) { return with(n, [&](const Binary& o) { return n.op == o.op && same(n.lhs, o.lhs) && same(n.rhs, o.rhs); }); },
      [&](const Cast& n) { return with(n, [&](const Cast& o) { return sameType && same(n.operand, o.operand); }); },
      [&](const Conditional& n) {
        return with(n, [&](const Conditional& o) { return same(n.condition, o.condition) && same(n.whenTrue, o.whenTrue) && same(n.whenFalse, o.whenFalse); });
      },
      [&](const MathCall& n) { return with(n, [&](const MathCall& o) { return n.function == o.function && all(n.args, o.args); }); },
      [&](const PureCall& n) { return with(n, [&](const PureCall& o) { return n.callee == o.callee && all(n.args, o.args); }); },
      [&](const InitList& n) { return with(n, [&](const InitList& o) { return sameType && all(n.elements, o.elements); }); });
}

}  // namespace contraflow::ir
