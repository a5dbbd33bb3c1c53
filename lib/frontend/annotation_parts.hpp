// Reading one `#pragma contraflow …`: its word and argument, and what it stands before. Shared by annotations of functions
// (annotations.cpp) and of loops and pointers (loop_annotations.cpp).
#pragma once

#include <optional>
#include <string>

#include "frontend/lowering.hpp"

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

// In its file: where the first thing stands behind the annotation that is no comment, further annotation or other preprocessor line.
std::size_t offsetBehind(TranslationUnit& unit, const Annotation& annotation);

// The function whose definition follows the annotation; reports where there is none.
const clang::FunctionDecl* annotatedFunction(TranslationUnit& unit, const Annotation& annotation, const std::string& word);

}  // namespace contraflow::frontend
