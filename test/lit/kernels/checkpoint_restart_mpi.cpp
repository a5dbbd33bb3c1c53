// A gradient on two ranks that is killed, again and again, and goes on by the same call: all ranks from one state.
// REQUIRES: mpi
// RUN: rm -rf %t && mkdir %t
// RUN: %contraflow %s --adjoint 'ring(x -> x)' --adjoint 'requests(x -> x)' -o %t/ad.cpp -- -std=c++17 %mpiflags -DOMPI_SKIP_MPICXX
// RUN: FileCheck %s < %t/ad.cpp
// RUN: %mpicxx -std=c++17 -O2 -DOMPI_SKIP_MPICXX %mpicflags -c %t/ad.cpp -o %t/ad.o
// RUN: %mpicxx -std=c++17 -O1 -DOMPI_SKIP_MPICXX %mpicflags -DCHECK -include %t/ad.hpp %s %t/ad.o %mpilibs -o %t/run
// RUN: env CONTRAFLOW_SNAPSHOTS=%t/whole %mpirun 2 %t/run > %t/expected.txt
// RUN: %python %S/Inputs/kill.py %t/folder 4 %mpirun 2 %t/run > %t/killed.txt
// RUN: diff %t/expected.txt %t/killed.txt
// RUN: not %contraflow %s --adjoint 'kept(x -> x)' -o %t/no.cpp -- -std=c++17 %mpiflags -DOMPI_SKIP_MPICXX 2>&1 | FileCheck %s --check-prefix=KEPT

// CHECK-LABEL: {{^}}void ring_b({{.*}}tape) {
// CHECK: contraflow::goOnFrom(checkpoint, "snapshots", "ring, line {{[0-9]+}}", 1, false, {{[0-9]+}}u, 2,
// CHECK-NEXT: contraflow::mpi::restartRanks());

#include <mpi.h>

#ifndef CHECK
#include <vector>

static int rankOf() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

void ring(std::vector<double>& x, int steps) {
  const int n = static_cast<int>(x.size()), other = 1 - rankOf();
  std::vector<double> got(n, 0.0);
#pragma contraflow checkpoint(binomial, snapshots: 5, disk: "snapshots", restart: 2)
  for (int t = 0; t < steps; ++t) {
    MPI_Sendrecv(x.data(), n, MPI_DOUBLE, other, 3, got.data(), n, MPI_DOUBLE, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += x[i] * got[i];
    double all = 0.0;
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < n; ++i) x[i] += 1e-3 * x[i] * got[(i + 1) % n] / (1.0 + all);
  }
}

void requests(std::vector<double>& x, int steps) {
  const int n = static_cast<int>(x.size()), other = 1 - rankOf();
  std::vector<double> got(n, 0.0);
#pragma contraflow checkpoint(periodic, interval: 4, disk: "snapshots", restart: 1)
  for (int t = 0; t < steps; ++t) {
    MPI_Request both[2];
    MPI_Irecv(got.data(), n, MPI_DOUBLE, other, 4, MPI_COMM_WORLD, &both[0]);
    MPI_Isend(x.data(), n, MPI_DOUBLE, other, 4, MPI_COMM_WORLD, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; ++i) x[i] = 0.999 * x[i] + 1e-3 * got[i] * x[i];
  }
}

// A request that outlives a step isn't one of the process that goes on.
void kept(double& x, int steps) {
  double got = 1.0;
  MPI_Request request = MPI_REQUEST_NULL;
#pragma contraflow checkpoint(periodic, interval: 4, disk: "snapshots", restart: 1)
  for (int t = 0; t < steps; ++t) {
    if (rankOf() == 0) MPI_Isend(&x, 1, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD, &request);
    if (rankOf() == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rankOf() == 1) MPI_Recv(&got, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    x *= got * x;
  }
// KEPT: error: the loop of line [[#@LINE-6]] can't go on after a kill: it overwrites memory of type 'MPI_Request', which means nothing to another process [CF1402]
// KEPT: note: take 'restart' out of the annotation
}

#else
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<double> x(30), x_b(30, 1.0), all(60);
  for (int i = 0; i < 30; ++i) x[i] = 1.0 + 0.01 * i * (rank + 1);
  ring_b(x, x_b, 150);
  requests_b(x, x_b, 150);
  MPI_Gather(x_b.data(), 30, MPI_DOUBLE, all.data(), 30, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (double v : all) std::printf("%a\n", v);
  MPI_Finalize();
}
#endif
