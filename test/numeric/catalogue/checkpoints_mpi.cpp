// MPI in loops and blocks that are reversed from snapshots: each kind of message, in the loop and in what it calls, with threads, with
// messages in front of the loop and behind it.
//
// group: mpi openmp threads=1,2 ranks=1,2,3,4
#include <mpi.h>
#include <cmath>
#include <utility>
#include <vector>

namespace {

int rankOf(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}
int sizeOf(MPI_Comm comm) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  return size;
}

// Both edges of u come from the neighbours in a ring.
void exchange(double* u, int n, int left, int right) {
  MPI_Request requests[4];
  MPI_Irecv(u, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(u + n - 1, 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(u + n - 2, 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(u + 1, 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

}  // namespace

// case: at=0.6,0.9 out=2
void ckHalo(const double* in, double* out) {
  const int rank = rankOf(MPI_COMM_WORLD), size = sizeOf(MPI_COMM_WORLD), n = 6;
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  std::vector<double> u(n), unew(n, 0.0);
  for (int i = 0; i < n; ++i) u[i] = in[i % 2] * (1.0 + 0.1 * i + 0.2 * rank);
  exchange(u.data(), n, left, right);
  u[2] *= u[0];
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int t = 0; t < 7; ++t) {
    exchange(u.data(), n, left, right);
#pragma omp parallel for
    for (int i = 1; i < n - 1; ++i) unew[i] = u[i] + 0.1 * u[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
    std::swap(u, unew);
  }
  exchange(u.data(), n, left, right);
  out[0] = u[0] * u[1];
  out[1] = u[5] * u[3] * u[4];
}

// Blocking messages around a ring, through one buffer; the tag changes from step to step.
// case: at=0.6,0.9
void ckSendrecv(const double* in, double* out) {
  const int rank = rankOf(MPI_COMM_WORLD), size = sizeOf(MPI_COMM_WORLD);
  double x = in[0] * (1 + rank), other = in[1];
  MPI_Status status;
#pragma contraflow checkpoint(periodic, interval: 3)
  for (int t = 8; t > 0; --t) {
    MPI_Sendrecv(&x, 1, MPI_DOUBLE, (rank + 1) % size, 10 + t, &other, 1, MPI_DOUBLE, (rank + size - 1) % size, 10 + t,
                 MPI_COMM_WORLD, &status);
    x = 0.5 * x + 0.3 * std::sin(other * x) * in[1];
  }
  out[0] = x * other;
}

// A chain: rank by rank, each step.
// case: at=0.6,0.9 out=2
void ckChain(const double* in, double* out) {
  const int rank = rankOf(MPI_COMM_WORLD), size = sizeOf(MPI_COMM_WORLD);
  double state[2] = {in[0], in[1] * (1.0 + rank)};
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 6; ++t) {
    double got[2] = {0.1, 0.2};
    if (rank > 0) MPI_Recv(got, 2, MPI_DOUBLE, rank - 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    state[0] = 0.7 * state[0] * state[1] + got[0] * state[0];
    state[1] = std::cos(state[1]) + got[1] * 0.3;
    if (rank + 1 < size) MPI_Send(state, 2, MPI_DOUBLE, rank + 1, 4, MPI_COMM_WORLD);
  }
  out[0] = state[0];
  out[1] = state[1] * state[0];
}

// Sums and maxima over the ranks steer the steps; one value comes from the first rank.
// case: at=0.6,0.9 out=2
void ckCollective(const double* in, double* out) {
  const int rank = rankOf(MPI_COMM_WORLD), size = sizeOf(MPI_COMM_WORLD);
  double u[3] = {in[0] + 0.1 * rank, in[1] - 0.05 * rank, 0.3};
#pragma contraflow checkpoint(binomial, snapshots: 2)
  for (int t = 0; t < 5; ++t) {
    double largest = std::fabs(u[0]) + std::fabs(u[1]), sum = u[0] * u[1];
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    double total = 0.0;
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    double shared = u[2] * u[0];
    MPI_Bcast(&shared, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    const double dt = 0.2 / largest;
    u[0] += dt * (total / size - u[0]);
    u[1] += dt * shared * u[1];
    u[2] = 0.5 * u[2] + u[0] * u[1];
  }
  out[0] = u[0] * u[2];
  out[1] = u[1];
}

// Blocks, in a loop that is recorded, and a checkpoint in a checkpoint.
// case: at=0.6,0.9 out=2
void ckBlocks(const double* in, double* out) {
  const int rank = rankOf(MPI_COMM_WORLD), size = sizeOf(MPI_COMM_WORLD), n = 5;
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  double u[n];
  for (int i = 0; i < n; ++i) u[i] = in[i % 2] + 0.1 * i + 0.1 * rank;
  for (int t = 0; t < 2; ++t) {
#pragma contraflow checkpoint
    {
      exchange(u, n, left, right);
      for (int i = 1; i < n - 1; ++i) u[i] *= 0.9 + 0.1 * u[i - 1] * u[i + 1];
    }
#pragma contraflow checkpoint(periodic, interval: 2)
    for (int k = 0; k < 3; ++k) {
      exchange(u, n, left, right);
#pragma contraflow checkpoint(binomial, snapshots: 1)
      for (int j = 0; j < 2; ++j) {
        exchange(u, n, left, right);
        u[1] = 0.5 * (u[0] * u[2] + u[1]);
        u[n - 2] = 0.4 * u[n - 1] * u[n - 2] + 0.2;
      }
      u[2] *= u[0];
    }
  }
  out[0] = u[1] * u[3];
  out[1] = u[2];
}
