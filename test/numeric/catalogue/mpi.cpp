// MPI: each routine that is supported, orders of posts and waits, ranks that do different things, and hybrids. Every
// function runs on any number of ranks, and each rank has outputs of its own.
//
// group: mpi openmp threads=1,2 ranks=1,2,3,4 hessian
#include <mpi.h>
#include <cmath>
#include <cstdio>
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
int leftNeighbour() { return rankOf(MPI_COMM_WORLD) > 0 ? rankOf(MPI_COMM_WORLD) - 1 : MPI_PROC_NULL; }
int rightNeighbour() {
  return rankOf(MPI_COMM_WORLD) + 1 < sizeOf(MPI_COMM_WORLD) ? rankOf(MPI_COMM_WORLD) + 1 : MPI_PROC_NULL;
}

}  // namespace

// case: at=0.6,1.2
void sendReceive(const double* in, double* out) {
  double buffer[2] = {in[0] * in[1], in[1]};
  const int left = leftNeighbour(), right = rightNeighbour();
  MPI_Recv(buffer, 2, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  buffer[0] = std::sin(buffer[0]) * in[0] + buffer[1];
  MPI_Send(buffer, 2, MPI_DOUBLE, right, 3, MPI_COMM_WORLD);
  out[0] = buffer[0] * buffer[1];
}

// case: at=0.6,1.2
void synchronousSend(const double* in, double* out) {
  const int rank = rankOf(MPI_COMM_WORLD), size = sizeOf(MPI_COMM_WORLD);
  double value = in[0] * in[0];
  if (rank == 0) {
    for (int r = 1; r < size; ++r) {
      double other = 0.0;
      MPI_Recv(&other, 1, MPI_DOUBLE, r, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      value += other * in[1] * r;
    }
  } else {
    MPI_Ssend(&value, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    value = in[1];
  }
  out[0] = value * in[0];
}

// case: at=0.6,1.2 out=2
void haloNonblocking(const double* in, double* out) {
  const int left = leftNeighbour(), right = rightNeighbour();
  double u[4] = {0.1, in[0], in[1], 0.2};
  for (int step = 0; step < 3; ++step) {
    MPI_Request requests[4];
    MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&u[3], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&u[2], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&u[1], 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    const double first = u[1] + 0.2 * u[1] * (u[0] - 2.0 * u[1] + u[2]);
    const double second = u[2] + 0.2 * u[2] * (u[1] - 2.0 * u[2] + u[3]);
    u[1] = first;
    u[2] = second;
  }
  out[0] = u[1] * u[0];
  out[1] = u[2] + u[3];
}

// Work between posts and waits, and the waits in another order than the posts.
// case: at=0.6,1.2 out=2
void waitsInAnotherOrder(const double* in, double* out) {
  const int left = leftNeighbour(), right = rightNeighbour();
  double toRight = in[0] * in[1], toLeft = std::sin(in[0]), fromLeft = in[0], fromRight = in[1];
  MPI_Request receiveLeft, receiveRight, sendLeft, sendRight;
  MPI_Irecv(&fromLeft, 1, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, &receiveLeft);
  MPI_Isend(&toRight, 1, MPI_DOUBLE, right, 7, MPI_COMM_WORLD, &sendRight);
  MPI_Irecv(&fromRight, 1, MPI_DOUBLE, right, 7, MPI_COMM_WORLD, &receiveRight);
  MPI_Isend(&toLeft, 1, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, &sendLeft);
  const double meanwhile = in[1] * in[1];
  MPI_Wait(&receiveRight, MPI_STATUS_IGNORE);
  MPI_Wait(&sendLeft, MPI_STATUS_IGNORE);
  toLeft = 0.0;
  out[0] = fromRight * meanwhile;
  MPI_Wait(&sendRight, MPI_STATUS_IGNORE);
  toRight = 1.0;
  MPI_Wait(&receiveLeft, MPI_STATUS_IGNORE);
  out[1] = fromLeft * out[0] + toLeft + toRight;
}

// Two messages of one peer and tag: the second wait completes the first receive.
// case: at=0.6,1.2 out=2
void sameTagTwice(const double* in, double* out) {
  const int left = leftNeighbour(), right = rightNeighbour();
  double first = in[0], second = in[1], got[2] = {in[1], in[0]};
  MPI_Request requests[4];
  MPI_Irecv(&got[0], 1, MPI_DOUBLE, left, 4, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&got[1], 1, MPI_DOUBLE, left, 4, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&first, 1, MPI_DOUBLE, right, 4, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&second, 1, MPI_DOUBLE, right, 4, MPI_COMM_WORLD, &requests[3]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Waitall(2, &requests[2], MPI_STATUSES_IGNORE);
  out[0] = got[0] * got[0];
  out[1] = got[1] * in[0];
}

void post(double* values, MPI_Request* requests) {
  MPI_Irecv(values, 1, MPI_DOUBLE, leftNeighbour(), 9, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(values + 1, 1, MPI_DOUBLE, rightNeighbour(), 9, MPI_COMM_WORLD, &requests[1]);
}
void finish(MPI_Request* requests) { MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); }

// case: at=0.6,1.2
void postsAndWaitsInFunctions(const double* in, double* out) {
  MPI_Request requests[2];
  double values[2] = {0.3, in[0] * in[1]};
  post(values, requests);
  const double own = values[1] * in[1];
  finish(requests);
  values[1] = values[0] * own;
  post(values, requests);
  finish(requests);
  out[0] = values[0] + values[1] * values[1];
}

// The last rank only prints what it receives, and still owes its sender an adjoint message.
// case: at=0.6,1.2
void receivesAndOnlyPrints(const double* in, double* out) {
  const int rank = rankOf(MPI_COMM_WORLD), size = sizeOf(MPI_COMM_WORLD);
  double value = in[0] * in[1];
  if (rank == 0 && size > 1) MPI_Send(&value, 1, MPI_DOUBLE, size - 1, 5, MPI_COMM_WORLD);
  if (rank == size - 1 && size > 1) {
    double seen = 0.0;
    MPI_Recv(&seen, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (seen > 1e9) std::printf("large\n");
  }
  value *= in[0];
  out[0] = value;
}

// case: at=0.6,1.2 out=2
void ring(const double* in, double* out) {
  const int rank = rankOf(MPI_COMM_WORLD), size = sizeOf(MPI_COMM_WORLD);
  double travelling[2] = {in[0], in[1]}, sum = 0.0;
  for (int step = 0; step < size; ++step) {
    double arrived[2];
    MPI_Sendrecv(travelling, 2, MPI_DOUBLE, (rank + 1) % size, 6, arrived, 2, MPI_DOUBLE, (rank + size - 1) % size, 6,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    travelling[0] = arrived[0] * 0.9 + in[0] * arrived[1];
    travelling[1] = arrived[1];
    sum += travelling[0] * in[1];
  }
  out[0] = sum;
  out[1] = travelling[0] * travelling[1];
}

// case: at=0.6,1.2 out=2
void broadcast(const double* in, double* out) {
  const int root = sizeOf(MPI_COMM_WORLD) - 1;
  double a[2] = {in[0] * in[1], in[1]};
  out[0] = a[0];
  MPI_Bcast(a, 2, MPI_DOUBLE, root, MPI_COMM_WORLD);
  out[0] += a[0] * in[0];
  a[1] *= a[0];
  MPI_Bcast(&a[1], 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  out[1] = a[1] * in[0];
}

// case: at=0.6,1.2
void reduceSum(const double* in, double* out) {
  double mine[2] = {in[0] * in[0], std::sin(in[1])}, total[2] = {0.2, 0.3};
  const int root = sizeOf(MPI_COMM_WORLD) > 1 ? 1 : 0;
  MPI_Reduce(mine, total, 2, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
  mine[0] = total[0] * total[1];
  out[0] = mine[0] + mine[1];
}

// case: at=0.6,1.2
void reduceMaxAndMin(const double* in, double* out) {
  double mine[2] = {in[0] * (1 + rankOf(MPI_COMM_WORLD) % 3), in[1]}, largest[2] = {}, smallest[2] = {};
  MPI_Reduce(mine, largest, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(mine, smallest, 2, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
  out[0] = largest[0] * largest[1] + smallest[0] * in[1] + smallest[1];
}

// case: at=0.6,1.2 out=2
void allreduceSum(const double* in, double* out) {
  double mine = in[0] * in[1], total = 0.0;
  MPI_Allreduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  out[0] = total * in[0];
  mine = total * total;
  MPI_Allreduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  out[1] = total * in[1];
}

// case: at=0.6,1.2 out=2
void allreduceInPlace(const double* in, double* out) {
  double a[2] = {in[0] * in[1], in[1]};
  MPI_Allreduce(MPI_IN_PLACE, a, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  out[0] = a[0] * a[1];
  a[0] *= in[0];
  MPI_Allreduce(MPI_IN_PLACE, a, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  out[1] = a[0] * in[1];
}

// case: at=0.6,1.2 out=2
void allreduceMaxAndMin(const double* in, double* out) {
  double mine[2] = {in[0] * (1 + (rankOf(MPI_COMM_WORLD) + 1) % 2), in[1]}, largest[2], smallest[2];
  MPI_Allreduce(mine, largest, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(mine, smallest, 2, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  out[0] = largest[0] * smallest[1];
  out[1] = largest[1] * smallest[0] * in[0];
}

// case: at=0.6,1.2
void gather(const double* in, double* out) {
  const int rank = rankOf(MPI_COMM_WORLD), size = sizeOf(MPI_COMM_WORLD);
  double mine[2] = {in[0] * in[1], in[1]};
  std::vector<double> all(2 * size, 0.0);
  MPI_Gather(mine, 2, MPI_DOUBLE, all.data(), 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  double sum = in[0];
  if (rank == 0) {
    for (int r = 0; r < size; ++r) sum += all[2 * r] * all[2 * r + 1] * (r + 1);
  }
  out[0] = sum;
}

// case: at=0.6,1.2
void scatter(const double* in, double* out) {
  const int size = sizeOf(MPI_COMM_WORLD);
  std::vector<double> all(2 * size);
  for (int k = 0; k < 2 * size; ++k) all[k] = in[k % 2] * (1.0 + 0.3 * k) * in[0];
  double mine[2] = {in[0], in[1]};
  MPI_Scatter(all.data(), 2, MPI_DOUBLE, mine, 2, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
  out[0] = mine[0] * mine[1] + in[1];
}

// case: at=0.6,1.2
void allgather(const double* in, double* out) {
  const int rank = rankOf(MPI_COMM_WORLD), size = sizeOf(MPI_COMM_WORLD);
  const double mine = std::sin(in[0] * in[1]);
  std::vector<double> all(size);
  MPI_Allgather(&mine, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, MPI_COMM_WORLD);
  double sum = 0.0;
  for (int r = 0; r < size; ++r) sum += (all[r] - all[rank] * in[0]) * (all[r] + in[1]);
  out[0] = sum;
}

// Messages of integers steer the computation, and have no adjoint.
// case: at=0.6,1.2
void inactiveMessages(const double* in, double* out) {
  int count = 2 + rankOf(MPI_COMM_WORLD), most = 0;
  MPI_Allreduce(&count, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  double constant = 0.5 * most;
  MPI_Bcast(&constant, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  double a = in[0];
  for (int i = 0; i < most; ++i) a = a * in[1] * constant + 0.1;
  out[0] = a;
}

// All ranks go on until the norm over all of them is small.
// case: at=0.6,1.2
void untilConverged(const double* in, double* out) {
  double x = in[1], norm = 1.0;
  while (norm > 1e-13) {
    const double change = (x * x - in[0]) / (2.0 * x);
    x -= change;
    double mine = change * change;
    MPI_Allreduce(&mine, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  out[0] = x * in[1];
}

// case: at=0.6,1.2 out=2 start=0.4,-0.7 inout
void inOutExchanged(const double* in, double* out) {
  double got = 0.0;
  MPI_Sendrecv(&out[0], 1, MPI_DOUBLE, rightNeighbour(), 2, &got, 1, MPI_DOUBLE, leftNeighbour(), 2, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  out[0] = out[0] * in[0] + got * out[1];
  MPI_Allreduce(MPI_IN_PLACE, &out[1], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  out[1] *= in[1];
}

struct Decomposition {
  MPI_Comm comm;
  int rank, size;
};

double globalDot(const Decomposition& d, const double* a, const double* b, int n) {
  double mine = 0.0, all = 0.0;
#pragma omp parallel for reduction(+ : mine)
  for (int i = 0; i < n; ++i) mine += a[i] * b[i];
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, d.comm);
  return all;
}

void exchangeHalo(const Decomposition& d, double* u, int n) {
  const int left = d.rank > 0 ? d.rank - 1 : MPI_PROC_NULL;
  const int right = d.rank + 1 < d.size ? d.rank + 1 : MPI_PROC_NULL;
  MPI_Request requests[4];
  MPI_Irecv(u, 1, MPI_DOUBLE, left, 0, d.comm, requests);
  MPI_Irecv(u + n + 1, 1, MPI_DOUBLE, right, 1, d.comm, requests + 1);
  MPI_Isend(u + n, 1, MPI_DOUBLE, right, 0, d.comm, requests + 2);
  MPI_Isend(u + 1, 1, MPI_DOUBLE, left, 1, d.comm, requests + 3);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

// case: at=0.6,1.2
void hybridDiffusion(const double* in, double* out) {
  Decomposition d;
  d.comm = MPI_COMM_WORLD;
  d.rank = rankOf(d.comm);
  d.size = sizeOf(d.comm);
  const int n = 6;
  std::vector<double> first(n + 2, 0.0), second(n + 2, 0.0);
  double *u = first.data(), *next = second.data();
  for (int i = 1; i <= n; ++i) u[i] = in[i % 2] * i * 0.3;
  for (int step = 0; step < 4; ++step) {
    exchangeHalo(d, u, n);
#pragma omp parallel for
    for (int i = 1; i <= n; ++i) next[i] = u[i] + 0.2 * (1.0 + 0.1 * u[i]) * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
    double* old = u;
    u = next;
    next = old;
  }
  out[0] = globalDot(d, u + 1, u + 1, n) * in[0];
}

// case: at=0.6,1.2
void hybridConjugateGradients(const double* in, double* out) {
  Decomposition d = {MPI_COMM_WORLD, rankOf(MPI_COMM_WORLD), sizeOf(MPI_COMM_WORLD)};
  const int n = 4;
  std::vector<double> x(n + 2, 0.0), r(n + 2, 0.0), p(n + 2, 0.0), q(n + 2, 0.0);
  for (int i = 1; i <= n; ++i) {
    r[i] = in[0] + 0.1 * i * in[1];
    p[i] = r[i];
  }
  double norm = globalDot(d, &r[1], &r[1], n);
  for (int iteration = 0; iteration < 3; ++iteration) {
    exchangeHalo(d, p.data(), n);
    const double* direction = p.data();
    double* image = q.data();
    const double diagonal = 2.5 + in[1];
#pragma omp parallel for
    for (int i = 1; i <= n; ++i) image[i] = diagonal * direction[i] - direction[i - 1] - direction[i + 1];
    const double alpha = norm / globalDot(d, &p[1], &q[1], n);
    for (int i = 1; i <= n; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const double newNorm = globalDot(d, &r[1], &r[1], n);
    for (int i = 1; i <= n; ++i) p[i] = r[i] + newNorm / norm * p[i];
    norm = newNorm;
  }
  out[0] = globalDot(d, &x[1], &x[1], n) + x[2];
}
