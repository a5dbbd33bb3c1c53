// The tangent (forward mode), DESIGN 2.2: statement by statement, the derivative before the primal.
//
//     double f(const double* x, int n) {        contraflow::Tangent<double> f_d(const double* x, const double* x_d, int n) {
//       double s = 0.0;                           double s_d = 0.0;
//       for (int i = 0; i < n; ++i)               double s = 0.0;
//         s += x[i] * std::sin(x[i]);             for (int i = 0; i < n; ++i) {
//       return s;                                   s_d += std::sin(x[i]) * x_d[i] + x[i] * std::cos(x[i]) * x_d[i];
//     }                                             s += x[i] * std::sin(x[i]);
//                                                 }
//                                                 return {s, s_d};
//                                               }
//
// Works on primal functions, before or after structureJumps, and on the derivative functions that the adjoint makes: what is
// recorded, restored, incremented or sent is so for both. The tangent of an adjoint gives Hessian-vector products.
//
// Real results are returned as a pair, contraflow::Tangent; other results that reach reals have their shadow as a last reference
// parameter `result_d`. Which variables have shadows: presence.hpp.
#pragma once

#include <optional>
#include <vector>

#include "diagnostics/diagnostics.hpp"
#include "ir/module.hpp"

namespace contraflow::transform {

struct TangentResult {
  ir::Head head;        // what was asked for
  ir::FuncId function;  // f_d
};
struct Tangents {
  std::vector<TangentResult> heads;
  std::vector<ir::FuncId> functions;  // every function made, in order of emission: callees first
};

// `trace`: they note the derivatives at each statement, for --check-lines. Adds to the module the tangents of the heads (of any mode; `function` is what is differentiated) and of every function that they
// need. Empty: something can't be differentiated, and was reported.
std::optional<Tangents> differentiateTangent(ir::Module& module, const std::vector<ir::Head>& heads, Diagnostics& diagnostics,
                                            bool trace = false);

}  // namespace contraflow::transform
