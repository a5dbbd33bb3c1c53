// The types of the IR. Types are interned in the module, so that two ids are equal where the types are. Constness is
// part of a type (`const double*` is a pointer to a const real).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "ir/ids.hpp"

namespace contraflow::ir {

enum class RealKind { Float, Double, LongDouble };
enum class ContainerKind { Vector, StdArray };
enum class MpiHandle { Comm, Request, Status, Datatype, Op };

struct VoidType {};
struct BoolType {};
struct IntType {
  unsigned bits;
  bool isSigned;
  std::string spelling;  // "int", "std::size_t", …
};
struct RealType {
  RealKind kind;
};
struct EnumType {
  std::string spelling;
  TypeId underlying;
};
struct PointerType {
  TypeId pointee;
};
struct ReferenceType {  // only as the type of a variable, a parameter, a field or a result
  TypeId pointee;
  bool isRvalue = false;
};
struct ArrayType {  // built-in array with a constant extent
  TypeId element;
  std::uint64_t extent;
};
struct RecordType {
  RecordId record;
};
struct ContainerType {  // std::vector<element>, std::array<element, extent>
  ContainerKind kind;
  TypeId element;
  std::uint64_t extent = 0;  // StdArray only
};
// A pointer to a function or to a member. It selects one of the targets that the program names; lowering turns its uses into
// comparisons with them, so that it is a plain value from there on, and never active.
struct SelectorType {
  std::string before, after;  // C++'s spelling around a name: `double (*` and `)(double)`
};
struct MpiHandleType {
  MpiHandle kind;
};
struct TapeType {};  // contraflow::Tape; only in derivative code
struct OpaqueType {  // never active: std::string, FILE, iostreams, …
  std::string spelling;
};

using TypeNode = std::variant<VoidType, BoolType, IntType, RealType, EnumType, PointerType, ReferenceType, ArrayType,
                              RecordType, ContainerType, SelectorType, MpiHandleType, TapeType, OpaqueType>;

struct Type {
  TypeNode node;
  bool isConst = false;
};

struct Field {
  std::string name;
  TypeId type;
  bool isPrivate = false;  // private or protected
  std::string owner;       // the base class that it is inherited from; empty: its own
  bool isMutable = false;
};

struct Record {
  std::string name;            // qualified, as C++ spells it
  std::vector<std::string> namespaces;  // those around it, outermost first (not the classes)
  std::vector<Field> fields;   // in order of declaration
  bool isClass = false;         // declared with `class` rather than `struct`
  bool isAggregate = false;
  bool isTriviallyCopyable = false;
  bool isDefaultConstructible = false;
  // Not default constructible, but made by any arguments, which leave nothing but values in its own members: what to write behind
  // the name of an object whose members are set later.
  std::string anyArguments;
  bool isComplex = false;       // std::complex, as a record of two reals
  bool isPolymorphic = false;   // has virtual functions
  // Its base class with members, whose fields come first: a field has the same index in both.
  RecordId base;
  bool beginsAtZero = true;     // of its own members: `T{}` gives them zero, not a value of the program's
  bool inMainFile = false;     // declared in a source file rather than a header
  std::string file;            // where it is declared
};

}  // namespace contraflow::ir
