#include "emit/emit.hpp"

#include <algorithm>
#include <set>

#include "emit/format.hpp"
#include "emit/stmt_writer.hpp"
#include "ir/check.hpp"
#include "ir/printer.hpp"
#include "ir/walk.hpp"
#include "rules/rules.hpp"

namespace contraflow::emit {

using namespace ir;

namespace {

// Text in which consecutive pieces of one namespace share its braces.
class NamespacedText {
 public:
  void add(const std::vector<std::string>& namespaces, const std::string& text) {
    if (namespaces != open_) {
      const bool wasOpen = !open_.empty();
      close();
      if (!wasOpen && !out_.empty()) out_ += "\n";
      for (const std::string& ns : namespaces) out_ += ns.empty() ? "namespace {\n" : "namespace " + ns + " {\n";
      if (!namespaces.empty()) out_ += "\n";
      open_ = namespaces;
    }
    out_ += text;
  }
  std::string finish() {
    close();
    return std::move(out_);
  }

 private:
  void close() {
    if (!open_.empty()) out_ += "\n";
    for (std::size_t i = open_.size(); i-- > 0;) out_ += open_[i].empty() ? "}  // namespace\n" : "}  // namespace " + open_[i] + "\n";
    if (!open_.empty()) out_ += "\n";
    open_.clear();
  }
  std::vector<std::string> open_;
  std::string out_;
};

std::string edited(const SourceFile& file) {
  std::vector<TextEdit> edits = file.edits;
  std::stable_sort(edits.begin(), edits.end(), [](const TextEdit& a, const TextEdit& b) { return a.begin < b.begin; });
  std::string out;
  std::size_t at = 0;
  for (const TextEdit& e : edits) {
    if (e.begin < at || e.end < e.begin || e.end > file.text.size())
      internalError("emit", file.path, "edits of the original text overlap");
    out += file.text.substr(at, e.begin - at) + e.replacement;
    at = e.end;
  }
  return out + file.text.substr(at);
}

// <cmath> and <algorithm> where the functions call them: the user's text may have included <math.h>, or neither.
std::string libraryIncludes(const Module& m, const std::vector<FuncId>& functions) {
  std::set<std::string> headers;
  for (FuncId id : functions)
    walkExprs(m[id], m[id].body, [&](ExprId e) {
      const auto* call = std::get_if<MathCall>(&m[id][e].node);
      if (!call) return;
      const bool choice = call->function == "min" || call->function == "max" || call->function == "clamp";
      headers.insert(choice ? "algorithm" : "cmath");
    });
  std::string out;
  for (const std::string& h : headers) out += "#include <" + h + ">\n";
  return out;
}

std::string runtimeIncludes(const EmitOptions& options) {
  return std::string("#include \"contraflow/runtime.hpp\"\n") + (options.usesMpi ? "#include \"contraflow/mpi.hpp\"\n" : "") +
         (options.audit ? "#include \"contraflow/audit.hpp\"\n" : "") + (options.trace ? "#include \"contraflow/trace.hpp\"\n" : "") +
         (options.usesFiles ? "#include \"contraflow/snapshot_files.hpp\"\n" : "") +
         (options.usesRestart ? "#include \"contraflow/restart.hpp\"\n" : "");
}

std::string globalText(const Module& m, const Global& g, bool isDefinition) {
  const std::string linkage = !isDefinition ? "extern " : g.linkage == Linkage::Internal ? "static " : "";
  const TypeId type = g.type;
  const bool isObject = as<RecordType>(m, type) || as<ContainerType>(m, type);
  return linkage + spell(m, type, g.name) + (isDefinition ? (isObject ? "{}" : " = {}") : "") + ";\n";
}

// Records of the source file that a signature names behind a pointer or a reference; those used by value are for the user to
// put into a header.
void recordsOf(const Module& m, TypeId t, bool behindPointer, std::set<RecordId>& seen, std::vector<RecordId>& order) {
  if (const auto* p = as<PointerType>(m, t)) return recordsOf(m, p->pointee, true, seen, order);
  if (const auto* r = as<ReferenceType>(m, t)) return recordsOf(m, r->pointee, true, seen, order);
  if (const auto* a = as<ArrayType>(m, t)) return recordsOf(m, a->element, behindPointer, seen, order);
  if (const auto* c = as<ContainerType>(m, t)) return recordsOf(m, c->element, behindPointer, seen, order);
  if (const auto* r = as<RecordType>(m, t))
    if (m[r->record].inMainFile && seen.insert(r->record).second) order.push_back(r->record);
}

// A record's name inside its namespaces: with the classes around it.
std::string nameInside(const Record& record) {
  std::string prefix;
  for (const std::string& ns : record.namespaces)
    if (!ns.empty()) prefix += ns + "::";
  return record.name.compare(0, prefix.size(), prefix) == 0 ? record.name.substr(prefix.size()) : record.name;
}

// The source's own includes, for the types of the signatures. A header that lies beside the source is found from there alone; whoever
// includes the generated header from elsewhere has declared the types already, or doesn't need them. The macros that the source defines
// before an include hold up to the last one; whoever includes the generated header keeps their own.
std::string sourceIncludes(const SourceFile& file) {
  const auto startsWith = [](const std::string& line, const char* with) { return line.rfind(with, 0) == 0; };
  std::size_t last = file.includes.size();
  while (last > 0 && !startsWith(file.includes[last - 1], "#include")) --last;
  std::string out = last == 0 ? "" : "\n", behind;
  std::set<std::string> macros;
  for (std::size_t i = 0; i < last; ++i) {
    const std::string& line = file.includes[i];
    const std::string include = line + (line.empty() || line.back() != '\n' ? "\n" : "");
    const std::size_t quote = include.find('"');
    if (!startsWith(line, "#include")) {
      const std::size_t begin = line.find(' ') + 1;
      const std::string name = line.substr(begin, line.find_first_of(" (\t\\\n", begin) - begin);
      if (macros.insert(name).second) {
        out += "#pragma push_macro(\"" + name + "\")\n";
        behind += "#pragma pop_macro(\"" + name + "\")\n";
      }
      out += startsWith(line, "#define") ? "#undef " + name + "\n" + include : include;
    } else if (quote == std::string::npos) {
      out += include;
    } else {
      out += "#if __has_include(" + include.substr(quote, include.find('"', quote + 1) + 1 - quote) + ")\n" + include + "#endif\n";
    }
  }
  return out + behind;
}

std::string headerText(const Module& m, const EmitUnit& unit, const EmitOptions& options) {
  const SourceFile& file = m.files[unit.file];
  std::string out = "// Generated by contraflow from " + file.path + ".\n#pragma once\n\n" + runtimeIncludes(options);
  out += sourceIncludes(file) + "\n";
  std::set<RecordId> seen;
  std::vector<RecordId> order;
  for (FuncId id : unit.exported) {
    recordsOf(m, m[id].result, false, seen, order);
    for (VarId p : m[id].params) recordsOf(m, m[id][p].type, false, seen, order);
  }
  for (GlobalId g : unit.globals)
    if (m[g].linkage == Linkage::External) recordsOf(m, m[g].type, false, seen, order);
  NamespacedText text;
  for (RecordId id : order) {
    const std::string own = nameInside(m[id]);
    if (own.find_first_of("<( :") != std::string::npos) continue;  // an instantiation, unnamed or a class's: no plain declaration
    text.add(m[id].namespaces, (m[id].isClass ? "class " : "struct ") + own + ";\n");
  }
  // Shadows of globals that other files see: the caller seeds and reads them.
  for (GlobalId g : unit.globals)
    if (m[g].linkage == Linkage::External) text.add(m[g].namespaces, globalText(m, m[g], false));
  for (FuncId id : unit.exported) text.add(m[id].namespaces, declarationText(m, id, false) + "\n");
  return formatCode(out + text.finish(), options.sourceFolder + "/" + options.headerName);
}

std::string generatedText(const Module& m, const EmitUnit& unit, const EmitOptions& options) {
  std::string out = libraryIncludes(m, unit.functions) + runtimeIncludes(options);
  out += "\n// Generated by contraflow: the derivatives that " + options.headerName + " declares.\n\n";
  out += accessFunctions(m, unit.functions, recordsToZero(m, unit.functions));
  NamespacedText text;
  for (GlobalId g : unit.externalGlobals) text.add(m[g].namespaces, globalText(m, m[g], false));
  for (GlobalId g : unit.globals) text.add(m[g].namespaces, globalText(m, m[g], true));
  for (FuncId f : unit.external) text.add(m[f].namespaces, declarationText(m, f, true) + "\n");
  for (FuncId f : unit.functions) text.add(m[f].namespaces, declarationText(m, f, true) + "\n");
  out += text.finish() + "\n";
  NamespacedText definitions;
  for (RecordId r : recordsToZero(m, unit.functions)) definitions.add(m[r].namespaces, zeroFunction(m, r));
  for (FuncId f : unit.functions) definitions.add(m[f].namespaces, functionText(m, f) + "\n");
  std::string body = definitions.finish();
  while (!body.empty() && body.back() == '\n') body.pop_back();
  return formatCode(out + body + "\n", options.sourceFolder + "/" + options.headerName);
}

}  // namespace

std::string functionText(const Module& m, FuncId f) { return StmtWriter(m, m[f]).definition(); }

std::string declarationText(const Module& m, FuncId f, bool withLinkage) {
  return StmtWriter(m, m[f]).signature(withLinkage, false) + ";";
}

OutputText emitUnit(const Module& m, const EmitUnit& unit, const EmitOptions& options) {
  std::string source = edited(m.files[unit.file]);
  if (!source.empty() && source.back() != '\n') source += "\n";
  if (!source.empty()) source += "\n";
  return {source + generatedText(m, unit, options), headerText(m, unit, options)};
}

}  // namespace contraflow::emit
