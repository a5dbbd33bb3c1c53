// The MPI part of StmtWriter: the call of the user's routine, or of its counterpart in contraflow::mpi. The shadows of a buffer
// stand right behind it; the tape comes last.
#include "emit/stmt_writer.hpp"
#include "ir/check.hpp"
#include "ir/printer.hpp"
#include "rules/mpi.hpp"

namespace contraflow::emit {

using namespace ir;

namespace {

// A receive that takes any tag could take a derivative message. Where the tag isn't a number, nobody knows.
bool mayTakeAnyTag(const Function& f, const Mpi& s) {
  const rules::MpiRow& row = rules::mpiRow(s.op);
  bool receives = false;
  for (rules::Role role : row.roles) receives = receives || (rules::isBuffer(role) && rules::isWritten(role));
  for (std::size_t i = 0; receives && i < s.args.size() && i < row.roles.size(); ++i) {
    if (row.roles[i] != rules::Role::Tag && row.roles[i] != rules::Role::RecvTag) continue;
    ExprId tag = s.args[i];
    while (const auto* c = std::get_if<Cast>(&f[tag].node)) tag = c->operand;
    const auto* number = std::get_if<Literal>(&f[tag].node);
    return !number || number->text.find_first_not_of("0123456789") != std::string::npos;
  }
  return false;
}

}  // namespace

void StmtWriter::mpi(const Mpi& s) {
  const rules::MpiRow& row = rules::mpiRow(s.op);
  const char* suffix = "";
  std::size_t shadowsPerBuffer = 0;
  bool hasArgs = true, hasTape = false;
  switch (s.part) {
    case MpiPart::Primal: break;
    case MpiPart::Tangent:
      suffix = "_d";
      shadowsPerBuffer = 1;
      break;
    case MpiPart::Forward:
      suffix = "_fwd";
      shadowsPerBuffer = 1;
      hasTape = true;
      break;
    case MpiPart::Reverse:
      suffix = "_rev";
      hasArgs = false;
      hasTape = true;
      break;
    case MpiPart::ForwardTangent:
      suffix = "_fwd_d";
      shadowsPerBuffer = 3;
      hasTape = true;
      break;
    case MpiPart::ReverseTangent:
      suffix = "_rev_d";
      hasArgs = false;
      hasTape = true;
      break;
  }
  if (s.part != MpiPart::Primal && row.snake.empty())
    internalError("emit", qualifiedName(f_), row.name + " has no derivative");
  std::string args;
  const auto add = [&](const std::string& text) { args += (args.empty() ? "" : ", ") + text; };
  std::size_t shadow = 0;
  for (std::size_t i = 0; hasArgs && i < s.args.size(); ++i) {
    add(expr_.converted(s.args[i]));
    if (i >= row.roles.size() || !rules::isBuffer(row.roles[i])) continue;
    for (std::size_t k = 0; k < shadowsPerBuffer; ++k, ++shadow) {
      const bool there = shadow < s.shadows.size() && s.shadows[shadow].valid();
      add(there ? expr_.converted(s.shadows[shadow]) : "nullptr");
    }
  }
  if (hasTape) add(name(s.tape));
  const bool user = s.part == MpiPart::Primal && !mayTakeAnyTag(f_, s);
  const std::string function = user ? row.name : "contraflow::mpi::" + row.snake + suffix;
  line((s.result.valid() ? expr_.place(s.result) + " = " : "") + function + "(" + args + ");");
}

}  // namespace contraflow::emit
