// Expressions of the IR as C++: with few parentheses, and without the conversions that C++ makes by itself.
//
//     Cast<double>(i) implicit, times x             i * x
//     Cast<double>(a / b) implicit, both integers   a / b
//     Cast<double>(i), divided by Cast<double>(j)   double(i) / j
//     FieldRef(Deref(p))                            p->f
//     Deref(p + i)                                  p[i]
#pragma once

#include <string>
#include <vector>

#include "emit/conversions.hpp"
#include "emit/names.hpp"
#include "ir/module.hpp"

namespace contraflow::emit {

class ExprWriter {
 public:
  ExprWriter(const ir::Module& module, const ir::Function& function, const Names& names)
      : m_(module), f_(function), names_(names) {}

  // For a context that converts to the expression's own type: an initialiser, a right-hand side, a by-value argument.
  std::string converted(ir::ExprId e) const { return write(e, Mode::Converted).text; }
  // For a context where the type as printed decides (a template's argument, a list in braces).
  std::string exact(ir::ExprId e) const { return write(e, Mode::Exact).text; }
  // For a context that computes in a type of its own (`+=`, an explicit conversion): only lossless conversions are left away.
  std::string value(ir::ExprId e) const { return valueText(e).text; }
  // The right side of `counter < …`, for a counter of the type: it has that type in the IR.
  std::string bound(ir::ExprId e, ir::TypeId counter) const;
  // For `if (…)`, `while (…)`.
  std::string condition(ir::ExprId e) const;
  // The negation of a condition.
  std::string negated(ir::ExprId e) const;
  std::string place(ir::ExprId e) const;
  // True if exact() prints something of the expression's type, so that a template would deduce that.
  bool deducible(ir::ExprId e) const;
  std::string arguments(const std::vector<ir::ExprId>& args) const;  // converted, with commas
  std::string asOtherClass(ir::ExprId pointer) const;
  // `object.` or `pointer->`, in front of a member's name.
  std::string member(ir::ExprId object) const;
  std::string global(ir::GlobalId g) const;

 private:
  enum class Mode { Converted, Exact };
  // How tightly the outermost operator binds; see the .cpp.
  struct Text {
    std::string text;
    int level;
    Printed type;
  };

  Text write(ir::ExprId e, Mode mode) const;
  bool isComplexPart(ir::ExprId e) const;
  Text valueText(ir::ExprId e) const;
  Text literal(const ir::Literal& n, ir::TypeId type) const;
  Text binary(const ir::Binary& n, ir::TypeId type) const;
  Text unary(const ir::Unary& n, ir::TypeId type) const;
  Text conditional(const ir::Conditional& n, ir::TypeId type) const;
  Text cast(ir::ExprId operand, ir::TypeId type) const;
  Text implicit(const ir::Cast& n, ir::TypeId type, Mode mode) const;
  Text mathCall(const ir::MathCall& n, ir::TypeId type) const;
  Text subscript(ir::ExprId base, ir::ExprId index, bool checked, ir::TypeId type) const;
  std::string index(ir::ExprId e, bool ofContainer) const;
  Text atLevel(ir::ExprId e, int level, Mode mode) const;

  const ir::Module& m_;
  const ir::Function& f_;
  const Names& names_;
};

}  // namespace contraflow::emit
