// One small MPI program in three modes: its tangent, its adjoint, and the tangent of its adjoint.
//
// A program is a generic function of an Ops and a State, that calls ops.send(...) and so on where MPI code would
// call MPI_Send. TangentOps runs the tangents; AdjointOps the forward parts, and keeps the reverse parts in a list.
#ifndef CONTRAFLOW_TEST_UNIT_MPI_MODES_HPP
#define CONTRAFLOW_TEST_UNIT_MPI_MODES_HPP

#include <contraflow/mpi.hpp>

#include <functional>
#include <vector>

namespace modes {

template <class T>
MPI_Datatype typeOf();
template <>
inline MPI_Datatype typeOf<float>() {
  return MPI_FLOAT;
}
template <>
inline MPI_Datatype typeOf<double>() {
  return MPI_DOUBLE;
}
template <>
inline MPI_Datatype typeOf<long double>() {
  return MPI_LONG_DOUBLE;
}

// An array: value, tangent, adjoint, and the adjoint's tangent. Constant ones have null shadows.
template <class T>
struct Array {
  explicit Array(std::size_t n = 0, bool isConstant = false) : v(n), d(n), b(n), bd(n), constant(isConstant) {}
  std::vector<T> v, d, b, bd;
  bool constant;
};

// Where in an array a buffer starts; `in place` if there is none.
template <class T>
struct Buffer {
  Array<T>* array = nullptr;
  std::size_t offset = 0;

  void* v() const { return array == nullptr ? MPI_IN_PLACE : array->v.data() + offset; }
  void* d() const { return shadow(&Array<T>::d); }
  void* b() const { return shadow(&Array<T>::b); }
  void* bd() const { return shadow(&Array<T>::bd); }

private:
  void* shadow(std::vector<T> Array<T>::* which) const {
    return array == nullptr || array->constant ? nullptr : (array->*which).data() + offset;
  }
};
template <class T>
Buffer<T> at(Array<T>& array, std::size_t offset = 0) {
  return {&array, offset};
}

template <class T>
class TangentOps {
public:
  using Real = T;
  using B = Buffer<T>;
  void send(B x, int n, int dest, int tag, MPI_Comm c) { contraflow::mpi::send_d(x.v(), x.d(), n, t, dest, tag, c); }
  void ssend(B x, int n, int dest, int tag, MPI_Comm c) { contraflow::mpi::ssend_d(x.v(), x.d(), n, t, dest, tag, c); }
  void recv(B x, int n, int source, int tag, MPI_Comm c, MPI_Status* s = MPI_STATUS_IGNORE) {
    contraflow::mpi::recv_d(x.v(), x.d(), n, t, source, tag, c, s);
  }
  void isend(B x, int n, int dest, int tag, MPI_Comm c, MPI_Request* r) {
    contraflow::mpi::isend_d(x.v(), x.d(), n, t, dest, tag, c, r);
  }
  void irecv(B x, int n, int source, int tag, MPI_Comm c, MPI_Request* r) {
    contraflow::mpi::irecv_d(x.v(), x.d(), n, t, source, tag, c, r);
  }
  void wait(MPI_Request* r, MPI_Status* s = MPI_STATUS_IGNORE) { contraflow::mpi::wait_d(r, s); }
  void waitall(int n, MPI_Request* r, MPI_Status* s = MPI_STATUSES_IGNORE) { contraflow::mpi::waitall_d(n, r, s); }
  void sendrecv(B x, int n, int dest, int stag, B y, int m, int source, int rtag, MPI_Comm c,
                MPI_Status* s = MPI_STATUS_IGNORE) {
    contraflow::mpi::sendrecv_d(x.v(), x.d(), n, t, dest, stag, y.v(), y.d(), m, t, source, rtag, c, s);
  }
  void bcast(B x, int n, int root, MPI_Comm c) { contraflow::mpi::bcast_d(x.v(), x.d(), n, t, root, c); }
  void reduce(B x, B y, int n, MPI_Op op, int root, MPI_Comm c) {
    contraflow::mpi::reduce_d(x.v(), x.d(), y.v(), y.d(), n, t, op, root, c);
  }
  void allreduce(B x, B y, int n, MPI_Op op, MPI_Comm c) {
    contraflow::mpi::allreduce_d(x.v(), x.d(), y.v(), y.d(), n, t, op, c);
  }
  void gather(B x, int n, B y, int m, int root, MPI_Comm c) {
    contraflow::mpi::gather_d(x.v(), x.d(), n, t, y.v(), y.d(), m, t, root, c);
  }
  void allgather(B x, int n, B y, int m, MPI_Comm c) {
    contraflow::mpi::allgather_d(x.v(), x.d(), n, t, y.v(), y.d(), m, t, c);
  }
  void scatter(B x, int n, B y, int m, int root, MPI_Comm c) {
    contraflow::mpi::scatter_d(x.v(), x.d(), n, t, y.v(), y.d(), m, t, root, c);
  }
  void barrier(MPI_Comm c) { contraflow::mpi::barrier_d(c); }

private:
  MPI_Datatype t = typeOf<T>();
};

// kTangent: the tangent of the adjoint.
template <class T, bool kTangent>
class AdjointOps {
public:
  using Real = T;
  using B = Buffer<T>;
  contraflow::Tape tape;

  void reverse() {
    while (!reverse_.empty()) {
      reverse_.back()(tape);
      reverse_.pop_back();
    }
    contraflow::mpi::finish();
  }

#define CONTRAFLOW_TEST_BOTH(stem, adjoint, tangentOfAdjoint) \
  if constexpr (kTangent) {                                   \
    contraflow::mpi::stem##_fwd_d tangentOfAdjoint;           \
    reverse_.push_back(&contraflow::mpi::stem##_rev_d);       \
  } else {                                                    \
    contraflow::mpi::stem##_fwd adjoint;                      \
    reverse_.push_back(&contraflow::mpi::stem##_rev);         \
  }

  void send(B x, int n, int dest, int tag, MPI_Comm c) {
    CONTRAFLOW_TEST_BOTH(send, (x.v(), x.b(), n, t, dest, tag, c, tape),
                         (x.v(), x.d(), x.b(), x.bd(), n, t, dest, tag, c, tape))
  }
  void ssend(B x, int n, int dest, int tag, MPI_Comm c) {
    CONTRAFLOW_TEST_BOTH(ssend, (x.v(), x.b(), n, t, dest, tag, c, tape),
                         (x.v(), x.d(), x.b(), x.bd(), n, t, dest, tag, c, tape))
  }
  void recv(B x, int n, int source, int tag, MPI_Comm c, MPI_Status* s = MPI_STATUS_IGNORE) {
    CONTRAFLOW_TEST_BOTH(recv, (x.v(), x.b(), n, t, source, tag, c, s, tape),
                         (x.v(), x.d(), x.b(), x.bd(), n, t, source, tag, c, s, tape))
  }
  void isend(B x, int n, int dest, int tag, MPI_Comm c, MPI_Request* r) {
    CONTRAFLOW_TEST_BOTH(isend, (x.v(), x.b(), n, t, dest, tag, c, r, tape),
                         (x.v(), x.d(), x.b(), x.bd(), n, t, dest, tag, c, r, tape))
  }
  void irecv(B x, int n, int source, int tag, MPI_Comm c, MPI_Request* r) {
    CONTRAFLOW_TEST_BOTH(irecv, (x.v(), x.b(), n, t, source, tag, c, r, tape),
                         (x.v(), x.d(), x.b(), x.bd(), n, t, source, tag, c, r, tape))
  }
  void wait(MPI_Request* r, MPI_Status* s = MPI_STATUS_IGNORE) {
    CONTRAFLOW_TEST_BOTH(wait, (r, s, tape), (r, s, tape))
  }
  void waitall(int n, MPI_Request* r, MPI_Status* s = MPI_STATUSES_IGNORE) {
    CONTRAFLOW_TEST_BOTH(waitall, (n, r, s, tape), (n, r, s, tape))
  }
  void sendrecv(B x, int n, int dest, int stag, B y, int m, int source, int rtag, MPI_Comm c,
                MPI_Status* s = MPI_STATUS_IGNORE) {
    CONTRAFLOW_TEST_BOTH(
        sendrecv, (x.v(), x.b(), n, t, dest, stag, y.v(), y.b(), m, t, source, rtag, c, s, tape),
        (x.v(), x.d(), x.b(), x.bd(), n, t, dest, stag, y.v(), y.d(), y.b(), y.bd(), m, t, source, rtag, c, s, tape))
  }
  void bcast(B x, int n, int root, MPI_Comm c) {
    CONTRAFLOW_TEST_BOTH(bcast, (x.v(), x.b(), n, t, root, c, tape), (x.v(), x.d(), x.b(), x.bd(), n, t, root, c, tape))
  }
  void reduce(B x, B y, int n, MPI_Op op, int root, MPI_Comm c) {
    CONTRAFLOW_TEST_BOTH(reduce, (x.v(), x.b(), y.v(), y.b(), n, t, op, root, c, tape),
                         (x.v(), x.d(), x.b(), x.bd(), y.v(), y.d(), y.b(), y.bd(), n, t, op, root, c, tape))
  }
  void allreduce(B x, B y, int n, MPI_Op op, MPI_Comm c) {
    CONTRAFLOW_TEST_BOTH(allreduce, (x.v(), x.b(), y.v(), y.b(), n, t, op, c, tape),
                         (x.v(), x.d(), x.b(), x.bd(), y.v(), y.d(), y.b(), y.bd(), n, t, op, c, tape))
  }
  void gather(B x, int n, B y, int m, int root, MPI_Comm c) {
    CONTRAFLOW_TEST_BOTH(gather, (x.v(), x.b(), n, t, y.v(), y.b(), m, t, root, c, tape),
                         (x.v(), x.d(), x.b(), x.bd(), n, t, y.v(), y.d(), y.b(), y.bd(), m, t, root, c, tape))
  }
  void allgather(B x, int n, B y, int m, MPI_Comm c) {
    CONTRAFLOW_TEST_BOTH(allgather, (x.v(), x.b(), n, t, y.v(), y.b(), m, t, c, tape),
                         (x.v(), x.d(), x.b(), x.bd(), n, t, y.v(), y.d(), y.b(), y.bd(), m, t, c, tape))
  }
  void scatter(B x, int n, B y, int m, int root, MPI_Comm c) {
    CONTRAFLOW_TEST_BOTH(scatter, (x.v(), x.b(), n, t, y.v(), y.b(), m, t, root, c, tape),
                         (x.v(), x.d(), x.b(), x.bd(), n, t, y.v(), y.d(), y.b(), y.bd(), m, t, root, c, tape))
  }
  void barrier(MPI_Comm c) { CONTRAFLOW_TEST_BOTH(barrier, (c, tape), (c, tape)) }
#undef CONTRAFLOW_TEST_BOTH

private:
  MPI_Datatype t = typeOf<T>();
  std::vector<void (*)(contraflow::Tape&)> reverse_;
};

}  // namespace modes

#endif
