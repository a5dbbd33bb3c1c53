#include "driver/check_arguments.hpp"

#include <cctype>

namespace contraflow::driver {
namespace {

std::string trimmed(const std::string& text) {
  std::size_t first = 0, last = text.size();
  const auto isSpace = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (first < last && isSpace(text[first])) ++first;
  while (last > first && isSpace(text[last - 1])) --last;
  return text.substr(first, last - first);
}

bool isIdentifier(const std::string& text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
  for (const char c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  return true;
}

// The bracket that closes the one at `open`.
std::size_t matching(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t k = open; k < text.size(); ++k) {
    if (text[k] == '[') ++depth;
    if (text[k] == ']' && --depth == 0) return k;
  }
  return std::string::npos;
}

}  // namespace

std::optional<CheckArgument> parseCheckArgument(const std::string& text, std::string& why) {
  CheckArgument argument;
  const std::size_t nameEnd = std::min(text.find_first_of("[="), text.size());
  argument.name = trimmed(text.substr(0, nameEnd));
  if (!isIdentifier(argument.name)) {
    why = "'" + text + "' doesn't begin with the name of a parameter";
    return std::nullopt;
  }
  std::size_t at = nameEnd;
  if (at < text.size() && text[at] == '[') {
    const std::size_t close = matching(text, at);
    if (close == std::string::npos) {
      why = "'" + text + "': the '[' isn't closed";
      return std::nullopt;
    }
    argument.size = trimmed(text.substr(at + 1, close - at - 1));
    if (argument.size.empty()) {
      why = "'" + text + "': there is no size between the brackets";
      return std::nullopt;
    }
    at = close + 1;
  }
  const std::string rest = trimmed(text.substr(at));
  if (!rest.empty() && rest[0] == '=') argument.value = trimmed(rest.substr(1));
  if ((rest.empty() && argument.size.empty()) || (!rest.empty() && argument.value.empty())) {
    why = "'" + text + "' says neither a size nor a value: write 'n = 16', 'k[n]' or 'k[n] = 1 + 0.1 * i'";
    return std::nullopt;
  }
  return argument;
}

}  // namespace contraflow::driver
