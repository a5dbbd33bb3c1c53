// MPI where the adjoint or a second derivative can't follow it.
// REQUIRES: mpi
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'unevenSnapshots(x -> x)' --adjoint 'sendsCounts(x -> x)' \
// RUN:     --adjoint 'gathersIndices(x -> return)' \
// RUN:     --out-dir %t -- -std=c++20 %mpiflags 2>&1 | FileCheck %s
// RUN: not %contraflow %s --tangent 'sends(x -> return)' --tangent 'sends_d(x, x_d -> return)' --out-dir %t -- %mpiflags 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: ls %t | count 0
#include <mpi.h>
void unevenSnapshots(double& x, MPI_Comm comm) {
#pragma contraflow checkpoint(memory: 1000)
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: with MPI in it all ranks need one schedule, and how many snapshots fit differs [CF1402]
  // CHECK: note: give a number, as in 'checkpoint(binomial, snapshots: 20)'
  for (int t = 0; t < 9; ++t) {
    double sum = 0;
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    x *= sum;
  }
}
void sendsCounts(double& x, int n, MPI_Comm comm) {
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: a message without a derivative is sent or received in it, and nothing would notice if its partner isn't in the same step [CF1402]
    // CHECK: note: send it in front of the loop, or use a collective routine
    if (n > 0) MPI_Send(&n, 1, MPI_INT, 0, 0, comm);
    else MPI_Recv(&n, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    x *= x * n;
  }
}
double gathersIndices(const double* x, int k, MPI_Comm comm) {
  int all[4] = {0, 1, 2, 3};
  double s = x[all[k]] * x[all[0]];
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the buffer that 'MPI_Allgather' overwrites is needed by the reverse sweep [CF1402]
  // CHECK: note: receive into a variable of its own
  MPI_Allgather(&k, 1, MPI_INT, all, 1, MPI_INT, comm);
  for (int i = 0; i < 4; ++i) s += x[all[i]] * s;
  return s;
}
double sends(double x, MPI_Comm comm) {
  double sum = 0;
  // TWICE: :[[#@LINE+2]]:{{[0-9]+}}: error: the tangent of a tangent with MPI isn't supported [CF1402]
  // TWICE: note: take the tangent of the adjoint instead
  MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  return sum * x;
}
