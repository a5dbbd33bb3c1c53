// What is wrong in an annotation of a loop or pointer.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> x)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: can't read this annotation: 'y' is no pointer parameter of 'f' [CF1410]
#pragma contraflow extent(y: n)
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: can't read this annotation: 'm' in the extent is neither a number nor an integer parameter of 'f' [CF1410]
#pragma contraflow extent(x: n * m)
void f(double* x, int n) {
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: can't read this annotation: a schedule is 'binomial, snapshots: N', 'periodic, interval: N' or 'memory: BYTES' [CF1410]
#pragma contraflow checkpoint(revolve, snapshots: 20)
  for (int i = 0; i < n; ++i) x[i] *= x[i];
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: can't read this annotation: '0' is no positive number [CF1410]
#pragma contraflow checkpoint(binomial, snapshots: 0)
  for (int i = 0; i < n; ++i) x[i] *= x[i];
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: can't read this annotation: behind the schedule only 'disk: "FOLDER"' is expected [CF1410]
#pragma contraflow checkpoint(binomial, snapshots: 2, folder: "x")
  for (int i = 0; i < n; ++i) x[i] *= x[i];
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: can't read this annotation: the folder stands in quotes, as in 'disk: "snapshots"' [CF1410]
#pragma contraflow checkpoint(periodic, interval: 2, disk: x)
  for (int i = 0; i < n; ++i) x[i] *= x[i];
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: can't read this annotation: with 'disk' a schedule says how many snapshots there are: 'binomial, snapshots: N' or 'periodic, interval: N' [CF1410]
#pragma contraflow checkpoint(memory: 1000, disk: "x")
  for (int i = 0; i < n; ++i) x[i] *= x[i];
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: can't read this annotation: behind the folder only 'beyond: N', 'beyond: N bytes' and then 'restart: N' are expected [CF1410]
#pragma contraflow checkpoint(binomial, snapshots: 2, disk: "x", restarts: 3)
  for (int i = 0; i < n; ++i) x[i] *= x[i];
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: can't read this annotation: 'x' isn't expected behind the schedule [CF1410]
#pragma contraflow checkpoint(binomial, snapshots: 2 x)
  for (int i = 0; i < n; ++i) x[i] *= x[i];
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: can't read this annotation: 'many' is no positive number [CF1410]
#pragma contraflow checkpoint(binomial, snapshots: 2, disk: "x", beyond: many)
  for (int i = 0; i < n; ++i) x[i] *= x[i];
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a checkpoint with a schedule stands before a loop, and what follows is none [CF1402]
// CHECK: note: put the annotation right before the loop over time
#pragma contraflow checkpoint(binomial, snapshots: 2)
  { x[0] *= x[0]; }
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a checkpoint without a schedule stands before a block, and what follows is none [CF1402]
// CHECK: note: put calls into braces, '{ step(u); }'; a loop needs a schedule, as in 'checkpoint(binomial, snapshots: 20)'
#pragma contraflow checkpoint
  x[0] *= x[1];
}
