#include "driver/driver.hpp"

#include <algorithm>

#include "driver/nonsmooth_report.hpp"
#include "driver/report.hpp"
#include "driver/pipeline.hpp"
#include "ir/printer.hpp"
#include "ir/verifier.hpp"
#include "llvm/Support/raw_ostream.h"

namespace contraflow::driver {
namespace {

constexpr int kFailed = 1;
constexpr int kInternalError = 70;

// The heads of the command line, read, with a place in a file of their own, so that a message can point into them.
bool readHeads(Run& run) {
  ir::SourceFile commandLine;
  commandLine.path = "<command line>";
  std::uint32_t line = 0;
  bool ok = true;
  std::vector<std::pair<HeadOption, ir::SourceLoc>> found;
  for (HeadOption head : run.options.heads) {
    std::replace(head.text.begin(), head.text.end(), '\n', ' ');
    const std::string before = head.mode == ir::HeadMode::Adjoint ? "--adjoint '" : "--tangent '";
    commandLine.text += before + head.text + "'\n";
    ir::SourceLoc at;
    at.file = static_cast<std::uint32_t>(run.module.files.size());
    at.line = ++line;
    at.column = static_cast<std::uint32_t>(before.size()) + 1;
    found.emplace_back(head, at);
  }
  if (found.empty()) return true;
  run.module.files.push_back(std::move(commandLine));
  for (const auto& [head, at] : found) {
    const std::optional<ParsedHead> parsed = parseHead(head.mode, head.text, at, run.diags);
    if (parsed)
      run.heads.push_back(*parsed);
    else
      ok = false;
  }
  return ok;
}

// What the verifier finds after a pass is a fault of that pass.
bool verified(const Run& run, const Pass& pass) {
  const std::vector<std::string> faults = ir::verify(run.module);
  for (const std::string& fault : faults)
    llvm::errs() << "contraflow: internal error: after '" << pass.name << "': " << fault << "\n";
  if (!faults.empty())
    llvm::errs() << "contraflow: this is a fault of contraflow, not of your program; please report it with the source\n";
  return faults.empty();
}

// All outputs and the depfile.
bool write(Run& run) {
  std::vector<TextFile> files = run.outputs;
  if (!run.options.depfile.empty()) {
    std::vector<std::string> outputs;
    for (const TextFile& file : run.outputs) outputs.push_back(file.path);
    files.push_back({run.options.depfile, dependencyRule(outputs, run.module.dependencies)});
  }
  return writeFiles(files, run.diags);
}

int compile(Run& run) {
  const std::string wanted = run.options.emitIrAfter.empty() ? "simplify" : run.options.emitIrAfter;
  if (std::none_of(kPasses.begin(), kPasses.end(), [&](const Pass& p) { return p.name == wanted; })) {
    std::string all;
    for (const Pass& pass : kPasses) all += (all.empty() ? "" : ", ") + std::string(pass.name);
    run.diags.report(DiagId::CommandLine, {}, {"there is no pass '" + wanted + "'; there are " + all});
    return kFailed;
  }
  const auto paths = outputPaths(run.options, run.diags);
  if (!readHeads(run) || !paths) return kFailed;
  run.outputPaths = *paths;

  std::vector<std::string> nonSmooth;
  for (const Pass& pass : kPasses) {
    if (!pass.apply(run) || run.diags.errors() != 0) return kFailed;
    if (!verified(run, pass)) return kInternalError;
    // As lowered: later passes add calls of their own.
    if (run.options.report != Report::None && &pass == &kPasses.front()) nonSmooth = nonSmoothPlaces(run.module);
    if (run.options.emitIr && pass.name == wanted) {
      llvm::outs() << ir::print(run.module);
      return 0;
    }
  }
  if (!write(run)) return kFailed;
  if (run.options.report == Report::Text) llvm::outs() << reportText(run, nonSmooth);
  if (run.options.report == Report::Json) llvm::outs() << reportJson(run, nonSmooth);
  return 0;
}

}  // namespace

int run(const std::vector<std::string>& arguments, const Installation& installation) {
  std::vector<std::string> wrong;
  const std::optional<Options> options = parseOptions(arguments, wrong);
  if (!options) {
    const ir::Module none;
    Diagnostics diags(none);
    for (const std::string& sentence : wrong) diags.report(DiagId::CommandLine, {}, {sentence});
    diags.flush();
    return kFailed;
  }
  Run run(*options, installation);
  run.diags.warningsAreErrors(options->warningsAreErrors);
  run.diags.suppressWarnings(options->suppressWarnings);
  const int status = compile(run);
  run.diags.flush();
  return status;
}

}  // namespace contraflow::driver
