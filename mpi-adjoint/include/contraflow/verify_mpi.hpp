// contraflow/verify.hpp across ranks: dotProductTest(..., SumOverRanks{comm}).
#ifndef CONTRAFLOW_VERIFY_MPI_HPP
#define CONTRAFLOW_VERIFY_MPI_HPP

#include <contraflow/verify.hpp>

#include <mpi.h>

namespace contraflow::mpi {

// The sum of a number over the ranks of a communicator; collective.
struct SumOverRanks {
  MPI_Comm comm = MPI_COMM_WORLD;
  double operator()(double share) const {
    double sum = 0;
    MPI_Allreduce(&share, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    return sum;
  }
};

}  // namespace contraflow::mpi

#endif
