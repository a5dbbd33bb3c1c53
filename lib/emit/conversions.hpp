// C++'s arithmetic conversions, so that an implicit conversion of the IR is printed only where C++ wouldn't make it by itself.
#pragma once

#include "ir/module.hpp"

namespace contraflow::emit {

// The type that an expression has as printed. It differs from the IR's where an implicit conversion was left away.
struct Printed {
  enum Kind { Other, Int, Real } kind = Other;
  unsigned bits = 0;       // Int
  bool isSigned = true;    // Int
  bool isLiteral = false;  // Int: a literal that isn't negative
  ir::RealKind real = ir::RealKind::Double;
  ir::TypeId type;  // Other
};

Printed printedAs(const ir::Module& module, ir::TypeId type);
// The same arithmetic type (or the same other type, const aside).
bool same(const ir::Module& module, const Printed& a, const Printed& b);
// After the integral promotions: never narrower than int.
Printed promoted(Printed type);
// The type of a + b.
Printed common(const Printed& a, const Printed& b);
// True if every value of `from` is a value of `to`.
bool lossless(const Printed& from, const Printed& to);
// True if -Wextra would warn of a comparison.
bool signsDiffer(const Printed& a, const Printed& b);

}  // namespace contraflow::emit
