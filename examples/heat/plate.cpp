#include "plate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

// Part `index` of `parts` nearly equal parts of 0 … cells-1.
int partStart(int cells, int index, int parts) { return static_cast<int>(static_cast<long>(cells) * index / parts); }

double bump(double x, double y, double centreX, double centreY, double radius) {
  const double dx = (x - centreX) / radius, dy = (y - centreY) / radius;
  return std::exp(-dx * dx - dy * dy);
}

// 0 far outside of a disc, 1 far inside, with an edge `width` wide.
double disc(double x, double y, double centreX, double centreY, double radius, double width) {
  const double distance = std::hypot(x - centreX, y - centreY);
  return 0.5 * (1.0 - std::tanh((distance - radius) / width));
}

}  // namespace

Grid makeGrid(int nx, int ny, int steps) {
  Grid g;
  int ranks = 1, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int parts[2] = {0, 0};
  MPI_Dims_create(ranks, 2, parts);
  const int periodic[2] = {0, 0};
  MPI_Cart_create(MPI_COMM_WORLD, 2, parts, periodic, 0, &g.comm);
  MPI_Comm_rank(g.comm, &rank);
  int at[2];
  MPI_Cart_coords(g.comm, rank, 2, at);
  MPI_Cart_shift(g.comm, 0, 1, &g.south, &g.north);
  MPI_Cart_shift(g.comm, 1, 1, &g.west, &g.east);
  g.globalNx = nx;
  g.globalNy = ny;
  g.x0 = partStart(nx, at[1], parts[1]);
  g.y0 = partStart(ny, at[0], parts[0]);
  g.nx = partStart(nx, at[1] + 1, parts[1]) - g.x0;
  g.ny = partStart(ny, at[0] + 1, parts[0]) - g.y0;
  if (g.nx < 1 || g.ny < 1) {
    std::fprintf(stderr, "heat: %d x %d cells are too few for %d ranks\n", nx, ny, ranks);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }

  g.dx = 1.0 / std::max(nx, ny);
  g.alpha = 0.4;
  // An explicit scheme is stable for dt <= dx^2 / (4 k (1 + alpha T)); k stays below 2.6 and T below 2.4.
  g.dt = g.dx * g.dx / (4.0 * 2.6 * (1.0 + 2.4 * g.alpha));
  g.smoothness = 2.0e-5;
  g.steps = steps;
  g.observeEvery = std::max(1, steps / 10);
  g.sensorStride = 2;
  return g;
}

std::vector<double> trueConductivity(const Grid& g) {
  std::vector<double> k(g.cells());
  for (int j = 0; j < g.ny; ++j) {
    for (int i = 0; i < g.nx; ++i) {
      const double x = (g.x0 + i + 0.5) * g.dx, y = (g.y0 + j + 0.5) * g.dx;
      const double ring = disc(x, y, 0.34, 0.62, 0.21, 0.012) - disc(x, y, 0.34, 0.62, 0.11, 0.012);
      k[j * g.nx + i] = std::exp(0.8 * ring + 0.7 * bump(x, y, 0.72, 0.74, 0.13) - 0.8 * bump(x, y, 0.68, 0.28, 0.17) -
                                 0.5 * bump(x, y, 0.22, 0.2, 0.1));
    }
  }
  return k;
}

std::vector<double> gatherPlate(const Grid& g, const std::vector<double>& field) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(g.comm, &ranks);
  MPI_Comm_rank(g.comm, &rank);
  const int mine[4] = {g.x0, g.y0, g.nx, g.ny};
  std::vector<int> boxes(4 * ranks);
  MPI_Gather(mine, 4, MPI_INT, boxes.data(), 4, MPI_INT, 0, g.comm);
  std::vector<int> counts(ranks), offsets(ranks);
  for (int r = 0, offset = 0; r < ranks; offset += counts[r], ++r) {
    counts[r] = boxes[4 * r + 2] * boxes[4 * r + 3];
    offsets[r] = offset;
  }
  std::vector<double> parts(rank == 0 ? g.globalNx * g.globalNy : 0), plate(parts.size());
  MPI_Gatherv(field.data(), g.cells(), MPI_DOUBLE, parts.data(), counts.data(), offsets.data(), MPI_DOUBLE, 0, g.comm);
  if (rank != 0) return plate;
  for (int r = 0; r < ranks; ++r) {
    const int* box = &boxes[4 * r];
    for (int j = 0; j < box[3]; ++j) {
      for (int i = 0; i < box[2]; ++i)
        plate[(box[1] + j) * g.globalNx + box[0] + i] = parts[offsets[r] + j * box[2] + i];
    }
  }
  return plate;
}
