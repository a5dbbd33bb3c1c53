// What the program says to its user: one list of messages (diagnostics.def), each with a stable code. Printed in clang's
// format with the source line and a caret, through llvm::SourceMgr. A step that fails has reported why; the driver asks
// `errors()`.
#pragma once

#include <string>
#include <vector>

#include "ir/module.hpp"

namespace contraflow {

enum class Severity { Error, Warning, Remark };

enum class DiagId {
#define DIAG(ID, SEVERITY, CODE, TEXT, WAYOUT) ID,
#include "diagnostics/diagnostics.def"
#undef DIAG
};

class Diagnostics {
 public:
  // Files are looked up in `module.files` when a message is printed.
  explicit Diagnostics(const ir::Module& module) : module_(&module) {}

  // `%0`, `%1` … in the message and its way out are replaced by `args`. A location that isn't valid prints "contraflow: error: …".
  // The same message at the same place is printed once.
  void report(DiagId id, ir::SourceLoc at, const std::vector<std::string>& args = {});
  // A note that belongs to the last message, for a second place.
  void note(ir::SourceLoc at, const std::string& text);
  // Prints what was reported so far, sorted by place, and forgets it (the counts stay).
  void flush();

  unsigned errors() const { return errors_; }
  void warningsAreErrors(bool yes) { warningsAreErrors_ = yes; }
  void suppressWarnings(bool yes) { noWarnings_ = yes; }

 private:
  struct Note {
    ir::SourceLoc at;
    std::string text;
  };
  struct Message {
    DiagId id;
    Severity severity;
    ir::SourceLoc at;
    std::string text;
    std::vector<Note> notes;
  };
  const ir::Module* module_;
  std::vector<Message> pending_;
  std::vector<std::string> seen_;
  unsigned errors_ = 0;
  bool warningsAreErrors_ = false;
  bool noWarnings_ = false;
};

// "CF1002": stable, the name of the page in docs/diagnostics/.
std::string code(DiagId id);

}  // namespace contraflow
