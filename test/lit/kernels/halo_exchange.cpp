// Halo exchange by nonblocking messages around an OpenMP loop: work on inner cells between the posts and the waits.
// REQUIRES: mpi
// RUN: %contraflow %s --adjoint 'diffusion(u0 -> return)' --tangent 'diffusion(u0 -> return)' -o %t_ad.cpp -- -std=c++17 -fopenmp %mpiflags -DOMPI_SKIP_MPICXX
// RUN: FileCheck %s < %t_ad.cpp
// RUN: %mpicxx -std=c++17 -O1 -fopenmp -DOMPI_SKIP_MPICXX %mpicflags -c %t_ad.cpp -o %t_ad.o
// RUN: %clangxx -std=c++17 -fopenmp -DOMPI_SKIP_MPICXX %mpiflags %mpicflags -fsyntax-only %t_ad.cpp
// RUN: %mpicxx -std=c++17 -O1 -fopenmp -DOMPI_SKIP_MPICXX %mpicflags -DCHECK -include %t_ad.hpp -I%S/Inputs %s %t_ad.o %mpilibs -o %t
// RUN: env OMP_NUM_THREADS=2 %mpirun 1 %t
// RUN: env OMP_NUM_THREADS=1 %mpirun 2 %t
// RUN: env OMP_NUM_THREADS=2 %mpirun 3 %t

// CHECK-LABEL: {{^}}double diffusion_b(
// CHECK-NOT: {{^ *}}MPI_Waitall(
// CHECK: {{^ *}}#pragma omp {{.*}}for

#include <mpi.h>

#ifndef CHECK
#include <vector>

struct Line {
  MPI_Comm comm;
  int left, right;
};

static void update(const double* u, double* next, int from, int to) {
#pragma omp parallel for schedule(static)
  for (int i = from; i < to; ++i)
    next[i] = u[i] + 0.2 * (1.0 + 0.3 * u[i] * u[i]) * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
}

double diffusion(const double* u0, int n, int steps) {
  Line line;
  int rank = 0, size = 1;
  line.comm = MPI_COMM_WORLD;
  MPI_Comm_rank(line.comm, &rank);
  MPI_Comm_size(line.comm, &size);
  line.left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  line.right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  std::vector<double> first(n + 2, 0.0), second(n + 2, 0.0);
  double *u = first.data(), *next = second.data();
  for (int i = 1; i <= n; ++i)
    u[i] = u0[i - 1];
  for (int step = 0; step < steps; ++step) {
    MPI_Request requests[4];
    MPI_Irecv(&u[0], 1, MPI_DOUBLE, line.left, 0, line.comm, &requests[0]);
    MPI_Irecv(&u[n + 1], 1, MPI_DOUBLE, line.right, 1, line.comm, &requests[1]);
    MPI_Isend(&u[n], 1, MPI_DOUBLE, line.right, 0, line.comm, &requests[2]);
    MPI_Isend(&u[1], 1, MPI_DOUBLE, line.left, 1, line.comm, &requests[3]);
    update(u, next, 2, n);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    update(u, next, 1, 2);
    update(u, next, n, n + 1);
    double* old = u;
    u = next;
    next = old;
  }
  double mine = 0.0, all = 0.0;
#pragma omp parallel for reduction(+ : mine)
  for (int i = 1; i <= n; ++i)
    mine += u[i] * u[i];
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, line.comm);
  return all;
}
#else
#include "check.hpp"

double diffusion(const double* u0, int n, int steps);

struct SumOverRanks {
  double operator()(double mine) const {
    double all = 0.0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
  }
};

int main(int argc, char** argv) {
  int provided = 0, rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int n = 8, steps = 5;
  const double seed = rank == 0 ? 1.0 : 0.0;  // every rank holds the same result
  const int status = checkGradient(
      wave(n, 0.3, 0.9, 1.1 + rank), [](const auto& u) { return diffusion(u.data(), n, steps); },
      [](const auto& u, const auto& u_d) { return diffusion_d(u.data(), u_d.data(), n, steps); },
      [&](const auto& u, auto& u_b) { return diffusion_b(u.data(), u_b.data(), n, steps, seed); }, seed, SumOverRanks());
  MPI_Finalize();
  return status;
}
#endif
