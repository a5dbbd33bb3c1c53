// MPI_Barrier: no data, but what the primal orders, the reverse sweep must order too.
#ifndef CONTRAFLOW_MPI_BARRIER_HPP
#define CONTRAFLOW_MPI_BARRIER_HPP

#include <contraflow/mpi/error.hpp>
#include <contraflow/tape.hpp>

#include <mpi.h>

namespace contraflow::mpi {

// Tangent of MPI_Barrier.
inline int barrier_d(MPI_Comm comm) { return MPI_Barrier(comm); }
// Forward part of MPI_Barrier's adjoint.
inline int barrier_fwd(MPI_Comm comm, Tape& tape) {
  detail::check(MPI_Barrier(comm), "MPI_Barrier");
  tape.push(comm);
  return MPI_SUCCESS;
}
// Reverse part of MPI_Barrier's adjoint: a barrier.
inline void barrier_rev(Tape& tape) { detail::check(MPI_Barrier(tape.pop<MPI_Comm>()), "MPI_Barrier"); }
// Tangents of these two.
inline int barrier_fwd_d(MPI_Comm comm, Tape& tape) { return barrier_fwd(comm, tape); }
inline void barrier_rev_d(Tape& tape) { barrier_rev(tape); }

}  // namespace contraflow::mpi

#endif
