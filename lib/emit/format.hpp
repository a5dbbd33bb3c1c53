// Clang's formatter, wrapped: the only file of this folder that includes Clang's headers.
#pragma once

#include <string>

namespace contraflow::emit {

// The code, formatted as the .clang-format beside `fileName` (or in a folder above it) says; without one in Google's style, 100
// columns. Includes keep their order. Code that can't be formatted comes back as it is.
std::string formatCode(const std::string& code, const std::string& fileName);

}  // namespace contraflow::emit
