// What a piece of source may write, by a syntactic look at the Clang AST: enough to keep C++'s order of evaluation and to
// recognise counted loops. Conservative. Memory is told apart by the type of what is written (C++'s aliasing rule), and calls
// are followed into bodies that this source has.
#pragma once

#include <map>
#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace contraflow::frontend {

struct Effects {
  using Types = std::set<const clang::Type*>;              // canonical scalar types
  std::map<const clang::VarDecl*, Types> written;          // locals written by name, wholly or in part (canonical declarations)
  std::set<const clang::VarDecl*> addressTaken;            // by &, decay, or binding a reference
  std::set<const clang::VarDecl*> escaped;                 // of these: by something that may keep it (a blocking MPI call doesn't)
  Types memory;                                            // written through pointers or references, in globals, by callees
  std::set<const clang::VarDecl*> restructured;            // locals in which a vector may get another size or buffer
  bool restructuresMemory = false;                         // the same for vectors through pointers, references, in globals, by callees
  bool unknown = false;                                    // anything in memory: a call that can't be looked into

  bool writes(const clang::VarDecl* decl) const { return written.count(decl->getCanonicalDecl()) != 0; }
  bool takesAddress(const clang::VarDecl* decl) const { return addressTaken.count(decl->getCanonicalDecl()) != 0; }
  bool escapes(const clang::VarDecl* decl) const { return escaped.count(decl->getCanonicalDecl()) != 0; }
  bool any() const { return unknown || restructuresMemory || !restructured.empty() || !memory.empty() || !written.empty(); }
  void merge(const Effects& other);
};

Effects effectsOf(const clang::Stmt* s, clang::ASTContext& ast);

// A function of a library: it writes nothing but through its pointer and non-const reference arguments.
bool inSystemHeader(const clang::FunctionDecl* decl);

}  // namespace contraflow::frontend
