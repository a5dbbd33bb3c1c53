// contraflow/check.hpp across ranks: Session<contraflow::mpi::CheckRanks>.
#ifndef CONTRAFLOW_CHECK_MPI_HPP
#define CONTRAFLOW_CHECK_MPI_HPP

#include <contraflow/check.hpp>

#include <mpi.h>

namespace contraflow::mpi {

// MPI from here to the end of the object's life.
class CheckRanks {
 public:
  CheckRanks(int* argc, char*** argv) {
    int provided = 0;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }
  CheckRanks(const CheckRanks&) = delete;
  CheckRanks& operator=(const CheckRanks&) = delete;
  ~CheckRanks() { MPI_Finalize(); }

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  double operator()(double share) const {
    double sum = 0;
    MPI_Allreduce(&share, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
  }

 private:
  int rank_ = 0, ranks_ = 1;
};

}  // namespace contraflow::mpi

#endif
