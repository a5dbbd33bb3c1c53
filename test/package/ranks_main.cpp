#include <mpi.h>

#include <cstdio>

#include "ranks_ad.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double x = 1.5 + rank;
  double x_b = 0.0;
  share_b(x, x_b, MPI_COMM_WORLD, rank == 0 ? 1.0 : 0.0);  // the replicated result is seeded on one rank
  MPI_Finalize();
  if (x_b == 2.0 * x) return 0;
  std::printf("rank %d: %.17g\n", rank, x_b);
  return 1;
}
