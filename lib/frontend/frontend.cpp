#include "frontend/frontend.hpp"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Lexer.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "frontend/loop_annotations.hpp"
#include "frontend/lowering.hpp"

namespace contraflow {
namespace frontend {
namespace {

using namespace clang;

// Keeps clang's first error; a source that doesn't compile is reported by that alone.
class FirstError : public DiagnosticConsumer {
 public:
  void HandleDiagnostic(DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level < DiagnosticsEngine::Error || !text.empty()) return;
    llvm::SmallString<128> message;
    info.FormatDiagnostic(message);
    text = message.str().str();
    if (!info.hasSourceManager() || info.getLocation().isInvalid()) return;
    const SourceManager& sources = info.getSourceManager();
    const SourceLocation at = sources.getExpansionLoc(info.getLocation());
    const FileID id = sources.getFileID(at);
    isMain = id == sources.getMainFileID();
    file = sources.getFilename(at).str();
    fileText = sources.getBufferData(id).str();
    line = sources.getSpellingLineNumber(at);
    column = sources.getSpellingColumnNumber(at);
  }
  std::string text, file, fileText;
  bool isMain = false;
  unsigned line = 0, column = 0;
};

class Dependencies : public DependencyCollector {
 public:
  bool needSystemDependencies() override { return true; }
};

// The text of the source's own #include lines, and of the macros that it defines, which headers may depend on.
class Includes : public PPCallbacks {
 public:
  Includes(SourceManager& sources, const LangOptions& language, std::vector<std::string>& lines)
      : sources_(sources), language_(language), lines_(lines) {}
  void MacroDefined(const Token&, const MacroDirective* directive) override {
    const MacroInfo* macro = directive->getMacroInfo();
    if (sources_.getFileID(macro->getDefinitionLoc()) != sources_.getMainFileID()) return;
    const auto range = CharSourceRange::getTokenRange(macro->getDefinitionLoc(), macro->getDefinitionEndLoc());
    lines_.push_back("#define " + Lexer::getSourceText(range, sources_, language_).str());
  }
  void MacroUndefined(const Token& name, const MacroDefinition&, const MacroDirective*) override {
    if (sources_.getFileID(name.getLocation()) == sources_.getMainFileID()) lines_.push_back("#undef " + name.getIdentifierInfo()->getName().str());
  }
  void InclusionDirective(SourceLocation hash, const Token&, llvm::StringRef name, bool angled, CharSourceRange, OptionalFileEntryRef,
                          llvm::StringRef, llvm::StringRef, const clang::Module*, bool, SrcMgr::CharacteristicKind) override {
    if (!sources_.isInMainFile(hash)) return;
    lines_.push_back("#include " + (angled ? "<" + name.str() + ">" : "\"" + name.str() + "\""));
  }

 private:
  SourceManager& sources_;
  const LangOptions& language_;
  std::vector<std::string>& lines_;
};

// One parsed source. The AST lives as long as this does.
struct Parsed {
  std::string path;
  std::unique_ptr<tooling::ClangTool> tool;
  std::unique_ptr<CompilerInstance> compiler;
  std::unique_ptr<FrontendAction> action;
  FirstError error;
  Dependencies dependencies;
  std::vector<std::string> includes;
  std::vector<Annotation> annotations;

  ~Parsed() {
    if (action && compiler) action->EndSourceFile();
  }
};

class ParseAction : public ASTFrontendAction {
 public:
  explicit ParseAction(Parsed& parsed) : parsed_(parsed) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    Preprocessor& preprocessor = compiler.getPreprocessor();
    installAnnotationHandler(preprocessor, parsed_.annotations);
    parsed_.dependencies.attachToPreprocessor(preprocessor);
    preprocessor.addPPCallbacks(std::make_unique<Includes>(compiler.getSourceManager(), compiler.getLangOpts(), parsed_.includes));
    return std::make_unique<ASTConsumer>();
  }

 private:
  Parsed& parsed_;
};

// Runs the parser and, unlike clang's own factory, doesn't end the action: the AST stays.
class KeepAst : public tooling::ToolAction {
 public:
  explicit KeepAst(Parsed& parsed) : parsed_(parsed) {}
  bool runInvocation(std::shared_ptr<CompilerInvocation> invocation, FileManager* files,
                     std::shared_ptr<PCHContainerOperations> pch, DiagnosticConsumer* diagnostics) override {
    auto compiler = std::make_unique<CompilerInstance>(std::move(pch));
    invocation->getFrontendOpts().DisableFree = false;
    compiler->setInvocation(std::move(invocation));
    compiler->setFileManager(files);
    compiler->createDiagnostics(diagnostics, false);
    compiler->createSourceManager(*files);
    if (!compiler->createTarget()) return false;
    auto action = std::make_unique<ParseAction>(parsed_);
    if (!action->BeginSourceFile(*compiler, compiler->getFrontendOpts().Inputs[0])) return false;
    parsed_.compiler = std::move(compiler);
    parsed_.action = std::move(action);
    if (llvm::Error e = parsed_.action->Execute()) {
      llvm::consumeError(std::move(e));
      return false;
    }
    return !parsed_.compiler->getDiagnostics().hasErrorOccurred();
  }

 private:
  Parsed& parsed_;
};

tooling::ArgumentsAdjuster ourFlags(const FrontendOptions& options, const std::set<std::string>& unknown) {
  return [&options, unknown](const tooling::CommandLineArguments& args, llvm::StringRef) {
    tooling::CommandLineArguments out;
    for (const std::string& a : args)
      if (!unknown.count(a)) out.push_back(a);
    std::vector<std::string> ours = {"-D__CONTRAFLOW__", "-w", "-Wno-unknown-warning-option", "-Qunused-arguments"};
    if (!options.resourceDir.empty()) ours.push_back("-resource-dir=" + options.resourceDir);
    out.insert(out.begin() + (out.empty() ? 0 : 1), ours.begin(), ours.end());
    return out;
  };
}

// Null where the flags or the source are at fault; that has been reported.
std::unique_ptr<Parsed> parse(const FrontendOptions& options, const tooling::CompilationDatabase& database, const std::string& path,
                              Session& session) {
  std::set<std::string> unknown;  // flags that only g++ knows
  for (int attempt = 0;; ++attempt) {
    auto parsed = std::make_unique<Parsed>();
    parsed->path = path;
    parsed->tool = std::make_unique<tooling::ClangTool>(database, std::vector<std::string>{path});
    parsed->tool->setDiagnosticConsumer(&parsed->error);
    parsed->tool->setPrintErrorMessage(false);
    parsed->tool->appendArgumentsAdjuster(ourFlags(options, unknown));
    KeepAst keep(*parsed);
    const int status = parsed->tool->run(&keep);
    if (status == 0 && parsed->action && parsed->error.text.empty()) return parsed;

    const FirstError& e = parsed->error;
    const std::string marker = "unknown argument";
    if (const auto at = e.text.find("'"); attempt < 20 && e.file.empty() && at != std::string::npos &&
        (e.text.compare(0, marker.size(), marker) == 0 || e.text.compare(0, 11, "unsupported") == 0)) {
      if (unknown.insert(e.text.substr(at + 1, e.text.find('\'', at + 1) - at - 1)).second) continue;
    }
    ir::SourceLoc loc;
    if (!e.file.empty()) {
      const std::string name = e.isMain ? path : e.file;
      const auto [it, isNew] = session.files.try_emplace(name, static_cast<std::uint32_t>(session.module.files.size()));
      if (isNew) {
        ir::SourceFile f;
        f.path = name;
        f.text = e.fileText;
        f.isInput = e.isMain;
        session.module.files.push_back(std::move(f));
      }
      loc = {it->second, e.line, e.column};
    }
    session.diagnostics.report(DiagId::SourceHasErrors, loc, {path, e.text.empty() ? "no compile command for it was found" : e.text});
    return nullptr;
  }
}

std::unique_ptr<tooling::CompilationDatabase> database(const FrontendOptions& options, Diagnostics& diagnostics) {
  if (options.compileFlags.empty() && !options.compileCommandsDir.empty()) {
    std::string problem;
    auto found = tooling::CompilationDatabase::loadFromDirectory(options.compileCommandsDir, problem);
    // Clang's text has a line for each kind of database that it tried.
    if (!found) {
      const std::string file = options.compileCommandsDir + "/compile_commands.json";
      diagnostics.report(DiagId::CannotRead, {}, {file, llvm::sys::fs::exists(file) ? "it is no list of compile commands" : "no such file"});
    }
    return found;
  }
  return std::make_unique<tooling::FixedCompilationDatabase>(".", options.compileFlags);
}

// How well the name that a head gives is this function's: 2 if it is its qualified name, 1 if that ends in it.
int isNamed(const FunctionDecl* f, const std::string& name) {
  std::string qualified;
  llvm::raw_string_ostream out(qualified);
  PrintingPolicy policy(f->getASTContext().getLangOpts());
  policy.SuppressUnwrittenScope = true;
  f->printQualifiedName(out, policy);
  out.flush();
  if (qualified == name) return 2;
  return qualified.size() > name.size() + 2 && qualified.compare(qualified.size() - name.size() - 2, 2, "::") == 0 &&
         qualified.compare(qualified.size() - name.size(), name.size(), name) == 0;
}

// The functions that the heads name: exactly, or else by the end of their qualified name.
void requestHeads(const Session& session, const std::vector<std::string>& names) {
  for (const std::string& head : names) {
    std::string name = head.substr(0, head.find('('));
    if (const auto op = head.find("operator()"); op != std::string::npos) name = head.substr(0, op + 10);
    while (!name.empty() && name.back() == ' ') name.pop_back();
    if (name.compare(0, 2, "::") == 0) name.erase(0, 2);
    std::vector<std::pair<TranslationUnit*, const FunctionDecl*>> named[3];
    for (const auto& unit : session.units)
      for (const FunctionDecl* f : unit->definitions())
        if (!isa<CXXConstructorDecl>(f) && !isa<CXXDestructorDecl>(f)) named[isNamed(f, name)].push_back({unit.get(), f});
    for (const auto& [unit, f] : named[named[2].empty() ? 1 : 2]) unit->function(f);
  }
}

}  // namespace
}  // namespace frontend

bool lowerSources(const FrontendOptions& options, ir::Module& module, ir::Annotations& annotations, Diagnostics& diagnostics) {
  using namespace frontend;
  const unsigned before = diagnostics.errors();
  const auto commands = database(options, diagnostics);
  if (!commands) return false;

  Session session{module, diagnostics, {}, {}, {}, {}, {}, {}, {}, options.inlineHelpers};
  std::vector<std::unique_ptr<Parsed>> parsed;
  for (const std::string& path : options.sources) {
    if (!llvm::sys::fs::exists(path)) {
      diagnostics.report(DiagId::CannotRead, {}, {path, "no such file"});
      continue;
    }
    if (llvm::sys::fs::is_directory(path)) {
      diagnostics.report(DiagId::CannotRead, {}, {path, "it is a folder"});
      continue;
    }
    if (auto p = parse(options, *commands, path, session)) parsed.push_back(std::move(p));
  }
  if (diagnostics.errors() != before) return false;

  std::set<std::string> seen;
  for (const auto& p : parsed) {
    session.units.push_back(std::make_unique<TranslationUnit>(session, p->compiler->getASTContext(), p->path));
    TranslationUnit& unit = *session.units.back();
    const auto file = unit.file(unit.sources().getLocForStartOfFile(unit.sources().getMainFileID()));
    module.files[file].includes = p->includes;
    for (const std::string& d : p->dependencies.getDependencies())
      if (seen.insert(d).second) module.dependencies.push_back(d);
  }
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    applyAnnotations(*session.units[i], parsed[i]->annotations);
    applyLoopAnnotations(*session.units[i], parsed[i]->annotations, annotations);
  }
  requestHeads(session, options.headNames);
  // In the order in which they are asked for; lowering one may ask for more.
  for (std::size_t i = 0; i < session.pending.size(); ++i) {
    const PendingBody body = session.pending[i];
    if (body.unit->isInactive(body.definition)) continue;
    FunctionLowering(*body.unit, body.id, body.definition).lowerBody();
  }
  session.units.clear();
  return diagnostics.errors() == before;
}

}  // namespace contraflow
