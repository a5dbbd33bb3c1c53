#include "emit/format.hpp"

#include <algorithm>

#include "clang/Format/Format.h"

namespace contraflow::emit {
namespace {

// The formatter puts every `#` into the first column; OpenMP's pragmas read better beside what they belong to.
std::string indentPragmas(const std::string& code) {
  std::string out, waiting;
  for (std::size_t begin = 0, end; begin < code.size(); begin = end + 1) {
    end = std::min(code.find('\n', begin), code.size());
    const std::string line = code.substr(begin, end - begin);
    if (line.compare(0, 12, "#pragma omp ") == 0) {
      waiting += '\n' + line;
      continue;
    }
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    // A pragma at the end of a block, such as a barrier, stands one step in from the brace.
    const std::string space(indent + (indent < line.size() && line[indent] == '}' ? 2 : 0), ' ');
    for (std::size_t at = 0, next; at < waiting.size(); at = next) {
      next = std::min(waiting.find('\n', at + 1), waiting.size());
      out += space + waiting.substr(at + 1, next - at - 1) + "\n";
    }
    waiting.clear();
    out += line + "\n";
  }
  return out;
}

}  // namespace

std::string formatCode(const std::string& code, const std::string& fileName) {
  namespace format = clang::format;
  llvm::Expected<format::FormatStyle> found = format::getStyle("file", fileName, "none", code);
  format::FormatStyle style = format::getNoStyle();
  if (found)
    style = *found;
  else
    llvm::consumeError(found.takeError());  // a .clang-format that can't be read is no reason to fail
  const bool ourStyle = style == format::getNoStyle();
  if (ourStyle) {
    style = format::getGoogleStyle(format::FormatStyle::LK_Cpp);
    style.ColumnLimit = 100;
  }
  if (style.DisableFormat) return code;
  // These would look at the rest of the user's file, which isn't here.
  style.DerivePointerAlignment = false;
  style.SortIncludes = format::FormatStyle::SI_Never;
  const clang::tooling::Range all(0, static_cast<unsigned>(code.size()));
  const clang::tooling::Replacements changes = format::reformat(style, code, {all}, fileName);
  llvm::Expected<std::string> formatted = clang::tooling::applyAllReplacements(code, changes);
  if (formatted) return ourStyle ? indentPragmas(*formatted) : *formatted;
  llvm::consumeError(formatted.takeError());
  return code;
}

}  // namespace contraflow::emit
