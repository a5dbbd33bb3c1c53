#include "ir/walk.hpp"

namespace contraflow::ir {

bool isPlace(const Expr& expr) {
  return match(
      expr.node, [](const Literal&) { return false; }, [](const VarRef&) { return true; },
      [](const GlobalRef&) { return true; }, [](const FieldRef&) { return true; }, [](const Subscript&) { return true; },
      [](const Deref&) { return true; }, [](const AddressOf&) { return false; }, [](const Decay&) { return false; },
      [](const DataOf&) { return false; }, [](const SizeOf&) { return false; }, [](const Unary&) { return false; },
      [](const Binary&) { return false; }, [](const Cast&) { return false; }, [](const Conditional&) { return false; },
      [](const MathCall&) { return false; }, [](const PureCall&) { return false; }, [](const InitList&) { return false; });
}

VarId rootVar(const Function& function, ExprId place) {
  if (!place.valid()) return {};
  return match(
      function[place].node, [](const Literal&) { return VarId(); }, [](const VarRef& e) { return e.var; },
      [](const GlobalRef&) { return VarId(); }, [&](const FieldRef& e) { return rootVar(function, e.base); },
      [&](const Subscript& e) { return rootVar(function, e.base); }, [&](const Deref& e) { return rootVar(function, e.pointer); },
      [&](const AddressOf& e) { return rootVar(function, e.place); }, [&](const Decay& e) { return rootVar(function, e.array); },
      [&](const DataOf& e) { return rootVar(function, e.container); }, [](const SizeOf&) { return VarId(); },
      [](const Unary&) { return VarId(); }, [](const Binary&) { return VarId(); },
      [&](const Cast& e) { return rootVar(function, e.operand); }, [](const Conditional&) { return VarId(); },
      [](const MathCall&) { return VarId(); }, [](const PureCall&) { return VarId(); }, [](const InitList&) { return VarId(); });
}

}  // namespace contraflow::ir
