#include "driver/report.hpp"

#include "driver/recording_report.hpp"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace contraflow::driver {
namespace {

std::string names(const std::vector<ir::HeadName>& list) {
  std::string text;
  for (const ir::HeadName& name : list) text += (text.empty() ? "" : ", ") + name.spelling;
  return text;
}

std::string joined(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& one : list) text += (text.empty() ? "" : ", ") + one;
  return text;
}

const char* modeOf(const ir::Head& head) { return head.mode == ir::HeadMode::Adjoint ? "adjoint" : "tangent"; }

std::string textOf(const RecordedRegion& r) {
  std::string text = r.file + ":" + std::to_string(r.line) + ": " + (r.isLoop ? "each iteration of the loop in '" : "each run of '") + r.function +
                     (r.isLoop ? "'" : "', outside of its loops,") + " records " + std::to_string(r.bytes) + " bytes" + (r.loopsInside ? ", and what the loops in it do" : "");
  if (r.bytesWithout > r.bytes) text += "; without analyses it would be " + std::to_string(r.bytesWithout);
  text += "\n";
  for (const RecordedValue& v : r.values)
    text += "    line " + std::to_string(v.line) + ": " + v.what + ", " + std::to_string(v.bytes) + " bytes\n";
  if (r.checkpointed) text += "    it is checkpointed: these are records of one iteration at a time\n";
  if (r.mayHaveCheckpoint)
    text += "    a checkpoint would record one iteration at a time; its snapshots would hold " +
            (r.snapshot.empty() ? std::string("nothing") : joined(r.snapshot)) + "\n";
  if (!r.whyNot.empty()) text += "    it can't have a checkpoint: " + r.whyNot + "\n";
  return text;
}

llvm::json::Value jsonOf(const RecordedRegion& r) {
  llvm::json::Array values;
  for (const RecordedValue& v : r.values)
    values.push_back(llvm::json::Object{{"line", v.line}, {"value", v.what}, {"bytes", static_cast<std::int64_t>(v.bytes)}});
  llvm::json::Object out{{"file", r.file},
                         {"line", r.line},
                         {"function", r.function},
                         {"region", r.isLoop ? "iteration" : "function"},
                         {"bytes", static_cast<std::int64_t>(r.bytes)},
                         {"bytesWithoutAnalyses", static_cast<std::int64_t>(r.bytesWithout)},
                         {"loopsInside", r.loopsInside},
                         {"checkpointed", r.checkpointed},
                         {"values", std::move(values)}};
  if (r.mayHaveCheckpoint) {
    llvm::json::Array snapshot;
    for (const std::string& one : r.snapshot) snapshot.push_back(one);
    out["snapshot"] = std::move(snapshot);
  }
  if (!r.whyNot.empty()) out["noCheckpoint"] = r.whyNot;
  return out;
}

}  // namespace

std::string reportText(const Run& run, const std::vector<std::string>& nonSmooth) {
  std::string text;
  for (const ir::Head& head : run.module.heads)
    text += std::string(modeOf(head)) + " of " + run.module[head.function].name + "(" + names(head.independents) + " -> " +
            names(head.dependents) + ")\n";
  for (const std::string& line : nonSmooth) text += line + "\n";
  for (const RecordedRegion& r : recordedRegions(run)) text += textOf(r);
  return text;
}

std::string reportJson(const Run& run, const std::vector<std::string>& nonSmooth) {
  llvm::json::Array heads, places, recorded;
  for (const ir::Head& head : run.module.heads)
    heads.push_back(llvm::json::Object{{"mode", modeOf(head)},
                                       {"function", run.module[head.function].name},
                                       {"independents", names(head.independents)},
                                       {"dependents", names(head.dependents)}});
  for (const std::string& line : nonSmooth) places.push_back(line);
  for (const RecordedRegion& r : recordedRegions(run)) recorded.push_back(jsonOf(r));
  std::string text;
  llvm::raw_string_ostream out(text);
  out << llvm::formatv("{0:2}", llvm::json::Value(llvm::json::Object{
                                    {"heads", std::move(heads)}, {"notDifferentiable", std::move(places)}, {"recorded", std::move(recorded)}}))
      << "\n";
  return text;
}

}  // namespace contraflow::driver
