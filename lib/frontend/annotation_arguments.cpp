#include "frontend/annotation_arguments.hpp"

#include <cctype>
#include <cstdlib>
#include <map>

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

}  // namespace

std::optional<Checkpoint> readSchedule(const std::string& text, std::string& why) {
  struct Form {
    Schedule schedule;
    const char* begin;
  };
  static const Form kForms[] = {{Schedule::Binomial, "binomial,snapshots:"},
                                {Schedule::Periodic, "periodic,interval:"},
                                {Schedule::Memory, "memory:"}};
  const std::string plain = withoutBlanks(text);
  for (const Form& form : kForms) {
    const std::string begin = form.begin;
    if (plain.compare(0, begin.size(), begin) != 0) continue;
    const std::string number = plain.substr(begin.size());
    if (isNumber(number) && number.find_first_not_of('0') != std::string::npos)
      return Checkpoint{form.schedule, std::strtoull(number.c_str(), nullptr, 10)};
    why = "'" + number + "' is no positive number";
    return std::nullopt;
  }
  why = "a schedule is 'binomial, snapshots: N', 'periodic, interval: N' or 'memory: BYTES'";
  return std::nullopt;
}

ExprId readExtent(Module& module, Function& function, const std::string& text, std::string& why) {
  return ExtentReader(module, function, withoutBlanks(text)).read(why);
}

}  // namespace contraflow::frontend
