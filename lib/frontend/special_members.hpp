// What constructors and assignments of classes do that generated code would do a second time, or unseen. Not so for objects in parts,
// those with destructors that do something (destructors.hpp): their construction and copies are lowered as code like any other.
#pragma once

#include "clang/AST/DeclCXX.h"

namespace contraflow::frontend {

// True if making an object by its default constructor changes what is outside of the object. Generated code makes objects
// more often than the source does: a declaration runs the constructor and its statements follow, and a shadow is an object too.
bool defaultConstructionIsSeen(const clang::CXXRecordDecl* record);

// True if a copy of such an object isn't a copy of its members. Arguments and results by value, elements of containers and
// members of other objects are copied in generated code as the intermediate form copies: member by member.
bool copyComputes(clang::QualType type);
inline constexpr const char* kCopyComputes =
    "a copy is more than a copy of its members; pass it by reference, or let the copy constructor and the assignment copy each member";

}  // namespace contraflow::frontend
