// Reads the text of heads. A head is `path`, `path(names -> names)`, `path(types)` or `path(types)(names -> names)`; a group in
// parentheses without an arrow holds parameter types.
#include <cctype>

#include "driver/heads.hpp"

namespace contraflow::driver {
namespace {

class Parser {
 public:
  Parser(ParsedHead& head, Diagnostics& diags) : head_(head), text_(head.text), diags_(diags) {}

  // path, then at most one group of types, then at most one group of names.
  bool parseAll() {
    if (!parsePath()) return false;
    while (skipSpace(), at_ < text_.size()) {
      if (text_[at_] != '(') return fail(at_, std::string("'") + text_[at_] + "' isn't expected here");
      if (hasNames_) return fail(at_, "nothing may follow the names");
      const std::size_t close = matching(at_);
      if (close == std::string::npos) return fail(at_, "this '(' isn't closed");
      const std::size_t begin = at_ + 1;
      at_ = close + 1;
      const bool isEmpty = text_.find_first_not_of(" \t", begin) >= close;
      if (text_.substr(begin, close - begin).find("->") != std::string::npos) {
        if (!parseNames(begin, close)) return false;
        hasNames_ = true;
      } else if (head_.paramTypes) {
        if (!isEmpty) return fail(begin, "there is no '->'");
        hasNames_ = true;
      } else {
        parseTypes(begin, close);
      }
    }
    head_.all = head_.independents.empty();
    return true;
  }

  bool parseNames(std::size_t begin, std::size_t end) {
    const std::size_t arrow = text_.find("->", begin);
    if (arrow >= end) return fail(begin, "there is no '->'");
    if (text_.find("->", arrow + 2) < end) return fail(text_.find("->", arrow + 2), "there is a second '->'");
    return parseList(begin, arrow, "independents", head_.independents) &&
           parseList(arrow + 2, end, "dependents", head_.dependents);
  }

 private:
  bool fail(std::size_t offset, const std::string& why) {
    ir::SourceLoc at = head_.loc;
    at.column += static_cast<std::uint32_t>(offset);
    diags_.report(DiagId::HeadSyntax, at, {head_.text, why});
    return false;
  }
  void skipSpace() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  static bool isIdentifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

  // The parenthesis that closes the one at `open`.
  std::size_t matching(std::size_t open) const {
    int depth = 0;
    for (std::size_t k = open; k < text_.size(); ++k) {
      if (text_[k] == '(') ++depth;
      if (text_[k] == ')' && --depth == 0) return k;
    }
    return std::string::npos;
  }

  // A::b<int>::operator+
  bool parsePath() {
    skipSpace();
    if (text_.compare(at_, 2, "::") == 0) at_ += 2;
    for (;;) {
      skipSpace();
      const std::size_t begin = at_;
      while (at_ < text_.size() && isIdentifier(text_[at_])) ++at_;
      if (at_ == begin) return fail(at_, "a function's name is expected here");
      std::string part = text_.substr(begin, at_ - begin);
      if (part == "operator") part += operatorSymbol();
      if (at_ < text_.size() && text_[at_] == '<') {
        const std::size_t open = at_;
        int depth = 0;
        do {
          if (at_ == text_.size()) return fail(open, "this '<' isn't closed");
          depth += text_[at_] == '<' ? 1 : text_[at_] == '>' ? -1 : 0;
          ++at_;
        } while (depth > 0);
        part += text_.substr(open, at_ - open);
      }
      head_.path.push_back(part);
      skipSpace();
      if (text_.compare(at_, 2, "::") != 0) return true;
      at_ += 2;
    }
  }

  std::string operatorSymbol() {
    skipSpace();
    if (text_.compare(at_, 2, "()") == 0) {
      at_ += 2;
      return "()";
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '(' && !std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // double, std::array<int, 3>, void (*)(int)
  void parseTypes(std::size_t begin, std::size_t end) {
    head_.paramTypes.emplace();
    if (text_.find_first_not_of(" \t", begin) >= end) return;
    int depth = 0;
    std::size_t part = begin;
    for (std::size_t k = begin; k <= end; ++k) {
      const char c = k < end ? text_[k] : ',';
      if (c == '<' || c == '(' || c == '[') ++depth;
      if (c == '>' || c == ')' || c == ']') --depth;
      if (c == ',' && (depth == 0 || k == end)) {
        head_.paramTypes->push_back(text_.substr(part, k - part));
        part = k + 1;
      }
    }
  }

  bool parseList(std::size_t begin, std::size_t end, const char* what, std::vector<ParsedName>& names) {
    std::size_t part = begin;
    for (std::size_t k = begin; k <= end; ++k) {
      if (k < end && text_[k] != ',') continue;
      std::size_t first = part, last = k;
      while (first < last && std::isspace(static_cast<unsigned char>(text_[first]))) ++first;
      while (last > first && std::isspace(static_cast<unsigned char>(text_[last - 1]))) --last;
      if (first == last) {
        const bool only = part == begin && k == end;
        return fail(first, only ? std::string("the head names no ") + what : "a name is missing here");
      }
      const std::string name = text_.substr(first, last - first);
      for (std::size_t j = 0; j < name.size(); ++j)
        if (!isIdentifier(name[j]) && name[j] != '.' && name[j] != ':')
          return fail(first + j, "'" + name + "' is no name of a parameter, member or global");
      names.push_back({name, static_cast<std::uint32_t>(first)});
      part = k + 1;
    }
    return true;
  }

  ParsedHead& head_;
  const std::string& text_;
  Diagnostics& diags_;
  std::size_t at_ = 0;
  bool hasNames_ = false;
};

}  // namespace

std::string ParsedHead::function() const {
  std::string name;
  for (const std::string& part : path) name += (name.empty() ? "" : "::") + part;
  return name;
}

std::optional<ParsedHead> parseHead(ir::HeadMode mode, const std::string& text, ir::SourceLoc loc, Diagnostics& diags) {
  ParsedHead head;
  head.mode = mode;
  head.text = text;
  head.loc = loc;
  if (!Parser(head, diags).parseAll()) return std::nullopt;
  return head;
}

std::optional<ParsedHead> parseHeadNames(ir::HeadMode mode, const std::string& text, ir::SourceLoc loc, Diagnostics& diags) {
  ParsedHead head;
  head.mode = mode;
  head.text = text;
  head.loc = loc;
  head.all = text.find_first_not_of(" \t") == std::string::npos;
  if (!head.all && !Parser(head, diags).parseNames(0, text.size())) return std::nullopt;
  return head;
}

}  // namespace contraflow::driver
