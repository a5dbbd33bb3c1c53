// Where generated files go, and writing them: all of them whole, or none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnostics/diagnostics.hpp"
#include "driver/options.hpp"

namespace contraflow::driver {

struct OutputPaths {
  std::string source, header;
};

// One pair for each source, in order: -o FILE and FILE with the ending .hpp; or NAME_ad.cpp and NAME_ad.hpp in --out-dir or the
// current folder. Reports two outputs of one name, and an output that would replace a source; then none.
std::optional<std::vector<OutputPaths>> outputPaths(const Options& options, Diagnostics& diags);

struct TextFile {
  std::string path, text;
};

// The rule of a Makefile: the outputs depend on everything that was read.
std::string dependencyRule(const std::vector<std::string>& outputs, const std::vector<std::string>& dependencies);

// Writes each file beside its place and renames them when all are written. Folders aren't made. Where one can't be written, it is reported
// (CannotWrite), all that was made is removed, and the result is false.
bool writeFiles(const std::vector<TextFile>& files, Diagnostics& diags);

}  // namespace contraflow::driver
