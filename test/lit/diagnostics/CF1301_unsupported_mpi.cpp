// MPI calls whose adjoint the tool doesn't have.
// REQUIRES: mpi
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t -- %mpiflags 2>&1 | FileCheck %s
// RUN: ls %t | count 0
#include <mpi.h>

double f(const double* x, int n, MPI_Comm comm) {
  double mine = 0.0, all = 0.0;
  for (int i = 0; i < n; ++i) mine += x[i] * x[i];
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}MPI_PROD{{.*}} isn't supported in code to be differentiated [CF1301]
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_PROD, comm);
  // CHECK: note: use one of MPI_SUM, MPI_MAX, MPI_MIN
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}MPI_Scan{{.*}} isn't supported in code to be differentiated [CF1301]
  MPI_Scan(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'MPI_FLOAT' for a message of 'double' in MPI_Bcast isn't supported in code to be differentiated [CF1301]
  MPI_Bcast(&all, 1, MPI_FLOAT, 0, comm);
  // CHECK: note: send it as MPI_DOUBLE
  return all;
}
