// --emit-check: a driver that compiles without warnings, passes, and sees a fault in the adjoint, in the tangent, and in a rule that both
// share.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %contraflow %s --adjoint 'misfit(k, m.source.strength -> return)' --adjoint step --out-dir %t --emit-check check.cpp --check-arg 'n = 6' --check-arg 'k[n] = 0.5 + 0.1 * i' --check-arg 'm = {{{1, 2}, 3}, 4, n}' --check-arg 'u[6]' --check-arg 'index[u.size()] = (i + 1) % 6' -- -I%S/Inputs
// RUN: FileCheck %s --check-prefix=DRIVER --input-file=check.cpp
// RUN: %cxx %cflags -I%S/Inputs -c check.cpp -o check.o
// RUN: %cxx %cflags -I%S/Inputs check.o dot_product_ad.cpp %libs -o check && ./check | FileCheck %s --check-prefix=GOOD
// RUN: %clangxx -std=c++17 %cflags -I%S/Inputs check.cpp dot_product_ad.cpp %libs -o clang && ./clang --seed=7 | FileCheck %s --check-prefix=GOOD
//
// The driver's own command line.
// RUN: not ./check --tolerance=nothing 2>&1 | FileCheck %s --check-prefix=USAGE
// USAGE: usage: [--seed=N] [--tolerance=T] [--difference-tolerance=T]
//
// A wrong partial derivative in the adjoint alone.
// RUN: %python %S/Inputs/break.py dot_product_ad.cpp misfit_b 'std::cos(' 'std::sin(' > wrong.cpp
// RUN: %cxx %cflags -I%S/Inputs check.o wrong.cpp %libs -o wrong && not ./wrong | FileCheck %s --check-prefix=ADJOINT
//
// In the tangent alone.
// RUN: %python %S/Inputs/break.py dot_product_ad.cpp misfit_d 'std::cos(' 'std::sin(' > wrong.cpp
// RUN: %cxx %cflags -I%S/Inputs check.o wrong.cpp %libs -o wrong && not ./wrong | FileCheck %s --check-prefix=TANGENT
//
// In both: the dot product doesn't see it.
// RUN: %python %S/Inputs/break.py dot_product_ad.cpp misfit_d 'std::cos(' 'std::sin(' > half.cpp
// RUN: %python %S/Inputs/break.py half.cpp misfit_b 'std::cos(' 'std::sin(' > wrong.cpp
// RUN: %cxx %cflags -I%S/Inputs check.o wrong.cpp %libs -o wrong && not ./wrong | FileCheck %s --check-prefix=RULE
#include <cmath>

#include "misfit.hpp"

double misfit(const double *k, const Model &m, int n) {
  double sum = m.offset;
  for (int i = 0; i < n; ++i) sum += std::sin(k[i]) * m.source.strength[i % 2];
  return sum;
}

void step(std::vector<double> &u, const int *index, double dt) {
  std::vector<double> old = u;
  for (std::size_t i = 0; i < u.size(); ++i) u[i] += dt * old[static_cast<std::size_t>(index[i])];
}

// DRIVER: #include "dot_product_ad.hpp"
// DRIVER: double misfit(const double* k, const Model& m, int n);
// DRIVER: struct Reals<::Source>
// DRIVER: struct Check1
// DRIVER: static constexpr const char* inputs[] = {"k", "m.source.strength"};
// DRIVER: int n = 6;
// DRIVER: visit(1, a.m.source.strength);
// DRIVER: struct Check2

// GOOD: misfit(k, m.source.strength -> return): 1 rank(s) x {{[0-9]+}} thread(s), 8 reals in, 1 out
// GOOD: values against the primal's: tangent 0.0e+00, adjoint 0.0e+00, relative: good
// GOOD: dot product: {{.*}}: good
// GOOD: output rank k m.source.strength
// GOOD: return 0
// GOOD-NOT: BAD
// GOOD: all outputs: smallest relative error {{[0-9.]+}}e-{{(09|1[0-9])}}, at step 1e-0{{[34567]}}: good
// GOOD: misfit(k, m.source.strength -> return): passed
// GOOD: step(u, dt -> u): {{.*}} 7 reals in, 6 out
// GOOD: step(u, dt -> u): passed

// ADJOINT: dot product: {{.*}}: BAD
// ADJOINT: return 0 {{.*}} BAD {{[^B]*$}}
// ADJOINT-NEXT: the derivative of 'return' of rank 0 by real {{[0-5]}} of 'k' on rank 0:
// ADJOINT-NEXT: the adjoint is wrong
// ADJOINT: all outputs: {{.*}}: good
// ADJOINT: misfit(k, m.source.strength -> return): FAILED

// TANGENT: of 'k' on rank 0:
// TANGENT-NEXT: the tangent is wrong
// TANGENT: all outputs: {{.*}}: BAD
// TANGENT: FAILED

// RULE: dot product: {{.*}}: good
// RULE: all outputs: {{.*}}: BAD
// RULE: return of rank 0: {{.*}}: BAD
// RULE: FAILED
