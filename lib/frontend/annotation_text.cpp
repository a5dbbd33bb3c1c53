#include "frontend/annotation_text.hpp"

#include <cctype>

namespace contraflow::frontend {
namespace {

bool isSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string trimmed(const std::string& text) {
  std::size_t first = 0, last = text.size();
  while (first < last && isSpace(text[first])) ++first;
  while (last > first && isSpace(text[last - 1])) --last;
  return text.substr(first, last - first);
}

std::optional<AnnotationParts> splitAnnotation(const std::string& text, std::string& why) {
  AnnotationParts parts;
  std::size_t at = 0;
  while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_')) ++at;
  parts.word = text.substr(0, at);
  while (at < text.size() && isSpace(text[at])) ++at;
  if (parts.word.empty()) {
    why = "a word is missing after 'contraflow'";
    return std::nullopt;
  }
  if (at == text.size()) return parts;
  const std::size_t close = text.rfind(')');
  if (text[at] != '(' || close == std::string::npos) {
    why = text[at] == '(' ? "the '(' isn't closed" : "'" + text.substr(at) + "' isn't expected after '" + parts.word + "'";
    return std::nullopt;
  }
  const std::string behind = trimmed(text.substr(close + 1));
  if (!behind.empty()) {
    why = "'" + behind + "' isn't expected behind the ')'";
    return std::nullopt;
  }
  parts.hasArgument = true;
  parts.argumentOffset = at + 1;
  parts.argument = text.substr(at + 1, close - at - 1);
  return parts;
}

}  // namespace contraflow::frontend
