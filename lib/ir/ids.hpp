// Typed indices into the arenas of a module or a function. An id is meaningful only together with the arena
// it was made by; a default-constructed id is "none".
#pragma once

#include <cstdint>
#include <functional>

namespace contraflow::ir {

template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t index) : index_(index) {}
  constexpr bool valid() const { return index_ != kNone; }
  constexpr explicit operator bool() const { return valid(); }
  constexpr std::uint32_t index() const { return index_; }
  friend constexpr bool operator==(Id a, Id b) { return a.index_ == b.index_; }
  friend constexpr bool operator!=(Id a, Id b) { return a.index_ != b.index_; }
  friend constexpr bool operator<(Id a, Id b) { return a.index_ < b.index_; }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::uint32_t index_ = kNone;
};

using TypeId = Id<struct TypeTag>;      // Module::types
using RecordId = Id<struct RecordTag>;  // Module::records
using GlobalId = Id<struct GlobalTag>;  // Module::globals
using FuncId = Id<struct FuncTag>;      // Module::functions
using VarId = Id<struct VarTag>;        // Function::vars
using ExprId = Id<struct ExprTag>;      // Function::exprs
using StmtId = Id<struct StmtTag>;      // Function::stmts

}  // namespace contraflow::ir

template <class Tag>
struct std::hash<contraflow::ir::Id<Tag>> {
  std::size_t operator()(contraflow::ir::Id<Tag> id) const noexcept { return id.index(); }
};
