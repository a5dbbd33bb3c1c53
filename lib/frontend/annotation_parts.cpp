#include "frontend/annotation_parts.hpp"

#include <algorithm>
#include <cctype>

#include "frontend/ast_visitor.hpp"

namespace contraflow::frontend {
namespace {

std::size_t endOfLine(llvm::StringRef text, std::size_t at) {
  while (at < text.size() && (text[at] != '\n' || text[at - 1] == '\\')) ++at;
  return at;
}

// Behind the parenthesis that closes the next one.
std::size_t closing(llvm::StringRef text, std::size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at + 1;
  }
  return at;
}

clang::SourceLocation beginOf(TranslationUnit& unit, const clang::FunctionDecl* f) {
  // A template's head belongs to it, and so does `extern "C"`.
  const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(f->getLexicalDeclContext());
  if (linkage && !linkage->hasBraces()) return unit.sources().getExpansionLoc(linkage->getBeginLoc());
  const clang::FunctionTemplateDecl* pattern = f->getDescribedFunctionTemplate();
  return unit.sources().getExpansionLoc(pattern ? pattern->getBeginLoc() : f->getOuterLocStart());
}

// Functions that are declared without a body.
class Declarations : public AstVisitor {
 public:
  bool VisitFunctionDecl(clang::FunctionDecl* f) override {
    if (!f->doesThisDeclarationHaveABody() && !f->isImplicit()) found.push_back(f);
    return true;
  }
  std::vector<const clang::FunctionDecl*> found;
};

}  // namespace

std::size_t offsetBehind(TranslationUnit& unit, const Annotation& annotation) {
  clang::SourceManager& sources = unit.sources();
  const clang::SourceLocation from = sources.getExpansionLoc(annotation.begin);
  const llvm::StringRef buffer = sources.getBufferData(sources.getFileID(from));
  std::size_t at = sources.getFileOffset(from);
  at = annotation.begin.isMacroID() ? closing(buffer, at) : endOfLine(buffer, at);
  while (at < buffer.size()) {
    if (std::isspace(static_cast<unsigned char>(buffer[at])) != 0) {
      ++at;
    } else if (buffer.substr(at).starts_with("//") || buffer[at] == '#') {
      at = endOfLine(buffer, at);
    } else if (buffer.substr(at).starts_with("/*")) {
      at = std::min(buffer.find("*/", at), buffer.size()) + 2;
    } else if (buffer.substr(at).starts_with("CONTRAFLOW")) {
      at = closing(buffer, at);
    } else if (buffer.substr(at).starts_with("[[")) {
      at = std::min(buffer.find("]]", at), buffer.size()) + 2;
    } else {
      break;
    }
  }
  return at;
}

const clang::FunctionDecl* annotatedFunction(TranslationUnit& unit, const Annotation& annotation, const std::string& word) {
  clang::SourceManager& sources = unit.sources();
  const clang::SourceLocation here = sources.getExpansionLoc(annotation.begin);
  const clang::FunctionDecl* next = nullptr;
  const auto isNext = [&](clang::SourceLocation at) {
    return sources.isBeforeInTranslationUnit(here, at) && (!next || sources.isBeforeInTranslationUnit(at, beginOf(unit, next)));
  };
  for (const clang::FunctionDecl* f : unit.definitions()) {
    const clang::SourceLocation at = beginOf(unit, f);
    if (!sources.isWrittenInSameFile(here, at)) continue;
    const clang::SourceLocation end = sources.getExpansionLoc(f->getEndLoc());
    if (sources.isBeforeInTranslationUnit(at, here) && sources.isBeforeInTranslationUnit(here, end)) {
      unit.reject(DiagId::AnnotationPlace, annotation.begin, {word, "it stands inside of '" + f->getNameAsString() + "'"});
      return nullptr;
    }
    if (isNext(at)) next = f;
  }
  if (word == "inactive") {  // of a library's function there may be no more than a declaration
    Declarations declared;
    declared.TraverseDecl(unit.ast().getTranslationUnitDecl());
    for (const clang::FunctionDecl* f : declared.found)
      if (sources.isWrittenInSameFile(here, beginOf(unit, f)) && isNext(beginOf(unit, f))) next = f;
  }
  if (next && offsetBehind(unit, annotation) >= sources.getFileOffset(beginOf(unit, next))) return next;
  unit.reject(DiagId::AnnotationPlace, annotation.begin, {word, word == "inactive" ? "what follows is no function" : "what follows is no definition of a function"});
  return nullptr;
}

}  // namespace contraflow::frontend
