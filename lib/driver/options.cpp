#include "driver/options.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

#include "analysis/analyses.hpp"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace contraflow::driver {

namespace {

std::vector<std::string> splitAtCommas(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

// One option: how its value is given, and what it does.
enum class Value {
  None,      // --name
  Needed,    // --name VALUE, --name=VALUE, and for a one-letter option -nVALUE
  Optional,  // --name, --name=VALUE
};
struct Row {
  const char* name;
  Value value;
  // Returns what is wrong with the value; empty: nothing.
  std::function<std::string(Options&, const std::string&)> apply;
};

template <class Enum>
std::function<std::string(Options&, const std::string&)> choice(Enum Options::*field,
                                                                std::vector<std::pair<std::string, Enum>> choices) {
  return [=](Options& options, const std::string& value) -> std::string {
    std::vector<std::string> names;
    for (const auto& [name, meaning] : choices) {
      if (name == value) {
        options.*field = meaning;
        return "";
      }
      names.push_back("'" + name + "'");
    }
    return "'" + value + "' isn't one of " + joined(names, ", ");
  };
}

std::function<std::string(Options&, const std::string&)> text(std::string Options::*field) {
  return [=](Options& options, const std::string& value) -> std::string {
    if (!(options.*field).empty()) return "given twice";
    options.*field = value;
    return "";
  };
}

std::function<std::string(Options&, const std::string&)> flag(bool Options::*field, bool meaning) {
  return [=](Options& options, const std::string&) -> std::string {
    options.*field = meaning;
    return "";
  };
}

std::function<std::string(Options&, const std::string&)> head(ir::HeadMode mode) {
  return [=](Options& options, const std::string& value) -> std::string {
    options.heads.push_back({mode, value});
    return "";
  };
}

std::function<std::string(Options&, const std::string&)> notYet(const std::string& what) {
  return [=](Options&, const std::string&) { return "this version can't do that yet: " + what; };
}

// Like `set`, but one of the values is refused: it will come, and until then must not pass for another.
std::function<std::string(Options&, const std::string&)> exceptYet(const std::string& refused, const std::string& why,
                                                                   std::function<std::string(Options&, const std::string&)> set) {
  return [=](Options& options, const std::string& value) {
    return value == refused ? "this version can't do '" + refused + "' yet: " + why : set(options, value);
  };
}

std::string setWithout(Options& options, const std::string& value) {
  const std::vector<std::string> known(std::begin(analysis::kAnalysisNames), std::end(analysis::kAnalysisNames));
  for (const std::string& name : splitAtCommas(value)) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      return "there is no analysis '" + name + "'; there are " + joined(known, ", ");
    options.without.insert(name);
  }
  return "";
}

std::string setReport(Options& options, const std::string& value) {
  if (value == "html") return "this version writes the report as text or JSON only";
  if (!value.empty() && value != "text" && value != "json") return "'" + value + "' isn't one of 'text', 'json', 'html'";
  options.report = value == "json" ? Report::Json : Report::Text;
  return "";
}

std::string setEmitIr(Options& options, const std::string& value) {
  options.emitIr = true;
  options.emitIrAfter = value;
  return "";
}

std::string addCheckArgument(Options& options, const std::string& value) {
  std::string why;
  const std::optional<CheckArgument> argument = parseCheckArgument(value, why);
  if (!argument) return why;
  for (const CheckArgument& other : options.checkArguments)
    if (other.name == argument->name) return "'" + argument->name + "' is given twice";
  options.checkArguments.push_back(*argument);
  return "";
}

std::string addCheckInclude(Options& options, const std::string& value) {
  if (value.empty() || value.find_first_of("\"\n") != std::string::npos) return "'" + value + "' is no name of a header";
  options.checkIncludes.push_back(value);
  return "";
}

const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {"--adjoint", Value::Needed, head(ir::HeadMode::Adjoint)},
      {"--tangent", Value::Needed, head(ir::HeadMode::Tangent)},
      {"-p", Value::Needed, text(&Options::databaseDir)},
      {"-o", Value::Needed, text(&Options::outputFile)},
      {"--out-dir", Value::Needed, text(&Options::outputDir)},
      {"--depfile", Value::Needed, text(&Options::depfile)},
      {"--report", Value::Optional, setReport},
      {"--emit-ir", Value::Optional, setEmitIr},
      {"--no-analysis", Value::None, flag(&Options::analysis, false)},
      {"--without", Value::Needed, setWithout},
      {"--recompute", Value::Needed,
       choice(&Options::recompute, {{"auto", Recompute::Auto}, {"never", Recompute::Never}, {"always", Recompute::Always}})},
      {"--no-after-image", Value::None, flag(&Options::afterImage, false)},
      {"--noalias", Value::None, flag(&Options::noAlias, true)},
      {"--omp-adjoint", Value::Needed,
       exceptYet("reduction", "'auto' reduces scalars and small arrays",
                 choice(&Options::ompAdjoint, {{"auto", OmpAdjoint::Auto}, {"atomic", OmpAdjoint::Atomic}}))},
      {"-Werror", Value::None, flag(&Options::warningsAreErrors, true)},
      {"-w", Value::None, flag(&Options::suppressWarnings, true)},
      {"--audit", Value::None, flag(&Options::audit, true)},
      {"--deterministic", Value::None, notYet("adjoints aren't bitwise the same for all numbers of threads")},
      {"--emit-check", Value::Needed, text(&Options::checkFile)},
      {"--check-arg", Value::Needed, addCheckArgument},
      {"--check-lines", Value::None, flag(&Options::checkLines, true)},
      {"--check-include", Value::Needed, addCheckInclude},
  };
  return table;
}

// The row that an argument names; `value` is set where the argument itself holds it.
const Row* findRow(const std::string& argument, std::optional<std::string>& value) {
  const std::size_t equals = argument.find('=');
  for (const Row& row : rows()) {
    const std::string name = row.name;
    if (argument == name) return &row;
    if (name.compare(0, 2, "--") == 0 && equals == name.size() && argument.compare(0, equals, name) == 0 &&
        row.value != Value::None) {
      value = argument.substr(equals + 1);
      return &row;
    }
    if (name.size() == 2 && row.value == Value::Needed && argument.compare(0, 2, name) == 0) {
      value = argument.substr(2);
      return &row;
    }
  }
  return nullptr;
}

// The compiler's flags with each `@FILE` replaced by the words of that file, as compilers do.
std::vector<std::string> expandResponseFiles(const std::vector<std::string>& flags, std::vector<std::string>& errors) {
  llvm::BumpPtrAllocator memory;
  llvm::SmallVector<const char*, 32> words;
  for (const std::string& flag : flags) words.push_back(flag.c_str());
  llvm::cl::ExpansionContext expansion(memory, llvm::cl::TokenizeGNUCommandLine);
  if (llvm::Error error = expansion.expandResponseFiles(words)) errors.push_back(llvm::toString(std::move(error)));
  return {words.begin(), words.end()};
}

}  // namespace

std::optional<Options> parseOptions(const std::vector<std::string>& arguments, std::vector<std::string>& errors) {
  Options options;
  const std::size_t errorsBefore = errors.size();
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::string& argument = arguments[k];
    if (argument == "--") {
      options.compilerFlags = expandResponseFiles({arguments.begin() + static_cast<std::ptrdiff_t>(k) + 1, arguments.end()}, errors);
      break;
    }
    if (argument.size() < 2 || argument[0] != '-') {
      options.sources.push_back(argument);
      continue;
    }
    std::optional<std::string> value;
    const Row* row = findRow(argument, value);
    if (!row) {
      errors.push_back("unknown option '" + argument + "'");
      continue;
    }
    if (!value && row->value == Value::Needed) {
      if (k + 1 == arguments.size() || arguments[k + 1] == "--") {
        errors.push_back("'" + argument + "' needs a value");
        continue;
      }
      value = arguments[++k];
    }
    const std::string wrong = row->apply(options, value.value_or(""));
    if (!wrong.empty()) errors.push_back("'" + std::string(row->name) + "': " + wrong);
  }
  if (options.sources.empty() && errors.size() == errorsBefore) errors.push_back("no source file is given");
  if (!options.outputFile.empty() && !options.outputDir.empty())
    errors.push_back("-o and --out-dir exclude each other");
  if (!options.outputFile.empty() && options.sources.size() > 1)
    errors.push_back("-o names one file, but there are several sources: use --out-dir");
  if (options.audit && !options.analysis) errors.push_back("--audit checks what is proved, and --no-analysis proves nothing");
  if (options.checkFile.empty() && (!options.checkArguments.empty() || !options.checkIncludes.empty() || options.checkLines))
    errors.push_back("--check-arg, --check-include and --check-lines say how --emit-check is done, which isn't asked for");
  if (errors.size() != errorsBefore) return std::nullopt;
  return options;
}

}  // namespace contraflow::driver
