// Places and text of a source.
#include "clang/Lex/Lexer.h"
#include "frontend/lowering.hpp"

namespace contraflow::frontend {

using namespace clang;

std::uint32_t TranslationUnit::file(SourceLocation at) {
  const SourceLocation e = sources().getExpansionLoc(at);
  FileID id = sources().getFileID(e);
  if (id.isInvalid()) id = sources().getMainFileID();
  const bool isMain = id == sources().getMainFileID();
  const std::string name = isMain ? path_ : sources().getFilename(e).str();
  const auto [it, isNew] = session_.files.try_emplace(name, static_cast<std::uint32_t>(module().files.size()));
  if (isNew) {
    ir::SourceFile f;
    f.path = name;
    f.text = sources().getBufferData(id).str();
    f.isInput = isMain;
    module().files.push_back(std::move(f));
  }
  return it->second;
}

ir::SourceLoc TranslationUnit::loc(SourceLocation at) {
  if (at.isInvalid()) return {};
  const SourceLocation e = sources().getExpansionLoc(at);
  return {file(at), sources().getSpellingLineNumber(e), sources().getSpellingColumnNumber(e)};
}

unsigned TranslationUnit::offset(SourceLocation at) { return sources().getFileOffset(sources().getExpansionLoc(at)); }

void TranslationUnit::reject(DiagId id, SourceLocation at, const std::vector<std::string>& args) {
  diagnostics().report(id, loc(at), args);
}

std::string TranslationUnit::text(SourceRange range) {
  const CharSourceRange whole = Lexer::makeFileCharRange(CharSourceRange::getTokenRange(range), sources(), ast_.getLangOpts());
  return Lexer::getSourceText(whole, sources(), ast_.getLangOpts()).str();
}

std::string TranslationUnit::text(const Stmt* s) { return text(s->getSourceRange()); }

}  // namespace contraflow::frontend
