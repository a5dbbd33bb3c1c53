// Functions and modules: the arenas that own all nodes.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/stmt.hpp"
#include "ir/types.hpp"

namespace contraflow::ir {

// Nodes stay where they are when others are added: a pass may hold a reference to one while it makes more.
template <class Node>
using Arena = std::deque<Node>;

enum class VarKind { Parameter, Local };

struct Var {
  std::string name;  // unique names are the emitter's business: two variables may carry the same one
  TypeId type;
  VarKind kind = VarKind::Local;
  bool isRestrict = false;
  bool isTemporary = false;  // made by lowering or a transformation
  SourceLoc loc;
};

enum class Linkage { External, Internal, Inline };
enum class FunctionKind { Primal, Tangent, Forward, Reverse, Adjoint };

// One function. Derivatives start as a copy of their primal's arenas, so the primal's ids stay valid in them.
struct Function {
  std::string name;                     // unqualified: "misfit", "operator+"
  std::vector<std::string> namespaces;  // outermost first; an empty string is an unnamed namespace
  std::string recordName;               // a method: its class as C++ spells it inside the namespaces
  std::string key;                      // the same in every source file (mangled name; for internal linkage with the file)
  Linkage linkage = Linkage::External;
  FunctionKind kind = FunctionKind::Primal;
  FuncId primal;             // derivatives: what they are derived from
  bool isMethod = false;     // then params[0] is `self`, a reference to the record
  bool isConstMethod = false;
  bool isVirtual = false;    // a call names its class, so that it is this function that runs
  bool hasBody = false;
  std::uint32_t file = 0;  // Module::files: the source file whose generated file gets its derivatives
  SourceLoc loc;
  TypeId result;
  std::vector<VarId> params;
  Block body;

  Arena<Var> vars;
  Arena<Expr> exprs;
  Arena<Stmt> stmts;

  const Var& operator[](VarId id) const { return vars[id.index()]; }
  Var& operator[](VarId id) { return vars[id.index()]; }
  const Expr& operator[](ExprId id) const { return exprs[id.index()]; }
  Expr& operator[](ExprId id) { return exprs[id.index()]; }
  const Stmt& operator[](StmtId id) const { return stmts[id.index()]; }
  Stmt& operator[](StmtId id) { return stmts[id.index()]; }

  VarId addVar(Var var) {
    vars.push_back(std::move(var));
    return VarId(static_cast<std::uint32_t>(vars.size() - 1));
  }
  ExprId addExpr(ExprNode node, TypeId type, SourceLoc at = {}) {
    exprs.push_back({std::move(node), type, at});
    return ExprId(static_cast<std::uint32_t>(exprs.size() - 1));
  }
  StmtId addStmt(StmtNode node, SourceLoc at = {}, StmtId origin = {}) {
    stmts.push_back({std::move(node), at, origin});
    return StmtId(static_cast<std::uint32_t>(stmts.size() - 1));
  }
};

struct Global {
  std::string name;
  std::vector<std::string> namespaces;
  std::string key;
  TypeId type;
  Linkage linkage = Linkage::External;
  bool isConstant = false;     // const with a constant initialiser: never active
  bool isLocalStatic = false;  // a static of a function; hoisted in the emitted text, then named `hoistedName`
  std::string hoistedName;
  bool isShadow = false;       // made by a transformation
  std::uint32_t file = 0;
  SourceLoc loc;
};

// `misfit(conductivity, state.u -> return)`, resolved.
struct HeadName {
  std::string spelling;
  int param = -1;                 // index into params (self is 0 in a method)
  std::vector<unsigned> fields;   // member path from there
  GlobalId global;
  bool isReturn = false;
};
enum class HeadMode { Tangent, Adjoint };
struct Head {
  HeadMode mode;
  FuncId function;
  std::vector<HeadName> independents, dependents;
  bool all = false;  // `name` alone: every real parameter and the result
  std::string ofDerivative;  // "misfit_b": the head names a derivative that the same run makes; resolved later
  std::string text;          // as written
  SourceLoc loc;
};

struct TextEdit {  // replaces [begin, end) of the original text
  std::uint32_t begin, end;
  std::string replacement;
};
struct SourceFile {
  std::string path;         // as the user named it
  std::string text;
  bool isInput = false;     // named on the command line; false: a header
  std::vector<TextEdit> edits;         // annotations taken out, statics hoisted
  std::vector<std::string> includes;   // the text of the #include lines of an input
};

struct Module {
  Arena<Type> types;
  Arena<Record> records;
  Arena<Global> globals;
  Arena<Function> functions;
  std::vector<Head> heads;
  std::vector<SourceFile> files;
  std::vector<std::string> dependencies;  // every file that was read; for the depfile

  const Type& operator[](TypeId id) const { return types[id.index()]; }
  const Record& operator[](RecordId id) const { return records[id.index()]; }
  Record& operator[](RecordId id) { return records[id.index()]; }
  const Global& operator[](GlobalId id) const { return globals[id.index()]; }
  Global& operator[](GlobalId id) { return globals[id.index()]; }
  const Function& operator[](FuncId id) const { return functions[id.index()]; }
  Function& operator[](FuncId id) { return functions[id.index()]; }

  TypeId type(TypeNode node, bool isConst = false);  // interned (types.cpp)
  FuncId addFunction(Function f) {
    functions.push_back(std::move(f));
    return FuncId(static_cast<std::uint32_t>(functions.size() - 1));
  }
  GlobalId addGlobal(Global g) {
    globals.push_back(std::move(g));
    return GlobalId(static_cast<std::uint32_t>(globals.size() - 1));
  }
};

// --- questions about types (types.cpp) -----------------------------------------------------------------------------------

template <class T>
const T* as(const Module& m, TypeId id) {
  return id.valid() ? std::get_if<T>(&m[id].node) : nullptr;
}
TypeId withoutConst(Module& m, TypeId id);
TypeId withoutReference(const Module& m, TypeId id);
bool isReal(const Module& m, TypeId id);      // float, double, long double
bool isIntegral(const Module& m, TypeId id);  // integers, bool, enums
bool isReference(const Module& m, TypeId id);
// True if an object of the type holds reals, or reaches them through pointers, references, containers or fields.
bool reachesReal(const Module& m, TypeId id);
// True if the object itself holds reals (not through pointers or references; a vector's elements count as its own).
bool holdsReal(const Module& m, TypeId id);
// True if the object holds a pointer or a reference to something that reaches a real.
bool holdsPointer(const Module& m, TypeId id);
// True if a real may be written through a parameter of this declared type.
bool writableReal(const Module& m, TypeId id);
bool isTriviallyCopyable(const Module& m, TypeId id);
// True if every real of `T{}` is zero: no member initialiser and no constructor of the program's says otherwise.
bool beginsAtZero(const Module& m, TypeId id);
// The type as C++ spells it, around `name` (which may be empty): `double (&name)[3]`.
std::string spell(const Module& m, TypeId id, const std::string& name = "");

}  // namespace contraflow::ir
