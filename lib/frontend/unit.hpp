// Internal to lib/frontend: what lowers one parsed source: its types, globals and signatures, and what is shared by all sources of a
// run. The bodies of its functions are lowered by `FunctionLowering` (lowering.hpp).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "diagnostics/diagnostics.hpp"
#include "ir/module.hpp"

namespace clang {
class Preprocessor;
}

namespace contraflow::frontend {

// Outermost first; an unnamed one is an empty string, an inline one is left out.
std::vector<std::string> namespacesAround(const clang::DeclContext* context);

class TranslationUnit;

// new T…, or malloc and calloc under a conversion (allocations.cpp).
bool isAllocation(const clang::Expr* e);

// --- annotations (annotations.cpp) ---------------------------------------------------------------------------------------

struct Annotation {  // one `#pragma contraflow …`
  std::string text;  // what stands behind `contraflow`, comments taken out
  clang::SourceLocation begin, end;  // from the `#` to the end of the line
};
// Adds the handler of `#pragma contraflow` to the preprocessor, before parsing; it appends to `found`, which outlives it.
void installAnnotationHandler(clang::Preprocessor& preprocessor, std::vector<Annotation>& found);
// After parsing, before any function is lowered: finds what each annotation stands on, asks the unit for the functions that are
// heads (`unit.function(decl)` gives an id with its parameters), fills `module.heads`, marks inactive functions
// (`unit.markInactive`), and takes the pragma lines out (`module.files[…].edits`).
void applyAnnotations(TranslationUnit& unit, const std::vector<Annotation>& found);

// --- what is shared by all sources of a run ----------------------------------------------------------------------------------

struct PendingBody {  // a function whose body is still to be lowered
  ir::FuncId id;
  TranslationUnit* unit;
  const clang::FunctionDecl* definition;
};

struct Session {
  ir::Module& module;
  Diagnostics& diagnostics;
  std::vector<std::unique_ptr<TranslationUnit>> units;
  std::map<std::string, ir::FuncId> functions;  // by key
  std::map<std::string, ir::GlobalId> globals;  // by key
  std::map<std::string, ir::RecordId> records;  // by qualified name
  std::map<std::string, std::uint32_t> files;   // by path as given
  std::set<std::string> inactive;               // keys of functions marked `#pragma contraflow inactive`
  std::vector<PendingBody> pending;
  bool inlineHelpers = true;
};

// --- one source ----------------------------------------------------------------------------------------------------------

class TranslationUnit {
 public:
  TranslationUnit(Session& session, clang::ASTContext& ast, std::string path)
      : session_(session), ast_(ast), path_(std::move(path)), mangler_(ast.createMangleContext()) {}

  Session& session() { return session_; }
  ir::Module& module() { return session_.module; }
  Diagnostics& diagnostics() { return session_.diagnostics; }
  clang::ASTContext& ast() { return ast_; }
  clang::SourceManager& sources() { return ast_.getSourceManager(); }
  const std::string& path() const { return path_; }  // as named on the command line

  // The place in the file as a user sees it (of a macro: where it is used). Enters the file in module.files.
  ir::SourceLoc loc(clang::SourceLocation at);
  std::uint32_t file(clang::SourceLocation at);
  unsigned offset(clang::SourceLocation at);  // in the text of its file
  void reject(DiagId id, clang::SourceLocation at, const std::vector<std::string>& args);
  std::string text(const clang::Stmt* s);  // as written
  std::string text(clang::SourceRange range);
  std::string spell(clang::QualType type);  // as C++ spells it, fully qualified

  // types.cpp. A type that isn't supported is rejected at `at` and becomes an OpaqueType.
  ir::TypeId type(clang::QualType type, clang::SourceLocation at);
  ir::RecordId record(const clang::RecordDecl* decl, clang::SourceLocation at);
  // Index of a member in its ir::Record, of an anonymous member's in the record around it. None for a member of a union that another
  // one stands for.
  static constexpr unsigned kNoField = ~0u;
  unsigned field(const clang::FieldDecl* decl);
  // unions.cpp. The members of an ir::Record: of an anonymous member its own, of a union the one that stands for all.
  std::vector<const clang::FieldDecl*> members(const clang::RecordDecl* decl);
  // The member of a union that stands for all of them; null where its members hold different kinds of values and several are used.
  const clang::FieldDecl* memberOfUnion(const clang::RecordDecl* decl);
  bool isMixedUnion(const clang::RecordDecl* decl);  // … where it is null
  bool holdsMixedUnion(clang::QualType type);

  ir::TypeId complexType(const clang::ClassTemplateSpecializationDecl* decl, bool isConst, clang::SourceLocation at);  // complex.cpp
  ir::TypeId tupleType(const clang::ClassTemplateSpecializationDecl* decl, bool isConst, clang::SourceLocation at);    // tuples.cpp
  // The field of `derived` that is its base class `base`; none where the members of the base class are its first ones.
  std::optional<unsigned> baseField(const clang::CXXRecordDecl* derived, const clang::CXXRecordDecl* base, clang::SourceLocation at);

  // targets.cpp. Functions or members of this type whose address the source takes; the classes with virtual functions that it
  // defines, from this one on.
  std::vector<const clang::ValueDecl*> targets(clang::QualType pointer);
  std::vector<const clang::CXXRecordDecl*> classesFrom(const clang::CXXRecordDecl* base);

  // declarations.cpp. The function's ir::Function with its signature; its body is lowered later, from whichever source has it.
  ir::FuncId function(const clang::FunctionDecl* decl);
  // Null where no source of the run has a body.
  const clang::FunctionDecl* definition(const clang::FunctionDecl* decl, TranslationUnit** in = nullptr);
  ir::GlobalId global(const clang::VarDecl* decl);
  std::string key(const clang::NamedDecl* decl);
  void markInactive(const clang::FunctionDecl* decl) { session_.inactive.insert(key(decl)); }
  // The parameter (0: the object) that the function returns a reference to, whichever way it returns: `return *this;`. Its ir::Function
  // returns nothing then, and a call is the place of that argument.
  std::optional<unsigned> returnedParameter(const clang::FunctionDecl* decl);
  bool isInactive(const clang::FunctionDecl* decl) { return session_.inactive.count(key(decl)) != 0; }
  // All functions with a body, in order: of the source itself, and of the user's headers.
  const std::vector<const clang::FunctionDecl*>& definitions();

 private:
  ir::TypeId builtin(const clang::BuiltinType* type, bool isConst, clang::SourceLocation at);
  ir::TypeId recordType(clang::QualType type, bool isConst, clang::SourceLocation at);
  ir::TypeId selectorType(clang::QualType type, bool isConst);
  void baseOf(const clang::CXXRecordDecl* decl, ir::Record& record, clang::SourceLocation at);
  void findTargets();
  void hoistStatic(const clang::VarDecl* decl, const ir::Global& global);

  Session& session_;
  clang::ASTContext& ast_;
  std::string path_;
  std::unique_ptr<clang::MangleContext> mangler_;
  std::optional<std::vector<const clang::FunctionDecl*>> definitions_;
  std::map<std::string, const clang::FunctionDecl*> definitionByKey_;
  std::optional<std::vector<const clang::ValueDecl*>> targets_;
  std::vector<const clang::CXXRecordDecl*> classes_;
  std::optional<std::set<const clang::FieldDecl*>> unionUses_;  // members of unions that the source names
};

bool isComplexType(clang::QualType type);  // std::complex
bool isTupleType(clang::QualType type);    // std::pair, std::tuple
bool isDefaultConstructible(const clang::CXXRecordDecl* record);  // records.cpp
bool hasUsableName(const clang::TagDecl* decl);                  // types.cpp: by other functions
bool hasBaseMembers(const clang::CXXRecordDecl* record);          // parts.cpp

}  // namespace contraflow::frontend
