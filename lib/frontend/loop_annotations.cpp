#include "frontend/loop_annotations.hpp"

#include <algorithm>
#include <cctype>

#include "frontend/annotation_arguments.hpp"
#include "frontend/annotation_parts.hpp"

namespace contraflow::frontend {
namespace {

bool isLoop(llvm::StringRef text) {
  const llvm::StringRef word = text.take_while([](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
  return word == "for" || word == "while" || word == "do";
}

void applyCheckpoint(TranslationUnit& unit, const Annotation& annotation, const AnnotationParts& parts, ir::Annotations& out) {
  std::string why;
  const std::optional<ir::Checkpoint> schedule =
      parts.hasArgument ? readSchedule(parts.argument, why) : ir::Checkpoint{ir::Schedule::Block, 1};
  if (!schedule) return unit.reject(DiagId::AnnotationSyntax, annotation.begin, {why});
  clang::SourceManager& sources = unit.sources();
  const clang::FileID file = sources.getFileID(sources.getExpansionLoc(annotation.begin));
  const std::size_t at = offsetBehind(unit, annotation);
  const llvm::StringRef what = sources.getBufferData(file).substr(at);
  if (parts.hasArgument ? !isLoop(what) : !what.starts_with("{"))
    return unit.reject(DiagId::NotDifferentiable, annotation.begin,
                       {parts.hasArgument ? "a checkpoint with a schedule stands before a loop, and what follows is none"
                                          : "a checkpoint without a schedule stands before a block, and what follows is none",
                        parts.hasArgument ? "put the annotation right before the loop over time"
                                          : "put calls into braces, '{ step(u); }'; a loop needs a schedule, as in 'checkpoint(binomial, snapshots: 20)'"});
  const ir::SourceLoc loop = unit.loc(sources.getLocForStartOfFile(file).getLocWithOffset(static_cast<int>(at)));
  out.checkpoints[{loop.file, loop.line, loop.column}] = *schedule;
}

// What is wrong, or nothing.
std::string setExtent(ir::Module& module, ir::FuncId id, const std::string& name, const std::string& extent, ir::Annotations& out) {
  ir::Function& function = module[id];
  for (ir::VarId param : function.params) {
    if (function[param].name != name || !ir::as<ir::PointerType>(module, function[param].type)) continue;
    std::string why;
    const ir::ExprId count = readExtent(module, function, extent, why);
    if (count.valid()) out.extents[{id, param}] = count;
    return why;
  }
  return "'" + name + "' is no pointer parameter of '" + function.name + "'";
}

void applyExtents(TranslationUnit& unit, const Annotation& annotation, const AnnotationParts& parts, ir::Annotations& out) {
  const clang::FunctionDecl* f = annotatedFunction(unit, annotation, parts.word);
  if (!f) return;
  const ir::FuncId id = unit.function(f);
  std::string rest = parts.argument;
  if (trimmed(rest).empty()) return unit.reject(DiagId::AnnotationSyntax, annotation.begin, {"'extent' names no parameter"});
  while (!trimmed(rest).empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string one = rest.substr(0, comma);
    rest = comma < rest.size() ? rest.substr(comma + 1) : "";
    const std::size_t colon = std::min(one.find(':'), one.size());
    const std::string name = trimmed(one.substr(0, colon));
    const std::string why = setExtent(unit.module(), id, name, colon < one.size() ? one.substr(colon + 1) : "", out);
    if (!why.empty()) unit.reject(DiagId::AnnotationSyntax, annotation.begin, {why});
  }
}

}  // namespace

void applyLoopAnnotations(TranslationUnit& unit, const std::vector<Annotation>& found, ir::Annotations& out) {
  for (const Annotation& annotation : found) {
    std::string why;  // reported with the annotations of functions
    const std::optional<AnnotationParts> parts = splitAnnotation(annotation.text, why);
    if (parts && parts->word == "checkpoint") applyCheckpoint(unit, annotation, *parts, out);
    if (parts && parts->word == "extent") applyExtents(unit, annotation, *parts, out);
  }
}

}  // namespace contraflow::frontend
