// Memory that becomes active, though the head gives it no shadow: here, behind a const that is cast away.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --no-analysis --out-dir %t 2>&1 | FileCheck %s
// RUN: not %contraflow %s --tangent 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s --check-prefix=TANGENT
// RUN: ls %t | count 0
double f(const double* x, const double* table) {
  double* w = const_cast<double*>(table);
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'table' becomes active, but has no shadow in the head [CF1401]
  // TANGENT: :[[#@LINE+1]]:{{[0-9]+}}: error: 'w[0]' becomes active, but has no shadow in the head [CF1401]
  w[0] = x[0] * x[0];
  // CHECK: note: add 'table' to the head's independents or dependents
  return w[0] * x[1];
}

// The way out works.
// RUN: %contraflow %s --adjoint 'f(x, table -> return)' --tangent 'f(x, table -> return)' --out-dir %t
// RUN: ls %t | count 2
