#include "driver/heads.hpp"

#include <algorithm>
#include <cctype>

namespace contraflow::driver {
namespace {

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

// "ns::Class::f" as a head names it: unnamed namespaces have no name there.
std::string headPath(const ir::Function& f) {
  std::vector<std::string> parts;
  for (const std::string& part : f.namespaces)
    if (!part.empty()) parts.push_back(part);
  if (!f.recordName.empty()) parts.push_back(f.recordName);
  parts.push_back(f.name);
  return joined(parts, "::");
}

std::string headPath(const ir::Global& g) {
  std::vector<std::string> parts;
  for (const std::string& part : g.namespaces)
    if (!part.empty()) parts.push_back(part);
  parts.push_back(g.name);
  return joined(parts, "::");
}

// --- types as they are spelled ---------------------------------------------------------------------------------------------

std::vector<std::string> typeTokens(const std::string& text) {
  std::vector<std::string> tokens;
  for (std::size_t k = 0; k < text.size();) {
    std::size_t end = k + 1;
    if (std::isspace(static_cast<unsigned char>(text[k]))) {
      k = end;
      continue;
    }
    const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':'; };
    if (isWord(text[k]))
      while (end < text.size() && isWord(text[end])) ++end;
    tokens.push_back(text.substr(k, end - k));
    k = end;
  }
  return tokens;
}

// A spelling by which equal types compare equal: no spaces, no `struct`, no `std::`, `const` before what it belongs to, no
// const of the parameter itself, `unsigned` with its `int`.
std::string normalType(const std::string& text) {
  std::vector<std::string> tokens;
  for (std::string token : typeTokens(text)) {
    if (token == "struct" || token == "class" || token == "enum" || token == "typename") continue;
    if (token == "int" && !tokens.empty() && (tokens.back() == "long" || tokens.back() == "short" || tokens.back() == "unsigned"))
      continue;
    if (token.compare(0, 2, "::") == 0) token = token.substr(2);
    if (token.compare(0, 5, "std::") == 0) token = token.substr(5);
    if (token == "const" && !tokens.empty()) {
      const char last = tokens.back().back();
      const bool afterWord = std::isalnum(static_cast<unsigned char>(last)) || last == '_';
      if (afterWord && tokens.back() != "const") {
        tokens.insert(tokens.end() - 1, token);
        continue;
      }
    }
    tokens.push_back(token);
  }
  if (!tokens.empty() && tokens.back() == "const") tokens.pop_back();  // double* const
  const bool isIndirect = std::any_of(tokens.begin(), tokens.end(), [](const std::string& t) { return t == "*" || t == "&"; });
  if (!tokens.empty() && tokens.front() == "const" && !isIndirect) tokens.erase(tokens.begin());
  return joined(tokens, " ");
}

bool takes(const ir::Module& m, const ir::Function& f, const std::vector<std::string>& types) {
  const std::size_t first = f.isMethod ? 1 : 0;
  if (f.params.size() < first || f.params.size() - first != types.size()) return false;
  for (std::size_t k = 0; k < types.size(); ++k)
    if (normalType(ir::spell(m, f[f.params[first + k]].type)) != normalType(types[k])) return false;
  return true;
}

std::string signature(const ir::Module& m, const ir::Function& f) {
  std::vector<std::string> types;
  for (std::size_t k = f.isMethod ? 1 : 0; k < f.params.size(); ++k) types.push_back(ir::spell(m, f[f.params[k]].type));
  return headPath(f) + "(" + joined(types, ", ") + ")";
}

// --- one head ----------------------------------------------------------------------------------------------------------------

enum class Role { Independent, Dependent };

class Resolver {
 public:
  Resolver(ir::Module& module, Diagnostics& diags) : m_(module), diags_(diags) {}

  // The function with a body that the head names, among derivatives or among primals. Reports; then none.
  ir::FuncId findFunction(const ParsedHead& head, bool derivative) {
    std::vector<ir::FuncId> named, fitting;
    for (std::uint32_t k = 0; k < m_.functions.size(); ++k) {
      const ir::Function& f = m_.functions[k];
      if (!f.hasBody || (f.kind != ir::FunctionKind::Primal) != derivative) continue;
      if (headPath(f) != head.function()) continue;
      named.push_back(ir::FuncId(k));
      if (!head.paramTypes || takes(m_, f, *head.paramTypes)) fitting.push_back(ir::FuncId(k));
    }
    // Each adjoint has an overload that takes a tape; a head means the one without.
    if (fitting.size() > 1)
      fitting.erase(std::remove_if(fitting.begin(), fitting.end(), [&](ir::FuncId id) { return takesTape(m_[id]); }), fitting.end());
    if (fitting.size() == 1) return fitting[0];
    if (fitting.size() > 1) {
      diags_.report(DiagId::HeadAmbiguous, head.loc, {head.text});
    } else if (!named.empty() && head.all && head.paramTypes) {
      diags_.report(DiagId::HeadSyntax, head.loc,
                    {head.text, "there is no '->', and no overload takes (" + joined(*head.paramTypes, ", ") + ")"});
    } else {
      diags_.report(DiagId::HeadNoFunction, head.loc, {head.text});
      noteSimilar(head, derivative);
    }
    for (ir::FuncId id : named) diags_.note(m_[id].loc, "'" + signature(m_, m_[id]) + "' is here");
    return {};
  }

  // Looks up the names of the head in its function.
  bool resolveNames(const ParsedHead& parsed, ir::Head& head) {
    head.all = parsed.all;
    if (parsed.all) return takeAll(parsed, head);
    bool ok = true;
    for (const ParsedName& name : parsed.independents)
      ok &= resolveName(parsed, name, Role::Independent, m_[head.function], head.independents);
    for (const ParsedName& name : parsed.dependents)
      ok &= resolveName(parsed, name, Role::Dependent, m_[head.function], head.dependents);
    return ok;
  }

 private:
  bool takesTape(const ir::Function& f) const {
    const ir::TypeId last = f.params.empty() ? ir::TypeId() : ir::withoutReference(m_, f[f.params.back()].type);
    return ir::as<ir::TapeType>(m_, last) != nullptr;
  }

  void noteSimilar(const ParsedHead& head, bool derivative) {
    for (const ir::Function& f : m_.functions)
      if (f.hasBody && f.kind == ir::FunctionKind::Primal && !derivative && !head.path.empty() && f.name == head.path.back())
        diags_.note(f.loc, "'" + headPath(f) + "' is here");
  }

  ir::SourceLoc place(const ParsedHead& head, const ParsedName& name) const {
    ir::SourceLoc at = head.loc;
    at.column += name.offset;
    return at;
  }

  bool takeAll(const ParsedHead& parsed, ir::Head& head) {
    const ir::Function& f = m_[head.function];
    for (std::size_t k = 0; k < f.params.size(); ++k) {
      const ir::Var& var = f[f.params[k]];
      ir::HeadName name;
      name.spelling = k == 0 && f.isMethod ? "this" : var.name;
      name.param = static_cast<int>(k);
      if (ir::reachesReal(m_, var.type)) head.independents.push_back(name);
      if (ir::writableReal(m_, var.type)) head.dependents.push_back(name);
    }
    if (ir::reachesReal(m_, f.result)) {
      ir::HeadName name;
      name.spelling = "return";
      name.isReturn = true;
      head.dependents.push_back(name);
    }
    if (!head.independents.empty() && !head.dependents.empty()) return true;
    diags_.report(DiagId::HeadNotReal, parsed.loc,
                  {head.independents.empty() ? "what it is given" : "what it returns or writes", parsed.text});
    return false;
  }

  bool resolveName(const ParsedHead& parsed, const ParsedName& name, Role role, const ir::Function& f,
                   std::vector<ir::HeadName>& names) {
    ir::HeadName found;
    found.spelling = name.spelling;
    const ir::SourceLoc at = place(parsed, name);
    ir::TypeId type;
    bool isWritable = true;
    if (name.spelling == "return") {
      if (role == Role::Independent) {
        diags_.report(DiagId::HeadSyntax, at, {parsed.text, "'return' can't be an independent"});
        return false;
      }
      found.isReturn = true;
      type = f.result;
    } else {
      type = findParameter(f, name.spelling, found, isWritable);
      if (!type.valid()) type = findGlobal(f, name.spelling, found, isWritable);
      if (!type.valid()) {
        diags_.report(DiagId::HeadNoParameter, at, {name.spelling, parsed.text});
        noteParameters(f);
        return false;
      }
    }
    if (!ir::reachesReal(m_, type)) {
      diags_.report(DiagId::HeadNotReal, at, {name.spelling, parsed.text});
      return false;
    }
    if (role == Role::Dependent && !isWritable) {
      diags_.report(DiagId::HeadNotWritten, at, {name.spelling, parsed.text, "it is const, or a copy that no caller sees"});
      return false;
    }
    for (const ir::HeadName& other : names)
      if (other.spelling == found.spelling) {
        diags_.report(DiagId::HeadSyntax, at, {parsed.text, "'" + name.spelling + "' is named twice"});
        return false;
      }
    names.push_back(found);
    return true;
  }

  void noteParameters(const ir::Function& f) {
    std::vector<std::string> names;
    for (std::size_t k = f.isMethod ? 1 : 0; k < f.params.size(); ++k) names.push_back(f[f.params[k]].name);
    diags_.note(f.loc, "'" + headPath(f) + "' is here; " +
                           (names.empty() ? "it has no parameters" : "its parameters are " + joined(names, ", ")));
  }

  // The type of `p.member.member`, where p is a parameter; none if there is no such thing.
  ir::TypeId findParameter(const ir::Function& f, const std::string& spelling, ir::HeadName& found, bool& isWritable) {
    std::size_t at = std::min(spelling.find('.'), spelling.size());
    const std::string first = spelling.substr(0, at);
    for (std::size_t k = 0; k < f.params.size(); ++k)
      if (f.isMethod && k == 0 ? first == "this" : f[f.params[k]].name == first) found.param = static_cast<int>(k);
    if (found.param < 0) return {};
    ir::TypeId type = f[f.params[static_cast<std::size_t>(found.param)]].type;
    isWritable = ir::writableReal(m_, type);
    while (at < spelling.size()) {
      const std::size_t end = std::min(spelling.find('.', at + 1), spelling.size());
      const std::string member = spelling.substr(at + 1, end - at - 1);
      at = end;
      bool reachedConst = false;
      type = throughPointers(type, reachedConst);
      const auto* record = ir::as<ir::RecordType>(m_, type);
      if (!record) return {};
      const std::vector<ir::Field>& fields = m_[record->record].fields;
      const auto field = std::find_if(fields.begin(), fields.end(), [&](const ir::Field& x) { return x.name == member; });
      if (field == fields.end()) return {};
      found.fields.push_back(static_cast<unsigned>(field - fields.begin()));
      type = field->type;
      // A member is written through its own pointer, or because the record that holds it may be written.
      isWritable = ir::writableReal(m_, type) || (isWritable && !reachedConst && ir::holdsReal(m_, type));
    }
    return type;
  }

  ir::TypeId throughPointers(ir::TypeId type, bool& isConst) const {
    for (;;) {
      if (const auto* p = ir::as<ir::PointerType>(m_, type))
        type = p->pointee;
      else if (const auto* r = ir::as<ir::ReferenceType>(m_, type))
        type = r->pointee;
      else
        break;
      isConst = m_[type].isConst;
    }
    return type;
  }

  // A global is named from the function's own namespaces outwards.
  ir::TypeId findGlobal(const ir::Function& f, const std::string& spelling, ir::HeadName& found, bool& isWritable) {
    std::vector<std::string> scope;
    for (const std::string& part : f.namespaces)
      if (!part.empty()) scope.push_back(part);
    if (!f.recordName.empty()) scope.push_back(f.recordName);
    const std::string plain = spelling.compare(0, 2, "::") == 0 ? spelling.substr(2) : spelling;
    for (;;) {
      const std::string wanted = scope.empty() ? plain : joined(scope, "::") + "::" + plain;
      for (std::uint32_t k = 0; k < m_.globals.size(); ++k) {
        const ir::Global& g = m_.globals[k];
        if (g.isLocalStatic || headPath(g) != wanted) continue;
        found.param = -1;
        found.global = ir::GlobalId(k);
        isWritable = !m_[g.type].isConst || ir::writableReal(m_, g.type);
        return g.type;
      }
      if (scope.empty()) return {};
      scope.pop_back();
    }
  }

  ir::Module& m_;
  Diagnostics& diags_;
};

bool sameNames(const std::vector<ir::HeadName>& a, const std::vector<ir::HeadName>& b) {
  if (a.size() != b.size()) return false;
  for (const ir::HeadName& x : a)
    if (std::none_of(b.begin(), b.end(), [&](const ir::HeadName& y) { return x.spelling == y.spelling; })) return false;
  return true;
}

// Adds the head, unless the same stands there. Two different ones of one function would need two functions of one name.
bool addHead(ir::Module& module, const ir::Head& head, Diagnostics& diags) {
  for (const ir::Head& other : module.heads) {
    if (other.mode != head.mode || other.function != head.function || !other.ofDerivative.empty()) continue;
    if (sameNames(other.independents, head.independents) && sameNames(other.dependents, head.dependents)) return true;
    diags.report(DiagId::HeadTwice, head.loc, {head.text, other.text});
    diags.note(other.loc, "the other one is here");
    return false;
  }
  module.heads.push_back(head);
  return true;
}

// The suffix that a head's derivative has.
const char* suffix(ir::HeadMode mode) { return mode == ir::HeadMode::Adjoint ? "_b" : "_d"; }

// True if one of the heads makes a derivative of this name, and the program has no function of that name itself.
bool namesDerivative(const std::string& function, const std::vector<ParsedHead>& parsed, const ir::Module& module) {
  for (const ir::Function& f : module.functions)
    if (f.hasBody && f.kind == ir::FunctionKind::Primal && headPath(f) == function) return false;
  for (const ParsedHead& head : parsed)
    if (!head.path.empty() && head.function() + suffix(head.mode) == function) return true;
  for (const ir::Head& head : module.heads)
    if (head.function.valid() && headPath(module[head.function]) + suffix(head.mode) == function) return true;
  return false;
}

}  // namespace

bool resolveHeads(const std::vector<ParsedHead>& parsed, ir::Module& module, Diagnostics& diags) {
  Resolver resolver(module, diags);
  bool ok = true;
  const std::vector<ir::Head> annotated = std::move(module.heads);
  module.heads.clear();
  for (ir::Head head : annotated) {
    const std::optional<ParsedHead> names = parseHeadNames(head.mode, head.text, head.loc, diags);
    ok &= names && resolver.resolveNames(*names, head) && addHead(module, head, diags);
  }
  for (const ParsedHead& request : parsed) {
    ir::Head head;
    head.mode = request.mode;
    head.text = request.text;
    head.loc = request.loc;
    if (namesDerivative(request.function(), parsed, module)) {
      if (request.mode == ir::HeadMode::Adjoint) {
        diags.report(DiagId::HeadOfDerivative, request.loc, {request.text});
        ok = false;
        continue;
      }
      head.ofDerivative = request.function();
      module.heads.push_back(head);
      continue;
    }
    head.function = resolver.findFunction(request, /*derivative=*/false);
    ok &= head.function.valid() && resolver.resolveNames(request, head) && addHead(module, head, diags);
  }
  return ok;
}

bool resolveHeadsOfDerivatives(const std::vector<ParsedHead>& parsed, ir::Module& module, Diagnostics& diags) {
  Resolver resolver(module, diags);
  bool ok = true;
  for (ir::Head& head : module.heads) {
    if (head.ofDerivative.empty() || head.function.valid()) continue;
    const auto request = std::find_if(parsed.begin(), parsed.end(), [&](const ParsedHead& p) {
      return p.mode == head.mode && p.text == head.text && p.loc.line == head.loc.line;
    });
    if (request == parsed.end()) continue;
    head.function = resolver.findFunction(*request, /*derivative=*/true);
    ok &= head.function.valid() && resolver.resolveNames(*request, head);
  }
  return ok;
}

}  // namespace contraflow::driver
