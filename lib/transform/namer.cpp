#include "transform/namer.hpp"

#include <cctype>
#include <map>
#include <vector>

namespace contraflow::transform {
namespace {

using namespace ir;

std::string wordFor(const std::string& name) {
  static const std::map<std::string, std::string> kOperators = {
      {"+", "plus"},       {"-", "minus"},        {"*", "times"},          {"/", "divide"},     {"%", "modulo"},
      {"+=", "addTo"},     {"-=", "subtractFrom"}, {"*=", "multiplyBy"},   {"/=", "divideBy"},  {"=", "assign"},
      {"()", "call"},      {"[]", "at"},          {"==", "equal"},         {"!=", "notEqual"},  {"<", "less"},
      {">", "greater"},    {"<=", "lessEqual"},   {">=", "greaterEqual"},  {"->", "arrow"},     {"++", "increment"},
      {"--", "decrement"}, {"!", "logicalNot"},   {"&&", "logicalAnd"},    {"||", "logicalOr"}, {"<<", "shiftLeft"},
      {">>", "shiftRight"}};
  if (name.rfind("operator", 0) == 0) {
    std::string op = name.substr(8);
    op.erase(0, op.find_first_not_of(' ') == std::string::npos ? 0 : op.find_first_not_of(' '));
    const auto found = kOperators.find(op);
    if (found != kOperators.end()) return found->second;
  }
  std::string word;  // a template's arguments, a conversion, a destructor: what an identifier may hold
  for (const char c : name) {
    const bool fits = std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    if (fits || word.empty() || word.back() != '_') word += fits ? c : '_';
  }
  while (word.size() > 1 && word.back() == '_' && name.back() != '_') word.pop_back();
  return word;
}

// The parameter types without const, each run of equal ones once: functions for which these differ have derivatives that
// C++ tells apart, whatever parameters have shadows.
std::vector<std::string> shape(const Module& m, const Function& f) {
  std::vector<std::string> out;
  for (const VarId p : f.params) {
    std::string type = spell(m, f[p].type);
    for (std::size_t at; (at = type.find("const")) != std::string::npos;) type.erase(at, 5);
    std::string dense;
    for (const char c : type)
      if (c != ' ') dense += c;
    if (out.empty() || out.back() != dense) out.push_back(dense);
  }
  return out;
}

}  // namespace

const char* suffixOf(FunctionKind kind) {
  switch (kind) {
    case FunctionKind::Primal: return "";
    case FunctionKind::Tangent: return "_d";
    case FunctionKind::Forward: return "_fwd";
    case FunctionKind::Reverse: return "_rev";
    case FunctionKind::Adjoint: return "_b";
  }
  return "";
}

std::string derivativeName(const Module& module, FuncId primal, FunctionKind kind) {
  const Function& f = module[primal];
  const std::string word = wordFor(f.name);
  unsigned earlier = 0;
  bool taken = false;
  const std::string name = word + suffixOf(kind);
  for (std::uint32_t k = 0; k < module.functions.size(); ++k) {
    const Function& other = module.functions[k];
    if (other.namespaces != f.namespaces || other.kind != FunctionKind::Primal) continue;
    if (k < primal.index() && wordFor(other.name) == word && shape(module, other) == shape(module, f)) ++earlier;
    if (other.name == name && !other.isMethod) taken = true;
  }
  for (const Global& g : module.globals)
    if (g.namespaces == f.namespaces && g.name == name) taken = true;
  const unsigned number = earlier + 1 + (taken ? 1 : 0);
  return number == 1 ? name : word + "_" + std::to_string(number) + suffixOf(kind);
}

}  // namespace contraflow::transform
