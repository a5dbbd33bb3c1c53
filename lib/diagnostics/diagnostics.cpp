#include "diagnostics/diagnostics.hpp"

#include <algorithm>
#include <iterator>

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace contraflow {
namespace {

struct Row {
  Severity severity;
  int code;
  const char* text;
  const char* wayOut;
};
constexpr Row kRows[] = {
#define DIAG(ID, SEVERITY, CODE, TEXT, WAYOUT) {Severity::SEVERITY, CODE, TEXT, WAYOUT},
#include "diagnostics/diagnostics.def"
#undef DIAG
};

std::string substitute(const char* text, const std::vector<std::string>& args) {
  std::string out;
  for (const char* c = text; *c; ++c) {
    if (*c == '%' && c[1] >= '0' && c[1] <= '9') {
      const std::size_t k = static_cast<std::size_t>(*++c - '0');
      out += k < args.size() ? args[k] : "";
    } else {
      out += *c;
    }
  }
  return out;
}

// Prints one line of a message in clang's format, with the source line and the caret.
void print(const ir::Module& module, ir::SourceLoc at, llvm::SourceMgr::DiagKind kind, const std::string& text) {
  if (!at.valid() || at.file >= module.files.size() || module.files[at.file].text.empty()) {
    std::string where = "contraflow";
    if (at.valid() && at.file < module.files.size())
      where = module.files[at.file].path + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
    const char* word = kind == llvm::SourceMgr::DK_Error     ? "error"
                       : kind == llvm::SourceMgr::DK_Warning ? "warning"
                       : kind == llvm::SourceMgr::DK_Remark  ? "remark"
                                                             : "note";
    llvm::errs() << where << ": " << word << ": " << text << "\n";
    return;
  }
  const ir::SourceFile& file = module.files[at.file];
  llvm::SourceMgr sources;
  const unsigned buffer =
      sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(file.text, file.path), llvm::SMLoc());
  const llvm::SMLoc loc = sources.FindLocForLineAndColumn(buffer, at.line, std::max(1u, at.column));
  sources.PrintMessage(llvm::errs(), loc, kind, text);
}

}  // namespace

std::string code(DiagId id) { return "CF" + std::to_string(kRows[static_cast<std::size_t>(id)].code); }

void Diagnostics::report(DiagId id, ir::SourceLoc at, const std::vector<std::string>& args) {
  const Row& row = kRows[static_cast<std::size_t>(id)];
  Severity severity = row.severity;
  if (severity == Severity::Warning && noWarnings_) return;
  if (severity == Severity::Warning && warningsAreErrors_) severity = Severity::Error;
  const std::string text = substitute(row.text, args) + " [" + code(id) + "]";
  const std::string key = std::to_string(at.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + text;
  if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) return;
  seen_.push_back(key);
  if (severity == Severity::Error) ++errors_;
  pending_.push_back({id, severity, at, text, {{at, substitute(row.wayOut, args)}}});
}

void Diagnostics::note(ir::SourceLoc at, const std::string& text) {
  if (!pending_.empty()) pending_.back().notes.push_back({at, text});
}

void Diagnostics::flush() {
  std::stable_sort(pending_.begin(), pending_.end(), [](const Message& a, const Message& b) {
    return std::tie(a.at.file, a.at.line, a.at.column) < std::tie(b.at.file, b.at.line, b.at.column);
  });
  for (const Message& m : pending_) {
    const auto kind = m.severity == Severity::Error     ? llvm::SourceMgr::DK_Error
                      : m.severity == Severity::Warning ? llvm::SourceMgr::DK_Warning
                                                        : llvm::SourceMgr::DK_Remark;
    print(*module_, m.at, kind, m.text);
    for (const Note& n : m.notes)
      if (!n.text.empty()) print(*module_, n.at, llvm::SourceMgr::DK_Note, n.text);
  }
  pending_.clear();
}

}  // namespace contraflow
