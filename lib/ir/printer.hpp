// The IR as text, for people and for FileCheck tests: close to C++, but with everything that is in the nodes (conversions, decays,
// data sharing, roles, tape statements). The same module prints the same bytes.
//
//     function external double misfit(const double* k, int n)
//       double t = 0.0
//       for (int i = 0; i < n; i += 1)
//         t += k[i] * k[i]
//       return t
//
// Two variables of one name are told apart by the order of their declaration: `t`, `t.2`.
#pragma once

#include <string>

#include "ir/module.hpp"

namespace contraflow::ir {

std::string print(const Module& module);
std::string print(const Module& module, const Function& function);
// One statement with everything inside it, each line ended; one expression, without.
std::string print(const Module& module, const Function& function, StmtId stmt);
std::string print(const Module& module, const Function& function, ExprId expr);
std::string print(const Module& module, const Head& head);

// "ns::Class::f": for messages.
std::string qualifiedName(const Function& function);
// The operator as C++ writes it.
const char* spell(BinaryOp op);
const char* spell(UnaryOp op);
// The node's name in stmt.hpp: "Assign".
const char* nodeName(const StmtNode& node);

}  // namespace contraflow::ir
