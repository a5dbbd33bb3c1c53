// Misuses, by name: each must stop the run with a message. `unit-mpi fail NAME` runs one, on two ranks.
#ifndef CONTRAFLOW_TEST_UNIT_MPI_FAILURES_HPP
#define CONTRAFLOW_TEST_UNIT_MPI_FAILURES_HPP

#include <contraflow/mpi.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace failures {

namespace mpi = contraflow::mpi;

inline int fail(const std::string& name) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  contraflow::Tape tape;
  double x[4] = {};
  double x_b[4] = {};
  double y[4] = {};
  double y_b[4] = {};
  int integers[2] = {};
  MPI_Request request = MPI_REQUEST_NULL;
  void* bound = nullptr;
  int found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found);
  const int highest = *static_cast<int*>(bound);

  if (name == "type") {
    mpi::bcast_fwd(integers, nullptr, 2, MPI_INT, 0, MPI_COMM_WORLD, tape);
  } else if (name == "op") {
    mpi::allreduce_fwd(x, x_b, y, y_b, 4, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD, tape);
  } else if (name == "tag") {
    mpi::isend_fwd(x, x_b, 4, MPI_DOUBLE, other, highest, MPI_COMM_WORLD, &request, tape);
  } else if (name == "any-tag") {
    mpi::irecv_fwd(x, x_b, 4, MPI_DOUBLE, other, MPI_ANY_TAG, MPI_COMM_WORLD, &request, tape);
  } else if (name == "left-over" || name == "mismatch") {
    // Rank 0's first send isn't differentiated, rank 1's receive of it is.
    if (rank == 0) {
      MPI_Send(x, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
      const int tag = name == "mismatch" ? 0 : 1;
      mpi::send_fwd(x, x_b, 3, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, tape);
      MPI_Barrier(MPI_COMM_WORLD);
      if (name == "mismatch") mpi::send_rev(tape);
    } else {
      mpi::recv_fwd(y, y_b, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, tape);
      MPI_Recv(x, 3, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      mpi::recv_rev(tape);
      mpi::finish();
      MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    mpi::finish();
  } else if (name == "missing") {
    // Rank 0's send is differentiated, rank 1's receive of it isn't.
    setenv("CONTRAFLOW_MPI_TIMEOUT", "0.5", 1);
    if (rank == 0) {
      mpi::send_fwd(x, x_b, 4, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD, tape);
      mpi::send_rev(tape);
    } else {
      MPI_Recv(x, 4, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (name == "not-completed") {
    mpi::irecv_fwd(x, x_b, 4, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &request, tape);
    mpi::irecv_rev(tape);
  } else {
    std::fprintf(stderr, "no failure is called %s\n", name.c_str());
  }
  return 0;
}

}  // namespace failures

#endif
