// Macros that the source defines before it includes a header hold for that header in the generated one too, and not behind it.
// RUN: rm -rf %t && mkdir %t
// RUN: %contraflow %s --adjoint 'f(x -> return)' --out-dir %t
// RUN: FileCheck %s < %t/macros_ad.hpp
// CHECK: #include "contraflow/runtime.hpp"
// CHECK-NOT: #undef
// CHECK: #pragma push_macro("REAL")
// CHECK-NEXT: #undef REAL
// CHECK-NEXT: #define REAL double
// CHECK: #pragma push_macro("SCALED")
// CHECK: #define SCALED(x)
// CHECK: #include "Inputs/macros.hpp"
// CHECK: #pragma pop_macro("REAL")
// CHECK-NOT: BEHIND
#define REAL double
#define SCALED(x) \
  (2 * (x))
#include "Inputs/macros.hpp"
#define BEHIND 3
double f(const State& s, REAL x) { return s.scaled() * x * BEHIND; }
