#include "heat.hpp"

#include <cmath>
#include <vector>

namespace {

// Fills the ghost cells of a field: from the neighbours, or, at an edge of the plate, from the cell inside it. Rows lie
// contiguous in memory and are sent from where they are; columns are packed. `columns` has room for four of them.
void fillGhostCells(const Grid& g, double* field, double* columns) {
  const int row = g.rowLength();
  double* toWest = columns;
  double* toEast = columns + g.ny;
  double* fromWest = columns + 2 * g.ny;
  double* fromEast = columns + 3 * g.ny;

  for (int j = 0; j < g.ny; ++j) {
    toWest[j] = field[(j + 1) * row + 1];
    toEast[j] = field[(j + 1) * row + g.nx];
  }
  double* southGhosts = field + 1;
  double* southRow = field + row + 1;
  double* northRow = field + g.ny * row + 1;
  double* northGhosts = field + (g.ny + 1) * row + 1;

  MPI_Request requests[8];
  MPI_Irecv(fromWest, g.ny, MPI_DOUBLE, g.west, 1, g.comm, &requests[0]);
  MPI_Irecv(fromEast, g.ny, MPI_DOUBLE, g.east, 2, g.comm, &requests[1]);
  MPI_Irecv(southGhosts, g.nx, MPI_DOUBLE, g.south, 3, g.comm, &requests[2]);
  MPI_Irecv(northGhosts, g.nx, MPI_DOUBLE, g.north, 4, g.comm, &requests[3]);
  MPI_Isend(toEast, g.ny, MPI_DOUBLE, g.east, 1, g.comm, &requests[4]);
  MPI_Isend(toWest, g.ny, MPI_DOUBLE, g.west, 2, g.comm, &requests[5]);
  MPI_Isend(northRow, g.nx, MPI_DOUBLE, g.north, 3, g.comm, &requests[6]);
  MPI_Isend(southRow, g.nx, MPI_DOUBLE, g.south, 4, g.comm, &requests[7]);
  MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);

  const bool westEdge = g.west == MPI_PROC_NULL;
  const bool eastEdge = g.east == MPI_PROC_NULL;
  for (int j = 0; j < g.ny; ++j) {
    field[(j + 1) * row] = westEdge ? toWest[j] : fromWest[j];
    field[(j + 1) * row + g.nx + 1] = eastEdge ? toEast[j] : fromEast[j];
  }
  if (g.south == MPI_PROC_NULL) {
    for (int i = 0; i < g.nx; ++i) southGhosts[i] = southRow[i];
  }
  if (g.north == MPI_PROC_NULL) {
    for (int i = 0; i < g.nx; ++i) northGhosts[i] = northRow[i];
  }
}

// One time step: next from u, whose ghost cells are filled. The conductivity of a face is the mean of its two cells'.
void diffuse(const Grid& g, const double* k, const double* u, double* next) {
  const int row = g.rowLength();
  const double alpha = g.alpha;
  const double scale = 0.5 * g.dt / (g.dx * g.dx);
#pragma omp parallel for schedule(static)
  for (int j = 1; j <= g.ny; ++j) {
    for (int i = 1; i <= g.nx; ++i) {
      const int c = j * row + i;
      const double here = k[c] * (1.0 + alpha * u[c]);
      const double west = k[c - 1] * (1.0 + alpha * u[c - 1]);
      const double east = k[c + 1] * (1.0 + alpha * u[c + 1]);
      const double south = k[c - row] * (1.0 + alpha * u[c - row]);
      const double north = k[c + row] * (1.0 + alpha * u[c + row]);
      next[c] = u[c] + scale * ((here + west) * (u[c - 1] - u[c]) + (here + east) * (u[c + 1] - u[c]) +
                                (here + south) * (u[c - row] - u[c]) + (here + north) * (u[c + row] - u[c]));
    }
  }
}

// Waves that leave no part of the plate without a temperature gradient for long: where there is none, nothing can be
// learnt about the conductivity.
void setInitialTemperature(const Grid& g, double* u) {
  const double pi = 3.14159265358979323846;
  const int row = g.rowLength();
#pragma omp parallel for schedule(static)
  for (int j = 0; j < g.ny; ++j) {
    for (int i = 0; i < g.nx; ++i) {
      const double x = (g.x0 + i + 0.5) * g.dx;
      const double y = (g.y0 + j + 0.5) * g.dx;
      u[(j + 1) * row + i + 1] = 1.0 + 0.5 * x + 0.3 * std::sin(2.0 * pi * (3.0 * x + 1.1 * y)) +
                                 0.3 * std::sin(2.0 * pi * (1.3 * x - 3.2 * y) + 1.0) +
                                 0.2 * std::cos(2.0 * pi * (4.1 * x + 4.3 * y));
    }
  }
}

// The conductivity with ghost cells, from this rank's cells without.
void spreadConductivity(const Grid& g, const double* conductivity, double* k, double* columns) {
  const int row = g.rowLength();
#pragma omp parallel for schedule(static)
  for (int j = 0; j < g.ny; ++j) {
    for (int i = 0; i < g.nx; ++i) k[(j + 1) * row + i + 1] = conductivity[j * g.nx + i];
  }
  fillGhostCells(g, k, columns);
}

// Half the sum of squared differences at this rank's sensors.
double residual(const Grid& g, const double* u, const double* observed) {
  const int row = g.rowLength();
  const int stride = g.sensorStride;
  const int firstX = (stride - g.x0 % stride) % stride;
  const int firstY = (stride - g.y0 % stride) % stride;
  double sum = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int j = firstY; j < g.ny; j += stride) {
    for (int i = firstX; i < g.nx; i += stride) {
      const double difference = u[(j + 1) * row + i + 1] - observed[j * g.nx + i];
      sum += 0.5 * difference * difference;
    }
  }
  return sum;
}

// Half the sum of squared differences of log k over the west and south faces of this rank's cells.
double roughness(const Grid& g, const double* k) {
  const int row = g.rowLength();
  double sum = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int j = 1; j <= g.ny; ++j) {
    for (int i = 1; i <= g.nx; ++i) {
      const int c = j * row + i;
      const double acrossX = std::log(k[c] / k[c - 1]);
      const double acrossY = std::log(k[c] / k[c - row]);
      sum += 0.5 * (acrossX * acrossX + acrossY * acrossY);
    }
  }
  return sum;
}

}  // namespace

void observe(const Grid& g, const double* conductivity, double* observed) {
  std::vector<double> k(g.paddedCells()), first(g.paddedCells()), second(g.paddedCells()), columns(4 * g.ny);
  spreadConductivity(g, conductivity, k.data(), columns.data());
  double* u = first.data();
  double* next = second.data();
  setInitialTemperature(g, u);
  for (int step = 1; step <= g.steps; ++step) {
    fillGhostCells(g, u, columns.data());
    diffuse(g, k.data(), u, next);
    double* old = u;
    u = next;
    next = old;
    if (step % g.observeEvery == 0) {
      double* reading = observed + (step / g.observeEvery - 1) * g.cells();
      for (int j = 0; j < g.ny; ++j) {
        for (int i = 0; i < g.nx; ++i) reading[j * g.nx + i] = u[(j + 1) * g.rowLength() + i + 1];
      }
    }
  }
}

double misfit(const Grid& g, const double* conductivity, const double* observed) {
  std::vector<double> k(g.paddedCells()), first(g.paddedCells()), second(g.paddedCells()), columns(4 * g.ny);
  spreadConductivity(g, conductivity, k.data(), columns.data());
  double mine = g.smoothness * roughness(g, k.data());

  double* u = first.data();
  double* next = second.data();
  setInitialTemperature(g, u);
  for (int step = 1; step <= g.steps; ++step) {
    fillGhostCells(g, u, columns.data());
    diffuse(g, k.data(), u, next);
    double* old = u;
    u = next;
    next = old;
    if (step % g.observeEvery == 0) mine += residual(g, u, observed + (step / g.observeEvery - 1) * g.cells());
  }

  double all = 0.0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, g.comm);
  return all;
}
