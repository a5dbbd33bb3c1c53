// The names that variables have in printed code. A variable keeps its own name unless that is a keyword, hides something that
// the function uses, or belongs to another variable whose scope is open: then it gets `_2`, `_3`, … The copies of an OpenMP
// construct are named as their originals, since its clauses know one name only.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/module.hpp"

namespace contraflow::emit {

class Names {
 public:
  Names(const ir::Module& module, const ir::Function& function);

  const std::string& operator[](ir::VarId v) const { return names_[v.index()]; }
  // A name that nothing in the function has, for a helper variable of the printer itself.
  std::string fresh(const std::string& wish);

 private:
  void collectReserved();
  void block(const ir::Block& body);
  void stmt(ir::StmtId id);
  void declare(ir::VarId v);
  void open() { scopes_.emplace_back(); }
  void close();
  void copies(const ir::DataSharing& data);
  std::string pick(const std::string& wish, bool everywhere) const;

  const ir::Module& m_;
  const ir::Function& f_;
  std::vector<std::string> names_;
  std::set<std::string> reserved_;
  std::set<std::string> all_;                         // every name given so far
  std::map<std::string, unsigned> inScope_;           // names of the open scopes
  std::vector<std::vector<std::string>> scopes_;
};

// True for C++'s keywords and alternative operator names.
bool isKeyword(const std::string& word);

// How `name` in `namespaces` is written inside `from`: `x` in its own one (those without a name don't count), else `ns::x`, from inside
// a namespace `::ns::x`, since one on the way may have the same names.
std::string qualified(const std::vector<std::string>& namespaces, const std::string& name, const std::vector<std::string>& from);
// The same for a pure function that is spelled as C++ does: `::abs` of integers, and `std::isnan` as it is.
std::string qualifiedCallee(const std::string& callee, const std::vector<std::string>& from);

}  // namespace contraflow::emit
