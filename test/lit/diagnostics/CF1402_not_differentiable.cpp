// Code that this version can't differentiate, though each of its parts is supported.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --tangent 'largest(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
double& largest(double* x, int n) {
  // CHECK: error: 'largest' returns a reference to an active value [CF1402]
  // CHECK: note: let it return a pointer, or an index
  int best = 0;
  for (int i = 1; i < n; ++i)
    if (x[i] > x[best]) best = i;
  return x[best];
}
