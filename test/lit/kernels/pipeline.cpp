// A pipeline: each rank waits for its left neighbour's edge, sweeps its columns, and hands its own edge on, block after block of rows.
// REQUIRES: mpi
// RUN: %contraflow %s --adjoint 'sweep(source -> return)' --tangent 'sweep(source -> return)' -o %t_ad.cpp -- -std=c++17 -fopenmp %mpiflags -DOMPI_SKIP_MPICXX
// RUN: FileCheck %s < %t_ad.cpp
// RUN: %mpicxx -std=c++17 -O1 -fopenmp -DOMPI_SKIP_MPICXX %mpicflags -c %t_ad.cpp -o %t_ad.o
// RUN: %clangxx -std=c++17 -fopenmp -DOMPI_SKIP_MPICXX %mpiflags %mpicflags -fsyntax-only %t_ad.cpp
// RUN: %mpicxx -std=c++17 -O1 -fopenmp -DOMPI_SKIP_MPICXX %mpicflags -DCHECK -include %t_ad.hpp -I%S/Inputs %s %t_ad.o %mpilibs -o %t
// RUN: env OMP_NUM_THREADS=2 %mpirun 1 %t
// RUN: env OMP_NUM_THREADS=1 %mpirun 2 %t
// RUN: env OMP_NUM_THREADS=2 %mpirun 3 %t

// CHECK-LABEL: {{^}}double sweep_b(
// CHECK: {{^ *}}return

#include <mpi.h>

#ifndef CHECK
#include <cmath>
#include <vector>

double sweep(const double* source, int rows, int columns, int rowsPerBlock) {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<double> flux(rows * columns, 0.0), edge(rowsPerBlock, 1.0);
  double mine = 0.0;
  for (int block = 0; block < rows; block += rowsPerBlock) {
    if (rank > 0)
      MPI_Recv(edge.data(), rowsPerBlock, MPI_DOUBLE, rank - 1, block, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int j = block; j < block + rowsPerBlock; ++j) {
      double incoming = edge[j - block];
      for (int i = 0; i < columns; ++i) {
        const double below = j > 0 ? flux[(j - 1) * columns + i] : 0.5;
        incoming = (source[j * columns + i] + 0.6 * incoming + 0.3 * below) / (1.0 + 0.1 * incoming * below);
        flux[j * columns + i] = incoming;
        mine += std::log(1.0 + incoming * incoming);
      }
      edge[j - block] = incoming;
    }
    if (rank + 1 < size)
      MPI_Send(edge.data(), rowsPerBlock, MPI_DOUBLE, rank + 1, block, MPI_COMM_WORLD);
    for (int j = 0; j < rowsPerBlock; ++j)
      edge[j] = 1.0;
  }
  double total = 0.0;
  MPI_Reduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return total;
}
#else
#include "check.hpp"

double sweep(const double* source, int rows, int columns, int rowsPerBlock);

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
  const int rows = 6, columns = 4;
  const double seed = rank == 0 ? 1.0 : 0.0;  // the other ranks return 0
  const int status = checkGradient(
      wave(rows * columns, 0.3, 0.2, 1.1 + rank), [](const auto& s) { return sweep(s.data(), rows, columns, 2); },
      [](const auto& s, const auto& s_d) { return sweep_d(s.data(), s_d.data(), rows, columns, 2); },
      [&](const auto& s, auto& s_b) { return sweep_b(s.data(), s_b.data(), rows, columns, 2, seed); }, seed, SumOverRanks());
  MPI_Finalize();
  return status;
}
#endif
