#include "driver/output.hpp"

#include <set>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

namespace contraflow::driver {
namespace {

// The path in one spelling, so that two names of one file are equal.
std::string absolute(const std::string& path) {
  llvm::SmallString<256> result(path);
  llvm::sys::fs::make_absolute(result);
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  llvm::SmallString<256> real;
  if (!llvm::sys::fs::real_path(result, real)) return std::string(real);
  return std::string(result);
}

OutputPaths pathsFor(const Options& options, const std::string& source) {
  llvm::SmallString<256> path;
  if (!options.outputFile.empty()) {
    path = options.outputFile;
  } else {
    path = options.outputDir;
    llvm::sys::path::append(path, llvm::sys::path::stem(source) + "_ad.cpp");
  }
  OutputPaths result;
  result.source = std::string(path);
  llvm::sys::path::replace_extension(path, ".hpp");
  result.header = std::string(path);
  return result;
}

std::string escaped(const std::string& path) {
  std::string result;
  for (char c : path) {
    if (c == ' ' || c == '#' || c == '\\') result += '\\';
    if (c == '$') result += '$';
    result += c;
  }
  return result;
}

bool writeText(const std::string& path, const std::string& text, std::string& why) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  if (!error) {
    stream << text;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  why = error.message();
  return !error;
}

}  // namespace

std::optional<std::vector<OutputPaths>> outputPaths(const Options& options, Diagnostics& diags) {
  std::set<std::string> taken;
  for (const std::string& source : options.sources) taken.insert(absolute(source));
  std::vector<OutputPaths> result;
  bool ok = true;
  for (const std::string& source : options.sources) {
    result.push_back(pathsFor(options, source));
    for (const std::string& path : {result.back().source, result.back().header}) {
      if (taken.insert(absolute(path)).second) continue;
      diags.report(DiagId::CannotWrite, {}, {path, "it is a source, or the output for another one"});
      ok = false;
    }
  }
  if (!options.checkFile.empty() && !taken.insert(absolute(options.checkFile)).second) {
    diags.report(DiagId::CannotWrite, {}, {options.checkFile, "it is a source, or another output"});
    ok = false;
  }
  if (!ok) return std::nullopt;
  return result;
}

std::string dependencyRule(const std::vector<std::string>& outputs, const std::vector<std::string>& dependencies) {
  std::string rule;
  for (const std::string& output : outputs) rule += (rule.empty() ? "" : " ") + escaped(output);
  rule += ":";
  std::set<std::string> seen;
  for (const std::string& dependency : dependencies)
    if (seen.insert(dependency).second) rule += " \\\n  " + escaped(dependency);
  return rule + "\n";
}

bool writeFiles(const std::vector<TextFile>& files, Diagnostics& diags) {
  const std::string ending = ".tmp" + std::to_string(llvm::sys::Process::getProcessId());
  std::vector<std::string> made;
  const auto giveUp = [&](const std::string& path, const std::string& why) {
    for (const std::string& other : made) llvm::sys::fs::remove(other);
    diags.report(DiagId::CannotWrite, {}, {path, why});
    return false;
  };
  for (const TextFile& file : files) {
    // A rename would put a plain file in the place of a device or a folder.
    if (llvm::sys::fs::exists(file.path) && !llvm::sys::fs::is_regular_file(file.path))
      return giveUp(file.path, "it is no regular file");
    std::string why;
    made.push_back(file.path + ending);
    if (!writeText(file.path + ending, file.text, why)) return giveUp(file.path, why);
  }
  for (std::size_t k = 0; k < files.size(); ++k) {
    if (const std::error_code error = llvm::sys::fs::rename(made[k], files[k].path))
      return giveUp(files[k].path, error.message());
    made[k] = files[k].path;
  }
  return true;
}

}  // namespace contraflow::driver
