// Reading the text of one `#pragma contraflow …`: its word and argument.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace contraflow::frontend {

struct AnnotationParts {
  std::string word;       // "adjoint"
  std::string argument;   // what stands between the parentheses
  std::size_t argumentOffset = 0;
  bool hasArgument = false;
};
// `word` or `word(argument)`; otherwise what is wrong is put into `why`.
std::optional<AnnotationParts> splitAnnotation(const std::string& text, std::string& why);

std::string trimmed(const std::string& text);

}  // namespace contraflow::frontend
