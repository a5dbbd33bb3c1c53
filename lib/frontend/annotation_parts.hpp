// What one `#pragma contraflow …` stands before. Shared by annotations of functions
// (annotations.cpp) and of loops and pointers (loop_annotations.cpp).
#pragma once

#include <string>

#include "frontend/annotation_text.hpp"
#include "frontend/lowering.hpp"

namespace contraflow::frontend {

// In its file: where the first thing stands behind the annotation that is no comment, further annotation or other preprocessor line.
std::size_t offsetBehind(TranslationUnit& unit, const Annotation& annotation);

// The function whose definition follows the annotation; reports where there is none.
const clang::FunctionDecl* annotatedFunction(TranslationUnit& unit, const Annotation& annotation, const std::string& word);

}  // namespace contraflow::frontend
