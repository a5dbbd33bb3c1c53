// A source that doesn't compile: the compiler's first error, where it is.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
double f(double x) { return x * rate; }
// CHECK: CF1002_source_has_errors.cpp:[[#@LINE-1]]:33: error: '{{.*}}CF1002_source_has_errors.cpp' doesn't compile: use of undeclared identifier 'rate' [CF1002]
// CHECK-NEXT: double f(double x) { return x * rate; }
// CHECK-NEXT: {{^ +\^$}}
// CHECK: note: pass the flags of your build after '--', or give -p DIR
// CHECK-NOT: error

// A header that isn't found, and a flag that is none.
// RUN: echo '#include "nowhere.hpp"' > %t/header.cpp
// RUN: not %contraflow %t/header.cpp --adjoint 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s --check-prefix=HEADER
// HEADER: header.cpp:1:10: error: {{.*}}'nowhere.hpp' file not found [CF1002]
// RUN: ls %t | count 1

// A build that doesn't have the source.
// RUN: mkdir -p %t.build && echo '[]' > %t.build/compile_commands.json
// RUN: not %contraflow %s --adjoint 'f(x -> return)' -p %t.build --out-dir %t 2>&1 | FileCheck %s --check-prefix=BUILD
// BUILD: doesn't compile: no compile command for it was found [CF1002]
