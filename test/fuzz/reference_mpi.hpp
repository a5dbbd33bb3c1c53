// MPI for the reference's numbers: a message of `Real`s, and the reductions of them.
#pragma once

#include <mpi.h>

#include "dual.hpp"

namespace fuzz {

template <class Real>
MPI_Datatype realType() {
  static MPI_Datatype type = [] {
    MPI_Datatype made;
    MPI_Type_contiguous(sizeof(Real) / sizeof(double), MPI_DOUBLE, &made);
    MPI_Type_commit(&made);
    return made;
  }();
  return type;
}

// In the order of ranks, since of equal maxima the lowest rank's counts.
template <class Real, class Combine>
MPI_Op realOp() {
  static MPI_Op op = [] {
    MPI_Op made;
    MPI_Op_create(
        [](void* lower, void* higher, int* count, MPI_Datatype*) {
          for (int i = 0; i < *count; ++i)
            static_cast<Real*>(higher)[i] = Combine()(static_cast<Real*>(lower)[i], static_cast<Real*>(higher)[i]);
        },
        0, &made);
    return made;
  }();
  return op;
}

struct Sum {
  template <class Real>
  Real operator()(const Real& a, const Real& b) const {
    return a + b;
  }
};
struct Max {
  template <class Real>
  Real operator()(const Real& a, const Real& b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <class Real>
  Real operator()(const Real& a, const Real& b) const {
    return b < a ? b : a;
  }
};

}  // namespace fuzz
