// libFuzzer's target for the texts that a user writes and this program reads itself: heads, annotations and --check-arg. The first
// byte says which. Each is read, looked up in a small module, and what is wrong is printed, with its caret.
#include <cstddef>
#include <cstdint>
#include <string>

#include "diagnostics/diagnostics.hpp"
#include "driver/check_arguments.hpp"
#include "driver/heads.hpp"
#include "frontend/annotation_text.hpp"

using namespace contraflow;

namespace {

ir::FuncId addFunction(ir::Module& m, const std::string& name, std::vector<std::string> namespaces, ir::TypeId result,
                       const std::vector<std::pair<std::string, ir::TypeId>>& params) {
  ir::Function f;
  f.name = f.key = name;
  f.namespaces = std::move(namespaces);
  f.hasBody = true;
  f.result = result;
  for (const auto& [paramName, type] : params) {
    ir::Var var;
    var.name = paramName;
    var.type = type;
    var.kind = ir::VarKind::Parameter;
    f.params.push_back(f.addVar(var));
  }
  return m.addFunction(std::move(f));
}

// f, two overloads of ns::g, a method State::h, and a global.
ir::Module module() {
  ir::Module m;
  const ir::TypeId real = m.type(ir::RealType{ir::RealKind::Double}), number = m.type(ir::IntType{32, true, "int"});
  const ir::TypeId pointer = m.type(ir::PointerType{real});
  ir::Record state;
  state.name = "State";
  state.fields.push_back({"u", real, false, "", false});
  state.fields.push_back({"p", pointer, false, "", false});
  m.records.push_back(state);
  const ir::TypeId reference = m.type(ir::ReferenceType{m.type(ir::RecordType{ir::RecordId(0)}), false});
  addFunction(m, "f", {}, real, {{"x", real}, {"s", reference}, {"n", number}});
  addFunction(m, "g", {"ns"}, real, {{"k", pointer}, {"n", number}});
  addFunction(m, "g", {"ns"}, real, {{"k", real}});
  m[addFunction(m, "h", {}, real, {{"self", reference}, {"x", real}})].isMethod = true;
  m.functions.back().recordName = "State";
  ir::Global global;
  global.name = global.key = "g";
  global.type = real;
  m.addGlobal(global);
  return m;
}

// As the driver does with a head of the command line.
void readHead(ir::HeadMode mode, const std::string& text) {
  ir::Module m = module();
  Diagnostics diags(m);
  ir::SourceFile file;
  file.path = "<command line>";
  file.text = "--adjoint '" + text + "'\n";
  m.files.push_back(file);
  ir::SourceLoc at;
  at.file = 0;
  at.line = 1;
  at.column = 12;
  const auto head = driver::parseHead(mode, text, at, diags);
  if (head) driver::resolveHeads({*head}, m, diags);
  diags.flush();
}

void readAnnotation(const std::string& text) {
  std::string why;
  const auto parts = frontend::splitAnnotation(text, why);
  if (!parts) return;
  ir::Module m = module();
  Diagnostics diags(m);
  ir::SourceFile file;
  file.text = "#pragma contraflow " + text + "\n";
  m.files.push_back(file);
  ir::Head head;
  head.mode = ir::HeadMode::Adjoint;
  head.function = ir::FuncId(0);
  head.text = parts->argument;
  head.loc.file = 0;
  head.loc.line = 1;
  head.loc.column = 20 + static_cast<std::uint32_t>(parts->argumentOffset);
  m.heads.push_back(head);
  driver::resolveHeads({}, m, diags);
  diags.flush();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  text = text.substr(0, text.find('\0'));  // no argument of a command line goes on behind it
  for (char& c : text)
    if (c == '\n') c = ' ';  // the driver does that, and a pragma has one line
  std::string why;
  switch (data[0] % 4) {
    case 0: readHead(ir::HeadMode::Adjoint, text); break;
    case 1: readHead(ir::HeadMode::Tangent, text); break;
    case 2: readAnnotation(text); break;
    default: driver::parseCheckArgument(text, why); break;
  }
  return 0;
}
