// `#pragma contraflow …`, and the macro CONTRAFLOW(…), which expands to such a pragma inside the tool.
//
//     #pragma contraflow adjoint(k -> return)      →  a head of the function that follows
//     #pragma contraflow inactive                  →  the function that follows has no derivative
//     #pragma contraflow noalias(u, unew)          →  these parameters are like __restrict__ ones
//     #pragma contraflow checkpoint(…), extent(…)  →  loop_annotations.cpp
//
// Each line is taken out of the emitted text. What comes later, or isn't known, is refused: an annotation that is read over
// could change nothing but what the user relies on.
#include <algorithm>
#include <cctype>

#include "clang/Lex/Lexer.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/Token.h"
#include "frontend/annotation_parts.hpp"

namespace contraflow::frontend {
namespace {

// --- reading the pragma ------------------------------------------------------------------------------------------------------

class AnnotationHandler : public clang::PragmaHandler {
 public:
  explicit AnnotationHandler(std::vector<Annotation>& found) : PragmaHandler("contraflow"), found_(found) {}

  void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer introducer, clang::Token& first) override {
    Annotation annotation;
    annotation.begin = introducer.Loc;
    clang::Token token;
    // Not expanded: a parameter may have the name of a macro.
    preprocessor.LexUnexpandedToken(token);
    while (token.isNot(clang::tok::eod)) {
      if (!annotation.text.empty() && token.hasLeadingSpace()) annotation.text += ' ';
      annotation.text += preprocessor.getSpelling(token);
      preprocessor.LexUnexpandedToken(token);
    }
    annotation.end = first.getLocation().isMacroID() ? introducer.Loc : token.getLocation();
    found_.push_back(annotation);
  }

 private:
  std::vector<Annotation>& found_;
};

class Applier {
 public:
  Applier(TranslationUnit& unit, const Annotation& annotation) : unit_(unit), annotation_(annotation) {}

  void apply() {
    takeOut();
    std::string why;
    const std::optional<AnnotationParts> parts = splitAnnotation(annotation_.text, why);
    if (!parts) return unit_.reject(DiagId::AnnotationSyntax, annotation_.begin, {why});
    parts_ = *parts;
    if (parts_.word == "adjoint" || parts_.word == "tangent")
      applyHead();
    else if (parts_.word == "inactive")
      applyInactive();
    else if (parts_.word == "noalias")
      applyNoAlias();
    else if (parts_.word == "checkpoint" || parts_.word == "extent")
      return;  // loop_annotations.cpp
    else if (parts_.word == "rule")
      unit_.reject(DiagId::AnnotationLater, annotation_.begin, {parts_.word});
    else
      unit_.reject(DiagId::AnnotationUnknown, annotation_.begin, {parts_.word});
  }

 private:
  // The whole lines of a pragma; a macro stays, since it is nothing outside the tool.
  void takeOut() {
    if (annotation_.begin.isMacroID()) return;
    const std::uint32_t file = unit_.file(annotation_.begin);
    ir::SourceFile& source = unit_.module().files[file];
    std::uint32_t begin = unit_.offset(annotation_.begin), end = unit_.offset(annotation_.end);
    while (begin > 0 && (source.text[begin - 1] == ' ' || source.text[begin - 1] == '\t')) --begin;
    while (end < source.text.size() && source.text[end] != '\n') ++end;
    if (end < source.text.size()) ++end;
    const auto same = [&](const ir::TextEdit& edit) { return edit.begin == begin && edit.end == end; };
    if (std::none_of(source.edits.begin(), source.edits.end(), same)) source.edits.push_back({begin, end, ""});
  }

  // The place of the argument, so that messages about names point at them.
  ir::SourceLoc argumentLoc() {
    ir::SourceLoc at = unit_.loc(annotation_.begin);
    if (annotation_.begin.isMacroID() || parts_.argument.empty()) return at;
    const std::string& text = unit_.module().files[at.file].text;
    const std::size_t begin = unit_.offset(annotation_.begin);
    const std::size_t found = text.find(parts_.argument, begin);
    const std::size_t line = text.find('\n', begin);
    if (found != std::string::npos && found < line) at.column += static_cast<std::uint32_t>(found - begin);
    return at;
  }

  const clang::FunctionDecl* target() { return annotatedFunction(unit_, annotation_, parts_.word); }

  void applyHead() {
    const clang::FunctionDecl* f = target();
    if (!f) return;
    ir::Head head;
    head.mode = parts_.word == "adjoint" ? ir::HeadMode::Adjoint : ir::HeadMode::Tangent;
    head.function = unit_.function(f);
    head.text = parts_.argument;
    head.loc = argumentLoc();
    // A header that several sources include is read once for each.
    for (const ir::Head& other : unit_.module().heads)
      if (other.mode == head.mode && other.function == head.function && other.text == head.text) return;
    unit_.module().heads.push_back(head);
  }

  void applyInactive() {
    if (parts_.hasArgument) return unit_.reject(DiagId::AnnotationSyntax, annotation_.begin, {"'inactive' takes no argument"});
    if (const clang::FunctionDecl* f = target()) unit_.markInactive(f);
  }

  void applyNoAlias() {
    const clang::FunctionDecl* f = target();
    if (!f) return;
    const ir::FuncId id = unit_.function(f);
    std::string rest = parts_.argument;
    while (!trimmed(rest).empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const std::string name = trimmed(rest.substr(0, comma));
      rest = comma < rest.size() ? rest.substr(comma + 1) : "";
      bool found = false;
      ir::Function& function = unit_.module()[id];
      for (ir::VarId param : function.params) {
        ir::Var& var = function[param];
        if (var.name != name) continue;
        found = true;
        const bool isIndirect = ir::as<ir::PointerType>(unit_.module(), var.type) || ir::isReference(unit_.module(), var.type);
        if (!isIndirect)
          unit_.reject(DiagId::AnnotationSyntax, annotation_.begin, {"'" + name + "' is neither a pointer nor a reference"});
        var.isRestrict = true;
      }
      if (!found)
        unit_.reject(DiagId::AnnotationSyntax, annotation_.begin,
                     {"'" + name + "' is no parameter of '" + function.name + "'"});
    }
  }

  TranslationUnit& unit_;
  const Annotation& annotation_;
  AnnotationParts parts_;
};

}  // namespace

void installAnnotationHandler(clang::Preprocessor& preprocessor, std::vector<Annotation>& found) {
  preprocessor.AddPragmaHandler(new AnnotationHandler(found));  // the preprocessor owns it
}

void applyAnnotations(TranslationUnit& unit, const std::vector<Annotation>& found) {
  for (const Annotation& annotation : found) Applier(unit, annotation).apply();
}

}  // namespace contraflow::frontend
