#include "driver/nonsmooth_report.hpp"

#include <map>
#include <tuple>

#include "ir/walk.hpp"
#include "rules/rules.hpp"

namespace contraflow::driver {

namespace {

struct Choice {
  std::string where, choice;
};

const std::map<std::string, Choice>& choices() {
  static const std::map<std::string, Choice> kChoices = {
#define NONSMOOTH(NAME, WHERE, CHOICE) {#NAME, {WHERE, CHOICE}},
#include "rules/nonsmooth.def"
  };
  return kChoices;
}

}  // namespace

std::vector<std::string> nonSmoothPlaces(const ir::Module& module) {
  std::map<std::tuple<std::string, unsigned, unsigned, std::string>, std::string> lines;  // sorted, each once
  for (const ir::Function& f : module.functions)
    ir::walkExprs(f, f.body, [&](ir::ExprId e) {
      const auto* call = std::get_if<ir::MathCall>(&f[e].node);
      const auto known = call && f[e].loc.valid() ? choices().find(call->function) : choices().end();
      if (known == choices().end()) return;
      const ir::SourceLoc at = f[e].loc;
      const std::string path = module.files[at.file].path, name = rules::findMath(call->function)->cppName;
      lines[{path, at.line, at.column, name}] = path + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + name +
                                                " has no derivative " + known->second.where + ": " + known->second.choice;
    });
  std::vector<std::string> all;
  for (const auto& [place, line] : lines) all.push_back(line);
  return all;
}

}  // namespace contraflow::driver
