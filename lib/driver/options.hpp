// The command line as data. What asks about the tool itself (--help, --version, --cflags, --libs) is answered in tool/main.cpp.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/check_arguments.hpp"
#include "ir/module.hpp"

namespace contraflow::driver {

enum class Report { None, Text, Json };
enum class Recompute { Auto, Never, Always };
enum class OmpAdjoint { Auto, Atomic };

struct HeadOption {
  ir::HeadMode mode;
  std::string text;  // "misfit(conductivity -> return)"
};

struct Options {
  std::vector<std::string> sources;
  std::vector<HeadOption> heads;            // in the order of the command line
  std::vector<std::string> compilerFlags;   // after `--`
  std::string databaseDir;                  // -p
  std::string outputFile, outputDir;        // -o, --out-dir: at most one of them
  std::string depfile;
  std::string checkFile;                    // --emit-check
  std::vector<CheckArgument> checkArguments;
  std::vector<std::string> checkIncludes;   // "plate.hpp", <cmath>
  Report report = Report::None;
  bool emitIr = false;
  std::string emitIrAfter;                  // a pass of the pipeline; empty: the last one that leaves IR
  bool analysis = true;                     // --no-analysis
  std::set<std::string> without;            // names of analyses, each in analysis::kAnalysisNames
  Recompute recompute = Recompute::Auto;
  OmpAdjoint ompAdjoint = OmpAdjoint::Auto;
  bool afterImage = true;
  bool noAlias = false;
  bool audit = false;
  bool checkLines = false;                  // --check-lines: the check says which line is wrong
  bool warningsAreErrors = false;
  bool suppressWarnings = false;
};

// The options that the arguments (without the program's name) spell. What is wrong with them is appended to `errors`, one
// sentence each; then the result is empty.
std::optional<Options> parseOptions(const std::vector<std::string>& arguments, std::vector<std::string>& errors);

}  // namespace contraflow::driver
