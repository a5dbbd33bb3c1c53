// A function whose body no source of the command has.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
double solve(double x, int n);

double f(double x, int n) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'solve' has no body and no rule [CF1104]
  return x * solve(x, n);
  // CHECK: note: add the source file that defines it to the command{{.*}}solve_b(double x, double& x_b, int n, double solve_b_seed){{.*}}
}

// The way out works: with the other source, both are differentiated.
// RUN: echo 'double solve(double x, int n) { return x * n; }' > %t.other.cpp
// RUN: %contraflow %s %t.other.cpp --adjoint 'f(x -> return)' --out-dir %t
// RUN: ls %t | count 4
