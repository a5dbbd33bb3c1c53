#include "emit/names.hpp"

#include <cctype>

#include "ir/check.hpp"
#include "ir/printer.hpp"
#include "ir/walk.hpp"

namespace contraflow::emit {

using namespace ir;

namespace {

// The first identifier of a text: `std` of `std::sin`.
std::string firstIdentifier(const std::string& text) {
  std::size_t n = 0;
  while (n < text.size() && (std::isalnum(static_cast<unsigned char>(text[n])) || text[n] == '_')) ++n;
  return n > 0 && !std::isdigit(static_cast<unsigned char>(text[0])) ? text.substr(0, n) : "";
}

// What an identifier may hold of a name: `Constants_weight_seed` of `Constants::weight_seed`.
std::string identifier(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool fits = std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    if (fits || out.empty() || out.back() != '_') out += fits ? c : '_';
  }
  return out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) ? "unnamed" + out : out;
}

}  // namespace

bool isKeyword(const std::string& word) {
  static const std::set<std::string> kWords = {
      "alignas",     "alignof",   "and",        "and_eq",    "asm",      "auto",         "bitand",
      "bitor",       "bool",      "break",      "case",      "catch",    "char",         "char8_t",
      "char16_t",    "char32_t",  "class",      "compl",     "concept",  "const",        "consteval",
      "constexpr",   "constinit", "const_cast", "continue",  "co_await", "co_return",    "co_yield",
      "decltype",    "default",   "delete",     "do",        "double",   "dynamic_cast", "else",
      "enum",        "explicit",  "export",     "extern",    "false",    "float",        "for",
      "friend",      "goto",      "if",         "inline",    "int",      "long",         "mutable",
      "namespace",   "new",       "noexcept",   "not",       "not_eq",   "nullptr",      "operator",
      "or",          "or_eq",     "private",    "protected", "public",   "register",     "reinterpret_cast",
      "requires",    "return",    "short",      "signed",    "sizeof",   "static",       "static_assert",
      "static_cast", "struct",    "switch",     "template",  "this",     "thread_local", "throw",
      "true",        "try",       "typedef",    "typeid",    "typename", "union",        "unsigned",
      "using",       "virtual",   "void",       "volatile",  "wchar_t",  "while",        "xor",
      "xor_eq"};
  return kWords.count(word) != 0;
}

std::string qualified(const std::vector<std::string>& namespaces, const std::string& name,
                      const std::vector<std::string>& from) {
  const auto path = [](const std::vector<std::string>& all) {
    std::string out;
    for (const std::string& ns : all)
      if (!ns.empty()) out += ns + "::";
    return out;
  };
  const std::string own = path(namespaces), here = path(from);
  if (own == here) return name;
  // A namespace on the way may have the name, too.
  return (here.empty() ? "" : "::") + own + name;
}

std::string qualifiedCallee(const std::string& callee, const std::vector<std::string>& from) {
  const bool plain = firstIdentifier(callee) == callee && callee.rfind("__", 0) != 0;
  return plain ? qualified({}, callee, from) : callee;
}

Names::Names(const Module& module, const Function& function) : m_(module), f_(function), names_(function.vars.size()) {
  collectReserved();
  open();
  for (VarId p : f_.params) declare(p);
  block(f_.body);
  close();
  // Variables that are nowhere declared print under their own names; the verifier tells of them.
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (names_[i].empty()) names_[i] = f_.vars[i].name;
}

void Names::collectReserved() {
  reserved_ = {"std", "contraflow"};
  const auto reserve = [&](const std::vector<std::string>& namespaces, const std::string& name) {
    reserved_.insert(firstIdentifier(qualified(namespaces, name, f_.namespaces)));
  };
  walkStmts(f_, f_.body, [&](StmtId id) {
    if (const auto* call = std::get_if<Call>(&f_[id].node)) {
      const Function& callee = m_[call->callee];
      if (!callee.isMethod || callee.kind != FunctionKind::Primal) reserve(callee.namespaces, callee.name);
    }
  });
  walkExprs(f_, f_.body, [&](ExprId id) {
    if (const auto* global = std::get_if<GlobalRef>(&f_[id].node)) {
      const Global& g = m_[global->global];
      reserve(g.namespaces, g.isLocalStatic ? g.hoistedName : g.name);
    } else if (const auto* call = std::get_if<PureCall>(&f_[id].node)) {
      reserved_.insert(firstIdentifier(qualifiedCallee(call->callee, f_.namespaces)));
    } else if (const auto* literal = std::get_if<Literal>(&f_[id].node)) {
      reserved_.insert(firstIdentifier(literal->text));
    }
  });
  reserved_.erase("");
}

std::string Names::pick(const std::string& wish, bool everywhere) const {
  const auto taken = [&](const std::string& name) {
    return isKeyword(name) || reserved_.count(name) || (everywhere ? all_.count(name) != 0 : inScope_.count(name) != 0);
  };
  std::string name = wish;
  for (unsigned n = 2; taken(name); ++n) name = wish + "_" + std::to_string(n);
  return name;
}

std::string Names::fresh(const std::string& wish) {
  for (const Var& v : f_.vars) all_.insert(v.name);
  const std::string name = pick(wish, true);
  all_.insert(name);
  return name;
}

void Names::declare(VarId v) {
  std::string& name = names_[v.index()];
  const std::string wish = identifier(f_[v].name);
  if (name.empty())
    name = pick(wish, false);
  else if (inScope_.count(name))
    name = pick(wish, true);  // declared in a second place, where the first name means something else
  all_.insert(name);
  ++inScope_[name];
  scopes_.back().push_back(name);
}

void Names::close() {
  for (const std::string& name : scopes_.back())
    if (--inScope_[name] == 0) inScope_.erase(name);
  scopes_.pop_back();
}

void Names::copies(const DataSharing& data) {
  ir::detail::copyLists(data, [&](const std::vector<CopyOf>& list) {
    for (const CopyOf& c : list) {
      const ExprNode& original = f_[c.original].node;
      if (const auto* var = std::get_if<VarRef>(&original))
        names_[c.copy.index()] = names_[var->var.index()];
      else if (const auto* global = std::get_if<GlobalRef>(&original))
        names_[c.copy.index()] = qualified(m_[global->global].namespaces, m_[global->global].name, f_.namespaces);
      else
        internalError("emit", qualifiedName(f_), "an OpenMP clause can't name '" + print(m_, f_, c.original) + "'");
    }
  });
}

void Names::block(const Block& body) {
  for (StmtId id : body) stmt(id);
}

void Names::stmt(StmtId id) {
  const Stmt& s = f_[id];
  if (std::holds_alternative<Declare>(s.node) || std::holds_alternative<TapeBlock>(s.node)) {
    forEachDeclaredVar(s, [&](VarId v) { declare(v); });
    return;
  }
  open();
  if (const auto* loop = std::get_if<For>(&s.node)) declare(loop->counter);
  if (const auto* o = std::get_if<OmpParallel>(&s.node)) copies(o->data);
  if (const auto* o = std::get_if<OmpFor>(&s.node)) copies(o->data);
  if (const auto* o = std::get_if<OmpSimd>(&s.node)) copies(o->data);
  if (const auto* o = std::get_if<OmpSingle>(&s.node)) copies(o->data);
  // The two blocks of a While are printed into one scope; those of an If are apart.
  const bool together = std::holds_alternative<While>(s.node);
  forEachBlockOfStmt(s, [&](const Block& body) {
    if (!together) open();
    block(body);
    if (!together) close();
  });
  if (const StmtId loop = loopOf(s)) stmt(loop);
  close();
}

}  // namespace contraflow::emit
