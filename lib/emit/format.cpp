#include "emit/format.hpp"

#include <algorithm>
#include <future>
#include <optional>
#include <thread>
#include <vector>

#include "clang/Format/Format.h"
#include "clang/Lex/Lexer.h"

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

// The code in parts of about the same length, one for each of this machine's threads. Each ends behind a function or an
// outermost namespace, without the blank line that follows.
std::vector<std::string> partsOf(const std::string& code) {
  constexpr std::size_t kWorthAThread = 20000;  // characters, some 20 ms
  const std::size_t most =
      std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), 1 + code.size() / kWorthAThread);
  std::vector<std::string> parts;
  std::size_t begin = 0;
  int depth = 0;
  clang::Lexer lexer(clang::SourceLocation(), clang::format::getFormattingLangOpts(), code.data(), code.data(),
                     code.data() + code.size());
  clang::Token token;
  for (bool last = false; !last && parts.size() + 1 < most;) {
    last = lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::l_brace)) ++depth;
    if (!token.is(clang::tok::r_brace) || --depth != 0) continue;
    const auto behind = static_cast<std::size_t>(lexer.getBufferLocation() - code.data());
    if (behind < (parts.size() + 1) * code.size() / most || code.compare(behind, 2, "\n\n") != 0) continue;
    parts.push_back(code.substr(begin, behind + 1 - begin));
    begin = behind + 2;
  }
  parts.push_back(code.substr(begin));
  return parts;
}

std::optional<std::string> formatted(const clang::format::FormatStyle& style, const std::string& code,
                                     const std::string& fileName) {
  const clang::tooling::Range all(0, static_cast<unsigned>(code.size()));
  llvm::Expected<std::string> text =
      clang::tooling::applyAllReplacements(code, clang::format::reformat(style, code, {all}, fileName));
  if (text) return *text;
  llvm::consumeError(text.takeError());
  return std::nullopt;
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
  std::vector<std::future<std::optional<std::string>>> parts;
  for (std::string& part : partsOf(code)) {
    // Deferred where the system has no thread to give.
    const auto policy = std::launch::async | std::launch::deferred;
    parts.push_back(std::async(policy, [&, part = std::move(part)] { return formatted(style, part, fileName); }));
  }
  std::string all;
  bool good = true;
  for (auto& waiting : parts) {
    const std::optional<std::string> part = waiting.get();
    good = good && part;
    if (good) all += (all.empty() ? "" : "\n") + *part;
  }
  if (!good) return code;
  return ourStyle ? indentPragmas(all) : all;
}

}  // namespace contraflow::emit
