// A checkpointed loop with messages: a program whose messages don't stay in one step, or whose receives may match others when steps
// are run again, is stopped with a reason; others are refused when they are compiled. (What is right is in the numeric catalogue.)
// REQUIRES: mpi
// RUN: rm -rf %t && mkdir %t
// RUN: %contraflow %s --adjoint 'crossing(x -> x)' --adjoint 'wildcard(x -> x)' --adjoint 'late(x -> x)' --adjoint 'outside(x -> x)' -o %t/ad.cpp -- -std=c++17 %mpiflags -DOMPI_SKIP_MPICXX
// RUN: FileCheck %s < %t/ad.cpp
// RUN: %mpicxx -std=c++17 -O2 -DOMPI_SKIP_MPICXX %mpicflags -c %t/ad.cpp -o %t/ad.o
// RUN: %clangxx -std=c++17 -DOMPI_SKIP_MPICXX %mpiflags %mpicflags -fsyntax-only %t/ad.cpp
// RUN: %mpicxx -std=c++17 -O1 -DOMPI_SKIP_MPICXX %mpicflags -DCHECK -include %t/ad.hpp %s %t/ad.o %mpilibs -o %t/run
// RUN: not %mpirun 2 %t/run crossing 2>&1 | FileCheck %s --check-prefix=CROSSING
// RUN: not %mpirun 2 %t/run wildcard 2>&1 | FileCheck %s --check-prefix=WILDCARD
// RUN: not %mpirun 2 %t/run late 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not %mpirun 2 %t/run outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not %contraflow %s --adjoint 'memory(x -> x)' -o %t/no.cpp -- -std=c++17 %mpiflags -DOMPI_SKIP_MPICXX 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not %contraflow %s --adjoint 'counts(x -> x)' -o %t/no.cpp -- -std=c++17 %mpiflags -DOMPI_SKIP_MPICXX 2>&1 | FileCheck %s --check-prefix=COUNTS

// CHECK-LABEL: {{^}}void crossing_b(
// CHECK: contraflow::mpi::beginStep(checkpoint);
// CHECK: contraflow::mpi::endStep();

// CROSSING: contraflow: {{.*}}belongs to another step of a checkpointed loop
// WILDCARD: contraflow: {{.*}}MPI_ANY_SOURCE in a checkpointed loop
// LATE: contraflow: {{.*}}a request that was posted in one step isn't completed in it
// OUTSIDE: contraflow: {{.*}}belongs to another step of a checkpointed loop

#include <mpi.h>

#ifndef CHECK
static int rankOf() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

// What rank 0 sends in one step, rank 1 receives in the next.
void crossing(double& x) {
  const int rank = rankOf();
  double got = 1.0;
#pragma contraflow checkpoint(periodic, interval: 1)
  for (int t = 0; t < 3; ++t) {
    if (rank == 0) MPI_Send(&x, 1, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
    if (rank == 1 && t > 0) MPI_Recv(&got, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    x *= got * x;
  }
  if (rank == 1) MPI_Recv(&got, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  x *= got;
}

void wildcard(double& x) {
  const int rank = rankOf();
  double got = 1.0;
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int t = 0; t < 3; ++t) {
    if (rank == 0) MPI_Send(&x, 1, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&got, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    x *= got * x;
  }
}

// A send is waited for in the next step.
void late(double& x) {
  const int rank = rankOf();
  double got = 1.0, kept = 1.0;
  MPI_Request request = MPI_REQUEST_NULL;
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int t = 0; t < 3; ++t) {
    if (rank == 0) {
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      kept = x;
      MPI_Isend(&kept, 1, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD, &request);
    }
    if (rank == 1) MPI_Recv(&got, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    x *= got * x;
  }
  if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// Rank 1 receives in a loop that isn't checkpointed.
void outside(double& x) {
  double got = 1.0;
  if (rankOf() == 0) {
#pragma contraflow checkpoint(binomial, snapshots: 2)
    for (int t = 0; t < 3; ++t) {
      MPI_Send(&x, 1, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
      x *= x;
    }
  } else {
    for (int t = 0; t < 3; ++t) {
      MPI_Recv(&got, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      x *= got * x;
    }
  }
}

void memory(double& x) {
#pragma contraflow checkpoint(memory: 1000)
  for (int t = 0; t < 3; ++t) {
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    x *= x;
  }
// MEMORY: error: the loop of line [[#@LINE-4]] can't be checkpointed: with MPI in it all ranks need one schedule{{.*}} [CF1402]
// MEMORY: note: give a number, as in 'checkpoint(binomial, snapshots: 20)'
}

void counts(double& x) {
  int n = 1;
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int t = 0; t < 3; ++t) {
    if (rankOf() == 0) MPI_Send(&n, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
// COUNTS: :[[#@LINE-1]]:{{[0-9]+}}: error: the loop of line [[#@LINE-2]] can't be checkpointed: a message without a derivative is sent or received in it{{.*}} [CF1402]
    if (rankOf() == 1) MPI_Recv(&n, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    x *= n * x;
    ++n;
  }
}

#else
#include <cstring>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double x = 1.1, x_b = 1.0;
  if (std::strcmp(argv[1], "crossing") == 0) crossing_b(x, x_b);
  if (std::strcmp(argv[1], "wildcard") == 0) wildcard_b(x, x_b);
  if (std::strcmp(argv[1], "late") == 0) late_b(x, x_b);
  if (std::strcmp(argv[1], "outside") == 0) outside_b(x, x_b);
  MPI_Finalize();
}
#endif
