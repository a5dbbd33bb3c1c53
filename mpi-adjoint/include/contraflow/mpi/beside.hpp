// Receives without a derivative, beside derivative messages: what generated code calls where their tag may be MPI_ANY_TAG.
#ifndef CONTRAFLOW_MPI_BESIDE_HPP
#define CONTRAFLOW_MPI_BESIDE_HPP

#include <contraflow/mpi/point_to_point.hpp>
#include <contraflow/mpi/posts.hpp>

#include <mpi.h>

namespace contraflow::mpi {

// MPI_Recv. Derivative messages that it meets are put aside.
inline int recv(void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status* wanted) {
  MPI_Status status;
  detail::receiveValue(buf, count, type, source, tag, comm, status, "MPI_Recv");
  return detail::returnStatus(wanted, status);
}
// MPI_Sendrecv, likewise.
inline int sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf, int recvcount,
                    MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status* wanted) {
  MPI_Status status;
  detail::sendrecvValues(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status);
  return detail::returnStatus(wanted, status);
}
// MPI_Irecv. It can't put anything aside: with MPI_ANY_TAG on a communicator that isn't isolated, it stops the run.
inline int irecv(void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  detail::checkPostedTag(source, tag, comm, "MPI_Irecv");
  return MPI_Irecv(buf, count, type, source, tag, comm, request);
}

}  // namespace contraflow::mpi

#endif
