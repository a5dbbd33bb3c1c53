// Derivatives of MPI routines. For MPI_Xyz there are
//
//     xyz_d        the tangent
//     xyz_fwd      the forward part of the adjoint: the primal call, and a record on the tape
//     xyz_rev      its reverse part, which takes that record off; in exactly the reverse order of the forward parts
//     xyz_fwd_d, xyz_rev_d   the tangents of these two: both shadows are moved, both values restored
//
// Arguments are those of the routine, each buffer's shadow right behind it, and the tape last (behind it, a
// Record::Nothing if the old contents of an overwritten buffer aren't needed). A null shadow says that the buffer is
// constant on this rank: the rank takes part in the communication all the same. finish() ends a derivative.
#ifndef CONTRAFLOW_MPI_HPP
#define CONTRAFLOW_MPI_HPP

#include <contraflow/mpi/barrier.hpp>
#include <contraflow/mpi/beside.hpp>
#include <contraflow/mpi/broadcast.hpp>
#include <contraflow/mpi/gather.hpp>
#include <contraflow/mpi/nonblocking.hpp>
#include <contraflow/mpi/point_to_point.hpp>
#include <contraflow/mpi/reduction.hpp>
#include <contraflow/mpi/scatter.hpp>
#include <contraflow/mpi/steps.hpp>

#endif
