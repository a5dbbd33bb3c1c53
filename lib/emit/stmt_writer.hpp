// Statements of the IR as C++, and whole functions: the last step before the formatter, which does line breaks.
#pragma once

#include <string>
#include <vector>

#include "emit/expr_writer.hpp"
#include "emit/usage.hpp"

namespace contraflow::emit {

inline ir::ExprId withoutCasts(const ir::Function& f, ir::ExprId e) {
  while (const auto* cast = std::get_if<ir::Cast>(&f[e].node)) e = cast->operand;
  return e;
}

class StmtWriter {
 public:
  StmtWriter(const ir::Module& module, const ir::Function& function);

  // `double f(const double *x, int /*n*/)`, with `static` or `inline` in front where that is asked for.
  std::string signature(bool withLinkage, bool definition);
  std::string definition();

 private:
  void line(const std::string& text);
  void block(const ir::Block& body);              // the statements, one level in
  void braces(const std::string& head, const ir::Block& body);  // head {\n body }
  void stmt(ir::StmtId id);

  bool readBehind(const ir::Block& body, std::size_t at, ir::VarId v) const;
  void declare(const ir::Declare& s, const ir::Call* initialiser, bool readBehind = true);
  void frame(const ir::Declare& s);
  const ir::Call* initialiser(const ir::Block& body, std::size_t at) const;
  void call(const ir::Call& s);
  std::string callText(const ir::Call& s) const;
  ir::TypeId printedType(ir::ExprId e) const;
  void ifElse(const ir::If& s, const std::string& before);
  void assign(const ir::Assign& s);
  void update(ir::ExprId target, ir::ExprId value, bool subtract);
  void setZero(ir::ExprId place);
  void pieces(const std::vector<std::string>& pieces, const std::vector<ir::ExprId>& args);
  void restructure(const ir::Restructure& s);
  void allocate(const ir::Allocate& s);
  void release(const ir::Free& s);
  void push(const ir::Push& s);
  void tapeBlock(const ir::TapeBlock& s);
  void mpi(const ir::Mpi& s);  // mpi_writer.cpp
  // loop_writer.cpp
  std::string forHead(const ir::For& s) const;
  void forLoop(const ir::For& s);
  std::string boundOfBackwards(const ir::For& s, const ir::Declare& counter) const;
  void whileLoop(const ir::While& s);
  // omp_writer.cpp
  void parallel(const ir::OmpParallel& s);
  void worksharing(const std::string& pragma, ir::StmtId loop);
  std::string clauses(const ir::DataSharing& data) const;
  std::string loopClauses(const ir::OmpFor& s) const;
  bool combines(const ir::OmpParallel& s) const;

  std::string name(ir::VarId v) const { return names_[v]; }
  std::string declarator(ir::VarId v) const;  // the name, with __restrict__
  bool hasContinue(const ir::Block& body) const;

  const ir::Module& m_;
  const ir::Function& f_;
  Names names_;
  ExprWriter expr_;
  std::vector<VarUsage> usage_;
  std::string out_;
  unsigned depth_ = 0;
};

// zero.cpp: what makes every real of `place`, an object of the type, zero: "x = 0.0;".
std::string zeroStatement(const ir::Module& module, ir::TypeId type, const std::string& place);
// A field's name in the record; that of a base class's field which another one hides names the class.
std::string memberName(const ir::Record& record, unsigned field);
// A base class that isn't the first with members is a field, named `(Base)`.
bool isBaseClass(const ir::Field& field);
std::string asBase(const ir::Field& field, const std::string& object);
// True if a record and its base classes have but one member of the name.
bool isOnly(const ir::Module& module, ir::RecordId record, const std::string& name);
// Of a std::tuple, whose elements are named `get<0>`, …
bool isTupleElement(const ir::Field& field);
// The records that SetZero statements of the functions reach, parts first, and the function that the runtime calls for one.
// access.cpp: the function that gives a private member, and its definitions for all that functions and setZero of records use.
std::string accessName(const ir::Module& module, ir::RecordId record, unsigned field);
std::string accessFunctions(const ir::Module& module, const std::vector<ir::FuncId>& functions, const std::vector<ir::RecordId>& zeroed);
std::vector<ir::RecordId> recordsToZero(const ir::Module& module, const std::vector<ir::FuncId>& functions);
std::string zeroFunction(const ir::Module& module, ir::RecordId record);

}  // namespace contraflow::emit
