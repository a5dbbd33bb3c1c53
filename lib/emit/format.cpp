#include "emit/format.hpp"

#include <algorithm>
#include <future>
#include <optional>
#include <thread>
#include <vector>

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

// Ranges of about the same length, one for each of this machine's threads, that end behind functions. Short code is one range: each
// thread has to read all of it.
std::vector<clang::tooling::Range> partsOf(const std::string& code) {
  constexpr std::size_t kWorthAThread = 20000;  // characters, some 20 ms
  const std::size_t most = std::max<std::size_t>(1, std::min<std::size_t>(std::thread::hardware_concurrency(), code.size() / kWorthAThread));
  std::vector<clang::tooling::Range> parts;
  std::size_t begin = 0;
  for (std::size_t n = 1; n <= most && begin < code.size(); ++n) {
    const std::size_t brace = n == most ? std::string::npos : code.find("\n}\n", std::max(begin, n * code.size() / most));
    const std::size_t end = brace == std::string::npos ? code.size() : brace + 3;
    parts.emplace_back(static_cast<unsigned>(begin), static_cast<unsigned>(end - begin));
    begin = end;
  }
  return parts;
}

using clang::tooling::Replacements;

// What the formatter changes, each part in a thread of its own; none if two parts disagree.
std::optional<Replacements> changesOf(const clang::format::FormatStyle& style, const std::string& code, const std::string& fileName) {
  std::vector<std::future<Replacements>> parts;
  for (const clang::tooling::Range& part : partsOf(code))
    parts.push_back(std::async(std::launch::async, [&, part] { return clang::format::reformat(style, code, {part}, fileName); }));
  Replacements all;
  bool agree = true;
  for (std::future<Replacements>& part : parts)
    for (const clang::tooling::Replacement& change : part.get())
      if (llvm::Error conflict = all.add(change)) {
        llvm::consumeError(std::move(conflict));
        agree = false;
      }
  return agree ? std::optional(all) : std::nullopt;
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
  std::optional<Replacements> changes = changesOf(style, code, fileName);
  if (!changes) changes = format::reformat(style, code, {clang::tooling::Range(0, static_cast<unsigned>(code.size()))}, fileName);
  llvm::Expected<std::string> formatted = clang::tooling::applyAllReplacements(code, *changes);
  if (formatted) return ourStyle ? indentPragmas(*formatted) : *formatted;
  llvm::consumeError(formatted.takeError());
  return code;
}

}  // namespace contraflow::emit
