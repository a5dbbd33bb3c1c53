#include "frontend/annotation_arguments.hpp"

#include <cctype>
#include <cstdlib>

namespace contraflow::frontend {
namespace {

using namespace ir;

// The characters without blanks; nothing in an annotation's argument needs them.
std::string withoutBlanks(const std::string& text) {
  std::string out;
  for (char c : text)
    if (!std::isspace(static_cast<unsigned char>(c))) out += c;
  return out;
}

bool isNumber(const std::string& text) {
  return !text.empty() && text.size() < 18 && text.find_first_not_of("0123456789") == std::string::npos;
}

// sum := product (('+' | '-') product)*;  product := factor ('*' factor)*;  factor := number | parameter | '(' sum ')'
class ExtentReader {
 public:
  ExtentReader(Module& m, Function& f, std::string text) : m_(m), f_(f), text_(std::move(text)) {
    long_ = m.type(IntType{64, true, "long"});
  }

  ExprId read(std::string& why) {
    const ExprId all = sum();
    if (why_.empty() && at_ != text_.size()) why_ = "'" + text_.substr(at_) + "' isn't expected in an extent";
    why = why_;
    return why_.empty() ? all : ExprId();
  }

 private:
  bool next(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  ExprId sum() {
    ExprId left = product();
    for (;;) {
      const bool plus = next('+');
      if (!plus && !next('-')) return left;
      left = f_.addExpr(Binary{plus ? BinaryOp::Add : BinaryOp::Sub, left, product()}, long_);
    }
  }

  ExprId product() {
    ExprId left = factor();
    while (next('*')) left = f_.addExpr(Binary{BinaryOp::Mul, left, factor()}, long_);
    return left;
  }

  ExprId factor() {
    if (next('(')) {
      const ExprId inner = sum();
      if (!next(')') && why_.empty()) why_ = "a ')' is missing in the extent";
      return inner;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    const std::string word = text_.substr(begin, at_ - begin);
    if (isNumber(word)) return f_.addExpr(Cast{f_.addExpr(Literal{word}, m_.type(IntType{32, true, "int"})), false}, long_);
    for (VarId p : f_.params) {
      const TypeId type = withoutReference(m_, f_[p].type);
      if (f_[p].name != word || !isIntegral(m_, type)) continue;
      return f_.addExpr(Cast{f_.addExpr(VarRef{p}, type), false}, long_);
    }
    if (why_.empty()) why_ = "'" + word + "' in the extent is neither a number nor an integer parameter of '" + f_.name + "'";
    return f_.addExpr(Literal{"0"}, long_);
  }

  Module& m_;
  Function& f_;
  const std::string text_;
  std::string why_;
  std::size_t at_ = 0;
  TypeId long_;
};

// schedule := ('binomial' ',' 'snapshots' ':' number | 'periodic' ',' 'interval' ':' number) disk? | 'memory' ':' number
// disk := ',' 'disk' ':' '"' folder '"' (',' 'beyond' ':' number 'bytes'?)? (',' 'restart' ':' number)?
class ScheduleReader {
 public:
  explicit ScheduleReader(const std::string& text) : text_(text) {}

  std::optional<Checkpoint> read(std::string& why) {
    Checkpoint c;
    if (word("binomial", ',') && word("snapshots", ':')) c.schedule = Schedule::Binomial;
    else if (at_ == 0 && word("periodic", ',') && word("interval", ':')) c.schedule = Schedule::Periodic;
    else if (at_ == 0 && word("memory", ':')) c.schedule = Schedule::Memory;
    else why_ = "a schedule is 'binomial, snapshots: N', 'periodic, interval: N' or 'memory: BYTES'";
    if (why_.empty()) c.amount = positive();
    if (why_.empty() && next(',')) disk(c);
    if (why_.empty() && at_ != text_.size()) why_ = "'" + text_.substr(at_) + "' isn't expected behind the schedule";
    why = why_;
    return why_.empty() ? std::optional<Checkpoint>(c) : std::nullopt;
  }

 private:
  void disk(Checkpoint& c) {
    if (!word("disk", ':')) {
      why_ = "behind the schedule only 'disk: \"FOLDER\"' is expected";
      return;
    }
    if (c.schedule == Schedule::Memory) {
      why_ = "with 'disk' a schedule says how many snapshots there are: 'binomial, snapshots: N' or 'periodic, interval: N'";
      return;
    }
    const std::size_t end = next('"') ? text_.find('"', at_) : std::string::npos;
    if (end == std::string::npos || end == at_) {
      why_ = "the folder stands in quotes, as in 'disk: \"snapshots\"'";
      return;
    }
    c.folder = text_.substr(at_, end - at_);
    at_ = end + 1;
    bool more = next(',');
    if (more && word("beyond", ':')) {
      c.inMemory = positive();
      c.inMemoryIsBytes = why_.empty() && word("bytes", 0);
      more = why_.empty() && next(',');
    }
    if (more && word("restart", ':')) c.restart = positive();
    else if (more) why_ = "behind the folder only 'beyond: N', 'beyond: N bytes' and then 'restart: N' are expected";
    skip();
  }

  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool next(char c) {
    skip();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  // The word with this character behind it (0: none); nothing is read if that isn't there.
  bool word(const std::string& expected, char behind) {
    skip();
    const std::size_t from = at_;
    if (text_.compare(at_, expected.size(), expected) == 0) {
      at_ += expected.size();
      if (behind == 0 || next(behind)) return skip(), true;
    }
    at_ = from;
    return false;
  }
  std::uint64_t positive() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != ',' && !std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    const std::string number = text_.substr(begin, at_ - begin);
    skip();
    if (isNumber(number) && number.find_first_not_of('0') != std::string::npos) return std::strtoull(number.c_str(), nullptr, 10);
    why_ = "'" + number + "' is no positive number";
    return 0;
  }

  const std::string text_;
  std::string why_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<Checkpoint> readSchedule(const std::string& text, std::string& why) {
  return ScheduleReader(text).read(why);
}

ExprId readExtent(Module& module, Function& function, const std::string& text, std::string& why) {
  return ExtentReader(module, function, withoutBlanks(text)).read(why);
}

}  // namespace contraflow::frontend
