// Expressions: pure. No assignment, no call of a function with a body, no other side effect; lowering takes those out into
// statements, in C++'s order of evaluation. lib/ir/README.md states what each node means.
//
// A *place* is an expression that denotes memory: VarRef, GlobalRef, FieldRef, Subscript, Deref. Used as a value it is a read.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ir/ids.hpp"

namespace contraflow::ir {

struct SourceLoc {
  std::uint32_t file = 0xffffffffu;  // index into Module::files
  std::uint32_t line = 0, column = 0;
  bool valid() const { return file != 0xffffffffu; }
};

// A constant as C++ spells it: `1.0`, `nullptr`, `MPI_COMM_WORLD`, an enumerator. Also a constant of the standard library.
struct Literal {
  std::string text;
};
struct VarRef {  // a reference variable denotes its referent
  VarId var;
};
struct GlobalRef {  // a global, a static member or a function-local static
  GlobalId global;
};
struct FieldRef {
  ExprId base;  // place of record type
  unsigned field;
};
struct Subscript {
  ExprId base;  // place of array or container type, or a pointer value
  ExprId index;
  bool checked = false;  // container.at(i)
};
struct Deref {
  ExprId pointer;
};
struct AddressOf {
  ExprId place;
};
struct Decay {  // array place to pointer to its first element; implicit in C++
  ExprId array;
};
struct DataOf {  // container.data()
  ExprId container;
};
struct SizeOf {  // container.size()
  ExprId container;
};
enum class UnaryOp { Minus, Not, BitNot };
struct Unary {
  UnaryOp op;
  ExprId operand;
};
enum class BinaryOp { Add, Sub, Mul, Div, Rem, Shl, Shr, BitAnd, BitOr, BitXor, Lt, Le, Gt, Ge, Eq, Ne, And, Or };
// Arithmetic operands have the same type (conversions are explicit Cast nodes), but for pointer ± integer. And/Or
// short-circuit; that matters only for operands that would be undefined.
struct Binary {
  BinaryOp op;
  ExprId lhs, rhs;
};
struct Cast {
  ExprId operand;
  bool isExplicit = false;  // written in the source; implicit conversions are not printed
};
struct Conditional {
  ExprId condition, whenTrue, whenFalse;
};
// A function of reals with a row in rules/math.def: `std::sin`, or one of our runtime's.
struct MathCall {
  std::string function;  // the name of the row: "sin", "pow", …
  std::vector<ExprId> args;
};
// A pure function without derivative: thread numbers, numeric_limits, MPI_Wtime.
struct PureCall {
  std::string callee;  // as C++ spells it
  std::vector<ExprId> args;
};
struct InitList {  // only as the initialiser of a Declare: braces; missing elements are zero
  std::vector<ExprId> elements;
};

using AnyExpr = std::variant<Literal, VarRef, GlobalRef, FieldRef, Subscript, Deref, AddressOf, Decay, DataOf, SizeOf, Unary,
                             Binary, Cast, Conditional, MathCall, PureCall, InitList>;
// What copies and destroys one of so many alternatives is compiled once (nodes.cpp), not in each file that includes this one.
struct ExprNode : AnyExpr {
  using AnyExpr::AnyExpr;
  ExprNode(const ExprNode&);
  ExprNode(ExprNode&&) noexcept;
  ExprNode& operator=(const ExprNode&);
  ExprNode& operator=(ExprNode&&) noexcept;
  ~ExprNode();
};

struct Expr {
  ExprNode node;
  TypeId type;  // for a place: the type of the object, without reference
  SourceLoc loc;
};

}  // namespace contraflow::ir
