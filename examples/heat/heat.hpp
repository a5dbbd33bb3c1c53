// Heat conduction in a plate whose conductivity varies from place to place and with the temperature:
//
//     dT/dt = div( k(x, y) (1 + alpha T) grad T ),   insulated edges,
//
// by explicit finite volumes on a uniform grid. The grid is split over MPI ranks in both directions; each rank
// updates its cells with OpenMP threads.
#pragma once

#include <mpi.h>

// One rank's part of the grid. Cell (i, j), 0 <= i < nx, 0 <= j < ny, is cell (x0 + i, y0 + j) of the whole plate.
struct Grid {
  int nx = 0, ny = 0;              // this rank's cells
  int x0 = 0, y0 = 0;              // its first cell in the whole plate
  int globalNx = 0, globalNy = 0;  // the whole plate
  int west = MPI_PROC_NULL, east = MPI_PROC_NULL, south = MPI_PROC_NULL, north = MPI_PROC_NULL;  // neighbours
  MPI_Comm comm = MPI_COMM_NULL;

  double dx = 0.0;          // cell size; the longer side of the plate has length 1
  double dt = 0.0;          // time step
  double alpha = 0.0;       // how conductivity grows with temperature
  double smoothness = 0.0;  // weight of the conductivity's roughness in the misfit
  int steps = 0;            // time steps
  int observeEvery = 1;     // steps between two readings of the sensors
  int sensorStride = 1;     // a sensor in each sensorStride-th cell of each row and column

  // Fields inside the solver have a frame of ghost cells, one wide.
  int rowLength() const { return nx + 2; }
  int paddedCells() const { return (nx + 2) * (ny + 2); }
  int cells() const { return nx * ny; }
  int readings() const { return steps / observeEvery; }
};

// What the sensors read for this conductivity: readings() fields of nx * ny temperatures each, one after the other.
// (All cells are stored, those with a sensor are used.)
void observe(const Grid& g, const double* conductivity, double* observed);

// Half the sum of squared differences between computed and observed temperatures, over all sensors, readings and ranks,
// and smoothness/2 times the sum of squared differences of log k between neighbours. Every rank gets the same value.
// conductivity: this rank's nx * ny cells, positive.
double misfit(const Grid& g, const double* conductivity, const double* observed);
