#include "rules/rules.hpp"

#include <cassert>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>

#include "rules/algebra.hpp"

namespace contraflow::rules {
namespace {

using ir::BinaryOp;
using ir::ExprId;
using ir::TypeId;

// "(x, int n)"
std::vector<MathParameter> readParameters(const std::string& text) {
  std::vector<MathParameter> out;
  std::string word;
  bool isInteger = false;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
      continue;
    }
    if (word == "int") {
      isInteger = true;
    } else if (!word.empty()) {
      out.push_back({word, isInteger});
      isInteger = false;
    }
    word.clear();
  }
  return out;
}

std::vector<MathRow> readRows() {
  enum { Regular, Singular };
  std::vector<MathRow> rows;
#define MATH(NAME, SPELLING, KIND, PARAMETERS, ...) \
  rows.push_back({#NAME, SPELLING, KIND == Singular, readParameters(#PARAMETERS), {__VA_ARGS__}});
#include "rules/math.def"
  for (const MathRow& row : rows) assert(row.parameters.size() == row.partials.size() && "one partial for each parameter");
  return rows;
}

// Recursive descent over the text of a partial; each function parses one level of precedence and returns its expression.
class PartialParser {
 public:
  PartialParser(ir::Module& module, ir::Function& function, const MathRow& row, const std::vector<ExprId>& args, ExprId result,
                TypeId type, const std::string& text)
      : function_(function), row_(row), args_(args), result_(result), type_(type), text_(text), algebra_(module, function) {
    for (const MathParameter& p : row_.parameters) {
      const ExprId arg = args_[static_cast<std::size_t>(&p - row_.parameters.data())];
      if (p.isInteger) intType_ = ir::withoutConst(module, function[arg].type);
    }
    if (!intType_.valid()) intType_ = module.type(ir::IntType{32, true, "int"});
  }

  ExprId parse() {
    const ExprId e = conditional(type_);
    skipSpace();
    assert(at_ == text_.size() && "unread text in a partial of math.def");
    const auto value = algebra_.constant(e);
    return value && *value == 0 ? ExprId() : e;
  }

 private:
  // `type` is what a number in this place has: the function's real type, or an integer's.
  ExprId conditional(TypeId type) {
    const ExprId condition = disjunction(type);
    if (!accept("?")) return condition;
    const ExprId whenTrue = conditional(type);
    expect(":");
    const ExprId whenFalse = conditional(type);
    return algebra_.conditional(condition, whenTrue, whenFalse);
  }
  ExprId disjunction(TypeId type) {
    ExprId e = conjunction(type);
    while (accept("||")) e = algebra_.logical(BinaryOp::Or, e, conjunction(type));
    return e;
  }
  ExprId conjunction(TypeId type) {
    ExprId e = comparison(type);
    while (accept("&&")) e = algebra_.logical(BinaryOp::And, e, comparison(type));
    return e;
  }
  ExprId comparison(TypeId type) {
    static const std::pair<const char*, BinaryOp> kOps[] = {{"==", BinaryOp::Eq}, {"!=", BinaryOp::Ne}, {"<=", BinaryOp::Le},
                                                            {">=", BinaryOp::Ge}, {"<", BinaryOp::Lt},  {">", BinaryOp::Gt}};
    const ExprId e = sum(type);
    for (const auto& [spelling, op] : kOps)
      if (accept(spelling)) return algebra_.compare(op, e, sum(type));
    return e;
  }
  ExprId sum(TypeId type) {
    ExprId e = product(type);
    for (;;) {
      if (accept("+"))
        e = algebra_.orZero(algebra_.add(e, product(type)), type);
      else if (accept("-"))
        e = algebra_.orZero(algebra_.subtract(e, product(type)), type);
      else
        return e;
    }
  }
  ExprId product(TypeId type) {
    ExprId e = unary(type);
    for (;;) {
      if (accept("*"))
        e = algebra_.orZero(algebra_.multiply(e, unary(type)), type);
      else if (accept("/"))
        e = algebra_.orZero(algebra_.divide(e, unary(type)), type);
      else
        return e;
    }
  }
  ExprId unary(TypeId type) {
    if (accept("-")) return algebra_.negate(unary(type));
    if (accept("!")) return algebra_.logicalNot(unary(type));
    return primary(type);
  }
  ExprId primary(TypeId type) {
    if (accept("(")) {
      const ExprId e = conditional(type);
      expect(")");
      return e;
    }
    if (std::isdigit(static_cast<unsigned char>(text_[at_]))) return number(type);
    const std::string name = word();
    if (accept("(")) return call(name);
    if (name == "r") return result();
    for (std::size_t i = 0; i < row_.parameters.size(); ++i)
      if (row_.parameters[i].name == name) return args_[i];
    assert(false && "unknown name in a partial of math.def");
    return {};
  }
  ExprId call(const std::string& name) {
    const MathRow* callee = findMath(name);
    assert((callee || name == "isnan") && "a partial calls a function without a row");
    std::vector<ExprId> args;
    do {
      const bool isInteger = callee && callee->parameters[args.size()].isInteger;
      args.push_back(conditional(isInteger ? intType_ : type_));
    } while (accept(","));
    expect(")");
    if (callee) return algebra_.call(name, std::move(args), type_);
    return function_.addExpr(ir::PureCall{"std::isnan", std::move(args)}, algebra_.boolType());
  }
  ExprId number(TypeId type) {
    char* end = nullptr;
    const long double value = std::strtold(text_.c_str() + at_, &end);
    at_ = static_cast<std::size_t>(end - text_.c_str());
    return algebra_.literal(value, type);
  }
  ExprId result() {
    if (!result_.valid()) result_ = algebra_.call(row_.name, args_, type_);
    return result_;
  }

  void skipSpace() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool accept(const std::string& token) {
    skipSpace();
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    skipSpace();
    return true;
  }
  void expect(const char* token) {
    const bool found = accept(token);
    assert(found && "bad syntax in a partial of math.def");
    (void)found;
  }
  std::string word() {
    std::string out;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) out += text_[at_++];
    return out;
  }

  ir::Function& function_;
  const MathRow& row_;
  const std::vector<ExprId>& args_;
  ExprId result_;
  TypeId type_, intType_;
  const std::string& text_;
  std::size_t at_ = 0;
  Algebra algebra_;
};

}  // namespace

const std::vector<MathRow>& mathRows() {
  static const std::vector<MathRow> kRows = readRows();
  return kRows;
}

const MathRow* findMath(const std::string& name) {
  static const std::map<std::string, const MathRow*> kByName = [] {
    std::map<std::string, const MathRow*> byName;
    for (const MathRow& row : mathRows()) byName[row.name] = &row;
    return byName;
  }();
  const auto found = kByName.find(name);
  return found == kByName.end() ? nullptr : found->second;
}

bool isCostly(const std::string& name) {
  static const std::set<std::string> kCostly = {
      "sin",    "cos",     "tan",      "asin",      "acos",          "atan",          "atan2",   "sinh",      "cosh",      "tanh",     "asinh",    "acosh",
      "atanh",  "exp",     "exp2",     "expm1",     "log",           "log2",          "log10",   "log1p",     "pow",       "sqrt",     "cbrt",     "hypot",
      "hypot3", "erf",     "erfc",     "tgamma",    "lgamma",        "digamma",       "trigamma", "polygamma", "quotient_real", "quotient_imag",
      "log_abs", "sqrt_real", "sqrt_imag", "tan_real", "tan_imag",   "tanh_real",     "tanh_imag"};
  return kCostly.count(name) != 0;
}

namespace {

bool hasWord(const std::string& text, const std::string& word) {
  const auto partOfWord = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if (!partOfWord(at - 1) && !partOfWord(at + word.size())) return true;
  return false;
}

}  // namespace

bool partialNamesResult(const MathRow& row, unsigned parameter) { return hasWord(row.partials[parameter], "r"); }

bool partialNames(const MathRow& row, unsigned parameter, unsigned other) {
  return hasWord(row.partials[parameter], row.parameters[other].name);
}

ExprId buildPartial(ir::Module& module, ir::Function& function, const MathRow& row, unsigned parameter,
                    const std::vector<ExprId>& args, ExprId result, TypeId type) {
  assert(args.size() == row.parameters.size());
  const std::string& text = row.partials[parameter];
  if (text == "0") return {};
  return PartialParser(module, function, row, args, result, ir::withoutConst(module, type), text).parse();
}

}  // namespace contraflow::rules
