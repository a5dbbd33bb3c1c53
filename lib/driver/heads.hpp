// Heads: `ns::f(double, int)(x, state.u -> return, y)`. First they are read (the front end has to know the functions' names to
// lower them), then, when the module is there, their names are looked up in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnostics/diagnostics.hpp"
#include "ir/module.hpp"

namespace contraflow::driver {

struct ParsedName {
  std::string spelling;      // "x", "state.u", "this.u", "ns::global", "return"
  std::uint32_t offset = 0;  // where it stands in the head's text
};

// A head as it is spelled; nothing of it is looked up.
struct ParsedHead {
  ir::HeadMode mode = ir::HeadMode::Adjoint;
  std::string text;
  ir::SourceLoc loc;                                     // where the text begins
  std::vector<std::string> path;                         // "ns", "Class", "f"; empty: the function is given otherwise
  std::optional<std::vector<std::string>> paramTypes;    // the overload picked
  std::vector<ParsedName> independents, dependents;
  bool all = false;                                      // no names: every real parameter and the result

  std::string function() const;  // "ns::Class::f"
};

// Reads a head of the command line. Reports HeadSyntax at the character that is wrong.
std::optional<ParsedHead> parseHead(ir::HeadMode mode, const std::string& text, ir::SourceLoc loc, Diagnostics& diags);
// Reads the head of an annotation, `x, state.u -> return` or nothing: the function is the one that it stands before.
std::optional<ParsedHead> parseHeadNames(ir::HeadMode mode, const std::string& text, ir::SourceLoc loc, Diagnostics& diags);

// Looks up the heads in the module. A head of an annotation stands in module.heads with its function and text already; it is
// completed. A head of the command line is added, unless the same is there. A head that names a derivative which another head
// of the run makes (`misfit_b(k -> k_b)`) gets only `ofDerivative`. Reports what isn't found; then false.
bool resolveHeads(const std::vector<ParsedHead>& parsed, ir::Module& module, Diagnostics& diags);

// The heads of `module.heads` with `ofDerivative`, looked up among the derivatives that are in the module now. False: reported.
bool resolveHeadsOfDerivatives(const std::vector<ParsedHead>& parsed, ir::Module& module, Diagnostics& diags);

}  // namespace contraflow::driver
