// Part of the printer: variables and expressions of one function.
#pragma once

#include <string>
#include <vector>

#include "ir/module.hpp"

namespace contraflow::ir {

class ExprPrinter {
 public:
  ExprPrinter(const Module& module, const Function& function);

  const std::string& name(VarId id) const;
  std::string declaration(VarId id) const;  // `double& r`
  std::string operator()(ExprId id) const { return expr(id, 0); }
  std::string list(const std::vector<ExprId>& ids) const;

 private:
  std::string expr(ExprId id, int outer) const;

  const Module& module_;
  const Function& function_;
  std::vector<std::string> names_;
};

}  // namespace contraflow::ir
