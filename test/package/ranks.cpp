#include <mpi.h>

// The sum over all ranks of x * x, on each of them.
double share(double x, MPI_Comm comm) {
  double mine = x * x;
  double all = 0.0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
  return all;
}
