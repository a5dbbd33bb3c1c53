// The table of MPI routines (mpi_ops.def) as data: which argument is what, and how the adjoint works.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace contraflow::rules {

// mpi_ops.def says what each of them means.
enum class Family { Query, Barrier, PointToPoint, Post, Completion, Broadcast, Reduction, Gather, Scatter };
enum class Role {
  SendBuf, RecvBuf, InOutBuf,
  Count, SendCount, RecvCount,
  Type, SendType, RecvType,
  Op,
  Peer, Source, Dest, Root,
  Tag, SendTag, RecvTag,
  Comm,
  Request, Requests,
  Status, Statuses,
  OutInt
};

struct MpiRow {
  std::string id;     // "Allreduce"
  std::string name;   // "MPI_Allreduce"
  std::string snake;  // "allreduce": contraflow::mpi::allreduce_fwd and so on; empty: nothing to differentiate
  Family family;
  std::vector<Role> roles;  // one for each argument
};

const std::vector<MpiRow>& mpiRows();
// The row that ir::Mpi::op names.
const MpiRow& mpiRow(unsigned op);
// By the routine's name; "PMPI_" names are the same routine.
std::optional<unsigned> findMpi(const std::string& name);

// What an element of a datatype holds, and what a C type of MPI's is; mpi_names.def says which.
enum class Holds { Integer, Float, Double, LongDouble };
enum class MpiType { Communicator, Handle, Request, Status };
// By name, "MPI_INT" and "MPI_Comm"; none for what the table doesn't have.
std::optional<Holds> findDatatype(const std::string& name);
std::optional<MpiType> findMpiType(const std::string& name);
// The first datatype that holds this: "MPI_DOUBLE".
std::string datatypeThatHolds(Holds holds);
// The operations on reals whose reduction can be reversed: "MPI_SUM".
const std::vector<std::string>& reversibleOperations();

// True if the role is a buffer: an argument that has a shadow.
bool isBuffer(Role role);
// True if the routine may write through the argument.
bool isWritten(Role role);

}  // namespace contraflow::rules
