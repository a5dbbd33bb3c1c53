// MPI calls that are refused: each with its reason and a way out.
// REQUIRES: mpi
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint otherRoutine --adjoint untyped --adjoint wrongType --adjoint oddOperation \
// RUN:     --adjoint writesAChoice --adjoint ends --adjoint 'gathersIndices(x -> return)' --adjoint ownRoutine \
// RUN:     --out-dir %t -- -std=c++20 %mpiflags 2>&1 | FileCheck %s
// RUN: ls %t | count 0
#include <mpi.h>
double otherRoutine(double x) {
  double y = x;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: MPI_Fetch_and_op isn't supported in code to be differentiated [CF1301]
  // CHECK: note: call it outside of what is differentiated, or mark the function that calls it 'inactive'
  MPI_Fetch_and_op(&y, &y, MPI_DOUBLE, 0, 0, MPI_SUM, MPI_WIN_NULL);
  return y;
}
double untyped(double x, void* b) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'b' in MPI_Send, a pointer to 'void', isn't supported in code to be differentiated [CF1301]
  // CHECK: note: pass a pointer to float, double or long double, or to something without reals
  MPI_Send(b, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  return x;
}
double wrongType(double x) {
  double y = x;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'MPI_FLOAT' for a message of 'double' in MPI_Bcast isn't supported in code to be differentiated [CF1301]
  // CHECK: note: send it as MPI_DOUBLE
  MPI_Bcast(&y, 1, MPI_FLOAT, 0, MPI_COMM_WORLD);
  return y;
}
double oddOperation(double x) {
  double y = x, z = 0;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the operation 'MPI_LAND' in MPI_Allreduce isn't supported in code to be differentiated [CF1301]
  // CHECK: note: use one of MPI_SUM, MPI_MAX, MPI_MIN
  MPI_Allreduce(&y, &z, 1, MPI_DOUBLE, MPI_LAND, MPI_COMM_WORLD);
  return z;
}
double writesAChoice(double x, int* p) {
  int flag;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'x > 0 ? p : &flag' as what MPI_Comm_test_inter writes isn't supported in code to be differentiated [CF1301]
  // CHECK: note: pass '&variable' or an array
  MPI_Comm_test_inter(MPI_COMM_WORLD, x > 0 ? p : &flag);
  return x * p[0];
}
double ends(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: MPI_Finalize, after which the reverse sweep couldn't communicate, isn't supported in code to be differentiated [CF1301]
  // CHECK: note: call it outside of what is differentiated, or mark the function that calls it 'inactive'
  MPI_Finalize();
  return x;
}
double gathersIndices(const double* x, int k, MPI_Comm comm) {
  int all[4] = {0, 1, 2, 3};
  double s = x[all[k]] * x[all[0]];
  MPI_Allgather(&k, 1, MPI_INT, all, 1, MPI_INT, comm);
  for (int i = 0; i < 4; ++i) s += x[all[i]] * s;
  return s;
}
int MPI_Mine(int n) { return n; }
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'MPI_Mine', which the program itself defines, isn't supported in code to be differentiated [CF1301]
// CHECK: note: leave its source out, or give the function a name of its own
double ownRoutine(double x) { return x * MPI_Mine(2); }
