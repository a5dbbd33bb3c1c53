// Names as they are found from anywhere in the generated code.
#pragma once

#include <string>

namespace clang {
class NamedDecl;
}

namespace contraflow::frontend {

// The qualified name, without unnamed namespaces. `::note`, if a namespace of the user's declares something that its
// first part would find there instead; `note` otherwise.
std::string nameFromAnywhere(const clang::NamedDecl* decl);

}  // namespace contraflow::frontend
